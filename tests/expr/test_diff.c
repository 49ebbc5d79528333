// Derivatives: against closed forms, finite differences and dual numbers; without swell.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/graph/diff.h"
#include "expr/reading/formula_text.h"
#include "naive.h"
#include "support/cases.h"
#include <stdio.h>

static const LiaExpr none = {0};

static LiaExpr naive_expr(LiaGraph* g, int symbol) {
    return lia_graph_symbol(g, naive_symbols[symbol].kind, naive_symbols[symbol].number);
}

static void all_symbols(LiaGraph* g, LiaExpr* symbols) {
    for (int i = 0; i < NAIVE_SYMBOLS; i++) symbols[i] = naive_expr(g, i);
}

static void complain(const LiaGraph* g, LiaExpr f, double got, double want) {
    LiaText text = {0};
    lia_formula_text(g, f, &text);
    fail_msg("%.17g, expected %.17g: %s", got, want, text.data);
}

// x is q_0, y is q_1, a is parameter 0.
typedef struct Closed {
    LiaExpr f, df;
} Closed;

static void derivatives_have_their_closed_forms(void) {
    LiaGraph* g = lia_graph_create();
    LiaExpr x = naive_expr(g, 3), y = naive_expr(g, 4), a = naive_expr(g, 1);
    LiaExpr one = lia_graph_integer(g, 1), two = lia_graph_integer(g, 2);
    LiaExpr sin_x = lia_graph_apply(g, LIA_OP_SIN, x, none, none);
    LiaExpr cos_x = lia_graph_apply(g, LIA_OP_COS, x, none, none);
    LiaExpr exp_x = lia_graph_apply(g, LIA_OP_EXP, x, none, none);
    LiaExpr cubic = lia_graph_pow(g, x, lia_graph_integer(g, 3));
    LiaExpr to_a = lia_graph_pow(g, x, a);
    LiaExpr ax = lia_graph_mul(g, a, x);
    const Closed table[] = {
        {x, one},
        {y, lia_graph_integer(g, 0)},
        {ax, a},
        {lia_graph_mul(g, x, x), lia_graph_mul(g, two, x)},
        {cubic, lia_graph_mul(g, lia_graph_integer(g, 3), lia_graph_mul(g, x, x))},
        // -(1/x)/x, not -1/x^2: the quotient is there already
        {lia_graph_div(g, one, x), lia_graph_neg(g, lia_graph_div(g, lia_graph_div(g, one, x), x))},
        {sin_x, cos_x},
        {cos_x, lia_graph_neg(g, sin_x)},
        {exp_x, exp_x},
        {lia_graph_apply(g, LIA_OP_LOG, x, none, none), lia_graph_div(g, one, x)},
        {lia_graph_mul(g, y, sin_x), lia_graph_mul(g, y, cos_x)},
        {to_a, lia_graph_mul(g, a, lia_graph_pow(g, x, lia_graph_sub(g, a, one)))},
        {lia_graph_apply(g, LIA_OP_SIN, ax, none, none),
         lia_graph_mul(g, a, lia_graph_apply(g, LIA_OP_COS, ax, none, none))},
        {lia_graph_apply(g, LIA_OP_HYPOT, x, y, none),
         lia_graph_div(g, x, lia_graph_apply(g, LIA_OP_HYPOT, x, y, none))},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        LiaExpr d = lia_diff(g, table[i].f, x);
        if (!lia_expr_same(d, table[i].df)) {
            LiaText text = {0};
            lia_formula_text(g, d, &text);
            fail_msg("row %zu: %s", i, text.data);
        }
    }
    lia_graph_destroy(g);
}

// Reverse mode on the graph against forward mode with dual numbers and against differences.
static void gradients_agree_with_dual_numbers_and_differences(void) {
    Random r = {77};
    int compared = 0, differences = 0;
    for (int round = 0; round < 4000; round++) {
        LiaGraph* g = lia_graph_create();
        Naive f;
        naive_random(&f, g, &r);
        LiaExpr e = f.nodes[f.count - 1].expr, symbols[NAIVE_SYMBOLS], gradient[NAIVE_SYMBOLS];
        all_symbols(g, symbols);
        assert_true(lia_diff_gradient(g, e, symbols, NAIVE_SYMBOLS, gradient));
        long double x[NAIVE_SYMBOLS];
        for (int i = 0; i < NAIVE_SYMBOLS; i++) x[i] = random_between(&r, -2.0, 2.0);
        for (int i = 0; i < NAIVE_SYMBOLS; i++) {
            long double dx[NAIVE_SYMBOLS] = {0};
            dx[i] = 1.0L;
            Dual want = naive_value(&f, x, dx);
            if (want.bad || fabsl(want.dx) > 1e4L || want.error > 1e-12L) continue;
            double got = graph_value(g, gradient[i], x);
            double scale = 1.0 + fabs((double)want.dx) + fabs((double)want.x);
            // Poles and roots nearby cost digits twice: once in the value, once in the slope.
            if (!(fabs(got - (double)want.dx) <= 1e-7 * scale))
                complain(g, gradient[i], got, (double)want.dx);
            compared++;

            const long double h = 1e-5L;
            long double up[NAIVE_SYMBOLS], down[NAIVE_SYMBOLS];
            for (int k = 0; k < NAIVE_SYMBOLS; k++) up[k] = down[k] = x[k];
            up[i] += h, down[i] -= h;
            Dual high = naive_value(&f, up, dx), low = naive_value(&f, down, dx);
            // Where the slope itself changes much over 2 h, a difference tells nothing.
            if (high.bad || low.bad || fabsl(high.dx - low.dx) > 1e-3L) continue;
            double slope = (double)((high.x - low.x) / (2 * h));
            if (!(fabs(got - slope) <= 1e-5 * scale)) complain(g, gradient[i], got, slope);
            differences++;
        }
        lia_graph_destroy(g);
    }
    assert_true(compared > 8000 && differences > 8000);
}

