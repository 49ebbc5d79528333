// The equations at a state: against d'Alembert's principle, against finite differences, against the
// samples of runs, and where K0 is singular.
//
// Tests: mechanics/kkt/evaluator.c
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/motion.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// All that an evaluator gives, as arrays.
typedef struct Numbers {
    LiaEvaluator* at;
    size_t n, r;
    double* of[LIA_EVAL_EVENTS + 1];
    size_t count[LIA_EVAL_EVENTS + 1];
} Numbers;

static Numbers numbers_of(const LiaSystem* system) {
    Numbers x = {0};
    assert_int_equal(lia_evaluator_create(system, &x.at), LIA_OK);
    x.n = lia_evaluator_size(x.at, LIA_EVAL_POSITIONS);
    x.r = lia_system_rows(system);
    for (int k = 0; k <= LIA_EVAL_EVENTS; k++) {
        x.count[k] = lia_evaluator_size(x.at, (LiaEvaluated)k);
        x.of[k] = calloc(x.count[k] + 1, sizeof(double));
        assert_non_null(x.of[k]);
    }
    return x;
}

static void read_all(Numbers* x) {
    for (int k = 0; k <= LIA_EVAL_EVENTS; k++) {
        assert_int_equal(lia_evaluator_get(x->at, (LiaEvaluated)k, x->of[k], x->count[k]), LIA_OK);
    }
}

static void numbers_clear(Numbers* x) {
    for (int k = 0; k <= LIA_EVAL_EVENTS; k++) free(x->of[k]);
    lia_evaluator_destroy(x->at);
}

