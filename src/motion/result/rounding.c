// Forward error bounds of the final values. The summary prints 0 where |x| is below its bound;
// nothing else uses them. Values of a system in which all is small, of atoms, are not below theirs.
//
//   observed, powers   the sizes of all that their formulas add up (expr/graph/sizes.c)
//   state              what equations alone determine of it: what it is off by, however small;
//                      what it was along the run, and its like: a motion that has died away is 0
//   velocities         what rounding of accelerations makes of them in the last step
//   forces             (a, mu) = K0^-1 b:  |K0^-1| (sizes of what b is the sum of)
//   works              the integral of |power|, by the samples, and that of what the power at the
//                      end is the sum of
//   change of energy   the energies it is the difference of, and what they are the sums of
// SPDX-License-Identifier: MIT
#include "motion/result/rounding.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/kkt/forward_error.h"
#include "motion/result/held.h"
#include "motion/runner.h"
#include <math.h>
#include <stdlib.h>

enum { UNKNOWNS_MOST = 200 };  // of K0, whose inverse is formed

typedef struct Sizes {
    LiaRunner* run;
    LiaValues values;
    double* size;            // by node
    double *q, *v, *a, *mu;  // of the symbols; then of the rows of K0
    double* b;
    double* held;    // of velocities that equations alone determine; 0 of others      (n)
    double* pushed;  // of velocities, by rounding of accelerations   (n)
    double *of_q, *of_v, *most;  // of what was met along the run; the largest of each family  (n)
    void* block;
} Sizes;

static bool is_finite(const double* x, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

static bool sizes_init(Sizes* z, LiaRunner* run) {
    const LiaSystem* s = run->system;
    const LiaDynamics* d = run->w->dynamics;
    *z = (Sizes){.run = run};
    size_t n = s->n, rows = s->row_count, N = (size_t)run->w->nf + (size_t)run->w->nc;
    size_t roots = (size_t)s->observables.sample_count + s->line_count + n + d->drive_count;
    LiaExpr* root = lia_memory_zeros(roots + 1, sizeof *root);
    z->block = lia_memory_zeros(8 * n + rows + 2 * N + 1, sizeof(double));
    if (!root || !z->block) {
        free(root);
        return false;
    }
    size_t k = 0;
    for (uint32_t i = 0; i < s->observables.sample_count; i++)
        root[k++] = s->observables.samples[i];
    for (uint32_t l = 0; l < s->line_count; l++) root[k++] = s->lines[l].power;
    for (uint32_t i = 0; i < s->n; i++) root[k++] = d->G[i];
    for (uint32_t i = 0; i < d->drive_count; i++) root[k++] = d->drives[i].law;
    bool ok = lia_evaluate_init(&z->values, s->graph, root, k);
    free(root);
    z->size = ok ? lia_memory_zeros(z->values.size, sizeof *z->size) : NULL;
    z->q = z->block;
    z->v = z->q + n, z->a = z->v + n, z->mu = z->a + n, z->b = z->mu + rows;
    z->held = z->b + 2 * N, z->of_q = z->held + n, z->of_v = z->of_q + n, z->most = z->of_v + n;
    z->pushed = z->most + n;
    return z->size != NULL;
}

static void sizes_clear(Sizes* z) {
    lia_evaluate_clear(&z->values);
    free(z->size);
    free(z->block);
}

static void evaluate_sizes(Sizes* z) {
    lia_sizes_run(&z->values, &(LiaSymbols){.q = z->q, .v = z->v, .a = z->a, .mu = z->mu}, z->size);
}

// --- symbols

// Of the state; of coordinates that are driven what their laws add up.
static void size_state(Sizes* z) {
    const LiaWorkspace* w = z->run->w;
    const LiaDynamics* d = w->dynamics;
    LiaSymbols at = {.t = w->t,
                     .parameters = z->run->system->parameters,
                     .q = w->q,
                     .v = w->v,
                     .a = w->a,
                     .mu = w->mu,
                     .work = w->work};
    lia_evaluate_run(&z->values, &at);
    for (int i = 0; i < w->n; i++) {
        z->q[i] = fabs(w->q[i]), z->v[i] = fabs(w->v[i]), z->a[i] = fabs(w->a[i]);
    }
    for (uint32_t r = 0; r < z->run->system->row_count; r++) z->mu[r] = fabs(w->mu[r]);
    evaluate_sizes(z);
    for (uint32_t k = 0; k < d->drive_count; k++) {
        uint32_t i = d->drives[k].coordinate;
        double size = z->size[d->drives[k].law.index];
        if (d->drives[k].rate) {
            z->v[i] = size;
        } else {
            z->q[i] = size;
            z->v[i] += fabs(w->a[i] * w->t);  // a rounded instant
        }
    }
    evaluate_sizes(z);
}

// The largest that a column had in the samples.
static double most_of(const LiaTrajectory* out, size_t column) {
    double most = 0.0;
    for (size_t r = 0; r < out->rows.count; r++) {
        double x = fabs(out->rows.values[r * out->column_count + column]);
        if (x > most && isfinite(x)) most = x;
    }
    return most;
}

// What a number that was large may be off by, in roundings: a step may miss a part of what it was,
// and rounds by what it is tied to.
static void size_met(Sizes* z, LiaColumnKind kind, double* of) {
    const LiaTrajectory* out = z->run->out;
    const uint32_t* family = z->run->scales.family;
    const uint32_t n = z->run->system->n;
    double part = fmin(z->run->tolerance, LIA_SUMMARY_DECAYED) / LIA_SUMMARY_ROUNDING;
    for (size_t k = 0; k < out->csv_count; k++) {
        const LiaColumn* c = &out->columns[k];
        if (c->kind == kind) of[c->index] = most_of(out, k);
    }
    for (uint32_t i = 0; i < n; i++) z->most[i] = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        double* most = &z->most[family ? family[i] : i];
        *most = fmax(*most, of[i]);
    }
    for (uint32_t i = 0; i < n; i++) of[i] = part * of[i] + z->most[family ? family[i] : i];
}

