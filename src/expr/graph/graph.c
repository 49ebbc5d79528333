// The graph and its local simplification. See graph.h.
// SPDX-License-Identifier: MIT
#include "expr/graph/graph.h"
#include "base/memory/memory.h"
#include "expr/graph/exponential.h"
#include "expr/graph/intern.h"
#include "expr/graph/mask.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- storage -----------------------------------------------------------------------------------

LiaGraph* lia_graph_create(void) {
    LiaGraph* g = lia_memory_zeros(1, sizeof *g);
    if (!g) return NULL;
    g->capacity = 1024;
    g->table_size = 4096;
    g->number_capacity = 64;
    g->nodes = lia_memory_zeros(g->capacity, sizeof *g->nodes);
    g->table = lia_memory_zeros(g->table_size, sizeof *g->table);
    g->numbers = lia_memory_zeros(g->number_capacity, sizeof *g->numbers);
    if (!g->nodes || !g->table || !g->numbers) {
        lia_graph_destroy(g);
        return NULL;
    }
    g->count = 1;
    lia_graph_integer(g, 0);  // node 1 is zero: what is handed out when memory is out
    return g;
}

void lia_graph_destroy(LiaGraph* g) {
    if (!g) return;
    for (int kind = 0; kind < LIA_SYMBOL_KINDS; kind++) free(g->names[kind]);
    free(g->nodes);
    free(g->table);
    free(g->numbers);
    free(g->below.seen);
    free(g);
}

LiaGraph* lia_graph_copy(const LiaGraph* g) {
    LiaGraph* copy = lia_memory_take(sizeof *copy);
    if (!copy) return NULL;
    *copy = *g;
    memset(&copy->below, 0, sizeof copy->below);
    for (int kind = 0; kind < LIA_SYMBOL_KINDS; kind++) copy->names[kind] = NULL;
    copy->nodes = lia_memory_take(g->capacity * sizeof *copy->nodes);
    copy->table = lia_memory_take(g->table_size * sizeof *copy->table);
    copy->numbers = lia_memory_take(g->number_capacity * sizeof *copy->numbers);
    bool ok = copy->nodes && copy->table && copy->numbers;
    for (int kind = 0; ok && kind < LIA_SYMBOL_KINDS; kind++) {
        if (g->name_count[kind] == 0) continue;
        size_t bytes = g->name_count[kind] * sizeof *copy->names[kind];
        copy->names[kind] = lia_memory_take(bytes);
        ok = copy->names[kind] != NULL;
        if (ok) memcpy((void*)copy->names[kind], (const void*)g->names[kind], bytes);
    }
    if (!ok) {
        lia_graph_destroy(copy);
        return NULL;
    }
    memcpy(copy->nodes, g->nodes, g->count * sizeof *copy->nodes);
    memcpy(copy->table, g->table, g->table_size * sizeof *copy->table);
    memcpy(copy->numbers, g->numbers, g->number_count * sizeof *copy->numbers);
    return copy;
}

// --- numbers -----------------------------------------------------------------------------------

static const LiaNumber number_one = {.value = 1.0, .num = 1, .den = 1};

static LiaNumber number_inverse(LiaNumber x) { return lia_number_divide(number_one, x); }

static bool number_whole(LiaNumber x, int64_t most) {
    return x.den == 1 && x.num <= most && x.num >= -most;
}

// Exponents that are added and multiplied: their products are whole numbers of 64 bits. Larger ones
// stay as they are.
static const int64_t exponent_most = INT64_C(1) << 30;

// Numerators and denominators above this are kept as doubles: exactness is for formulas one reads.
static const int64_t exact_most = INT64_C(1) << 53;

LiaExpr lia_graph_number(LiaGraph* g, LiaNumber n) {
    if (g->number_count == g->number_capacity) {
        LiaNumber* numbers =
            lia_memory_resize(g->numbers, (size_t)g->number_capacity * 2 * sizeof *numbers);
        if (!numbers) {
            g->failed = true;
            return (LiaExpr){1};
        }
        g->numbers = numbers;
        g->number_capacity *= 2;
    }
    if (n.num > exact_most || n.num < -exact_most || n.den > exact_most) n.num = n.den = 0;
    if (n.value == 0.0) n = lia_number_whole(0);  // one zero, no -0
    uint32_t before = g->count;
    g->numbers[g->number_count] = n;
    LiaExpr e = lia_intern_node(g, (LiaNode){.op = LIA_OP_CONST, .a = g->number_count});
    if (g->count != before) g->number_count++;
    return e;
}

