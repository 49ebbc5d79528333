// Every operation: its value, its partial derivatives, its series and the slopes of its series.
//
// The series is compared with Cauchy's integral of the same function in complex long double: the
// coefficients of f(x(t)) for a random polynomial x(t), exact to many digits at every order.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/graph/diff.h"
#include "expr/ops/op.h"
#include "support/cases.h"
#include "support/random.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 14 };
typedef long double complex Complex;

// Where an operation is at home: bounds of its arguments at order 0.
typedef struct Home {
    LiaOp op;
    double low, high;      // of x
    double low_y, high_y;  // of y
    bool in_aux;           // the result of the series is the companion
} Home;

static const Home homes[] = {
    {LIA_OP_NEG, -2, 2, 0, 0, false},         {LIA_OP_ADD, -2, 2, -2, 2, false},
    {LIA_OP_SUB, -2, 2, -2, 2, false},        {LIA_OP_MUL, -2, 2, -2, 2, false},
    {LIA_OP_DIV, -2, 2, 0.8, 2, false},       {LIA_OP_POW, 0.8, 2, -2.5, 2.5, false},
    {LIA_OP_SQRT, 0.8, 3, 0, 0, false},       {LIA_OP_EXP, -2, 2, 0, 0, false},
    {LIA_OP_LOG, 0.8, 3, 0, 0, false},        {LIA_OP_SIN, -3, 3, 0, 0, false},
    {LIA_OP_COS, -3, 3, 0, 0, true},          {LIA_OP_TAN, -0.6, 0.6, 0, 0, false},
    {LIA_OP_ASIN, -0.4, 0.4, 0, 0, false},    {LIA_OP_ACOS, -0.4, 0.4, 0, 0, false},
    {LIA_OP_ATAN, -1, 1, 0, 0, false},        {LIA_OP_ATAN2, -1, 1, 0.8, 2, false},
    {LIA_OP_ATAN2, 0.8, 2, -1, 1, false},     {LIA_OP_SINH, -2, 2, 0, 0, false},
    {LIA_OP_COSH, -2, 2, 0, 0, true},         {LIA_OP_TANH, -0.6, 0.6, 0, 0, false},
    {LIA_OP_ABS, 0.5, 2, 0, 0, false},        {LIA_OP_ABS, -2, -0.5, 0, 0, false},
    {LIA_OP_SIGN, 0.5, 2, 0, 0, false},       {LIA_OP_SIGN, -2, -0.5, 0, 0, false},
    {LIA_OP_MIN, -2, -1, 1, 2, false},        {LIA_OP_MIN, 1, 2, -2, -1, false},
    {LIA_OP_MAX, -2, -1, 1, 2, false},        {LIA_OP_MAX, 1, 2, -2, -1, false},
    {LIA_OP_HYPOT, 0.8, 2, -2, 2, false},     {LIA_OP_WRAP, 4, 5, 0, 0, false},
    {LIA_OP_WRAP, -1, 1, 0, 0, false},        {LIA_OP_LESS, -2, -1, 1, 2, false},
    {LIA_OP_LESS, 1, 2, -2, -1, false},       {LIA_OP_LESS_EQUAL, -2, -1, 1, 2, false},
    {LIA_OP_LESS_EQUAL, 1, 2, -2, -1, false},
};
enum { HOMES = sizeof homes / sizeof homes[0] };

// The analytic function that the operation is where x and y are; `side` as in LiaJet.
static Complex analytic(LiaOp op, Complex x, Complex y, int side, long double x0, long double y0) {
    switch (op) {
    case LIA_OP_NEG:
        return -x;
    case LIA_OP_ADD:
        return x + y;
    case LIA_OP_SUB:
        return x - y;
    case LIA_OP_MUL:
        return x * y;
    case LIA_OP_DIV:
        return x / y;
    case LIA_OP_POW:
        return cexpl(y * clogl(x));
    case LIA_OP_SQRT:
        return csqrtl(x);
    case LIA_OP_EXP:
        return cexpl(x);
    case LIA_OP_LOG:
        return clogl(x);
    case LIA_OP_SIN:
        return csinl(x);
    case LIA_OP_COS:
        return ccosl(x);
    case LIA_OP_TAN:
        return ctanl(x);
    case LIA_OP_ASIN:
        return casinl(x);
    case LIA_OP_ACOS:
        return cacosl(x);
    case LIA_OP_ATAN:
        return catanl(x);
    case LIA_OP_ATAN2:  // x is the sine side: the argument of y + i x
        return y0 >= 0.8L ? catanl(x / y) : acosl(-1.0L) / 2 - catanl(y / x);
    case LIA_OP_SINH:
        return csinhl(x);
    case LIA_OP_COSH:
        return ccoshl(x);
    case LIA_OP_TANH:
        return ctanhl(x);
    case LIA_OP_ABS:
        return side * x;
    case LIA_OP_SIGN:
        return side;
    case LIA_OP_MIN:
        return side < 0 ? x : y;
    case LIA_OP_MAX:
        return side < 0 ? y : x;
    case LIA_OP_HYPOT:
        return csqrtl(x * x + y * y);
    case LIA_OP_WRAP:
        return x - 2 * acosl(-1.0L) * roundl(x0 / (2 * acosl(-1.0L)));
    case LIA_OP_LESS:
    case LIA_OP_LESS_EQUAL:
        return side < 0;
    default:
        return NAN;
    }
}

