// Events of contacts in the list of events; the modes that were visited.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "motion/contact/contacts.h"
#include "motion/contact/impact/impact.h"
#include "motion/events/events.h"
#include "motion/result/record.h"
#include <math.h>
#include <string.h>

// The state at the instant t at which a mode was looked for; run->w may be a short way into the
// mode (slip/slip_begin.c).
static double* state_at(LiaRunner* run, double t) {
    LiaWorkspace* w = run->w;
    LiaContacts* c = run->contacts;
    double *q = w->q, *v = w->v;
    if (t == c->t && w->t != t) w->q = c->q, w->v = c->v;
    double* state = lia_record_state(run, w);
    w->q = q, w->v = v;
    return state;
}

bool lia_contact_record_named(LiaRunner* run, LiaEventRecord event) {
    LiaTrajectory* out = run->out;
    uint32_t count = event.impulse ? event.impulse_count : 0;
    double* copy = event.impulse ? LIA_ARENA_NEW(out->arena, double, count + 1) : NULL;
    event.state = state_at(run, event.t);
    LiaEventRecord* record = event.state && (copy || !event.impulse) ? lia_events_add(out) : NULL;
    if (!record) return false;
    if (copy) memcpy(copy, event.impulse, count * sizeof *copy);
    *record = event;
    record->impulse = copy;
    record->impulse_count = count;
    run->contacts->events++;
    for (size_t k = out->events.count - 1; k > 0; k--) {  // in the order of time
        if (run->direction * (out->events.list[k - 1].t - out->events.list[k].t) <= 0.0) break;
        LiaEventRecord other = out->events.list[k];
        out->events.list[k] = out->events.list[k - 1];
        out->events.list[k - 1] = other;
    }
    return true;
}

bool lia_contact_record(LiaRunner* run, LiaEventKind kind, uint32_t contact, double t) {
    const char* name = run->contacts->base->contacts[contact].name;
    return lia_contact_record_named(run, (LiaEventRecord){.kind = kind, .name = name, .t = t});
}

static const char* words(LiaContactMode mode) {
    switch (mode) {
    case LIA_MODE_OPEN:
        return "open";
    case LIA_MODE_CLOSED:
        return "closed";
    case LIA_MODE_STICK:
        return "sticks";
    case LIA_MODE_FORWARD:
        return "slides (+)";
    case LIA_MODE_BACKWARD:
        return "slides (-)";
    case LIA_MODE_SLIDE:
        return "slides";
    case LIA_MODE_FORWARD_PULL:
        return "slides (+), N < 0";
    case LIA_MODE_BACKWARD_PULL:
        return "slides (-), N < 0";
    }
    return "";
}

// The first block is the slip where there is one.
static bool has_slip(const LiaContactFormulas* c) {
    return c->blocks == 0 || c->block[0].kind == LIA_FRICTION_SLIP;
}

// Of one contact by itself both ways of sliding are one; what has no slip is closed.
static const char* course_words(LiaContactMode mode, bool slips) {
    if (!slips && mode != LIA_MODE_OPEN) mode = LIA_MODE_CLOSED;
    return words(mode > LIA_MODE_STICK ? LIA_MODE_SLIDE : mode);
}

// --- works --------------------------------------------------------------------------------------

// What somebody did in a jump.
static double work_in(const LiaJump* jump, const char* name) {
    for (size_t k = 0; k < jump->impulse_count; k++) {
        if (jump->impulses[k].name == name) return jump->impulses[k].work;
    }
    return 0.0;
}

// Is it one by a contact?
static bool is_impact(const LiaRunner* run, const LiaJump* jump) {
    const LiaSystem* s = run->contacts->base;
    for (size_t i = 0; i < jump->impulse_count; i++) {
        for (uint32_t k = 0; k < s->contact_count; k++) {
            uint32_t constraint = s->contacts[k].constraint;
            if (jump->impulses[i].name == s->model->constraints[constraint].name) return true;
        }
    }
    return false;
}

