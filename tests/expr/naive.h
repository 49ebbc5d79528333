// Formulas a second time, as plainly as can be: what the graph is compared with.
//
// A Naive is a list of operations as they were asked for, with nothing simplified; it is evaluated
// with the C library in long double, together with its derivative along one direction (dual
// numbers) and a bound of its rounding. Random ones are built side by side with the graph's.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/graph.h"
#include "support/random.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { NAIVE_MOST = 64, NAIVE_SYMBOLS = 8 };

typedef struct NaiveNode {
    LiaOp op;
    int a, b, c;         // earlier nodes
    long double number;  // CONST
    int symbol;          // SYMBOL: index into naive_symbols
    LiaExpr expr;        // the same in the graph
} NaiveNode;

typedef struct Naive {
    NaiveNode nodes[NAIVE_MOST];
    int count;
} Naive;

typedef struct NaiveSymbol {
    LiaSymbolKind kind;
    uint32_t number;
} NaiveSymbol;

static const NaiveSymbol naive_symbols[NAIVE_SYMBOLS] = {
    {LIA_SYMBOL_TIME, 0},     {LIA_SYMBOL_PARAMETER, 0}, {LIA_SYMBOL_PARAMETER, 1},
    {LIA_SYMBOL_POSITION, 0}, {LIA_SYMBOL_POSITION, 1},  {LIA_SYMBOL_POSITION, 2},
    {LIA_SYMBOL_VELOCITY, 0}, {LIA_SYMBOL_VELOCITY, 1}};

static inline int naive_symbol_of(const LiaNode* n) {
    for (int i = 0; i < NAIVE_SYMBOLS; i++) {
        if (naive_symbols[i].kind == (LiaSymbolKind)n->symbol_kind &&
            naive_symbols[i].number == n->a) {
            return i;
        }
    }
    return -1;
}

// Value, derivative along a direction, and how wrong rounding to double could make the value.
// `bad` says: not a number, or so near to a jump or a pole that nothing can be concluded.
typedef struct Dual {
    long double x, dx, error;
    bool bad;
} Dual;

