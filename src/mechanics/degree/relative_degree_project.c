// Projection onto the equations that are hidden in those of operators that act through springs, and all others: least change in
// units of the sizes of positions and velocities.
//
// Where forces are decided together (derivative_array.c) they are unknowns too, of all orders up to the depth, and the equations are the
// derivatives themselves: which combinations of them are free of forces need not be known on the way, where that is not yet what it
// is on the states that satisfy them. A change of a force counts little.
//
// How the levels depend on the state is found by differences, one evaluation for each number of the state. That is dear, and
// changes little from one step to the next: the slopes are kept while steps with them converge. The levels themselves are exact, so
// it ends at them all the same.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/derivative_array.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/start/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct LiaSlopes {
    int m, n;         // equations; unknowns: the state, 2 nf, and forces
    int rank;         // of the rows
    double* scale;    // of each unknown                                             (n)
    double* size;     // of each equation's row                                    (m)
    double* inverse;  // pseudo-inverse of the rows, each divided by its size        (n x m)
    double *f, *g;    // equations at the state, and beside it                       (m)
    double* step;     //                                                             (n)
    double* from;     // the state before                                            (n)
    double *A, *B, *f_kept, *sv, *U, *V, *scratch;
};

void lia_relative_degree_project_forget(LiaWorkspace* w) {
    free(w->forces.slopes);
    w->forces.slopes = NULL;
}

