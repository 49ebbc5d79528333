// The command line that the benchmarks share: --quick, --only NAME, --seconds S, --csv FILE.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

typedef struct BenchOptions {
    bool quick;
    const char* only[16];
    int only_count;
    double seconds;  // for each problem
    const char* csv;
} BenchOptions;

/// False if something on it is not known. `seconds` is what is taken if nothing is said.
bool bench_options_read(BenchOptions* options, int argc, char** argv, double seconds);
/// Is this one asked for? All are where none is named.
bool bench_options_want(const BenchOptions* options, const char* name);
