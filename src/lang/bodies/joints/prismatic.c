// Prismatic (slide, general cylinder): B goes along the axis of A and does not turn; 1 parameter.
//   u_A . d = 0,  w_A . d = 0,  and the same attitude
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"

void lia_joint_prismatic(LiaElaboration* e, LiaJoint* joint) {
    lia_joint_across(e, joint, &joint->A.u);
    lia_joint_across(e, joint, &joint->A.w);
    lia_joint_same_attitude(e, joint);
}
