// Values: arithmetic of scalars, vectors, matrices and one-forms, component by component.
// SPDX-License-Identifier: MIT
#include "lang/value/value.h"
#include "lang/bodies/rotation.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

LiaValue lia_value_poison(LiaSpan span) {
    return (LiaValue){.kind = LIA_VALUE_POISON, .rows = 1, .cols = 1, .known = -1, .span = span};
}

LiaValue lia_value_literal(LiaNumber number, LiaSpan span) {
    return (LiaValue){.kind = LIA_VALUE_NUMBER,
                      .rows = 1,
                      .cols = 1,
                      .literal = true,
                      .known = -1,
                      .number = number,
                      .unit = lia_unit_number(),
                      .span = span};
}

LiaValue lia_value_scalar(LiaExpr term, LiaUnit unit, LiaSpan span) {
    return (LiaValue){.kind = LIA_VALUE_NUMBER,
                      .rows = 1,
                      .cols = 1,
                      .known = -1,
                      .one = term,
                      .unit = unit,
                      .span = span};
}

LiaValue lia_value_of(LiaValueKind kind, uint32_t rows, uint32_t cols, const LiaExpr* many,
                      LiaUnit unit, LiaSpan span) {
    LiaValue value = {
        .kind = kind, .rows = rows, .cols = cols, .known = -1, .unit = unit, .span = span};
    if (rows == 1 && cols == 1) {
        value.one = many[0];
    } else {
        value.many = many;
    }
    return value;
}

LiaExpr* lia_value_components(LiaWork* work, uint32_t count) {
    lia_term_work(&work->terms, count);
    return lia_context_scratch(work->context, (count ? count : 1) * sizeof(LiaExpr));
}

bool lia_value_is_scalar(const LiaValue* value) { return value->rows == 1 && value->cols == 1; }

uint32_t lia_value_count(const LiaValue* value) { return value->rows * value->cols; }

LiaExpr lia_value_at(LiaWork* work, const LiaValue* value, uint32_t i) {
    if (value->literal) {
        return lia_term_number(&work->terms, value->number, value->span);
    }
    return lia_value_is_scalar(value) ? value->one : value->many[i];
}

uint16_t lia_value_has(LiaWork* work, const LiaValue* value) {
    if (value->kind == LIA_VALUE_POISON || value->kind == LIA_VALUE_BODY || value->literal) {
        return 0;
    }
    uint16_t has = 0;
    for (uint32_t i = 0; i < lia_value_count(value); i++) {
        LiaExpr part = lia_value_at(work, value, i);
        has |= value->kind == LIA_VALUE_FORM ? lia_forms_has(&work->forms, part)
                                             : lia_term_has(&work->terms, part);
    }
    return has;
}

bool lia_value_constant(LiaWork* work, const LiaValue* value, double* out) {
    lia_value_decide(work, value, LIA_DECISION_VALUE);
    return lia_value_peek(work, value, out);
}

void lia_value_decide(LiaWork* work, const LiaValue* value, LiaDecisionKind kind) {
    LiaExpr terms[9];
    uint32_t count = value->kind == LIA_VALUE_NUMBER ? lia_value_count(value) : 0;
    if (value->literal || count == 0 || count > 9 || lia_value_has(work, value) != 0) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        terms[i] = lia_value_at(work, value, i);
    }
    if (kind != LIA_DECISION_SIGN) {
        lia_term_decide(&work->terms, kind, terms, count, value->span);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        lia_term_decide(&work->terms, kind, &terms[i], 1, value->span);
    }
}

bool lia_value_peek(LiaWork* work, const LiaValue* value, double* out) {
    *out = NAN;
    if (value->kind != LIA_VALUE_NUMBER || !lia_value_is_scalar(value)) {
        return false;
    }
    if (value->literal) {
        *out = value->number.value;
        return true;
    }
    *out = work->terms.constants[value->one.index];
    return lia_term_has(&work->terms, value->one) == 0;
}

bool lia_value_is_zero(const LiaValue* value) {
    return value->literal && value->number.value == 0.0;
}

