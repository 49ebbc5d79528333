// Tip in a hollow: the tip of one body stands in the point of a conical hollow of the other; 3
// parameters.
//   P_B - P_A = 0
// tip(A at e, B surface f) is a tip on a surface, which is on_surface (implicit_joint.c); 5
// parameters. tip(A at e, B curve f) is a tip on a curve, on_curve; 4 parameters.
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"

void lia_joint_tip(LiaElaboration* e, LiaJoint* joint) {
    const LiaSide* side = &joint->syntax->sides[1];
    if (!side->function) {
        lia_joint_same_place(e, joint);
    } else if (lia_context_name_is(e->context, side->function_word, "curve")) {
        lia_joint_on_curve(e, joint);
    } else {
        lia_joint_on_surface(e, joint);
    }
}
