// Steps over singular configurations. See singular_step.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"
#include "motion/singular/configuration.h"

/// Are there positions within the step, or just after it, where equations lose their rank? *h: a
/// better step then, one that ends before them or one that leads over them, and how it goes;
/// *before: one that ends before them.
const LiaConfiguration* lia_singular_step_find(const LiaRunner* run, double natural, double* h,
                                               double* before);