static double largest(const double* x, size_t n) {
    double most = 0.0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// M a + h - Q - Omega^T mu and J a + gamma, as parts of their largest terms.
static double defect(const Numbers* x) {
    size_t n = x->n, r = x->r;
    const double *M = x->of[LIA_EVAL_M], *J = x->of[LIA_EVAL_J], *Omega = x->of[LIA_EVAL_OMEGA];
    const double *a = x->of[LIA_EVAL_ACCELERATIONS], *mu = x->of[LIA_EVAL_MULTIPLIERS];
    double size = 0.0, left = 0.0, size_J = 0.0, left_J = 0.0;
    for (size_t i = 0; i < n; i++) {
        double h = x->of[LIA_EVAL_H][i], Q = x->of[LIA_EVAL_Q][i], sum = h - Q;
        size = fmax(size, fmax(fabs(h), fabs(Q)));
        for (size_t k = 0; k < n; k++) {
            sum += M[i * n + k] * a[k];
            size = fmax(size, fabs(M[i * n + k] * a[k]));
        }
        for (size_t c = 0; c < r; c++) {
            sum -= Omega[c * n + i] * mu[c];
            size = fmax(size, fabs(Omega[c * n + i] * mu[c]));
        }
        left = fmax(left, fabs(sum));
    }
    for (size_t c = 0; c < r; c++) {
        double sum = x->of[LIA_EVAL_GAMMA][c];
        size_J = fmax(size_J, fabs(sum));
        for (size_t k = 0; k < n; k++) {
            sum += J[c * n + k] * a[k];
            size_J = fmax(size_J, fabs(J[c * n + k] * a[k]));
        }
        left_J = fmax(left_J, fabs(sum));
    }
    const double rest =
        1e-3;  // newtons, metres per second squared: at rest rounding is all there is
    return fmax(left / (size + rest), left_J / (size_J + rest));
}

// --- against finite differences -----------------------------------------------------------------

typedef struct Change {  // of a state: x + s times this
    double t;
    const double *q, *v;
    size_t one_q, one_v;  // 1 + a coordinate that alone changes; 0: none
} Change;

static void set_changed(Numbers* x, double t, const double* q, const double* v, const Change* by,
                        double s) {
    double *q1 = calloc(2 * x->n + 1, sizeof *q1), *v1 = q1 + x->n;
    assert_non_null(q1);
    for (size_t i = 0; i < x->n; i++) {
        q1[i] = q[i] + s * (by->q ? by->q[i] : by->one_q == i + 1 ? 1.0 : 0.0);
        v1[i] = v[i] + s * (by->v ? by->v[i] : by->one_v == i + 1 ? 1.0 : 0.0);
    }
    LiaStatus status = lia_evaluator_set(x->at, t + s * by->t, q1, v1);
    assert_true(status == LIA_OK || status == LIA_FAILED);
    free(q1);
}

// The derivative of numbers along a change, by differences of fourth order. Release with free().
static double* derivative(Numbers* x, LiaEvaluated what, const double* q, const double* v, double t,
                          Change by) {
    static const double at[] = {-2.0, -1.0, 1.0, 2.0}, weight[] = {1.0, -8.0, 8.0, -1.0};
    const double h = 1e-3;
    size_t count = x->count[what];
    double *sum = calloc(2 * count + 2, sizeof *sum), *now = sum + count + 1;
    assert_non_null(sum);
    for (int k = 0; k < 4; k++) {
        set_changed(x, t, q, v, &by, h * at[k]);
        assert_int_equal(lia_evaluator_get(x->at, what, now, count), LIA_OK);
        for (size_t i = 0; i < count; i++) sum[i] += weight[k] * now[i] / (12.0 * h);
    }
    return sum;
}

static void near_all(const char* what, const double* x, const double* y, size_t n, double size) {
    for (size_t i = 0; i < n; i++) {
        if (fabs(x[i] - y[i]) <= 1e-8 * (1.0 + size)) continue;
        fail_msg("%s, number %zu: %.15g and %.15g by differences", what, i, x[i], y[i]);
    }
}

// Column by column: M = dp/dv, J = d phi / d q or d psi / d v.
static void matrices_agree(Numbers* x, const LiaSystem* s, const double* q, const double* v,
                           double t) {
    Numbers fixed = numbers_of(s);
    assert_true(lia_evaluator_set(fixed.at, t, q, v) != LIA_ARGUMENT);
    read_all(&fixed);
    for (size_t k = 0; k < x->n; k++) {
        double* p = derivative(x, LIA_EVAL_P, q, v, t, (Change){.one_v = k + 1});
        double* psi = derivative(x, LIA_EVAL_PSI, q, v, t, (Change){.one_v = k + 1});
        for (size_t i = 0; i < x->n; i++) {
            near_all("M", &fixed.of[LIA_EVAL_M][i * x->n + k], &p[i], 1, fabs(p[i]));
        }
        for (size_t c = 0; c < x->r; c++) {  // the rate of phi is J v + ...
            near_all("J", &fixed.of[LIA_EVAL_J][c * x->n + k], &psi[c], 1, fabs(psi[c]));
        }
        free(p);
        free(psi);
    }
    double* gamma = derivative(x, LIA_EVAL_PSI, q, v, t, (Change){.t = 1.0, .q = v});
    near_all("gamma", fixed.of[LIA_EVAL_GAMMA], gamma, x->r, largest(gamma, x->r));
    free(gamma);
    double* phi = derivative(x, LIA_EVAL_PHI, q, v, t, (Change){.t = 1.0, .q = v});
    for (size_t c = 0; c < x->r; c++) {
        LiaRowInfo row;
        assert_true(lia_system_row(s, c, &row, sizeof row));
        if (row.geometric) near_all("psi", &fixed.of[LIA_EVAL_PSI][c], &phi[c], 1, fabs(phi[c]));
        for (size_t k = 0; row.ideal && k < x->n; k++) {
            size_t at = c * x->n + k;
            near_all("Omega", &fixed.of[LIA_EVAL_OMEGA][at], &fixed.of[LIA_EVAL_J][at], 1, 0.0);
        }
    }
    free(phi);
    // h = (dp/dq) v + dp/dt - dL/dq, L = T - U
    double* along = derivative(x, LIA_EVAL_P, q, v, t, (Change){.t = 1.0, .q = v});
    for (size_t k = 0; k < x->n && !isnan(fixed.of[LIA_EVAL_ENERGIES][1]); k++) {
        double* E = derivative(x, LIA_EVAL_ENERGIES, q, v, t, (Change){.one_q = k + 1});
        double potential = isnan(E[2]) ? 0.0 : E[2], h = along[k] - (E[1] - potential);
        near_all("h", &fixed.of[LIA_EVAL_H][k], &h, 1, fabs(h) + fabs(potential));
        free(E);
    }
    free(along);
    numbers_clear(&fixed);
}

// dE/dt = sum of powers, and the momenta of symmetries as p . generator is.
static void energy_balances(Numbers* x, const LiaSystem* s, const double* q, const double* v,
                            double t) {
    Numbers fixed = numbers_of(s);
    if (lia_evaluator_set(fixed.at, t, q, v) == LIA_OK) {
        read_all(&fixed);
        Change motion = {.t = 1.0, .q = v, .v = fixed.of[LIA_EVAL_ACCELERATIONS]};
        double* E = derivative(x, LIA_EVAL_ENERGIES, q, v, t, motion);
        double power = 0.0, size = 0.0;
        for (size_t l = 0; l < fixed.count[LIA_EVAL_POWERS]; l++) {
            power += fixed.of[LIA_EVAL_POWERS][l];
            size += fabs(fixed.of[LIA_EVAL_POWERS][l]);
        }
        double scale = largest(fixed.of[LIA_EVAL_ENERGIES], 1);
        near_all("power", &E[0], &power, 1, size + scale);
        free(E);
    }
    numbers_clear(&fixed);
}

static const char* const models[] = {
    // an operator that is eliminated in runs, dissipation, time in the Lagrangian
    "parameter m = 1.3, g = 9.81\ncoordinate theta : circle\ncoordinate r : line\n"
    "kinetic m/2*(r'^2 + r^2*theta'^2)\npotential -m*g*r*cos(theta)*(1 + 0.1*sin(t))\n"
    "dissipation 0.2*theta'^2\noperator length: r = 2.5 + 0.15*sin(3*t)\nstart theta = 0.4, "
    "theta' = 0.3\nrun t = 0..2, samples 5\n",
    // nonholonomic, servo, an applied force, a symmetry, an observable and an event
    "parameter m = 2, J = 0.7\ncoordinate x, y : line\ncoordinate theta, phi : circle\n"
    "kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2 + (theta' + phi')^2/10\n"
    "force push: 0.3*d(x) + x*d(y)\nconstraint blade: x'*sin(theta) = y'*cos(theta)\n"
    "operator turn: phi = 0.4*sin(t) by d(phi)\nsymmetry all: x' = 1, y' = 2\n"
    "observe e = x^2 + force(blade)\nevent far: x = 100\nstart x' = 1, theta = 0.3, theta' = "
    "0.2\nrun t = 0..2, samples 5\n",
    // geometric, dependent rows, Chetaev
    "coordinate x, y, z : line\nkinetic (x'^2 + 2*y'^2 + z'^2)/2\npotential 9.81*z + y^2\n"
    "constraint a: x^2 + y^2 + z^2 = 1\nconstraint b: 2*x^2 + 2*y^2 + 2*z^2 = 2\n"
    "start x = 0.6, z = 0.8, y' = 1\nrun t = 0..0.5, samples 3\n",
    "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential y\n"
    "constraint speed: x'^2 + y'^2 = 4 force chetaev\nstart x' = 2\nrun t = 0..1, samples 3\n",
    // a rotation, a body, a joint
    "body b: mass 2, inertia [1, 2, 2.5], free\ngravity [0, 0, -9.81]\n"
    "joint ball: spherical(ground, b at [0, 0.1, 0.4])\n"
    "start b.attitude = roty(-0.9), omega(b.attitude) = [1, 2, 3]\nrun t = 0..1, samples 3\n",
};

static Motion motion_with_steps(const char* text) {
    return motion_of(text, &(MotionOptions){.run = {.keep_steps = true}});
}

static void matrices_are_derivatives(void) {
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        Motion m = motion_with_steps(models[k]);
        assert_non_null(m.t);
        Numbers x = numbers_of(m.system);
        double *q = calloc(2 * x.n + 1, sizeof *q), *v = q + x.n;
        assert_non_null(q);
        LiaMotionInfo run;
        assert_true(lia_trajectory_info(m.t, &run, sizeof run));
        double t = 0.37 * run.t0 + 0.63 * run.t1;
        assert_int_equal(lia_trajectory_at(m.t, t, q, v, NULL), LIA_OK);
        matrices_agree(&x, m.system, q, v, t);
        energy_balances(&x, m.system, q, v, t);
        free(q);
        numbers_clear(&x);
        motion_clear(&m);
    }
}

