// Digits that the equations determine: what is said of them, against solutions in closed form.
//
// Tests: motion/check/digits.c
// By law: motion/check/noise.c: what rounding makes of forces is a bound of their error
// SPDX-License-Identifier: MIT
#include "base/text/diag.h"
#include "motion/check/digits.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool warned(const Motion* m, const char* code) {
    for (size_t i = 0; i < lia_diags_count(m->diags); i++) {
        if (strcmp(lia_diag_at(m->diags, i)->code, code) == 0) return true;
    }
    return false;
}

static bool doubted(const Motion* m) {
    return warned(m, "W0416") || warned(m, "W0417") || warned(m, "W0418");
}

static int force_digits(const Motion* m, const char* name) {
    for (size_t c = 0; c < m->t->constraints.count; c++) {
        const LiaConstraintReport* r = &m->t->constraints.list[c];
        if (strcmp(r->name, name) == 0) return (int)lia_digits_known(r->doubt);
    }
    fail_msg("no constraint %s", name);
    return 0;
}

static int motion_digits(const Motion* m) { return (int)lia_digits_known(m->t->doubt); }

// Digits that are reported are never more than one too many. Rounding is lucky at times: they may
// be too few, but not by more than two in the mean.
typedef struct Tally {
    double few;
    int count;
} Tally;

static void judge(Tally* tally, int told, double value, double exact) {
    double real = value == exact ? 16.0 : -log10(fabs(value - exact) / fabs(exact));
    if (told > real + 1.0)
        fail_msg("%d digits of %.17g, of which %.1f are right", told, value, real);
    tally->few += fmin(real, 15.0) - told;
    tally->count++;
}

static void assert_tally(const Tally* tally) {
    double mean = tally->few / tally->count;
    if (!(mean < 2.0)) fail_msg("%.1f digits too few are told", mean);
}

// (x' + y')^2/2 + d y'^2/2 with forces 1 and 2: y'' = 1/d, x'' = 1 - y''. In the units of `unit`
// for x.
static void inertia_that_is_a_small_difference(void) {
    static const double units[] = {1.0, 1e6, 3e-4};
    Tally tally = {0};
    for (int e = 3; e <= 13; e += 2) {
        int first = 0;
        for (int u = 0; u < 3; u++) {
            char text[500];
            double d = pow(10.0, -e), unit = units[u];
            snprintf(text, sizeof text,
                     "parameter u = %g\ncoordinate x, y : line\n"
                     "kinetic (x'/u + y')^2/2 + 1e-%d*y'^2/2\nforce f: d(x)/u + 2*d(y)\n"
                     "observe ax = x''/u, ay = y''\nstart x = 0, y = 0, x' = 0, y' = 0\n"
                     "run t = 0..1\n",
                     unit, e);
            Motion m = motion_of(text, NULL);
            assert_int_equal(m.status, LIA_OK);
            judge(&tally, motion_digits(&m), motion_final(&m, "ay"), 1.0 / d);
            judge(&tally, motion_digits(&m), motion_final(&m, "y"), 0.5 / d);
            assert_int_equal(warned(&m, "W0417"), e > 7);
            if (u == 0) first = motion_digits(&m);
            assert_true(abs(motion_digits(&m) - first) <= 1);
            motion_clear(&m);
        }
    }
    assert_tally(&tally);
}

// x + y = 0 and x + (1 + d) y = s: y = s/d. Forces 3 and 5 act, so that
//   force(b) = (y'' - x'' - 2)/d,   force(a) = x'' - 3 - force(b).
static Motion nearly_same(double d, const char* law, double unit, const char* mass) {
    char text[600];
    snprintf(text, sizeof text,
             "parameter u = %g, m = %s\ncoordinate x, y, z : line\n"
             "kinetic m*(x'^2/u^2 + y'^2)/2 + z'^2/2\nconstraint a: x/u + y = 0\n"
             "constraint b: x/u + (1 + %.17g)*y = %s\nforce f: m*(3*d(x)/u + 5*d(y)) + d(z)\n"
             "start x = 0, y = 0, z = 0, x' = 0, y' = 0, z' = 0\nrun t = 0..1\n",
             unit, mass, d, law);
    return motion_of(text, &(MotionOptions){.quiet = 1});
}

