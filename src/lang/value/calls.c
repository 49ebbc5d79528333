// Calls: the built-in functions of values, one static function for each that is not elementary.
// SPDX-License-Identifier: MIT
#include "lang/bodies/rotation.h"
#include "lang/elaborate/builtin.h"
#include <stdio.h>
#include <string.h>

static LiaValue wrong(LiaSpan span) { return lia_value_poison(span); }

static LiaExpr add(LiaWork* work, LiaExpr a, LiaExpr b, LiaSpan span) {
    return lia_term_binary(&work->terms, LIA_OP_ADD, a, b, span);
}

static LiaExpr call(LiaWork* work, LiaOp function, LiaExpr a, LiaSpan span) {
    return lia_term_call(&work->terms, function, a, span);
}

static const char* quoted(LiaWork* work, const LiaValue* value) {
    return lia_context_quote(work->context, value->span);
}

// The argument of sin, exp, ...: an angle or a pure number.
static bool check_plain(LiaWork* work, const LiaValue* a, const char* name) {
    if (a->unit.state != LIA_UNIT_KNOWN || lia_unit_is_plain(a->unit)) {
        return true;
    }
    lia_diag_error(work->context->diags, a->span, "E0107", "'%s' is %s, expected %s",
                   quoted(work, a), lia_unit_words(work->context, a->unit),
                   "a pure number or an angle");
    lia_diag_help(work->context->diags, "%s() needs an argument without dimension", name);
    return false;
}

// The unit of an elementary function, from that of its arguments.
static bool function_unit(LiaWork* work, const LiaBuiltin* builtin, const LiaValue* a,
                          LiaUnit* unit) {
    switch (builtin->units) {
    case LIA_UNITS_SAME:
        return true;
    case LIA_UNITS_ROOT:
        *unit = lia_unit_power(*unit, 1, 2);
        return true;
    case LIA_UNITS_SIGN:
    case LIA_UNITS_RATIO:
        *unit = lia_unit_number();
        return true;
    case LIA_UNITS_ANGLE:
        return check_plain(work, a, builtin->name);
    case LIA_UNITS_PLAIN:
    case LIA_UNITS_OWN:
        *unit = lia_unit_number();
        return check_plain(work, a, builtin->name);
    }
    return false;
}

static LiaValue call_elementary(LiaWork* work, const LiaBuiltin* builtin, const LiaValue* arguments,
                                uint32_t count, LiaSpan span) {
    LiaOp function = (LiaOp)builtin->id;
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        if (arguments[i].kind == LIA_VALUE_NUMBER && !lia_value_is_scalar(&arguments[i])) {
            lia_diag_error(work->context->diags, arguments[i].span, "E0132", "%s() of %s",
                           builtin->name, lia_value_words(work, &arguments[i]));
            lia_diag_help(work->context->diags, function == LIA_OP_ABS
                                                    ? "the length of a vector is norm(v)"
                                                    : "it takes scalars");
            good = false;
        } else if (arguments[i].kind != LIA_VALUE_NUMBER) {
            char what[40];
            snprintf(what, sizeof what, "the argument of %s()", builtin->name);
            good = lia_value_need_scalar(work, &arguments[i], what) && good;
        }
    }
    if (!good) {
        return wrong(span);
    }
    LiaUnit unit = arguments[0].unit;
    LiaExpr term = lia_value_at(work, &arguments[0], 0);
    // Several arguments are of one unit; more than two of min, max, hypot are taken in turn.
    for (uint32_t i = 1; i < count; i++) {
        if (!lia_unit_sum(unit, arguments[i].unit, &unit)) {
            lia_value_say_units(work, &arguments[0], &arguments[i]);
            return wrong(span);
        }
        LiaExpr next = lia_value_at(work, &arguments[i], 0);
        term = lia_term_binary(&work->terms, function, term, next, span);
    }
    if (!function_unit(work, builtin, &arguments[0], &unit)) {
        return wrong(span);
    }
    if (count == 1) {
        term = call(work, function, term, span);
    }
    return lia_value_scalar(term, unit, span);
}

