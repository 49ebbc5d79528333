// Accelerations and multipliers of least norm, where K0 is singular.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

typedef enum LiaMinNormOutcome {
    LIA_MIN_NORM_FOUND,
    LIA_MIN_NORM_CONTRADICTION,  // no accelerations and multipliers satisfy the equations
    LIA_MIN_NORM_TOO_LARGE,      // not looked for
    LIA_MIN_NORM_NO_MEMORY,
} LiaMinNormOutcome;

/// After matrices(), gamma() and stage0(), all rows active: the solution, as after accelerate().
/// `unique_a` (n) gets 0 where an acceleration is not unique; w->unique says the same of
/// multipliers.
LiaMinNormOutcome lia_min_norm_solution(LiaWorkspace* w, double* unique_a);