static inline Dual naive_apply(LiaOp op, Dual x, Dual y, Dual z) {
    const long double eps = 0x1p-52L, near = 1e-6L;
    Dual r = {.bad = x.bad || y.bad || z.bad};
    long double fx = 0, fy = 0;  // partial derivatives
    switch (op) {
    case LIA_OP_NEG:
        r.x = -x.x, fx = -1;
        break;
    case LIA_OP_ADD:
        r.x = x.x + y.x, fx = fy = 1;
        break;
    case LIA_OP_SUB:
        r.x = x.x - y.x, fx = 1, fy = -1;
        break;
    case LIA_OP_MUL:
        r.x = x.x * y.x, fx = y.x, fy = x.x;
        break;
    case LIA_OP_DIV:
        r.x = x.x / y.x, fx = 1 / y.x, fy = -x.x / (y.x * y.x);
        r.bad = r.bad || fabsl(y.x) < near;
        break;
    case LIA_OP_POW:
        r.x = powl(x.x, y.x), fx = y.x * powl(x.x, y.x - 1);
        fy = y.dx != 0 ? r.x * logl(x.x) : 0;
        r.bad = r.bad || (y.x < 1 && fabsl(x.x) < near);
        break;
    case LIA_OP_SQRT:
        r.x = sqrtl(x.x), fx = 0.5L / r.x;
        r.bad = r.bad || x.x < near;
        break;
    case LIA_OP_EXP:
        r.x = fx = expl(x.x);
        break;
    case LIA_OP_LOG:
        r.x = logl(x.x), fx = 1 / x.x;
        r.bad = r.bad || x.x < near;
        break;
    case LIA_OP_SIN:
        r.x = sinl(x.x), fx = cosl(x.x);
        break;
    case LIA_OP_COS:
        r.x = cosl(x.x), fx = -sinl(x.x);
        break;
    case LIA_OP_TAN:
        r.x = tanl(x.x), fx = 1 / (cosl(x.x) * cosl(x.x));
        break;
    case LIA_OP_ASIN:
        r.x = asinl(x.x), fx = 1 / sqrtl(1 - x.x * x.x);
        r.bad = r.bad || fabsl(x.x) > 1 - near;
        break;
    case LIA_OP_ACOS:
        r.x = acosl(x.x), fx = -1 / sqrtl(1 - x.x * x.x);
        r.bad = r.bad || fabsl(x.x) > 1 - near;
        break;
    case LIA_OP_ATAN:
        r.x = atanl(x.x), fx = 1 / (1 + x.x * x.x);
        break;
    case LIA_OP_ATAN2: {
        long double w = x.x * x.x + y.x * y.x;
        r.x = atan2l(x.x, y.x), fx = y.x / w, fy = -x.x / w;
        r.bad = r.bad || w < near || (y.x < 0 && fabsl(x.x) < near);
        break;
    }
    case LIA_OP_SINH:
        r.x = sinhl(x.x), fx = coshl(x.x);
        break;
    case LIA_OP_COSH:
        r.x = coshl(x.x), fx = sinhl(x.x);
        break;
    case LIA_OP_TANH:
        r.x = tanhl(x.x), fx = 1 / (coshl(x.x) * coshl(x.x));
        break;
    case LIA_OP_ABS:
        r.x = fabsl(x.x), fx = x.x > 0 ? 1 : -1;
        r.bad = r.bad || fabsl(x.x) < near;
        break;
    case LIA_OP_SIGN:
        r.x = x.x > 0 ? 1 : -1;
        r.bad = r.bad || fabsl(x.x) < near;
        break;
    case LIA_OP_MIN:
    case LIA_OP_MAX: {
        bool first = (x.x < y.x) == (op == LIA_OP_MIN);
        r.x = first ? x.x : y.x, fx = first, fy = !first;
        r.bad = r.bad || fabsl(x.x - y.x) < near;
        break;
    }
    case LIA_OP_HYPOT:
        r.x = hypotl(x.x, y.x), fx = x.x / r.x, fy = y.x / r.x;
        r.bad = r.bad || r.x < near;
        break;
    case LIA_OP_WRAP:
        r.x = remainderl(x.x, 2 * acosl(-1)), fx = 1;
        r.bad = r.bad || fabsl(fabsl(r.x) - acosl(-1)) < near;
        break;
    case LIA_OP_IF:
        // Only the branch taken counts: the other may be anything.
        r = x.x != 0 ? y : z;
        r.bad = r.bad || x.bad;
        return r;
    case LIA_OP_LESS:
        r.x = x.x < y.x;
        r.bad = r.bad || fabsl(x.x - y.x) < near;
        break;
    case LIA_OP_LESS_EQUAL:
        r.x = x.x <= y.x;
        r.bad = r.bad || fabsl(x.x - y.x) < near;
        break;
    case LIA_OP_AND:
        r.x = x.x != 0 && y.x != 0;
        break;
    case LIA_OP_OR:
        r.x = x.x != 0 || y.x != 0;
        break;
    case LIA_OP_NOT:
        r.x = x.x == 0;
        break;
    default:
        r.bad = true;
        break;
    }
    r.dx = (x.dx != 0 ? fx * x.dx : 0) + (y.dx != 0 ? fy * y.dx : 0);
    r.error = fabsl(fx) * x.error + fabsl(fy) * y.error + eps * fabsl(r.x);
    r.bad = r.bad || !isfinite((double)r.x) || !isfinite((double)r.dx) || r.error > 1e-9L;
    return r;
}

// Evaluate with symbol i at x[i] + h dx[i].
static inline Dual naive_value(const Naive* f, const long double* x, const long double* dx) {
    Dual v[NAIVE_MOST] = {{0}};
    for (int i = 0; i < f->count; i++) {
        const NaiveNode* n = &f->nodes[i];
        if (n->op == LIA_OP_CONST) {
            v[i] = (Dual){.x = n->number};
        } else if (n->op == LIA_OP_PI) {
            v[i] = (Dual){.x = acosl(-1)};
        } else if (n->op == LIA_OP_SYMBOL) {
            v[i] = (Dual){.x = x[n->symbol], .dx = dx ? dx[n->symbol] : 0};
        } else {
            v[i] = naive_apply(n->op, v[n->a], v[n->b], v[n->c]);
        }
    }
    return v[f->count - 1];
}

// The graph's formula with doubles, in the order of the indices.
static inline double graph_value(const LiaGraph* g, LiaExpr f, const long double* x) {
    double* v = calloc((size_t)f.index + 1, sizeof *v);
    for (uint32_t i = 1; i <= f.index; i++) {
        const LiaNode* n = &g->nodes[i];
        if (n->op == LIA_OP_CONST) {
            v[i] = g->numbers[n->a].value;
        } else if (n->op == LIA_OP_PI) {
            v[i] = acos(-1.0);
        } else if (n->op == LIA_OP_SYMBOL) {
            int s = naive_symbol_of(n);
            v[i] = s >= 0 ? (double)x[s] : 0.0;
        } else {
            v[i] = lia_op_value((LiaOp)n->op, v[n->a], v[n->b], v[n->c]);
        }
    }
    double result = v[f.index];
    free(v);
    return result;
}

// --- random formulas ---------------------------------------------------------------------------

static inline int naive_put(Naive* f, NaiveNode node) {
    f->nodes[f->count] = node;
    return f->count++;
}

