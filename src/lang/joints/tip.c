// Tip in a hollow: the tip of one body stands in the point of a conical hollow of the other; 3 parameters.
//   P_B - P_A = 0
// SPDX-License-Identifier: MIT
#include "joint.h"

void lia_joint_tip(LiaElaboration* e, LiaJoint* joint) { lia_joint_same_place(e, joint); }