// All equations of the state: position and velocity residuals of the rows of K0, levels of hidden rows. -1 where K0 is singular.
static int equations(LiaWorkspace* w, int order, double* f) {
    lia_workspace_load(w, order);
    lia_workspace_residuals(w);
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

static double* unknown(LiaWorkspace* w, int i) {
    int nf = w->nf;
    if (i >= 2 * nf) return &w->forces.array->first[i - 2 * nf];
    return i < nf ? &w->q[w->dynamics->free[i]] : &w->v[w->dynamics->free[i - nf]];
}

static struct LiaSlopes* make(const LiaWorkspace* w) {
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

// The numbers behind the struct, up to the scratch.
void lia_relative_degree_project_keep_slopes(LiaWorkspace* w, LiaKeep* keep) {
    bool there = lia_keep_there(keep, w->forces.slopes != NULL);
    if (lia_keep_reads(keep)) {
        lia_relative_degree_project_forget(w);
        if (there && w->forces.degree) w->forces.slopes = make(w);
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
    lia_dense_svd(m, n, rows, s->sv, s->U, s->V, s->scratch);
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
        s->scale[i] = cheap * fmax(w->forces.array->unit[i - 2 * w->nf], fabs(*unknown(w, i)));
    }
}

// Column i of the slopes by the state, where s->f are its equations. High derivatives that are to be taken out of each other need
// more digits: differences to both sides.
static void vary(LiaWorkspace* w, struct LiaSlopes* s, int order, int i) {
    double *x = unknown(w, i), kept = *x,
           part = w->forces.array ? LIA_SLOPE_CENTRAL : LIA_SLOPE_ONE_SIDED, d = part * s->scale[i];
    bool there = true;
    if (w->forces.array) {
        *x = kept - d;
        there = equations(w, order, s->g) == s->m;
        part *= 2.0;
    }
    for (int j = 0; j < s->m; j++) s->A[j * s->n + i] = w->forces.array ? s->g[j] : s->f[j];
    *x = kept + d;
    there = there && equations(w, order, s->g) == s->m;
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

// Rounding in the equations is seen where the state is varied by rounding: what the slopes do not say is noise, and what it makes
// of the state is as near as a projection comes. Springs that are stiff make much of it.
static double find_blur(LiaWorkspace* w, struct LiaSlopes* s, int order) {
    int states = 2 * w->nf;
    double most = 0.0;
    for (int i = 0; i < states; i++) {
        double *x = unknown(w, i), d = (i % 3 - 1.5) * LIA_VARIED_BY_ROUNDING * s->scale[i];
        s->step[i] = *x;
        *x += d;
    }
    bool there = equations(w, order, s->g) == s->m;
    for (int i = 0; i < states; i++) {
        double *x = unknown(w, i), moved = (*x - s->step[i]) / s->scale[i];
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

// At the state in w, where s->f are its m equations.
static void find_slopes(LiaWorkspace* w, struct LiaSlopes* s, int m, int order, const bool* fixed) {
    int n = s->n;
    s->m = m;
    if (w->forces.array) lia_derivative_array_slopes(w);
    find_scales(w, s);
    if (w->forces.array) take_force_slopes(w, s);
    for (int i = 0; i < 2 * w->nf; i++) {
        if (!(fixed && fixed[i])) {
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

static double worst(const struct LiaSlopes* s) {
    double most = 0.0;
    for (int j = 0; j < s->m; j++) {
        if (!isfinite(s->f[j])) return INFINITY;
        most = lia_larger(most, fabs(s->f[j]) / s->size[j]);
    }
    return most;
}

// Number i of Newton's step from s->f with the slopes as they are.
static double step_of(const struct LiaSlopes* s, int i) {
    double sum = 0.0;
    for (int k = 0; k < s->m; k++) sum -= s->inverse[i * s->m + k] * s->f[k] / s->size[k];
    return sum;
}

// The whole step. Gives its size, in units of the sizes of the state; *of_forces: in units of theirs.
static double find_step(const LiaWorkspace* w, struct LiaSlopes* s, const bool* fixed,
                        double* of_forces) {
    double of_state = 0.0;
    *of_forces = 0.0;
    for (int i = 0; i < s->n; i++) {
        bool state = i < 2 * w->nf;
        s->step[i] = step_of(s, i);
        double* largest = state ? &of_state : of_forces;
        *largest = lia_larger(*largest, fabs(s->step[i]));
        if (state && fixed && fixed[i]) s->step[i] = 0.0;
    }
    return of_state;
}

// How long the next step would be with the same slopes, beside the one that was taken: what counts is how far it is yet to go, in
// whatever units the equations are (Deuflhard 2004).
static double rest_of_way(const struct LiaSlopes* s) {
    double next = 0.0, taken = 0.0;
    for (int i = 0; i < s->n; i++) {
        double x = step_of(s, i);
        next += x * x;
        taken += s->step[i] * s->step[i];
    }
    return isfinite(next) ? sqrt(next / taken) : INFINITY;
}

static void move(LiaWorkspace* w, const struct LiaSlopes* s, double part) {
    for (int i = 0; i < s->n; i++) *unknown(w, i) += part * s->step[i] * s->scale[i];
}

enum { STUCK_MOST = 3 };  // steps that came no nearer

// A step to where the equations are, as the slopes say, or where that leads away, a part of it. Gives its size; *m as equations().
static double take_step(LiaWorkspace* w, struct LiaSlopes* s, int order, const bool* fixed, int* m,
                        int* stuck) {
    double of_forces, size = find_step(w, s, fixed, &of_forces), part = 1.0;
    move(w, s, 1.0);
    *m = equations(w, order, s->f);
    size = fmax(size, LIA_FORCE_COUNTS * of_forces);
    if (!w->forces.array || size < LIA_STEP_NEAR) return size;
    while (part > LIA_STEP_PART_LEAST &&
           !(*m == s->m && rest_of_way(s) < 1.0 - LIA_STEP_GAIN * part)) {
        move(w, s, -0.5 * part);
        part *= 0.5;
        *m = equations(w, order, s->f);
    }
    if (!(part > LIA_STEP_PART_LEAST)) ++*stuck;
    return size;
}

// Forces that belong to the state as it is, if there are such: after a step they are those that go on.
static int begin_with_forces(LiaWorkspace* w, struct LiaSlopes* s, int m, int order) {
    double *kept = s->step, most = 0.0, now = 0.0;
    int n = w->forces.array->n;
    memcpy(kept, w->forces.array->first, (size_t)n * sizeof *kept);
    for (int j = 0; j < m; j++) most = fmax(most, fabs(s->f[j]));
    bool found = lia_derivative_array_forces(w);
    if (found) m = equations(w, order, s->f);
    for (int j = 0; found && j < m; j++)
        now = isfinite(s->f[j]) ? fmax(now, fabs(s->f[j])) : INFINITY;
    if (found && m >= 0 && now <= most) return m;
    memcpy(w->forces.array->first, kept, (size_t)n * sizeof *kept);
    return equations(w, order, s->f);
}

// The size of positions and velocities in a state.
static void sizes_of(const LiaWorkspace* w, const double* state, double size[2]) {
    size[0] = size[1] = 1.0;
    for (int i = 0; i < 2 * w->nf; i++) {
        size[i >= w->nf] = fmax(size[i >= w->nf], fabs(state[i]));
    }
}

// How far the state is from where it was, in units of the sizes it had there.
static double distance(LiaWorkspace* w, const double* from) {
    double most = 0.0, size[2];
    sizes_of(w, from, size);
    for (int i = 0; i < 2 * w->nf; i++) {
        most = fmax(most, fabs(*unknown(w, i) - from[i]) / size[i >= w->nf]);
    }
    return most;
}

bool lia_relative_degree_project_reach(LiaWorkspace* w, int order, const bool* fixed,
                                       double* moved) {
    order += w->forces.degree->ahead;
    if (order > w->jets.order) order = w->jets.order;
    if (!w->forces.slopes) w->forces.slopes = make(w);
    struct LiaSlopes* s = w->forces.slopes;
    if (!s) return false;
    double total = 0.0, last = INFINITY;
    bool settled = false, fresh = false;
    int stuck = 0;
    for (int i = 0; i < 2 * w->nf; i++) s->from[i] = *unknown(w, i);
    if (fixed) s->m = 0;
    int m = equations(w, order, s->f);
    if (w->forces.array && m >= 0) m = begin_with_forces(w, s, m, order);
    for (int pass = 0; m >= 0 && pass < 40 && !settled && stuck < STUCK_MOST; pass++) {
        fresh = s->m != m || pass > 12 || (pass > 0 && last > LIA_SLOPES_ANEW);
        if (fresh) find_slopes(w, s, m, order, fixed);
        if (worst(s) < LIA_LEVELS_HOLD) {
            settled = true;
            break;
        }
        double step = take_step(w, s, order, fixed, &m, &stuck);
        total += step;
        settled =
            step < LIA_PROJECTION_DONE ||
            (fresh && pass > 1 && step < LIA_PROJECTION_BLURRED && step > LIA_STEPS_STALL * last);
        if (!fresh && !settled && !(step < LIA_SLOPES_STILL_GOOD * last))
            s->m = 0;  // find them anew
        last = step;
    }
    settled = settled && m == s->m && worst(s) < LIA_LEVELS_MISSED;
    w->projection.blur = settled ? find_blur(w, s, order) : 0.0;
    if (settled) {  // leave the workspace as residuals() wants it
        lia_workspace_load(w, order);
        lia_workspace_residuals(w);
        settled = lia_workspace_factor(w);
    }
    if (fixed || !settled) s->m = 0;
    if (moved) *moved = w->forces.array ? distance(w, s->from) : total;
    return settled;
}

// A state near `kept`: nearer ones first.
static void draw_near(LiaWorkspace* w, const double* kept, const bool* fixed, int draw,
                      uint64_t* random) {
    double spread = draw < 6 ? 0.5 : 2.0, size[2];
    sizes_of(w, kept, size);
    for (int i = 0; i < 2 * w->nf; i++) {
        double x = lia_search_draw(random);
        *unknown(w, i) = kept[i] + (fixed && fixed[i] ? 0.0 : spread * size[i >= w->nf] * x);
    }
    memset(w->forces.array->first, 0, (size_t)w->forces.array->n * sizeof(double));
}

bool lia_relative_degree_project_seek(LiaWorkspace* w, const bool* fixed, double* moved) {
    enum { DRAWS = 12, NUMBERS_MOST = 60 };
    const double far = 3.0;  // from there one looks whether there is something nearer
    int n = 2 * w->nf;
    double least = INFINITY;
    bool arrived = lia_relative_degree_project_reach(w, 1, fixed, &least);
    if (moved) *moved = least;
    if (arrived && least < far) return true;
    if (!w->forces.array || !w->forces.slopes || n > NUMBERS_MOST) return arrived;
    double* kept = lia_memory_take((2 * (size_t)n + 1) * sizeof *kept);
    if (!kept) return false;
    double* found = kept + n;
    memcpy(kept, w->forces.slopes->from, (size_t)n * sizeof *kept);
    for (int i = 0; i < n; i++) found[i] = *unknown(w, i);
    if (!arrived) least = INFINITY;
    uint64_t random = 0x9e3779b97f4a7c15u;
    for (int draw = 0; draw < DRAWS && !lia_watch_asked(); draw++) {
        draw_near(w, kept, fixed, draw, &random);
        if (!lia_relative_degree_project_reach(w, 1, fixed, NULL)) continue;
        double away = distance(w, kept);
        if (!(away < least)) continue;
        least = away;
        for (int i = 0; i < n; i++) found[i] = *unknown(w, i);
    }
    for (int i = 0; i < n; i++) *unknown(w, i) = isfinite(least) ? found[i] : kept[i];
    free(kept);
    if (moved) *moved = least;
    return isfinite(least) && lia_relative_degree_project_reach(w, 1, fixed, NULL);
}

// The square of the distance from a state, in units of the sizes it has there.
static double squared_distance(LiaWorkspace* w, const double* from) {
    double sum = 0.0, size[2];
    sizes_of(w, from, size);
    for (int i = 0; i < 2 * w->nf; i++) {
        double x = (*unknown(w, i) - from[i]) / size[i >= w->nf];
        sum += x * x;
    }
    return sum;
}

// What is left of the way to `target` along the equations: that way less what they forbid of it, in s->step. Gives its size.
static double way_along(LiaWorkspace* w, struct LiaSlopes* s, const double* target,
                        const bool* fixed) {
    double most = 0.0;
    for (int i = 0; i < s->n; i++) {
        bool open = i < 2 * w->nf && !(fixed && fixed[i]);
        s->step[i] = open ? (target[i] - *unknown(w, i)) / s->scale[i] : 0.0;
    }
    for (int k = 0; k < s->m; k++) {
        s->g[k] = 0.0;
        for (int i = 0; i < s->n; i++) s->g[k] += s->A[k * s->n + i] * s->step[i];
    }
    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < s->m; k++) s->step[i] -= s->inverse[i * s->m + k] * s->g[k];
        if (i < 2 * w->nf && fixed && fixed[i]) s->step[i] = 0.0;
        if (i < 2 * w->nf) most = fmax(most, fabs(s->step[i]));
    }
    return most;
}

bool lia_relative_degree_project_nearer(LiaWorkspace* w, const double* target, const bool* fixed) {
    enum { STEPS = 40 };
    struct LiaSlopes* s = w->forces.slopes;
    int order = w->forces.degree->ahead + 1;
    double *kept = lia_memory_take(((size_t)s->n + 1) * sizeof *kept), part = 1.0;
    if (!kept) return false;
    double now = squared_distance(w, target);
    for (int i = 0; i < STEPS && part > LIA_NEARER_PART_LEAST && !lia_watch_asked(); i++) {
        int m = equations(w, order, s->f);
        if (m < 0) break;
        find_slopes(w, s, m, order, fixed);
        if (way_along(w, s, target, fixed) < LIA_NEARER_ARRIVED) break;
        for (int k = 0; k < s->n; k++) kept[k] = *unknown(w, k);
        move(w, s, part);
        double then = lia_relative_degree_project_reach(w, 1, fixed, NULL)
                          ? squared_distance(w, target)
                          : INFINITY;
        if (then < now) {
            now = then;
            part = fmin(1.0, 2.0 * part);
        } else {
            for (int k = 0; k < s->n; k++) *unknown(w, k) = kept[k];
            part *= 0.25;
        }
    }
    free(kept);
    return lia_relative_degree_project_reach(w, 1, fixed, NULL);
}

bool lia_relative_degree_project(LiaWorkspace* w, int order, const bool* fixed, double* moved) {
    bool reached = lia_relative_degree_project_reach(w, order, fixed, moved);
    bool settled = reached && lia_relative_degree_residuals(w);
    if (!reached && w->forces.array) w->contradiction = 1 + w->forces.degree->row[0];
    if (!settled && w->forces.slopes) w->forces.slopes->m = 0;
    return settled;
}

int lia_relative_degree_project_rank(const LiaWorkspace* w) {
    return w->forces.slopes ? w->forces.slopes->rank : 0;
}
