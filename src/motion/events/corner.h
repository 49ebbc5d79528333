// What happens where a formula changes its side. See corner.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// Go over to the other side of all guards that have their root where the step ends, at the state
/// in run->w. False if the motion cannot go on.
bool lia_corner_cross(LiaRunner* run);
/// After arriving there: do equations ask for another state than the one that impulses lead to?
/// Says so.
bool lia_corner_leapt(LiaRunner* run);
/// The energy of the state in w, residuals() done.
double lia_corner_energy(const LiaRunner* run, LiaWorkspace* w);
