// Why a run ended early, as a diagnostic that points at the model text.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include "motion/result/trajectory.h"

/// The reason with the line of the model it speaks of. Nothing for a run that is done.
void lia_reason_print(const LiaTrajectory* trajectory, LiaText* out);
