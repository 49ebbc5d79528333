// Small dense linear algebra, row major, in a fixed order so that results repeat bit for bit.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// fmax() is a call; this is an instruction. What is no number leaves `most` as it is.
static inline double lia_larger(double most, double x) { return x > most ? x : most; }

/// sum of x[i] y[i]: in four sums, which the compiler may put side by side.
static inline double lia_sum_of_products(const double* x, const double* y, int n) {
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int i = 0;
    for (; i + 3 < n; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++) s0 += x[i] * y[i];
    return (s0 + s1) + (s2 + s3);
}

/// LU of the n x n matrix A with partial pivoting, after scaling rows and columns by powers of two.
/// Returns the smallest pivot over the largest entry of the scaled matrix (0: singular);
/// `weakest` (may be NULL) gets the column of the smallest pivot.
typedef struct LiaLu {
    int n;
    double* A;      // factors                 (n x n)
    int* row;       // row exchanges           (n)
    double* left;   // row scales              (n)
    double* right;  // column scales           (n)
} LiaLu;
double lia_lu_factor(LiaLu* lu, int* weakest);
/// log2 |det A|; -inf where A is singular.
double lia_lu_size(const LiaLu* lu);
/// Solve A x = b in place.
void lia_lu_solve(const LiaLu* lu, double* b);

/// Cholesky M = L L^T in place (lower triangle); false where M is not positive definite (relative
/// to its diagonal).
bool lia_cholesky(int n, double* M);
/// x <- L^-1 x and x <- L^-T x.
void lia_forward(int n, const double* L, double* x);
void lia_backward(int n, const double* L, double* x);

/// Singular values of the m x n matrix A (one-sided Jacobi): A = U diag(s) V^T, s falling.
/// U: m x r, V: n x r, r = min(m, n); U, V may be NULL. `work` has (m + n) * r + m * n doubles.
void lia_svd(int m, int n, const double* A, double* s, double* U, double* V, double* work);
size_t lia_svd_work(int m, int n);
