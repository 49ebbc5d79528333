// Simplified curves stay where the samples are.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "output/plot/curve.h"
#include "support/cases.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double to_segment(LiaPoint p, LiaPoint a, LiaPoint b) {
    double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    double s = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
    s = fmin(fmax(s, 0), 1);
    return hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

static double distance_to(const LiaPoint* curve, size_t count, LiaPoint p) {
    double least = INFINITY;
    for (size_t i = 1; i < count; i++) {
        least = fmin(least, to_segment(p, curve[i - 1], curve[i]));
    }
    return least;
}

enum { N = 4000 };
static LiaPoint before[N], after[N];

static void fill(int kind) {
    for (int i = 0; i < N; i++) {
        double t = (double)i / (N - 1);
        switch (kind) {
        case 0:  // spiral
            before[i] = (LiaPoint){350 + 200 * t * cos(40 * t), 250 + 200 * t * sin(40 * t)};
            break;
        case 1:  // cycloid, with cusps
            before[i] = (LiaPoint){20 * (30 * t - sin(30 * t)), 20 * (1 - cos(30 * t))};
            break;
        case 2:  // to and fro on a line
            before[i] = (LiaPoint){300 + 200 * sin(25 * t), 100 + 50 * sin(25 * t)};
            break;
        case 3:  // a step
            before[i] = (LiaPoint){700 * t, t < 0.5 ? 10 : 400};
            break;
        default:  // noise
            before[i] = (LiaPoint){700 * t, 200 + 100 * sin(1e4 * t * t)};
        }
    }
    memcpy(after, before, sizeof before);
}

static void samples_stay_within_the_tolerance(void) {
    const double tolerances[] = {0.05, 0.5, 3};
    for (int kind = 0; kind < 5; kind++) {
        for (int k = 0; k < 3; k++) {
            fill(kind);
            size_t kept = lia_curve_simplify(after, N, tolerances[k]);
            assert_true(kept >= 2 && kept <= N);
            assert_memory_equal(&after[0], &before[0], sizeof(LiaPoint));
            assert_memory_equal(&after[kept - 1], &before[N - 1], sizeof(LiaPoint));
            for (int i = 0; i < N; i += 3) {
                assert_true(distance_to(after, kept, before[i]) <= 1.5 * tolerances[k]);
            }
        }
    }
}

static void a_straight_line_is_two_points(void) {
    for (int i = 0; i < N; i++) {
        after[i] = (LiaPoint){i * 0.1, 7 + i * 0.03};
    }
    assert_int_equal(lia_curve_simplify(after, N, 0.01), 2);
    for (int i = 0; i < N; i++) {
        after[i] = (LiaPoint){3, 4};
    }
    assert_int_equal(lia_curve_simplify(after, N, 0.01), 2);
    assert_int_equal(lia_curve_simplify(after, 1, 0.01), 1);
    assert_int_equal(lia_curve_simplify(after, 0, 0.01), 0);
    assert_int_equal(lia_curve_thin(after, 0, 0.01, 10), 0);
}

static void the_turning_point_of_a_cusp_is_kept(void) {
    for (int i = 0; i < N; i++) {
        after[i] = (LiaPoint){i < N / 2 ? i : N - i, 0};
    }
    size_t kept = lia_curve_simplify(after, N, 0.1);
    double farthest = 0;
    for (size_t i = 0; i < kept; i++) {
        farthest = fmax(farthest, after[i].x);
    }
    assert_int_equal(kept, 3);
    assert_true(farthest == N / 2);
}

static void many_points_become_few(void) {
    fill(0);
    assert_true(lia_curve_thin(after, N, 0.001, 200) <= 200);
    fill(2);
    assert_true(lia_curve_thin(after, N, 1e-9, 500) <= 500);
}

static void a_dense_oscillation_keeps_its_extremes(void) {
    enum { MANY = 200000 };
    LiaPoint* points = malloc(MANY * sizeof *points);
    double top = -INFINITY, bottom = INFINITY;
    for (int i = 0; i < MANY; i++) {
        double t = (double)i / (MANY - 1);
        points[i] = (LiaPoint){700 * t, 200 * sin(2e4 * t) * (1 - t) + (i == 77777 ? 300 : 0)};
        top = fmax(top, points[i].y);
        bottom = fmin(bottom, points[i].y);
    }
    size_t kept = lia_curve_thin(points, MANY, 0.08, 2000);
    assert_true(kept <= 4 * 1402);
    double kept_top = -INFINITY, kept_bottom = INFINITY;
    for (size_t i = 0; i < kept; i++) {
        assert_true(i == 0 || points[i].x >= points[i - 1].x);
        kept_top = fmax(kept_top, points[i].y);
        kept_bottom = fmin(kept_bottom, points[i].y);
    }
    assert_true(fabs(kept_top - top) <= 0.1 && fabs(kept_bottom - bottom) <= 0.1);
    free(points);
}

int main(void) {
    const TestCase tests[] = {
        TEST(samples_stay_within_the_tolerance),      TEST(a_straight_line_is_two_points),
        TEST(the_turning_point_of_a_cusp_is_kept),    TEST(many_points_become_few),
        TEST(a_dense_oscillation_keeps_its_extremes),
    };
    return TESTS_RUN(tests);
}
