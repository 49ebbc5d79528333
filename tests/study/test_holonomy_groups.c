// Loops of functions of coordinates, the rigid motions that loops leave behind, connections of
// constraints with their momentum equation: against references, closed forms and the motion.
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <liaison/liaison.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Round {
    LiaDiags *diags, *said;
    LiaModel* model;
    LiaSystem* system;
    LiaHolonomy* h;
    LiaStatus status;
} Round;

static Round go_until(const char* text, const char* loop, const double* until) {
    LiaHolonomyOptions options = {.loop = loop, .until = until};
    Round r = {.diags = lia_diags_create(), .said = lia_diags_create()};
    r.status = lia_model_parse("a.lia", text, strlen(text), NULL, r.diags, &r.model);
    assert_int_equal(r.status, LIA_OK);
    assert_int_equal(lia_system_build(r.model, NULL, r.diags, &r.system), LIA_OK);
    r.status = lia_holonomy(r.system, &options, r.said, &r.h);
    return r;
}

static void clear(Round* r) {
    lia_holonomy_destroy(r->h);
    lia_system_destroy(r->system);
    lia_model_destroy(r->model);
    lia_diags_destroy(r->said);
    lia_diags_destroy(r->diags);
}

static Round go(const char* text) {
    Round r = go_until(text, NULL, NULL);
    if (r.status != LIA_OK) {
        char* said = lia_diags_text(r.said);
        fail_msg("status %d: %s", (int)r.status, said);
    }
    return r;
}

static void is_near(double x, double expected, double error) {
    if (!(fabs(x - expected) <= error)) fail_msg("%.17g, not %.17g +- %g", x, expected, error);
}

static const LiaHolonomyPart* part(const Round* r, const char* name) {
    for (size_t i = 0; i < lia_holonomy_count(r->h); i++) {
        if (strcmp(lia_holonomy_at(r->h, i)->name, name) == 0) return lia_holonomy_at(r->h, i);
    }
    fail_msg("no %s", name);
    return NULL;
}

// The text has this in it.
static void says(const Round* r, const char* what) {
    char* text = lia_output_holonomy(r->h, NULL);
    if (!strstr(text, what)) fail_msg("'%s' is not in:\n%s", what, text);
    lia_free(text);
}

// %s: where it starts, the run.
static const char snake[] =
    "model snake\n"
    "parameter N = 3, l = 0.5, m = 1, J = m*(2*l)^2/12\n"
    "coordinate x, y : line\n"
    "coordinate a[i = 1..N] : circle\n"
    "let e[i = 1..N] = [cos(a[i]), sin(a[i])]\n"
    "let r[1] = [x, y]\n"
    "let r[i = 2..N] = r[i-1] - l*e[i-1] - l*e[i]\n"
    "kinetic sum(i = 1..N, m/2*dot(r[i]', r[i]') + J/2*a[i]'^2)\n"
    "constraint blade[i = 1..N]: -r[i]'.x*sin(a[i]) + r[i]'.y*cos(a[i]) = 0\n"
    "operator neck: a[2] - a[1] = 0.7 + 0.5*cos(t),\n"
    "               a[3] - a[2] = -0.9 - 0.4*sin(t) + 0.2*cos(2*t)\n"
    "start %s\n"
    "run t = 0..%s\n";
// The blades alone give the velocities from those of the shape; Fourier series of them, integrated
// term by term with 25 digits.
static const double snake_x = 0.20237041548090422311, snake_y = 0.27879283466206213549;
static const double snake_turn = 0.059537512460976737443;