LiaExpr lia_graph_integer(LiaGraph* g, int64_t n) {
    return lia_graph_number(g, lia_number_whole(n));
}

LiaExpr lia_graph_rational(LiaGraph* g, int64_t num, int64_t den) {
    return lia_graph_number(g, lia_number_fraction(num, den));
}

LiaExpr lia_graph_real(LiaGraph* g, double x) { return lia_graph_number(g, lia_number_double(x)); }

LiaExpr lia_graph_pi(LiaGraph* g) { return lia_intern_node(g, (LiaNode){.op = LIA_OP_PI}); }

static LiaExpr intern_symbol(LiaGraph* g, LiaSymbolKind kind, uint32_t number, unsigned more) {
    return lia_intern_node(g, (LiaNode){.op = LIA_OP_SYMBOL,
                                        .symbol_kind = (uint8_t)kind,
                                        .depends = (uint16_t)(1u << kind | more),
                                        .a = number});
}

LiaExpr lia_graph_symbol(LiaGraph* g, LiaSymbolKind kind, uint32_t number) {
    const unsigned state = LIA_DEPENDS(TIME) | LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY);
    unsigned more = kind == LIA_SYMBOL_CONTROL                                   ? LIA_DEPENDS(TIME)
                    : kind == LIA_SYMBOL_QUANTITY || kind == LIA_SYMBOL_REACTION ? state
                                                                                 : 0;
    return intern_symbol(g, kind, number, more);
}

LiaExpr lia_graph_rate(LiaGraph* g, LiaExpr x) {
    const LiaNode n = g->nodes[x.index];
    if (!(n.depends & (uint16_t)~LIA_DEPENDS(PARAMETER))) return lia_graph_integer(g, 0);
    if (lia_graph_is_symbol(g, x, LIA_SYMBOL_TIME)) return lia_graph_integer(g, 1);
    if (lia_graph_is_symbol(g, x, LIA_SYMBOL_POSITION))
        return lia_graph_symbol(g, LIA_SYMBOL_VELOCITY, n.a);
    if (lia_graph_is_symbol(g, x, LIA_SYMBOL_VELOCITY))
        return lia_graph_symbol(g, LIA_SYMBOL_ACCELERATION, n.a);
    unsigned more = n.depends;
    if (n.depends & LIA_DEPENDS(POSITION)) more |= LIA_DEPENDS(VELOCITY);
    if (n.depends & LIA_DEPENDS(VELOCITY)) more |= LIA_DEPENDS(ACCELERATION);
    return intern_symbol(g, LIA_SYMBOL_RATE, x.index, more);
}

void lia_graph_name(LiaGraph* g, LiaSymbolKind kind, uint32_t number, const char* name) {
    if (number >= g->name_count[kind]) {
        uint32_t count = number + 1 + g->name_count[kind] / 2;
        const char** names = lia_memory_resize((void*)g->names[kind], count * sizeof *names);
        if (!names) {
            g->failed = true;
            return;
        }
        for (uint32_t i = g->name_count[kind]; i < count; i++) names[i] = NULL;
        g->names[kind] = names;
        g->name_count[kind] = count;
    }
    g->names[kind][number] = name;
}

bool lia_graph_constant(const LiaGraph* g, LiaExpr x, LiaNumber* out) {
    if (g->nodes[x.index].op != LIA_OP_CONST) return false;
    *out = g->numbers[g->nodes[x.index].a];
    return true;
}

bool lia_graph_is_zero(const LiaGraph* g, LiaExpr x) {
    LiaNumber n;
    return lia_graph_constant(g, x, &n) && n.value == 0.0;
}

static bool is_one(const LiaGraph* g, LiaExpr x) {
    LiaNumber n;
    return lia_graph_constant(g, x, &n) && n.value == 1.0;
}

// --- sums and products -------------------------------------------------------------------------

