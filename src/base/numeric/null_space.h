// LU of saddle matrices [M -Omega^T; J 0] whose rows of J nearly depend on each other.
//
// Elimination that begins with M makes J M^-1 Omega^T, where two rows that differ by d are told
// apart by d^2 only: half of the digits are gone before d is. Here the pivots are taken in the
// order of the null-space method (Benzi, Golub and Liesen 2005): first J in its columns, then
// Omega^T in its rows, and what is left is M on the motions that J admits. Both times d stands in
// the pivot itself. In each part the largest entry is the pivot.
// SPDX-License-Identifier: MIT
#pragma once

typedef struct LiaNullSpace {
    int n, nf;     // sizes of the matrix and of M
    double* A;     // factors, with the inverse of each pivot in its place   (n x n)
    int* row;      // of the pivots, one after the other                     (n)
    int* column;   //                                                        (n)
    double* left;  // scales of the rows of J, powers of two                 (n)
    double* x;     // scratch                                                (n)
} LiaNullSpace;

/// Factor A; M and Omega are of size 1, the rows of J are made so. Returns the smallest pivot (0:
/// singular), whose column goes to `weakest`: of rows that differ by d it is of the size of d.
double lia_null_space_factor(LiaNullSpace* z, int* weakest);
/// Solve A x = b in place.
void lia_null_space_solve(const LiaNullSpace* z, double* b);
/// Solve A^T x = b in place.
void lia_null_space_solve_transposed(const LiaNullSpace* z, double* b);
/// log2 |det A| of the matrix as it was given.
double lia_null_space_size(const LiaNullSpace* z);