static void snake_crawls(void) {
    char text[2048];
    snprintf(text, sizeof text, snake, "x = 0, y = 0, a[1] = 0", "2*pi");
    Round r = go(text);
    static const struct {
        const char* name;
        double value;
    } all[] = {{"x", snake_x},
               {"y", snake_y},
               {"a[1]", snake_turn},
               {"a[2]", snake_turn},
               {"a[3]", snake_turn}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const LiaHolonomyPart* p = part(&r, all[i].name);
        is_near(p->line, all[i].value, 1e-14);
        is_near(p->momentum, all[i].value, 1e-13);
        is_near(p->dynamics, all[i].value, 1e-13);
        if (all[i].name[0] == 'a') is_near(p->area, snake_turn, 1e-14);
        if (all[i].name[0] != 'a') assert_true(isnan(p->area));
    }
    const LiaHolonomyMove* g = lia_holonomy_move(r.h);
    assert_non_null(g);
    assert_string_equal(g->group, "SE(2)");
    is_near(g->angle, snake_turn, 1e-14);
    is_near(g->shift[0], snake_x, 1e-14);
    is_near(g->shift[1], snake_y, 1e-14);
    is_near(g->left, 0.0, 1e-14);
    // (1 - turn) centre = shift
    double c = cos(g->angle), s = sin(g->angle), *x = (double*)g->centre;
    is_near((1.0 - c) * x[0] + s * x[1], snake_x, 1e-14);
    is_near((1.0 - c) * x[1] - s * x[0], snake_y, 1e-14);
    says(&r, "a loop of a[2] - a[1], a[3] - a[2]");
    says(&r, "the whole moves in SE(2): it turns by 0.0595375");
    clear(&r);
}

// The turn is that of the angles, in whichever order x and y are declared.
static void orders_of_x_and_y(void) {
    char text[2048];
    snprintf(text, sizeof text, snake, "x = 0, y = 0, a[1] = 0", "2*pi");
    char* declared = strstr(text, "coordinate x, y");
    memcpy(declared, "coordinate y, x", strlen("coordinate y, x"));
    Round r = go(text);
    const LiaHolonomyMove* g = lia_holonomy_move(r.h);
    assert_non_null(g);
    is_near(g->angle, snake_turn, 1e-14);
    is_near(g->shift[0], snake_x, 1e-14);
    is_near(g->shift[1], snake_y, 1e-14);
    assert_string_equal(g->plane[0], "x");
    says(&r, ", from x to y");
    clear(&r);
}

// From another place the same motion is seen from there; three loops leave g^3.
static void group_elements_multiply(void) {
    char text[2048];
    snprintf(text, sizeof text, snake, "x = 0.7, y = -1.2, a[1] = 2.1", "6*pi");
    Round r = go(text);
    const LiaHolonomyMove* g = lia_holonomy_move(r.h);
    assert_non_null(g);
    is_near(g->angle, 3.0 * snake_turn, 1e-13);
    is_near(g->left, 0.0, 1e-13);
    // the centre of the other test, carried along
    double half = 1.0 / tan(snake_turn / 2.0);
    double cx = (snake_x - half * snake_y) / 2.0, cy = (snake_y + half * snake_x) / 2.0;
    is_near(g->centre[0], 0.7 + cos(2.1) * cx - sin(2.1) * cy, 1e-11);
    is_near(g->centre[1], -1.2 + sin(2.1) * cx + cos(2.1) * cy, 1e-11);
    clear(&r);
}

// The centres of all links as coordinates, tied by hinges: the same motion of the whole.
static void snake_with_all_centres(void) {
    static const char text[] =
        "coordinate x[i = 1..3], y[i = 1..3] : line\n"
        "coordinate a[i = 1..3] : circle\n"
        "kinetic sum(i = 1..3, (x[i]'^2 + y[i]'^2)/2 + a[i]'^2/24)\n"
        "constraint h[i = 1..2]: [x[i] - x[i+1], y[i] - y[i+1]] = "
        "0.5*[cos(a[i]) + cos(a[i+1]), sin(a[i]) + sin(a[i+1])]\n"
        "constraint blade[i = 1..3]: -x[i]'*sin(a[i]) + y[i]'*cos(a[i]) = 0\n"
        "operator neck: a[2] - a[1] = 0.7 + 0.5*cos(t),\n"
        "               a[3] - a[2] = -0.9 - 0.4*sin(t) + 0.2*cos(2*t)\n"
        "start x[1] = 0, y[1] = 0, a[1] = 0\nrun t = 0..2*pi\n";
    Round r = go(text);
    is_near(part(&r, "x[1]")->line, snake_x, 1e-14);
    is_near(part(&r, "y[1]")->line, snake_y, 1e-14);
    const LiaHolonomyMove* g = lia_holonomy_move(r.h);
    assert_non_null(g);
    is_near(g->angle, snake_turn, 1e-14);
    is_near(g->shift[0], snake_x, 1e-13);
    is_near(g->shift[1], snake_y, 1e-13);
    is_near(g->left, 0.0, 1e-13);
    clear(&r);
}

