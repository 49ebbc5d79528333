// Statements that begin and end by events, and states that events set, where a step ends.
//
//   1. what ends is off: no impulse comes of that, positions and momenta go on
//   2. events set states, by formulas of the state before. What holds then must admit them
//   3. what begins is a corner (motion/events/corner.c): its equations must admit the positions,
//      velocities jump by impulses along its force directions
//   4. contacts, as after any corner
//
// All that happens at one instant happens together.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/start/branch.h"
#include "motion/contact/contacts.h"
#include "motion/contact/near.h"
#include "motion/contact/rough/rough_modes.h"
#include "motion/events/corner.h"
#include "motion/events/jumps.h"
#include "motion/result/record.h"
#include "motion/run/begin.h"
#include "motion/run/step.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- the modes ---------------------------------------------------------------------------------

static bool fires(const LiaRunner* run, uint32_t event) {
    return event && run->watch.event_fires[event - 1];
}

// Is a statement on after the instant?
static bool is_on_after(const LiaRunner* run, uint32_t k) {
    const LiaDuration d = run->system->mode.any->switches[k].duration;
    return lia_system_is_on(run->system, k) ? !fires(run, d.until) : fires(run, d.from);
}

bool lia_switches_due(const LiaRunner* run) {
    const LiaSystem* s = run->system;
    bool any = false;
    for (uint32_t e = 0; e < run->model->events_count; e++)
        any |= run->watch.event_fires[e] && run->model->events[e].set_count > 0;
    for (uint32_t k = 0; k < s->mode.any->switch_count; k++)
        any |= lia_system_is_on(s, k) != is_on_after(run, k);
    return any;
}

// What is on ends by its event, what is off begins by its own.
static void find_modes(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    const LiaSystem* s = run->system;
    for (uint32_t k = 0; k < lia_system_switch_place(s, 0); k++)
        c->begins.open[k] = c->begins.between[k] = LIA_MODE_OPEN;
    lia_rough_modes_let_go(s, c->begins.open);
    lia_rough_modes_let_go(s, c->begins.between);
    for (uint32_t k = 0; k < s->mode.any->switch_count; k++) {
        uint32_t at = lia_system_switch_place(s, k);
        bool on = lia_system_is_on(s, k), then = is_on_after(run, k);
        c->begins.between[at] = on && then ? LIA_MODE_CLOSED : LIA_MODE_OPEN;
        c->begins.open[at] = then ? LIA_MODE_CLOSED : LIA_MODE_OPEN;
    }
}

bool lia_switches_begin(const LiaRunner* run) {
    return run->contacts && run->contacts->begins.crossing;
}

bool lia_switches_begins(const LiaRunner* run, uint32_t constraint) {
    const LiaContacts* c = run->contacts;
    const LiaSystem* s = c->base;
    for (uint32_t k = 0; k < s->mode.any->switch_count; k++) {
        uint32_t at = lia_system_switch_place(s, k);
        if (s->mode.any->switches[k].force || s->mode.any->switches[k].index != constraint)
            continue;
        return c->begins.between[at] != c->begins.open[at];
    }
    return false;
}

// Forces may be decided by other derivatives in the mode that begins.
bool lia_switches_change(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    c->begins.forth = !c->begins.forth;
    if (!lia_modes_enter(run, c->begins.forth ? c->begins.open : c->begins.between)) return false;
    if (!c->begins.forth || run->degree) return true;
    return lia_begin_reveal(run, false) && !run->out->reason.code;
}

// --- states that are set -----------------------------------------------------------------------

// The row of the mode that does not admit the state, and by how much; -1: all do.
static int refusing_row(LiaRunner* run, double* miss) {
    LiaWorkspace* w = run->w;
    double reach = 1.0, speed = 0.0;
    lia_workspace_update(w, 1);
    for (int i = 0; i < w->n; i++) {
        reach = fmax(reach, fabs(w->q[i]));
        speed = fmax(speed, fabs(w->v[i]));
    }
    for (int c = 0; c < w->nc; c++) {
        bool position = !(fabs(w->phi[c]) <= LIA_LEAP * reach);
        if (!position && fabs(w->psi[c]) <= LIA_LEAP * fmax(reach, speed)) continue;
        *miss = position ? w->phi[c] : w->psi[c];
        return c;
    }
    return -1;
}

