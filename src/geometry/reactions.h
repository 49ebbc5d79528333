// The forces of constraints at a state, and what rounding makes of them: a multiplier that is zero
// is left with some of it, and so is a velocity that the equations make zero.
//
// Nothing is compared with a number in the units of the model: what is rounding follows from the
// sizes of the terms that the equations are sums of.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/evaluate.h"
#include "geometry/admissible.h"
#include "mechanics/kkt/forward_error.h"

typedef struct LiaReactions {
    const LiaSystem* system;
    LiaForwardError bound;
    LiaValues values;      // the equations of motion and of the rows
    double *node, *sizes;  // of their terms: by node; as forward_error.h wants them
    double* error;         // of the multipliers, at the state solved last            (rows)
    double *q, *v;         // sizes that the rounding of positions and velocities is a part of  (n)
    double* unit;          // of the coordinates, in which the kinetic energy is of size 1      (n)
    void* block;
} LiaReactions;

/// False if memory is out. Release with lia_reactions_clear() in any case.
bool lia_reactions_init(LiaReactions* k, const LiaAdmissible* z);
void lia_reactions_clear(LiaReactions* k);
/// Accelerations and multipliers at the state in the workspace, and all sizes above. False where
/// K0 is singular; then error is not set.
bool lia_reactions_solve(LiaReactions* k, LiaWorkspace* w);
