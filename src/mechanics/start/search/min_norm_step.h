// The shortest step onto equations, for large systems: y of least y G y with J y = b, found through
//
//   [G J^T; J 0] (y, lambda) = (0, b)
//
// by sparse elimination. G is M, where massless coordinates get 1 and the lengths of unit vectors
// and quaternions the inertia of their neighbours. Rows that depend on others are left out.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/coo.h"
#include "base/numeric/sparse.h"
#include "mechanics/kkt/workspace.h"

typedef struct LiaMinNormStep {
    int u, m;                  // unknown coordinates; equations
    const int *unknown, *row;  // coordinates; rows of w                  (u), (m)
    int* number;               // coordinate -> its number among the unknown, -1  (n)
    bool* taken;               // rows that count                              (m)
    const double* weight;      // of each coordinate in the metric, G_ij weight_i weight_j (n)
    const int* part;           // set after init: G_ij = 0 between parts; NULL: there is one (n)
    bool plain;                // G is 1
    bool ordered;              // the pivots fit the pattern
    LiaTriples sum;            // its entries, added up where they meet
    LiaSparse A;
    LiaSparseLu lu;
    double* b;     // (u + m)
    double* unit;  // of the unknown coordinates in A: powers of two   (u)
    void* block;
} LiaMinNormStep;

typedef struct LiaMinNormAsked {
    const int* unknown;  // coordinates, of n                           (u)
    int u;
    const int* row;  // equations, of w->nc                             (m)
    int m;
    const double* weight;  // see LiaMinNormStep
} LiaMinNormAsked;

/// For a workspace of the full dynamics.
bool lia_min_norm_step_init(LiaMinNormStep* s, const LiaWorkspace* w, LiaMinNormAsked of);
void lia_min_norm_step_clear(LiaMinNormStep* s);
/// After lia_workspace_matrices(): y (u numbers) for the right sides b (m numbers). False if
/// nothing was found.
bool lia_min_norm_step_find(LiaMinNormStep* s, const LiaWorkspace* w, const double* b, double* y);
