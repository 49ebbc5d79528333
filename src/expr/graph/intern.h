// Hash-consing: equal formulas are one node.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/graph.h"

/// The node that is equal to this one, added where there is none yet. Node 1, zero, and g->failed
/// where memory is out.
LiaExpr lia_intern_node(LiaGraph* g, LiaNode node);
/// An operation as it stands, not simplified.
LiaExpr lia_intern_op(LiaGraph* g, LiaOp op, LiaExpr x, LiaExpr y, LiaExpr z);
