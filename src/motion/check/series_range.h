// How far the series of a step can be relied upon. See series_range.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// How far, up to h, the series that were just made can be relied upon. `guard`: the one whose root
/// is at h, -1: none.
double lia_series_range(LiaRunner* run, double h, int guard);
/// Over the step of the last look at the enclosure, which was spread: is it known where a formula
/// has its roots?
bool lia_series_range_root_known(const LiaRunner* run, uint32_t reg);
