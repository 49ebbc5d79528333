// Cylindrical (verrou): one axis in common; 2 parameters, along it and about it.
//   u_A . d = 0,  w_A . d = 0,  u_A . n_B = 0,  w_A . n_B = 0
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"

void lia_joint_cylindrical(LiaElaboration* e, LiaJoint* joint) {
    lia_joint_across(e, joint, &joint->A.u);
    lia_joint_across(e, joint, &joint->A.w);
    lia_joint_same_axis(e, joint);
}
