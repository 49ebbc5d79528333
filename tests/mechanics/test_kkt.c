// The parts of K0, each by a law of its own: momenta are the gradient of L (assembly/energy), what
// is computed at samples is what the formulas say (assembly/samples), d'Alembert's residual
// vanishes for the accelerations and is M da next to them (kkt/dalembert_residual, degree/direct),
// units make entries of size 1 (kkt/scaling), dependent rows are left out (kkt/independent and its
// methods), bounds hold and are not far off (kkt/forward_error), windows change no digit
// (kkt/stage_pipeline), what is kept comes back (kkt/workspace_keep).
//
// Tests: mechanics/kkt/dalembert_residual.c, mechanics/kkt/forward_error.c
// Tests: mechanics/kkt/independent.c, mechanics/kkt/scaling.c, mechanics/kkt/stage.c
// Tests: mechanics/kkt/workspace.c, mechanics/kkt/workspace_keep.c
// SPDX-License-Identifier: MIT
#include "base/file/keep.h"
#include "expr/graph/diff.h"
#include "expr/graph/evaluate.h"
#include "mechanics/kkt/forward_error.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/scaling.h"
#include "mechanics/kkt/stage.h"
#include "mechanics/kkt/workspace.h"
#include "mechanics/test_hooks.h"
#include "support/cases.h"
#include <float.h>
#include <stdlib.h>

typedef struct Built {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
    LiaTestHooks hooks;
    LiaWorkspace* w;
} Built;

static Built build(const char* text, int order, LiaAlgebra algebra) {
    Built b = {.diags = lia_diags_create(), .hooks = {.algebra = algebra}};
    assert_int_equal(lia_model_parse("m", text, strlen(text), NULL, b.diags, &b.model), LIA_OK);
    assert_int_equal(lia_system_build(b.model, NULL, b.diags, &b.system), LIA_OK);
    b.system->hooks = &b.hooks;
    b.w = lia_workspace_create(b.system, b.system->full, order);
    assert_non_null(b.w);
    b.system->hooks = NULL;
    for (int i = 0; i < b.w->n; i++) {
        b.w->q[i] = 0.3 + 0.2 * i;
        b.w->v[i] = 0.7 - 0.3 * i;
    }
    return b;
}

static void clear(Built* b) {
    lia_workspace_destroy(b->w);
    lia_system_destroy(b->system);
    lia_model_destroy(b->model);
    lia_diags_destroy(b->diags);
}

static void accelerate(LiaWorkspace* w, int order) {
    lia_workspace_load(w, order);
    lia_workspace_residuals(w);
    assert_true(lia_workspace_factor(w));
    lia_stage_accelerate(w);
}

static const char arm[] = "parameter m = 2, B = 0.4\n"
                          "coordinate x, y, z : line\n"
                          "lagrangian m/2*(1 + z^2)*x'^2 + y'^2/2 + x'*y'*sin(z)/3 + z'^2 + "
                          "B*(x*y' - y*x')\n"
                          "potential 3*x^2 + x*y\n"
                          "dissipation 0.1*y'^2\n"
                          "constraint c: z = x*y\n"
                          "observe twice = 2*x*y', size = force(c)\n";

// d/dv of v p - L is v M, and v p - L is the energy: central differences of it.
static void momenta_are_the_gradient_of_the_lagrangian(void) {
    Built b = build(arm, 2, LIA_ALGEBRA_DENSE);
    const LiaSystem* s = b.system;
    LiaWorkspace* w = b.w;
    accelerate(w, 2);
    double v[3], p[2][3], energy[2];
    memcpy(v, w->v, sizeof v);
    LiaExpr roots[4] = {s->energy.total, s->lagrange.p[0], s->lagrange.p[1], s->lagrange.p[2]};
    LiaValues values;
    assert_true(lia_evaluate_init(&values, s->graph, roots, 4));
    LiaSymbols at = {.t = w->t, .parameters = s->parameters, .q = w->q, .v = v};
    for (int i = 0; i < 3; i++) {
        const double e = 1e-5;
        for (int side = 0; side < 2; side++) {
            v[i] = w->v[i] + (side ? e : -e);
            lia_evaluate_run(&values, &at);
            energy[side] = lia_value(&values, roots[0]);
            for (int k = 0; k < 3; k++) p[side][k] = lia_value(&values, roots[1 + k]);
        }
        v[i] = w->v[i];
        double rate = 0.0;  // v . dp/dv_i
        for (int k = 0; k < 3; k++) rate += v[k] * (p[1][k] - p[0][k]) / (2 * e);
        assert_float_equal((energy[1] - energy[0]) / (2 * e), rate, 1e-8);
        LiaEntries row = lia_workspace_M(w, i);
        for (int j = 0; j < row.count; j++) {
            int k = lia_entry_column(&row, j);
            assert_float_equal((p[1][k] - p[0][k]) / (2 * e), row.value[j], 1e-8);
        }
    }
    lia_evaluate_clear(&values);
    clear(&b);
}

