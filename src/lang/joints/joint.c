// Joints become constraints: the sides are read, the kind adds its equations.
//
// The directions u, w across an axis are chosen once, in body axes, so that no attitude is special.
// SPDX-License-Identifier: MIT
#include "joint.h"
#include <math.h>
#include <string.h>

enum Use { NO, MAY, MUST };

typedef void (*Equations)(LiaElaboration* e, LiaJoint* joint);
static const struct {
    Equations equations;
    enum Use axis, direction;
} kinds[] = {
#define LIA_JOINT(id, word, sides, axis, direction) {lia_joint_##word, axis, direction},
#include "joints.def"
#undef LIA_JOINT
};

// --- equations

void lia_joint_add(LiaElaboration* e, LiaJoint* joint, const LiaValue* phi, const LiaValue* F,
                   const LiaValue* C) {
    LiaWork* work = &e->work;
    if (phi->kind != LIA_VALUE_NUMBER) {
        return;
    }
    LiaTermId left = lia_value_at(work, phi, 0);
    LiaTermId right = lia_terms_whole(&work->terms, 0, joint->span);
    *LIA_ADD(e->context, joint->equations) = (LiaEquation){left, right, joint->span};
    LiaValue none = lia_value_literal(lia_exact_whole(0), joint->span);
    *LIA_ADD(e->context, joint->forces) = F ? *F : lia_body_vector(e, &none);
    *LIA_ADD(e->context, joint->couples) = C ? *C : lia_body_vector(e, &none);
}

// The unit vector number i.
static LiaValue basis(LiaElaboration* e, uint32_t i, LiaSpan span) {
    LiaTermId* parts = lia_value_components(&e->work, 3);
    for (uint32_t k = 0; k < 3; k++) {
        parts[k] = lia_terms_whole(&e->work.terms, k == i, span);
    }
    return lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_number(), span);
}

void lia_joint_same_place(LiaElaboration* e, LiaJoint* joint) {
    for (uint32_t i = 0; i < 3 && joint->d.kind == LIA_VALUE_NUMBER; i++) {
        LiaValue F = basis(e, i, joint->span);
        LiaValue phi = lia_value_part(&e->work, &joint->d, i);
        lia_joint_add(e, joint, &phi, &F, NULL);
    }
}

void lia_joint_across(LiaElaboration* e, LiaJoint* joint, const LiaValue* a) {
    LiaValue phi = lia_value_dot(&e->work, a, &joint->d, joint->span);
    lia_joint_add(e, joint, &phi, a, NULL);
}

// delta (a . b) = a . (delta theta x b) = (b x a) . delta theta
void lia_joint_perpendicular(LiaElaboration* e, LiaJoint* joint, const LiaValue* a,
                             const LiaValue* b) {
    LiaValue phi = lia_value_dot(&e->work, a, b, joint->span);
    LiaValue C = lia_value_cross(&e->work, b, a, joint->span);
    lia_joint_add(e, joint, &phi, NULL, &C);
}

void lia_joint_same_axis(LiaElaboration* e, LiaJoint* joint) {
    lia_joint_perpendicular(e, joint, &joint->A.u, &joint->B.n);
    lia_joint_perpendicular(e, joint, &joint->A.w, &joint->B.n);
    lia_joint_along(e, joint, &joint->A.n, &joint->B.n);
}

void lia_joint_along(LiaElaboration* e, LiaJoint* joint, const LiaValue* a, const LiaValue* b) {
    LiaValue cosine = lia_value_dot(&e->work, a, b, joint->span);
    if (cosine.kind == LIA_VALUE_NUMBER) {
        *LIA_ADD(e->context, joint->signs) = lia_value_at(&e->work, &cosine, 0);
    }
}

// --- sides

static const LiaSetting point_setting = {UINT16_MAX, "the point of a joint", "E0257",
                                         "points of a joint are constant in body axes"};
