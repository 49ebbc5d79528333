// How forces are decided. A chain of springs: an operator pulls at one end and governs the other,
// so that its force is in a higher derivative, and state and force are known in closed form. Two
// chains whose equations are mixed: the derivatives decide both forces only together. And what
// operators leave free: rates in closed form.
//
// Tests: mechanics/degree/direct.c, mechanics/degree/relative_degree.c
// Tests: mechanics/degree/relative_degree_find.c, mechanics/degree/relative_degree_project.c
// Tests: mechanics/degree/level_slopes.c, mechanics/degree/derivative_array.c
// Tests: mechanics/degree/steady.c, mechanics/degree/zero_dynamics.c, mechanics/degree/answers.c
// SPDX-License-Identifier: MIT
#include "base/file/keep.h"
#include "mechanics/degree/answers.h"
#include "mechanics/degree/derivative_array.h"
#include "mechanics/degree/level_slopes.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/degree/steady.h"
#include "mechanics/degree/zero_dynamics.h"
#include "mechanics/kkt/stage.h"
#include "support/built.h"
#include "support/cases.h"
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 24 };

// z'' = x - z, x'' = u - (x - z): z = sin(2t), x = -3 sin(2t), u = 8 sin(2t).
static const char chain[] = "coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\n"
                            "potential (x - z)^2/2\noperator o: z = sin(2*t) by d(x)\n";

static void put_chain(LiaWorkspace* w, double t) {
    w->t = t;
    w->q[0] = -3 * sin(2 * t), w->v[0] = -6 * cos(2 * t);
    w->q[1] = sin(2 * t), w->v[1] = 2 * cos(2 * t);
}

// A system whose forces are decided at a higher relative degree, which is found at `put(w, t)`.
typedef struct Higher {
    Built b;
    LiaRelativeDegree* degree;
} Higher;

static Higher higher_of(const char* text, void (*put)(LiaWorkspace*, double), double t) {
    Higher x = {.b = built_of(text, ORDER, NULL)};
    LiaRelativeDegreeLack lack;
    put(x.b.w, t);
    x.degree = lia_relative_degree_find(x.b.w, &lack);
    assert_true(x.degree && lia_relative_degree_attach(x.b.w, x.degree));
    return x;
}

static void higher_clear(Higher* x) {
    lia_relative_degree_detach(x->b.w);
    lia_relative_degree_destroy(x->degree);
    built_clear(&x->b);
}

static bool decide(LiaWorkspace* w, int order) {
    lia_workspace_load(w, order);
    lia_workspace_residuals(w);
    return lia_workspace_decide(w);
}

static void a_force_through_a_spring_is_in_the_fourth_derivative(void) {
    Built b = built_of(chain, ORDER, NULL);
    LiaWorkspace* w = b.w;
    put_chain(w, 0.3);
    assert_ptr_equal(w->forces.method, &lia_direct);
    assert_ptr_equal(w->forces.degree, &lia_direct_no_rows);
    assert_true(lia_relative_degree_find_has_operators(w));
    assert_false(decide(w, 1));  // K0 alone does not
    LiaRelativeDegreeLack lack;
    LiaRelativeDegree* h = lia_relative_degree_find(w, &lack);
    assert_non_null(h);
    assert_int_equal(h->count, 1);
    assert_int_equal(h->base[0], 2);
    assert_int_equal(h->shift[0], 2);
    assert_int_equal(h->levels, 4);
    assert_false(h->derivative_array);
    assert_true(lia_relative_degree_attach(w, h));
    assert_ptr_equal(w->forces.method, &lia_relative_degree);
    assert_true(lia_relative_degree_is(w, 0));
    assert_true(decide(w, ORDER));
    for (int i = 0; i < 4; i++) assert_float_equal(w->forces.level[i], 0.0, 1e-13);
    lia_stage_accelerate(w);
    assert_float_equal(w->mu[0], 8 * sin(0.6), 1e-12);
    assert_float_equal(w->a[0], 12 * sin(0.6), 1e-12);
    lia_stage_series(w, 8);  // and as a series: 8 sin(0.6 + 2 t)
    for (int k = 0, factorial = 1; k < 8; k++) {
        factorial *= k > 1 ? k : 1;
        double wanted = 8 * sin(0.6 + k * acos(-1.0) / 2) * pow(2, k) / factorial;
        assert_float_equal(lia_jet_coefficient(&w->jets, w->dynamics->tape->multiplier[0], k),
                           wanted, 1e-9);
    }
    // kept as numbers, and the same again
    LiaText text = {0};
    LiaKeep out = {.out = &text};
    lia_relative_degree_keep(&h, &out, (uint32_t)w->nc);
    LiaRelativeDegree* again = NULL;
    LiaKeep in = {.at = text.data, .left = text.length};
    lia_relative_degree_keep(&again, &in, (uint32_t)w->nc);
    assert_true(lia_keep_good(&in) && again && again->shift[0] == 2 && again->levels == 4);
    lia_relative_degree_destroy(again);
    lia_text_clear(&text);
    lia_relative_degree_detach(w);
    assert_ptr_equal(w->forces.method, &lia_direct);
    lia_relative_degree_destroy(h);
    built_clear(&b);
}

