// The table of a trajectory: a row for each sample. Its columns: record_columns.c.
// SPDX-License-Identifier: MIT
#include "motion/result/record.h"
#include "base/memory/memory.h"
#include "base/numeric/grid.h"
#include "base/numeric/quaternion.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/kkt/project.h"
#include "mechanics/kkt/stage.h"
#include "motion/check/energy_balance.h"
#include "motion/result/report.h"
#include "motion/result/sample_forces.h"
#include "motion/runner.h"
#include <math.h>
#include <string.h>

static inline double velocity(const LiaWorkspace* w, const LiaColumn* c) {
    if (!c->part) return w->v[c->index];
    return lia_quaternion_spin_about(w->q + c->index - c->part, w->v + c->index - c->part,
                                     (int)c->part);
}

size_t lia_record_state_end(const LiaTrajectory* out) {
    size_t k = 0;
    while (k < out->csv_count && out->columns[k].kind <= LIA_COLUMN_VELOCITY) k++;
    return k;
}

double* lia_record_state(LiaRunner* run, const LiaWorkspace* w) {
    const LiaTrajectory* out = run->out;
    double* state = LIA_ARENA_NEW(out->arena, double, 2 * run->system->n + 1);
    size_t at = 0, end = lia_record_state_end(out);
    for (size_t k = 0; state && k < end; k++) {
        const LiaColumn* c = &out->columns[k];
        if (c->kind == LIA_COLUMN_POSITION) state[at++] = w->q[c->index];
        if (c->kind == LIA_COLUMN_VELOCITY) state[at++] = velocity(w, c);
    }
    return state;
}

size_t lia_record_state_count(const LiaTrajectory* out) {
    size_t count = 0, end = lia_record_state_end(out);
    for (size_t k = 0; k < end; k++) {
        LiaColumnKind kind = out->columns[k].kind;
        count += kind == LIA_COLUMN_POSITION || kind == LIA_COLUMN_VELOCITY;
    }
    return count;
}

double lia_record_time(const LiaRunner* run, size_t sample) {
    const LiaTrajectory* out = run->out;
    if (sample + 1 >= run->samples.total) return out->t1;
    if (run->samples.every > 0.0)
        return lia_grid_at(out->t0, run->direction * run->samples.every, sample);
    return out->t0 + (out->t1 - out->t0) * ((double)sample / (double)(run->samples.total - 1));
}

// Extremes of energies and momenta, for the balance and for what is conserved.
static void watch(LiaRunner* run, const LiaWorkspace* w) {
    lia_energy_balance_sample(run, w, run->samples.values[LIA_SAMPLE_ENERGY]);
    uint32_t count = run->model->symmetries_count;
    for (uint32_t k = 0; k <= count; k++) {
        double value = run->samples.values[k < count ? LIA_SAMPLE_MOMENTA + k : LIA_SAMPLE_ENERGY];
        bool first = isnan(run->met.momentum_first[k]);
        if (first) run->met.momentum_first[k] = value;
        run->met.momentum_away[k] =
            lia_larger(run->met.momentum_away[k], fabs(value - run->met.momentum_first[k]));
        if (first || run->checks.passed)  // what errors are measured by
            run->met.momentum_size[k] = lia_larger(run->met.momentum_size[k], fabs(value));
    }
}

// Where the number of a column is in workspace w, or what it is made of.
static const double* number_of(const LiaRunner* run, const LiaWorkspace* w, const LiaColumn* c) {
    switch (c->kind) {
    case LIA_COLUMN_TIME:
        return &w->t;
    case LIA_COLUMN_POSITION:
        return &w->q[c->index];
    case LIA_COLUMN_VELOCITY:
        return &w->v[c->index];
    case LIA_COLUMN_FORCE:
        return &w->mu[run->system->first_row[c->index] + c->part];
    case LIA_COLUMN_POWER:
        return lia_jet_series(&w->jets, w->dynamics->power[c->index]);
    case LIA_COLUMN_WORK:
        return &w->work[c->index];
    case LIA_COLUMN_OBSERVE:
    case LIA_COLUMN_PLOT:
    case LIA_COLUMN_MOMENTUM:
        break;
    }
    return &run->samples.values[c->slot];
}

