// The graph: equal formulas are one node, numbers stay exact, simplification keeps the value.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/graph/diff.h"
#include "expr/reading/formula_text.h"
#include "naive.h"
#include "support/cases.h"
#include <stdio.h>
#include <string.h>

static const LiaExpr none = {0};

static LiaExpr symbol(LiaGraph* g, uint32_t i) {
    return lia_graph_symbol(g, LIA_SYMBOL_POSITION, i);
}

static void equal_formulas_are_one_node(void) {
    LiaGraph* g = lia_graph_create();
    LiaExpr x = symbol(g, 0), y = symbol(g, 1);
    LiaExpr f = lia_graph_apply(g, LIA_OP_SIN, lia_graph_add(g, x, y), none, none);
    uint32_t count = g->count;
    LiaExpr h = lia_graph_apply(g, LIA_OP_SIN, lia_graph_add(g, y, x), none, none);
    assert_int_equal(f.index, h.index);
    assert_int_equal(g->count, count);
    assert_int_not_equal(f.index,
                         lia_graph_apply(g, LIA_OP_COS, lia_graph_add(g, y, x), none, none).index);
    assert_int_equal(lia_graph_integer(g, 0).index, 1);
    assert_int_equal(lia_graph_real(g, -0.0).index, 1);
    lia_graph_destroy(g);
}

static void arguments_stand_before_their_users(void) {
    LiaGraph* g = lia_graph_create();
    Random r = {1};
    Naive f;
    for (int i = 0; i < 300; i++) naive_random(&f, g, &r);
    for (uint32_t i = 1; i < g->count; i++) {
        const LiaNode* n = &g->nodes[i];
        int arity = lia_op_arity((LiaOp)n->op);
        uint16_t depends = 0;
        if (arity > 0) assert_true(n->a > 0 && n->a < i), depends |= g->nodes[n->a].depends;
        if (arity > 1) assert_true(n->b > 0 && n->b < i), depends |= g->nodes[n->b].depends;
        if (arity > 2) assert_true(n->c > 0 && n->c < i), depends |= g->nodes[n->c].depends;
        if (arity > 0) assert_int_equal(depends, n->depends);
    }
    lia_graph_destroy(g);
}

static void assert_exact(const LiaGraph* g, LiaExpr x, int64_t num, int64_t den) {
    LiaNumber n;
    assert_true(lia_graph_constant(g, x, &n));
    assert_true(n.num == num && n.den == den);
}

static void small_rationals_stay_exact(void) {
    LiaGraph* g = lia_graph_create();
    LiaExpr third = lia_graph_rational(g, 1, 3), half = lia_graph_rational(g, -2, -4);
    assert_exact(g, half, 1, 2);
    assert_exact(g, lia_graph_add(g, third, half), 5, 6);
    assert_exact(g, lia_graph_sub(g, third, half), -1, 6);
    assert_exact(g, lia_graph_mul(g, third, half), 1, 6);
    assert_exact(g, lia_graph_div(g, third, half), 2, 3);
    assert_exact(g, lia_graph_pow(g, third, lia_graph_integer(g, -3)), 27, 1);
    assert_exact(g, lia_graph_pow(g, lia_graph_rational(g, 2, 3), lia_graph_integer(g, 5)), 32,
                 243);
    assert_exact(g, lia_graph_rational(g, 6, -4), -3, 2);
    assert_exact(g, lia_graph_apply(g, LIA_OP_SQRT, lia_graph_integer(g, 9), none, none), 3, 1);
    // ten tenths are one
    LiaExpr sum = lia_graph_integer(g, 0);
    for (int i = 0; i < 10; i++) sum = lia_graph_add(g, sum, lia_graph_rational(g, 1, 10));
    assert_exact(g, sum, 1, 1);
    // what is no whole number stays as it is written
    assert_int_equal(
        lia_graph_node(g, lia_graph_apply(g, LIA_OP_SQRT, lia_graph_integer(g, 2), none, none))->op,
        LIA_OP_SQRT);
    assert_int_equal(lia_graph_node(g, lia_graph_pow(g, lia_graph_integer(g, 2), half))->op,
                     LIA_OP_SQRT);
    lia_graph_destroy(g);
}