// Levels of a state that is off: e, e', e'', e''' in closed form, and the force appears in e''''.
static void levels_are_the_derivatives_of_the_equation(void) {
    Higher x = higher_of(chain, put_chain, 0.0);
    LiaWorkspace* w = x.b.w;
    const double px = 0.4, xv = -0.7, z = 0.2, zv = 0.9, t = 0.5;
    w->t = t, w->q[0] = px, w->q[1] = z, w->v[0] = xv, w->v[1] = zv;
    assert_true(decide(w, ORDER));
    const double s = sin(2 * t), c = cos(2 * t);
    const double wanted[4] = {z - s, zv - 2 * c, (px - z) + 4 * s, (xv - zv) + 8 * c};
    for (int i = 0; i < 4; i++) assert_float_equal(w->forces.level[i], wanted[i], 1e-13);
    // S: the fourth derivative grows by 1 for each 1 of the force
    assert_float_equal(exp2(lia_dense_lu_size(&w->forces.S_lu)), 1.0, 1e-12);
    higher_clear(&x);
}

// The equations are linear here: by the inverse of their slopes one step leads onto them, and
// differences say the same slopes.
static void slopes_invert_the_levels(void) {
    Higher x = higher_of(chain, put_chain, 0.0);
    LiaWorkspace* w = x.b.w;
    struct LiaSlopes* s = lia_level_slopes_make(w);
    assert_non_null(s);
    w->t = 0.5, w->q[0] = 0.4, w->q[1] = 0.2, w->v[0] = -0.7, w->v[1] = 0.9;
    int m = lia_level_slopes_equations(w, ORDER, s->f);
    assert_int_equal(m, 4);
    lia_level_slopes_find(w, s, m, ORDER, NULL);
    assert_int_equal(s->rank, 4);
    double f[8];
    for (int i = 0; i < s->n; i++) {
        double step = 0.0;
        for (int k = 0; k < m; k++) step -= s->inverse[i * m + k] * s->f[k] / s->size[k];
        *lia_level_slopes_unknown(w, i) += step * s->scale[i];
    }
    assert_int_equal(lia_level_slopes_equations(w, ORDER, f), 4);
    for (int k = 0; k < 4; k++)
        assert_float_equal(f[k], 0.0, 1e-6);  // differences: half the digits
    assert_float_equal(w->q[1], sin(1.0), 1e-6);
    assert_float_equal(w->q[0], -3 * sin(1.0), 1e-6);
    memcpy(s->f, f, 4 * sizeof *f);
    double blur = lia_level_slopes_blur(w, s, ORDER);
    assert_true(blur >= 0.0 && blur < 1e-12);
    free(s);
    higher_clear(&x);
}

