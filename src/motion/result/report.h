// Ledger, residuals, what is conserved. See report.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

bool lia_report_make(LiaRunner* run);
/// The residuals of all rows at the state in w, after residuals() and factor(), into
/// w->projection.miss: as parts of what the sizes of positions and velocities met in this run make
/// of the row. They mean the same in any unit. Returns the largest.
double lia_report_misses(const LiaRunner* run, LiaWorkspace* w);
/// The same for another state nearby, after residuals(): the rows are measured as they were then.
double lia_report_misses_again(const LiaRunner* run, LiaWorkspace* w);
/// Size of row c of J: sum |J_k| size_k, by coordinate.
double lia_report_row_size(const LiaWorkspace* w, int c, const double* size);
