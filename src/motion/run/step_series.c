// The series that a step begins with, on the right side of all guards, and how far they reach.
// SPDX-License-Identifier: MIT
#include "motion/run/step_series.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/stage.h"
#include "mechanics/test_hooks.h"
#include "motion/check/digits.h"
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

bool lia_step_series_off(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    if (!(w->saddle.pivot > LIA_SINGULAR_PIVOT) || w->contradiction) return false;
    double d = run->direction * LIA_CORNER_AHEAD * fmax(run->course.longest, fabs(run->step.h));
    if (d == 0.0) return false;
    for (int i = 0; i < w->n; i++) {
        w->q[i] += d * (w->v[i] + 0.5 * d * run->corner.a[i]);
        w->v[i] += d * run->corner.a[i];
    }
    w->t += d;
    memset(run->watch.at_root, 0, w->dynamics->tape->guard_count);
    return lia_step_arrive(run, NULL, NULL);
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

bool lia_step_series_begin(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    const LiaTrajectory* out = run->out;
    take_series(run);
    bool anew = out->effort.steps == 0 || (run->contacts && lia_contacts_crossed(run));
    if ((anew || just_crossed(run)) && !settle(run, 0, anew)) return false;
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

double lia_step_series_reach(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    lia_scales_measure(w, &run->step, &run->scales);
    w->projection.fine = run->sampler->projection.fine = is_fine(&run->scales);
    double h = run->direction * lia_step_size(w, &run->step, run->step_tolerance, &run->scales);
    if (isnan(h) && just_crossed(run)) {
        memcpy(run->corner.a, w->a, (size_t)w->n * sizeof(double));
        if (lia_step_series_off(run)) {
            take_series(run);
            h = run->direction * lia_step_size(w, &run->step, run->step_tolerance, &run->scales);
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
