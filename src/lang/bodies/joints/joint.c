// Joints become constraints: the sides are read, the kind adds its equations.
//
// The directions u, w across an axis are chosen once, in body axes, so that no attitude is special.
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"
#include "base/numeric/thresholds.h"
#include "lang/bodies/contact/contact.h"
#include <math.h>
#include <string.h>

enum Use { NO, MAY, MUST };

typedef void (*Equations)(LiaElaboration* e, LiaJoint* joint);

static const struct {
    Equations equations;
    enum Use axis, direction, pitch;
} kinds[] = {
#define LIA_JOINT(id, word, sides, axis, direction, pitch)                                         \
    {lia_joint_##word, axis, direction, pitch},
#include "lang/bodies/joints/joints.def"
#undef LIA_JOINT
};

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
    LiaNumber exact;
    bool plain = lia_rotation_peek_numbers(work, v, numbers);
    for (uint32_t i = 0; plain && i < 3; i++) {
        plain = lia_term_exact(&work->terms, lia_value_at(work, v, i), &exact);
        length = hypot(length, numbers[i]);
    }
    if (!plain) {
        LiaValue square = lia_calls_dot(work, v, v, span);
        LiaExpr root =
            lia_term_call(&work->terms, LIA_OP_SQRT, lia_value_at(work, &square, 0), span);
        LiaValue norm = lia_value_scalar(root, v->unit, span);
        return lia_value_divide(work, v, &norm, span);
    }
    LiaExpr* parts = lia_value_components(work, 3);
    for (uint32_t i = 0; i < 3; i++) {
        parts[i] = lia_term_number(&work->terms, lia_number_double(numbers[i] / length), span);
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
    bool known = lia_rotation_numbers(&e->work, &value, numbers);
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
    lia_rotation_numbers(&e->work, n, numbers);
    for (uint32_t i = 1; i < 3; i++) {
        far = fabs(numbers[i]) < fabs(numbers[far]) ? i : far;
    }
    LiaValue other = lia_joint_basis(e, far, span);
    LiaValue v = lia_calls_cross(&e->work, n, &other, span);
    return unit_vector(e, &v, span);
}

// The part of `direction` across n.
static LiaValue made_perpendicular(LiaElaboration* e, const LiaValue* n, const LiaValue* direction,
                                   LiaSpan span) {
    LiaWork* work = &e->work;
    double numbers[3] = {0};
    LiaValue along = lia_calls_dot(work, n, direction, span);
    LiaValue part = lia_value_multiply(work, &along, n, span);
    LiaValue v = lia_value_add(work, direction, &part, -1, span);
    if (lia_rotation_numbers(work, &v, numbers) &&
        !(hypot(hypot(numbers[0], numbers[1]), numbers[2]) > LIA_DIRECTION_ALONG)) {
        lia_diag_error(e->context->diags, span, "E0256",
                       "the direction of this side is along its axis");
        lia_diag_help(e->context->diags, "write one across the axis");
        return lia_value_poison(span);
    }
    return unit_vector(e, &v, span);
}

// The axis and direction of a side in body axes.
static bool read_axes(LiaElaboration* e, const LiaSide* syntax, uint32_t bindings,
                      LiaJointSide* side) {
    LiaCode axis = syntax->clauses[LIA_SIDE_AXIS];
    LiaCode direction = syntax->clauses[LIA_SIDE_DIRECTION];
    side->has_axis = is_said(axis);
    side->has_direction = is_said(direction);
    side->body_n = side->has_axis ? read_direction(e, axis, bindings, "the axis of a joint")
                                  : lia_joint_basis(e, 2, side->span);
    if (side->body_n.kind == LIA_VALUE_POISON) {
        return false;
    }
    if (!side->has_direction) {
        side->body_u = across(e, &side->body_n, side->span);
        return true;
    }
    side->body_u = read_direction(e, direction, bindings, "the direction of a joint");
    if (side->body_u.kind == LIA_VALUE_NUMBER) {
        side->body_u = made_perpendicular(e, &side->body_n, &side->body_u, direction.span);
    }
    return side->body_u.kind == LIA_VALUE_NUMBER;
}

static LiaValue turned(LiaElaboration* e, const LiaJointSide* side, const LiaValue* v) {
    return lia_value_multiply(&e->work, &side->attitude, v, side->span);
}

static void turn_axes(LiaElaboration* e, LiaJointSide* side) {
    LiaValue body_w = lia_calls_cross(&e->work, &side->body_n, &side->body_u, side->span);
    side->n = turned(e, side, &side->body_n);
    side->u = turned(e, side, &side->body_u);
    side->w = turned(e, side, &body_w);
}

// Where no directions are said, the smallest turn that brings n_A to n_B, both in body axes, brings
// u_A to u_B:
//   u_B = u_A + k x u_A + k x (k x u_A)/(1 + c),   k = n_A x n_B, c = n_A . n_B
// So with equal axes the bodies have the same attitude.
static bool align(LiaElaboration* e, LiaJoint* joint) {
    LiaWork* work = &e->work;
    LiaDiags* diags = e->context->diags;
    LiaJointSide *A = &joint->A, *B = &joint->B;
    LiaSpan both = lia_context_join_spans(A->span, B->span);
    const char* wrong = NULL;
    double a[3] = {0}, b[3] = {0};
    lia_rotation_numbers(work, &A->body_n, a);
    lia_rotation_numbers(work, &B->body_n, b);
    double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    if (A->has_axis != B->has_axis) {
        wrong = "only one side says its axis";
    } else if (A->has_direction != B->has_direction) {
        wrong = "only one side says its direction";
    } else if (!A->has_direction && cosine < -0.999999) {
        wrong = "the axes are opposite in body axes, and no directions are said";
    }
    if (wrong) {
        lia_diag_error(diags, both, "E0259", "how the bodies of '%s' are turned is not decided: %s",
                       joint->name, wrong);
        lia_diag_help(diags, "write 'axis e direction e' on both sides");
        return false;
    }
    if (!A->has_direction && cosine < 1.0) {
        LiaValue k = lia_calls_cross(work, &A->body_n, &B->body_n, both);
        LiaValue c = lia_calls_dot(work, &A->body_n, &B->body_n, both);
        LiaValue one = lia_value_literal(lia_number_whole(1), both);
        LiaValue once = lia_calls_cross(work, &k, &A->body_u, both);
        LiaValue twice = lia_calls_cross(work, &k, &once, both);
        c = lia_value_add(work, &one, &c, 1, both);
        twice = lia_value_divide(work, &twice, &c, both);
        once = lia_value_add(work, &once, &twice, 1, both);
        B->body_u = lia_value_add(work, &A->body_u, &once, 1, both);
    }
    return true;
}

static bool check_words(LiaElaboration* e, const LiaJoint* joint, const LiaSide* syntax) {
    LiaDiags* diags = e->context->diags;
    const char* word = lia_joint_read_word(joint->syntax->kind);
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
    LiaJointKind kind = joint->syntax->kind;
    if (syntax->function && kind != LIA_JOINT_ON_SURFACE && kind != LIA_JOINT_ON_CURVE &&
        kind != LIA_JOINT_TIP) {
        lia_diag_error(diags, syntax->function_span, "E0258", "a %s joint has no %s", word,
                       lia_context_name_text(e->context, syntax->function_word));
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
    LiaValue body = lia_machine_run(e, syntax->body, &lia_machine_free_setting, bindings);
    if (!lia_body_need(e, &body, "a joint holds") || !check_words(e, joint, syntax)) {
        return false;
    }
    side->body = body.body;
    bool turns = has_attitude(e, body.body);
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
    side->position = lia_body_part(e, body.body, LIA_CLAUSE_POSITION, side->span);
    side->place = side->position;
    if (!turns) {
        side->attitude = lia_value_poison(side->span);
        return side->place.kind != LIA_VALUE_POISON;
    }
    side->attitude = lia_body_part(e, body.body, LIA_CLAUSE_ATTITUDE, side->span);
    LiaCode at = syntax->clauses[LIA_SIDE_AT];
    if (is_said(at)) {
        side->at = lia_machine_run(e, at, &point_setting, bindings);
        if (!lia_body_need_vector(e, &side->at, "the point of a joint")) {
            return false;
        }
        lia_dynamics_statements_expect(e, &side->at, 0, 1, 0, "this point of a joint");
        side->at = lia_body_vector(e, &side->at);
        LiaValue arm = lia_value_multiply(work, &side->attitude, &side->at, at.span);
        side->place = lia_value_add(work, &side->position, &arm, 1, at.span);
    }
    return read_axes(e, syntax, bindings, side) && side->place.kind != LIA_VALUE_POISON &&
           side->attitude.kind != LIA_VALUE_POISON;
}

static const LiaSetting pitch_setting = {UINT16_MAX, "the pitch of a screw", "E0257",
                                         "the pitch of a screw is constant"};

static bool read_pitch(LiaElaboration* e, LiaJoint* joint, uint32_t bindings) {
    LiaDiags* diags = e->context->diags;
    LiaCode code = joint->syntax->pitch;
    enum Use use = kinds[joint->syntax->kind].pitch;
    const char* word = lia_joint_read_word(joint->syntax->kind);
    double pitch = 0.0;
    if (use == NO || !is_said(code)) {
        if (use == NO && is_said(code)) {
            lia_diag_error(diags, code.span, "E0258", "a %s joint has no pitch", word);
        } else if (use == MUST) {
            lia_diag_error(diags, joint->span, "E0260",
                           "a screw has a pitch: how far it goes on "
                           "with every turn");
            lia_diag_help(diags, "write 'screw(BODY at e axis e, BODY at e axis e, pitch e)'");
        }
        return (use == NO) == !is_said(code);
    }
    joint->pitch = lia_machine_run(e, code, &pitch_setting, bindings);
    if (!lia_value_need_scalar(&e->work, &joint->pitch, "the pitch of a screw")) {
        return false;
    }
    lia_value_decide(&e->work, &joint->pitch, LIA_DECISION_SIGN);
    if (lia_value_peek(&e->work, &joint->pitch, &pitch) &&
        !(fabs(pitch) > 0.0 && isfinite(pitch))) {
        lia_diag_error(diags, code.span, "E0260", "a pitch of %g", pitch);
        lia_diag_help(diags, "a screw that does not go on is a 'revolute' joint");
        return false;
    }
    lia_dynamics_statements_expect(e, &joint->pitch, 0, 1, 0, "this pitch");
    return true;
}

static uint16_t side_has(LiaElaboration* e, const LiaJointSide* side) {
    uint16_t has = lia_value_has(&e->work, &side->position);
    return side->attitude.kind == LIA_VALUE_NUMBER ? has | lia_value_has(&e->work, &side->attitude)
                                                   : has;
}

static bool check_pair(LiaElaboration* e, const LiaJoint* joint) {
    LiaDiags* diags = e->context->diags;
    LiaSpan both = lia_context_join_spans(joint->A.span, joint->B.span);
    if (joint->A.body == joint->B.body) {
        lia_diag_error(diags, both, "E0253", "both sides of '%s' are on one body", joint->name);
        lia_diag_help(diags, "a joint holds two bodies together; 'ground' is a body");
        return false;
    }
    if (!((side_has(e, &joint->A) | side_has(e, &joint->B)) & LIA_DEPENDS(POSITION))) {
        lia_diag_error(diags, both, "E0254",
                       "both bodies of '%s' move as it is prescribed: a joint holds nothing there",
                       joint->name);
        lia_diag_help(diags, "make one of them 'free', or give it a position with coordinates");
        return false;
    }
    return true;
}

// --- the constraint

static const LiaJointFacts* facts_of(LiaElaboration* e, const LiaJoint* joint) {
    LiaJointFacts* facts = lia_context_keep(e->context, sizeof *facts);
    facts->kind = lia_joint_read_word(joint->syntax->kind);
    const LiaJointSide* sides[] = {&joint->A, &joint->B};
    bool turn =
        joint->A.attitude.kind == LIA_VALUE_NUMBER && joint->B.attitude.kind == LIA_VALUE_NUMBER;
    facts->freedom = (turn || joint->contact ? 6 : 3) + joint->parameters;
    facts->own = joint->own;
    facts->taken = joint->equations.count;
    if (joint->contact) {
        facts->taken = joint->gap_count == 3 ? 4 : 1 + joint->contact->align_count;
    }
    facts->taken -= joint->own;
    facts->velocities = facts->freedom - facts->taken;
    if (joint->contact && joint->syntax->kind != LIA_JOINT_TOUCHING) {
        bool one = joint->contact->line || joint->syntax->kind == LIA_JOINT_PIVOTING;
        facts->velocities = one ? 1 : joint->syntax->kind == LIA_JOINT_PURE_ROLLING ? 2 : 3;
    }
    for (int i = 0; i < 2; i++) {
        facts->bodies[i] = sides[i]->body ? lia_scope_name(e, sides[i]->body) : "ground";
    }
    facts->signs = lia_context_keep_list(e->context, joint->signs.items, joint->signs.count,
                                         sizeof *joint->signs.items);
    facts->sign_count = joint->signs.count;
    return facts;
}

// The two sides are read, and the kind adds its equations. False with an error said.
static bool take_bodies(LiaElaboration* e, LiaJoint* joint, uint32_t bindings) {
    const LiaJointSyntax* syntax = joint->syntax;
    bool good = read_side(e, joint, &syntax->sides[0], bindings, &joint->A);
    good = read_side(e, joint, &syntax->sides[1], bindings, &joint->B) && good;
    good = read_pitch(e, joint, bindings) && good;
    if (!good || !check_pair(e, joint)) {
        return false;
    }
    if (kinds[syntax->kind].axis != NO) {
        if (kinds[syntax->kind].direction != NO && !align(e, joint)) {
            return false;
        }
        turn_axes(e, &joint->A);
        turn_axes(e, &joint->B);
    }
    joint->d = lia_value_add(&e->work, &joint->B.place, &joint->A.place, -1, joint->span);
    joint->bindings = bindings;
    kinds[syntax->kind].equations(e, joint);
    return true;
}

// The same with two shapes.
static bool take_shapes(LiaElaboration* e, LiaJoint* joint, uint32_t id) {
    joint->contact = lia_contact_of(e, id, joint->span);
    if (!joint->contact) {
        return false;
    }
    lia_surface_list(e, &joint->contact->A);
    lia_surface_list(e, &joint->contact->B);
    joint->A.body = joint->contact->A.body;
    joint->B.body = joint->contact->B.body;
    kinds[joint->syntax->kind].equations(e, joint);
    for (uint32_t i = 0; i < joint->contact->end_count; i++) {
        const LiaContactEnd* end = &joint->contact->ends[i];
        *LIA_ADD(e->context, e->draft.events) =
            (LiaEvent){.name = joint->name,
                       .term = lia_value_at(&e->work, &end->inside, 0),
                       .stop = true,
                       .joint = 1 + joint->slot,
                       .leaves = end->words,
                       .flat = end->flat,
                       .span = joint->span};
    }
    return joint->equations.count > 0;
}

void lia_joint_elaborate(LiaElaboration* e, uint32_t id, uint32_t bindings) {
    const LiaDeclaration d = e->declarations.items[e->members.items[id].declaration];
    const LiaJointSyntax* syntax = d.statement->joint;
    LiaJoint joint = {.syntax = syntax,
                      .name = lia_scope_name(e, id),
                      .slot = e->members.items[id].slot,
                      .span = {syntax->kind_span.begin, d.statement->span.end}};
    if (syntax->shapes ? !take_shapes(e, &joint, id) : !take_bodies(e, &joint, bindings)) {
        return;
    }
    const LiaRoughLaw* rough;
    const LiaJointFacts* facts = facts_of(e, &joint);
    if (!lia_friction_clauses_joint(e, d.statement, &joint, bindings, &rough)) {
        return;
    }
    bool on_implicit =
        syntax->sides && syntax->sides[1].function;  // the force is where the point of A is
    const LiaValue* place = syntax->shapes ? &joint.contact->place
                            : on_implicit  ? &joint.A.place
                                           : &joint.B.place;
    LiaReaction* reaction = LIA_ADD(e->context, e->draft.reactions);
    *reaction = (LiaReaction){joint.forces.items,
                              joint.couples.items,
                              joint.equations.count,
                              *place,
                              syntax->shapes ? joint.contact->A.body : joint.A.body,
                              syntax->shapes ? joint.contact->B.body : joint.B.body};
    e->members.items[id].reaction = e->draft.reactions.count;
    lia_body_list_place(e, e->members.items[id].slot, 0, place, reaction,
                        !lia_body_says(e, joint.B.body, LIA_CLAUSE_MASS));
    LiaConstraint* constraint = &e->draft.constraints.items[e->members.items[id].slot];
    constraint->equations = lia_context_keep_list(
        e->context, joint.equations.items, joint.equations.count, sizeof *joint.equations.items);
    constraint->equation_count = joint.equations.count;
    constraint->joint = facts;
    constraint->rough = rough;
    constraint->positions = joint.positions;
    constraint->gap = joint.gap;
    constraint->gap_count = joint.gap_count;
    constraint->gap_rough = joint.contact && joint.contact->rough;
    constraint->gap_follows = joint.positions != NULL;
    constraint->span = d.statement->span;
    constraint->name_span = d.head->name_span;
}

// sum of mu_i F_i, or mu_i C_i
LiaValue lia_joint_reaction(LiaElaboration* e, uint32_t id, bool moment, LiaSpan span) {
    LiaWork* work = &e->work;
    const LiaMember member = e->members.items[id];
    if (member.reaction == 0) {
        return lia_value_poison(span);
    }
    const LiaReaction reaction = e->draft.reactions.items[member.reaction - 1];
    LiaValue zero = lia_value_literal(lia_number_whole(0), span);
    LiaValue sum = lia_body_vector(e, &zero);
    for (uint32_t i = 0; i < reaction.count; i++) {
        LiaQuantityNamed force = {LIA_QUANTITY_FORCE, member.slot, i};
        LiaExpr term = lia_term_quantity(&work->terms, force, span);
        LiaValue mu = lia_value_scalar(term, lia_unit_unknown(), span);
        LiaValue part = moment ? reaction.couples[i] : reaction.forces[i];
        part.unit = lia_unit_unknown();
        part = lia_value_multiply(work, &mu, &part, span);
        sum = lia_value_add(work, &sum, &part, 1, span);
    }
    return sum;
}
