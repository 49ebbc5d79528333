// Slopes of levels by the state, and their pseudo-inverse.
//
// How the levels depend on the state is found by differences, one evaluation for each number of the
// state. That is dear, and changes little from one step to the next: the slopes are kept while
// steps with them converge. The levels themselves are exact, so it ends at them all the same.
// SPDX-License-Identifier: MIT
#include "mechanics/degree/level_slopes.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "base/watch.h"
#include "mechanics/degree/derivative_array.h"
#include "mechanics/degree/relative_degree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void lia_level_slopes_forget(LiaWorkspace* w) {
    free(w->forces.slopes);
    w->forces.slopes = NULL;
}

int lia_level_slopes_equations(LiaWorkspace* w, int order, double* f) {
    lia_workspace_update(w, order);
    if (!lia_workspace_factor(w)) return -1;
    int m = 0;
    for (int r = 0; r < w->nr; r++) {
        int c = w->active[r];
        if (w->system->rows[w->dynamics->rows[c]].geometric) f[m++] = w->phi[c];
        f[m++] = w->psi[c];
    }
    if (w->forces.array) return m + lia_derivative_array_rows(w, f + m);
    lia_relative_degree_levels(w);
    for (int i = 0; i < w->forces.degree->levels; i++) f[m++] = w->forces.level[i];
    return m;
}

struct LiaSlopes* lia_level_slopes_make(const LiaWorkspace* w) {
    int n = 2 * w->nf + (w->forces.array ? w->forces.array->n : 0),
        most = w->forces.degree->levels + 2 * w->nc, r = most < n ? most : n;
    size_t N = (size_t)n, M = (size_t)most, R = (size_t)r;
    size_t doubles = 4 * M + (w->forces.array ? 3 : 2) * M * N + 3 * N + R + M * R + N * R +
                     lia_dense_svd_work(most, n);
    struct LiaSlopes* s = lia_memory_zeros(1, sizeof *s + doubles * sizeof(double));
    if (!s) return NULL;
    s->n = n;
    double* x = (double*)(s + 1);
    s->f = x, x += M;
    s->g = x, x += M;
    s->size = x, x += M;
    s->inverse = x, x += M * N;
    s->A = x, x += M * N;
    if (w->forces.array) s->B = x, x += M * N;
    s->f_kept = x, x += M;
    s->step = x, x += N;
    s->scale = x, x += N;
    s->from = x, x += N;
    s->sv = x, x += R;
    s->U = x, x += M * R;
    s->V = x, x += N * R;
    s->scratch = x;
    return s;
}

LIA_KEEP_ALL(struct LiaSlopes, 16 + 14 * sizeof(double*));

// The numbers after the struct, up to the scratch.
void lia_level_slopes_keep(LiaWorkspace* w, LiaKeep* keep) {
    bool there = lia_keep_there(keep, w->forces.slopes != NULL);
    if (lia_keep_reads(keep)) {
        lia_level_slopes_forget(w);
        if (there && w->forces.degree) w->forces.slopes = lia_level_slopes_make(w);
        if (there && !w->forces.slopes) lia_keep_refuse(keep);
    }
    struct LiaSlopes* s = w->forces.slopes;
    if (!s) return;
    int most = w->forces.degree->levels + 2 * w->nc;
    size_t doubles = (size_t)(s->scratch - (double*)(s + 1));
    lia_keep_same(keep, doubles);
    lia_keep_int(keep, &s->m, 0, most);
    lia_keep_int(keep, &s->rank, 0, most);
    lia_keep_doubles(keep, (double*)(s + 1), doubles);
}

static double row_size(const struct LiaSlopes* s, const double* row) {
    double size = 0.0;
    for (int i = 0; i < s->n; i++) size = fmax(size, fabs(row[i]));
    return size > 0.0 ? size : 1.0;
}

// B: the rows of A, where forces are decided together taken out of each other; of size 1.
static void reduce_rows(const LiaDerivativeArray* z, struct LiaSlopes* s) {
    int n = s->n, first = s->m - z->n;
    memcpy(s->B, s->A, (size_t)s->m * (size_t)n * sizeof *s->B);
    for (int e = first; e < s->m; e++) {
        const double* T = z->T + (size_t)(e - first) * (size_t)z->n;
        double* row = s->B + (size_t)e * (size_t)n;
        memset(row, 0, (size_t)n * sizeof *row);
        s->g[e] = 0.0;  // what the row was made of
        for (int u = 0; u < z->n; u++) {
            double part = T[u] * z->row_scale[u] * s->size[first + u];
            s->g[e] += fabs(part);
            for (int i = 0; i < n && part != 0.0; i++) row[i] += part * s->A[(first + u) * n + i];
        }
    }
    for (int e = 0; e < s->m; e++) {
        double *row = s->B + (size_t)e * (size_t)n, size = row_size(s, row);
        bool none = e >= first && size < LIA_SLOPE_ROW_NONE * s->g[e];
        s->g[e] = none ? 1.0 : size;
        for (int i = 0; i < n; i++) row[i] = none ? 0.0 : row[i] / size;
    }
}

// The inverse for the rows of A from that for those of B.
static void restore_rows(const LiaDerivativeArray* z, struct LiaSlopes* s) {
    int first = s->m - z->n;
    for (int i = 0; i < s->n; i++) {
        double* row = s->inverse + (size_t)i * (size_t)s->m;
        for (int e = 0; e < s->m; e++) row[e] /= s->g[e];
        memcpy(s->f_kept, row + first, (size_t)z->n * sizeof *row);
        for (int u = 0; u < z->n; u++) {
            double sum = 0.0;
            for (int e = 0; e < z->n; e++) sum += s->f_kept[e] * z->T[e * z->n + u];
            row[first + u] = sum * z->row_scale[u] * s->size[first + u];
        }
    }
}