static const LiaSetting axis_setting = {UINT16_MAX, "the axis of a joint", "E0257",
                                        "axes of a joint are constant in body axes"};

static bool is_said(LiaCode code) { return code.begin != code.end; }

// v/|v|; plain numbers stay plain numbers, what is made of parameters stays a formula.
static LiaValue unit_vector(LiaElaboration* e, const LiaValue* v, LiaSpan span) {
    LiaWork* work = &e->work;
    double numbers[3], length = 0.0;
    LiaExact exact;
    bool plain = lia_value_numbers(work, v, numbers);
    for (uint32_t i = 0; plain && i < 3; i++) {
        plain = lia_terms_exact(&work->terms, lia_value_at(work, v, i), &exact);
        length = hypot(length, numbers[i]);
    }
    if (!plain) {
        LiaValue square = lia_value_dot(work, v, v, span);
        LiaTermId root = lia_terms_call(&work->terms, LIA_FUNCTION_SQRT,
                                        lia_value_at(work, &square, 0), 0, span);
        LiaValue norm = lia_value_scalar(root, v->unit, span);
        return lia_value_divide(work, v, &norm, span);
    }
    LiaTermId* parts = lia_value_components(work, 3);
    for (uint32_t i = 0; i < 3; i++) {
        parts[i] = lia_terms_number(&work->terms, lia_exact_double(numbers[i] / length), span);
    }
    return lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_number(), span);
}

// A constant vector that is not zero; POISON with an error said.
static LiaValue read_direction(LiaElaboration* e, LiaCode code, uint32_t bindings,
                               const char* what) {
    double numbers[3];
    LiaValue value = lia_machine_run(e, code, &axis_setting, bindings);
    if (!lia_body_need_vector(e, &value, what)) {
        return lia_value_poison(code.span);
    }
    value = lia_body_vector(e, &value);
    value.unit = lia_unit_number();  // what counts is where it points to
    bool known = lia_value_numbers(&e->work, &value, numbers);
    double length = known ? hypot(hypot(numbers[0], numbers[1]), numbers[2]) : NAN;
    if (!(length > 0.0) || !isfinite(length)) {
        if (!lia_context_said(e->context, code.span, "E0256")) {
            lia_diag_error(e->context->diags, code.span, "E0256", "%s points nowhere: it is %s",
                           what, length == 0.0 ? "zero" : "not finite");
        }
        return lia_value_poison(code.span);
    }
    return unit_vector(e, &value, code.span);
}

// A unit vector across n: the cross product with the axis of the body that is farthest from n.
static LiaValue across(LiaElaboration* e, const LiaValue* n, LiaSpan span) {
    double numbers[3] = {0};
    uint32_t far = 0;
    lia_value_numbers(&e->work, n, numbers);
    for (uint32_t i = 1; i < 3; i++) {
        far = fabs(numbers[i]) < fabs(numbers[far]) ? i : far;
    }
    LiaValue other = basis(e, far, span);
    LiaValue v = lia_value_cross(&e->work, n, &other, span);
    return unit_vector(e, &v, span);
}

// The part of `direction` across n.
static LiaValue made_perpendicular(LiaElaboration* e, const LiaValue* n, const LiaValue* direction,
                                   LiaSpan span) {
    LiaWork* work = &e->work;
    double numbers[3] = {0};
    LiaValue along = lia_value_dot(work, n, direction, span);
    LiaValue part = lia_value_multiply(work, &along, n, span);
    LiaValue v = lia_value_add(work, direction, &part, -1, span);
    if (lia_value_numbers(work, &v, numbers) &&
        !(hypot(hypot(numbers[0], numbers[1]), numbers[2]) > 1e-9)) {
        lia_diag_error(e->context->diags, span, "E0256",
                       "the direction of this side is along its axis");
        lia_diag_help(e->context->diags, "write one across the axis");
        return lia_value_poison(span);
    }
    return unit_vector(e, &v, span);
}