static void numbers_too_large_to_be_exact_become_doubles(void) {
    LiaGraph* g = lia_graph_create();
    LiaNumber n;
    const int64_t most = INT64_MAX, least = INT64_MIN;
    const int64_t pairs[][2] = {{most, 1},        {least, 1},     {least, -1}, {1, least},
                                {most, most - 1}, {least, least}, {most, -1},  {0, least},
                                {1, 0},           {0, 0}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_true(lia_graph_constant(g, lia_graph_rational(g, pairs[i][0], pairs[i][1]), &n));
        double value = (double)pairs[i][0] / (double)pairs[i][1];
        if (pairs[i][1] == 0) {
            assert_int_equal(n.den, 0);
        } else {
            assert_true(fabs(n.value - value) <= 1e-15 * fabs(value));
        }
    }
    LiaExpr x = lia_graph_rational(g, INT64_C(1) << 40, 3), p = x;
    for (int i = 1; i < 20; i++) p = lia_graph_mul(g, p, x);
    assert_true(lia_graph_constant(g, p, &n));
    assert_int_equal(n.den, 0);
    double value = pow(pow(2.0, 40.0) / 3.0, 20.0);
    assert_true(fabs(n.value / value - 1.0) < 1e-13);
    LiaExpr s = lia_graph_rational(g, 1, 9007199254740881);
    for (int i = 0; i < 5; i++)
        s = lia_graph_add(g, s, lia_graph_rational(g, 1, 9007199254740847 - 2 * i));
    assert_true(lia_graph_constant(g, s, &n));
    assert_true(fabs(n.value / 6.66e-16 - 1.0) < 1e-2);
    lia_graph_destroy(g);
}

static void assert_prints(const LiaGraph* g, LiaExpr f, const char* text) {
    LiaText out = {0};
    lia_formula_text(g, f, &out);
    assert_string_equal(out.data, text);
    lia_text_clear(&out);
}

static void what_cancels_is_gone(void) {
    LiaGraph* g = lia_graph_create();
    LiaExpr x = symbol(g, 0), y = symbol(g, 1), two = lia_graph_integer(g, 2);
    lia_graph_name(g, LIA_SYMBOL_POSITION, 0, "x");
    lia_graph_name(g, LIA_SYMBOL_POSITION, 1, "y");
    LiaExpr zero = lia_graph_integer(g, 0), one = lia_graph_integer(g, 1);
    assert_true(lia_expr_same(lia_graph_sub(g, x, x), zero));
    assert_true(lia_expr_same(lia_graph_add(g, x, lia_graph_neg(g, x)), zero));
    assert_true(lia_expr_same(lia_graph_div(g, x, x), one));
    assert_true(lia_expr_same(lia_graph_mul(g, zero, x), zero));
    assert_true(lia_expr_same(lia_graph_sub(g, lia_graph_add(g, x, y), y), x));
    assert_true(lia_expr_same(lia_graph_add(g, lia_graph_sub(g, x, y), y), x));
    assert_true(lia_expr_same(lia_graph_mul(g, lia_graph_div(g, x, y), y), x));
    assert_true(lia_expr_same(lia_graph_neg(g, lia_graph_neg(g, x)), x));
    assert_prints(g, lia_graph_mul(g, lia_graph_integer(g, 3), lia_graph_mul(g, two, x)), "6*x");
    assert_prints(g, lia_graph_add(g, x, x), "2*x");
    assert_prints(g, lia_graph_mul(g, x, lia_graph_mul(g, x, x)), "x^3");
    assert_prints(
        g, lia_graph_div(g, lia_graph_pow(g, x, two), lia_graph_pow(g, x, lia_graph_integer(g, 5))),
        "1/x^3");
    LiaExpr root = lia_graph_apply(g, LIA_OP_SQRT, lia_graph_mul(g, two, x), none, none);
    assert_prints(g, lia_graph_mul(g, root, root), "2*x");
    assert_prints(g, lia_graph_mul(g, lia_graph_mul(g, lia_graph_integer(g, 3), root), root),
                  "6*x");
    LiaExpr odd = lia_graph_apply(g, LIA_OP_SIN, lia_graph_neg(g, x), none, none);
    assert_prints(g, odd, "-sin(x)");
    assert_prints(g, lia_graph_apply(g, LIA_OP_COS, lia_graph_sub(g, zero, x), none, none),
                  "cos(x)");
    lia_graph_destroy(g);
}

