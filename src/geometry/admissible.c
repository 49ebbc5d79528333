// Admissible states. See admissible.h.
//
// Newton steps of least size: with M = L L^T and d = x - target, the unknown dx minimises
// (d + dx)^T M (d + dx) subject to J dx = -residual, so (J L^-T) y = J d - residual with |y| least
// and dx = L^-T y - d. Least squares make rows that depend on each other harmless.
// SPDX-License-Identifier: MIT
#include "geometry/admissible.h"
#include "base/memory/memory.h"
#include "base/numeric/newton.h"
#include "base/numeric/qr.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "base/watch.h"
#include "geometry/reached.h"
#include "geometry/span.h"
#include "mechanics/start/search/min_norm_step.h"
#include "mechanics/start/start.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lia_admissible_init(LiaAdmissible* z, const LiaSystem* s) {
    assert(lia_system_invariants_hold(s));
    memset(z, 0, sizeof *z);
    z->system = s;
    z->rank_most = -1;
    z->w = lia_workspace_create_dense(s, s->full, 1);
    if (!z->w) return false;
    z->n = z->w->n, z->m = z->w->nc;
    z->near = s->full->sparse ? lia_workspace_create(s, s->full, 1) : z->w;
    if (!z->near) {
        lia_admissible_clear(z);
        return false;
    }
    size_t n = (size_t)z->n, m = (size_t)z->m, r = m < n ? m : n, work = lia_qr_work(z->m, z->n);
    size_t doubles = 2 * n + n * n + m * n + 2 * n + m + r + work;
    z->block =
        lia_memory_zeros(doubles * sizeof(double) + (n + 3 * m + 1) * sizeof(int) + 2 * n, 1);
    if (!z->block) {
        lia_admissible_clear(z);
        return false;
    }
    double* x = z->block;
    z->target = x, x += n;
    z->weight = x, x += n;
    for (size_t i = 0; i < n; i++) z->weight[i] = 1.0;
    z->L = x, x += n * n;
    z->B = x, x += m * n;
    z->y = x, x += 2 * n;
    z->rhs = x, x += m;
    z->pivot = x, x += r;
    z->work = x, x += work;
    z->unknown = (int*)x;
    z->row = z->unknown + n;
    z->order = z->row + m + 1;
    z->given = (bool*)(z->order + 2 * m);
    return true;
}

void lia_admissible_clear(LiaAdmissible* z) {
    if (z->near != z->w) lia_workspace_destroy(z->near);
    lia_workspace_destroy(z->w);
    free(z->block);
    memset(z, 0, sizeof *z);
}

// M, J and Omega; whether K0 is singular is not asked here.
static void evaluate(LiaWorkspace* w) {
    lia_workspace_update(w, 1);
    lia_workspace_matrices(w);
}

static bool row_counts(const LiaAdmissible* z, int c, int level) {
    const LiaRow* row = &z->system->rows[z->w->dynamics->rows[c]];
    if (z->without == 1 + c) return false;
    return level == 1 || (row->geometric && !row->integrated);
}

static double residual_at(const LiaAdmissible* z, const LiaWorkspace* w, int level, uint32_t* row) {
    const double* x = level == 0 ? w->q : w->v;
    double size = 1.0, most = 0.0;
    if (row) *row = UINT32_MAX;
    for (int i = 0; i < z->n; i++) size = fmax(size, fabs(x[i]));
    for (int c = 0; c < z->m; c++) {
        if (!row_counts(z, c, level)) continue;
        double sum = 0.0;
        LiaEntries J = lia_workspace_J(w, c);
        for (int k = 0; k < J.count; k++) sum += fabs(J.value[k]);
        double r = fabs(level == 0 ? w->phi[c] : w->psi[c]) /
                   (size * (sum > 0.0 ? fmax(sum, LIA_START_ROW_LEAST) : 1.0));
        if (r <= most) continue;
        most = r;
        if (row) *row = w->dynamics->rows[c];
        if (isnan(r)) return r;
    }
    return most;
}

double lia_admissible_residual(const LiaAdmissible* z, int level, uint32_t* row) {
    assert(level == 0 || level == 1);
    return residual_at(z, z->w, level, row);
}

