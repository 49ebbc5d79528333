// What rounding makes of the forces: 1 + tanh(x) far to the left is a small multiple of 1e-16, and
// no step however short makes it smooth. Looked at only where a step is about to be refused. See
// expr/graph/sizes.c.
// SPDX-License-Identifier: MIT
#include "motion/check/noise.h"
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct LiaNoise {
    LiaValues values;
    LiaValues laws;              // those of driven coordinates, and their rates
    double* size;                // by node
    double *q_size, *v_size;     // of positions and velocities: those of laws, where driven (n)
    double* force;               // by unknown coordinate, then by row          (nf + 3 nc)
    LiaValues momenta;           // p of the unknown coordinates, where others are driven
    double *driven, *pushed;     // velocities with one of them changed; p before   (n, nf)
    double *spread, *solved;     // accelerations; unknowns of K0                   (nf, nf + nc)
    LiaValues conditions;        // of guards and events
    double *condition, *symbol;  // sizes by node; values of a, mu             (n + rows)
};

static bool gather(LiaNoise* noise, const LiaRunner* run) {
    const LiaDynamics* d = run->dynamics;
    const LiaSystem* s = run->system;
    LiaExpr* roots = lia_memory_zeros((size_t)d->nf + d->drive_count + 4 * (size_t)s->row_count + 2,
                                      sizeof *roots);
    size_t count = 0;
    if (!roots) return false;
    for (uint32_t k = 0; k < d->nf; k++) roots[count++] = d->G[d->free[k]];
    for (uint32_t k = 0; k < d->drive_count; k++) roots[count++] = d->drives[k].law;
    for (uint32_t r = 0; r < s->row_count; r++) {
        roots[count++] = s->rows[r].equation;
        roots[count++] = s->rows[r].position;
        roots[count++] = s->rows[r].rate;
        roots[count++] = s->rows[r].acceleration;
    }
    roots[count++] = s->energy.total;
    bool ok = lia_evaluate_init(&noise->values, s->graph, roots, count);
    free(roots);
    if (!ok) return false;
    noise->size = lia_memory_zeros((size_t)noise->values.size + 1, sizeof *noise->size);
    noise->q_size = lia_memory_zeros((size_t)s->n + 1, sizeof *noise->q_size);
    noise->v_size = lia_memory_zeros((size_t)s->n + 1, sizeof *noise->v_size);
    size_t forces = (size_t)d->nf + 3 * (size_t)d->nc;
    noise->force = lia_memory_zeros(forces + 1, sizeof *noise->force);
    return noise->size && noise->q_size && noise->v_size && noise->force;
}

static bool gather_laws(LiaNoise* noise, const LiaRunner* run) {
    const LiaDynamics* d = run->dynamics;
    if (!d->drive_count) return true;
    LiaExpr* roots = lia_memory_zeros(2 * (size_t)d->drive_count, sizeof *roots);
    if (!roots) return false;
    for (uint32_t k = 0; k < d->drive_count; k++) {
        roots[2 * k] = d->drives[k].law;
        roots[2 * k + 1] = run->system->rows[d->drive_row[k]].rate;
    }
    bool ok =
        lia_evaluate_init(&noise->laws, run->system->graph, roots, 2 * (size_t)d->drive_count);
    free(roots);
    return ok;
}

static bool gather_conditions(LiaNoise* noise, const LiaRunner* run) {
    const LiaTape* tape = run->dynamics->tape;
    const LiaSystem* s = run->system;
    uint32_t events = run->model->events_count, count = 0;
    LiaExpr* roots = lia_memory_zeros((size_t)tape->guard_count + events + 1, sizeof *roots);
    if (!roots) return false;
    for (uint32_t g = 0; g < tape->guard_count; g++) roots[count++] = tape->guards[g].node;
    for (uint32_t e = 0; e < events; e++) roots[count++] = s->observables.events[e];
    bool ok = lia_evaluate_init(&noise->conditions, s->graph, roots, count);
    free(roots);
    if (!ok) return false;
    noise->condition = lia_memory_zeros((size_t)noise->conditions.size + 1, sizeof(double));
    noise->symbol = lia_memory_zeros((size_t)s->n + s->row_count + 1, sizeof(double));
    return noise->condition && noise->symbol;
}

