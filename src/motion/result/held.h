// What equations alone determine of a state: see held.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// What positions, or velocities, are off by at the state of run->w, by coordinate: of those that
/// the equations leave open -1, and of all where there are many unknowns. False if memory is out.
bool lia_held_find(const LiaRunner* run, bool velocities, double* off);
