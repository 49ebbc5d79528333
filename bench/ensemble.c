// The ensemble: skater i of 10,000, t = 0..10, with
//   s = 0.8 sin(2 t + al),  th' = 0.1,  speed 0.5 + 1.5 i/10000,
//   th = 2 pi (7919 i mod 10000)/10000,  al = 2 pi (104729 i mod 10000)/10000.
// Every hundredth of them is run, single trajectories in a loop: enough for a stable mean.
// SPDX-License-Identifier: MIT
#include "ensemble.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WHOLE = 10000, EVERY = 100, MEMBERS = WHOLE / EVERY };

typedef struct Member {
    double data[3];  // heading, speed, phase
    long double reference[6];
    Product product;
} Member;

static void member_init(Member* member, long i) {
    const double turn = 6.283185307179586;
    HandCount count;
    *member =
        (Member){.data = {turn * (double)(7919 * i % WHOLE) / WHOLE, 0.5 + 1.5 * (double)i / WHOLE,
                          turn * (double)(104729 * i % WHOLE) / WHOLE}};
    skater_reduced_long(member->data, 10.0, 1e-17, member->reference, &count);
}

static bool member_open(Member* member) {
    LiaDefine defines[] = {
        {"heading", member->data[0]}, {"speed", member->data[1]}, {"phase", member->data[2]}};
    return product_open(&member->product, "skater.lia", defines, 3);
}

// All members once at one tolerance: total time, largest error.
static bool run_all(Member* members, const BenchProblem* skater, int who, BenchPoint* point) {
    double total = 0.0;
    point->error = 0.0;
    for (int i = 0; i < MEMBERS; i++) {
        Member* member = &members[i];
        long double y[6];
        double seconds;
        if (who == BENCH_LIAISON) {
            LiaTrajectory* trajectory =
                product_run(&member->product, 10.0, point->tolerance, 0, &seconds);
            bool well = trajectory && product_final(trajectory, 3, skater->names, y);
            lia_trajectory_destroy(trajectory);
            if (!well) return false;
        } else {
            HandCount count;
            double begin = bench_clock();
            skater->run[who](member->data, 10.0, point->tolerance, y, &count);
            seconds = bench_clock() - begin;
        }
        total += seconds;
        point->error = fmax(point->error, bench_error(skater, y, member->reference));
    }
    bench_point_time(point, total);
    return true;
}

bool bench_ensemble(double seconds) {
    const BenchProblem* skater = &bench_problems[0];
    const char* names[] = {"hand C generic", "hand C reduced", "liaison"};
    Member* members = calloc(MEMBERS, sizeof *members);
    if (!members) return false;
    bool well = true;
    for (int i = 0; i < MEMBERS; i++) member_init(&members[i], (long)i * EVERY);
    double begin = bench_clock();
    for (int i = 0; i < MEMBERS && well; i++) well = member_open(&members[i]);
    double setup = (bench_clock() - begin) / MEMBERS;

    BenchCurve curves[BENCH_COMPETITORS];
    for (int c = 0; c < BENCH_COMPETITORS; c++)
        bench_curve_init(&curves[c], names[c], 1e-8, 1e-14, 2);
    begin = bench_clock();
    for (int round = 0; well && (round < 3 || bench_clock() - begin < seconds); round++) {
        for (int i = 0; i < curves[0].count && well; i++) {
            for (int c = 0; c < BENCH_COMPETITORS && well; c++) {
                well = run_all(members, skater, c, &curves[c].points[i]);
            }
        }
    }
    if (well) {
        printf("\nensemble of skaters, t = 0..10, single trajectories in a loop, per second at "
               "error %.0e\n",
               BENCH_ERROR);
        for (int c = 0; c < BENCH_COMPETITORS; c++) {
            double each = bench_curve_time(&curves[c], BENCH_ERROR) / MEMBERS;
            printf("  %-16s %9.0f", names[c], 1.0 / each);
            if (c == BENCH_LIAISON)
                printf("   (with its own set-up each: %.0f)", 1.0 / (each + setup));
            printf("\n");
        }
    }
    for (int i = 0; i < MEMBERS; i++) product_close(&members[i].product);
    free(members);
    return well;
}