static bool refuse_set(LiaRunner* run, const LiaEvent* event, int row, double miss) {
    LiaWorkspace* w = run->w;
    const LiaRow* r = &run->system->rows[w->dynamics->rows[row]];
    const LiaConstraint* c = &run->model->constraints[r->constraint];
    bool rate = r->geometric && fabs(w->phi[row]) < fabs(w->psi[row]);
    lia_verdict(run, "E0441", event->sets[0].span, w->t,
                "at t = %.10g '%s' sets a state that '%s' does not admit: %s is %.6g", w->t,
                event->name, c->internal ? "the unit length" : c->name,
                rate ? "the rate of left minus right" : "left minus right", miss);
    lia_verdict_help(run, "set all that is connected, or let the constraint end by the event");
    return false;
}

static uint32_t line_of(const LiaSystem* s, uint32_t event) {
    uint32_t l = 0;
    while (s->lines[l].kind != LIA_LINE_EVENT || s->lines[l].index != event) l++;
    return l;
}

// The record of the event that has just been written gets its energy.
static void note_energy(LiaRunner* run, const LiaEvent* event, double energy) {
    LiaTrajectory* out = run->out;
    for (size_t i = out->events.count; i-- > 0;) {
        LiaEventRecord* record = &out->events.list[i];
        if (record->kind != LIA_EVENT_USER || record->name != event->name) continue;
        record->energy = energy;
        return;
    }
}

static double energy_of(LiaRunner* run) {
    lia_workspace_update(run->w, 1);
    return lia_corner_energy(run, run->w);
}

// The values of one event, into positions and velocities. False where the motion ends.
static bool set_state(LiaRunner* run, uint32_t e, const LiaValues* values) {
    const LiaSystem* s = run->system;
    const LiaEvent* event = &run->model->events[e];
    LiaWorkspace* w = run->w;
    double before = energy_of(run);
    for (uint32_t k = 0; k < event->set_count; k++) {
        const LiaSet* set = &event->sets[k];
        double x = lia_value(values, s->mode.any->sets[s->mode.any->first_set[e] + k]);
        if (!isfinite(x)) {
            lia_verdict(
                run, "E0443", set->span, w->t,
                "at t = %.10g '%s' sets %s%s to what is no number: its formula has no value "
                "in the state before",
                w->t, event->name, run->model->coordinates[set->coordinate].name,
                set->velocity ? "'" : "");
            lia_verdict_help(run, "write with 'if' what is to be set there");
            return false;
        }
        (set->velocity ? w->v : w->q)[set->coordinate] = x;
        (set->velocity ? run->low.v : run->low.q)[set->coordinate] = 0.0;
    }
    double miss = 0.0;
    int row = refusing_row(run, &miss);
    if (row >= 0) return refuse_set(run, event, row, miss);
    double energy = energy_of(run) - before;
    w->work[line_of(s, e)] += energy;
    note_energy(run, event, energy);
    return true;
}

static bool record_set(LiaRunner* run, const double* before) {
    LiaArena* arena = run->out->arena;
    double* impulse = LIA_ARENA_NEW(arena, double, run->system->row_count + 1);
    double* work = LIA_ARENA_NEW(arena, double, run->model->constraints_count + 1);
    const double* after = lia_record_state(run, run->w);
    return impulse && work && lia_jumps_record(run, before, after, impulse, work, true);
}

// Two events of one instant give one number two values: the later statement counts, which is said
// once.
static void doubt_pair(LiaRunner* run, uint32_t d, uint32_t e, const LiaValues* values) {
    const LiaAnyMode* any = run->system->mode.any;
    const LiaEvent *first = &run->model->events[d], *second = &run->model->events[e];
    for (uint32_t k = 0; k < second->set_count; k++) {
        const LiaSet* set = &second->sets[k];
        for (uint32_t i = 0; i < first->set_count; i++) {
            const LiaSet* other = &first->sets[i];
            if (other->coordinate != set->coordinate || other->velocity != set->velocity) continue;
            double x = lia_value(values, any->sets[any->first_set[d] + i]);
            double y = lia_value(values, any->sets[any->first_set[e] + k]);
            if (x == y) continue;
            lia_diag_warning(run->diags, set->span, "W0452",
                             "at t = %.10g both '%s' and '%s' set %s%s, to %.6g and to %.6g: the "
                             "later statement counts",
                             run->w->t, first->name, second->name,
                             run->model->coordinates[set->coordinate].name,
                             set->velocity ? "'" : "", x, y);
            lia_diag_help(run->diags, "what happens at one instant is set by formulas of the state "
                                      "before: let one event set it");
            return;
        }
    }
}