// Do bodies of it move as functions of time? Then its friction has a line of its own.
static bool moves(const LiaSystem* s, uint32_t constraint) {
    for (uint32_t l = s->model->constraints_count; l < s->line_count; l++) {
        if (s->lines[l].part && s->lines[l].index == constraint) return true;
    }
    return false;
}

// What friction of a constraint took between impacts: all that it did, or a part of that where
// bodies move.
static double friction_of(const LiaRunner* run, uint32_t constraint, double between) {
    const LiaSystem* s = run->system;
    const LiaConstraint* of = &s->model->constraints[constraint];
    for (uint32_t l = s->model->constraints_count; l < s->line_count; l++) {
        if (s->lines[l].part && s->lines[l].index == constraint)
            return -run->direction * run->w->work[l];
    }
    return of->rough || lia_contact_law_rows(of->contact) > 1 ? -run->direction * between : 0.0;
}

static void take_friction(LiaRunner* run, uint32_t constraint, LiaContactWorks* of) {
    of->friction = friction_of(run, constraint, of->between);
    of->fed_impacts = run->direction * of->impacts + of->lost_impacts;
    of->fed = run->direction * of->between + of->friction;
}

// Works by impulses, and all others.
static void report_works(LiaRunner* run) {
    const LiaSystem* s = run->contacts->base;
    LiaTrajectory* out = run->out;
    out->contacts.works =
        LIA_ARENA_NEW(out->arena, LiaContactWorks, s->contact_count + s->rough_count + 1);
    LiaContactWorks* of = NULL;
    for (uint32_t k = 0; out->contacts.works && k < s->contact_count; k++) {
        uint32_t line = s->contacts[k].constraint;
        if (s->contacts[k].point == 0) {
            of = &out->contacts.works[out->contacts.count++];
            *of = (LiaContactWorks){.name = s->model->constraints[line].name,
                                    .between = run->w->work[line]};
        }
        for (size_t i = 0; i < out->events.count; i++) {
            if (out->events.list[i].kind != LIA_EVENT_IMPACT) continue;
            if (out->events.list[i].name != s->contacts[k].name) continue;
            of->impacts += out->events.list[i].energy;
            of->between -= out->events.list[i].energy;
            of->lost_impacts += out->events.list[i].lost;
        }
        take_friction(run, line, of);
    }
    for (uint32_t k = 0; out->contacts.works && k < s->rough_count; k++) {
        of = &out->contacts.works[out->contacts.count++];
        *of = (LiaContactWorks){.name = s->rough[k].name,
                                .between = run->w->work[s->rough[k].constraint]};
        for (size_t i = 0; i < out->jumps.count; i++) {
            double work = work_in(&out->jumps.list[i], of->name);
            of->impacts += work;
            of->between -= work;
        }
        if (!moves(s, s->rough[k].constraint)) of->lost_impacts = -run->direction * of->impacts;
        take_friction(run, s->rough[k].constraint, of);
    }
}

static const char* contact_words(const LiaContactFormulas* c, LiaContactMode mode) {
    return words(has_slip(c) || mode == LIA_MODE_OPEN ? mode : LIA_MODE_CLOSED);
}

static const char* turning_words(LiaFrictionKind kind, LiaContactMode mode) {
    bool rolls = kind == LIA_FRICTION_ROLLING;
    switch (mode) {
    case LIA_MODE_STICK:
        return rolls ? " and does not roll" : " and does not pivot";
    case LIA_MODE_FORWARD:
        return rolls ? " and rolls (+)" : " and pivots (+)";
    case LIA_MODE_BACKWARD:
        return rolls ? " and rolls (-)" : " and pivots (-)";
    case LIA_MODE_SLIDE:
        return rolls ? " and rolls" : " and pivots";
    default:
        return "";
    }
}

static void add_turning(const LiaContactFormulas* c, const LiaModeRoom* room, LiaText* text) {
    for (uint32_t b = 0; b < c->blocks; b++) {
        LiaContactMode mode = room->mode[c->block[b].place];
        if (c->block[b].kind == LIA_FRICTION_SLIP) continue;
        lia_text_add(text, "%s", turning_words(c->block[b].kind, mode));
    }
}

