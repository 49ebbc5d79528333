// Scenes of models that draw nothing: what has kinetic energy and what carries it stands where the
// formulas say, rods have one length, and only what is driven is coloured so.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "page_data.h"
#include "support/cases.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char folder[] = LIAISON_SOURCE_DIR "/tests/output/guesses";

// The text of a model of the folder, with a line more. Release with free().
static char* text_of(const char* name, const char* more) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.lia", folder, name);
    FILE* f = fopen(path, "rb");
    assert_non_null(f);
    char* text = calloc(20000, 1);
    size_t length = fread(text, 1, 19000, f);
    fclose(f);
    snprintf(text + length, 20000 - length, "\n%s\n", more);
    return text;
}

static Page page_with(const char* name, const char* more) {
    char* text = text_of(name, more);
    Page page = page_of(text);
    free(text);
    return page;
}

typedef struct Ways {  // of the places of an item along the samples
    double* x[3];
    size_t rows;
} Ways;

static Ways ways_of(const Page* page, const LiaJson* item, const char* key) {
    Ways ways = {.rows = page_rows(page)};
    for (size_t k = 0; k < 3; k++) {
        ways.x[k] = calloc(ways.rows + 1, sizeof(double));
        page_channel(page, item, key, k, ways.x[k]);
    }
    return ways;
}

static void ways_clear(Ways* ways) {
    for (int k = 0; k < 3; k++) free(ways->x[k]);
}

static const char* text_member(const LiaJson* item, const char* key) {
    const LiaJson* member = lia_json_member(item, key);
    return member ? member->text.bytes : "";
}

static const LiaJson* items_of(const Page* page) {
    return lia_json_member(lia_json_member(page->json, "scene"), "items");
}

// --- where things are

typedef struct Probe {
    const char *model, *kind, *place;  // a place as the model would write it
    bool driven;
} Probe;

static const Probe probes[] = {
    {"cart_two_pendulums", "cart", "[x, 0, 0]", true},
    {"cart_two_pendulums", "point", "[A.x, A.y, 0]", false},
    {"cart_two_pendulums", "point", "[B.x, B.y, 0]", false},
    {"cart_plain", "cart", "[x, 0.3, 0]", false},
    {"cart_plain", "point", "[xp, yp, 0]", false},
    {"cart_textbook", "cart", "[x, 0, 0]", true},
    {"cart_textbook", "point", "[x + l*sin(th), -l*cos(th), 0]", false},
    {"pole_textbook", "cart", "[x, 0, 0]", false},
    {"pole_textbook", "point", "[x - l*sin(theta), l*cos(theta), 0]", false},
    {"cart_double", "cart", "[x, 0, 0]", false},
    {"cart_double", "joint", "[x + l1*sin(a), -l1*cos(a), 0]", false},
    {"cart_double", "point", "[x + l1*11/15*sin(a), -l1*11/15*cos(a), 0]", false},
    {"cart_double", "point",
     "[x + l1*sin(a) + l2*2/3*sin(a + b), -l1*cos(a) - l2*2/3*cos(a + b), 0]", false},
    {"kapitza", "cart", "[0, y, 0]", true},
    {"kapitza", "point", "[l*cos(a), y + l*sin(a), 0]", false},
    {"triple_textbook", "point", "[x + l*sin(a[1]), -l*cos(a[1]), 0]", false},
    {"triple_textbook", "point",
     "[x + l*(sin(a[1]) + sin(a[2]) + sin(a[3])), -l*(cos(a[1]) + cos(a[2]) + cos(a[3])), 0]",
     false},
    {"triple_textbook", "point", "[x + l*sin(a[4]), -l*cos(a[4]), 0]", false},
    {"acrobot_textbook", "anchor", "[0, 0, 0]", false},
    {"acrobot_textbook", "point", "[l1*sin(th1), -l1*cos(th1), 0]", false},
    {"acrobot_textbook", "point", "[l1*sin(th1) + l2*sin(th2), -l1*cos(th1) - l2*cos(th2), 0]",
     false},
    {"kepler_polar", "point", "[r*cos(phi), r*sin(phi), 0]", false},
    {"spring_polar", "point", "[r*sin(a), -r*cos(a), 0]", false},
    {"spring_polar", "spring", "[r*sin(a), -r*cos(a), 0]", false},
    {"no_chain", "dial", "[0, 0, 0]", false},
    {"wedge", "cart", "[x, 0, 0]", false},
    {"wedge", "point", "[B.x, B.y, 0]", false},
    {"linkage", "joint", "[a*sin(p), -a*cos(p), 0]", false},
    {"linkage", "anchor", "[0, 0, 0]", false},
    {"biped", "joint", "[knee1.x, knee1.y, 0]", false},
    {"biped", "joint", "[hip.x, hip.y, 0]", false},
    {"biped", "joint", "[knee2.x, knee2.y, 0]", false},
    {"biped", "joint", "[foot2.x, foot2.y, 0]", false},
    {"biped", "point", "[trunk.x, trunk.y, 0]", false},
    {"biped", "point", "[shank2.x, shank2.y, 0]", false},
    {"rrr", "joint", "[elbow[1].x, elbow[1].y, 0]", false},
    {"rrr", "joint", "[elbow[3].x, elbow[3].y, 0]", false},
    {"rrr", "anchor", "[base[2].x, base[2].y, 0]", false},
    {"rrr", "point", "[corner[2].x, corner[2].y, 0]", false},
    {"rrr", "point", "[x, y, 0]", true},
    {"crank_slider_points", "joint", "[pin.x, pin.y, 0]", true},
    {"crank_slider_points", "cart", "[s, 0, 0]", false},
    {"trebuchet", "joint", "[tip.x, tip.y, 0]", false},
    {"trebuchet", "joint", "[butt.x, butt.y, 0]", false},
    {"trebuchet", "point", "[stone.x, stone.y, 0]", false},
    {"whip", "joint", "[r[0].x, r[0].y, 0]", true},
    {"whip", "point", "[r[1].x, r[1].y, 0]", false},
    {"whip", "point", "[r[12].x, r[12].y, 0]", false},
    {"leg_bodies", "cart", "[hip, 0, 0]", true},
    {"leg_bodies", "joint", "[hip + l*sin(a), -l*cos(a), 0]", false},
    {"leg_bodies", "point", "shank.position", false},
    {"snakeboard", "point", "[x, y, 0]", false},
    {"snakeboard", "bar", "[x, y, 0]", true},
    {"spring_chain", "cart", "[s, 0, 0]", true},
    {"spring_chain", "point", "[x[5], y[5], 0]", false},
    {"pendulum_spherical", "point", "P", false},
    {"mixed", "point", "P", false},
    {"mixed", "joint", "point(block, [0.5, 0, 0])", false},
    {"mixed", "box", "block.position", false},
    {"stewart", "joint", "head[4]", false},
    {"stewart", "anchor", "foot[4]", false},
    {"fourbar", "point", "crank.position", true},
    {"fourbar", "point", "rocker.position", false},
    {"gimbal", "ring", "[0, 0, 0]", false},
    {"gimbal", "disk", "[0, 0, 0]", false},
    {"driven_plate", "marker", "marker.position", true},
    {"turntable", "plane", "[0, 0, 0]", true},
};