static int side_of(LiaOp op, double x, double y) {
    switch (op) {
    case LIA_OP_ABS:
    case LIA_OP_SIGN:
        return x > 0.0 ? 1 : -1;
    case LIA_OP_MIN:
    case LIA_OP_MAX:
    case LIA_OP_LESS:
    case LIA_OP_LESS_EQUAL:
        return x > y ? 1 : -1;
    default:
        return 0;
    }
}

static Complex polynomial(const double* x, Complex t) {
    Complex sum = 0;
    for (int k = ORDER; k >= 0; k--) sum = sum * t + x[k];
    return sum;
}

// Coefficient k of f(x(t), y(t)) by Cauchy's integral over |t| = radius.
static double cauchy(LiaOp op, const double* x, const double* y, int side, int k) {
    enum { POINTS = 128 };
    const long double radius = 0.25L, turn = 2 * acosl(-1.0L);
    Complex sum = 0;
    for (int i = 0; i < POINTS; i++) {
        Complex e = cexpl(I * (turn * i / POINTS));
        Complex t = radius * e;
        sum += analytic(op, polynomial(x, t), polynomial(y, t), side, x[0], y[0]) *
               cexpl(-I * (turn * i * k / POINTS));
    }
    return (double)(creall(sum) / POINTS / powl(radius, k));
}

typedef struct Series {
    double x[ORDER + 1], y[ORDER + 1], z[ORDER + 1], out[ORDER + 1], aux[ORDER + 1];
    LiaJet jet;
} Series;

static void random_series(Series* s, const Home* home, Random* r) {
    *s = (Series){0};
    s->x[0] = random_between(r, home->low, home->high);
    s->y[0] = random_between(r, home->low_y, home->high_y);
    for (int k = 1; k <= 4; k++) {
        s->x[k] = random_between(r, -0.4, 0.4);
        // The exponent of a power is constant in time.
        if (home->op != LIA_OP_POW) s->y[k] = random_between(r, -0.4, 0.4);
    }
    s->jet = (LiaJet){.x = s->x,
                      .y = s->y,
                      .z = s->z,
                      .out = s->out,
                      .aux = lia_op_kinds[home->op]->has_aux ? s->aux : NULL,
                      .side = side_of(home->op, s->x[0], s->y[0])};
}

static void series_agree_with_cauchys_integral(void) {
    Random r = {3};
    for (int h = 0; h < HOMES; h++) {
        const Home* home = &homes[h];
        const LiaOpKind* kind = lia_op_kinds[home->op];
        for (int round = 0; round < 20; round++) {
            Series s;
            random_series(&s, home, &r);
            for (int k = 0; k <= ORDER; k++) {
                kind->series(k, &s.jet);
                double got = home->in_aux ? s.aux[k] : s.out[k];
                double want = cauchy(home->op, s.x, s.y, s.jet.side, k);
                // Rounding grows with the order as the coefficients do: 1/(radius of
                // convergence)^k.
                double tolerance = 1e-13 * pow(3.0, k);
                if (!(fabs(got - want) <= tolerance * (1.0 + fabs(want)))) {
                    fail_msg("%s, order %d: %.17g, expected %.17g", lia_op_name(home->op), k, got,
                             want);
                }
            }
        }
    }
}