// What operators, and constraints that move, feed in during impacts.
static void report_feeds(LiaRunner* run) {
    const LiaModel* m = run->model;
    LiaTrajectory* out = run->out;
    out->contacts.feeds = LIA_ARENA_NEW(out->arena, LiaImpactFeed, m->constraints_count + 1);
    for (uint32_t c = 0; out->contacts.feeds && c < m->constraints_count; c++) {
        if (m->constraints[c].contact || m->constraints[c].internal) continue;
        if (m->constraints[c].rough) continue;  // in its works
        double sum = 0.0;
        for (size_t i = 0; i < out->jumps.count; i++) {
            const LiaJump* jump = &out->jumps.list[i];
            if (is_impact(run, jump)) sum += work_in(jump, m->constraints[c].name);
        }
        if (sum != 0.0)
            out->contacts.feeds[out->contacts.feed_count++] =
                (LiaImpactFeed){m->constraints[c].name, sum};
    }
}

// --- modes --------------------------------------------------------------------------------------

// "floor slides, wall open"; of many contacts those that are not open alone.
static void add_contacts(const LiaSystem* s, const LiaModeRoom* room, LiaText* text) {
    enum { MANY = 6 };
    bool many = s->contact_count > MANY, some = false;
    for (uint32_t k = 0; k < s->contact_count; k++) {
        uint32_t switched = s->contacts[k].switched;
        uint32_t at = switched ? lia_system_switch_place(s, switched - 1) : 0;
        bool off = switched && room->mode[at] == LIA_MODE_OPEN;
        if (many && (off || room->mode[k] == LIA_MODE_OPEN)) continue;
        lia_text_add(text, "%s%s %s", text->length > 0 ? ", " : "", s->contacts[k].name,
                     off ? "off" : contact_words(&s->contacts[k], room->mode[k]));
        if (!off) add_turning(&s->contacts[k], room, text);
        some = true;
    }
    if (many) lia_text_add(text, some ? ", others open" : "all contacts open");
}

// With the statements that begin and end: "floor slides, wall open, rope off"
static const char* text_of(LiaRunner* run, const LiaModeRoom* room) {
    const LiaSystem* s = run->contacts->base;
    LiaText text = {0};
    add_contacts(s, room, &text);
    for (uint32_t k = 0; k < s->mode.any->switch_count; k++) {
        const LiaSwitch* of = &s->mode.any->switches[k];
        if (!of->force && s->model->constraints[of->index].contact) continue;
        bool on = room->mode[lia_system_switch_place(s, k)] != LIA_MODE_OPEN;
        lia_text_add(&text, "%s%s %s", text.length > 0 ? ", " : "", of->name, on ? "on" : "off");
    }
    for (uint32_t k = 0; k < s->rough_count; k++) {
        LiaContactMode mode = room->mode[lia_system_rough_place(s, k)];
        if (lia_system_is_off(room->system, s->rough[k].constraint)) continue;
        lia_text_add(&text, "%s%s %s", text.length > 0 ? ", " : "", s->rough[k].name,
                     mode == LIA_MODE_CLOSED ? "without force" : words(mode));
    }
    const char* copy = text.data ? lia_arena_text(run->out->arena, text.data, text.length) : NULL;
    lia_text_clear(&text);
    return copy;
}

// The modes of one contact along the run; none where it is open all the time.
static void take_course(const LiaContacts* c, const LiaModeRoom* const* by_first, uint32_t contact,
                        bool slips, LiaContactCourse* out) {  // its place in a mode
    const char* before = NULL;
    bool closed = false;
    for (size_t i = 0; i < c->course.count; i++) {
        LiaContactMode mode = by_first[c->course.visit[i].mode]->mode[contact];
        const char* now = course_words(mode, slips);
        if (now == before) continue;
        if (out->changes) out->changes[out->count] = (LiaModeChange){c->course.visit[i].t, now};
        closed = closed || mode != LIA_MODE_OPEN;
        out->count++;
        before = now;
    }
    if (!closed) out->count = 0;
}