const char* lia_value_words(LiaWork* work, const LiaValue* value) {
    const char* of = value->kind == LIA_VALUE_FORM ? "one-form" : "number";
    if (value->kind == LIA_VALUE_CONDITION) {
        return "a condition";
    }
    if (value->kind == LIA_VALUE_BODY) {
        return "a body";
    }
    if (lia_value_is_scalar(value)) {
        return value->kind == LIA_VALUE_FORM ? "a one-form" : "a scalar";
    }
    char text[80];
    if (value->cols == 1) {
        snprintf(text, sizeof text, "a vector of %u %ss", value->rows, of);
    } else {
        snprintf(text, sizeof text, "a %u x %u matrix", value->rows, value->cols);
    }
    size_t size = strlen(text) + 1;
    return memcpy(lia_context_scratch(work->context, size), text, size);
}

bool lia_value_poisoned(const LiaValue* a, const LiaValue* b) {
    return a->kind == LIA_VALUE_POISON || (b && b->kind == LIA_VALUE_POISON);
}

static LiaValue wrong(LiaSpan span) { return lia_value_poison(span); }

// A value that is said in a message: its text in the model.
static const char* quoted(LiaWork* work, const LiaValue* value) {
    return lia_context_quote(work->context, value->span);
}

void lia_value_say_units(LiaWork* work, const LiaValue* a, const LiaValue* b) {
    LiaDiags* diags = work->context->diags;
    const char* expected = lia_unit_words(work->context, a->unit);
    lia_diag_error(diags, b->span, "E0107", "'%s' is %s, expected %s", quoted(work, b),
                   lia_unit_words(work->context, b->unit), expected);
    const char* example = work->example ? work->example(work->example_of, a->unit) : NULL;
    const char* text = quoted(work, b);
    text += *text == '-';
    LiaUnit factor = lia_unit_product(a->unit, b->unit, -1);
    const char* unit = lia_unit_text(work->context, factor);
    if (*text >= '0' && *text <= '9' && strchr(text, '*')) {  // a number for what has a unit
        lia_diag_help(diags,
                      "a number has no unit: one that has is a parameter, 'parameter k = %.*s in "
                      "%s'",
                      (int)strspn(text, "0123456789.e"), text, unit);
    } else if (example) {
        lia_diag_help(diags, "write %s, such as '%s'", expected, example);
    } else if (factor.state == LIA_UNIT_KNOWN) {
        lia_diag_help(diags, "a factor in %s is missing there", unit);
    }
}

bool lia_value_need_scalar(LiaWork* work, const LiaValue* value, const char* what) {
    if (value->kind == LIA_VALUE_POISON) {
        return false;
    }
    if (value->kind != LIA_VALUE_NUMBER) {
        lia_diag_error(work->context->diags, value->span, "E0137",
                       "%s must be a number, '%s' is %s", what, quoted(work, value),
                       lia_value_words(work, value));
        return false;
    }
    if (!lia_value_is_scalar(value)) {
        lia_diag_error(work->context->diags, value->span, "E0132",
                       "%s must be a scalar, '%s' is %s", what, quoted(work, value),
                       lia_value_words(work, value));
        if (value->cols == 1)
            lia_diag_help(work->context->diags, "write a component, v.x or v[1], or norm(v)");
        return false;
    }
    return true;
}

bool lia_value_whole(LiaWork* work, const LiaValue* value, const char* what, int64_t* out) {
    if (!lia_value_need_scalar(work, value, what)) {
        return false;
    }
    double x = 0.0;
    if (!lia_value_peek(work, value, &x)) {
        lia_diag_error(work->context->diags, value->span, "E0141",
                       "%s must be made of numbers and parameters", what);
        return false;
    }
    if (!(fabs(x) <= 1e9) || x != floor(x)) {
        if (lia_context_said(work->context, value->span, "E0141")) {
            return false;
        }
        lia_diag_error(work->context->diags, value->span, "E0141",
                       "%s must be a whole number, '%s' is %.6g", what, quoted(work, value), x);
        return false;
    }
    *out = (int64_t)x;
    if (!value->literal) {
        lia_term_mark_structural(&work->terms, value->one);
    }
    return true;
}

