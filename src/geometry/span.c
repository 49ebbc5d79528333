// Spans of rows. See span.h.
// SPDX-License-Identifier: MIT
#include "span.h"
#include "../base/dense.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double cut = 1e-9;  // relative: below this a singular value is rounding

// Q^T of a set of rows: A = L Q^T with the rows reflected one by one onto the first axes, the longest that is
// left first. The first `rank` columns of Q span the rows, the others are orthogonal to them.
typedef struct Reflections {
    double*
        rows;  // A scaled to rows of size 1; row k becomes the k-th mirror, entries k and on   (m x n)
    int rank;
    int n;
} Reflections;

static double length_from(const double* row, int from, int n) {
    double sum = 0.0;
    for (int i = from; i < n; i++) sum += row[i] * row[i];
    return sqrt(sum);
}

// x becomes its mirror image: x - u (u x), u of length sqrt(2), over the entries `from` and on.
static void reflect(const double* u, int from, int n, double* x) {
    double dot = 0.0;
    for (int i = from; i < n; i++) dot += u[i] * x[i];
    for (int i = from; i < n; i++) x[i] -= dot * u[i];
}

static bool decompose(int m, int n, const double* A, Reflections* out) {
    size_t N = (size_t)n;
    double* B = calloc((size_t)m * N + N + 1, sizeof *B);
    if (!B) return false;
    double* spare = B + (size_t)m * N;
    for (int i = 0; i < m; i++) {
        double size = 0.0;
        for (int k = 0; k < n; k++) size = fmax(size, fabs(A[i * n + k]));
        for (int k = 0; k < n && size > 0.0; k++) B[i * n + k] = A[i * n + k] / size;
    }
    int rank = 0;
    for (; rank < m && rank < n; rank++) {
        int best = rank;
        double most = -1.0;
        for (int i = rank; i < m; i++) {
            double length = length_from(B + (size_t)i * N, rank, n);
            if (length > most) most = length, best = i;
        }
        if (!(most > cut)) break;
        double* u = B + (size_t)rank * N;
        memcpy(spare, B + (size_t)best * N, N * sizeof *spare);
        memcpy(B + (size_t)best * N, u, N * sizeof *spare);
        memcpy(u, spare, N * sizeof *spare);
        u[rank] += copysign(most, u[rank]);
        double scale = sqrt(2.0) / length_from(u, rank, n);
        for (int i = rank; i < n; i++) u[i] *= scale;
        for (int i = rank + 1; i < m; i++) reflect(u, rank, n, B + (size_t)i * N);
    }
    *out = (Reflections){B, rank, n};
    return true;
}

int lia_span_rank(int m, int n, const double* A) {
    Reflections Q;
    if (!decompose(m, n, A, &Q)) return -1;
    free(Q.rows);
    return Q.rank;
}

int lia_span_kernel(int m, int n, const double* A, double* basis) {
    Reflections Q;
    if (!decompose(m, n, A, &Q)) return -1;
    int count = n - Q.rank;
    for (int j = 0; j < count; j++) {
        double* x = basis + (size_t)j * (size_t)n;
        memset(x, 0, (size_t)n * sizeof *x);
        x[Q.rank + j] = 1.0;
        for (int k = Q.rank - 1; k >= 0; k--) reflect(Q.rows + (size_t)k * (size_t)n, k, n, x);
    }
    free(Q.rows);
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
    Reflections Q;
    if (!decompose(m, n, A, &Q)) return false;
    double* y = malloc(((size_t)n + 1) * sizeof *y);
    double most = y ? 0.0 : INFINITY;
    if (y) {  // the part of x along the directions that A leaves out
        memcpy(y, x, (size_t)n * sizeof *y);
        for (int k = 0; k < Q.rank; k++) reflect(Q.rows + (size_t)k * (size_t)n, k, n, y);
        most = length_from(y, Q.rank, n);
    }
    free(y);
    free(Q.rows);
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