// Numbers that are made of others: spins of attitudes, observables in units of their own.
static bool is_made(const LiaRunner* run, const LiaColumn* c) {
    return (c->kind == LIA_COLUMN_VELOCITY && c->part) ||
           (c->kind == LIA_COLUMN_OBSERVE && lia_sample_scale(run->model, c->slot) != 1.0);
}

static double make(const LiaRunner* run, const LiaWorkspace* w, const LiaColumn* c) {
    if (c->kind == LIA_COLUMN_VELOCITY) return velocity(w, c);
    return run->samples.values[c->slot] * lia_sample_scale(run->model, c->slot);
}

void lia_record_find(LiaRunner* run, const LiaWorkspace* w) {
    const LiaTrajectory* out = run->out;
    run->samples.made = false;
    for (size_t k = 0; k < out->column_count; k++) {
        run->samples.from[k] = number_of(run, w, &out->columns[k]);
        run->samples.made |= is_made(run, &out->columns[k]);
    }
}

// The numbers of a row, after the samples were evaluated in the workspace of lia_record_find().
static void fill(const LiaRunner* run, const LiaWorkspace* w, double* restrict row) {
    const LiaTrajectory* out = run->out;
    const double* const* from = run->samples.from;
    for (size_t k = 0; k < out->column_count; k++) row[k] = *from[k];
    for (size_t k = 0; run->samples.made && k < out->column_count; k++) {
        if (is_made(run, &out->columns[k])) row[k] = make(run, w, &out->columns[k]);
    }
}

// What changes with the multipliers while no force does is not unique. A work is the integral of
// such a power. False where all is unique.
static bool mark_shared(LiaRunner* run, LiaWorkspace* w) {
    LiaTrajectory* out = run->out;
    const LiaSystem* s = run->system;
    double size = 0.0;
    memset(run->samples.row_shared, 0, out->column_count * sizeof *run->samples.row_shared);
    if (s->row_count == 0 || !memchr(w->unique, false, s->row_count)) return false;
    for (uint32_t r = 0; r < s->row_count; r++) {
        if (w->unique[r]) continue;
        run->samples.shared[r] = true;
        size = fmax(size, fabs(w->mu[r] - w->other[r]));
    }
    lia_workspace_exchange(w, run->samples.values);
    fill(run, w, run->samples.row_other);
    lia_workspace_exchange(w, run->samples.values);
    for (size_t k = 0; k < out->column_count; k++) {
        double x = run->samples.row[k], y = run->samples.row_other[k];
        bool shared = fabs(x - y) > LIA_SHARED_DIFFERENCE * (fabs(x) + fabs(y)) &&
                      fabs(x - y) > LIA_SHARED_ROUNDING * size;
        run->samples.row_shared[k] = shared;
        out->columns[k].shared |= shared;
    }
    for (size_t k = 0; k < out->column_count; k++) {
        LiaColumn* work = &out->columns[k];
        if (work->kind != LIA_COLUMN_WORK) continue;
        work->shared |= out->columns[work->slot].shared;
        run->samples.row_shared[k] = work->shared;
    }
    return true;
}

// After the samples were evaluated. False where all of it is unique.
static bool take_row(LiaRunner* run, LiaWorkspace* w) {
    fill(run, w, run->samples.row);
    bool shared = mark_shared(run, w);
    watch(run, w);
    return shared;
}

static bool sample_row(LiaRunner* run, LiaWorkspace* w) {
    lia_workspace_sample(w, run->samples.values);
    return take_row(run, w);
}

void lia_record_row(LiaRunner* run, LiaWorkspace* w) {
    lia_record_find(run, w);
    sample_row(run, w);
}

void lia_record_last(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    if (w->stage != LIA_WORKSPACE_ACCELERATED) {
        lia_workspace_update(w, w->jets.order);
        if (lia_workspace_factor(w) && lia_relative_degree_residuals(w)) lia_stage_accelerate(w);
    }
    if (w->stage == LIA_WORKSPACE_ACCELERATED && !w->contradiction) {
        lia_record_row(run, w);
        return;
    }
    lia_record_find(run, w);
    lia_workspace_sample_undetermined(w, run->samples.values);
    take_row(run, w);
}

void lia_record_final(LiaRunner* run) {
    LiaTrajectory* out = run->out;
    memcpy(out->final.values, run->samples.row, out->column_count * sizeof *out->final.values);
    memcpy(out->final.shared, run->samples.row_shared,
           out->column_count * sizeof *out->final.shared);
}

