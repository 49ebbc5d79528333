// How much a motion changes if its start does: a condition number for each column of its table.
//
// Rounding changes the state at each step by some part in 2^53. A motion that answers a start
// changed by one part in k with a change of K/k cannot be had to better than K 2^-53 for each step
// made, whoever computes it.
// SPDX-License-Identifier: MIT
#pragma once
#include <liaison/liaison.h>

/// For each column (lia_trajectory_columns()): the largest change in any row, over the relative
/// change of the start. Positions and velocities are changed by parts of the largest size they have
/// in the motion, rotations as a whole, in several directions, and put back on the constraints.
/// `motion` was made of `system` with these options. NULL if a changed start has no motion; release
/// with free().
double* sensitivity_of(const LiaTrajectory* motion, LiaModel* model, const LiaSystem* system,
                       const LiaRunOptions* options);