static bool was_said(const LiaRunner* run) {
    for (size_t i = 0; i < lia_diags_count(run->diags); i++) {
        if (strcmp(lia_diag_at(run->diags, i)->code, "W0452") == 0) return true;
    }
    return false;
}

static void doubt_sets(LiaRunner* run, const LiaValues* values) {
    const bool* fired = run->contacts->begins.fired;
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        for (uint32_t d = 0; d < e; d++) {
            if (fired[d] && fired[e] && !was_said(run)) doubt_pair(run, d, e, values);
        }
    }
}

// All events that set states, by the values of the state before.
static bool set_states(LiaRunner* run) {
    const LiaSystem* s = run->system;
    const LiaWorkspace* w = run->w;
    bool any = false, good = true;
    for (uint32_t e = 0; e < run->model->events_count; e++)
        any |= run->contacts->begins.fired[e] && run->model->events[e].set_count > 0;
    if (!any) return true;
    LiaValues values;
    const double* before = lia_record_state(run, w);
    uint32_t count = s->mode.any->first_set[run->model->events_count];
    if (!before || !lia_evaluate_init(&values, s->graph, s->mode.any->sets, count)) return false;
    LiaSymbols at = {.t = w->t, .parameters = s->parameters, .q = w->q, .v = w->v, .work = w->work};
    lia_evaluate_run(&values, &at);
    doubt_sets(run, &values);
    for (uint32_t e = 0; good && e < run->model->events_count; e++) {
        bool sets = run->contacts->begins.fired[e] && run->model->events[e].set_count > 0;
        if (sets) good = set_state(run, e, &values);
    }
    lia_evaluate_clear(&values);
    lia_near_forget(run);
    return good && record_set(run, before);
}

// --- what begins -------------------------------------------------------------------------------

static void say_why(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    if (run->out->reason.code) return;
    lia_step_arrive(run, NULL, NULL);
    if (w->contradiction) {
        lia_verdict_singular_contradiction(run, w);
    } else if (!(w->saddle.pivot > LIA_SINGULAR_PIVOT)) {
        lia_verdict_singular(run, w);
    } else {
        lia_verdict_not_finite(run);
    }
}

// The forces of the new mode are decided: not more of them than equations that hold.
static bool forces_decided(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    int rank = w->forces.method->open_rank(w);
    if (rank == 0) return true;
    lia_verdict_force_undecided(run, rank);
    return false;
}

// A contact that is on, with a gap that cannot be.
static bool gaps_possible(LiaRunner* run) {
    const LiaSystem* s = run->system;
    LiaGaps gaps;
    bool good = s->contact_count == 0 || lia_gaps_find(run, &gaps);
    if (s->contact_count == 0) return true;
    for (uint32_t k = 0; good && k < s->contact_count; k++) {
        double least = fmax(gaps.rounding[k], lia_gaps_least(run));
        if (!lia_system_contact_is_on(s, k) || !(gaps.value[k] < -least)) continue;
        const LiaConstraint* c = &s->model->constraints[s->contacts[k].constraint];
        bool begins = lia_switches_begins(run, s->contacts[k].constraint);
        lia_verdict(run, begins ? "E0440" : "E0441", c->span, run->w->t,
                    begins ? "at t = %.10g '%s' begins where its gap is %.6g, and positions cannot "
                             "jump"
                           : "at t = %.10g a state is set in which the gap of '%s' is %.6g, and "
                             "a gap is never negative",
                    run->w->t, s->contacts[k].name, gaps.value[k]);
        lia_verdict_help(run, begins ? "let the event happen where the gap is 0 or positive"
                                     : "set positions in which the gap is 0 or positive");
        good = false;
    }
    lia_gaps_clear(&gaps);
    return good;
}

// A joint whose axes are opposite would hold them so.
static bool branches_possible(LiaRunner* run) {
    const LiaSystem* s = run->system;
    int wrong = lia_branch_is_wrong(s, run->w->q, run->w->t);
    if (wrong <= 0) return wrong == 0;
    const LiaConstraint* c = &s->model->constraints[s->branches.signs[wrong - 1].constraint];
    lia_verdict(run, "E0440", c->span, run->w->t,
                "at t = %.10g '%s' begins where its axes are opposite to each other, and positions "
                "cannot jump",
                run->w->t, c->name);
    lia_verdict_help(run, "let the event happen where they point the same way, or turn one of the "
                          "axes: 'axis [0, 0, -1]'");
    return false;
}

