// The state of a run before and after a step. See step_state.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// Keep the state at the beginning of a step.
void lia_step_state_keep(LiaRunner* run);
/// Back to it.
void lia_step_state_restore(LiaRunner* run);
/// Along the series by h; `to_end`: to run->halt exactly.
void lia_step_state_advance(LiaRunner* run, double h, bool to_end);
