// A run from start to end: step by step, with guards, events and samples on the way.
// SPDX-License-Identifier: MIT
#include "runner.h"
#include "state.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { LIA_SAMPLES_MOST = 20 * 1000 * 1000 };  // rows of a table

// --- making and releasing ----------------------------------------------------------------------

static bool runner_init(LiaRunner* run, const LiaDynamics* dynamics) {
    const LiaSystem* s = run->system;
    const LiaModel* m = run->model;
    int order = run->out->order;
    run->dynamics = dynamics;
    run->w = lia_workspace_create(s, dynamics, order);
    run->sampler = lia_workspace_create(s, dynamics, 1);
    run->full = lia_workspace_create(s, s->full, 1);
    if (!run->w || !run->sampler || !run->full) return false;
    if (!lia_step_init(&run->step, s, dynamics, order)) return false;
    if (!run->out->columns && !lia_record_columns(run)) return false;
    size_t n = s->n, lines = s->line_count, guards = dynamics->tape->guard_count;
    size_t symmetries = m->symmetries_count + 1, columns = run->out->column_count;
    size_t nc = dynamics->nc;
    size_t doubles = m->constraints_count + 11 * n + 3 * lines + 2 * m->events_count +
                     s->sample_count + columns + 3 * symmetries;
    run->block = calloc(
        (doubles + 1) * sizeof(double) + nc * sizeof(int) + 3 * guards + s->row_count + 1, 1);
    if (!run->block) return false;
    double* x = run->block;
    run->q_low = x, x += n;
    run->v_low = x, x += n;
    run->q_old = x, x += n;
    run->v_old = x, x += n;
    run->q_low_old = x, x += n;
    run->v_low_old = x, x += n;
    run->work_low = x, x += lines;
    run->work_old = x, x += lines;
    run->work_low_old = x, x += lines;
    run->worst = x, x += m->constraints_count;
    run->p_before = x, x += n;
    run->a_before = x, x += n;
    run->q_jump = x, x += n;
    run->v_jump = x, x += n;
    run->lambda = x, x += n;
    run->event_last = x, x += m->events_count;
    run->event_end = x, x += m->events_count;
    run->sample_values = x, x += s->sample_count;
    run->row = x, x += columns;
    run->momentum_first = x, x += symmetries;
    run->momentum_away = x, x += symmetries;
    run->momentum_size = x, x += symmetries;
    run->active_old = (int*)x;
    run->guard_at_root = (bool*)(run->active_old + nc);
    run->guard_crossing = (signed char*)(run->guard_at_root + guards);
    run->guard_live = (bool*)(run->guard_crossing + guards);
    run->shared = run->guard_live + guards;
    for (size_t k = 0; k < symmetries; k++) run->momentum_first[k] = NAN;
    for (uint32_t e = 0; e < m->events_count; e++) run->event_last[e] = run->event_end[e] = NAN;
    run->scales.span = run->out->t1 - run->out->t0;
    run->potential_least = INFINITY;
    run->size_most = -INFINITY;
    run->potential_most = -INFINITY;
    return true;
}

static void runner_clear(LiaRunner* run) {
    lia_workspace_destroy(run->w);
    lia_workspace_destroy(run->sampler);
    lia_workspace_destroy(run->full);
    lia_hidden_destroy(run->hidden);
    lia_step_clear(&run->step);
    free(run->block);
}

// The same start with every equation a row: the force of an eliminated operator is shared with other equations, and
// who has which part of it is seen only there.
static bool eliminate_nothing(LiaRunner* run) {
    size_t n = (size_t)run->w->n;
    double* kept = malloc((2 * n + 1) * sizeof *kept);
    bool ok = kept != NULL;
    if (ok) {
        memcpy(kept, run->w->q, n * sizeof *kept);
        memcpy(kept + n, run->w->v, n * sizeof *kept);
        runner_clear(run);
        run->w = run->sampler = run->full = NULL;
        run->hidden = NULL;
        run->block = NULL;
        ok = runner_init(run, run->system->plain);
    }
    if (ok) {
        run->w->t = run->out->t0;
        memcpy(run->w->q, kept, n * sizeof *kept);
        memcpy(run->w->v, kept + n, n * sizeof *kept);
    }
    free(kept);
    return ok;
}

// --- the state ---------------------------------------------------------------------------------

// Compensated sum: x + low is the value, x what the formulas see.
static void add_to(double* x, double* low, double change) {
    double y = change + *low, sum = *x + y;
    *low = y - (sum - *x);
    *x = sum;
}

