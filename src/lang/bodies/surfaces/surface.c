// Surfaces: what a shape of the text is, and the algebra their formulas are written in.
// SPDX-License-Identifier: MIT
#include "lang/bodies/surfaces/surface.h"
#include "lang/bodies/rotation.h"
#include <math.h>
#include <string.h>

static const LiaSurfaceWays* const ways[] = {
#define LIA_SURFACE(id, word, clauses, argument, use) &lia_surface_##word,
#include "lang/bodies/surfaces/surfaces.def"
#undef LIA_SURFACE
};

const LiaSurfaceWays* lia_surface_ways(const LiaSurface* s) { return ways[s->kind]; }

// --- algebra

LiaValue lia_surface_whole(int64_t n, LiaSpan span) {
    return lia_value_literal(lia_number_whole(n), span);
}

LiaValue lia_surface_call(LiaElaboration* e, LiaOp function, LiaValue a) {
    if (a.kind != LIA_VALUE_NUMBER) {
        return lia_value_poison(a.span);
    }
    LiaExpr term = lia_term_call(&e->work.terms, function, lia_value_at(&e->work, &a, 0), a.span);
    LiaUnit unit = function == LIA_OP_SQRT ? lia_unit_unknown() : lia_unit_number();
    return lia_value_scalar(term, unit, a.span);
}

LiaValue lia_surface_length(LiaElaboration* e, LiaValue v) {
    LiaValue length = lia_surface_call(e, LIA_OP_SQRT, lia_dot(e, v, v));
    length.unit = v.unit;
    return length;
}

LiaValue lia_surface_across(LiaElaboration* e, LiaValue v, LiaValue n) {
    return lia_minus(e, v, lia_times(e, lia_dot(e, n, v), n));
}

LiaValue lia_surface_turned_back(LiaElaboration* e, LiaValue A, LiaValue v) {
    if (A.kind != LIA_VALUE_NUMBER || v.kind != LIA_VALUE_NUMBER) {
        return lia_value_poison(v.span);
    }
    LiaExpr* parts = lia_value_components(&e->work, 9);
    for (uint32_t i = 0; i < 9; i++) {
        parts[i] = lia_value_at(&e->work, &A, i % 3 * 3 + i / 3);
    }
    LiaValue back = lia_value_of(LIA_VALUE_NUMBER, 3, 3, parts, A.unit, v.span);
    return lia_times(e, back, v);
}

LiaValue lia_surface_inward(LiaElaboration* e, const LiaSurface* s, LiaValue v) {
    return s->attitude.kind == LIA_VALUE_NUMBER ? lia_surface_turned_back(e, s->attitude, v) : v;
}

LiaValue lia_surface_outward(LiaElaboration* e, const LiaSurface* s, LiaValue v) {
    return s->attitude.kind == LIA_VALUE_NUMBER ? lia_times(e, s->attitude, v) : v;
}

// --- the function of surface() and support()

static const char rigid[] =
    "a shape is rigid: its function is one of x, y, z in body axes and of parameters";

LiaValue lia_surface_function(LiaElaboration* e, const LiaSurface* s, LiaValue u,
                              LiaValue* gradient) {
    LiaWork* work = &e->work;
    *gradient = lia_value_poison(s->span);
    if (u.kind != LIA_VALUE_NUMBER) {
        return lia_value_poison(s->span);
    }
    uint32_t bindings = e->machine.bindings.count;
    for (uint32_t i = 0; i < 3; i++) {
        LiaExpr x = lia_term_symbol(&work->terms, LIA_SYMBOL_DISPLACEMENT, i, s->span);
        lia_machine_bind(e, s->function->arguments[i], lia_value_scalar(x, u.unit, s->span));
    }
    LiaValue value =
        lia_machine_run(e, s->function->phrases[0].right, &lia_machine_free_setting, bindings);
    e->machine.bindings.count = bindings;
    value.span = s->span;
    if (!lia_value_need_scalar(work, &value, "the function of a shape")) {
        return lia_value_poison(s->span);
    }
    if (lia_value_has(work, &value) & LIA_DEPENDS(RATE)) {
        lia_diag_error(e->context->diags, s->span, "E0275",
                       "the function of a shape has a time derivative in it");
        lia_diag_help(e->context->diags, "%s", rigid);
        return lia_value_poison(s->span);
    }
    LiaExpr f = lia_value_at(work, &value, 0);
    LiaExpr* parts = lia_value_components(work, 3);
    lia_term_gradient(&work->terms, f, parts, s->span);
    for (uint32_t i = 0; i < 3; i++) {
        parts[i] = lia_term_replace(&work->terms, parts[i], u.many, s->span);
    }
    *gradient = lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_unknown(), s->span);
    return lia_value_scalar(lia_term_replace(&work->terms, f, u.many, s->span), value.unit,
                            s->span);
}

