// Bodies: what is known of them (position, velocity, attitude, omega, mass), and forces and moments
// that act on them.
//
//   velocity(B, P) = v + omega x (P - position)
//   e on B at P:    the one-form dot(e, virtual(velocity(B, P)))
//   moment e on B:  dot(e, virtual(omega))
// The parts of a body are names of their own (b.position), so that they may wait for each other
// like any definition; see declarations.c.
// SPDX-License-Identifier: MIT
#include "base/numeric/eigen3.h"
#include "base/numeric/thresholds.h"
#include "lang/bodies/rotation.h"
#include "lang/elaborate/builtin.h"
#include "lang/elaborate/machine.h"
#include <math.h>
#include <string.h>

static const char* const part_names[] = {"", "mass", "inertia", "position", "attitude"};

const LiaStatement* lia_body_declared_by(const LiaElaboration* e, uint32_t body) {
    return e->declarations.items[e->members.items[body].declaration].statement;
}

static const LiaPhrase* clause_of(const LiaElaboration* e, uint32_t body, LiaClause clause) {
    const LiaStatement* statement = lia_body_declared_by(e, body);
    for (uint32_t i = 0; i < statement->phrase_count; i++) {
        if (statement->phrases[i].clause == clause) {
            return &statement->phrases[i];
        }
    }
    return NULL;
}

bool lia_body_says(const LiaElaboration* e, uint32_t body, LiaClause clause) {
    return body != 0 && clause_of(e, body, clause) != NULL;
}

bool lia_body_has_mass(const LiaElaboration* e, uint32_t body) {
    return clause_of(e, body, LIA_CLAUSE_MASS) != NULL;
}

static LiaValue zero_vector(LiaElaboration* e, LiaSpan span) {
    LiaExpr* parts = lia_value_components(&e->work, 3);
    for (int i = 0; i < 3; i++) {
        parts[i] = lia_term_whole(&e->work.terms, 0, span);
    }
    return lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_unknown(), span);
}

static LiaValue identity(LiaElaboration* e, LiaSpan span) {
    LiaExpr* parts = lia_value_components(&e->work, 9);
    for (int i = 0; i < 9; i++) {
        parts[i] = lia_term_whole(&e->work.terms, i % 4 == 0, span);
    }
    return lia_value_of(LIA_VALUE_NUMBER, 3, 3, parts, lia_unit_number(), span);
}

// The member that a part of a body is; 0 where the body does not say it.
static uint32_t member_of(LiaElaboration* e, uint32_t body, LiaClause clause, LiaSpan span) {
    const LiaPhrase* phrase = body ? clause_of(e, body, clause) : NULL;
    if (!phrase) {
        return 0;
    }
    return lia_scope_member(e, phrase->head.symbol, e->members.items[body].at,
                            phrase->head.index_count, span);
}

bool lia_body_check_complete(LiaElaboration* e, uint32_t body) {
    const LiaStatement* statement = lia_body_declared_by(e, body);
    LiaDiags* diags = e->context->diags;
    const char* name = lia_context_name_text(e->context, statement->head.symbol);
    const char* missing = NULL;
    const char* help = NULL;
    bool mass = lia_body_has_mass(e, body),
         inertia = clause_of(e, body, LIA_CLAUSE_INERTIA) != NULL;
    bool position = clause_of(e, body, LIA_CLAUSE_POSITION) != NULL;
    bool attitude = clause_of(e, body, LIA_CLAUSE_ATTITUDE) != NULL;
    if (statement->is_free && !mass) {
        missing = "a free body needs a mass";
        help = "write 'mass e, inertia e, free'";
    } else if (statement->is_free && !inertia) {
        missing = "a free body needs an inertia";
        help = "write 'inertia e'; a point is 'coordinate r : space' and 'body ...: mass m, "
               "position r'";
    } else if (inertia && !mass) {
        missing = "it has an inertia but no mass";
        help = "write 'mass e' too; a body without mass is one whose motion is given";
    } else if (mass && !position) {
        missing = "it has a mass but no position";
        help = "write 'position e', or 'free'";
    } else if (inertia && !attitude) {
        missing = "it has an inertia but no attitude";
        help = "write 'attitude e', or 'free'; a point has mass and position only";
    }
    if (missing && !lia_context_said(e->context, statement->head.span, "E0181")) {
        lia_diag_error(diags, statement->head.span, "E0181", "'%s' is not complete: %s", name,
                       missing);
        lia_diag_help(diags, "%s", help);
    }
    return missing == NULL;
}

