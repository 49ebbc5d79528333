// What is 0 but for rounding, all along a motion. See zero.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/result/trajectory.h"

typedef struct LiaZero {
    const LiaTrajectory* trajectory;  // borrowed
    double* most;                     // the largest number of each column      (column_count)
} LiaZero;

/// False if memory is out.
bool lia_zero_init(LiaZero* zero, const LiaTrajectory* trajectory);
void lia_zero_clear(LiaZero* zero);
/// The largest number of all that may be compared with a column; 0 for formulas that have no name.
double lia_zero_whole(const LiaZero* zero, size_t column);
/// Up to this all numbers of a column are rounding.
double lia_zero_bound(const LiaZero* zero, size_t column);
