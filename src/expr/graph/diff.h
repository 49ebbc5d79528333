// Derivatives, graph to graph: reverse for gradients, forward for total time derivatives.
//
// A gradient costs a small multiple of the function, whatever the number of variables; both ways
// share all they can through the graph, and nothing is expanded.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/graph.h"

/// Gradient of f by `count` symbols (any LiaExpr that are symbol nodes), reverse mode.
/// Returns false if memory is out.
bool lia_diff_gradient(LiaGraph* g, LiaExpr f, const LiaExpr* symbols, size_t count,
                       LiaExpr* gradient);
/// The same by all symbols of one kind, for formulas of few among many: gradient[i] is set for each
/// symbol number i that stands in f, the rest is left as it is.
bool lia_diff_gradient_of(LiaGraph* g, LiaExpr f, LiaSymbolKind kind, LiaExpr* gradient);
/// df/dx for one symbol.
LiaExpr lia_diff(LiaGraph* g, LiaExpr f, LiaExpr symbol);
// Sum over i of weights[i] * fs[i].
typedef struct LiaWeightedSum {
    const LiaExpr *fs, *weights;
    size_t count;
} LiaWeightedSum;

/// Sum over i of weights[i] * d(fs[i])/d(symbols): reverse mode with several roots.
bool lia_diff_pullback(LiaGraph* g, LiaWeightedSum sum, const LiaExpr* symbols, size_t count,
                       LiaExpr* gradient);

// Total time derivatives share their intermediate results through one memo.
typedef struct LiaRates {
    LiaGraph* graph;
    uint32_t* rate;  // node -> its time derivative, 0: not yet known
    uint32_t capacity;
} LiaRates;
void lia_diff_rates_init(LiaRates* rates, LiaGraph* g);
void lia_diff_rates_clear(LiaRates* rates);
/// df/dt along a motion: q -> v, v -> a, t -> 1. Multipliers, works, accelerations, momenta and
/// virtual displacements have no rate here: {0} is returned.
LiaExpr lia_diff_rate(LiaRates* rates, LiaExpr f);
/// f with each symbol of `kind` replaced by the formula given (NULL entries: kept).
LiaExpr lia_diff_substitute(LiaGraph* g, LiaExpr f, LiaSymbolKind kind, const LiaExpr* by,
                            size_t count);
/// The partial derivative of one node by its argument number `arg` (0, 1, 2); ops/ hold the rules.
LiaExpr lia_diff_partial(LiaGraph* g, LiaExpr node, int arg);
