// What a loop leaves behind: by line, area and motion, against references and closed forms.
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <liaison/liaison.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The planar cat of three links about its centre of mass. %s: more of the start.
static const char cat[] =
    "model cat\n"
    "parameter m1 = 1, m2 = 1.5, m3 = 0.8, l1 = 1, l2 = 1.2, l3 = 0.9, mass = m1 + m2 + m3\n"
    "coordinate theta, s1, s2 : circle\n"
    "let e1 = [cos(theta + s1), sin(theta + s1)], e2 = [cos(theta), sin(theta)]\n"
    "let e3 = [cos(theta + s2), sin(theta + s2)]\n"
    "let r1 = -l2/2*e2 - l1/2*e1, r3 = l2/2*e2 + l3/2*e3, c = (m1*r1 + m3*r3)/mass\n"
    "kinetic m1/2*dot(r1', r1') + m3/2*dot(r3', r3') - mass/2*dot(c', c')\n"
    "kinetic m1*l1^2/24*(theta' + s1')^2 + m2*l2^2/24*theta'^2 + m3*l3^2/24*(theta' + s2')^2\n"
    "operator rear: s1 = 0.5 + 0.7*cos(2*pi*t/10)\n"
    "operator front: s2 = -0.4 + 0.7*sin(2*pi*t/10)\n"
    "start theta = 0%s\n"
    "run t = 0..10\n";
// Reference: line and area integral with 20 digits, mpmath.
static const double cat_turn = -0.032506295458860659;
// theta' for which the momentum of theta is 0.8 at the start; then, by the same reference:
static const char cat_rate[] = ", theta' = 0.3350156243722363";
static const double cat_total = 3.780493801615556, cat_dynamic = 3.8130000970744169;

static const char satellite[] =
    "model satellite\n"
    "coordinate R : rotation\n"
    "coordinate s1, s2 : circle\n"
    "let I = [[3, 0.2, -0.1], [0.2, 4, 0.15], [-0.1, 0.15, 5]], W = Omega(R)\n"
    "kinetic 1/2*dot(W, I*W) + 0.1*(W.x*s1' + s1'^2/2) + 0.12*(W.y*s2' + s2'^2/2)\n"
    "operator wheels: s1 = 3*cos(t), s2 = 3*sin(t)\n"
    "start R = rotz(0)\n"
    "run t = 0..2*pi\n";

// y' = y^2 x' from y = 1 has the lift y = 1/(1 - x): none beyond x = 1.
static const char away[] = "model away\n"
                           "coordinate x, y : line\n"
                           "kinetic (x'^2 + y'^2)/2\n"
                           "constraint lift: y' = y^2*x'\n"
                           "operator go: x = 0.4*(1 - cos(t))\n"
                           "start y = 1\n"
                           "run t = 0..2*pi\n";

typedef struct Round {
    LiaDiags *diags, *said;
    LiaModel* model;
    LiaSystem* system;
    LiaHolonomy* h;
    LiaStatus status;
} Round;

static Round go(const char* text, const LiaHolonomyOptions* options) {
    Round r = {.diags = lia_diags_create(), .said = lia_diags_create()};
    r.status = lia_model_parse("a.lia", text, strlen(text), NULL, r.diags, &r.model);
    assert_int_equal(r.status, LIA_OK);
    assert_int_equal(lia_system_build(r.model, NULL, r.diags, &r.system), LIA_OK);
    r.status = lia_holonomy(r.system, options, r.said, &r.h);
    return r;
}

static Round go_loop(const char* text, const char* loop) {
    return go(text, &(LiaHolonomyOptions){.loop = loop});
}

static void clear(Round* r) {
    lia_holonomy_destroy(r->h);
    lia_system_destroy(r->system);
    lia_model_destroy(r->model);
    lia_diags_destroy(r->said);
    lia_diags_destroy(r->diags);
}