static void metric(LiaAdmissible* z, int u) {
    const LiaWorkspace* w = z->w;
    bool finite = true;
    for (int i = 0; i < u; i++) {
        for (int k = 0; k < u; k++) {
            double x = w->saddle.M[z->unknown[i] * z->n + z->unknown[k]];
            if (!isfinite(x)) finite = false;
            z->L[i * u + k] = x;
        }
        if (z->L[i * u + i] == 0.0) z->L[i * u + i] = 1.0;
    }
    if (finite && lia_dense_cholesky(u, z->L)) return;
    memset(z->L, 0, (size_t)u * (size_t)u * sizeof(double));
    for (int i = 0; i < u; i++) z->L[i * u + i] = 1.0;
}

// From y, the distance to the target after the step. Returns the size of the step relative to the
// state.
static double take_step(LiaAdmissible* z, double* x, int u) {
    double size = 1.0, most = 0.0;
    for (int i = 0; i < z->n; i++) size = fmax(size, fabs(x[i]));
    double* step = z->y + z->n;
    for (int i = 0; i < u; i++) {
        int k = z->unknown[i];
        step[i] = z->y[i] - (x[k] - z->target[k]);
        most = fmax(most, fabs(step[i]));
    }
    // Far away the equations are not what they look like here: no step beyond ten times the state.
    double part = most > 10.0 * size ? 10.0 * size / most : 1.0;
    for (int i = 0; i < u; i++) x[z->unknown[i]] += part * step[i];
    return most / size;
}

static double newton_step(LiaAdmissible* z, int level, double* x, int u, int m) {
    const LiaWorkspace* w = z->w;
    metric(z, u);
    for (int c = 0; c < m; c++) {
        double* row = z->B + (size_t)c * (size_t)u;
        double along = 0.0;
        for (int i = 0; i < u; i++) {
            row[i] = w->saddle.J[z->row[c] * z->n + z->unknown[i]];
            along += row[i] * (x[z->unknown[i]] - z->target[z->unknown[i]]);
        }
        z->rhs[c] = along - (level == 0 ? w->phi : w->psi)[z->row[c]];
        lia_dense_forward(u, z->L, row);
    }
    LiaRows rows = {.m = m, .n = u, .A = z->B, .pivot = z->pivot, .order = z->order};
    lia_qr_factor(&rows, LIA_START_RANK, true);
    lia_qr_solve(&rows, z->rhs, z->y, z->work, z->order + m);
    lia_dense_backward(u, z->L, z->y);
    return take_step(z, x, u);
}

// The same by sparse elimination, for large systems.
static double sparse_step(LiaAdmissible* z, LiaMinNormStep* shortest, int level, double* x, int u,
                          int m) {
    const LiaWorkspace* w = z->near;
    for (int c = 0; c < m; c++) {
        LiaEntries J = lia_workspace_J(w, z->row[c]);
        double along = 0.0;
        for (int k = 0; k < J.count; k++) {
            int i = lia_entry_column(&J, k);
            if (!z->given[level * z->n + i]) along += J.value[k] * (x[i] - z->target[i]);
        }
        z->rhs[c] = along - (level == 0 ? w->phi : w->psi)[z->row[c]];
    }
    return lia_min_norm_step_find(shortest, w, z->rhs, z->y) ? take_step(z, x, u) : 0.0;
}

// Newton's method for one level of equations, in the workspace `near`.
typedef struct Level {
    LiaAdmissible* z;
    LiaMinNormStep* shortest;  // NULL: full arrays
    int level, u, m;
    double* x;
} Level;

static double level_step(void* of, double damping) {
    (void)damping;  // full steps
    const Level* l = of;
    return l->shortest ? sparse_step(l->z, l->shortest, l->level, l->x, l->u, l->m)
                       : newton_step(l->z, l->level, l->x, l->u, l->m);
}

static double level_residual(void* of) {
    const Level* l = of;
    evaluate(l->z->near);
    return residual_at(l->z, l->z->near, l->level, NULL);
}

// One step from where Newton's method arrived: what the equations make zero is then zero, and no
// rounding of the state from which it came.
static double polish(Level* l) {
    memcpy(l->z->target, l->x, (size_t)l->z->n * sizeof *l->x);
    level_step(l, 1.0);
    return level_residual(l);
}

