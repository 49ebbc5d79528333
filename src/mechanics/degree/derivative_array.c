// Operators whose forces are decided only together: by several derivatives of all their equations
// at once.
//
// relative_degree.c differentiates each equation until a force appears in it. Where the matrix S of
// these forces is singular, some combination of the equations has no force in it: it is a new
// equation of the state, to be differentiated further, and so on until all forces are decided or no
// new equation comes (the structure algorithm: Silverman 1969, Singh 1981). Here the combinations
// are not formed; all derivatives up to a depth K are taken at once. The unknowns are
//
//   x = (mu[k], mu[k+1], ..., mu[k+K]),    r(x) = (e[k+base], ..., e[k+base+K]) = 0,    G = dr/dx.
//
// G is singular, for not all of mu[k+1], ... is decided by these equations; but mu[k] is, or what
// they leave open of it moves nothing (two operators that ask the same). The least such K is taken.
// Newton's method with steps of least norm; beyond order K the equations are linear in x. At order
// 0 what no force can change, N^T r with N^T G = 0, are hidden equations of the state (derivative
// arrays: Campbell and Gear 1995). These ranks are what they are only where all equations hold, so
// the depth is sought on states that are moved there (relative_degree_project.c).
//
// G costs no digits: a coefficient of order j is a polynomial in the force of order i, of degree
// j/(i + 1) at most, and differences over as many points as that needs are exact, however wide.
// SPDX-License-Identifier: MIT
#include "mechanics/degree/derivative_array.h"
#include "base/memory/memory.h"
#include "base/numeric/newton.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/kkt/stage.h"
#include <float.h>
#include <math.h>
#include <string.h>

static double* series(const LiaWorkspace* w, uint32_t reg) { return lia_jet_series(&w->jets, reg); }

static double equation(const LiaWorkspace* w, int i, int order) {
    return series(w, w->dynamics->equation[w->forces.degree->row[i]])[order];
}

static double acceleration(const LiaWorkspace* w, int i) {
    return series(w, w->dynamics->tape->acceleration[w->dynamics->free[i]])[0];
}

// Numbers after the struct.
static size_t doubles_of(int n, int count, int nf) {
    size_t N = (size_t)n, F = (size_t)nf * (size_t)count;
    return 10 * N + 7 * N * N + F + (size_t)nf + lia_dense_svd_work(n, n);
}

LiaDerivativeArray* lia_derivative_array_create(const LiaRelativeDegree* h, int nf) {
    int m = h->count, n = m * (h->ahead + 1);
    size_t N = (size_t)n, F = (size_t)nf * (size_t)m;
    LiaDerivativeArray* z = lia_memory_zeros(1, sizeof *z + doubles_of(n, m, nf) * sizeof(double));
    if (!z) return NULL;
    z->n = n, z->count = m, z->depth = h->ahead;
    for (int i = 0; i < m; i++) z->kinematic |= h->base[i] == 1;
    double* at = (double*)(z + 1);
    double** vectors[] = {&z->x, &z->first, &z->r,        &z->row_scale, &z->column_scale,
                          &z->s, &z->step,  &z->rounding, &z->unit,      &z->blur};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++, at += N) *vectors[i] = at;
    double** matrices[] = {&z->G, &z->scaled, &z->noise, &z->U, &z->V, &z->N, &z->T};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++, at += N * N) *matrices[i] = at;
    z->push = at, at += F;
    z->plain = at, at += nf;
    z->work = at;
    return z;
}

LIA_KEEP_ALL(LiaDerivativeArray, 32 + 20 * sizeof(double*) + 8);

static void keep_array(LiaDerivativeArray* z, LiaKeep* keep, int nf) {
    size_t doubles = doubles_of(z->n, z->count, nf);
    lia_keep_same(keep, doubles);
    lia_keep_int(keep, &z->rank, 0, z->n);
    lia_keep_int(keep, &z->left, 0, z->n);
    lia_keep_bool(keep, &z->frozen);
    lia_keep_double(keep, &z->there);
    lia_keep_doubles(keep, (double*)(z + 1), doubles);
}

