// The coupling condition as a number. See regularity.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

/// The coupling number: smallest singular value of the product of J's and Omega's rows, both
/// orthonormal in the metric of M^-1. 1: ideal constraints; 0: an operator that cannot act. After
/// factor(), for a workspace of the full dynamics. NAN: not known (where the inertia is negative it
/// has no meaning; or memory is out).
double lia_regularity(const LiaWorkspace* w);
/// The same by singular values, and by sparse elimination (regularity_sparse.c): the first for
/// small systems, the second for large ones.
double lia_regularity_dense(const LiaWorkspace* w);
double lia_regularity_sparse(const LiaWorkspace* w);
/// Of a model of a phase space (regularity_phase.c).
double lia_regularity_phase(const LiaWorkspace* w);
/// Weights of the rows of J in the metric M + J^T W J, which take the place of units, into W (nc).
/// False if memory is out.
bool lia_regularity_row_weights(const LiaWorkspace* w, double* W);
/// Is it the unit length of an attitude or a direction that row c of the workspace keeps?
bool lia_regularity_is_length(const LiaWorkspace* w, int c);
/// Are the forces those of ideal constraints, row by row?
bool lia_regularity_sparse_is_ideal(const LiaWorkspace* w);