// Does an item of that kind stand where the columns probeN.x, .y, .z say, all the time?
static bool is_there(const Page* page, const LiaJson* item, const Probe* probe, size_t number) {
    if (strcmp(text_member(item, "kind"), probe->kind) != 0) return false;
    Ways ways = ways_of(page, item, "at");
    double off = 0.0, size = 1e-3;
    for (int k = 0; k < 3; k++) {
        char column[40];
        snprintf(column, sizeof column, "probe%zu.%c", number, "xyz"[k]);
        for (size_t i = 0; i < ways.rows; i += 7) {
            double wanted = motion_value(&page->motion, i, column);
            off = fmax(off, fabs(ways.x[k][i] - wanted));
            size = fmax(size, fabs(wanted));
        }
    }
    ways_clear(&ways);
    return off <= 1e-6 * size;  // numbers of a page have 24 bits
}

static void check_probe(const Page* page, const Probe* probe, size_t number) {
    const LiaJson* found = NULL;
    for (const LiaJson* item = items_of(page)->first; item && !found; item = item->next) {
        if (is_there(page, item, probe, number)) found = item;
    }
    if (!found) fail_msg("%s: no %s at %s", probe->model, probe->kind, probe->place);
    if ((lia_json_member(found, "driven") != NULL) != probe->driven) {
        fail_msg("%s: %s at %s: driven or not", probe->model, probe->kind, probe->place);
    }
}

static void what_carries_a_mass_is_where_the_formulas_say(void) {
    size_t count = sizeof probes / sizeof *probes, next = 0;
    for (size_t i = 0; i < count; i = next) {  // probes of one model stand one after the other
        char more[2000] = "";
        for (next = i; next < count && strcmp(probes[next].model, probes[i].model) == 0; next++) {
            size_t at = strlen(more);
            snprintf(more + at, sizeof more - at, "observe probe%zu = %s\n", next,
                     probes[next].place);
        }
        Page page = page_with(probes[i].model, more);
        for (size_t k = i; k < next; k++) check_probe(&page, &probes[k], k);
        page_clear(&page);
    }
}

// --- laws for all of them

