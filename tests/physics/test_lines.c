// Cylinders and cones that touch along a line: as the same systems in as few coordinates as they
// have, with forces that balance; and what happens where such shapes end.
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define RUN     "run t = 0..1.5, tolerance 1e-14, samples 16\n"
#define GRAVITY "gravity [1, 0.5, -9.81]\n"
#define BODY    "mass 2, inertia [0.3, 0.35, 0.2]"

static void near(double x, double y, double most, const char* what, const char* of) {
    if (fabs(x - y) <= most) return;
    fail_msg("%s: %s: %.17g is not %.17g: off by %.2e", of, what, x, y, x - y);
}

typedef struct Line {
    const char* joint;     // of a, whose shape is at [0.1, 0, -0.2] of it
    const char* head;      // parameters and coordinates of the twin
    const char* place;     // of the centre of the shape
    const char* attitude;  // of a
    const char* start;     // of the twin
} Line;

static double at(Motion* m, size_t row, const char* name, const char* part) {
    char text[40];
    snprintf(text, sizeof text, "%s.%s", name, part);
    return motion_value(m, row, text);
}

// The joined body starts as its twin does, moves as it does, and its reaction (on the second side)
// balances it.
static void moves_as_its_twin(const Line* line) {
    static const char* const parts[] = {"x", "y", "z"};
    char twin[1500], joined[2500], R[200] = "", *end = R;
    snprintf(twin, sizeof twin,
             "%s%s\nlet S = %s\nlet X = %s\nbody a: " BODY
             ", position X - S*[0.1, 0, -0.2], attitude S\n" GRAVITY
             "observe P = a.position, V = a.velocity, W = a.omega, A = S\nstart %s\n" RUN,
             "parameter al = 0.3, be = 0.5, r = 0.4\n", line->head, line->attitude, line->place,
             line->start);
    Motion x = motion_of(twin, NULL);
    assert_non_null(x.t);
    assert_int_equal(x.status, LIA_OK);
    for (int i = 1; i <= 3; i++) {
        for (int k = 1; k <= 3; k++) {
            char name[40];
            snprintf(name, sizeof name, "A[%d,%d]", i, k);
            end += snprintf(end, 40, "%s%.17g", k == 1 ? (i == 1 ? "[" : "], [") : ", ",
                            motion_value(&x, 0, name));
        }
    }
    double start[9];
    for (int i = 0; i < 3; i++) {
        start[i] = at(&x, 0, "P", parts[i]);
        start[3 + i] = at(&x, 0, "V", parts[i]);
        start[6 + i] = at(&x, 0, "W", parts[i]);
    }
    snprintf(joined, sizeof joined,
             "parameter al = 0.3, be = 0.5, r = 0.4\n"
             "body a: " BODY ", free\n" GRAVITY "joint j: %s\n"
             "let L = a.attitude*diag(0.3, 0.35, 0.2)*Omega(a.attitude)\n"
             "observe P = a.position, V = a.velocity, W = a.omega\n"
             "parameter side = %d\n"
             "observe F = 2*(a.position'' - [1, 0.5, -9.81]) - side*reaction(j)\n"
             "observe C = L' - side*(moment(j) + cross(place(j) - a.position, reaction(j)))\n"
             "start a.attitude = [%s]], a.position = [%.17g, %.17g, %.17g]\n"
             "start a.velocity = [%.17g, %.17g, %.17g], a.omega = [%.17g, %.17g, %.17g]\n" RUN,
             line->joint, strstr(line->joint, "(ground") < strstr(line->joint, "(a ") ? 1 : -1, R,
             start[0], start[1], start[2], start[3], start[4], start[5], start[6], start[7],
             start[8]);
    Motion y = motion_of(joined, NULL);
    assert_non_null(y.t);
    assert_int_equal(y.status, LIA_OK);
    assert_true(lia_trajectory_rows(x.t) == 16 && lia_trajectory_rows(y.t) == 16);
    for (size_t row = 0; row < 16; row++) {
        for (int i = 0; i < 3; i++) {
            static const char* const names[] = {"P", "V", "W"};
            for (int k = 0; k < 3; k++) {
                near(at(&y, row, names[k], parts[i]), at(&x, row, names[k], parts[i]), 1e-10,
                     names[k], line->joint);
            }
            near(at(&y, row, "F", parts[i]), 0.0, 1e-9, "the balance of forces", line->joint);
            near(at(&y, row, "C", parts[i]), 0.0, 1e-9, "the balance of moments", line->joint);
        }
    }
    motion_clear(&x);
    motion_clear(&y);
}