static bool gather_momenta(LiaNoise* noise, const LiaRunner* run) {
    const LiaDynamics* d = run->dynamics;
    const LiaSystem* s = run->system;
    LiaExpr* roots = lia_memory_zeros((size_t)d->nf + 1, sizeof *roots);
    if (!roots) return false;
    for (uint32_t k = 0; k < d->nf && d->drive_count; k++) roots[k] = s->lagrange.P[d->free[k]];
    bool ok = lia_evaluate_init(&noise->momenta, s->graph, roots, d->drive_count ? d->nf : 0);
    free(roots);
    noise->driven = lia_memory_zeros((size_t)s->n + 1, sizeof *noise->driven);
    noise->pushed = lia_memory_zeros((size_t)d->nf + 1, sizeof *noise->pushed);
    noise->spread = lia_memory_zeros((size_t)d->nf + 1, sizeof *noise->spread);
    noise->solved = lia_memory_zeros((size_t)d->nf + d->nc + 1, sizeof *noise->solved);
    return ok && noise->driven && noise->pushed && noise->spread && noise->solved;
}

LiaNoise* lia_noise_create(const LiaRunner* run) {
    LiaNoise* noise = lia_memory_zeros(1, sizeof *noise);
    if (noise && gather(noise, run) && gather_laws(noise, run) && gather_conditions(noise, run) &&
        gather_momenta(noise, run))
        return noise;
    lia_noise_destroy(noise);
    return NULL;
}

void lia_noise_destroy(LiaNoise* noise) {
    if (!noise) return;
    lia_evaluate_clear(&noise->values);
    lia_evaluate_clear(&noise->laws);
    free(noise->size);
    free(noise->q_size);
    free(noise->v_size);
    free(noise->force);
    lia_evaluate_clear(&noise->momenta);
    free(noise->driven);
    free(noise->pushed);
    free(noise->spread);
    free(noise->solved);
    lia_evaluate_clear(&noise->conditions);
    free(noise->condition);
    free(noise->symbol);
    free(noise);
}

static void take_laws(LiaNoise* noise, const LiaRunner* run) {
    const LiaDynamics* d = run->dynamics;
    for (uint32_t k = 0; k < d->drive_count; k++) {
        const LiaDrive* drive = &d->drives[k];
        const LiaRow* row = &run->system->rows[d->drive_row[k]];
        if (!drive->rate) noise->q_size[drive->coordinate] = noise->size[drive->law.index];
        noise->v_size[drive->coordinate] = noise->size[row->rate.index];
    }
}

// Sizes of everything at the state in w, after those of the laws, which are those of the
// coordinates they drive.
static void measure(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w,
                    const double* mu) {
    LiaSymbols at = {.t = w->t,
                     .parameters = run->system->parameters,
                     .q = w->q,
                     .v = w->v,
                     .a = w->a,
                     .mu = mu,
                     .work = w->work};
    LiaSymbols sizes = {.q = noise->q_size, .v = noise->v_size};
    lia_evaluate_run(&noise->values, &at);
    for (int i = 0; i < w->n; i++) {
        noise->q_size[i] = fabs(w->q[i]);
        noise->v_size[i] = fabs(w->v[i]);
    }
    if (run->dynamics->drive_count) {
        lia_evaluate_run(&noise->laws, &at);
        lia_sizes_run(&noise->laws, &sizes, noise->size);
        take_laws(noise, run);
    }
    lia_sizes_run(&noise->values, &sizes, noise->size);
    take_laws(noise, run);
}

const double* lia_noise_sizes(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w,
                              const double* mu) {
    const LiaDynamics* d = run->dynamics;
    measure(noise, run, w, mu);
    for (uint32_t k = 0; k < d->nf; k++) noise->force[k] = noise->size[d->G[d->free[k]].index];
    double* row = noise->force + d->nf;
    for (uint32_t c = 0; c < d->nc; c++, row++) {
        const LiaRow* of = &run->system->rows[d->rows[c]];
        row[0] = noise->size[of->acceleration.index];
        row[d->nc] = noise->size[of->rate.index];
        row[2 * (size_t)d->nc] = of->geometric ? noise->size[of->equation.index] : 0.0;
    }
    return noise->force;
}

// What is driven pushes the others by inertia, dp/dt = .. + dp/dv a: its acceleration has the size
// of the terms of its law.
static void add_driven(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w) {
    const LiaDynamics* d = run->dynamics;
    const LiaSystem* s = run->system;
    LiaSymbols at = {.t = w->t, .parameters = s->parameters, .q = w->q, .v = noise->driven};
    memcpy(noise->driven, w->v, (size_t)s->n * sizeof(double));
    if (d->drive_count) lia_evaluate_run(&noise->momenta, &at);
    for (uint32_t k = 0; k < d->nf && d->drive_count; k++)
        noise->pushed[k] = lia_value(&noise->momenta, s->lagrange.P[d->free[k]]);
    for (uint32_t m = 0; m < d->drive_count; m++) {
        uint32_t i = d->drives[m].coordinate;
        double size = noise->size[s->rows[d->drive_row[m]].acceleration.index];
        double by = lia_larger(lia_scale_v(&run->scales, w, i), fabs(w->v[i]));
        if (!(by > 0.0)) by = 1.0;
        if (!(size > 0.0)) continue;
        noise->driven[i] = w->v[i] + by;
        lia_evaluate_run(&noise->momenta, &at);
        noise->driven[i] = w->v[i];
        for (uint32_t k = 0; k < d->nf; k++) {
            double p = lia_value(&noise->momenta, s->lagrange.P[d->free[k]]),
                   before = noise->pushed[k];
            double more = fabs(p - before) - LIA_NOISE_ROUNDINGS * DBL_EPSILON * fabs(before);
            if (more > 0.0 && isfinite(more)) noise->force[k] += more / by * size;
        }
    }
}

