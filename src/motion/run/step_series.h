// The series that a step begins with. See step_series.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// After a corner the formula may have no series at the corner itself (x^1.5 for x > 0, from x =
/// 0): go on by a parabola for a time so short that it makes no difference, and begin there.
bool lia_step_series_off(LiaRunner* run);
/// The series at the beginning of the step. False if the motion ends here.
bool lia_step_series_begin(LiaRunner* run);
/// How far they reach. NaN if the motion ends here.
double lia_step_series_reach(LiaRunner* run);