static const char* cat_with(const char* start) {
    static char text[2048];
    snprintf(text, sizeof text, cat, start);
    return text;
}

static void is_near(double x, double expected, double error) {
    if (!(fabs(x - expected) <= error)) fail_msg("%.17g, not %.17g +- %g", x, expected, error);
}

static void cat_turns(void) {
    Round r = go(cat_with(""), NULL);
    assert_int_equal(r.status, LIA_OK);
    assert_int_equal(lia_holonomy_count(r.h), 1);
    const LiaHolonomyPart* p = lia_holonomy_at(r.h, 0);
    assert_string_equal(p->name, "theta");
    is_near(p->line, cat_turn, 1e-14);
    is_near(p->area, cat_turn, 1e-14);
    is_near(p->dynamics, cat_turn, 1e-13);
    assert_true(p->line_error < 1e-14 && p->area_error < 1e-14);
    is_near(lia_holonomy_share(r.h), 0.0, 1e-24);
    assert_true(isnan(p->total) && isnan(lia_holonomy_lift_end(r.h)));
    clear(&r);
}

// The same with the middle of a link as coordinates too: x and y depend on the attitude.
static void cat_in_the_plane(void) {
    char text[2048];
    snprintf(text, sizeof text, cat, "");
    char* place = strstr(text, "kinetic m1/2");
    memcpy(place, "coordinate x, y : line  # ", 26);  // over the first kinetic line: a comment now
    char whole[4096];
    snprintf(whole, sizeof whole,
             "%slet z = [x, y], z1 = z + r1, z3 = z + r3\n"
             "kinetic m1/2*dot(z1', z1') + m2/2*dot(z', z') + m3/2*dot(z3', z3')\n",
             text);
    Round r = go(whole, NULL);
    assert_int_equal(r.status, LIA_OK);
    assert_int_equal(lia_holonomy_count(r.h), 3);
    for (size_t i = 0; i < 3; i++) {
        const LiaHolonomyPart* p = lia_holonomy_at(r.h, i);
        bool turns = strcmp(p->name, "theta") == 0;
        is_near(p->dynamics, p->line, 1e-13);
        assert_true(turns == !isnan(p->area));
        if (turns) is_near(p->line, cat_turn, 1e-14);
        if (turns) is_near(p->area, cat_turn, 1e-14);
        if (!turns) assert_true(fabs(p->line) > 1e-4);
    }
    clear(&r);
}

static void cat_with_momentum(void) {
    Round r = go(cat_with(cat_rate), NULL);
    assert_int_equal(r.status, LIA_OK);
    const LiaHolonomyPart* p = lia_holonomy_at(r.h, 0);
    is_near(p->line, cat_turn, 1e-14);
    is_near(p->dynamics, cat_turn, 1e-13);
    is_near(p->total, cat_total, 1e-13);
    is_near(p->dynamic, cat_dynamic, 1e-13);
    clear(&r);
}

