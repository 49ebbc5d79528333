// The series that a step begins with, on the right side of all guards, and how far they reach.
// SPDX-License-Identifier: MIT
#include "motion/run/step_series.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/stage.h"
#include "mechanics/test_hooks.h"
#include "motion/check/digits.h"
#include "motion/check/formula_rounding.h"
#include "motion/check/inner_residual.h"
#include "motion/check/noise.h"
#include "motion/contact/contact_run.h"
#include "motion/events/guards.h"
#include "motion/run/step.h"
#include "motion/run/step_size.h"
#include "motion/run/taylor.h"
#include "motion/runner.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <string.h>

// --- off a corner ------------------------------------------------------------------------------
// After a corner such as that of if(x > 0, x^1.5, 0) accelerations are a + c s^p, with p no whole
// number: no series begin there. So the state is moved off it by a little, with p from the
// accelerations at d, d/8 and d/64.

// The power with which a change grows from d/8 to d.
static double power_of(double far, double near) {
    double p = log2(far / near) / 3.0;
    return p > 0.0 && p < LIA_CORNER_POWER ? p : 0.0;
}

// The state that was kept, a time d later; with the changes of the accelerations, or without.
static bool move_off(LiaRunner* run, double t, double d, bool changes) {
    LiaWorkspace* w = run->w;
    const LiaStepOff* off = &run->corner.off;
    for (int i = 0; i < w->n; i++) {
        double a = run->corner.a[i], v = d * a, q = 0.5 * d * d * a;
        if (changes && off->change[0][i] != 0.0) {
            double c = off->change[0][i], p = power_of(c, off->change[1][i]);
            v += d * c / (p + 1.0);
            q += d * d * c / ((p + 1.0) * (p + 2.0));
        }
        w->q[i] = off->q[i] + d * off->v[i] + q;
        w->v[i] = off->v[i] + v;
    }
    w->t = t + d;
    return lia_step_arrive(run, NULL, NULL);
}

static bool look_off(LiaRunner* run, double t, double d, double* change) {
    if (!move_off(run, t, d, false)) return false;
    for (int i = 0; i < run->w->n; i++) change[i] = run->w->a[i] - run->corner.a[i];
    return true;
}

// What errors of velocity i are measured against. What has been at rest, at 0, ever since the start
// has no size yet: what its change would make of it in a long step.
static double size_of(const LiaRunner* run, uint32_t i) {
    double scale = lia_scale_v(&run->scales, run->w, i);
    if (scale > LIA_SCALE_NOTHING / fmin(1.0, run->span)) return scale;
    return fmax(scale, fabs(run->corner.off.change[0][i]) * run->course.longest);
}

// What is not known of velocity i at d: without the changes all of them, else what is no power of
// the time, and their square.
static double missed_of(const LiaRunner* run, uint32_t i, double d, bool changes) {
    const LiaStepOff* off = &run->corner.off;
    double c = off->change[0][i], part = 1.0, missed = fabs(c * d);
    if (changes && c != 0.0) {
        double p = power_of(c, off->change[1][i]);
        part = fabs(p - power_of(off->change[1][i], off->change[2][i])) + missed / size_of(run, i);
    }
    return missed * part;
}

// The same of all velocities, each relative to its size; infinite where one is no number.
static double missed(const LiaRunner* run, double d, bool changes) {
    double most = 0.0;
    for (int k = 0; k < run->w->nf; k++) {
        uint32_t i = run->w->dynamics->free[k];
        double its = missed_of(run, i, d, changes);
        if (its == 0.0) continue;
        its /= size_of(run, i);
        if (!(its <= most)) most = isnan(its) ? INFINITY : its;
    }
    return most;
}

// Nearer than that steps would be rounding of the time, or coefficients beyond all numbers.
static double nearest(const LiaRunner* run, double t) {
    double range = pow(10.0, -LIA_CORNER_DECADES / run->step.order);
    return fmax(range, LIA_CORNER_LASTS * lia_time_size(run, t));
}

