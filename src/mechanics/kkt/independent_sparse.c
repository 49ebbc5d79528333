// Independent rows by sparse elimination, where there are many. See independent.c.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/elimination.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/kkt/independent.h"
#include <math.h>
#include <stdlib.h>

// All rows of J or Omega as a matrix of their own. False if memory is out.
static bool copy_rows(const LiaWorkspace* w, LiaEntries (*row_of)(const LiaWorkspace*, int),
                      LiaSparse* A) {
    int nc = w->nc, entries = 0;
    for (int c = 0; c < nc; c++) entries += row_of(w, c).count;
    *A = (LiaSparse){.rows = nc, .columns = w->nf};
    A->start = lia_memory_zeros((size_t)nc + 1, sizeof *A->start);
    A->column = lia_memory_zeros((size_t)entries + 1, sizeof *A->column);
    A->value = lia_memory_zeros((size_t)entries + 1, sizeof *A->value);
    if (!A->start || !A->column || !A->value) return false;
    for (int c = 0; c < nc; c++) {
        LiaEntries row = row_of(w, c);
        int at = A->start[c];
        A->start[c + 1] = at + row.count;
        for (int k = 0; k < row.count; k++) {
            A->column[at + k] = lia_entry_column(&row, k);
            A->value[at + k] = row.value[k];
        }
    }
    return true;
}

static void release(LiaSparse* A) {
    free(A->start);
    free(A->column);
    free(A->value);
}

static double rounding_of(const LiaSparse* A) {
    return lia_independent_rounding(A->value, 1, A->start[A->rows]);
}

// As prepare() in independent_dense.c, entry by entry.
static void prepare(const LiaWorkspace* w, const LiaRowChoice* choice, LiaSparse* A) {
    double rounding = rounding_of(A);
    for (int c = 0; c < A->rows; c++) {
        double entry = 0.0, sum = 0.0;
        for (int e = A->start[c]; e < A->start[c + 1]; e++) entry = fmax(entry, fabs(A->value[e]));
        bool none = lia_independent_chosen_none(w, choice, c, entry, rounding) ||
                    lia_relative_degree_is(w, c);
        for (int e = A->start[c]; e < A->start[c + 1]; e++) {
            A->value[e] = none ? 0.0 : A->value[e] / choice->size[A->column[e]];
            sum += A->value[e] * A->value[e];
        }
        double scale = fmax(choice->weight[c], LIA_WEIGHT_LEAST) / sqrt(sum);
        for (int e = A->start[c]; e < A->start[c + 1] && sum > 0.0; e++) A->value[e] *= scale;
    }
}

// Sparse elimination in place of orthogonalisation: what is left of a row is not its distance from
// the others, but zero where that is. False if memory is out.
bool lia_independent_sparse_take(const LiaWorkspace* w, const LiaRowChoice* choice, bool* taken) {
    LiaSparse A;
    LiaElimination e = {0};
    bool ok = copy_rows(w, choice->row, &A);
    if (ok) prepare(w, choice, &A);
    ok = ok && lia_elimination_run(&A, choice->margin, LIA_ROWS_BY_SIZE, &e);
    for (int k = 0; ok && k < e.rank && k < choice->rank_most; k++) taken[e.row[k]] = true;
    lia_elimination_clear(&e);
    release(&A);
    return ok;
}

size_t lia_independent_sparse_scratch(const LiaDynamics* d) {
    (void)d;  // elimination makes its own
    return 0;
}
