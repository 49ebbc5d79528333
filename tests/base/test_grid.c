// Times at equal distances are those that are written for them, to the last bit.
// SPDX-License-Identifier: MIT
#include "base/numeric/grid.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void decimals_are_those_that_are_written(void) {
    for (uint64_t k = 0; k < 100000; k++) {
        char text[40];
        snprintf(text, sizeof text, "%u.%u", (unsigned)((1003 + k) / 10), (unsigned)((3 + k) % 10));
        assert_true(lia_grid_at(100.3, 0.1, k) == strtod(text, NULL));
        assert_true(lia_grid_at(-1.0, 1.0 / 3.0, k) == ((double)k - 3.0) / 3.0);
        assert_true(lia_grid_at(0.5, -0.25, k) == 0.5 - 0.25 * (double)k);
    }
    assert_true(lia_grid_at(0.0, 3 * 0.1, 1) == 0.3);
}

static void other_numbers_are_rounded_once(void) {
    const double pi = 3.14159265358979324;
    for (uint64_t k = 0; k < 1000; k++)
        assert_true(lia_grid_at(0.1, pi, k) == fma((double)k, pi, 0.1));
    assert_true(lia_grid_at(1e300, 1e290, 7) == fma(7.0, 1e290, 1e300));
    assert_true(lia_grid_at(0.0, 1e-300, 7) == 7e-300);
    assert_true(isnan(lia_grid_at(NAN, 1.0, 1)) && isinf(lia_grid_at(0.0, INFINITY, 1)));
}

int main(void) {
    const TestCase tests[] = {
        TEST(decimals_are_those_that_are_written),
        TEST(other_numbers_are_rounded_once),
    };
    return TESTS_RUN(tests);
}
