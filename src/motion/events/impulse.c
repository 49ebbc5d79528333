// The impulses at a corner. Momenta go on but for the impulses nu of constraints and operators;
// after the corner the velocity equations hold again:
//
//   p(v) = p_before + Omega^T nu,   psi(v) = 0,
//
// and where an operator acts through springs, d^j e/dt^j = 0 for the highest derivative that is an
// equation for the state: the impulse changes that one by S nu (see
// mechanics/degree/relative_degree.c) and no lower one.
//
// The work of an impulse is that of a push so short that nothing else happens: along the path from
// the velocities before to those after on which all residuals go to zero in proportion, the
// integral of (Omega v) dnu. Where the Lagrangian is quadratic the mean of both ends is exact;
// elsewhere more points are taken and extrapolated (Romberg).
// SPDX-License-Identifier: MIT
#include "motion/events/impulse.h"
#include "base/memory/memory.h"
#include "base/numeric/newton.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HALVINGS = 9, PASSES_MOST = 60 };

// --- the workspace ------------------------------------------------------------------------------

static size_t doubles_of(const LiaSystem* s, const LiaRelativeDegree* degree) {
    size_t n = s->n, nc = s->plain->nc, m = degree ? (size_t)degree->count : 0;
    return 2 * n + 4 * nc + m + (1 + HALVINGS) * (size_t)s->model->constraints_count;
}

// With the hidden equations in x->hidden.
static bool make_room(LiaImpulse* x, const LiaSystem* s) {
    const LiaRelativeDegree* degree = x->degree;
    x->w = lia_workspace_create(s, s->plain, degree ? degree->ahead + 2 : 1);
    if (!x->w) return false;
    size_t n = s->n, nc = s->plain->nc, m = degree ? (size_t)degree->count : 0;
    size_t constraints = s->model->constraints_count;
    x->block = lia_memory_zeros(doubles_of(s, degree) + 1, sizeof(double));
    if (!x->block) return false;
    double* y = x->block;
    x->p0 = y, y += n;
    x->v0 = y, y += n;
    x->nu = y, y += nc;
    x->last = y, y += nc;
    x->rate = y, y += nc;
    x->rest0 = y, y += nc + m;
    x->work = y, y += constraints;
    x->extrapolated = y;
    x->w->jets.decide = false;
    return !degree || lia_relative_degree_attach(x->w, degree);
}

static bool make(LiaImpulse* x, const LiaWorkspace* at) {
    const LiaSystem* s = at->system;
    if (at->forces.degree->count > 0) {
        if (!lia_relative_degree_among(at->forces.degree, at->dynamics, s->plain, &x->degree))
            return false;
    }
    return make_room(x, s);
}

void lia_impulse_clear(LiaImpulse* x) {
    lia_workspace_destroy(x->w);
    lia_relative_degree_destroy(x->degree);
    free(x->block);
    *x = (LiaImpulse){0};
}

LIA_KEEP_ALL(LiaImpulse, 104);

void lia_impulse_keep(LiaImpulse* x, LiaKeep* keep, const LiaSystem* s) {
    bool there = lia_keep_there(keep, x->w != NULL);
    if (lia_keep_reads(keep)) lia_impulse_clear(x);
    if (!there) return;
    lia_relative_degree_keep(&x->degree, keep, s->plain->nc);
    if (lia_keep_reads(keep) && (!lia_keep_good(keep) || !make_room(x, s))) {
        lia_keep_refuse(keep);
        return;
    }
    lia_keep_double(keep, &x->total);
    lia_keep_bool(keep, &x->unique);
    lia_keep_doubles(keep, x->block, doubles_of(s, x->degree));
    lia_workspace_keep(x->w, keep);
}

// The values of phi that are kept, as in another workspace of the same system.
static void take_phi_start(LiaWorkspace* w, const LiaWorkspace* from) {
    for (int c = 0; c < w->nc; c++) {
        for (int k = 0; k < from->nc; k++) {
            if (from->dynamics->rows[k] == w->dynamics->rows[c])
                w->phi_start[c] = from->phi_start[k];
        }
    }
}

// --- the velocities at a point of the path ------------------------------------------------------

static bool load(LiaWorkspace* w) {
    lia_workspace_update(w, w->jets.order);
    return lia_workspace_decide(w);
}

static double momentum(const LiaWorkspace* w, int i) {
    return lia_jet_coefficient(&w->jets, w->dynamics->p[i], 0);
}

// The highest level of hidden row h, which its impulse changes.
static double top_level(const LiaWorkspace* w, int h) {
    int at = -1;
    for (int i = 0; i <= h; i++) at += w->forces.degree->base[i] + w->forces.degree->shift[i];
    return w->forces.level[at];
}

