// Motions that go on where a run once stopped, and what a run says that ends before its end: laws
// that are nearly constant, systems that a law sets in motion at a corner, whole powers of any
// size, steep curves, forces that hold each other.
//
// By law: motion/run/stiff.c: what is small and fast is named where it decides the steps
// SPDX-License-Identifier: MIT
#include "motion/runner.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stddef.h>

#define P  "coordinate x : line\nkinetic x'^2/2\n"
#define P2 "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"

static Motion run(const char* text) {
    MotionOptions quiet = {.quiet = 1};
    return motion_of(text, &quiet);
}

// The motion is done, and nothing is said of it.
static Motion arrives(const char* text) {
    Motion m = run(text);
    char* said = lia_diags_text(m.diags);
    if (m.status != LIA_OK || said[0])
        printf("%s%s%s\n", text, said, m.t && m.t->reason.text ? m.t->reason.text : "");
    assert_int_equal(m.status, LIA_OK);
    assert_string_equal(said, "");
    lia_free(said);
    return m;
}

static void assert_near(double x, double exact, double error) {
    if (!(fabs(x - exact) <= error)) printf("%.17g, not %.17g\n", x, exact);
    assert_true(fabs(x - exact) <= error);
}

// Far from the step 1 + tanh is a small multiple of a rounding: no steps make that smooth.
static void laws_that_are_nearly_constant(void) {
    static const double widths[] = {1e-3, 1e-2, 0.05, 0.2, 1.0, 10.0};
    static const char* const forms[] = {
        "control c = tanh((t - 5)/%g)\noperator k: x' = c'\nstart x = %.17g\n",
        "operator k: x = 1 + tanh((t - 5)/%g)\n",
        "constraint k: x = 1 + tanh((t - 5)/%g)\n",
        "constraint k: x = 1 + tanh((y - 5)/%g) force d(x)\nstart y = 0, y' = 1\n",
    };
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            double w = widths[i], end = 5.0 + 0.7 * w;
            char law[200], text[400];
            snprintf(law, sizeof law, forms[f], w, 1.0 + tanh(-5.0 / w));
            snprintf(text, sizeof text, P2 "%srun t = 0..%.17g\n", law, end);
            Motion m = arrives(text);
            // the rounding of t, through the steepness of the law
            double lost = 5.0 * 2.3e-16 / w;
            assert_near(motion_final(&m, "x"), 1.0 + tanh((end - 5.0) / w), 1e-13 + lost);
            double fast = 1.0 / (w * pow(cosh((end - 5.0) / w), 2.0));
            assert_near(motion_final(&m, "x'"), fast, (1e-13 + lost) / w);
            motion_clear(&m);
        }
    }
}

// From rest a law begins as smoothly as it likes: nothing jumps, and there is no size yet to
// measure steps by.
static void what_was_at_rest_is_set_in_motion(void) {
    static const char* const says[] = {"operator m: x = max(0, t - %g)^%d\n",
                                       "constraint m: x = max(0, t - %g)^%d\n"};
    static const double begins[] = {1.0, 1.1, 0.7, 2.9};
    for (int form = 0; form < 2; form++) {
        for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
            for (int power = 2; power <= 3; power++) {
                char law[100], text[400];
                double from = begins[i], u = 4.0 - from;
                snprintf(law, sizeof law, says[form], from, power);
                snprintf(text, sizeof text,
                         "coordinate x, y, z : line\nkinetic x'^2/2 + (x' + y')^2/2 + z'^2/2\n"
                         "potential y^2/2 + 50*z^2\nstart z = 1000\n%srun t = -3..4\n",
                         law);
                Motion m = arrives(text);
                assert_int_equal(m.t->jumps.count, 0);
                // y'' + y = -x''
                double y = power == 2 ? -2.0 * (1.0 - cos(u)) : -6.0 * (u - sin(u));
                assert_near(motion_final(&m, "y"), y, 1e-11);
                motion_clear(&m);
            }
        }
    }
    Motion m = arrives("coordinate x : line\ncoordinate q[i = 1..2] : circle\n"
                       "kinetic x'^2/2 + sum(i = 1..2, ((x' + cos(q[i])*q[i]')^2 + "
                       "(sin(q[i])*q[i]')^2)/2)\npotential -9.81*(cos(q[1]) + cos(q[2]))\n"
                       "operator motor: x = 0.5*max(0, t - 1.1)^2/(1 + t)\nrun t = -0.9..4\n");
    assert_int_equal(m.t->jumps.count, 0);
    motion_clear(&m);
}

// A power with a whole exponent is a product, whatever the exponent.
static void whole_powers(void) {
    Motion m = arrives(P "force f: cos(t)^1001*d(x)\nrun t = 0..10\n");
    assert_near(motion_final(&m, "x"), 0.100639125317132145985087160271, 1e-13);
    assert_near(motion_final(&m, "x'"), -0.0396035789523429834887804329434, 1e-14);
    motion_clear(&m);
    // x' = ((t - 1)^1002 - 1)/1002
    m = arrives(P "force f: (t - 1)^1001*d(x)\nrun t = 0..2\n");
    assert_near(motion_final(&m, "x"), -0.00199401794616151545363908275174, 2e-14);
    motion_clear(&m);
    m = arrives("parameter n = -2001\n" P "force f: (t - 3)^n*d(x)\nrun t = 0..2.001\n");
    assert_near(motion_final(&m, "x'"), -pow(0.999, -2000.0) / 2000.0, 1e-14);
    motion_clear(&m);
    // 1e-600 is no number, and (x/1000)^200 is one
    m = arrives(P "potential -(x/1000)^200\nstart x = 1000, x' = 0.1\nrun t = 0..0.5\n");
    double v = motion_final(&m, "x'"), x = motion_final(&m, "x");
    assert_near(v * v / 2.0 - pow(x / 1000.0, 200.0), 0.005 - 1.0, 1e-11);
    assert_true(x > 1000.05);
    motion_clear(&m);
}

