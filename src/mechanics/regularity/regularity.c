// The coupling condition in one number (Marle's regularity, Dazord's condition (C)).
//
// Rows of J and of Omega are made orthonormal in the metric of M^-1 (of (M + J^T W J)^-1 where M is
// singular: over the lengths of attitudes and directions where they alone have no inertia, so that
// the number is that of Euler angles, else over all rows); the smallest singular value of their
// product is 1 for ideal constraints and 0 for an operator that cannot act on what it is to govern.
//
// W is such that the number depends on no units, neither on those of coordinates nor on those of
// equations:
//   1/W_c = sum over k of J_ck^2/m_k,    m_k = M_kk, or the largest W_c J_ck^2 where that is 0,
// so that a coordinate without inertia has that of the coordinates it is tied to.
// SPDX-License-Identifier: MIT
#include "mechanics/regularity/regularity.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/workspace.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Room {  // for singular values
    double *rows, *s, *work;
} Room;

// Orthonormal rows spanning those of A L^-T: right singular vectors with singular value above
// `cut`. Returns the rank; V is n x r, r = min(m, n).
static int span(int m, int n, const double* A, const double* L, Room room, double* V) {
    double* rows = room.rows;
    double rounding = lia_independent_rounding(A, m, n);
    for (int c = 0; c < m; c++) {
        double entry = 0.0;
        for (int i = 0; i < n; i++) entry = fmax(entry, fabs(A[c * n + i]));
        if (entry <= rounding) {
            memset(rows + (size_t)c * (size_t)n, 0, (size_t)n * sizeof(double));
            continue;
        }
        memcpy(rows + (size_t)c * (size_t)n, A + (size_t)c * (size_t)n, (size_t)n * sizeof(double));
        lia_dense_forward(n, L, rows + (size_t)c * (size_t)n);  // (L^-1 A^T)^T = A L^-T
        double size = 0.0;
        for (int i = 0; i < n; i++) size = fmax(size, fabs(rows[c * n + i]));
        for (int i = 0; i < n && size > 0.0; i++) rows[c * n + i] /= size;
    }
    int r = m < n ? m : n;
    double* s = room.s;
    lia_dense_svd(m, n, rows, (LiaSvd){.s = s, .V = V, .work = room.work});
    int rank = 0;
    while (rank < r && s[rank] > LIA_REGULARITY_RANK * s[0]) rank++;
    return rank;
}

// The inertias of the coordinates; those of a rotation, which stand side by side, have the largest
// of theirs.
static void find_inertias(const LiaWorkspace* w, double* m) {
    const LiaModel* model = w->system->model;
    for (int k = 0, end; k < w->nf; k = end) {
        uint32_t group = model->coordinates[w->dynamics->free[k]].group;
        double most = 0.0;
        for (end = k; end < w->nf; end++) {
            if (end > k && (!group || model->coordinates[w->dynamics->free[end]].group != group))
                break;
            most = fmax(most, lia_workspace_inertia(w, end));
        }
        for (int i = k; i < end; i++) m[i] = most;
    }
}

// W_c = 1 / sum_k x_k^2/m_k by the inertias that are known; NAN if none is. Put together from
// m/x^2, so that an inertia of any size has a finite weight: the sum itself would be infinite where
// m is 1e-320.
static double weight_by(LiaEntries J, const double* m) {
    double most = 0.0, least = NAN, sum = 0.0;
    for (int k = 0; k < J.count; k++) most = fmax(most, fabs(J.value[k]));
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < J.count; k++) {
            double x = fabs(J.value[k]), inertia = m[lia_entry_column(&J, k)];
            if (!(inertia > 0.0) || !(x > LIA_ENTRY_WITHOUT_WEIGHT * most)) continue;
            double part = fmin(inertia / x / x, DBL_MAX);
            if (pass == 0) least = fmin(least, part);
            if (pass == 1) sum += part > least ? least / part : 1.0;
        }
    }
    return isnan(least) ? NAN : least / sum;
}

