// Time and error: the points of a work-precision curve, and the time at a given error.
// SPDX-License-Identifier: MIT
#pragma once

#define BENCH_POINTS_MAX 32

typedef struct BenchPoint {
    double tolerance;  // asked for
    double error;      // measured
    double seconds;    // of this thread's CPU, best of all runs
    long steps;
} BenchPoint;

typedef struct BenchCurve {
    const char* who;
    int count;
    BenchPoint points[BENCH_POINTS_MAX];  // tolerances falling
} BenchCurve;

/// CPU time of this thread, seconds.
double bench_clock(void);
/// Add the points of tolerances from `loose` down to `tight`, `per_decade` in each decade.
void bench_curve_init(BenchCurve* curve, const char* who, double loose, double tight,
                      int per_decade);
/// Keep the best time of a point.
void bench_point_time(BenchPoint* point, double seconds);
/// Time at which the measured error is `error`; NAN if it is never reached.
double bench_curve_time(const BenchCurve* curve, double error);