// n, u, w of a side in space axes.
static bool read_axes(LiaElaboration* e, const LiaSide* syntax, uint32_t bindings,
                      LiaJointSide* side) {
    LiaWork* work = &e->work;
    LiaCode axis = syntax->clauses[LIA_SIDE_AXIS];
    LiaCode direction = syntax->clauses[LIA_SIDE_DIRECTION];
    side->has_axis = is_said(axis);
    side->has_direction = is_said(direction);
    if (!side->has_axis) {
        return true;
    }
    side->n = read_direction(e, axis, bindings, "the axis of a joint");
    if (side->n.kind == LIA_VALUE_POISON) {
        return false;
    }
    if (side->has_direction) {
        side->u = read_direction(e, direction, bindings, "the direction of a joint");
        if (side->u.kind == LIA_VALUE_POISON) {
            return false;
        }
        side->u = made_perpendicular(e, &side->n, &side->u, direction.span);
    } else {
        side->u = across(e, &side->n, axis.span);
    }
    if (side->u.kind == LIA_VALUE_POISON) {
        return false;
    }
    side->w = lia_value_cross(work, &side->n, &side->u, axis.span);
    side->n = lia_value_multiply(work, &side->attitude, &side->n, axis.span);
    side->u = lia_value_multiply(work, &side->attitude, &side->u, axis.span);
    side->w = lia_value_multiply(work, &side->attitude, &side->w, axis.span);
    return true;
}

static bool check_words(LiaElaboration* e, const LiaJoint* joint, const LiaSide* syntax) {
    LiaDiags* diags = e->context->diags;
    const char* word = lia_joint_word(joint->syntax->kind);
    enum Use axis = kinds[joint->syntax->kind].axis;
    enum Use direction = kinds[joint->syntax->kind].direction;
    LiaCode said = syntax->clauses[LIA_SIDE_AXIS];
    if (axis == MUST && !is_said(said)) {
        lia_diag_error(diags, syntax->span, "E0252", "this side of a %s joint has no axis", word);
        lia_diag_help(diags, "write 'axis e', a vector in body axes");
        return false;
    }
    if (direction == NO && is_said(syntax->clauses[LIA_SIDE_DIRECTION])) {
        said = syntax->clauses[LIA_SIDE_DIRECTION];
        lia_diag_error(diags, said.span, "E0258", "a %s joint turns freely: it has no 'direction'",
                       word);
        return false;
    }
    if (axis == NO && is_said(said)) {
        lia_diag_error(diags, said.span, "E0258", "a %s joint has no axis", word);
        return false;
    }
    return true;
}

static bool has_attitude(const LiaElaboration* e, uint32_t body) {
    return !lia_body_says(e, body, LIA_CLAUSE_MASS) || lia_body_says(e, body, LIA_CLAUSE_ATTITUDE);
}

