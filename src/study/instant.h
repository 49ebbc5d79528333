// The positions and velocities of a motion at one of its samples.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/result/trajectory.h"

/// Time, positions and velocities by coordinate (n each). The velocities of a rotation are left at
/// 0: what is recorded of it is omega.
void lia_instant_load(const LiaTrajectory* trajectory, size_t row, double* t, double* q, double* v);
