// What the benchmark says. See report.h.
// SPDX-License-Identifier: MIT
#include "report.h"
#include <math.h>
#include <string.h>

static const int order[BENCH_COMPETITORS] = {BENCH_LIAISON, BENCH_GENERIC, BENCH_REDUCED};

static const BenchPoint* point_at(const BenchCurve* curve, double tolerance) {
    for (int i = 0; i < curve->count; i++) {
        if (fabs(curve->points[i].tolerance / tolerance - 1.0) < 1e-6) return &curve->points[i];
    }
    return NULL;
}

void report_curves(const BenchResult* result) {
    printf("\n%s, t = 0..%g\n", result->problem->name, result->problem->t_end);
    printf("%10s", "");
    for (int c = 0; c < BENCH_COMPETITORS; c++) printf(" | %-26s", result->curves[order[c]].who);
    printf("\n%10s", "tolerance");
    for (int c = 0; c < BENCH_COMPETITORS; c++) printf(" | %8s %6s %10s", "error", "steps", "us");
    printf("\n");
    const BenchCurve* longest = &result->curves[0];
    for (int c = 1; c < BENCH_COMPETITORS; c++) {
        if (result->curves[c].count > longest->count) longest = &result->curves[c];
    }
    for (int i = 0; i < longest->count; i++) {
        printf("%10.1e", longest->points[i].tolerance);
        for (int c = 0; c < BENCH_COMPETITORS; c++) {
            const BenchPoint* point =
                point_at(&result->curves[order[c]], longest->points[i].tolerance);
            if (point && isfinite(point->seconds)) {
                printf(" | %8.1e %6ld %10.1f", point->error, point->steps, 1e6 * point->seconds);
            } else {
                printf(" | %8s %6s %10s", "-", "-", "-");
            }
        }
        printf("\n");
    }
    printf("%10s", "at 1e-10");
    for (int c = 0; c < BENCH_COMPETITORS; c++) {
        double seconds = result->seconds[order[c]];
        if (isfinite(seconds))
            printf(" | %26.1f", 1e6 * seconds);
        else
            printf(" | %26s", "never");
    }
    printf("\n");
}

// A measured value beside its target; 1 if it was missed.
static int print_verdict(double value, double target, const char* format) {
    char text[32] = "-";
    if (isfinite(value)) snprintf(text, sizeof text, format, value);
    printf(" %8s", text);
    if (!(target > 0.0)) {
        printf(" %6s %-4s", "-", "");
        return 0;
    }
    int missed = !(value <= target);
    printf(" %6.3g %-4s", target, missed ? "MISS" : "ok");
    return missed;
}

int report_ratios(const BenchResult* results, int count) {
    int missed = 0;
    printf("\nat measured error %.0e, CPU time of one thread\n", BENCH_ERROR);
    printf("%-9s %10s %10s %10s | %8s %6s %-4s | %8s | %8s %6s %-4s | %8s %6s\n", "problem",
           "liaison us", "generic us", "reduced us", "/generic", "target", "", "/reduced",
           "setup ms", "target", "", "peak MB", "most");
    for (int i = 0; i < count; i++) {
        const BenchResult* r = &results[i];
        const double* s = r->seconds;
        printf("%-9s", r->problem->name);
        for (int c = 0; c < BENCH_COMPETITORS; c++) printf(" %10.1f", 1e6 * s[order[c]]);
        printf(" |");
        missed += print_verdict(s[BENCH_LIAISON] / s[BENCH_GENERIC], r->problem->ratio, "%.2f");
        printf(" | %8.2f |", s[BENCH_LIAISON] / s[BENCH_REDUCED]);
        missed += print_verdict(1e3 * r->probe.setup, 1e3 * r->problem->setup, "%.2f");
        printf(" |");
        missed += print_verdict(r->probe.memory, BENCH_MEMORY, "%.1f");
        printf("\n");
    }
    return missed;
}

void report_csv(FILE* file, const BenchResult* result, int first) {
    if (first) fprintf(file, "problem,who,tolerance,error,steps,seconds\n");
    for (int c = 0; c < BENCH_COMPETITORS; c++) {
        const BenchCurve* curve = &result->curves[order[c]];
        for (int i = 0; i < curve->count; i++) {
            const BenchPoint* p = &curve->points[i];
            fprintf(file, "%s,%s,%.3g,%.4g,%ld,%.6g\n", result->problem->name, curve->who,
                    p->tolerance, p->error, p->steps, p->seconds);
        }
    }
    for (int c = 0; c < BENCH_COMPETITORS; c++) {
        fprintf(file, "%s,%s at error,,%.4g,,%.6g\n", result->problem->name,
                result->curves[order[c]].who, BENCH_ERROR, result->seconds[order[c]]);
    }
    fprintf(file, "%s,liaison setup,,,,%.6g\n", result->problem->name, result->probe.setup);
    fprintf(file, "%s,liaison peak MB,,,,%.4g\n", result->problem->name, result->probe.memory);
}
