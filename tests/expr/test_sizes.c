// What rounding is a part of: sums of terms that cancel are of the size of the terms, all else is
// of its own size.
// SPDX-License-Identifier: MIT
#include "expr/graph/evaluate.h"
#include "support/cases.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct Scene {
    LiaGraph* g;
    LiaExpr x, y;
} Scene;

static Scene scene(void) {
    Scene s = {.g = lia_graph_create()};
    assert_non_null(s.g);
    s.x = lia_graph_symbol(s.g, LIA_SYMBOL_POSITION, 0);
    s.y = lia_graph_symbol(s.g, LIA_SYMBOL_POSITION, 1);
    return s;
}

// The size of f at x, y, in parts of |f|.
static double relative(const Scene* s, LiaExpr f, double x, double y) {
    LiaValues values;
    assert_true(lia_evaluate_init(&values, s->g, &f, 1));
    lia_evaluate_run(&values, &(LiaSymbols){.q = (const double[]){x, y}});
    double* size = calloc(values.size, sizeof *size);
    assert_non_null(size);
    lia_sizes_run(&values, &(LiaSymbols){0}, size);
    double result = size[f.index] / fabs(lia_value(&values, f));
    free(size);
    lia_evaluate_clear(&values);
    return result;
}

static LiaExpr apply(const Scene* s, LiaOp op, LiaExpr x) {
    return lia_graph_apply(s->g, op, x, (LiaExpr){0}, (LiaExpr){0});
}

static void terms_that_cancel_are_large_beside_their_sum(void) {
    Scene s = scene();
    LiaExpr one = lia_graph_integer(s.g, 1);
    LiaExpr difference = lia_graph_sub(s.g, s.x, s.y);
    assert_true(relative(&s, difference, 3.0, 3.0 * (1.0 + DBL_EPSILON)) > 1e15);
    assert_true(relative(&s, difference, 3e-30, 3e-30 * (1.0 + DBL_EPSILON)) > 1e15);
    assert_true(relative(&s, difference, 3.0, 1.0) < 10.0);
    LiaExpr circle = lia_graph_sub(
        s.g, lia_graph_add(s.g, lia_graph_mul(s.g, s.x, s.x), lia_graph_mul(s.g, s.y, s.y)), one);
    assert_true(relative(&s, circle, cos(0.3), sin(0.3) * (1.0 + 4.0 * DBL_EPSILON)) > 1e14);
    // cos at a right angle is the rounding of the angle
    assert_true(relative(&s, apply(&s, LIA_OP_COS, s.x), acos(0.0), 0.0) > 1e15);
    assert_true(relative(&s, apply(&s, LIA_OP_SIN, s.x), 2.0 * acos(0.0), 0.0) > 1e15);
    lia_graph_destroy(s.g);
}

static void what_is_small_by_itself_is_its_own_size(void) {
    Scene s = scene();
    static const LiaOp ops[] = {LIA_OP_SIN,  LIA_OP_TAN,  LIA_OP_ASIN, LIA_OP_ATAN, LIA_OP_SINH,
                                LIA_OP_TANH, LIA_OP_SQRT, LIA_OP_ABS,  LIA_OP_NEG};
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        assert_true(relative(&s, apply(&s, ops[i], s.x), 1e-25, 0.0) < 3.0);
    LiaExpr product = lia_graph_mul(s.g, s.x, s.y);
    assert_true(relative(&s, product, 1e-25, 1e-30) < 5.0);
    LiaExpr minus = lia_graph_sub(s.g, s.x, lia_graph_mul(s.g, s.y, s.y));
    assert_true(relative(&s, minus, 1e-25, 1e-15) < 10.0);
    assert_true(relative(&s, apply(&s, LIA_OP_EXP, s.x), -60.0, 0.0) < 100.0);
    lia_graph_destroy(s.g);
}

int main(void) {
    const TestCase tests[] = {
        TEST(terms_that_cancel_are_large_beside_their_sum),
        TEST(what_is_small_by_itself_is_its_own_size),
    };
    return TESTS_RUN(tests);
}
