// Ranges of formulas over a box of positions and times, node by node: what a formula cannot be
// outside of, wherever in the box the state is.
// SPDX-License-Identifier: MIT
#include "expr/graph/ranges.h"
#include "expr/ops/op.h"

static LiaInterval range_of_symbol(const LiaNode* n, const LiaBox* box) {
    switch ((LiaSymbolKind)n->symbol_kind) {
    case LIA_SYMBOL_TIME:
        return box->t;
    case LIA_SYMBOL_POSITION:
        return box->q[n->a];
    case LIA_SYMBOL_PARAMETER:
        return lia_interval_point(box->parameters[n->a]);
    default:
        return lia_interval_all();
    }
}

// A square is never negative, whatever a product of two unrelated factors may be.
static LiaInterval range_of_power(LiaInterval x, LiaInterval y) {
    if (y.low == 2.0 && y.high == 2.0) return lia_interval_square(x);
    return lia_interval_all();
}

LiaInterval lia_ranges_node(const LiaGraph* g, LiaExpr node, const LiaInterval* range,
                            const LiaBox* box) {
    const LiaNode* n = lia_graph_node(g, node);
    int arity = lia_op_arity((LiaOp)n->op);
    LiaInterval x = range[arity > 0 ? n->a : 0], y = range[arity > 1 ? n->b : 0];
    switch ((LiaOp)n->op) {
    case LIA_OP_CONST:
        return lia_interval_point(g->numbers[n->a].value);
    case LIA_OP_PI:
        return lia_interval_point(3.14159265358979323846);
    case LIA_OP_SYMBOL:
        return range_of_symbol(n, box);
    case LIA_OP_NEG:
        return lia_interval_neg(x);
    case LIA_OP_ADD:
        return lia_interval_add(x, y);
    case LIA_OP_SUB:
        return lia_interval_sub(x, y);
    case LIA_OP_MUL:
        return n->a == n->b ? lia_interval_square(x) : lia_interval_mul(x, y);
    case LIA_OP_DIV:
        return lia_interval_div(x, y);
    case LIA_OP_POW:
        return range_of_power(x, y);
    case LIA_OP_SQRT:
    case LIA_OP_HYPOT:
    case LIA_OP_SIN:
    case LIA_OP_COS: {
        LiaDomain at = {.x = x, .y = y, .aux = lia_interval_all()};
        return lia_op_kinds[n->op]->image(&at).out;
    }
    default:
        return lia_interval_all();
    }
}