// What holds for a body that does not say it: outside bodies rest at the origin, unless they say
// more.
static LiaValue default_part(LiaElaboration* e, uint32_t body, LiaClause clause, LiaSpan span) {
    bool outside = body == 0 || !lia_body_has_mass(e, body);
    if (outside && clause == LIA_CLAUSE_POSITION) {
        return zero_vector(e, span);
    }
    if (outside && clause == LIA_CLAUSE_ATTITUDE) {
        return identity(e, span);
    }
    LiaDiags* diags = e->context->diags;
    const char* name = body ? lia_scope_name(e, body) : "ground";
    if (body && !lia_body_check_complete(e, body)) {  // said once, of the body
        return lia_value_poison(span);
    }
    if (clause == LIA_CLAUSE_ATTITUDE) {
        lia_diag_error(diags, span, "E0181", "'%s' is a point: it has no attitude", name);
        lia_diag_help(diags, "write 'body %s: mass ..., inertia ..., position ..., attitude ...'",
                      name);
    } else {
        lia_diag_error(diags, span, "E0181", "'%s' has no %s", name, part_names[clause]);
    }
    return lia_value_poison(span);
}

// A part of a body into *out. False: its definition was begun, run the node again.
bool lia_body_use(LiaElaboration* e, uint32_t body, LiaClause clause, LiaSpan span, LiaValue* out) {
    uint32_t id = member_of(e, body, clause, span);
    if (id == 0) {
        *out = default_part(e, body, clause, span);
        return true;
    }
    return lia_references_use(e, id, span, out);
}

// The same outside of the machine: the part is worked out first.
LiaValue lia_body_part(LiaElaboration* e, uint32_t body, LiaClause clause, LiaSpan span) {
    LiaValue value = lia_value_poison(span);
    uint32_t id = member_of(e, body, clause, span);
    if (id != 0) {
        lia_machine_define(e, id);
        value = e->members.items[id].value;
        value.span = span;
        return value;
    }
    return default_part(e, body, clause, span);
}

static LiaValue velocity_of(LiaElaboration* e, const LiaValue* position, LiaSpan span) {
    return lia_value_prime(&e->work, position, span);
}

bool lia_body_field(LiaElaboration* e, const LiaSyntaxNode* node) {
    const LiaValue body = e->machine.stack.items[e->machine.stack.count - 1];
    const char* field = lia_context_name_text(e->context, node->symbol);
    bool velocity = strcmp(field, "velocity") == 0, omega = strcmp(field, "omega") == 0;
    LiaClause clause = velocity ? LIA_CLAUSE_POSITION
                       : omega  ? LIA_CLAUSE_ATTITUDE
                                : LIA_CLAUSE_NONE;
    for (int i = LIA_CLAUSE_MASS; clause == LIA_CLAUSE_NONE && i <= LIA_CLAUSE_ATTITUDE; i++) {
        clause = strcmp(field, part_names[i]) == 0 ? (LiaClause)i : clause;
    }
    LiaValue value = lia_value_poison(node->span);
    if (clause == LIA_CLAUSE_NONE) {
        lia_diag_error(e->context->diags, node->span, "E0134", "a body has no '.%s'", field);
        lia_diag_help(e->context->diags,
                      "it has .position, .velocity, .attitude, .omega, .mass and .inertia");
    } else if (!lia_body_use(e, body.body, clause, node->span, &value)) {
        return false;
    }
    if (velocity && value.kind == LIA_VALUE_NUMBER) {
        value = velocity_of(e, &value, node->span);
    } else if (omega && value.kind == LIA_VALUE_NUMBER) {
        value = lia_rotation_omega(&e->work, &value, false, node->span);
    }
    lia_references_replace(e, 1, value, node->span);
    return true;
}

bool lia_body_need_vector(LiaElaboration* e, const LiaValue* value, const char* what) {
    if (value->kind == LIA_VALUE_POISON) {
        return false;
    }
    bool zero = lia_value_is_zero(value);
    if (zero || (value->kind == LIA_VALUE_NUMBER && value->rows == 3 && value->cols == 1)) {
        return true;
    }
    lia_diag_error(e->context->diags, value->span, "E0185",
                   "%s must be a vector of 3 numbers, '%s' is %s", what,
                   lia_context_quote(e->context, value->span), lia_value_words(&e->work, value));
    if (value->kind == LIA_VALUE_NUMBER && value->rows == 2 && value->cols == 1)
        lia_diag_help(e->context->diags, "bodies are in space: write [x, y, 0]");
    return false;
}