// Every formula is number * rest: 3*x is (3, x), -x is (-1, x), x is (1, x).
typedef struct Scaled {
    LiaNumber number;
    LiaExpr rest;
} Scaled;

static Scaled scaled(const LiaGraph* g, LiaExpr x) {
    const LiaNode* n = &g->nodes[x.index];
    if (n->op == LIA_OP_NEG) return (Scaled){lia_number_negate(number_one), {n->a}};
    LiaNumber c;
    if (n->op == LIA_OP_MUL && lia_graph_constant(g, (LiaExpr){n->a}, &c)) {
        return (Scaled){c, {n->b}};
    }
    return (Scaled){number_one, x};
}

static LiaExpr rescale(LiaGraph* g, LiaNumber c, LiaExpr rest) {
    LiaNumber r;
    if (lia_graph_constant(g, rest, &r)) return lia_graph_number(g, lia_number_multiply(c, r));
    Scaled s = scaled(g, rest);
    if (s.rest.index != rest.index) return rescale(g, lia_number_multiply(c, s.number), s.rest);
    if (c.value == 0.0) return lia_graph_integer(g, 0);
    if (c.value == 1.0) return rest;
    LiaMask m;
    if (lia_mask_is(g, rest, &m)) return lia_mask_put(g, m, rescale(g, c, m.u));
    LiaExpr none = {0};
    if (c.value == -1.0) {
        const LiaNode* n = &g->nodes[rest.index];
        if (n->op == LIA_OP_SUB) return lia_graph_sub(g, (LiaExpr){n->b}, (LiaExpr){n->a});
        return lia_intern_op(g, LIA_OP_NEG, rest, none, none);
    }
    return lia_intern_op(g, LIA_OP_MUL, lia_graph_number(g, c), rest, none);
}

static LiaExpr commutative(LiaGraph* g, LiaOp op, LiaExpr x, LiaExpr y) {
    if (x.index > y.index) {
        LiaExpr other = x;
        x = y;
        y = other;
    }
    return lia_intern_op(g, op, x, y, (LiaExpr){0});
}

LiaExpr lia_graph_neg(LiaGraph* g, LiaExpr x) {
    Scaled s = scaled(g, x);
    return rescale(g, lia_number_negate(s.number), s.rest);
}

LiaExpr lia_graph_add(LiaGraph* g, LiaExpr x, LiaExpr y) {
    LiaNumber cx, cy;
    bool x_number = lia_graph_constant(g, x, &cx), y_number = lia_graph_constant(g, y, &cy);
    if (x_number && y_number) {
        LiaNumber sum = lia_number_add(cx, cy);
        return isfinite(sum.value) ? lia_graph_number(g, sum) : commutative(g, LIA_OP_ADD, x, y);
    }
    if (x_number) return lia_graph_add(g, y, x);
    if (y_number) {
        if (cy.value == 0.0) return x;
        const LiaNode* n = &g->nodes[x.index];
        LiaNumber inner;  // (u + 1) + 2 = u + 3
        if (n->op == LIA_OP_ADD && lia_graph_constant(g, (LiaExpr){n->b}, &inner)) {
            LiaExpr u = {n->a};  // taken out first: a new number may move the nodes
            return lia_graph_add(g, u, lia_graph_number(g, lia_number_add(inner, cy)));
        }
        return lia_intern_op(g, LIA_OP_ADD, x, y, (LiaExpr){0});  // the number stands last
    }
    Scaled sx = scaled(g, x), sy = scaled(g, y);
    if (sx.rest.index == sy.rest.index) {
        return rescale(g, lia_number_add(sx.number, sy.number), sx.rest);
    }
    LiaExpr joined = lia_mask_join(g, LIA_OP_ADD, x, y);
    if (joined.index) return joined;
    if (sy.number.value < 0.0) {
        return lia_graph_sub(g, x, rescale(g, lia_number_negate(sy.number), sy.rest));
    }
    if (sx.number.value < 0.0) {
        return lia_graph_sub(g, y, rescale(g, lia_number_negate(sx.number), sx.rest));
    }
    // (u - v) + v = u
    const LiaNode *nx = &g->nodes[x.index], *ny = &g->nodes[y.index];
    if (nx->op == LIA_OP_SUB && nx->b == y.index) return (LiaExpr){nx->a};
    if (ny->op == LIA_OP_SUB && ny->b == x.index) return (LiaExpr){ny->a};
    return commutative(g, LIA_OP_ADD, x, y);
}

