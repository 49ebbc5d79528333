// What a command may spend: --steps, --time, --memory, and a signal.
// SPDX-License-Identifier: MIT
#pragma once
#include "cli/options.h"

/// From now on. The steps are an option of runs.
void lia_budget_begin(const LiaCommandLine* line);
/// The exit code of a command that ended with `code`. Where a signal or the budget ended it before
/// it reached anything, that is reported.
int lia_budget_end(const LiaCommandLine* line, int code);
/// Did a budget end the motion? NULL: there is none.
bool lia_budget_ended(const LiaTrajectory* motion);