// The function of a shape where numbers stand for x, y, z.
static LiaValue function_at(LiaElaboration* e, const LiaSurface* s, const double* x,
                            LiaValue* gradient) {
    LiaExpr* parts = lia_value_components(&e->work, 3);
    for (uint32_t i = 0; i < 3; i++) {
        parts[i] = lia_term_number(&e->work.terms, lia_number_double(x[i]), s->span);
    }
    LiaValue u = lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_unknown(), s->span);
    return lia_surface_function(e, s, u, gradient);
}

// NAN where it is none, or no constant.
static double number_at(LiaElaboration* e, const LiaSurface* s, double size, const int* n) {
    double length = sqrt((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])), f = NAN;
    double x[3] = {0.0, 0.0, 0.0};
    for (int i = 0; length > 0.0 && i < 3; i++) {
        x[i] = size * n[i] / length;
    }
    LiaValue gradient, value = function_at(e, s, x, &gradient);
    bool width = s->kind == LIA_SURFACE_SUPPORT;  // a sum of two of them counts
    lia_value_decide(&e->work, &value, width ? LIA_DECISION_VALUE : LIA_DECISION_SIGN);
    lia_value_peek(&e->work, &value, &f);
    return f;
}

// Edges and diagonals of a cube: those at 13 + k and 13 - k are opposite.
static void direction_at(int at, int* n) {
    n[0] = at / 9 - 1, n[1] = at / 3 % 3 - 1, n[2] = at % 3 - 1;
}

// A function that is negative far away, whichever way one goes, and not in the middle, has its
// signs the other way round.
static bool check_signs(LiaElaboration* e, const LiaSurfaceSyntax* syntax, const LiaSurface* s) {
    for (int at = 0; at < 27; at++) {
        int n[3];
        direction_at(at, n);
        bool middle = at == 13;
        double f = number_at(e, s, 1e4, n);
        if (middle ? !(f > 0.0) : !(f < 0.0)) {
            return true;
        }
    }
    lia_diag_error(e->context->diags, syntax->function_span, "E0275",
                   "'%s' is negative outside of the shape and positive inside",
                   lia_context_name_text(e->context, syntax->function));
    lia_diag_help(e->context->diags, "a function of a shape is negative inside: change its sign");
    return false;
}

// A body has a width h(n) + h(-n) in every direction; looked at along edges, diagonals and what
// lies between.
static bool check_width(LiaElaboration* e, const LiaSurfaceSyntax* syntax, const LiaSurface* s) {
    for (int k = 1; k < 14; k++) {
        int n[3], opposite[3];
        direction_at(13 + k, n);
        direction_at(13 - k, opposite);
        double width = number_at(e, s, 1.0, n) + number_at(e, s, 1.0, opposite);
        if (isnan(width) || width > 0.0) {
            continue;
        }
        LiaDiags* diags = e->context->diags;
        lia_diag_error(diags, syntax->function_span, "E0275",
                       "no body has the support function '%s': along [%d, %d, %d] its width is "
                       "%.6g",
                       lia_context_name_text(e->context, syntax->function), n[0], n[1], n[2],
                       width);
        lia_diag_help(diags, "it is the distance of the tangent plane with that outward normal: "
                             "h(n) + h(-n) is a width, and positive");
        return false;
    }
    return true;
}

