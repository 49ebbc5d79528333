// The state of a run before and after a step: kept, restored, moved along the series.
//
// Sums are compensated: x + low is the value, x what the formulas see.
// SPDX-License-Identifier: MIT
#include "motion/run/step_state.h"
#include "motion/check/digits.h"
#include "motion/check/inner_residual.h"
#include "motion/check/noise.h"
#include "motion/run/step_size.h"
#include "motion/runner.h"
#include <string.h>

// Compensated sum: x + low is the value, x what the formulas see.
static void add_to(double* x, double* low, double change) {
    double y = change + *low, sum = *x + y;
    *low = y - (sum - *x);
    *x = sum;
}

void lia_step_state_keep(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    size_t n = (size_t)w->n * sizeof(double), lines = run->system->line_count * sizeof(double);
    memcpy(run->old.q, w->q, n);
    memcpy(run->old.v, w->v, n);
    memcpy(run->old.work, w->work, lines);
    memcpy(run->old.q_low, run->low.q, n);
    memcpy(run->old.v_low, run->low.v, n);
    memcpy(run->old.work_low, run->low.work, lines);
    run->old.t_low = run->low.t;
    run->old.jumps = run->out->jumps.count;
    run->old.nr = w->nr;
    memcpy(run->old.active, w->active, (size_t)w->nr * sizeof(int));
}

void lia_step_state_restore(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    size_t n = (size_t)w->n * sizeof(double), lines = run->system->line_count * sizeof(double);
    lia_workspace_put(w, run->step.t, run->old.q, run->old.v);
    memcpy(w->work, run->old.work, lines);
    memcpy(run->low.q, run->old.q_low, n);
    memcpy(run->low.v, run->old.v_low, n);
    memcpy(run->low.work, run->old.work_low, lines);
    run->low.t = run->old.t_low;
    run->out->jumps.count = run->old.jumps;
    memcpy(w->jets.side, run->step.side, w->dynamics->tape->guard_count);
    w->nr = run->old.nr;
    memcpy(w->active, run->old.active, (size_t)w->nr * sizeof(int));
    w->stage = LIA_WORKSPACE_EMPTY;  // accelerations and forces are those of the step that failed
}

void lia_step_state_advance(LiaRunner* run, double h, bool to_end) {
    LiaWorkspace* w = run->w;
    const LiaStep* step = &run->step;
    size_t stride = (size_t)step->stride;
    for (int i = 0; i < w->n; i++) {
        const double* q = step->q + (size_t)i * stride;
        const double* v = step->v + (size_t)i * stride;
        add_to(&w->q[i], &run->low.q[i], lia_step_change(q, step->order + 1, h));
        add_to(&w->v[i], &run->low.v[i], lia_step_change(v, step->order, h));
    }
    for (uint32_t k = 0; k < step->live.line_count; k++) {
        uint32_t l = step->live.lines[k];
        add_to(&w->work[l], &run->low.work[l],
               lia_step_change(step->work + l * stride, step->order, h));
    }
    if (to_end) {
        w->t = run->halt;
        run->low.t = 0.0;
    } else {
        add_to(&w->t, &run->low.t, h);
    }
}
