// Derivatives, graph to graph. See diff.h.
// SPDX-License-Identifier: MIT
#include "expr/graph/diff.h"
#include "base/memory/memory.h"
#include "expr/ops/op.h"
#include <stdlib.h>
#include <string.h>

LiaExpr lia_diff_partial(LiaGraph* g, LiaExpr e, int arg) {
    LiaNode n = g->nodes[e.index];
    return lia_op_kinds[n.op]->partial(g, e, (LiaExpr){n.a}, (LiaExpr){n.b}, (LiaExpr){n.c}, arg);
}

static LiaExpr argument(const LiaNode* n, int arg) {
    return (LiaExpr){arg == 0 ? n->a : arg == 1 ? n->b : n->c};
}

// Reverse sweep. bar is the adjoint of a node: the sum over its uses of adjoint * partial. It
// stands in the scratch of the search, which the sweep itself, making nodes of larger indices than
// all it visits, leaves alone.
static bool sweep(LiaGraph* g, LiaWeightedSum sum, unsigned wanted, const uint32_t** list,
                  uint32_t* count) {
    *count = lia_below_roots(g, sum.fs, sum.count, wanted, list);
    if (g->failed) return false;
    uint32_t* bar = g->below.value;
    for (size_t r = 0; r < sum.count; r++) {
        if (!lia_graph_met(g, sum.fs[r].index)) continue;
        uint32_t* b = &bar[sum.fs[r].index];
        *b = *b ? lia_graph_add(g, (LiaExpr){*b}, sum.weights[r]).index : sum.weights[r].index;
    }
    for (uint32_t k = *count; k > 0; k--) {
        uint32_t i = (*list)[k - 1];
        if (!bar[i]) continue;
        LiaNode n = g->nodes[i];
        for (int arg = 0; arg < lia_op_arity((LiaOp)n.op); arg++) {
            LiaExpr x = argument(&n, arg);
            if (!(g->nodes[x.index].depends & wanted)) continue;
            LiaExpr slope = lia_diff_partial(g, (LiaExpr){i}, arg);
            LiaExpr term = lia_graph_mul(g, (LiaExpr){bar[i]}, slope);
            if (lia_graph_is_zero(g, term)) continue;
            uint32_t* b = &bar[x.index];
            *b = *b ? lia_graph_add(g, (LiaExpr){*b}, term).index : term.index;
        }
    }
    return !g->failed;
}

bool lia_diff_pullback(LiaGraph* g, LiaWeightedSum sum, const LiaExpr* symbols, size_t count,
                       LiaExpr* gradient) {
    const uint32_t* list;
    uint32_t met;
    unsigned wanted = 0;
    for (size_t i = 0; i < count; i++) wanted |= g->nodes[symbols[i].index].depends;
    if (!sweep(g, sum, wanted, &list, &met)) return false;
    LiaExpr zero = lia_graph_integer(g, 0);
    for (size_t i = 0; i < count; i++) {
        uint32_t b = lia_graph_met(g, symbols[i].index) ? g->below.value[symbols[i].index] : 0;
        gradient[i] = b ? (LiaExpr){b} : zero;
    }
    return !g->failed;
}

bool lia_diff_gradient_of(LiaGraph* g, LiaExpr f, LiaSymbolKind kind, LiaExpr* gradient) {
    const uint32_t* list;
    uint32_t met;
    LiaExpr one = lia_graph_integer(g, 1);
    if (!sweep(g, (LiaWeightedSum){&f, &one, 1}, 1u << kind, &list, &met)) return false;
    for (uint32_t k = 0; k < met; k++) {
        const LiaNode* n = &g->nodes[list[k]];
        uint32_t b = g->below.value[list[k]];
        if (n->op == LIA_OP_SYMBOL && n->symbol_kind == kind && b) gradient[n->a] = (LiaExpr){b};
    }
    return true;
}

bool lia_diff_gradient(LiaGraph* g, LiaExpr f, const LiaExpr* symbols, size_t count,
                       LiaExpr* gradient) {
    LiaExpr one = lia_graph_integer(g, 1);
    return lia_diff_pullback(g, (LiaWeightedSum){&f, &one, 1}, symbols, count, gradient);
}

