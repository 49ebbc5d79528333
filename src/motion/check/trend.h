// Errors that grow along a run. See trend.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// By how much a column of the table, less all works for the ledger, grows in a second: 0 where the
/// second half of the run adds no more than `least`, or no more than rounding makes it wander.
double lia_trend(const LiaTrajectory* out, size_t column, bool ledger, double least);