// A plain 0 as a vector.
LiaValue lia_body_vector(LiaElaboration* e, const LiaValue* value) {
    return lia_value_is_zero(value) ? zero_vector(e, value->span) : *value;
}

// v + omega x (P - position)
static LiaValue velocity_at(LiaElaboration* e, const LiaValue* position, const LiaValue* attitude,
                            const LiaValue* place, LiaSpan span) {
    LiaWork* work = &e->work;
    LiaValue velocity = velocity_of(e, position, span);
    LiaValue omega = lia_rotation_omega(work, attitude, false, span);
    LiaUnit unit;
    if (!lia_unit_sum(position->unit, place->unit, &unit)) {
        lia_value_say_units(work, position, place);
        return lia_value_poison(span);
    }
    LiaValue arm = lia_value_add(work, place, position, -1, span);
    LiaValue around = lia_calls_cross(work, &omega, &arm, span);
    return lia_value_add(work, &velocity, &around, 1, span);
}

bool lia_body_need(LiaElaboration* e, const LiaValue* value, const char* what) {
    if (value->kind != LIA_VALUE_BODY && value->kind != LIA_VALUE_POISON) {
        lia_diag_error(e->context->diags, value->span, "E0125", "%s a body, '%s' is %s", what,
                       lia_context_quote(e->context, value->span),
                       lia_value_words(&e->work, value));
        if (strcmp(what, "a force acts on") == 0)
            lia_diag_help(e->context->diags, "a force on the coordinate x is 'force NAME: F*d(x)'");
        if (strcmp(what, "a joint holds") == 0)
            lia_diag_help(e->context->diags,
                          "coordinates are held by equations: 'constraint NAME: x = y'");
    }
    return value->kind == LIA_VALUE_BODY;
}

// A constraint that speaks of the velocity at a place, or of a point of a body, acts there.
static void touch(LiaElaboration* e, const LiaValue* place, int how) {
    if (place->kind != LIA_VALUE_NUMBER || e->touching >= how) {
        return;
    }
    for (uint32_t i = 0; i < 3; i++) {
        e->touched[i] = lia_value_at(&e->work, place, i);
    }
    e->touching = how;
}

bool lia_body_call(LiaElaboration* e, const LiaSyntaxNode* node) {
    LiaWork* work = &e->work;
    const LiaBuiltin* builtin = lia_builtin_at((int)node->other - 1);
    LiaValue value = lia_value_poison(node->span);
    const LiaValue* arguments = e->machine.stack.items + e->machine.stack.count - node->count;
    if (node->count != 2) {
        lia_diag_error(e->context->diags, node->span, "E0127", "%s() takes 2 arguments, found %u",
                       builtin->name, node->count);
        lia_references_replace(e, node->count, value, node->span);
        return true;
    }
    LiaValue body = arguments[0], vector = arguments[1];
    const char* what = builtin->id == LIA_CALL_VELOCITY ? "velocity() takes"
                       : builtin->id == LIA_CALL_POINT  ? "point() takes"
                                                        : "axis() takes";
    bool good = lia_body_need(e, &body, what);
    good = lia_body_need_vector(e, &vector, "the second argument") && good;
    LiaValue position = value, attitude = value;
    if (good && (!lia_body_use(e, body.body, LIA_CLAUSE_ATTITUDE, node->span, &attitude) ||
                 (builtin->id != LIA_CALL_AXIS &&
                  !lia_body_use(e, body.body, LIA_CLAUSE_POSITION, node->span, &position)))) {
        return false;
    }
    vector = good ? lia_body_vector(e, &vector) : vector;
    if (good && builtin->id == LIA_CALL_VELOCITY) {
        value = velocity_at(e, &position, &attitude, &vector, node->span);
        touch(e, &vector, 2);
    } else if (good) {
        value = lia_value_multiply(work, &attitude, &vector, node->span);
        if (builtin->id == LIA_CALL_POINT) {
            value = lia_value_add(work, &position, &value, 1, node->span);
            touch(e, &value, 1);
        }
    }
    lia_references_replace(e, 2, value, node->span);
    return true;
}