bool lia_value_are_numbers(LiaWork* work, const LiaValue* a, const LiaValue* b) {
    const LiaValue* body = a->kind == LIA_VALUE_BODY        ? a
                           : b && b->kind == LIA_VALUE_BODY ? b
                                                            : NULL;
    if (body) {
        lia_diag_error(work->context->diags, body->span, "E0125",
                       "'%s' is a body, expected a number", quoted(work, body));
        lia_diag_help(work->context->diags,
                      "write %s.position, .velocity, .attitude, .omega or .mass",
                      quoted(work, body));
        return false;
    }
    const LiaValue* condition = a->kind == LIA_VALUE_CONDITION        ? a
                                : b && b->kind == LIA_VALUE_CONDITION ? b
                                                                      : NULL;
    if (condition) {
        lia_diag_error(work->context->diags, condition->span, "E0138",
                       "'%s' is a condition, expected a number", quoted(work, condition));
        lia_diag_help(work->context->diags, "a condition stands in if(condition, a, b)");
    }
    return !condition;
}

static LiaValue add_shapes_differ(LiaWork* work, const LiaValue* a, const LiaValue* b,
                                  LiaSpan span) {
    if (a->kind != b->kind) {
        lia_diag_error(work->context->diags, span, "E0137", "%s and %s do not add",
                       lia_value_words(work, a), lia_value_words(work, b));
        lia_diag_help(work->context->diags, "a one-form is made with d(f) or virtual(e)");
    } else {
        lia_diag_error(work->context->diags, span, "E0130", "%s and %s do not add",
                       lia_value_words(work, a), lia_value_words(work, b));
    }
    return wrong(span);
}

static LiaExpr add_parts(LiaWork* work, LiaValueKind kind, LiaExpr a, LiaExpr b, int sign,
                         LiaSpan span) {
    if (kind == LIA_VALUE_NUMBER) {
        LiaOp op = sign > 0 ? LIA_OP_ADD : LIA_OP_SUB;
        return lia_term_binary(&work->terms, op, a, b, span);
    }
    if (sign < 0) {
        LiaExpr minus = lia_term_whole(&work->terms, -1, span);
        b = lia_forms_scale(&work->forms, &work->terms, minus, b, span);
    }
    return lia_forms_sum(&work->forms, &work->terms, a, b, span);
}

LiaValue lia_value_add(LiaWork* work, const LiaValue* a, const LiaValue* b, int sign,
                       LiaSpan span) {
    if (lia_value_poisoned(a, b) || !lia_value_are_numbers(work, a, b)) {
        return wrong(span);
    }
    if (a->literal && b->literal) {
        LiaNumber right = sign > 0 ? b->number : lia_number_negate(b->number);
        LiaNumber sum = lia_number_add(a->number, right);
        if (isfinite(sum.value)) {
            return lia_value_literal(sum, span);
        }
    }
    // The plain number 0 fits any shape: sums over nothing, and the beginning of a chain.
    if (lia_value_is_zero(b) && !(lia_value_is_scalar(a) && a->kind == LIA_VALUE_NUMBER)) {
        LiaValue same = *a;
        same.span = span;
        return same;
    }
    if (lia_value_is_zero(a) && !(lia_value_is_scalar(b) && b->kind == LIA_VALUE_NUMBER)) {
        return sign > 0 ? lia_value_add(work, b, a, 1, span) : lia_value_negate(work, b, span);
    }
    if (a->kind != b->kind || a->rows != b->rows || a->cols != b->cols) {
        return add_shapes_differ(work, a, b, span);
    }
    LiaUnit unit;
    if (!lia_unit_sum(a->unit, b->unit, &unit)) {
        lia_value_say_units(work, a, b);
        return wrong(span);
    }
    uint32_t count = lia_value_count(a);
    LiaExpr small[1];
    LiaExpr* parts = count == 1 ? small : lia_value_components(work, count);
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = add_parts(work, a->kind, lia_value_at(work, a, i), lia_value_at(work, b, i),
                             sign, span);
    }
    return lia_value_of(a->kind, a->rows, a->cols, parts, unit, span);
}

static LiaExpr scaled(LiaWork* work, LiaValueKind kind, LiaExpr factor, LiaExpr part,
                      bool factor_first, LiaSpan span) {
    if (kind == LIA_VALUE_FORM) {
        return lia_forms_scale(&work->forms, &work->terms, factor, part, span);
    }
    return factor_first ? lia_term_binary(&work->terms, LIA_OP_MUL, factor, part, span)
                        : lia_term_binary(&work->terms, LIA_OP_MUL, part, factor, span);
}