// df/dt = df/dt + v df/dq + a df/dv: forward mode on the graph against reverse mode.
static void total_rates_agree_with_gradients(void) {
    Random r = {5};
    int compared = 0;
    for (int round = 0; round < 2000; round++) {
        LiaGraph* g = lia_graph_create();
        LiaRates rates;
        lia_diff_rates_init(&rates, g);
        Naive f;
        naive_random(&f, g, &r);
        LiaExpr e = f.nodes[f.count - 1].expr;
        LiaExpr rate = lia_diff_rate(&rates, e);
        assert_int_not_equal(rate.index, 0);
        assert_true(lia_expr_same(lia_diff_rate(&rates, e), rate));
        // The rate is linear in v (of positions) and a: put numbers for what is not in the tables.
        LiaExpr v2 = lia_graph_symbol(g, LIA_SYMBOL_VELOCITY, 2);
        double a[3] = {0.7, -0.4, 0.0}, v2_value = 0.3;
        LiaExpr at[3] = {none, none, lia_graph_real(g, v2_value)};
        rate = lia_diff_substitute(g, rate, LIA_SYMBOL_VELOCITY, at, 3);
        assert_false(lia_graph_node(g, lia_diff(g, rate, v2))->depends != 0);
        LiaExpr accelerations[3] = {lia_graph_real(g, a[0]), lia_graph_real(g, a[1]),
                                    lia_graph_real(g, a[2])};
        rate = lia_diff_substitute(g, rate, LIA_SYMBOL_ACCELERATION, accelerations, 3);
        long double x[NAIVE_SYMBOLS], dx[NAIVE_SYMBOLS] = {0};
        for (int i = 0; i < NAIVE_SYMBOLS; i++) x[i] = random_between(&r, -2.0, 2.0);
        dx[0] = 1.0L;                                  // t
        dx[3] = x[6], dx[4] = x[7], dx[5] = v2_value;  // q -> v
        dx[6] = a[0], dx[7] = a[1];                    // v -> a
        Dual want = naive_value(&f, x, dx);
        if (!want.bad && fabsl(want.dx) < 1e4L && want.error < 1e-12L) {
            double got = graph_value(g, rate, x);
            double scale = 1.0 + fabs((double)want.dx) + fabs((double)want.x);
            if (!(fabs(got - (double)want.dx) <= 1e-7 * scale))
                complain(g, rate, got, (double)want.dx);
            compared++;
        }
        lia_diff_rates_clear(&rates);
        lia_graph_destroy(g);
    }
    assert_true(compared > 500);
}

static void accelerations_and_multipliers_have_no_rate(void) {
    LiaGraph* g = lia_graph_create();
    LiaRates rates;
    lia_diff_rates_init(&rates, g);
    const LiaSymbolKind kinds[] = {LIA_SYMBOL_ACCELERATION, LIA_SYMBOL_MULTIPLIER, LIA_SYMBOL_WORK};
    for (int i = 0; i < 3; i++) {
        LiaExpr x = lia_graph_symbol(g, kinds[i], 0);
        assert_int_equal(lia_diff_rate(&rates, lia_graph_mul(g, x, naive_expr(g, 3))).index, 0);
    }
    assert_true(lia_graph_is_zero(g, lia_diff_rate(&rates, naive_expr(g, 1))));
    lia_diff_rates_clear(&rates);
    lia_graph_destroy(g);
}

