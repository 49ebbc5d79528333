// What every trajectory keeps to holds for runs of all kinds, and is seen where it does not.
//
// Tests: motion/result/trajectory_invariants.c
// SPDX-License-Identifier: MIT
#include "mechanics/system.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static const char* const pendulum =
    "model m\ncoordinate x, y : line\nlagrangian (x'^2 + y'^2)/2 - 9.81*y\n"
    "constraint rod: x^2 + y^2 = 1\nevent low: x = 0\nstart x = 1, y = 0\n";

static Motion run_to(const char* end) {
    char text[400];
    snprintf(text, sizeof text, "%srun t = %s\n", pendulum, end);
    Motion m = motion_of(text, NULL);
    assert_non_null(m.t);
    return m;
}

static void they_hold_forwards_backwards_and_for_no_time(void) {
    const char* const ends[] = {"0..3", "3..0", "2..2", "0..-1"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        Motion m = run_to(ends[i]);
        assert_int_equal(m.status, LIA_OK);
        assert_true(lia_trajectory_invariants_hold(m.t));
        motion_clear(&m);
    }
}

static void they_hold_where_a_motion_ends_early(void) {
    Motion m = motion_of("model m\ncoordinate x : line\nlagrangian x'^2/2 - log(x)\n"
                         "start x = 1, x' = -1\nrun t = 0..5\n",
                         NULL);
    assert_non_null(m.t);
    assert_int_equal(m.status, LIA_FAILED);
    assert_true(lia_trajectory_invariants_hold(m.t));
    m.t->reason.code = NULL;  // a failure without a reason
    assert_false(lia_trajectory_invariants_hold(m.t));
    motion_clear(&m);
}

static void rows_and_events_are_in_the_order_of_time(void) {
    Motion m = run_to("0..3");
    LiaTrajectory* t = m.t;
    double* time = &t->rows.values[5 * t->column_count];
    double kept = *time;
    assert_true(t->events.count >= 2);
    *time = 2.0;
    assert_false(lia_trajectory_invariants_hold(t));
    *time = NAN;
    assert_false(lia_trajectory_invariants_hold(t));
    *time = kept;
    t->events.list[0].t = 2.9;
    assert_false(lia_trajectory_invariants_hold(t));
    motion_clear(&m);
}

static void columns_belong_to_the_system(void) {
    Motion m = run_to("0..1");
    LiaTrajectory* t = m.t;
    for (size_t k = 0; k < t->column_count; k++) {
        LiaColumn kept = t->columns[k];
        t->columns[k].index = UINT32_MAX;
        assert_false(lia_trajectory_invariants_hold(t));
        t->columns[k] = kept;
        t->columns[k].name = NULL;
        assert_false(lia_trajectory_invariants_hold(t));
        t->columns[k] = kept;
    }
    t->columns[1].kind = LIA_COLUMN_TIME;
    assert_false(lia_trajectory_invariants_hold(t));
    t->columns[1].kind = LIA_COLUMN_WORK;
    assert_false(lia_trajectory_invariants_hold(t));
    motion_clear(&m);
}

static void the_way_is_within_what_was_asked(void) {
    Motion m = run_to("0..1");
    LiaTrajectory* t = m.t;
    t->t = 1.5;
    assert_false(lia_trajectory_invariants_hold(t));
    t->t = 1.0;
    assert_true(lia_trajectory_invariants_hold(t));
    t->effort.order = LIA_ORDER_MOST + 1;
    assert_false(lia_trajectory_invariants_hold(t));
    t->effort.order = LIA_ORDER_LEAST;
    t->effort.tolerance = 0.0;
    assert_false(lia_trajectory_invariants_hold(t));
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(they_hold_forwards_backwards_and_for_no_time),
        TEST(they_hold_where_a_motion_ends_early),
        TEST(rows_and_events_are_in_the_order_of_time),
        TEST(columns_belong_to_the_system),
        TEST(the_way_is_within_what_was_asked),
    };
    return TESTS_RUN(tests);
}