// Tried with numbers first: of x, y, z and parameters alone, nothing may be left that changes.
static bool read_function(LiaElaboration* e, const LiaSurfaceSyntax* syntax, LiaSurface* out) {
    LiaDiags* diags = e->context->diags;
    const char* name = lia_context_name_text(e->context, syntax->function);
    uint32_t id = e->context->names.items[syntax->function].declaration;
    if (id == 0) {
        lia_unknown_name_say(e, syntax->function, syntax->function_span, true);
        return false;
    }
    const LiaDeclaration* d = &e->declarations.items[id];
    if (d->poisoned) {
        return false;
    }
    if (d->keyword != LIA_KEYWORD_FUNCTION || d->statement->argument_count != 3) {
        lia_diag_error(diags, syntax->function_span, "E0275",
                       "a shape needs a function of x, y, z; '%s' is %s", name,
                       d->keyword == LIA_KEYWORD_FUNCTION ? "one of other arguments"
                                                          : lia_declarations_words(d->keyword));
        lia_diag_help(diags, "write 'function %s(x, y, z) = ...'", name);
        return false;
    }
    out->function = d->statement;
    static const double somewhere[3] = {0.5, 0.75, 1.0};
    LiaValue gradient, value = function_at(e, out, somewhere, &gradient);
    if (value.kind == LIA_VALUE_POISON || gradient.kind == LIA_VALUE_POISON) {
        return false;
    }
    if (lia_value_has(&e->work, &value)) {
        lia_diag_error(diags, syntax->function_span, "E0275", "'%s' changes with the motion", name);
        lia_diag_help(diags, "%s", rigid);
        return false;
    }
    return syntax->kind == LIA_SURFACE_SUPPORT ? check_width(e, syntax, out)
                                               : check_signs(e, syntax, out);
}

// --- sizes, centres, axes

static const LiaSetting size_setting = {UINT16_MAX, "the size of a shape", "E0272",
                                        "shapes are rigid: their sizes are constant"};
static const LiaSetting place_setting = {UINT16_MAX, "the place of a shape", "E0272",
                                         "a shape is fixed to its body, in body axes"};

static bool is_said(LiaCode code) { return code.begin != code.end; }

static bool check_size(LiaElaboration* e, const LiaValue* value, uint32_t count, const char* what) {
    double numbers[3];
    LiaDiags* diags = e->context->diags;
    if (value->kind == LIA_VALUE_POISON) {
        return false;
    }
    if (value->kind != LIA_VALUE_NUMBER || lia_value_count(value) != count) {
        lia_diag_error(diags, value->span, "E0272", "%s, '%s' is %s", what,
                       lia_context_quote(e->context, value->span),
                       lia_value_words(&e->work, value));
        return false;
    }
    lia_value_decide(&e->work, value, LIA_DECISION_SIGN);
    for (uint32_t i = 0; lia_rotation_peek_numbers(&e->work, value, numbers) && i < count; i++) {
        if (!(numbers[i] > 0.0) || !isfinite(numbers[i])) {
            lia_diag_error(diags, value->span, "E0272", "%s: %.6g is not positive", what,
                           numbers[i]);
            return false;
        }
    }
    return true;
}

static bool read_sizes(LiaElaboration* e, const LiaSurfaceSyntax* syntax, uint32_t bindings,
                       LiaSurface* out) {
    bool vector = syntax->kind == LIA_SURFACE_ELLIPSOID || syntax->kind == LIA_SURFACE_BOX;
    bool good = true;
    for (uint32_t i = 0; i < 2 && is_said(syntax->arguments[i]); i++) {
        out->size[i] = lia_machine_run(e, syntax->arguments[i], &size_setting, bindings);
        const char* what = vector   ? "the sizes of a shape are three lengths"
                           : i == 1 ? "a height is a positive length"
                           : syntax->kind == LIA_SURFACE_CONE ? "the half angle of a cone"
                                                              : "a radius is a positive length";
        good = check_size(e, &out->size[i], vector ? 3 : 1, what) && good;
        bool angle = syntax->kind == LIA_SURFACE_CONE && i == 0;
        lia_dynamics_statements_expect(e, &out->size[i], 0, angle ? 0 : 1, 0,
                                       angle ? "this half angle" : "this size of a shape");
    }
    double angle;
    if (good && syntax->kind == LIA_SURFACE_CONE &&
        lia_value_constant(&e->work, &out->size[0], &angle) && !(angle < 1.57079632679489)) {
        lia_diag_error(e->context->diags, out->size[0].span, "E0272",
                       "the half angle of a cone is below a right angle, not %.6g", angle);
        good = false;
    }
    return good;
}

