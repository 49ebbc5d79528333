// Multipliers of rows that depend on each other are not unique: mu is determined up to {nu :
// Omega^T nu = 0}. Reported are those of least norm; unique are the combinations c mu with c in the
// span of Omega's columns.
//
// Multipliers of equations that the program added itself (the lengths of quaternions) are not
// counted: W is 0 for them and 1 for all others, and the norm is mu W mu.
//
// Of contacts those of least norm may pull, or be beyond the bounds of friction, though others are
// not: then their distance from multipliers that are preferred is least, mu - mu_0 in place of mu.
//
// The rows of Omega that count, less what the others span, and a basis of their columns: mu - N N^T
// mu, N orthonormal. For large systems: min_norm_sparse.c. As series, for the works:
// min_norm_series.c.
// SPDX-License-Identifier: MIT
#include "mechanics/multipliers/min_norm.h"
#include "base/memory/memory.h"
#include "base/numeric/qr.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/workspace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double dot(const double* x, const double* y, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

// Rows of A that count are made orthogonal to those that do not, and these become 0.
static void leave_out_internal(const LiaWorkspace* w, double* A) {
    int n = w->nf;
    for (int c = 0; c < w->nc; c++) {
        double* row = A + (size_t)c * (size_t)n;
        double square = lia_row_shown(w, c) ? 0.0 : dot(row, row, n);
        for (int e = 0; square > 0.0 && e < w->nc; e++) {
            double* other = A + (size_t)e * (size_t)n;
            if (e == c || (e < c && !lia_row_shown(w, e))) continue;
            double part = dot(other, row, n) / square;
            for (int i = 0; part != 0.0 && i < n; i++) other[i] -= part * row[i];
        }
    }
    for (int c = 0; c < w->nc; c++) {
        if (!lia_row_shown(w, c)) memset(A + (size_t)c * (size_t)n, 0, (size_t)n * sizeof *A);
    }
}

// Columns in units of sqrt(M), rows of length 1; their lengths go to `length` (nc). What counts as
// a force does not depend on units.
static void measure(const LiaWorkspace* w, double* A, double* size, double* length) {
    int n = w->nf;
    lia_independent_columns(w, size);
    for (int c = 0; c < w->nc; c++) {
        double* row = A + (size_t)c * (size_t)n;
        for (int i = 0; i < n; i++) row[i] /= size[i];
        double own = sqrt(dot(row, row, n));
        length[c] = own > 0.0 && isfinite(own) ? own : 1.0;
        for (int i = 0; i < n; i++) row[i] /= length[c];
    }
}

// An orthonormal basis of the span of Omega's columns, *rank rows of nc; to be freed. NULL if
// memory is out. The part of each multiplier that is unique, where they are measured by their
// forces, goes to `kept` (nc), which may be NULL.
static double* basis_of(const LiaWorkspace* w, int* rank, double* kept) {
    size_t m = (size_t)w->nc, n = (size_t)w->nf;
    double* U = lia_memory_zeros(2 * m * n + m + n + 1, sizeof *U);
    if (!U) return NULL;
    double *A = U + m * n, *length = A + m * n;
    for (int c = 0; c < w->nc; c++) {
        LiaEntries row = lia_workspace_Omega(w, c);
        for (int k = 0; k < row.count; k++) A[c * w->nf + lia_entry_column(&row, k)] = row.value[k];
    }
    leave_out_internal(w, A);
    measure(w, A, length + m, length);
    for (size_t c = 0; c < m; c++) {
        for (size_t i = 0; i < n; i++) U[i * m + c] = A[c * n + i];
    }
    *rank = lia_qr_basis(w->nf, w->nc, U, LIA_OMEGA_RANK);
    // As many forces as rows: where there are more, nothing decides, and that is reported.
    if (w->forces.method->rows_rest && *rank > w->nr) *rank = w->nr;
    for (size_t k = 0; k < (size_t)*rank * m; k++) {
        if (kept) kept[k % m] += U[k] * U[k];
        U[k] *= length[k % m];
    }
    *rank = lia_qr_basis(*rank, w->nc, U, 0.0);
    return U;
}

