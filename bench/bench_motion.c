// make bench: liaison against hand-written C, in one run.
//
//     bench_motion [--quick] [--only NAME]... [--seconds S] [--csv FILE]
//
// Every competitor runs every tolerance in turn, round after round, so that a slow moment of the
// machine hits all of them alike; the best time of each counts. See README.md beside this file.
// SPDX-License-Identifier: MIT
#include "ensemble.h"
#include "measure.h"
#include "options.h"
#include "problems.h"
#include "product.h"
#include "report.h"
#include "sanity.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One visit to a point: short runs are repeated at once, so that caches and branches are warm.
enum { VISIT_RUNS = 4 };
static const double visit_seconds = 0.004;

static bool visit_product(const Product* product, const BenchProblem* problem,
                          const long double* reference, BenchPoint* point) {
    double spent = 0.0;
    for (int i = 0; i < VISIT_RUNS && spent < visit_seconds; i++) {
        double seconds;
        LiaTrajectory* trajectory =
            product_run(product, problem->t_end, point->tolerance, 0, &seconds);
        if (!trajectory) return false;
        bench_point_time(point, seconds);
        spent += seconds;
        if (isnan(point->error)) {
            long double y[HAND_DIM_MAX];
            if (product_final(trajectory, problem->coordinates, problem->names, y)) {
                point->error = bench_error(problem, y, reference);
            }
            point->steps = product_steps(trajectory);
        }
        lia_trajectory_destroy(trajectory);
    }
    return true;
}

static void visit_hand(const BenchProblem* problem, int way, const long double* reference,
                       BenchPoint* point) {
    double spent = 0.0;
    for (int i = 0; i < VISIT_RUNS && spent < visit_seconds; i++) {
        long double y[HAND_DIM_MAX];
        HandCount count;
        double begin = bench_clock();
        problem->run[way](problem->data, problem->t_end, point->tolerance, y, &count);
        double seconds = bench_clock() - begin;
        bench_point_time(point, seconds);
        spent += seconds;
        point->error = bench_error(problem, y, reference);
        point->steps = count.steps;
    }
}

static bool measure(const BenchProblem* problem, double seconds, BenchResult* result) {
    *result = (BenchResult){.problem = problem};
    bench_curve_init(&result->curves[BENCH_GENERIC], "hand C generic", 1e-7, 1e-14, 2);
    bench_curve_init(&result->curves[BENCH_REDUCED], "hand C reduced", 1e-7, 1e-14, 2);
    bench_curve_init(&result->curves[BENCH_LIAISON], "liaison", 1e-7, 1e-15, 2);
    long double reference[HAND_DIM_MAX];
    bench_reference(problem, reference);
    Product product;
    if (!product_probe(problem, 7, &result->probe) || !product_open_problem(&product, problem)) {
        return false;
    }

    bool well = true;
    double begin = bench_clock();
    for (int round = 0; well && (round < 3 || bench_clock() - begin < seconds); round++) {
        for (int i = 0; i < BENCH_POINTS_MAX && well; i++) {
            for (int c = 0; c < BENCH_COMPETITORS && well; c++) {
                BenchCurve* curve = &result->curves[c];
                if (i >= curve->count) continue;
                if (c == BENCH_LIAISON) {
                    well = visit_product(&product, problem, reference, &curve->points[i]);
                } else {
                    visit_hand(problem, c, reference, &curve->points[i]);
                }
            }
        }
    }
    for (int c = 0; c < BENCH_COMPETITORS; c++) {
        result->seconds[c] = bench_curve_time(&result->curves[c], BENCH_ERROR);
    }
    product_close(&product);
    return well;
}

int main(int argc, char** argv) {
    BenchOptions options;
    if (!bench_options_read(&options, argc, argv, 7.0)) {
        fprintf(stderr,
                "bench_motion [--quick] [--only NAME]... [--seconds S] [--csv FILE]\nNAME:");
        for (int i = 0; i < bench_problem_count; i++)
            fprintf(stderr, " %s", bench_problems[i].name);
        fprintf(stderr, " ensemble\n");
        return 1;
    }
    if (options.quick) return bench_sanity() == 0 ? 0 : 1;

    FILE* csv = options.csv ? fopen(options.csv, "w") : NULL;
    if (options.csv && !csv) {
        perror(options.csv);
        return 1;
    }
    static BenchResult results[32];
    int count = 0, failed = 0;
    for (int i = 0; i < bench_problem_count; i++) {
        if (!bench_options_want(&options, bench_problems[i].name)) continue;
        if (!measure(&bench_problems[i], options.seconds, &results[count])) {
            printf("\n%s: liaison did not run\n", bench_problems[i].name);
            failed++;
            continue;
        }
        report_curves(&results[count]);
        if (csv) report_csv(csv, &results[count], count == 0);
        count++;
        fflush(stdout);
    }
    if (bench_options_want(&options, "ensemble") && !bench_ensemble(options.seconds)) failed++;
    int missed = count ? report_ratios(results, count) : 0;
    if (missed) printf("%d targets missed\n", missed);
    if (csv && fclose(csv) != 0) failed++;
    if (options.csv) printf("points: %s\n", options.csv);
    return failed ? 1 : 0;
}