// Of what a law drives all is known.
static void size_decayed(Sizes* z) {
    const LiaDynamics* d = z->run->w->dynamics;
    size_met(z, LIA_COLUMN_POSITION, z->of_q);
    size_met(z, LIA_COLUMN_VELOCITY, z->of_v);
    for (uint32_t k = 0; k < d->drive_count; k++)
        z->of_q[d->drives[k].coordinate] = z->of_v[d->drives[k].coordinate] = 0.0;
    for (uint32_t i = 0; i < z->run->system->n; i++) z->q[i] += z->of_q[i], z->v[i] += z->of_v[i];
    evaluate_sizes(z);
}

// What equations alone determine. False if memory is out.
static bool size_held(Sizes* z, bool velocities) {
    double* off = z->held;
    if (!lia_held_find(z->run, velocities, off)) return false;
    for (int i = 0; i < z->run->w->n; i++) {
        off[i] = off[i] >= 0.0 ? off[i] / LIA_SUMMARY_ROUNDING : 0.0;
        (velocities ? z->v : z->q)[i] += off[i];
    }
    evaluate_sizes(z);
    return true;
}

static double row_size(LiaEntries row, const double* x, const uint32_t* coordinate) {
    double sum = 0.0;
    for (int k = 0; k < row.count; k++)
        sum += fabs(row.value[k]) * x[coordinate[lia_entry_column(&row, k)]];
    return sum;
}

// Forces that are not unique are of least norm: each is a sum of the others of its constraint.
static void size_shared(Sizes* z) {
    const LiaWorkspace* w = z->run->w;
    const LiaSystem* s = z->run->system;
    for (uint32_t r = 0; r < s->row_count; r++) {
        uint32_t first = s->first_row[s->rows[r].constraint];
        if (w->unique[r]) continue;
        double sum = 0.0;
        for (uint32_t k = first; k < s->row_count && s->rows[k].constraint == s->rows[r].constraint;
             k++)
            sum += fabs(w->mu[k]);
        z->mu[r] = fmax(z->mu[r], sum);
    }
}

