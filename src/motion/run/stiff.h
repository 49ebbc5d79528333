// Stiffness: is it something small and fast that decides the steps? See stiff.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

typedef struct LiaRunner LiaRunner;

typedef struct LiaStiff {
    double rate,
        part;  // in 1/s, of a vibration or a decay, and how much of the motion it is; 0: none
} LiaStiff;

/// Is it something small and fast that decides the steps? At a look of lia_stall_look(), for
/// run->course.stiff.
void lia_stiff_look(LiaRunner* run);
/// 2 pi times the frequency of the fastest vibration: by the last coefficients of the step where
/// they are made of one mode, else the largest velocity over the largest position met, of the
/// coordinate that has most.
double lia_stiff_rate(const LiaRunner* run);
/// The warning, where it was so at the last look; or where a run was stopped before its end, and
/// that is far.
void lia_stiff_tell(LiaRunner* run);
