// Primitives of forms. See primitive.h.
//
// One variable after the other, those first that can be integrated: f gets the integral of what is
// left of form[i], and df is taken away from all. Of a closed form nothing is left at the end.
// SPDX-License-Identifier: MIT
#include "geometry/integrability/primitive.h"
#include "base/memory/memory.h"
#include "expr/reading/simplify.h"
#include <stdlib.h>
#include <string.h>

enum { DEGREE_MOST = 6, DEPTH_MOST = 30 };

static const LiaExpr none = {0};

static bool contains(LiaGraph* g, LiaExpr f, LiaExpr x) {
    const uint32_t* list;
    unsigned bit = g->nodes[x.index].depends;
    if (!(g->nodes[f.index].depends & bit)) return false;
    uint32_t met = lia_below_roots(g, &f, 1, bit, &list);
    for (uint32_t i = 0; i < met; i++) {
        if (list[i] == x.index) return true;
    }
    return false;
}

static LiaExpr tidy(LiaGraph* g, LiaExpr f) { return f.index ? lia_simplify(g, f) : f; }

// f with x put to zero.
static LiaExpr at_zero(LiaGraph* g, LiaExpr f, LiaExpr x) {
    const LiaNode* node = lia_graph_node(g, x);
    LiaSymbolKind kind = (LiaSymbolKind)node->symbol_kind;
    uint32_t number = node->a;
    LiaExpr* by = lia_memory_zeros((size_t)number + 1, sizeof *by);
    if (!by) return none;
    by[number] = lia_graph_integer(g, 0);
    LiaExpr put = lia_diff_substitute(g, f, kind, by, (size_t)number + 1);
    free(by);
    return put;
}

// The slope a of f = a x + b, where a does not contain x; {0} else.
static LiaExpr slope_of(LiaGraph* g, LiaExpr f, LiaExpr x) {
    LiaExpr a = tidy(g, lia_diff(g, f, x));
    return a.index && !contains(g, a, x) && !lia_graph_is_zero(g, a) ? a : none;
}

// Polynomials in x: sum of f_k x^k/k!, with f_k the derivatives at 0.
static LiaExpr integrate_polynomial(LiaGraph* g, LiaExpr f, LiaExpr x) {
    LiaExpr sum = lia_graph_integer(g, 0), power = x;
    int64_t factorial = 1;
    for (int k = 0; k <= DEGREE_MOST; k++) {
        if (lia_graph_is_zero(g, f)) return sum;
        LiaExpr at = at_zero(g, f, x);
        if (!at.index) return none;
        factorial *= k + 1;
        LiaExpr term =
            lia_graph_mul(g, lia_graph_mul(g, at, power), lia_graph_rational(g, 1, factorial));
        sum = lia_graph_add(g, sum, term);
        power = lia_graph_mul(g, power, x);
        f = tidy(g, lia_diff(g, f, x));
        if (!f.index) return none;
    }
    return none;
}

// A function of one linear argument.
static LiaExpr integrate_function(LiaGraph* g, LiaExpr f, LiaExpr x) {
    LiaNode n = *lia_graph_node(g, f);
    LiaExpr u = {n.a}, made = none;
    LiaExpr slope = lia_op_arity((LiaOp)n.op) > 0 ? slope_of(g, u, x) : none;
    if (!slope.index) return none;
    if (n.op == LIA_OP_SIN) made = lia_graph_neg(g, lia_graph_apply(g, LIA_OP_COS, u, none, none));
    if (n.op == LIA_OP_COS) made = lia_graph_apply(g, LIA_OP_SIN, u, none, none);
    if (n.op == LIA_OP_EXP) made = f;
    if (n.op == LIA_OP_SINH) made = lia_graph_apply(g, LIA_OP_COSH, u, none, none);
    if (n.op == LIA_OP_COSH) made = lia_graph_apply(g, LIA_OP_SINH, u, none, none);
    if (n.op == LIA_OP_POW && !contains(g, (LiaExpr){n.b}, x)) {
        LiaExpr next = lia_graph_add(g, (LiaExpr){n.b}, lia_graph_integer(g, 1));
        if (lia_graph_is_zero(g, next)) return none;
        made = lia_graph_div(g, lia_graph_pow(g, u, next), next);
    }
    return made.index ? lia_graph_div(g, made, slope) : none;
}