// Stages k + from .. k + K with the forces x; r is what they leave.
static void run(LiaWorkspace* w, int k, int from, double* r) {
    const LiaDerivativeArray* z = w->forces.array;
    const LiaRelativeDegree* h = w->forces.degree;
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

// What rounding makes of e[order] of each equation: of the terms it is made of, 64 last digits.
static void find_rounding(const LiaWorkspace* w, int k, double* rounding) {
    const LiaDerivativeArray* z = w->forces.array;
    const LiaRelativeDegree* h = w->forces.degree;
    const LiaTape* tape = w->dynamics->tape;
    for (int e = 0; e < z->n; e++) {
        int i = e % z->count, order = k + h->base[i] + e / z->count;
        double size = 0.0, most = 0.0;
        LiaEntries J = lia_workspace_J(w, h->row[i]);
        for (int c = 0; c < J.count; c++) size = fmax(size, fabs(J.value[c]));
        const uint32_t* of = h->base[i] == 1 ? tape->velocity : tape->position;
        for (int c = 0; c < w->nf; c++) {
            most = fmax(most, fabs(series(w, of[w->dynamics->free[c]])[order]));
        }
        rounding[e] = LIA_HIGH_DERIVATIVE_ROUNDING * size * most;
    }
}

// A change of mu[order] of the i-th force that matters relative to the accelerations of this order.
static double worthwhile(const LiaWorkspace* w, int i, int order) {
    double there = 1.0;
    for (int c = 0; c < w->nf; c++) {
        uint32_t reg = w->dynamics->tape->acceleration[w->dynamics->free[c]];
        there = fmax(there, fabs(series(w, reg)[order]));
    }
    return w->forces.trial[i] / w->forces.array->there * there;
}

// Column u of G: differences of r to both sides at 1, 2, ..., p steps, exact for polynomials of
// degree 2 p,
//   f' = sum_j c_j (f(j d) - f(-j d))/(2 d),   c_j = 2 (-1)^(j+1) p!^2/(j (p-j)! (p+j)!).
static void find_column(LiaWorkspace* w, int k, int u) {
    LiaDerivativeArray* z = w->forces.array;
    int m = z->count, n = z->n, order = u / m;
    int degree = (k + z->depth + z->kinematic) / (k + order + 1),
        p = degree > 1 ? (degree + 1) / 2 : 1;
    double kept = z->x[u], *tried = z->step, c = 2.0;
    double d = exp2(round(log2(fmax(fabs(kept), z->unit[u]) / p)));
    for (int e = 0; e < n; e++) z->G[e * n + u] = z->noise[e * n + u] = 0.0;
    for (int i = 0; k == 0 && order == 0 && i < w->nf; i++) z->push[i * m + u] = 0.0;
    for (int j = 1; j <= p; j++) {
        c *= (j == 1 ? 1.0 : -(j - 1.0) / j) * (p - j + 1.0) / (p + j);
        for (int side = 1; side >= (degree > 1 ? -1 : 1); side -= 2) {
            double part = degree > 1 ? side * c / (2.0 * d) : 1.0 / d;
            z->x[u] = kept + side * j * d;
            run(w, k, order, tried);
            find_rounding(w, k, z->rounding);
            for (int e = order * m; e < n; e++) {
                z->G[e * n + u] += part * (tried[e] - z->r[e]);
                z->noise[e * n + u] += fabs(part) * z->rounding[e];
            }
            for (int i = 0; k == 0 && order == 0 && i < w->nf; i++) {
                z->push[i * m + u] += part * (acceleration(w, i) - z->plain[i]);
            }
        }
    }
    z->x[u] = kept;
    for (int e = 0; e < n; e++) {
        if (fabs(z->G[e * n + u]) <= z->noise[e * n + u]) z->G[e * n + u] = 0.0;
    }
}

// G, r known. The last orders come first: each trial leaves the stages before it as they are.
static void find_derivative(LiaWorkspace* w, int k) {
    LiaDerivativeArray* z = w->forces.array;
    for (int i = 0; k == 0 && i < w->nf; i++) z->plain[i] = acceleration(w, i);
    for (int u = 0; u < z->n; u++) z->unit[u] = worthwhile(w, u % z->count, k + u / z->count);
    for (int u = z->n - 1; u >= 0; u--) find_column(w, k, u);
}

static double power_of_two(double x) { return exp2(round(log2(x))); }

// Rows and columns of size 1, but for those in which rounding would count then; what is zero stays
// so.
static void balance(LiaDerivativeArray* z) {
    int n = z->n;
    for (int e = 0; e < n; e++) z->row_scale[e] = z->column_scale[e] = 1.0;
    for (int pass = 0; pass < 16; pass++) {
        bool rows = pass % 2 == 0;
        double *own = rows ? z->row_scale : z->column_scale,
               *other = rows ? z->column_scale : z->row_scale;
        for (int e = 0; e < n; e++) {
            double most = 0.0, noise = 0.0;
            for (int u = 0; u < n; u++) {
                int at = rows ? e * n + u : u * n + e;
                most = fmax(most, fabs(z->G[at]) * other[u]);
                noise = fmax(noise, z->noise[at] * other[u]);
            }
            most = fmax(most, noise / LIA_ARRAY_LOUD);
            own[e] = most > 0.0 ? 1.0 / power_of_two(most) : 1.0;
        }
    }
}

static void swap_rows(LiaDerivativeArray* z, int a, int b) {
    int n = z->n;
    if (a == b) return;
    for (int u = 0; u < n; u++) {
        double kept = z->scaled[a * n + u], of_T = z->T[a * n + u];
        z->scaled[a * n + u] = z->scaled[b * n + u];
        z->T[a * n + u] = z->T[b * n + u];
        z->scaled[b * n + u] = kept;
        z->T[b * n + u] = of_T;
    }
    double blur = z->blur[a];
    z->blur[a] = z->blur[b];
    z->blur[b] = blur;
}

// What a row decides, its largest entry, becomes 1, and 0 in all others.
static void eliminate_by(LiaDerivativeArray* z, int row) {
    int n = z->n, pivot = 0;
    double *A = z->scaled + (size_t)row * (size_t)n, *T = z->T + (size_t)row * (size_t)n;
    for (int u = 1; u < n; u++) {
        if (fabs(A[u]) > fabs(A[pivot])) pivot = u;
    }
    double by = 1.0 / A[pivot];
    for (int u = 0; u < n; u++) A[u] *= by, T[u] *= by;
    A[pivot] = 1.0;
    z->blur[row] *= fabs(by);
    for (int e = 0; e < n; e++) {
        double part = e == row ? 0.0 : z->scaled[e * n + pivot];
        if (part == 0.0) continue;
        for (int u = 0; u < n; u++) {
            z->scaled[e * n + u] -= part * A[u];
            z->T[e * n + u] -= part * T[u];
        }
        z->scaled[e * n + pivot] = 0.0;
        z->blur[e] += fabs(part) * (z->blur[row] + DBL_EPSILON);
    }
}

// The row that rounding has blurred least, of those from `rank` on; the others of them that are
// nothing relative to it go to the end. -1 if none is left.
static int choose_row(LiaDerivativeArray* z, int rank, int* end) {
    int n = z->n, best = -1;
    double best_ratio = INFINITY;
    for (int e = rank; e < *end; e++) {
        double size = 0.0;
        for (int u = 0; u < n; u++) size = fmax(size, fabs(z->scaled[e * n + u]));
        if (!(size > fmax(LIA_ARRAY_ROW_LEAST, LIA_CLEAR_OF_NOISE * z->blur[e]))) {
            swap_rows(z, e--, --*end);
        } else if (z->blur[e] / size < best_ratio) {
            best = e;
            best_ratio = z->blur[e] / size;
        }
    }
    return best;
}

// The structure algorithm in numbers: T scaled = (I C; 0 0) up to the order of columns. What one
// row decides is taken out of all others, and these are looked at in their own size then: of a load
// on a rope between stiff springs all high derivatives are first of all those of the pull along the
// rope, and what is across it comes to light only after them.
static void eliminate(LiaDerivativeArray* z) {
    int n = z->n, end = n;
    for (int e = 0; e < n; e++) {
        z->blur[e] = 0.0;
        for (int u = 0; u < n; u++) {
            int at = e * n + u;
            double scale = z->row_scale[e] * z->column_scale[u];
            z->scaled[at] = z->G[at] * scale;
            z->T[at] = e == u ? 1.0 : 0.0;
            z->blur[e] = fmax(z->blur[e], z->noise[at] * scale);
        }
    }
    for (z->rank = 0;; z->rank++) {
        int row = choose_row(z, z->rank, &end);
        if (row < 0) break;
        swap_rows(z, row, z->rank);
        eliminate_by(z, z->rank);
    }
}

static void decompose(LiaDerivativeArray* z) {
    balance(z);
    eliminate(z);
    int n = z->n;
    memset(z->scaled + (size_t)z->rank * (size_t)n, 0,
           (size_t)(n - z->rank) * (size_t)n * sizeof *z->scaled);
    lia_dense_svd(n, n, z->scaled, (LiaSvd){.s = z->s, .U = z->U, .V = z->V, .work = z->work});
}

// Newton's step of least norm from r; its size relative to the unknowns.
static double step(LiaWorkspace* w) {
    LiaDerivativeArray* z = w->forces.array;
    int n = z->n, m = z->count;
    double size = 0.0, *reduced = z->rounding;
    memset(z->step, 0, (size_t)n * sizeof *z->step);
    for (int e = 0; e < z->rank; e++) {
        reduced[e] = 0.0;
        for (int u = 0; u < n; u++) reduced[e] += z->T[e * n + u] * z->row_scale[u] * z->r[u];
    }
    for (int j = 0; j < z->rank; j++) {
        double dot = 0.0;
        for (int e = 0; e < z->rank; e++) dot += z->U[e * n + j] * reduced[e];
        for (int u = 0; u < n; u++) z->step[u] -= z->V[u * n + j] * dot / z->s[j];
    }
    for (int u = 0; u < n; u++) {
        double d = z->step[u] * z->column_scale[u];
        z->x[u] += d;
        size = fmax(size, fabs(d) / fmax(fabs(z->x[u]), w->forces.trial[u % m]));
    }
    return size;
}

typedef struct Solution {
    LiaWorkspace* w;
    int k;
    bool linear;
    double last;  // step; infinite: none yet
} Solution;

static double residual_of(void* of) {
    const Solution* s = of;
    LiaDerivativeArray* z = s->w->forces.array;
    double most = 0.0;
    run(s->w, s->k, 0, z->r);
    for (int e = 0; e < z->n; e++) most = isfinite(z->r[e]) ? fmax(most, fabs(z->r[e])) : INFINITY;
    return most;
}

// With the derivative that is known, or a new one while steps are long.
static double take_step(void* of, double damping) {
    Solution* s = of;
    LiaDerivativeArray* z = s->w->forces.array;
    (void)damping;
    if (isinf(s->last) || (!s->linear && s->last > LIA_ARRAY_DERIVATIVE_ANEW)) {
        find_derivative(s->w, s->k);
        decompose(z);
        run(s->w, s->k, 0, z->r);
    }
    s->last = step(s->w);
    return s->last;
}

// Order k of the forces into z->x; z->r is what is left there. False: they have no value.
static bool solve(LiaWorkspace* w, int k) {
    const LiaDerivativeArray* z = w->forces.array;
    Solution s = {w, k, k + 1 >= z->depth + z->kinematic, INFINITY};
    const LiaNewton newton = {
        .of = &s,
        .residual = residual_of,
        .step = take_step,
        .rules = {.passes = s.linear ? 2 : 20,
                  .still = LIA_ARRAY_EXACT,
                  .blurred = LIA_ARRAY_BLURRED,
                  .falls = LIA_STEPS_STALL},
    };
    return lia_newton_run(&newton, residual_of(&s)).end != LIA_NEWTON_LOST;
}

static void stage(LiaWorkspace* w, int k) {
    LiaDerivativeArray* z = w->forces.array;
    int m = z->count, n = z->n;
    if (k == 0) {
        memcpy(z->x, z->first, (size_t)n * sizeof *z->x);
    } else {
        memmove(z->x, z->x + m, (size_t)(n - m) * sizeof *z->x);
        memset(z->x + n - m, 0, (size_t)m * sizeof *z->x);
    }
    solve(w, k);
    if (k == 0 && !z->frozen) memcpy(z->first, z->x, (size_t)n * sizeof *z->x);
    lia_stage_begin(w, k);
    lia_stage_solve(w, k);
}

// Is mu[0] decided by the equations, but for what moves nothing?
static bool decided(const LiaWorkspace* w) {
    const LiaDerivativeArray* z = w->forces.array;
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
            if (fabs(moves) > LIA_OPEN_PUSH * most) return false;
        }
    }
    return true;
}

