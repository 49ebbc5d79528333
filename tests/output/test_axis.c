// Axes: ticks at numbers people like, labels that are exact.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "output/plot/axis.h"
#include "support/cases.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ranges[][2] = {
    {0, 10},         {0, 1},      {-1, 1},          {0.2, 0.7},  {-3.7, 12.9},
    {1e-9, 5e-9},    {-2e8, 7e8}, {1e6, 1e6 + 1},   {0, 1e-300}, {-1e289, 1e289},
    {99.99, 100.01}, {-5, -4.99}, {1e300, 1.5e300}, {0, 3e-5},   {12345, 67890},
    {0, 99999},      {0, 100001}, {-0.001, 0.0005},
};
enum { COUNT = sizeof ranges / sizeof *ranges };

static void ticks_are_round_and_inside(void) {
    for (int r = 0; r < COUNT; r++) {
        for (int ticks = 2; ticks <= 12; ticks++) {
            LiaAxis axis = lia_axis_make(ranges[r][0], ranges[r][1], 0.05, ticks);
            assert_true(axis.mantissa == 1 || axis.mantissa == 2 || axis.mantissa == 5);
            assert_true(axis.count >= 1 && axis.count <= ticks * 5 / 4 + 1);
            double slack = 1e-6 * (axis.high - axis.low);
            for (int i = 0; i < axis.count; i++) {
                double x = lia_axis_tick(&axis, i);
                assert_true(x >= axis.low - slack && x <= axis.high + slack);
                assert_true(i == 0 || x > lia_axis_tick(&axis, i - 1));
            }
        }
    }
}

static void numbers_lie_within_the_axis(void) {
    for (int r = 0; r < COUNT; r++) {
        LiaAxis axis = lia_axis_make(ranges[r][0], ranges[r][1], 0.05, 6);
        double low = lia_axis_part(&axis, ranges[r][0]), high = lia_axis_part(&axis, ranges[r][1]);
        assert_true(low >= 0 && low <= high && high <= 1);
    }
}

// value = label 10^power + offset
static void labels_say_what_the_tick_is(void) {
    for (int r = 0; r < COUNT; r++) {
        LiaAxis axis = lia_axis_make(ranges[r][0], ranges[r][1], 0.0, 6);
        double offset = 0.0;
        lia_axis_offset(&axis, &offset);
        for (int i = 0; i < axis.count; i++) {
            LiaText label = {0};
            lia_axis_label(&axis, i, "-", &label);
            double said = strtod(label.data, NULL) * pow(10.0, axis.power) + offset;
            double x = lia_axis_tick(&axis, i), scale = fabs(x) + (axis.high - axis.low);
            assert_true(fabs(said - x) <= 1e-12 * scale);
            assert_true(label.length <= 9);
            lia_text_clear(&label);
        }
    }
}

static void assert_labels(double low, double high, int ticks, const char* expected) {
    LiaAxis axis = lia_axis_make(low, high, 0.0, ticks);
    LiaText all = {0};
    for (int i = 0; i < axis.count; i++) {
        lia_text_add(&all, "%s", i > 0 ? " " : "");
        lia_axis_label(&axis, i, "-", &all);
    }
    assert_string_equal(all.data, expected);
    lia_text_clear(&all);
}

static void familiar_axes_look_familiar(void) {
    assert_labels(0, 10, 5, "0 2 4 6 8 10");
    assert_labels(0, 1, 5, "0.0 0.2 0.4 0.6 0.8 1.0");
    assert_labels(-1, 1, 4, "-1.0 -0.5 0.0 0.5 1.0");
    assert_labels(0, 0.3, 3, "0.0 0.1 0.2 0.3");
    assert_labels(0, 2e6, 4, "0.0 0.5 1.0 1.5 2.0");
    assert_labels(0, 40000, 4, "0 10000 20000 30000 40000");
    assert_labels(1000000, 1000000.002, 4, "0.0000 0.0005 0.0010 0.0015 0.0020");
}

static void assert_quantity(double low, double high, const char* unit, const char* expected) {
    LiaAxis axis = lia_axis_make(low, high, 0.0, 5);
    LiaText text = {0};
    lia_axis_quantity(&axis, "x", unit, &text);
    assert_string_equal(text.data, expected);
    lia_text_clear(&text);
}

static void long_labels_move_into_the_name(void) {
    assert_quantity(0, 10, NULL, "x");
    assert_quantity(0, 10, "m", "x in m");
    assert_quantity(0, 2e6, "m", "x in 10^6 m");
    assert_quantity(0, 2e-6, NULL, "x in 10^-6");
    assert_quantity(1000000, 1000000.002, "J", "x - 1000000 in J");
    assert_quantity(-1000000.002, -1000000, NULL, "x + 1000000");
}

static void numbers_equal_up_to_rounding_get_room(void) {
    const double values[] = {0, 1, -67.5, 1e-30, 1e200, -1e-200, 5e-324};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double x = values[i], next = x + fabs(x) * 1e-15;
        LiaAxis axis = lia_axis_make(x, next, 0.05, 5);
        assert_true(axis.low < x && next < axis.high);
        assert_true(isfinite(axis.low) && isfinite(axis.high));
        assert_true(fabs(lia_axis_part(&axis, x) - 0.5) < 1e-6);
        assert_true(axis.count >= 2);
    }
    LiaAxis empty = lia_axis_make(INFINITY, -INFINITY, 0.05, 5);
    assert_true(empty.low == 0 && empty.high == 1 && empty.count >= 2);
}

int main(void) {
    const TestCase tests[] = {
        TEST(ticks_are_round_and_inside),     TEST(numbers_lie_within_the_axis),
        TEST(labels_say_what_the_tick_is),    TEST(familiar_axes_look_familiar),
        TEST(long_labels_move_into_the_name), TEST(numbers_equal_up_to_rounding_get_room),
    };
    return TESTS_RUN(tests);
}