// inverse = V sv^-1 U^T of the rows in A, whose size is 1
static void invert(const LiaDerivativeArray* z, struct LiaSlopes* s) {
    int m = s->m, n = s->n, r = m < n ? m : n;
    const double* rows = s->A;
    if (z) {
        reduce_rows(z, s);
        rows = s->B;
    }
    lia_dense_svd(m, n, rows, (LiaSvd){.s = s->sv, .U = s->U, .V = s->V, .work = s->scratch});
    for (s->rank = 0; s->rank < r && s->sv[s->rank] > LIA_SLOPE_RANK * s->sv[0];) s->rank++;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < m; k++) {
            double sum = 0.0;
            for (int j = 0; j < s->rank; j++) {
                sum += s->V[i * r + j] * s->U[k * r + j] / s->sv[j];
            }
            s->inverse[i * m + k] = sum;
        }
    }
    if (z) restore_rows(z, s);
}

// Sizes of positions, velocities and forces.
static void find_scales(LiaWorkspace* w, struct LiaSlopes* s) {
    const double cheap = 100.0;
    double q = 1.0, v = 1.0;
    for (int i = 0; i < w->n; i++) {
        q = fmax(q, fabs(w->q[i]));
        v = fmax(v, fabs(w->v[i]));
    }
    for (int i = 0; i < 2 * w->nf; i++) s->scale[i] = i < w->nf ? q : v;
    for (int i = 2 * w->nf; i < s->n; i++) {
        s->scale[i] = cheap * fmax(w->forces.array->unit[i - 2 * w->nf],
                                   fabs(*lia_level_slopes_unknown(w, i)));
    }
}

// Column i of the slopes by the state, where s->f are its equations. High derivatives that are to
// be taken out of each other need more digits: differences to both sides.
static void vary(LiaWorkspace* w, struct LiaSlopes* s, int order, int i) {
    double *x = lia_level_slopes_unknown(w, i), kept = *x,
           part = w->forces.array ? LIA_SLOPE_CENTRAL : LIA_SLOPE_ONE_SIDED, d = part * s->scale[i];
    bool there = true;
    if (w->forces.array) {
        *x = kept - d;
        there = lia_level_slopes_equations(w, order, s->g) == s->m;
        part *= 2.0;
    }
    for (int j = 0; j < s->m; j++) s->A[j * s->n + i] = w->forces.array ? s->g[j] : s->f[j];
    *x = kept + d;
    there = there && lia_level_slopes_equations(w, order, s->g) == s->m;
    *x = kept;
    for (int j = 0; j < s->m; j++) {
        double* slope = &s->A[j * s->n + i];
        *slope = there ? (s->g[j] - *slope) / part : 0.0;
    }
}

// The slopes by forces, of the last equations.
static void take_force_slopes(LiaWorkspace* w, struct LiaSlopes* s) {
    const LiaDerivativeArray* z = w->forces.array;
    int first = s->m - z->n, column = 2 * w->nf;
    for (int u = 0; u < z->n; u++) {
        for (int j = 0; j < first; j++) s->A[j * s->n + column + u] = 0.0;
        for (int e = 0; e < z->n; e++) {
            s->A[(first + e) * s->n + column + u] = z->G[e * z->n + u] * s->scale[column + u];
        }
    }
}

double lia_level_slopes_blur(LiaWorkspace* w, struct LiaSlopes* s, int order) {
    int states = 2 * w->nf;
    double most = 0.0;
    for (int i = 0; i < states; i++) {
        double *x = lia_level_slopes_unknown(w, i),
               d = (i % 3 - 1.5) * LIA_VARIED_BY_ROUNDING * s->scale[i];
        s->step[i] = *x;
        *x += d;
    }
    bool there = lia_level_slopes_equations(w, order, s->g) == s->m;
    for (int i = 0; i < states; i++) {
        double *x = lia_level_slopes_unknown(w, i), moved = (*x - s->step[i]) / s->scale[i];
        *x = s->step[i];
        for (int j = 0; j < s->m; j++) s->g[j] -= s->A[j * s->n + i] * s->size[j] * moved;
    }
    for (int i = 0; i < states && there; i++) {
        double sum = 0.0;
        for (int k = 0; k < s->m; k++) {
            sum += s->inverse[i * s->m + k] * (s->g[k] - s->f[k]) / s->size[k];
        }
        most = fmax(most, fabs(sum));
    }
    return most;
}

void lia_level_slopes_find(LiaWorkspace* w, struct LiaSlopes* s, int m, int order,
                           const bool* fixed) {
    int n = s->n;
    s->m = m;
    if (w->forces.array) lia_derivative_array_slopes(w);
    find_scales(w, s);
    if (w->forces.array) take_force_slopes(w, s);
    for (int i = 0; i < 2 * w->nf; i++) {
        if (!(fixed && fixed[i]) && !lia_watch_asked()) {
            vary(w, s, order, i);
            continue;
        }
        for (int j = 0; j < m; j++) s->A[j * n + i] = 0.0;
    }
    for (int j = 0; j < m; j++) {  // rows of size 1
        s->size[j] = row_size(s, s->A + (size_t)j * (size_t)n);
        for (int i = 0; i < n; i++) s->A[j * n + i] /= s->size[j];
    }
    invert(w->forces.array, s);
}
