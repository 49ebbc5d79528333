// Conditions: comparisons, their logic, and values that depend on them.
// SPDX-License-Identifier: MIT
#include "lang/value/value.h"

static LiaValue condition(LiaExpr term, int known, LiaSpan span) {
    LiaValue value = lia_value_scalar(term, lia_unit_number(), span);
    value.kind = LIA_VALUE_CONDITION;
    value.known = known;
    return value;
}

LiaValue lia_condition_compare(LiaWork* work, LiaOp op, const LiaValue* a, const LiaValue* b,
                               LiaSpan span) {
    if (!lia_value_need_scalar(work, a, "what is compared") ||
        !lia_value_need_scalar(work, b, "what is compared")) {
        return lia_value_poison(span);
    }
    LiaUnit unit;
    if (!lia_unit_sum(a->unit, b->unit, &unit)) {
        lia_value_say_units(work, a, b);
        return lia_value_poison(span);
    }
    LiaExpr x = lia_value_at(work, a, 0), y = lia_value_at(work, b, 0);
    // Known before the run: i < 2, i < N. A plain parameter does not decide: it may be changed.
    int known = -1;
    if (lia_term_is_structural(&work->terms, x) && lia_term_is_structural(&work->terms, y)) {
        double p = work->terms.constants[x.index], q = work->terms.constants[y.index];
        known = op == LIA_OP_LESS ? p < q : p <= q;
    }
    return condition(lia_term_binary(&work->terms, op, x, y, span), known, span);
}

static bool need_condition(LiaWork* work, const LiaValue* value) {
    if (value->kind != LIA_VALUE_CONDITION && value->kind != LIA_VALUE_POISON) {
        lia_diag_error(work->context->diags, value->span, "E0138",
                       "'%s' is %s, expected a condition",
                       lia_context_quote(work->context, value->span), lia_value_words(work, value));
        lia_diag_help(work->context->diags, "compare it: 'a < b'");
    }
    return value->kind == LIA_VALUE_CONDITION;
}

LiaValue lia_condition_logic(LiaWork* work, LiaOp op, const LiaValue* a, const LiaValue* b,
                             LiaSpan span) {
    bool left = need_condition(work, a), right = need_condition(work, b);
    if (!left || !right) {
        return lia_value_poison(span);
    }
    int known = -1;
    if (op == LIA_OP_AND) {
        known = a->known == 0 || b->known == 0 ? 0 : a->known == 1 && b->known == 1 ? 1 : -1;
    } else {
        known = a->known == 1 || b->known == 1 ? 1 : a->known == 0 && b->known == 0 ? 0 : -1;
    }
    return condition(lia_term_binary(&work->terms, op, a->one, b->one, span), known, span);
}

LiaValue lia_condition_not(LiaWork* work, const LiaValue* a, LiaSpan span) {
    if (!need_condition(work, a)) {
        return lia_value_poison(span);
    }
    int known = a->known < 0 ? -1 : !a->known;
    return condition(lia_term_call(&work->terms, LIA_OP_NOT, a->one, span), known, span);
}

LiaValue lia_condition_if(LiaWork* work, const LiaValue* c, const LiaValue* a, const LiaValue* b,
                          LiaSpan span) {
    if (!need_condition(work, c) || lia_value_poisoned(a, b) ||
        !lia_value_are_numbers(work, a, b)) {
        return lia_value_poison(span);
    }
    if (a->kind == LIA_VALUE_FORM || b->kind == LIA_VALUE_FORM) {
        lia_diag_error(work->context->diags, span, "E0137", "if() of one-forms");
        lia_diag_help(work->context->diags, "multiply the one-form: if(c, 1, 0)*d(x)");
        return lia_value_poison(span);
    }
    if (a->rows != b->rows || a->cols != b->cols) {
        lia_diag_error(work->context->diags, span, "E0130", "if() of %s or %s",
                       lia_value_words(work, a), lia_value_words(work, b));
        return lia_value_poison(span);
    }
    LiaUnit unit;
    if (!lia_unit_sum(a->unit, b->unit, &unit)) {
        lia_value_say_units(work, a, b);
        return lia_value_poison(span);
    }
    uint32_t count = lia_value_count(a);
    LiaExpr* parts = lia_value_components(work, count);
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = lia_term_apply(&work->terms, LIA_OP_IF, c->one, lia_value_at(work, a, i),
                                  lia_value_at(work, b, i), span);
    }
    return lia_value_of(a->kind, a->rows, a->cols, parts, unit, span);
}
