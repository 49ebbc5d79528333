// Projection onto the admissible states along the directions the forces have.
//
//   K0 (dq, nu) = (0, -phi),   then   K0 (dv, nu) = (0, -psi)
//
// This keeps momenta of the second type (M dv = Omega^T nu) and is the rule for jumps as well.
// K0 is kept while the state moves by rounding only.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/project.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/workspace.h"
#include <assert.h>
#include <math.h>
#include <string.h>

static double largest(const double* x, int count) {
    double most = 0.0;
    for (int i = 0; i < count; i++) most = lia_larger(most, fabs(x[i]));
    return most;
}

// What a row that is none asks is measured by the largest one.
static double row_size(const LiaWorkspace* w, int c) {
    double sum = 0.0;
    LiaEntries J = lia_workspace_J(w, c);
    for (int k = 0; k < J.count; k++) sum += fabs(J.value[k]);
    if (sum > LIA_ROW_COMMON) return sum;  // the common case, without a look at the others
    double rounding = w->saddle.method->J_rounding(&w->saddle);
    if (sum > rounding) return sum;
    return rounding > 0.0 ? LIA_LARGEST_ENTRY * rounding : 1.0;
}

double lia_project_scaled_residuals(LiaWorkspace* w) {
    assert(w->stage >= LIA_WORKSPACE_RESIDUALS);
    double q = 1.0 + largest(w->q, w->n), v = 1.0 + largest(w->v, w->n), most = 0.0;
    for (int c = 0; c < w->nc; c++) {
        w->projection.miss[c] =
            lia_larger(fabs(w->phi[c]) / q, fabs(w->psi[c]) / v) / row_size(w, c);
        if (!(w->projection.miss[c] <= most)) most = w->projection.miss[c];
    }
    return most;
}

// Move the unknown part of x by the solution of K0 (dx, nu) = (0, -residual); gives |dx| / (1 + |x|).
static double move(LiaWorkspace* w, double* x, const double* residual) {
    memset(w->b, 0, (size_t)w->nf * sizeof(double));
    for (int r = 0; r < w->nr; r++) w->b[w->nf + r] = -residual[w->active[r]];
    lia_workspace_solve(w, w->b);
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

// Do the sides of all equations of rotations stand as they should? Near half a turn a step that would undo it is short, too.
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

bool lia_project_direct(LiaWorkspace* w, int order, double* moved, double* energy) {
    double total = 0.0, fed = 0.0, last = 0.0;
    w->projection.blur = 0.0;
    lia_workspace_load(w, order);
    lia_workspace_residuals(w);
    bool regular = lia_workspace_factor(w);
    bool settled = w->nc == 0;
    for (int pass = 0; regular && !settled && pass < 12; pass++) {
        double before = lia_project_scaled_residuals(w);
        if (!isfinite(before)) break;
        double little = pass > 0 ? LIA_PROJECTED : w->projection.fine ? 0.0 : LIA_PROJECTED_BEFORE;
        if (before < little || before == 0.0) {  // rounding: nothing to mend
            settled = true;
            break;
        }
        double step = 0.0;
        if (largest(w->phi, w->nc) > 0.0) {
            step = move(w, w->q, w->phi);
            // The velocity equations have changed with the position.
            if (step > LIA_PROJECTION_TURNS) {
                lia_workspace_load(w, order);
                lia_workspace_residuals(w);
                regular = lia_workspace_factor(w);
                if (!regular) break;
            }
        }
        step = lia_larger(step, move(w, w->v, w->psi));
        fed += fed_in(w);
        total += step;
        lia_workspace_load(w, order);
        lia_workspace_residuals(w);
        if (step > LIA_PROJECTION_FACTORS) {
            regular = lia_workspace_factor(w);
        } else {
            lia_workspace_stage0(w);
        }
        // Where a row is small, rounding in what it asks moves the state by more: as little as it will get.
        bool rounding = pass > 1 && step < LIA_PROJECTION_BLURRED && step > LIA_STEPS_STALL * last;
        // A position that moved has changed the velocity equations, by that times the velocity: once more for them.
        settled = rounding || (step < LIA_PROJECTION_DONE &&
                               (pass > 0 || lia_project_scaled_residuals(w) < LIA_PROJECTED));
        if (rounding) w->projection.blur = step;
        last = step;
    }
    if (settled && w->nc > 0) lia_project_scaled_residuals(w);
    settled = settled && sides_agree(w);
    for (int c = 0; settled && c < w->nc; c++) {  // rows that follow from the others must hold too
        if (w->projection.miss[c] > LIA_CONTRADICTION) {
            w->contradiction = 1 + c;
            settled = false;
        }
    }
    if (moved) *moved = total;
    if (energy) *energy = fed;
    assert(!regular || w->stage == LIA_WORKSPACE_FACTORED);
    return regular && settled;
}
