// Does what should not change grow along the run? A walk by rounding, which goes to and fro, is
// told from an error that adds up.
//
// It is looked at where steps end, however many samples there are, and summed up in bins of time.
// Where these are full, two and two become one: between half of them and all are in use, as long as
// the run may be.
//
// What the first half brought (steps of long runs are finer later: long_run.c) does not go on. The
// bins of the second are put into blocks one after the other, and what counts is by how much the
// mean of a block differs from the one before. Rounding makes differences of either sign: their
// mean is within a few deviations of zero, however far the walk has gone (differences of a random
// walk are independent, its values are not). Where errors add up, all are alike: Student's t = mean
// / (deviation / sqrt(number)).
// SPDX-License-Identifier: MIT
#include "motion/check/trend.h"
#include "base/numeric/thresholds.h"
#include "motion/check/energy_balance.h"
#include "motion/runner.h"
#include <math.h>

enum { BINS = LIA_TREND_BINS, BLOCKS = 16, STEPS_LEAST = 4 * BLOCKS };

size_t lia_trend_doubles(size_t quantities) {
    return sizeof(LiaTrend) / sizeof(double) + quantities * BINS;
}

static void halve(double* bin) {
    for (int b = 0; b < BINS / 2; b++) bin[b] = bin[2 * b] + bin[2 * b + 1];
    for (int b = BINS / 2; b < BINS; b++) bin[b] = 0.0;
}

void lia_trend_add(LiaTrend* trend, size_t quantities, double passed, double width,
                   const double* value) {
    if (!(trend->width > 0.0)) trend->width = width;
    if (!(trend->width > 0.0) || !(passed >= 0.0) || isinf(passed)) return;
    while (passed >= BINS * trend->width) {
        trend->width *= 2.0;
        halve(trend->count);
        halve(trend->time);
        for (size_t k = 0; k < quantities; k++) halve(trend->sum + k * BINS);
    }
    int bin = (int)(passed / trend->width);
    if (bin >= BINS) bin = BINS - 1;  // by rounding
    trend->count[bin] += 1.0;
    trend->time[bin] += passed;
    for (size_t k = 0; k < quantities; k++) trend->sum[k * BINS + (size_t)bin] += value[k];
}

static bool student(const double* mean) {
    double sum = 0.0, squares = 0.0;
    int n = BLOCKS - 1;
    for (int k = 0; k < n; k++) sum += mean[k + 1] - mean[k];
    for (int k = 0; k < n; k++) {
        double off = mean[k + 1] - mean[k] - sum / n;
        squares += off * off;
    }
    double deviation = sqrt(squares / (n - 1) / n);
    return fabs(sum / n) > LIA_TREND_SURE * deviation;
}

double lia_trend_rate(const LiaTrend* trend, size_t quantity, double least) {
    const double* sum = trend->sum + quantity * BINS;
    double mean[BLOCKS] = {0.0}, time[BLOCKS] = {0.0}, steps = 0.0;
    int used = BINS;
    while (used > 0 && trend->count[used - 1] == 0.0) used--;
    int half = used / 2, count = used - half;
    for (int b = 0; b < BLOCKS; b++) {
        int begin = half + count * b / BLOCKS, end = half + count * (b + 1) / BLOCKS;
        double there = 0.0;
        for (int bin = begin; bin < end; bin++) {
            there += trend->count[bin];
            mean[b] += sum[bin];
            time[b] += trend->time[bin];
        }
        if (there == 0.0) return 0.0;
        mean[b] /= there, time[b] /= there;
        steps += there;
    }
    double rise = mean[BLOCKS - 1] - mean[0], span = time[BLOCKS - 1] - time[0];
    if (steps < STEPS_LEAST || !(fabs(rise) > least) || !(span > 0.0) || !student(mean)) return 0.0;
    return rise / span;
}

// --- along the run -------------------------------------------------------------------------------

void lia_trend_look(LiaRunner* run, double energy) {
    const LiaJets* jets = &run->w->jets;
    uint32_t count = run->model->symmetries_count;
    for (uint32_t k = 0; k < count; k++) {
        LiaExpr momentum = run->system->observables.samples[LIA_SAMPLE_MOMENTA + k];
        run->met.kept_now[k] =
            lia_jet_coefficient(jets, lia_tape_register(jets->tape, momentum), 0) -
            run->met.momentum_first[k];
    }
    run->met.kept_now[count] = energy - run->met.momentum_first[count];
}

void lia_trend_step(LiaRunner* run) {
    uint32_t count = run->model->symmetries_count;
    double passed = fabs((run->w->t - run->out->t0) + run->low.t);
    double width = fmin(fabs(run->step.h), run->span / BINS);
    run->met.kept_now[count + 1] = lia_energy_balance_gap(run, run->balance.end);
    lia_trend_add(run->met.trend, count + 2, passed, width, run->met.kept_now);
}