// Angles of links against each other are another way to write it; a trailer does not come back.
static void snake_in_other_coordinates(void) {
    static const char text[] =
        "coordinate p, s, h, k : circle\n"
        "coordinate y, x : line\n"
        "let a1 = h, a2 = h + p, a3 = h + p + s, a4 = a3 + k, l = 0.5\n"
        "let e1 = [cos(a1), sin(a1)], e2 = [cos(a2), sin(a2)], e3 = [cos(a3), sin(a3)]\n"
        "let e4 = [cos(a4), sin(a4)]\n"
        "let r1 = [x, y], r2 = r1 - l*e1 - l*e2, r3 = r2 - l*e2 - l*e3, r4 = r3 - l*e3 - l*e4\n"
        "kinetic dot(r1', r1') + dot(r2', r2') + dot(r3', r3') + dot(r4', r4') + h'^2\n"
        "constraint b1: -r1'.x*sin(a1) + r1'.y*cos(a1) = 0\n"
        "constraint b2: -r2'.x*sin(a2) + r2'.y*cos(a2) = 0\n"
        "constraint b3: -r3'.x*sin(a3) + r3'.y*cos(a3) = 0\n"
        "constraint b4: -r4'.x*sin(a4) + r4'.y*cos(a4) = 0\n"
        "operator n1: p = 0.7 + 0.5*cos(t)\n"
        "operator n2: s = -0.9 - 0.4*sin(t) + 0.2*cos(2*t)\n"
        "start x = 0, y = 0, h = 0, k = 0.3\n"
        "run t = 0..2*pi\n";
    Round r = go(text);
    is_near(part(&r, "x")->line, snake_x, 1e-14);
    is_near(part(&r, "y")->dynamics, snake_y, 1e-13);
    is_near(part(&r, "h")->area, snake_turn, 1e-14);
    double trailer = part(&r, "k")->line;
    assert_true(fabs(trailer) > 1e-3);
    const LiaHolonomyMove* g = lia_holonomy_move(r.h);
    assert_non_null(g);
    is_near(fabs(g->angle), snake_turn, 1e-14);  // the plane (y, x) is seen from below
    is_near(g->left, fabs(trailer) / (1.0 + fabs(0.3 + trailer)), 1e-12);
    says(&r, "and not the whole alone");
    clear(&r);
}

static const char swimmer[] =
    "coordinate r : space\n"
    "coordinate R : rotation\n"
    "coordinate s1, s2 : line\n"
    "let W = Omega(R), I = [[3, 0.2, -0.1], [0.2, 4, 0.15], [-0.1, 0.15, 5]]\n"
    "let c = [0.8 + s1, 0.3*s2, 0.5*s2^2 + 0.2*s1], z = r + R*c\n"
    "kinetic dot(r', r') + 1/2*dot(W, I*W) + 0.7/2*dot(z', z') + 0.2*(W.y*s2' + s2'^2)\n"
    "operator arm: s1 = 0.4*cos(t), s2 = 0.9*sin(t) + 0.2*sin(2*t)\n"
    "start r = [0.3, -0.2, 0.1], R = rotx(0.4)*rotz(0.7)\n"
    "run t = 0..2*pi\n";

