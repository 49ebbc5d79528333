// Multipliers of least norm for large systems: mu without its part in {nu : Omega^T nu = 0}.
//
// With C a largest set of independent columns of Omega, and W 1 for the equations of the model and 0 for those that
// the program added itself, that part is nu in
//
//   [W Omega_C; Omega_C^T 0] (nu, y) = (W mu, 0)
//
// A multiplier is unique where that set of nu has nothing: seen from two vectors picked at random.
// SPDX-License-Identifier: MIT
#include "workspace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Least {
    int nc, nf, rank;
    LiaSparse Omega, A;
    int* column_of;  // column of Omega -> its place in C, -1
    LiaSparseLu lu;
    double* b;  // (nc + rank)
} Least;

static bool room(LiaSparse* A, int rows, int columns, size_t entries) {
    *A = (LiaSparse){.rows = rows, .columns = columns};
    A->start = calloc((size_t)rows + 1, sizeof *A->start);
    A->column = calloc(entries + 1, sizeof *A->column);
    A->value = calloc(entries + 1, sizeof *A->value);
    return A->start && A->column && A->value;
}

static void release(LiaSparse* A) {
    free(A->start);
    free(A->column);
    free(A->value);
}

// Omega with rows and columns of size 1, and its independent columns.
static bool find_columns(Least* z, const LiaWorkspace* w) {
    size_t entries = 0;
    for (int c = 0; c < z->nc; c++) entries += (size_t)lia_mechanics_Omega(w, c).count;
    z->column_of = malloc(((size_t)z->nf + 1) * sizeof *z->column_of);
    double* scales = malloc(((size_t)z->nc + (size_t)z->nf + 1) * sizeof *scales);
    LiaElimination e = {0};
    bool ok = z->column_of && scales && room(&z->Omega, z->nc, z->nf, entries);
    for (int c = 0; ok && c < z->nc; c++) {
        LiaEntries row = lia_mechanics_Omega(w, c);
        int at = z->Omega.start[c];
        for (int k = 0; k < row.count; k++) {
            z->Omega.column[at + k] = lia_entry_column(&row, k);
            z->Omega.value[at + k] = row.value[k];
        }
        z->Omega.start[c + 1] = at + row.count;
    }
    if (ok) lia_sparse_scale(&z->Omega, scales, scales + z->nc);
    ok = ok && lia_eliminate(&z->Omega, 1e-11, 0.5, &e);
    for (int k = 0; ok && k < z->nf; k++) z->column_of[k] = -1;
    for (int k = 0; ok && k < e.rank; k++) z->column_of[e.column[k]] = k;
    z->rank = e.rank;
    lia_elimination_clear(&e);
    free(scales);
    return ok;
}

static bool factor(Least* z, const LiaWorkspace* w) {
    int nc = z->nc, N = nc + z->rank, at = 0;
    size_t entries = 2 * (size_t)z->Omega.start[nc] + (size_t)nc;
    int* next = calloc((size_t)z->rank + 1, sizeof *next);
    z->b = calloc((size_t)N + 1, sizeof *z->b);
    bool ok = next && z->b && room(&z->A, N, N, entries) && lia_sparse_lu_init(&z->lu, N);
    if (!ok) {
        free(next);
        return false;
    }
    LiaSparse* A = &z->A;
    for (int c = 0; c < nc; c++) {
        A->column[at] = c;
        A->value[at++] = lia_row_shown(w, c) ? 1.0 : 0.0;
        LiaEntries row = lia_mechanics_Omega(w, c);
        for (int k = 0; k < row.count; k++) {
            int j = z->column_of[lia_entry_column(&row, k)];
            if (j < 0) continue;
            A->column[at] = nc + j;
            A->value[at++] = row.value[k];
            next[j]++;
        }
        A->start[c + 1] = at;
    }
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
    free(next);
    return lia_sparse_lu_factor(&z->lu, A, NULL) > 1e-14;
}

// The part of the first nc numbers of b that Omega^T does not see, in their place.
static void unseen_part(Least* z, const LiaWorkspace* w) {
    for (int c = 0; c < z->nc; c++) {
        if (!lia_row_shown(w, c)) z->b[c] = 0.0;
    }
    memset(z->b + z->nc, 0, (size_t)z->rank * sizeof *z->b);
    lia_sparse_lu_solve(&z->lu, z->b);
}

bool lia_least_norm_sparse(LiaWorkspace* w) {
    Least z = {.nc = w->nc, .nf = w->nf};
    const uint32_t* rows = w->dynamics->rows;
    bool ok = find_columns(&z, w) && factor(&z, w);
    double size = 0.0;
    if (ok) {
        for (int c = 0; c < z.nc; c++) z.b[c] = w->mu[rows[c]];
        unseen_part(&z, w);
        for (int c = 0; c < z.nc; c++) {
            w->mu[rows[c]] -= z.b[c];
            w->unique[rows[c]] = true;
            size = fmax(size, fabs(w->mu[rows[c]]));
        }
        uint64_t seed = 1;
        for (int pass = 0; pass < 2; pass++) {
            for (int c = 0; c < z.nc; c++) z.b[c] = lia_mechanics_any(&seed);
            unseen_part(&z, w);
            for (int c = 0; c < z.nc; c++) {
                bool shared = fabs(z.b[c]) > 1e-6 && lia_row_shown(w, c);
                if (shared) w->unique[rows[c]] = false;
                w->other[rows[c]] = w->mu[rows[c]];
                if (shared) w->other[rows[c]] += (size > 0.0 ? size : 1.0) * z.b[c];
            }
        }
    }
    release(&z.Omega);
    release(&z.A);
    lia_sparse_lu_clear(&z.lu);
    free(z.column_of);
    free(z.b);
    return ok;
}
