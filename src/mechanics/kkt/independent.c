// Rows that depend on each other: which to keep in K0.
//
// All rows are kept for residuals. Independent ones are selected by orthogonalisation with pivoting, or
// by sparse elimination where there are many; the others follow from them. What their multipliers mean then: min_norm.c.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/workspace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

double lia_independent_rounding(const double* A, int m, int n) {
    double most = 0.0;
    for (size_t i = 0; i < (size_t)m * (size_t)n; i++) most = fmax(most, fabs(A[i]));
    return LIA_ENTRY_ROUNDING * most;
}

// The square roots of the inertias that measure the columns. The quaternion of a rotation has none along itself, so that
// each of its numbers has none at some attitude: its coordinates, which stand side by side, share the largest of theirs.
void lia_independent_columns(const LiaWorkspace* w, double* size) {
    const LiaModel* model = w->system->model;
    for (int k = 0, end; k < w->nf; k = end) {
        uint32_t group = model->coordinates[w->dynamics->free[k]].group;
        double mass = 0.0;
        for (end = k; end < w->nf; end++) {
            if (end > k && (!group || model->coordinates[w->dynamics->free[end]].group != group))
                break;
            mass = fmax(mass, lia_workspace_inertia(w, end));
        }
        for (int i = k; i < end; i++) size[i] = mass > 0.0 ? sqrt(mass) : 1.0;
    }
}

// Size of each row, in units of sqrt(M), over that of the largest of the same constraint. The rows of a vector
// equation have one unit: where they say the same, as sin(theta) f = 0 and cos(theta) f = 0, the larger one
// says it better. Those of a joint of bodies are lengths and angles, of unit size each: none is larger.
static void row_weights(const LiaWorkspace* w, double* weight, double* size) {
    int nc = w->nc;
    lia_independent_columns(w, size);
    for (int c = 0; c < nc; c++) {
        LiaEntries J = lia_workspace_J(w, c);
        double sum = 0.0;
        for (int k = 0; k < J.count; k++) {
            double x = J.value[k] / size[lia_entry_column(&J, k)];
            sum += x * x;
        }
        weight[c] = sqrt(sum);
    }
    for (int c = 0, end; c < nc; c = end) {
        uint32_t constraint = w->system->rows[w->dynamics->rows[c]].constraint;
        double most = 0.0;
        for (end = c; end < nc; end++) {
            if (w->system->rows[w->dynamics->rows[end]].constraint != constraint) break;
            most = fmax(most, weight[end]);
        }
        const LiaConstraint* of = &w->system->model->constraints[constraint];
        bool alike = !of->joint || of->gap;
        for (int i = c; i < end; i++) weight[i] = alike && most > 0.0 ? weight[i] / most : 1.0;
    }
}

bool lia_independent_faded(const LiaWorkspace* w) {
    if (!w->weight) return false;
    row_weights(w, w->weight, w->weight + w->nc);
    for (int r = 0; r < w->nr; r++) {
        if (w->weight[w->active[r]] < LIA_WEIGHT_FADED) return true;
    }
    return false;
}

// --- sparse ----------------------------------------------------------------------------------------

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

// As prepare() below, entry by entry.
static void prepare_sparse(const LiaWorkspace* w, const double* weight, const double* size,
                           LiaSparse* A) {
    double rounding = rounding_of(A);
    for (int c = 0; c < A->rows; c++) {
        double entry = 0.0, sum = 0.0;
        for (int e = A->start[c]; e < A->start[c + 1]; e++) entry = fmax(entry, fabs(A->value[e]));
        bool none = entry <= rounding || (w->degree && lia_relative_degree_is(w, c));
        for (int e = A->start[c]; e < A->start[c + 1]; e++) {
            A->value[e] = none ? 0.0 : A->value[e] / size[A->column[e]];
            sum += A->value[e] * A->value[e];
        }
        double scale = fmax(weight[c], LIA_WEIGHT_LEAST) / sqrt(sum);
        for (int e = A->start[c]; e < A->start[c + 1] && sum > 0.0; e++) A->value[e] *= scale;
    }
}

// Sparse elimination in place of orthogonalisation: what is left of a row is not its distance from the others, but
// zero where that is. False if memory is out.
static bool take_sparse(const LiaWorkspace* w, const double* weight, const double* size,
                        double margin, int rank_most, bool* taken) {
    LiaSparse A;
    LiaElimination e = {0};
    bool ok = copy_rows(w, lia_workspace_J, &A);
    if (ok) prepare_sparse(w, weight, size, &A);
    ok = ok && lia_elimination_run(&A, margin, LIA_ROWS_BY_SIZE, &e);
    for (int k = 0; ok && k < e.rank && k < rank_most; k++) taken[e.row[k]] = true;
    lia_elimination_clear(&e);
    release(&A);
    return ok;
}

static int sparse_force_rank(const LiaWorkspace* w) {
    LiaSparse A;
    LiaElimination e = {0};
    bool ok = copy_rows(w, lia_workspace_Omega, &A);
    double rounding = ok ? rounding_of(&A) : 0.0;
    for (int c = 0; ok && c < A.rows; c++) {  // rows of size 1
        double most = 0.0;
        for (int k = A.start[c]; k < A.start[c + 1]; k++) most = fmax(most, fabs(A.value[k]));
        for (int k = A.start[c]; k < A.start[c + 1]; k++) {
            A.value[k] = most > rounding ? A.value[k] / most : 0.0;
        }
    }
    int rank = ok && lia_elimination_run(&A, LIA_FORCE_RANK, LIA_ROWS_BY_SIZE, &e) ? e.rank : 0;
    lia_elimination_clear(&e);
    release(&A);
    return rank;
}