static double length_squared(const LiaWorkspace* w, int c) {
    LiaEntries J = lia_workspace_J(w, c);
    double sum = 0.0;
    for (int k = 0; k < J.count; k++) sum += J.value[k] * J.value[k];
    return sum;
}

// Coordinates without inertia get that of the rows that have a weight since the last pass.
static void hand_on(const LiaWorkspace* w, const double* W, bool* fresh, double* m, double* next) {
    memcpy(next, m, (size_t)w->nf * sizeof *m);
    for (int c = 0; c < w->nc; c++) {
        LiaEntries J = lia_workspace_J(w, c);
        for (int k = 0; fresh[c] && k < J.count; k++) {
            int i = lia_entry_column(&J, k);
            if (!(m[i] > 0.0)) next[i] = fmax(next[i], W[c] * J.value[k] * J.value[k]);
        }
        fresh[c] = false;
    }
    memcpy(m, next, (size_t)w->nf * sizeof *m);
}

bool lia_regularity_row_weights(const LiaWorkspace* w, double* W) {
    size_t n = (size_t)w->nf, nc = (size_t)w->nc;
    double* m = lia_memory_zeros(2 * n + 1, sizeof *m);
    bool* fresh = lia_memory_zeros(2 * nc + 1, sizeof *fresh);
    bool *weighed = fresh ? fresh + nc : NULL, ok = m && fresh, again = true;
    if (ok) find_inertias(w, m);
    for (int c = 0; c < w->nc; c++) W[c] = 0.0;
    while (ok && again) {  // each pass but the last weighs a row, and none is weighed twice
        again = false;
        int first = -1;  // of those that no inertia is tied to
        for (int c = 0; c < w->nc; c++) {
            double weight = weighed[c] ? NAN : weight_by(lia_workspace_J(w, c), m);
            if (!isnan(weight)) W[c] = weight, weighed[c] = fresh[c] = again = true;
            if (!weighed[c] && first < 0 && length_squared(w, c) > 0.0) first = c;
        }
        if (!again && first >= 0) {
            W[first] = 1.0 / length_squared(w, first);
            weighed[first] = fresh[first] = again = true;
        }
        hand_on(w, W, fresh, m, m + n);
    }
    free(m);
    free(fresh);
    return ok;
}

static void spread(LiaEntries row, double* full) {
    for (int k = 0; k < row.count; k++) full[lia_entry_column(&row, k)] = row.value[k];
}

static double of_arrays(const LiaWorkspace* w, const LiaWorkspace* whole);

// The same workspace with M, J and Omega as full arrays.
static double of_full(const LiaWorkspace* w) {
    size_t n = (size_t)w->nf, m = (size_t)w->nc;
    double* block = lia_memory_zeros(n * n + 2 * m * n + 1, sizeof *block);
    if (!block) return NAN;
    LiaWorkspace full = {.nf = w->nf, .nc = w->nc};
    full.saddle.M = block, full.saddle.J = block + n * n;
    full.saddle.Omega = full.saddle.J + m * n;
    for (size_t i = 0; i < n; i++) spread(lia_workspace_M(w, (int)i), full.saddle.M + i * n);
    for (size_t c = 0; c < m; c++) {
        spread(lia_workspace_J(w, (int)c), full.saddle.J + c * n);
        spread(lia_workspace_Omega(w, (int)c), full.saddle.Omega + c * n);
    }
    double number = of_arrays(&full, w);
    free(block);
    return number;
}

// No inertia is negative, in any direction; none at all is allowed.
static bool has_inertia(const LiaWorkspace* w) {
    size_t n = (size_t)w->nf;
    double* L = lia_memory_zeros(n * n, sizeof *L);
    if (!L) return false;
    for (size_t i = 0; i < n; i++) {
        spread(lia_workspace_M(w, (int)i), L + i * n);
        double own = L[i * n + i];
        L[i * n + i] = own != 0.0 ? own * (1.0 + LIA_INERTIA_LIFTED) : 1.0;
    }
    bool positive = lia_dense_cholesky(w->nf, L);
    free(L);
    return positive;
}

