// Step size of a Taylor step from its last coefficients (Jorba & Zou 2005).
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/run/scales.h"
#include <math.h>

/// What the last terms of the series of a model are held against, from the tolerance asked for.
double lia_step_size_tolerance(const LiaModel* model, double tolerance);
/// Order of the series for such a tolerance.
int lia_step_size_order(double tolerance);
/// The largest order whose coefficients are numbers of 64 bits, for a run of this length > 0.
int lia_step_size_order_most(double span);
/// family.c: family[i] is the first of that of coordinate i. False if memory is out.
bool lia_family_find(const LiaWorkspace* w, uint32_t* family);
/// The step at which the last two terms are below the tolerance; INFINITY where the series end,
/// NAN where they are not numbers.
double lia_step_size(const LiaWorkspace* w, const LiaStep* step, double tolerance,
                     LiaScales* scales);