static LiaExpr integrate(LiaGraph* g, LiaExpr f, LiaExpr x, int depth) {
    LiaNode n = *lia_graph_node(g, f);
    LiaExpr a = {n.a}, b = {n.b};
    if (depth == 0) return none;
    if (!contains(g, f, x)) return lia_graph_mul(g, f, x);
    if (n.op == LIA_OP_NEG) {
        LiaExpr part = integrate(g, a, x, depth - 1);
        return part.index ? lia_graph_neg(g, part) : none;
    }
    if (n.op == LIA_OP_ADD || n.op == LIA_OP_SUB) {
        LiaExpr left = integrate(g, a, x, depth - 1), right = integrate(g, b, x, depth - 1);
        if (!left.index || !right.index) return none;
        return lia_graph_apply(g, (LiaOp)n.op, left, right, none);
    }
    if (n.op == LIA_OP_MUL && (!contains(g, a, x) || !contains(g, b, x))) {
        bool first = !contains(g, a, x);
        LiaExpr part = integrate(g, first ? b : a, x, depth - 1);
        return part.index ? lia_graph_mul(g, first ? a : b, part) : none;
    }
    if (n.op == LIA_OP_DIV && !contains(g, b, x)) {
        LiaExpr part = integrate(g, a, x, depth - 1);
        return part.index ? lia_graph_div(g, part, b) : none;
    }
    if (n.op == LIA_OP_DIV && !contains(g, a, x)) {  // 1/(a x + b)
        LiaExpr slope = slope_of(g, b, x);
        // log |b| as half of log b^2: it is differentiated without |b|
        LiaExpr square = lia_graph_pow(g, b, lia_graph_integer(g, 2));
        LiaExpr made = lia_graph_mul(g, lia_graph_rational(g, 1, 2),
                                     lia_graph_apply(g, LIA_OP_LOG, square, none, none));
        if (slope.index) return lia_graph_mul(g, lia_graph_div(g, a, slope), made);
    }
    LiaExpr made = integrate_function(g, f, x);
    return made.index ? made : integrate_polynomial(g, f, x);
}

// Take one variable whose part can be integrated. False: there is none left, or none can.
static bool take_part(LiaGraph* g, const LiaExpr* symbols, size_t count, LiaExpr* rest,
                      LiaExpr* slope, LiaExpr* f) {
    for (size_t i = 0; i < count; i++) {
        if (lia_graph_is_zero(g, rest[i])) continue;
        LiaExpr part = integrate(g, rest[i], symbols[i], DEPTH_MOST);
        if (!part.index || !lia_diff_gradient(g, part, symbols, count, slope)) continue;
        LiaExpr left = tidy(g, lia_graph_sub(g, rest[i], slope[i]));
        if (!lia_graph_is_zero(g, left)) continue;
        *f = lia_graph_add(g, *f, part);
        for (size_t k = 0; k < count; k++) rest[k] = tidy(g, lia_graph_sub(g, rest[k], slope[k]));
        return true;
    }
    return false;
}

static LiaExpr find(LiaGraph* g, const LiaExpr* form, const LiaExpr* symbols, size_t count,
                    LiaExpr factor) {
    LiaExpr* rest = lia_memory_zeros(2 * count + 1, sizeof *rest);
    LiaExpr f = lia_graph_integer(g, 0);
    if (!rest) return none;
    for (size_t i = 0; i < count; i++) {
        rest[i] = tidy(g, factor.index ? lia_graph_div(g, form[i], factor) : form[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (!take_part(g, symbols, count, rest, rest + count, &f)) break;
    }
    for (size_t i = 0; f.index && i < count; i++) {
        if (!lia_graph_is_zero(g, rest[i])) f = none;
    }
    free(rest);
    return g->failed ? none : tidy(g, f);
}

// 1/mu of an integrating factor mu that depends on x_j alone: d(mu theta) = 0 says, for each i,
// mu'/mu = (d_i a_j - d_j a_i)/a_i, which must be the same function of x_j for all of them.
static LiaExpr factor_in(LiaGraph* g, const LiaExpr* form, const LiaExpr* symbols, size_t count,
                         size_t j) {
    LiaExpr rate = none;
    for (size_t i = 0; i < count; i++) {
        if (i == j) continue;
        LiaExpr turn =
            lia_graph_sub(g, lia_diff(g, form[j], symbols[i]), lia_diff(g, form[i], symbols[j]));
        turn = tidy(g, turn);
        if (lia_graph_is_zero(g, form[i])) {
            if (!lia_graph_is_zero(g, turn)) return none;
            continue;
        }
        LiaExpr here = tidy(g, lia_graph_div(g, turn, form[i]));
        if (g->failed) return none;
        for (size_t k = 0; k < count; k++) {
            if (k != j && contains(g, here, symbols[k])) return none;
        }
        if (rate.index && !lia_graph_is_zero(g, tidy(g, lia_graph_sub(g, rate, here)))) return none;
        rate = here;
    }
    if (!rate.index || lia_graph_is_zero(g, rate)) return none;
    LiaExpr power = integrate(g, rate, symbols[j], DEPTH_MOST);
    if (!power.index) return none;
    return lia_graph_apply(g, LIA_OP_EXP, lia_graph_neg(g, power), none, none);
}

// As it is; divided by one of its coefficients; with an integrating factor of one variable.
LiaExpr lia_primitive_find(LiaGraph* g, const LiaExpr* form, const LiaExpr* symbols, size_t count) {
    LiaExpr f = find(g, form, symbols, count, none);
    for (size_t i = 0; !f.index && i < count; i++) {
        LiaNumber number;
        LiaExpr factor = tidy(g, form[i]);
        bool useful = !lia_graph_is_zero(g, factor) && !lia_graph_constant(g, factor, &number);
        if (useful) f = find(g, form, symbols, count, factor);
    }
    for (size_t j = 0; !f.index && j < count && !g->failed; j++) {
        LiaExpr factor = factor_in(g, form, symbols, count, j);
        if (factor.index) f = find(g, form, symbols, count, factor);
    }
    return f;
}