// --- what a part can be

// Principal moments of a mass distribution are not negative, and none is larger than the two others
// together. The second holds not for the added mass of a fluid, so that it is a warning.
static bool check_inertia(LiaElaboration* e, const LiaValue* value) {
    double numbers[9], moments[3];
    LiaDiags* diags = e->context->diags;
    if (!lia_rotation_peek_numbers(&e->work, value, numbers)) {
        return true;
    }
    lia_value_decide(&e->work, value, LIA_DECISION_INERTIA);
    double A[3][3], size = 0.0, skew = 0.0;
    uint32_t count = lia_value_count(value);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A[i][j] = count == 9 ? numbers[3 * i + j] : i != j ? 0.0 : numbers[count == 3 ? i : 0];
            size = fmax(size, fabs(A[i][j]));
            skew = fmax(skew, count == 9 ? fabs(numbers[3 * i + j] - numbers[3 * j + i]) : 0.0);
        }
    }
    if (skew > LIA_INERTIA_SKEW * size) {
        lia_diag_error(diags, value->span, "E0184", "this inertia is not a symmetric matrix");
        return false;
    }
    lia_eigen3_axes(A, NULL);
    for (int i = 0; i < 3; i++) moments[i] = A[i][i];
    double most = fmax(moments[0], fmax(moments[1], moments[2]));
    double least = fmin(moments[0], fmin(moments[1], moments[2]));
    double sum = moments[0] + moments[1] + moments[2];
    if (!(least >= -LIA_INERTIA_NEGATIVE * size)) {
        lia_diag_error(diags, value->span, "E0184",
                       "an inertia with a negative principal moment, %.6g", least);
        return false;
    }
    if (!(most <= (sum - most) + LIA_INERTIA_TRIANGLE * size)) {
        lia_diag_warning(diags, value->span, "W0184",
                         "no rigid body has the principal moments %.6g, %.6g, %.6g: one is larger "
                         "than the two others together",
                         moments[0], moments[1], moments[2]);
        lia_diag_help(diags, "right where the added mass of a fluid is part of it; else look at "
                             "the numbers, and whether they are about the centre of mass");
    }
    return true;
}

static LiaValue wrong_shape(LiaElaboration* e, const LiaValue* value, const char* expected) {
    lia_diag_error(e->context->diags, value->span, "E0185", "%s, '%s' is %s", expected,
                   lia_context_quote(e->context, value->span), lia_value_words(&e->work, value));
    if (lia_value_is_scalar(value) && strstr(expected, "an attitude"))
        lia_diag_help(e->context->diags, "a turn about z by an angle is rotz(angle)");
    return lia_value_poison(value->span);
}

LiaValue lia_body_check(LiaElaboration* e, const LiaPhrase* phrase, LiaValue value) {
    double numbers[9];
    if (value.kind == LIA_VALUE_POISON) {
        return value;
    }
    if (value.unit.state != LIA_UNIT_KNOWN) {
        value.unit = lia_unit_unknown();  // a plain number is of the unit it should be
    }
    bool number = value.kind == LIA_VALUE_NUMBER, vector = value.rows == 3 && value.cols == 1;
    bool square = value.rows == 3 && value.cols == 3;
    value.span = phrase->right.span;
    switch (phrase->clause) {
    case LIA_CLAUSE_MASS:
        if (!number || !lia_value_is_scalar(&value)) {
            return wrong_shape(e, &value, "a mass is a number");
        }
        lia_value_decide(&e->work, &value, LIA_DECISION_SIGN);
        if (lia_value_peek(&e->work, &value, numbers) && !(numbers[0] >= 0.0)) {
            lia_diag_error(e->context->diags, value.span, "E0184", "a negative mass, %.6g",
                           numbers[0]);
            return lia_value_poison(value.span);
        }
        lia_dynamics_statements_expect(e, &value, 1, 0, 0, "this mass");
        return value;
    case LIA_CLAUSE_INERTIA:
        if (!number || (!lia_value_is_scalar(&value) && !vector && !square)) {
            return wrong_shape(e, &value,
                               "an inertia is a number, three principal moments or a 3 x 3 matrix");
        }
        lia_dynamics_statements_expect(e, &value, 1, 2, 0, "this inertia");
        if (value.unit.exponents[1] == 0) {  // m/6 of a cube: the number knows of its edge
            value.unit = lia_unit_unknown();
        }
        return check_inertia(e, &value) ? value : lia_value_poison(value.span);
    case LIA_CLAUSE_POSITION:
        if (!lia_body_need_vector(e, &value, "a position")) {
            return lia_value_poison(value.span);
        }
        lia_dynamics_statements_expect(e, &value, 0, 1, 0, "this position");
        return lia_body_vector(e, &value);
    case LIA_CLAUSE_ATTITUDE:
        if (!number || !square) {
            return wrong_shape(e, &value, "an attitude is a rotation, a 3 x 3 matrix");
        }
        if (lia_rotation_numbers(&e->work, &value, numbers) &&
            !(lia_rotation_defect(numbers) < LIA_ROTATION_DEFECT)) {
            lia_rotation_say_none(&e->work, &value, numbers);
            return lia_value_poison(value.span);
        }
        value.unit = lia_unit_number();
        return value;
    default:
        return value;
    }
}