// From anywhere onto the one state that keeps the law; with z held, what can be is not all.
static void a_projection_finds_the_state_that_keeps_the_law(void) {
    Higher x = higher_of(chain, put_chain, 0.0);
    LiaWorkspace* w = x.b.w;
    bool (*ways[2])(LiaWorkspace*, int, const bool*, double*) = {lia_relative_degree_project,
                                                                 lia_relative_degree_project_reach};
    for (int way = 0; way < 2; way++) {
        double moved;
        w->t = 0.7, w->q[0] = 2, w->q[1] = -1, w->v[0] = 0.3, w->v[1] = 5;
        assert_true(ways[way](w, ORDER, NULL, &moved));
        assert_true(moved > 0.1);
        assert_int_equal(lia_relative_degree_project_rank(w), 4);
        assert_float_equal(w->q[0], -3 * sin(1.4), 1e-12);
        assert_float_equal(w->v[0], -6 * cos(1.4), 1e-12);
        assert_float_equal(w->q[1], sin(1.4), 1e-12);
        assert_float_equal(w->v[1], 2 * cos(1.4), 1e-12);
    }
    double moved;
    w->q[0] += 0.5;
    assert_true(lia_relative_degree_project_seek(w, NULL, &moved));
    assert_float_equal(w->q[0], -3 * sin(1.4), 1e-12);
    const bool fixed[4] = {true, false, false, false};  // x is given, and is wrong
    w->q[0] += 0.5;
    assert_false(lia_relative_degree_project(w, ORDER, fixed, &moved));
    higher_clear(&x);
}

// --- forces that are decided together

// z = sin(2t) by the force u1 on x; r = cos(2t) through two springs by u2 on y; the second equation
// is one of z + r: its fourth derivative has u1 in it, and only u1.
static const char mixed[] = "coordinate x, z, y, p, r : line\n"
                            "kinetic (x'^2 + z'^2 + y'^2 + p'^2 + r'^2)/2\n"
                            "potential ((x - z)^2 + (y - p)^2 + (p - r)^2)/2\n"
                            "operator one: z = sin(2*t) by d(x)\n"
                            "operator two: z + r = sin(2*t) + cos(2*t) by d(y)\n";

static void put_mixed(LiaWorkspace* w, double t) {
    const double of_sin[5] = {-3, 1, 0, 0, 0}, of_cos[5] = {0, 0, 5, -3, 1};
    w->t = t;
    for (int i = 0; i < 5; i++) {
        w->q[i] = of_sin[i] * sin(2 * t) + of_cos[i] * cos(2 * t);
        w->v[i] = 2 * (of_sin[i] * cos(2 * t) - of_cos[i] * sin(2 * t));
    }
}

static void forces_that_only_all_derivatives_decide(void) {
    Higher x = higher_of(mixed, put_mixed, 0.3);
    LiaWorkspace* w = x.b.w;
    LiaRelativeDegree* h = x.degree;
    assert_true(h->derivative_array);
    assert_int_equal(h->count, 2);
    assert_ptr_equal(w->forces.method, &lia_derivative_array);
    LiaDerivativeArray* z = w->forces.array;
    assert_int_equal(z->n, 2 * (h->ahead + 1));
    put_mixed(w, 0.3);
    assert_true(decide(w, ORDER));
    assert_true(lia_derivative_array_forces(w));
    assert_float_equal(z->first[0], 8 * sin(0.6), 1e-9);
    assert_float_equal(z->first[1], -12 * cos(0.6), 1e-9);
    assert_true(lia_derivative_array_residuals(w));
    double f[64];
    int rows = lia_derivative_array_rows(w, f);
    assert_true(rows > 0 && rows <= 64);
    for (int i = 0; i < rows; i++) assert_float_equal(f[i], 0.0, 1e-7);
    lia_derivative_array_slopes(w);
    assert_true(z->rank >= 2 && z->rank < z->n);  // the later forces are not all decided
    lia_stage_accelerate(w);
    assert_float_equal(w->mu[0], 8 * sin(0.6), 1e-9);
    assert_float_equal(w->mu[1], -12 * cos(0.6), 1e-9);
    for (int i = 0; i < 5; i++) assert_float_equal(w->a[i], -4 * w->q[i], 1e-9);
    // a state next to it has no such forces that keep all derivatives
    w->q[4] += 0.1;
    assert_true(decide(w, ORDER));
    double most = 0.0;
    rows = lia_derivative_array_rows(w, f);
    for (int i = 0; i < rows; i++) most = fmax(most, fabs(f[i]));
    assert_true(most > 1e-3);
    double moved;
    assert_true(lia_relative_degree_project(w, ORDER, NULL, &moved));
    assert_float_equal(w->q[4], cos(0.6), 1e-9);
    assert_float_equal(w->q[2], 5 * cos(0.6), 1e-9);
    LiaDerivativeArray* other = lia_derivative_array_create(h, w->nf);
    assert_true(other && other->n == z->n && other->count == 2);
    free(other);
    higher_clear(&x);
}

