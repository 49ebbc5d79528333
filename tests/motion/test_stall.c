// Which sequences of steps come to the end of a run, by the laws of their lengths.
//
// Tests: motion/run/stall.c
// SPDX-License-Identifier: MIT
#include "motion/run/stall.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

typedef double (*Law)(double t);  // the length of a step

// Steps from 0 until the verdict, the end, or 8 million of them.
static LiaStallVerdict follow(Law h, double end, uint64_t* steps) {
    LiaStall pace = {0};
    double t = 0.0;
    for (*steps = 1; *steps < 8000000 && t < end; ++*steps) {
        double step = h(t);
        if (!(step > 1e-16)) break;  // too small: that is seen elsewhere
        t += step;
        LiaStallVerdict verdict = lia_stall_look(&pace, *steps, t, end - t);
        if (verdict != LIA_STALL_NONE) return verdict;
    }
    return LIA_STALL_NONE;
}

static double even(double t) { return 1e-6 + 0.0 * t; }
static double bound(double t) { return 1e-5 * (1.5 + sin(40.0 * t)); }
static double towards_one(double t) { return 0.3 * (1.0 - t); }
static double pole(double t) { return 0.3 * (1.0 - t) * (1.0 - t); }
static double cubed(double t) { return 0.3 * pow(1.0 - t, 3.0); }
static double rising(double t) { return 0.1 * exp(-3.0 * t); }
static double slower(double t) { return 1e-5 / (1.0 + t); }
// past a pole that is not quite there
static double narrow(double t) { return 0.3 * ((1.0 - t) * (1.0 - t) + 1e-10); }
// spun up a thousandfold, and even from then on
static double spun_up(double t) { return 1e-3 * fmax(exp(-3.0 * t), 1e-3); }

static void motions_that_go_on_are_let_be(void) {
    uint64_t steps;
    assert_int_equal(follow(even, 1e5, &steps), LIA_STALL_NONE);
    assert_int_equal(follow(bound, 1e6, &steps), LIA_STALL_NONE);
    assert_int_equal(follow(towards_one, 2.0, &steps), LIA_STALL_NONE);
    assert_true(steps < 1000);
    assert_int_equal(follow(slower, 1e9, &steps), LIA_STALL_NONE);
    assert_int_equal(follow(narrow, 2.0, &steps), LIA_STALL_NONE);
    assert_true(steps > 100000);
    assert_int_equal(follow(spun_up, 1e5, &steps), LIA_STALL_NONE);
    // the end is nearer than all that
    assert_int_equal(follow(pole, 0.999999, &steps), LIA_STALL_NONE);
    assert_int_equal(follow(rising, 5.0, &steps), LIA_STALL_NONE);
}

static void motions_that_never_arrive_are_told(void) {
    uint64_t steps;
    assert_int_equal(follow(pole, 2.0, &steps), LIA_STALL_BEFORE_END);
    assert_int_equal(follow(cubed, 2.0, &steps), LIA_STALL_BEFORE_END);
    assert_int_equal(follow(rising, 100.0, &steps), LIA_STALL_NEVER);
    assert_true(steps < 2100000);
    // 1e13 steps and more, as long as ever: months
    assert_int_equal(follow(even, 1e7, &steps), LIA_STALL_FAR);
    assert_true(steps < 2100000);
    assert_int_equal(follow(even, 1e15, &steps), LIA_STALL_FAR);
    assert_int_equal(follow(bound, 1e20, &steps), LIA_STALL_FAR);
}

int main(void) {
    const TestCase tests[] = {
        TEST(motions_that_go_on_are_let_be),
        TEST(motions_that_never_arrive_are_told),
    };
    return TESTS_RUN(tests);
}
