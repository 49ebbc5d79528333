// Numbers that agree, in tests of laws. See agree.h.
// SPDX-License-Identifier: MIT
#include "agree.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void near(double x, double y, double most) {
    if (fabs(x - y) <= most) return;
    fail_msg("%.17g is not %.17g: off by %.2e, allowed %.1e", x, y, x - y, most);
}

void near_as(double x, double y, double most, const char* what) {
    if (fabs(x - y) <= most) return;
    fail_msg("%s: %.17g is not %.17g: off by %.2e, allowed %.1e", what, x, y, x - y, most);
}

Motion run(const char* text) {
    Motion m = motion_of(text, NULL);
    assert_int_equal(m.status, LIA_OK);
    return m;
}

void same_motion(const char* a, const char* b, const char* names, double most) {
    Motion x = motion_of(a, NULL), y = motion_of(b, NULL);
    assert_non_null(x.t);
    assert_non_null(y.t);
    assert_int_equal(x.status, LIA_OK);
    assert_int_equal(y.status, LIA_OK);
    assert_true(lia_trajectory_rows(x.t) == lia_trajectory_rows(y.t));
    assert_true(lia_trajectory_rows(x.t) > 10);
    char list[512];
    snprintf(list, sizeof list, "%s", names);
    for (char* name = strtok(list, " "); name; name = strtok(NULL, " ")) {
        for (size_t r = 0; r < lia_trajectory_rows(x.t); r++) {
            double value = motion_value(&x, r, name);
            assert_true(isfinite(value));
            near_as(value, motion_value(&y, r, name), most, name);
        }
    }
    motion_clear(&x);
    motion_clear(&y);
}

void all_zero(const char* text, const char* names, double most) {
    Motion m = motion_of(text, NULL);
    assert_non_null(m.t);
    assert_int_equal(m.status, LIA_OK);
    assert_true(lia_trajectory_rows(m.t) > 10);
    char list[512];
    snprintf(list, sizeof list, "%s", names);
    for (char* name = strtok(list, " "); name; name = strtok(NULL, " ")) {
        for (size_t r = 0; r < lia_trajectory_rows(m.t); r++)
            near_as(motion_value(&m, r, name), 0.0, most, name);
    }
    motion_clear(&m);
}