static void keep_state(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    size_t n = (size_t)w->n * sizeof(double), lines = run->system->line_count * sizeof(double);
    memcpy(run->q_old, w->q, n);
    memcpy(run->v_old, w->v, n);
    memcpy(run->work_old, w->work, lines);
    memcpy(run->q_low_old, run->q_low, n);
    memcpy(run->v_low_old, run->v_low, n);
    memcpy(run->work_low_old, run->work_low, lines);
    run->t_low_old = run->t_low;
    run->nr_old = w->nr;
    memcpy(run->active_old, w->active, (size_t)w->nr * sizeof(int));
}

static void restore_state(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    size_t n = (size_t)w->n * sizeof(double), lines = run->system->line_count * sizeof(double);
    w->t = run->step.t;
    memcpy(w->q, run->q_old, n);
    memcpy(w->v, run->v_old, n);
    memcpy(w->work, run->work_old, lines);
    memcpy(run->q_low, run->q_low_old, n);
    memcpy(run->v_low, run->v_low_old, n);
    memcpy(run->work_low, run->work_low_old, lines);
    run->t_low = run->t_low_old;
    memcpy(w->jets.side, run->step.side, w->dynamics->tape->guard_count);
    w->nr = run->nr_old;
    memcpy(w->active, run->active_old, (size_t)w->nr * sizeof(int));
}

static void advance(LiaRunner* run, double h, bool to_end) {
    LiaWorkspace* w = run->w;
    const LiaStep* step = &run->step;
    size_t stride = (size_t)step->stride;
    for (int i = 0; i < w->n; i++) {
        const double* q = step->q + (size_t)i * stride;
        const double* v = step->v + (size_t)i * stride;
        add_to(&w->q[i], &run->q_low[i], lia_step_change(q, step->order + 1, h));
        add_to(&w->v[i], &run->v_low[i], lia_step_change(v, step->order, h));
    }
    for (uint32_t l = 0; l < run->system->line_count; l++) {
        add_to(&w->work[l], &run->work_low[l],
               lia_step_change(step->work + l * stride, step->order, h));
    }
    if (to_end) {
        w->t = run->out->t1;
        run->t_low = 0.0;
    } else {
        add_to(&w->t, &run->t_low, h);
    }
}

// --- one step ----------------------------------------------------------------------------------

static bool all_finite(const LiaWorkspace* w) {
    for (int i = 0; i < w->n; i++) {
        if (!isfinite(w->a[i]) || !isfinite(w->v[i]) || !isfinite(w->q[i])) return false;
    }
    for (uint32_t r = 0; r < w->system->row_count; r++) {
        if (!isfinite(w->mu[r])) return false;
    }
    return true;
}

// What the constraints would do to coordinate k if nothing resisted: at rest, their forces and the others leave rounding.
static double entry(LiaEntries e, int k) {
    for (int i = 0; i < e.count; i++) {
        if (lia_entry_column(&e, i) == k) return e.value[i];
    }
    return 0.0;
}

static double pull(const LiaWorkspace* w, int k) {
    double mass = fabs(entry(lia_mechanics_M(w, k), k)), sum = 0.0;
    for (int c = 0; c < w->nc; c++) {
        sum += fabs(entry(lia_mechanics_Omega(w, c), k) * w->mu[w->dynamics->rows[c]]);
    }
    return mass > 0.0 ? sum / mass : 0.0;
}

// The accelerations at the end of the step, from the polynomials and from the state reached: where
// they differ the series were not what they seemed (too long a step, something not analytic).
static bool defect_small(const LiaRunner* run, double h, double allowed) {
    const LiaWorkspace* w = run->w;
    const LiaDynamics* d = w->dynamics;
    const LiaStep* step = &run->step;
    for (int k = 0; k < w->nf; k++) {
        uint32_t i = d->free[k];
        const double* v = step->v + (size_t)i * (size_t)step->stride;
        double a = step->order * v[step->order];
        for (int j = step->order - 1; j >= 1; j--) a = a * h + j * v[j];
        int kind = lia_step_kind(w, i);
        double scale = run->scales.v[kind] + fabs(h * w->a[i]), gap = fabs(a - w->a[i]) * fabs(h);
        if (gap <= allowed * scale) continue;
        if (!(gap <= allowed * (scale + 1e-3 * fabs(h) * pull(w, k)))) return false;
    }
    return true;
}

