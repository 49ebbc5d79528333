// Errors that add up in long runs stay bounded. See long_run.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// After a step: in a long run the tolerance of the next ones is finer.
void lia_long_run(LiaRunner* run);
