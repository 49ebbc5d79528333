// The polynomials of a step, held against the equations at points inside it: d'Alembert's principle
// with the accelerations and forces that they say, the constraints, the laws of what is driven. The
// end of the step is looked at in step.c.
// SPDX-License-Identifier: MIT
#include "motion/check/inner_residual.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/project.h"
#include "mechanics/kkt/stage.h"
#include "motion/check/noise.h"
#include "motion/events/events.h"
#include "motion/result/record.h"
#include "motion/result/report.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include <float.h>
#include <math.h>

enum { POINTS_ENTIRE = 1, POINTS_PROVED = 2, POINTS_MOST = 20 };

static uint32_t of(const LiaWorkspace* w, int k) { return w->dynamics->free[k]; }

// State, accelerations and multipliers at x, as the polynomials say. False where the velocity is
// not the rate of the position.
static bool take_point(LiaRunner* run, double x) {
    const double h = fabs(run->step.h);
    bool same = true;
    const LiaStep* step = &run->step;
    LiaWorkspace* w = run->sampler;
    LiaInnerResidual* at = &run->checks.inside;
    const uint32_t n = run->system->n;
    LiaPowers p;
    lia_taylor_powers(&p, step, x);
    w->t = step->t + x;
    lia_step_sums(step, step->q, 2 * n, p.of, step->at);
    for (uint32_t i = 0; i < n; i++) {
        at->q[i] = w->q[i] = step->at[i];
        at->v[i] = w->v[i] = step->at[n + i];
    }
    for (int c = 0; c < w->nc; c++) {
        uint32_t row = w->dynamics->rows[c];
        at->mu[row] = lia_step_sum(step, lia_step_series(step, step->mu, row), p.of);
    }
    const double *rate_q = step->at, *rate_v = rate_q + n;
    lia_step_sums(step, step->q, 2 * n, p.rate, step->at);
    for (uint32_t i = 0; i < n; i++)
        same = same && fabs(rate_q[i] - at->v[i]) * h <=
                           LIA_RATE_ROUNDING * (at->scale_q[i] + h * at->scale_v[i]);
    for (int k = 0; k < w->nf; k++) at->a[k] = rate_v[of(w, k)];
    if (w->dynamics->tape->guard_count) lia_taylor_sides(step, x, w);
    return same;
}

// Acceleration of each coordinate caused by constraint forces alone: the scale of rounding when a
// system is at rest.
static void hold(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    LiaInnerResidual* at = &run->checks.inside;
    double h = fabs(run->step.h);
    for (int k = 0; k < w->nf; k++) at->held[k] = 0.0;
    for (int c = 0; c < w->nc; c++) {
        double force = LIA_HELD_PART * fabs(w->mu[w->dynamics->rows[c]]);
        LiaEntries Omega = lia_workspace_Omega(w, c);
        for (int k = 0; k < Omega.count; k++)
            at->held[lia_entry_column(&Omega, k)] += fabs(Omega.value[k]) * force;
    }
    for (int k = 0; k < w->nf; k++) {
        double inertia = fabs(lia_workspace_inertia(w, k));
        if (!(inertia > 0.0)) continue;
        double push = h * at->held[k] / inertia;
        at->scale_v[of(w, k)] += push;
        at->scale_q[of(w, k)] += h * push;
    }
}

static bool balanced(LiaRunner* run, double allowed) {
    const LiaWorkspace* w = run->w;
    LiaInnerResidual* at = &run->checks.inside;
    double h = fabs(run->step.h), most = 0.0;  // of forces times lengths
    const double* noise = NULL;
    lia_dalembert_residual(run->sampler, at->a, at->mu, at->defect, at->size);
    for (int k = 0; k < w->nf; k++) {
        at->size[k] += at->held[k];
        most = lia_larger(most, at->size[k] * at->scale_q[of(w, k)]);
    }
    for (int k = 0; k < w->nf; k++) {
        // What is rounding of the others is no force: a coordinate without inertia has often none.
        double rounding = DBL_EPSILON / allowed * most / at->scale_q[of(w, k)];
        double inertia = fabs(lia_workspace_inertia(w, k));
        double unit = inertia * at->scale_v[of(w, k)] + h * (at->size[k] + rounding);
        double gap = fabs(at->defect[k]) * h;
        if (gap <= allowed * unit || gap == 0.0) continue;
        if (!noise) noise = lia_noise_forces(run->checks.noise, run, run->sampler, at->mu);
        if (!(gap <= allowed * unit + h * noise[k])) return false;
    }
    return true;
}