static void watch_regularity(LiaRunner* run, const LiaWorkspace* at) {
    LiaWorkspace* f = run->full;
    size_t n = (size_t)f->n * sizeof(double);
    if (f->nc == 0) return;
    f->t = at->t;
    memcpy(f->q, at->q, n);
    memcpy(f->v, at->v, n);
    lia_mechanics_load(f, 1);
    lia_mechanics_residuals(f);
    lia_mechanics_factor(f);
    double number = lia_mechanics_regularity(f);
    if (number < run->regularity_least) {
        run->regularity_least = number;
        run->regularity_time = at->t;
    }
}

// The coupling number is looked at some twenty times along the run, where that costs little.
static bool regularity_due(const LiaRunner* run) {
    size_t stride = run->sample_total / 20 + 1;
    return run->full->nf + run->full->nc <= 40 && run->next_sample % stride == 0;
}

static bool interrupted(const LiaRunner* run) {
    return run->options->interrupt && *run->options->interrupt;
}

// Samples that fall into the step.
static bool take_samples(LiaRunner* run, double h, bool to_end) {
    while (run->next_sample < run->sample_total) {
        double t = lia_record_time(run, run->next_sample);
        bool inside = run->direction * (t - (run->step.t + h)) <= 0.0 || to_end;
        if (!inside) return true;
        lia_step_at(&run->step, t - run->step.t, run->sampler);
        run->sampler->t = t;
        if (!lia_record_sample(run)) return false;
        if (regularity_due(run)) watch_regularity(run, run->sampler);
        run->next_sample++;
        if (interrupted(run)) return true;  // the run itself ends after this step
    }
    return true;
}

// Bring the workspace to the state after the step: projected, accelerations known.
static bool arrive(LiaRunner* run, double* moved, double* energy) {
    if (!lia_mechanics_settle(run->w, run->out->order, moved, energy)) return false;
    lia_mechanics_accelerate(run->w);
    return all_finite(run->w) && !run->w->contradiction;
}

typedef enum Outcome { GO_ON, ARRIVED, ENDED, NO_MEMORY } Outcome;

static bool too_small(const LiaRunner* run, double h) {
    double size = fmax(fabs(run->out->t0), fmax(fabs(run->out->t1), fabs(run->w->t)));
    return !(fabs(h) > 4e-15 * size);
}

// The state at a guard where the motion cannot go on: as approached from before.
static void end_at_guard(LiaRunner* run, int g, double x) {
    double t = run->step.t + x;
    advance(run, x, false);
    lia_step_at(&run->step, x * (1.0 - 1e-9), run->sampler);
    lia_verdict_guard(run, g, t);
    if (lia_mechanics_settle(run->sampler, 1, NULL, NULL)) {
        lia_mechanics_accelerate(run->sampler);
        lia_record_row(run, run->sampler);
        lia_record_final(run);
    }
    run->final_known = true;
    lia_record_reached(run);
}

// Behind a corner the formula may have no series at the corner itself (x^1.5 for x > 0, from x = 0): go on by
// a parabola for a time so short that it makes no difference, and begin there.
static bool step_off(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    if (!(w->pivot > 1e-14) || w->contradiction) return false;
    double d = run->direction * 1e-9 * fmax(run->longest, fabs(run->step.h));
    if (d == 0.0) return false;
    for (int i = 0; i < w->n; i++) {
        w->q[i] += d * (w->v[i] + 0.5 * d * run->a_before[i]);
        w->v[i] += d * run->a_before[i];
    }
    w->t += d;
    memset(run->guard_at_root, 0, w->dynamics->tape->guard_count);
    return arrive(run, NULL, NULL);
}

// Behind a corner hidden equations may ask for another position: no force can bring that about.
static bool leapt(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    for (int i = 0; i < w->n; i++) {
        double leap = w->q[i] - run->q_jump[i];
        if (fabs(leap) <= 1e-7 * (1.0 + fabs(w->q[i]))) continue;
        lia_verdict_leap(run, w->dynamics->rows[w->hidden->row[0]], leap);
        return true;
    }
    return false;
}

static bool just_crossed(const LiaRunner* run) {
    for (uint32_t g = 0; g < run->w->dynamics->tape->guard_count; g++) {
        if (run->guard_at_root[g]) return true;
    }
    return false;
}

// Where several guards have their root at one instant, what another one changes may turn this one back: it
// only touched. False if it is driven back from this side too.
static bool turn_back(LiaRunner* run, uint32_t g) {
    LiaWorkspace* w = run->w;
    int together = 0;
    for (uint32_t k = 0; k < w->dynamics->tape->guard_count; k++) together += run->guard_at_root[k];
    if (together < 2) return false;
    w->jets.side[g] = (signed char)-w->jets.side[g];
    if (!arrive(run, NULL, NULL)) return false;
    lia_mechanics_series(w, run->out->order);
    lia_step_take(&run->step, w);
    return lia_guards_moves_on(run, (int)g);
}