// --- against runs -------------------------------------------------------------------------------

static double of_column(const LiaTrajectory* motion, size_t row, const char* name) {
    size_t column = lia_trajectory_find(motion, name), stride = 0;
    const double* x = lia_trajectory_data(motion, column, &stride);
    if (!x) fail_msg("no column %s", name);
    return x[row * stride];
}

static void near_sample(const char* name, double sample, double value, double size) {
    if (isnan(sample) || fabs(sample - value) <= 1e-9 * size + 1e-12) return;
    fail_msg("%s: %.15g at the sample, %.15g evaluated", name, sample, value);
}

static void sample_agrees(const Motion* m, Numbers* x, size_t row) {
    char name[600];
    double most = largest(x->of[LIA_EVAL_MULTIPLIERS], x->r);
    for (size_t c = 0; c < x->r; c++) {
        LiaRowInfo info;
        assert_true(lia_system_row(m->system, c, &info, sizeof info));
        if (info.constraint == LIA_NOWHERE || info.follows) continue;
        near_sample(info.name, of_column(m->t, row, info.name), x->of[LIA_EVAL_MULTIPLIERS][c],
                    most);
    }
    const double* powers = x->of[LIA_EVAL_POWERS];
    for (size_t l = 0; l < x->count[LIA_EVAL_POWERS]; l++) {
        LiaLineInfo info;
        assert_true(lia_system_line(m->system, l, &info, sizeof info));
        snprintf(name, sizeof name, "power(%s)", info.name);
        double size = 1.0 + largest(powers, x->count[LIA_EVAL_POWERS]);
        near_sample(name, of_column(m->t, row, name), powers[l], size);
    }
    double energy = x->of[LIA_EVAL_ENERGIES][0];
    near_sample("energy", of_column(m->t, row, "energy"), energy, 1.0 + fabs(energy));
    for (size_t k = 0; k < x->count[LIA_EVAL_OBSERVABLES]; k++) {
        const char* of = lia_model_name_of(m->model, LIA_THING_OBSERVABLE, k);
        double value = x->of[LIA_EVAL_OBSERVABLES][k];
        near_sample(of, of_column(m->t, row, of), value, 1.0 + fabs(value) + most);
    }
    for (size_t k = 0; k < x->count[LIA_EVAL_SYMMETRY_MOMENTA]; k++) {
        snprintf(name, sizeof name, "momentum(%s)",
                 lia_model_name_of(m->model, LIA_THING_SYMMETRY, k));
        double value = x->of[LIA_EVAL_SYMMETRY_MOMENTA][k];
        near_sample(name, of_column(m->t, row, name), value, 1.0 + fabs(value));
    }
}