// --- dense -----------------------------------------------------------------------------------------

// Rows of size 1, columns in units of sqrt(M): what is small is small mechanically. A row that is nothing but
// rounding beside the others is none.
static void prepare(const LiaWorkspace* w, const double* size, double* rows) {
    int nf = w->nf, nc = w->nc;
    double rounding = lia_independent_rounding(w->J, nc, nf);
    for (int c = 0; c < nc; c++) {
        double entry = 0.0;
        for (int k = 0; k < nf; k++) entry = fmax(entry, fabs(w->J[c * nf + k]));
        if (entry <= rounding || (w->degree && lia_relative_degree_is(w, c))) {
            memset(rows + (size_t)c * (size_t)nf, 0, (size_t)nf * sizeof *rows);
            continue;
        }
        double sum = 0.0;
        for (int k = 0; k < nf; k++) {
            double x = w->J[c * nf + k] / size[k];
            rows[c * nf + k] = x;
            sum += x * x;
        }
        for (int k = 0; k < nf && sum > 0.0; k++) rows[c * nf + k] /= sqrt(sum);
    }
}

// The row that is farthest from the span of those taken, until none is farther than the margin.
static void orthogonalise(const LiaWorkspace* w, double margin, int rank_most, const double* weight,
                          double* rows, bool* taken) {
    int nf = w->nf, nc = w->nc;
    for (int rank = 0; rank < rank_most; rank++) {
        int best = -1;
        double most = 0.0, distance = 0.0;  // of the best row from the span of those taken
        for (int c = 0; c < nc; c++) {
            if (taken[c]) continue;
            double sum = 0.0;
            for (int k = 0; k < nf; k++) sum += rows[c * nf + k] * rows[c * nf + k];
            if (!(sqrt(sum) > margin)) continue;
            // The first of equals.
            if (sqrt(sum) * weight[c] > most * (1.0 + LIA_LARGER_DISTANCE)) {
                most = sqrt(sum) * weight[c];
                distance = sqrt(sum);
                best = c;
            }
        }
        if (best < 0) return;
        taken[best] = true;
        double* u = rows + (size_t)best * (size_t)nf;
        for (int k = 0; k < nf; k++) u[k] /= distance;
        for (int c = 0; c < nc; c++) {
            if (taken[c]) continue;
            double dot = 0.0;
            for (int k = 0; k < nf; k++) dot += u[k] * rows[c * nf + k];
            for (int k = 0; k < nf; k++) rows[c * nf + k] -= dot * u[k];
        }
    }
}

// The weights, sizes of columns, and full rows.
static size_t weight_numbers(const LiaWorkspace* w) {
    size_t nf = (size_t)w->nf, nc = (size_t)w->nc;
    return nc + nf + (w->saddle ? 0 : nc * nf);
}

bool lia_independent_weigh(LiaWorkspace* w) {
    size_t bytes = weight_numbers(w) * sizeof(double) + (size_t)w->nc + 1;
    if (!w->weight) w->weight = lia_memory_zeros(bytes, 1);
    return w->weight != NULL;
}

bool lia_independent_select(LiaWorkspace* w, double margin, int rank_most) {
    int nf = w->nf, nc = w->nc;
    size_t numbers = weight_numbers(w);
    if (!lia_independent_weigh(w)) return false;
    double *weight = w->weight, *size = weight + nc, *rows = size + nf;
    bool* taken = (bool*)(weight + numbers);
    memset(taken, 0, (size_t)nc * sizeof *taken);
    row_weights(w, weight, size);
    if (!w->saddle) {
        prepare(w, size, rows);
        orthogonalise(w, margin, rank_most, weight, rows, taken);
    } else if (!take_sparse(w, weight, size, margin, rank_most, taken)) {
        return false;
    }
    int rank = 0;
    for (int c = 0; c < nc; c++) rank += taken[c];
    bool changed = rank != w->nr;
    int at = 0;
    for (int c = 0; c < nc; c++) {
        if (!taken[c]) continue;
        if (at < w->nr && w->active[at] != c) changed = true;
        w->active[at++] = c;
    }
    w->nr = rank;
    return changed;
}

int lia_independent_force_rank(const LiaWorkspace* w) {
    if (w->saddle) return sparse_force_rank(w);
    int nf = w->nf, nc = w->nc, r = nc < nf ? nc : nf;
    size_t m = (size_t)nc, n = (size_t)nf;
    double* block =
        lia_memory_zeros(m * n + (size_t)r + lia_dense_svd_work(nc, nf) + 1, sizeof *block);
    if (!block || r == 0) {
        free(block);
        return 0;
    }
    double *A = block, *s = A + m * n;
    double rounding = lia_independent_rounding(w->Omega, nc, nf);
    for (int c = 0; c < nc; c++) {  // rows of size 1
        double most = 0.0;
        for (int k = 0; k < nf; k++) most = fmax(most, fabs(w->Omega[c * nf + k]));
        for (int k = 0; k < nf && most > rounding; k++) A[c * nf + k] = w->Omega[c * nf + k] / most;
    }
    lia_dense_svd(nc, nf, A, s, NULL, NULL, s + r);
    int rank = 0;
    while (rank < r && s[rank] > LIA_FORCE_RANK * s[0]) rank++;
    free(block);
    return rank;
}
