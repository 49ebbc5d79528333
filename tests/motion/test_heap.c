// Smooth balls that fall into a box on each other, and come to rest: many contacts at a time, most
// of them dependent, impacts that accumulate together.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static const struct Heap {
    double N, e, w, s;
} heaps[] = {
    {10, 0, 0.57, 11}, {10, 0, 0.57, 5},  {10, 0, 1.37, 3},  {10, 0, 0.93, 8},
    {6, 0.2, 0.57, 3}, {5, 0.5, 0.53, 1}, {5, 0.5, 0.93, 8},
};

// Where a ball is at the end.
static double place(const Motion* m, char axis, int i) {
    char name[16];
    snprintf(name, sizeof name, "%c[%d]", axis, i);
    return motion_final(m, name);
}

static void check_apart(const Motion* m, const struct Heap* h) {
    const double r = 0.1, least = -1e-10;
    for (int i = 1; i <= (int)h->N; i++) {
        double x = place(m, 'x', i), y = place(m, 'y', i);
        assert_true(x - r >= least && h->w - r - x >= least && y - r >= least);
        for (int j = i + 1; j <= (int)h->N; j++)
            assert_true(hypot(x - place(m, 'x', j), y - place(m, 'y', j)) - 2.0 * r >= least);
    }
}

// The floor carries them all, and the walls push as much to the right as to the left.
static void check_forces(const Motion* m, const struct Heap* h) {
    double floor = 0.0, walls = 0.0;
    size_t last = lia_trajectory_rows(m->t) - 1;
    for (int i = 1; i <= (int)h->N; i++) {
        char name[32];
        snprintf(name, sizeof name, "force(floor[%d])", i);
        floor += motion_value(m, last, name);
        snprintf(name, sizeof name, "force(left[%d])", i);
        walls += motion_value(m, last, name);
        snprintf(name, sizeof name, "force(right[%d])", i);
        walls -= motion_value(m, last, name);
    }
    assert_true(fabs(floor - 9.81 * h->N) <= 1e-7);
    assert_true(fabs(walls) <= 1e-7);
}

static void heaps_come_to_rest(void) {
    for (size_t i = 0; i < sizeof heaps / sizeof *heaps; i++) {
        const struct Heap* h = &heaps[i];
        const LiaDefine defines[] = {{"N", h->N}, {"e", h->e}, {"w", h->w}, {"s", h->s}};
        Motion m = motion_of_file("bench/models/heap.lia",
                                  &(MotionOptions){.defines = defines, .define_count = 4});
        LiaMotionInfo info = {0};
        assert_int_equal(m.status, LIA_OK);
        assert_true(lia_trajectory_info(m.t, &info, sizeof info));
        if (!(motion_final(&m, "kinetic") <= 1e-18 && info.balance <= 1e-9))
            fail_msg("heap %zu: kinetic %g, balance %g", i, motion_final(&m, "kinetic"),
                     info.balance);
        check_apart(&m, h);
        check_forces(&m, h);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(heaps_come_to_rest),
    };
    return TESTS_RUN(tests);
}
