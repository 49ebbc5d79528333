// Forces of constraints and their rounding. See reactions.h.
// SPDX-License-Identifier: MIT
#include "geometry/reactions.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/scaling.h"
#include "mechanics/kkt/stage.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

bool lia_reactions_init(LiaReactions* k, const LiaAdmissible* z) {
    const LiaSystem* s = z->system;
    const LiaDynamics* d = z->w->dynamics;
    size_t n = s->n, rows = s->row_count, count = 0;
    *k = (LiaReactions){.system = s};
    LiaExpr* roots = lia_memory_zeros(n + 3 * rows + 1, sizeof *roots);
    if (!roots) return false;
    for (uint32_t i = 0; i < d->nf; i++) roots[count++] = d->G[d->free[i]];
    for (size_t r = 0; r < rows; r++) {
        roots[count++] = s->rows[r].equation;
        roots[count++] = s->rows[r].rate;
        roots[count++] = s->rows[r].acceleration;
    }
    bool ok = lia_evaluate_init(&k->values, s->graph, roots, count);
    free(roots);
    size_t numbers = (ok ? k->values.size : 0) + (n + 3 * rows) + rows + 3 * n + 1;
    double* x = k->block = ok ? lia_memory_zeros(numbers, sizeof *x) : NULL;
    if (!x || !lia_forward_error_init(&k->bound, z->w)) return false;
    k->node = x, x += k->values.size;
    k->sizes = x, x += n + 3 * rows;
    k->error = x, x += rows;
    k->q = x, x += n;
    k->v = x, x += n;
    k->unit = x;
    return true;
}

void lia_reactions_clear(LiaReactions* k) {
    lia_forward_error_clear(&k->bound);
    lia_evaluate_clear(&k->values);
    free(k->block);
    *k = (LiaReactions){0};
}

static void measure(LiaReactions* k, const LiaWorkspace* w) {
    const LiaDynamics* d = w->dynamics;
    const LiaSystem* s = k->system;
    LiaSymbols at = {.t = w->t,
                     .parameters = s->parameters,
                     .q = w->q,
                     .v = w->v,
                     .a = w->a,
                     .mu = w->mu,
                     .work = w->work};
    lia_evaluate_run(&k->values, &at);
    lia_sizes_run(&k->values, &(LiaSymbols){.q = k->q, .v = k->v}, k->node);
    for (uint32_t i = 0; i < d->nf; i++) k->sizes[i] = k->node[d->G[d->free[i]].index];
    double* row = k->sizes + d->nf;
    for (uint32_t c = 0; c < d->nc; c++, row++) {
        const LiaRow* of = &s->rows[d->rows[c]];
        row[0] = k->node[of->acceleration.index];
        row[d->nc] = k->node[of->rate.index];
        row[2 * (size_t)d->nc] = of->geometric ? k->node[of->equation.index] : 0.0;
    }
}

// Where no bound is known: relative to the largest force of all.
static void bound_by_forces(LiaReactions* k, const LiaWorkspace* w) {
    double most = 0.0;
    for (int r = 0; r < w->nc; r++) {
        for (int i = 0; i < w->nf; i++) {
            double force = w->mu[w->dynamics->rows[r]] * w->saddle.Omega[r * w->nf + i];
            most = fmax(most, fabs(force) * k->unit[i]);
        }
    }
    for (int r = 0; r < w->nc; r++) {
        double size = 0.0;
        for (int i = 0; i < w->nf; i++)
            size = fmax(size, fabs(w->saddle.Omega[r * w->nf + i]) * k->unit[i]);
        k->error[w->dynamics->rows[r]] = size > 0.0 ? DBL_EPSILON * most / size : 0.0;
    }
}

// Numbers that the equations make zero are left with the square of rounding (admissible.c).
static void size_of_state(const LiaReactions* k, const double* x, double* size) {
    double most = 0.0;
    size_t n = k->system->n;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]) / k->unit[i]);
    for (size_t i = 0; i < n; i++) {
        double around = fmax(k->unit[i] * most, 1.0);  // states are looked for within 1
        size[i] = fmax(fabs(x[i]), LIA_POLISHED * around);
    }
}

// A row that follows from others is left out of K0, and yet the state was found with it: what is
// rounding of its terms is in all velocities that it has, up to the largest of all.
static void add_left_out(LiaReactions* k, const LiaWorkspace* w) {
    const LiaDynamics* d = w->dynamics;
    const double* rates = k->sizes + d->nf + d->nc;
    double most = 0.0;
    for (int i = 0; i < w->nf; i++) most = fmax(most, fabs(w->v[d->free[i]]) / k->unit[i]);
    for (int c = 0; c < w->nc; c++) {
        bool active = false;
        for (int r = 0; r < w->nr; r++) active |= w->active[r] == c;
        for (int i = 0; !active && i < w->nf; i++) {
            double J = fabs(w->saddle.J[c * w->nf + i]), *v = &k->v[d->free[i]];
            if (J > 0.0) *v = fmax(*v, fmin(rates[c] / J, k->unit[i] * most));
        }
    }
}

bool lia_reactions_solve(LiaReactions* k, LiaWorkspace* w) {
    const LiaDynamics* d = w->dynamics;
    bool solved = lia_workspace_factor(w), bounded = false;
    lia_scaling_by_inertia(w);
    for (int i = 0; i < w->nf; i++) k->unit[i] = w->saddle.measure[i];
    size_of_state(k, w->q, k->q);
    size_of_state(k, w->v, k->v);
    if (!solved) return false;
    lia_stage_accelerate(w);
    bound_by_forces(k, w);
    measure(k, w);
    bounded = lia_forward_error_look(&k->bound, w, k->sizes);
    for (int r = 0; bounded && r < w->nr; r++) k->error[d->rows[w->active[r]]] = k->bound.mu[r];
    for (int i = 0; bounded && i < w->nf; i++) {
        k->q[d->free[i]] = fmax(k->q[d->free[i]], k->bound.q[i] / DBL_EPSILON);
        k->v[d->free[i]] = fmax(k->v[d->free[i]], k->bound.v[i] / DBL_EPSILON);
    }
    add_left_out(k, w);
    return true;
}