static void samples_agree(const Motion* m) {
    assert_non_null(m->t);
    Numbers x = numbers_of(m->system);
    size_t rows = lia_trajectory_rows(m->t), looked = 0;
    for (size_t row = 0; row < rows; row++) {
        double t = lia_trajectory_value(m->t, row, 0);
        LiaStatus status = lia_trajectory_evaluate(m->t, t, x.at);
        assert_int_equal(status, LIA_OK);
        read_all(&x);
        double left = defect(&x);
        if (left > 1e-11)
            fail_msg("%s at t = %g: the equations leave %.3g", lia_model_name(m->model), t, left);
        sample_agrees(m, &x, row);
        looked++;
    }
    assert_true(looked > 1);
    numbers_clear(&x);
}

static void samples_of_runs_are_what_is_evaluated_there(void) {
    static const char* const paths[] = {"examples/skater/skater.lia",
                                        "examples/arm/arm.lia",
                                        "examples/appell/chetaev.lia",
                                        "examples/bowl/bowl.lia",
                                        "examples/egg/egg.lia",
                                        "examples/fourbar/fourbar.lia",
                                        "examples/snakeboard/snakeboard.lia",
                                        "examples/disk/disk.lia",
                                        "examples/tether/tether.lia",
                                        "examples/cat/cat.lia",
                                        "examples/rover/rover.lia",
                                        "examples/walker/walker.lia",
                                        "examples/turntable/turntable.lia"};
    MotionOptions o = {.run = {.samples = 7, .keep_steps = true}};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        Motion m = motion_of_file(paths[k], &o);
        samples_agree(&m);
        motion_clear(&m);
    }
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        Motion m = motion_of(models[k], &o);
        samples_agree(&m);
        motion_clear(&m);
    }
}

