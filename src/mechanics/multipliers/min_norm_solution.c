// Where K0 is singular, its solutions are x + the kernel of K0: what is wanted is the shortest,
//
//   K0 x = b,   x = (a, mu),   least |x|
//
// K0 is put into units in which its rows and columns are of size 1, so that a light part is not
// taken for none; the kernel found there is taken out of x in the units of the model.
// SPDX-License-Identifier: MIT
#include "mechanics/multipliers/min_norm_solution.h"
#include "base/memory/memory.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/coefficient.h"
#include "mechanics/kkt/scaling.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWNS_MOST = 2000 };  // more take minutes

typedef struct Problem {
    int n;                // unknowns, and equations
    double *K, *S;        // K0 of all rows; the same in units of size 1     (n x n)
    double *left, *unit;  // by which its rows and columns were multiplied   (n)
    double *b, *x;        // (n)
    double* scaled;       // b in these units                                (n)
    double* kernel;       // (n x n)
    double *pivot, *work;
    int *order, *index;
    void* block;
} Problem;

static bool problem_init(Problem* p, const LiaWorkspace* w) {
    size_t n = (size_t)(w->nf + w->nc), work = lia_qr_work((int)n, (int)n);
    *p = (Problem){.n = (int)n};
    size_t doubles = 3 * n * n + 6 * n + work + 1;
    p->block = lia_memory_zeros(doubles * sizeof(double) + 2 * n * sizeof(int), 1);
    if (!p->block) return false;
    double* x = p->block;
    p->K = x, x += n * n;
    p->S = x, x += n * n;
    p->kernel = x, x += n * n;
    p->left = x, x += n;
    p->unit = x, x += n;
    p->b = x, x += n;
    p->x = x, x += n;
    p->scaled = x, x += n;
    p->pivot = x, x += n;
    p->work = x, x += work;
    p->order = (int*)x;
    p->index = p->order + n;
    return true;
}

static void write_K0(const Problem* p, const LiaWorkspace* w) {
    size_t n = (size_t)p->n;
    for (int i = 0; i < w->nf; i++) {
        LiaEntries M = lia_workspace_M(w, i);
        for (int k = 0; k < M.count; k++)
            p->K[(size_t)i * n + (size_t)lia_entry_column(&M, k)] = M.value[k];
    }
    for (int c = 0; c < w->nc; c++) {
        size_t at = (size_t)(w->nf + c);
        LiaEntries J = lia_workspace_J(w, c), Omega = lia_workspace_Omega(w, c);
        for (int k = 0; k < J.count; k++)
            p->K[at * n + (size_t)lia_entry_column(&J, k)] = J.value[k];
        for (int k = 0; k < Omega.count; k++)
            p->K[(size_t)lia_entry_column(&Omega, k) * n + at] = -Omega.value[k];
    }
}

// Powers of two, so that nothing is rounded.
static void scale(const Problem* p) {
    enum { PASSES = 4 };
    size_t n = (size_t)p->n;
    memcpy(p->S, p->K, n * n * sizeof *p->S);
    for (size_t i = 0; i < n; i++) p->left[i] = p->unit[i] = 1.0;
    for (int pass = 0; pass < PASSES; pass++) {
        for (size_t i = 0; i < 2 * n; i++) {
            size_t at = i / 2, step = i % 2 ? n : 1, from = i % 2 ? at : at * n;
            double most = 0.0;
            for (size_t k = 0; k < n; k++) most = fmax(most, fabs(p->S[from + k * step]));
            double by = most > 0.0 ? lia_scaling_unit(most, -0.5) : 1.0;
            for (size_t k = 0; k < n; k++) p->S[from + k * step] *= by;
            *(i % 2 ? &p->unit[at] : &p->left[at]) *= by;
        }
    }
}

// Of each equation: relative to its terms; or, where all of these are rounding (a coordinate that
// is held), to what the unknowns could make of them.
static bool solves(const Problem* p, const double* b) {
    size_t n = (size_t)p->n;
    double most = 0.0;  // of the unknowns, in units of size 1
    for (size_t k = 0; k < n; k++) most = fmax(most, fabs(p->x[k] / p->unit[k]));
    for (size_t i = 0; i < n; i++) {
        double sum = -b[i], size = fabs(b[i]), row = 0.0;
        for (size_t k = 0; k < n; k++) {
            double x = p->K[i * n + k] * p->x[k];
            sum += x;
            size += fabs(x);
            row += fabs(p->K[i * n + k]) * p->unit[k];
        }
        double rounding = LIA_SOLUTION_ROUNDING * row * most;
        if (!(fabs(sum) <= LIA_SOLUTION_SATISFIED * size || fabs(sum) <= rounding)) return false;
    }
    return true;
}

// The shortest of all solutions, in the units of the model. Returns how many directions are left
// open; p->kernel has them.
static int shorten(const Problem* p, const LiaRows* rows) {
    size_t n = (size_t)p->n;
    int open = lia_qr_kernel(rows, p->kernel);
    for (int j = 0; j < open; j++) {
        for (size_t k = 0; k < n; k++) p->kernel[(size_t)j * n + k] *= p->unit[k];
    }
    open = lia_qr_basis(open, p->n, p->kernel, LIA_SOLUTION_RANK);
    for (int j = 0; j < open; j++) {
        const double* e = p->kernel + (size_t)j * n;
        double along = 0.0;
        for (size_t k = 0; k < n; k++) along += e[k] * p->x[k];
        for (size_t k = 0; k < n; k++) p->x[k] -= along * e[k];
    }
    return open;
}

static LiaMinNormOutcome solve(const Problem* p, int* open) {
    size_t n = (size_t)p->n;
    LiaRows rows = {.m = p->n, .n = p->n, .A = p->S, .pivot = p->pivot, .order = p->order};
    scale(p);
    lia_qr_factor(&rows, LIA_SOLUTION_RANK, true);
    for (size_t i = 0; i < n; i++) p->scaled[i] = p->b[i] * p->left[i];
    lia_qr_solve(&rows, p->scaled, p->x, p->work, p->index);
    for (size_t k = 0; k < n; k++) p->x[k] *= p->unit[k];
    *open = shorten(p, &rows);
    return solves(p, p->b) ? LIA_MIN_NORM_FOUND : LIA_MIN_NORM_CONTRADICTION;
}

LiaMinNormOutcome lia_min_norm_solution(LiaWorkspace* w, double* unique_a) {
    Problem p;
    int open = 0;
    if (w->nf + w->nc > UNKNOWNS_MOST) return LIA_MIN_NORM_TOO_LARGE;
    if (!problem_init(&p, w)) return LIA_MIN_NORM_NO_MEMORY;
    write_K0(&p, w);
    lia_stage_rest(w, p.b);
    LiaMinNormOutcome found = solve(&p, &open);
    if (found == LIA_MIN_NORM_FOUND) {
        memcpy(w->b, p.x, (size_t)p.n * sizeof *w->b);
        lia_stage_take(w);
        for (int j = 0; j < open; j++) {
            const double* e = p.kernel + (size_t)j * (size_t)p.n;
            for (int k = 0; k < p.n; k++) {
                if (fabs(e[k]) <= LIA_SOLUTION_SEEN) continue;
                if (k < w->nf) unique_a[w->dynamics->free[k]] = 0.0;
                if (k >= w->nf) w->unique[w->dynamics->rows[k - w->nf]] = false;
            }
        }
    }
    free(p.block);
    return found;
}
