// One step of a run. See step.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// From run->w one step further.
LiaOutcome lia_step_make(LiaRunner* run);
/// Is a step of length h more than rounding of the times of the run?
bool lia_step_lasts(const LiaRunner* run, double h);
/// Bring the workspace to the state after the step: projected, accelerations known. False where
/// that fails.
bool lia_step_arrive(LiaRunner* run, double* moved, double* energy);
/// Over a corner where the state is. False where that fails; *ends: the motion ends here.
bool lia_step_cross(LiaRunner* run, bool* ends);
/// Samples that fall into the step. False if memory is out.
bool lia_step_sample(LiaRunner* run, double h, bool to_end);
/// Look at the coupling number in the state of `at`.
void lia_step_watch(LiaRunner* run, const LiaWorkspace* at);