double lia_regularity(const LiaWorkspace* w) {
    enum { SMALL = 60, LARGE = 300 };
    int n = w->nf, m = w->nc;
    if (m == 0 || n == 0) return 1.0;
    if (w->system->phase.flow) return lia_regularity_phase(w);
    if (n + m > SMALL && lia_regularity_sparse_is_ideal(w)) return 1.0;
    if (n + m > LARGE) return lia_regularity_sparse(w);
    double number = lia_regularity_dense(w);
    // Where M and J^T W J are of very different sizes one is lost in their sum. The other way does
    // not add them up.
    if (!isnan(number) || !has_inertia(w)) return number;
    return lia_regularity_sparse_is_ideal(w) ? 1.0 : lia_regularity_sparse(w);
}

double lia_regularity_dense(const LiaWorkspace* w) {
    if (w->nc == 0 || w->nf == 0) return 1.0;
    return w->saddle.method->full ? of_arrays(w, w) : of_full(w);
}

bool lia_regularity_is_length(const LiaWorkspace* w, int c) {
    const LiaSystem* s = w->system;
    return s->model->constraints[s->rows[w->dynamics->rows[c]].constraint].internal;
}

// L <- the Cholesky factor of M + J^T W J, over lengths alone or over all rows. False where that is
// not positive.
static bool add_rows(const LiaWorkspace* w, const LiaWorkspace* whole, bool lengths, double* L) {
    int n = w->nf;
    double* W = lia_memory_zeros((size_t)w->nc, sizeof *W);
    bool ok = W && lia_regularity_row_weights(whole, W);
    memcpy(L, w->saddle.M, (size_t)n * (size_t)n * sizeof(double));
    for (int c = 0; ok && c < w->nc; c++) {
        if (lengths && !lia_regularity_is_length(whole, c)) continue;
        for (int i = 0; i < n; i++) {
            double x = W[c] * w->saddle.J[c * n + i];
            for (int k = 0; k < n; k++) L[i * n + k] += x * w->saddle.J[c * n + k];
        }
    }
    free(W);
    return ok && lia_dense_cholesky(n, L);
}

// M, J and Omega as full arrays; `whole` is the workspace they are of.
static double of_arrays(const LiaWorkspace* w, const LiaWorkspace* whole) {
    int n = w->nf, m = w->nc, r = m < n ? m : n;
    size_t N = (size_t)n, R = (size_t)r;
    size_t work = R + lia_dense_svd_work(m > n ? m : n, n);
    double* block =
        lia_memory_zeros(N * N + (size_t)m * N + 2 * N * R + R * R + R + work, sizeof(double));
    if (!block) return NAN;
    double *L = block, *rows = L + N * N, *VJ = rows + (size_t)m * N, *VO = VJ + N * R;
    double *product = VO + N * R, *s = product + R * R, *scratch = s + R;
    memcpy(L, w->saddle.M, N * N * sizeof(double));
    if (!lia_dense_cholesky(n, L) && !add_rows(w, whole, true, L) &&
        !add_rows(w, whole, false, L)) {  // not even then: the number has no meaning
        free(block);
        return NAN;
    }
    int rank_J = span(m, n, w->saddle.J, L, (Room){rows, s, scratch}, VJ);
    int rank_O = span(m, n, w->saddle.Omega, L, (Room){rows, s, scratch}, VO);
    double number = rank_J == 0 && rank_O == 0 ? 1.0 : 0.0;
    if (rank_J == rank_O && rank_J > 0) {
        for (int i = 0; i < rank_J; i++) {
            for (int k = 0; k < rank_J; k++) {
                double sum = 0.0;
                for (int x = 0; x < n; x++) sum += VJ[x * r + i] * VO[x * r + k];
                product[i * rank_J + k] = sum;
            }
        }
        lia_dense_svd(rank_J, rank_J, product, (LiaSvd){.s = s, .work = scratch});
        number = s[rank_J - 1];
        if (number > 1.0 - LIA_COUPLING_ONE) number = 1.0;
    }
    free(block);
    return number;
}
