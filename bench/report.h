// What the benchmark says: tables for people, CSV for later.
// SPDX-License-Identifier: MIT
#pragma once
#include "measure.h"
#include "problems.h"
#include "product.h"
#include <stdio.h>

enum { BENCH_LIAISON = BENCH_WAYS, BENCH_COMPETITORS };  // after the hand-written ways

typedef struct BenchResult {
    const BenchProblem* problem;
    BenchCurve curves[BENCH_COMPETITORS];
    double seconds[BENCH_COMPETITORS];  // at BENCH_ERROR
    ProductProbe probe;
} BenchResult;

/// Work-precision table of one problem.
void report_curves(const BenchResult* result);
/// The ratios of all, beside their targets. Returns how many were missed.
int report_ratios(const BenchResult* results, int count);
/// Append the points to a CSV file; the header where `first`.
void report_csv(FILE* file, const BenchResult* result, int first);
