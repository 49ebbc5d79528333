// How a run begins: options, memory, the start. See begin.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// What the options say, memory, and the start of the motion into run->w. LIA_OK, LIA_MODEL,
/// LIA_MEMORY, LIA_ARGUMENT.
LiaStatus lia_begin_start(LiaRunner* run);
/// From the start to the first step. False, with *status, where there is none: the motion ended
/// before it.
bool lia_begin_motion(LiaRunner* run, LiaStatus* status);
/// Where K0 is singular because an operator acts through springs (`degree`: the start has found
/// that, though rounding may deny it there): workspaces that look further ahead. False if memory is
/// out; a verdict says where the force cannot be found.
bool lia_begin_reveal(LiaRunner* run, bool degree);
void lia_begin_clear(LiaRunner* run);
/// The parts of a run that belong to one way to run its system. False if memory is out.
bool lia_begin_room(LiaRunner* run, const LiaDynamics* dynamics);
void lia_begin_clear_room(LiaRunner* run);
/// Pointers into run->block, for the system and dynamics that the run has.
void lia_begin_lay_out(LiaRunner* run);
/// How many numbers at its beginning are the same whatever the mode of contacts.
size_t lia_begin_carried(const LiaRunner* run);
/// The tolerance that was asked for, by an option or in the model.
double lia_begin_tolerance(const LiaRunner* run);
/// The longest step that was asked for, by an option or in the model; infinite where nobody did.
double lia_begin_step_most(const LiaRunner* run);