static void check_rods(const Page* page, const char* name) {
    for (const LiaJson* item = items_of(page)->first; item; item = item->next) {
        const char* kind = text_member(item, "kind");
        if (strcmp(kind, "segment") != 0 && strcmp(kind, "link") != 0) continue;
        Ways a = ways_of(page, item, "at"), b = ways_of(page, item, "to");
        double first = 0.0, off = 0.0, size = 0.0;
        for (size_t i = 0; i < a.rows; i++) {
            double length = 0.0;
            for (int k = 0; k < 3; k++) {
                length = hypot(length, a.x[k][i] - b.x[k][i]);
                size = fmax(size, fabs(a.x[k][i]));
            }
            first = i == 0 ? length : first;
            off = fmax(off, fabs(length - first));
        }
        if (!(first > 0.0) || !(off <= 1e-6 * (size + first))) {
            fail_msg("%s: a rod of length %g changes by %g", name, first, off);
        }
        ways_clear(&a);
        ways_clear(&b);
    }
}

static void check_numbers(const Page* page, const char* name) {
    size_t count = 0, moving = 0;
    for (const LiaJson* item = items_of(page)->first; item; item = item->next, count++) {
        Ways at = ways_of(page, item, "at");
        bool instrument = lia_json_member(item, "value") != NULL;
        moving += instrument || lia_json_member(item, "turn");
        for (size_t i = 0; i < at.rows; i++) {
            for (int k = 0; k < 3; k++) {
                if (!isfinite(at.x[k][i])) fail_msg("%s: an item is nowhere", name);
                moving += at.x[k][i] != at.x[k][0];
            }
        }
        ways_clear(&at);
    }
    if (count == 0 || moving == 0) fail_msg("%s: nothing is drawn, or nothing moves", name);
}

static void rods_have_one_length_and_something_moves(void) {
    DIR* models = opendir(folder);
    int count = 0;
    assert_non_null(models);
    for (const struct dirent* entry; (entry = readdir(models));) {
        char name[256];
        snprintf(name, sizeof name, "%s", entry->d_name);
        char* dot = strstr(name, ".lia");
        if (!dot) continue;
        *dot = '\0';
        Page page = page_with(name, "");
        check_rods(&page, name);
        check_numbers(&page, name);
        page_clear(&page);
        count++;
    }
    closedir(models);
    assert_true(count >= 25);
}

// Two pendulums that swing side by side keep their distance; nothing holds it.
static void what_keeps_its_distance_by_chance_is_no_rod(void) {
    Page page = page_of("parameter g = 9.81\ncoordinate a, b : circle\n"
                        "let A = [sin(a), -cos(a)], B = [2 + sin(b), -cos(b)]\n"
                        "kinetic (dot(A', A') + dot(B', B'))/2\npotential g*(A.y + B.y)\n"
                        "start a = 0.5, b = 0.5\nrun t = 0..3\n");
    assert_int_equal(page_count(&page, "segment"), 2);
    assert_int_equal(page_count(&page, "anchor"), 2);
    page_clear(&page);
    // at rest everything keeps its distance
    page = page_of("coordinate x1, y1, x2, y2 : line\nkinetic (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2\n"
                   "constraint rod: x1^2 + y1^2 = 1\nstart x1 = 1, x2 = 3\nrun t = 0..1\n");
    assert_int_equal(page_count(&page, "segment"), 0);  // what is still is not held by anything
    assert_int_equal(page_count(&page, "point") + page_count(&page, "anchor"), 2);
    page_clear(&page);
}

// The length of a rope that a motor winds is a line, not a rod.
static void springs_ropes_and_legs_are_lines(void) {
    Page page = page_with("spring_chain", "");
    assert_int_equal(page_count(&page, "segment"), 0);
    assert_int_equal(page_count(&page, "spring"), 5);
    assert_int_equal(page_count(&page, "span"), 0);
    page_clear(&page);
    page = page_with("stewart", "");
    assert_int_equal(page_count(&page, "span"), 6);
    for (size_t n = 0; n < 6;
         n++) {  // each is one of the legs, of the length the operator gives it
        Ways a = ways_of(&page, page_item(&page, "span", n), "at");
        Ways b = ways_of(&page, page_item(&page, "span", n), "to");
        double least = INFINITY;
        for (int leg = 1; leg <= 6; leg++) {
            double off = 0.0;
            for (size_t i = 0; i < a.rows; i += 9) {
                double length = hypot(hypot(a.x[0][i] - b.x[0][i], a.x[1][i] - b.x[1][i]),
                                      a.x[2][i] - b.x[2][i]);
                double t = motion_value(&page.motion, i, "t");
                off = fmax(off, fabs(length - 1.3 - 0.1 * sin(t + leg)));
            }
            least = fmin(least, off);
        }
        assert_true(least < 1e-5);
        assert_true(fabs(a.x[2][0]) < 1e-9 || fabs(b.x[2][0]) < 1e-9);  // its foot is on the ground
        ways_clear(&a);
        ways_clear(&b);
    }
    page_clear(&page);
}

