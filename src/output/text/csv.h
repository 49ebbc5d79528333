// The samples and the events of a motion as CSV, into a file that is open.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/file/output_file.h"
#include "motion/result/trajectory.h"

void lia_csv_write(const LiaTrajectory* trajectory, LiaOutputFile* file);
/// Its events, one per line: t, kind, name, direction, impulse, energy, then the state.
void lia_csv_write_events(const LiaTrajectory* trajectory, LiaOutputFile* file);