LiaExpr lia_graph_sub(LiaGraph* g, LiaExpr x, LiaExpr y) {
    LiaNumber cx, cy;
    bool x_number = lia_graph_constant(g, x, &cx), y_number = lia_graph_constant(g, y, &cy);
    if (y_number) return lia_graph_add(g, x, lia_graph_number(g, lia_number_negate(cy)));
    if (x_number && cx.value == 0.0) return lia_graph_neg(g, y);
    Scaled sx = scaled(g, x), sy = scaled(g, y);
    if (sx.rest.index == sy.rest.index) {
        return rescale(g, lia_number_add(sx.number, lia_number_negate(sy.number)), sx.rest);
    }
    LiaExpr joined = lia_mask_join(g, LIA_OP_SUB, x, y);
    if (joined.index) return joined;
    if (sy.number.value < 0.0) {
        return lia_graph_add(g, x, rescale(g, lia_number_negate(sy.number), sy.rest));
    }
    const LiaNode* nx = &g->nodes[x.index];
    if (nx->op == LIA_OP_ADD) {  // (u + v) - v = u
        if (nx->a == y.index) return (LiaExpr){nx->b};
        if (nx->b == y.index) return (LiaExpr){nx->a};
    }
    return lia_intern_op(g, LIA_OP_SUB, x, y, (LiaExpr){0});
}

// x = base^exponent with a whole exponent.
static int64_t power_of(const LiaGraph* g, LiaExpr x, LiaExpr* base) {
    const LiaNode* n = &g->nodes[x.index];
    LiaNumber e;
    if (n->op == LIA_OP_POW && lia_graph_constant(g, (LiaExpr){n->b}, &e) &&
        number_whole(e, exponent_most)) {
        *base = (LiaExpr){n->a};
        return e.num;
    }
    *base = x;
    return 1;
}

// Product of two formulas that carry no numbers.
static LiaExpr product(LiaGraph* g, LiaExpr x, LiaExpr y) {
    LiaExpr bx, by;
    int64_t ex = power_of(g, x, &bx), ey = power_of(g, y, &by);
    if (bx.index == by.index) return lia_graph_pow(g, bx, lia_graph_integer(g, ex + ey));
    const LiaNode *nx = &g->nodes[x.index], *ny = &g->nodes[y.index];
    if (nx->op == LIA_OP_DIV && nx->b == y.index) return (LiaExpr){nx->a};
    if (ny->op == LIA_OP_DIV && ny->b == x.index) return (LiaExpr){ny->a};
    if (nx->op == LIA_OP_DIV && is_one(g, (LiaExpr){nx->a}))
        return lia_graph_div(g, y, (LiaExpr){nx->b});
    if (ny->op == LIA_OP_DIV && is_one(g, (LiaExpr){ny->a}))
        return lia_graph_div(g, x, (LiaExpr){ny->b});
    return commutative(g, LIA_OP_MUL, x, y);
}

LiaExpr lia_graph_mul(LiaGraph* g, LiaExpr x, LiaExpr y) {
    LiaNumber cx, cy;
    bool x_number = lia_graph_constant(g, x, &cx), y_number = lia_graph_constant(g, y, &cy);
    if (x_number && y_number) {
        LiaNumber product = lia_number_multiply(cx, cy);
        return isfinite(product.value) ? lia_graph_number(g, product)
                                       : commutative(g, LIA_OP_MUL, x, y);
    }
    if (y_number) return lia_graph_mul(g, y, x);
    if (x_number) {
        Scaled s = scaled(g, y);
        return rescale(g, lia_number_multiply(cx, s.number), s.rest);
    }
    LiaMask m;
    if (lia_mask_is(g, x, &m)) return lia_mask_put(g, m, lia_graph_mul(g, m.u, y));
    if (lia_mask_is(g, y, &m)) return lia_mask_put(g, m, lia_graph_mul(g, x, m.u));
    Scaled sx = scaled(g, x), sy = scaled(g, y);
    return rescale(g, lia_number_multiply(sx.number, sy.number), product(g, sx.rest, sy.rest));
}

