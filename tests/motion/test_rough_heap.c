// Rough discs that fall into a box on each other: forces that are not unique, chosen within the
// cones; impacts with several outcomes. Along the whole run gaps are not negative, no contact
// pulls, friction keeps its bounds and energy is not gained.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NONE = 0, OUTCOMES = 1, MOTIONS = 2 };  // what it chooses among several

static const struct Heap {
    double N, mu, e, w, s;
    int chooses;
} heaps[] = {
    {4, 0.5, 0, 0.57, 13.056, NONE},       {3, 0.3, 0.5, 0.37, 5.272, OUTCOMES | MOTIONS},
    {4, 0.3, 0.3, 0.57, 15.952, OUTCOMES}, {3, 0.1, 0, 0.37, 12.497, NONE},
    {4, 1, 0, 0.57, 5.302, NONE},          {4, 0.2, 0, 0.93, 16.984, NONE},
    {5, 0.8, 0, 0.93, 3.24, NONE},         {5, 0.2, 0, 1.37, 4.501, NONE},
    {5, 0.2, 0, 1.37, 19.093, OUTCOMES},    // a disc that hops beside another one
    {7, 0.2, 0.3, 1.37, 11.504, OUTCOMES},  // many of them
    {8, 0.8, 0, 0.57, 10.898, NONE},        // several contacts jam together
    {10, 0.1, 0, 0.37, 7.54, NONE},         // more modes than can be tried one after the other
    {8, 0.1, 0.2, 0.37, 14.62, OUTCOMES},
};

static double value(const Motion* m, size_t row, const char* what, int i, int j) {
    char name[48];
    if (j > 0)
        snprintf(name, sizeof name, what, i, j);
    else
        snprintf(name, sizeof name, what, i);
    return motion_value(m, row, name);
}

// No contact pulls, and friction keeps its bound.
static void check_force(const struct Heap* h, double N, double T) {
    const double error = 1e-9;
    if (!(N >= -error && fabs(T) <= h->mu * N + error)) fail_msg("N = %g, T = %g", N, T);
}

static void check_row(const Motion* m, const struct Heap* h, size_t row) {
    const double r = 0.1, least = -1e-10;
    for (int i = 1; i <= (int)h->N; i++) {
        double x = value(m, row, "x[%d]", i, 0), y = value(m, row, "y[%d]", i, 0);
        assert_true(x - r >= least && h->w - r - x >= least && y - r >= least);
        check_force(h, value(m, row, "force(left[%d])[1]", i, 0),
                    value(m, row, "force(left[%d])[2]", i, 0));
        check_force(h, value(m, row, "force(right[%d])[1]", i, 0),
                    value(m, row, "force(right[%d])[2]", i, 0));
        check_force(h, value(m, row, "force(floor[%d])[1]", i, 0),
                    value(m, row, "force(floor[%d])[2]", i, 0));
        for (int j = i + 1; j <= (int)h->N; j++) {
            double apart =
                hypot(x - value(m, row, "x[%d]", j, 0), y - value(m, row, "y[%d]", j, 0));
            assert_true(apart - 2.0 * r >= least);
            check_force(h, value(m, row, "force(pair[%d,%d])[1]", i, j),
                        value(m, row, "force(pair[%d,%d])[2]", i, j));
        }
    }
}

// The floor and the friction of the walls support the weight.
static void check_weight(const Motion* m, const struct Heap* h, size_t last) {
    double up = 0.0;
    for (int i = 1; i <= (int)h->N; i++)
        up += value(m, last, "force(floor[%d])[1]", i, 0) +
              value(m, last, "force(left[%d])[2]", i, 0) +
              value(m, last, "force(right[%d])[2]", i, 0);
    assert_true(fabs(up - 9.81 * h->N) <= 1e-9);
}

static void check_heap(const struct Heap* h) {
    enum { SAMPLES = 101 };
    const LiaDefine defines[] = {{"N", h->N}, {"mu", h->mu}, {"e", h->e}, {"w", h->w}, {"s", h->s}};
    Motion m = motion_of_file(
        "examples/heap/heap.lia",
        &(MotionOptions){.defines = defines, .define_count = 5, .run = {.samples = SAMPLES}});
    LiaMotionInfo info = {0};
    assert_int_equal(m.status, LIA_OK);
    assert_true(lia_trajectory_info(m.t, &info, sizeof info));
    if (!(motion_final(&m, "kinetic") <= 1e-18 && info.balance <= 1e-9))
        fail_msg("kinetic %g, balance %g", motion_final(&m, "kinetic"), info.balance);
    size_t rows = lia_trajectory_rows(m.t);
    for (size_t row = 0; row < rows; row++) {
        check_row(&m, h, row);
        if (row > 0)
            assert_true(motion_value(&m, row, "energy") <=
                        motion_value(&m, row - 1, "energy") + 1e-9);
    }
    check_weight(&m, h, rows - 1);
    double lost = 0.0;  // of one impact: a contact may feed in what others lose
    for (size_t i = 0; i < m.t->events.count; i++) {
        const LiaEventRecord* event = &m.t->events.list[i];
        if (i > 0 && event->t != event[-1].t) lost = 0.0;
        lost += event->energy;
        if (i + 1 < m.t->events.count && event[1].t == event->t) continue;
        assert_true(lost <= 1e-12);
    }
    char* said = lia_diags_text(m.diags);
    assert_int_equal(h->chooses & OUTCOMES, said && strstr(said, "W0443") ? OUTCOMES : 0);
    assert_int_equal(h->chooses & MOTIONS, said && strstr(said, "W0444") ? MOTIONS : 0);
    lia_free(said);
    motion_clear(&m);
}

static void rough_heaps_come_to_rest(void) {
    for (size_t i = 0; i < sizeof heaps / sizeof *heaps; i += (size_t)cases_every()) {
        check_heap(&heaps[i]);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(rough_heaps_come_to_rest),
    };
    return TESTS_RUN(tests);
}