static Outcome step_once(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    LiaTrajectory* out = run->out;
    double left = out->t1 - w->t;
    lia_mechanics_series(w, out->order);
    lia_step_take(&run->step, w);
    if (out->steps == 0 && lia_guards_begin(run)) {
        if (!arrive(run, NULL, NULL)) {
            lia_verdict_not_finite(run);
            return ENDED;
        }
        lia_mechanics_series(w, out->order);
        lia_step_take(&run->step, w);
    }
    for (uint32_t g = 0; g < w->dynamics->tape->guard_count && out->steps > 0; g++) {
        if (!run->guard_at_root[g] || lia_guards_moves_on(run, (int)g)) continue;
        if (!turn_back(run, g)) {
            lia_verdict_chatter(run, (int)g);
            return ENDED;
        }
    }
    lia_step_scales(w, out->order, &run->scales);
    w->fine = run->sampler->fine = run->scales.q[0] > 0.0 && run->scales.q[0] < 1e-6;
    double h = run->direction * lia_step_size(w, out->order, run->step_tolerance, &run->scales);
    if (isnan(h) && just_crossed(run)) {
        memcpy(run->a_before, w->a, (size_t)w->n * sizeof(double));
        if (step_off(run)) {
            lia_mechanics_series(w, out->order);
            lia_step_take(&run->step, w);
            h = run->direction * lia_step_size(w, out->order, run->step_tolerance, &run->scales);
        }
    }
    if (isnan(h)) {  // steps that have shrunk: the numbers grew beyond all bounds
        if (fabs(run->step.h) < 1e-6 * run->longest) {
            lia_verdict_collapse(run, run->step.h);
        } else {
            lia_verdict_not_finite(run);
        }
        return ENDED;
    }
    lia_jet_live(&w->jets, run->guard_live);
    bool to_end = fabs(h) >= fabs(left);
    if (to_end) h = left;
    double trusted = lia_guards_reach(run, h);
    if (fabs(trusted) < fabs(h)) h = trusted, to_end = false;
    double root = 0.0;
    int guard = lia_guards_first(run, h, &root);
    bool leap = guard >= 0 && fabs(root) > fabs(h);  // just beyond where the series reach
    if (guard >= 0) h = root, to_end = false;
    int stop = lia_events_stop(run, h, &root);
    if (stop >= 0) h = root, to_end = false, leap = false, guard = -1;

    const LiaTape* tape = w->dynamics->tape;
    if (guard >= 0) {
        LiaGuardRule rule = tape->guards[guard].rule;
        if (rule == LIA_GUARD_RESULT || rule == LIA_GUARD_POSITIVE) {
            if (!take_samples(run, h, false)) return NO_MEMORY;
            lia_events_record(run, h);
            end_at_guard(run, guard, h);
            out->steps++;
            return ENDED;
        }
    }
    keep_state(run);
    double moved = 0.0, fed = 0.0, natural = h, size = lia_mechanics_size(w), blur = w->blur;
    run->size_most = fmax(run->size_most, size);
    bool free_end = w->nc > 0 && !w->hidden && !to_end && stop < 0 &&
                    guard < 0;     // may this step end elsewhere?
    LiaLeap flat = LIA_LEAP_NONE;  // it is about a flat position
    for (;;) {
        if (!to_end && stop < 0 && guard < 0 && too_small(run, h)) {
            restore_state(run);
            arrive(run, NULL, NULL);
            lia_verdict_collapse(run, h);
            return ENDED;
        }
        advance(run, h, to_end);
        for (uint32_t g = 0; g < tape->guard_count; g++) {
            run->guard_at_root[g] = false;
            if (tape->guards[g].rule ==
                LIA_GUARD_CUT) {  // the angle is continued to the end of the step
                const double* c = run->step.guard + (size_t)g * (size_t)run->step.stride;
                double angle = lia_step_value(c, run->step.order - 1, h);
                w->jets.side[g] = angle > 1.0 ? 1 : angle < -1.0 ? -1 : 0;
            }
        }
        run->step.h = h;
        bool ok = arrive(run, &moved, &fed);
        // Rounding that a flat position has made larger is what it is: nearer to it there is more of it.
        bool blurred = flat || blur > 0.0 || size < run->size_most - 8.0;
        double far = fmax(10.0 * run->tolerance, blurred ? 1e-9 : 1e-12);
        double defect = fmax(1e4 * run->tolerance, blurred ? 1e-6 : 1e-9);
        ok = ok && (leap || (moved <= far && defect_small(run, h, defect)));
        double behind = lia_mechanics_size(w);
        bool near = behind < size - 5.0 || (behind < size - 1.0 && behind < run->size_most - 7.0);
        if (free_end && !flat && (near || !ok)) {
            double better = 0.0;
            flat = lia_leap_find(run, natural, &better);
            if (flat) {
                restore_state(run);
                out->rejected++;
                h = better;
                continue;
            }
        }
        if (ok && guard >= 0) {  // the step is good: now to the other side
            ok = lia_guards_cross(run);
            if (out->status == LIA_FAILED) return take_samples(run, h, false) ? ENDED : NO_MEMORY;
            memcpy(run->a_before, w->a, (size_t)w->n * sizeof(double));
            ok = ok && (arrive(run, NULL, NULL) || step_off(run));
            if (ok && w->hidden && leapt(run))
                return take_samples(run, h, false) ? ENDED : NO_MEMORY;
        }
        if (ok) break;
        // Go back and try a shorter way; where that ends, say why.
        bool singular = !(w->pivot > 1e-14), contradiction = w->contradiction != 0;
        restore_state(run);
        out->rejected++;
        h *= 0.5;
        to_end = false, leap = false, guard = -1, stop = -1;
        if (too_small(run, h) && (singular || contradiction)) {
            advance(run, 2.0 * h, false);
            arrive(run, NULL, NULL);
            if (w->contradiction) {
                lia_verdict_contradiction(run, w);
            } else {
                lia_verdict_singular(run, w);
            }
            restore_state(run);
            arrive(run, NULL, NULL);
            return ENDED;
        }
    }
    run->projected += fed;
    run->step.h = h;
    run->longest = fmax(run->longest, fabs(h));
    run->approaching = flat == LIA_LEAP_BEFORE;
    lia_mechanics_misses(w);
    for (int c = 0; c < w->nc; c++) {
        double residual = w->miss[c];
        double* worst = &run->worst[run->system->rows[w->dynamics->rows[c]].constraint];
        if (residual > *worst) *worst = residual;
    }
    if (!take_samples(run, h, to_end)) return NO_MEMORY;
    lia_events_record(run, h);
    out->steps++;
    if (stop >= 0 && run->model->events[stop].leaves) {
        lia_verdict_end(run, &run->model->events[stop]);
        return ENDED;
    }
    if (stop >= 0) {
        lia_verdict(run, LIA_STOPPED, "event", run->model->events[stop].span, w->t,
                    "event '%s' stopped the run at t = %.10g", run->model->events[stop].name, w->t);
        return ENDED;
    }
    return to_end ? ARRIVED : GO_ON;
}

