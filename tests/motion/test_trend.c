// A walk is told from a drift, by numbers of which it is known what they are, and along runs
// however many samples they have.
//
// Tests: motion/check/trend.c
// SPDX-License-Identifier: MIT
#include "motion/check/trend.h"
#include "support/cases.h"
#include "support/motion.h"
#include <liaison/liaison.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 1001, KEPT = 2 };

typedef struct Walk {
    double room[1 + (2 + KEPT) * LIA_TREND_BINS];
    uint64_t seed;
} Walk;

static LiaTrend* trend_of(Walk* walk) { return (LiaTrend*)(void*)walk->room; }

static double chance(Walk* walk) {  // between -1 and 1
    walk->seed = walk->seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(walk->seed >> 11) / 4503599627370496.0 - 1.0;
}

static void begin(Walk* walk, uint64_t seed) {
    assert_int_equal(lia_trend_doubles(KEPT), sizeof walk->room / sizeof(double));
    memset(walk, 0, sizeof *walk);
    walk->seed = seed * 7919 + 1;
}

static void add(Walk* walk, double passed, double first, double second) {
    lia_trend_add(trend_of(walk), KEPT, passed, 2.0, (double[]){first, second});
}

static void a_random_walk_is_no_trend(void) {
    Walk walk;
    int called = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        begin(&walk, seed);
        double x = 0.5;
        for (int k = 1; k <= STEPS; k++) add(&walk, 2.0 * k, x += 1e-16 * chance(&walk), 0.0);
        called += lia_trend_rate(trend_of(&walk), 0, 0.0) != 0.0;
    }
    assert_true(called <= 4);  // one in a hundred
}

static void what_comes_at_the_beginning_only_is_no_trend(void) {
    Walk walk;
    begin(&walk, 3);
    for (int k = 1; k <= STEPS; k++) add(&walk, 2.0 * k, 1e-11 * (1.0 - exp(-k / 20.0)), 0.0);
    assert_true(lia_trend_rate(trend_of(&walk), 0, 0.0) == 0.0);
}

static void a_drift_in_noise_is_measured(void) {
    Walk walk;
    for (uint64_t seed = 0; seed < 50; seed++) {
        begin(&walk, seed);
        double x = 0.0;
        for (int k = 1; k <= STEPS; k++) {
            x += 1e-13 * chance(&walk);
            add(&walk, 2.0 * k, 3.0, 3.0 + 1e-12 * chance(&walk) + x - 1e-13 * 2.0 * k);
        }
        double slope = lia_trend_rate(trend_of(&walk), 1, 1e-11);
        assert_true(fabs(slope + 1e-13) < 2e-14);
        assert_true(lia_trend_rate(trend_of(&walk), 1, 1e-9) == 0.0);  // not worth a word
        assert_true(lia_trend_rate(trend_of(&walk), 0, 0.0) == 0.0);
    }
}

// Bins become wider as the run becomes longer: from one step to a million of them, and where steps
// become longer by themselves.
static void the_length_of_the_run_does_not_matter(void) {
    for (int steps = 128; steps <= 1 << 20; steps *= 4) {
        Walk walk;
        begin(&walk, 1);
        for (int k = 1; k <= steps; k++) add(&walk, k, 1e-3 * k, 0.0);
        assert_true(fabs(lia_trend_rate(trend_of(&walk), 0, 0.0) / 1e-3 - 1.0) < 1e-9);
        begin(&walk, 1);  // steps become longer by themselves
        for (int k = 1; k <= 4 * steps; k++) {
            double passed = 1e-4 * k * k;
            lia_trend_add(trend_of(&walk), KEPT, passed, 1e-4, (double[]){1e-3 * passed, 0.0});
        }
        assert_true(fabs(lia_trend_rate(trend_of(&walk), 0, 0.0) / 1e-3 - 1.0) < 1e-9);
    }
}

static void few_steps_tell_nothing(void) {
    Walk walk;
    begin(&walk, 1);
    for (int k = 1; k <= 120; k++) add(&walk, 2.0 * k, k, 0.0);
    assert_true(lia_trend_rate(trend_of(&walk), 0, 0.0) == 0.0);
    for (int k = 121; k <= 130; k++) add(&walk, 2.0 * k, k, 0.0);
    assert_true(fabs(lia_trend_rate(trend_of(&walk), 0, 0.0) - 0.5) < 1e-12);
    begin(&walk, 1);  // a thousand of them at two instants are two
    for (int k = 1; k <= 1000; k++) add(&walk, k <= 500 ? 1.0 : 1e9, k, 0.0);
    assert_true(lia_trend_rate(trend_of(&walk), 0, 0.0) == 0.0);
}

// --- along runs ----------------------------------------------------------------------------------

static const char swings[] = "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                             "potential (x^2 + y^2)/2\nsymmetry turn: x' = -y, y' = x\n"
                             "start x = 1, y' = 1.1\nrun t = 0..300000, tolerance 1e-8\n";

// Of the energy and the momentum, which errors of loose steps change.
static void growth(const LiaTrajectory* t, double* energy, double* momentum) {
    LiaConservedInfo info;
    assert_int_equal(lia_trajectory_conserved_count(t), 2);
    assert_true(lia_trajectory_conserved(t, 0, &info, sizeof info));
    *energy = info.growth;
    assert_true(lia_trajectory_conserved(t, 1, &info, sizeof info));
    *momentum = info.growth;
}

static void however_many_samples_there_are(void) {
    const size_t samples[] = {2, 1001};
    double energy[2], momentum[2];
    for (int k = 0; k < 2; k++) {
        Motion m = motion_of(swings, &(MotionOptions){.run = {.samples = samples[k]}});
        assert_int_equal(m.status, LIA_OK);
        growth(m.t, &energy[k], &momentum[k]);
        double rise = (motion_value(&m, samples[k] - 1, "energy") - 1.105) / 1.105;
        assert_true(energy[k] / (rise / 300000.0) > 0.05 && energy[k] / (rise / 300000.0) < 1.0);
        motion_clear(&m);
    }
    assert_true(energy[0] != 0.0 && energy[0] == energy[1]);
    assert_true(momentum[0] != 0.0 && momentum[0] == momentum[1]);
}

static void a_run_that_goes_on_says_the_same(void) {
    char file[64];
    snprintf(file, sizeof file, "/tmp/liaison-trend-%ld", (long)getpid());
    double whole[2], parts[2];
    Motion m = motion_of(swings, &(MotionOptions){0});
    growth(m.t, &whole[0], &whole[1]);
    LiaTrajectory* t = NULL;
    LiaRunOptions first = {.steps_most = 130000, .checkpoint = file};
    assert_int_equal(lia_motion_run(m.system, &first, m.diags, &t), LIA_STOPPED);
    lia_trajectory_destroy(t);
    LiaRunOptions second = {.resume = file};
    assert_int_equal(lia_motion_run(m.system, &second, m.diags, &t), LIA_OK);
    growth(t, &parts[0], &parts[1]);
    assert_true(parts[0] == whole[0] && parts[1] == whole[1]);
    assert_true(whole[0] != 0.0 && whole[1] != 0.0);
    lia_trajectory_destroy(t);
    unlink(file);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_random_walk_is_no_trend),        TEST(what_comes_at_the_beginning_only_is_no_trend),
        TEST(a_drift_in_noise_is_measured),     TEST(the_length_of_the_run_does_not_matter),
        TEST(few_steps_tell_nothing),           TEST(however_many_samples_there_are),
        TEST(a_run_that_goes_on_says_the_same),
    };
    return TESTS_RUN(tests);
}
