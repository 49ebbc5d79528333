// Are the references right? Two derivations of the same motion must agree, energy must stay, the
// error must fall with the order of the method; and liaison, from the Lagrangian alone, must find
// the same.
// SPDX-License-Identifier: MIT
#include "sanity.h"
#include "measure.h"
#include "problems.h"
#include "product.h"
#include <math.h>
#include <stdio.h>

typedef struct Tally {
    int passed, failed;
} Tally;

static void check(Tally* tally, const BenchProblem* problem, const char* law, double value,
                  double most) {
    int well = value <= most;
    *(well ? &tally->passed : &tally->failed) += 1;
    printf("%-4s %-9s %-48s %9.2e  (at most %.1g)\n", well ? "ok" : "FAIL", problem->name, law,
           value, most);
}

static void check_references(Tally* tally, const BenchProblem* problem,
                             const long double* reference) {
    long double y[HAND_DIM_MAX], start[HAND_DIM_MAX];
    HandCount loose, tight;
    problem->run_long[BENCH_REDUCED](problem->data, problem->t_end, 1e-16, y, &loose);
    check(tally, problem, "reference: tighter tolerance, same motion",
          bench_error(problem, y, reference), 1e-13);
    problem->run_long[BENCH_GENERIC](problem->data, problem->t_end, 1e-15, y, &loose);
    check(tally, problem, "generic and reduced agree in long double",
          bench_error(problem, y, reference), 1e-11);
    for (int way = 0; way < BENCH_WAYS; way++) {
        problem->run[way](problem->data, problem->t_end, 1e-13, y, &loose);
        check(tally, problem, way == BENCH_GENERIC ? "generic in double" : "reduced in double",
              bench_error(problem, y, reference), 1e-10);
    }
    if (problem->energy_long) {
        problem->run_long[BENCH_GENERIC](problem->data, 1e-9, 1e-15, start, &loose);
        problem->run_long[BENCH_GENERIC](problem->data, problem->t_end, 1e-14, y, &loose);
        long double before = problem->energy_long(problem->links, start);
        long double after = problem->energy_long(problem->links, y);
        check(tally, problem, "energy is kept", (double)fabsl(after / before - 1.0L), 1e-11);
    }
    // Error over steps, from 1e-11 to 1e-15: the slope is the order, 8, within the noise of one end
    // point.
    long double coarse[HAND_DIM_MAX], fine[HAND_DIM_MAX];
    problem->run_long[BENCH_REDUCED](problem->data, problem->t_end, 1e-11, coarse, &loose);
    problem->run_long[BENCH_REDUCED](problem->data, problem->t_end, 1e-15, fine, &tight);
    double order =
        log(bench_error(problem, coarse, reference) / bench_error(problem, fine, reference)) /
        log((double)tight.steps / (double)loose.steps);
    check(tally, problem, "order of DOP853: distance from 8", fabs(order - 8.0), 1.5);
}

static void check_product(Tally* tally, const BenchProblem* problem, const long double* reference) {
    Product product;
    double error = NAN, seconds;
    if (product_open_problem(&product, problem)) {
        LiaTrajectory* trajectory = product_run(&product, problem->t_end, 1e-14, 0, &seconds);
        long double y[HAND_DIM_MAX];
        if (trajectory && product_final(trajectory, problem->coordinates, problem->names, y)) {
            error = bench_error(problem, y, reference);
        }
        lia_trajectory_destroy(trajectory);
        product_close(&product);
    }
    check(tally, problem, "liaison finds the same motion", error, 1e-10);
}

int bench_sanity(void) {
    Tally tally = {0, 0};
    for (int i = 0; i < bench_problem_count; i++) {
        const BenchProblem* problem = &bench_problems[i];
        long double reference[HAND_DIM_MAX];
        bench_reference(problem, reference);
        check_references(&tally, problem, reference);
        check_product(&tally, problem, reference);
    }
    printf("%d passed, %d failed\n", tally.passed, tally.failed);
    return tally.failed;
}
