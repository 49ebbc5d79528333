// Controls from outside: their laws are polynomials in time, whose coefficients are parameters of a system that the run has for itself. A law
// that is set is a corner of the motion, as where a formula changes its side: positions go on, momenta but for impulses.
// SPDX-License-Identifier: MIT
#include "motion/run/control.h"
#include "base/memory/memory.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lia_control_create(LiaRunner* run) {
    uint32_t count = run->model->controls_count;
    LiaControls* c = lia_memory_zeros(1, sizeof *c);
    run->controls = c;
    if (!c) return false;
    c->until = lia_memory_take((count + 1) * sizeof *c->until);
    if (!c->until || lia_system_copy(run->system, &c->system) != LIA_OK) return false;
    run->system = c->system;
    run->model = c->system->model;
    for (uint32_t i = 0; i < count; i++) c->until[i] = NAN;  // held
    return true;
}

void lia_control_destroy(LiaRunner* run) {
    LiaControls* c = run->controls;
    if (!c) return;
    lia_system_destroy(c->system);
    free(c->until);
    free(c);
    run->controls = NULL;
}

bool lia_control_lacks(const LiaRunner* run) {
    const LiaModel* m = run->model;
    for (uint32_t i = 0; i < m->controls_count && !run->controls; i++) {
        const LiaControl* u = &m->controls[i];
        if (!u->open || m->parameters[u->open - 1].term.index == 0) continue;
        lia_diag_error(run->diags, u->span, "E0332", "the control '%s' has no law", u->name);
        lia_diag_help(run->diags,
                      "a program sets it as it runs (lia_run_control); -D %s=VALUE holds it",
                      u->name);
        return true;
    }
    return false;
}

// All workspaces with the parameters as they are now.
static void load(LiaRunner* run) {
    LiaSystem* s = run->controls->system;
    lia_parameters_load(s, run->w);
    lia_parameters_load(s, run->sampler);
    lia_parameters_load(s, run->full);
    if (run->corner.impulse.w) lia_parameters_load(s, run->corner.impulse.w);
}

void lia_control_switch(LiaRunner* run) {
    LiaControls* c = run->controls;
    lia_parameters_exchange(c->system, c->first, c->values);
    c->changed = !c->changed;
    load(run);
}

bool lia_control_due(const LiaRunner* run) {
    const LiaControls* c = run->controls;
    for (uint32_t i = 0; c && i < run->model->controls_count; i++) {
        if (c->until[i] == run->w->t) return true;
    }
    return false;
}

// The nearest instant at which a step has to end.
static void find_halt(LiaRunner* run) {
    const LiaControls* c = run->controls;
    run->halt = run->out->t1;
    for (uint32_t i = 0; i < run->model->controls_count; i++) {
        double until = c->until[i];
        if (!isnan(until) && run->direction * (run->halt - until) > 0.0) run->halt = until;
    }
}

// The corner was not passed: back to the law and the state before it, and say why.
static LiaStatus refuse(LiaRunner* run, const char* name) {
    LiaTrajectory* out = run->out;
    LiaReason reason = out->reason;
    size_t n = (size_t)run->w->n * sizeof(double);
    if (run->controls->changed) lia_control_switch(run);
    memcpy(run->w->q, run->corner.q, n);
    memcpy(run->w->v, run->corner.v, n);
    lia_step_arrive(run, NULL, NULL);
    out->status = LIA_OK;
    out->reason = (LiaReason){0};
    lia_diag_error(run->diags, reason.span, "E0333", "the control '%s' cannot be set so: %s", name,
                   reason.text ? reason.text : "the motion does not go on");
    return LIA_MODEL;
}

LiaStatus lia_control_set(LiaRunner* run, const char* name, const double* coefficients,
                          size_t count, double until) {
    LiaControls* c = run->controls;
    const LiaModel* m = run->model;
    uint32_t i = 0;
    while (i < m->controls_count &&
           (!m->controls[i].open || strcmp(m->controls[i].name, name) != 0))
        i++;
    if (i == m->controls_count) return LIA_ARGUMENT;
    memset(c->values, 0, sizeof c->values);
    memcpy(c->values, coefficients, count * sizeof *coefficients);
    c->values[LIA_CONTROL_TERMS] = run->w->t;
    c->first = m->controls[i].open - 1;
    c->changing = true;
    c->changed = false;
    memset(run->watch.crossing, 0, run->w->dynamics->tape->guard_count);
    run->old.jumps = run->out->jump_count;
    bool ends = false, good = lia_step_cross(run, &ends);
    LiaStatus status = good && !ends ? LIA_OK : refuse(run, name);
    c->changing = false;
    if (status != LIA_OK) return status;
    run->balance.known = false;
    c->until[i] = isinf(until) ? NAN : until;
    find_halt(run);
    return LIA_OK;
}

size_t lia_control_bytes(const LiaRunner* run) {
    uint32_t controls = run->model->controls_count;
    return run->controls ? (size_t)controls * (1 + LIA_CONTROL_PARAMETERS) * sizeof(double) : 0;
}

void lia_control_keep(LiaRunner* run, LiaKeep* keep) {
    LiaControls* c = run->controls;
    for (uint32_t i = 0; c && i < run->model->controls_count; i++) {
        uint32_t first = run->model->controls[i].open;
        double values[LIA_CONTROL_PARAMETERS] = {0.0};
        lia_keep_double(keep, &c->until[i]);
        if (first) memcpy(values, c->system->parameters + first - 1, sizeof values);
        lia_keep_doubles(keep, values, LIA_CONTROL_PARAMETERS);
        if (first && lia_keep_reads(keep)) lia_parameters_exchange(c->system, first - 1, values);
    }
    if (!c || !lia_keep_reads(keep)) return;
    load(run);
    find_halt(run);
}
