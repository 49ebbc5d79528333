// Simplification for reading: never another value, never longer, and the identities one expects.
// The values of formulas (value.h) and the copy of a graph are tested on the way.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/graph/diff.h"
#include "expr/graph/evaluate.h"
#include "expr/reading/formula_text.h"
#include "expr/reading/simplify.h"
#include "naive.h"
#include "support/cases.h"
#include <stdio.h>
#include <string.h>

static const LiaExpr none = {0};

// A formula of the graph in long double, with a bound of what rounding does to it.
static Dual dual_of(const LiaGraph* g, LiaExpr f, const long double* x) {
    Dual* v = calloc((size_t)f.index + 1, sizeof *v);
    unsigned char* needed = calloc((size_t)f.index + 1, 1);
    needed[f.index] = 1;
    for (uint32_t i = f.index; i > 0; i--) {
        const LiaNode* n = &g->nodes[i];
        int arity = needed[i] ? lia_op_arity((LiaOp)n->op) : 0;
        if (arity > 0) needed[n->a] = 1;
        if (arity > 1) needed[n->b] = 1;
        if (arity > 2) needed[n->c] = 1;
    }
    for (uint32_t i = 1; i <= f.index; i++) {
        const LiaNode* n = &g->nodes[i];
        if (!needed[i]) continue;
        if (n->op == LIA_OP_CONST) {
            LiaNumber c = g->numbers[n->a];
            v[i].x = c.den ? (long double)c.num / (long double)c.den : (long double)c.value;
        } else if (n->op == LIA_OP_PI) {
            v[i].x = acosl(-1);
        } else if (n->op == LIA_OP_SYMBOL) {
            v[i].x = x[naive_symbol_of(n)];
        } else {
            v[i] = naive_apply((LiaOp)n->op, v[n->a], v[n->b], v[n->c]);
        }
    }
    Dual r = v[f.index];
    free(v);
    free(needed);
    return r;
}

static void complain(const LiaGraph* g, LiaExpr f, LiaExpr s, long double a, long double b) {
    LiaText one = {0}, two = {0};
    lia_formula_text(g, f, &one);
    lia_formula_text(g, s, &two);
    fail_msg("%.17Lg and %.17Lg:\n%s\n%s", a, b, one.data, two.data);
}

static int compare(LiaGraph* g, LiaExpr f, LiaExpr s, Random* r) {
    int compared = 0;
    for (int k = 0; k < 4; k++) {
        long double x[NAIVE_SYMBOLS];
        for (int i = 0; i < NAIVE_SYMBOLS; i++) x[i] = random_between(r, -2.0, 2.0);
        Dual a = dual_of(g, f, x), b = dual_of(g, s, x);
        if (a.bad || b.bad) continue;
        if (fabsl(a.x - b.x) > 1e-9L * (1 + fabsl(a.x)) + a.error + b.error)
            complain(g, f, s, a.x, b.x);
        compared++;
    }
    return compared;
}

static void values_stay(void) {
    Random r = {4242};
    int compared = 0, shorter = 0;
    for (int round = 0; round < 3000; round++) {
        LiaGraph* g = lia_graph_create();
        Naive f;
        naive_random(&f, g, &r);
        LiaExpr e = f.nodes[f.count - 1].expr;
        LiaExpr x = lia_graph_symbol(g, LIA_SYMBOL_POSITION, 0);
        for (int what = 0; what < 2; what++) {  // the formula, and its derivative, which is longer
            LiaExpr s = lia_simplify(g, e);
            size_t before = lia_simplify_length(g, e), after = lia_simplify_length(g, s);
            assert_true(after <= before);
            shorter += after < before;
            compared += compare(g, e, s, &r);
            e = lia_diff(g, e, x);
        }
        lia_graph_destroy(g);
    }
    assert_true(compared > 5000 && shorter > 300);
}

// Sums of products of waves of sums: what mechanics is made of.
static void values_of_trigonometric_sums_stay(void) {
    Random r = {99};
    int compared = 0, shorter = 0;
    for (int round = 0; round < 400; round++) {
        LiaGraph* g = lia_graph_create();
        LiaExpr sum = lia_graph_integer(g, 0);
        int terms = random_whole(&r, 2, 9);
        for (int t = 0; t < terms; t++) {
            LiaExpr f = lia_graph_rational(g, random_whole(&r, -3, 3), random_whole(&r, 1, 2));
            int factors = random_whole(&r, 1, 4);
            for (int k = 0; k < factors; k++) {
                LiaExpr u =
                    lia_graph_symbol(g, LIA_SYMBOL_POSITION, (uint32_t)random_whole(&r, 0, 2));
                LiaExpr v =
                    lia_graph_symbol(g, LIA_SYMBOL_POSITION, (uint32_t)random_whole(&r, 0, 2));
                LiaExpr m =
                    lia_graph_symbol(g, LIA_SYMBOL_PARAMETER, (uint32_t)random_whole(&r, 0, 1));
                LiaExpr angle = random_chance(&r, 0.5)   ? u
                                : random_chance(&r, 0.5) ? lia_graph_add(g, u, v)
                                                         : lia_graph_sub(g, u, v);
                LiaExpr wave = lia_graph_apply(g, random_chance(&r, 0.5) ? LIA_OP_SIN : LIA_OP_COS,
                                               angle, none, none);
                f = random_chance(&r, 0.8)   ? lia_graph_mul(g, f, wave)
                    : random_chance(&r, 0.5) ? lia_graph_mul(g, f, m)
                                             : lia_graph_div(g, f, lia_graph_add(g, m, wave));
            }
            sum = lia_graph_add(g, sum, f);
        }
        LiaExpr s = lia_simplify(g, sum);
        shorter += lia_simplify_length(g, s) < lia_simplify_length(g, sum);
        compared += compare(g, sum, s, &r);
        lia_graph_destroy(g);
    }
    assert_true(compared > 1000 && shorter > 50);
}

