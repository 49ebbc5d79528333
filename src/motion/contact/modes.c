// The modes a run has been in, each with its room; from one to the next. See contacts.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/contact/contacts.h"
#include "mechanics/degree/answers.h"
#include "motion/contact/contact_rows.h"
#include "motion/contact/contacts.h"
#include "motion/contact/near.h"
#include "motion/contact/rough/rough_values.h"
#include "motion/run/begin.h"
#include "motion/singular/degree_change.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- rooms -------------------------------------------------------------------------------------

static bool same_mode(const LiaContacts* c, const LiaContactMode* a, const LiaContactMode* b) {
    return memcmp(a, b, lia_system_mode_count(c->base) * sizeof *a) == 0;
}

static bool make_place(LiaContacts* c) {
    if (c->room_count < c->room_capacity) return true;
    size_t capacity = c->room_capacity ? 2 * c->room_capacity : 8;
    LiaModeRoom** rooms = lia_memory_resize(c->rooms, capacity * sizeof *rooms);
    if (!rooms) return false;
    c->rooms = rooms;
    c->room_capacity = capacity;
    return true;
}

static void destroy_probes(LiaModeRoom* room) {
    lia_workspace_destroy(room->probe);
    lia_workspace_destroy(room->given);
    lia_relative_degree_destroy(room->probe_degree);
    lia_relative_degree_destroy(room->given_degree);
    room->probe = room->given = NULL;
    room->probe_degree = room->given_degree = NULL;
}

static void destroy_room(LiaContacts* c, LiaModeRoom* room) {
    if (!room) return;
    if (room->made) {
        lia_workspace_destroy(room->w);
        lia_workspace_destroy(room->sampler);
        lia_workspace_destroy(room->full);
        lia_taylor_clear(&room->step);
        lia_enclosure_clear(&room->enclosure);
        lia_noise_destroy(room->noise);
        lia_forward_error_clear(&room->certainty);
        lia_impulse_clear(&room->impulse);
        lia_relative_degree_destroy(room->degree);
        free(room->block);
    }
    lia_impulse_clear(&room->open_impulse);
    if (room->awake) lia_parts_clear(room->awake);
    free(room->awake);
    free(room->gap_at);
    destroy_probes(room);
    if (room->system != c->base) lia_contacts_destroy_mode(room->system);
    free(room->mode);
    free(room);
}

// The laws of controls as they are now, in all workspaces of a room.
static bool load_laws(const LiaRunner* run, LiaModeRoom* room) {
    if (!run->controls || room->laws == run->controls->laws) return true;
    LiaSystem* s = room->system;
    if (s != run->controls->system && !lia_parameters_follow(s)) return false;
    bool parts = room->made && room != run->contacts->rooms[run->contacts->now];
    LiaWorkspace* const all[] = {room->probe,   room->given, room->open_impulse.w, room->w,
                                 room->sampler, room->full,  room->impulse.w};
    for (size_t i = 0; i < (parts ? sizeof all / sizeof *all : 3); i++) {
        if (all[i]) lia_parameters_load(s, all[i]);
    }
    room->laws = run->controls->laws;
    return true;
}

static LiaModeRoom* make_room(LiaRunner* run, const LiaContactMode* mode) {
    LiaContacts* c = run->contacts;
    LiaModeRoom* room = make_place(c) ? lia_memory_zeros(1, sizeof *room) : NULL;
    if (!room) return NULL;
    size_t count = lia_system_mode_count(c->base);
    room->mode = lia_memory_take((count + 1) * sizeof *mode);
    if (room->mode) memcpy(room->mode, mode, count * sizeof *mode);
    room->system = same_mode(c, mode, c->base->mode.now) ? c->base
                   : room->mode                          ? lia_contacts_mode(c->base, mode)
                                                         : NULL;
    if (!room->mode || !room->system) {
        destroy_room(c, room);
        return NULL;
    }
    c->rooms[c->room_count++] = room;
    return room;
}

LiaModeRoom* lia_modes_room(LiaRunner* run, const LiaContactMode* mode) {
    LiaContacts* c = run->contacts;
    LiaModeRoom* room = NULL;
    for (size_t i = 0; i < c->room_count && !room; i++) {
        if (same_mode(c, c->rooms[i]->mode, mode)) room = c->rooms[i];
    }
    if (!room) room = make_room(run, mode);
    return room && load_laws(run, room) ? room : NULL;
}

LiaModeRoom* lia_modes_open(LiaRunner* run) {
    return lia_modes_room(run, run->contacts->begins.open);
}

