// LU of large sparse matrices. See sparse.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/sparse.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lia_sparse_lu_init(LiaSparseLu* lu, int n) {
    memset(lu, 0, sizeof *lu);
    size_t N = (size_t)n;
    lu->block = lia_memory_zeros(6 * N * sizeof(double) + N * sizeof(int) + 1, 1);
    if (!lu->block) return false;
    lu->n = n;
    lu->left = lu->block;
    lu->right = lu->left + N;
    lu->inverse = lu->right + N;
    lu->x = lu->inverse + N;
    lu->rest = lu->x + N;
    lu->marked = lu->rest + N;
    lu->mark = -1;
    lu->step_of = (int*)(lu->marked + N);
    return true;
}

static void forget(LiaSparseLu* lu) {
    lia_elimination_clear(&lu->order);
    lia_factors_clear(&lu->factors);
    free(lu->L);
    lu->L = lu->U = NULL;
    lu->fresh = 0.0;
}

void lia_sparse_lu_clear(LiaSparseLu* lu) {
    forget(lu);
    free(lu->block);
    memset(lu, 0, sizeof *lu);
}

void lia_sparse_lu_reset(LiaSparseLu* lu, int n) {
    forget(lu);
    lu->n = n;
}

// 2^-e for x = m 2^e, m in [1/2, 1)
static double power_of_two(double x) {
    if (!(x > 0.0) || !isfinite(x)) return 1.0;
    int e;
    frexp(x, &e);
    return ldexp(1.0, -e);
}

// fmax() is a call; this is an instruction.
static inline double larger(double most, double x) { return x > most ? x : most; }

// Scale rows and columns to size 1 by powers of two, kept in left and right.
static void scale(LiaSparse* A, double* left, double* right) {
    for (int j = 0; j < A->columns; j++) right[j] = 0.0;
    for (int i = 0; i < A->rows; i++) {
        double most = 0.0;
        for (int k = A->start[i]; k < A->start[i + 1]; k++) most = larger(most, fabs(A->value[k]));
        left[i] = power_of_two(most);
        for (int k = A->start[i]; k < A->start[i + 1]; k++) {
            A->value[k] *= left[i];
            right[A->column[k]] = larger(right[A->column[k]], fabs(A->value[k]));
        }
    }
    for (int j = 0; j < A->columns; j++) right[j] = power_of_two(right[j]);
    for (int k = 0; k < A->start[A->rows]; k++) A->value[k] *= right[A->column[k]];
}

// Choose the pivots from the values of A. False if A is singular or memory is out.
static bool choose(LiaSparseLu* lu, const LiaSparse* A, int* weakest) {
    forget(lu);
    if (!lia_elimination_run(A, 0.0, LIA_ROWS_BY_FILL, &lu->order)) return false;
    lu->orderings++;
    LiaElimination* e = &lu->order;
    for (int j = 0; j < lu->n; j++) lu->step_of[j] = -1;
    for (int k = 0; k < e->rank; k++) lu->step_of[e->column[k]] = k;
    for (int j = 0; weakest && e->rank < lu->n && j < lu->n; j++) {
        if (lu->step_of[j] < 0) *weakest = j;
    }
    if (e->rank < lu->n) return false;
    size_t L = e->L_start[e->rank], U = e->U_start[e->rank];
    for (size_t k = 0; k < U; k++) e->U[k] = lu->step_of[e->U[k]];
    lu->L = lia_memory_zeros(L + U + 1, sizeof *lu->L);
    if (!lu->L) return false;
    lu->U = lu->L + L;
    return lia_factors_init(&lu->factors, e);
}

