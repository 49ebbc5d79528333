// Loads on what touches, with corners of all kinds: as long as nothing pulls, nothing moves,
// whatever the steps, and the contact bears the load. A pin turns by the integral of its load.
//
// By law: motion/contact/gaps.c: what touches without a force bears what comes after a corner
// SPDX-License-Identifier: MIT
#include "../support/cases.h"
#include "../support/motion.h"
#include "motion/result/trajectory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// Never negative over 0..3, with their integral and their value at 3.
typedef struct Load {
    const char* text;
    double integral, last;
} Load;

static const Load loads[] = {
    {"if(t < 1, 0, 1)", 2.0, 1.0},
    {"abs(1 - t)", 2.5, 2.0},
    {"if(t < 1, 1 - t, t - 1)", 2.5, 2.0},
    {"if(t < 1, 1 - t, (t - 1)^2)", 0.5 + 8.0 / 3.0, 4.0},
    {"max(1 - t, 2*t - 2)", 4.5, 4.0},
    {"max(0, t - 1)", 2.0, 2.0},
    {"max(0, t - 1)^2", 8.0 / 3.0, 4.0},
    {"max(0, 1 - t) + max(0, t - 2)", 1.0, 1.0},
    {"max(0, 1 - t)", 0.5, 0.0},
    {"max(0, 1 - abs(t - 1.5)/0.25)", 0.25, 0.0},
    {"min(1, abs(t - 1)/0.1)", 2.9, 1.0},
    {"(1 - t)^2", 3.0, 4.0},
    {"abs(1 - t)*abs(2 - t)", 11.0 / 6.0, 2.0},
    {"max(max(0, t - 1), max(0, 2*t - 4))", 2.0, 2.0},
    {"if(abs(t - 1.5) < 0.001, 1000, 0)", 2.0, 0.0},
    {"1 + sign(t - 1)", 4.0, 2.0},
    {"abs(sin(3*t))", 1.9703767539615589, 0.41211848524175657},
};
enum { LOADS = sizeof loads / sizeof *loads };

static const char* const steps[] = {"", ", step at most 0.05", ", step at most 0.013"};
enum { STEPS = sizeof steps / sizeof *steps };

static Motion run_of(const char* format, const Load* load, int step) {
    char text[1024];
    snprintf(text, sizeof text, format, load->text, steps[step]);
    return motion_of(text, &(MotionOptions){0});
}

static void nothing_moves_that_is_pressed(void) {
    static const char text[] = "coordinate z : line\nkinetic z'^2/2\nforce press: -(%s)*d(z)\n"
                               "contact floor: z >= 0\nstart z = 0\nrun t = 0..3%s\n";
    for (int i = 0; i < LOADS * STEPS; i++) {
        Motion m = run_of(text, &loads[i / STEPS], i % STEPS);
        bool ok = m.t && m.t->status == LIA_OK && fabs(motion_final(&m, "z")) < 1e-13 &&
                  fabs(motion_final(&m, "force(floor)") - loads[i / STEPS].last) < 1e-11;
        if (!ok) printf("%s%s\n", loads[i / STEPS].text, steps[i % STEPS]);
        assert_true(ok);
        motion_clear(&m);
    }
}

// The first of three in a row is pushed: each has a third of what that gives.
static void what_touches_in_a_row_goes_along(void) {
    static const char text[] = "coordinate x[i = 1..3] : line\nkinetic sum(i = 1..3, x[i]'^2/2)\n"
                               "force push: (%s)*d(x[1])\n"
                               "contact buffer[i = 1..2]: x[i+1] - x[i] >= 1\n"
                               "start x[1] = 0, x[2] = 1, x[3] = 2\nrun t = 0..3%s\n";
    for (int i = 0; i < LOADS * STEPS; i++) {
        Motion m = run_of(text, &loads[i / STEPS], i % STEPS);
        double speed = loads[i / STEPS].integral / 3.0;
        bool ok = m.t && m.t->status == LIA_OK &&
                  fabs(motion_final(&m, "x[1]'") - speed) < 1e-11 * (1.0 + speed) &&
                  fabs(motion_final(&m, "x[3]'") - speed) < 1e-11 * (1.0 + speed);
        if (!ok) printf("%s%s\n", loads[i / STEPS].text, steps[i % STEPS]);
        assert_true(ok);
        motion_clear(&m);
    }
}

