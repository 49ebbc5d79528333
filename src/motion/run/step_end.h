// Where a step ends. See step_end.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"
#include "motion/singular/configuration.h"

/// One step, tried with shorter and shorter lengths.
typedef struct LiaAttempt {
    double h;
    bool to_end;   // it ends at run->halt
    int guard;     // whose root is at its end; -1: none
    int stop;      // the event there that stops the run, or by which the motion changes; -1: none
    bool contact;  // the mode of the contacts ends there
    bool beyond;   // just beyond where the series reach
    int tries;
    double natural;               // its length at first
    double size, blur;            // log2 |det K0| and what is rounding, where it begins
    double moved_before;          // by the projection of the try before
    double fed;                   // energy, by the projection
    bool free_end;                // may it end elsewhere?
    const LiaConfiguration* way;  // through ordinary configurations, or about a singular one
    double before;                // where it may end before that
} LiaAttempt;

/// As far as the series reach and can be relied upon, or to the end of the run, the root of a
/// guard, an event, the end of a mode.
LiaAttempt lia_step_end_choose(LiaRunner* run, double natural);
/// Two instants that are so near to each other, x from where the step begins, are one.
double lia_step_end_at_once(const LiaRunner* run, double x);