// A driven coordinate is integrated like the others; its law says where it is. After load().
static bool driven_as_said(const LiaRunner* run, double allowed) {
    const LiaWorkspace* w = run->sampler;
    const LiaInnerResidual* at = &run->checks.inside;
    const LiaDynamics* d = w->dynamics;
    for (uint32_t k = 0; k < d->drive_count; k++) {
        uint32_t i = d->drives[k].coordinate;
        if (!(fabs(at->q[i] - w->q[i]) <= allowed * at->scale_q[i])) return false;
        if (!(fabs(at->v[i] - w->v[i]) <= allowed * at->scale_v[i])) return false;
    }
    return true;
}

// A row that is zero but for rounding is scaled by the largest row.
static bool held(double residual, double size, double most, double allowed) {
    if (!(size > LIA_ROW_NONE * most)) size = most;
    return fabs(residual) <= allowed * size || residual == 0.0;
}

// Is all that is missed rounding of the row's own terms? 1 + tanh(t) long before 0.
static bool is_noise(const LiaRunner* run, int c) {
    const LiaWorkspace* s = run->sampler;
    double noise[2];
    lia_noise_row(run->checks.noise, run, s, c, noise);
    return fabs(s->phi[c]) <= noise[0] && fabs(s->psi[c]) <= noise[1];
}

// What is kept at the end of the step is kept inside it.
static bool constrained(const LiaRunner* run, double allowed) {
    const LiaWorkspace* s = run->sampler;
    const LiaInnerResidual* at = &run->checks.inside;
    for (int c = 0; c < s->nc; c++) {
        bool near = held(s->phi[c], at->row_q[c], at->most_q, allowed) &&
                    held(s->psi[c], at->row_v[c], at->most_v, allowed);
        if (!near && !is_noise(run, c)) return false;
    }
    return true;
}

// The scales of the run, and what is met at the end of this step: a system that was at rest so far
// moves.
static void prepare(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    LiaInnerResidual* at = &run->checks.inside;
    for (int i = 0; i < w->n; i++) {
        at->scale_q[i] = lia_larger(lia_scale_q(&run->scales, w, (uint32_t)i), fabs(w->q[i]));
        at->scale_v[i] = lia_larger(lia_scale_v(&run->scales, w, (uint32_t)i), fabs(w->v[i]));
    }
    hold(run);
    at->most_q = at->most_v = 0.0;
    for (int c = 0; c < w->nc; c++) {
        at->row_q[c] = lia_report_row_size(w, c, at->scale_q);
        at->row_v[c] = lia_report_row_size(w, c, at->scale_v);
        at->most_q = lia_larger(at->most_q, at->row_q[c]);
        at->most_v = lia_larger(at->most_v, at->row_v[c]);
    }
}

static bool good_at(LiaRunner* run, double x, double allowed, bool* kept) {
    *kept = take_point(run, x);
    if (!*kept) return false;
    lia_workspace_load(run->sampler, 1);
    *kept = driven_as_said(run, allowed);
    if (!*kept) return false;
    lia_workspace_residuals(run->sampler);
    *kept = constrained(run, allowed);
    return *kept && balanced(run, allowed);
}

