// Equations of joints: what the kinds are made of. See joint.h for the force and couple that a
// multiplier means.
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"

void lia_joint_add(LiaElaboration* e, LiaJoint* joint, const LiaValue* phi, const LiaValue* F,
                   const LiaValue* C) {
    LiaWork* work = &e->work;
    if (phi->kind != LIA_VALUE_NUMBER) {
        return;
    }
    LiaExpr left = lia_value_at(work, phi, 0);
    LiaExpr right = lia_term_whole(&work->terms, 0, joint->span);
    *LIA_ADD(e->context, joint->equations) = (LiaEquation){left, right, joint->span, {0}};
    LiaValue none = lia_value_literal(lia_number_whole(0), joint->span);
    *LIA_ADD(e->context, joint->forces) = F ? *F : lia_body_vector(e, &none);
    *LIA_ADD(e->context, joint->couples) = C ? *C : lia_body_vector(e, &none);
}

LiaValue lia_joint_basis(LiaElaboration* e, uint32_t i, LiaSpan span) {
    LiaExpr* parts = lia_value_components(&e->work, 3);
    for (uint32_t k = 0; k < 3; k++) {
        parts[k] = lia_term_whole(&e->work.terms, k == i, span);
    }
    return lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_number(), span);
}

void lia_joint_same_place(LiaElaboration* e, LiaJoint* joint) {
    for (uint32_t i = 0; i < 3 && joint->d.kind == LIA_VALUE_NUMBER; i++) {
        LiaValue F = lia_joint_basis(e, i, joint->span);
        LiaValue phi = lia_components_part(&e->work, &joint->d, i);
        lia_joint_add(e, joint, &phi, &F, NULL);
    }
}

void lia_joint_across(LiaElaboration* e, LiaJoint* joint, const LiaValue* a) {
    LiaValue phi = lia_calls_dot(&e->work, a, &joint->d, joint->span);
    lia_joint_add(e, joint, &phi, a, NULL);
}

// delta (a . b) = a . (delta theta x b) = (b x a) . delta theta
void lia_joint_perpendicular(LiaElaboration* e, LiaJoint* joint, const LiaValue* a,
                             const LiaValue* b) {
    LiaValue phi = lia_calls_dot(&e->work, a, b, joint->span);
    LiaValue C = lia_calls_cross(&e->work, b, a, joint->span);
    lia_joint_add(e, joint, &phi, NULL, &C);
}

// x > 0 on the branch of the equations that is meant: looked at when the motion starts.
static void positive(LiaElaboration* e, LiaJoint* joint, const LiaValue* x) {
    if (x->kind == LIA_VALUE_NUMBER) {
        LiaExpr term = lia_value_at(&e->work, x, 0);
        *LIA_ADD(e->context, joint->signs) = term;
    }
}

void lia_joint_same_axis(LiaElaboration* e, LiaJoint* joint) {
    LiaValue cosine = lia_calls_dot(&e->work, &joint->A.n, &joint->B.n, joint->span);
    lia_joint_perpendicular(e, joint, &joint->A.u, &joint->B.n);
    lia_joint_perpendicular(e, joint, &joint->A.w, &joint->B.n);
    positive(e, joint, &cosine);
}

void lia_joint_same_attitude(LiaElaboration* e, LiaJoint* joint) {
    LiaValue cosine = lia_calls_dot(&e->work, &joint->A.u, &joint->B.u, joint->span);
    lia_joint_same_axis(e, joint);
    lia_joint_perpendicular(e, joint, &joint->A.w, &joint->B.u);
    positive(e, joint, &cosine);
}
