// Arrows for pictures: forces and couples of constraints, operators and applied forces, where they
// act.
//
// Where a model says the place (a joint, a contact, a force on a body) it is taken. Else it is
// found by virtual work: a generalised force Q is that of a force F at the place P of the system
// when Q_i = F.dP/dq_i for every coordinate. What acts on an angle alone is a couple about its
// hinge.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/page/scene.h"

/// Add contacts, forces and couples. A model whose `draw` has an arrow made of forces has said what
/// is to be seen.
void lia_arrows_add(LiaScene* scene);