// The forces of the polynomials may be worse than the motion: where a linkage nears a singular
// configuration, or an operator loses its hold while nothing pulls, they have a pole that the
// motion has not. Then the accelerations decide that follow from the state. Where these are not
// determined, nothing can be said.
static bool moves_as_it_must(LiaRunner* run, double x, double allowed) {
    LiaWorkspace* w = run->sampler;
    const LiaInnerResidual* at = &run->checks.inside;
    double h = fabs(run->step.h);
    lia_taylor_at(&run->step, x, w);
    if (!lia_project_state(w, 1, NULL, NULL)) return true;
    lia_stage_accelerate(w);
    if (w->contradiction || lia_workspace_size(w) - run->course.size_most < LIA_DETERMINANT_SMALLER)
        return true;
    for (int k = 0; k < w->nf; k++) {
        double a = w->a[w->dynamics->free[k]];
        double unit = at->scale_v[of(w, k)] + h * fabs(a);
        if (!(fabs(a - at->a[k]) * h <= allowed * unit)) return false;
    }
    return true;
}

// At one point: by the forces of the polynomials, else by the accelerations of the state.
static bool passes(LiaRunner* run, double x, double allowed) {
    bool kept = false;
    if (good_at(run, x, allowed, &kept)) return true;
    return kept && run->w->nc > 0 && moves_as_it_must(run, x, allowed);
}

// The first sample that is not in the step.
static size_t sample_after(const LiaRunner* run, double h) {
    size_t in = run->samples.next, out = run->samples.total, ahead = 1;
    // times grow along the run, and few samples are in one step
    for (; in + ahead < out; ahead *= 2) {
        double x = lia_record_time(run, in + ahead) - run->step.t;
        if (run->direction * (x - h) > 0.0) {
            out = in + ahead;
            break;
        }
        in += ahead + 1;
    }
    while (in < out) {
        size_t middle = in + (out - in) / 2;
        double x = lia_record_time(run, middle) - run->step.t;
        if (run->direction * (x - h) > 0.0) {
            out = middle;
        } else {
            in = middle + 1;
        }
    }
    return in;
}

// What will be shown of the step: its events, and of its samples at most so many, others in every
// step; a thousand of them cost as much as the step.
static bool shown_good(LiaRunner* run, double h, double allowed, size_t samples, size_t end) {
    size_t count = end - run->samples.next;
    size_t stride = samples ? 1 + count / samples : 1;
    size_t first = samples ? run->samples.next + (size_t)(run->checks.inside.looked % stride) : end;
    for (size_t k = first; k < end; k += stride) {
        if (!passes(run, lia_record_time(run, k) - run->step.t, allowed)) return false;
    }
    const LiaEventRoots* events = lia_events_within(run, h);
    for (int k = 0; k < events->count; k++) {
        if (!passes(run, events->root[k].x, allowed)) return false;
    }
    return true;
}

// The sample next to a part of the step, where it has samples: those before `end`.
static double at_sample(const LiaRunner* run, double h, double part, size_t end) {
    size_t count = end - run->samples.next;
    if (!count) return part * h;
    size_t sample = run->samples.next + (size_t)(part * (double)count);
    return lia_record_time(run, sample) - run->step.t;
}

bool lia_inner_residual_good(LiaRunner* run, double h, double allowed) {
    const double golden = 0.6180339887498949;
    const double last = run->checks.inside.last;
    bool grown = last > 0.0 && fabs(h) > 2.0 * last;
    // Where all is made of products, sines and cosines, nothing can hide between the points.
    int proved = run->checks.enclosure.entire ? POINTS_ENTIRE : POINTS_PROVED;
    bool few = run->checks.proved && !grown;
    int count = few ? proved : POINTS_MOST;
    size_t end = sample_after(run, h);
    prepare(run);
    double where = golden * (double)run->checks.inside.looked;
    where -= floor(where);
    for (int k = 0; k < count; k++) {
        where += golden;
        if (where >= 1.0) where -= 1.0;
        run->checks.inside.looked++;
        // Errors of a series grow towards the end of the step: every second point is in its second
        // half.
        double part = k % 2 ? where : 0.5 + 0.5 * where;
        if (!passes(run, few ? at_sample(run, h, part, end) : part * h, allowed)) return false;
    }
    size_t samples = few ? 0 : run->checks.proved ? POINTS_PROVED : POINTS_MOST;
    return shown_good(run, h, allowed, samples, end);
}