static double settle_level(LiaAdmissible* z, int level) {
    double* x = level == 0 ? z->near->q : z->near->v;
    int u = 0, m = 0;
    for (int i = 0; i < z->n; i++) {
        z->target[i] = x[i];
        if (!z->given[level * z->n + i]) z->unknown[u++] = i;
    }
    for (int c = 0; c < z->m; c++) {
        if (row_counts(z, c, level)) z->row[m++] = c;
    }
    evaluate(z->near);
    double residual = m ? residual_at(z, z->near, level, NULL) : 0.0;
    if (m == 0 || u == 0) return residual;
    LiaMinNormStep shortest;
    bool sparse = z->near != z->w;
    if (sparse && !lia_min_norm_step_init(&shortest, z->near,
                                          (LiaMinNormAsked){z->unknown, u, z->row, m, z->weight})) {
        lia_min_norm_step_clear(&shortest);
        return NAN;
    }
    Level of = {z, sparse ? &shortest : NULL, level, u, m, x};
    const LiaNewton newton = {
        .of = &of,
        .residual = level_residual,
        .step = level_step,
        .rules = {.passes = 60,
                  .still = LIA_NEWTON_STOPPED,
                  .small = LIA_NEWTON_SMALL,
                  .held = LIA_RESIDUAL_ROUNDING,
                  .watched = true},
    };
    residual = lia_newton_run(&newton, residual).residual;
    if (residual < LIA_ADMISSIBLE) residual = polish(&of);
    if (sparse) lia_min_norm_step_clear(&shortest);
    return residual;
}

static void copy_state(const LiaAdmissible* z, const LiaWorkspace* from, LiaWorkspace* to) {
    size_t bytes = (size_t)z->n * sizeof(double);
    to->t = from->t;
    memcpy(to->q, from->q, bytes);
    memcpy(to->v, from->v, bytes);
}

static double settle(LiaAdmissible* z) {
    double position = settle_level(z, 0);
    if (!(position < LIA_ADMISSIBLE)) return position;
    double velocity = settle_level(z, 1);
    return isnan(velocity) || velocity > position ? velocity : position;
}

double lia_admissible_settle(LiaAdmissible* z) {
    if (z->near == z->w) return settle(z);
    copy_state(z, z->w, z->near);
    double residual = settle(z);
    copy_state(z, z->near, z->w);
    if (residual < LIA_ADMISSIBLE) evaluate(z->w);
    return residual;
}

static bool all_finite(const double* x, int count) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

// Independent geometric equations at the state in the workspace.
static int geometric_rank(LiaAdmissible* z) {
    size_t n = (size_t)z->n;
    int count = 0;
    for (int c = 0; c < z->m; c++) {
        if (!row_counts(z, c, 0)) continue;
        memcpy(z->B + (size_t)count++ * n, z->w->saddle.J + (size_t)c * n, n * sizeof *z->B);
    }
    return lia_span_rank(count, z->n, z->B);
}

bool lia_admissible_sample(LiaAdmissible* z, uint64_t seed, double radius, const double* q,
                           const double* v) {
    const LiaModel* model = z->system->model;
    uint64_t state = seed * 0x2545f4914f6cdd1du + 1;
    memset(z->given, 0, 2 * (size_t)z->n * sizeof *z->given);
    // Nearer and nearer, for formulas that have a value only around the start.
    for (; radius > LIA_SAMPLE_NEAREST && !lia_watch_asked(); radius *= 0.5) {
        for (int i = 0; i < z->n; i++) {
            bool circle = model->coordinates[i].manifold == LIA_CIRCLE;
            double reach = circle ? 3.0 : fmax(1.0, fabs(q[i]));
            z->w->q[i] = q[i] + radius * reach * lia_random_even(&state);
            z->w->v[i] = v[i] + radius * fmax(1.0, fabs(v[i])) * lia_random_even(&state);
        }
        if (model->contact_points_count > 0) lia_start_contact_find(z->system, z->w);
        double residual = lia_admissible_settle(z);
        if (residual < LIA_ADMISSIBLE_SAMPLE && all_finite(z->w->q, z->n) &&
            all_finite(z->w->v, z->n) && all_finite(z->w->saddle.M, z->n * z->n) &&
            all_finite(z->w->saddle.J, z->n * z->m) &&
            all_finite(z->w->saddle.Omega, z->n * z->m) &&
            (z->rank_most < 0 || geometric_rank(z) <= z->rank_most)) {
            return true;
        }
    }
    return false;
}