// Rows that begin: the value that one keeps is that of now.
static void begin_phi_start(LiaWorkspace* w) {
    bool any = false;
    for (int c = 0; c < w->nc; c++) {
        if (!isnan(w->phi_start[c])) continue;
        w->phi_start[c] = 0.0;
        any |= w->system->rows[w->dynamics->rows[c]].integrated;
    }
    if (!any) return;
    lia_workspace_update(w, 1);
    for (int c = 0; c < w->nc; c++) {
        bool integrated = w->system->rows[w->dynamics->rows[c]].integrated;
        if (integrated && w->phi_start[c] == 0.0) w->phi_start[c] = w->phi[c];
    }
}

// The state of one workspace in another of a system with the same coordinates.
static void copy_state(const LiaRunner* run, const LiaWorkspace* from, LiaWorkspace* to) {
    lia_workspace_put(to, from->t, from->q, from->v);
    to->projection.fine = from->projection.fine;
    memcpy(to->work, from->work, from->system->line_count * sizeof(double));
    // sides that the other does not know are those of the state
    double instant = LIA_INSTANT_TIME * lia_time_size(run, from->t);
    lia_workspace_inspect(to, run->direction * instant);
    lia_workspace_take_sides(to, from);
    bool fresh = false;
    for (int c = 0; c < to->nc; c++) {
        bool found = false;
        for (int k = 0; k < from->nc && !found; k++) {
            found = from->dynamics->rows[k] == to->dynamics->rows[c];
            if (found) to->phi_start[c] = from->phi_start[k];
        }
        if (!found) to->phi_start[c] = NAN;
        fresh |= !found;
    }
    if (fresh) begin_phi_start(to);
}

// The degree is that of the mode that holds: contacts do not change which derivatives of the
// operators' equations have their forces in them (degree/answers.h).
static bool same_degree(const LiaRelativeDegree* a, const LiaRelativeDegree* b) {
    bool same = a && b ? a->count == b->count : a == b;
    for (int i = 0; same && a && i < a->count; i++)
        same = a->row[i] == b->row[i] && a->base[i] == b->base[i] && a->shift[i] == b->shift[i];
    return same;
}

static LiaWorkspace* make_workspace(const LiaModeRoom* room, const LiaRelativeDegree* degree) {
    LiaWorkspace* w =
        lia_workspace_create(room->system, room->system->plain, degree ? degree->ahead + 2 : 1);
    if (w && degree && !lia_relative_degree_attach(w, degree)) {
        lia_workspace_destroy(w);
        w = NULL;
    }
    return w;
}

LiaWorkspace* lia_modes_probe(LiaRunner* run, LiaModeRoom* room) {
    LiaRelativeDegree* degree = NULL;
    const LiaDynamics* plain = room->system->plain;
    if (run->degree && !lia_relative_degree_among(run->degree, run->dynamics, plain, &degree))
        return NULL;
    if (!room->probe || !same_degree(degree, room->probe_degree)) {
        destroy_probes(room);
        lia_impulse_clear(&room->open_impulse);
        room->probe_degree = degree;
        degree = NULL;
        room->probe = make_workspace(room, room->probe_degree);
    }
    lia_relative_degree_destroy(degree);
    if (room->probe) copy_state(run, run->w, room->probe);
    return room->probe;
}

LiaWorkspace* lia_modes_given(LiaRunner* run, LiaModeRoom* room, const uint32_t* rows, int count) {
    const LiaWorkspace* probe = lia_modes_probe(run, room);
    if (!probe) return NULL;
    if (!room->given) {
        int* row = lia_memory_zeros((size_t)count + 1, sizeof *row);
        for (int i = 0; row && i < count; i++) row[i] = lia_workspace_row(probe, rows[i]);
        if (row) room->given_degree = lia_answers_rows(probe, room->probe_degree, row, count);
        free(row);
        if (room->given_degree) room->given = make_workspace(room, room->given_degree);
    }
    if (room->given) copy_state(run, run->w, room->given);
    return room->given;
}

// --- from one mode to another ------------------------------------------------------------------

static void stash(const LiaRunner* run, LiaModeRoom* room) {
    room->made = true;
    room->dynamics = run->dynamics;
    room->w = run->w;
    room->sampler = run->sampler;
    room->full = run->full;
    room->step = run->step;
    room->enclosure = run->checks.enclosure;
    room->noise = run->checks.noise;
    room->certainty = run->checks.digits.certainty;
    room->impulse = run->corner.impulse;
    room->degree = run->degree;
    room->size_most = run->course.size_most;
    room->block = run->block;
}

