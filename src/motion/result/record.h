// The table of samples. See record.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

bool lia_record_columns(LiaRunner* run);
/// Find where the numbers of a row are in workspace w: before lia_record_sample(), and again when
/// its memory may have changed.
void lia_record_find(LiaRunner* run, const LiaWorkspace* w);
/// Evaluate the sampler's state (set by the caller) and add a row to the table. `factored`: the
/// sampler is to have the K0 of the state afterwards. False if memory is out.
bool lia_record_sample(LiaRunner* run, bool factored);
/// The columns of the state in workspace w, which has been evaluated, into run->samples.row.
void lia_record_row(LiaRunner* run, LiaWorkspace* w);
/// Lengths of the active rows of J by the inertias, squared: log2 of their product.
double lia_record_rows(const LiaWorkspace* w);
/// The columns of the state that was reached, in run->w. Where that state could not be evaluated,
/// what is made of accelerations and forces is not a number: those at hand belong to another one.
void lia_record_last(LiaRunner* run);
/// The last row, from run->samples.row.
void lia_record_final(LiaRunner* run);
/// Positions and velocities of w by their columns, in the trajectory's memory. NULL if that is out.
double* lia_record_state(LiaRunner* run, const LiaWorkspace* w);
/// The state that was reached, into the final row: time, positions, velocities; the rest of the row
/// stays.
void lia_record_reached(LiaRunner* run);
/// The state alone, before anything could be computed: everything else is not a number.
void lia_record_bare(LiaRunner* run);
double lia_record_time(const LiaRunner* run, size_t sample);
/// After the last column of the state: positions and velocities come first.
size_t lia_record_state_end(const LiaTrajectory* out);
/// How many numbers lia_record_state() gives.
size_t lia_record_state_count(const LiaTrajectory* out);
/// Room for so many rows, and for what is not unique in them where that is to be kept. False if
/// memory is out.
bool lia_record_room(LiaTrajectory* out, size_t rows, bool shared);
