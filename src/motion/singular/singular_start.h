// Starts in singular configurations. See singular_start.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

typedef enum LiaSingularStartWhy {
    LIA_SINGULAR_START_VELOCITY,
    LIA_SINGULAR_START_REST,
    LIA_SINGULAR_START_COLLAPSE,
    LIA_SINGULAR_START_LOST
} LiaSingularStartWhy;
typedef enum LiaSingularStart {
    LIA_SINGULAR_START_NOT,
    LIA_SINGULAR_START_PASSED,
    LIA_SINGULAR_START_ENDED
} LiaSingularStart;
/// Where the start in run->w is a position in which equations lose their rank for an instant: go a
/// short time on along the motion that has its velocity (run->step leads back to the start then),
/// or say what goes on.
LiaSingularStart lia_singular_start_begin(LiaRunner* run);
/// Say which motions go on, if the state in run->w is such a position: true. Rows smaller than
/// `cut` are none.
bool lia_singular_start_verdict(LiaRunner* run, double cut, LiaSingularStartWhy why);
