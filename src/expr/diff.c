// Derivatives, graph to graph. See diff.h.
// SPDX-License-Identifier: MIT
#include "diff.h"
#include "ops/op.h"
#include <stdlib.h>
#include <string.h>

LiaExpr lia_op_partial(LiaGraph* g, LiaExpr e, int arg) {
    LiaNode n = g->nodes[e.index];
    return lia_op_kinds[n.op]->partial(g, e, (LiaExpr){n.a}, (LiaExpr){n.b}, (LiaExpr){n.c}, arg);
}

static LiaExpr argument(const LiaNode* n, int arg) {
    return (LiaExpr){arg == 0 ? n->a : arg == 1 ? n->b : n->c};
}

// Reverse sweep. bar[i] is the adjoint of node i: the sum over its uses of adjoint * partial.
// Nodes made by the sweep itself have larger indices than every node it visits.
bool lia_expr_pullback(LiaGraph* g, const LiaExpr* fs, const LiaExpr* weights, size_t roots,
                       const LiaExpr* symbols, size_t count, LiaExpr* gradient) {
    uint32_t top = 0;
    uint16_t wanted = 0;
    for (size_t r = 0; r < roots; r++) top = fs[r].index > top ? fs[r].index : top;
    for (size_t i = 0; i < count; i++) wanted |= g->nodes[symbols[i].index].depends;
    LiaExpr* bar = calloc((size_t)top + 1, sizeof *bar);
    if (!bar) {
        g->failed = true;
        return false;
    }
    for (size_t r = 0; r < roots; r++) {
        LiaExpr* b = &bar[fs[r].index];
        *b = b->index ? lia_graph_add(g, *b, weights[r]) : weights[r];
    }
    for (uint32_t i = top; i > 0; i--) {
        if (!bar[i].index || !(g->nodes[i].depends & wanted)) continue;
        LiaNode n = g->nodes[i];
        for (int arg = 0; arg < lia_op_arity((LiaOp)n.op); arg++) {
            LiaExpr x = argument(&n, arg);
            if (!(g->nodes[x.index].depends & wanted)) continue;
            LiaExpr slope = lia_op_partial(g, (LiaExpr){i}, arg);
            LiaExpr term = lia_graph_mul(g, bar[i], slope);
            if (lia_graph_is_zero(g, term)) continue;
            LiaExpr* b = &bar[x.index];
            *b = b->index ? lia_graph_add(g, *b, term) : term;
        }
    }
    for (size_t i = 0; i < count; i++) {
        LiaExpr b = symbols[i].index <= top ? bar[symbols[i].index] : (LiaExpr){0};
        gradient[i] = b.index ? b : lia_graph_integer(g, 0);
    }
    free(bar);
    return !g->failed;
}

bool lia_expr_gradient(LiaGraph* g, LiaExpr f, const LiaExpr* symbols, size_t count,
                       LiaExpr* gradient) {
    LiaExpr one = lia_graph_integer(g, 1);
    return lia_expr_pullback(g, &f, &one, 1, symbols, count, gradient);
}

LiaExpr lia_expr_diff(LiaGraph* g, LiaExpr f, LiaExpr symbol) {
    LiaExpr d;
    return lia_expr_gradient(g, f, &symbol, 1, &d) ? d : lia_graph_integer(g, 0);
}

void lia_rates_init(LiaRates* rates, LiaGraph* g) { *rates = (LiaRates){.graph = g}; }

void lia_rates_clear(LiaRates* rates) {
    free(rates->rate);
    *rates = (LiaRates){0};
}

static bool rates_reserve(LiaRates* rates, uint32_t count) {
    if (count <= rates->capacity) return true;
    uint32_t capacity = count + count / 2 + 64;
    uint32_t* rate = realloc(rates->rate, capacity * sizeof *rate);
    if (!rate) {
        rates->graph->failed = true;
        return false;
    }
    memset(rate + rates->capacity, 0, (capacity - rates->capacity) * sizeof *rate);
    rates->rate = rate;
    rates->capacity = capacity;
    return true;
}

