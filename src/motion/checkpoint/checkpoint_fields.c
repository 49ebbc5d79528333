// What a checkpoint keeps of a run: everything that what comes later depends on, to the last bit.
// One walk, which writes and reads (base/file/keep.h).
//
// It is between two steps. The system, its columns, the choices of the start and all that is
// decided before the first step are made anew by the program that goes on; the rest is here.
// SPDX-License-Identifier: MIT
#include "mechanics/degree/relative_degree.h"
#include "motion/checkpoint/checkpoint.h"
#include "motion/contact/contact_run.h"
#include "motion/contact/contacts.h"
#include "motion/contact/impact/impact.h"
#include "motion/events/events.h"
#include "motion/events/jumps.h"
#include "motion/result/record.h"
#include "motion/singular/degree_change.h"
#include <limits.h>
#include <math.h>
#include <string.h>

LIA_KEEP_ALL(LiaScales, 184);
LIA_KEEP_ALL(LiaStall, 72);
LIA_KEEP_ALL(LiaRunner, 4072);     // places of numbers are found anew
LIA_KEEP_ALL(LiaTrajectory, 704);  // pieces: a run that goes on begins them anew
LIA_KEEP_ALL(LiaEventRecord, 80);
LIA_KEEP_ALL(LiaJump, 48);
LIA_KEEP_ALL(LiaJumpVelocity, 24);
LIA_KEEP_ALL(LiaJumpImpulse, 48);

// --- the run ------------------------------------------------------------------------------------

static void keep_scales(LiaScales* s, LiaKeep* keep) {
    lia_keep_doubles(keep, s->q, 2);
    lia_keep_doubles(keep, s->v, 2);
    lia_keep_doubles(keep, s->met_q, 2);
    lia_keep_double(keep, &s->energy);
    lia_keep_double(keep, &s->met_energy);
    lia_keep_double(keep, &s->ahead_energy);
    lia_keep_double(keep, &s->noise_power);
    lia_keep_double(keep, &s->span);
    lia_keep_bool(keep, &s->begun);
    lia_keep_double(keep, &s->tolerance);
    lia_keep_double(keep, &s->part_v);
    lia_keep_double(keep, &s->part_q);
    lia_keep_double(keep, &s->part_work);
    lia_keep_double(keep, &s->angle_most);
}

static void keep_stall(LiaStall* p, LiaKeep* keep) {
    lia_keep_counts(keep, &p->next, 1);
    lia_keep_doubles(keep, p->t, LIA_STALL_LOOKS);
    lia_keep_int(keep, &p->looks, 0, INT_MAX - 1);
}

static void keep_span(LiaSpan* span, LiaKeep* keep, size_t length) {
    size_t ends[2] = {span->begin, span->end};
    lia_keep_sizes(keep, ends, 2, length);
    if (lia_keep_good(keep)) *span = (LiaSpan){(uint32_t)ends[0], (uint32_t)ends[1]};
}

static void keep_numbers(LiaRunner* run, LiaKeep* keep) {
    lia_keep_int(keep, &run->course.in_vain, 0, INT_MAX - 1);
    keep_scales(&run->scales, keep);
    lia_keep_bool(keep, &run->checks.proved);
    lia_keep_bool(keep, &run->checks.passed);
    lia_keep_double(keep, &run->checks.inside.most_q);
    lia_keep_double(keep, &run->checks.inside.most_v);
    lia_keep_double(keep, &run->checks.inside.last);
    lia_keep_counts(keep, &run->checks.inside.looked, 1);
    lia_keep_double(keep, &run->course.longest);
    lia_keep_double(keep, &run->course.size_most);
    lia_keep_double(keep, &run->course.rows_most);
    lia_keep_double(keep, &run->course.rounding);
    keep_stall(&run->course.stall, keep);
    lia_keep_double(keep, &run->course.stiff.rate);
    lia_keep_double(keep, &run->course.stiff.part);
    lia_keep_bool(keep, &run->course.approaching);
    lia_keep_double(keep, &run->tolerance);
    lia_keep_double(keep, &run->direction);
    lia_keep_double(keep, &run->step_tolerance);
    lia_keep_double(keep, &run->low.t);
    lia_keep_double(keep, &run->old.t_low);
    lia_keep_int(keep, &run->old.nr, 0, run->w->nc);
    lia_keep_sizes(keep, &run->old.jumps, 1, SIZE_MAX);
    lia_keep_bool(keep, &run->samples.final_known);
    lia_keep_sizes(keep, &run->samples.undetermined, 1, SIZE_MAX);
    lia_keep_double(keep, &run->samples.undetermined_time);
    keep_span(&run->samples.undetermined_span, keep, run->model->text.source.length);
    lia_keep_double(keep, &run->met.kinetic_most);
    lia_keep_double(keep, &run->met.potential_least);
    lia_keep_double(keep, &run->met.potential_most);
    lia_keep_double(keep, &run->balance.begin);
    lia_keep_double(keep, &run->balance.end);
    lia_keep_double(keep, &run->balance.gap);
    lia_keep_bool(keep, &run->balance.known);
    lia_keep_double(keep, &run->met.rounded.most);
    lia_keep_double(keep, &run->met.rounded.t);
    lia_keep_double(keep, &run->checks.digits.others);
    lia_keep_double(keep, &run->checks.digits.distance);
    lia_keep_double(keep, &run->checks.digits.left_out_t);
    lia_keep_sizes(keep, &run->checks.digits.left_out, 1, run->system->row_count);
    lia_keep_sizes(keep, &run->checks.digits.same, 1, run->system->row_count);
    lia_keep_counts(keep, &run->checks.digits.looks, 1);
    lia_keep_double(keep, &run->met.regularity_least);
    lia_keep_double(keep, &run->met.regularity_time);
    lia_keep_double(keep, &run->met.projected);
    lia_keep_sizes(keep, &run->samples.next, 1, run->samples.total);
}