// A net of many masses: K0 is kept by its entries.
static void a_large_system_is_written_out(void) {
    Motion m = motion_of(
        "parameter N = 60, g = 9.81, l = 0.1\ncoordinate x[i = 1..N], y[i = 1..N] : line\n"
        "kinetic sum(i = 1..N, x[i]'^2 + y[i]'^2)/2\npotential sum(i = 1..N, g*y[i])\n"
        "constraint first: x[1]^2 + y[1]^2 = l^2\n"
        "constraint link[i = 2..N]: (x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = l^2\n"
        "start x[i = 1..N] = i*l, y[i = 1..N] = 0\nrun t = 0..0.05, samples 3\n",
        &(MotionOptions){.run = {.keep_steps = true}});
    samples_agree(&m);
    motion_clear(&m);
}

// --- where K0 is singular -----------------------------------------------------------------------

static void a_force_through_a_spring_is_found(void) {
    Motion m =
        motion_with_steps("parameter m1 = 1.5, m2 = 0.8, k = 10\ncoordinate x1, x2 : line\n"
                          "kinetic m1/2*x1'^2 + m2/2*x2'^2\npotential k/2*(x1 - x2)^2\n"
                          "operator follow: x2 = 0.1*sin(t) by d(x1)\nrun t = 0..10, samples 11\n");
    samples_agree(&m);
    Numbers x = numbers_of(m.system);
    assert_int_equal(lia_trajectory_evaluate(m.t, 4.0, x.at), LIA_OK);
    assert_int_equal(lia_evaluator_solution(x.at), LIA_SOLUTION_HIDDEN);
    read_all(&x);
    double s = sin(4.0), x1 = 0.1 * (1 - 0.08) * s;
    assert_true(fabs(x.of[LIA_EVAL_MULTIPLIERS][0] - (-1.5 * x1 + 10 * (x1 - 0.1 * s))) < 1e-11);
    // Off the law no acceleration of x2 is right: k (x1 - x2)/m2 is what it has.
    const double q[] = {1.0, 0.1 * s}, v[] = {0.0, 0.1 * cos(4.0)};
    assert_int_equal(lia_evaluator_set(x.at, 4.0, q, v), LIA_FAILED);
    assert_int_equal(lia_evaluator_solution(x.at), LIA_SOLUTION_NONE);
    read_all(&x);
    assert_true(isnan(x.of[LIA_EVAL_ACCELERATIONS][0]) && isnan(x.of[LIA_EVAL_MULTIPLIERS][0]));
    assert_true(x.of[LIA_EVAL_UNIQUE_MU][0] == 0.0 && x.of[LIA_EVAL_M][0] == 1.5);
    numbers_clear(&x);
    motion_clear(&m);
}

static LiaSystem* system_of(const char* text, LiaModel** model) {
    LiaDiags* diags = lia_diags_create();
    LiaSystem* system = NULL;
    assert_int_equal(lia_model_parse("test", text, strlen(text), NULL, diags, model), LIA_OK);
    assert_int_equal(lia_system_build(*model, NULL, diags, &system), LIA_OK);
    lia_diags_destroy(diags);
    return system;
}

// y and z have no inertia together with y - z alone: y' - z' may be anything along (1, 1).
static void accelerations_that_are_open_are_the_shortest(void) {
    LiaModel* model = NULL;
    LiaSystem* system =
        system_of("coordinate x, y, z : line\nkinetic x'^2/2 + (y' - z')^2/2\nforce f: 2*d(x) + "
                  "4*d(y) - 4*d(z)\nrun t = 0..1\n",
                  &model);
    Numbers x = numbers_of(system);
    const double zero[3] = {0};
    assert_int_equal(lia_evaluator_set(x.at, 0.0, zero, zero), LIA_FAILED);
    assert_int_equal(lia_evaluator_solution(x.at), LIA_SOLUTION_OPEN);
    read_all(&x);
    const double a[] = {2.0, 2.0, -2.0}, unique[] = {1.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(x.of[LIA_EVAL_ACCELERATIONS][i] - a[i]) < 1e-12);
        assert_true(x.of[LIA_EVAL_UNIQUE_A][i] == unique[i]);
    }
    assert_true(defect(&x) < 1e-12);
    numbers_clear(&x);
    lia_system_destroy(system);
    lia_model_destroy(model);
}