const double* lia_noise_forces(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w,
                               const double* mu) {
    lia_noise_sizes(noise, run, w, mu);
    add_driven(noise, run, w);
    for (uint32_t k = 0; k < run->dynamics->nf; k++)
        noise->force[k] *= LIA_NOISE_ROUNDINGS * DBL_EPSILON;
    return noise->force;
}

const double* lia_noise_accelerations(LiaNoise* noise, const LiaRunner* run,
                                      const LiaWorkspace* w) {
    enum { TRIALS = 4 };  // with signs by chance, the same ones in every run
    const double* force = lia_noise_forces(noise, run, w, w->mu);
    uint64_t chance = 1;
    memset(noise->spread, 0, (size_t)w->nf * sizeof(double));
    if (!w->forces.method->bounded || !(w->saddle.pivot > 0.0)) return noise->spread;
    for (int trial = 0; trial < TRIALS; trial++) {
        double* x = noise->solved;
        for (int k = 0; k < w->nf + w->nr; k++) {
            double size =
                k < w->nf ? force[k]
                          : LIA_NOISE_ROUNDINGS * DBL_EPSILON * force[w->nf + w->active[k - w->nf]];
            x[k] = lia_random_bits(&chance) >> 63 ? size : -size;
        }
        lia_workspace_solve(w, x);
        for (int k = 0; k < w->nf; k++)
            noise->spread[k] = lia_larger(noise->spread[k], isfinite(x[k]) ? fabs(x[k]) : 0.0);
    }
    return noise->spread;
}

double lia_noise_energy(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w,
                        const double* mu) {
    measure(noise, run, w, mu);
    return DBL_EPSILON * noise->size[run->system->energy.total.index];
}

// The state at time x of the step into run->sampler; accelerations and multipliers into
// noise->symbol.
static LiaSymbols state_at(const LiaNoise* noise, const LiaRunner* run, double x) {
    const LiaStep* step = &run->step;
    const LiaSystem* s = run->system;
    double *a = noise->symbol, *mu = a + s->n;
    lia_taylor_at(step, x, run->sampler);
    for (uint32_t i = 0; i < s->n; i++) {
        const double* v = lia_step_series(step, step->v, i);
        a[i] = step->order * v[step->order];
        for (int k = step->order - 1; k >= 1; k--) a[i] = a[i] * x + k * v[k];
    }
    memset(mu, 0, s->row_count * sizeof *mu);
    for (uint32_t k = 0; k < step->live.row_count; k++) {
        uint32_t r = step->live.rows[k];
        mu[r] = lia_step_value(lia_step_series(step, step->mu, r), step->order - 1, x);
    }
    const LiaWorkspace* w = run->sampler;
    return (LiaSymbols){.t = w->t,
                        .parameters = s->parameters,
                        .q = w->q,
                        .v = w->v,
                        .a = a,
                        .mu = mu,
                        .work = w->work};
}

double lia_noise_condition(LiaNoise* noise, const LiaRunner* run, uint32_t index, double x) {
    const LiaTape* tape = run->dynamics->tape;
    const double* size = noise->condition;
    LiaSymbols at = state_at(noise, run, x);
    lia_evaluate_run(&noise->conditions, &at);
    lia_sizes_run(&noise->conditions, &(LiaSymbols){0}, noise->condition);
    double sum = 0.0;
    if (index >= tape->guard_count) {
        sum = size[run->system->observables.events[index - tape->guard_count].index];
    } else {
        const LiaGuard* guard = &tape->guards[index];
        const LiaNode* node = lia_graph_node(run->system->graph, guard->node);
        sum = size[node->a] + (guard->rule == LIA_GUARD_DIFFERENCE ? size[node->b] : 0.0);
    }
    return isfinite(sum) ? LIA_CONDITION_ROUNDINGS * DBL_EPSILON * sum : 0.0;
}

double lia_noise_event(LiaNoise* noise, const LiaRunner* run, uint32_t e, double x) {
    LiaSymbols at = state_at(noise, run, x);
    lia_evaluate_run(&noise->conditions, &at);
    return lia_value(&noise->conditions, run->system->observables.events[e]);
}

