// The coupling condition in one number (Marle's regularity, Dazord's condition (C)).
//
// Rows of J and of Omega are made orthonormal in the metric of M^-1 (of (M + J^T J)^-1 where M is
// singular); the smallest singular value of their product is 1 for ideal constraints and 0 for an
// operator that cannot act on what it is to govern.
// SPDX-License-Identifier: MIT
#include "workspace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Orthonormal rows spanning those of A L^-T: right singular vectors with singular value above `cut`.
// Returns the rank; V is n x r, r = min(m, n).
static int span(int m, int n, const double* A, const double* L, double* rows, double* V,
                double* work) {
    double rounding = lia_rows_rounding(A, m, n);
    for (int c = 0; c < m; c++) {
        double entry = 0.0;
        for (int i = 0; i < n; i++) entry = fmax(entry, fabs(A[c * n + i]));
        if (entry <= rounding) {
            memset(rows + (size_t)c * (size_t)n, 0, (size_t)n * sizeof(double));
            continue;
        }
        memcpy(rows + (size_t)c * (size_t)n, A + (size_t)c * (size_t)n, (size_t)n * sizeof(double));
        lia_forward(n, L, rows + (size_t)c * (size_t)n);  // (L^-1 A^T)^T = A L^-T
        double size = 0.0;
        for (int i = 0; i < n; i++) size = fmax(size, fabs(rows[c * n + i]));
        for (int i = 0; i < n && size > 0.0; i++) rows[c * n + i] /= size;
    }
    int r = m < n ? m : n;
    double* s = work;
    lia_svd(m, n, rows, s, NULL, V, work + r);
    int rank = 0;
    while (rank < r && s[rank] > 1e-11 * s[0]) rank++;
    return rank;
}

static void spread(LiaEntries row, double* full) {
    for (int k = 0; k < row.count; k++) full[lia_entry_column(&row, k)] = row.value[k];
}

// The same workspace with M, J and Omega as full arrays.
static double of_full(const LiaWorkspace* w) {
    size_t n = (size_t)w->nf, m = (size_t)w->nc;
    double* block = calloc(n * n + 2 * m * n + 1, sizeof *block);
    if (!block) return NAN;
    LiaWorkspace full = {
        .nf = w->nf, .nc = w->nc, .M = block, .J = block + n * n, .Omega = block + n * n + m * n};
    for (size_t i = 0; i < n; i++) spread(lia_mechanics_M(w, (int)i), full.M + i * n);
    for (size_t c = 0; c < m; c++) {
        spread(lia_mechanics_J(w, (int)c), full.J + c * n);
        spread(lia_mechanics_Omega(w, (int)c), full.Omega + c * n);
    }
    double number = lia_mechanics_regularity_dense(&full);
    free(block);
    return number;
}

// No inertia is negative, in any direction; none at all is allowed.
static bool has_inertia(const LiaWorkspace* w) {
    size_t n = (size_t)w->nf;
    double* L = calloc(n * n, sizeof *L);
    if (!L) return false;
    for (size_t i = 0; i < n; i++) {
        spread(lia_mechanics_M(w, (int)i), L + i * n);
        double own = L[i * n + i];
        L[i * n + i] = own != 0.0 ? own * (1.0 + 1e-9) : 1.0;
    }
    bool positive = lia_cholesky(w->nf, L);
    free(L);
    return positive;
}

double lia_mechanics_regularity(const LiaWorkspace* w) {
    enum { SMALL = 60, LARGE = 300 };
    int n = w->nf, m = w->nc;
    if (m == 0 || n == 0) return 1.0;
    if (n + m > SMALL && lia_mechanics_is_ideal(w)) return 1.0;
    if (n + m > LARGE) return lia_mechanics_regularity_sparse(w);
    double number = lia_mechanics_regularity_dense(w);
    // In units in which J is huge beside it M is lost in M + J^T J. The other way does not add them up.
    if (!isnan(number) || !has_inertia(w)) return number;
    return lia_mechanics_is_ideal(w) ? 1.0 : lia_mechanics_regularity_sparse(w);
}

double lia_mechanics_regularity_dense(const LiaWorkspace* w) {
    int n = w->nf, m = w->nc, r = m < n ? m : n;
    if (m == 0 || n == 0) return 1.0;
    if (w->saddle) return of_full(w);
    size_t N = (size_t)n, R = (size_t)r;
    size_t work = R + lia_svd_work(m > n ? m : n, n);
    double* block = calloc(N * N + (size_t)m * N + 2 * N * R + R * R + R + work, sizeof(double));
    if (!block) return NAN;
    double *L = block, *rows = L + N * N, *VJ = rows + (size_t)m * N, *VO = VJ + N * R;
    double *product = VO + N * R, *s = product + R * R, *scratch = s + R;
    memcpy(L, w->M, N * N * sizeof(double));
    if (!lia_cholesky(n, L)) {
        memcpy(L, w->M, N * N * sizeof(double));
        for (int c = 0; c < m; c++) {
            for (int i = 0; i < n; i++) {
                for (int k = 0; k < n; k++) L[i * n + k] += w->J[c * n + i] * w->J[c * n + k];
            }
        }
        if (!lia_cholesky(n, L)) {  // not even then positive: the number has no meaning
            free(block);
            return NAN;
        }
    }
    int rank_J = span(m, n, w->J, L, rows, VJ, scratch);
    int rank_O = span(m, n, w->Omega, L, rows, VO, scratch);
    double number = rank_J == 0 && rank_O == 0 ? 1.0 : 0.0;
    if (rank_J == rank_O && rank_J > 0) {
        for (int i = 0; i < rank_J; i++) {
            for (int k = 0; k < rank_J; k++) {
                double sum = 0.0;
                for (int x = 0; x < n; x++) sum += VJ[x * r + i] * VO[x * r + k];
                product[i * rank_J + k] = sum;
            }
        }
        lia_svd(rank_J, rank_J, product, s, NULL, NULL, scratch);
        number = s[rank_J - 1];
        if (number > 1.0 - 1e-14) number = 1.0;
    }
    free(block);
    return number;
}
