// Linear equations of which some follow from others, by elimination with full pivoting.
//
// Which equations are independent is a question about admissible states. At a distance d from them,
// as stages of a step are, the pivot that should be 0 is of the size d^2, and accelerations depend
// on which equation is dropped by as much as
// d: dropping now this one, now that one, makes a field with jumps. So the choice is made at an
// admissible state and kept where the state is only near one.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

enum { PIVOTING_MOST = 512 };

/// Equations and unknowns that are independent of each other, strongest first.
typedef struct PivotingChoice {
    int rank;
    int row[PIVOTING_MOST], column[PIVOTING_MOST];  // the first `rank` are used
} PivotingChoice;

/// Solve A x = b (n x n, both are used up); x goes into b. Equations that follow from others are
/// dropped if they are consistent (`tolerant`: in any case), unknowns that nothing decides are 0.
/// `choice` (may be NULL) gets what was chosen. Returns the rank, or -1 if the equations contradict
/// each other.
int pivoting_solve(int n, double* A, double* b, bool tolerant, PivotingChoice* choice);

/// The same with equations and unknowns chosen before; the others are left alone and 0. Returns the
/// rank, or -1 if those chosen are not independent here.
int pivoting_solve_chosen(int n, double* A, double* b, const PivotingChoice* choice);
