// Joints of shapes: bodies that touch, slide, roll and pivot on each other (../surfaces/contact.h).
//
//   touching      gap = 0                                        smooth: its force is along the normal
//   rolling       gap = 0, slip = 0                              2 + 1 equations, the force has 3 components
//   pure_rolling  gap = 0, slip = 0, turn.N = 0                  no pivoting
//   pivoting      gap = 0, slip = 0, N x turn = 0                turns about the normal alone
// The rate of the gap is slip.N: with slip = 0 it follows, so that three equations stand in K0 whatever
// the normal is, and their multipliers are the force on the first body in space axes.
// SPDX-License-Identifier: MIT
#include "../surfaces/contact.h"
#include "joint.h"
#include <string.h>

static void add(LiaElaboration* e, LiaJoint* joint, LiaValue value) {
    LiaWork* work = &e->work;
    for (uint32_t i = 0; value.kind == LIA_VALUE_NUMBER && i < lia_value_count(&value); i++) {
        LiaTermId left = lia_value_at(work, &value, i);
        LiaTermId right = lia_terms_whole(&work->terms, 0, joint->span);
        *LIA_ADD(e->context, joint->equations) = (LiaEquation){left, right, joint->span};
    }
}

static void add_aligns(LiaElaboration* e, LiaJoint* joint) {
    for (uint32_t i = 0; i < joint->contact->align_count; i++) {
        add(e, joint, joint->contact->aligns[i]);
    }
}

static LiaValue pivot_of(LiaElaboration* e, const LiaContact* c) {
    return lia_dot(e, c->turn, c->normal);
}

void lia_joint_touching(LiaElaboration* e, LiaJoint* joint) {
    add(e, joint, joint->contact->gap);
    add_aligns(e, joint);
}

void lia_joint_rolling(LiaElaboration* e, LiaJoint* joint) {
    const LiaContact* c = joint->contact;
    add(e, joint, c->slip);
    if (c->bent) {
        add(e, joint, pivot_of(e, c));
    }
    add_aligns(e, joint);
    add(e, joint, c->gap);
}

void lia_joint_pure_rolling(LiaElaboration* e, LiaJoint* joint) {
    const LiaContact* c = joint->contact;
    add(e, joint, c->slip);
    if (c->bent || !c->line) {
        add(e, joint, pivot_of(e, c));
    }
    add_aligns(e, joint);
    add(e, joint, c->gap);
}

void lia_joint_pivoting(LiaElaboration* e, LiaJoint* joint) {
    const LiaContact* c = joint->contact;
    if (c->line) {
        lia_diag_error(e->context->diags, joint->span, "E0273",
                       "what touches along a line does not pivot");
        lia_diag_help(e->context->diags, "write 'rolling', or 'touching'");
        return;
    }
    add(e, joint, c->slip);
    add(e, joint, lia_cross(e, c->normal, c->turn));
    add(e, joint, c->gap);
}

static void* keep(LiaElaboration* e, const void* items, size_t size) {
    void* copy = lia_context_keep(e->context, size ? size : 1);
    if (size > 0) {
        memcpy(copy, items, size);
    }
    return copy;
}

void lia_joint_take_shapes(LiaElaboration* e, uint32_t id, LiaJoint* joint,
                           void (*equations)(LiaElaboration* e, LiaJoint* joint)) {
    const LiaDeclaration d = e->declarations.items[e->members.items[id].declaration];
    joint->contact = lia_contact_of(e, id, joint->span);
    if (!joint->contact) {
        return;
    }
    equations(e, joint);
    if (joint->equations.count == 0) {
        return;
    }
    bool touching = joint->syntax->kind == LIA_JOINT_TOUCHING;
    LiaTermId* positions =
        lia_context_keep(e->context, (joint->equations.count + 1) * sizeof *positions);
    for (uint32_t i = 0; i < 3 && !touching; i++) {  // slip.N is the rate of the gap
        LiaValue N = lia_value_part(&e->work, &joint->contact->normal, i);
        LiaValue share = lia_times(e, N, joint->contact->gap);
        positions[i] = lia_value_at(&e->work, &share, 0);
    }
    LiaConstraint* constraint = &e->constraints.items[e->members.items[id].slot];
    constraint->equations =
        keep(e, joint->equations.items, joint->equations.count * sizeof *joint->equations.items);
    constraint->equation_count = joint->equations.count;
    constraint->gap = touching ? 1 : joint->equations.count;
    constraint->gap_follows = !touching;
    constraint->positions = touching ? NULL : positions;
    constraint->span = d.statement->span;
    constraint->name_span = d.head->name_span;
}
