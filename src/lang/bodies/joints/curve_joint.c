// A point of A on a curve of B that is given by a function of a parameter s: places in body axes of
// B, from its point.
//   P_B + R_B f(s) - P_A = 0           3 equations, and s: 1 parameter of a point, 4 of a body
// s has no mass; its equation of motion says that the force has no part along f'(s). Written 'curve
// f(s)', s is a coordinate of the model; written 'curve f', it is one of the joint's own, which
// starts where the curve is nearest. The multipliers are the force on B in space axes, at P_A.
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"
#include <stdio.h>
#include <string.h>

static const LiaSetting parameter_setting = {
    LIA_DEPENDS(VELOCITY) | LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION) |
        LIA_DEPENDS(QUANTITY),
    "the parameter of a curve", "E0263",
    "where the point is on the curve is said by a coordinate, without velocities and forces"};

// A coordinate of the joint's own.
static LiaValue own_parameter(LiaElaboration* e, LiaJoint* joint) {
    size_t size = strlen(joint->name) + 3;
    char* name = lia_context_keep(e->context, size);
    snprintf(name, size, "%s.s", joint->name);
    uint32_t index = e->draft.coordinates.count;
    LiaCoordinate* s = LIA_ADD(e->context, e->draft.coordinates);
    s->name = name;
    s->inner = true;
    s->span = joint->syntax->sides[1].function_span;
    joint->own = 1;
    LiaExpr term = lia_term_symbol(&e->work.terms, LIA_SYMBOL_POSITION, index, s->span);
    return lia_value_scalar(term, lia_unit_unknown(), s->span);
}

// Where it starts: the nearest place of the curve.
static void add_foot(LiaElaboration* e, const LiaJoint* joint, const LiaValue* phi) {
    LiaValue square = lia_calls_dot(&e->work, phi, phi, joint->span);
    LiaExpr* guess = lia_context_keep(e->context, sizeof *guess);
    *guess = lia_term_whole(&e->work.terms, 0, joint->span);
    *LIA_ADD(e->context, e->draft.contact_points) =
        (LiaContactPoint){.constraint = joint->slot,
                          .first = e->draft.coordinates.count - 1,
                          .count = 1,
                          .guesses = guess,
                          .gap = lia_value_at(&e->work, &square, 0),
                          .least = true,
                          .nearest = true};
}

static LiaValue parameter_of(LiaElaboration* e, LiaJoint* joint) {
    LiaCode code = joint->syntax->sides[1].parameter;
    if (code.begin == code.end) {
        return own_parameter(e, joint);
    }
    LiaValue s = lia_machine_run(e, code, &parameter_setting, joint->bindings);
    if (!lia_value_need_scalar(&e->work, &s, "the parameter of a curve")) {
        return lia_value_poison(code.span);
    }
    joint->parameters = (lia_value_has(&e->work, &s) & LIA_DEPENDS(POSITION)) ? 1 : 0;
    return s;
}

static LiaValue place_at(LiaElaboration* e, const LiaJoint* joint, const LiaStatement* function,
                         LiaValue s) {
    uint32_t bindings = e->machine.bindings.count;
    lia_machine_bind(e, function->arguments[0], s);
    LiaValue f =
        lia_machine_run(e, function->phrases[0].right, &lia_machine_free_setting, bindings);
    e->machine.bindings.count = bindings;
    if (f.kind == LIA_VALUE_POISON) {
        return f;
    }
    LiaSpan span = joint->syntax->sides[1].function_span;
    const char* wrong = NULL;
    if (f.kind != LIA_VALUE_NUMBER || lia_value_count(&f) != 3) {
        wrong = lia_value_words(&e->work, &f);
    } else if (lia_value_has(&e->work, &f) & (LIA_DEPENDS(VELOCITY) | LIA_DEPENDS(ACCELERATION) |
                                              LIA_DEPENDS(QUANTITY) | LIA_DEPENDS(REACTION))) {
        wrong = "one with a velocity or a force in it";
    }
    if (wrong) {
        lia_diag_error(
            e->context->diags, span, "E0263",
            "the function of a curve with a parameter gives a place, [x, y, z], this one %s",
            wrong);
        return lia_value_poison(span);
    }
    return f;
}

void lia_joint_along_curve(LiaElaboration* e, LiaJoint* joint, const LiaStatement* function) {
    LiaWork* work = &e->work;
    LiaValue s = parameter_of(e, joint);
    if (s.kind == LIA_VALUE_POISON) {
        return;
    }
    LiaValue f = place_at(e, joint, function, s);
    if (f.kind == LIA_VALUE_POISON) {
        return;
    }
    LiaValue arm = lia_value_multiply(work, &joint->B.attitude, &f, joint->span);
    joint->d = lia_value_add(work, &joint->d, &arm, 1, joint->span);
    lia_joint_same_place(e, joint);
    if (joint->own && joint->d.kind == LIA_VALUE_NUMBER) {
        add_foot(e, joint, &joint->d);
    }
}