// A wheel of inertia 1 on a rough pin: w' = -0.02 |load|.
static void a_pin_turns_by_the_integral_of_its_load(void) {
    static const char text[] =
        "coordinate x, y : line, a : circle\nkinetic (x'^2 + y'^2 + a'^2)/2\n"
        "force load: (%s)*(0.6*d(x) + 0.8*d(y))\n"
        "constraint pin: [x, y] = [0, 0] slip a' friction 0.02\n"
        "start a' = 1\nrun t = 0..3%s\n";
    for (int i = 0; i < LOADS * STEPS; i++) {
        Motion m = run_of(text, &loads[i / STEPS], i % STEPS);
        double speed = 1.0 - 0.02 * loads[i / STEPS].integral;
        bool ok = m.t && m.t->status == LIA_OK && fabs(motion_final(&m, "a'") - speed) < 1e-11;
        if (!ok)
            printf("%s%s: %.17g for %.17g\n", loads[i / STEPS].text, steps[i % STEPS],
                   m.t ? motion_final(&m, "a'") : NAN, speed);
        assert_true(ok);
        motion_clear(&m);
    }
}

// Nothing pulls at what sticks: it stays, though its bound vanishes now and then.
static void what_sticks_without_a_pull_stays(void) {
    static const char* const pins[] = {"[x, y] = [0, 0]", "0.6*x + 0.8*y = 0"};
    char text[1024];
    for (int i = 0; i < LOADS * STEPS * 2; i++) {
        const Load* load = &loads[i / 2 / STEPS];
        snprintf(text, sizeof text,
                 "coordinate x, y : line, a : circle\nkinetic (x'^2 + y'^2 + a'^2)/2\n"
                 "force load: (%s)*(0.6*d(x) + 0.8*d(y))\nconstraint side: 0.6*y - 0.8*x = 0\n"
                 "constraint pin: %s slip a' friction 0.02\nrun t = 0..3%s\n",
                 load->text, pins[i % 2], steps[i / 2 % STEPS]);
        char* side = i % 2 == 0 ? strstr(text, "constraint side") : NULL;
        if (side) memset(side, ' ', strlen("constraint side: 0.6*y - 0.8*x = 0"));
        Motion m = motion_of(text, &(MotionOptions){0});
        bool ok = m.t && m.t->status == LIA_OK && fabs(motion_final(&m, "a")) < 1e-14;
        if (!ok) printf("%s\n", text);
        assert_true(ok);
        motion_clear(&m);
    }
}

// A belt that goes forth, back and forth again, in many spellings, under a block on a rail and on a
// floor: to 1 in 1/3 s, from 1 to -1 in 2/3 s, and back.
static void a_belt_is_one_however_it_is_written(void) {
    static const char* const belts[] = {
        "if(t < 1 or t > 2, 1, -1)", "1 - 2*if(t > 1 and t < 2, 1, 0)",
        "sign(abs(t - 1.5) - 0.5)",  "sign(sin(pi*t))",
        "sign((t - 1)*(t - 2))",     "if(t < 1, 1, if(t < 2, -1, 1))",
        "if(sin(pi*t) > 0, 1, -1)",  "sign(wrap(pi*t))",
    };
    static const char* const holds[] = {"constraint rail: z = 0", "contact rail: z >= 0"};
    const int count = sizeof belts / sizeof *belts;
    char text[1024];
    for (int i = 0; i < count * STEPS * 2; i++) {
        snprintf(text, sizeof text,
                 "coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\npotential 10*z\n"
                 "%s slip x' - (%s) friction 0.3\nrun t = 0..2.9%s\n",
                 holds[i % 2], belts[i / 2 / STEPS], steps[i / 2 % STEPS]);
        Motion m = motion_of(text, &(MotionOptions){0});
        bool ok = m.t && m.t->status == LIA_OK &&
                  fabs(motion_final(&m, "x") - 11.0 / 15.0) < 1e-11 &&
                  fabs(motion_final(&m, "x'") - 1.0) < 1e-11;
        if (!ok) printf("%s\n", text);
        assert_true(ok);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(nothing_moves_that_is_pressed),           TEST(what_touches_in_a_row_goes_along),
        TEST(a_pin_turns_by_the_integral_of_its_load), TEST(what_sticks_without_a_pull_stays),
        TEST(a_belt_is_one_however_it_is_written),
    };
    return TESTS_RUN(tests);
}
