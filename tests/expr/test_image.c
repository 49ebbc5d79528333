// Where an operation can be over an interval: no value outside, no slope steeper, and nothing
// forgotten.
// SPDX-License-Identifier: MIT
#include "expr/ops/op.h"
#include "support/cases.h"
#include "support/random.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static void every_operation_has_an_image(void) {
    for (int op = 0; op < LIA_OP_COUNT; op++) {
        bool leaf = lia_op_arity((LiaOp)op) == 0;
        if (!leaf && !lia_op_kinds[op]->image) fail_msg("%s has no image", lia_op_name((LiaOp)op));
    }
}

// Operations of one or two arguments that are not chosen by a side, a branch or a condition.
static bool is_plain(LiaOp op) {
    switch (op) {
    case LIA_OP_IF:
    case LIA_OP_WRAP:
    case LIA_OP_SIGN:
    case LIA_OP_ABS:
    case LIA_OP_MIN:
    case LIA_OP_MAX:
    case LIA_OP_LESS:
    case LIA_OP_LESS_EQUAL:
    case LIA_OP_AND:
    case LIA_OP_OR:
    case LIA_OP_NOT:
    case LIA_OP_COS:  // the companion of the sine
    case LIA_OP_COSH:
        return false;
    default:
        return lia_op_arity(op) > 0;
    }
}

static LiaInterval interval(Random* seed) {
    double size = pow(10.0, 6.0 * random_unit(seed) - 4.0);
    double a = size * (2.0 * random_unit(seed) - 1.0), b = a + size * random_unit(seed);
    return (LiaInterval){a, b};
}

static double within(LiaInterval x, Random* seed) {
    return x.low + (x.high - x.low) * random_unit(seed);
}

static void no_value_is_outside_and_no_slope_is_steeper(void) {
    Random seed = {12};
    int looked = 0;
    for (int trial = 0; trial < 200000; trial++) {
        LiaOp op = (LiaOp)(trial % LIA_OP_COUNT);
        if (!is_plain(op)) continue;
        LiaDomain at = {.x = interval(&seed), .y = interval(&seed), .aux = {-INFINITY, INFINITY}};
        if (op == LIA_OP_POW) at.y = lia_interval_point(at.y.low);
        at.x0 = within(at.x, &seed), at.y0 = within(at.y, &seed);
        at.out0 = lia_op_value(op, at.x0, at.y0, 0.0);
        LiaImage of = lia_op_kinds[op]->image(&at);
        double x = within(at.x, &seed), y = within(at.y, &seed), f = lia_op_value(op, x, y, 0.0);
        if (!isfinite(f) || !isfinite(at.out0)) continue;
        looked++;
        double slack = 1e-12 * (fabs(f) + lia_interval_most(at.x) + lia_interval_most(at.y));
        if (!(f >= of.out.low - slack && f <= of.out.high + slack))
            fail_msg("%s(%g, %g) = %g is not in %g..%g", lia_op_name(op), x, y, f, of.out.low,
                     of.out.high);
        double h = 1e-6 * (at.x.high - at.x.low), nearby = fmin(x + h, at.x.high);
        double rise = fabs(lia_op_value(op, nearby, y, 0.0) - f);
        if (op == LIA_OP_ATAN2 || !isfinite(rise) || nearby == x)
            continue;  // it may leap by a turn
        if (rise > of.slope_x * (nearby - x) * 1.001 + 1e-13 * (fabs(f) + slack))
            fail_msg("%s at %g, %g rises by %g in %g: more than %g", lia_op_name(op), x, y, rise,
                     nearby - x, of.slope_x);
    }
    assert_true(looked > 20000);
}

// A step from far away to a pole, out of a saturation, up from nothing is not tame; a small one is.
static void what_is_tame(void) {
    static const struct Case {
        LiaOp op;
        double x0, low, high;
        bool tame;
    } cases[] = {
        {LIA_OP_EXP, -800.0, -800.0, -1.0, false}, {LIA_OP_EXP, -800.0, -800.0, -750.0, true},
        {LIA_OP_EXP, -90.0, -90.0, -1.0, false},   {LIA_OP_EXP, 0.0, -3.0, 3.0, true},
        {LIA_OP_TANH, -30.0, -30.0, 1.0, false},   {LIA_OP_TANH, -30.0, -35.0, -25.0, true},
        {LIA_OP_TANH, -2.0, -2.0, 1.0, true},      {LIA_OP_LOG, 1.0, 0.01, 1.0, false},
        {LIA_OP_LOG, 1.0, 0.5, 2.0, true},         {LIA_OP_SQRT, 1.0, 1e-9, 1.0, false},
        {LIA_OP_ATAN, 1e6, -1e6, 1e6, false},      {LIA_OP_ATAN, 0.5, -1.0, 1.0, true},
        {LIA_OP_TAN, 0.0, 0.0, 1.6, false},        {LIA_OP_TAN, 0.0, -0.5, 0.5, true},
        {LIA_OP_ASIN, 0.0, 0.0, 0.99, false},      {LIA_OP_ASIN, 0.0, -0.5, 0.5, true},
        {LIA_OP_SINH, 0.0, -1.0, 90.0, false},     {LIA_OP_SIN, 0.0, -9.0, 9.0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct Case* c = &cases[i];
        LiaDomain at = {.x = {c->low, c->high}, .x0 = c->x0};
        at.out0 = lia_op_value(c->op, c->x0, 0.0, 0.0);
        if (lia_op_kinds[c->op]->image(&at).tame != c->tame)
            fail_msg("%s from %g over %g..%g", lia_op_name(c->op), c->x0, c->low, c->high);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(every_operation_has_an_image),
        TEST(no_value_is_outside_and_no_slope_is_steeper),
        TEST(what_is_tame),
    };
    return TESTS_RUN(tests);
}
