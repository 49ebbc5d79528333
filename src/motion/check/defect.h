// The defect of a step. See defect.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// Is the defect at the end of the step, of length h, below `allowed` in units of the velocities?
bool lia_defect_small(LiaRunner* run, double h, double allowed);