// sizes of b
static double* right_sides(const Sizes* z) {
    LiaWorkspace* w = z->run->w;
    const LiaDynamics* d = w->dynamics;
    double* size = z->b;
    for (int k = 0; k < w->nf; k++)
        size[k] = row_size(lia_workspace_M(w, k), z->a, d->free) + z->size[d->G[d->free[k]].index];
    for (int r = 0; r < w->nr; r++)
        size[w->nf + r] = row_size(lia_workspace_J(w, w->active[r]), z->a, d->free) +
                          fabs(w->gamma[w->active[r]]);
    return size;
}

// into[k] += times |K0^-1| (sizes of b), of the unknowns from `first` on; NULL: not asked for
static void add_unknowns(Sizes* z, int first, int count, double* const* into, double times) {
    LiaWorkspace* w = z->run->w;
    int N = w->nf + w->nr;
    double *size = right_sides(z), *column = z->b + N;
    for (int i = 0; i < count && !w->saddle.method->full; i++) {
        if (!into[i]) continue;
        lia_forward_error_row(w, first + i, column);
        for (int k = 0; k < N; k++) *into[i] += times * fabs(column[k]) * size[k];
    }
    for (int k = 0; k < N && w->saddle.method->full; k++) {
        for (int i = 0; i < N; i++) column[i] = i == k;
        lia_workspace_solve(w, column);
        for (int i = 0; i < count; i++) {
            if (into[i]) *into[i] += times * fabs(column[first + i]) * size[k];
        }
    }
}

static bool is_bounded(const LiaWorkspace* w) {
    return w->forces.method->bounded && w->nf + w->nr <= UNKNOWNS_MOST;
}

// What rounding of accelerations makes of velocities in the last step. By the state alone.
static void size_pushed(Sizes* z) {
    const LiaWorkspace* w = z->run->w;
    double* into[UNKNOWNS_MOST];
    if (!is_bounded(w)) return;
    for (int k = 0; k < w->nf; k++) into[k] = &z->pushed[w->dynamics->free[k]];
    add_unknowns(z, 0, w->nf, into, fabs(z->run->step.h));
}

static void size_multipliers(Sizes* z) {
    const LiaWorkspace* w = z->run->w;
    const LiaDynamics* d = w->dynamics;
    double* into[UNKNOWNS_MOST];
    for (uint32_t m = 0; m < d->drive_count; m++) {
        uint32_t i = d->drives[m].coordinate, row = d->drive_row[m];
        z->mu[row] = z->size[d->G[i].index] + fabs(lia_value(&z->values, d->G[i]) + w->mu[row]);
    }
    size_shared(z);
    if (!is_bounded(w)) return;
    for (int r = 0; r < w->nr; r++) {
        uint32_t row = d->rows[w->active[r]];
        into[r] = w->unique[row] ? &z->mu[row] : NULL;
        if (into[r]) *into[r] = 0.0;
    }
    add_unknowns(z, w->nf, w->nr, into, 1.0);
    for (int i = 0; i < w->n; i++) z->v[i] += z->pushed[i];
    evaluate_sizes(z);
}

// --- what is shown

// Of a component of a quaternion's spin, 2 q* q', what holds its rates.
static double velocity_size(const Sizes* z, const LiaColumn* c) {
    if (z->run->model->coordinates[c->index].manifold != LIA_ROTATION) return z->v[c->index];
    double sum = 0.0;
    for (uint32_t i = c->index - c->part; c->part && i < c->index - c->part + 4; i++)
        sum += z->held[i];
    return 2.0 * sum + z->of_v[c->index];
}

