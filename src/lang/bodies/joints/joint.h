// Joints: what the files of the kinds share. A joint becomes a constraint: scalar equations between
// the bodies of its two sides, each with the force and moment that its multiplier means.
//
// Points and axes are constant in body axes. A is the first body, B the second:
//   d = P_B - P_A                      from the point of A to that of B, in space axes
//   n_A, u_A, w_A; n_B, u_B, w_B       axis, direction and their cross product, unit vectors that
//                                      turn
//                                      with their bodies
// One multiplier mu of an equation phi = 0 is the force mu F at P_B and the couple mu C on B, where
//   delta phi = F . delta P_B + C . delta theta_B                  while A is held,
// and the opposite on A at the same place.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/elaborate/elaborate.h"

typedef struct LiaJointSide {
    uint32_t body;  // member; 0: the ground
    LiaSpan span;
    LiaValue position, attitude;  // of the body; attitude POISON: a point
    LiaValue at;                  // the point in body axes
    LiaValue place;               // the same in space axes
    bool has_axis, has_direction;
    LiaValue body_n, body_u;  // in body axes
    LiaValue n, u, w;         // in space axes
} LiaJointSide;

typedef struct LiaJoint {
    const LiaJointSyntax* syntax;
    const char* name;
    LiaSpan span;
    uint32_t bindings;  // of the indices of a family
    LiaJointSide A, B;
    LiaValue d;                        // P_B - P_A
    LiaValue pitch;                    // of a screw
    const struct LiaContact* contact;  // of a joint of shapes
    uint32_t gap, gap_count;           // then: 1 + the equation that they touch, how many say so
    LiaExpr* positions;   // where its rate follows from others: LiaConstraint.positions
    uint32_t slot;        // the constraint it becomes
    uint32_t own;         // coordinates of its own, not shown: LiaJointFacts.own
    uint32_t parameters;  // coordinates of the model that belong to the joint: where on a curve
    LIA_VECTOR(LiaEquation) equations;
    LIA_VECTOR(LiaValue) forces, couples;  // F, C of each equation
    LIA_VECTOR(LiaExpr) signs;             // positive on the branch that is meant
} LiaJoint;

/// phi = 0, with its force F and couple C; POISON stands for none.
void lia_joint_add(LiaElaboration* e, LiaJoint* joint, const LiaValue* phi, const LiaValue* F,
                   const LiaValue* C);
/// P_A = P_B: three equations.
void lia_joint_same_place(LiaElaboration* e, LiaJoint* joint);
/// a . d = 0, a of A.
void lia_joint_across(LiaElaboration* e, LiaJoint* joint, const LiaValue* a);
/// a . b = 0, a of A and b of B.
void lia_joint_perpendicular(LiaElaboration* e, LiaJoint* joint, const LiaValue* a,
                             const LiaValue* b);
/// n_A = n_B: two equations, and the sign of n_A . n_B.
void lia_joint_same_axis(LiaElaboration* e, LiaJoint* joint);
/// n_A = n_B, u_A = u_B: three equations, and two signs.
void lia_joint_same_attitude(LiaElaboration* e, LiaJoint* joint);
/// The unit vector number i.
LiaValue lia_joint_basis(LiaElaboration* e, uint32_t i, LiaSpan span);

/// curve_joint.c: the point of A is on the curve of B that a function of one parameter gives.
void lia_joint_along_curve(LiaElaboration* e, LiaJoint* joint, const LiaStatement* function);

#define LIA_JOINT(id, word, sides, axis, direction, pitch)                                         \
    void lia_joint_##word(LiaElaboration* e, LiaJoint* joint);
#include "lang/bodies/joints/joints.def"
#undef LIA_JOINT
