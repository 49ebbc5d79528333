// Ranges of formulas over a box of positions and times. See ranges.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/interval.h"
#include "expr/graph/graph.h"

// Where the symbols are: t, positions by their number; parameters have values.
typedef struct LiaBox {
    LiaInterval t;
    const LiaInterval* q;
    const double* parameters;
} LiaBox;

/// The range of one node from those of its arguments (by node; range[0] is [0, 0]): all numbers
/// where nothing closer is known.
LiaInterval lia_ranges_node(const LiaGraph* graph, LiaExpr node, const LiaInterval* range,
                            const LiaBox* box);