// The first angle of "zxz" where the second is 0 is known as long as it stays there: b.attitude =
// rotz(a).
static void angles_where_the_second_one_is_zero(void) {
    Motion m = arrives("body b: mass 1, inertia [1, 2, 2.5], free\n"
                       "force f: euler(b.attitude, \"zxz\")[1]*d(b.position.x)\n"
                       "start b.omega = [0, 0, 0.7]\nrun t = 0..2\n");
    assert_near(motion_final(&m, "b.position.x"), 0.7 * 8.0 / 6.0, 1e-14);
    motion_clear(&m);
}

// y = sqrt(pi) after the step; the way along the curve is 10. By quadrature: int sqrt(1 + g^2) - 1
// = 1.77183921875229.
static void a_steep_curve_loses_no_rank(void) {
    Motion m = arrives(P2 "constraint c: y' = exp(-((x - 3.3171)/1e-4)^2)/1e-4*x'\nstart x' = 1\n"
                          "run t = 0..10\n");
    assert_near(motion_final(&m, "y"), 1.77245385090551602729816748334, 1e-10);
    assert_near(motion_final(&m, "x"), 8.22816078124770960260930581998, 1e-10);
    motion_clear(&m);
}

// Forces of 100 that leave one of 1, which is held too: all works are rounding.
static void forces_that_hold_each_other(void) {
    Motion m = arrives(P2 "constraint a: x + y = 0\nconstraint b: x + 1.01*y = 0\nforce f: d(x)\n"
                          "run t = 0..10\n");
    assert_near(motion_final(&m, "force(a)"), -101.0, 1e-9);
    assert_near(motion_final(&m, "force(b)"), 100.0, 1e-9);
    assert_true(m.t->ledger.balance == 0.0 && m.t->ledger.growth == 0.0);
    motion_clear(&m);
}

// What is at rest at 0 has no size before a force begins, and next to none just after that.
static void a_force_that_begins_like_a_power_finds_all_at_rest(void) {
    Motion m = arrives("coordinate x : line\nkinetic x'^2/2\n"
                       "force f: if(t > 1, (t - 1)^1.5, 0)*d(x)\nstart x = 0\nrun t = 0..3\n");
    assert_near(motion_final(&m, "x"), 1.29299525702683, 1e-10);
    assert_near(motion_final(&m, "x'"), 2.26274169979695, 1e-10);
    motion_clear(&m);
}

// K0 has lost all but two or three digits: the works are not those of the energy, and the ledger
// says so.
static void a_ledger_claims_no_more_than_is_known(void) {
    Motion m = run("coordinate x, y : line\nkinetic (x' + y')^2/2 + 1e-13*y'^2/2\nforce f: d(x)\n"
                   "start x' = 1\nrun t = 0..1\n");
    char* said = lia_diags_text(m.diags);
    char* summary = lia_output_summary(m.t, NULL);
    assert_non_null(strstr(said, "W0417"));
    assert_non_null(strstr(said, "W0412"));
    assert_true(m.t->ledger.balance > 1e-5);
    assert_int_equal(m.t->conserved.count, 0);
    assert_non_null(strstr(summary, "of a motion that is known to 2 digits"));
    lia_free(summary);
    lia_free(said);
    motion_clear(&m);
}

// Where the state that was reached cannot be evaluated, there are no forces to show: those of
// another state are not shown.
static void the_last_row_is_of_the_last_state(void) {
    // a law that ends: just before it the force is m x'' = -1/4 (1 - t)^(-3/2)
    Motion m = run(P2 "operator k: x = sqrt(1 - t)\nrun t = 0..2\n");
    assert_int_equal(m.status, LIA_FAILED);
    double left = 1.0 - m.t->t, force = motion_final(&m, "force(k)");
    assert_true(left < 1e-3);
    assert_true(isnan(force) || fabs(force / (-0.25 * pow(left, -1.5)) - 1.0) < 1e-3);
    motion_clear(&m);
}

static void far_ends_are_pointed_out(void) {
    static const char hard[] = P "potential 4/1e-20*x^2\ndissipation 0.1*x'^2\nstart x = 1\n"
                                 "run t = 0..20\n";
    MotionOptions few = {.quiet = 1, .run = {.steps_most = 20000}};
    Motion m = motion_of(hard, &few);
    char* said = lia_diags_text(m.diags);
    assert_int_equal(m.status, LIA_STOPPED);
    // sqrt(8e20)*20/(2 pi)
    assert_non_null(strstr(said, "W0424: the end of the run is far: to t = 20"));
    assert_non_null(strstr(said, "vibrates about 9e+10 times"));
    lia_free(said);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(laws_that_are_nearly_constant),
        TEST(what_was_at_rest_is_set_in_motion),
        TEST(whole_powers),
        TEST(angles_where_the_second_one_is_zero),
        TEST(a_steep_curve_loses_no_rank),
        TEST(forces_that_hold_each_other),
        TEST(a_force_that_begins_like_a_power_finds_all_at_rest),
        TEST(a_ledger_claims_no_more_than_is_known),
        TEST(the_last_row_is_of_the_last_state),
        TEST(far_ends_are_pointed_out),
    };
    return TESTS_RUN(tests);
}
