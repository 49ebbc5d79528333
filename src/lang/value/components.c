// Shapes: putting vectors and matrices together and taking them apart.
// SPDX-License-Identifier: MIT
#include "lang/value/value.h"
#include <inttypes.h>
#include <string.h>

static LiaValue wrong(LiaSpan span) { return lia_value_poison(span); }

// The parts of [a, b, c] must be of one kind and one shape.
static bool check_parts(LiaWork* work, const LiaValue* parts, uint32_t count) {
    LiaDiags* diags = work->context->diags;
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        const LiaValue* part = &parts[i];
        if (part->kind == LIA_VALUE_POISON) {
            good = false;
        } else if (part->kind == LIA_VALUE_CONDITION) {
            lia_diag_error(diags, part->span, "E0138", "a condition in a vector");
            good = false;
        } else if (part->kind == LIA_VALUE_BODY) {
            lia_diag_error(diags, part->span, "E0125", "'%s' is a body, expected a number",
                           lia_context_quote(work->context, part->span));
            good = false;
        } else if (part->cols != 1) {
            lia_diag_error(diags, part->span, "E0136", "a matrix inside a vector");
            lia_diag_help(diags, "a matrix is written by rows: [[a, b], [c, d]]");
            good = false;
        } else if (good && part->rows != parts[0].rows) {
            lia_diag_error(diags, part->span, "E0136", "a row of %u after a row of %u", part->rows,
                           parts[0].rows);
            lia_diag_help(diags, "all rows of a matrix have the same length");
            good = false;
        } else if (good && part->kind != parts[0].kind && !lia_value_is_zero(part) &&
                   !lia_value_is_zero(&parts[0])) {
            lia_diag_error(diags, part->span, "E0137", "numbers and one-forms in one vector");
            good = false;
        }
    }
    return good;
}

LiaValue lia_components_vector(LiaWork* work, const LiaValue* parts, uint32_t count, LiaSpan span) {
    if (count == 0) {
        lia_diag_error(work->context->diags, span, "E0136", "an empty vector");
        return wrong(span);
    }
    if (!check_parts(work, parts, count)) {
        return wrong(span);
    }
    LiaValueKind kind = LIA_VALUE_NUMBER;
    LiaUnit unit = parts[0].unit;
    for (uint32_t i = 0; i < count; i++) {
        kind = parts[i].kind == LIA_VALUE_FORM ? LIA_VALUE_FORM : kind;
        unit = lia_unit_both(unit, parts[i].unit);
    }
    uint32_t length = parts[0].rows;
    if ((uint64_t)length * count > LIA_LIMIT_FAMILY) {
        lia_diag_error(work->context->diags, span, "E0142",
                       "a matrix of more than %d components, the limit", LIA_LIMIT_FAMILY);
        return wrong(span);
    }
    LiaExpr* components = lia_value_components(work, length * count);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < length; j++) {
            bool zero_form = kind == LIA_VALUE_FORM && parts[i].kind == LIA_VALUE_NUMBER;
            components[i * length + j] =
                zero_form ? (LiaFormId){0} : lia_value_at(work, &parts[i], j);
        }
    }
    // Scalars stand below each other; vectors are rows.
    return lia_value_of(kind, count, length, components, unit, span);
}

LiaValue lia_components_part(LiaWork* work, const LiaValue* a, uint32_t i) {
    LiaExpr part = lia_value_at(work, a, i);
    return lia_value_of(a->kind, 1, 1, &part, a->unit, a->span);
}

static LiaValue out_of_range(LiaWork* work, const LiaValue* a, const LiaValue* index, int64_t i,
                             uint32_t size, const char* what) {
    if (lia_context_said(work->context, index->span, "E0133")) {
        return wrong(index->span);
    }
    lia_diag_error(work->context->diags, index->span, "E0133",
                   "there is no %s %" PRId64 ": '%s' has %u", what, i,
                   lia_context_quote(work->context, a->span), size);
    lia_diag_help(work->context->diags, "%ss are counted from 1 to %u", what, size);
    return wrong(index->span);
}

LiaValue lia_components_index(LiaWork* work, const LiaValue* a, const LiaValue* indices,
                              uint32_t count, LiaSpan span) {
    int64_t at[2] = {1, 1};
    LiaDiags* diags = work->context->diags;
    if (a->kind == LIA_VALUE_POISON) {
        return wrong(span);
    }
    if (a->kind >= LIA_VALUE_CONDITION || lia_value_is_scalar(a)) {
        lia_diag_error(diags, span, "E0143", "'%s' is %s: it has no components",
                       lia_context_quote(work->context, a->span), lia_value_words(work, a));
        if (a->literal) lia_diag_help(diags, "a unit stands after 'in': '3 in m'");
        return wrong(span);
    }
    bool matrix = a->cols != 1;
    if (count != (matrix ? 2u : 1u) && !(matrix && count == 1)) {
        lia_diag_error(diags, span, "E0144", "%u indices for %s", count, lia_value_words(work, a));
        return wrong(span);
    }
    for (uint32_t k = 0; k < count; k++) {
        if (!lia_value_whole(work, &indices[k], "an index", &at[k])) {
            return wrong(span);
        }
    }
    if (at[0] < 1 || at[0] > a->rows) {
        return out_of_range(work, a, &indices[0], at[0], a->rows, matrix ? "row" : "component");
    }
    uint32_t row = (uint32_t)at[0] - 1;
    if (matrix && count == 1) {  // a row, as a vector
        LiaExpr* parts = lia_value_components(work, a->cols);
        memcpy(parts, a->many + (size_t)row * a->cols, a->cols * sizeof *parts);
        return lia_value_of(a->kind, a->cols, 1, parts, a->unit, span);
    }
    if (at[1] < 1 || at[1] > a->cols) {
        return out_of_range(work, a, &indices[1], at[1], a->cols, "column");
    }
    LiaValue part = lia_components_part(work, a, row * a->cols + (uint32_t)at[1] - 1);
    part.span = span;
    return part;
}

LiaValue lia_components_field(LiaWork* work, const LiaValue* a, const char* field, LiaSpan span) {
    LiaDiags* diags = work->context->diags;
    if (a->kind == LIA_VALUE_POISON) {
        return wrong(span);
    }
    uint32_t i = strcmp(field, "x") == 0 ? 0 : strcmp(field, "y") == 0 ? 1 : 2;
    if (i == 2 && strcmp(field, "z") != 0) {
        lia_diag_error(diags, span, "E0134", "there is no component '.%s'", field);
        lia_diag_help(diags, "components are .x, .y, .z, or [i]%s",
                      strcmp(field, "dot") == 0 ? "; a velocity is written x'" : "");
        return wrong(span);
    }
    if (lia_value_is_scalar(a) || a->cols != 1 || a->rows <= i) {
        const char* name = lia_context_quote(work->context, a->span);
        lia_diag_error(diags, span, "E0134", "'%s' is %s: it has no component '.%s'", name,
                       lia_value_words(work, a), field);
        if (a->cols > 1) {
            lia_diag_help(diags, "a row of it is %s[1], an entry %s[1, 2]", name, name);
        }
        return wrong(span);
    }
    LiaValue part = lia_components_part(work, a, i);
    part.span = span;
    return part;
}
