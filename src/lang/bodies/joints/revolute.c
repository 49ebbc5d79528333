// Revolute (hinge, rotoid): one point and one axis in common; 1 parameter, the angle.
//   P_B - P_A = 0,  u_A . n_B = 0,  w_A . n_B = 0
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"

void lia_joint_revolute(LiaElaboration* e, LiaJoint* joint) {
    lia_joint_same_place(e, joint);
    lia_joint_same_axis(e, joint);
}
