// Fixed (welded): 0 parameters.
//   P_B - P_A = 0,  and the same attitude
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"

void lia_joint_fixed(LiaElaboration* e, LiaJoint* joint) {
    lia_joint_same_place(e, joint);
    lia_joint_same_attitude(e, joint);
}
