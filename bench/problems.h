// The benchmark problems: for each the model text, the hand-written ways, what is asked of liaison.
// SPDX-License-Identifier: MIT
#pragma once
#include "reference/hand.h"
#include <liaison/liaison.h>

typedef enum BenchWay { BENCH_GENERIC, BENCH_REDUCED, BENCH_WAYS } BenchWay;

typedef struct BenchProblem {
    const char* name;   // "chain-10"
    const char* model;  // file in bench/models
    int links;          // of a chain; else 0
    double t_end;
    double data[3];            // start of the hand-written ways
    int coordinates;           // how many coordinates are compared, first in every state
    const char* const* names;  // of those in the model; NULL: q[1], q[2], ...
    HandRun* run[BENCH_WAYS];
    HandRun* run_long[BENCH_WAYS];
    long double (*energy_long)(int n,
                               const long double* y);  // of the generic way; NULL: not conserved
    // targets; 0: none
    double ratio;  // time(liaison) / time(generic) at the same measured error
    double setup;  // seconds from the file to the first step
} BenchProblem;

extern const BenchProblem bench_problems[];
extern const int bench_problem_count;

#define BENCH_ERROR  1e-10  // at which times are compared
#define BENCH_MEMORY 100.0  // MB, most a run may take

/// The trusted final state: the reduced way in long double at 1e-17.
void bench_reference(const BenchProblem* problem, long double* y);
/// Largest error of the compared coordinates.
double bench_error(const BenchProblem* problem, const long double* y, const long double* reference);