static bool need_vector(LiaWork* work, const LiaValue* a, const char* name) {
    if (a->kind == LIA_VALUE_POISON) {
        return false;
    }
    if (a->cols != 1 || a->kind >= LIA_VALUE_CONDITION) {
        lia_diag_error(work->context->diags, a->span, "E0132", "%s() needs a vector, '%s' is %s",
                       name, quoted(work, a), lia_value_words(work, a));
        return false;
    }
    return true;
}

// Component by component product of numbers, or of a number and a one-form.
static LiaValue part_times(LiaWork* work, const LiaValue* a, uint32_t i, const LiaValue* b,
                           uint32_t j, LiaSpan span) {
    LiaValue x = lia_components_part(work, a, i), y = lia_components_part(work, b, j);
    return lia_value_multiply(work, &x, &y, span);
}

LiaValue lia_calls_dot(LiaWork* work, const LiaValue* a, const LiaValue* b, LiaSpan span) {
    bool left = need_vector(work, a, "dot"), right = need_vector(work, b, "dot");
    if (!left || !right) {
        return wrong(span);
    }
    if (a->rows != b->rows) {
        lia_diag_error(work->context->diags, span, "E0130", "dot() of %s and %s",
                       lia_value_words(work, a), lia_value_words(work, b));
        return wrong(span);
    }
    LiaValue sum = part_times(work, a, 0, b, 0, span);
    for (uint32_t i = 1; i < a->rows; i++) {
        LiaValue product = part_times(work, a, i, b, i, span);
        sum = lia_value_add(work, &sum, &product, 1, span);
    }
    return sum;
}

// (a x b)[i] = a[j] b[k] - a[k] b[j], i j k in turn.
LiaValue lia_calls_cross(LiaWork* work, const LiaValue* a, const LiaValue* b, LiaSpan span) {
    bool left = need_vector(work, a, "cross"), right = need_vector(work, b, "cross");
    if (!left || !right) {
        return wrong(span);
    }
    if (a->rows != 3 || b->rows != 3) {
        lia_diag_error(work->context->diags, span, "E0130", "cross() of %s and %s",
                       lia_value_words(work, a), lia_value_words(work, b));
        lia_diag_help(work->context->diags, "it needs two vectors of three components");
        return wrong(span);
    }
    LiaValue parts[3];
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        LiaValue plus = part_times(work, a, j, b, k, span);
        LiaValue minus = part_times(work, a, k, b, j, span);
        parts[i] = lia_value_add(work, &plus, &minus, -1, span);
    }
    return lia_components_vector(work, parts, 3, span);
}

static bool need_number_vector(LiaWork* work, const LiaValue* a, const char* name) {
    if (!need_vector(work, a, name)) {
        return false;
    }
    if (a->kind == LIA_VALUE_FORM) {
        lia_diag_error(work->context->diags, a->span, "E0137", "%s() of one-forms", name);
        return false;
    }
    return true;
}

static LiaExpr norm_term(LiaWork* work, const LiaValue* a, LiaSpan span) {
    LiaExpr sum = {0};
    LiaExpr two = lia_term_whole(&work->terms, 2, span);
    for (uint32_t i = 0; i < a->rows; i++) {
        LiaExpr part = lia_value_at(work, a, i);
        LiaExpr square = lia_term_binary(&work->terms, LIA_OP_POW, part, two, span);
        sum = i == 0 ? square : add(work, sum, square, span);
    }
    return call(work, LIA_OP_SQRT, sum, span);
}

static LiaValue call_norm(LiaWork* work, const LiaValue* a, LiaSpan span) {
    if (!need_number_vector(work, a, "norm")) {
        return wrong(span);
    }
    if (a->rows == 1) {
        return lia_value_scalar(call(work, LIA_OP_ABS, lia_value_at(work, a, 0), span), a->unit,
                                span);
    }
    return lia_value_scalar(norm_term(work, a, span), a->unit, span);
}

static LiaValue call_unit(LiaWork* work, const LiaValue* a, LiaSpan span) {
    if (!need_number_vector(work, a, "unit")) {
        return wrong(span);
    }
    LiaValue length = lia_value_scalar(norm_term(work, a, span), a->unit, span);
    LiaValue direction = lia_value_divide(work, a, &length, span);
    direction.unit = lia_unit_number();
    return direction;
}