static void a_division_by_zero_is_kept(void) {
    LiaGraph* g = lia_graph_create();
    LiaExpr x = symbol(g, 0), zero = lia_graph_integer(g, 0);
    LiaExpr f = lia_graph_div(g, x, zero);
    assert_int_equal(lia_graph_node(g, f)->op, LIA_OP_DIV);
    assert_int_equal(lia_graph_node(g, f)->a, x.index);
    assert_int_equal(lia_graph_node(g, lia_graph_div(g, lia_graph_integer(g, 1), zero))->op,
                     LIA_OP_DIV);
    assert_int_equal(lia_graph_node(g, lia_graph_div(g, zero, zero))->op, LIA_OP_DIV);
    lia_graph_destroy(g);
}

static void simplification_keeps_the_value(void) {
    Random r = {2024};
    int compared = 0;
    for (int round = 0; round < 6000; round++) {
        LiaGraph* g = lia_graph_create();
        Naive f;
        naive_random(&f, g, &r);
        LiaExpr e = f.nodes[f.count - 1].expr;
        for (int point = 0; point < 3; point++) {
            long double x[NAIVE_SYMBOLS];
            for (int i = 0; i < NAIVE_SYMBOLS; i++) x[i] = random_between(&r, -2.0, 2.0);
            Dual want = naive_value(&f, x, NULL);
            if (want.bad) continue;
            double got = graph_value(g, e, x);
            double tolerance = (double)(1e3L * want.error) + 1e-13;
            if (!(fabs(got - (double)want.x) <= tolerance)) {
                LiaText text = {0};
                lia_formula_text(g, e, &text);
                fail_msg("round %d: %.17g, expected %.17g (+-%g): %s", round, got, (double)want.x,
                         tolerance, text.data);
            }
            compared++;
        }
        lia_graph_destroy(g);
    }
    assert_true(compared > 6000);
}

// A mask if(c, u, 0) lets nothing out of the branch that is not taken, not even 0*nan.
static void a_branch_not_taken_does_not_count(void) {
    LiaGraph* g = lia_graph_create();
    LiaExpr x = symbol(g, 0), zero = lia_graph_integer(g, 0), half = lia_graph_rational(g, 3, 2);
    LiaExpr positive = lia_graph_apply(g, LIA_OP_LESS, zero, x, none);
    // Hertz: if(x > 0, x^(3/2), 0)
    LiaExpr f = lia_graph_apply(g, LIA_OP_IF, positive, lia_graph_pow(g, x, half), zero);
    LiaExpr d = lia_diff(g, f, x), dd = lia_diff(g, d, x);
    long double at[NAIVE_SYMBOLS] = {[3] = -1.0L};
    assert_true(graph_value(g, d, at) == 0.0);
    assert_true(graph_value(g, dd, at) == 0.0);
    at[3] = 4.0L;
    assert_true(fabs(graph_value(g, d, at) - 3.0) < 1e-14);
    assert_true(fabs(graph_value(g, dd, at) - 0.375) < 1e-14);
    // the other way round, twice nested
    LiaExpr far = lia_graph_apply(g, LIA_OP_LESS, lia_graph_integer(g, 9), x, none);
    LiaExpr inner =
        lia_graph_apply(g, LIA_OP_IF, far, zero, lia_graph_apply(g, LIA_OP_SQRT, x, none, none));
    LiaExpr negative = lia_graph_apply(g, LIA_OP_NOT, positive, none, none);
    LiaExpr h = lia_graph_apply(g, LIA_OP_IF, negative, zero, inner);
    LiaExpr dh = lia_diff(g, lia_graph_mul(g, h, h), x);
    at[3] = -1.0L;
    assert_true(graph_value(g, dh, at) == 0.0);
    at[3] = 4.0L;
    assert_true(fabs(graph_value(g, dh, at) - 1.0) < 1e-14);
    at[3] = 16.0L;
    assert_true(graph_value(g, dh, at) == 0.0);
    lia_graph_destroy(g);
}