static void a_pullback_is_the_weighted_sum_of_gradients(void) {
    Random r = {8};
    for (int round = 0; round < 200; round++) {
        LiaGraph* g = lia_graph_create();
        LiaExpr symbols[NAIVE_SYMBOLS], sum[NAIVE_SYMBOLS], one[3][NAIVE_SYMBOLS], fs[3],
            weights[3];
        all_symbols(g, symbols);
        bool bad = false;
        long double x[NAIVE_SYMBOLS];
        for (int i = 0; i < NAIVE_SYMBOLS; i++) x[i] = random_between(&r, -2.0, 2.0);
        for (int i = 0; i < 3; i++) {
            Naive f;
            naive_random(&f, g, &r);
            fs[i] = f.nodes[f.count - 1].expr;
            weights[i] =
                i == 0 ? lia_graph_rational(g, 2, 3) : lia_graph_symbol(g, LIA_SYMBOL_TIME, 0);
            long double dx[NAIVE_SYMBOLS] = {1, 1, 1, 1, 1, 1, 1, 1};
            Dual d = naive_value(&f, x, dx);
            bad = bad || d.bad || fabsl(d.dx) > 1e3L || d.error > 1e-12L;
            lia_diff_gradient(g, fs[i], symbols, NAIVE_SYMBOLS, one[i]);
        }
        assert_true(
            lia_diff_pullback(g, (LiaWeightedSum){fs, weights, 3}, symbols, NAIVE_SYMBOLS, sum));
        for (int k = 0; k < NAIVE_SYMBOLS && !bad; k++) {
            double want = 0.0, size = 1.0;
            for (int i = 0; i < 3; i++) {
                double term = graph_value(g, weights[i], x) * graph_value(g, one[i][k], x);
                want += term;
                size += fabs(term);
            }
            double got = graph_value(g, sum[k], x);
            if (size < 1e6) assert_true(fabs(got - want) <= 1e-9 * size);
        }
        lia_graph_destroy(g);
    }
}

// f = sum_{i=1..N} sin(x_1 + ... + x_i)^2: the gradient by all x costs a multiple of f.
static uint32_t nodes_of_gradient(uint32_t n) {
    LiaGraph* g = lia_graph_create();
    LiaExpr* x = calloc(n, sizeof *x);
    LiaExpr* gradient = calloc(n, sizeof *gradient);
    LiaExpr sum = lia_graph_integer(g, 0), f = sum;
    for (uint32_t i = 0; i < n; i++) {
        x[i] = lia_graph_symbol(g, LIA_SYMBOL_POSITION, i);
        sum = lia_graph_add(g, sum, x[i]);
        LiaExpr s = lia_graph_apply(g, LIA_OP_SIN, sum, none, none);
        f = lia_graph_add(g, f, lia_graph_mul(g, s, s));
    }
    uint32_t before = g->count;
    assert_true(lia_diff_gradient(g, f, x, n, gradient));
    uint32_t made = g->count - before;
    assert_true(made < 5 * before);
    free(x);
    free(gradient);
    lia_graph_destroy(g);
    return made;
}

static void a_gradient_does_not_swell(void) {
    uint32_t small = nodes_of_gradient(200), large = nodes_of_gradient(20000);
    assert_in_range(large, 90 * small, 110 * small);
}

// x -> x^2 -> (x^2)^2 ...: n squarings written as products of a shared formula plus one.
static void shared_formulas_are_differentiated_once(void) {
    LiaGraph* g = lia_graph_create();
    LiaRates rates;
    lia_diff_rates_init(&rates, g);
    LiaExpr x = lia_graph_symbol(g, LIA_SYMBOL_POSITION, 0), f = x, one = lia_graph_integer(g, 1);
    for (int i = 0; i < 60; i++)
        f = lia_graph_mul(g, lia_graph_add(g, f, one), lia_graph_sub(g, f, x));
    uint32_t before = g->count;
    lia_diff(g, f, x);
    lia_diff_rate(&rates, f);
    assert_true(g->count < 12 * before);
    lia_diff_rates_clear(&rates);
    lia_graph_destroy(g);
}

static void substitution_is_evaluation_of_the_inner_formula(void) {
    Random r = {12};
    int compared = 0;
    for (int round = 0; round < 500; round++) {
        LiaGraph* g = lia_graph_create();
        Naive f, inner;
        naive_random(&f, g, &r);
        naive_random(&inner, g, &r);
        long double x[NAIVE_SYMBOLS], y[NAIVE_SYMBOLS];
        for (int i = 0; i < NAIVE_SYMBOLS; i++) x[i] = y[i] = random_between(&r, -2.0, 2.0);
        Dual u = naive_value(&inner, x, NULL);
        y[3] = u.x;
        Dual want = naive_value(&f, y, NULL);
        LiaExpr by[3] = {inner.nodes[inner.count - 1].expr, none, none};
        LiaExpr h = lia_diff_substitute(g, f.nodes[f.count - 1].expr, LIA_SYMBOL_POSITION, by, 3);
        if (!u.bad && !want.bad && u.error < 1e-13L && want.error < 1e-13L) {
            double got = graph_value(g, h, x);
            if (!(fabs(got - (double)want.x) <= 1e-7 * (1.0 + fabs((double)want.x)))) {
                complain(g, h, got, (double)want.x);
            }
            compared++;
        }
        lia_graph_destroy(g);
    }
    assert_true(compared > 50);
}

int main(void) {
    const TestCase tests[] = {
        TEST(derivatives_have_their_closed_forms),
        TEST(gradients_agree_with_dual_numbers_and_differences),
        TEST(total_rates_agree_with_gradients),
        TEST(accelerations_and_multipliers_have_no_rate),
        TEST(a_pullback_is_the_weighted_sum_of_gradients),
        TEST(a_gradient_does_not_swell),
        TEST(shared_formulas_are_differentiated_once),
        TEST(substitution_is_evaluation_of_the_inner_formula),
    };
    return TESTS_RUN(tests);
}
