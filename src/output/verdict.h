// The verdict: how a run ended, and where in the model text the reason is.
// SPDX-License-Identifier: MIT
#pragma once
#include "../base/text.h"
#include "../motion/trajectory.h"

/// "done", "stopped" or "failed".
const char* lia_verdict_word(const LiaTrajectory* trajectory);
/// The reason as a diagnostic, with the line of the model it speaks of. Nothing for a run that is done.
void lia_verdict_reason(const LiaTrajectory* trajectory, LiaText* out);
