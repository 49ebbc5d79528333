// Operators whose forces are decided only together, as of two that ask the same through one spring.
//
// hidden.c differentiates each equation until a force appears in it. Where the matrix S of these forces is singular, the forces
// of order k follow from several derivatives at once. With the depth K the unknowns are
//
//   x = (mu[k], mu[k+1], ..., mu[k+K]),    r(x) = (e[k+base], ..., e[k+base+K]) = 0,    G = dr/dx.
//
// G is singular too, for not all of mu[k+1], ... is decided by these equations; but mu[k] is, or what they leave open of
// it moves nothing (two operators that ask the same). The least such K is taken. Newton's method with steps of least
// norm; beyond order K the equations are linear in x. At order 0 what no force can change, N^T r with N^T G = 0, are
// hidden equations of the state (derivative arrays: Campbell and Gear 1995).
// SPDX-License-Identifier: MIT
#include "together.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double* series(const LiaWorkspace* w, uint32_t reg) { return lia_jet_series(&w->jets, reg); }

static double equation(const LiaWorkspace* w, int i, int order) {
    return series(w, w->dynamics->equation[w->hidden->row[i]])[order];
}

static double acceleration(const LiaWorkspace* w, int i) {
    return series(w, w->dynamics->tape->acceleration[w->dynamics->free[i]])[0];
}

LiaTogether* lia_together_create(int count, int depth, int nf) {
    int n = count * (depth + 1);
    size_t N = (size_t)n, F = (size_t)nf * (size_t)count, work = lia_svd_work(n, n);
    LiaTogether* z =
        calloc(1, sizeof *z + (9 * N + 5 * N * N + F + 2 * N * (size_t)nf + (size_t)nf + work) *
                                  sizeof(double));
    if (!z) return NULL;
    z->n = n, z->count = count, z->depth = depth;
    z->x = (double*)(z + 1);
    z->r = z->x + n;
    z->first = z->r + n;
    z->row_scale = z->first + n;
    z->column_scale = z->row_scale + n;
    z->s = z->column_scale + n;
    z->step = z->s + n;
    z->varied = z->step + n;
    z->noise = z->varied + n;
    z->G = z->noise + n;
    z->U = z->G + N * N;
    z->V = z->U + N * N;
    z->N = z->V + N * N;
    z->T = z->N + N * N;
    z->R = z->T + N * N;
    z->push = z->R + 2 * N * (size_t)nf;
    z->plain = z->push + F;
    z->work = z->plain + nf;
    return z;
}

// Stages k + from .. k + K with the forces x; r is what they leave.
static void run(LiaWorkspace* w, int k, int from, double* r) {
    const LiaTogether* z = w->together;
    const LiaHidden* h = w->hidden;
    for (int l = from; l <= z->depth; l++) {
        for (int i = 0; i < z->count; i++) {
            uint32_t row = w->dynamics->rows[h->row[i]];
            series(w, w->dynamics->tape->multiplier[row])[k + l] = z->x[l * z->count + i];
        }
        lia_stage_begin(w, k + l);
        lia_stage_solve(w, k + l);
        lia_jet_reaction(&w->jets, k + l);
        for (int i = 0; i < z->count; i++) {
            r[l * z->count + i] = equation(w, i, k + h->base[i] + l);
        }
    }
}

// G by trying each unknown, r known; where the equations are not linear in them, by a small part of the trial. The last
// orders come first: each trial leaves the stages before it as they are.
static void find_derivative(LiaWorkspace* w, int k) {
    LiaTogether* z = w->together;
    int m = z->count, n = z->n;
    double part = k > z->depth ? 1.0 : 1e-3, *tried = z->step;
    memset(z->noise, 0, (size_t)n * sizeof *z->noise);
    for (int i = 0; k == 0 && i < w->nf; i++) z->plain[i] = acceleration(w, i);
    for (int u = n - 1; u >= 0; u--) {
        double kept = z->x[u], d = part * fmax(w->trial[u % m], fabs(kept));
        z->x[u] = kept + d;
        d = z->x[u] - kept;
        run(w, k, u / m, tried);
        z->x[u] = kept;
        for (int e = 0; e < n; e++) {
            double change = e / m < u / m ? 0.0 : tried[e] - z->r[e];
            double noise = lia_hidden_rounding(w, k + w->hidden->base[e % m] + e / m);
            z->G[e * n + u] = fabs(change) > noise ? change / d : 0.0;
            z->noise[e] = fmax(z->noise[e], noise / d);
        }
        for (int i = 0; k == 0 && u < m && i < w->nf; i++) {
            z->push[i * m + u] = (acceleration(w, i) - z->plain[i]) / d;
        }
    }
}

