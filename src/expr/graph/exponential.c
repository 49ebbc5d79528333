// Quotients of exponentials. See exponential.h.
// SPDX-License-Identifier: MIT
#include "expr/graph/exponential.h"
#include <math.h>

enum { DEPTH_MOST = 12, CANDIDATES_MOST = 3 };

static const uint16_t changing = (uint16_t)~LIA_DEPENDS(PARAMETER);  // what may change in time

static bool is_steady(const LiaGraph* g, LiaExpr x) {
    return !(lia_graph_node(g, x)->depends & changing);
}

// The exponentials that a sum is linear in, without looking for how.
static int find_exponentials(const LiaGraph* g, LiaExpr x, int depth, LiaExpr* found, int count) {
    const LiaNode* n = lia_graph_node(g, x);
    if (is_steady(g, x) || depth > DEPTH_MOST || count == CANDIDATES_MOST) return count;
    if (n->op == LIA_OP_EXP) {
        for (int i = 0; i < count; i++) {
            if (lia_expr_same(found[i], x)) return count;
        }
        found[count] = x;
        return count + 1;
    }
    bool sum = n->op == LIA_OP_ADD || n->op == LIA_OP_SUB || n->op == LIA_OP_MUL;
    if (!sum && n->op != LIA_OP_NEG) return count;
    LiaExpr a = {n->a}, b = {n->b};
    count = find_exponentials(g, a, depth + 1, found, count);
    return sum ? find_exponentials(g, b, depth + 1, found, count) : count;
}

// Arguments stand before what is made of them. What is too deep to be seen contains it.
static bool contains(const LiaGraph* g, LiaExpr x, LiaExpr E, int depth) {
    const LiaNode* n = lia_graph_node(g, x);
    if (x.index < E.index) return false;
    if (lia_expr_same(x, E) || depth > DEPTH_MOST) return true;
    int count = lia_op_arity((LiaOp)n->op);
    return (count > 0 && contains(g, (LiaExpr){n->a}, E, depth + 1)) ||
           (count > 1 && contains(g, (LiaExpr){n->b}, E, depth + 1)) ||
           (count > 2 && contains(g, (LiaExpr){n->c}, E, depth + 1));
}

typedef struct Linear {  // a + b E
    LiaExpr a, b;
} Linear;

// x = a + b E. False where E is in it in another way.
static bool take_apart(LiaGraph* g, LiaExpr x, LiaExpr E, int depth, Linear* out) {
    const LiaNode n = *lia_graph_node(g, x);  // a copy: new nodes may move the others
    LiaExpr zero = lia_graph_integer(g, 0);
    *out = (Linear){x, zero};
    if (lia_expr_same(x, E)) {
        *out = (Linear){zero, lia_graph_integer(g, 1)};
        return true;
    }
    if (is_steady(g, x)) return true;
    if (depth > DEPTH_MOST) return false;
    Linear l, r;
    switch ((LiaOp)n.op) {
    case LIA_OP_ADD:
    case LIA_OP_SUB:
        if (!take_apart(g, (LiaExpr){n.a}, E, depth + 1, &l) ||
            !take_apart(g, (LiaExpr){n.b}, E, depth + 1, &r))
            return false;
        *out = n.op == LIA_OP_ADD
                   ? (Linear){lia_graph_add(g, l.a, r.a), lia_graph_add(g, l.b, r.b)}
                   : (Linear){lia_graph_sub(g, l.a, r.a), lia_graph_sub(g, l.b, r.b)};
        return true;
    case LIA_OP_NEG:
        if (!take_apart(g, (LiaExpr){n.a}, E, depth + 1, &l)) return false;
        *out = (Linear){lia_graph_neg(g, l.a), lia_graph_neg(g, l.b)};
        return true;
    case LIA_OP_MUL:
        if (!take_apart(g, (LiaExpr){n.a}, E, depth + 1, &l) ||
            !take_apart(g, (LiaExpr){n.b}, E, depth + 1, &r))
            return false;
        if (!lia_graph_is_zero(g, l.b) && !lia_graph_is_zero(g, r.b)) return false;
        *out = lia_graph_is_zero(g, r.b)
                   ? (Linear){lia_graph_mul(g, l.a, r.a), lia_graph_mul(g, l.b, r.a)}
                   : (Linear){lia_graph_mul(g, l.a, r.a), lia_graph_mul(g, l.a, r.b)};
        return true;
    default:
        return !contains(g, x, E, depth);
    }
}