// --- the run -----------------------------------------------------------------------------------

static void tell_progress(LiaRunner* run, double* last) {
    if (!run->options->progress) return;
    double time = now();
    if (time - *last < 0.1) return;
    *last = time;
    double residual = lia_mechanics_misses(run->w);
    LiaProgress progress = {.t = run->w->t,
                            .t0 = run->out->t0,
                            .t1 = run->out->t1,
                            .steps = run->out->steps,
                            .step = run->step.h,
                            .seconds = time - run->begun,
                            .residual = residual};
    run->options->progress(run->options->context, &progress);
}

static bool first_sample(LiaRunner* run) {
    LiaWorkspace *w = run->w, *s = run->sampler;
    s->t = w->t;
    memcpy(s->q, w->q, (size_t)w->n * sizeof(double));
    memcpy(s->v, w->v, (size_t)w->n * sizeof(double));
    run->next_sample = 1;
    bool ok = lia_record_sample(run);
    run->out->energy_start = run->sample_values[0];
    return ok;
}

// A state that an earlier run ended in is admissible up to rounding: it is kept to the last bit.
static bool arrive_as_given(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    size_t n = (size_t)w->n * sizeof(double);
    double moved = 0.0;
    memcpy(run->q_old, w->q, n);
    memcpy(run->v_old, w->v, n);
    if (!arrive(run, &moved, NULL)) return false;
    if (moved > 1e-12) return true;
    memcpy(w->q, run->q_old, n);
    memcpy(w->v, run->v_old, n);
    lia_mechanics_load(w, w->jets.order);
    lia_mechanics_residuals(w);
    if (!lia_mechanics_factor(w) || (w->hidden && !lia_hidden_residuals(w))) return false;
    lia_mechanics_accelerate(w);
    return true;
}