// 0 0 1, or what is said, of length 1.
static bool read_axis(LiaElaboration* e, LiaCode code, uint32_t bindings, LiaSurface* out) {
    double numbers[3];
    if (!is_said(code)) {
        LiaExpr* parts = lia_value_components(&e->work, 3);
        for (int i = 0; i < 3; i++) {
            parts[i] = lia_term_whole(&e->work.terms, i == 2, out->span);
        }
        out->axis = lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_number(), out->span);
        return true;
    }
    out->axis = lia_machine_run(e, code, &place_setting, bindings);
    const char* what = out->kind == LIA_SURFACE_PLANE ? "the normal of a plane" : "an axis";
    if (!lia_body_need_vector(e, &out->axis, what)) {
        return false;
    }
    out->axis = lia_body_vector(e, &out->axis);
    if (lia_rotation_numbers(&e->work, &out->axis, numbers)) {
        double length =
            sqrt(numbers[0] * numbers[0] + numbers[1] * numbers[1] + numbers[2] * numbers[2]);
        if (!(length > 0.0) || !isfinite(length)) {
            lia_diag_error(e->context->diags, code.span, "E0272", "%s of length %g points nowhere",
                           what, length);
            return false;
        }
        if (length == 1.0) {
            return true;
        }
    }
    out->axis = lia_over(e, out->axis, lia_surface_length(e, out->axis));
    out->axis.unit = lia_unit_number();
    return true;
}

static bool read_turn(LiaElaboration* e, LiaCode code, uint32_t bindings, LiaSurface* out) {
    if (!is_said(code)) {
        return true;
    }
    out->turn = lia_machine_run(e, code, &place_setting, bindings);
    if (out->turn.kind == LIA_VALUE_POISON) {
        return false;
    }
    if (!lia_rotation_is(&e->work, &out->turn)) {
        lia_diag_error(e->context->diags, code.span, "E0272",
                       "the attitude of a shape is a rotation, in body axes");
        return false;
    }
    return true;
}

// Where the shape is on its body: 'at e', or the second argument of a point.
static bool read_place(LiaElaboration* e, const LiaSurfaceSyntax* syntax, uint32_t bindings,
                       LiaSurface* out) {
    LiaCode at = syntax->kind == LIA_SURFACE_POINT ? syntax->arguments[0] : syntax->at;
    if (!is_said(at)) {
        out->at = lia_surface_whole(0, out->span);
        return true;
    }
    out->at = lia_machine_run(e, at, &place_setting, bindings);
    return lia_body_need_vector(e, &out->at, "the place of a shape");
}

static bool has_attitude(const LiaElaboration* e, uint32_t body) {
    return !lia_body_says(e, body, LIA_CLAUSE_MASS) || lia_body_says(e, body, LIA_CLAUSE_ATTITUDE);
}

// A ball about the centre of a point needs no attitude while it only touches; all else does.
static bool read_body(LiaElaboration* e, const LiaSurfaceSyntax* syntax, uint32_t bindings,
                      bool turning, LiaSurface* out) {
    LiaDiags* diags = e->context->diags;
    LiaValue body = lia_machine_run(e, syntax->body, &lia_machine_free_setting, bindings);
    if (!lia_body_need(e, &body, "a shape belongs to")) {
        return false;
    }
    out->body = body.body;
    out->position = lia_body_part(e, body.body, LIA_CLAUSE_POSITION, syntax->body.span);
    bool round = out->kind == LIA_SURFACE_SPHERE || out->kind == LIA_SURFACE_POINT;
    if (has_attitude(e, body.body)) {
        out->attitude = lia_body_part(e, body.body, LIA_CLAUSE_ATTITUDE, syntax->body.span);
        return out->attitude.kind == LIA_VALUE_NUMBER && out->position.kind == LIA_VALUE_NUMBER;
    }
    if (turning || !round || !lia_value_is_zero(&out->at)) {
        lia_diag_error(diags, syntax->body.span, "E0276", "'%s' is a point: it has no attitude%s",
                       lia_context_quote(e->context, syntax->body.span),
                       round && turning ? " and cannot roll" : " for this shape");
        lia_diag_help(diags, "write 'body ...: mass ..., inertia ..., free'%s",
                      round && turning ? ", or 'touching' for one that slides" : "");
        return false;
    }
    return out->position.kind == LIA_VALUE_NUMBER;
}

