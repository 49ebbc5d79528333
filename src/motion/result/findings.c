// What is reported of a trajectory, as structs, and its columns as numbers. See
// include/liaison/trajectory.h.
// SPDX-License-Identifier: MIT
#include "base/facts.h"
#include "lang/model.h"
#include "motion/result/trajectory.h"

// --- columns -----------------------------------------------------------------------------------

size_t lia_trajectory_width(const LiaTrajectory* x) { return x ? x->column_count : 0; }

bool lia_trajectory_column_info(const LiaTrajectory* x, size_t k, LiaColumnInfo* info,
                                size_t size) {
    if (k >= lia_trajectory_width(x)) return false;
    const LiaColumn* c = &x->columns[k];
    LiaColumnInfo known = {.name = c->name,
                           .unit = c->unit,
                           .kind = c->kind,
                           .csv = k < x->csv_count,
                           .shared = c->shared};
    return lia_facts_give(&known, sizeof known, info, size);
}

size_t lia_trajectory_find(const LiaTrajectory* x, const char* name) {
    for (size_t k = 0; name && k < lia_trajectory_width(x); k++) {
        bool named = x->columns[k].kind != LIA_COLUMN_PLOT;
        if (named && strcmp(x->columns[k].name, name) == 0) return k;
    }
    return LIA_NOWHERE;
}

const double* lia_trajectory_data(const LiaTrajectory* x, size_t k, size_t* stride) {
    if (k >= lia_trajectory_width(x) || !stride || !x->rows.values) return NULL;
    *stride = x->column_count;
    return x->rows.values + k;
}

LiaStatus lia_trajectory_series(const LiaTrajectory* x, size_t k, double* out, size_t count) {
    bool there = k < lia_trajectory_width(x) && count == x->rows.count && (out || count == 0);
    if (!there) return LIA_ARGUMENT;
    for (size_t i = 0; i < count; i++) out[i] = x->rows.values[i * x->column_count + k];
    return LIA_OK;
}

// --- what is reported --------------------------------------------------------------------------

bool lia_trajectory_info(const LiaTrajectory* x, LiaMotionInfo* info, size_t size) {
    if (!x) return false;
    LiaMotionInfo known = {.status = x->status,
                           .t = x->t,
                           .t0 = x->t0,
                           .t1 = x->t1,
                           .tolerance = x->effort.tolerance,
                           .order = x->effort.order,
                           .steps = x->effort.steps,
                           .rejected = x->effort.rejected,
                           .longest = x->effort.longest,
                           .seconds = x->effort.seconds,
                           .setup_seconds = x->effort.setup_seconds,
                           .energy_start = x->ledger.start,
                           .energy_end = x->ledger.end,
                           .balance = x->ledger.balance,
                           .regularity = x->regularity};
    return lia_facts_give(&known, sizeof known, info, size);
}

bool lia_trajectory_reason_info(const LiaTrajectory* x, LiaReasonInfo* info, size_t size) {
    if (!x || !x->reason.code) return false;
    LiaReasonInfo known = {.code = x->reason.code,
                           .text = x->reason.text,
                           .t = x->reason.t,
                           .line = x->reason.line,
                           .column = x->reason.column,
                           .spent = lia_trajectory_spent(x)};
    return lia_facts_give(&known, sizeof known, info, size);
}

static size_t state_count(const LiaTrajectory* x) {
    size_t count = 0;
    for (size_t k = 0; k < x->csv_count; k++) {
        LiaColumnKind kind = x->columns[k].kind;
        count += kind == LIA_COLUMN_POSITION || kind == LIA_COLUMN_VELOCITY;
    }
    return count;
}

const char* lia_event_kind_text(LiaEventKind kind) {
    switch (kind) {
    case LIA_EVENT_USER:
        return "event";
    case LIA_EVENT_CONTACT:
        return "contact";
    case LIA_EVENT_RELEASE:
        return "release";
    case LIA_EVENT_IMPACT:
        return "impact";
    case LIA_EVENT_STICK:
        return "stick";
    case LIA_EVENT_SLIP:
        return "slip";
    case LIA_EVENT_ACCUMULATION:
        return "accumulation";
    case LIA_EVENT_BEGIN:
        return "begin";
    case LIA_EVENT_KINK:
        return "kink";
    case LIA_EVENT_END:
        return "end";
    }
    return "event";
}

size_t lia_trajectory_events(const LiaTrajectory* x) { return x ? x->events.count : 0; }