// Row by row through the known pattern: x = row k of A, minus what the earlier rows take away.
// Gives the smallest pivot; *good: all of them are fit to be pivots.
static double run(LiaSparseLu* lu, const LiaSparse* A, int* weakest, bool* good) {
    const LiaElimination* e = &lu->order;
    double* restrict x = lu->x;
    double least = INFINITY;
    *good = true;
    for (int k = 0; k < lu->n; k++) {
        int row = e->row[k];
        size_t l0 = e->L_start[k], l1 = e->L_start[k + 1], u0 = e->U_start[k],
               u1 = e->U_start[k + 1];
        for (size_t l = l0; l < l1; l++) x[e->L[l]] = 0.0;
        for (size_t u = u0; u < u1; u++) x[e->U[u]] = 0.0;
        x[k] = 0.0;
        for (int a = A->start[row]; a < A->start[row + 1]; a++) {
            x[lu->step_of[A->column[a]]] = A->value[a];
        }
        for (size_t l = l0; l < l1; l++) {
            int j = e->L[l];
            double f = x[j] * lu->inverse[j];
            lu->L[l] = f;
            if (f == 0.0) continue;
            for (size_t u = e->U_start[j]; u < e->U_start[j + 1]; u++) x[e->U[u]] -= f * lu->U[u];
        }
        double most = 0.0, pivot = fabs(x[k]);
        for (size_t u = u0; u < u1; u++) {
            double value = x[e->U[u]];
            lu->U[u] = value;
            most = fabs(value) > most ? fabs(value) : most;
        }
        if (!(pivot >= least)) {
            least = pivot;
            if (weakest) *weakest = e->column[k];
        }
        if (!(pivot > 0.0)) {
            *good = false;
            return 0.0;
        }
        if (!(pivot >= LIA_PIVOT_STALE * most)) *good = false;
        lu->inverse[k] = 1.0 / x[k];
    }
    return least;
}

static double hand_over(LiaSparseLu* lu, double least) {
    lia_factors_take(&lu->factors, &lu->order,
                     &(LiaFactorNumbers){lu->L, lu->U, lu->inverse, lu->left, lu->right});
    return least;
}

double lia_sparse_lu_factor(LiaSparseLu* lu, LiaSparse* A, int* weakest) {
    if (weakest) *weakest = 0;
    if (lu->n == 0) return 1.0;
    scale(A, lu->left, lu->right);
    bool good = false;
    if (lu->fresh > 0.0) {
        double least = run(lu, A, weakest, &good);
        if (good && least >= LIA_PIVOT_STALE * lu->fresh) return hand_over(lu, least);
    }
    if (!choose(lu, A, weakest)) return 0.0;
    lu->fresh = run(lu, A, weakest, &good);
    return hand_over(lu, lu->fresh);
}

// --- keeping ------------------------------------------------------------------------------------

// Starts rise from 0 to the number of entries, which stand before (L) or after (U) the step they
// belong to.
static bool is_pattern(const LiaElimination* e, size_t L, size_t U) {
    if (e->L_start[0] != 0 || e->U_start[0] != 0) return false;
    for (int k = 0; k < e->rank; k++) {
        if (e->L_start[k] > e->L_start[k + 1] || e->U_start[k] > e->U_start[k + 1]) return false;
    }
    if (e->L_start[e->rank] != L || e->U_start[e->rank] != U) return false;
    for (int k = 0; k < e->rank; k++) {
        for (size_t l = e->L_start[k]; l < e->L_start[k + 1]; l++) {
            if (e->L[l] >= k) return false;
        }
        for (size_t u = e->U_start[k]; u < e->U_start[k + 1]; u++) {
            if (e->U[u] <= k) return false;
        }
    }
    return true;
}

// The pivots, as chosen at some time before, and the pattern they make.
static void keep_order(LiaSparseLu* lu, LiaKeep* keep) {
    LiaElimination* e = &lu->order;
    size_t n = (size_t)lu->n, most = keep->left / sizeof(int);
    bool reads = lia_keep_reads(keep);
    size_t L = lia_keep_length(keep, reads ? 0 : e->L_start[n], most, sizeof(int));
    size_t U = lia_keep_length(keep, reads ? 0 : e->U_start[n], most, sizeof(int));
    if (reads && (!lia_keep_good(keep) || n > most || !lia_elimination_room(e, n, L, U))) {
        lia_keep_refuse(keep);
        return;
    }
    lia_keep_ints(keep, e->row, n, 0, lu->n - 1);
    lia_keep_ints(keep, e->column, n, 0, lu->n - 1);
    lia_keep_sizes(keep, e->L_start, n + 1, L);
    lia_keep_sizes(keep, e->U_start, n + 1, U);
    lia_keep_ints(keep, e->L, L, 0, lu->n - 1);
    lia_keep_ints(keep, e->U, U, 0, lu->n - 1);
    lia_keep_double(keep, &e->flops);
    if (!reads) return;
    if (lia_keep_good(keep) && is_pattern(e, L, U)) {
        lu->L = lia_memory_zeros(L + U + 1, sizeof *lu->L);
        lu->U = lu->L ? lu->L + L : NULL;
        if (lu->L && lia_factors_init(&lu->factors, e)) return;
    }
    lia_keep_refuse(keep);
}

