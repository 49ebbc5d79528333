// Positions that nobody gave, where an equation has no value at 0: the nearest admissible ones in the metric of the
// kinetic energy, against their closed form.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static Motion begin(const char* kinetic, const char* constraint, const char* start) {
    char text[400];
    snprintf(text, sizeof text,
             "model m\ncoordinate x, y : line\nkinetic %s\nconstraint c: %s\n%s\nrun t = 0..0\n",
             kinetic, constraint, start);
    Motion motion = motion_of(text, NULL);
    assert_non_null(motion.t);
    return motion;
}

static void near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-10)) fail_msg("%.17g is not %.17g", value, expected);
}

// a x^2 + 1/x^2 is least where a x^4 = 1.
static void a_hyperbola_is_met_at_its_vertex(void** state) {
    (void)state;
    Motion m = begin("(x'^2 + y'^2)/2", "y = 1/x", "");
    near(fabs(motion_final(&m, "x")), 1.0);
    near(motion_final(&m, "y"), motion_final(&m, "x"));
    char* text = lia_output_summary(m.t, NULL);
    assert_non_null(strstr(text, "start: at the guess an equation has no value"));
    lia_free(text);
    motion_clear(&m);
    m = begin("(4*x'^2 + y'^2)/2", "y = 1/x", "");
    near(fabs(motion_final(&m, "x")), sqrt(0.5));
    near(motion_final(&m, "y"), 1.0 / motion_final(&m, "x"));
    motion_clear(&m);
    m = begin("(x'^2 + y'^2)/2", "y = 1/x", "start x ~ -0.1");  // a guess chooses the branch
    assert_true(motion_final(&m, "x") < 0.0);
    motion_clear(&m);
}

// Of the branches of 1/x + 1/y = 4 the nearest goes through (1/2, 1/2); x + log(x)/x = 0 on y = log(x).
static void other_poles_are_left_too(void** state) {
    (void)state;
    Motion m = begin("(x'^2 + y'^2)/2", "1/x + 1/y = 4", "");
    near(motion_final(&m, "x"), 0.5);
    near(motion_final(&m, "y"), 0.5);
    motion_clear(&m);
    m = begin("(x'^2 + y'^2)/2", "y = log(x)", "");
    double x = motion_final(&m, "x");
    near(x + log(x) / x, 0.0);
    near(motion_final(&m, "y"), log(x));
    motion_clear(&m);
}

// At t = 0 the angle has no inertia but rounding: what it is told must not hide the other equations.
static void an_inertia_next_to_none_hides_nothing(void** state) {
    (void)state;
    Motion m = motion_of("coordinate z, b, y : line\ncoordinate a : circle\n"
                         "kinetic z'^2/2 + b'^2/2 + ((a*atan(b))')^2/2\n"
                         "operator o1: b = -0.3*sin(2*t)\noperator o2: y' = cos(t)\n"
                         "operator o3: a = 0.5*sin(2*t) + 0.25 + y + z*b\n"
                         "start z = 0.11, y = 0, z' = -0.44\nrun t = 0..1, samples 2\n",
                         NULL);
    assert_non_null(m.t);
    near(motion_value(&m, 0, "b'"), -0.6);
    near(motion_value(&m, 0, "y'"), 1.0);
    near(motion_value(&m, 0, "a"), 0.25);
    near(motion_value(&m, 0, "a'"), 1.0 + 1.0 - 0.11 * 0.6);
    motion_clear(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hyperbola_is_met_at_its_vertex),
        cmocka_unit_test(other_poles_are_left_too),
        cmocka_unit_test(an_inertia_next_to_none_hides_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