static void samples_are_what_the_formulas_say(void) {
    Built b = build(arm, 2, LIA_ALGEBRA_DENSE);
    LiaWorkspace* w = b.w;
    w->q[2] = w->q[0] * w->q[1];
    accelerate(w, 2);
    double* values = calloc(b.system->observables.sample_count + 1, sizeof *values);
    lia_workspace_sample(w, values);
    const double* observed = values + lia_sample_observe(b.model, 0);
    assert_float_equal(observed[0], 2 * w->q[0] * w->v[1], 1e-15);
    assert_true(observed[1] == w->mu[0]);
    free(values);
    clear(&b);
}

static void the_residual_is_the_inertia_of_a_wrong_acceleration(void) {
    Built b = build(arm, 2, LIA_ALGEBRA_DENSE);
    LiaWorkspace* w = b.w;
    accelerate(w, 2);
    double a[3], mu[1], defect[3], size[3];
    memcpy(a, w->a, sizeof a);
    mu[0] = w->mu[0];
    for (int wrong = -1; wrong < 3; wrong++) {
        const double by = 0.125;
        if (wrong >= 0) a[wrong] += by;
        lia_workspace_load(w, 2);
        lia_workspace_residuals(w);
        lia_dalembert_residual(w, a, mu, defect, size);
        double M[3] = {0.0};
        if (wrong >= 0) {
            LiaEntries row = lia_workspace_M(w, wrong);
            for (int j = 0; j < row.count; j++) M[lia_entry_column(&row, j)] = row.value[j];
            a[wrong] -= by;
        }
        for (int i = 0; i < 3; i++) assert_float_equal(defect[i], by * M[i], 1e-13 * (1 + size[i]));
    }
    clear(&b);
}

static void units_are_powers_of_two_that_make_entries_of_size_one(void) {
    for (int e = -300; e <= 300; e += 7) {
        double x = 1.37 * pow(10.0, e), unit = lia_scaling_unit(x, -0.5);
        int power;
        assert_true(frexp(unit, &power) == 0.5);
        assert_true(x * unit * unit >= 0.49 && x * unit * unit <= 2.01);
    }
    assert_true(lia_scaling_unit(0.0, -0.5) == 1.0 && lia_scaling_unit(NAN, 1.0) == 1.0);
    Built b = build("coordinate x, y, z : line\n"
                    "kinetic 1e-12*x'^2 + 3*y'^2 + 5e14*z'^2\n"
                    "constraint c: 1e6*x + y + 1e-7*z = 0\n",
                    1, LIA_ALGEBRA_DENSE);
    LiaWorkspace* w = b.w;
    accelerate(w, 1);
    lia_scaling_by_inertia(w);
    const double* unit = w->saddle.measure;
    for (int i = 0; i < 3; i++) {
        double scaled = lia_workspace_inertia(w, i) * unit[i] * unit[i];
        assert_true(scaled >= 0.49 && scaled <= 2.01);
    }
    double most = 0.0;
    LiaEntries row = lia_workspace_Omega(w, 0);
    for (int k = 0; k < row.count; k++)
        most = fmax(most, fabs(row.value[k]) * unit[lia_entry_column(&row, k)] * unit[3]);
    assert_true(most >= 0.49 && most <= 2.01);
    clear(&b);
}

static void dependent_rows_are_left_out_by_both_methods(void) {
    for (int way = 0; way < 2; way++) {
        Built b = build("coordinate x, y, z : line\n"
                        "kinetic 3*x'^2 + 1e-4*y'^2 + z'^2/2\n"
                        "force pull: 6*d(x) + d(y)\n"
                        "constraint a: x = 0.3\nconstraint b: 2*x = 0.6\n"
                        "constraint c: y = 0.5\nconstraint d: x + 1e3*y = 500.3\n",
                        1, way ? LIA_ALGEBRA_SPARSE : LIA_ALGEBRA_DENSE);
        LiaWorkspace* w = b.w;
        w->v[0] = w->v[1] = 0.0;
        accelerate(w, 1);
        assert_int_equal(w->nc, 4);
        assert_int_equal(w->nr, 2);
        assert_int_equal(lia_independent_force_rank(w), 2);
        assert_float_equal(w->a[0], 0.0, 1e-15);
        assert_float_equal(w->a[1], 0.0, 1e-12);
        // one row alone is all that there may be
        assert_true(lia_independent_select(w, 1e-9, 1));
        assert_int_equal(w->nr, 1);
        clear(&b);
    }
}

