// Universal (Cardan, Hooke): a cross whose one arm turns in A and whose other arm turns in B; 2
// parameters.
//   P_B - P_A = 0,  n_A . n_B = 0
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"

void lia_joint_universal(LiaElaboration* e, LiaJoint* joint) {
    lia_joint_same_place(e, joint);
    lia_joint_perpendicular(e, joint, &joint->A.n, &joint->B.n);
}
