// Symmetric 3 x 3 matrices: principal values and axes.
// SPDX-License-Identifier: MIT
#pragma once

/// Makes A diagonal by rotations of Jacobi: A = V diag V^T. `V` (may be NULL) gets the axes as
/// columns, a rotation.
void lia_eigen3_axes(double A[3][3], double V[3][3]);
