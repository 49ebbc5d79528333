// Steps over singular configurations. See singular_step.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

typedef enum LiaSingularStep {
    LIA_SINGULAR_STEP_NONE,
    LIA_SINGULAR_STEP_BEFORE,
    LIA_SINGULAR_STEP_OVER
} LiaSingularStep;

/// Are there positions within the step, or just behind it, where equations lose their rank? *h: a better step then,
/// one that ends before them or one that leads over them; *before: one that ends before them.
LiaSingularStep lia_singular_step_find(const LiaRunner* run, double natural, double* h,
                                       double* before);