LiaValue lia_body_position(LiaElaboration* e, const LiaValue* body) {
    return lia_body_part(e, body->body, LIA_CLAUSE_POSITION, body->span);
}

LiaValue lia_body_attitude(LiaElaboration* e, const LiaValue* body) {
    bool turns = body->body == 0 || !lia_body_has_mass(e, body->body) ||
                 clause_of(e, body->body, LIA_CLAUSE_ATTITUDE) != NULL;
    return turns ? lia_body_part(e, body->body, LIA_CLAUSE_ATTITUDE, body->span)
                 : lia_value_poison(body->span);
}

// --- forces

LiaValue lia_body_force(LiaElaboration* e, const LiaStatement* statement, const LiaValue* force,
                        const LiaSetting* setting, uint32_t bindings, LiaForce* out) {
    LiaWork* work = &e->work;
    LiaSpan span = statement->phrases[0].span;
    LiaValue wrong = lia_value_poison(span);
    LiaValue body = lia_machine_run(e, statement->on, setting, bindings);
    bool good = lia_body_need(e, &body, "a force acts on");
    good = lia_body_need_vector(e, force, statement->moment ? "a moment" : "a force on a body") &&
           good;
    if (!good) {
        return wrong;
    }
    if (force->unit.exponents[0] != 0) {  // -0.1*b.velocity: the number stands for kg/s
        lia_dynamics_statements_expect(e, force, 1, statement->moment ? 2 : 1, -2,
                                       statement->moment ? "this moment" : "this force");
    }
    LiaValue velocity, acts_at = lia_body_position(e, &body);
    if (statement->moment) {
        LiaValue attitude = lia_body_part(e, body.body, LIA_CLAUSE_ATTITUDE, body.span);
        velocity = lia_rotation_omega(work, &attitude, false, span);
    } else {
        LiaValue position = lia_body_part(e, body.body, LIA_CLAUSE_POSITION, body.span);
        velocity = velocity_of(e, &position, span);
        if (statement->at.begin != statement->at.end) {
            LiaValue place = lia_machine_run(e, statement->at, setting, bindings);
            if (!lia_body_need_vector(e, &place, "the place of a force")) {
                return wrong;
            }
            place = lia_body_vector(e, &place);
            LiaValue attitude = lia_body_part(e, body.body, LIA_CLAUSE_ATTITUDE, body.span);
            if (attitude.kind == LIA_VALUE_POISON) {
                return wrong;
            }
            velocity = velocity_at(e, &position, &attitude, &place, span);
            acts_at = place;
        }
    }
    if (velocity.kind == LIA_VALUE_POISON) {
        return wrong;
    }
    if (!(lia_value_has(work, &velocity) & LIA_DEPENDS(VELOCITY))) {
        lia_diag_error(e->context->diags, body.span, "E0187",
                       "'%s' moves as it is prescribed: a %s on it does nothing",
                       lia_context_quote(e->context, body.span),
                       statement->moment ? "moment" : "force");
        return wrong;
    }
    LiaValue form = lia_calls_form(work, &velocity, true, span);
    LiaValue vector = lia_body_vector(e, force);
    lia_body_list_terms(e, &vector, out->vector, 3);
    lia_body_list_terms(e, &acts_at, out->at, 3);
    out->moment = statement->moment;
    return lia_calls_dot(work, &vector, &form, span);
}
