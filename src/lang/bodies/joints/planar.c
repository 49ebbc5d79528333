// Planar (plane on plane): the axes are the normals, P_B stays in the plane of A; 3 parameters.
//   n_A . d = 0,  u_A . n_B = 0,  w_A . n_B = 0
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"

void lia_joint_planar(LiaElaboration* e, LiaJoint* joint) {
    lia_joint_across(e, joint, &joint->A.n);
    lia_joint_same_axis(e, joint);
}