// The same twice, one of them asking for another acceleration: nothing satisfies both. And a
// formula outside of its domain.
static void what_has_no_solution_says_so(void) {
    LiaModel* model = NULL;
    LiaSystem* system =
        system_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential sqrt(y)\n"
                  "constraint a: x = t^2\nconstraint b: x = 2*t^2\nrun t = 0..1\n",
                  &model);
    Numbers x = numbers_of(system);
    const double zero[2] = {0.0, 1.0}, wrong[2] = {0.0, -1.0};
    assert_int_equal(lia_evaluator_set(x.at, 0.0, zero, zero), LIA_FAILED);
    assert_int_equal(lia_evaluator_solution(x.at), LIA_SOLUTION_NONE);
    assert_int_equal(lia_evaluator_set(x.at, 0.0, wrong, zero), LIA_FAILED);
    assert_int_equal(lia_evaluator_solution(x.at), LIA_SOLUTION_UNDEFINED);
    numbers_clear(&x);
    lia_system_destroy(system);
    lia_model_destroy(model);
}

// Multipliers of two equal constraints: each has half, and neither is unique.
static void shared_forces_are_those_of_least_norm(void) {
    LiaModel* model = NULL;
    LiaSystem* system = system_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 8*y\n"
                                  "constraint a: y = 0\nconstraint b: y = 0\nrun t = 0..1\n",
                                  &model);
    Numbers x = numbers_of(system);
    const double zero[2] = {0};
    assert_int_equal(lia_evaluator_set(x.at, 0.0, zero, zero), LIA_OK);
    assert_int_equal(lia_evaluator_solution(x.at), LIA_SOLUTION_SHARED);
    read_all(&x);
    for (int c = 0; c < 2; c++) {
        assert_true(fabs(x.of[LIA_EVAL_MULTIPLIERS][c] - 4.0) < 1e-12);
        assert_true(x.of[LIA_EVAL_UNIQUE_MU][c] == 0.0);
    }
    numbers_clear(&x);
    lia_system_destroy(system);
    lia_model_destroy(model);
}

// What was set before leaves no trace: the same bits.
static void a_state_gives_the_same_whatever_came_before(void) {
    LiaModel* model = NULL;
    LiaSystem* system = system_of(models[2], &model);
    Numbers first = numbers_of(system), second = numbers_of(system);
    const double q[] = {0.6, 0.0, 0.8}, v[] = {0.1, 1.0, -0.2}, other[] = {1.0, 0.0, 0.0};
    assert_int_equal(lia_evaluator_set(first.at, 0.0, q, v), LIA_OK);
    read_all(&first);
    assert_int_equal(lia_evaluator_set(second.at, 3.0, other, v), LIA_OK);
    assert_int_equal(lia_evaluator_set(second.at, 0.0, v, other), LIA_OK);
    assert_int_equal(lia_evaluator_set(second.at, 0.0, q, v), LIA_OK);
    read_all(&second);
    for (int k = 0; k <= LIA_EVAL_EVENTS; k++) {
        assert_memory_equal(first.of[k], second.of[k], (first.count[k] + 1) * sizeof(double));
    }
    numbers_clear(&first);
    numbers_clear(&second);
    lia_system_destroy(system);
    lia_model_destroy(model);
}

int main(void) {
    const TestCase tests[] = {
        TEST(matrices_are_derivatives),
        TEST(samples_of_runs_are_what_is_evaluated_there),
        TEST(a_large_system_is_written_out),
        TEST(a_force_through_a_spring_is_found),
        TEST(accelerations_that_are_open_are_the_shortest),
        TEST(what_has_no_solution_says_so),
        TEST(shared_forces_are_those_of_least_norm),
        TEST(a_state_gives_the_same_whatever_came_before),
    };
    return TESTS_RUN(tests);
}
