// Spans of rows. See span.h.
// SPDX-License-Identifier: MIT
#include "span.h"
#include "../base/dense.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double cut = 1e-9;  // relative: below this a singular value is rounding

// Rows of size 1 in a matrix of at least n rows (so that V is complete); returns singular values s and V
// (n x n) in one block to be freed, NULL if memory is out.
static double* decompose(int m, int n, const double* A, double** s, double** V) {
    int rows = m > n ? m : n;
    size_t N = (size_t)n, R = (size_t)rows;
    double* block = calloc(R * N + N + N * N + lia_svd_work(rows, n) + 1, sizeof *block);
    if (!block) return NULL;
    double* B = block;
    *s = B + R * N;
    *V = *s + N;
    for (int i = 0; i < m; i++) {
        double size = 0.0;
        for (int k = 0; k < n; k++) size = fmax(size, fabs(A[i * n + k]));
        for (int k = 0; k < n && size > 0.0; k++) B[i * n + k] = A[i * n + k] / size;
    }
    lia_svd(rows, n, B, *s, NULL, *V, *V + N * N);
    return block;
}

int lia_span_rank(int m, int n, const double* A) {
    double *s, *V, *block = decompose(m, n, A, &s, &V);
    if (!block) return -1;
    int rank = 0;
    while (rank < n && s[rank] > cut) rank++;
    free(block);
    return rank;
}

int lia_span_kernel(int m, int n, const double* A, double* basis) {
    double *s, *V, *block = decompose(m, n, A, &s, &V);
    if (!block) return -1;
    int count = 0;
    for (int j = 0; j < n; j++) {
        if (s[j] > cut) continue;
        for (int i = 0; i < n; i++) basis[count * n + i] = V[i * n + j];
        count++;
    }
    free(block);
    return count;
}

bool lia_span_same(int m, const double* A, int k, const double* B, int n) {
    size_t N = (size_t)n, P = (size_t)m, Q = (size_t)k;
    double* both = malloc(((P + Q) * N + 1) * sizeof *both);
    if (!both) return false;
    memcpy(both, A, P * N * sizeof *both);
    memcpy(both + P * N, B, Q * N * sizeof *both);
    int rank = lia_span_rank(m + k, n, both);
    bool same = rank >= 0 && rank == lia_span_rank(m, n, A) && rank == lia_span_rank(k, n, B);
    free(both);
    return same;
}

bool lia_span_holds(int m, const double* A, int n, const double* x, double scale) {
    double *s, *V, *block = decompose(m, n, A, &s, &V);
    if (!block) return false;
    // the part of x along the directions that A leaves out
    double most = 0.0;
    for (int j = 0; j < n; j++) {
        if (s[j] > cut) continue;
        double sum = 0.0;
        for (int i = 0; i < n; i++) sum += V[i * n + j] * x[i];
        most = fmax(most, fabs(sum));
    }
    free(block);
    return most <= cut * scale;
}

// Rows of A L^-T of size 1, then an orthonormal basis of their span in the columns of V; its rank.
static int orthonormal(int m, int n, const double* A, const double* L, double* rows, double* s,
                       double* V, double* work) {
    for (int c = 0; c < m; c++) {
        double* row = rows + (size_t)c * (size_t)n;
        memcpy(row, A + (size_t)c * (size_t)n, (size_t)n * sizeof *row);
        lia_forward(n, L, row);
        double size = 0.0;
        for (int i = 0; i < n; i++) size = fmax(size, fabs(row[i]));
        for (int i = 0; i < n && size > 0.0; i++) row[i] /= size;
    }
    int r = m < n ? m : n, rank = 0;
    lia_svd(m, n, rows, s, NULL, V, work);
    while (rank < r && s[rank] > 1e-11 * s[0]) rank++;
    return rank;
}

double lia_span_coupling(int n, const double* M, int k, const double* J, const double* F) {
    int r = k < n ? k : n;
    if (r == 0) return 1.0;
    size_t N = (size_t)n, K = (size_t)k, R = (size_t)r;
    double* block = calloc(N * N + K * N + 2 * N * R + R * R + R + lia_svd_work(k > n ? k : n, n),
                           sizeof *block);
    if (!block) return NAN;
    double *L = block, *rows = L + N * N, *VJ = rows + K * N, *VF = VJ + N * R;
    double *product = VF + N * R, *s = product + R * R, *work = s + R;
    memcpy(L, M, N * N * sizeof *L);
    bool definite = lia_cholesky(n, L);
    if (!definite) {
        memcpy(L, M, N * N * sizeof *L);
        for (int c = 0; c < k; c++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) L[i * n + j] += J[c * n + i] * J[c * n + j];
            }
        }
        definite = lia_cholesky(n, L);
    }
    double number = definite ? 0.0 : NAN;
    if (definite) {
        int a = orthonormal(k, n, J, L, rows, s, VJ, work);
        int b = orthonormal(k, n, F, L, rows, s, VF, work);
        if (a == b && a > 0) {
            for (int i = 0; i < a; i++) {
                for (int j = 0; j < a; j++) {
                    double sum = 0.0;
                    for (int x = 0; x < n; x++) sum += VJ[x * r + i] * VF[x * r + j];
                    product[i * a + j] = sum;
                }
            }
            lia_svd(a, a, product, s, NULL, NULL, work);
            number = s[a - 1];
        }
    }
    free(block);
    return number;
}