// Rows and columns of size 1, but for those in which rounding would count then; what is zero stays so.
static void decompose(LiaTogether* z) {
    const double least = 1e-9, loud = 1e-10;  // singular values that count; rounding in a row
    int n = z->n;
    for (int e = 0; e < n; e++) {
        double most = 0.0;
        for (int u = 0; u < n; u++) most = fmax(most, fabs(z->G[e * n + u]));
        most = fmax(most, z->noise[e] / loud);
        z->row_scale[e] = most > 0.0 ? 1.0 / most : 1.0;
        for (int u = 0; u < n; u++) z->G[e * n + u] *= z->row_scale[e];
    }
    for (int u = 0; u < n; u++) {
        double most = 0.0;
        for (int e = 0; e < n; e++) most = fmax(most, fabs(z->G[e * n + u]));
        z->column_scale[u] = most > 0.0 ? 1.0 / fmax(most, 1e-3) : 1.0;
        for (int e = 0; e < n; e++) z->G[e * n + u] *= z->column_scale[u];
    }
    lia_svd(n, n, z->G, z->s, z->U, z->V, z->work);
    for (z->rank = 0; z->rank < n && z->s[z->rank] > least * z->s[0];) z->rank++;
}

// Newton's step of least norm from r; its size beside the unknowns.
static double step(LiaWorkspace* w) {
    LiaTogether* z = w->together;
    int n = z->n, m = z->count;
    double size = 0.0;
    memset(z->step, 0, (size_t)n * sizeof *z->step);
    for (int j = 0; j < z->rank; j++) {
        double dot = 0.0;
        for (int e = 0; e < n; e++) dot += z->U[e * n + j] * z->row_scale[e] * z->r[e];
        for (int u = 0; u < n; u++) z->step[u] -= z->V[u * n + j] * dot / z->s[j];
    }
    for (int u = 0; u < n; u++) {
        double d = z->step[u] * z->column_scale[u];
        z->x[u] += d;
        size = fmax(size, fabs(d) / fmax(fabs(z->x[u]), w->trial[u % m]));
    }
    return size;
}

static void solve(LiaWorkspace* w, int k) {
    LiaTogether* z = w->together;
    enum { LINEAR_PASSES = 2, PASSES = 20 };
    bool linear = k > z->depth;
    for (int pass = 0; pass < (linear ? LINEAR_PASSES : PASSES); pass++) {
        run(w, k, 0, z->r);
        if (!linear || pass == 0) {
            find_derivative(w, k);
            decompose(z);
        }
        if (step(w) < 1e-14) break;
    }
}

void lia_together_stage(LiaWorkspace* w, int k) {
    LiaTogether* z = w->together;
    int m = z->count, n = z->n;
    if (k == 0) {
        memcpy(z->x, z->first, (size_t)n * sizeof *z->x);
    } else {
        memmove(z->x, z->x + m, (size_t)(n - m) * sizeof *z->x);
        memset(z->x + n - m, 0, (size_t)m * sizeof *z->x);
    }
    solve(w, k);
    if (k == 0) memcpy(z->first, z->x, (size_t)n * sizeof *z->x);
    run(w, k, 0, z->r);
    lia_stage_begin(w, k);
    lia_stage_solve(w, k);
}