// In space, without outer forces: g turns about an axis through the centre of mass and does not go
// along it. Two loops turn about the same axis by twice as much.
static void swimmer_turns_in_space(void) {
    double twice = 4.0 * 3.14159265358979323846;
    Round one = go(swimmer), two = go_until(swimmer, NULL, &twice);
    assert_int_equal(two.status, LIA_OK);
    const LiaHolonomyMove *g = lia_holonomy_move(one.h), *gg = lia_holonomy_move(two.h);
    assert_true(g && gg);
    assert_string_equal(g->group, "SE(3)");
    is_near(g->angle, lia_holonomy_turn(one.h, 0)->angle, 1e-14);
    is_near(gg->angle, 2.0 * g->angle, 1e-13);
    is_near(g->along, 0.0, 1e-14);
    is_near(g->left, 0.0, 1e-14);
    // the centre of mass at the start: r + 0.7/2.7 R c, c = [1.2, 0, 0.08]
    double x = 1.2 * cos(0.7), y = 1.2 * sin(0.7), part_of = 0.7 / 2.7;
    double centre[3] = {0.3 + part_of * x, -0.2 + part_of * (y * cos(0.4) - 0.08 * sin(0.4)),
                        0.1 + part_of * (y * sin(0.4) + 0.08 * cos(0.4))};
    double along = 0.0, off = 0.0;
    for (int k = 0; k < 3; k++) along += (centre[k] - g->centre[k]) * g->axis[k];
    for (int k = 0; k < 3; k++) {
        off = fmax(off, fabs(centre[k] - g->centre[k] - along * g->axis[k]));
        is_near(gg->axis[k], g->axis[k], 1e-12);
        is_near(gg->centre[k], g->centre[k], 1e-12);
    }
    is_near(off, 0.0, 1e-12);
    for (size_t i = 0; i < lia_holonomy_count(one.h); i++) {
        const LiaHolonomyPart* p = lia_holonomy_at(one.h, i);
        is_near(p->momentum, p->line, 1e-13);
        is_near(p->dynamics, p->line, 1e-13);
    }
    char* json = lia_output_holonomy_json(one.h);
    assert_non_null(strstr(json, "\"move\": {\"group\": \"SE(3)\", \"angle\": 0.0646"));
    lia_free(json);
    clear(&one);
    clear(&two);
}

// Constraints with a symmetry that let momentum change: the lift stands still, the momentum
// equation goes where the motion goes.
static void snakeboard_gets_going(void) {
    static const char text[] =
        "parameter m = 6, l = 0.5, J = 0.5, Jr = 0.3, Jw = 0.05\n"
        "coordinate x, y : line\n"
        "coordinate theta, psi, phi : circle\n"
        "kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2 + Jr/2*(theta' + psi')^2\n"
        "kinetic Jw/2*(theta' + phi')^2 + Jw/2*(theta' - phi')^2\n"
        "constraint front: -x'*sin(theta + phi) + y'*cos(theta + phi) + l*theta'*cos(phi) = 0\n"
        "constraint rear: -x'*sin(theta - phi) + y'*cos(theta - phi) - l*theta'*cos(phi) = 0\n"
        "operator twist: psi = 0.7*sin(3*t)\n"
        "operator steer: phi = 0.5*sin(3*t)\n"
        "start x = 0, y = 0, theta = 0, x' = 0, y' = 0, theta' = 0\n"
        "run t = 0..2*pi/3\n";
    Round r = go(text);
    for (size_t i = 0; i < lia_holonomy_count(r.h); i++) {
        const LiaHolonomyPart* p = lia_holonomy_at(r.h, i);
        is_near(p->line, 0.0, 1e-15);  // there and back: psi and phi go along a line
        is_near(p->momentum, p->dynamics, 1e-13);
        assert_true(fabs(p->dynamics) > 1e-3);
    }
    says(&r, "momentum equation and dynamics agree");
    says(&r, "line and dynamics are two things here");
    clear(&r);
}

// Angles in space for the cat of three links; %s: the operators.
static const char cat[] =
    "parameter m1 = 1, m2 = 1.5, m3 = 0.8, l1 = 1, l2 = 1.2, l3 = 0.9, mass = m1 + m2 + m3\n"
    "coordinate a, b, c : circle\n"
    "let e1 = [cos(a), sin(a)], e2 = [cos(b), sin(b)], e3 = [cos(c), sin(c)]\n"
    "let r1 = -l2/2*e2 - l1/2*e1, r3 = l2/2*e2 + l3/2*e3, cm = (m1*r1 + m3*r3)/mass\n"
    "kinetic m1/2*dot(r1', r1') + m3/2*dot(r3', r3') - mass/2*dot(cm', cm')\n"
    "kinetic m1*l1^2/24*a'^2 + m2*l2^2/24*b'^2 + m3*l3^2/24*c'^2\n"
    "operator rear: a - b = 0.5 + 0.7*cos(2*pi*t/10)\n"
    "operator front: %s\n"
    "start b = 0\n"
    "run t = 0..10\n";
static const double cat_turn = -0.032506295458860659;  // as in test_holonomy.c

