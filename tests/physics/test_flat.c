// Linkages of many loops that go through their singular configurations: rows of parallelograms are
// one pendulum.
//
// By law: motion/singular/configuration.c: linkages that lie flat are passed along their branch
// By law: motion/singular/singular_step.c: a step over one ends on its own branch
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static double final_of(const char* text, const char* name, const char* other) {
    Motion m = motion_of(text, NULL);
    if (!m.t || m.status != LIA_OK) fail_msg("ended early:\n%s", text);
    double x = motion_final(&m, name);
    if (other && !(fabs(motion_final(&m, other) - x) < 1e-8)) fail_msg("%s is not %s", other, name);
    motion_clear(&m);
    return x;
}

// `count` loops between count + 1 cranks. The couplers do not turn, so all cranks have one angle a:
// twice the kinetic energy is (count + 1 + count) a'^2, and the potential is (count + 1) g sin(a).
// Round and round, through both singular configurations.
static void a_row_of_parallelograms_is_a_pendulum(void) {
    static const int counts[] = {1, 2, 5, 12, 16, 20, 40};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        int n = counts[k];
        char row[900], pendulum[300], last[20];
        snprintf(
            row, sizeof row,
            "model row\ncoordinate a[i = 0..%d], b[i = 1..%d] : circle\n"
            "kinetic sum(i = 0..%d, a[i]'^2/2) + sum(i = 1..%d, b[i]'^2/6 + a[i]'^2/2)\n"
            "potential sum(i = 0..%d, 3*sin(a[i]))\n"
            "constraint loop[i = 1..%d]: [cos(a[i-1]) + 2*cos(b[i]), sin(a[i-1]) + "
            "2*sin(b[i])] = [cos(a[i]) + 2, sin(a[i])]\n"
            "start a[i = 0..%d] = 0.5, b[i = 1..%d] = 0, a[0]' = 3\nrun t = 0..10, samples 3\n",
            n, n, n, n, n, n, n, n);
        snprintf(pendulum, sizeof pendulum,
                 "model pendulum\ncoordinate a : circle\nkinetic %d*a'^2/2\n"
                 "potential %d*sin(a)\nstart a = 0.5, a' = 3\nrun t = 0..10, samples 3\n",
                 2 * n + 1, 3 * (n + 1));
        snprintf(last, sizeof last, "a[%d]", n);
        double one = final_of(pendulum, "a", NULL), many = final_of(row, "a[0]", last);
        if (!(fabs(many - one) < 1e-8)) fail_msg("%d loops: %.12g, not %.12g", n, many, one);
    }
}

// Two of them apart, flat one shortly after the other: each is the pendulum it is alone.
static void loops_that_are_flat_one_after_the_other(void) {
    double both = final_of(
        "model apart\ncoordinate a[i = 1..2], b[i = 1..2], c[i = 1..2] : circle\n"
        "kinetic sum(i = 1..2, a[i]'^2/2 + b[i]'^2/6 + c[i]'^2/2)\n"
        "potential sum(i = 1..2, 3*sin(a[i]))\n"
        "constraint loop[i = 1..2]: [cos(a[i]) + 2*cos(b[i]), sin(a[i]) + 2*sin(b[i])] = "
        "[cos(c[i]) + 2, sin(c[i])]\n"
        "start a[i = 1..2] = 0.5, b[i = 1..2] = 0, c[i = 1..2] = 0.5, a[i = 1..2]' = 3 + 0.01*i\n"
        "run t = 0..10, samples 3\n",
        "a[2]", "c[2]");
    double one =
        final_of("model pendulum\ncoordinate a : circle\nkinetic a'^2\npotential 3*sin(a)\n"
                 "start a = 0.5, a' = 3.02\nrun t = 0..10, samples 3\n",
                 "a", NULL);
    assert_true(fabs(both - one) < 1e-7);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_row_of_parallelograms_is_a_pendulum),
        TEST(loops_that_are_flat_one_after_the_other),
    };
    return TESTS_RUN(tests);
}