// At d, d/8 and d/64.
static bool look_at_three(LiaRunner* run, double t, double d) {
    LiaStepOff* off = &run->corner.off;
    return look_off(run, t, d, off->change[0]) && look_off(run, t, d / 8.0, off->change[1]) &&
           look_off(run, t, d / 64.0, off->change[2]);
}

// How far is a matter of what comes after the corner: a part of the longest step, or as much less
// as that changes faster. It is a power of 2, so that t + d/64 is a number where t + d is.
static double off_by(const LiaRunner* run) {
    double d = LIA_CORNER_AHEAD * fmax(run->course.longest, fabs(run->step.h));
    return d > 0.0 ? run->direction * ldexp(1.0, ilogb(d)) : 0.0;
}

bool lia_step_series_off(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    LiaStepOff* off = &run->corner.off;
    if (!(w->saddle.pivot > LIA_SINGULAR_PIVOT) || w->contradiction) return false;
    double d = off_by(run);
    if (d == 0.0) return false;
    const double t = w->t, allowed = LIA_CORNER_MISSED * run->tolerance;
    const double least = fmin(nearest(run, t), fabs(d));
    memcpy(off->q, w->q, (size_t)w->n * sizeof(double));
    memcpy(off->v, w->v, (size_t)w->n * sizeof(double));
    memset(run->watch.at_root, 0, w->dynamics->tape->guard_count);
    if (look_off(run, t, d, off->change[0]) && missed(run, d, false) <= allowed)
        return true;  // the state is there
    double best = d, misses = INFINITY;
    for (; misses > allowed && fabs(d) >= least; d /= 8.0) {
        if (!look_at_three(run, t, d)) continue;
        double its = missed(run, d, true);
        if (its < misses) best = d, misses = its;
    }
    if (!(misses <= fmax(allowed, LIA_CORNER_CRUDE)) || !look_at_three(run, t, best)) return false;
    for (int k = 0; k < w->nf; k++) {
        uint32_t i = w->dynamics->free[k];
        if (misses > allowed) lia_formula_rounding_add(run, i, missed_of(run, i, best, true));
    }
    return move_off(run, t, best, true);
}

static bool just_crossed(const LiaRunner* run) {
    return lia_guards_next_at_root(run, 0) < run->w->dynamics->tape->guard_count;
}

// Tests only: see LiaPlant.
static void plant(LiaRunner* run) {
    const LiaPlant planted = lia_test_hooks(run->system).plant, *p = &planted;
    LiaStep* step = &run->step;
    if (!p->kind || run->out->effort.steps != p->step) return;
    size_t at = (size_t)p->coordinate * (size_t)step->stride;
    double *q = step->q + at, *v = step->v + at;
    int k = p->order < step->order ? p->order : step->order - 1;
    if (p->kind == LIA_PLANT_VELOCITY) v[k] *= 1.0 + p->part;
    if (p->kind == LIA_PLANT_VELOCITY || p->kind == LIA_PLANT_POSITION) q[k + 1] *= 1.0 + p->part;
    for (int j = k; p->kind == LIA_PLANT_SHORT && j <= step->order; j++) v[j] = q[j + 1] = 0.0;
    if (p->kind == LIA_PLANT_WORK) step->work[at + (size_t)k] *= 1.0 + p->part;
}

static void take_series(LiaRunner* run) {
    lia_stage_series(run->w, run->out->effort.order);
    lia_taylor_take(&run->step, run->w);
    run->watch.roots.h = 0.0;
    plant(run);
}

// Where several guards have their root at one instant, what another one changes may turn this one
// back: it only touched. So may rounding, where both sides are almost the same. False if it is
// driven back from this side too.
static bool turn_back(LiaRunner* run, uint32_t g) {
    LiaWorkspace* w = run->w;
    w->jets.side[g] = (signed char)-w->jets.side[g];
    if (!lia_step_arrive(run, NULL, NULL)) return false;
    take_series(run);
    return lia_guards_moves_on(run, (int)g);
}