// Simplification looks at nodes while it makes new ones; the array may move at any of them.
static void the_nodes_may_move_at_any_time(void) {
    for (uint32_t fill = 1000; fill < 1030; fill++) {
        LiaGraph* g = lia_graph_create();
        LiaExpr x = symbol(g, 0), y = symbol(g, 1);
        LiaExpr root = lia_graph_apply(g, LIA_OP_SQRT, x, none, none);
        LiaExpr shifted = lia_graph_add(g, x, lia_graph_real(g, 0.123));
        LiaExpr length = lia_graph_apply(g, LIA_OP_HYPOT, x, y, none);
        for (uint32_t i = 10; g->count < fill; i++) symbol(g, i);
        LiaExpr a = lia_graph_add(g, shifted, lia_graph_real(g, 0.456));
        LiaExpr b = lia_graph_pow(g, root, lia_graph_integer(g, 14));
        LiaExpr c = lia_graph_pow(g, length, lia_graph_integer(g, 2));
        long double at[NAIVE_SYMBOLS] = {[3] = 1.5L, [4] = 2.0L};
        assert_true(fabs(graph_value(g, a, at) - 2.079) < 1e-14);
        assert_true(fabs(graph_value(g, b, at) - pow(1.5, 7.0)) < 1e-13);
        assert_true(fabs(graph_value(g, c, at) - 6.25) < 1e-14);
        lia_graph_destroy(g);
    }
}

static void a_formula_may_be_100000_deep(void) {
    LiaGraph* g = lia_graph_create();
    LiaExpr x = symbol(g, 0), f = x, s = x;
    for (int i = 0; i < 100000; i++) {
        f = lia_graph_apply(g, LIA_OP_SIN, f, none, none);
        s = lia_graph_add(
            g, s, lia_graph_apply(g, LIA_OP_IF, lia_graph_apply(g, LIA_OP_LESS, x, s, none), s, f));
    }
    LiaExpr d = lia_diff(g, lia_graph_add(g, f, s), x);
    LiaRates rates;
    lia_diff_rates_init(&rates, g);
    LiaExpr rate = lia_diff_rate(&rates, f);
    LiaExpr y = symbol(g, 1);
    LiaExpr moved = lia_diff_substitute(g, f, LIA_SYMBOL_POSITION, &y, 1);
    LiaText text = {0};
    lia_formula_text(g, f, &text);
    lia_formula_latex(g, s, &text);
    lia_assignments_text(g, &d, NULL, 1, &text);
    assert_true(text.length > 100000);
    assert_true(d.index && rate.index && moved.index && !g->failed);
    lia_text_clear(&text);
    lia_diff_rates_clear(&rates);
    lia_graph_destroy(g);
}

static void names_are_kept_by_kind_and_number(void) {
    LiaGraph* g = lia_graph_create();
    lia_graph_name(g, LIA_SYMBOL_PARAMETER, 7, "m");
    lia_graph_name(g, LIA_SYMBOL_PARAMETER, 2, "k");
    assert_prints(g, lia_graph_symbol(g, LIA_SYMBOL_PARAMETER, 7), "m");
    assert_prints(g, lia_graph_symbol(g, LIA_SYMBOL_PARAMETER, 2), "k");
    assert_prints(g, lia_graph_symbol(g, LIA_SYMBOL_PARAMETER, 3), "c[3]");
    lia_graph_destroy(g);
}

int main(void) {
    const TestCase tests[] = {
        TEST(equal_formulas_are_one_node),
        TEST(arguments_stand_before_their_users),
        TEST(small_rationals_stay_exact),
        TEST(numbers_too_large_to_be_exact_become_doubles),
        TEST(what_cancels_is_gone),
        TEST(a_division_by_zero_is_kept),
        TEST(simplification_keeps_the_value),
        TEST(a_branch_not_taken_does_not_count),
        TEST(the_nodes_may_move_at_any_time),
        TEST(a_formula_may_be_100000_deep),
        TEST(names_are_kept_by_kind_and_number),
    };
    return TESTS_RUN(tests);
}
