// Small dense linear algebra, row major, in a fixed order so that results repeat bit for bit.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// fmax() is a call; this is an instruction. What is no number leaves `most` as it is.
static inline double lia_larger(double most, double x) { return x > most ? x : most; }

// Four numbers side by side.
typedef double LiaFour __attribute__((vector_size(4 * sizeof(double))));
typedef int64_t LiaFourBits __attribute__((vector_size(4 * sizeof(int64_t))));

/// sum of x[i] y[i]: in four sums, side by side.
static inline double lia_sum_of_products(const double* x, const double* y, int n) {
    LiaFour s = {0.0}, u, v;
    int i = 0;
    for (; i + 3 < n; i += 4) {
        memcpy(&u, x + i, sizeof u);
        memcpy(&v, y + i, sizeof v);
        s += u * v;
    }
    double sum = s[0];
    for (; i < n; i++) sum += x[i] * y[i];
    return (sum + s[1]) + (s[2] + s[3]);
}

/// sum of |x[i]| y[i], likewise.
static inline double lia_sum_of_sizes(const double* x, const double* y, int n) {
    LiaFour s = {0.0}, v;
    LiaFourBits u;
    int i = 0;
    for (; i + 3 < n; i += 4) {
        memcpy(&u, x + i, sizeof u);
        memcpy(&v, y + i, sizeof v);
        u &= INT64_MAX;  // without its sign
        s += (LiaFour)u * v;
    }
    double sum = s[0];
    for (; i < n; i++) sum += __builtin_fabs(x[i]) * y[i];
    return (sum + s[1]) + (s[2] + s[3]);
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
double lia_dense_lu_factor(LiaLu* lu, int* weakest);
/// log2 |det A|; -inf where A is singular.
double lia_dense_lu_size(const LiaLu* lu);
/// Solve A x = b in place.
void lia_dense_lu_solve(const LiaLu* lu, double* b);

/// Cholesky M = L L^T in place (lower triangle); false where M is not positive definite (relative
/// to its diagonal).
bool lia_dense_cholesky(int n, double* M);
/// x <- L^-1 x and x <- L^-T x.
void lia_dense_forward(int n, const double* L, double* x);
void lia_dense_backward(int n, const double* L, double* x);

// A = U diag(s) V^T of an m x n matrix, s falling, r = min(m, n).
typedef struct LiaSvd {
    double* s;      // singular values                                   (r)
    double *U, *V;  // may be NULL                                       (m x r), (n x r)
    double* work;   // lia_dense_svd_work()
} LiaSvd;

/// One-sided Jacobi.
void lia_dense_svd(int m, int n, const double* A, LiaSvd out);
size_t lia_dense_svd_work(int m, int n);
