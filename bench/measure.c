// Time and error. See measure.h.
// SPDX-License-Identifier: MIT
#include "measure.h"
#include <math.h>
#include <time.h>

double bench_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void bench_curve_init(BenchCurve* curve, const char* who, double loose, double tight,
                      int per_decade) {
    *curve = (BenchCurve){.who = who};
    double first = per_decade * log10(loose), last = per_decade * log10(tight);
    for (double e = first; e > last - 0.5 && curve->count < BENCH_POINTS_MAX; e -= 1.0) {
        curve->points[curve->count++] =
            (BenchPoint){.tolerance = pow(10.0, e / per_decade), .error = NAN, .seconds = INFINITY};
    }
}

void bench_point_time(BenchPoint* point, double seconds) {
    if (seconds < point->seconds) point->seconds = seconds;
}

// The error at the final time is a noisy number: it passes through zero now and then, and a single
// lucky point must not decide. So a straight line log(time) over log(error) is laid through all
// points within two decades of the error asked for, leaving out those on the floor of rounding,
// where a tighter tolerance brings nothing.
double bench_curve_time(const BenchCurve* curve, double error) {
    double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, least = INFINITY;
    int below = 0, above = 0;
    for (int i = 0; i < curve->count; i++) {
        const BenchPoint* point = &curve->points[i];
        if (!(point->error > 0.0) || !isfinite(point->error) || !isfinite(point->seconds)) continue;
        int falling = point->error < least;
        if (falling) least = point->error;
        double x = log10(point->error / error), y = log10(point->seconds);
        if (!falling || fabs(x) > 2.0) continue;
        below += x <= 0.0;
        above += x >= 0.0;
        n += 1.0;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    if (n < 2.0 || !below || !above) return NAN;
    double spread = n * sxx - sx * sx;
    double slope = spread > 0.0 ? (n * sxy - sx * sy) / spread : 0.0;
    return pow(10.0, (sy - slope * sx) / n);
}
