// Rows brought to lower trapezoidal form by reflections: how many of them are independent, and the
// solution of least squares and least norm. What singular values are good for, at a small part of
// their price.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Rows of A in a new order, P A = T Q^T: Q is a product of reflections, T has zeros above its
/// diagonal and ends after `rank` columns.
typedef struct LiaRows {
    int m, n;
    double* A;      // the rows; then T, and above its diagonal the reflections   (m x n)
    double* pivot;  // the first number of each reflection                        (min(m, n))
    int* order;     // row i of T is row order[i] of A                            (m)
    int rank;
} LiaRows;

/// The longest row that is left comes next, until all are shorter than `cut`; relative to the
/// longest of all if `relative`. Returns the rank.
int lia_qr_factor(LiaRows* rows, double cut, bool relative);

/// The m x n rows become an orthonormal basis of their span, longest first, until all are shorter
/// than `cut` of the longest; returns how many there are. Rows that have no place in common do not
/// mix: zeros stay zeros.
int lia_qr_basis(int m, int n, double* A, double cut);

/// x <- Q^T x and x <- Q x: the first `rank` columns of Q span the rows, the others are orthogonal
/// to them.
void lia_qr_in(const LiaRows* rows, double* x);
/// An orthonormal basis of what is orthogonal to the rows, n numbers each; returns how many there
/// are.
int lia_qr_kernel(const LiaRows* rows, double* basis);

/// x (n) of least norm for which |A x - b| is least; b (m) is used up. `work` has lia_qr_work()
/// doubles, `index` m ints.
void lia_qr_solve(const LiaRows* rows, double* b, double* x, double* work, int* index);
size_t lia_qr_work(int m, int n);
