// Friction that does what friction cannot. See friction_check.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// Warnings of friction that drives and of kinetic energy below zero, from the samples.
void lia_friction_check_motion(LiaRunner* run);
