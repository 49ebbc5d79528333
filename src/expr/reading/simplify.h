// Formulas one reads: written out as a sum of products, gathered, and put together again.
//
// Only for what is shown. A formula that runs is never expanded (graph.h).
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/graph.h"

/// An equal formula that is shorter to read: like terms gathered, common factors taken out,
/// quotients that come out even, sin^2 + cos^2 = 1. The formula itself where nothing is gained or
/// it is too long. Where a factor was cancelled, the result may have a value where the formula had
/// none.
LiaExpr lia_simplify(LiaGraph* g, LiaExpr f);
/// Characters of a formula as lia_formula_text() writes it; at most about LIA_PRINT_MOST.
size_t lia_simplify_length(const LiaGraph* g, LiaExpr f);
