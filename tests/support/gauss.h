// Linear equations by Gauss with row pivoting, written down again for tests: what is tested has
// methods of its own.
// SPDX-License-Identifier: MIT
#pragma once
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { GAUSS_MOST = 24 };

/// Solve A x = b (n x n, row major) into x. False where A is singular.
static inline bool gauss_solve(int n, const double* A, const double* b, double* x) {
    double T[GAUSS_MOST][GAUSS_MOST + 1];
    for (int i = 0; i < n; i++) {
        memcpy(T[i], A + (size_t)i * (size_t)n, (size_t)n * sizeof(double));
        T[i][n] = b[i];
    }
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++) p = fabs(T[i][k]) > fabs(T[p][k]) ? i : p;
        if (!(fabs(T[p][k]) > 0.0)) return false;
        for (int j = k; j <= n; j++) {
            double keep = T[k][j];
            T[k][j] = T[p][j], T[p][j] = keep;
        }
        for (int i = k + 1; i < n; i++) {
            double f = T[i][k] / T[k][k];
            for (int j = k; j <= n; j++) T[i][j] -= f * T[k][j];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        x[k] = T[k][n];
        for (int j = k + 1; j < n; j++) x[k] -= T[k][j] * x[j];
        x[k] /= T[k][k];
    }
    return true;
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
