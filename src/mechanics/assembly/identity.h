// Equations that hold whatever the motion: left minus right cancels as a formula.
//
// Such are written in earnest: of velocity(disk, foot) = 0 with the height given by the tilt the
// third component says nothing. A row of rounding must not count as an equation.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/build.h"

/// Is `f` zero at all positions, velocities and times? At a few it is zero but for the rounding of
/// its terms, and it simplifies to the number 0: that is the proof, for all values of parameters.
bool lia_identity_holds(const LiaSystem* s, LiaExpr f);