static LiaValue call_transpose(LiaWork* work, const LiaValue* a, LiaSpan span) {
    if (a->kind == LIA_VALUE_POISON || a->kind >= LIA_VALUE_CONDITION || a->literal) {
        return *a;
    }
    LiaExpr* parts = lia_value_components(work, lia_value_count(a));
    for (uint32_t i = 0; i < a->rows; i++) {
        for (uint32_t j = 0; j < a->cols; j++) {
            parts[j * a->rows + i] = lia_value_at(work, a, i * a->cols + j);
        }
    }
    LiaValue value = lia_value_of(a->kind, a->cols, a->rows, parts, a->unit, span);
    value.spin = lia_rotation_transposed(work, a, span);
    return value;
}

// diag([a, b, c]) or diag(a, b, c): the matrix with these on its diagonal.
static LiaValue call_diag(LiaWork* work, const LiaValue* arguments, uint32_t count, LiaSpan span) {
    LiaValue vector =
        count == 1 ? arguments[0] : lia_components_vector(work, arguments, count, span);
    if (!need_number_vector(work, &vector, "diag")) {
        return wrong(span);
    }
    uint32_t n = vector.rows;
    if ((uint64_t)n * n > LIA_LIMIT_FAMILY) {
        lia_diag_error(work->context->diags, span, "E0142",
                       "a matrix of more than %d components, the limit", LIA_LIMIT_FAMILY);
        return wrong(span);
    }
    LiaExpr zero = lia_term_whole(&work->terms, 0, span);
    LiaExpr* parts = lia_value_components(work, n * n);
    for (uint32_t i = 0; i < n * n; i++) {
        parts[i] = i % (n + 1) == 0 ? lia_value_at(work, &vector, i / (n + 1)) : zero;
    }
    return lia_value_of(LIA_VALUE_NUMBER, n, n, parts, vector.unit, span);
}

// The turn by an angle about axis i: c on the two other diagonals, -s and s off them.
static LiaValue call_rotation(LiaWork* work, uint32_t i, const LiaValue* angle, const char* name,
                              LiaSpan span) {
    if (!lia_value_need_scalar(work, angle, "the angle of a rotation") ||
        !check_plain(work, angle, name)) {
        return wrong(span);
    }
    LiaExpr of = lia_value_at(work, angle, 0);
    LiaExpr c = call(work, LIA_OP_COS, of, span);
    LiaExpr s = call(work, LIA_OP_SIN, of, span);
    LiaExpr* parts = lia_value_components(work, 9);
    for (uint32_t k = 0; k < 9; k++) {
        parts[k] = lia_term_whole(&work->terms, 0, span);
    }
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    parts[4 * i] = lia_term_whole(&work->terms, 1, span);
    parts[4 * j] = parts[4 * k] = c;
    parts[3 * j + k] = lia_term_negate(&work->terms, s, span);
    parts[3 * k + j] = s;
    LiaValue value = lia_value_of(LIA_VALUE_NUMBER, 3, 3, parts, lia_unit_number(), span);
    value.spin = lia_rotation_about(work, i, of, span);
    return value;
}

// d(f), virtual(e): one-forms, component by component.
LiaValue lia_calls_form(LiaWork* work, const LiaValue* a, bool is_virtual, LiaSpan span) {
    LiaDiags* diags = work->context->diags;
    if (a->kind == LIA_VALUE_POISON) {
        return wrong(span);
    }
    if (a->kind != LIA_VALUE_NUMBER) {
        lia_diag_error(diags, a->span, "E0137", "%s of %s", is_virtual ? "virtual()" : "d()",
                       lia_value_words(work, a));
        return wrong(span);
    }
    uint16_t has = lia_value_has(work, a);
    if (has & (LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION))) {
        lia_diag_error(diags, a->span, "E0155", "accelerations and forces make no one-form");
        return wrong(span);
    }
    if (!is_virtual && (has & LIA_DEPENDS(VELOCITY))) {
        lia_diag_error(diags, a->span, "E0155",
                       "'%s' has velocities in it: d() takes a function of the configuration",
                       quoted(work, a));
        lia_diag_help(diags, "write virtual(%s) for its linear part in the velocities",
                      quoted(work, a));
        return wrong(span);
    }
    if (is_virtual && !(has & LIA_DEPENDS(VELOCITY))) {
        lia_diag_error(diags, a->span, "E0156",
                       "'%s' has no velocity in it: virtual() takes what is affine in the "
                       "velocities",
                       quoted(work, a));
        lia_diag_help(diags, "write d(%s) for its differential", quoted(work, a));
        return wrong(span);
    }
    uint32_t count = lia_value_count(a);
    LiaExpr* parts = lia_value_components(work, count);
    for (uint32_t i = 0; i < count; i++) {
        parts[i] =
            lia_forms_of(&work->forms, &work->terms, lia_value_at(work, a, i), is_virtual, span);
    }
    LiaUnit unit = a->unit;
    if (is_virtual) {  // a velocity read as a displacement
        LiaUnit second = lia_unit_per_second((LiaUnit){.state = a->unit.state});
        unit = lia_unit_product(unit, second, -1);
    }
    return lia_value_of(LIA_VALUE_FORM, a->rows, a->cols, parts, unit, span);
}