// A linkage may be put together in several ways, and be stiff in some of them: there more equations
// are independent than on the branch of the start. The motion does not get there, so close states
// say how many there can be.
static void find_rank(LiaAdmissible* z, double t0, double t1, const double* q, const double* v) {
    const double close = 0x1p-6;
    int most = -1;
    z->rank_most = -1;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        z->w->t = t0 + close * (t1 - t0);
        if (!lia_admissible_sample(z, seed, close, q, v)) continue;
        int rank = geometric_rank(z);
        if (rank > most) most = rank;
    }
    z->rank_most = most;
}

static void keep(LiaSamples* out, const LiaAdmissible* z) {
    size_t n = (size_t)z->n, k = out->count++;
    out->t[k] = z->w->t;
    memcpy(out->q + k * n, z->w->q, n * sizeof(double));
    memcpy(out->v + k * n, z->w->v, n * sizeof(double));
}

static bool is_admissible(const LiaAdmissible* z) {
    return lia_admissible_residual(z, 0, NULL) < LIA_ADMISSIBLE &&
           lia_admissible_residual(z, 1, NULL) < LIA_ADMISSIBLE &&
           all_finite(z->w->saddle.M, z->n * z->n) && all_finite(z->w->saddle.Omega, z->n * z->m);
}

static void put(LiaAdmissible* z, const double* q, const double* v) {
    size_t bytes = (size_t)z->n * sizeof(double);
    if (z->n > 0) {
        memcpy(z->w->q, q, bytes);
        memcpy(z->w->v, v, bytes);
    }
    evaluate(z->w);
}

static bool is_near(int n, const double* x, const double* y) {
    double size = 1.0, most = 0.0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(y[i]));
        most = fmax(most, fabs(x[i] - y[i]));
    }
    return most <= LIA_IDENTITY_ROWS * size;
}

// The state given, as the first sample: what the equations make zero has the rounding of whoever
// found it, which the others have not.
static void keep_given(LiaAdmissible* z, LiaSamples* out, const double* q, const double* v) {
    put(z, q, v);
    if (!is_admissible(z)) return;
    memset(z->given, 0, 2 * (size_t)z->n * sizeof *z->given);
    bool good = lia_admissible_settle(z) < LIA_ADMISSIBLE && is_near(z->n, z->w->q, q) &&
                is_near(z->n, z->w->v, v) && is_admissible(z);
    if (!good) put(z, q, v);
    keep(out, z);
    out->given = true;
}

bool lia_admissible_make(LiaAdmissible* z, LiaArena* arena, LiaAround around, uint32_t most,
                         LiaSamples* out) {
    double t0 = around.t0, t1 = around.t1;
    const double *q = around.q, *v = around.v;
    size_t n = (size_t)z->n;
    *out = (LiaSamples){0};
    out->t = LIA_ARENA_NEW(arena, double, most + 1);
    out->q = LIA_ARENA_NEW(arena, double, (most + 1) * n + 1);
    out->v = LIA_ARENA_NEW(arena, double, (most + 1) * n + 1);
    if (!out->t || !out->q || !out->v) return false;
    z->w->t = t0;
    keep_given(z, out, q, v);
    int start = out->given ? lia_reached_rank(z) : z->m;
    bool drops = false;  // the rank at the start is less than around it
    find_rank(z, t0, t1, q, v);
    for (uint64_t seed = 1; out->count < most && seed <= 3 * (uint64_t)most; seed++) {
        uint64_t state = seed;
        z->w->t = t0 + (t1 - t0) * 0.5 * (1.0 + lia_random_even(&state));
        if (!lia_admissible_sample(z, seed, 1.0, q, v)) continue;
        drops |= start < z->m && lia_reached_rank(z) > start;
        keep(out, z);
    }
    if (out->given && (drops || out->count < most)) return lia_reached_make(z, t1, most, out);
    return true;
}

void lia_admissible_load(LiaAdmissible* z, const LiaSamples* samples, uint32_t k) {
    assert(k < samples->count);
    size_t n = (size_t)z->n;
    z->w->t = samples->t[k];
    memcpy(z->w->q, samples->q + k * n, n * sizeof(double));
    memcpy(z->w->v, samples->v + k * n, n * sizeof(double));
    evaluate(z->w);
}