double lia_noise_inside(LiaNoise* noise, const LiaRunner* run, uint32_t g, double x) {
    const LiaGuard* guard = &run->dynamics->tape->guards[g];
    LiaSymbols at = state_at(noise, run, x);
    lia_evaluate_run(&noise->conditions, &at);
    double u = noise->conditions.value[lia_graph_node(run->system->graph, guard->node)->a];
    return guard->rule == LIA_GUARD_COMPANION ? 1.0 - u * u : u;
}

void lia_noise_row(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w, int c,
                   double of[2]) {
    const LiaRow* row = &run->system->rows[w->dynamics->rows[c]];
    LiaExpr phi = row->geometric ? row->equation : row->position;
    measure(noise, run, w, w->mu);
    of[0] = LIA_NOISE_ROUNDINGS * DBL_EPSILON * noise->size[phi.index];
    of[1] = LIA_NOISE_ROUNDINGS * DBL_EPSILON * noise->size[row->rate.index];
}

double lia_noise_rows(const LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w,
                      int kind) {
    double most = 0.0;
    for (int c = 0; c < w->nc; c++) {
        const LiaRow* row = &run->system->rows[w->dynamics->rows[c]];
        LiaEntries J = lia_workspace_J(w, c);
        double largest = 0.0;
        for (int e = 0; e < J.count; e++) {
            uint32_t i = w->dynamics->free[lia_entry_column(&J, e)];
            if (lia_scales_kind(w, i) == kind) largest = lia_larger(largest, fabs(J.value[e]));
        }
        if (largest > 0.0) most = lia_larger(most, noise->size[row->acceleration.index] / largest);
    }
    return LIA_NOISE_ROUNDINGS * DBL_EPSILON * most;
}

// What a row of J ties together has the noise of its noisiest part. Small entries say nothing.
static void share_noise(const LiaWorkspace* w, int c, double* noise) {
    LiaEntries J = lia_workspace_J(w, c);
    const uint32_t* of = w->dynamics->free;
    double largest = 0.0, most = 0.0;
    for (int e = 0; e < J.count; e++) largest = lia_larger(largest, fabs(J.value[e]));
    for (int e = 0; e < J.count; e++)
        most = lia_larger(most, fabs(J.value[e]) * noise[of[lia_entry_column(&J, e)]]);
    for (int e = 0; e < J.count; e++) {
        double *own = &noise[of[lia_entry_column(&J, e)]], entry = fabs(J.value[e]);
        if (entry > LIA_NOISE_SMALL * largest) *own = lia_larger(*own, most / entry);
    }
}

// Accelerations by the noise of each force, and by that of the others: through inertia, and through
// constraints.
static void note_accelerations(LiaRunner* run, const LiaWorkspace* w, const double* force) {
    LiaScales* scales = &run->scales;
    const uint32_t* of = w->dynamics->free;
    for (int k = 0; k < w->nf; k++) {
        double inertia = fabs(lia_workspace_inertia(w, k)), *noise = &scales->noise[of[k]];
        if (!(inertia > 0.0)) continue;
        *noise = force[k] / inertia;
        scales->noise_power = lia_larger(scales->noise_power, force[k] * *noise / DBL_EPSILON);
        LiaEntries M = lia_workspace_M(w, k);
        for (int e = 0; e < M.count; e++) {
            double of_other = force[lia_entry_column(&M, e)];
            double other = fabs(lia_workspace_inertia(w, lia_entry_column(&M, e)));
            if (other > 0.0)
                *noise = lia_larger(*noise, fabs(M.value[e]) / inertia * of_other / other);
        }
    }
    for (int c = 0; c < w->nc; c++) share_noise(w, c, scales->noise);
}

void lia_noise_drives(LiaNoise* noise, LiaRunner* run) {
    const LiaDynamics* d = run->dynamics;
    const LiaWorkspace* w = run->w;
    if (d->drive_count == 0) return;
    measure(noise, run, w, w->mu);
    // of velocities: no less than their rounding is asked for
    double part = fmin(1.0, LIA_NOISE_ROUNDINGS * DBL_EPSILON / run->step_tolerance);
    for (uint32_t k = 0; k < d->drive_count; k++) {
        uint32_t i = d->drives[k].coordinate;
        run->scales.own_v[i] = lia_larger(run->scales.own_v[i], part * noise->v_size[i]);
        if (d->drives[k].rate) continue;
        double* scale = &run->scales.q[lia_scales_kind(w, i)];
        *scale = lia_larger(*scale, noise->q_size[i]);
        run->scales.own_q[i] = lia_larger(run->scales.own_q[i], noise->q_size[i]);
    }
}

void lia_noise_scales(LiaNoise* noise, LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    note_accelerations(run, w, lia_noise_forces(noise, run, w, w->mu));
    lia_noise_drives(noise, run);
}
