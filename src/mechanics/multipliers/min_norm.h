// Multipliers of least norm, where rows depend on each other. See min_norm.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

/// What the multiplier of row c is near to, where it is not unique, at order k of its series: 0,
/// unless contacts ask for forces within their bounds.
static inline double lia_min_norm_preferred(const LiaWorkspace* w, int c, int k) {
    const LiaPreferred* x = &w->system->mode.preferred;
    uint32_t row = w->dynamics->rows[c];
    if (!x->mu || k > 1) return 0.0;
    return k == 1 ? x->slope[row] : x->mu[row] + x->slope[row] * (w->t - x->since);
}

/// Multipliers of least norm, which are unique, and others with the same forces, where rows depend
/// on each other.
void lia_min_norm_multipliers(LiaWorkspace* w);
/// The same for large systems. False if it could not be done.
bool lia_min_norm_sparse(LiaWorkspace* w);
/// After lia_min_norm_multipliers(): which combinations of multipliers that are not unique are so
/// all the same. `basis` (room for nc x nc) gets one a row, in reduced row echelon form. Returns
/// how many.
int lia_min_norm_combinations(const LiaWorkspace* w, double* basis);
/// The same multipliers as series of `orders` coefficients, for the works. A step allocates only
/// here, and only where rows that do work depend on each other.
void lia_min_norm_series(LiaWorkspace* w, int orders);
