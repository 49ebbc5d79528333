// What formula_rounding.c does. See formula_rounding.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// Velocity i is not known by so much from now on.
void lia_formula_rounding_add(LiaRunner* run, uint32_t i, double velocity);
/// After a step of length h.
void lia_formula_rounding_step(LiaRunner* run, double h);
/// After the corner of guard g at the end of a step of length h.
void lia_formula_rounding_corner(LiaRunner* run, int g, double h);
/// How large a part of the motion is rounding of formulas; a warning where that is more than
/// `doubtful`.
double lia_formula_rounding_tell(LiaRunner* run, double doubtful);