static void round_columns(const Sizes* z) {
    LiaTrajectory* out = z->run->out;
    const LiaSystem* s = z->run->system;
    const LiaModel* m = z->run->model;
    for (size_t k = 0; k < out->column_count; k++) {
        const LiaColumn* c = &out->columns[k];
        double size = 0.0;
        if (c->kind == LIA_COLUMN_OBSERVE || c->kind == LIA_COLUMN_PLOT ||
            c->kind == LIA_COLUMN_MOMENTUM) {
            size = z->size[s->observables.samples[c->slot].index];
            size *= fabs(lia_sample_scale(m, c->slot));
        } else if (c->kind == LIA_COLUMN_FORCE) {
            size = z->mu[s->first_row[c->index] + c->part];
        } else if (c->kind == LIA_COLUMN_POWER) {
            size = z->size[s->lines[c->index].power.index];
        } else if (c->kind == LIA_COLUMN_POSITION) {
            size = z->q[c->index];
        } else if (c->kind == LIA_COLUMN_VELOCITY) {
            size = velocity_size(z, c);
        }
        out->final.rounding[k] = isfinite(size) ? LIA_SUMMARY_ROUNDING * size : 0.0;
    }
}

// The integral of |power| over the samples, by trapezia.
static double worked(const LiaTrajectory* out, size_t column) {
    double sum = 0.0, before = NAN, last = NAN;
    const double* row = out->rows.values;
    for (size_t r = 0; r < out->rows.count; r++, row += out->column_count) {
        double power = fabs(row[column]), t = row[0];
        double piece = (power + before) / 2.0 * fabs(t - last);
        if (isfinite(piece)) sum += piece;
        before = power, last = t;
    }
    return sum;
}

// The work of an impulse is a difference of energies.
static void round_ledger(LiaTrajectory* out) {
    double impulses = (double)out->jumps.count * out->ledger.rounding;
    size_t at = 0;
    for (size_t k = 0; k < out->csv_count && at < out->ledger.count; k++) {
        if (out->columns[k].kind != LIA_COLUMN_POWER) continue;
        LiaLedgerLine* line = &out->ledger.lines[at++];
        bool takes_part = line->kind == LIA_LINE_CONSTRAINT || line->kind == LIA_LINE_OPERATOR;
        line->power_rounding = out->final.rounding[k];
        line->work_rounding = LIA_SUMMARY_ROUNDING * worked(out, k) +
                              fabs(out->t - out->t0) * out->final.rounding[k] +
                              (takes_part ? impulses : 0.0);
    }
    for (size_t k = 0; k < out->column_count; k++) {
        const LiaColumn* c = &out->columns[k];
        if (c->kind == LIA_COLUMN_WORK)
            out->final.rounding[k] = out->ledger.lines[c->index].work_rounding;
    }
}

bool lia_rounding_make(LiaRunner* run) {
    LiaTrajectory* out = run->out;
    const LiaWorkspace* w = run->w;
    double energies = fabs(out->ledger.start) + fabs(out->ledger.end) + run->met.kinetic_most;
    out->ledger.rounding = isfinite(energies) ? LIA_SUMMARY_ROUNDING * energies : 0.0;
    bool known = is_finite(w->q, run->system->n) && is_finite(w->v, run->system->n) &&
                 is_finite(w->a, run->system->n);
    if (!known || out->status == LIA_FAILED) return true;
    out->final.rounding = LIA_ARENA_NEW(out->arena, double, out->column_count + 1);
    Sizes z = {0};
    bool ok = out->final.rounding && sizes_init(&z, run);
    if (ok) {
        size_state(&z);
        size_pushed(&z);
        size_decayed(&z);
        ok = size_held(&z, false) && size_held(&z, true);
        size_multipliers(&z);
        round_columns(&z);
        round_ledger(out);
        double energy = 2.0 * LIA_SUMMARY_ROUNDING *
                        z.size[run->system->observables.samples[LIA_SAMPLE_ENERGY].index];
        if (isfinite(energy)) out->ledger.rounding = fmax(out->ledger.rounding, energy);
    }
    sizes_clear(&z);
    return ok;
}