LiaExpr lia_graph_div(LiaGraph* g, LiaExpr x, LiaExpr y) {
    LiaNumber cx, cy;
    bool x_number = lia_graph_constant(g, x, &cx), y_number = lia_graph_constant(g, y, &cy);
    if (y_number && cy.value != 0.0)
        return lia_graph_mul(g, lia_graph_number(g, number_inverse(cy)), x);
    if (x_number && cx.value == 0.0 && !y_number) return x;
    LiaExpr none = {0};
    if (y_number)
        return lia_intern_op(g, LIA_OP_DIV, x, y, none);  // x/0: kept, a fault of the model
    LiaMask m;
    if (lia_mask_is(g, x, &m)) return lia_mask_put(g, m, lia_graph_div(g, m.u, y));
    Scaled sx = x_number ? (Scaled){cx, lia_graph_integer(g, 1)} : scaled(g, x);
    Scaled sy = scaled(g, y);
    LiaNumber c = lia_number_multiply(sx.number, number_inverse(sy.number));
    if (sx.rest.index == sy.rest.index) return lia_graph_number(g, c);
    LiaExpr bx, by;
    int64_t ex = power_of(g, sx.rest, &bx), ey = power_of(g, sy.rest, &by);
    if (bx.index == by.index) {
        return rescale(g, c, lia_graph_pow(g, bx, lia_graph_integer(g, ex - ey)));
    }
    const LiaNode* nx = &g->nodes[sx.rest.index];
    if (nx->op == LIA_OP_MUL) {  // (u v)/v = u
        if (nx->a == sy.rest.index) return rescale(g, c, (LiaExpr){nx->b});
        if (nx->b == sy.rest.index) return rescale(g, c, (LiaExpr){nx->a});
    }
    LiaExpr other;
    if (lia_exponential_quotient(g, sx.rest, sy.rest, &other)) return rescale(g, c, other);
    return rescale(g, c, lia_intern_op(g, LIA_OP_DIV, sx.rest, sy.rest, none));
}

// --- powers and functions ----------------------------------------------------------------------

static const uint16_t changing = (uint16_t)~LIA_DEPENDS(PARAMETER);  // what may change in time

LiaExpr lia_graph_pow(LiaGraph* g, LiaExpr x, LiaExpr y) {
    LiaExpr none = {0};
    LiaNumber cx, cy;
    if (!lia_graph_constant(g, y, &cy)) {
        if (!(g->nodes[y.index].depends & changing))
            return lia_intern_op(g, LIA_OP_POW, x, y, none);
        LiaExpr log_x = lia_graph_apply(g, LIA_OP_LOG, x, none, none);
        return lia_graph_apply(g, LIA_OP_EXP, lia_graph_mul(g, y, log_x), none, none);
    }
    if (cy.value == 0.0) return lia_graph_integer(g, 1);
    if (cy.value == 1.0) return x;
    if (cy.den == 2 && cy.num == 1) return lia_graph_apply(g, LIA_OP_SQRT, x, none, none);
    if (lia_graph_constant(g, x, &cx)) {
        LiaNumber p;
        if (lia_number_power(cx, cy, &p)) return lia_graph_number(g, p);
        double value = pow(cx.value, cy.value);
        return isfinite(value) ? lia_graph_number(g, (LiaNumber){.value = value})
                               : lia_intern_op(g, LIA_OP_POW, x, y, none);  // a fault of the model
    }
    if (number_whole(cy, exponent_most)) {
        if (cy.num < 0) {
            LiaExpr up = lia_graph_pow(g, x, lia_graph_integer(g, -cy.num));
            return lia_graph_div(g, lia_graph_integer(g, 1), up);
        }
        Scaled s = scaled(g, x);
        // (2 x)^3 = 8 x^3, where that is a number: (x/1000)^200 stays as it is
        if (s.rest.index != x.index && isnormal(pow(s.number.value, cy.value))) {
            return lia_graph_mul(g, lia_graph_pow(g, lia_graph_number(g, s.number), y),
                                 lia_graph_pow(g, s.rest, y));
        }
        LiaExpr base;
        int64_t inner = power_of(g, x, &base);
        if (inner != 1) return lia_graph_pow(g, base, lia_graph_integer(g, inner * cy.num));
        LiaOp op = (LiaOp)g->nodes[x.index].op;
        LiaExpr u = {g->nodes[x.index].a}, v = {g->nodes[x.index].b};
        if (op == LIA_OP_SQRT && cy.num % 2 == 0) {
            return lia_graph_pow(g, u, lia_graph_integer(g, cy.num / 2));
        }
        if (op == LIA_OP_ABS && cy.num % 2 == 0) return lia_graph_pow(g, u, y);
        if (op == LIA_OP_HYPOT && cy.num == 2) {
            return lia_graph_add(g, lia_graph_mul(g, u, u), lia_graph_mul(g, v, v));
        }
    }
    return lia_intern_op(g, LIA_OP_POW, x, y, none);
}