static bool is_open(const LiaWorkspace* w, int i) {
    const LiaDerivativeArray* z = w->forces.array;
    for (int j = z->rank; j < z->n; j++) {
        if (fabs(z->V[i * z->n + j]) > LIA_OPEN_SHARE) return true;
    }
    return false;
}

// N: the rows of T that left nothing of G.
static void find_left_kernel(LiaDerivativeArray* z) {
    int n = z->n;
    z->left = n - z->rank;
    for (int e = 0; e < n; e++) {
        for (int j = 0; j < z->left; j++) {
            z->N[e * n + j] = z->T[(z->rank + j) * n + e] * z->row_scale[e];
        }
    }
}

// The equations themselves, as far as forces have no part in them. Returns how many.
static int find_base(const LiaWorkspace* w, double* f) {
    const LiaRelativeDegree* h = w->forces.degree;
    int at = 0;
    for (int i = 0; i < h->count; i++) {
        for (int j = 0; j < h->base[i]; j++) {
            f[at++] = equation(w, i, j) - (j == 0 ? w->phi_start[h->row[i]] : 0.0);
        }
    }
    return at;
}

static void choose_trials(LiaWorkspace* w) {
    LiaDerivativeArray* z = w->forces.array;
    if (z->there > 0.0) return;
    lia_relative_degree_choose_trials(w, z->plain);
    z->there = 1.0;
    for (int i = 0; i < w->nf; i++) z->there = fmax(z->there, fabs(z->plain[i]));
}