// Both forces move z by x alone, which a asks to be zero already: no derivative decides them. In
// one of the fifteenth the force of b seemed to appear, by rounding.
static const char both_through_x[] =
    "coordinate u, v, x, z : line\n"
    "kinetic 0.7755*u'^2 + 0.8225*v'^2 + 0.416*x'^2 + 0.8185*z'^2\n"
    "potential 1.133*u*v + 2.0085*v^2 - 0.7815*v*x + 1.006*x*z - 0.321*z^2\n"
    "force f: -0.335*u'*d(u) - 0.221*x'*d(v) + 0.221*v'*d(x) + 0.186*z'*d(z)\n"
    "operator a: -0.168*x - 0.046*x' = 0 by -0.596*d(u) + 0.983*d(x)\n"
    "operator b: -0.658*x - 0.155*z = 0 by -0.216*d(x)\n";

static void what_is_lacking_is_said(void) {
    const struct {
        const char* text;
        int kind;
    } cases[] = {
        {"coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\noperator o: z = sin(t) by d(x)\n",
         LIA_LACK_FORCE},
        {"coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential (x - y)^2/2\n"
         "operator a: y = 0 by d(x)\noperator b: z = 0 by d(x)\n",
         LIA_LACK_FORCES},
        {both_through_x, LIA_LACK_DECISION},
        {"coordinate x : line\nkinetic x'^2/2\n", LIA_LACK_ANYTHING},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Built b = built_of(cases[k].text, ORDER, NULL);
        LiaRelativeDegreeLack lack = {0};
        for (int i = 0; i < b.w->n; i++) b.w->q[i] = b.w->v[i] = 0.0;
        assert_null(lia_relative_degree_find(b.w, &lack));
        assert_int_equal((int)lack.kind, cases[k].kind);
        assert_true(lia_relative_degree_find_has_operators(b.w) == (k < 3));
        lia_relative_degree_detach(b.w);
        built_clear(&b);
    }
}

// --- steady motions, zero dynamics

typedef struct Case {
    const char* text;
    double q[3], v[3];
    LiaSteady steady;
    int left;     // -1: not asked
    double rate;  // of the zero dynamics
} Case;

// Rates in closed form: sqrt(g/l) on top of a pendulum, damping d/2 - sqrt(d^2/4 - k), the servo of
// two masses, which leaves its spring free.
static void rates_of_what_is_left_free(void) {
    static const char pendulum[] = "coordinate q : circle\nkinetic q'^2/2\npotential -9*cos(q)\n";
    static const char damped[] = "coordinate x : line\nkinetic x'^2/2\npotential x^2*2\n"
                                 "dissipation 5/2*x'^2\n";
    static const char hill[] = "coordinate x : line\nkinetic x'^2/2\npotential -x^2*2\n";
    static const char planet[] = "coordinate q : circle, r : line\n"
                                 "kinetic (r^2*q'^2 + r'^2)/2\npotential r^2/2\n";
    static const char servo[] = "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                                "potential -(x - y)^2*2\noperator o: y = 0\n";
    static const char pushed[] = "coordinate x : line\nkinetic x'^2/2\nforce f: sin(t)*d(x)\n";
    const Case cases[] = {
        {pendulum, {3.14159265358979}, {0}, LIA_STEADY_EQUILIBRIUM, 2, 3.0},
        {pendulum, {0}, {0}, LIA_STEADY_EQUILIBRIUM, 2, 0.0},
        {pendulum, {0.4}, {0.1}, LIA_STEADY_NOT, -1, 0.0},
        {damped, {0.3}, {1}, LIA_STEADY_LINEAR, 2, -1.0},
        {hill, {0.3}, {1}, LIA_STEADY_LINEAR, 2, 2.0},
        {planet, {0.3, 2}, {1, 0}, LIA_STEADY_MOTION, 4, 0.0},
        {servo, {0, 0}, {0}, LIA_STEADY_EQUILIBRIUM, 2, 2.0},
        {pushed, {0}, {0}, LIA_STEADY_LINEAR, 2, 0.0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const Case* c = &cases[k];
        Built b = built_of(c->text, 1, NULL);
        memcpy(b.w->q, c->q, (size_t)b.w->n * sizeof(double));
        memcpy(b.w->v, c->v, (size_t)b.w->n * sizeof(double));
        built_accelerate(b.w, 1);
        if (lia_steady_find(b.w) != c->steady) fail_msg("%s: %d", c->text, lia_steady_find(b.w));
        double rate;
        int left = lia_zero_dynamics(b.w, &rate);
        if (c->left >= 0 && !(left == c->left && fabs(rate - c->rate) < 1e-5))
            fail_msg("%s: %d, rate %g", c->text, left, rate);
        built_clear(&b);
    }
}

// A hill as steep as k, on a state that moves much faster or slower than it would by itself: the
// rate is sqrt(k) whatever the unit of time is, and nothing grows where there is no hill.
static void rates_do_not_depend_on_the_unit_of_time(void) {
    const double k[] = {0.0, 1e-12, 1e-6, 1.0, 1e6, 1e9, 1e12};
    const double q[] = {0.0, 3.0, 0.0, 1e-13}, v[] = {0.0, 1e-26, 1e-5, 1e5};
    for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
        for (size_t j = 0; j < sizeof v / sizeof *v; j++) {
            char text[256];
            snprintf(text, sizeof text,
                     "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                     "potential -%.1e/2*y^2\noperator o: x = 0 by d(x) + 0.1*d(y)\n",
                     k[i]);
            Built b = built_of(text, 1, NULL);
            b.w->q[2] = q[j], b.w->v[2] = v[j];
            built_accelerate(b.w, 1);
            double rate;
            int left = lia_zero_dynamics(b.w, &rate);
            if (left != 4 || !(fabs(rate - sqrt(k[i])) <= 1e-6 * sqrt(k[i])))
                fail_msg("k = %g, v = %g: %d, rate %g", k[i], v[j], left, rate);
            built_clear(&b);
        }
    }
}

