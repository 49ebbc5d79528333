// One damped Newton: it finds roots, halves no digits, takes back what leads away, and says how it
// ended.
// SPDX-License-Identifier: MIT
#include "base/numeric/newton.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

// F(x) = 0 of one unknown.
typedef struct Scalar {
    double (*f)(double x, double* slope);
    double x, before;
    int evaluations;
} Scalar;

static double residual(void* of) {
    Scalar* z = of;
    double slope;
    z->evaluations++;
    return fabs(z->f(z->x, &slope));
}

static double step(void* of, double damping) {
    Scalar* z = of;
    double slope, f = z->f(z->x, &slope);
    z->before = z->x;
    if (slope == 0.0) return NAN;
    double dx = -f * slope / (slope * slope * (1.0 + damping));
    z->x += dx;
    return fabs(dx);
}

static void back(void* of) {
    Scalar* z = of;
    z->x = z->before;
}

static double size(void* of) { return fabs(((Scalar*)of)->x); }

static LiaNewtonResult run(Scalar* z, LiaNewtonRules rules) {
    const LiaNewton newton = {
        .of = z, .residual = residual, .step = step, .back = back, .size = size, .rules = rules};
    return lia_newton_run(&newton, residual(z));
}

static double square(double x, double* slope) {
    *slope = 2.0 * x;
    return x * x - 2.0;
}

// Full steps from beyond 1.39 lead away ever farther.
static double arc(double x, double* slope) {
    *slope = 1.0 / (1.0 + x * x);
    return atan(x);
}

static double no_root(double x, double* slope) {
    *slope = 2.0 * x;
    return x * x + 1.0;
}

static double outside(double x, double* slope) {
    *slope = 1.0;
    return x < 0.5 ? NAN : x;
}

static void a_root_is_found_to_the_last_digit_in_a_few_steps(void) {
    Scalar z = {.f = square, .x = 1.0};
    LiaNewtonResult result = run(&z, (LiaNewtonRules){.passes = 20, .still = 1e-15});
    assert_int_equal(result.end, LIA_NEWTON_ARRIVED);
    assert_true(fabs(z.x - sqrt(2.0)) <= 4e-16);
    assert_true(z.evaluations <= 8);  // digits double
}

static void a_residual_may_end_it_too(void) {
    Scalar z = {.f = square, .x = 1.0};
    LiaNewtonResult result = run(&z, (LiaNewtonRules){.passes = 20, .found = 1e-3});
    assert_int_equal(result.end, LIA_NEWTON_ARRIVED);
    assert_true(result.residual < 1e-3 && result.residual > 1e-8);  // and no later
    assert_true(result.residual == fabs(z.x * z.x - 2.0));
}

static void damping_leads_where_full_steps_lead_away(void) {
    Scalar full = {.f = arc, .x = 3.0}, damped = full;
    LiaNewtonRules rules = {.passes = 60, .found = 1e-14};
    LiaNewtonResult result = run(&full, rules);
    assert_int_not_equal(result.end, LIA_NEWTON_ARRIVED);
    rules.damping = 1e-3, rules.damping_least = 1e-12, rules.damping_most = 1e12;
    result = run(&damped, rules);
    assert_int_equal(result.end, LIA_NEWTON_ARRIVED);
    assert_true(fabs(damped.x) < 1e-13);
}

static void what_has_no_root_is_not_found(void) {
    Scalar z = {.f = no_root, .x = 0.7};
    LiaNewtonRules rules = {.passes = 200, .found = 1e-3, .still = 1e-15};
    LiaNewtonResult result = run(&z, rules);
    assert_int_equal(result.end, LIA_NEWTON_TIRED);
    z = (Scalar){.f = no_root, .x = 0.0};  // no step at all
    result = run(&z, rules);
    assert_int_equal(result.end, LIA_NEWTON_LOST);
    z = (Scalar){.f = no_root, .x = 0.7};  // damped: down to where it is least, and no farther
    rules.damping = 1e-3, rules.damping_least = 1e-12, rules.damping_most = 1e8;
    result = run(&z, rules);
    assert_int_not_equal(result.end, LIA_NEWTON_ARRIVED);
    assert_true(result.residual >= 1.0 && result.residual < 1.0001);
}

static void a_formula_without_a_value_is_lost(void) {
    Scalar z = {.f = outside, .x = 1.0};
    LiaNewtonResult result = run(&z, (LiaNewtonRules){.passes = 20, .still = 1e-15});
    assert_int_equal(result.end, LIA_NEWTON_LOST);
    assert_true(isnan(result.residual));
}

// x^2 = 2 with noise of 1e-9: steps stop falling there.
static double noisy(double x, double* slope) {
    *slope = 2.0 * x;
    return x * x - 2.0 + 1e-9 * sin(1e12 * x);
}

static void rounding_is_seen_where_steps_no_longer_fall(void) {
    Scalar z = {.f = noisy, .x = 1.0};
    LiaNewtonRules rules = {.passes = 50, .still = 1e-15, .blurred = 1e-7, .falls = 0.25};
    LiaNewtonResult result = run(&z, rules);
    assert_int_equal(result.end, LIA_NEWTON_BLURRED);
    assert_true(fabs(z.x - sqrt(2.0)) < 1e-8 && result.step < 1e-7);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_root_is_found_to_the_last_digit_in_a_few_steps),
        TEST(a_residual_may_end_it_too),
        TEST(damping_leads_where_full_steps_lead_away),
        TEST(what_has_no_root_is_not_found),
        TEST(a_formula_without_a_value_is_lost),
        TEST(rounding_is_seen_where_steps_no_longer_fall),
    };
    return TESTS_RUN(tests);
}