// Two equations at an angle of e: what rounding makes of their forces grows like 1/e, and the bound
// is above the error, which the closed form shows, but not by more than a factor of a hundred.
static void bounds_hold_and_are_not_far_off(void) {
    for (double e = 1e-1; e > 1e-7; e /= 10) {
        char text[400];
        snprintf(text, sizeof text,
                 "parameter e = %g\ncoordinate x, y : line\nkinetic x'^2/2 + y'^2/2\n"
                 "force f: 0.7*d(x) + 0.3*d(y)\nconstraint a: x = 0.3\nconstraint b: x + e*y = 0.3 "
                 "+ 0.5*e\n",
                 e);
        Built b = build(text, 1, LIA_ALGEBRA_DENSE);
        LiaWorkspace* w = b.w;
        w->v[0] = w->v[1] = 0.0;
        accelerate(w, 1);
        LiaForwardError c = {0};
        assert_true(lia_forward_error_init(&c, w));
        double sizes[2 + 3 * 2] = {0.7, 0.3, 1, 1, 1, 1, 1, 1};
        assert_true(lia_forward_error_look(&c, w, sizes));
        double exact = -0.3 / e, error = fabs(w->mu[1] - exact);
        assert_true(c.mu[1] >= error && c.mu[1] >= 0.1 * DBL_EPSILON / (e * e));
        assert_true(c.mu[1] <= 100 * DBL_EPSILON / (e * e));
        lia_forward_error_clear(&c);
        clear(&b);
    }
}

// So many pendulum-like points that the tape has windows, each with a motion that is known:
// q = a cos(w t) + b/w sin(w t), and every third held to the one before it by a rod.
static void windows_change_nothing(void) {
    enum { ORDER = 8, N = 2000 };
    Built b = build("parameter N = 2000\ncoordinate q[i = 1..N], r[i = 1..N] : line\n"
                    "kinetic sum(i = 1..N, q[i]'^2/2 + r[i]'^2/2)\n"
                    "potential sum(i = 1..N, (1 + i/N)*q[i]^2/2 + (1 + i/N)*r[i]^2/2)\n"
                    "constraint c[i = 1..N]: q[i]' = r[i]'\n",
                    ORDER, LIA_ALGEBRA_SPARSE);
    LiaWorkspace* w = b.w;
    assert_non_null(w->series.pipeline);
    for (int i = 0; i < N; i++) {
        w->q[i] = w->q[N + i] = 0.1 * sin(1.0 + i);
        w->v[i] = w->v[N + i] = 0.1 * cos(3.0 * i);
    }
    accelerate(w, ORDER);
    lia_stage_series(w, ORDER);
    for (int i = 0; i < N; i++) {
        double square = 1.0 + (i + 1.0) / N, q = w->q[i], v = w->v[i], factorial = 1.0;
        for (int k = 0; k <= ORDER; k++) {  // derivatives of v: v, -w^2 q, -w^2 v, w^4 q, ...
            factorial *= k > 1 ? k : 1;
            double even = pow(-square, k / 2), wanted = k % 2 ? -square * even * q : even * v;
            double is = lia_jet_coefficient(&w->jets, w->dynamics->tape->velocity[i], k);
            assert_float_equal(is, wanted / factorial, 1e-14);
        }
    }
    clear(&b);
}

static void what_is_kept_comes_back(void) {
    Built b = build(arm, 4, LIA_ALGEBRA_DENSE);
    LiaWorkspace *w = b.w, *other = lia_workspace_create(b.system, b.system->full, 4);
    assert_non_null(other);
    accelerate(w, 4);
    LiaText text = {0}, again = {0};
    LiaKeep writer = {.out = &text};
    lia_workspace_keep(w, &writer);
    LiaKeep reader = {.at = text.data, .left = text.length};
    lia_workspace_keep(other, &reader);
    assert_true(lia_keep_good(&reader));
    assert_int_equal(reader.left, 0);
    assert_memory_equal(other->a, w->a, 3 * sizeof(double));
    LiaKeep second = {.out = &again};
    lia_workspace_keep(other, &second);
    assert_int_equal(again.length, text.length);
    assert_memory_equal(again.data, text.data, text.length);
    reader = (LiaKeep){.at = text.data, .left = text.length - 1};  // a text that ends too early
    lia_workspace_keep(other, &reader);
    assert_false(lia_keep_good(&reader));
    lia_text_clear(&text);
    lia_text_clear(&again);
    lia_workspace_destroy(other);
    clear(&b);
}

int main(void) {
    const TestCase tests[] = {
        TEST(momenta_are_the_gradient_of_the_lagrangian),
        TEST(samples_are_what_the_formulas_say),
        TEST(the_residual_is_the_inertia_of_a_wrong_acceleration),
        TEST(units_are_powers_of_two_that_make_entries_of_size_one),
        TEST(dependent_rows_are_left_out_by_both_methods),
        TEST(bounds_hold_and_are_not_far_off),
        TEST(windows_change_nothing),
        TEST(what_is_kept_comes_back),
    };
    return TESTS_RUN(tests);
}