static void add_Omega(const LiaWorkspace* w, int c, double nu, double* b) {
    LiaEntries Omega = lia_workspace_Omega(w, c);
    for (int k = 0; k < Omega.count; k++) b[lia_entry_column(&Omega, k)] += nu * Omega.value[k];
}

// Solve K0 with w->b and take the step. Gives the largest change of a velocity.
static double take_step(LiaImpulse* x) {
    LiaWorkspace* w = x->w;
    double most = 0.0;
    lia_workspace_solve(w, w->b);
    for (int i = 0; i < w->nf; i++) {
        w->v[w->dynamics->free[i]] += w->b[i];
        most = fmax(most, fabs(w->b[i]));
    }
    for (int r = 0; r < w->nr; r++) x->nu[w->active[r]] += w->b[w->nf + r];
    return most;
}

// Newton's step for the momenta and the rows of K0, at the part s of the path.
static double step_of_rows(LiaImpulse* x, const double* p, double s) {
    LiaWorkspace* w = x->w;
    for (int i = 0; i < w->nf; i++) {
        uint32_t k = w->dynamics->free[i];
        w->b[i] = x->p0[k] + s * (p[k] - x->p0[k]) - momentum(w, (int)k);
    }
    for (int c = 0; c < w->nc; c++) {
        if (x->nu[c] != 0.0) add_Omega(w, c, x->nu[c], w->b);
    }
    for (int r = 0; r < w->nr; r++) {
        int c = w->active[r];
        w->b[w->nf + r] = (1.0 - s) * x->rest0[c] - w->psi[c];
    }
    return take_step(x);
}

// And for the hidden rows.
static double step_of_hidden(LiaImpulse* x, double s) {
    LiaWorkspace* w = x->w;
    double d[64];
    int m = w->forces.degree->count;
    for (int h = 0; h < m; h++) d[h] = (1.0 - s) * x->rest0[w->nc + h] - top_level(w, h);
    lia_dense_lu_solve(&w->forces.S_lu, d);
    memset(w->b, 0, (size_t)(w->nf + w->nr) * sizeof(double));
    for (int h = 0; h < m; h++) {
        add_Omega(w, w->forces.degree->row[h], d[h], w->b);
        x->nu[w->forces.degree->row[h]] += d[h];
    }
    return take_step(x);
}

// The velocities at the part `s` of the path to the momenta p.
typedef struct Point {
    LiaImpulse* x;
    const double* p;
    double s;
} Point;

static double newton_step(void* of, double damping) {
    (void)damping;  // full steps
    const Point* at = of;
    LiaWorkspace* w = at->x->w;
    double step = step_of_rows(at->x, at->p, at->s);
    if (w->forces.degree->count == 0) return step;
    return load(w) ? fmax(step, step_of_hidden(at->x, at->s)) : NAN;
}

// Steps alone say how near it is.
static double residual_of(void* of) {
    const Point* at = of;
    return load(at->x->w) ? 1.0 : NAN;
}

static double speed_of(void* of) {
    const LiaImpulse* x = ((const Point*)of)->x;
    double speed = 0.0;
    for (int i = 0; i < x->w->n; i++) {
        speed = fmax(speed, fmax(fabs(x->w->v[i]), fabs(x->v0[i])));
    }
    return speed;
}

static LiaImpulseFound solve_at(LiaImpulse* x, const double* p, double s) {
    Point at = {x, p, s};
    const LiaNewton newton = {
        .of = &at,
        .residual = residual_of,
        .step = newton_step,
        .size = speed_of,
        .rules = {.passes = PASSES_MOST,
                  .still = LIA_IMPULSE_EXACT,
                  .blurred = LIA_IMPULSE_SETTLED,
                  .falls = LIA_IMPULSE_FALLS},
    };
    LiaNewtonEnd end = lia_newton_run(&newton, 1.0).end;
    bool found = end == LIA_NEWTON_ARRIVED || end == LIA_NEWTON_BLURRED;
    return found ? LIA_IMPULSE_FOUND : LIA_IMPULSE_NONE;
}

// --- the path -----------------------------------------------------------------------------------

static double rate_of(const LiaWorkspace* w, int c) {
    double sum = 0.0;
    LiaEntries Omega = lia_workspace_Omega(w, c);
    for (int k = 0; k < Omega.count; k++) {
        sum += Omega.value[k] * w->v[w->dynamics->free[lia_entry_column(&Omega, k)]];
    }
    return sum;
}

