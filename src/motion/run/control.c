// Controls from outside: their laws are polynomials in time, whose coefficients are parameters of a
// system that the run has for itself. A law that is set is a corner of the motion, as where a
// formula changes its side: positions go on, momenta but for impulses.
//
// A sampled control, `control u = e every T`, is one that the run itself sets at t0, t0 + T, t0 + 2
// T and so on: to the value of e there, which it has until the next of these instants. Steps end
// there.
// SPDX-License-Identifier: MIT
#include "motion/run/control.h"
#include "base/memory/memory.h"
#include "base/numeric/grid.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "expr/ops/op.h"
#include "motion/contact/contact_run.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lia_control_create(LiaRunner* run, bool outside) {
    uint32_t count = run->model->controls_count;
    LiaControls* c = lia_memory_zeros(1, sizeof *c);
    run->controls = c;
    if (!c) return false;
    c->outside = outside;
    c->until = lia_memory_take((count + 1) * sizeof *c->until);
    c->samples = lia_memory_zeros(count + 1, sizeof *c->samples);
    if (!c->until || !c->samples || lia_system_copy(run->system, &c->system) != LIA_OK)
        return false;
    run->system = c->system;
    run->model = c->system->model;
    for (uint32_t i = 0; i < count; i++) c->until[i] = NAN;  // held
    return true;
}

bool lia_control_has(const LiaModel* m, bool sampled) {
    for (uint32_t i = 0; i < m->controls_count; i++) {
        if (m->controls[i].open && (m->controls[i].every > 0.0) == sampled) return true;
    }
    return false;
}

void lia_control_destroy(LiaRunner* run) {
    LiaControls* c = run->controls;
    if (!c) return;
    lia_system_destroy(c->system);
    free(c->until);
    free(c->samples);
    free(c);
    run->controls = NULL;
}

