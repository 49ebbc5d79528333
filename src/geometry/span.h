// Spans of rows: rank, null space, equality of spans, coupling of two of them. Row major, small.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

enum { LIA_SPAN_SMALL = 150 };  // columns; ranks of wider rows are found by sparse elimination

/// Rank of the m x n matrix A with its rows brought to size 1; rows of zeros count nothing. -1 if
/// memory is out.
int lia_span_rank(int m, int n, const double* A);
/// Which rows of A, brought to size 1, are independent: at least `cut` away from the span of those
/// before, the farthest first. Their numbers into `chosen` (room for m); how many. -1: no memory.
int lia_span_choose(int m, int n, const double* A, double cut, int* chosen);
/// Orthonormal basis of {x : A x = 0}, one vector a row of `basis` (room for n x n). Returns how
/// many; -1 if memory is out.
int lia_span_kernel(int m, int n, const double* A, double* basis);
/// Do the rows of A (m x n) and of B (k x n) span the same space?
bool lia_span_same(int m, const double* A, int k, const double* B, int n);
/// Each of the `count` rows of X (length n) becomes its part outside the span of the rows of A, in
/// an orthonormal basis of what A leaves out: a linear map. False if memory is out.
bool lia_span_outside(int m, const double* A, int n, int count, double* X);
/// The coupling number of rows J and F (both k x n): both made orthonormal in the metric of M^-1
/// (of (M + J^T W J)^-1 where M is singular), the smallest singular value of their product. NaN
/// where it has no meaning.
double lia_span_coupling(int n, const double* M, int k, const double* J, const double* F);
