// How many digits the equations determine. See digits.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/forward_error.h"
#include "mechanics/kkt/workspace.h"

typedef struct LiaRunner LiaRunner;

// What rounding makes of a number along the run: largest error, largest size, when the error was so
// large.
typedef struct LiaDoubt {
    double error, size, t;
} LiaDoubt;

typedef struct LiaDigits {
    LiaForwardError certainty;
    LiaDoubt *a, *q, *v;          // by coordinate                                         (n)
    LiaDoubt* mu;                 // by row of the system                                  (rows)
    double others;                // of a large system: relative errors of all are at most this
    double distance, left_out_t;  // of the farthest row that was left out, and when
    size_t left_out, same;        // rows of the system: which, and the one it is nearly the same as
    uint64_t looks;
} LiaDigits;

/// Look how well the equations determine motion and forces at the state in w, after accelerate().
void lia_digits_look(LiaRunner* run, LiaWorkspace* w);
/// After the list of constraints: digits of the motion and of each force; warnings where they are
/// few.
void lia_digits_make(LiaRunner* run);
