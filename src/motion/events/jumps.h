// The list of jumps of velocities. See jumps.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// One more jump, of which nothing is said yet. NULL if memory is out.
LiaJump* lia_jumps_add(LiaTrajectory* out);
/// The impulse of a constraint, without its numbers.
LiaJumpImpulse lia_jumps_impulse(const LiaConstraint* constraint);
/// Record a jump of velocities at the time of run->w: the states before and after by their columns,
/// the impulse of each row of the system, and the work of each constraint. False if memory is out.
bool lia_jumps_record(LiaRunner* run, const double* before, const double* after,
                      const double* impulse, const double* work, bool unique);
