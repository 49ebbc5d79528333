// Checkpoints: a run that was killed goes on from the last one, and gives what it would have given.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/file/keep.h"
#include "motion/runner.h"

/// All that is kept of a run: checkpoint_fields.c.
void lia_checkpoint_fields(LiaRunner* run, LiaKeep* keep);

/// Write the first one, where any are asked for; `arrived`: nothing is left to run. False with an
/// error where that cannot be.
bool lia_checkpoint_begin(LiaRunner* run, bool arrived);
/// Between two steps, none of which was cut short: take one, write one, where it is time.
void lia_checkpoint_pass(LiaRunner* run);
/// At the end. `whole`: the run is between two steps, or has arrived (`arrived`); else the last one
/// that was taken is written. An error where that cannot be.
void lia_checkpoint_end(LiaRunner* run, bool whole, bool arrived);
/// Go on from the file that the options name: the run is where it was then, *arrived: at its end.
/// False with an error where that is no checkpoint of this run.
bool lia_checkpoint_resume(LiaRunner* run, bool* arrived);
void lia_checkpoint_clear(LiaRunner* run);

/// The bytes of such a file, after what stands in the text already, between two steps or at the
/// end (`arrived`).
void lia_checkpoint_image(LiaRunner* run, LiaText* image, bool arrived);
/// Are these such bytes, whole and of this run?
bool lia_checkpoint_is_image(const LiaRunner* run, const char* bytes, size_t length);
/// Go on from there. False where memory is out: half of it is there then.
bool lia_checkpoint_restore(LiaRunner* run, const char* bytes, size_t length, bool* arrived);