bool lia_derivative_array_forces(LiaWorkspace* w) {
    LiaDerivativeArray* z = w->forces.array;
    size_t size = (size_t)z->n * sizeof *z->x;
    choose_trials(w);
    memcpy(z->x, z->first, size);
    if (!solve(w, 0)) return false;
    for (int u = 0; u < z->n; u++) {
        if (!isfinite(z->x[u])) return false;
    }
    memcpy(z->first, z->x, size);
    return true;
}

bool lia_derivative_array_residuals(LiaWorkspace* w) {
    LiaDerivativeArray* z = w->forces.array;
    int n = z->n;
    if (!z->frozen && !lia_derivative_array_forces(w)) return false;
    memcpy(z->x, z->first, (size_t)n * sizeof *z->x);
    run(w, 0, 0, z->r);
    if (!z->frozen) find_left_kernel(z);
    int at = find_base(w, w->forces.level);
    for (int j = 0; j < z->left; j++, at++) {
        w->forces.level[at] = 0.0;
        for (int e = 0; e < n; e++) w->forces.level[at] += z->N[e * n + j] * z->r[e];
    }
    while (at < w->forces.degree->levels) w->forces.level[at++] = 0.0;
    return z->frozen || decided(w);
}

int lia_derivative_array_rows(LiaWorkspace* w, double* f) {
    LiaDerivativeArray* z = w->forces.array;
    choose_trials(w);
    memcpy(z->x, z->first, (size_t)z->n * sizeof *z->x);
    run(w, 0, 0, z->r);
    int at = find_base(w, f);
    memcpy(f + at, z->r, (size_t)z->n * sizeof *f);
    return at + z->n;
}