static LiaStatus integrate(LiaRunner* run) {
    LiaTrajectory* out = run->out;
    LiaWorkspace* w = run->w;
    lia_record_bare(run);  // what is known if the run cannot even begin
    if (out->reason.code) return LIA_OK;
    if (!(run->options->from ? arrive_as_given(run) : arrive(run, NULL, NULL))) {
        if (w->contradiction) {
            if (!lia_flat_verdict(run, 1e-10, LIA_FLAT_VELOCITY)) {
                lia_verdict_contradiction(run, w);
            }
        } else if (w->pivot > 1e-14) {
            lia_verdict_not_finite(run);
        } else {
            lia_verdict_singular(run, w);
        }
        return LIA_OK;
    }
    if (!w->hidden && w->nr < w->nc) {
        int rank = lia_mechanics_force_rank(w);
        if (rank > w->nr) {
            lia_verdict_undecided(run, rank);
            return LIA_OK;
        }
    }
    if (!first_sample(run)) return LIA_MEMORY;
    lia_record_final(run);
    if (isnan(run->sample_values[0])) {
        if (lia_verdict_domain(run)) return LIA_OK;
        lia_verdict(
            run, LIA_FAILED, "E0403", run->model->energies[0].span, w->t,
            "at t = %.10g the energy is not a number: a formula in it is outside its domain", w->t);
        return LIA_OK;
    }
    if (w->nr < w->nc && out->t1 != out->t0) {
        LiaFlatStart flat = lia_flat_start(run);
        if (flat == LIA_FLAT_ENDED) return LIA_OK;
        if (flat == LIA_FLAT_PASSED) {
            if (!take_samples(run, 0.0, false)) return LIA_MEMORY;
            arrive(run, NULL, NULL);
        }
    }
    double last = run->begun;
    uint64_t most = run->options->steps_most;
    Outcome outcome = out->t1 == out->t0 ? ARRIVED : GO_ON;
    while (outcome == GO_ON) {
        outcome = step_once(run);
        tell_progress(run, &last);
        if (outcome != GO_ON && !(outcome == ARRIVED && interrupted(run))) break;
        if (interrupted(run)) {
            lia_verdict(run, LIA_STOPPED, "interrupt", (LiaSpan){0, 0}, w->t,
                        "interrupted at t = %.10g", w->t);
            break;
        }
        if (most && out->steps >= most) {
            lia_verdict(run, LIA_STOPPED, "steps", (LiaSpan){0, 0}, w->t,
                        "stopped after %llu steps at t = %.10g", (unsigned long long)out->steps,
                        w->t);
            break;
        }
    }
    if (outcome == NO_MEMORY) return LIA_MEMORY;
    if (!run->final_known) {
        lia_record_row(run, w);
        lia_record_final(run);
    }
    if (out->row_count == 1 && out->t1 == out->t0) run->next_sample = run->sample_total;
    out->t = w->t;
    return LIA_OK;
}

static double tolerance_asked(const LiaRunner* run) {
    double asked =
        run->options->tolerance > 0.0 ? run->options->tolerance : run->model->run.tolerance;
    return asked > 0.0 ? asked : 1e-12;
}

static void note_tolerance(const LiaRunner* run, LiaText* lines) {
    double asked = tolerance_asked(run);
    if (asked == run->tolerance) return;
    lia_text_add(lines, "tolerance ");
    lia_text_add_short(lines, asked, 3);
    lia_text_add(lines,
                 asked < run->tolerance ? " is finer than numbers are: " : " says nothing: ");
    lia_text_add_short(lines, run->tolerance, 3);
    lia_text_add(lines, " is used\n");
}

static void choose_options(LiaRunner* run) {
    LiaTrajectory* out = run->out;
    const LiaRunStatement* said = &run->model->run;
    const LiaRunOptions* o = run->options;
    out->t0 = said->given ? said->t0 : 0.0;
    if (o->from && !isnan(o->from->t)) out->t0 = o->from->t;
    out->t1 = o->until ? *o->until : said->given ? said->t1 : out->t0;
    run->tolerance = out->tolerance = fmin(fmax(tolerance_asked(run), 1e-16), 1e-2);
    run->step_tolerance = lia_step_tolerance(run->model, run->tolerance);
    double span = fabs(out->t1 - out->t0);
    out->order = o->order > 0 ? o->order : lia_step_order(run->step_tolerance);
    if (span > 0.0 && out->order > lia_step_order_most(span)) {
        out->order = lia_step_order_most(span);
    }
    if (out->order < 2) out->order = 2;
    if (out->order > 60) out->order = 60;
    run->direction = out->t1 < out->t0 ? -1.0 : 1.0;
    uint32_t samples = o->samples ? o->samples : o->every > 0.0 ? 0 : said->samples;
    double every = o->every > 0.0 ? o->every : o->samples ? 0.0 : said->every;
    if (every > 0.0 && !samples) {
        run->every = every;
        double count = ceil(span / every - 1e-9);
        run->sample_total = (size_t)fmin(count, 1e18) + 1;
    } else {
        run->sample_total = samples ? samples : 1001;
        if (run->sample_total < 2) run->sample_total = 2;
    }
}