// All guards on the sides that they are on just after. What the laws of operators and equations ask
// for may jump where one goes over, as at any corner.
static bool settle(LiaRunner* run, uint32_t from, bool anew) {
    const uint32_t count = run->w->dynamics->tape->guard_count;
    bool alone = anew || (run->contacts && lia_contacts_closed(run)), ends = false;
    for (uint32_t g = from; (g = lia_guards_settle(run, g, anew)) < count; g++) {
        if (alone) lia_guards_flip(run);
        lia_contact_watch_settled(run);
        bool ok = alone ? lia_step_arrive(run, NULL, NULL) : lia_step_cross(run, &ends);
        if (!ok && !run->out->reason.code) lia_verdict_not_finite(run);
        if (!ok || ends) return false;
        take_series(run);
    }
    return true;
}

// Where all is looked at anew, until each guard is on the side to which the series lead that its
// own side makes. False with a verdict where one is driven back from both: friction written with
// sign(x') at rest, a bead in a V of its wire.
static bool settle_anew(LiaRunner* run) {
    enum { ROUNDS = 8 };
    const uint32_t count = run->w->dynamics->tape->guard_count;
    uint32_t g = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (!settle(run, 0, true)) return false;
        g = lia_guards_settle(run, 0, true);
        if (g == count) return true;
    }
    lia_verdict_chatter(run, (int)g);
    return false;
}

bool lia_step_series_begin(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    const LiaTrajectory* out = run->out;
    take_series(run);
    bool anew = out->effort.steps == 0 || (run->contacts && lia_contacts_crossed(run));
    if (anew && !settle_anew(run)) return false;
    if (!anew && just_crossed(run) && !settle(run, 0, false)) return false;
    const uint32_t count = w->dynamics->tape->guard_count;
    for (uint32_t g = lia_guards_next_at_root(run, 0); g < count && !anew;
         g = lia_guards_next_at_root(run, g + 1)) {
        if (lia_guards_moves_on(run, (int)g)) continue;
        if (!turn_back(run, g)) {
            lia_verdict_chatter(run, (int)g);
            return false;
        }
        if (!settle(run, g + 1, anew)) return false;
    }
    return true;
}

// Are lengths or velocities so small relative to 1 that what is rounding elsewhere is much for
// them? Rest does not count.
static bool is_fine(const LiaScales* s) {
    bool fine = s->q[0] > 0.0 && s->q[0] < LIA_FINE_SMALL;
    for (int kind = 0; kind < 2; kind++) {
        bool moves = s->v[kind] > LIA_SCALE_MOVES * s->q[kind] / fabs(s->span);
        fine = fine || (moves && s->v[kind] < LIA_FINE_SMALL);
    }
    return fine;
}

// How far the series go by themselves, relative to sizes that are measured with them.
static double natural(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    lia_scales_measure(w, &run->step, &run->scales);
    w->projection.fine = run->sampler->projection.fine = is_fine(&run->scales);
    return run->direction * lia_step_size(w, &run->step, run->step_tolerance, &run->scales);
}

double lia_step_series_reach(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    double h = natural(run);
    if (isnan(h) && just_crossed(run)) {
        memcpy(run->corner.a, w->a, (size_t)w->n * sizeof(double));
        if (lia_step_series_off(run)) {
            take_series(run);
            h = natural(run);  // what was at rest before the corner has sizes only now
        }
    }
    const LiaPlant planted = lia_test_hooks(run->system).plant;
    if (planted.kind == LIA_PLANT_LONG && run->out->effort.steps == planted.step) h *= planted.part;
    if (isnan(h)) {  // steps that have shrunk: the numbers grew beyond all bounds
        if (fabs(run->step.h) < LIA_STEP_COLLAPSED * run->course.longest) {
            lia_verdict_collapse(run, run->step.h);
        } else {
            lia_verdict_not_finite(run);
        }
    }
    return h;
}