static bool read_side(LiaElaboration* e, const LiaJoint* joint, const LiaSide* syntax,
                      uint32_t bindings, LiaJointSide* side) {
    LiaWork* work = &e->work;
    LiaDiags* diags = e->context->diags;
    side->span = syntax->body.span;
    LiaValue body = lia_machine_run(e, syntax->body, &lia_setting_free, bindings);
    if (!lia_body_need(e, &body, "a joint holds") || !check_words(e, joint, syntax)) {
        return false;
    }
    side->body = body.one;
    bool turns = has_attitude(e, body.one);
    bool needs = is_said(syntax->clauses[LIA_SIDE_AXIS]) || kinds[joint->syntax->kind].axis != NO ||
                 is_said(syntax->clauses[LIA_SIDE_AT]);
    if (!turns && needs) {
        lia_diag_error(diags, side->span, "E0255", "'%s' is a point: it has no attitude for %s",
                       lia_context_quote(e->context, side->span),
                       is_said(syntax->clauses[LIA_SIDE_AT]) ? "a point away from it"
                                                             : "the axes of a joint");
        lia_diag_help(diags, "write 'body ...: mass ..., inertia ..., free', or a joint of points");
        return false;
    }
    side->position = lia_body_part(e, body.one, LIA_CLAUSE_POSITION, side->span);
    side->place = side->position;
    if (!turns) {
        return side->place.kind != LIA_VALUE_POISON;
    }
    side->attitude = lia_body_part(e, body.one, LIA_CLAUSE_ATTITUDE, side->span);
    LiaCode at = syntax->clauses[LIA_SIDE_AT];
    if (is_said(at)) {
        side->at = lia_machine_run(e, at, &point_setting, bindings);
        if (!lia_body_need_vector(e, &side->at, "the point of a joint")) {
            return false;
        }
        side->at = lia_body_vector(e, &side->at);
        LiaValue arm = lia_value_multiply(work, &side->attitude, &side->at, at.span);
        side->place = lia_value_add(work, &side->position, &arm, 1, at.span);
    }
    return read_axes(e, syntax, bindings, side) && side->place.kind != LIA_VALUE_POISON &&
           side->attitude.kind != LIA_VALUE_POISON;
}

static uint16_t side_has(LiaElaboration* e, const LiaJointSide* side) {
    uint16_t has = lia_value_has(&e->work, &side->position);
    return side->attitude.kind == LIA_VALUE_NUMBER ? has | lia_value_has(&e->work, &side->attitude)
                                                   : has;
}

static bool check_pair(LiaElaboration* e, const LiaJoint* joint) {
    LiaDiags* diags = e->context->diags;
    LiaSpan both = lia_span_join(joint->A.span, joint->B.span);
    if (joint->A.body == joint->B.body) {
        lia_diag_error(diags, both, "E0253", "both sides of '%s' are on one body", joint->name);
        lia_diag_help(diags, "a joint holds two bodies together; 'ground' is a body");
        return false;
    }
    if (!((side_has(e, &joint->A) | side_has(e, &joint->B)) & LIA_HAS_Q)) {
        lia_diag_error(diags, both, "E0254",
                       "both bodies of '%s' move as it is prescribed: a joint holds nothing there",
                       joint->name);
        lia_diag_help(diags, "make one of them 'free', or give it a position with coordinates");
        return false;
    }
    return true;
}

// --- the constraint

static void* keep(LiaElaboration* e, const void* items, size_t size) {
    void* copy = lia_context_keep(e->context, size ? size : 1);
    if (size > 0) {
        memcpy(copy, items, size);
    }
    return copy;
}

void lia_joint_elaborate(LiaElaboration* e, uint32_t id, uint32_t bindings) {
    const LiaDeclaration d = e->declarations.items[e->members.items[id].declaration];
    const LiaJointSyntax* syntax = d.statement->joint;
    LiaJoint joint = {.syntax = syntax,
                      .name = lia_scope_name(e, id),
                      .span = {syntax->kind_span.begin, d.statement->span.end}};
    if (syntax->shapes) {
        lia_joint_take_shapes(e, id, &joint, kinds[syntax->kind].equations);
        return;
    }
    bool good = read_side(e, &joint, &syntax->sides[0], bindings, &joint.A);
    good = read_side(e, &joint, &syntax->sides[1], bindings, &joint.B) && good;
    if (!good || !check_pair(e, &joint)) {
        return;
    }
    joint.d = lia_value_add(&e->work, &joint.B.place, &joint.A.place, -1, joint.span);
    kinds[syntax->kind].equations(e, &joint);
    LiaConstraint* constraint = &e->constraints.items[e->members.items[id].slot];
    constraint->equations =
        keep(e, joint.equations.items, joint.equations.count * sizeof *joint.equations.items);
    constraint->equation_count = joint.equations.count;
    constraint->span = d.statement->span;
    constraint->name_span = d.head->name_span;
}