static LiaExpr symbol_rate(LiaGraph* g, const LiaNode* n) {
    switch ((LiaSymbolKind)n->symbol_kind) {
    case LIA_SYMBOL_TIME:
        return lia_graph_integer(g, 1);
    case LIA_SYMBOL_POSITION:
        return lia_graph_symbol(g, LIA_SYMBOL_VELOCITY, n->a);
    case LIA_SYMBOL_VELOCITY:
        return lia_graph_symbol(g, LIA_SYMBOL_ACCELERATION, n->a);
    default:
        return lia_graph_integer(g, 0);
    }
}

// Forward sweep over the nodes below f, in order of their indices; what was done before is kept.
LiaExpr lia_expr_rate(LiaRates* rates, LiaExpr f) {
    LiaGraph* g = rates->graph;
    const uint16_t never = LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(MULTIPLIER) | LIA_DEPENDS(WORK) |
                           LIA_DEPENDS(MOMENTUM) | LIA_DEPENDS(DISPLACEMENT);
    if (g->nodes[f.index].depends & never) return (LiaExpr){0};
    uint32_t top = f.index;
    if (!rates_reserve(rates, top + 1)) return lia_graph_integer(g, 0);
    if (rates->rate[top]) return (LiaExpr){rates->rate[top]};
    unsigned char* needed = calloc((size_t)top + 1, 1);
    if (!needed) {
        g->failed = true;
        return lia_graph_integer(g, 0);
    }
    needed[top] = 1;
    for (uint32_t i = top; i > 0; i--) {
        if (!needed[i] || rates->rate[i]) continue;
        LiaNode n = g->nodes[i];
        for (int arg = 0; arg < lia_op_arity((LiaOp)n.op); arg++)
            needed[argument(&n, arg).index] = 1;
    }
    for (uint32_t i = 1; i <= top; i++) {
        if (!needed[i] || rates->rate[i]) continue;
        LiaNode n = g->nodes[i];
        LiaExpr rate = lia_graph_integer(g, 0);
        if (n.op == LIA_OP_SYMBOL) {
            rate = symbol_rate(g, &n);
        } else {
            for (int arg = 0; arg < lia_op_arity((LiaOp)n.op); arg++) {
                LiaExpr dx = {rates->rate[argument(&n, arg).index]};
                if (lia_graph_is_zero(g, dx)) continue;
                LiaExpr slope = lia_op_partial(g, (LiaExpr){i}, arg);
                rate = lia_graph_add(g, rate, lia_graph_mul(g, slope, dx));
            }
        }
        rates->rate[i] = rate.index;
    }
    free(needed);
    return (LiaExpr){rates->rate[top]};
}

LiaExpr lia_expr_substitute(LiaGraph* g, LiaExpr f, LiaSymbolKind kind, const LiaExpr* by,
                            size_t count) {
    uint16_t bit = (uint16_t)(1u << kind);
    if (!(g->nodes[f.index].depends & bit)) return f;
    uint32_t top = f.index;
    LiaExpr* image = calloc((size_t)top + 1, sizeof *image);
    unsigned char* needed = calloc((size_t)top + 1, 1);
    if (!image || !needed) {
        free(image);
        free(needed);
        g->failed = true;
        return f;
    }
    needed[top] = 1;
    for (uint32_t i = top; i > 0; i--) {
        if (!needed[i] || !(g->nodes[i].depends & bit)) continue;
        LiaNode n = g->nodes[i];
        for (int arg = 0; arg < lia_op_arity((LiaOp)n.op); arg++)
            needed[argument(&n, arg).index] = 1;
    }
    for (uint32_t i = 1; i <= top; i++) {
        if (!needed[i]) continue;
        LiaNode n = g->nodes[i];
        image[i] = (LiaExpr){i};
        if (!(n.depends & bit)) continue;
        if (n.op == LIA_OP_SYMBOL) {
            if (n.a < count && by[n.a].index) image[i] = by[n.a];
        } else {
            image[i] = lia_graph_apply(g, (LiaOp)n.op, image[n.a], image[n.b], image[n.c]);
        }
    }
    LiaExpr result = image[top];
    free(image);
    free(needed);
    return result;
}
