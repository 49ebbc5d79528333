// Errors that grow along a run. See trend.c.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

typedef struct LiaRunner LiaRunner;

enum { LIA_TREND_BINS = 256 };

// What does not change but for errors, at the ends of steps, summed up by parts of the time. Its
// numbers are doubles, all of them: it stands in the block of the run.
typedef struct LiaTrend {
    double width;                  // of a bin; 0: no step was noted
    double count[LIA_TREND_BINS];  // steps that ended in it
    double time[LIA_TREND_BINS];   // sum of when they did
    double sum[];                  // of the values, by quantity and bin
} LiaTrend;

/// How many doubles there are of so many quantities.
size_t lia_trend_doubles(size_t quantities);
/// The values, less the first ones, where a step ends: `passed` since the start of the run. Bins
/// are at first as wide as `width`.
void lia_trend_add(LiaTrend* trend, size_t quantities, double passed, double width,
                   const double* value);
/// By how much a quantity grows in a second: 0 where the second half of the run adds no more than
/// `least`, or no more than rounding makes it wander.
double lia_trend_rate(const LiaTrend* trend, size_t quantity, double least);
/// The momenta and the energy where a step ends, which is good if it is taken: after the energy.
void lia_trend_look(LiaRunner* run, double energy);
/// The step was taken: the same, and what the ledger lacks.
void lia_trend_step(LiaRunner* run);