// Where K0 is singular because an operator acts through springs: workspaces that look further ahead.
// False if memory is out; a verdict says where the force cannot be found.
static bool reveal_hidden(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    lia_mechanics_load(w, 1);
    lia_mechanics_residuals(w);
    if (lia_mechanics_factor(w)) return true;
    int row;
    run->hidden = lia_hidden_find(w, &row);
    if (!run->hidden) {
        if (row) lia_verdict_never(run, row - 1);
        return true;
    }
    int ahead = run->hidden->ahead;
    run->w = lia_workspace_create(run->system, run->dynamics, run->out->order + ahead);
    lia_workspace_destroy(run->sampler);
    run->sampler = lia_workspace_create(run->system, run->dynamics, ahead + 2);
    bool ok = run->w && run->sampler;
    if (ok) {
        run->w->t = w->t;
        memcpy(run->w->q, w->q, (size_t)w->n * sizeof(double));
        memcpy(run->w->v, w->v, (size_t)w->n * sizeof(double));
        ok = lia_hidden_attach(run->w, run->hidden) && lia_hidden_attach(run->sampler, run->hidden);
    }
    lia_workspace_destroy(w);
    return ok;
}

static void note_hidden(const LiaRunner* run, LiaText* lines) {
    const LiaHidden* h = run->hidden;
    for (int i = 0; h && i < h->count; i++) {
        if (!h->shift[i]) continue;
        const LiaRow* row = &run->system->rows[run->w->dynamics->rows[h->row[i]]];
        lia_text_add(
            lines,
            "'%s' acts through other forces: its own appears in derivative %d only, so %d more "
            "equations are hidden in it\n",
            run->model->constraints[row->constraint].name, h->base[i] + h->shift[i], h->shift[i]);
    }
}

// A servo whose force is not along its own equation: does what it leaves free run away? `regularity` is 1 where all
// forces are along their equations: what remains then is the system's own affair.
static void note_remaining(LiaRunner* run, double regularity, LiaText* lines) {
    LiaTrajectory* out = run->out;
    enum { SERVO_MOST = 40 };
    bool servo = false;
    for (int c = 0; c < run->w->nc; c++) {
        servo |=
            run->model->constraints[run->system->rows[run->w->dynamics->rows[c]].constraint].active;
    }
    if (!servo || run->w->nf > SERVO_MOST || regularity > 1.0 - 1e-9) return;
    LiaWorkspace* w = run->w;
    lia_mechanics_load(w, w->jets.order);
    lia_mechanics_residuals(w);
    if (!lia_mechanics_factor(w)) return;
    out->remaining = lia_mechanics_remaining(w, &out->remaining_rate);
    out->has_remaining = out->remaining >= 0;
    if (out->remaining <= 0 || !(out->remaining_rate > 0.0)) return;
    lia_text_add(lines,
                 "what the operators leave free is unstable: a small deviation grows like exp(");
    lia_text_add_short(lines, out->remaining_rate, 4);
    lia_text_add(lines, " t)\n");
}

static bool take_choices(LiaRunner* run, const LiaText* lines) {
    LiaTrajectory* out = run->out;
    const LiaSystem* s = run->system;
    // what was eliminated stands last among the choices of a system
    uint32_t drives = run->dynamics == s->reduced ? 0 : s->reduced->drive_count;
    uint32_t told = drives < s->choice_count ? s->choice_count - drives : 0;
    enum { TOLD_MOST = 12 };  // a family may have a thousand driven members
    uint32_t shown = told <= TOLD_MOST ? told : TOLD_MOST;
    size_t count = (size_t)shown + 1;
    for (const char* c = lines->data; c && *c; c++) count += *c == '\n';
    out->choices = LIA_ARENA_NEW(out->arena, const char*, count + 1);
    if (!out->choices) return false;
    for (uint32_t k = 0; k < shown; k++) out->choices[out->choice_count++] = s->choices[k];
    if (told > shown) {
        out->choices[out->choice_count++] =
            lia_arena_printf(out->arena, "and %u more that are driven", told - shown);
    }
    for (const char* c = lines->data; c && *c;) {
        const char* end = strchr(c, '\n');
        if (!end) break;
        out->choices[out->choice_count++] = lia_arena_text(out->arena, c, (size_t)(end - c));
        c = end + 1;
    }
    return true;
}