// scalar number * anything.
static LiaValue scale(LiaWork* work, const LiaValue* factor, const LiaValue* a, bool factor_first,
                      LiaSpan span) {
    uint32_t count = lia_value_count(a);
    LiaExpr small[1];
    LiaExpr* parts = count == 1 ? small : lia_value_components(work, count);
    LiaExpr term = lia_value_at(work, factor, 0);
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = scaled(work, a->kind, term, lia_value_at(work, a, i), factor_first, span);
    }
    LiaUnit unit = lia_unit_product(factor->unit, a->unit, 1);
    return lia_value_of(a->kind, a->rows, a->cols, parts, unit, span);
}

// c[i][j] = sum_k a[i][k] b[k][j]; one of the two may hold one-forms.
static LiaValue multiply_matrices(LiaWork* work, const LiaValue* a, const LiaValue* b,
                                  LiaSpan span) {
    bool forms = a->kind == LIA_VALUE_FORM || b->kind == LIA_VALUE_FORM;
    LiaValueKind kind = forms ? LIA_VALUE_FORM : LIA_VALUE_NUMBER;
    lia_term_work(&work->terms, (uint64_t)a->rows * b->cols * a->cols);
    LiaExpr* parts = lia_value_components(work, a->rows * b->cols);
    for (uint32_t i = 0; i < a->rows; i++) {
        for (uint32_t j = 0; j < b->cols; j++) {
            LiaExpr sum = {0};
            for (uint32_t k = 0; k < a->cols; k++) {
                LiaExpr x = lia_value_at(work, a, i * a->cols + k);
                LiaExpr y = lia_value_at(work, b, k * b->cols + j);
                bool left_form = a->kind == LIA_VALUE_FORM;
                LiaExpr product = left_form ? scaled(work, kind, y, x, false, span)
                                            : scaled(work, kind, x, y, true, span);
                sum = k == 0 ? product : add_parts(work, kind, sum, product, 1, span);
            }
            parts[i * b->cols + j] = sum;
        }
    }
    LiaUnit unit = lia_unit_product(a->unit, b->unit, 1);
    return lia_value_of(kind, a->rows, b->cols, parts, unit, span);
}

LiaValue lia_value_multiply(LiaWork* work, const LiaValue* a, const LiaValue* b, LiaSpan span) {
    if (lia_value_poisoned(a, b) || !lia_value_are_numbers(work, a, b)) {
        return wrong(span);
    }
    if (a->literal && b->literal) {
        LiaNumber product = lia_number_multiply(a->number, b->number);
        if (isfinite(product.value)) {
            return lia_value_literal(product, span);
        }
    }
    LiaDiags* diags = work->context->diags;
    if (a->kind == LIA_VALUE_FORM && b->kind == LIA_VALUE_FORM) {
        lia_diag_error(diags, span, "E0137", "a product of two one-forms");
        lia_diag_help(diags, "a one-form is multiplied by numbers: 'x'*d(x)'");
        return wrong(span);
    }
    if (lia_value_is_scalar(a) && a->kind == LIA_VALUE_NUMBER) {
        return scale(work, a, b, true, span);
    }
    if (lia_value_is_scalar(b) && b->kind == LIA_VALUE_NUMBER) {
        return scale(work, b, a, false, span);
    }
    if (lia_value_is_scalar(a) || lia_value_is_scalar(b)) {  // one-form times vector of numbers
        const LiaValue* form = lia_value_is_scalar(a) ? a : b;
        const LiaValue* numbers = form == a ? b : a;
        uint32_t count = lia_value_count(numbers);
        LiaExpr* parts = lia_value_components(work, count);
        for (uint32_t i = 0; i < count; i++) {
            parts[i] = scaled(work, LIA_VALUE_FORM, lia_value_at(work, numbers, i),
                              lia_value_at(work, form, 0), true, span);
        }
        LiaUnit unit = lia_unit_product(a->unit, b->unit, 1);
        return lia_value_of(LIA_VALUE_FORM, numbers->rows, numbers->cols, parts, unit, span);
    }
    if (a->cols != b->rows || (a->cols == 1 && b->cols == 1)) {
        lia_diag_error(diags, span, "E0131", "%s times %s is not defined", lia_value_words(work, a),
                       lia_value_words(work, b));
        if (a->cols == 1 && b->cols == 1) {
            lia_diag_help(diags, "write dot(a, b) or cross(a, b)");
        }
        return wrong(span);
    }
    LiaValue product = multiply_matrices(work, a, b, span);
    product.spin = lia_rotation_product(work, a, b, span);
    return product;
}

