// What happens to the contacts of a run where a mode ends.
//
//   1. who touches: closed contacts, those whose gap has just become zero, those whose gap is rounding
//   2. if one of them is approached: an impact (collide.c); who separates by it touches no more
//   3. which mode goes on (decide.c), and what it is called
//
// SPDX-License-Identifier: MIT
#include "motion/contact/contacts.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "motion/run/step.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- who touches ---------------------------------------------------------------------------------

// Contacts with gap = 0; `fired`: those of the step that has just ended too. False if memory is out.
bool lia_contacts_touching(LiaRunner* run, bool fired, bool* touches) {
    LiaContacts* c = run->contacts;
    const LiaSystem* s = run->system;
    LiaGaps gaps;
    bool good = lia_gaps_find(run, &gaps);
    for (uint32_t k = 0; good && k < s->contact_count; k++) {
        bool closed = s->mode[k] != LIA_MODE_OPEN;
        touches[k] = closed || fabs(gaps.value[k]) <= gaps.rounding[k];
    }
    for (uint32_t i = 0; good && fired && i < s->watched_count; i++) {
        if (c->fires[i] && s->watched[i].kind == LIA_WATCH_GAP)
            touches[s->watched[i].contact] = true;
    }
    lia_gaps_clear(&gaps);
    return good;
}

// What sticks rests, and so does what has just stopped to slide.
static void find_resting(LiaRunner* run, bool fired) {
    LiaContacts* c = run->contacts;
    const LiaSystem* s = run->system;
    for (uint32_t k = 0; k < s->contact_count; k++) {
        c->rests[k] = s->mode[k] == LIA_MODE_STICK;
        c->leaves[k] = false;
    }
    for (uint32_t i = 0; fired && i < s->watched_count; i++) {
        if (c->fires[i] && s->watched[i].kind == LIA_WATCH_SLIP)
            c->rests[s->watched[i].contact] = true;
    }
}

bool lia_contacts_approached(const LiaResponse* r, int k) {
    int row = r->contact[k].normal;
    return r->velocity[row] < -r->noise_v[row];
}

// Those that separate touch no more.
static void drop_separating(const LiaResponse* r, bool* touches, bool* leaves) {
    for (int k = 0; k < r->at_rest.contacts; k++) {
        int row = r->contact[k].normal;
        bool away = r->velocity[row] > r->noise_v[row];
        leaves[r->touching[k]] = away;
        if (away) touches[r->touching[k]] = false;
    }
}

// Impacts, as long as a touching contact is approached. False where the motion ends.
static bool strike(LiaRunner* run, bool* touches) {
    enum { IMPACTS_MOST = 1000 };
    LiaContacts* c = run->contacts;
    for (int pass = 0; pass < IMPACTS_MOST; pass++) {
        LiaResponse r;
        LiaResponseFound found = lia_response_make(run, touches, &r);
        bool approached = false, good = found == LIA_RESPONSE_FOUND;
        if (found == LIA_RESPONSE_SINGULAR) lia_verdict_singular(run, c->rooms[0]->probe);
        for (int k = 0; good && k < r.at_rest.contacts; k++)
            approached |= lia_contacts_approached(&r, k);
        if (good && approached) {
            good = lia_collide(run, &r);
            for (uint32_t k = 0; k < c->base->contact_count; k++) c->rests[k] = false;
        } else if (good) {
            drop_separating(&r, touches, c->leaves);
        }
        lia_response_clear(&r);
        if (!good || !approached) return good;
    }
    return false;
}

// --- what it is called ---------------------------------------------------------------------------

static bool slides(LiaContactMode mode) { return mode > LIA_MODE_STICK; }

static bool tell_change(LiaRunner* run, uint32_t k, LiaContactMode from, LiaContactMode to) {
    LiaContacts* c = run->contacts;
    double t = c->t;  // of the instant: the state may be a little later
    bool good = true;
    if (!isnan(c->accumulates[k])) {
        t = c->accumulates[k];
        c->accumulates[k] = NAN;
        good = lia_contact_record(run, LIA_EVENT_ACCUMULATION, k, t, NULL, 0.0);
    }
    // a slip of two components that goes through zero slides on in another direction
    if (from == to && !(to == LIA_MODE_SLIDE && c->rests[k])) return good;
    LiaEventKind kind = from == LIA_MODE_OPEN ? LIA_EVENT_CONTACT
                        : to == LIA_MODE_OPEN ? LIA_EVENT_RELEASE
                        : slides(to)          ? LIA_EVENT_SLIP
                                              : LIA_EVENT_STICK;
    return good && lia_contact_record(run, kind, k, t, NULL, 0.0);
}