static void report_courses(LiaRunner* run) {
    const LiaContacts* c = run->contacts;
    LiaTrajectory* out = run->out;
    uint32_t contacts = c->base->contact_count, count = contacts + c->base->rough_count;
    out->contacts.courses = LIA_ARENA_NEW(out->arena, LiaContactCourse, count + 1);
    const LiaModeRoom** by_first =
        LIA_ARENA_NEW(out->arena, const LiaModeRoom*, (size_t)c->visited + 1);
    if (!out->contacts.courses || !by_first) return;
    for (size_t i = 0; i < c->room_count; i++) {
        if (c->rooms[i]->visits > 0) by_first[c->rooms[i]->first] = c->rooms[i];
    }
    for (uint32_t k = 0; k < count; k++) {
        bool rough = k >= contacts;
        uint32_t place = rough ? lia_system_rough_place(c->base, k - contacts) : k;
        bool slips = rough || has_slip(&c->base->contacts[k]);
        LiaContactCourse course = {.name = rough ? c->base->rough[k - contacts].name
                                                 : c->base->contacts[k].name};
        take_course(c, by_first, place, slips, &course);
        if (course.count == 0) continue;
        course.changes = LIA_ARENA_NEW(out->arena, LiaModeChange, course.count);
        if (!course.changes) return;
        course.count = 0;
        take_course(c, by_first, place, slips, &course);
        out->contacts.courses[out->contacts.course_count++] = course;
    }
}

// Has it a normal impulse, and no other? Its friction comes last.
static bool is_bare(const LiaJumpImpulse* x) {
    bool pressed = false;
    for (uint32_t i = 0; i + 1 < x->count; i++) pressed |= x->values[i] != 0.0;
    return pressed && x->values[x->count - 1] == 0.0;
}

// Did a rough constraint bear an impact without friction? One that rests needs none.
static void doubt_impacts(LiaRunner* run, const LiaRoughFormulas* of) {
    const LiaTrajectory* out = run->out;
    const LiaConstraint* c = &run->model->constraints[of->constraint];
    for (size_t i = 0; i < out->jumps.count; i++) {
        if (out->jumps.list[i].rubs && of->normals == 1) continue;
        for (size_t k = 0; k < out->jumps.list[i].impulse_count; k++) {
            const LiaJumpImpulse* x = &out->jumps.list[i].impulses[k];
            if (x->name != of->name || !is_bare(x)) continue;
            lia_diag_warning(run->diags, c->name_span, "W0440",
                             "'%s' bears an impact at t = %.10g, and has no friction in it",
                             of->name, out->jumps.list[i].t);
            return;
        }
    }
}

// Impacts that have several outcomes: which of them, and how many.
static void doubt_outcomes(LiaRunner* run) {
    const LiaTrajectory* out = run->out;
    const LiaEventRecord* first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < out->events.count; i++) {
        const LiaEventRecord* event = &out->events.list[i];
        if (!lia_impact_law_chooses(event->law)) continue;
        bool same = i > 0 && count > 0 && out->events.list[i - 1].t == event->t;
        count += !same;
        if (!first) first = event;
    }
    if (!first) return;
    LiaSpan span = {0};
    const LiaSystem* s = run->contacts->base;
    for (uint32_t k = 0; k < s->contact_count; k++) {
        if (s->contacts[k].name == first->name)
            span = s->model->constraints[s->contacts[k].constraint].name_span;
    }
    lia_diag_warning(run->diags, span, "W0443",
                     "%zu impact%s of several contacts %s several outcomes, of which the one that "
                     "loses the most energy was taken, or the one with the least impulses of "
                     "compression; the first is that of '%s' at t = %.10g",
                     count, count == 1 ? "" : "s", count == 1 ? "has" : "have", first->name,
                     first->t);
}

static const LiaContactFormulas* contact_of(const LiaSystem* s, const char* name) {
    for (uint32_t k = 0; k < s->contact_count; k++) {
        if (s->contacts[k].name == name) return &s->contacts[k];
    }
    return NULL;
}