static void order_zero_is_the_value(void) {
    Random r = {4};
    for (int h = 0; h < HOMES; h++) {
        const Home* home = &homes[h];
        for (int round = 0; round < 20; round++) {
            Series s;
            random_series(&s, home, &r);
            lia_op_kinds[home->op]->series(0, &s.jet);
            double got = home->in_aux ? s.aux[0] : s.out[0];
            assert_true(got == lia_op_value(home->op, s.x[0], s.y[0], 0.0));
            double want =
                (double)creall(analytic(home->op, s.x[0], s.y[0], s.jet.side, s.x[0], s.y[0]));
            assert_true(fabs(got - want) <= 4e-15 * (1.0 + fabs(want)));
        }
    }
}

// The top coefficient of the result is affine in the top coefficients of the arguments.
static void the_tangent_is_the_slope_of_the_top_coefficient(void) {
    Random r = {6};
    for (int h = 0; h < HOMES; h++) {
        const Home* home = &homes[h];
        const LiaOpKind* kind = lia_op_kinds[home->op];
        for (int top = 1; top <= ORDER; top++) {
            Series s;
            random_series(&s, home, &r);
            for (int k = 0; k <= top; k++) kind->series(k, &s.jet);
            LiaSlope slope = {0};
            kind->tangent(&s.jet, &slope);
            double out = s.out[top], aux = s.aux[top];
            for (int arg = 0; arg < lia_op_arity(home->op); arg++) {
                if (home->op == LIA_OP_POW && arg == 1) continue;
                double change = random_between(&r, -3.0, 3.0);
                double* x = arg == 0 ? s.x : s.y;
                double kept = x[top];
                x[top] += change;
                kind->series(top, &s.jet);
                double d = arg == 0 ? slope.x : slope.y,
                       d_aux = arg == 0 ? slope.aux_x : slope.aux_y;
                double tolerance =
                    1e-12 * pow(2.0, top) * (1.0 + fabs(out) + fabs(aux) + fabs(d) + fabs(d_aux));
                if (!(fabs(s.out[top] - out - d * change) <= tolerance)) {
                    fail_msg("%s: slope %d", lia_op_name(home->op), arg);
                }
                if (kind->has_aux && !(fabs(s.aux[top] - aux - d_aux * change) <= tolerance)) {
                    fail_msg("%s: slope %d of the companion", lia_op_name(home->op), arg);
                }
                x[top] = kept;
                kind->series(top, &s.jet);
            }
        }
    }
}

static double value_at(const LiaGraph* g, LiaExpr f, double x, double y) {
    double* v = calloc((size_t)f.index + 1, sizeof *v);
    for (uint32_t i = 1; i <= f.index; i++) {
        const LiaNode* n = &g->nodes[i];
        switch ((LiaOp)n->op) {
        case LIA_OP_CONST:
            v[i] = g->numbers[n->a].value;
            break;
        case LIA_OP_PI:
            v[i] = acos(-1.0);
            break;
        case LIA_OP_SYMBOL:
            v[i] = n->symbol_kind == LIA_SYMBOL_PARAMETER ? y : n->a == 0 ? x : y;
            break;
        default:
            v[i] = lia_op_value((LiaOp)n->op, v[n->a], v[n->b], v[n->c]);
        }
    }
    double result = v[f.index];
    free(v);
    return result;
}

static void partials_agree_with_differences(void) {
    Random r = {9};
    for (int i = 0; i < HOMES; i++) {
        const Home* home = &homes[i];
        LiaGraph* g = lia_graph_create();
        LiaExpr x = lia_graph_symbol(g, LIA_SYMBOL_POSITION, 0);
        // The exponent of a power is a parameter: what changes in time becomes exp(y*log(x)).
        LiaExpr y = home->op == LIA_OP_POW ? lia_graph_symbol(g, LIA_SYMBOL_PARAMETER, 0)
                                           : lia_graph_symbol(g, LIA_SYMBOL_POSITION, 1);
        LiaExpr f = lia_graph_apply(g, home->op, x, y, (LiaExpr){0});
        assert_int_equal(lia_graph_node(g, f)->op, home->op);
        for (int arg = 0; arg < lia_op_arity(home->op); arg++) {
            LiaExpr d = lia_diff_partial(g, f, arg);
            for (int round = 0; round < 20; round++) {
                double x0 = random_between(&r, home->low, home->high);
                double y0 = random_between(&r, home->low_y, home->high_y);
                double e = 1e-5, ex = arg == 0 ? e : 0.0, ey = arg == 1 ? e : 0.0;
                double slope = (lia_op_value(home->op, x0 + ex, y0 + ey, 0.0) -
                                lia_op_value(home->op, x0 - ex, y0 - ey, 0.0)) /
                               (2.0 * e);
                double got = value_at(g, d, x0, y0);
                if (!(fabs(got - slope) <= 1e-8 * (1.0 + fabs(slope)))) {
                    fail_msg("%s, argument %d: %.12g, expected %.12g", lia_op_name(home->op), arg,
                             got, slope);
                }
            }
        }
        lia_graph_destroy(g);
    }
}