// A mass of 2 at x, which the operator moves as it must: the mass alone answers their force, and
// the operator bears it. At z, the force is in the equation before that of the operator.
static void operators_answer_given_forces(void) {
    static const char* const at[] = {"x", "z"};
    for (int k = 0; k < 2; k++) {
        char text[256];
        snprintf(text, sizeof text,
                 "coordinate x, z, y : line\nkinetic (x'^2 + z'^2)/2 + y'^2\n"
                 "potential (x - z)^2/2\noperator o: z = sin(2*t) by d(x)\n"
                 "constraint c: y - %s = 0\n",
                 at[k]);
        Built b = built_of(text, ORDER, NULL);
        LiaRelativeDegree* own = lia_relative_degree_create(1);
        int given = lia_workspace_row(b.w, 1);
        *own->row = lia_workspace_row(b.w, 0);
        own->count = 1;
        *own->base = *own->shift = own->ahead = 2;
        own->levels = 4;
        LiaRelativeDegree* rows = lia_answers_rows(b.w, own, &given, 1);
        assert_int_equal(rows->levels, 6);
        assert_true(lia_relative_degree_attach(b.w, rows));
        put_chain(b.w, 0.3);
        lia_workspace_load(b.w, ORDER);
        lia_workspace_residuals(b.w);
        assert_true(lia_workspace_factor(b.w));
        double by[3] = {1.0, 1.0, 1.0};
        LiaAnswers answers = {.hidden = 1, .by = by, .given = -1, .row = -1};
        LiaAnswersFound found = lia_answers_find(b.w, &answers);
        assert_int_equal(found, k == 0 ? LIA_ANSWERS_FOUND : LIA_ANSWERS_EARLY);
        assert_int_equal(answers.given, k - 1);
        assert_int_equal(answers.row, k == 0 ? -1 : *own->row);
        const double wanted[] = {0.0, 0.0, 0.5};
        for (int i = 0; k == 0 && i < 3; i++) assert_float_equal(by[i], wanted[i], 1e-14);
        lia_relative_degree_detach(b.w);
        lia_relative_degree_destroy(rows);
        lia_relative_degree_destroy(own);
        built_clear(&b);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(operators_answer_given_forces),
        TEST(a_force_through_a_spring_is_in_the_fourth_derivative),
        TEST(levels_are_the_derivatives_of_the_equation),
        TEST(slopes_invert_the_levels),
        TEST(a_projection_finds_the_state_that_keeps_the_law),
        TEST(forces_that_only_all_derivatives_decide),
        TEST(what_is_lacking_is_said),
        TEST(rates_of_what_is_left_free),
        TEST(rates_do_not_depend_on_the_unit_of_time),
    };
    return TESTS_RUN(tests);
}