// A loop of its own: the same, the other way round, twice, there and back; at any speed.
static void loops(void) {
    static const struct Loop {
        const char* text;
        double times;
    } all[] = {
        {"s1 = 0.5 + 0.7*cos(u), s2 = -0.4 + 0.7*sin(u), u = 0..2*pi", 1},
        {"s1 = 0.5 + 0.7*cos(u), s2 = -0.4 + 0.7*sin(u), u = 2*pi..0", -1},
        {"u = 1..1 + 4*pi, s2 = -0.4 + 0.7*sin(u), s1 = 0.5 + 0.7*cos(u)", 2},
        {"s1 = 0.5 + 0.7*cos(2*pi*(t/10)^2), s2 = -0.4 + 0.7*sin(2*pi*(t/10)^2)", 1},
        {"s1 = 0.5 + 0.7*cos(sin(u)), s2 = -0.4 + 0.7*sin(sin(u)), u = 0..2*pi", 0},
        {"s1 = 1, s2 = sqrt(u), u = 0..0", 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        Round r = go_loop(cat_with(cat_rate), all[i].text);
        assert_int_equal(r.status, LIA_OK);
        const LiaHolonomyPart* p = lia_holonomy_at(r.h, 0);
        is_near(p->line, all[i].times * cat_turn, 2e-14);
        is_near(p->area, all[i].times * cat_turn, 2e-14);
        is_near(p->dynamics, all[i].times * cat_turn, 1e-13);
        is_near(p->total - p->line, p->dynamic, 1e-12);
        clear(&r);
    }
}

// A parameter in degrees whose value changes by a rounding where it is taken back to degrees: it
// was taken over once more, as degrees. The same loop by operators and by its text.
static void parameters_in_units(void) {
    static const char text[] =
        "parameter l = 1 in deg\ncoordinate s1, s2, th : circle\n"
        "kinetic (s1'^2 + s2'^2)/2 + (2 + cos(s1) + sin(s2)*l)*th'^2/2\n"
        "  + th'*(s1'*cos(s2) + s2'*0.3)*l\n"
        "operator a: s1 = 0.3*cos(t)\noperator b: s2 = 0.3*sin(t)\nrun t = 0..6.283185307179586\n";
    const double values[] = {72.46140594677286, 7.826502306705913, 30.0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        Round a = go(text, NULL);
        assert_int_equal(lia_system_set_parameter(a.system, "l", values[i], a.diags), LIA_OK);
        LiaHolonomy* h[2] = {NULL, NULL};
        LiaHolonomyOptions loop = {.loop = "s1 = 0.3*cos(u), s2 = 0.3*sin(u), u = 0..2*pi"};
        assert_int_equal(lia_holonomy(a.system, NULL, a.said, &h[0]), LIA_OK);
        assert_int_equal(lia_holonomy(a.system, &loop, a.said, &h[1]), LIA_OK);
        double by_operators = lia_holonomy_at(h[0], 0)->line;
        assert_true(fabs(by_operators) > 1e-4);
        is_near(lia_holonomy_at(h[1], 0)->line, by_operators, 1e-14);
        lia_holonomy_destroy(h[0]);
        lia_holonomy_destroy(h[1]);
        clear(&a);
    }
}

static void satellite_turns(void) {
    Round r = go(satellite, NULL);
    assert_int_equal(r.status, LIA_OK);
    // R.w - 1, R.x, R.y, R.z: reference, mpmath
    static const double q[] = {0.999899348998392 - 1.0, -0.000355538868323, -0.000994862338609,
                               0.014148346674899};
    assert_int_equal(lia_holonomy_count(r.h), 4);
    for (size_t i = 0; i < 4; i++) {
        const LiaHolonomyPart* p = lia_holonomy_at(r.h, i);
        is_near(p->line, q[i], 1e-14);
        is_near(p->dynamics, q[i], 1e-13);
        assert_true(isnan(p->area));
    }
    const LiaHolonomyTurn* turn = lia_holonomy_turn(r.h, 0);
    assert_string_equal(turn->name, "R");
    is_near(turn->angle, 0.0283764254396, 1e-12);
    assert_null(lia_holonomy_turn(r.h, 1));
    clear(&r);
}

// A loop with corners. Reference: the line integral of A edge by edge, mpmath.
// It begins at a corner of its law, of which either side may come first in the formula.
static void cat_round_a_rectangle(void) {
    static const char* const first[] = {"max(u, 0)", "max(0, u)"};
    for (int k = 0; k < 2; k++) {
        char loop[300];
        snprintf(loop, sizeof loop,
                 "s1 = 0.5 + 0.7*(min(%s, 1) - min(max(u - 2, 0), 1)), "
                 "s2 = -0.4 + 0.7*(min(max(u - 1, 0), 1) - min(max(u - 3, 0), 1)), u = 0..4",
                 first[k]);
        Round r = go_loop(cat_with(""), loop);
        assert_int_equal(r.status, LIA_OK);
        const LiaHolonomyPart* p = lia_holonomy_at(r.h, 0);
        is_near(p->line, -0.0097976675382546655, 1e-14);
        is_near(p->area, -0.0097976675382546655, 1e-14);
        is_near(p->dynamics, -0.0097976675382546655, 1e-13);
        clear(&r);
    }
}

// Lifts against references: the equations of the lift integrated by extrapolation with 24 digits.
static void lifts_by_other_means(void) {
    // three links with skates, the two joints driven
    Round r = go("parameter l = 0.5\ncoordinate x, y : line\ncoordinate a, b1, b2 : circle\n"
                 "let r1 = [x, y] - l*[cos(a), sin(a)] - l*[cos(a + b1), sin(a + b1)]\n"
                 "let r2 = [x, y] + l*[cos(a), sin(a)] + l*[cos(a + b2), sin(a + b2)]\n"
                 "kinetic (x'^2 + y'^2 + a'^2)/2 + dot(r1', r1')/2 + dot(r2', r2')/2\n"
                 "constraint s0: -x'*sin(a) + y'*cos(a) = 0\n"
                 "constraint s1: -r1'.x*sin(a + b1) + r1'.y*cos(a + b1) = 0\n"
                 "constraint s2: -r2'.x*sin(a + b2) + r2'.y*cos(a + b2) = 0\n"
                 "operator o: b1 = 0.9 + 0.2*cos(t), b2 = 0.4 + 0.2*sin(t)\nrun t = 0..2*pi\n",
                 NULL);
    assert_int_equal(r.status, LIA_OK);
    static const double snake[] = {-0.08678597251814014, -0.03633991934540683,
                                   0.024793733455546935};
    for (size_t i = 0; i < 3; i++) {
        is_near(lia_holonomy_at(r.h, i)->line, snake[i], 1e-14);
        is_near(lia_holonomy_at(r.h, i)->dynamics, snake[i], 1e-12);
    }
    clear(&r);
    // two halves with a universal joint between them (Kane and Scher)
    r = go("parameter m = 2, h = 0.15\ncoordinate R : rotation\ncoordinate s1, s2 : circle\n"
           "let F = R*rotx(s1)*roty(s2), arm = h/2*(R*[0, 0, 1] + F*[0, 0, 1])\n"
           "body rear: mass m, inertia [0.04, 0.04, 0.01], position -arm, attitude R\n"
           "body front: mass m, inertia [0.04, 0.04, 0.01], position arm, attitude F\n"
           "operator bend: s1 = 0.8*sin(t), s2 = 0.8*(1 - cos(t))\nrun t = 0..2*pi\n",
           NULL);
    assert_int_equal(r.status, LIA_OK);
    static const double turned[] = {0.7665566685106439 - 1.0, 0.020498364548381375, 0.0,
                                    -0.6418494301724544};
    for (size_t i = 0; i < 4; i++) {
        is_near(lia_holonomy_at(r.h, i)->line, turned[i], 1e-14);
        is_near(lia_holonomy_at(r.h, i)->dynamics, turned[i], 1e-12);
    }
    clear(&r);
}

// Over an attitude that an operator drives: as over two angles of the same attitude.
static void driven_attitude(void) {
    static const char bodies[] =
        "coordinate R : rotation\nbody hull: mass 10, inertia [3, 4, 5], position [0, 0, 0], "
        "attitude R\nbody dish: mass 1, inertia [0.5, 0.3, 0.4], position [0, 0, 0], attitude R*";
    char text[2][2048];
    snprintf(text[0], sizeof text[0],
             "coordinate T : rotation\n%sT\noperator aim: T = "
             "rotz(0.5*sin(t))*rotx(0.7*(1 - cos(t)))\nrun t = 0..2*pi\n",
             bodies);
    snprintf(text[1], sizeof text[1],
             "coordinate a, b : circle\n%srotz(a)*rotx(b)\noperator aim: a = 0.5*sin(t), b = "
             "0.7*(1 - cos(t))\nrun t = 0..2*pi\n",
             bodies);
    Round attitude = go(text[0], NULL), angles = go(text[1], NULL);
    assert_int_equal(attitude.status, LIA_OK);
    assert_int_equal(angles.status, LIA_OK);
    assert_int_equal(lia_holonomy_count(attitude.h), 8);
    for (size_t i = 0; i < 4; i++) {
        const LiaHolonomyPart *T = lia_holonomy_at(attitude.h, i),
                              *R = lia_holonomy_at(attitude.h, 4 + i),
                              *want = lia_holonomy_at(angles.h, i);
        is_near(T->line, 0.0, 1e-14);
        is_near(R->line, want->line, 1e-14);
        is_near(R->dynamics, want->line, 1e-13);
        is_near(R->momentum, want->line, 1e-12);
    }
    assert_true(fabs(lia_holonomy_at(angles.h, 2)->line) > 1e-3);
    clear(&attitude);
    clear(&angles);
}

static void lift_runs_away(void) {
    Round r = go(away, NULL);
    assert_int_equal(r.status, LIA_OK);
    is_near(lia_holonomy_at(r.h, 0)->line, 0.0, 1e-14);
    assert_true(isnan(lia_holonomy_lift_end(r.h)));
    clear(&r);
    r = go_loop(away, "x = 2*(1 - cos(u)), u = 0..2*pi");
    assert_int_equal(r.status, LIA_OK);
    is_near(lia_holonomy_lift_end(r.h), acos(0.5), 1e-8);  // x = 1
    assert_true(isnan(lia_holonomy_at(r.h, 0)->line));
    char *text = lia_output_holonomy(r.h, NULL), *json = lia_output_holonomy_json(r.h);
    assert_non_null(
        strstr(text, "there is no lift of the whole loop: it runs away after t = 1.0471"));
    assert_non_null(strstr(json, "\"lift\": \"runs away\""));
    lia_free(text);
    lia_free(json);
    clear(&r);
    // three skates on a circle: where their normals meet in a point the lift turns without end
    r = go("model skates\ncoordinate x, y : line\ncoordinate th, a, b : circle\n"
           "kinetic (x'^2 + y'^2 + th'^2 + (th' + a')^2 + (th' + b')^2)/2\n"
           "function u(p, d) = (y' + th'*cos(th + p))*cos(th + d) - "
           "(x' - th'*sin(th + p))*sin(th + d)\n"
           "constraint s1: u(0, a) = 0\nconstraint s2: u(2*pi/3, 2*pi/3 + b) = a'\n"
           "constraint s3: u(4*pi/3, 4*pi/3 + 0.3) = b'\n"
           "operator oa: a = 0.3 + 1.2*sin(t)\noperator ob: b = 0.1 + 1.5*cos(t)\n"
           "start x = 0, y = 0, th = 0\nrun t = 0..2*pi\n",
           NULL);
    assert_int_equal(r.status, LIA_OK);
    assert_true(isfinite(lia_holonomy_lift_end(r.h)));
    assert_true(isnan(lia_holonomy_at(r.h, 0)->line));
    clear(&r);
}

// A spring at the fibre: the motion is another thing than the lift, and that is said.
static void motion_leaves(void) {
    char text[4096];
    snprintf(text, sizeof text, "%spotential theta^2\n", cat_with(""));
    Round r = go(text, NULL);
    assert_int_equal(r.status, LIA_OK);
    const LiaHolonomyPart* p = lia_holonomy_at(r.h, 0);
    is_near(p->line, cat_turn, 1e-14);
    assert_true(fabs(p->dynamics - p->line) > 1e-4 && lia_holonomy_share(r.h) > 1e-6);
    char* said = lia_output_holonomy(r.h, NULL);
    assert_non_null(strstr(said, "line and dynamics are two things here"));
    lia_free(said);
    clear(&r);
}

// th' = -J (s1' + s2')/(I + 2 J) leaves nothing behind: the table shows 0 and no digits of
// rounding, with units, and fits a terminal of 80 columns.
static void nothing_is_shown_as_zero(void) {
    Round r = go("model none\nparameter I = 0.1 in kg*m^2, J = 0.05 in kg*m^2\n"
                 "coordinate th, s1, s2 : circle\n"
                 "kinetic I/2*th'^2 + J/2*(th' + s1')^2 + J/2*(th' + s2')^2\n"
                 "operator a: s1 = 0.5*cos(t)\noperator b: s2 = 0.5*sin(t)\n"
                 "run t = 0..6.283185307179586\n",
                 NULL);
    assert_int_equal(r.status, LIA_OK);
    LiaTextStyle narrow = {.width = 80};
    char* text = lia_output_holonomy(r.h, &narrow);
    const char* row = strstr(text, "  th     0     0         0         0  ");
    assert_non_null(row);
    assert_true(strcspn(row, "\n") <= 80);
    assert_true(strstr(row, "in rad") && strstr(row, "in rad") < row + strcspn(row, "\n"));
    lia_free(text);
    clear(&r);
}

static void refused(void) {
    static const struct Wrong {
        const char *model, *loop, *code;
    } all[] = {
        {cat, "", "E0351"},
        {cat, "s1", "E0351"},
        {cat, "s1 = , s2 = 1", "E0351"},
        {cat, "s1 = 1, s1 = 2", "E0351"},
        {cat, "nobody = sin(u), u = 0..pi", "E0351"},
        {satellite, "s1 = sin(u), u = 0..2*pi", "E0351"},  // 'wheels' sets s2 too
        {cat, "s1 = cos(u), s2 = sin(u), u = 0..pi", "E0352"},
        {cat, "s1 = theta, s2 = 0", "E0352"},
        {cat, "s1 = coz(u), s2 = sin(u), u = 0..pi", "E0126"},
        {"coordinate x : line\nkinetic x'^2\nrun t = 0..1\n", NULL, "E0353"},
        // half a turn, where the axial vector of both attitudes is 0 too
        {"coordinate R, T : rotation\nkinetic dot(Omega(R), Omega(R)) + dot(Omega(R*T), "
         "Omega(R*T))\noperator o: T = rotz(t/2)\nrun t = 0..2*pi\n",
         NULL, "E0352"},
        {"coordinate x : line\nkinetic x'^2\noperator o: x = 0\nrun t = 0..1\n", NULL, "E0353"},
        {"coordinate x, y : line\nkinetic x'^2 + y'^2\noperator o: x*t + y = 0\nrun t = 0..1\n",
         NULL, "E0353"},
        {"coordinate x, y : line\nkinetic x'^2 + y'^2\noperator o: x = 0\n"
         "constraint c: y' = 1 + x'\nrun t = 0..1\n",
         NULL, "E0353"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        Round r = go_loop(all[i].model == cat ? cat_with("") : all[i].model, all[i].loop);
        char* text = lia_diags_text(r.said);
        if (r.status != LIA_MODEL || r.h || !strstr(text, all[i].code)) {
            fail_msg("%zu: status %d, said: %s", i, (int)r.status, text);
        }
        lia_free(text);
        clear(&r);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(cat_turns),       TEST(cat_in_the_plane),      TEST(cat_with_momentum),
        TEST(loops),           TEST(parameters_in_units),   TEST(satellite_turns),
        TEST(lift_runs_away),  TEST(motion_leaves),         TEST(nothing_is_shown_as_zero),
        TEST(refused),         TEST(cat_round_a_rectangle), TEST(lifts_by_other_means),
        TEST(driven_attitude),
    };
    return TESTS_RUN(tests);
}
