// Does what should not change grow along the run? A walk by rounding, which goes to and fro, is
// told from an error that adds up.
//
// What the first half brought (steps of long runs are finer later: long_run.c) does not go on. The
// samples of the second are put into blocks one after the other, and what counts is by how much the
// mean of a block differs from the one before. Rounding makes differences of either sign: their
// mean is within a few deviations of zero, however far the walk has gone (differences of a random
// walk are independent, its values are not). Where errors add up, all are alike: Student's t = mean
// / (deviation / sqrt(number)).
// SPDX-License-Identifier: MIT
#include "motion/check/trend.h"
#include "base/numeric/thresholds.h"
#include "motion/runner.h"
#include <math.h>

enum { BLOCKS = 16, SAMPLES_LEAST = 8 * BLOCKS };

// One value of a row: what the column says, less the columns of works where the ledger is asked.
static double value_of(const LiaTrajectory* out, size_t row, size_t column, bool ledger) {
    const double* values = out->rows.values + row * out->column_count;
    double sum = values[column];
    for (size_t k = out->csv_count; ledger && k < out->column_count; k++) {
        if (out->columns[k].kind == LIA_COLUMN_WORK) sum -= values[k];
    }
    return sum;
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

double lia_trend(const LiaTrajectory* out, size_t column, bool ledger, double least) {
    double mean[BLOCKS] = {0.0}, time[BLOCKS] = {0.0};
    if (out->rows.count < SAMPLES_LEAST) return 0.0;
    size_t half = out->rows.count / 2, count = out->rows.count - half;
    double first = value_of(out, half, column, ledger);
    for (int b = 0; b < BLOCKS; b++) {
        size_t begin = half + count * (size_t)b / BLOCKS;
        size_t end = half + count * (size_t)(b + 1) / BLOCKS;
        for (size_t row = begin; row < end; row++) {
            double part = 1.0 / (double)(end - begin);
            mean[b] += part * (value_of(out, row, column, ledger) - first);
            time[b] += part * (out->rows.values[row * out->column_count] - out->t0);
        }
    }
    double rise = mean[BLOCKS - 1] - mean[0], span = time[BLOCKS - 1] - time[0];
    if (!(fabs(rise) > least) || !(fabs(span) > 0.0) || !student(mean)) return 0.0;
    return rise / span;
}