// Does the law of this contact give back no more than was taken?
static bool is_passive(const LiaSystem* s, const LiaContactFormulas* c) {
    LiaNumber e;
    return c && lia_graph_constant(s->graph, c->restitution, &e) && e.value <= 1.0;
}

// An impact loses energy, relative to what is driven, or none: that of all contacts together. It is
// a certificate of the impulses, which the ledger is none of: their work is in it.
static void doubt_gains(LiaRunner* run) {
    const LiaTrajectory* out = run->out;
    const LiaSystem* s = run->contacts->base;
    double gain = 0.0;
    for (size_t i = 0; run->direction > 0.0 && i < out->events.count; i++) {
        const LiaEventRecord* event = &out->events.list[i];
        if (event->kind != LIA_EVENT_IMPACT) continue;
        bool same = i > 0 && out->events.list[i - 1].t == event->t;
        bool ends = i + 1 == out->events.count || out->events.list[i + 1].t != event->t;
        const LiaContactFormulas* of = contact_of(s, event->name);
        gain = (same ? gain : 0.0) + (is_passive(s, of) ? -event->lost : -INFINITY);
        if (!ends || !(gain > LIA_IMPACT_GIVEN_BACK * lia_scale_energy(&run->scales))) continue;
        lia_diag_warning(run->diags, s->model->constraints[of->constraint].name_span, "W0445",
                         "the impact at t = %.10g gives back %.3g more energy than it took",
                         event->t, gain);
        lia_diag_help(run->diags, "the motion is not to be trusted from there on, unless Newton's "
                                  "restitution was asked for, which can do so with friction");
        return;
    }
}

// Motions that were chosen among several.
static void doubt_motions(LiaRunner* run) {
    const LiaContactChoices* choices = &run->contacts->course.choices;
    const LiaSystem* s = run->contacts->base;
    if (choices->count == 0) return;
    const LiaContactFormulas* of = &s->contacts[choices->contact];
    lia_diag_warning(run->diags, s->model->constraints[of->constraint].name_span, "W0444",
                     "%llu time%s several motions satisfy the laws of the contacts, and one of "
                     "them was taken; first where '%s' touches at t = %.10g",
                     (unsigned long long)choices->count, choices->count == 1 ? "" : "s", of->name,
                     choices->t);
}

// Against the time: a contact that is closed may have been reached by an impact.
static void doubt_past(LiaRunner* run, const LiaContactCourse* course) {
    const LiaSystem* s = run->contacts->base;
    LiaNumber e;
    uint32_t k = 0;
    while (k < s->contact_count && s->contacts[k].name != course->name) k++;
    if (run->direction > 0.0 || k == s->contact_count) return;
    if (lia_graph_constant(s->graph, s->contacts[k].restitution, &e) && e.value == 1.0) return;
    lia_diag_warning(run->diags, s->model->constraints[s->contacts[k].constraint].span, "W0441",
                     "'%s' is closed in the past that was taken: it may also have been reached by "
                     "impacts, which are not known from what comes after",
                     course->name);
}

void lia_contact_record_all(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    LiaTrajectory* out = run->out;
    if (!c || lia_system_mode_count(c->base) == 0) return;
    report_works(run);
    report_feeds(run);
    report_courses(run);
    doubt_outcomes(run);
    doubt_gains(run);
    doubt_motions(run);
    for (uint32_t k = 0; k < c->base->rough_count; k++) doubt_impacts(run, &c->base->rough[k]);
    for (size_t k = 0; k < out->contacts.course_count; k++)
        doubt_past(run, &out->contacts.courses[k]);
    c->rooms[c->now]->time += fabs(run->w->t - c->since);
    c->since = run->w->t;
    out->contacts.modes = LIA_ARENA_NEW(out->arena, LiaModeRecord, c->room_count + 1);
    for (size_t i = 0; out->contacts.modes && i < c->room_count; i++) {
        const LiaModeRoom* room = c->rooms[i];
        if (room->visits == 0) continue;
        const char* text = text_of(run, room);
        if (text)
            out->contacts.modes[room->first] = (LiaModeRecord){text, room->time, room->visits};
    }
    if (out->contacts.modes) out->contacts.mode_count = c->visited;
}
