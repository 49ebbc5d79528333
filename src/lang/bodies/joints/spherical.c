// Spherical (ball and socket): one point in common; 3 parameters.
//   P_B - P_A = 0
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"

void lia_joint_spherical(LiaElaboration* e, LiaJoint* joint) { lia_joint_same_place(e, joint); }