#define CONE      "cone(a at [0.1, 0, -0.2], al)"
#define CYLINDER  "cylinder(a at [0.1, 0, -0.2], r)"
#define ANGLES    "coordinate u, w : circle\n"
#define THREE     ANGLES "coordinate s : line\n"
#define THREE_RUN "u = 0.4, w = 0.3, s = 1, u' = 0.8, w' = 2, s' = 0.5"

// Rolling, the turn is about the line sin(be) a + sin(al) b: with w about its own axis, u about
// that of the other.
static void cones_roll_on_cones(void) {
    const Line lines[] = {
        {"rolling(" CONE ", cone(ground, be))", "coordinate u : circle\n", "[0, 0, 0]",
         "rotz(u)*roty(al + be)*rotz(u*sin(be)/sin(al))", "u = 0.4, u' = 1.5"},
        {"pure_rolling(cone(ground, be), " CONE ")", "coordinate u : circle\n", "[0, 0, 0]",
         "rotz(u)*roty(al + be)*rotz(u*sin(be)/sin(al))", "u = 0.4, u' = 1.5"},
        {"rolling(" CONE ", inside(cone(ground, be)))", "coordinate u : circle\n", "[0, 0, 0]",
         "rotz(u)*roty(be - al)*rotz(-u*sin(be)/sin(al))", "u = 0.4, u' = 1.5"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) moves_as_its_twin(&lines[i]);
}

static void cones_slide_along_cones(void) {
    const Line lines[] = {
        {"touching(" CONE ", cone(ground, be))", THREE, "s*rotz(u)*[sin(be), 0, cos(be)]",
         "rotz(u)*roty(al + be)*rotz(w)", THREE_RUN},
        {"touching(cone(ground, be), " CONE ")", THREE, "s*rotz(u)*[sin(be), 0, cos(be)]",
         "rotz(u)*roty(al + be)*rotz(w)", THREE_RUN},
        {"touching(" CONE ", inside(cone(ground, be)))", THREE, "s*rotz(u)*[sin(be), 0, cos(be)]",
         "rotz(u)*roty(be - al)*rotz(w)", THREE_RUN},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) moves_as_its_twin(&lines[i]);
}

static void cylinders_slide_along_cones(void) {
    const char line[] = "rotz(u)*(s*[sin(be), 0, cos(be)] + r*[cos(be), 0, -sin(be)])";
    const char within[] = "rotz(u)*((s + 3)*[sin(be), 0, cos(be)] - r*[cos(be), 0, -sin(be)])";
    const Line lines[] = {
        {"touching(" CYLINDER ", cone(ground, be))", THREE, line, "rotz(u)*roty(be)*rotz(w)",
         THREE_RUN},
        {"touching(cone(ground, be), " CYLINDER ")", THREE, line, "rotz(u)*roty(be + pi)*rotz(w)",
         THREE_RUN},
        {"touching(" CYLINDER ", inside(cone(ground, be)))", THREE, within,
         "rotz(u)*roty(be)*rotz(w)", THREE_RUN},
        {"touching(" CONE ", cylinder(ground, r))", THREE, "rotz(u)*[r, 0, s]",
         "rotz(u)*roty(al)*rotz(w)", THREE_RUN},
        {"touching(cylinder(ground, r), " CONE ")", THREE, "rotz(u)*[r, 0, s]",
         "rotz(u)*roty(pi - al)*rotz(w)", THREE_RUN},
        {"touching(" CONE ", inside(cylinder(ground, 5)))", THREE, "rotz(u)*[5, 0, s]",
         "rotz(u)*roty(-al)*rotz(w)", THREE_RUN},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) moves_as_its_twin(&lines[i]);
}

static void cylinders_and_planes_balance(void) {
    const Line lines[] = {
        {"touching(" CYLINDER ", cylinder(ground, 1))", THREE, "rotz(u)*[1 + r, 0, s]", "rotz(w)",
         THREE_RUN},
        {"rolling(" CYLINDER ", inside(cylinder(ground, 1)))", "coordinate u : circle\n",
         "rotz(u)*[1 - r, 0, 2]", "rotz(u - u/r)", "u = 0.4, u' = 1.5"},
        {"rolling(" CONE ", plane(ground normal [0, 0, 1]))", "coordinate u : circle\n",
         "[0, 0, 0]", "rotz(u)*roty(pi/2 - al)*rotz(-u/sin(al))", "u = 0.4, u' = 1.5"},
        {"touching(" CYLINDER ", plane(ground normal [0, 0, 1]))",
         ANGLES "coordinate p, s : line\n", "[p, s, r]", "rotz(u)*roty(pi/2)*rotz(w)",
         "u = 0.4, w = 0.3, s = 1, p = 0.2, u' = 0.8, w' = 2, s' = 0.5, p' = 1"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) moves_as_its_twin(&lines[i]);
}

// --- ends

// The motion ends at t, or goes on to its end (t < 0).
static void ends(const char* text, double t, const char* said) {
    Motion m = motion_of(text, NULL);
    assert_non_null(m.t);
    if (t < 0.0) {
        assert_int_equal(m.status, LIA_OK);
    } else {
        assert_int_equal(m.status, LIA_FAILED);
        char* found = lia_output_reason(m.t);
        if (!strstr(found, "E0411") || !strstr(found, said))
            fail_msg("'%s' not in: %s", said, found);
        lia_free(found);
        near(motion_final(&m, "t"), t, 1e-10, "the end", text);
    }
    motion_clear(&m);
}

static void a_ball_leaves_the_end_of_a_cylinder(void) {
    // along the top of a lying cylinder at constant speed: 0.7 to its end
    const char text[] = "body a: mass 1, inertia 0.1, free\ngravity [0, 0, -9.81]\n"
                        "joint j: rolling(sphere(a, 0.2), cylinder(ground axis [1, 0, 0], 1%s))\n"
                        "start a.position = [0.3, 0, 1.2], a.velocity = [%g, 0, 0]\nrun t = %s\n";
    char model[400];
    snprintf(model, sizeof model, text, ", 2", 0.5, "0..5");
    ends(model, 1.4, "'j' goes beyond the end of the cylinder of 'ground'");
    snprintf(model, sizeof model, text, ", 2", -0.5, "0..5");
    ends(model, 2.6, "the end of the cylinder");
    snprintf(model, sizeof model, text, ", 2", 0.5, "3..0");
    ends(model, 0.4, "the end of the cylinder");
    snprintf(model, sizeof model, text, "", 0.5, "0..5");
    ends(model, -1.0, "");
}

static void a_ball_leaves_the_rim_of_a_cone(void) {
    // up the inner wall without gravity: z of the contact grows at a constant rate
    char model[500];
    snprintf(model, sizeof model,
             "parameter q = 0.6\nbody a: mass 1, inertia 0.1, free\n"
             "joint j: touching(sphere(a, 0.2), inside(cone(ground, q, 3*cos(q))))\n"
             "start a.position = 2*[sin(q), 0, cos(q)] + 0.2*[-cos(q), 0, sin(q)], a.velocity = "
             "[sin(q), 0, cos(q)]\nrun t = 0..5\n");
    ends(model, 1.0, "the rim of the cone of 'ground'");
    snprintf(model, sizeof model,
             "parameter q = 0.6\nbody a: mass 1, inertia 0.1, free\n"
             "joint j: touching(sphere(a, 0.2), cone(ground, q))\n"
             "start a.position = 2*[sin(q), 0, cos(q)] - 0.2*[-cos(q), 0, sin(q)], a.velocity = "
             "-[sin(q), 0, cos(q)]\nrun t = 0..5\n");
    ends(model, 2.0, "the tip of the cone of 'ground'");
}

static void lines_end_where_nothing_is_left_of_them(void) {
    ends("body a: mass 1, inertia 0.1, free\n"
         "joint j: touching(cylinder(a, 0.2, 1), cylinder(ground, 0.5, 2))\n"
         "start a.position = [0.7, 0, 0.5], a.velocity = [0, 0, 0.5]\nrun t = 0..5\n",
         2.0, "the cylinder of 'ground'");
    ends("parameter q = 0.6\nbody a: mass 1, inertia 0.1, free\n"
         "joint j: touching(cylinder(a, 0.2, 1), cone(ground, q))\n"
         "start a.attitude = roty(q), a.position = 2*[sin(q), 0, cos(q)] + 0.2*[cos(q), 0, "
         "-sin(q)], a.velocity = -[sin(q), 0, cos(q)], a.omega = [0, 0, 0]\nrun t = 0..5\n",
         2.5, "the cylinder of 'a'");
    ends("body a: mass 1, inertia 0.1, free\n"
         "joint j: touching(cylinder(a, 0.2, 1), cylinder(ground, 0.5))\n"
         "start a.position = [0.7, 0, 0.5], a.velocity = [0, 0, 0.5]\nrun t = 0..5\n",
         -1.0, "");
}

static void says(const char* text, const char* words) {
    Motion m = motion_of(text, &(MotionOptions){.quiet = 1});
    assert_null(m.t);
    char* found = lia_diags_text(m.diags);
    if (!found || !strstr(found, words)) fail_msg("'%s' not in: %s", words, found ? found : "");
    lia_free(found);
    motion_clear(&m);
}

static void a_start_beyond_an_end_is_told(void) {
    says("body a: mass 1, inertia 0.1, free\n"
         "joint j: rolling(sphere(a, 0.2), cylinder(ground axis [1, 0, 0], 1, 2))\n"
         "start a.position = [1.3, 0, 1.2]\nrun t = 0..1\n",
         "E0307: at the start the shapes of 'j' touch beyond the end of the cylinder of 'ground'");
    says("body a: mass 1, inertia 0.1, free\n"
         "joint j: rolling(cone(a, 0.3), cone(ground, 0.4))\n"
         "start a.position = [0.5, 0, 0], a.attitude = roty(0.7)\nrun t = 0..1\n",
         "E0305: the tips of the cones of 'j' are not together at the start: apart by 0.5 in x");
    says("body a: mass 1, inertia 0.1, free\n"
         "joint j: touching(cylinder(a, 0.3), cone(ground, 0.4))\n"
         "start a.position = [2, 0, 0], a.attitude = roty(0.4)\nrun t = 0..1\n",
         "E0305: the shapes of 'j' do not touch at the start");
}

int main(void) {
    const TestCase tests[] = {
        TEST(cones_roll_on_cones),
        TEST(cones_slide_along_cones),
        TEST(cylinders_slide_along_cones),
        TEST(cylinders_and_planes_balance),
        TEST(a_ball_leaves_the_end_of_a_cylinder),
        TEST(a_ball_leaves_the_rim_of_a_cone),
        TEST(lines_end_where_nothing_is_left_of_them),
        TEST(a_start_beyond_an_end_is_told),
    };
    return TESTS_RUN(tests);
}
