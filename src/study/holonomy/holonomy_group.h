// What a loop leaves behind as an element of a group: the rigid motion g of the plane or of space
// for which the fibre ends at g q0.
//
// The group is found, not asked for: lengths x, y are turned with some of the angles, places,
// directions and attitudes with each other, and the lifts must be carried along, N(g q) = Tg N(q),
// at places at random. Then a loop from g0 q0 leaves g0 g g0^-1, and k loops g^k.
// SPDX-License-Identifier: MIT
#pragma once
#include "study/holonomy/holonomy_motion.h"

/// Fill h->move from q0, q1 of w; h->moves: there is one. False if memory is out.
bool lia_holonomy_group_find(LiaHolonomyWork* w);
