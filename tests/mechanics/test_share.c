// Forces that are shared, as series: what they give at a later time is what is of least norm there,
// found from the state of that time by an orthonormal basis.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/stage.h"
#include "mechanics/kkt/workspace.h"
#include "mechanics/multipliers/min_norm.h"
#include "mechanics/start/start.h"
#include "mechanics/test_hooks.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 18 };

static double value_at(const LiaWorkspace* w, uint32_t reg, int top, double h) {
    double sum = 0.0;
    for (int k = top; k >= 0; k--) sum = sum * h + lia_jet_coefficient(&w->jets, reg, k);
    return sum;
}

// Series from the start; at t = h the state they lead to, and there the multipliers of least norm.
static void compare(const LiaSystem* system, LiaWorkspace* w, double h, double error) {
    const LiaTape* tape = system->full->tape;
    LiaWorkspace* later = lia_workspace_create_dense(system, system->full, 1);
    assert_non_null(later);
    lia_workspace_load(w, ORDER);
    lia_workspace_residuals(w);
    assert_true(lia_workspace_factor(w));
    lia_stage_accelerate(w);
    assert_true(w->nr < w->nc);
    lia_stage_series(w, ORDER);
    later->t = w->t + h;
    for (int i = 0; i < w->n; i++) {
        later->q[i] = value_at(w, tape->position[i], ORDER, h);
        later->v[i] = value_at(w, tape->velocity[i], ORDER - 1, h);
    }
    assert_true(lia_workspace_evaluate(later));
    lia_min_norm_multipliers(later);
    double size = 0.0;
    for (uint32_t r = 0; r < system->row_count; r++) size = fmax(size, fabs(later->mu[r]));
    assert_true(size > 0.1);
    for (int c = 0; c < w->nc; c++) {
        uint32_t row = w->dynamics->rows[c];
        if (!lia_row_shown(w, c)) continue;
        double shared = value_at(w, tape->multiplier[row], ORDER - 1, h);
        if (!(fabs(shared - later->mu[row]) <= error * size))
            fail_msg("row %d, h = %g: %.17g as series, %.17g of least norm", c, h, shared,
                     later->mu[row]);
    }
    lia_workspace_destroy(later);
}

static void agrees(const char* text, double h, double error) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    assert_int_equal(lia_model_parse("test", text, strlen(text), NULL, diags, &model), LIA_OK);
    assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
    for (int way = 0; way < 2; way++) {
        const LiaTestHooks hooks = {.algebra = way ? LIA_ALGEBRA_SPARSE : LIA_ALGEBRA_DENSE};
        system->hooks = &hooks;
        LiaWorkspace* w = lia_workspace_create(system, system->full, ORDER);
        assert_non_null(w);
        LiaStartState start = {.ahead = 1e-9, .q = w->q, .v = w->v};
        assert_int_equal(lia_start_find(system, diags, &start), LIA_OK);
        lia_start_clear(&start);
        compare(system, w, 0.0, 1e-13);
        compare(system, w, h, error);
        lia_workspace_destroy(w);
    }
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

static void operators_said_twice(void) {
    agrees("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential x*y\n"
           "operator a: x = sin(t)\noperator b: x = sin(t)\nstart y = 0.3, y' = 1\n",
           0.3, 1e-12);
    // a factor that changes, so that the shares do
    agrees("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential y\n"
           "constraint a: x*sin(t) = y*cos(t)\n"
           "constraint b: (2 + sin(3*t))*(x*sin(t) - y*cos(t)) = 0\n"
           "start x = 1, y = 0, x' = 0.1\n",
           0.05, 1e-12);
    // a rope that pulls at three joints, the last one follows from the others in a way that changes
    agrees("coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + 2*z'^2)/2\npotential x*y*z + z\n"
           "operator a: x + z^2 = 1 + sin(t)\noperator b: y*z = 1 + t^2\n"
           "operator c: (x + z^2 - 1 - sin(t))*(2 + cos(t)) + (y*z - 1 - t^2)*(1 + z) = 0\n"
           "start z = 0.7, z' = 0.4\n",
           0.03, 1e-12);
}

// Directions of forces that are not those of the equations.
static void servos_said_twice(void) {
    agrees("parameter N = 6\ncoordinate x[i = 1..N] : line, q[i = 1..N] : circle\n"
           "kinetic sum(i = 1..N, (1 + i/N)*x[i]'^2/2 + (x[i]'^2 + 2*x[i]'*q[i]'*cos(q[i]) + "
           "q[i]'^2)/2)\npotential sum(i = 1..N, -9.81*cos(q[i]) + (x[i] - i)^2)\n"
           "operator a[i = 1..N]: q[i] + 0.1*x[i] = 0.3 + 0.1*i + 0.1*sin(t*i) "
           "by 0.3*cos(q[i])*d(x[i]) + d(q[i])\n"
           "operator b[i = 1..N]: 2*q[i] + 0.2*x[i] = 0.6 + 0.2*i + 0.2*sin(t*i) "
           "by (0.3*cos(q[i])*d(x[i]) + d(q[i]))*(1 + x[i]^2)\nstart x[i = 1..N] = i\n",
           0.01, 1e-12);
}

// With bodies the lengths of quaternions are rows of K0 that do not count.
static void a_door_with_two_hinges(void) {
    agrees("body door: mass 20, inertia [1, 2, 3], free\ngravity [0, 0, -9.81]\n"
           "joint low: revolute(ground axis [0, 0.2, 1], door axis [0, 0.2, 1])\n"
           "joint high: revolute(ground at [0, 0.2, 1] axis [0, 0.2, 1], "
           "door at [0, 0.2, 1] axis [0, 0.2, 1])\n"
           "operator push: door.omega.z = 1 + 0.2*sin(t)\n"
           "operator pull: 2*door.omega.z = 2 + 0.4*sin(t)\n",
           0.1, 1e-11);
}

// 400 operators of 800 are too many: nothing of it is done for each pair of them.
static void many_operators_said_twice(void) {
    Motion m = motion_of("model row\nparameter N = 400\n"
                         "coordinate x[i = 1..N] : line, q[i = 1..N] : circle\n"
                         "kinetic sum(i = 1..N, x[i]'^2 + x[i]'*q[i]'*cos(q[i]) + q[i]'^2/2)\n"
                         "potential sum(i = 1..N, q[i])\n"
                         "operator a[i = 1..N]: q[i] = sin(t) by 0.3*d(x[i]) + d(q[i])\n"
                         "operator b[i = 1..N]: q[i] = sin(t) by 0.3*d(x[i]) + d(q[i])\n"
                         "run t = 0..0.01, samples 2\n",
                         NULL);
    assert_int_equal(m.status, LIA_OK);
    double work = motion_final(&m, "work(a[1])");
    assert_true(fabs(work) > 1e-6);
    for (int i = 1; i <= 400; i++) {
        char name[2][32];
        snprintf(name[0], sizeof name[0], "work(a[%d])", i);
        snprintf(name[1], sizeof name[1], "work(b[%d])", i);
        assert_true(fabs(motion_final(&m, name[0]) - work) <= 1e-13 * fabs(work));
        assert_true(fabs(motion_final(&m, name[1]) - work) <= 1e-13 * fabs(work));
    }
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(operators_said_twice),
        TEST(servos_said_twice),
        TEST(a_door_with_two_hinges),
        TEST(many_operators_said_twice),
    };
    return TESTS_RUN(tests);
}