static LiaValue call_plain(LiaWork* work, const LiaBuiltin* builtin, const LiaValue* arguments,
                           uint32_t count, LiaSpan span) {
    switch ((LiaBuiltinId)builtin->id) {
    case LIA_CALL_DOT:
        return lia_calls_dot(work, &arguments[0], &arguments[1], span);
    case LIA_CALL_CROSS:
        return lia_calls_cross(work, &arguments[0], &arguments[1], span);
    case LIA_CALL_NORM:
        return call_norm(work, &arguments[0], span);
    case LIA_CALL_UNIT:
        return call_unit(work, &arguments[0], span);
    case LIA_CALL_TRANSPOSE:
        return call_transpose(work, &arguments[0], span);
    case LIA_CALL_DIAG:
        return call_diag(work, arguments, count, span);
    case LIA_CALL_ROTX:
        return call_rotation(work, 0, &arguments[0], "rotx", span);
    case LIA_CALL_ROTY:
        return call_rotation(work, 1, &arguments[0], "roty", span);
    case LIA_CALL_ROTZ:
        return call_rotation(work, 2, &arguments[0], "rotz", span);
    case LIA_CALL_QUATERNION:
        return lia_rotation_quaternion_value(work, arguments, span);
    case LIA_CALL_OMEGA:
    case LIA_CALL_BODY_OMEGA:
        return lia_rotation_omega(work, &arguments[0], builtin->id == LIA_CALL_BODY_OMEGA, span);
    case LIA_CALL_D:
        return lia_calls_form(work, &arguments[0], false, span);
    case LIA_CALL_VIRTUAL:
        return lia_calls_form(work, &arguments[0], true, span);
    default:
        return wrong(span);
    }
}

LiaValue lia_calls_apply(LiaWork* work, uint32_t row, const LiaValue* arguments, uint32_t count,
                         LiaSpan span) {
    const LiaBuiltin* builtin = lia_builtin_at((int)row);
    bool many =
        builtin->kind == LIA_BUILTIN_ELEMENTARY &&
        (builtin->id == LIA_OP_MIN || builtin->id == LIA_OP_MAX || builtin->id == LIA_OP_HYPOT);
    if (count < (uint32_t)builtin->fewest || (count > (uint32_t)builtin->most && !many)) {
        lia_diag_error(work->context->diags, span, "E0127", "%s() takes %d argument%s, found %u",
                       builtin->name, builtin->fewest, builtin->fewest == 1 ? "" : "s", count);
        if (count == 2 && strcmp(builtin->name, "atan") == 0) {
            lia_diag_help(work->context->diags, "the angle of a point is atan2(y, x)");
        } else if (count == 1 && strcmp(builtin->name, "dot") == 0) {
            lia_diag_help(work->context->diags,
                          "dot(a, b) is the product of two vectors; a velocity is written x'");
        } else if (count > 1 && strcmp(builtin->name, "norm") == 0) {
            lia_diag_help(work->context->diags, "write norm([x, y]), or hypot(x, y)");
        }
        return wrong(span);
    }
    if (builtin->kind == LIA_BUILTIN_ELEMENTARY) {
        return call_elementary(work, builtin, arguments, count, span);
    }
    return call_plain(work, builtin, arguments, count, span);
}
