// Values of formulas at a state: a loop over the nodes they need, in the order of the graph.
//
// For verdicts and tests, where a formula is wanted at a handful of states. What runs along a
// motion is a tape (tape.h), which knows series too.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/graph.h"

// What the symbols stand for, by their numbers. A list that is NULL makes its symbols NaN.
typedef struct LiaSymbols {
    double t;
    const double *parameters, *q, *v, *a, *mu, *work, *p, *w;
} LiaSymbols;

/// The list of a kind of symbols; NULL for the time.
static inline const double* lia_symbols_of(const LiaSymbols* at, LiaSymbolKind kind) {
    switch (kind) {
    case LIA_SYMBOL_PARAMETER:
        return at->parameters;
    case LIA_SYMBOL_POSITION:
        return at->q;
    case LIA_SYMBOL_VELOCITY:
        return at->v;
    case LIA_SYMBOL_ACCELERATION:
        return at->a;
    case LIA_SYMBOL_MULTIPLIER:
        return at->mu;
    case LIA_SYMBOL_WORK:
        return at->work;
    case LIA_SYMBOL_MOMENTUM:
        return at->p;
    case LIA_SYMBOL_DISPLACEMENT:
        return at->w;
    default:
        return NULL;
    }
}

typedef struct LiaValues {
    const LiaGraph* graph;  // borrowed
    uint32_t* nodes;        // those needed, rising                    (count)
    uint32_t count;
    double* value;  // by node index; only those of `nodes`    (size)
    uint32_t size;
} LiaValues;

/// Make ready to evaluate `roots` ({0} entries are skipped); they may be read in any order
/// afterwards. The graph may grow, but what was added later is not known here. False if memory is
/// out.
bool lia_evaluate_init(LiaValues* values, const LiaGraph* graph, const LiaExpr* roots,
                       size_t count);
void lia_evaluate_clear(LiaValues* values);
/// One node from the values of its arguments; value[0] is 0: what an operation of fewer arguments
/// gets for the rest.
double lia_evaluate_node(const LiaGraph* g, LiaExpr f, const double* value, const LiaSymbols* at);
/// Evaluate all roots.
void lia_evaluate_run(LiaValues* values, const LiaSymbols* at);
/// sizes.c: after run(), what the rounding of each value is a part of, into size[node]
/// (values->size numbers). `at` has the sizes of the symbols; where a list is NULL, those of their
/// values.
void lia_sizes_run(const LiaValues* values, const LiaSymbols* at, double* size);
/// The value of a root, or of anything below one, at the last run.
static inline double lia_value(const LiaValues* values, LiaExpr f) {
    return values->value[f.index];
}
