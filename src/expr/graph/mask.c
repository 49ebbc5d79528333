// Masks: what derivatives of `if` are made of. See mask.h.
// SPDX-License-Identifier: MIT
#include "expr/graph/mask.h"
#include "expr/graph/graph.h"

bool lia_mask_is(const LiaGraph* g, LiaExpr x, LiaMask* m) {
    const LiaNode* n = &g->nodes[x.index];
    if (n->op != LIA_OP_IF) return false;
    LiaExpr y = {n->b}, z = {n->c};
    bool otherwise = lia_graph_is_zero(g, y);
    if (!otherwise && !lia_graph_is_zero(g, z)) return false;
    *m = (LiaMask){{n->a}, otherwise ? z : y, otherwise};
    return true;
}

LiaExpr lia_mask_put(LiaGraph* g, LiaMask m, LiaExpr u) {
    LiaExpr zero = lia_graph_integer(g, 0);
    return lia_graph_apply(g, LIA_OP_IF, m.condition, m.otherwise ? zero : u,
                           m.otherwise ? u : zero);
}

LiaExpr lia_mask_join(LiaGraph* g, LiaOp op, LiaExpr x, LiaExpr y) {
    LiaMask mx, my;
    if (!lia_mask_is(g, x, &mx) || !lia_mask_is(g, y, &my) ||
        mx.condition.index != my.condition.index) {
        return (LiaExpr){0};
    }
    if (mx.otherwise == my.otherwise)
        return lia_mask_put(g, mx, lia_graph_apply(g, op, mx.u, my.u, (LiaExpr){0}));
    LiaExpr w = op == LIA_OP_SUB ? lia_graph_neg(g, my.u) : my.u;
    return lia_graph_apply(g, LIA_OP_IF, mx.condition, mx.otherwise ? w : mx.u,
                           mx.otherwise ? mx.u : w);
}

LiaExpr lia_mask_flatten(LiaGraph* g, LiaExpr x, LiaExpr y, LiaExpr z) {
    LiaExpr none = {0};
    bool otherwise = lia_graph_is_zero(g, y);
    LiaMask m;
    if ((!otherwise && !lia_graph_is_zero(g, z)) || !lia_mask_is(g, otherwise ? z : y, &m))
        return none;
    LiaExpr c = otherwise ? lia_graph_apply(g, LIA_OP_NOT, x, none, none) : x;
    LiaExpr d = m.condition;
    if (m.otherwise) d = lia_graph_apply(g, LIA_OP_NOT, d, none, none);
    m.otherwise = false;
    m.condition = lia_graph_apply(g, LIA_OP_AND, c, d, none);
    return lia_mask_put(g, m, m.u);
}