// Not all contacts and operators that act through springs can be in one mode.
static bool degree_possible(LiaRunner* run) {
    const LiaSystem* s = run->system;
    if (s->contact_count == 0 || lia_contacts_start_possible(run)) return true;
    LiaSpan span = s->model->constraints[s->contacts[0].constraint].span;
    lia_verdict(run, "E0431", span, run->w->t,
                "at t = %.10g an operator begins to act through other forces: a contact cannot act "
                "together with it",
                run->w->t);
    lia_verdict_help(run, "let the operator act on what it asks for, or let the contact end by the "
                          "same event");
    return false;
}

static bool begin_new(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    bool ends = false;
    memset(run->watch.crossing, 0, run->w->dynamics->tape->guard_count);
    run->old.jumps = run->out->jumps.count;
    c->begins.crossing = true;
    c->begins.forth = false;
    bool good = lia_step_cross(run, &ends) && !ends;
    if (!good) say_why(run);
    c->begins.crossing = false;
    return good && forces_decided(run) && degree_possible(run) && branches_possible(run) &&
           gaps_possible(run);
}

// --- what is written down ----------------------------------------------------------------------

static bool record_change(LiaRunner* run, uint32_t k, bool begins, size_t jumps) {
    const LiaSwitch* of = &run->system->mode.any->switches[k];
    const LiaTrajectory* out = run->out;
    uint32_t by = begins ? of->duration.from : of->duration.until;
    LiaEventRecord event = {.kind = begins ? LIA_EVENT_BEGIN : LIA_EVENT_END,
                            .name = of->name,
                            .t = run->watch.event_last[by - 1]};
    const LiaJump* jump = begins && out->jumps.count > jumps ? &out->jumps.list[jumps] : NULL;
    for (size_t i = 0; jump && !of->force && i < jump->impulse_count; i++) {
        const LiaJumpImpulse* x = &jump->impulses[i];
        if (x->name != of->name) continue;
        event.impulse = x->values;
        event.impulse_count = x->count;
        event.energy = x->work;
    }
    return lia_contact_record_named(run, event);
}

static bool record_changes(LiaRunner* run, const LiaModeRoom* before, size_t jumps) {
    const LiaSystem* s = run->system;
    bool good = true;
    for (int pass = 0; pass < 2; pass++) {  // first what ends
        for (uint32_t k = 0; good && k < s->mode.any->switch_count; k++) {
            bool was = before->mode[lia_system_switch_place(s, k)] != LIA_MODE_OPEN;
            bool is = lia_system_is_on(s, k);
            if (was != is && is == (pass == 1)) good = record_change(run, k, is, jumps);
        }
    }
    return good;
}

// The motion ends where it is, in the mode it had.
static bool stay(LiaRunner* run, const LiaModeRoom* before) {
    LiaContacts* c = run->contacts;
    size_t contacts = lia_system_switch_place(c->base, 0);
    memcpy(c->begins.open + contacts, before->mode + contacts,
           (lia_system_mode_count(c->base) - contacts) * sizeof *c->begins.open);
    if (!lia_modes_enter(run, before->mode)) return false;
    lia_workspace_put(run->w, c->t, c->q, c->v);
    memcpy(run->w->work, c->work, run->system->line_count * sizeof(double));
    lia_step_arrive(run, NULL, NULL);
    return false;
}

bool lia_switches_happen(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    size_t n = (size_t)run->w->n * sizeof(double);
    if (!lia_switches_due(run)) return true;
    find_modes(run);
    LiaModeRoom* before = c->rooms[c->now];
    c->t = run->w->t;
    memcpy(c->q, run->w->q, n);
    memcpy(c->v, run->w->v, n);
    memcpy(c->work, run->w->work, run->system->line_count * sizeof(double));
    memcpy(c->begins.fired, run->watch.event_fires,
           run->model->events_count * sizeof *c->begins.fired);
    lia_contacts_keep_step(run, false);
    bool good = lia_modes_enter(run, c->begins.between) && set_states(run);
    size_t jumps = run->out->jumps.count;
    good = good && begin_new(run);
    if (!good) stay(run, before);
    lia_contacts_keep_step(run, true);
    run->balance.known = false;
    c->corners.crossed = true;
    return good && record_changes(run, before, jumps) && lia_contacts_pass_from(run, before, false);
}