// Can steps be made with these numbers? Scales begin with the first step.
static bool can_step(const LiaRunner* run) {
    bool scaled = run->scales.begun || run->out->effort.steps == 0;
    bool accurate = run->tolerance > 0.0 && run->step_tolerance > 0.0;
    return scaled && accurate && fabs(run->direction) == 1.0;
}

// All arrays of the block: numbers, then the active rows before the step, marks of guards and rows.
static void keep_arrays(LiaRunner* run, LiaKeep* keep) {
    size_t guards = run->dynamics->tape->guard_count;
    double* begin = run->block;
    size_t doubles = (size_t)((double*)(void*)run->old.active - begin);
    lia_keep_same(keep, doubles);
    lia_keep_doubles(keep, begin, doubles);
    lia_keep_rows(keep, run->old.active, run->old.nr, (size_t)run->w->nc);
    lia_keep_bools(keep, run->watch.at_root, guards);
    lia_keep_signs(keep, run->watch.crossing, guards);
    lia_keep_bools(keep, run->watch.live, guards);
    lia_keep_bools(keep, run->samples.shared, run->system->row_count);
    lia_keep_doubles(keep, run->samples.row_other, run->out->column_count);
    lia_keep_bools(keep, run->samples.row_shared, run->out->column_count);
}

// Which derivatives decide the forces may have changed along the run; the workspaces are made for
// them.
static void keep_workspaces(LiaRunner* run, LiaKeep* keep) {
    lia_keep_same(keep, run->dynamics == run->system->reduced);
    LiaRelativeDegree* degree = lia_keep_reads(keep) ? NULL : run->degree;
    lia_relative_degree_keep(&degree, keep, run->dynamics->nc);
    if (lia_keep_reads(keep)) {
        bool fits = degree ? degree->ahead <= LIA_JET_ORDER_MOST : !run->degree;
        if (!lia_keep_good(keep) || !fits) {
            lia_relative_degree_destroy(degree);
            lia_keep_refuse(keep);
            return;
        }
        if (degree && !lia_degree_change_take(run, degree)) {
            lia_keep_refuse(keep);
            return;
        }
    }
    lia_workspace_keep(run->w, keep);
    lia_workspace_keep(run->sampler, keep);
    lia_workspace_keep(run->full, keep);
    lia_impulse_keep(&run->corner.impulse, keep, run->system);
}

// --- the trajectory -----------------------------------------------------------------------------

static void keep_table(LiaRunner* run, LiaKeep* keep) {
    LiaTrajectory* out = run->out;
    size_t columns = out->column_count;
    lia_keep_same(keep, columns);
    for (size_t k = 0; k < columns; k++) lia_keep_bool(keep, &out->columns[k].shared);
    size_t rows =
        lia_keep_length(keep, out->rows.count, run->samples.total, columns * sizeof(double));
    bool shared = lia_keep_there(keep, out->rows.shared != NULL);
    if (lia_keep_reads(keep)) {
        if (!lia_keep_good(keep) || !lia_record_room(out, rows, shared)) {
            lia_keep_refuse(keep);
            return;
        }
        out->rows.count = rows;
    }
    lia_keep_doubles(keep, out->rows.values, rows * columns);
    if (shared) lia_keep_bools(keep, out->rows.shared, rows * columns);
    lia_keep_doubles(keep, out->final.values, columns);
    lia_keep_bools(keep, out->final.shared, columns);
}

// Is it one of a contact, or of what begins and ends?
static bool keep_kind(LiaEventRecord* record, LiaKeep* keep) {
    int kind = (int)record->kind;
    lia_keep_int(keep, &kind, LIA_EVENT_USER, LIA_EVENT_KINK);
    record->kind = (LiaEventKind)kind;
    return kind != LIA_EVENT_USER;
}