LiaValue lia_value_divide(LiaWork* work, const LiaValue* a, const LiaValue* b, LiaSpan span) {
    if (lia_value_poisoned(a, b) || !lia_value_are_numbers(work, a, b)) {
        return wrong(span);
    }
    LiaDiags* diags = work->context->diags;
    if (b->kind == LIA_VALUE_FORM || !lia_value_is_scalar(b)) {
        lia_diag_error(diags, b->span, "E0131", "a division by %s", lia_value_words(work, b));
        lia_diag_help(diags, b->kind == LIA_VALUE_FORM ? "a velocity is written x'"
                                                       : "divide by a scalar");
        return wrong(span);
    }
    if (lia_value_is_zero(b)) {
        lia_diag_error(diags, b->span, "E0158", "a division by zero");
        return wrong(span);
    }
    if (a->literal && b->literal) {
        LiaNumber quotient = lia_number_divide(a->number, b->number);
        if (isfinite(quotient.value)) {
            return lia_value_literal(quotient, span);
        }
    }
    LiaExpr divisor = lia_value_at(work, b, 0);
    uint32_t count = lia_value_count(a);
    LiaExpr small[1];
    LiaExpr* parts = count == 1 ? small : lia_value_components(work, count);
    LiaExpr inverse = {0};
    if (a->kind == LIA_VALUE_FORM) {
        LiaExpr one = lia_term_whole(&work->terms, 1, span);
        inverse = lia_term_binary(&work->terms, LIA_OP_DIV, one, divisor, span);
    }
    for (uint32_t i = 0; i < count; i++) {
        LiaExpr part = lia_value_at(work, a, i);
        parts[i] = inverse.index ? lia_forms_scale(&work->forms, &work->terms, inverse, part, span)
                                 : lia_term_binary(&work->terms, LIA_OP_DIV, part, divisor, span);
    }
    LiaUnit unit = lia_unit_product(a->unit, b->unit, -1);
    return lia_value_of(a->kind, a->rows, a->cols, parts, unit, span);
}

LiaValue lia_value_negate(LiaWork* work, const LiaValue* a, LiaSpan span) {
    if (lia_value_poisoned(a, NULL) || !lia_value_are_numbers(work, a, NULL)) {
        return wrong(span);
    }
    if (a->literal) {
        return lia_value_literal(lia_number_negate(a->number), span);
    }
    uint32_t count = lia_value_count(a);
    LiaExpr small[1];
    LiaExpr* parts = count == 1 ? small : lia_value_components(work, count);
    for (uint32_t i = 0; i < count; i++) {
        LiaExpr part = lia_value_at(work, a, i);
        if (a->kind == LIA_VALUE_FORM) {
            LiaExpr minus = lia_term_whole(&work->terms, -1, span);
            parts[i] = lia_forms_scale(&work->forms, &work->terms, minus, part, span);
        } else {
            parts[i] = lia_term_negate(&work->terms, part, span);
        }
    }
    return lia_value_of(a->kind, a->rows, a->cols, parts, a->unit, span);
}

LiaValue lia_value_prime(LiaWork* work, const LiaValue* a, LiaSpan span) {
    if (lia_value_poisoned(a, NULL) || !lia_value_are_numbers(work, a, NULL)) {
        return wrong(span);
    }
    LiaDiags* diags = work->context->diags;
    if (a->kind == LIA_VALUE_FORM) {
        lia_diag_error(diags, span, "E0137", "a one-form has no time derivative here");
        return wrong(span);
    }
    uint32_t count = lia_value_count(a);
    LiaExpr small[1];
    LiaExpr* parts = count == 1 ? small : lia_value_components(work, count);
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = lia_term_prime(&work->terms, lia_value_at(work, a, i), span);
        if (!parts[i].index) {
            bool force = lia_value_has(work, a) & LIA_DEPENDS(REACTION);
            lia_diag_error(diags, span, "E0157", "%s",
                           force ? "forces, powers and works have no time derivative here"
                                 : "the time derivative of an acceleration");
            if (!force) {
                lia_diag_help(diags, "derivatives go up to the second, x''");
            }
            return wrong(span);
        }
    }
    return lia_value_of(a->kind, a->rows, a->cols, parts, lia_unit_per_second(a->unit), span);
}
