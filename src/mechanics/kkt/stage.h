// What workspace.c and stage.c share.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

// Tests put a wrong sign into one term, to see that the second way notices.
enum { FLIP_NONE, FLIP_MOMENTUM, FLIP_G, FLIP_OMEGA, FLIP_KINEMATIC, FLIP_GEOMETRIC, FLIP_CORRECT };

// Orders whose last digits matter: later terms of a series are too small.
enum { CAREFUL = 8 };

static inline double* series(const LiaWorkspace* w, uint32_t reg) {
    return lia_jet_series(&w->jets, reg);
}

// Coefficient k of the register at a place. `large` false: all have series.
static inline __attribute__((always_inline)) double* coefficient(const LiaWorkspace* w,
                                                                 uint32_t place, int k,
                                                                 bool large) {
    if (!large) return w->jets.s + place + k;
    LiaOrder order = lia_jet_order(&w->jets, k);
    return lia_jet_at(&w->jets, place, &order);
}

/// Stage 0 where accelerations and multipliers are not decided: they are NAN.
void lia_stage_undetermined(LiaWorkspace* w);
/// What stage 0, run with the unknowns at zero, leaves of the equations: K0 (a, mu) = b of all rows     (nf + nc).
void lia_stage_rest(LiaWorkspace* w, double* b);
/// Accelerations and multipliers of the active rows, in w->b, as after accelerate().
void lia_stage_take(LiaWorkspace* w);
/// Order 0, and order k, where K0 alone decides the forces: see degree/forces.h.
void lia_stage_accelerate_direct(LiaWorkspace* w);
void lia_stage_direct(LiaWorkspace* w, int k);
/// Factor K0 of the active rows. Returns the smallest pivot.
double lia_workspace_factor_active(LiaWorkspace* w);
/// solve(); `careful`: to the last digit, where the pivots are not the best.
void lia_workspace_solve_with(const LiaWorkspace* w, double* b, bool careful);
