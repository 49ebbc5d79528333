// Values: what an expression is while the model is spelled out: numbers, one-forms or conditions in
// rows and columns, with one unit.
//
// A plain number stays a number until it is needed as a term, so indices and bounds make no terms.
// POISON is the value of what was wrong: it goes through everything and says nothing more.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/value/forms.h"
#include "lang/value/term.h"
#include "lang/value/unit.h"

typedef enum LiaValueKind {
    LIA_VALUE_POISON,
    LIA_VALUE_NUMBER,
    LIA_VALUE_FORM,
    LIA_VALUE_CONDITION,
    LIA_VALUE_JOINT,  // `body` is its member: inside reaction() and moment() alone
    // `body` is its member; 0: the ground; LIA_EVERY_BODY inside the functions of groups
    LIA_VALUE_BODY,
} LiaValueKind;

#define LIA_EVERY_BODY UINT32_MAX

typedef struct LiaValue {
    LiaValueKind kind;
    uint32_t rows, cols;  // 1 x 1: scalar; n x 1: vector
    bool literal;         // a scalar number that is no term yet
    int known;            // CONDITION of indices and sizes: 1 true, 0 false; else -1
    LiaNumber number;     // literal
    uint32_t body;        // BODY
    LiaExpr one;          // the term, form (a LiaFormId) or condition of a scalar
    const LiaExpr* many;  // row major, else
    // a rotation: angular velocity in space axes and in body axes, 6 terms; or NULL
    const LiaExpr* spin;
    LiaUnit unit;
    LiaSpan span;
} LiaValue;

// What values are made of and where their errors go.
typedef struct LiaWork {
    LiaContext* context;
    LiaTerms terms;
    LiaForms forms;
    /// Something declared with this unit, for "write a length, such as 'l'"; NULL if there is none.
    const char* (*example)(void* of, LiaUnit unit);
    void* example_of;
} LiaWork;

LiaValue lia_value_poison(LiaSpan span);
LiaValue lia_value_literal(LiaNumber number, LiaSpan span);
LiaValue lia_value_scalar(LiaExpr term, LiaUnit unit, LiaSpan span);
/// A value of that shape whose components are `many` (memory of the parse or the model).
LiaValue lia_value_of(LiaValueKind kind, uint32_t rows, uint32_t cols, const LiaExpr* many,
                      LiaUnit unit, LiaSpan span);
LiaExpr* lia_value_components(LiaWork* work, uint32_t count);

bool lia_value_is_scalar(const LiaValue* value);
uint32_t lia_value_count(const LiaValue* value);
/// Component i as a term (or form).
LiaExpr lia_value_at(LiaWork* work, const LiaValue* value, uint32_t i);
/// Everything the components depend on: LIA_DEPENDS() bits.
uint16_t lia_value_has(LiaWork* work, const LiaValue* value);
/// The number of a constant scalar; false if it is none. What is made of it is decided by its value
/// from now on.
bool lia_value_constant(LiaWork* work, const LiaValue* value, double* out);
/// All components of a constant; false if it is none. Likewise.
bool lia_rotation_numbers(LiaWork* work, const LiaValue* value, double* out);
/// The same, where nothing is decided by them, or something else is: see lia_value_decide().
bool lia_value_peek(LiaWork* work, const LiaValue* value, double* out);
bool lia_rotation_peek_numbers(LiaWork* work, const LiaValue* value, double* out);
/// What is decided by a constant; by others nothing can be.
void lia_value_decide(LiaWork* work, const LiaValue* value, LiaDecisionKind kind);
bool lia_value_is_zero(const LiaValue* value);  // the plain number 0
/// Is one of them poison? `b` may be NULL.
bool lia_value_poisoned(const LiaValue* a, const LiaValue* b);
/// Neither is a condition or a body; false with an error said. `b` may be NULL.
bool lia_value_are_numbers(LiaWork* work, const LiaValue* a, const LiaValue* b);
/// "a scalar", "a vector of 3", "a 2 x 3 matrix", "a one-form", ...
const char* lia_value_words(LiaWork* work, const LiaValue* value);

LiaValue lia_value_add(LiaWork* work, const LiaValue* a, const LiaValue* b, int sign, LiaSpan span);
LiaValue lia_value_multiply(LiaWork* work, const LiaValue* a, const LiaValue* b, LiaSpan span);
LiaValue lia_value_divide(LiaWork* work, const LiaValue* a, const LiaValue* b, LiaSpan span);
LiaValue lia_power_value(LiaWork* work, const LiaValue* a, const LiaValue* b, LiaSpan span);
LiaValue lia_value_negate(LiaWork* work, const LiaValue* a, LiaSpan span);
LiaValue lia_value_prime(LiaWork* work, const LiaValue* a, LiaSpan span);
/// LESS, LESS_EQUAL; swap the sides for the others.
LiaValue lia_condition_compare(LiaWork* work, LiaOp op, const LiaValue* a, const LiaValue* b,
                               LiaSpan span);
/// AND, OR.
LiaValue lia_condition_logic(LiaWork* work, LiaOp op, const LiaValue* a, const LiaValue* b,
                             LiaSpan span);
LiaValue lia_condition_not(LiaWork* work, const LiaValue* a, LiaSpan span);
LiaValue lia_condition_if(LiaWork* work, const LiaValue* c, const LiaValue* a, const LiaValue* b,
                          LiaSpan span);
/// [a, b, c]; rows where the parts are vectors.
LiaValue lia_components_vector(LiaWork* work, const LiaValue* parts, uint32_t count, LiaSpan span);
LiaValue lia_components_index(LiaWork* work, const LiaValue* a, const LiaValue* indices,
                              uint32_t count, LiaSpan span);
LiaValue lia_components_field(LiaWork* work, const LiaValue* a, const char* field, LiaSpan span);
LiaValue lia_calls_dot(LiaWork* work, const LiaValue* a, const LiaValue* b, LiaSpan span);
LiaValue lia_calls_cross(LiaWork* work, const LiaValue* a, const LiaValue* b, LiaSpan span);
/// d(a), or virtual(a).
LiaValue lia_calls_form(LiaWork* work, const LiaValue* a, bool is_virtual, LiaSpan span);
/// Component i alone.
LiaValue lia_components_part(LiaWork* work, const LiaValue* a, uint32_t i);

/// Say that `b` has another unit than `a`.
void lia_value_say_units(LiaWork* work, const LiaValue* a, const LiaValue* b);
/// A whole number; false with an error said.
bool lia_value_whole(LiaWork* work, const LiaValue* value, const char* what, int64_t* out);
bool lia_value_need_scalar(LiaWork* work, const LiaValue* value, const char* what);

/// A built-in function of values (calls.c): row of builtins.
LiaValue lia_calls_apply(LiaWork* work, uint32_t row, const LiaValue* arguments, uint32_t count,
                         LiaSpan span);
