// make bench: many contacts. Smooth elastic balls in a box, one contact for each pair and each
// wall.
//
//     bench_contacts [--quick] [--only NAME]... [--csv FILE]
//
// growth: what a step without events costs as their number grows, and an event in steps. The time
// of a step is that of a motion before the first collision in steps of equal length; an event is
// what the rest of the time comes to.
// collisions: 200 balls until 10,000 collisions; the cost of one, and what the ledger leaves.
// heap: ten inelastic balls fall into a box and come to rest.
// wall: a thin wall at high speed, with a loose tolerance: no impact is lost.
// SPDX-License-Identifier: MIT
#include "measure.h"
#include "options.h"
#include "product.h"
#include <liaison/trajectory.h>
#include <math.h>
#include <stdio.h>

typedef struct Size {
    int rows, columns;
} Size;

static const Size sizes[] = {{5, 5}, {5, 10}, {10, 10}, {10, 20}};

typedef struct Row {
    double step, event;  // seconds
    double balance;      // what the ledger leaves
    size_t events;
    uint64_t steps;
} Row;

static bool open_balls(Product* product, const Size* size) {
    const LiaDefine defines[] = {{"A", size->rows}, {"B", size->columns}};
    return product_open(product, "balls.lia", defines, 2);
}

static bool run(const Product* product, double until, double step_most, double* seconds,
                LiaMotionInfo* info, size_t* events) {
    LiaRunOptions options = {
        .until = &until, .tolerance = 1e-12, .samples = 2, .step_most = step_most};
    LiaTrajectory* t = NULL;
    double begin = bench_clock();
    LiaStatus status = lia_motion_run(product->system, &options, product->diags, &t);
    *seconds = bench_clock() - begin;
    bool good = status == LIA_OK && lia_trajectory_info(t, info, sizeof *info);
    if (good) *events = lia_trajectory_events(t);
    lia_trajectory_destroy(t);
    return good;
}

// No ball reaches another one or a wall before t = 0.15.
static bool measure(const Size* size, double until, Row* row) {
    enum { ROUNDS = 3 };
    const double quiet = 0.1;
    Product product;
    if (!open_balls(&product, size)) return false;
    double few = INFINITY, many = INFINITY, whole = INFINITY, seconds;
    LiaMotionInfo info = {0};
    uint64_t few_steps = 0, many_steps = 0;
    size_t none;
    bool good = true;
    for (int i = 0; good && i < ROUNDS; i++) {
        good = run(&product, quiet, quiet / 5.0, &seconds, &info, &none);
        few = fmin(few, seconds), few_steps = info.steps;
        good = good && run(&product, quiet, quiet / 50.0, &seconds, &info, &none);
        many = fmin(many, seconds), many_steps = info.steps;
        if (i > 0 && size->rows * size->columns > 100) continue;
        good = good && run(&product, until, 0.0, &seconds, &info, &row->events);
        whole = fmin(whole, seconds);
        row->steps = info.steps;
        row->balance = info.balance;
        if (row->events == 0) good = false;
    }
    product_close(&product);
    if (!good) return false;
    row->step = (many - few) / (double)(many_steps - few_steps);
    double begin = few - (double)few_steps * row->step;
    row->event = (whole - begin - (double)row->steps * row->step) / (double)row->events;
    return true;
}

static bool grow(FILE* csv, bool quick) {
    printf("\nballs: N balls in a box, N (N - 1)/2 + 4 N contacts\n%8s  %10s  %12s  %12s  %14s\n",
           "N", "contacts", "step", "event", "event in steps");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int n = sizes[i].rows * sizes[i].columns;
        Row row;
        if (quick && n > 50) continue;
        if (!measure(&sizes[i], n > 100 ? 0.3 : 0.5, &row)) return false;
        printf("%8d  %10d  %9.3f ms  %9.3f ms  %14.1f\n", n, n * (n - 1) / 2 + 4 * n,
               1e3 * row.step, 1e3 * row.event, row.event / row.step);
        fflush(stdout);
        if (csv) fprintf(csv, "%d,%.6g,%.6g,%zu\n", n, row.step, row.event, row.events);
    }
    return true;
}

// Until so many have happened: the rate is known after a while.
static bool collide(bool quick) {
    const Size* size = &sizes[quick ? 0 : 3];
    size_t wanted = quick ? 200 : 10000, events = 0;
    double until = 0.5, seconds = 0.0;
    LiaMotionInfo info = {0};
    Product product;
    if (!open_balls(&product, size)) return false;
    bool good = run(&product, until, 0.0, &seconds, &info, &events) && events > 0;
    until *= 1.02 * (double)wanted / (double)(events ? events : 1);
    good = good && run(&product, until, 0.0, &seconds, &info, &events);
    if (good)
        printf("\ncollisions: %d balls, %zu collisions in t = 0..%.3g: %.3f ms each, %llu steps, "
               "the energy is off by %.1e, the ledger leaves %.1e\n",
               size->rows * size->columns, events, until, 1e3 * seconds / (double)events,
               (unsigned long long)info.steps,
               fabs(info.energy_end - info.energy_start) / info.energy_start, info.balance);
    product_close(&product);
    return good;
}

static bool settle(void) {
    double until = 20.0, seconds;
    size_t events = 0;
    LiaMotionInfo info = {0};
    Product product;
    if (!product_open(&product, "heap.lia", NULL, 0)) return false;
    bool good = run(&product, until, 0.0, &seconds, &info, &events);
    if (good)
        printf("\nheap: 10 balls at rest after %zu events in %.2f s, %llu steps, the ledger leaves "
               "%.1e\n",
               events, seconds, (unsigned long long)info.steps, info.balance);
    product_close(&product);
    return good;
}

static bool strike(void) {
    const double until = 1.0, speed = 1000.0;  // the walls are at 0 and 1
    LiaRunOptions options = {.until = &until, .tolerance = 1e-3, .samples = 2};
    LiaTrajectory* t = NULL;
    Product product;
    if (!product_open(&product, "wall.lia", NULL, 0)) return false;
    bool good = lia_motion_run(product.system, &options, product.diags, &t) == LIA_OK;
    size_t events = good ? lia_trajectory_events(t) : 0;
    printf("\nwall: %zu of %.0f impacts at tolerance 1e-3\n", events, speed * until);
    lia_trajectory_destroy(t);
    product_close(&product);
    return good && (double)events == speed * until;
}

int main(int argc, char** argv) {
    BenchOptions options;
    if (!bench_options_read(&options, argc, argv, 0.0)) {
        fprintf(stderr, "usage: bench_contacts [--quick] [--only NAME]... [--csv FILE]\n");
        return 1;
    }
    FILE* csv = options.csv ? fopen(options.csv, "w") : NULL;
    if (csv) fprintf(csv, "N,step,event,events\n");
    bool good = true;
    if (bench_options_want(&options, "growth")) good = grow(csv, options.quick);
    if (bench_options_want(&options, "collisions")) good = collide(options.quick) && good;
    if (bench_options_want(&options, "heap")) good = settle() && good;
    if (bench_options_want(&options, "wall")) good = strike() && good;
    if (csv) fclose(csv);
    return !good;
}
