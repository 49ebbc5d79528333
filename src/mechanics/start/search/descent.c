// Newton steps onto the equations, towards the guess. See search.h.
//
// With d = x - x0 the distance from the guess, each step dx solves
//   min (d + dx)^T M (d + dx)   subject to   J dx = -residual
// for the unknown coordinates: y = d + dx is the shortest with J y = J d - residual. A `pull` p
// less than 1 puts p d in the place of d: only a part of the way along the equations; with 0 the
// step is the shortest one onto them.
// SPDX-License-Identifier: MIT
#include "base/numeric/newton.h"
#include "base/numeric/thresholds.h"
#include "mechanics/start/search/search.h"
#include <math.h>
#include <string.h>

static double largest(const LiaSearch* z, const double* x) {
    double size = 1.0;
    for (int i = 0; i < z->n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

// The part of a step that is taken. Linearised equations do not hold far away: no step beyond ten
// times the state, and no turn by more than half a radian, which could pass the nearest angle.
static double part_gone(double most, double turn, double size) {
    double part = most > 10.0 * size ? 10.0 * size / most : 1.0;
    return part * turn > 0.5 ? 0.5 / turn : part;
}

// rhs = J p d - residual
static void right_sides(LiaSearch* z, double pull) {
    for (int i = 0; i < z->n; i++) z->y[i] = 0.0;
    for (int i = 0; i < z->u && pull > 0.0; i++) {
        int k = z->unknown[i];
        z->y[k] = pull * (z->x[k] - z->target[z->level][k]);
    }
    for (int c = 0; c < z->m; c++) {
        LiaEntries J = lia_workspace_J(z->w, z->row[c]);
        double along = 0.0;
        for (int k = 0; k < J.count; k++) along += J.value[k] * z->y[lia_entry_column(&J, k)];
        z->rhs[c] = along - lia_search_residual(z, z->row[c], z->level);
    }
}

// One step; returns its size relative to the state.
static double newton_step(LiaSearch* z, double pull) {
    double *x = z->x, size = largest(z, x), most = 0.0, turn = 0.0;
    right_sides(z, pull);
    if (!z->shortest) {
        lia_metric_shortest(z);
    } else if (!lia_min_norm_step_find(z->shortest, z->w, z->rhs, z->y)) {
        return 0.0;  // no step: the residual will tell
    }
    for (int i = 0; i < z->u; i++) {
        int k = z->unknown[i];
        z->step[i] = pull > 0.0 ? z->y[i] - pull * (x[k] - z->target[z->level][k]) : z->y[i];
        most = fmax(most, fabs(z->step[i]));
        if (z->level == 0 && z->s->model->coordinates[k].manifold == LIA_CIRCLE) {
            turn = fmax(turn, fabs(z->step[i]));
        }
    }
    double part = part_gone(most, turn, size);
    for (int i = 0; i < z->u; i++) x[z->unknown[i]] += part * z->step[i];
    return most / size;
}

// The coordinate that row c alone speaks of, -1 if there are none or several.
static int single_unknown(const LiaSearch* z, int c, double* slope) {
    LiaEntries J = lia_workspace_J(z->w, c);
    int only = -1;
    for (int k = 0; k < J.count; k++) {
        int i = lia_entry_column(&J, k);
        if (J.value[k] == 0.0 || !lia_search_moves(z, i)) continue;
        if (only >= 0) return -1;
        only = i;
        *slope = J.value[k];
    }
    return only;
}

// The others are looked for next to it then, and not next to 0.
void lia_descent_put_single(LiaSearch* z) {
    for (int pass = 0; pass < 8; pass++) {
        double moved = 0.0;
        for (int c = 0; c < z->m; c++) {
            double slope = 0.0;
            int only = single_unknown(z, z->row[c], &slope);
            if (only < 0) continue;
            double step = -lia_search_residual(z, z->row[c], z->level) / slope;
            if (!isfinite(step) || fabs(step) > 10.0 * (1.0 + fabs(z->x[only]))) continue;
            z->x[only] += step;
            moved = fmax(moved, fabs(step));
        }
        if (moved == 0.0) return;
        lia_search_evaluate(z);
        if (moved < LIA_SINGLE_FOUND) return;
    }
}

// In numbers as they are.
static double most_missed(const LiaSearch* z) {
    double most = 0.0;
    for (int c = 0; c < z->m; c++) {
        double r = fabs(lia_search_residual(z, z->row[c], z->level));
        if (!(r <= most)) most = r;
    }
    return most;
}

// Relative to a state that runs away every residual is small.
static void note_closest(LiaSearch* z) {
    double most = most_missed(z);
    if (!(most < z->kept.missed)) return;
    z->kept.missed = most;
    memcpy(z->kept.closest, z->x, (size_t)z->n * sizeof *z->x);
}

// Equations that contradict each other are missed by less and less, relative to the state, the
// further it runs away.
static bool ran_away(const LiaSearch* z) {
    return largest(z, z->x) > LIA_RAN_AWAY * largest(z, z->kept.closest);
}

// Newton steps into a pole end where the slope is so large that what is missed looks small relative
// to it.
static bool at_pole(const LiaSearch* z) {
    return !(most_missed(z) <= LIA_START_POLE * z->kept.began);
}

static double plain_step(void* of, double damping) {
    (void)damping;  // full steps, but for what part_gone() says
    return newton_step(of, 0.0);
}

static double pulled_step(void* of, double damping) {
    (void)damping;
    return newton_step(of, 1.0);
}

static double residual_after(void* of) {
    LiaSearch* z = of;
    lia_search_evaluate(z);
    double residual = lia_search_worst(z, z->level);
    note_closest(z);
    return residual;
}

bool lia_descent(LiaSearch* z, bool plain, double* residual) {
    const LiaNewton newton = {
        .of = z,
        .residual = residual_after,
        .step = plain ? plain_step : pulled_step,
        .rules = {.passes = 100,
                  .still = LIA_NEWTON_STOPPED,
                  .small = LIA_NEWTON_SMALL,
                  .held = LIA_RESIDUAL_ROUNDING,
                  .watched = true},
    };
    double before = lia_search_worst(z, z->level);
    note_closest(z);
    z->kept.began = before < LIA_START_CLOSE ? INFINITY : most_missed(z);
    LiaNewtonResult result = lia_newton_run(&newton, before);
    *residual = result.residual;
    return *residual < LIA_START_FOUND && result.step < LIA_NEWTON_SETTLED && !ran_away(z) &&
           !at_pole(z);
}

// The next pull. Where the equations are curved, the nearest place as they look from here is too
// far; by how much the last two steps have shown (Barzilai and Borwein 1988): <s, s> / <s, change
// of -step/pull>.
static double next_pull(const LiaSearch* z, double pull, double pull_before) {
    const double *before = z->before, *step = z->step;
    double square = 0.0, turned = 0.0;
    for (int i = 0; i < z->u && pull_before > 0.0; i++) {
        square += before[i] * before[i];
        turned += before[i] * (before[i] / pull_before - step[i] / pull);
    }
    return turned > 0.0 ? fmin(1.0, fmax(square / turned, LIA_PULL_LEAST)) : pull;
}

// The last digits, by the shortest way: equations of velocities that depend on each other agree on
// admissible positions alone.
static double polished(LiaSearch* z, double left) {
    for (int pass = 0; pass < 3 && left > LIA_RESIDUAL_ROUNDING; pass++) {
        memcpy(z->kept.nearer, z->x, (size_t)z->n * sizeof *z->x);
        newton_step(z, 0.0);
        lia_search_evaluate(z);
        double now = lia_search_worst(z, 0);
        if (!(now < left)) {
            memcpy(z->x, z->kept.nearer, (size_t)z->n * sizeof *z->x);
            lia_search_evaluate(z);
            return left;
        }
        left = now;
    }
    return left;
}

double lia_descent_come_nearer(LiaSearch* z, double residual, bool* nearest) {
    size_t size = (size_t)z->n * sizeof *z->x;
    double pull = 0.01, pull_before = 0.0, best = INFINITY, left = INFINITY, most = 1.0;
    int since = 0, again = 0;  // passes since the best; how often begun anew
    bool there = false;
    *nearest = true;
    memcpy(z->kept.nearer, z->x, size);
    for (int pass = 0; pass < 500 && !lia_watch_asked(); pass++) {
        double length = newton_step(z, pull);
        lia_search_evaluate(z);
        left = lia_search_worst(z, 0);
        if (!(left < 0.1)) {  // too far: once more from the beginning, with less of a pull
            if (++again > 2) break;
            most = pow(0.2, again);
            pull = 0.01, pull_before = 0.0, best = INFINITY;
            memcpy(z->x, z->kept.nearer, size);
            lia_search_evaluate(z);
            continue;
        }
        since = length / pull < best ? 0 : since + 1;
        best = fmin(best, length / pull);
        there = best < LIA_NEWTON_STOPPED || (best < LIA_PULL_TIRED && since > 20);
        if (there) break;
        double next = next_pull(z, pull, pull_before);
        memcpy(z->before, z->step, (size_t)z->u * sizeof *z->before);
        pull_before = pull;
        pull = fmin(next, most);
        most = fmin(1.0, 1.02 * most);
    }
    // Slowly, but as good as there?
    there = there || (left < LIA_START_FOUND && best < LIA_NEWTON_SETTLED);
    if (there && !at_pole(z)) return polished(z, left);
    *nearest = false;
    memcpy(z->x, z->kept.nearer, size);
    lia_search_evaluate(z);
    return residual;
}