// The part of x in the span of the rows of U.
static void part_in(const double* U, int rank, int nc, const double* x, double* part) {
    for (int j = 0; j < rank; j++) {
        const double* u = U + (size_t)j * (size_t)nc;
        double along = dot(u, x, nc);
        for (int c = 0; c < nc; c++) part[c] += u[c] * along;
    }
}

void lia_min_norm_multipliers(LiaWorkspace* w) {
    if (!w->saddle.method->full && lia_min_norm_sparse(w)) return;
    int nc = w->nc, rank;
    const uint32_t* rows = w->dynamics->rows;
    double* part = lia_memory_zeros(5 * (size_t)nc + 1, sizeof *part);
    double* U = part ? basis_of(w, &rank, part + nc) : NULL;
    if (!U) {
        free(part);
        return;
    }
    double *kept = part + nc, *mu = kept + nc, *any = mu + nc, *any_part = any + nc;
    uint64_t seed = 1;
    for (int c = 0; c < nc; c++) {
        mu[c] = w->mu[rows[c]] - lia_min_norm_preferred(w, c, 0);
        any[c] = lia_row_shown(w, c) ? lia_random_generic(&seed) : 0.0;
    }
    part_in(U, rank, nc, mu, part);
    part_in(U, rank, nc, any, any_part);
    double size = 0.0;
    for (int c = 0; c < nc; c++) {
        w->unique[rows[c]] = !lia_row_shown(w, c) || fabs(kept[c] - 1.0) < LIA_UNIQUE_MULTIPLIER;
        if (lia_row_shown(w, c)) w->mu[rows[c]] = lia_min_norm_preferred(w, c, 0) + part[c];
        size = fmax(size, fabs(w->mu[rows[c]]));
    }
    for (int c = 0; c < nc; c++) {
        double change = w->unique[rows[c]] ? 0.0 : any[c] - any_part[c];
        w->other[rows[c]] = w->mu[rows[c]] + (size > 0.0 ? size : 1.0) * change;
    }
    free(part);
    free(U);
}

// --- which combinations are unique --------------------------------------------------------------

// Reduced row echelon form of the m x n matrix B; returns the rank.
static int reduce(int m, int n, double* B) {
    int rank = 0;
    for (int col = 0; col < n && rank < m; col++) {
        int best = rank;
        for (int i = rank; i < m; i++) {
            if (fabs(B[i * n + col]) > fabs(B[best * n + col])) best = i;
        }
        double pivot = B[best * n + col];
        if (fabs(pivot) < LIA_ECHELON_PIVOT) continue;
        for (int k = 0; k < n; k++) {
            double x = B[best * n + k] / pivot;
            B[best * n + k] = B[rank * n + k];
            B[rank * n + k] = x;
        }
        for (int i = 0; i < m; i++) {
            double factor = B[i * n + col];
            if (i == rank || factor == 0.0) continue;
            for (int k = 0; k < n; k++) B[i * n + k] -= factor * B[rank * n + k];
        }
        rank++;
    }
    for (int i = 0; i < m * n; i++) {
        double whole = round(B[i]);
        if (fabs(B[i] - whole) < LIA_ECHELON_WHOLE) B[i] = whole;
    }
    return rank;
}

int lia_min_norm_combinations(const LiaWorkspace* w, double* basis) {
    enum { READABLE = 120 };  // of more than so many rows nobody wants the combinations
    if (w->nc > READABLE) return 0;
    int nc = w->nc, rank;
    double* U = basis_of(w, &rank, NULL);
    if (!U) return 0;
    for (int j = 0; j < rank; j++) {
        for (int c = 0; c < nc; c++) {
            bool alone = w->unique[w->dynamics->rows[c]];  // its unit vector is in the span
            basis[j * nc + c] = alone ? 0.0 : U[j * nc + c];
        }
    }
    free(U);
    return reduce(rank, nc, basis);
}