static inline int naive_leaf(Naive* f, LiaGraph* g, Random* r) {
    NaiveNode n = {.op = LIA_OP_CONST};
    int kind = random_whole(r, 0, 9);
    if (kind < 6) {
        n.op = LIA_OP_SYMBOL;
        n.symbol = random_whole(r, 0, NAIVE_SYMBOLS - 1);
        n.expr = lia_graph_symbol(g, naive_symbols[n.symbol].kind, naive_symbols[n.symbol].number);
    } else if (kind == 6) {
        n.op = LIA_OP_PI;
        n.expr = lia_graph_pi(g);
    } else if (kind == 7) {
        double x = random_between(r, -3.0, 3.0);
        n.number = x;
        n.expr = lia_graph_real(g, x);
    } else {
        int num = random_whole(r, -4, 4), den = random_whole(r, 1, 4);
        n.number = (long double)num / den;
        n.expr = lia_graph_rational(g, num, den);
    }
    return naive_put(f, n);
}

static inline bool naive_is_condition(LiaOp op) {
    return op == LIA_OP_LESS || op == LIA_OP_LESS_EQUAL || op == LIA_OP_AND || op == LIA_OP_OR ||
           op == LIA_OP_NOT;
}

// Sums, products and powers come often: that is where the graph simplifies.
static inline LiaOp naive_random_op(Random* r) {
    static const LiaOp often[] = {LIA_OP_ADD, LIA_OP_ADD, LIA_OP_SUB, LIA_OP_SUB, LIA_OP_MUL,
                                  LIA_OP_MUL, LIA_OP_DIV, LIA_OP_NEG, LIA_OP_POW, LIA_OP_IF};
    if (random_chance(r, 0.7)) return often[random_whole(r, 0, 9)];
    return (LiaOp)random_whole(r, LIA_OP_SQRT, LIA_OP_WRAP);
}

static inline int naive_op(Naive* f, LiaGraph* g, LiaOp op, int a, int b, int c) {
    NaiveNode n = {.op = op, .a = a, .b = b, .c = c};
    int arity = lia_op_arity(op);
    LiaExpr none = {0};
    n.expr = lia_graph_apply(g, op, f->nodes[a].expr, arity > 1 ? f->nodes[b].expr : none,
                             arity > 2 ? f->nodes[c].expr : none);
    return naive_put(f, n);
}

// An earlier node that is a number, not a condition.
static inline int naive_pick(const Naive* f, Random* r) {
    for (;;) {
        int i = random_chance(r, 0.5)
                    ? random_whole(r, 0, f->count - 1)
                    : random_whole(r, f->count > 6 ? f->count - 6 : 0, f->count - 1);
        if (!naive_is_condition(f->nodes[i].op)) return i;
    }
}

static inline void naive_random(Naive* f, LiaGraph* g, Random* r) {
    f->count = 0;
    int leaves = random_whole(r, 2, 6), steps = random_whole(r, 1, 14);
    for (int i = 0; i < leaves; i++) naive_leaf(f, g, r);
    for (int i = 0; i < steps; i++) {
        LiaOp op = naive_random_op(r);
        int a = naive_pick(f, r), b = naive_pick(f, r), c = naive_pick(f, r);
        if (op == LIA_OP_POW) {  // mostly small whole exponents, as in models
            int num = random_whole(r, -3, 4), den = random_chance(r, 0.2) ? 2 : 1;
            if (random_chance(r, 0.9)) {
                b = naive_put(f, (NaiveNode){.op = LIA_OP_CONST,
                                             .number = (long double)num / den,
                                             .expr = lia_graph_rational(g, num, den)});
            }
        } else if (op == LIA_OP_IF) {
            int x = naive_pick(f, r), y = naive_pick(f, r);
            int less =
                naive_op(f, g, random_chance(r, 0.5) ? LIA_OP_LESS : LIA_OP_LESS_EQUAL, x, y, 0);
            if (random_chance(r, 0.3)) {
                int other = naive_op(f, g, LIA_OP_LESS, naive_pick(f, r), naive_pick(f, r), 0);
                less =
                    naive_op(f, g, random_chance(r, 0.5) ? LIA_OP_AND : LIA_OP_OR, less, other, 0);
            }
            if (random_chance(r, 0.3)) less = naive_op(f, g, LIA_OP_NOT, less, 0, 0);
            if (random_chance(r, 0.5)) {
                int zero =
                    naive_put(f, (NaiveNode){.op = LIA_OP_CONST, .expr = lia_graph_integer(g, 0)});
                if (random_chance(r, 0.5)) {
                    b = zero;
                } else {
                    c = zero;
                }
            }
            a = less;
        }
        naive_op(f, g, op, a, b, c);
    }
}