static void shows(LiaGraph* g, LiaExpr f, const char* want) {
    LiaText text = {0};
    lia_formula_text(g, lia_simplify(g, f), &text);
    assert_string_equal(text.data, want);
    lia_text_clear(&text);
}

static void identities_are_seen(void) {
    LiaGraph* g = lia_graph_create();
    LiaExpr a = lia_graph_symbol(g, LIA_SYMBOL_PARAMETER, 0),
            b = lia_graph_symbol(g, LIA_SYMBOL_PARAMETER, 1);
    LiaExpr x = lia_graph_symbol(g, LIA_SYMBOL_POSITION, 0),
            y = lia_graph_symbol(g, LIA_SYMBOL_POSITION, 1);
    lia_graph_name(g, LIA_SYMBOL_PARAMETER, 0, "a");
    lia_graph_name(g, LIA_SYMBOL_PARAMETER, 1, "b");
    lia_graph_name(g, LIA_SYMBOL_POSITION, 0, "x");
    lia_graph_name(g, LIA_SYMBOL_POSITION, 1, "y");
    LiaExpr sx = lia_graph_apply(g, LIA_OP_SIN, x, none, none),
            cx = lia_graph_apply(g, LIA_OP_COS, x, none, none);
    LiaExpr sy = lia_graph_apply(g, LIA_OP_SIN, y, none, none),
            cy = lia_graph_apply(g, LIA_OP_COS, y, none, none);
    LiaExpr two = lia_graph_integer(g, 2);
#define MUL(u, v) lia_graph_mul(g, u, v)
#define ADD(u, v) lia_graph_add(g, u, v)
#define SUB(u, v) lia_graph_sub(g, u, v)
#define DIV(u, v) lia_graph_div(g, u, v)
    shows(g, ADD(MUL(a, MUL(sx, sx)), MUL(a, MUL(cx, cx))), "a");
    shows(g, SUB(a, MUL(a, MUL(cx, cx))), "a*sin(x)^2");
    shows(g, ADD(MUL(cx, cy), MUL(sx, sy)), "cos(x - y)");
    shows(g, SUB(MUL(sx, cy), MUL(cx, sy)), "sin(x - y)");
    shows(g, ADD(MUL(sx, cy), MUL(cx, sy)), "sin(x + y)");
    shows(g, SUB(MUL(sx, sy), MUL(cx, cy)), "-cos(x + y)");
    shows(g, SUB(MUL(ADD(a, b), b), MUL(b, b)), "a*b");
    shows(g, DIV(SUB(MUL(a, a), MUL(b, b)), SUB(a, b)), "a + b");
    shows(g, SUB(b, DIV(MUL(b, b), ADD(a, b))), "a*b/(a + b)");
    shows(g, SUB(MUL(ADD(x, y), ADD(x, y)), ADD(MUL(x, x), MUL(y, y))), "2*x*y");
    shows(g, ADD(MUL(two, MUL(a, x)), MUL(two, MUL(a, y))), "2*a*(x + y)");
    shows(g,
          SUB(lia_graph_apply(g, LIA_OP_SIN, SUB(x, y), none, none),
              lia_graph_neg(g, lia_graph_apply(g, LIA_OP_SIN, SUB(y, x), none, none))),
          "0");
    lia_graph_destroy(g);
}

static void values_are_those_of_the_operations(void) {
    Random r = {7};
    int compared = 0;
    for (int round = 0; round < 500; round++) {
        LiaGraph* g = lia_graph_create();
        Naive f;
        naive_random(&f, g, &r);
        LiaExpr roots[3] = {f.nodes[f.count - 1].expr, none, f.nodes[0].expr};
        long double x[NAIVE_SYMBOLS];
        double parameters[2], q[3], v[2];
        for (int i = 0; i < NAIVE_SYMBOLS; i++) x[i] = (double)random_between(&r, -2.0, 2.0);
        for (int i = 0; i < 2; i++) parameters[i] = (double)x[1 + i], v[i] = (double)x[6 + i];
        for (int i = 0; i < 3; i++) q[i] = (double)x[3 + i];
        Dual want = naive_value(&f, x, NULL);
        LiaGraph* copy = lia_graph_copy(g);  // the same indices, and room for more
        assert_non_null(copy);
        LiaExpr more =
            lia_graph_mul(copy, roots[0], lia_graph_symbol(copy, LIA_SYMBOL_MOMENTUM, 3));
        assert_true(more.index <= copy->count && g->count <= copy->count);
        LiaValues values;
        assert_true(lia_evaluate_init(&values, copy, roots, 3));
        lia_evaluate_run(
            &values, &(LiaSymbols){.t = (double)x[0], .parameters = parameters, .q = q, .v = v});
        if (!want.bad) {
            double got = lia_value(&values, roots[0]);
            if (fabsl(got - want.x) > 4 * want.error + 1e-12L)
                complain(g, roots[0], roots[0], got, want.x);
            compared++;
        }
        lia_evaluate_clear(&values);
        lia_graph_destroy(copy);
        lia_graph_destroy(g);
    }
    assert_true(compared > 250);
}

int main(void) {
    const TestCase tests[] = {
        TEST(values_stay),
        TEST(values_of_trigonometric_sums_stay),
        TEST(identities_are_seen),
        TEST(values_are_those_of_the_operations),
    };
    return TESTS_RUN(tests);
}