void lia_sparse_lu_keep(LiaSparseLu* lu, LiaKeep* keep, int most) {
    size_t n = (size_t)most;
    if (lia_keep_reads(keep)) forget(lu);
    lia_keep_int(keep, &lu->n, 0, most);
    lia_keep_int(keep, &lu->orderings, 0, INT_MAX);
    lia_keep_doubles(keep, lu->block, 5 * n);
    lia_keep_ints(keep, lu->step_of, n, -1, most - 1);
    double fresh = lu->fresh;
    lia_keep_double(keep, &fresh);
    if (!(fresh > 0.0) || !lia_keep_good(keep)) return;  // pivots will be chosen anew
    keep_order(lu, keep);
    if (!lia_keep_good(keep)) {
        forget(lu);
        return;
    }
    for (int j = 0; j < lu->n; j++) {
        if (lu->step_of[j] < 0 || lu->step_of[j] >= lu->n) lia_keep_refuse(keep);
    }
    size_t L = lu->order.L_start[lu->n], U = lu->order.U_start[lu->n];
    lia_keep_doubles(keep, lu->L, L + U);
    lu->fresh = fresh;
    if (lia_keep_reads(keep)) hand_over(lu, 0.0);
}

// Without factors there is no solution.
static bool unsolved(const LiaSparseLu* lu, double* b) {
    if (lu->fresh > 0.0) return false;
    for (int i = 0; i < lu->n; i++) b[i] = NAN;
    return true;
}

double lia_sparse_lu_size(const LiaSparseLu* lu) {
    double product = 1.0;
    int power = 0, e;
    for (int i = 0; i < lu->n; i++) {
        product = frexp(product * lu->inverse[i], &e);
        power += e;
        product = frexp(product * lu->left[i] * lu->right[i], &e);
        power += e;
    }
    return -log2(fabs(product)) - power;
}

static double pivot_inverse(const LiaSparseLu* lu, int k) {
    return fabs(lu->inverse[k] * lu->left[lu->order.row[k]] * lu->right[lu->order.column[k]]);
}

void lia_sparse_lu_mark(LiaSparseLu* lu) {
    lu->mark = lu->fresh > 0.0 ? lu->orderings : -1;
    for (int k = 0; k < lu->n && lu->mark >= 0; k++) lu->marked[k] = pivot_inverse(lu, k);
}

bool lia_sparse_lu_fell(const LiaSparseLu* lu, double part) {
    if (!(lu->fresh > 0.0) || lu->orderings != lu->mark) return true;
    for (int k = 0; k < lu->n; k++) {
        if (!(part * pivot_inverse(lu, k) <= lu->marked[k])) return true;
    }
    return false;
}

void lia_sparse_lu_solve(const LiaSparseLu* lu, double* b) {
    if (!unsolved(lu, b)) lia_factors_solve(&lu->factors, b, lu->x);
}

void lia_sparse_lu_refine(const LiaSparseLu* lu, const LiaSparse* A, double* restrict b) {
    if (unsolved(lu, b)) return;
    double* restrict rest = lu->rest;
    int n = lu->n;
    memcpy(rest, b, (size_t)n * sizeof *rest);
    lia_sparse_lu_solve(lu, b);
    for (int j = 0; j < n; j++) lu->x[j] = b[j] / lu->right[j];
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = A->start[i]; k < A->start[i + 1]; k++) {
            sum += A->value[k] * lu->x[A->column[k]];
        }
        rest[i] -= sum / lu->left[i];
    }
    lia_sparse_lu_solve(lu, rest);
    for (int j = 0; j < n; j++) b[j] += rest[j];
}

// U^T y = b, then L^T z = y: by the same rows, each handing on its part.
void lia_sparse_lu_solve_transposed(const LiaSparseLu* lu, double* restrict b) {
    if (unsolved(lu, b)) return;
    const LiaElimination* e = &lu->order;
    double* restrict x = lu->x;
    int n = lu->n;
    for (int k = 0; k < n; k++) x[k] = b[e->column[k]] * lu->right[e->column[k]];
    for (int k = 0; k < n; k++) {
        if (x[k] == 0.0) continue;  // where b is a row of the identity most are
        double mine = x[k] *= lu->inverse[k];
        for (size_t u = e->U_start[k]; u < e->U_start[k + 1]; u++) x[e->U[u]] -= lu->U[u] * mine;
    }
    for (int k = n - 1; k >= 0; k--) {
        double mine = x[k];
        for (size_t l = e->L_start[k]; l < e->L_start[k + 1]; l++) x[e->L[l]] -= lu->L[l] * mine;
        b[e->row[k]] = x[k] * lu->left[e->row[k]];
    }
}
