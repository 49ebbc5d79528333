// The coupling number by sparse elimination is the one by singular values.
//
// Tests: mechanics/regularity/regularity.c, mechanics/regularity/regularity_sparse.c
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/workspace.h"
#include "mechanics/regularity/regularity.h"
#include "mechanics/start/start.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The two numbers at the start of a model.
static void numbers(const char* text, const LiaDefine* define, double* plain, double* sparse) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    assert_int_equal(lia_model_parse("test", text, strlen(text),
                                     &(LiaDefines){define, define ? 1 : 0}, diags, &model),
                     LIA_OK);
    assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
    LiaWorkspace* w = lia_workspace_create(system, system->full, 1);
    assert_non_null(w);
    LiaStartState start = {.ahead = 1e-9, .q = w->q, .v = w->v};
    assert_int_equal(lia_start_find(system, diags, &start), LIA_OK);
    lia_start_clear(&start);
    lia_workspace_load(w, 1);
    lia_workspace_residuals(w);
    lia_workspace_factor(w);
    *plain = lia_regularity_dense(w);
    *sparse = lia_regularity_sparse(w);
    lia_workspace_destroy(w);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

static void agree_with(const char* text, double N) {
    double plain, sparse;
    numbers(text, N > 0 ? &(LiaDefine){.name = "N", .value = N} : NULL, &plain, &sparse);
    assert_true(plain > 1e-6 && plain < 0.999999);  // a number that tells
    if (!(fabs(plain - sparse) <= 1e-10 * plain))
        fail_msg("%.17g by singular values, %.17g by elimination", plain, sparse);
}

static void agree(const char* text) { agree_with(text, 0); }

#define ROPE                                                                                       \
    "parameter N = 6, l = 1, m = 1\n"                                                              \
    "coordinate s : line\nbody cart: mass 5, position [s, 0, 0]\n"                                 \
    "body b[i = 1..N]: mass m, inertia [0.1, 0.12, 0.02], free\ngravity [0, 0, -9.81]\n"           \
    "body trolley: position [s, 0, 0]\n"                                                           \
    "joint top: spherical(trolley, b[1] at [0, 0, l/2])\n"                                         \
    "joint j[i = 2..N]: spherical(b[i-1] at [0, 0, -l/2], b[i] at [0, 0, l/2])\n"                  \
    "start b[i = 1..N].attitude ~ roty(0.3*i), b[i = 1..N].position ~ [0.4*i, 0, -0.5*i]\n"

static void servos_on_a_rope(void) {
    agree(ROPE "operator hold: b[2].position.x = 1 by d(s)\n");
    agree(ROPE "operator hold: b[2].position.x = 1 by d(s)\n"
               "operator turn: dot(b[3].omega, [0, 1, 0]) = 0 by virtual(b[4].omega.y)\n");
    // equations said twice
    agree(ROPE "operator hold: b[1].position.x = 0.5 by d(s)\n"
               "joint again: spherical(b[1] at [0, 0, -l/2], b[2] at [0, 0, l/2])\n");
}

static void servos_on_points(void) {
    // M is regular here
    agree("parameter N = 5\ncoordinate x[i = 1..N], y[i = 1..N] : line\n"
          "kinetic sum(i = 1..N, i/2*(x[i]'^2 + y[i]'^2)) + 0.2*x[1]'*x[2]'\n"
          "constraint c[i = 2..N]: (x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = 1\n"
          "operator a: x[3] = 1, y[2] = 0.5 by d(x[1]), d(y[4]) + d(x[2])\n"
          "start x[i = 1..N] ~ 0.7*i, y[i = 1..N] ~ sin(i)\n");
}

// Carts on a line, each with a pendulum; what is asked of the pendulums the carts are to do. The
// forces mix.
#define CARTS                                                                                      \
    "parameter N = 6\ncoordinate x[i = 1..N] : line, q[i = 1..N] : circle\n"                       \
    "kinetic sum(i = 1..N, (1 + i/N)*x[i]'^2/2 + (x[i]'^2 + 2*x[i]'*q[i]'*cos(q[i]) + "            \
    "q[i]'^2)/2)\npotential sum(i = 1..N, -9.81*cos(q[i]))\n"                                      \
    "constraint rod[i = 2..N]: x[i] - x[i-1] + 0.1*sin(q[i]) = 1\n"                                \
    "start x[i = 1..N] ~ i, q[i = 1..N] ~ 0.2 + 0.5*i/N\n"

static void equations_and_forces_said_twice(void) {
    // the same operator twice; one that follows from two others, in another order
    agree(CARTS "operator a: sin(q[1]) = 0.3 by d(x[1])\noperator b: sin(q[1]) = 0.3 by d(x[1])\n");
    agree(CARTS "operator a: q[1] = 0.3 by d(x[1])\noperator b: q[3] = 0.4 by d(x[3])\n"
                "operator c: q[1] + q[3] = 0.7 by d(x[1]) - d(x[3])\n");
    // equations depend on each other in one order, forces in another: no row can be left out of
    // both
    agree(CARTS "operator a: q[1] = 0.3 by d(x[1])\noperator b: q[1] = 0.3 by d(x[3])\n"
                "operator c: q[3] = 0.4 by d(x[3])\n");
    // one that asks what the passive constraints ask, with their force
    agree(CARTS "operator a: q[1] = 0.3 by d(x[1])\n"
                "operator b: x[2] - x[1] + 0.1*sin(q[2]) + q[1] = 1.3 by d(x[1])\n");
}