LiaExpr lia_diff(LiaGraph* g, LiaExpr f, LiaExpr symbol) {
    LiaExpr d;
    return lia_diff_gradient(g, f, &symbol, 1, &d) ? d : lia_graph_integer(g, 0);
}

void lia_diff_rates_init(LiaRates* rates, LiaGraph* g) { *rates = (LiaRates){.graph = g}; }

void lia_diff_rates_clear(LiaRates* rates) {
    free(rates->rate);
    *rates = (LiaRates){0};
}

static bool rates_reserve(LiaRates* rates, uint32_t count) {
    if (count <= rates->capacity) return true;
    uint32_t capacity = count + count / 2 + 64;
    uint32_t* rate = lia_memory_resize(rates->rate, capacity * sizeof *rate);
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
LiaExpr lia_diff_rate(LiaRates* rates, LiaExpr f) {
    LiaGraph* g = rates->graph;
    const uint16_t never = LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(MULTIPLIER) | LIA_DEPENDS(WORK) |
                           LIA_DEPENDS(MOMENTUM) | LIA_DEPENDS(DISPLACEMENT) | LIA_DEPENDS_OPEN;
    if (g->nodes[f.index].depends & never) return (LiaExpr){0};
    uint32_t top = f.index;
    if (!rates_reserve(rates, top + 1)) return lia_graph_integer(g, 0);
    if (rates->rate[top]) return (LiaExpr){rates->rate[top]};
    // what does not depend on anything that changes has rate 0
    const unsigned moving = LIA_DEPENDS(TIME) | LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY);
    const uint32_t* list;
    uint32_t met = lia_below_roots(g, &f, 1, moving, &list);
    LiaExpr zero = lia_graph_integer(g, 0);
    for (uint32_t k = 0; k < met; k++) {
        uint32_t i = list[k];
        if (rates->rate[i]) continue;
        LiaNode n = g->nodes[i];
        LiaExpr rate = zero;
        if (n.op == LIA_OP_SYMBOL) {
            rate = symbol_rate(g, &n);
        } else {
            for (int arg = 0; arg < lia_op_arity((LiaOp)n.op); arg++) {
                uint32_t x = argument(&n, arg).index;
                if (!(g->nodes[x].depends & moving)) continue;
                LiaExpr dx = {rates->rate[x]};
                if (lia_graph_is_zero(g, dx)) continue;
                LiaExpr slope = lia_diff_partial(g, (LiaExpr){i}, arg);
                rate = lia_graph_add(g, rate, lia_graph_mul(g, slope, dx));
            }
        }
        rates->rate[i] = rate.index;
    }
    return rates->rate[top] ? (LiaExpr){rates->rate[top]} : zero;
}

LiaExpr lia_diff_substitute(LiaGraph* g, LiaExpr f, LiaSymbolKind kind, const LiaExpr* by,
                            size_t count) {
    uint16_t bit = (uint16_t)(1u << kind);
    if (!(g->nodes[f.index].depends & bit)) return f;
    const uint32_t* list;
    uint32_t met = lia_below_roots(g, &f, 1, bit, &list);
    uint32_t* image = g->below.value;
    for (uint32_t k = 0; k < met; k++) {
        LiaNode n = g->nodes[list[k]];
        uint32_t* own = &image[list[k]];
        *own = list[k];
        if (n.op == LIA_OP_SYMBOL) {
            if (n.symbol_kind == kind && n.a < count && by[n.a].index) *own = by[n.a].index;
            continue;
        }
        LiaExpr x[3] = {{n.a}, {n.b}, {n.c}};
        for (int arg = 0; arg < lia_op_arity((LiaOp)n.op); arg++) {
            if (g->nodes[x[arg].index].depends & bit) x[arg].index = image[x[arg].index];
        }
        *own = lia_graph_apply(g, (LiaOp)n.op, x[0], x[1], x[2]).index;
    }
    return g->failed ? f : (LiaExpr){image[f.index]};
}
