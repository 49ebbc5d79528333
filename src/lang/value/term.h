// Terms: formulas while a model is read, made in its graph with their place in the text, each
// with its value where it is constant.
//
// Parameters are worked out before they are used, so the value of a constant term is known when the
// term is made: bounds, start values and parameters need no evaluator of their own.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/context.h"
#include "lang/model.h"

typedef struct LiaTerms {
    LiaContext* context;
    LiaGraph* graph;    // NULL: handed over to a model
    double* constants;  // by node: its value where it is constant, else NAN; conditions: 0 or 1
    uint32_t valued, capacity;
    LiaWritten* written;  // what the text wrote, in order
    uint32_t written_count, written_capacity;
    LIA_VECTOR(double) parameters;            // their values
    LIA_VECTOR(LiaQuantityNamed) quantities;  // numbers of QUANTITY and REACTION symbols
    LIA_VECTOR(bool) structural;              // by parameter: the size of something hangs on it
    LIA_VECTOR(LiaDecision) decisions;
    uint16_t seen;   // what was operated on: LIA_DEPENDS() bits, since somebody set it to 0
    uint64_t steps;  // work done so far
    size_t held;     // bytes of the graph and of the lists here, as counted in the context
} LiaTerms;

void lia_term_begin(LiaTerms* terms, LiaContext* context);
/// Release what was not handed over to a model.
void lia_term_clear(LiaTerms* terms);
/// Count work; leaves the parse where there is no end to it.
void lia_term_work(LiaTerms* terms, uint64_t steps);

LiaExpr lia_term_number(LiaTerms* terms, LiaNumber number, LiaSpan span);
LiaExpr lia_term_whole(LiaTerms* terms, int64_t n, LiaSpan span);
LiaExpr lia_term_pi(LiaTerms* terms, LiaSpan span);
LiaExpr lia_term_parameter(LiaTerms* terms, uint32_t index, double value, LiaSpan span);
/// TIME, POSITION, VELOCITY, CONTROL, or DISPLACEMENT: x, y, z of the function of a shape.
LiaExpr lia_term_symbol(LiaTerms* terms, LiaSymbolKind kind, uint32_t index, LiaSpan span);
LiaExpr lia_term_quantity(LiaTerms* terms, LiaQuantityNamed quantity, LiaSpan span);

/// Any operation of ops.def; arguments that it does not have are {0}.
LiaExpr lia_term_apply(LiaTerms* terms, LiaOp op, LiaExpr a, LiaExpr b, LiaExpr c, LiaSpan span);
LiaExpr lia_term_negate(LiaTerms* terms, LiaExpr a, LiaSpan span);
LiaExpr lia_term_binary(LiaTerms* terms, LiaOp op, LiaExpr a, LiaExpr b, LiaSpan span);
LiaExpr lia_term_call(LiaTerms* terms, LiaOp op, LiaExpr a, LiaSpan span);
/// The total time derivative; {0} where it needs the derivative of an acceleration or of a force.
LiaExpr lia_term_prime(LiaTerms* terms, LiaExpr a, LiaSpan span);
/// The gradient of f by the symbols DISPLACEMENT 0, 1, 2.
void lia_term_gradient(LiaTerms* terms, LiaExpr f, LiaExpr out[3], LiaSpan span);
/// f where x stands for the symbols DISPLACEMENT 0, 1, 2.
LiaExpr lia_term_replace(LiaTerms* terms, LiaExpr f, const LiaExpr x[3], LiaSpan span);

/// Something hangs on these constants; what is made of numbers alone does not count.
void lia_term_decide(LiaTerms* terms, LiaDecisionKind kind, const LiaExpr* of, uint32_t count,
                     LiaSpan span);
/// A bound or an index is made of this constant: its parameters are structural from now on.
void lia_term_mark_structural(LiaTerms* terms, LiaExpr a);
/// A constant of numbers and structural parameters alone: it may decide what the model is made of.
bool lia_term_is_structural(LiaTerms* terms, LiaExpr a);

/// What changes in a term: LIA_DEPENDS() bits but for the parameters; 0: a constant.
static inline uint16_t lia_term_has(const LiaTerms* terms, LiaExpr a) {
    return lia_graph_node(terms->graph, a)->depends & (uint16_t)~LIA_DEPENDS(PARAMETER);
}
/// The number a term is; false for others.
bool lia_term_exact(const LiaTerms* terms, LiaExpr a, LiaNumber* out);
bool lia_term_is(const LiaTerms* terms, LiaExpr a, int64_t n);
