// Impacts that accumulate: see impact_tail.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// Take back, in the mode that goes on, what couples do before the last flights are over. False
/// where memory is out, or the motion has no accelerations.
bool lia_impact_tail(LiaRunner* run);
