// Impulses: how velocities jump where the law of an operator has a corner.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

typedef enum LiaImpulseFound {
    LIA_IMPULSE_FOUND,
    LIA_IMPULSE_SINGULAR,  // K0 is singular there
    LIA_IMPULSE_NONE,      // no velocities have these momenta
    LIA_IMPULSE_NO_MEMORY
} LiaImpulseFound;

typedef struct LiaImpulse {
    LiaWorkspace* w;  // nothing is eliminated; after lia_impulse_find(): the state after the corner
    LiaRelativeDegree* degree;
    double* work;  // by constraint
    double total;  // of all works
    bool unique;   // are the impulses?
    double* nu;    // impulse of each row of w                                    (nc)
    // the path from the velocities before to those after
    double *p0, *v0;  // momenta by the formulas after the corner, velocities         (n)
    double* rest0;    // psi, then the top levels of hidden rows                       (nc + hidden)
    double *last, *rate;  // nu, and Omega v, one point before                             (nc)
    // works, from ever more points                                  (HALVINGS each)
    double* extrapolated;
    void* block;
} LiaImpulse;

/// At the corner where `at` is, on the sides that it has now: from velocities v and momenta p
/// before it to what is after. The first call makes the workspace.
LiaImpulseFound lia_impulse_find(LiaImpulse* impulse, const LiaWorkspace* at, const double* q,
                                 const double* v, const double* p);
void lia_impulse_clear(LiaImpulse* impulse);
void lia_impulse_keep(LiaImpulse* impulse, LiaKeep* keep, const LiaSystem* system);
