// Linear equations by Gauss with row pivoting, written down again for tests: what is tested has
// methods of its own.
// SPDX-License-Identifier: MIT
#pragma once
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { GAUSS_MOST = 24 };

/// Solve A x = b by elimination with row pivoting, in place: A has m rows at distances of `stride`,
/// b becomes x. False where a pivot is not above `least`.
static inline bool gauss_solve_in_place(int m, int stride, double* A, double* b, double least) {
    for (int k = 0; k < m; k++) {
        int p = k;
        double* row = A + k * stride;
        for (int i = k + 1; i < m; i++)
            p = fabs(A[i * stride + k]) > fabs(A[p * stride + k]) ? i : p;
        if (!(fabs(A[p * stride + k]) > least)) return false;
        for (int j = 0; j < m; j++) {
            double keep = row[j];
            row[j] = A[p * stride + j], A[p * stride + j] = keep;
        }
        double keep = b[k];
        b[k] = b[p], b[p] = keep;
        for (int i = k + 1; i < m; i++) {
            double f = A[i * stride + k] / row[k];
            for (int j = k; j < m; j++) A[i * stride + j] -= f * row[j];
            b[i] -= f * b[k];
        }
    }
    for (int k = m - 1; k >= 0; k--) {
        for (int j = k + 1; j < m; j++) b[k] -= A[k * stride + j] * b[j];
        b[k] /= A[k * stride + k];
    }
    return true;
}

/// Solve A x = b (n x n, row major) into x. False where A is singular.
static inline bool gauss_solve(int n, const double* A, const double* b, double* x) {
    double T[GAUSS_MOST * GAUSS_MOST];
    memcpy(T, A, (size_t)(n * n) * sizeof(double));
    memcpy(x, b, (size_t)n * sizeof(double));
    return gauss_solve_in_place(n, n, T, x, 0.0);
}

/// y = A x (m x n), or A^T x where `transposed`.
static inline void gauss_times(int m, int n, const double* A, bool transposed, const double* x,
                               double* y) {
    for (int i = 0; i < (transposed ? n : m); i++) {
        y[i] = 0.0;
        for (int k = 0; k < (transposed ? m : n); k++)
            y[i] += (transposed ? A[k * n + i] : A[i * n + k]) * x[k];
    }
}