bool lia_surface_elaborate(LiaElaboration* e, const LiaSurfaceSyntax* syntax, uint32_t bindings,
                           bool turning, LiaSurface* out) {
    *out = (LiaSurface){.kind = syntax->kind, .hollow = syntax->hollow, .span = syntax->span};
    out->attitude = out->turn = lia_value_poison(syntax->span);
    out->size[0] = out->size[1] = lia_value_poison(syntax->span);
    bool good = read_place(e, syntax, bindings, out);
    good = read_axis(e, syntax->axis, bindings, out) && good;
    good = read_turn(e, syntax->attitude, bindings, out) && good;
    if (syntax->kind != LIA_SURFACE_POINT) {
        good = read_sizes(e, syntax, bindings, out) && good;
    }
    good = read_body(e, syntax, bindings, turning, out) && good;
    if (good && syntax->function) {
        good = read_function(e, syntax, out);
    }
    if (!good) {
        return false;
    }
    out->centre = out->position;
    if (!lia_value_is_zero(&out->at)) {
        LiaValue arm = lia_surface_outward(e, out, lia_body_vector(e, &out->at));
        out->centre = lia_plus(e, out->position, arm);
    }
    out->position.span = out->attitude.span = out->centre.span = out->span;
    return out->centre.kind == LIA_VALUE_NUMBER;
}

// --- for pictures

static void put_terms(LiaElaboration* e, const LiaValue* value, LiaExpr* out, uint32_t most) {
    for (uint32_t i = 0; value->kind == LIA_VALUE_NUMBER && i < most && i < lia_value_count(value);
         i++) {
        out[i] = lia_value_at(&e->work, value, i);
    }
}

// The function of a shape in its own axes, whatever place stands for x, y, z.
static void put_function(LiaElaboration* e, const LiaSurface* s, LiaExpr* out) {
    LiaExpr* parts = lia_value_components(&e->work, 3);
    for (uint32_t i = 0; i < 3; i++) {
        parts[i] = lia_term_symbol(&e->work.terms, LIA_SYMBOL_DISPLACEMENT, i, s->span);
    }
    LiaValue u = lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_unknown(), s->span);
    LiaSurface own = *s;
    LiaValue gradient;
    own.turn = lia_value_poison(s->span);
    if (s->kind == LIA_SURFACE_LEVEL) {
        LiaValue f = lia_surface_function(e, &own, u, &gradient);
        put_terms(e, &f, out, 1);
    } else if (s->kind == LIA_SURFACE_SUPPORT) {
        LiaValue point = lia_surface_support.support(e, &own, u);
        put_terms(e, &point, out, 3);
    }
}

void lia_surface_list(LiaElaboration* e, const LiaSurface* s) {
    if (s->kind == LIA_SURFACE_POINT) {
        return;
    }
    LiaShape shape = {.word = lia_surface_read_word(s->kind),
                      .body = s->body ? lia_scope_name(e, s->body) : NULL,
                      .hollow = s->hollow};
    LiaValue attitude = s->attitude;
    if (attitude.kind == LIA_VALUE_NUMBER && s->turn.kind == LIA_VALUE_NUMBER) {
        attitude = lia_times(e, attitude, s->turn);
    } else if (s->turn.kind == LIA_VALUE_NUMBER) {
        attitude = s->turn;
    }
    put_terms(e, &s->centre, shape.centre, 3);
    put_terms(e, &attitude, shape.attitude, 9);
    if (s->kind == LIA_SURFACE_DISK || s->kind == LIA_SURFACE_CYLINDER ||
        s->kind == LIA_SURFACE_CONE || s->kind == LIA_SURFACE_PLANE) {
        put_terms(e, &s->axis, shape.axis, 3);
    }
    put_terms(e, &s->size[0], shape.size, 3);
    if (s->kind == LIA_SURFACE_CYLINDER) {
        put_terms(e, &s->size[1], shape.size + 1, 1);
    }
    for (uint32_t i = 0; i < e->draft.shapes.count; i++) {
        const LiaShape* other = &e->draft.shapes.items[i];
        bool same = other->word == shape.word && other->body == shape.body;
        same = same && memcmp(other->size, shape.size, sizeof shape.size) == 0;
        if (same && memcmp(other->centre, shape.centre, sizeof shape.centre) == 0) {
            return;
        }
    }
    put_function(e, s, shape.function);
    *LIA_ADD(e->context, e->draft.shapes) = shape;
}
