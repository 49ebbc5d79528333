// The linear complementarity problem of a symmetric positive semidefinite M: the minimum of
// z.Mz/2 + q.z over z >= 0. Contacts without friction are of this kind, and where many of them are
// dependent (a heap of balls) the tableau of Lemke's method is not accurate enough.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/lcp.h"

/// S = (M + M^T)/2, scaled to a diagonal of 1; false where the diagonal is negative somewhere.
bool lia_lcp_convex_symmetric_part(int n, const double* M, double* S);

/// Is M symmetric and positive semidefinite, but for rounding? `work`: n x n.
bool lia_lcp_convex_is(int n, const double* M, double* work);

/// Solve such a problem; z, w and the residual are set. Work space as for lia_lcp_solve.
LiaLcpStatus lia_lcp_convex_solve(LiaLcp* p, double* work, int* index);
