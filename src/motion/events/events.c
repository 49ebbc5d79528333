// Events of the model: roots of their formulas on the polynomial of the step, none skipped.
// SPDX-License-Identifier: MIT
#include "motion/events/events.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/project.h"
#include "motion/events/roots.h"
#include "motion/result/record.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include <math.h>

enum { ROOTS_PER_STEP = 32 };

// Roots of event e within x of the step that count for its direction and were not met before.
static int roots_of(const LiaRunner* run, uint32_t e, double h, LiaRootFound* roots) {
    const LiaEvent* event = &run->model->events[e];
    const LiaStep* step = &run->step;
    const double* c = step->event + (size_t)e * (size_t)step->stride;
    double near = LIA_EVENT_SAME_TIME * lia_time_size(run, step->t) + LIA_EVENT_SAME_STEP * fabs(h);
    bool at_root = fabs(step->t - run->watch.event_last[e]) <= near;
    LiaRootFound all[ROOTS_PER_STEP];
    int count = 0, kept = 0;
    double end = run->watch.event_end[e];
    // A root between the end of the last step and the beginning of this one: rounding lies between them.
    if (!at_root && end * c[0] < 0.0 &&
        fabs(end - c[0]) <= LIA_EVENT_BETWEEN * (1.0 + fabs(c[1] * h))) {
        all[count++] = (LiaRootFound){0.0, (c[0] > 0.0) == (h > 0.0) ? 1 : -1};
    }
    // A root that rounding puts just behind the end (where a guard of the same formula ended the step)
    // belongs to this step.
    double reach = h + run->direction * (LIA_INSTANT_STEP * fabs(h) +
                                         LIA_INSTANT_TIME * lia_time_size(run, step->t));
    count += lia_roots(c, step->order - 1, reach, at_root, all + count, ROOTS_PER_STEP - count);
    for (int k = 0; k < count; k++) {
        if (fabs(all[k].x) > fabs(h)) all[k].x = h;
    }
    for (int k = 0; k < count; k++) {
        if (event->direction && all[k].direction != event->direction) continue;
        if (event->leaves && all[k].direction == 0) continue;  // touches its end, goes back
        if (fabs(step->t + all[k].x - run->watch.event_last[e]) <= near) continue;
        roots[kept++] = all[k];
    }
    return kept;
}

int lia_events_stop(const LiaRunner* run, double h, double* x) {
    int first = -1;
    LiaRootFound roots[ROOTS_PER_STEP];
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        if (!run->model->events[e].stop) continue;
        if (roots_of(run, e, first < 0 ? h : *x, roots) == 0) continue;
        first = (int)e;
        *x = roots[0].x;
    }
    return first;
}

int lia_events_within(const LiaRunner* run, double h, double* x, int most) {
    LiaRootFound roots[ROOTS_PER_STEP];
    int count = 0;
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        int found = run->model->events[e].leaves ? 0 : roots_of(run, e, h, roots);
        for (int k = 0; k < found && count < most; k++) x[count++] = roots[k].x;
    }
    return count;
}

LiaEventRecord* lia_events_add(LiaTrajectory* out) {
    if (out->event_count == out->event_capacity) {
        size_t capacity = out->event_capacity ? out->event_capacity * 2 : 16;
        LiaEventRecord* events = lia_memory_resize(out->events, capacity * sizeof *events);
        if (!events) return NULL;
        out->events = events;
        out->event_capacity = capacity;
    }
    return &out->events[out->event_count++];
}

void lia_events_record(LiaRunner* run, double h) {
    LiaTrajectory* out = run->out;
    size_t before = out->event_count;
    LiaRootFound roots[ROOTS_PER_STEP];
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        int count = run->model->events[e].leaves ? 0 : roots_of(run, e, h, roots);
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
        const double* c = run->step.event + (size_t)e * (size_t)run->step.stride;
        run->watch.event_end[e] = lia_step_value(c, run->step.order - 1, h);
    }
    // in the order of time
    for (size_t i = before + 1; i < out->event_count; i++) {
        for (size_t k = i; k > before; k--) {
            if (run->direction * (out->events[k - 1].t - out->events[k].t) <= 0.0) break;
            LiaEventRecord other = out->events[k];
            out->events[k] = out->events[k - 1];
            out->events[k - 1] = other;
        }
    }
}
