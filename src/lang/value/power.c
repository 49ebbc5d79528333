// Powers: what a base with a unit asks of its exponent.
// SPDX-License-Identifier: MIT
#include "lang/value/value.h"

// The unit of a^b, where `a` has a dimension only for a plain number b.
static bool power_unit(LiaWork* work, const LiaValue* a, const LiaValue* b, LiaUnit* unit) {
    LiaDiags* diags = work->context->diags;
    if (b->unit.state == LIA_UNIT_KNOWN && !lia_unit_is_plain(b->unit)) {
        lia_diag_error(diags, b->span, "E0107", "'%s' is %s, expected a pure number",
                       lia_context_quote(work->context, b->span),
                       lia_unit_words(work->context, b->unit));
        lia_diag_help(diags, "an exponent has no unit");
        return false;
    }
    LiaNumber exponent;
    bool plain = lia_term_exact(&work->terms, lia_value_at(work, b, 0), &exponent);
    if (plain && exponent.den != 0) {
        *unit = lia_unit_power(a->unit, exponent.num, exponent.den);
        return true;
    }
    if (a->unit.state == LIA_UNIT_KNOWN && !lia_unit_is_plain(a->unit) && !plain) {
        lia_diag_error(
            diags, b->span, "E0172", "'%s' is %s, so its exponent must be a plain number",
            lia_context_quote(work->context, a->span), lia_unit_words(work->context, a->unit));
        lia_diag_help(diags, "write a number, or divide by something of the same unit first");
        return false;
    }
    *unit = lia_unit_is_plain(a->unit) ? a->unit : lia_unit_unknown();
    return true;
}

LiaValue lia_power_value(LiaWork* work, const LiaValue* a, const LiaValue* b, LiaSpan span) {
    if (lia_value_poisoned(a, b) || !lia_value_are_numbers(work, a, b)) {
        return lia_value_poison(span);
    }
    if (!lia_value_is_scalar(a) && a->kind == LIA_VALUE_NUMBER) {
        lia_diag_error(work->context->diags, a->span, "E0132", "a power of %s",
                       lia_value_words(work, a));
        lia_diag_help(work->context->diags, "the square of a vector is dot(v, v)");
        return lia_value_poison(span);
    }
    if (!lia_value_need_scalar(work, a, "what is raised to a power") ||
        !lia_value_need_scalar(work, b, "an exponent")) {
        return lia_value_poison(span);
    }
    LiaNumber power;
    if (a->literal && b->literal && lia_number_power(a->number, b->number, &power)) {
        return lia_value_literal(power, span);
    }
    LiaUnit unit;
    if (!power_unit(work, a, b, &unit)) {
        return lia_value_poison(span);
    }
    LiaExpr term = lia_term_binary(&work->terms, LIA_OP_POW, lia_value_at(work, a, 0),
                                   lia_value_at(work, b, 0), span);
    return lia_value_scalar(term, unit, span);
}
