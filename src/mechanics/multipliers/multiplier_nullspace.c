// The null space of Omega^T and its matrix. See multiplier_nullspace.h.
// SPDX-License-Identifier: MIT
#include "mechanics/multipliers/multiplier_nullspace.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/independent.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool room(LiaSparse* A, int rows, int columns, size_t entries) {
    *A = (LiaSparse){.rows = rows, .columns = columns};
    A->start = lia_memory_zeros((size_t)rows + 1, sizeof *A->start);
    A->column = lia_memory_zeros(entries + 1, sizeof *A->column);
    A->value = lia_memory_zeros(entries + 1, sizeof *A->value);
    return A->start && A->column && A->value;
}

static void release(LiaSparse* A) {
    free(A->start);
    free(A->column);
    free(A->value);
}

static double omega(const LiaWorkspace* w, int entry) {
    return lia_jet_coefficient(&w->jets, w->dynamics->Omega_register[entry], 0);
}

// Rows of size 1, columns in units of sqrt(M), as where the active rows are chosen.
static void scale(LiaSparse* A, const double* size) {
    for (int c = 0; c < A->rows; c++) {
        double most = 0.0;
        for (int k = A->start[c]; k < A->start[c + 1]; k++) {
            A->value[k] /= size[A->column[k]];
            most = fmax(most, fabs(A->value[k]));
        }
        for (int k = A->start[c]; k < A->start[c + 1] && most > 0.0; k++) A->value[k] /= most;
    }
}

// Omega in these units, and its independent columns; the best come first.
static bool find_columns(LiaMultiplierNullspace* z, const LiaWorkspace* w, int rank_most) {
    const LiaPattern* Omega = &w->dynamics->Omega;
    int entries = Omega->start[z->nc];
    z->column_of = lia_memory_take(((size_t)z->nf + 1) * sizeof *z->column_of);
    double* size = lia_memory_take(((size_t)z->nf + 1) * sizeof *size);
    LiaElimination e = {0};
    bool ok = z->column_of && size && room(&z->Omega, z->nc, z->nf, (size_t)entries);
    for (int k = 0; ok && k < entries; k++) {
        z->Omega.column[k] = Omega->column[k];
        z->Omega.value[k] = omega(w, k);
    }
    for (int c = 0; ok && c <= z->nc; c++) z->Omega.start[c] = Omega->start[c];
    if (ok) lia_independent_columns(w, size);
    if (ok) scale(&z->Omega, size);
    ok = ok && lia_elimination_run(&z->Omega, LIA_OMEGA_RANK, LIA_ROWS_BY_SIZE, &e);
    z->rank = e.rank < rank_most ? e.rank : rank_most;
    for (int k = 0; ok && k < z->nf; k++) z->column_of[k] = -1;
    for (int k = 0; ok && k < z->rank; k++) z->column_of[e.column[k]] = k;
    lia_elimination_clear(&e);
    free(size);
    return ok;
}

// The rows [W Omega_C]; how many entries each column of Omega_C has is counted.
static void fill_upper(const LiaMultiplierNullspace* z, const LiaWorkspace* w, LiaSparse* A,
                       int* count) {
    const LiaPattern* Omega = &w->dynamics->Omega;
    int at = 0;
    for (int c = 0; c < z->nc; c++) {
        A->column[at] = c;
        A->value[at++] = lia_row_shown(w, c) ? 1.0 : 0.0;
        for (int e = Omega->start[c]; e < Omega->start[c + 1]; e++) {
            int j = z->column_of[Omega->column[e]];
            if (j < 0) continue;
            A->column[at] = z->nc + j;
            A->value[at++] = omega(w, e);
            count[j]++;
        }
        A->start[c + 1] = at;
    }
}

// The rows [Omega_C^T 0], from those above; next[j] is the length of row j.
static void fill_lower(const LiaMultiplierNullspace* z, LiaSparse* A, int* next) {
    int nc = z->nc;
    for (int j = 0; j < z->rank; j++) {
        A->start[nc + j + 1] = A->start[nc + j] + next[j];
        next[j] = A->start[nc + j];
    }
    for (int c = 0; c < nc; c++) {
        for (int e = A->start[c] + 1; e < A->start[c + 1]; e++) {
            int j = A->column[e] - nc;
            A->column[next[j]] = c;
            A->value[next[j]++] = A->value[e];
        }
    }
}

static bool factor(LiaMultiplierNullspace* z, const LiaWorkspace* w) {
    int N = z->nc + z->rank;
    size_t entries = 2 * (size_t)z->Omega.start[z->nc] + (size_t)z->nc;
    int* next = lia_memory_zeros((size_t)z->rank + 1, sizeof *next);
    z->b = lia_memory_zeros((size_t)N + 1, sizeof *z->b);
    bool ok = next && z->b && room(&z->A, N, N, entries) && lia_sparse_lu_init(&z->lu, N);
    if (ok) {
        fill_upper(z, w, &z->A, next);
        fill_lower(z, &z->A, next);
    }
    free(next);
    return ok && lia_sparse_lu_factor(&z->lu, &z->A, NULL) > LIA_SINGULAR_PIVOT;
}

bool lia_multiplier_nullspace_init(LiaMultiplierNullspace* z, const LiaWorkspace* w,
                                   int rank_most) {
    *z = (LiaMultiplierNullspace){.nc = w->nc, .nf = w->nf};
    return find_columns(z, w, rank_most) && factor(z, w);
}

void lia_multiplier_nullspace_clear(LiaMultiplierNullspace* z) {
    release(&z->Omega);
    release(&z->A);
    lia_sparse_lu_clear(&z->lu);
    free(z->column_of);
    free(z->b);
    memset(z, 0, sizeof *z);
}