// Is mu[0] decided by the equations, but for what moves nothing?
static bool decided(const LiaWorkspace* w) {
    const LiaTogether* z = w->together;
    int m = z->count, n = z->n;
    double most = 0.0;
    for (int i = 0; i < w->nf; i++) {
        for (int g = 0; g < m; g++) {
            most = fmax(most, fabs(z->push[i * m + g] * z->column_scale[g]));
        }
    }
    for (int j = z->rank; j < n; j++) {
        for (int i = 0; i < w->nf; i++) {
            double moves = 0.0;
            for (int g = 0; g < m; g++) {
                moves += z->push[i * m + g] * z->column_scale[g] * z->V[g * n + j];
            }
            if (fabs(moves) > 1e-7 * most) return false;
        }
    }
    return true;
}

bool lia_together_open(const LiaWorkspace* w, int i) {
    const LiaTogether* z = w->together;
    for (int j = z->rank; j < z->n; j++) {
        if (fabs(z->V[i * z->n + j]) > 1e-7) return true;
    }
    return false;
}

// N: the columns of U that belong to singular values of zero, which are the last of V for the transposed matrix.
static void find_left_kernel(LiaTogether* z) {
    int n = z->n;
    double *transposed = z->T, *V = z->N;
    for (int e = 0; e < n; e++) {
        for (int u = 0; u < n; u++) transposed[u * n + e] = z->G[e * n + u];
    }
    lia_svd(n, n, transposed, z->step, NULL, V, z->work);
    z->left = n - z->rank;
    for (int e = 0; e < n; e++) {
        for (int j = 0; j < z->left; j++) {
            z->N[e * n + j] = V[e * n + z->rank + j] * z->row_scale[e];
        }
    }
}

// The forces that satisfy the equations best, and what they decide.
static bool find_forces(LiaWorkspace* w) {
    LiaTogether* z = w->together;
    int n = z->n;
    memcpy(z->x, z->first, (size_t)n * sizeof *z->x);
    if (z->mode == LIA_TOGETHER_SOLVED) {
        solve(w, 0);
    } else {
        run(w, 0, 0, z->r);
        find_derivative(w, 0);
        decompose(z);
    }
    for (int u = 0; u < n; u++) {
        if (!isfinite(z->x[u])) return false;
    }
    memcpy(z->first, z->x, (size_t)n * sizeof *z->x);
    return true;
}

bool lia_together_residuals(LiaWorkspace* w) {
    LiaTogether* z = w->together;
    const LiaHidden* h = w->hidden;
    int n = z->n, at = 0;
    double* r = z->mode == LIA_TOGETHER_FROZEN ? z->varied : z->r;
    if (!z->tried) lia_hidden_choose_trials(w, z->plain);
    z->tried = true;
    if (z->mode != LIA_TOGETHER_FROZEN && !find_forces(w)) return false;
    memcpy(z->x, z->first, (size_t)n * sizeof *z->x);
    run(w, 0, 0, r);
    if (z->mode != LIA_TOGETHER_FROZEN) find_left_kernel(z);
    for (int i = 0; i < z->count; i++) {
        for (int j = 0; j < h->base[i]; j++) {
            w->level[at++] = equation(w, i, j) - (j == 0 ? w->level0[h->row[i]] : 0.0);
        }
    }
    for (int j = 0; j < z->left; j++, at++) {
        w->level[at] = 0.0;
        for (int e = 0; e < n; e++) w->level[at] += z->N[e * n + j] * r[e];
    }
    while (at < h->levels) w->level[at++] = 0.0;
    return z->mode != LIA_TOGETHER_SOLVED || decided(w);
}

void lia_together_note(LiaWorkspace* w, int i, double d) {
    LiaTogether* z = w->together;
    for (int e = 0; e < z->n; e++) z->R[e * 2 * w->nf + i] = (z->varied[e] - z->r[e]) / d;
}

void lia_together_follow(LiaWorkspace* w, const double* moved) {
    LiaTogether* z = w->together;
    for (int e = 0; e < z->n; e++) {
        for (int i = 0; i < 2 * w->nf; i++) z->r[e] += z->R[e * 2 * w->nf + i] * moved[i];
    }
    step(w);
    memcpy(z->first, z->x, (size_t)z->n * sizeof *z->x);
}
