// The component of the multipliers in the null space of Omega^T, {nu : Omega^T nu = 0}: without it
// mu has the least norm mu W mu.
//
// With C a largest set of independent columns of Omega, and W 1 for the equations of the model and
// 0 for those that the program added itself (the lengths of quaternions), that part is nu in
//
//   [W Omega_C; Omega_C^T 0] (nu, y) = (W mu, 0)
//
// As series (min_norm_series.c) the matrix of order 0 is that of all orders.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/sparse.h"
#include "mechanics/kkt/workspace.h"

typedef struct LiaMultiplierNullspace {
    int nc, nf, rank;
    LiaSparse Omega;  // all of it, rows and columns of size 1; only to find C
    LiaSparse A;      // the matrix above
    int* column_of;   // column of Omega -> its place in C, -1         (nf)
    LiaSparseLu lu;
    double* b;  // right side and solution                         (nc + rank)
} LiaMultiplierNullspace;

/// Find C, of `rank_most` columns at most, and factor the matrix, for the state in w: after
/// matrices(). False if it could not be done. Release with lia_multiplier_nullspace_clear() in any
/// case.
bool lia_multiplier_nullspace_init(LiaMultiplierNullspace* z, const LiaWorkspace* w, int rank_most);
void lia_multiplier_nullspace_clear(LiaMultiplierNullspace* z);