// Has the mode changed? Then its time begins.
static bool tell(LiaRunner* run, LiaModeRoom* before) {
    LiaContacts* c = run->contacts;
    const LiaModeRoom* now = c->rooms[c->now];
    double t = run->w->t;
    if (now != before) {
        before->time += t - c->since;
        lia_modes_visit(run);
    }
    for (uint32_t k = 0; k < c->base->contact_count; k++) {
        if (!tell_change(run, k, before->mode[k], now->mode[k])) return false;
    }
    return true;
}

// --- where a mode ends ---------------------------------------------------------------------------

// The polynomials of the last step stay those of the run, though others were made on the way.
static void keep_step(LiaRunner* run, bool back) {
    LiaContacts* c = run->contacts;
    double *kept = c->step, *own = run->step.block;
    if (back) {
        memcpy(own, kept, c->step_size * sizeof(double));
        run->step.t = c->step_t;
        run->step.h = c->step_h;
    } else {
        memcpy(kept, own, c->step_size * sizeof(double));
        c->step_t = run->step.t;
        c->step_h = run->step.h;
    }
}

// From the state in run->w to one in which a step can begin.
static bool pass_from(LiaRunner* run, LiaModeRoom* before, bool fired, bool tells) {
    LiaContacts* c = run->contacts;
    bool* touches = lia_memory_zeros(c->base->contact_count + 1, sizeof *touches);
    keep_step(run, false);
    bool good = touches && lia_contacts_touching(run, fired, touches);
    if (good) find_resting(run, fired);
    good = good && strike(run, touches) && lia_decide_mode(run, touches);
    free(touches);
    keep_step(run, true);
    run->balance.known = false;
    return good && (!tells || tell(run, before));
}

bool lia_contacts_pass(LiaRunner* run, bool fired, bool tells) {
    LiaContacts* c = run->contacts;
    return pass_from(run, c->rooms[c->now], fired, tells);
}

LiaOutcome lia_contacts_happen(LiaRunner* run) {
    if (lia_contacts_pass(run, true, true)) return LIA_OUTCOME_GO_ON;
    return run->out->reason.code ? LIA_OUTCOME_ENDED : LIA_OUTCOME_NO_MEMORY;
}

// --- corners -------------------------------------------------------------------------------------

bool lia_contacts_closed(const LiaRunner* run) {
    const LiaSystem* s = run->system;
    for (uint32_t k = 0; k < s->contact_count; k++) {
        if (s->mode[k] != LIA_MODE_OPEN) return true;
    }
    return false;
}

bool lia_contacts_crossed(LiaRunner* run) {
    bool crossed = run->contacts->crossed;
    run->contacts->crossed = false;
    return crossed;
}

// The guards that have their root here, of another way to run the system.
static void take_crossing(LiaRunner* run, const LiaTape* from, const signed char* crossing) {
    const LiaTape* to = run->dynamics->tape;
    for (uint32_t g = 0; g < to->guard_count; g++) {
        run->watch.crossing[g] = 0;
        for (uint32_t k = 0; k < from->guard_count; k++) {
            if (crossing[k] && from->guards[k].node.index == to->guards[g].node.index &&
                from->guards[k].rule == to->guards[g].rule)
                run->watch.crossing[g] = crossing[k];
        }
    }
}

// With all contacts open over the corner. False where the motion ends.
static bool cross_open(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    const LiaTape* tape = run->dynamics->tape;
    signed char* crossing = lia_memory_take(tape->guard_count + 1);
    if (!crossing) return false;
    memcpy(crossing, run->watch.crossing, tape->guard_count);
    for (uint32_t k = 0; k < c->base->contact_count; k++) c->wanted[k] = LIA_MODE_OPEN;
    bool ends = false, good = lia_modes_enter(run, c->wanted);
    if (good) {
        take_crossing(run, tape, crossing);
        good = lia_step_arrive(run, NULL, NULL) && lia_step_cross(run, &ends);
    }
    free(crossing);
    return good && !ends;
}

LiaOutcome lia_contacts_cross(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    LiaModeRoom* before = c->rooms[c->now];
    memset(c->fires, 0, run->system->watched_count * sizeof *c->fires);
    keep_step(run, false);
    bool good = cross_open(run);
    keep_step(run, true);
    c->crossed = true;
    if (good && pass_from(run, before, false, true)) return LIA_OUTCOME_GO_ON;
    return run->out->reason.code ? LIA_OUTCOME_ENDED : LIA_OUTCOME_NO_MEMORY;
}
