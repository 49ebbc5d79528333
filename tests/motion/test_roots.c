// Roots of Taylor polynomials: all of them, in order, with their direction.
//
// Tests: motion/events/roots.c
// SPDX-License-Identifier: MIT
#include "motion/events/roots.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

// Coefficients of the product of (x - r[i]).
static int from_roots(const double* r, int count, double* c) {
    c[0] = 1.0;
    for (int i = 0; i < count; i++) {
        c[i + 1] = 0.0;
        for (int k = i + 1; k >= 0; k--) c[k] = (k > 0 ? c[k - 1] : 0.0) - r[i] * c[k];
    }
    return count;
}

static void roots_of_a_product_are_its_factors(void) {
    double r[] = {-0.7, 0.11, 0.35, 0.36, 0.8, 1.4}, c[8];
    int n = from_roots(r, 6, c);
    LiaRootFound found[8];
    assert_int_equal(lia_roots(c, n, 1.0, 0, found, 8), 4);
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(found[i].x - r[i + 1]) < 1e-12);
        assert_int_equal(found[i].direction, i % 2 == 0 ? 1 : -1);
    }
}

static void a_negative_interval_is_searched_from_zero_outwards(void) {
    double r[] = {-0.7, -0.2, 0.4}, c[8];
    int n = from_roots(r, 3, c);
    LiaRootFound found[8];
    assert_int_equal(lia_roots(c, n, -1.0, 0, found, 8), 2);
    assert_true(fabs(found[0].x + 0.2) < 1e-14);
    assert_int_equal(found[0].direction, -1);
    assert_true(fabs(found[1].x + 0.7) < 1e-14);
    assert_int_equal(found[1].direction, 1);
}

static void a_root_at_the_beginning_is_not_found_again(void) {
    double c[] = {3e-17, -1.0, 2.0};  // x (2x - 1) with rounding in front
    LiaRootFound found[4];
    assert_int_equal(lia_roots(c, 2, 1.0, 1, found, 4), 1);
    assert_true(fabs(found[0].x - 0.5) < 1e-15);
}

static void a_touching_root_has_no_direction(void) {
    double r[] = {0.5, 0.5}, c[4];
    int n = from_roots(r, 2, c);
    LiaRootFound found[4];
    assert_int_equal(lia_roots(c, n, 1.0, 0, found, 4), 1);
    assert_true(fabs(found[0].x - 0.5) < 1e-7);
    assert_int_equal(found[0].direction, 0);
}

static void no_root_is_no_root(void) {
    double c[] = {1.0, -1.0, 0.2500001}, zero[] = {0.0, 0.0, 0.0}, flat[] = {1.0, 0.0, 0.0};
    LiaRootFound found[4];
    assert_int_equal(lia_roots(c, 2, 4.0, 0, found, 4), 0);
    assert_int_equal(lia_roots(zero, 2, 1.0, 0, found, 4), 0);
    assert_int_equal(lia_roots(flat, 2, 1.0, 0, found, 4), 0);
    double bad[] = {1.0, NAN, 2.0};
    assert_int_equal(lia_roots(bad, 2, 1.0, 0, found, 4), 0);
}

static void all_roots_of_a_fast_sine_are_found(void) {
    // sin(w x) as a polynomial of degree 60 on [0, 1], w = 10: roots k pi / 10
    double c[61] = {0}, term = 1.0, w = 10.0;
    for (int k = 0; k <= 60; k++) {
        if (k > 0) term *= w / k;
        if (k % 4 == 1) c[k] = term;
        if (k % 4 == 3) c[k] = -term;
    }
    LiaRootFound found[16];
    int count = lia_roots(c, 60, 1.0, 1, found, 16);
    assert_int_equal(count, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(found[i].x - (i + 1) * 3.14159265358979324 / w) < 1e-12);
        assert_int_equal(found[i].direction, i % 2 == 0 ? -1 : 1);
    }
}

// The search halves the interval: a root where it does so hides none of the others.
static void roots_at_binary_fractions_hide_no_others(void) {
    static const double sets[][3] = {{0.3, 0.5, 2.0},
                                     {0.25, 0.7, 3.0},
                                     {0.5, 0.75, -1.0},
                                     {0.125, 0.5, 0.9},
                                     {0.375, 0.6, 0.625}};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        double c[4];
        int n = from_roots(sets[s], 3, c), inside = 0;
        LiaRootFound found[8];
        int count = lia_roots(c, n, 1.0, 0, found, 8);
        for (int k = 0; k < 3; k++) {
            if (sets[s][k] < 0.0 || sets[s][k] > 1.0) continue;
            assert_true(inside < count);
            assert_true(fabs(found[inside].x - sets[s][k]) < 1e-14);
            assert_int_not_equal(found[inside].direction, 0);
            inside++;
        }
        assert_int_equal(count, inside);
    }
}

// Rounding blurs a multiple root; where it is and whether the polynomial passes zero there is known
// all the same.
static void multiple_roots_pass_or_touch_where_they_are(void) {
    for (int m = 2; m <= 7; m++) {
        for (int k = 1; k < 20; k++) {
            double x = k / 20.0 + 0.0137, r[8], c[9];
            for (int i = 0; i < m; i++) r[i] = x;
            r[m] = 1.7;
            int n = from_roots(r, m + 1, c);
            LiaRootFound found[8];
            int count = lia_roots(c, n, 1.0, 0, found, 8);
            // rounding may lift one that touches off zero; one that passes is there always
            assert_true(m % 2 == 0 ? count <= 1 : count == 1);
            for (int i = 0; i < count; i++) {
                assert_true(fabs(found[i].x - x) < 1e-9);
                assert_int_equal(found[i].direction, m % 2 == 0 ? 0 : -1);
            }
        }
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(roots_of_a_product_are_its_factors),
        TEST(a_negative_interval_is_searched_from_zero_outwards),
        TEST(a_root_at_the_beginning_is_not_found_again),
        TEST(roots_at_binary_fractions_hide_no_others),
        TEST(multiple_roots_pass_or_touch_where_they_are),
        TEST(a_touching_root_has_no_direction),
        TEST(no_root_is_no_root),
        TEST(all_roots_of_a_fast_sine_are_found),
    };
    return TESTS_RUN(tests);
}
