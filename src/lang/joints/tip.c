// Tip in a hollow: the tip of one body stands in the point of a conical hollow of the other; 3 parameters.
//   P_B - P_A = 0
// tip(A at e, B surface f) is a tip on a surface, which is on_surface (level.c); 5 parameters.
// SPDX-License-Identifier: MIT
#include "joint.h"

void lia_joint_tip(LiaElaboration* e, LiaJoint* joint) {
    if (joint->syntax->sides[1].function) {
        lia_joint_on_surface(e, joint);
    } else {
        lia_joint_same_place(e, joint);
    }
}