static void fetch(LiaRunner* run, const LiaModeRoom* room) {
    run->system = room->system;
    run->dynamics = room->dynamics;
    run->w = room->w;
    run->sampler = room->sampler;
    run->full = room->full;
    run->step = room->step;
    run->checks.enclosure = room->enclosure;
    run->checks.noise = room->noise;
    run->checks.digits.certainty = room->certainty;
    run->corner.impulse = room->impulse;
    run->degree = room->degree;
    run->course.size_most = room->size_most;
    run->block = room->block;
    lia_begin_lay_out(run);
}

static bool make_parts(const LiaRunner* run, LiaModeRoom* room) {
    LiaRunner fresh = *run;
    fresh.system = room->system;
    fresh.w = fresh.sampler = fresh.full = NULL;
    fresh.corner.impulse = (LiaImpulse){0};
    fresh.degree = NULL;
    fresh.step = (LiaStep){0};
    fresh.checks.enclosure = (LiaEnclosure){0};
    fresh.checks.noise = NULL;
    fresh.checks.digits.certainty = (LiaForwardError){0};
    fresh.block = NULL;
    bool reduced = run->dynamics == run->system->reduced;
    bool good = lia_begin_room(&fresh, reduced ? room->system->reduced : room->system->plain);
    if (!good) {
        lia_begin_clear_room(&fresh);
        return false;
    }
    stash(&fresh, room);
    return true;
}

const LiaContactMode* lia_modes_now(const LiaRunner* run) {
    return run->contacts->rooms[run->contacts->now]->mode;
}

LiaModeVisit* lia_modes_add_visit(LiaContacts* c) {
    if (c->course.count == c->course.capacity) {
        size_t capacity = c->course.capacity ? 2 * c->course.capacity : 16;
        LiaModeVisit* more = lia_memory_resize(c->course.visit, capacity * sizeof *more);
        if (!more) return NULL;
        c->course.visit = more;
        c->course.capacity = capacity;
    }
    return &c->course.visit[c->course.count++];
}

void lia_modes_visit(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    LiaModeRoom* room = c->rooms[c->now];
    if (room->visits++ == 0) room->first = c->visited++;
    c->since = c->t;
    LiaModeVisit* visit = lia_modes_add_visit(c);  // without memory the run ends anyway
    if (visit) *visit = (LiaModeVisit){c->since, room->first};
}

// Formulas that have their root where the corner is have it in every mode: rounding says nothing of
// the side that they are on.
static void carry_roots(LiaRunner* run, const LiaRunner* old) {
    const LiaTape *to = run->dynamics->tape, *from = old->dynamics->tape;
    memset(run->watch.at_root, 0, to->guard_count);
    for (uint32_t k = 0; k < from->guard_count; k++) {
        if (!old->watch.at_root[k]) continue;
        for (uint32_t g = 0; g < to->guard_count; g++)
            run->watch.at_root[g] |= lia_guard_same(&from->guards[k], &to->guards[g]);
    }
}

// Numbers that go on whatever the mode, and the polynomials of the last step.
static void carry(LiaRunner* run, const LiaRunner* old) {
    memcpy(run->block, old->block, lia_begin_carried(run) * sizeof(double));
    lia_taylor_copy(&run->step, &old->step, run->system);
    memcpy(run->samples.shared, old->samples.shared, run->system->row_count);
    copy_state(old, old->w, run->w);
    copy_state(old, old->w, run->sampler);
    memcpy(run->watch.event_fires, old->watch.event_fires,
           run->model->events_count * sizeof *run->watch.event_fires);
    carry_roots(run, old);
    memset(run->watch.crossing, 0, run->dynamics->tape->guard_count);
    run->balance.known = false;
    run->old.nr = 0;  // of a step that is over, in another mode
}

// Into a mode that is entered for the first time, the degree of operators that act through springs;
// where statements begin or end it is found anew.
static bool take_degree(LiaRunner* run, const LiaRunner* old, const LiaContactMode* before) {
    const LiaSystem* s = run->contacts->base;
    size_t first = lia_system_switch_place(s, 0), count = lia_system_mode_count(s) - first;
    LiaRelativeDegree* degree;
    if (!old->degree || run->degree) return true;
    if (memcmp(lia_modes_now(run) + first, before + first, count * sizeof *before) != 0)
        return true;
    if (!lia_relative_degree_among(old->degree, old->dynamics, run->dynamics, &degree))
        return false;
    return !degree || lia_degree_change_take(run, degree);
}

