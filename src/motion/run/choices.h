// What a run decided by itself, in lines. See choices.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// The choices of the system, the lines of its start (the notes of this file are added to them),
/// into the trajectory. False if memory is out.
bool lia_choices_take(LiaRunner* run, LiaStartState* start);
