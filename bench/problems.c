// The table of problems. See problems.h.
// SPDX-License-Identifier: MIT
#include "problems.h"
#include <math.h>

static const char* const skater_names[] = {"x", "y", "theta"};
static const char* const disc_names[] = {"x", "y", "psi", "phi", "th"};

#define RUNS(name)                                                                                 \
    .run = {name##_generic, name##_reduced}, .run_long = {name##_generic_long, name##_reduced_long}
#define CHAIN(n)                                                                                   \
    .name = "chain-" #n, .model = "chain.lia", .links = n, .data = {0.3}, .coordinates = n,        \
    .energy_long = chain_energy_long, RUNS(chain_##n)

const BenchProblem bench_problems[] = {
    {.name = "skater",
     .model = "skater.lia",
     .t_end = 100.0,
     .data = {0.3, 1.0, 0.0},
     .coordinates = 3,
     .names = skater_names,
     RUNS(skater),
     .ratio = 0.8},
    {.name = "disc",
     .model = "disc.lia",
     .t_end = 100.0,
     .data = {0.2, 0.3, 3.0},
     .coordinates = 5,
     .names = disc_names,
     RUNS(disc),
     .energy_long = disc_energy_long,
     .ratio = 2.0,
     .setup = 0.005},
    {CHAIN(2), .t_end = 100.0, .ratio = 2.0},
    {CHAIN(5), .t_end = 10.0},
    {CHAIN(10), .t_end = 10.0, .ratio = 1.3},
    {CHAIN(20), .t_end = 10.0, .ratio = 0.7},
    {CHAIN(40), .t_end = 10.0, .ratio = 0.4, .setup = 0.020},
};
const int bench_problem_count = sizeof bench_problems / sizeof *bench_problems;

void bench_reference(const BenchProblem* problem, long double* y) {
    HandCount count;
    problem->run_long[BENCH_REDUCED](problem->data, problem->t_end, 1e-17, y, &count);
}

double bench_error(const BenchProblem* problem, const long double* y,
                   const long double* reference) {
    double worst = 0.0;
    for (int i = 0; i < problem->coordinates; i++) {
        double error = (double)fabsl(y[i] - reference[i]);
        if (isnan(error)) return error;
        if (error > worst) worst = error;
    }
    return worst;
}