static bool begin(LiaImpulse* x) {
    LiaWorkspace* w = x->w;
    memcpy(w->v, x->v0, (size_t)w->n * sizeof(double));
    memset(x->nu, 0, (size_t)w->nc * sizeof(double));
    memset(x->last, 0, (size_t)w->nc * sizeof(double));
    if (!load(w)) return false;
    for (int c = 0; c < w->nc; c++) x->rate[c] = rate_of(w, c);
    return true;
}

// The works along a path of `points` pieces.
static LiaImpulseFound go(LiaImpulse* x, const double* p, int points, double* work) {
    LiaWorkspace* w = x->w;
    const LiaSystem* s = w->system;
    if (!begin(x)) return LIA_IMPULSE_SINGULAR;
    memset(work, 0, s->model->constraints_count * sizeof *work);
    for (int k = 1; k <= points; k++) {
        LiaImpulseFound found = solve_at(x, p, (double)k / points);
        if (found != LIA_IMPULSE_FOUND) return found;
        for (int c = 0; c < w->nc; c++) {
            double rate = rate_of(w, c);
            work[s->rows[w->dynamics->rows[c]].constraint] +=
                0.5 * (x->rate[c] + rate) * (x->nu[c] - x->last[c]);
            x->rate[c] = rate;
            x->last[c] = x->nu[c];
        }
    }
    return LIA_IMPULSE_FOUND;
}

// The constraint of row c, where it is the first of it in K0; UINT32_MAX: another one. No others do
// work.
static uint32_t works_of(const LiaWorkspace* w, int c) {
    const LiaRow* rows = w->system->rows;
    uint32_t l = rows[w->dynamics->rows[c]].constraint;
    return c > 0 && rows[w->dynamics->rows[c - 1]].constraint == l ? UINT32_MAX : l;
}

// Rows of Romberg's table from the one before; the last entry of each is the best. How far both
// rows are apart.
static double extrapolate(LiaImpulse* x, int halving) {
    double apart = 0.0;
    for (int c = 0; c < x->w->nc; c++) {
        uint32_t l = works_of(x->w, c);
        if (l == UINT32_MAX) continue;
        double* y = x->extrapolated + (size_t)l * HALVINGS;
        double better = x->work[l], factor = 1.0, best = halving > 0 ? y[halving - 1] : 0.0;
        for (int k = 0; k <= halving; k++) {
            double old = y[k];
            y[k] = better;
            factor *= 4.0;
            better += (better - old) / (factor - 1.0);
        }
        apart = fmax(apart, fabs(y[halving] - best));
    }
    return apart;
}

// From far away the solution may be missed: with more points each is nearer to the one before.
static LiaImpulseFound find_works(LiaImpulse* x, const double* p) {
    int points = 1;
    LiaImpulseFound found = go(x, p, points, x->work);
    while (found == LIA_IMPULSE_NONE && points < 64) found = go(x, p, points *= 2, x->work);
    for (int halving = 0; found == LIA_IMPULSE_FOUND; halving++) {
        double apart = extrapolate(x, halving), size = 0.0;
        for (int c = 0; c < x->w->nc; c++) {
            uint32_t l = works_of(x->w, c);
            if (l == UINT32_MAX) continue;
            x->work[l] = x->extrapolated[l * HALVINGS + (size_t)halving];
            size = fmax(size, fabs(x->work[l]));
        }
        if (halving == HALVINGS - 1 || (halving > 0 && apart <= LIA_IMPULSE_WORK * size)) break;
        found = go(x, p, points *= 2, x->work);
    }
    return found;
}

LiaImpulseFound lia_impulse_find(LiaImpulse* x, const LiaWorkspace* at, const double* q,
                                 const double* v, const double* p) {
    if (!x->w && !make(x, at)) return LIA_IMPULSE_NO_MEMORY;
    LiaWorkspace* w = x->w;
    size_t n = (size_t)w->n;
    lia_workspace_take_sides(w, at);
    take_phi_start(w, at);
    w->t = at->t;
    memcpy(w->q, q, n * sizeof *q);
    memcpy(x->v0, v, n * sizeof *v);
    if (!begin(x)) return LIA_IMPULSE_SINGULAR;
    for (int i = 0; i < w->n; i++) x->p0[i] = momentum(w, i);
    for (int c = 0; c < w->nc; c++) x->rest0[c] = w->psi[c];
    for (int h = 0; h < w->forces.degree->count; h++) x->rest0[w->nc + h] = top_level(w, h);
    LiaImpulseFound found = find_works(x, p);
    if (found == LIA_IMPULSE_NONE && !begin(x)) return LIA_IMPULSE_SINGULAR;  // back to v
    x->unique = w->nr + w->forces.degree->count == w->nc;
    x->total = 0.0;
    for (uint32_t c = 0; c < w->system->model->constraints_count; c++) x->total += x->work[c];
    return found;
}