// Of what an event is, by its number: a contact, after them a rough constraint, after them a block
// of friction of a contact (NULL: it has none of this number); or a statement that begins and ends.
static const char* name_of(const LiaSystem* s, bool contact, int i) {
    if (!contact) return s->mode.any->switches[i].name;
    int rough = i - (int)s->contact_count, block = rough - (int)s->rough_count;
    if (block >= 0)
        return s->contacts[block / LIA_CONTACT_BLOCKS].block[block % LIA_CONTACT_BLOCKS].name;
    return rough < 0 ? s->contacts[i].name : s->rough[rough].name;
}

// How many numbers its impulse has.
static uint32_t numbers_of(const LiaSystem* s, bool contact, int i) {
    if (contact) return i < (int)s->contact_count ? s->contacts[i].rows : 0;
    const LiaSwitch* of = &s->mode.any->switches[i];
    return of->force ? 0 : lia_jumps_impulse(&s->model->constraints[of->index]).count;
}

static void keep_mode_event(LiaRunner* run, LiaEventRecord* record, LiaKeep* keep, size_t numbers) {
    const LiaSystem* s = run->contacts ? run->contacts->base : NULL;
    LiaArena* arena = run->out->arena;
    bool contact = record->kind < LIA_EVENT_BEGIN || record->kind == LIA_EVENT_KINK;
    int c = 0, most = !s ? 0
                      : contact
                          ? (int)((1 + LIA_CONTACT_BLOCKS) * s->contact_count + s->rough_count)
                          : (int)s->mode.any->switch_count;
    if (most == 0) lia_keep_refuse(keep);
    while (most && !lia_keep_reads(keep) && name_of(s, contact, c) != record->name) c++;
    lia_keep_int(keep, &c, 0, most - 1);
    if (!lia_keep_good(keep)) {
        lia_keep_refuse(keep);
        return;
    }
    record->name = name_of(s, contact, c);
    if (!record->name) lia_keep_refuse(keep);
    uint32_t count = numbers_of(s, contact, c);
    bool struck = lia_keep_there(keep, record->impulse != NULL);
    if (lia_keep_reads(keep)) {
        record->state = LIA_ARENA_NEW(arena, double, numbers + 1);
        record->impulse = struck ? LIA_ARENA_NEW(arena, double, count + 1) : NULL;
        record->impulse_count = struck ? count : 0;
    }
    if (!record->state || (struck && !record->impulse)) {
        lia_keep_refuse(keep);
        return;
    }
    lia_keep_double(keep, &record->t);
    lia_keep_double(keep, &record->energy);
    lia_keep_double(keep, &record->lost);
    int law = (int)record->law;
    lia_keep_int(keep, &law, 0, LIA_IMPACT_LAWS_MOST);
    record->law = (uint32_t)law;
    lia_keep_doubles(keep, (double*)record->state, numbers);
    if (struck) lia_keep_doubles(keep, (double*)record->impulse, count);
}

static void keep_event(LiaRunner* run, LiaEventRecord* record, LiaKeep* keep, size_t numbers) {
    const LiaModel* m = run->model;
    if (keep_kind(record, keep)) {
        keep_mode_event(run, record, keep, numbers);
        return;
    }
    int e = 0;
    while (!lia_keep_reads(keep) && m->events[e].name != record->name) e++;
    if (m->events_count == 0) lia_keep_refuse(keep);
    lia_keep_int(keep, &e, 0, (int)m->events_count - 1);
    double* state = (double*)record->state;
    if (lia_keep_reads(keep)) {
        state = LIA_ARENA_NEW(run->out->arena, double, numbers + 1);
        if (!state || !lia_keep_good(keep)) {
            lia_keep_refuse(keep);
            return;
        }
        *record =
            (LiaEventRecord){.name = m->events[e].name, .stop = m->events[e].stop, .state = state};
    }
    lia_keep_double(keep, &record->t);
    lia_keep_double(keep, &record->energy);
    lia_keep_int(keep, &record->direction, -1, 1);
    lia_keep_doubles(keep, state, numbers);
}

static void keep_events(LiaRunner* run, LiaKeep* keep) {
    LiaTrajectory* out = run->out;
    size_t numbers = lia_record_state_count(out);
    size_t count = lia_keep_length(keep, out->events.count, SIZE_MAX / sizeof *out->events.list,
                                   (1 + numbers) * sizeof(double));
    if (lia_keep_reads(keep)) out->events.count = 0;
    for (size_t i = 0; i < count && lia_keep_good(keep); i++) {
        LiaEventRecord* record = lia_keep_reads(keep) ? lia_events_add(out) : &out->events.list[i];
        if (record && lia_keep_reads(keep)) *record = (LiaEventRecord){0};
        bool none = run->model->events_count == 0 && !run->contacts;
        if (!record || none) {
            lia_keep_refuse(keep);
        } else {
            keep_event(run, record, keep, numbers);
        }
    }
}