bool lia_trajectory_event(const LiaTrajectory* x, size_t i, LiaOccurrenceInfo* info, size_t size) {
    if (i >= lia_trajectory_events(x)) return false;
    const LiaEventRecord* e = &x->events.list[i];
    size_t event = e->kind ? SIZE_MAX : lia_model_find(x->model, LIA_THING_EVENT, e->name);
    LiaOccurrenceInfo known = {.event = event,
                               .name = e->name,
                               .t = e->t,
                               .direction = e->direction,
                               .stop = e->stop,
                               .state = e->state,
                               .state_count = e->state ? state_count(x) : 0,
                               .kind = e->kind,
                               .impulse = e->impulse,
                               .impulse_count = e->impulse_count,
                               .energy = e->energy,
                               .lost = e->lost};
    return lia_facts_give(&known, sizeof known, info, size);
}

size_t lia_trajectory_jumps(const LiaTrajectory* x) { return x ? x->jumps.count : 0; }

bool lia_trajectory_jump(const LiaTrajectory* x, size_t i, LiaJumpInfo* info, size_t size) {
    if (i >= lia_trajectory_jumps(x)) return false;
    const LiaJump* jump = &x->jumps.list[i];
    LiaJumpInfo known = {.t = jump->t,
                         .velocities = jump->velocity_count,
                         .impulses = jump->impulse_count,
                         .unique = jump->unique};
    return lia_facts_give(&known, sizeof known, info, size);
}

bool lia_trajectory_jump_velocity(const LiaTrajectory* x, size_t i, size_t velocity,
                                  LiaJumpVelocityInfo* info, size_t size) {
    if (i >= lia_trajectory_jumps(x) || velocity >= x->jumps.list[i].velocity_count) return false;
    const LiaJumpVelocity* v = &x->jumps.list[i].velocities[velocity];
    LiaJumpVelocityInfo known = {.name = v->column->name,
                                 .column = (size_t)(v->column - x->columns),
                                 .before = v->before,
                                 .after = v->after};
    return lia_facts_give(&known, sizeof known, info, size);
}

bool lia_trajectory_impulse(const LiaTrajectory* x, size_t i, size_t impulse, LiaImpulseInfo* info,
                            size_t size) {
    if (i >= lia_trajectory_jumps(x) || impulse >= x->jumps.list[i].impulse_count) return false;
    const LiaJumpImpulse* p = &x->jumps.list[i].impulses[impulse];
    LiaImpulseInfo known = {.constraint = lia_model_find(x->model, LIA_THING_CONSTRAINT, p->name),
                            .name = p->name,
                            .unit = p->unit,
                            .active = p->active,
                            .values = p->values,
                            .count = p->count,
                            .work = p->work};
    return lia_facts_give(&known, sizeof known, info, size);
}

size_t lia_trajectory_ledger_lines(const LiaTrajectory* x) { return x ? x->ledger.count : 0; }

bool lia_trajectory_ledger(const LiaTrajectory* x, size_t i, LiaLedgerInfo* info, size_t size) {
    if (i >= lia_trajectory_ledger_lines(x)) return false;
    const LiaLedgerLine* line = &x->ledger.lines[i];
    LiaLedgerInfo known = {.name = line->name,
                           .kind = line->kind,
                           .power = line->power,
                           .work = line->work,
                           .workless = line->workless,
                           .power_rounding = line->power_rounding,
                           .work_rounding = line->work_rounding};
    return lia_facts_give(&known, sizeof known, info, size);
}

bool lia_trajectory_constraint(const LiaTrajectory* x, size_t i, LiaHeldInfo* info, size_t size) {
    if (!x || i >= x->constraints.count) return false;
    const LiaConstraintReport* c = &x->constraints.list[i];
    LiaHeldInfo known = {.name = c->name,
                         .active = c->active,
                         .eliminated = c->eliminated,
                         .equations = c->equations,
                         .residual = c->residual,
                         .worst = c->worst,
                         .unique = c->unique,
                         .hidden = c->degree};
    return lia_facts_give(&known, sizeof known, info, size);
}

size_t lia_trajectory_conserved_count(const LiaTrajectory* x) { return x ? x->conserved.count : 0; }

bool lia_trajectory_conserved(const LiaTrajectory* x, size_t i, LiaConservedInfo* info,
                              size_t size) {
    if (i >= lia_trajectory_conserved_count(x)) return false;
    const LiaConserved* c = &x->conserved.list[i];
    LiaConservedInfo known = {
        .name = c->name, .value = c->value, .drift = c->drift, .growth = c->growth};
    return lia_facts_give(&known, sizeof known, info, size);
}
