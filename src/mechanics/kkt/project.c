// Projection onto the admissible states along the directions the forces have.
//
//   K0 (dq, nu) = (0, -phi),   then   K0 (dv, nu) = (0, -psi)
//
// This keeps momenta of the second type (M dv = Omega^T nu) and is the rule for jumps as well.
// K0 is kept while the state moves by rounding only.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/project.h"
#include "base/numeric/newton.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/workspace.h"
#include <assert.h>
#include <math.h>
#include <string.h>

static double largest(const double* x, int count) {
    LiaFour most = {0.0}, y;
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        memcpy(&y, x + i, sizeof y);
        y = (LiaFour)((LiaFourBits)y & INT64_MAX);
        LiaFourBits more = y > most;
        most = (LiaFour)(((LiaFourBits)y & more) | ((LiaFourBits)most & ~more));
    }
    double all = lia_larger(lia_larger(most[0], most[1]), lia_larger(most[2], most[3]));
    for (; i < count; i++) all = lia_larger(all, fabs(x[i]));
    return all;
}

// The sum of the absolute entries of a row of J. A row that is zero but for rounding is scaled by
// the largest one.
static double row_size(const LiaWorkspace* w, int c) {
    double sum = 0.0;
    LiaEntries J = lia_workspace_J(w, c);
    for (int k = 0; k < J.count; k++) sum += fabs(J.value[k]);
    if (sum > LIA_ROW_COMMON) return sum;  // the common case, without a look at the others
    double rounding = w->saddle.method->J_rounding(&w->saddle);
    if (sum > rounding || (sum > 0.0 && !lia_independent_none(w, c, sum, rounding))) return sum;
    return rounding > 0.0 ? LIA_LARGEST_ENTRY * rounding : 1.0;
}

void lia_project_row_sizes(const LiaWorkspace* w, double* row) {
    for (int c = 0; c < w->nc; c++) row[c] = row_size(w, c);
}

// By the sizes of the rows of J, or, where these are not given, those of w.
static __attribute__((noinline)) double scaled_residuals(LiaWorkspace* w, const double* row) {
    assert(w->stage >= LIA_WORKSPACE_RESIDUALS);
    double q = 1.0 + largest(w->q, w->n), v = 1.0 + largest(w->v, w->n), most = 0.0;
    for (int c = 0; c < w->nc; c++) {
        w->projection.miss[c] =
            lia_larger(fabs(w->phi[c]) / q, fabs(w->psi[c]) / v) / (row ? row[c] : row_size(w, c));
        if (!(w->projection.miss[c] <= most)) most = w->projection.miss[c];
    }
    return most;
}

double lia_project_scaled_residuals(LiaWorkspace* w) { return scaled_residuals(w, NULL); }

// Move the unknown part of x by the solution of K0 (dx, nu) = (0, -residual), with the K0 of
// `near`; gives |dx| / (1 + |x|).
static double move(LiaWorkspace* w, const LiaWorkspace* near, double* x, const double* residual) {
    memset(w->b, 0, (size_t)w->nf * sizeof(double));
    for (int r = 0; r < near->nr; r++) w->b[w->nf + r] = -residual[near->active[r]];
    lia_workspace_solve(near, w->b);
    double size = 1.0 + largest(x, w->n), most = 0.0;
    for (int k = 0; k < w->nf; k++) {
        x[w->dynamics->free[k]] += w->b[k];
        most = lia_larger(most, fabs(w->b[k]));
    }
    return most / size;
}

// What a change dv (in w->b) feeds in: v M dv.
static double fed_in(const LiaWorkspace* w) {
    double sum = 0.0;
    for (int i = 0; i < w->nf; i++) {
        double dp = 0.0;
        LiaEntries M = lia_workspace_M(w, i);
        for (int k = 0; k < M.count; k++) dp += M.value[k] * w->b[lia_entry_column(&M, k)];
        sum += w->v[w->dynamics->free[i]] * dp;
    }
    return sum;
}

// Do the sides of all equations of rotations stand as they should? Near half a turn a step that
// would undo it is short, too.
static bool sides_agree(const LiaWorkspace* w) {
    for (int c = 0; c < w->nc; c++) {
        bool turn = w->system->rows[w->dynamics->rows[c]].turn;
        if (turn && !(fabs(w->phi[c]) < 1.0)) return false;
    }
    return true;
}

bool lia_project_state(LiaWorkspace* w, int order, double* moved, double* energy) {
    return w->forces.method->project(w, order, moved, energy);
}

// The unknowns of one projection: positions and velocities in w.
typedef struct Projection {
    LiaWorkspace* w;
    int order;
    bool regular;  // K0 is
    double step, total, fed;
} Projection;

