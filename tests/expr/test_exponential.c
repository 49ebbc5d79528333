// Quotients of exponentials: values and derivatives where the exponentials are numbers, and far
// beyond.
// SPDX-License-Identifier: MIT
#include "expr/graph/diff.h"
#include "expr/graph/evaluate.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Scene {
    LiaGraph* g;
    LiaExpr x, e, inverse, one;  // exp(x), exp(-x)
} Scene;

static LiaExpr apply(LiaGraph* g, LiaOp op, LiaExpr x) {
    return lia_graph_apply(g, op, x, (LiaExpr){0}, (LiaExpr){0});
}

static Scene scene(void) {
    Scene s = {.g = lia_graph_create()};
    assert_non_null(s.g);
    s.x = lia_graph_symbol(s.g, LIA_SYMBOL_POSITION, 0);
    s.e = apply(s.g, LIA_OP_EXP, s.x);
    s.inverse = apply(s.g, LIA_OP_EXP, lia_graph_neg(s.g, s.x));
    s.one = lia_graph_integer(s.g, 1);
    return s;
}

static double value(const LiaGraph* g, LiaExpr f, double x) {
    LiaValues values;
    assert_true(lia_evaluate_init(&values, g, &f, 1));
    lia_evaluate_run(&values, &(LiaSymbols){.q = &x, .parameters = (const double[]){2.0, 0.5}});
    double result = lia_value(&values, f);
    lia_evaluate_clear(&values);
    return result;
}

static double logistic(double x) {
    return x > 0.0 ? 1.0 / (1.0 + exp(-x)) : exp(x) / (1.0 + exp(x));
}
static double logistic_rate(double x) { return logistic(x) * logistic(-x); }
static double bell_rate(double x) { return logistic_rate(x) * (logistic(-x) - logistic(x)); }
static double by_tanh(double x) { return tanh(x); }
static double tanh_rate(double x) { return 4.0 * logistic_rate(2.0 * x); }
static double half_tanh(double x) { return tanh(x / 2.0); }
static double half_tanh_rate(double x) { return 2.0 * logistic_rate(x); }
static double growth(double x) { return 2.0 / (0.5 + 1.5 * exp(-x)); }
static double growth_rate(double x) {
    return x > 0.0 ? 3.0 * exp(-x) / pow(0.5 + 1.5 * exp(-x), 2.0)
                   : 3.0 * exp(x) / pow(0.5 * exp(x) + 1.5, 2.0);
}

// `part`: relative to the value; else to 1.
static void assert_everywhere(const Scene* s, LiaExpr f, double (*want)(double),
                              double (*rate)(double), int part) {
    static const double at[] = {-1e6, -2000.0, -800.0, -720.0, -400.0, -300.0, -40.0, -3.0,  -0.1,
                                0.0,  0.1,     3.0,    40.0,   300.0,  400.0,  720.0, 800.0, 1e6};
    LiaExpr slope = lia_diff(s->g, f, s->x);
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        double x = at[i],
               small = fabs(x) < 340.0 && part ? 0.0 : 1.0;  // quotients below 1e-150 are 0
        double y = want(x), dy = rate(x), got = value(s->g, f, x), of = value(s->g, slope, x);
        if (!(fabs(got - y) <= 1e-14 * (fabs(y) + small)))
            fail_msg("at %g: %.17g for %.17g", x, got, y);
        if (!(fabs(of - dy) <= 1e-13 * (fabs(dy) + small)))
            fail_msg("slope at %g: %.17g for %.17g", x, of, dy);
    }
}

static void logistic_laws_have_values_everywhere(void) {
    Scene s = scene();
    LiaGraph* g = s.g;
    LiaExpr sum = lia_graph_add(g, s.one, s.e);
    assert_everywhere(&s, lia_graph_div(g, s.e, sum), logistic, logistic_rate, 1);
    LiaExpr seven = lia_graph_integer(g, 7);
    LiaExpr scaled = lia_graph_div(g, lia_graph_mul(g, seven, s.e), lia_graph_mul(g, seven, sum));
    assert_everywhere(&s, scaled, logistic, logistic_rate, 1);
    LiaExpr bell = lia_graph_div(g, s.e, lia_graph_mul(g, sum, sum));
    assert_everywhere(&s, bell, logistic_rate, bell_rate, 1);
    lia_graph_destroy(g);
}

// K e/(K + P (e - 1)) with K = 2, P = 1/2 as parameters.
static void logistic_growth_has_a_limit(void) {
    Scene s = scene();
    LiaGraph* g = s.g;
    LiaExpr K = lia_graph_symbol(g, LIA_SYMBOL_PARAMETER, 0);
    LiaExpr P = lia_graph_symbol(g, LIA_SYMBOL_PARAMETER, 1);
    LiaExpr below = lia_graph_add(g, K, lia_graph_mul(g, P, lia_graph_sub(g, s.e, s.one)));
    assert_everywhere(&s, lia_graph_div(g, lia_graph_mul(g, K, s.e), below), growth, growth_rate,
                      1);
    lia_graph_destroy(g);
}

static void tanh_written_by_exponentials_is_tanh(void) {
    Scene s = scene();
    LiaGraph* g = s.g;
    LiaExpr sinh2 = lia_graph_sub(g, s.e, s.inverse), cosh2 = lia_graph_add(g, s.e, s.inverse);
    assert_everywhere(&s, lia_graph_div(g, sinh2, cosh2), by_tanh, tanh_rate, 0);
    LiaExpr above = lia_graph_sub(g, s.one, s.inverse), below = lia_graph_add(g, s.one, s.inverse);
    assert_everywhere(&s, lia_graph_div(g, above, below), half_tanh, half_tanh_rate, 0);
    above = lia_graph_sub(g, s.e, s.one), below = lia_graph_add(g, s.e, s.one);
    assert_everywhere(&s, lia_graph_div(g, above, below), half_tanh, half_tanh_rate, 0);
    lia_graph_destroy(g);
}

// (1e-20 + e)/(1 + e) is 1e-20 on the left: no other way of writing may lose that.
static void small_ends_are_not_lost(void) {
    Scene s = scene();
    LiaGraph* g = s.g;
    LiaExpr above = lia_graph_add(g, lia_graph_real(g, 1e-20), s.e);
    LiaExpr f = lia_graph_div(g, above, lia_graph_add(g, s.one, s.e));
    assert_true(fabs(value(g, f, -100.0) / 1e-20 - 1.0) < 1e-13);
    assert_true(fabs(value(g, f, 3.0) - logistic(3.0)) < 1e-15);
    lia_graph_destroy(g);
}

int main(void) {
    const TestCase tests[] = {
        TEST(logistic_laws_have_values_everywhere),
        TEST(logistic_growth_has_a_limit),
        TEST(tanh_written_by_exponentials_is_tanh),
        TEST(small_ends_are_not_lost),
    };
    return TESTS_RUN(tests);
}
