// Joints of shapes: bodies that touch, slide, roll and pivot on each other (../surfaces/contact.h).
//
//   touching      gap = 0                                        smooth: its force is along the
//                                                                normal
//   rolling       gap = 0, slip = 0                              2 + 1 equations, the force has 3
//                                                                components
//   pure_rolling  gap = 0, slip = 0, turn.N = 0                  no pivoting
//   pivoting      gap = 0, slip = 0, N x turn = 0                turns about the normal alone
// The rate of the gap is slip.N: with slip = 0 it follows, so that three equations stand in K0
// whatever the normal is, and their multipliers are the force on the first body in space axes.
// SPDX-License-Identifier: MIT
#include "lang/bodies/contact/contact.h"
#include "lang/bodies/joints/joint.h"

static LiaValue basis(LiaElaboration* e, uint32_t i, int sign, LiaSpan span) {
    LiaExpr* parts = lia_value_components(&e->work, 3);
    for (uint32_t k = 0; k < 3; k++) {
        parts[k] = lia_term_whole(&e->work.terms, k == i ? sign : 0, span);
    }
    return lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_number(), span);
}

static const LiaValue* number_or_null(const LiaValue* v) {
    return v->kind == LIA_VALUE_NUMBER ? v : NULL;
}

// gap = 0: its force presses along the normal.
static void add_gap(LiaElaboration* e, LiaJoint* joint) {
    const LiaContact* c = joint->contact;
    LiaValue F = lia_negative(e, c->normal);
    lia_joint_add(e, joint, &c->gap, &F, number_or_null(&c->gap_couple));
    joint->gap = joint->equations.count;
    joint->gap_count = 1;
}

// Of a contact along a line: what else holds of the configuration.
static void add_aligns(LiaElaboration* e, LiaJoint* joint) {
    for (uint32_t i = 0; i < joint->contact->align_count; i++) {
        const LiaContact* c = joint->contact;
        lia_joint_add(e, joint, &c->aligns[i], number_or_null(&c->pulls[i]), &c->couples[i]);
    }
}

// slip = 0: the force on the first body, by components.
static void add_slip(LiaElaboration* e, LiaJoint* joint) {
    for (uint32_t i = 0; i < 3; i++) {
        LiaValue psi = lia_components_part(&e->work, &joint->contact->slip, i);
        LiaValue F = basis(e, i, -1, joint->span);
        lia_joint_add(e, joint, &psi, &F, NULL);
    }
}

static void add_no_pivot(LiaElaboration* e, LiaJoint* joint) {
    const LiaContact* c = joint->contact;
    LiaValue psi = lia_dot(e, c->turn, c->normal), C = lia_negative(e, c->normal);
    lia_joint_add(e, joint, &psi, NULL, &C);
}

// The last equation is the gap, whose rate is slip.N: the first three keep its positions.
static void add_following_gap(LiaElaboration* e, LiaJoint* joint) {
    const LiaContact* c = joint->contact;
    add_gap(e, joint);
    joint->positions =
        lia_context_keep(e->context, joint->equations.count * sizeof *joint->positions);
    for (uint32_t i = 0; i < 3; i++) {
        LiaValue share = lia_times(e, lia_components_part(&e->work, &c->normal, i), c->gap);
        joint->positions[i] = lia_value_at(&e->work, &share, 0);
    }
}

void lia_joint_touching(LiaElaboration* e, LiaJoint* joint) {
    add_gap(e, joint);
    add_aligns(e, joint);
}

// Two cones: their tips are together, and they turn against each other about the common line.
static void roll_cones(LiaElaboration* e, LiaJoint* joint) {
    const LiaContact* c = joint->contact;
    for (uint32_t i = 0; i < 3; i++) {
        LiaValue phi = lia_components_part(&e->work, &c->tips, i), F = basis(e, i, -1, joint->span);
        lia_joint_add(e, joint, &phi, &F, NULL);
    }
    joint->gap = 1;
    joint->gap_count = 3;
    lia_joint_add(e, joint, &c->aligns[0], NULL, &c->couples[0]);
    add_no_pivot(e, joint);
}

static bool say_it_slides(LiaElaboration* e, const LiaJoint* joint) {
    if (!joint->contact->slides) {
        return false;
    }
    lia_diag_error(e->context->diags, joint->span, "E0273",
                   "a cylinder and a cone that touch along a line cannot roll on each other: "
                   "away from the tip the arcs of the cone grow, those of the cylinder do not");
    lia_diag_help(e->context->diags,
                  "write 'touching'; where they cross, write one of them as 'surface(BODY, f)'");
    return true;
}

void lia_joint_rolling(LiaElaboration* e, LiaJoint* joint) {
    if (say_it_slides(e, joint)) {
        return;
    }
    if (joint->contact->tips.kind == LIA_VALUE_NUMBER) {
        roll_cones(e, joint);
        return;
    }
    add_slip(e, joint);
    if (joint->contact->bent) {
        add_no_pivot(e, joint);
    }
    add_aligns(e, joint);
    add_following_gap(e, joint);
}

void lia_joint_pure_rolling(LiaElaboration* e, LiaJoint* joint) {
    if (joint->contact->line) {  // which does not pivot
        lia_joint_rolling(e, joint);
        return;
    }
    add_slip(e, joint);
    add_no_pivot(e, joint);
    add_following_gap(e, joint);
}

void lia_joint_pivoting(LiaElaboration* e, LiaJoint* joint) {
    const LiaContact* c = joint->contact;
    if (c->line) {
        lia_diag_error(e->context->diags, joint->span, "E0273",
                       "what touches along a line does not pivot");
        lia_diag_help(e->context->diags, "write 'rolling', or 'touching'");
        return;
    }
    add_slip(e, joint);
    LiaValue turn = lia_cross(e, c->normal, c->turn);
    for (uint32_t i = 0; i < 3; i++) {  // (N x turn).e_i = turn.(e_i x N)
        LiaValue psi = lia_components_part(&e->work, &turn, i);
        LiaValue C = lia_cross(e, c->normal, basis(e, i, 1, joint->span));
        lia_joint_add(e, joint, &psi, NULL, &C);
    }
    add_following_gap(e, joint);
}