// More equations than forces: nobody can do that.
static void fewer_forces_than_equations(void) {
    double plain, sparse;
    numbers(CARTS "operator a: q[1] = 0.3 by d(x[1])\noperator b: q[3] = 0.4 by 2*d(x[1])\n", NULL,
            &plain, &sparse);
    assert_true(plain == 0.0 && sparse == 0.0);
}

// Each operator of 110 carts is said twice: of 439 rows in 220 unknowns 220 are not ideal, and half
// of these can be left out.
static void many_servos_said_twice(void) {
    agree_with(CARTS
               "operator a[i = 1..N]: q[i] + 0.1*x[i] = 0.3 + 0.1*i by d(x[i]) + 0.3*d(q[i])\n"
               "operator b[i = 1..N]: q[i] + 0.1*x[i] = 0.3 + 0.1*i by d(x[i]) + 0.3*d(q[i])\n",
               110);
}

// A rope that is long enough to go the sparse way by itself.
static void a_long_rope_has_a_number(void) {
    agree_with(ROPE "operator hold: b[2].position.x = 1 by d(s)\n", 15);
    agree_with(ROPE "operator hold: b[2].position.x = 1 by d(s)\n"
                    "operator again: b[2].position.x = 1 by d(s)\n",
               15);
}

// A coordinate without inertia, a servo through it: the number is the same in metres and in
// millimetres, for an equation and for a thousand times it, in kilograms and in tons.
static void the_number_has_no_units(void) {
    double first = NAN;
    static const double units[][4] = {{1, 1, 1, 1},   {1e3, 1, 1, 1},  {1, 1e-3, 1, 1},
                                      {1, 1, 1e4, 1}, {1, 1, 1, 1e-3}, {1e-3, 1e3, 1e-4, 1e2}};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        char text
            [600];  // x = X u, s = S v: in units u and v; the mass in units m, an equation times e
        snprintf(text, sizeof text,
                 "parameter u = %g, v = %g, m = %g, e = %g\ncoordinate x, s, z : line\n"
                 "coordinate q : circle\n"
                 "kinetic m*((x/u)'^2 + 0.4*(x/u)'*q'*cos(q) + q'^2/2)\n"
                 "constraint tie: e*(s/v - x/u - 0.3*sin(q)) = 0\n"
                 "constraint on: z - 2*s/v = 0\n"
                 "operator o: s/v + 0.2*z = 0.1 by d(q)\nstart x ~ 0.1*u, q ~ 0.4\n",
                 units[k][0], units[k][1], units[k][2], units[k][3]);
        double plain, sparse;
        numbers(text, NULL, &plain, &sparse);
        if (k == 0) first = plain;
        assert_true(plain > 1e-3 && plain < 0.999);
        if (!(fabs(plain - first) <= 1e-9 * first) || !(fabs(sparse - first) <= 1e-9 * first))
            fail_msg("%zu: %.17g and %.17g, not %.17g", k, plain, sparse, first);
    }
}

// W = 1 / sum x^2/m of rows over a heavy and a massless coordinate, for masses down to nearly the
// smallest and up to nearly the largest
// number: finding it ends, and gives m/x^2.
static void masses_of_any_size(void) {
    static const double masses[] = {1e-320, 1e-310, 1e-300, 1e-160, 1.0, 1e160, 1e300};
    static const double factors[] = {1.0, 1e-3, 3.0};
    for (size_t i = 0; i < sizeof masses / sizeof masses[0]; i++) {
        for (size_t k = 0; k < sizeof factors / sizeof factors[0]; k++) {
            const char* text = "parameter m = 1, f = 1\ncoordinate x, y, z : line\nkinetic m*x'^2\n"
                               "constraint c: f*x = y\nconstraint d: y = z\n";
            LiaDefine defines[] = {{"m", masses[i]}, {"f", factors[k]}};
            LiaDiags* diags = lia_diags_create();
            LiaModel* model = NULL;
            LiaSystem* system = NULL;
            assert_int_equal(lia_model_parse("test", text, strlen(text), &(LiaDefines){defines, 2},
                                             diags, &model),
                             LIA_OK);
            assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
            LiaWorkspace* w = lia_workspace_create(system, system->full, 1);
            assert_non_null(w);
            lia_workspace_load(w, 1);
            lia_workspace_residuals(w);
            (void)lia_workspace_factor(w);
            double W[2], expected = 2.0 * masses[i] / factors[k] / factors[k];
            assert_true(lia_regularity_row_weights(w, W));
            for (int r = 0; r < 2; r++) {
                if (!(fabs(W[r] - expected) <= 1e-12 * expected + 1e-323))
                    fail_msg("m = %g, f = %g: W[%d] = %.17g, not %.17g", masses[i], factors[k], r,
                             W[r], expected);
            }
            (void)lia_regularity(w);
            lia_workspace_destroy(w);
            lia_system_destroy(system);
            lia_model_destroy(model);
            lia_diags_destroy(diags);
        }
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(servos_on_a_rope),
        TEST(servos_on_points),
        TEST(equations_and_forces_said_twice),
        TEST(fewer_forces_than_equations),
        TEST(many_servos_said_twice),
        TEST(a_long_rope_has_a_number),
        TEST(the_number_has_no_units),
        TEST(masses_of_any_size),
    };
    return TESTS_RUN(tests);
}