// A vector from one place to another is no place, in whatever order it is written.
// A leg or spring from a place that stands still to one of a body, in either order: both ends are
// where they are, not a line of the same length elsewhere.
static void lines_end_where_they_are_fixed(void) {
    static const char* const written[] = {"point(A, [-0.2, 0, 0]) - [0, 0, 2]",
                                          "[0, 0, 2] - point(A, [-0.2, 0, 0])"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "body A: mass 1, inertia [0.02, 0.03, 0.04], free\ngravity [0, 0, -9.81]\n"
                 "potential 60*(norm(%s) - 0.3)^2\nobserve x = point(A, [-0.2, 0, 0]).x\n"
                 "start A.position = [0, 0, 1.5], A.omega = [1, 2, 3]\nrun t = 0..2\n",
                 written[i]);
        Page page = page_of(text);
        assert_int_equal(page_count(&page, "spring"), 1);
        Ways a = ways_of(&page, page_item(&page, "spring", 0), "at");
        Ways b = ways_of(&page, page_item(&page, "spring", 0), "to");
        for (size_t r = 0; r < a.rows; r++) {
            assert_true(a.x[0][r] == 0.0 && a.x[1][r] == 0.0 && a.x[2][r] == 2.0);
            assert_true(fabs(b.x[0][r] - motion_value(&page.motion, r, "x")) < 1e-5);
        }
        ways_clear(&a);
        ways_clear(&b);
        page_clear(&page);
    }
}

static void vectors_are_no_places(void) {
    Page page = page_of("coordinate p, q : circle\n"
                        "let A = 0.7*[sin(p), -cos(p)], u = 0.5*[sin(q), -cos(q)], B = A + u\n"
                        "kinetic dot(B', B')/2\npotential 9.81*B.y\nstart p = 1\nrun t = 0..2\n");
    assert_int_equal(page_count(&page, "segment"), 2);
    assert_int_equal(page_count(&page, "point"), 1);
    assert_int_equal(page_count(&page, "joint"), 1);
    assert_int_equal(page_count(&page, "anchor"), 1);
    page_clear(&page);
}

// A body that somebody moves and nothing touches is small; one on which something rolls is as large
// as that goes.
static void outside_bodies_are_as_large_as_what_goes_on_them(void) {
    Page page = page_with("driven_plate", "");
    assert_int_equal(page_count(&page, "marker"), 1);
    assert_int_equal(page_count(&page, "plane"), 1);
    assert_int_equal(page_count(&page, "plate"), 0);
    size_t rows = page_rows(&page);
    double *size = calloc(rows, sizeof *size), far = 0.0;
    page_channel(&page, page_item(&page, "plane", 0), "size", 0, size);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < rows; i++) {
        double s = motion_value(&page.motion, i, "s");
        double x = motion_value(&page.motion, i, "puck.position.x") - s;
        low = fmin(low, x);
        high = fmax(high, x);
    }
    far = 0.5 * (high - low);
    assert_true(size[0] > far && size[0] < 3.0 * far);
    free(size);
    page_clear(&page);
}

// A link that is read in the wrong order, or a rod whose sign a square has lost, stands in the air:
// of these machines all items are known.
static void no_link_stands_in_the_air(void) {
    static const struct {
        const char *model, *kind;
        size_t count;
    } counts[] = {
        {"crank_slider", "segment", 2}, {"crank_slider", "joint", 0}, {"crank_slider", "span", 0},
        {"trebuchet", "segment", 3},    {"trebuchet", "joint", 0},    {"trebuchet", "span", 1},
        {"snakeboard", "segment", 2},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char path[200];
        snprintf(path, sizeof path, "tests/output/scenes/%s.lia", counts[i].model);
        Page page = page_of_motion(motion_of_file(path, NULL));
        assert_int_equal(page_count(&page, counts[i].kind), counts[i].count);
        page_clear(&page);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(what_carries_a_mass_is_where_the_formulas_say),
        TEST(rods_have_one_length_and_something_moves),
        TEST(what_keeps_its_distance_by_chance_is_no_rod),
        TEST(springs_ropes_and_legs_are_lines),
        TEST(lines_end_where_they_are_fixed),
        TEST(vectors_are_no_places),
        TEST(no_link_stands_in_the_air),
        TEST(outside_bodies_are_as_large_as_what_goes_on_them),
    };
    return TESTS_RUN(tests);
}