// sin(-x) = -sin(x), cos(-x) = cos(x), ...: odd and even functions take the sign out.
static int parity(LiaOp op) {
    switch (op) {
    case LIA_OP_SIN:
    case LIA_OP_TAN:
    case LIA_OP_ASIN:
    case LIA_OP_ATAN:
    case LIA_OP_SINH:
    case LIA_OP_TANH:
    case LIA_OP_SIGN:
        return -1;
    case LIA_OP_COS:
    case LIA_OP_COSH:
    case LIA_OP_ABS:
        return 1;
    default:
        return 0;
    }
}

LiaExpr lia_graph_apply(LiaGraph* g, LiaOp op, LiaExpr x, LiaExpr y, LiaExpr z) {
    switch (op) {
    case LIA_OP_NEG:
        return lia_graph_neg(g, x);
    case LIA_OP_ADD:
        return lia_graph_add(g, x, y);
    case LIA_OP_SUB:
        return lia_graph_sub(g, x, y);
    case LIA_OP_MUL:
        return lia_graph_mul(g, x, y);
    case LIA_OP_DIV:
        return lia_graph_div(g, x, y);
    case LIA_OP_POW:
        return lia_graph_pow(g, x, y);
    default:
        break;
    }
    LiaNumber c[3] = {{0}};
    LiaExpr args[3] = {x, y, z};
    int arity = lia_op_arity(op), known = 0;
    for (int i = 0; i < arity; i++) known += lia_graph_constant(g, args[i], &c[i]);
    if (op == LIA_OP_IF) {
        LiaNumber condition;
        if (lia_graph_constant(g, x, &condition)) return condition.value != 0.0 ? y : z;
        const LiaNode *ny = &g->nodes[y.index], *nz = &g->nodes[z.index];
        if (ny->op == LIA_OP_IF && ny->a == x.index) y.index = ny->b;  // if(c, if(c, u, v), w)
        if (nz->op == LIA_OP_IF && nz->a == x.index) z.index = nz->c;
        if (y.index == z.index) return y;
        LiaExpr flat = lia_mask_flatten(g, x, y, z);
        if (flat.index) return flat;
    } else if (known == arity) {
        double v = lia_op_value(op, c[0].value, c[1].value, c[2].value);
        // Keep sin(1), sqrt(2) as they are written; fold what is a small whole number (sqrt(4),
        // cos(0)).
        if (v == floor(v) && fabs(v) < 1e6) return lia_graph_real(g, v);
    }
    if (parity(op) != 0 && arity == 1) {
        Scaled s = scaled(g, x);
        if (s.number.value < 0.0 && !(known == 1)) {
            LiaExpr positive = rescale(g, lia_number_negate(s.number), s.rest);
            LiaExpr f = lia_graph_apply(g, op, positive, y, z);
            return parity(op) < 0 ? lia_graph_neg(g, f) : f;
        }
    }
    if ((op == LIA_OP_MIN || op == LIA_OP_MAX || op == LIA_OP_AND || op == LIA_OP_OR) &&
        x.index == y.index) {
        return x;
    }
    const LiaNode* n = &g->nodes[x.index];
    if (op == LIA_OP_NOT && n->op == LIA_OP_NOT) return (LiaExpr){n->a};
    return lia_intern_op(g, op, x, y, z);
}
