// Projection onto the equations that are hidden in those of operators that act through springs, and all others: least change in
// units of the sizes of positions and velocities.
//
// How the levels depend on the state is found by differences, one evaluation for each number of the state. That is dear, and
// changes little from one step to the next: the slopes are kept while steps with them converge. The levels themselves are exact, so
// it ends at them all the same.
// SPDX-License-Identifier: MIT
#include "together.h"
#include <math.h>
#include <stdlib.h>

struct LiaSlopes {
    int m, n;         // equations; numbers of the state, 2 nf
    double q, v;      // sizes of positions and velocities
    double* size;     // of each equation's row                                    (m)
    double* inverse;  // pseudo-inverse of the rows, each divided by its size        (n x m)
    double *f, *g;    // equations at the state, and beside it                       (m)
    double* step;     //                                                             (n)
    double *A, *sv, *U, *V, *scratch;
};

void lia_hidden_forget(LiaWorkspace* w) {
    free(w->slopes);
    w->slopes = NULL;
}

// All equations of the state: position and velocity residuals of the rows of K0, levels of hidden rows. -1 where K0 is singular.
static int equations(LiaWorkspace* w, int order, double* f) {
    lia_mechanics_load(w, order);
    lia_mechanics_residuals(w);
    if (!lia_mechanics_factor(w)) return -1;
    int m = 0;
    for (int r = 0; r < w->nr; r++) {
        int c = w->active[r];
        if (w->system->rows[w->dynamics->rows[c]].geometric) f[m++] = w->phi[c];
        f[m++] = w->psi[c];
    }
    lia_hidden_levels(w);
    for (int i = 0; i < w->hidden->levels; i++) f[m++] = w->level[i];
    return m;
}

static double* unknown(LiaWorkspace* w, int i) {
    int nf = w->nf;
    return i < nf ? &w->q[w->dynamics->free[i]] : &w->v[w->dynamics->free[i - nf]];
}

static struct LiaSlopes* make(const LiaWorkspace* w) {
    int n = 2 * w->nf, most = w->hidden->levels + 2 * w->nc, r = most < n ? most : n;
    size_t N = (size_t)n, M = (size_t)most, R = (size_t)r;
    size_t doubles = 3 * M + 2 * M * N + N + R + M * R + N * R + lia_svd_work(most, n);
    struct LiaSlopes* s = calloc(1, sizeof *s + doubles * sizeof(double));
    if (!s) return NULL;
    s->n = n;
    double* x = (double*)(s + 1);
    s->f = x, x += M;
    s->g = x, x += M;
    s->size = x, x += M;
    s->inverse = x, x += M * N;
    s->A = x, x += M * N;
    s->step = x, x += N;
    s->sv = x, x += R;
    s->U = x, x += M * R;
    s->V = x, x += N * R;
    s->scratch = x;
    return s;
}

// inverse = V sv^-1 U^T of the rows in A
static void invert(struct LiaSlopes* s) {
    int m = s->m, n = s->n, r = m < n ? m : n;
    lia_svd(m, n, s->A, s->sv, s->U, s->V, s->scratch);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < m; k++) {
            double sum = 0.0;
            for (int j = 0; j < r; j++) {
                if (s->sv[j] > 1e-10 * s->sv[0]) {
                    sum += s->V[i * r + j] * s->U[k * r + j] / s->sv[j];
                }
            }
            s->inverse[i * m + k] = sum;
        }
    }
}

static void set_mode(LiaWorkspace* w, LiaTogetherMode mode) {
    if (w->together) w->together->mode = mode;
}