static void equations_that_differ_a_little(void) {
    static const double units[] = {1.0, 1e6, 3e-4};
    static const char* const masses[] = {"1", "1e9", "3e-7"};
    static const double mass[] = {1.0, 1e9, 3e-7};
    Tally tally = {0};
    for (double d = 1e-2; d > 5e-9; d /= 10.0) {
        int first = 0;
        for (int u = 0; u < 3; u++) {
            Motion m = nearly_same(d, "t^2/2", units[u], masses[u]);
            assert_int_equal(m.status, LIA_OK);
            double y2 = 1.0 / d, b = (2.0 * y2 - 2.0) / d, a = -y2 - 3.0 - b;
            double of_a = motion_final(&m, "force(a)") / mass[u];
            double of_b = motion_final(&m, "force(b)") / mass[u];
            judge(&tally, force_digits(&m, "a"), of_a, a);
            judge(&tally, force_digits(&m, "b"), of_b, b);
            judge(&tally, motion_digits(&m), motion_final(&m, "y"), 0.5 / d);
            assert_true(fabs(motion_final(&m, "z") - 0.5) <
                        1e-15);  // which has nothing to do with it
            if (u == 0) first = force_digits(&m, "b");
            assert_true(abs(force_digits(&m, "b") - first) <= 1);
            motion_clear(&m);
        }
    }
    assert_tally(&tally);
}

// What is left of the digits is said; below 1e-10 one equation is taken to follow from the other.
static void equations_that_are_nearly_one(void) {
    for (double d = 1e-10; d > 5e-15; d /= 10.0) {
        Motion m = nearly_same(d, "0", 1.0, "1");
        assert_int_equal(m.status, LIA_OK);
        assert_true(warned(&m, "W0418"));
        assert_int_equal(force_digits(&m, "a"), 0);
        assert_int_equal(force_digits(&m, "b"), 0);
        assert_int_equal(motion_digits(&m), 0);
        char* summary = lia_output_summary(m.t, NULL);
        assert_non_null(strstr(summary, "'a' (0), 'b' (0)"));
        lia_free(summary);
        motion_clear(&m);
    }
    Motion m = nearly_same(0.0, "0", 1.0, "1");  // the same to the last digit
    assert_int_equal(m.status, LIA_OK);
    assert_false(doubted(&m));
    motion_clear(&m);
}

// Many pairs side by side, one of which is badly determined: of so many the worst is estimated.
static void the_worst_of_many_is_found(void) {
    static const char* const light[] = {"1", "1e-11"};
    for (int bad = 0; bad < 2; bad++) {
        char text[600];
        snprintf(text, sizeof text,
                 "parameter N = 150\ncoordinate x[i=1..N], y[i=1..N] : line\n"
                 "kinetic sum(i=1..N, (x[i]' + y[i]')^2 + y[i]'^2)/2 + (%s - 1)*y[77]'^2/2\n"
                 "constraint a[i=1..N-100]: x[i] = 2*y[i]\n"
                 "force f: sum(i=1..N, d(x[i]) + 2*d(y[i]))\nobserve of = y[77]''\n"
                 "run t = 0..0.1, samples 2\n",
                 light[bad]);
        Motion m = motion_of(text, NULL);
        assert_int_equal(m.status, LIA_OK);
        assert_int_equal(warned(&m, "W0417"), bad);
        if (!bad) assert_true(motion_digits(&m) >= 12);
        Tally tally = {0};
        if (bad) judge(&tally, motion_digits(&m), motion_final(&m, "of"), 1e11);
        motion_clear(&m);
    }
}