static bool factor_again(Projection* p) {
    lia_workspace_update(p->w, p->order);
    return p->regular = lia_workspace_factor(p->w);
}

static double take_step(void* of, double damping) {
    (void)damping;  // full steps
    Projection* p = of;
    LiaWorkspace* w = p->w;
    double step = 0.0;
    if (largest(w->phi, w->nc) > 0.0) {
        step = move(w, w, w->q, w->phi);
        // The velocity equations have changed with the position.
        if (step > LIA_PROJECTION_TURNS && !factor_again(p)) return p->step = NAN;
    }
    step = lia_larger(step, move(w, w, w->v, w->psi));
    p->fed += fed_in(w);
    p->total += step;
    return p->step = step;
}

static double residual_after(void* of) {
    Projection* p = of;
    if (!p->regular) return NAN;
    if (p->step > LIA_PROJECTION_FACTORS) {
        if (!factor_again(p)) return NAN;
    } else {
        lia_workspace_update(p->w, p->order);
        lia_workspace_stage0(p->w);
    }
    return lia_project_scaled_residuals(p->w);
}

// From a state whose scaled residual is given. Did it settle?
static bool settle(Projection* p, double residual) {
    LiaWorkspace* w = p->w;
    const LiaNewton newton = {
        .of = p,
        .residual = residual_after,
        .step = take_step,
        // A position that moved has changed the velocity equations, by that times the velocity: a
        // first step is not enough for them. Where a row is small, rounding in what it asks moves
        // the state by
        // more: as little as it will get.
        .rules = {.passes = 12,
                  .found = LIA_PROJECTED,
                  .still = LIA_PROJECTION_DONE,
                  .still_from = 1,
                  .blurred = LIA_PROJECTION_BLURRED,
                  .falls = LIA_STEPS_STALL,
                  .blurred_from = 2},
    };
    // With the state's own digits not even the first residual counts as rounding.
    double little = w->projection.fine ? 0.0 : LIA_PROJECTED_BEFORE;
    if (residual < little || residual == 0.0) return true;
    LiaNewtonResult result = lia_newton_run(&newton, residual);
    if (result.end == LIA_NEWTON_BLURRED) w->projection.blur = result.step;
    return result.end == LIA_NEWTON_ARRIVED || result.end == LIA_NEWTON_BLURRED;
}

// Rows that follow from the others must hold too.
static bool rows_agree(LiaWorkspace* w) {
    for (int c = 0; c < w->nc; c++) {
        if (w->projection.miss[c] > LIA_CONTRADICTION) {
            w->contradiction = 1 + c;
            return false;
        }
    }
    return true;
}

bool lia_project_direct(LiaWorkspace* w, int order, double* moved, double* energy) {
    Projection p = {.w = w, .order = order};
    w->projection.blur = 0.0;
    bool settled = factor_again(&p) && (w->nc == 0 || settle(&p, lia_project_scaled_residuals(w)));
    settled = settled && sides_agree(w) && rows_agree(w);
    if (moved) *moved = p.total;
    if (energy) *energy = p.fed;
    assert(!p.regular || w->stage == LIA_WORKSPACE_FACTORED);
    return settled;
}

// The scaled residuals are no larger than these: without a look at the state, which at most
// samples is not needed.
static bool surely_projected(const LiaWorkspace* w, const double* row) {
    double most = 0.0;
    for (int c = 0; c < w->nc; c++) {
        double miss = lia_larger(fabs(w->phi[c]), fabs(w->psi[c])) / row[c];
        if (!(miss <= most)) most = miss;
    }
    return most < LIA_PROJECTED;
}

bool lia_project_nearby(LiaWorkspace* w, const LiaWorkspace* near, const double* row) {
    enum { PASSES_MOST = 2 };
    assert(near->stage >= LIA_WORKSPACE_FACTORED && near->nr == near->nc &&
           near->forces.method->by_order);
    for (int pass = 0;; pass++) {
        lia_workspace_update(w, 0);
        if (!w->projection.fine && surely_projected(w, row)) break;
        double left = scaled_residuals(w, row);
        bool finer =
            w->projection.fine && pass == 0 && left > 0.0;  // PROJECTED is not little there
        if (left < LIA_PROJECTED && !finer) break;
        if (pass == PASSES_MOST || !(left < LIA_PROJECTED_NEARBY)) return false;
        if (largest(w->phi, w->nc) > 0.0) move(w, near, w->q, w->phi);
        move(w, near, w->v, w->psi);
    }
    return sides_agree(w);
}
