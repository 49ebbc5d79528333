// Terms: the growing list of scalar terms of a model, each with its value where it is constant.
//
// Parameters are worked out before they are used, so the value of a constant term is known when the
// term is made: bounds, start values and parameters need no evaluator of their own.
// Numbers are folded exactly and 0 and 1 dropped where that costs nothing; the rest is expr's.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/context.h"
#include "lang/model.h"
#include "lang/value/exact.h"

typedef struct LiaMotionTerms {  // the leaves of one coordinate, made when first used
    LiaTermId position, velocity, acceleration;
} LiaMotionTerms;

typedef struct LiaTerms {
    LiaContext* context;
    LiaTerm* items;     // items[0] is unused
    double* constants;  // values of terms with has == 0; conditions: 0 or 1
    uint32_t count, capacity;
    uint32_t* numbers;  // hash table of NUMBER terms
    uint32_t number_capacity, number_count;
    LIA_VECTOR(LiaMotionTerms) motions;  // by coordinate
    LIA_VECTOR(bool) structural;         // by parameter: the size of something hangs on it
    LIA_VECTOR(LiaDecision) decisions;
    LiaTermId time, pi;
    uint64_t steps;  // work done so far
    LiaSpan at;      // and where: what is over a limit is said there
} LiaTerms;

void lia_term_begin(LiaTerms* terms, LiaContext* context);
/// Release what was not handed over to a model.
void lia_term_clear(LiaTerms* terms);
/// Count work; leaves the parse where there is no end to it.
void lia_term_work(LiaTerms* terms, uint64_t steps);

LiaTermId lia_term_number(LiaTerms* terms, LiaExact number, LiaSpan span);
LiaTermId lia_term_whole(LiaTerms* terms, int64_t n, LiaSpan span);
LiaTermId lia_term_pi(LiaTerms* terms, LiaSpan span);
LiaTermId lia_term_time(LiaTerms* terms, LiaSpan span);
LiaTermId lia_term_parameter(LiaTerms* terms, uint32_t index, double value, LiaSpan span);
LiaTermId lia_term_control(LiaTerms* terms, uint32_t index, LiaSpan span);
/// x, y or z of the function of a shape; it may change as a position does.
LiaTermId lia_term_argument(LiaTerms* terms, uint32_t index, LiaSpan span);
LiaTermId lia_term_coordinate(LiaTerms* terms, uint32_t index, LiaSpan span);
LiaTermId lia_term_velocity(LiaTerms* terms, uint32_t index, LiaSpan span);
LiaTermId lia_term_quantity(LiaTerms* terms, LiaQuantity quantity, uint32_t index, uint32_t part,
                            LiaSpan span);

LiaTermId lia_term_negate(LiaTerms* terms, LiaTermId a, LiaSpan span);
/// ADD, SUB, MUL, DIV, POW, LESS, LESS_EQUAL, AND, OR.
LiaTermId lia_term_binary(LiaTerms* terms, LiaTermOp op, LiaTermId a, LiaTermId b, LiaSpan span);
/// A term of its own, equal to a.
LiaTermId lia_term_same(LiaTerms* terms, LiaTermId a, LiaSpan span);
LiaTermId lia_term_not(LiaTerms* terms, LiaTermId a, LiaSpan span);
LiaTermId lia_term_if(LiaTerms* terms, LiaTermId c, LiaTermId a, LiaTermId b, LiaSpan span);
LiaTermId lia_term_call(LiaTerms* terms, LiaFunction function, LiaTermId a, LiaTermId b,
                        LiaSpan span);
/// The total time derivative; 0 where it needs the derivative of an acceleration or of a force.
LiaTermId lia_term_prime(LiaTerms* terms, LiaTermId a, LiaSpan span);

/// Something hangs on these constants; what is made of numbers alone does not count.
void lia_term_decide(LiaTerms* terms, LiaDecisionKind kind, const LiaTermId* of, uint32_t count,
                     LiaSpan span);
/// A bound or an index is made of this constant: its parameters are structural from now on.
void lia_term_mark_structural(LiaTerms* terms, LiaTermId a);
/// A constant of numbers and structural parameters alone: it may decide what the model is made of.
bool lia_term_is_structural(LiaTerms* terms, LiaTermId a);

/// The number a NUMBER term is; false for others.
bool lia_term_exact(const LiaTerms* terms, LiaTermId a, LiaExact* out);
bool lia_term_is(const LiaTerms* terms, LiaTermId a, int64_t n);
