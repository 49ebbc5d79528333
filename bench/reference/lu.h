// Dense LU with partial pivoting; n is a constant wherever it is inlined.
// SPDX-License-Identifier: MIT
#pragma once
#include "real.h"

/// A x = b for the n x n matrix A in row order. Both are overwritten, b with x.
static inline __attribute__((always_inline)) void lu_solve(int n, Real* A, Real* b) {
    for (int k = 0; k < n; k++) {
        int p = k;
        Real most = fabs(A[k * n + k]);
        for (int i = k + 1; i < n; i++) {
            Real size = fabs(A[i * n + k]);
            if (size > most) {
                most = size;
                p = i;
            }
        }
        if (p != k) {
            for (int j = k; j < n; j++) {
                Real x = A[k * n + j];
                A[k * n + j] = A[p * n + j];
                A[p * n + j] = x;
            }
            Real x = b[k];
            b[k] = b[p];
            b[p] = x;
        }
        Real inverse = 1 / A[k * n + k];
        for (int i = k + 1; i < n; i++) {
            Real f = A[i * n + k] * inverse;
            for (int j = k + 1; j < n; j++) A[i * n + j] -= f * A[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        Real sum = b[i];
        for (int j = i + 1; j < n; j++) sum -= A[i * n + j] * b[j];
        b[i] = sum / A[i * n + i];
    }
}
