// Events of the model: roots of their formulas on the polynomial of the step, none skipped.
// SPDX-License-Identifier: MIT
#include "motion/events/events.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/project.h"
#include "motion/check/noise.h"
#include "motion/events/blur.h"
#include "motion/events/event_range.h"
#include "motion/result/record.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include <math.h>

enum { ROOTS_PER_STEP = 32 };

static double near_in_time(const LiaRunner* run, double h) {
    return LIA_EVENT_SAME_TIME * lia_time_size(run, run->step.t) + LIA_EVENT_SAME_STEP * fabs(h);
}

// Is the root of event e that was met last clearly before the beginning of the step?
static bool is_over(const LiaRunner* run, uint32_t e) {
    const double* c = lia_step_series(&run->step, run->step.event, e);
    double instant = LIA_INSTANT_TIME * lia_time_size(run, run->step.t);
    return c[0] * run->watch.event_end[e] > 0.0 && fabs(c[0]) > instant * fabs(c[1]);
}

// Was a root of event e met where the step begins?
static bool begins_at_root(const LiaRunner* run, uint32_t e, double near) {
    return fabs(run->step.t - run->watch.event_last[e]) <= near && !is_over(run, e);
}

double lia_events_reach(LiaRunner* run, double h) {
    uint32_t guards = run->w->dynamics->tape->guard_count;
    double reach = fabs(h);
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        if (run->watch.event_blind[e]) continue;
        LiaCondition condition = {.c = lia_step_series(&run->step, run->step.event, e),
                                  .index = guards + e,
                                  .at_root = begins_at_root(run, e, near_in_time(run, h))};
        reach = lia_blur_reach(run, &condition, run->direction * reach);
    }
    return run->direction * reach;
}

// A root that rounding puts just after the end (where a guard of the same formula ended the step)
// belongs to this step.
static double with_end(const LiaRunner* run, double h) {
    return h + run->direction * (LIA_INSTANT_STEP * fabs(h) +
                                 LIA_INSTANT_TIME * lia_time_size(run, run->step.t));
}

// A root between the end of the last step and the beginning of this one: rounding lies between
// them, or a corner at which the formula leaps through zero.
static bool leaps(const LiaRunner* run, uint32_t e, double h) {
    const double* c = lia_step_series(&run->step, run->step.event, e);
    double end = run->watch.event_end[e];
    if (!(fabs(end) > LIA_ROOTS_LEAST && fabs(c[0]) > LIA_ROOTS_LEAST)) return false;
    if ((end > 0.0) == (c[0] > 0.0)) return false;
    return fabs(end - c[0]) <= LIA_EVENT_BETWEEN * (1.0 + fabs(c[1] * h)) || run->watch.at_corner;
}

// All roots of event e within h of the step, or just after it.
static int all_roots(LiaRunner* run, uint32_t e, double h, LiaRootFound* all) {
    const LiaStep* step = &run->step;
    const double* c = lia_step_series(step, step->event, e);
    uint32_t guards = run->w->dynamics->tape->guard_count;
    LiaRootsKnown known = {begins_at_root(run, e, near_in_time(run, h)), true,
                           run->watch.floor[guards + e]};
    if (run->watch.event_blind[e]) return lia_event_range_blind_root(run, e, h, all);
    int count = 0;
    if (!known.at_root && leaps(run, e, h))
        all[count++] = (LiaRootFound){.direction = (c[0] > 0.0) == (h > 0.0) ? 1 : -1};
    return count + lia_roots_search(c, step->order - 1, with_end(run, h), &known, all + count,
                                    ROOTS_PER_STEP - count);
}

// Is a root so near to the last one another one? On the way to it the formula goes away from where
// the step begins, by more than is rounding, and comes back.
static bool comes_back(LiaRunner* run, uint32_t e, double x) {
    const double* c = lia_step_series(&run->step, run->step.event, e);
    int degree = run->step.order - 1;
    uint32_t condition = run->w->dynamics->tape->guard_count + e;
    if (run->watch.event_blind[e]) return false;
    double most = 0.0, doubt = 0.0;
    for (int k = 1; k < 4; k++) {
        double size = fabs(lia_step_value(c, degree, 0.25 * k * x));
        if (size > most) most = size, doubt = lia_roots_doubt(c, degree, 0.25 * k * x);
    }
    if (!(most > LIA_EVENT_AWAY * fabs(c[0]) + doubt)) return false;
    return most > doubt + lia_noise_condition(run->checks.noise, run, condition, 0.5 * x);
}

// Roots of event e within h of the step that count for its direction and were not met before.
static int roots_of(LiaRunner* run, uint32_t e, double h, LiaRootFound* roots) {
    const LiaEvent* event = &run->model->events[e];
    double near = near_in_time(run, h);
    LiaRootFound all[ROOTS_PER_STEP];
    int count = all_roots(run, e, h, all), kept = 0;
    for (int k = 0; k < count; k++) {
        if (fabs(all[k].x) > fabs(h)) all[k].x = h;
        if (event->direction && all[k].direction != event->direction) continue;
        if (event->leaves && all[k].direction == 0) continue;  // touches its end, goes back
        bool seen = all[k].from == all[k].to || fabs(all[k].to) < fabs(with_end(run, h));
        if (!seen) continue;  // what it does after that
        bool met = fabs(run->step.t + all[k].x - run->watch.event_last[e]) <= near;
        if (met && !is_over(run, e) && !comes_back(run, e, all[k].x)) continue;
        roots[kept++] = all[k];
    }
    return kept;
}

