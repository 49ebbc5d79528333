// make bench: what a step costs as a system grows.
//
//     bench_scale [--quick] [--only NAME]... [--csv FILE]
//
// Chains in maximal coordinates must cost O(N): sparse elimination of K0. The time of a step is the
// difference of two runs of different length, CPU time, best of several; the set-up is that from
// the file to the first step.
// SPDX-License-Identifier: MIT
#include "measure.h"
#include "options.h"
#include "product.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Family {
    const char *name, *model, *what;
    int sizes[5];      // 0 ends
    int small, large;  // the ratio that is looked at; 0: none
    double most;       // of it
} Family;

static const Family families[] = {
    {"bodies",
     "bodies.lia",
     "free bodies in space, 11 N unknowns",
     {1, 10, 100, 1000},
     100,
     1000,
     12.0},
    {"rope",
     "rope.lia",
     "points in the plane at fixed distances, 3 N unknowns",
     {1, 10, 100, 1000},
     100,
     1000,
     12.0},
    {"planar", "chain.lia", "minimal coordinates, N unknowns", {1, 10, 100}, 0, 0, 0.0},
    {"net", "net.lia", "N x N points in space, some 5 N^2 unknowns", {5, 10, 20}, 0, 0, 0.0},
};

typedef struct Row {
    double setup, start, step;  // seconds: file to system; system to first step; one step
} Row;

static bool run_for(const Product* product, uint64_t steps, double* seconds, long* taken) {
    LiaTrajectory* t = product_run(product, 1e3, 1e-12, steps, seconds);
    if (!t) return false;
    *taken = product_steps(t);
    lia_trajectory_destroy(t);
    return true;
}

static bool measure(const Family* family, int size, Row* row) {
    // On a machine with neighbours calm moments are short: many rounds of short runs.
    enum { FEW = 2, MANY = 7, ROUNDS = 40 };
    Product product;
    LiaDefine define = {"N", size};
    double begin = bench_clock();
    if (!product_open(&product, family->model, &define, 1)) return false;
    *row = (Row){.setup = bench_clock() - begin, .start = INFINITY, .step = INFINITY};
    // short runs are repeated so often that they can be measured
    int repeats = size >= 100 ? 1 : 2000 / (size * size + 10);
    bool ok = true;
    double few_best = INFINITY, many_best = INFINITY;
    long few_steps = 0, many_steps = 0;
    for (int round = 0; ok && round < ROUNDS; round++) {
        double few = 0.0, many = 0.0, seconds;
        for (int i = 0; ok && i < repeats; i++) {
            ok = run_for(&product, FEW, &seconds, &few_steps);
            few += seconds;
            ok = ok && run_for(&product, MANY, &seconds, &many_steps);
            many += seconds;
        }
        few_best = fmin(few_best, few / repeats);
        many_best = fmin(many_best, many / repeats);
    }
    product_close(&product);
    ok = ok && many_steps > few_steps;
    if (ok) row->step = (many_best - few_best) / (double)(many_steps - few_steps);
    row->start = few_best - row->step * (double)few_steps;
    return ok;
}

// A ratio beyond its bound may be the neighbours': the larger system lives in the memory they
// share. Both sizes are measured again, alternately, and the best of each counts.
static void measure_again(const Family* family, double* small, double* large) {
    enum { TIMES = 4 };
    for (int i = 0; i<TIMES&& * large> family->most * *small; i++) {
        Row row;
        if (measure(family, family->small, &row)) *small = fmin(*small, row.step);
        if (measure(family, family->large, &row)) *large = fmin(*large, row.step);
    }
}

int main(int argc, char** argv) {
    BenchOptions options;
    if (!bench_options_read(&options, argc, argv, 0.0)) {
        fprintf(stderr, "usage: bench_scale [--quick] [--only NAME]... [--csv FILE]\n");
        return 1;
    }
    FILE* csv = options.csv ? fopen(options.csv, "w") : NULL;
    if (csv) fprintf(csv, "family,N,setup,start,step\n");
    bool ok = true;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        const Family* family = &families[f];
        if (!bench_options_want(&options, family->name)) continue;
        double small = NAN, large = NAN;
        printf("\n%s: %s\n%8s  %12s  %12s  %12s  %14s\n", family->name, family->what, "N", "set-up",
               "start", "step", "step per N");
        for (int k = 0; k < 5 && family->sizes[k]; k++) {
            int size = family->sizes[k];
            if (options.quick && size > 100) continue;
            Row row;
            if (!measure(family, size, &row)) {
                ok = false;
                continue;
            }
            printf("%8d  %9.4f s   %9.4f s   %9.2f us  %11.3f us\n", size, row.setup, row.start,
                   1e6 * row.step, 1e6 * row.step / size);
            fflush(stdout);
            if (csv)
                fprintf(csv, "%s,%d,%.6g,%.6g,%.6g\n", family->name, size, row.setup, row.start,
                        row.step);
            if (size == family->small) small = row.step;
            if (size == family->large) large = row.step;
        }
        if (large > 0.0) {
            measure_again(family, &small, &large);
            printf("  N = %d over N = %d: %.1f (at most %g)%s\n", family->large, family->small,
                   large / small, family->most, large / small <= family->most ? "" : "  MISSED");
        }
    }
    if (csv) fclose(csv);
    return !ok;
}