static void keep_jump_velocities(LiaRunner* run, LiaJump* jump, LiaKeep* keep) {
    LiaTrajectory* out = run->out;
    for (size_t i = 0; i < jump->velocity_count && lia_keep_good(keep); i++) {
        LiaJumpVelocity* v = &jump->velocities[i];
        size_t column = lia_keep_reads(keep) ? 0 : (size_t)(v->column - out->columns);
        lia_keep_sizes(keep, &column, 1, out->column_count - 1);
        if (lia_keep_good(keep)) v->column = &out->columns[column];
        lia_keep_double(keep, &v->before);
        lia_keep_double(keep, &v->after);
    }
}

static void keep_jump_impulses(LiaRunner* run, LiaJump* jump, LiaKeep* keep) {
    const LiaModel* m = run->model;
    for (size_t i = 0; i < jump->impulse_count && lia_keep_good(keep); i++) {
        LiaJumpImpulse* x = &jump->impulses[i];
        int c = 0;
        while (!lia_keep_reads(keep) && m->constraints[c].name != x->name) c++;
        lia_keep_int(keep, &c, 0, (int)m->constraints_count - 1);
        if (!lia_keep_good(keep)) return;
        double* values = (double*)x->values;
        if (lia_keep_reads(keep)) {
            *x = lia_jumps_impulse(&m->constraints[c]);
            values = LIA_ARENA_NEW(run->out->arena, double, x->count + 1);
            x->values = values;
        }
        if (!values) {
            lia_keep_refuse(keep);
            return;
        }
        lia_keep_doubles(keep, values, x->count);
        lia_keep_double(keep, &x->work);
    }
}

static void keep_jump(LiaRunner* run, LiaJump* jump, LiaKeep* keep) {
    LiaArena* arena = run->out->arena;
    lia_keep_double(keep, &jump->t);
    lia_keep_bool(keep, &jump->unique);
    lia_keep_bool(keep, &jump->rubs);
    size_t velocities =
        lia_keep_length(keep, jump->velocity_count, run->out->column_count, sizeof(double));
    size_t impulses =
        lia_keep_length(keep, jump->impulse_count, run->model->constraints_count, sizeof(double));
    if (lia_keep_reads(keep)) {
        jump->velocities = LIA_ARENA_NEW(arena, LiaJumpVelocity, velocities + 1);
        jump->impulses = LIA_ARENA_NEW(arena, LiaJumpImpulse, impulses + 1);
        if (!jump->velocities || !jump->impulses || !lia_keep_good(keep)) {
            lia_keep_refuse(keep);
            return;
        }
        jump->velocity_count = velocities;
        jump->impulse_count = impulses;
    }
    keep_jump_velocities(run, jump, keep);
    keep_jump_impulses(run, jump, keep);
}

static void keep_jumps(LiaRunner* run, LiaKeep* keep) {
    LiaTrajectory* out = run->out;
    size_t count = lia_keep_length(keep, out->jumps.count, SIZE_MAX / sizeof *out->jumps.list,
                                   3 * sizeof(double));
    if (lia_keep_reads(keep)) out->jumps.count = 0;
    for (size_t i = 0; i < count && lia_keep_good(keep); i++) {
        LiaJump* jump = lia_keep_reads(keep) ? lia_jumps_add(out) : &out->jumps.list[i];
        if (jump && lia_keep_reads(keep)) *jump = (LiaJump){0};
        if (jump) {
            keep_jump(run, jump, keep);
        } else {
            lia_keep_refuse(keep);
        }
    }
    if (run->old.jumps > out->jumps.count) lia_keep_refuse(keep);
}

void lia_checkpoint_fields(LiaRunner* run, LiaKeep* keep) {
    LiaTrajectory* out = run->out;
    if (run->controls && !run->controls->outside) lia_control_keep(run, keep);
    if (run->contacts) lia_contacts_keep(run, keep);
    if (!lia_keep_good(keep)) return;
    keep_workspaces(run, keep);
    if (!lia_keep_good(keep)) return;
    lia_taylor_keep(&run->step, keep, run->system, run->dynamics);
    keep_numbers(run, keep);
    keep_arrays(run, keep);
    lia_keep_counts(keep, &out->effort.steps, 1);
    lia_keep_counts(keep, &out->effort.rejected, 1);
    if (lia_keep_reads(keep) && !can_step(run)) lia_keep_refuse(keep);
    lia_keep_double(keep, &out->ledger.start);
    keep_table(run, keep);
    keep_events(run, keep);
    keep_jumps(run, keep);
}