void lia_derivative_array_slopes(LiaWorkspace* w) {
    LiaDerivativeArray* z = w->forces.array;
    memcpy(z->x, z->first, (size_t)z->n * sizeof *z->x);
    run(w, 0, 0, z->r);
    find_derivative(w, 0);
    decompose(z);
}

// --- the method ---------------------------------------------------------------------------------

static void accelerate(LiaWorkspace* w) { stage(w, 0); }

static void mark_unique(LiaWorkspace* w) {
    const LiaRelativeDegree* h = w->forces.degree;
    for (int i = 0; i < h->count; i++) w->unique[w->dynamics->rows[h->row[i]]] = !is_open(w, i);
}

static bool lost(const LiaWorkspace* w) { return w->forces.undecided; }

static void keep_forces(LiaWorkspace* w, LiaKeep* keep) {
    lia_relative_degree_keep_forces(w, keep);
    keep_array(w->forces.array, keep, w->nf);
}

const LiaForceMethod lia_derivative_array = {
    .open_rank = lia_relative_degree_open_rank,
    .hidden_blur = lia_relative_degree_hidden_blur,
    .decide = lia_derivative_array_residuals,
    .accelerate = accelerate,
    .stage = stage,
    .project = lia_relative_degree_project_method,
    .mark_unique = mark_unique,
    .lost = lost,
    .keep = keep_forces,
};
