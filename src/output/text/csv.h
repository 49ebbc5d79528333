// The samples of a motion as CSV, into a file that is open.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/file/output_file.h"
#include "motion/result/trajectory.h"

void lia_csv_write(const LiaTrajectory* trajectory, LiaOutputFile* file);