// Units and masses of any size are no reason to doubt.
static void what_is_badly_scaled_is_well_determined(void) {
    static const char* const texts[] = {
        "kinetic x'^2/2 + 1e-13*y'^2/2\nforce f: d(x) + 3*d(y)\n",
        "kinetic x'^2/2 + 1e-13*y'^2/2\nconstraint tie: x = y\nforce f: d(x) + 3*d(y)\n",
        "kinetic 1e13*x'^2/2 + y'^2/2\nconstraint tie: x = 1e7*y\nforce f: d(x) + 3*d(y)\n",
        "kinetic x'^2/2 + y'^2/2\nconstraint tie: 1e-30*x = 1e-30*y\nforce f: d(x) + 3*d(y)\n",
        "kinetic 1e-26*(x'^2 + y'^2)\nconstraint one: x = 1e-9*y\nconstraint two: y = 1e-9*t\n",
        // forces that are 0 because pulls are in balance
        "kinetic (x'^2 + y'^2)/2\nconstraint tie: x = y\nforce f: 0.1*d(x) + 0.1*d(y)\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, "coordinate x, y : line\n%srun t = 0..1\n", texts[i]);
        Motion m = motion_of(text, NULL);
        assert_int_equal(m.status, LIA_OK);
        assert_false(doubted(&m));
        if (!(motion_digits(&m) >= 13)) fail_msg("%zu: %d digits", i, motion_digits(&m));
        for (size_t c = 0; c < m.t->constraints.count; c++)
            assert_true(force_digits(&m, m.t->constraints.list[c].name) >= 13);
        motion_clear(&m);
    }
}

// Three equations, of which each nearly follows from the other two: rows 1, s, s^2 at s = 1, 1 + d,
// 1 + 2 d. All is held, so J^T mu = -f, and mu is by Lagrange's polynomials. With d = 6e-4 seven
// digits are left, and that is said.
static void a_warning_of_few_digits_of_forces(void) {
    const long double d = 6e-4L, t1 = 1.0L + d, t2 = 1.0L + 2.0L * d;
    const long double a = -(3.0L * t1 * t2 - 5.0L * (t1 + t2) - 2.0L) / (2.0L * d * d);
    Motion m = motion_of("coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                         "constraint a: x + y + z = 0\n"
                         "constraint b: x + (1 + 6e-4)*y + (1 + 6e-4)^2*z = 0\n"
                         "constraint c: x + (1 + 12e-4)*y + (1 + 12e-4)^2*z = 0\n"
                         "force f: 3*d(x) + 5*d(y) - 2*d(z)\nrun t = 0..1\n",
                         &(MotionOptions){.quiet = 1});
    assert_int_equal(m.status, LIA_OK);
    assert_true(warned(&m, "W0416"));
    assert_true(fabs(motion_final(&m, "force(a)") / (double)a - 1.0) < 1e-6);
    motion_clear(&m);
}

// A law that rests with four derivatives has no size at first: what it misses by is measured by the
// state, also where its force is decided by the third derivative.
static void laws_that_rest_at_first(void) {
    static const char* const forces[] = {"", "dissipation 0.1*(x' - y')^2\n"};
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                 "potential 10/2*(y - x)^2 + x^2\n%soperator servo: y = t^5 by d(x)\n"
                 "run t = 0..1\n",
                 forces[i]);
        Motion m = motion_of(text, NULL);
        assert_int_equal(m.status, LIA_OK);
        LiaHeldInfo found;
        assert_true(lia_trajectory_constraint(m.t, 0, &found, sizeof found));
        assert_true(found.worst < 1e-13);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(inertia_that_is_a_small_difference),
        TEST(equations_that_differ_a_little),
        TEST(equations_that_are_nearly_one),
        TEST(a_warning_of_few_digits_of_forces),
        TEST(the_worst_of_many_is_found),
        TEST(what_is_badly_scaled_is_well_determined),
        TEST(laws_that_rest_at_first),
    };
    return TESTS_RUN(tests);
}