static void cat_by_functions(void) {
    char text[2048];
    snprintf(text, sizeof text, cat, "c - b = -0.4 + 0.7*sin(2*pi*t/10)");
    Round r = go(text);
    for (size_t i = 0; i < 3; i++) {
        const LiaHolonomyPart* p = lia_holonomy_at(r.h, i);
        is_near(p->line, cat_turn, 1e-14);
        is_near(p->area, cat_turn, 1e-14);
        is_near(p->momentum, cat_turn, 1e-13);
        is_near(p->dynamics, cat_turn, 1e-13);
    }
    clear(&r);
    // the same law as an equation for c: its force acts on c alone, and that is another motion
    snprintf(text, sizeof text, cat, "c = b - 0.4 + 0.7*sin(2*pi*t/10)");
    r = go(text);
    is_near(part(&r, "b")->line, cat_turn, 1e-14);
    is_near(part(&r, "b")->area, cat_turn, 1e-14);
    assert_true(isnan(part(&r, "b")->momentum));
    assert_true(fabs(part(&r, "b")->dynamics - cat_turn) > 1e-3);
    says(&r, "forces of operators or constraints act along the fibre");
    clear(&r);
}

// A curved function, and a connection that depends on the place: the momentum equation goes with
// the motion also where the line does not.
static void curved_functions(void) {
    Round r = go("coordinate x, y, z: line\n"
                 "kinetic (x'^2 + y'^2 + z'^2)/2 + x*y'*z'/3\n"
                 "potential x*y/4\n"
                 "lagrangian y*x'/5\n"
                 "dissipation y'^2/10\n"
                 "operator r: hypot(x, y) = 1 + 0.2*sin(t)\n"
                 "operator s: z + x = cos(t)\n"
                 "start x = 0.8, y = 0.6\n"
                 "run t = 0..2*pi\n");
    for (size_t i = 0; i < 3; i++) {
        const LiaHolonomyPart* p = lia_holonomy_at(r.h, i);
        is_near(p->momentum, p->dynamics, 1e-12);
        assert_true(fabs(p->line - p->dynamics) > 1e-3);
    }
    const LiaHolonomyPart *x = part(&r, "x"), *y = part(&r, "y"), *z = part(&r, "z");
    is_near(hypot(0.8 + x->line, 0.6 + y->line), 1.0, 1e-14);
    is_near(x->line + z->line, 0.0, 1e-14);
    clear(&r);
}

// The area of a loop of functions whose inverse folds at s2 = -5/3, near the loop: x by
// quadrature of x' = (0.4 cos(s1) s2 s1' + 0.25 s1 s2 s2')/2 (400 nodes of the trapezoidal rule).
static void area_near_a_fold(void) {
    Round r = go("coordinate x, s1, s2 : line\n"
                 "kinetic x'^2 - x'*(0.4*cos(s1)*s2*s1' + 0.25*s1*s2*s2') + 2*s1'^2 + 3*s2'^2\n"
                 "let u = 0.2 + 0.8*cos(t), w = 0.2 + sin(t + 0.4) + 0.2*cos(2*t)\n"
                 "operator o: s1 + 0.3*s2^2 = u + 0.3*w^2\noperator p: s2 - s1 = w - u\n"
                 "start s1 ~ 1, s2 ~ 0.78\nrun t = 0..2*pi\n");
    const LiaHolonomyPart* x = part(&r, "x");
    is_near(x->line, -0.38946650167133, 1e-13);
    is_near(x->area, x->line, 1e-12);
    clear(&r);
}

// A loop that begins elsewhere: what equations tie to the base goes there too.
static void loop_begins_elsewhere(void) {
    static const char text[] = "coordinate s, x, y : line\n"
                               "kinetic s'^2 + x'^2 + y'^2\n"
                               "constraint tie: x - s^2 = 0\n"
                               "constraint c: y' = x*s'\n"
                               "operator go: s = 0.2*sin(t)\n"
                               "start s = 0, y = 0\n"
                               "run t = 0..2*pi\n";
    Round r = go_until(text, "s = 1 + 0.5*cos(u), u = 0..2*pi", NULL);
    assert_int_equal(r.status, LIA_OK);
    is_near(part(&r, "x")->line, 0.0, 1e-14);
    is_near(part(&r, "y")->line, 0.0, 1e-14);
    is_near(part(&r, "y")->dynamics, 0.0, 1e-13);
    clear(&r);
}