bool lia_modes_enter(LiaRunner* run, const LiaContactMode* mode) {
    LiaContacts* c = run->contacts;
    LiaModeRoom* room = lia_modes_room(run, mode);
    LiaModeRoom* before = c->rooms[c->now];
    if (!room) return false;
    if (room == before) return true;
    if (!room->made && !make_parts(run, room)) return false;
    stash(run, before);
    LiaRunner old = *run;
    fetch(run, room);
    carry(run, &old);
    for (size_t i = 0; i < c->room_count; i++) {
        if (c->rooms[i] == room) c->now = i;
    }
    lia_near_enter(run);
    return take_degree(run, &old, before->mode);
}

// --- making and releasing ----------------------------------------------------------------------

LiaStatus lia_modes_create(LiaRunner* run) {
    const LiaSystem* s = run->system;
    size_t count = s->contact_count, modes = lia_system_mode_count(s);
    if (modes == 0 && !lia_model_sets_states(run->model)) return LIA_OK;
    LiaContacts* c = lia_memory_zeros(1, sizeof *c);
    run->contacts = c;
    if (!c) return LIA_MEMORY;
    c->base = (LiaSystem*)s;
    c->vanish = lia_memory_zeros(lia_system_watched_most(s) + 1, sizeof *c->vanish);
    c->fires = lia_memory_zeros(lia_system_watched_most(s) + 1, sizeof *c->fires);
    c->rests = lia_memory_zeros(modes + 1, sizeof *c->rests);
    c->touched = lia_memory_zeros(count + 1, sizeof *c->touched);
    c->leaves = lia_memory_zeros(count + 1, sizeof *c->leaves);
    c->rounding.still = lia_memory_zeros(modes + 1, sizeof *c->rounding.still);
    c->rounding.gap = lia_memory_zeros(count + 1, sizeof *c->rounding.gap);
    c->rounding.force = lia_memory_zeros(2 * count + 3 * modes + 1, sizeof *c->rounding.force);
    if (c->rounding.force) {
        c->rounding.acceleration = c->rounding.force + count;
        c->rounding.slip = c->rounding.acceleration + count;
        c->rounding.square = c->rounding.slip + modes;
        c->rounding.none = c->rounding.square + modes;
    }
    c->accumulates = lia_memory_zeros(count + 1, sizeof *c->accumulates);
    c->begins.fired = lia_memory_zeros(run->model->events_count + 1, sizeof *c->begins.fired);
    c->rough.at = lia_memory_zeros(s->rough_count + 1, sizeof *c->rough.at);
    c->rough.values = lia_rough_values_create(s);
    c->begins.quiet = lia_memory_zeros(count + 1, sizeof *c->begins.quiet);
    c->wanted = lia_memory_zeros(4 * modes + 1, sizeof *c->wanted);
    c->q = lia_memory_zeros(2 * (size_t)s->n + s->line_count + 1, sizeof(double));
    c->formulas = lia_contact_rows_create(s);
    c->near = lia_near_pays(s) ? lia_near_create(s) : NULL;
    bool good = c->vanish && c->fires && c->rests && c->touched && c->leaves && c->rounding.still &&
                c->rounding.gap && c->rounding.force && c->accumulates && c->wanted &&
                c->rough.at && c->rough.values && c->begins.quiet && c->begins.fired && c->q &&
                c->formulas && (c->near || !lia_near_pays(s)) &&
                lia_taylor_init_motion(&c->last, s, run->step.order);
    if (!good) return LIA_MEMORY;
    c->trial = c->wanted + modes;
    c->begins.open = c->trial + modes;
    c->begins.between = c->begins.open + modes;
    memcpy(c->begins.open, s->mode.now, modes * sizeof *c->begins.open);
    c->v = c->q + s->n;
    c->work = c->v + s->n;
    for (size_t k = 0; k < count; k++) c->accumulates[k] = NAN;
    return lia_modes_open(run) ? LIA_OK : LIA_MEMORY;
}

void lia_modes_destroy(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    if (!c) return;
    for (size_t i = 0; i < c->room_count; i++) {
        if (i == c->now) c->rooms[i]->made = false;  // its parts are those of the run
        destroy_room(c, c->rooms[i]);
    }
    lia_contact_rows_destroy(c->formulas);
    lia_near_destroy(c->near);
    free(c->rooms);
    free(c->course.visit);
    free(c->vanish);
    free(c->fires);
    free(c->rests);
    free(c->touched);
    free(c->leaves);
    free(c->rounding.still);
    free(c->rounding.gap);
    free(c->rounding.force);
    free(c->accumulates);
    lia_taylor_clear(&c->last);
    free(c->q);
    free(c->wanted);
    free(c->rough.at);
    lia_rough_values_destroy(c->rough.values);
    free(c->begins.quiet);
    free(c->begins.fired);
    free(c);
    run->contacts = NULL;
}