// Of a joint of shapes that is off: its shapes have no end.
static bool is_off(const LiaRunner* run, const LiaEvent* event) {
    return event->joint && lia_system_is_off(run->system, event->joint - 1);
}

int lia_events_stop(LiaRunner* run, double h, double* x) {
    int first = -1;
    LiaRootFound roots[ROOTS_PER_STEP];
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        const LiaEvent* event = &run->model->events[e];
        if (!(event->stop || lia_model_acts(event)) || is_off(run, event)) continue;
        if (roots_of(run, e, first < 0 ? h : *x, roots) == 0) continue;
        first = (int)e;
        *x = roots[0].x;
    }
    return first;
}

const LiaEventRoots* lia_events_within(LiaRunner* run, double h) {
    LiaEventRoots* kept = &run->watch.roots;
    LiaRootFound roots[ROOTS_PER_STEP];
    kept->count = 0, kept->h = h;
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        int found = run->model->events[e].leaves ? 0 : roots_of(run, e, h, roots);
        for (int k = 0; k < found; k++) {
            if (kept->count == LIA_EVENT_ROOTS) {
                kept->h = 0.0;
                return kept;
            }
            kept->event[kept->count] = e;
            kept->root[kept->count++] = roots[k];
        }
    }
    return kept;
}

// The same of one event, those of lia_events_within() where it has looked as far. The step is as it
// was then.
static int roots_again(LiaRunner* run, uint32_t e, double h, LiaRootFound* roots) {
    const LiaEventRoots* kept = &run->watch.roots;
    if (kept->h != h) return roots_of(run, e, h, roots);
    int count = 0;
    for (int k = 0; k < kept->count; k++) {
        if (kept->event[k] == e) roots[count++] = kept->root[k];
    }
    return count;
}

LiaEventRecord* lia_events_add(LiaTrajectory* out) {
    if (out->events.count == out->events.capacity) {
        size_t capacity = out->events.capacity ? out->events.capacity * 2 : 16;
        LiaEventRecord* events = lia_memory_resize(out->events.list, capacity * sizeof *events);
        if (!events) return NULL;
        out->events.list = events;
        out->events.capacity = capacity;
    }
    return &out->events.list[out->events.count++];
}

// The value of event e at the end of a step, after the last root that was recorded. Where it is
// rounding it has the sign that it has after that root: what it does there is seen in the next
// step.
static double value_at_end(LiaRunner* run, uint32_t e, double h, const LiaRootFound* last) {
    const double* c = lia_step_series(&run->step, run->step.event, e);
    int degree = run->step.order - 1;
    if (run->watch.event_blind[e]) return lia_noise_event(run->checks.noise, run, e, h);
    double x = last && last->x == h ? with_end(run, h) : h;
    double value = lia_step_value(c, degree, x),
           floor = run->watch.floor[run->w->dynamics->tape->guard_count + e];
    if (fabs(value) > lia_roots_doubt(c, degree, x) + floor) return value;
    double sign = last && last->direction ? last->direction * run->direction : c[0];
    return copysign(value, sign);
}

void lia_events_record(LiaRunner* run, double h) {
    LiaTrajectory* out = run->out;
    size_t before = out->events.count;
    LiaRootFound roots[ROOTS_PER_STEP];
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        const LiaEvent* event = &run->model->events[e];
        int count = event->leaves ? 0 : roots_again(run, e, h, roots);
        double near = near_in_time(run, h);
        run->watch.event_fires[e] =
            lia_model_acts(event) && count > 0 && fabs(roots[count - 1].x - h) <= near;
        for (int k = 0; k < count; k++) {
            LiaEventRecord* record = lia_events_add(out);
            if (!record) return;
            lia_taylor_at(&run->step, roots[k].x, run->sampler);
            lia_project_state(run->sampler, 1, NULL, NULL);
            double* state = lia_record_state(run, run->sampler);
            *record = (LiaEventRecord){.name = run->model->events[e].name,
                                       .t = run->step.t + roots[k].x,
                                       .direction = roots[k].direction,
                                       .stop = run->model->events[e].stop,
                                       .state = state};
            run->watch.event_last[e] = record->t;
        }
        run->watch.event_end[e] = value_at_end(run, e, h, count > 0 ? &roots[count - 1] : NULL);
    }
    // in the order of time
    for (size_t i = before; i < out->events.count; i++) {
        for (size_t k = i; k > 0; k--) {
            if (run->direction * (out->events.list[k - 1].t - out->events.list[k].t) <= 0.0) break;
            LiaEventRecord other = out->events.list[k];
            out->events.list[k] = out->events.list[k - 1];
            out->events.list[k - 1] = other;
        }
    }
}