static LiaStatus run_all(LiaRunner* run) {
    double begin = now();
    LiaTrajectory* out = run->out;
    if (!runner_init(run, run->system->reduced)) return LIA_MEMORY;
    double ahead = out->t1 != out->t0 ? 1e-9 * (out->t1 - out->t0) : 1e-9;
    LiaStartState start = {.t = out->t0, .ahead = ahead, .q = run->w->q, .v = run->w->v};
    run->w->t = out->t0;
    const LiaState* from = run->options->from;
    if (from) lia_state_begin(from, out->t1, &start);
    LiaStatus status = lia_mechanics_start(run->system, run->diags, &start);
    if (status == LIA_OK && start.shared) {
        lia_text_add(&start.choices, "an operator's force is shared with equations that ask the "
                                     "same: nothing is eliminated\n");
        if (!eliminate_nothing(run)) status = LIA_MEMORY;
    }
    if (status == LIA_OK && !start.singular && !reveal_hidden(run)) status = LIA_MEMORY;
    if (status == LIA_OK) {
        lia_mechanics_look(run->w, ahead);
        memcpy(run->sampler->jets.side, run->w->jets.side, run->w->dynamics->tape->guard_count);
        run->w->jets.decide = run->sampler->jets.decide = false;
        lia_mechanics_levels(run->w);
        memcpy(run->sampler->level0, run->w->level0, (size_t)run->w->nc * sizeof(double));
    }
    if (status == LIA_OK) {
        note_hidden(run, &start.choices);
        note_remaining(run, start.regularity, &start.choices);
    }
    if (status == LIA_OK) note_tolerance(run, &start.choices);
    if (!run->model->run.given && !run->options->until) {
        lia_text_add(&start.choices,
                     "no 'run' statement: only the start is evaluated (--until T runs it)\n");
    }
    if (status == LIA_OK && !take_choices(run, &start.choices)) status = LIA_MEMORY;
    lia_text_clear(&start.choices);
    if (status != LIA_OK) return status;
    run->regularity_least = start.regularity;
    run->begun = now();
    out->setup_seconds = run->model->seconds + run->system->setup_seconds + (run->begun - begin);
    status = integrate(run);
    out->seconds = now() - run->begun;
    if (status != LIA_OK) return status;
    if (run->w->n <= 200 && !run->final_known) watch_regularity(run, run->w);
    return lia_report_make(run) ? LIA_OK : LIA_MEMORY;
}

static bool enough_room(const LiaRunner* run) {
    if (run->sample_total <= LIA_SAMPLES_MOST) return true;
    lia_diag_error(run->diags, run->model->run.span, "E0303",
                   "that would be %.3g samples: at most %d", (double)run->sample_total,
                   LIA_SAMPLES_MOST);
    lia_diag_help(run->diags, "write fewer 'samples', or a longer 'every'");
    return false;
}

LiaStatus lia_motion_run(const LiaSystem* system, const LiaRunOptions* options, LiaDiags* diags,
                         LiaTrajectory** out) {
    static const LiaRunOptions none = {0};
    *out = NULL;
    LiaTrajectory* trajectory = calloc(1, sizeof *trajectory);
    if (!trajectory) return LIA_MEMORY;
    trajectory->arena = lia_arena_create();
    trajectory->system = system;
    trajectory->model = system->model;
    trajectory->status = LIA_OK;
    LiaRunner run = {.system = system,
                     .model = system->model,
                     .options = options ? options : &none,
                     .out = trajectory,
                     .diags = diags};
    LiaStatus status = trajectory->arena ? LIA_OK : LIA_MEMORY;
    const LiaState* from = run.options->from;
    if (status == LIA_OK && from) {
        status = lia_state_check(from, system->model, run.options->until != NULL, diags);
    }
    if (status == LIA_OK) {
        choose_options(&run);
        status = enough_room(&run) ? run_all(&run) : LIA_MODEL;
    }
    runner_clear(&run);
    if (status != LIA_OK) {
        lia_trajectory_destroy(trajectory);
        return status;
    }
    *out = trajectory;
    return trajectory->status;
}