// c exp(-u), for a steady c or a multiple of one exponential; {0}: neither.
static LiaExpr divided(LiaGraph* g, LiaExpr c, LiaExpr u) {
    LiaExpr none = {0}, other;
    if (is_steady(g, c)) {
        LiaExpr inverse = lia_graph_apply(g, LIA_OP_EXP, lia_graph_neg(g, u), none, none);
        return lia_graph_mul(g, c, inverse);
    }
    if (find_exponentials(g, c, 0, &other, 0) != 1) return none;
    Linear l;
    if (!take_apart(g, c, other, 0, &l) || !lia_graph_is_zero(g, l.a) || !is_steady(g, l.b))
        return none;
    LiaExpr v = {lia_graph_node(g, other)->a};
    LiaExpr exponent = lia_graph_sub(g, v, u);
    return lia_graph_mul(g, l.b, lia_graph_apply(g, LIA_OP_EXP, exponent, none, none));
}

// The ends a/c and b/d are numbers, and the first is not so much smaller that it would be lost in
// the second.
static bool ends_alike(LiaGraph* g, Linear x, Linear y) {
    const double part = 1.0 / 16.0;
    LiaNumber low, high;
    return lia_graph_constant(g, lia_graph_div(g, x.a, y.a), &low) &&
           lia_graph_constant(g, lia_graph_div(g, x.b, y.b), &high) &&
           fabs(low.value) >= part * fabs(high.value);
}

static bool by_one(LiaGraph* g, LiaExpr x, LiaExpr y, LiaExpr E, LiaExpr* out) {
    Linear of_x, of_y;
    LiaExpr u = {lia_graph_node(g, E)->a};
    if (!take_apart(g, y, E, 0, &of_y) || !take_apart(g, x, E, 0, &of_x)) return false;
    if (lia_graph_is_zero(g, of_x.b) || lia_graph_is_zero(g, of_y.b)) return false;
    if (!is_steady(g, of_y.b) || lia_graph_is_zero(g, of_y.a)) return false;
    LiaExpr rest = divided(g, of_y.a, u);
    if (!rest.index) return false;
    if (lia_graph_is_zero(g, of_x.a)) {
        *out = lia_graph_div(g, of_x.b, lia_graph_add(g, of_y.b, rest));
        return true;
    }
    if (!ends_alike(g, of_x, of_y)) return false;
    LiaExpr high = lia_graph_div(g, of_x.b, of_y.b);
    LiaExpr left = lia_graph_sub(g, of_x.a, lia_graph_mul(g, high, of_y.a));
    *out = lia_graph_add(g, high, lia_graph_div(g, left, y));
    return true;
}

bool lia_exponential_quotient(LiaGraph* g, LiaExpr x, LiaExpr y, LiaExpr* out) {
    LiaExpr found[CANDIDATES_MOST], sum = y;
    const LiaNode* n = lia_graph_node(g, y);
    LiaNumber power = {.value = 1.0};
    if (is_steady(g, y)) return false;
    if (n->op == LIA_OP_POW) {
        if (!lia_graph_constant(g, (LiaExpr){n->b}, &power) || !(power.value >= 2.0)) return false;
        sum = (LiaExpr){n->a};
    }
    int sums = lia_graph_node(g, sum)->op;
    if (sums != LIA_OP_ADD && sums != LIA_OP_SUB) return false;
    int count = find_exponentials(g, sum, 0, found, 0);
    for (int i = 0; i < count; i++) {
        if (!by_one(g, x, sum, found[i], out)) continue;
        if (power.value > 1.0) {
            LiaExpr less = lia_graph_real(g, power.value - 1.0);
            *out = lia_graph_div(g, *out, lia_graph_pow(g, sum, less));
        }
        return true;
    }
    return false;
}
