// Masks: a mask is if(c, u, 0) or if(c, 0, u), what derivatives of `if` are made of. Products go
// inside,
//   if(c, u, 0)*y = if(c, u*y, 0),
// so that a branch that is not taken gives 0 and never 0*nan; sums with one condition are joined. A
// mask is never a mask's u (see lia_graph_apply), nor is it scaled.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/graph.h"

typedef struct LiaMask {
    LiaExpr condition, u;
    bool otherwise;  // if(c, 0, u)
} LiaMask;

/// Is x a mask? Its parts go into *m.
bool lia_mask_is(const LiaGraph* g, LiaExpr x, LiaMask* m);
/// The same mask of another u.
LiaExpr lia_mask_put(LiaGraph* g, LiaMask m, LiaExpr u);
/// x + y or x - y of two masks with one condition; {0} if they are not.
LiaExpr lia_mask_join(LiaGraph* g, LiaOp op, LiaExpr x, LiaExpr y);
/// if(c, if(d, u, 0), 0) = if(c and d, u, 0), and its kin with `not`; {0} if it is nothing of the
/// kind.
LiaExpr lia_mask_flatten(LiaGraph* g, LiaExpr x, LiaExpr y, LiaExpr z);