// The turn of three bodies in a row without momentum, their centre at rest: by their angular
// momentum in the plane, integrated by scipy, 0.0031632954887514.
#define BODIES                                                                                     \
    "body A: mass 1, inertia [0.2, 0.3, 0.4], free\nbody B: mass 0.7, inertia [0.1, 0.15, 0.2], "  \
    "free\n"
#define HINGE_B                                                                                    \
    "joint j: revolute(A at [0.3, 0, 0] axis [0, 0, 1], B at [-0.2, 0, 0] axis [0, 0, 1])\n"

// About a hinge two of the three equations of a turn follow from it.
static void turns_about_hinges(void) {
    Round r = go(BODIES
                 "body C: mass 0.5, inertia [0.1, 0.15, 0.2], free\n" HINGE_B
                 "joint k: revolute(A at [-0.3, 0, 0] axis [0, 0, 1], C at [0.2, 0, 0] axis [0, 0, "
                 "1])\noperator m: transpose(A.attitude)*B.attitude = rotz(0.5*sin(t))\n"
                 "operator n: transpose(A.attitude)*C.attitude = rotz(0.5*cos(t) - 0.5)\n"
                 "start B.position ~ [0.5, 0, 0], C.position ~ [-0.5, 0, 0]\nrun t = 0..2*pi\n");
    const LiaHolonomyPart* z = part(&r, "A.attitude.z");
    double want = sin(0.0031632954887514 / 2.0);
    is_near(z->line, want, 1e-12);
    is_near(z->momentum, want, 1e-12);
    is_near(z->dynamics, want, 1e-12);
    clear(&r);
    r = go(BODIES HINGE_B "operator m: transpose(A.attitude)*B.attitude = rotz(0.5*sin(t))\n"
                          "start B.position ~ [0.5, 0, 0]\nrun t = 0..2*pi\n");
    is_near(part(&r, "A.attitude.z")->line, 0.0, 1e-14);  // there and back
    is_near(part(&r, "A.attitude.z")->dynamics, 0.0, 1e-14);
    clear(&r);
}

// A closed chain in space, three of whose equations follow from the others, and the same in a
// plane.
static void closed_chains(void) {
    Round flat = go("coordinate x, y : line\ncoordinate a, b, c, d, w : circle\n"
                    "let A = [x, y], J = A + 0.5*[cos(a), sin(a)], B = J + 0.4*[-sin(b), cos(b)]\n"
                    "let K = 2*B - J, C = K - 0.55*[cos(c), sin(c)], N = 2*C - K\n"
                    "let D = N - 0.35*[-sin(d), cos(d)], M = 2*D - N\n"
                    "let W = A + 0.2*[sin(a), -cos(a)] - 0.05*[cos(w), sin(w)]\n"
                    "kinetic (dot(A', A') + 0.7*dot(B', B') + 0.5*dot(C', C') + 0.4*dot(D', D') + "
                    "0.3*dot(W', W') + 0.4*a'^2 + 0.2*b'^2 + 0.2*c'^2 + 0.2*d'^2 + 0.1*w'^2)/2\n"
                    "constraint close: M = A - 0.5*[cos(a), sin(a)]\n"
                    "operator o: b - a = 0.5*sin(t)\noperator p: w - a = 0.7*cos(t) - 0.7\n"
                    "start c ~ 0.05, d ~ 0\nrun t = 0..2*pi\n");
    const LiaHolonomyPart* turn = part(&flat, "a");
    is_near(turn->dynamics, turn->line, 1e-13);
    Round r = go(
        BODIES "body C: mass 0.5, inertia [0.1, 0.15, 0.2], free\n"
               "body D: mass 0.4, inertia [0.1, 0.15, 0.2], free\n"
               "body W: mass 0.3, inertia [0.1, 0.1, 0.1], free\n"
               "joint j: revolute(A at [0.5, 0, 0] axis [0, 0, 1], B at [0, -0.4, 0] axis [0, 0, "
               "1])\njoint k: revolute(B at [0, 0.4, 0] axis [0, 0, 1], C at [0.55, 0, 0] axis "
               "[0, 0, 1])\njoint l: revolute(C at [-0.55, 0, 0] axis [0, 0, 1], D at [0, 0.35, "
               "0] axis [0, 0, 1])\njoint m: revolute(D at [0, -0.35, 0] axis [0, 0, 1], A at "
               "[-0.5, 0, 0] axis [0, 0, 1])\njoint w: revolute(A at [0, -0.2, 0] axis [0, 0, 1], "
               "W at [0.05, 0, 0] axis [0, 0, 1])\n"
               "operator o: transpose(A.attitude)*B.attitude = rotz(0.5*sin(t))\n"
               "operator p: transpose(A.attitude)*W.attitude = rotz(0.7*cos(t) - 0.7)\n"
               "start B.position ~ [0.5, 0.4, 0], C.position ~ [0, 0.8, 0], D.position ~ "
               "[-0.5, 0.4, 0], W.position ~ [0, -0.2, 0]\nrun t = 0..2*pi\n");
    const LiaHolonomyPart* z = part(&r, "A.attitude.z");
    is_near(lia_holonomy_turn(r.h, 0)->angle, turn->line, 1e-13);
    is_near(z->momentum, z->line, 1e-13);
    is_near(z->dynamics, z->line, 1e-13);
    clear(&r);
    clear(&flat);
}