bool lia_control_lacks(const LiaRunner* run) {
    const LiaModel* m = run->model;
    bool outside = run->controls && run->controls->outside;
    for (uint32_t i = 0; i < m->controls_count && !outside; i++) {
        const LiaControl* u = &m->controls[i];
        if (!u->open || u->every > 0.0 || m->parameters[u->open - 1].term.index == 0) continue;
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
    LiaSystem* s = run->contacts ? (LiaSystem*)run->system : run->controls->system;
    if (s != run->controls->system && !lia_parameters_follow(s)) return;  // memory is out
    lia_parameters_load(s, run->w);
    lia_parameters_load(s, run->sampler);
    lia_parameters_load(s, run->full);
    if (run->corner.impulse.w) lia_parameters_load(s, run->corner.impulse.w);
}

void lia_control_switch(LiaRunner* run) {
    LiaControls* c = run->controls;
    lia_parameters_exchange(c->system, c->first, c->values);
    c->changed = !c->changed;
    c->laws++;
    load(run);
}

bool lia_control_due(const LiaRunner* run) {
    const LiaControls* c = run->controls;
    for (uint32_t i = 0; c && i < run->model->controls_count; i++) {
        if (c->until[i] == run->w->t && !(run->model->controls[i].every > 0.0)) return true;
    }
    return false;
}

// The nearest instant at which a step has to end. One that rounding puts before the end is the end.
static void find_halt(LiaRunner* run) {
    const LiaControls* c = run->controls;
    double end = run->halt = run->out->t1;
    for (uint32_t i = 0; i < run->model->controls_count; i++) {
        double until = c->until[i];
        bool sampled = run->model->controls[i].every > 0.0;
        if (sampled && fabs(end - until) <= LIA_INSTANT_TIME * lia_time_size(run, end)) continue;
        if (!isnan(until) && run->direction * (run->halt - until) > 0.0) run->halt = until;
    }
}

// The corner was not passed: back to the law and the state before it, and say why.
static LiaStatus refuse(LiaRunner* run, const char* name, bool touches) {
    LiaTrajectory* out = run->out;
    LiaReason reason = out->reason;
    size_t n = (size_t)run->w->n * sizeof(double);
    if (run->controls->changed) lia_control_switch(run);
    if (!touches) memcpy(run->w->q, run->corner.q, n);
    if (!touches) memcpy(run->w->v, run->corner.v, n);
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
    while (i < m->controls_count && (!m->controls[i].open || m->controls[i].every > 0.0 ||
                                     strcmp(m->controls[i].name, name) != 0))
        i++;
    if (i == m->controls_count) return LIA_ARGUMENT;
    memset(c->values, 0, sizeof c->values);
    memcpy(c->values, coefficients, count * sizeof *coefficients);
    c->values[LIA_CONTROL_TERMS] = run->w->t;
    c->first = m->controls[i].open - 1;
    c->changing = true;
    c->changed = false;
    memset(run->watch.crossing, 0, run->w->dynamics->tape->guard_count);
    run->old.jumps = run->out->jumps.count;
    bool ends = false, touches = run->contacts && (lia_contacts_closed(run) || lia_gaps_touch(run));
    bool good = touches ? lia_contacts_cross(run) == LIA_OUTCOME_GO_ON : lia_step_cross(run, &ends);
    LiaStatus status = good && !ends ? LIA_OK : refuse(run, name, touches);
    c->changing = false;
    if (status != LIA_OK) return status;
    run->balance.known = false;
    c->until[i] = isinf(until) ? NAN : until;
    find_halt(run);
    return LIA_OK;
}

// --- sampled controls ---------------------------------------------------------------------------

// What time has reached but for rounding it has reached: conditions, signs and angles are those an
// instant later.
static void evaluate_reached(const LiaRunner* run, LiaValues* values, LiaSymbols at) {
    double now = at.t;
    at.t += run->direction * LIA_INSTANT_TIME * lia_time_size(run, now);
    lia_evaluate_run(values, &at);
    at.t = now;
    for (uint32_t k = 0; k < values->count; k++) {
        LiaExpr f = {values->nodes[k]};
        const LiaOp op = (LiaOp)lia_graph_node(values->graph, f)->op;
        double* value = values->value + f.index;
        if (op == LIA_OP_LESS || op == LIA_OP_LESS_EQUAL || op == LIA_OP_SIGN) continue;
        bool cut = lia_op_arity(op) > 0 && lia_op_kinds[op]->guard == LIA_GUARD_CUT;
        double later = *value;
        *value = lia_evaluate_node(values->graph, f, values->value, &at);
        if (cut) *value = lia_op_take_side(*value, later > 0.0 ? 1 : -1);
    }
}

// The values of all laws at the state of run->w, into `out`.                        (controls)
static bool evaluate_laws(const LiaRunner* run, double* out) {
    const LiaSystem* s = run->controls->system;
    const LiaWorkspace* w = run->w;
    LiaValues values;
    if (!lia_evaluate_init(&values, s->graph, s->mode.any->laws, run->model->controls_count))
        return false;
    LiaSymbols at = {.t = w->t, .parameters = s->parameters, .q = w->q, .v = w->v, .work = w->work};
    evaluate_reached(run, &values, at);
    for (uint32_t i = 0; i < run->model->controls_count; i++)
        out[i] = s->mode.any->laws[i].index ? lia_value(&values, s->mode.any->laws[i]) : 0.0;
    lia_evaluate_clear(&values);
    return true;
}

static void take_value(LiaRunner* run, uint32_t i, double value) {
    LiaControls* c = run->controls;
    memset(c->values, 0, sizeof c->values);
    c->values[0] = value;
    c->first = run->model->controls[i].open - 1;
}

LiaStatus lia_control_start(LiaRunner* run, LiaStartState* start) {
    LiaControls* c = run->controls;
    const LiaModel* m = run->model;
    start->work = run->w->work;
    LiaStatus status = lia_start_sampled_find(c->system, run->diags, start);
    if (status != LIA_OK) return status;
    for (uint32_t i = 0; i < m->controls_count; i++) {
        if (!(m->controls[i].every > 0.0)) continue;
        c->samples[i] = 1;
        c->until[i] = lia_grid_at(run->out->t0, m->controls[i].every, 1);
    }
    c->laws++;
    load(run);
    find_halt(run);
    return LIA_OK;
}

bool lia_control_possible(const LiaRunner* run) {
    double span = fabs(run->out->t1 - run->out->t0);
    for (uint32_t i = 0; i < run->model->controls_count; i++) {
        const LiaControl* u = &run->model->controls[i];
        if (!(u->every > 0.0)) continue;
        if (run->direction < 0.0) {
            lia_diag_error(run->diags, u->span, "E0442",
                           "the run goes backwards, and '%s' is a sampled control: what it saw is "
                           "not known from what comes after it",
                           u->name);
            lia_diag_help(run->diags, "run forward in time: 'run t = 0..10'");
            return false;
        }
        bool lasts = lia_step_lasts(run, u->every) || isinf(span);
        if (lasts && !(span / u->every > LIA_STEPS_POSSIBLE && isfinite(span))) continue;
        lia_diag_error(run->diags, u->span, "E0304",
                       "samples of '%s' every %.3g are too many for a run from t = %.6g to %.6g",
                       u->name, u->every, run->out->t0, run->out->t1);
        return false;
    }
    return true;
}

// The corner at which a control gets another value. False where the motion ends.
static bool cross(LiaRunner* run) {
    LiaControls* c = run->controls;
    bool ends = false, good;
    c->changing = true;
    c->changed = false;
    memset(run->watch.crossing, 0, run->w->dynamics->tape->guard_count);
    run->old.jumps = run->out->jumps.count;
    if (run->contacts && (lia_contacts_closed(run) || lia_gaps_touch(run))) {
        good = lia_contacts_cross(run) == LIA_OUTCOME_GO_ON;
    } else {
        good = lia_step_cross(run, &ends) && !ends;
    }
    c->changing = false;
    run->balance.known = false;
    if (!good && !run->out->reason.code) lia_verdict_not_finite(run);
    return good;
}

static bool sample(LiaRunner* run, const double* value) {
    LiaControls* c = run->controls;
    const LiaModel* m = run->model;
    for (uint32_t i = 0; i < m->controls_count; i++) {
        const LiaControl* u = &m->controls[i];
        if (!(u->every > 0.0) || c->until[i] != run->w->t) continue;
        if (!isfinite(value[i])) {
            lia_verdict(run, "E0444", u->span, run->w->t,
                        "at t = %.10g the control '%s' has no value: its formula is outside its "
                        "domain there",
                        run->w->t, u->name);
            lia_verdict_help(run, "end the run before that time, or write with 'if' what holds "
                                  "there");
            return false;
        }
        c->until[i] = lia_grid_at(run->out->t0, u->every, ++c->samples[i]);
        if (value[i] == c->system->parameters[u->open - 1]) continue;
        take_value(run, i, value[i]);
        if (!cross(run)) return false;
    }
    find_halt(run);
    return true;
}

bool lia_control_sample(LiaRunner* run) {
    const LiaControls* c = run->controls;
    bool due = false;
    for (uint32_t i = 0; c && i < run->model->controls_count; i++)
        due |= run->model->controls[i].every > 0.0 && c->until[i] == run->w->t;
    if (!due || run->w->t == run->out->t1) return true;
    double* value = lia_memory_zeros((size_t)run->model->controls_count + 1, sizeof *value);
    bool good = value && evaluate_laws(run, value) && sample(run, value);
    free(value);
    return good;
}

// --- in a file ----------------------------------------------------------------------------------

size_t lia_control_bytes(const LiaRunner* run) {
    uint32_t controls = run->model->controls_count;
    bool outside = run->controls && run->controls->outside;
    size_t each = (1 + LIA_CONTROL_PARAMETERS) * sizeof(double) + sizeof(uint64_t);
    return outside ? controls * each : 0;
}

void lia_control_keep(LiaRunner* run, LiaKeep* keep) {
    LiaControls* c = run->controls;
    for (uint32_t i = 0; c && i < run->model->controls_count; i++) {
        uint32_t first = run->model->controls[i].open;
        double values[LIA_CONTROL_PARAMETERS] = {0.0};
        lia_keep_double(keep, &c->until[i]);
        lia_keep_counts(keep, &c->samples[i], 1);
        if (first) memcpy(values, c->system->parameters + first - 1, sizeof values);
        lia_keep_doubles(keep, values, LIA_CONTROL_PARAMETERS);
        if (first && lia_keep_reads(keep)) lia_parameters_exchange(c->system, first - 1, values);
    }
    if (!c || !lia_keep_reads(keep)) return;
    c->laws++;
    load(run);
    find_halt(run);
}