// At the state in w, where s->f are its m equations.
static void find_slopes(LiaWorkspace* w, struct LiaSlopes* s, int m, int order, const bool* fixed) {
    int n = s->n;
    s->m = m;
    s->q = s->v = 1.0;
    for (int i = 0; i < w->n; i++) {
        s->q = fmax(s->q, fabs(w->q[i]));
        s->v = fmax(s->v, fabs(w->v[i]));
    }
    set_mode(w, LIA_TOGETHER_FROZEN);
    for (int i = 0; i < n; i++) {
        double* x = unknown(w, i);
        double kept = *x, scale = i < w->nf ? s->q : s->v, d = 1e-6 * scale;
        *x = kept + d;
        bool there = !(fixed && fixed[i]) && equations(w, order, s->g) == m;
        *x = kept;
        if (w->together && there) lia_together_note(w, i, d / scale);
        for (int j = 0; j < m; j++) s->A[j * n + i] = there ? (s->g[j] - s->f[j]) / d * scale : 0.0;
    }
    set_mode(w, LIA_TOGETHER_LINEARISED);
    for (int j = 0; j < m; j++) {  // rows of size 1
        s->size[j] = 0.0;
        for (int i = 0; i < n; i++) s->size[j] = fmax(s->size[j], fabs(s->A[j * n + i]));
        if (!(s->size[j] > 0.0)) s->size[j] = 1.0;
        for (int i = 0; i < n; i++) s->A[j * n + i] /= s->size[j];
    }
    invert(s);
}

static double worst(const struct LiaSlopes* s) {
    double most = 0.0;
    for (int j = 0; j < s->m; j++) most = lia_larger(most, fabs(s->f[j]) / s->size[j]);
    return most;
}

// Newton's step with the slopes as they are. Gives its size, in units of the sizes of the state.
static double take_step(LiaWorkspace* w, struct LiaSlopes* s, const bool* fixed) {
    double largest = 0.0;
    for (int i = 0; i < s->n; i++) {
        s->step[i] = 0.0;
        for (int k = 0; k < s->m; k++)
            s->step[i] -= s->inverse[i * s->m + k] * s->f[k] / s->size[k];
        largest = lia_larger(largest, fabs(s->step[i]));
    }
    for (int i = 0; i < s->n; i++) {
        if (!(fixed && fixed[i])) *unknown(w, i) += s->step[i] * (i < w->nf ? s->q : s->v);
    }
    if (w->together) lia_together_follow(w, s->step);
    return largest;
}

// Are the slopes of an earlier projection still good: steps shrink by them?
static const double SHRINKS = 0.2, LITTLE = 1e-13;

bool lia_hidden_project(LiaWorkspace* w, int order, const bool* fixed, double* moved) {
    order += w->hidden->ahead;
    if (order > w->jets.order) order = w->jets.order;
    if (!w->slopes) w->slopes = make(w);
    struct LiaSlopes* s = w->slopes;
    if (!s) return false;
    double total = 0.0, last = INFINITY;
    bool settled = false, fresh = false;
    if (fixed) s->m = 0;
    set_mode(w, LIA_TOGETHER_LINEARISED);
    int m = equations(w, order, s->f);
    for (int pass = 0; m >= 0 && pass < 40 && !settled; pass++) {
        fresh = s->m != m || w->together || pass > 12 || (pass > 0 && last > 1e-3);
        if (fresh) find_slopes(w, s, m, order, fixed);
        if (worst(s) < 2e-15) {
            settled = true;
            break;
        }
        double step = take_step(w, s, fixed);
        total += step;
        m = equations(w, order, s->f);
        settled = step < LITTLE;
        if (!fresh && !settled && !(step < SHRINKS * last)) s->m = 0;  // find them anew
        last = step;
    }
    settled = settled && m == s->m && worst(s) < 1e-9;
    set_mode(w, LIA_TOGETHER_SOLVED);
    if (settled) {  // leave the workspace as accelerate() wants it
        lia_mechanics_load(w, order);
        lia_mechanics_residuals(w);
        settled = lia_mechanics_factor(w) && lia_hidden_residuals(w);
    }
    if (fixed || !settled) s->m = 0;
    if (moved) *moved = total;
    return settled;
}
