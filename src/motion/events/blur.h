// What blur.c does. See blur.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

typedef struct LiaCondition {
    const double* c;  // its polynomial
    uint32_t index;   // in run->watch.floor: of a guard; of an event, after all guards
    bool at_root;     // it is zero where the step begins
    int side;         // of a guard: the sign of its formula, as far as is known
} LiaCondition;
/// The first root of a condition within h at which it changes its sign. True if there is one:
/// *root. *reach: how far there is no other; beyond it rounding hides what the condition does,
/// until the next step begins there.
bool lia_blur_first(LiaRunner* run, const LiaCondition* condition, double h, LiaRootFound* root,
                    double* reach);
/// How far, up to h, all roots of a condition are as sharp as its formula lets them be.
double lia_blur_reach(LiaRunner* run, const LiaCondition* condition, double h);