void lia_record_reached(LiaRunner* run) {
    LiaTrajectory* out = run->out;
    const LiaWorkspace* w = run->w;
    for (size_t k = 0; k < out->column_count; k++) {
        const LiaColumn* c = &out->columns[k];
        if (c->kind == LIA_COLUMN_TIME) out->final.values[k] = w->t;
        if (c->kind == LIA_COLUMN_POSITION) out->final.values[k] = w->q[c->index];
        if (c->kind == LIA_COLUMN_VELOCITY) out->final.values[k] = velocity(w, c);
    }
}

void lia_record_bare(LiaRunner* run) {
    LiaTrajectory* out = run->out;
    for (uint32_t i = 0; i < run->system->observables.sample_count; i++)
        run->samples.values[i] = NAN;
    for (size_t k = 0; k < out->column_count; k++) out->final.values[k] = NAN;
    lia_record_reached(run);
    out->t = run->w->t;
    out->ledger.start = NAN;
}

// Does anything in the table need accelerations or multipliers? If not, a sample needs no solve.
static bool needs_solve(const LiaSystem* s) {
    const unsigned late = LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(MULTIPLIER);
    if (s->row_count) return true;
    for (uint32_t i = 0; i < s->observables.sample_count; i++) {
        if (lia_graph_node(s->graph, s->observables.samples[i])->depends & late) return true;
    }
    return false;
}

// States between steps keep the constraints as well. The sampler's residuals are in
// w->projection.miss.
static void watch_residuals(LiaRunner* run) {
    const LiaWorkspace* w = run->sampler;
    for (int c = 0; c < w->nc; c++) {
        double* worst = &run->met.worst[run->system->rows[w->dynamics->rows[c]].constraint];
        *worst = lia_larger(*worst, w->projection.miss[c]);
    }
}

static double largest_position(const LiaWorkspace* w) {
    double most = 0.0;
    for (int i = 0; i < w->n; i++) most = fmax(most, fabs(w->q[i]));
    return most;
}

double lia_record_rows(const LiaWorkspace* w) {
    double sum = 0.0;
    for (int r = 0; r < w->nr; r++) {
        LiaEntries J = lia_workspace_J(w, w->active[r]);
        double square = 0.0;
        for (int e = 0; e < J.count; e++) {
            if (J.value[e] == 0.0) continue;  // most of a full row
            double inertia = fabs(lia_workspace_inertia(w, lia_entry_column(&J, e)));
            square += J.value[e] * J.value[e] / (inertia > 0.0 ? inertia : 1.0);
        }
        sum += log2(square);
    }
    return sum;
}

// By how much |det K0| is smaller than it was, as log2. Rows that were long for a while (a steep
// place of a curve) and are as long now as at the ends of the step do not count: it is not their
// rank that is lost.
static double fallen(const LiaRunner* run, LiaWorkspace* w) {
    double smaller = lia_workspace_size(w) - run->course.size_most;
    if (!(smaller < LIA_DETERMINANT_SMALLER)) return smaller;  // the common case
    double rows = lia_record_rows(w), ends = fmin(run->course.rows_begin, lia_record_rows(run->w));
    double shorter = run->course.rows_most - rows;
    return rows > ends - 1.0 && shorter > 0.0 ? smaller + shorter : smaller;
}

// Is the state in the sampler, after settle(), what the series say, and are forces known there?
// In a position that a step passes because equations lose their rank in it, what is left of them is
// divided by next to nothing: near it the series know the state better than the equations do.
static bool determined(const LiaRunner* run, double moved) {
    LiaWorkspace* w = run->sampler;
    double known = LIA_POSITION_ROUNDING * largest_position(w);
    double far = fmax(LIA_MOVED_TOLERANCES * run->tolerance, known);
    if (!(moved <= fmax(far, LIA_MOVED_BLURRED))) return false;
    // Forces are what is left over the square of a small row, and so is the determinant of K0.
    double smaller = fallen(run, w);
    return !(smaller < LIA_DETERMINANT_SMALLER) || moved <= LIA_SAMPLE_DETERMINED * exp2(smaller);
}

// As the series say it.
static void restore_state(const LiaRunner* run) {
    LiaWorkspace* w = run->sampler;
    memcpy(w->q, run->step.at, (size_t)w->n * sizeof(double));
    memcpy(w->v, run->step.at + w->n, (size_t)w->n * sizeof(double));
}