// s2 follows from s1 by the constraint: x' = -(s1 s3' + 0.3 s1')/2 leaves pi/2; a loop that
// contradicts it has no lift.
static void operators_that_say_it_twice(void) {
    static const char text[] =
        "coordinate x, s1, s2, s3 : line\n"
        "kinetic (x'^2 + (1 + s1^2)*s1'^2 + s2'^2 + s3'^2 + s1*x'*s3' + 0.3*x'*s1')/2\n"
        "constraint tie: s2 = s1 + 0.1*s1^2\noperator a: s1 = sin(t)\n"
        "operator b: s2 = sin(t) + 0.1*sin(t)^2\noperator c: s3 = cos(t)\nrun t = 0..2*pi\n";
    Round r = go(text);
    is_near(part(&r, "x")->line, acos(0.0), 1e-13);
    is_near(part(&r, "x")->momentum, acos(0.0), 1e-12);
    is_near(part(&r, "x")->dynamics, acos(0.0), 1e-13);
    clear(&r);
    r = go_until(text,
                 "s1 = sin(u), s2 = sin(u) + 0.1*sin(u)^2 + 1e-4*sin(u)^3, s3 = cos(u), "
                 "u = 0..2*pi",
                 NULL);
    assert_int_equal(r.status, LIA_OK);
    assert_true(isnan(part(&r, "x")->line) && isnan(part(&r, "x")->momentum));
    says(&r, "it contradicts the other equations");
    clear(&r);
}

static void refused(void) {
    static const struct Wrong {
        const char* operator, * code;
    } all[] = {
        {"x*t + y = 1", "E0353"},      // no function of coordinates at each time
        {"(x*y)' = cos(t)", "E0353"},  // a rate
        {"x + y = t", "E0352"},        // does not close
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "coordinate x, y : line\nkinetic x'^2 + y'^2\noperator o: %s\n"
                 "start x = 1\nrun t = 0..2*pi\n",
                 all[i].operator);
        Round r = go_until(text, NULL, NULL);
        char* said = lia_diags_text(r.said);
        if (r.status != LIA_MODEL || r.h || !strstr(said, all[i].code))
            fail_msg("%zu: status %d, said: %s", i, (int)r.status, said);
        lia_free(said);
        clear(&r);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(snake_crawls),
        TEST(group_elements_multiply),
        TEST(orders_of_x_and_y),
        TEST(snake_with_all_centres),
        TEST(snake_in_other_coordinates),
        TEST(swimmer_turns_in_space),
        TEST(snakeboard_gets_going),
        TEST(cat_by_functions),
        TEST(curved_functions),
        TEST(loop_begins_elsewhere),
        TEST(turns_about_hinges),
        TEST(closed_chains),
        TEST(operators_that_say_it_twice),
        TEST(area_near_a_fold),
        TEST(refused),
    };
    return TESTS_RUN(tests);
}