static void conditions_choose_a_branch(void) {
    const double yes = 1.0, no = 0.0;
    assert_true(lia_op_value(LIA_OP_IF, yes, 3.0, 4.0) == 3.0);
    assert_true(lia_op_value(LIA_OP_IF, no, 3.0, 4.0) == 4.0);
    assert_true(lia_op_value(LIA_OP_AND, yes, yes, 0.0) == 1.0 &&
                lia_op_value(LIA_OP_AND, yes, no, 0.0) == 0.0);
    assert_true(lia_op_value(LIA_OP_OR, no, yes, 0.0) == 1.0 &&
                lia_op_value(LIA_OP_OR, no, no, 0.0) == 0.0);
    assert_true(lia_op_value(LIA_OP_NOT, no, 0.0, 0.0) == 1.0 &&
                lia_op_value(LIA_OP_NOT, yes, 0.0, 0.0) == 0.0);
    assert_true(lia_op_value(LIA_OP_LESS, 1.0, 1.0, 0.0) == 0.0);
    assert_true(lia_op_value(LIA_OP_LESS_EQUAL, 1.0, 1.0, 0.0) == 1.0);

    // Series: the branch that holds at order 0, to all orders; the other may be anything.
    double x[3] = {1.0, 0.0, 0.0}, y[3] = {2.0, 3.0, 4.0}, z[3] = {NAN, NAN, NAN}, out[3];
    LiaJet jet = {.x = x, .y = y, .z = z, .out = out};
    for (int k = 0; k < 3; k++) lia_op_kinds[LIA_OP_IF]->series(k, &jet);
    assert_true(out[0] == 2.0 && out[1] == 3.0 && out[2] == 4.0);
    LiaSlope slope = {0};
    lia_op_kinds[LIA_OP_IF]->tangent(&jet, &slope);
    assert_true(slope.y == 1.0 && slope.z == 0.0);
    const LiaOp logic[] = {LIA_OP_AND, LIA_OP_OR, LIA_OP_NOT};
    for (int i = 0; i < 3; i++) {
        double a[2] = {1.0, 0.0}, b[2] = {0.0, 0.0}, c[2];
        LiaJet l = {.x = a, .y = b, .out = c};
        for (int k = 0; k < 2; k++) lia_op_kinds[logic[i]]->series(k, &l);
        assert_true(c[0] == lia_op_value(logic[i], 1.0, 0.0, 0.0) && c[1] == 0.0);
    }
}

static void an_angle_is_wrapped_into_one_turn(void) {
    const double pi = acos(-1.0);
    for (int i = -50; i <= 50; i++) {
        double w = lia_op_value(LIA_OP_WRAP, 0.37 * i, 0.0, 0.0);
        assert_true(w > -pi && w <= pi);
        assert_true(fabs(sin(w) - sin(0.37 * i)) < 1e-14 && fabs(cos(w) - cos(0.37 * i)) < 1e-14);
    }
    assert_true(lia_op_value(LIA_OP_WRAP, -pi, 0.0, 0.0) == pi);
    assert_true(lia_op_value(LIA_OP_SIGN, 0.0, 0.0, 0.0) == 0.0);
}

static void every_operation_is_tested_here(void) {
    for (int op = LIA_OP_NEG; op < LIA_OP_COUNT; op++) {
        const LiaOpKind* kind = lia_op_kinds[op];
        assert_non_null(kind->value);
        assert_non_null(kind->partial);
        assert_non_null(kind->series);
        assert_non_null(kind->tangent);
        bool found = op == LIA_OP_IF || op == LIA_OP_AND || op == LIA_OP_OR || op == LIA_OP_NOT;
        for (int h = 0; h < HOMES; h++) found = found || homes[h].op == (LiaOp)op;
        if (!found) fail_msg("no home for %s", lia_op_name((LiaOp)op));
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(every_operation_is_tested_here),
        TEST(order_zero_is_the_value),
        TEST(partials_agree_with_differences),
        TEST(series_agree_with_cauchys_integral),
        TEST(the_tangent_is_the_slope_of_the_top_coefficient),
        TEST(conditions_choose_a_branch),
        TEST(an_angle_is_wrapped_into_one_turn),
    };
    return TESTS_RUN(tests);
}
