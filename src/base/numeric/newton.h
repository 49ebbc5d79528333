// One damped Newton for all nonlinear equations F(x) = 0. The caller supplies two things: how far F
// is from 0 where the unknowns stand, and the linear step J dx = -F, by whatever method its problem
// asks for: K0 along the forces for projections and impulses, the shortest step in the metric of
// the inertia for starts, least squares for contact points, the Legendre transformation for
// velocities.
//
// Damped, a step that comes no nearer is taken back, and a shorter one is tried (Levenberg 1944,
// Marquardt 1963).
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

// When it ends, after a step. Steps are relative to size(); a rule of 0 never holds, except for a
// step of 0.
typedef struct LiaNewtonRules {
    int passes;             // at most so many
    double found;           // a residual below this
    double still;           // a step at most this: nothing moves any more,
    int still_from;         // from this pass on
    double small, held;     // a step at most `small`, with a residual below `held`
    double blurred, falls;  // a step at most `blurred` and longer than `falls` times the last one:
    int blurred_from;       // rounding is all that is left, from this pass on
    double damping;         // of the first step; 0: all steps are full ones
    double damping_least, damping_most;
    bool watched;  // ends where the run is to end
} LiaNewtonRules;

typedef struct LiaNewton {
    void* of;
    /// F where the unknowns stand, as a number; not finite where it has no value.
    double (*residual)(void* of);
    /// Take a step; its size, not finite where there is none. `damping`: 0 is the full step.
    double (*step)(void* of, double damping);
    /// Take the last step back; only where steps are damped.
    void (*back)(void* of);
    /// What steps are relative to, after residual(); NULL: 1.
    double (*size)(void* of);
    LiaNewtonRules rules;
} LiaNewton;

typedef enum LiaNewtonEnd {
    LIA_NEWTON_ARRIVED,  // by `found`, `still` or `small`
    LIA_NEWTON_BLURRED,  // by `blurred`: as near as rounding lets it
    LIA_NEWTON_LOST,     // no value, no step, or too much damping
    LIA_NEWTON_TIRED,    // all passes are used up, or the run is to end
} LiaNewtonEnd;

typedef struct LiaNewtonResult {
    LiaNewtonEnd end;
    double residual;  // where it ended
    double step;      // the last one; infinite where there was none
} LiaNewtonResult;

/// `residual` is that of the unknowns as they stand.
LiaNewtonResult lia_newton_run(const LiaNewton* newton, double residual);
