// `step at most`: no step is longer than was asked for, and the motion is the same.
// SPDX-License-Identifier: MIT
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FREE     "coordinate x : line\nkinetic x'^2/2\nstart x' = 1\n"
#define PENDULUM "coordinate q : circle\nkinetic q'^2/2\npotential -cos(q)\nstart q = 2\n"

static double final(const Motion* m, const char* name) {
    double x = NAN;
    assert_true(lia_trajectory_final(m->t, name, &x));
    return x;
}

// Nothing else bounds the step of a body that nothing pushes.
static void as_the_model_says(void) {
    Motion whole = motion_of(FREE "run t = 0..20\n", NULL);
    Motion cut = motion_of(FREE "run t = 0..20, step at most 0.1\n", NULL);
    Motion back = motion_of(FREE "run t = 20..0, step at most 0.1\n", NULL);
    assert_true(whole.t->effort.steps < 10 && whole.t->effort.longest > 1.0);
    assert_in_range(cut.t->effort.steps, 200, 201);
    assert_in_range(back.t->effort.steps, 200, 201);
    assert_true(cut.t->effort.longest <= 0.1 && back.t->effort.longest <= 0.1);
    assert_true(fabs(final(&cut, "x") - 20.0) < 1e-13);
    assert_true(fabs(final(&back, "x") + 20.0) < 1e-13);
    motion_clear(&whole);
    motion_clear(&cut);
    motion_clear(&back);
}

static void an_option_goes_first(void) {
    MotionOptions longer = {.run.step_most = 0.5}, parts = {.run.step_part = 0.25};
    Motion m = motion_of(FREE "run t = 0..20, step at most 0.1\n", &longer);
    assert_in_range(m.t->effort.steps, 40, 41);
    motion_clear(&m);
    Motion natural = motion_of(PENDULUM "run t = 0..20\n", NULL);
    Motion quarter = motion_of(PENDULUM "run t = 0..20\n", &parts);
    assert_true(quarter.t->effort.longest <= 0.26 * natural.t->effort.longest);
    assert_true(quarter.t->effort.steps >= 3 * natural.t->effort.steps);
    assert_true(fabs(final(&quarter, "q") - final(&natural, "q")) < 1e-10);
    motion_clear(&natural);
    motion_clear(&quarter);
}

// A bound that is longer than the steps are changes no bit.
static void what_does_not_bind_does_nothing(void) {
    Motion a = motion_of(PENDULUM "run t = 0..20\n", NULL);
    Motion b = motion_of(PENDULUM "run t = 0..20, step at most 100\n", NULL);
    assert_int_equal(a.t->effort.steps, b.t->effort.steps);
    assert_true(final(&a, "q") == final(&b, "q") && final(&a, "q'") == final(&b, "q'"));
    motion_clear(&a);
    motion_clear(&b);
}

// Corners and events end steps as before.
static void steps_end_where_they_must(void) {
    Motion m = motion_of(FREE "potential if(x > 1.23, (x - 1.23)^2, 0)\nevent hit: x = 1.5\n"
                              "run t = 0..1.7, step at most 0.1\n",
                         NULL);
    assert_int_equal(m.t->events.count, 1);
    // x = 1.23 + sin(w (t - 1.23))/w after the corner, w^2 = 2
    double w = sqrt(2.0), hit = 1.23 + asin(w * 0.27) / w;
    assert_true(fabs(m.t->events.list[0].t - hit) < 1e-12);
    assert_true(m.t->effort.longest <= 0.1);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(as_the_model_says),
        TEST(an_option_goes_first),
        TEST(what_does_not_bind_does_nothing),
        TEST(steps_end_where_they_must),
    };
    return TESTS_RUN(tests);
}
