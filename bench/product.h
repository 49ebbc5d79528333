// liaison as a competitor: through the public header and nothing else.
// SPDX-License-Identifier: MIT
#pragma once
#include "problems.h"
#include <stdbool.h>

typedef struct Product {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
} Product;

/// Read the model file of a problem and build its system. False: the reason was printed.
bool product_open(Product* product, const char* model, const LiaDefine* defines, int define_count);
bool product_open_problem(Product* product, const BenchProblem* problem);
void product_close(Product* product);
/// Run the motion. NULL: the reason was printed. `seconds` is the time of the run alone.
LiaTrajectory* product_run(const Product* product, double t_end, double tolerance,
                           uint64_t steps_most, double* seconds);
/// Final positions by name; `names` NULL: q[1], q[2], ...
bool product_final(const LiaTrajectory* trajectory, int count, const char* const* names,
                   long double* y);
/// Steps taken, from the JSON of the result.
long product_steps(const LiaTrajectory* trajectory);

typedef struct ProductProbe {
    double setup;   // seconds of CPU from the file to the first step, in a fresh process
    double memory;  // MB, peak of that process, after a whole motion at 1e-12
} ProductProbe;

/// Best of `times` fresh processes.
bool product_probe(const BenchProblem* problem, int times, ProductProbe* probe);