// Project the state and find the forces. False where these are not determined: the state is the one
// of the series then.
static bool solve(LiaRunner* run, bool factored) {
    LiaWorkspace* w = run->sampler;
    double moved = 0.0;
    if (!factored && lia_sample_forces(run)) {
        lia_report_misses_again(run, w);
        watch_residuals(run);
        return true;
    }
    restore_state(run);
    if (!lia_project_state(w, 1, &moved, NULL) || !determined(run, moved)) {
        restore_state(run);
        return false;
    }
    lia_report_misses(run, w);
    watch_residuals(run);
    lia_stage_accelerate(w);
    return true;
}

// False where forces are not determined.
static bool evaluate(LiaRunner* run, bool factored) {
    LiaWorkspace* w = run->sampler;
    if (needs_solve(run->system)) return solve(run, factored);
    lia_workspace_update(w, 1);
    lia_workspace_stage0(w);
    lia_jet_post(&w->jets, 0, 0);
    for (int i = 0; i < w->n; i++) w->p[i] = lia_jet_coefficient(&w->jets, w->dynamics->p[i], 0);
    return true;
}

// A row without accelerations and multipliers; the report tells of it.
static bool undetermined_row(LiaRunner* run) {
    LiaWorkspace* w = run->sampler;
    if (run->samples.undetermined++ == 0) {
        int r = w->saddle.weakest - w->nf;
        int c = r >= 0 && r < w->nr ? w->active[r] : 0;
        run->samples.undetermined_time = w->t;
        if (w->nc > 0)
            run->samples.undetermined_span = run->system->rows[w->dynamics->rows[c]].span;
    }
    lia_workspace_sample_undetermined(w, run->samples.values);
    return take_row(run, w);
}

static bool grow(LiaTrajectory* out, size_t capacity) {
    double* values =
        lia_memory_resize(out->rows.values, capacity * out->column_count * sizeof *values);
    if (!values) return false;
    out->rows.values = values;
    if (out->rows.shared) {
        bool* shared =
            lia_memory_resize(out->rows.shared, capacity * out->column_count * sizeof *shared);
        if (!shared) return false;
        out->rows.shared = shared;
    }
    out->rows.capacity = capacity;
    return true;
}

// At first for all samples, unless these are very many.
static bool make_room(const LiaRunner* run) {
    enum { ROWS_LEAST = 64, ROWS_FIRST = 4096 };
    LiaTrajectory* out = run->out;
    size_t capacity = out->rows.capacity, first = run->samples.total;
    if (out->rows.count < capacity) return true;
    if (first > ROWS_FIRST) first = ROWS_FIRST;
    if (first < ROWS_LEAST) first = ROWS_LEAST;
    return grow(out, capacity ? capacity * 2 : first);
}

static bool mark_room(LiaTrajectory* out) {
    if (!out->rows.shared) {
        out->rows.shared =
            lia_memory_zeros(out->rows.capacity * out->column_count, sizeof *out->rows.shared);
    }
    return out->rows.shared != NULL;
}

bool lia_record_room(LiaTrajectory* out, size_t rows, bool shared) {
    size_t capacity = 64;
    while (capacity < rows) capacity *= 2;
    return (capacity <= out->rows.capacity || grow(out, capacity)) && (!shared || mark_room(out));
}

// Most systems have no multiplier that is not unique: the marks are kept from the first one on.
static bool keep_shared(const LiaRunner* run, bool shared) {
    LiaTrajectory* out = run->out;
    size_t columns = out->column_count;
    bool any = shared && memchr(run->samples.row_shared, true, columns * sizeof(bool)) != NULL;
    if (any && !mark_room(out)) return false;
    if (out->rows.shared) {
        memcpy(out->rows.shared + out->rows.count * columns, run->samples.row_shared,
               columns * sizeof(bool));
    }
    return true;
}

bool lia_record_sample(LiaRunner* run, bool factored) {
    LiaTrajectory* out = run->out;
    bool known = evaluate(run, factored);
    bool shared = known ? sample_row(run, run->sampler) : undetermined_row(run);
    if (!make_room(run) || !keep_shared(run, shared)) return false;
    memcpy(out->rows.values + out->rows.count * out->column_count, run->samples.row,
           out->column_count * sizeof(double));
    out->rows.count++;
    return true;
}
