// What happens to the contacts of a run where a mode ends.
//
//   1. who touches: closed contacts, those whose gap has just become zero or is rounding
//   2. if one of them is approached: an impact (collide.c); who separates by it touches no more
//   3. which mode goes on (decide.c), and what it is called
// SPDX-License-Identifier: MIT
#include "motion/contact/contacts.h"
#include "base/memory/memory.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include "base/watch.h"
#include "motion/contact/impact/impact_tail.h"
#include "motion/contact/near.h"
#include "motion/contact/rough/rough_modes.h"
#include "motion/run/step.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

double lia_contacts_cover(LiaRunner* run, double h) { return lia_near_cover(run, h); }

// --- who touches --------------------------------------------------------------------------------

// Contacts with gap = 0; `fired`: those of the step that has just ended too.
bool lia_contacts_touching(LiaRunner* run, bool fired, bool* touches) {
    LiaContacts* c = run->contacts;
    const LiaSystem* s = run->system;
    const uint32_t contacts = s->contact_count;
    LiaGaps gaps;
    int count = 0;
    bool good = lia_gaps_find_near(run, &gaps);
    for (uint32_t k = 0; k < contacts; k++)
        touches[k] = s->mode.now[k] != LIA_MODE_OPEN && lia_system_contact_is_on(s, k);
    for (uint32_t k = lia_near_next(run, 0); good && k < contacts; k = lia_near_next(run, k + 1)) {
        if (!lia_system_contact_is_on(s, k)) continue;
        touches[k] |= gaps.value[k] <= gaps.rounding[k];
        if (c->begins.quiet[k])  // closed up to the corner: it goes on there, but for rounding
            touches[k] |= gaps.value[k] <= lia_gaps_leap(run, &gaps, k);
        c->rounding.gap[k] = gaps.rounding[k];
        count += touches[k];
    }
    for (uint32_t k = lia_near_next(run, 0); good && count >= 3 && k < contacts;
         k = lia_near_next(run, k + 1))
        touches[k] |= lia_system_contact_is_on(s, k) &&
                      gaps.value[k] <= LIA_CONTACTS_OTHERS * gaps.rounding[k];
    for (uint32_t i = 0; good && fired && i < s->mode.watched_count; i++) {
        if (c->fires[i] && s->mode.watched[i].kind == LIA_WATCH_GAP)
            touches[s->mode.watched[i].contact] = true;
    }
    lia_gaps_clear(&gaps);
    return good;
}

// What sticks rests, and so does what has just stopped to slide.
static void find_resting(LiaRunner* run, bool fired, const bool* touches) {
    LiaContacts* c = run->contacts;
    const LiaSystem* s = run->system;
    for (uint32_t k = 0; k < s->contact_count; k++) {
        c->touched[k] = touches[k];
        c->leaves[k] = false;
    }
    for (uint32_t k = 0; k < lia_system_switch_place(s, 0); k++)
        c->rests[k] = s->mode.now[k] == LIA_MODE_STICK;
    for (uint32_t i = 0; fired && i < s->mode.watched_count; i++) {
        const LiaWatched* of = &s->mode.watched[i];
        if (c->fires[i] && of->kind == LIA_WATCH_SLIP && !of->rough)
            c->rests[s->contacts[of->contact].block[of->block].place] = true;
    }
    lia_rough_modes_find_resting(run, fired);
}

bool lia_contacts_approached(const LiaResponse* r, int k) {
    int row = r->contact[k].normal;
    return r->direction * r->velocity[row] < -r->noise_v[row];
}

// The rows of a touching contact that are held back: its normal one, and those of what rests.
static int held_of(const LiaRunner* run, const LiaResponse* r, int k, int* held) {
    const LiaContactFormulas* c = &run->contacts->base->contacts[r->touching[k]];
    int count = 0;
    held[count++] = r->contact[k].normal;
    for (int b = 0; b < r->contact[k].blocks; b++) {
        const LiaFrictionBlock* block = &r->contact[k].block[b];
        for (int i = 0; i < block->dimension && run->contacts->rests[c->block[b].place]; i++)
            held[count++] = block->row + i;
    }
    return count;
}

// The rows that are held back, and whether one of them is not at rest yet.
static int find_held(const LiaRunner* run, const LiaResponse* r, const bool* touches, int* held,
                     bool* any) {
    int count = 0;
    *any = false;
    for (int k = 0; k < r->at_rest.contacts; k++) {
        if (touches[r->touching[k]]) count += held_of(run, r, k, held + count);
    }
    for (int i = 0; i < count; i++)
        *any |= fabs(r->velocity[held[i]]) > LIA_SLIP_LEFT * r->noise_v[held[i]];
    return count;
}

// The impulses of least norm that take the velocities of these rows away, in units in which W has a
// diagonal of 1. `work`: (count + 4) count numbers and those of lia_qr_work.
static void stop_rows(LiaRunner* run, LiaResponse* r, int count, int* held, double* work) {
    int m = r->at_rest.rows, *order = held + m;
    size_t n = run->system->n;
    double *A = work, *b = A + count * count, *P = b + count, *pivot = P + count;
    double *unit = pivot + count, *rest = unit + count;
    for (int i = 0; i < count; i++) {
        double own = sqrt(fabs(r->W[held[i] * m + held[i]]));
        unit[i] = own > 0.0 ? 1.0 / own : 0.0;
    }
    for (int i = 0; i < count; i++) {
        b[i] = -r->velocity[held[i]] * unit[i];
        for (int j = 0; j < count; j++)
            A[i * count + j] = r->W[held[i] * m + held[j]] * unit[i] * unit[j];
    }
    LiaRows rows = {.m = count, .n = count, .A = A, .pivot = pivot, .order = order};
    lia_qr_factor(&rows, LIA_LCP_RANK, true);
    lia_qr_solve(&rows, b, P, rest, order + count);
    for (int j = 0; j < count; j++) {
        double impulse = P[j] * unit[j];
        for (int i = 0; i < m; i++) r->velocity[i] += r->W[i * m + held[j]] * impulse;
        for (size_t i = 0; i < n; i++) run->w->v[i] += r->answer[(size_t)held[j] * n + i] * impulse;
    }
}

// Contacts that stay closed though they separate a little lose that velocity, and slips that were
// found to vanish what is left of them. What is rounding of an approach is taken away too: a gap
// that is zero would become negative by it, in time. False if memory is out.
static bool hold_back(LiaRunner* run, LiaResponse* r, const bool* touches) {
    enum { TIMES = 3 };  // what rounding leaves, once more
    size_t m = (size_t)r->at_rest.rows;
    size_t doubles = (m + 4) * m + lia_qr_work((int)m, (int)m);
    double* work = lia_memory_take((doubles + 1) * sizeof *work);
    int* held = lia_memory_take((3 * m + 1) * sizeof *held);
    bool any = work && held, good = any;
    for (int i = 0; any && i < TIMES; i++) {
        int count = find_held(run, r, touches, held, &any);
        if (any) stop_rows(run, r, count, held, work);
    }
    free(work);
    free(held);
    return good;
}

// A body that rocks to rest: where a contact is kept closed that would fly lower than can be seen,
// slips as slow as that flight count as zero too.
static void rest_slow(const LiaRunner* run, const LiaResponse* r, double held) {
    for (int k = 0; held > 0.0 && k < r->at_rest.contacts; k++) {
        const LiaContactFormulas* c = &run->contacts->base->contacts[r->touching[k]];
        const LiaFrictionBlock* block = r->contact[k].block;
        double slip = 0.0;
        if (r->contact[k].blocks == 0 || c->block[0].kind != LIA_FRICTION_SLIP) continue;
        for (int i = 0; i < block->dimension; i++) slip = hypot(slip, r->velocity[block->row + i]);
        if (slip <= LIA_SLIP_HELD * held) run->contacts->rests[r->touching[k]] = true;
    }
}

// Contacts that separate are dropped, but for a flight too low to be seen.
static void drop_separating(const LiaRunner* run, const LiaResponse* r, bool* touches) {
    bool* leaves = run->contacts->leaves;
    double held = 0.0;
    for (int k = 0; k < r->at_rest.contacts; k++) {
        int row = r->contact[k].normal;
        double speed = r->direction * r->velocity[row];
        bool away = speed > r->noise_v[row] && !lia_collide_flight_is_rounding(run, r, k, speed);
        leaves[r->touching[k]] = away;
        if (away) touches[r->touching[k]] = false;
        if (!away && speed > r->noise_v[row]) held = fmax(held, speed);
    }
    rest_slow(run, r, held);
}

// Does one separate no more, now that others have been held back? Then all are as before.
static bool take_back(const LiaRunner* run, const LiaResponse* r, bool* touches) {
    bool any = false;
    for (int k = 0; k < r->at_rest.contacts; k++) {
        int row = r->contact[k].normal;
        any |= !touches[r->touching[k]] && r->direction * r->velocity[row] <= r->noise_v[row];
    }
    for (int k = 0; any && k < r->at_rest.contacts; k++) {
        touches[r->touching[k]] = true;
        run->contacts->leaves[r->touching[k]] = false;
    }
    return any;
}

static void say_endless(LiaRunner* run, uint32_t contact, int impacts) {
    const LiaSystem* s = run->contacts->base;
    double t = run->w->t;
    lia_verdict(run, "E0435", s->model->constraints[s->contacts[contact].constraint].span, t,
                "at t = %.10g '%s' and others strike each other %d times at one instant and are "
                "not done",
                t, s->contacts[contact].name, impacts);
    lia_verdict_help(run, "a smaller restitution ends that sooner; 'impact simultaneous' lets all "
                          "of them strike at once");
}

// After an impact nothing is known to rest.
static void forget(LiaContacts* c) {
    memset(c->rests, 0, lia_system_switch_place(c->base, 0) * sizeof *c->rests);
    memset(c->begins.quiet, 0, c->base->contact_count * sizeof *c->begins.quiet);
}

// Impacts, as long as a touching contact is approached. False where the motion ends.
static bool strike(LiaRunner* run, bool* touches) {
    enum { IMPACTS_MOST = 1000 };
    LiaContacts* c = run->contacts;
    for (int pass = 0; pass < IMPACTS_MOST; pass++) {
        LiaResponse r;
        LiaResponseFound found = lia_response_make(run, touches, &r);
        bool approached = false, good = found == LIA_RESPONSE_FOUND;
        uint32_t contact = 0;
        if (found == LIA_RESPONSE_SINGULAR) lia_verdict_singular(run, lia_modes_open(run)->probe);
        good = good && lia_collide_find_pull(run, &r);
        for (int k = r.at_rest.contacts - 1; good && k >= 0; k--) {
            if (lia_contacts_approached(&r, k)) approached = true, contact = r.touching[k];
        }
        if (good && approached) {
            good = lia_collide(run, &r, false);
            forget(c);
            lia_rough_modes_struck(run);
        } else if (good) {
            drop_separating(run, &r, touches);
            good = hold_back(run, &r, touches);
            approached = good && take_back(run, &r, touches);
        }
        lia_response_clear(&r);
        if (!good || !approached) return good;
        if (pass + 1 == IMPACTS_MOST) say_endless(run, contact, IMPACTS_MOST);
    }
    return false;
}

// --- jamming ------------------------------------------------------------------------------------

// Sliding presses a contact together, and no forces end that (Painleve): impulses do, at once.
static bool jam(LiaRunner* run, bool* touches) {
    LiaContacts* c = run->contacts;
    LiaResponse r;
    bool good =
        lia_response_make(run, touches, &r) == LIA_RESPONSE_FOUND && lia_collide(run, &r, true);
    lia_response_clear(&r);
    forget(c);
    lia_rough_modes_struck(run);
    // who was about to separate need not be any more
    memcpy(touches, c->touched, c->base->contact_count * sizeof *touches);
    return good && strike(run, touches);
}

// The mode that goes on, after impacts; at the start it jams after the first sample, as any impact
// there. False where the motion ends.
static bool find_mode(LiaRunner* run, bool* touches, bool starts) {
    enum { JAMS_MOST = 16 };
    LiaContacts* c = run->contacts;
    c->start.looks = starts;
    for (int jams = 0; jams < JAMS_MOST; jams++) {
        LiaTrial trial = lia_rough_modes_decide(run, touches);
        if (trial != LIA_TRIAL_JAMS) return trial == LIA_TRIAL_GOOD;
        if (starts) return c->start.struck = true;
        lia_rough_modes_let_go(c->base, c->begins.open);
        if (!jam(run, touches)) return false;
    }
    uint32_t contact = 0;
    while (contact + 1 < c->base->contact_count && !touches[contact]) contact++;
    lia_collide_say_jam(run, contact);
    return false;
}

// --- what it is called --------------------------------------------------------------------------

// Has a block of friction begun or ceased to slide? Then a slip of two components that goes through
// zero slides on in another direction.
static bool tell_block(LiaRunner* run, const LiaFrictionFormulas* block, double t,
                       LiaContactMode from, LiaContactMode to) {
    bool through = to == LIA_MODE_SLIDE && run->contacts->rests[block->place];
    LiaEventRecord event = {.kind = to > LIA_MODE_STICK ? LIA_EVENT_SLIP : LIA_EVENT_STICK,
                            .name = block->name,
                            .t = t};
    return (from == to && !through) || lia_contact_record_named(run, event);
}

static bool tell_change(LiaRunner* run, uint32_t k, const LiaModeRoom* before,
                        const LiaModeRoom* now) {
    LiaContacts* c = run->contacts;
    const LiaContactFormulas* of = &c->base->contacts[k];
    // against the time what closes is what opened
    const LiaContactMode* first = run->direction > 0.0 ? before->mode : now->mode;
    const LiaContactMode* then = run->direction > 0.0 ? now->mode : before->mode;
    LiaContactMode from = first[k], to = then[k];
    double t = c->t;  // of the instant: the state may be a little later
    bool good = true;
    if (!isnan(c->accumulates[k])) {
        t = c->accumulates[k];
        c->accumulates[k] = NAN;
        good = lia_contact_record(run, LIA_EVENT_ACCUMULATION, k, t);
    }
    if (!lia_system_contact_is_on(run->system, k)) return good;  // it ended
    if (from == LIA_MODE_OPEN && to == LIA_MODE_OPEN) return good;
    if (from == LIA_MODE_OPEN || to == LIA_MODE_OPEN) {
        LiaEventKind kind = from == LIA_MODE_OPEN ? LIA_EVENT_CONTACT : LIA_EVENT_RELEASE;
        return good && lia_contact_record(run, kind, k, t);
    }
    for (uint32_t b = 0; good && b < of->blocks; b++) {
        uint32_t place = of->block[b].place;
        good = tell_block(run, &of->block[b], t, first[place], then[place]);
    }
    return good;
}

// Has the mode changed? Then its time begins.
static bool tell(LiaRunner* run, LiaModeRoom* before) {
    LiaContacts* c = run->contacts;
    const LiaModeRoom* now = c->rooms[c->now];
    if (now != before) {
        before->time += fabs(c->t - c->since);  // of the instant: the state may be a little later
        lia_modes_visit(run);
    }
    for (uint32_t k = 0; k < c->base->contact_count; k++) {
        bool open = before->mode[k] == LIA_MODE_OPEN && now->mode[k] == LIA_MODE_OPEN;
        if (open && isnan(c->accumulates[k])) continue;
        if (!tell_change(run, k, before, now)) return false;
    }
    return lia_rough_modes_tell(run, before);
}

// --- where a mode ends --------------------------------------------------------------------------

// From the state in run->w to one in which a step can begin, unless a gap has closed on the way.
static bool pass_once(LiaRunner* run, LiaModeRoom* before, bool fired, bool tells) {
    LiaContacts* c = run->contacts;
    c->found.cut = false;
    if (c->base->contact_count + c->base->rough_count == 0) return !tells || tell(run, before);
    bool* touches = lia_memory_zeros(c->base->contact_count + 1, sizeof *touches);
    lia_contacts_keep_step(run, false);
    bool good = touches && lia_contacts_touching(run, fired, touches);
    if (good) find_resting(run, fired, touches);
    lia_rough_modes_let_go(c->base, c->begins.open);
    good = good && strike(run, touches) && find_mode(run, touches, !tells) && lia_impact_tail(run);
    free(touches);
    memset(c->begins.quiet, 0, c->base->contact_count * sizeof *c->begins.quiet);
    lia_contacts_keep_step(run, true);
    run->balance.known = false;
    return good && (!tells || tell(run, before));
}

static bool pass(LiaRunner* run, LiaModeRoom* before, bool fired, bool tells) {
    bool good = pass_once(run, before, fired, tells);
    while (good && run->contacts->found.cut)
        good = pass_once(run, run->contacts->rooms[run->contacts->now], true, tells);
    return good;
}

bool lia_contacts_pass(LiaRunner* run, bool fired, bool tells) {
    LiaContacts* c = run->contacts;
    return pass(run, c->rooms[c->now], fired, tells);
}

bool lia_contacts_pass_from(LiaRunner* run, LiaModeRoom* before, bool fired) {
    LiaContacts* c = run->contacts;
    bool now =
        c->since == run->w->t;  // what has opened at this instant, by a corner, touches still
    for (uint32_t k = 0; k < c->base->contact_count; k++)
        c->begins.quiet[k] =
            before->mode[k] != LIA_MODE_OPEN || (now && c->touched[k] && !c->leaves[k]);
    return pass(run, before, fired, true);
}

// --- corners ------------------------------------------------------------------------------------

bool lia_contacts_closed(const LiaRunner* run) {
    const LiaSystem* s = run->system;
    for (uint32_t k = 0; k < s->contact_count; k++) {
        if (s->mode.now[k] != LIA_MODE_OPEN) return true;
    }
    return lia_rough_modes_matter(s);
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
            if (crossing[k] && lia_guard_same(&from->guards[k], &to->guards[g]))
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
    lia_rough_modes_let_go(c->base, c->begins.open);
    bool ends = false, good = lia_modes_enter(run, c->begins.open);
    if (good) {
        take_crossing(run, tape, crossing);
        good = lia_step_arrive(run, NULL, NULL) && lia_step_cross(run, &ends);
    }
    free(crossing);
    return good && !ends;
}

// What is gone back to where the way to the next mode leads nowhere or is cut off.
typedef struct Kept {
    LiaModeRoom* mode;
    double *state, t;
    size_t events, jumps;
    uint64_t own;
} Kept;

static bool keep(const LiaRunner* run, Kept* k) {
    const LiaContacts* c = run->contacts;
    size_t n = run->system->n, lines = run->system->line_count;
    *k = (Kept){.mode = c->rooms[c->now],
                .state = lia_memory_take((2 * n + lines + 1) * sizeof *k->state),
                .t = run->w->t,
                .events = run->out->events.count,
                .jumps = run->out->jumps.count,
                .own = c->events};
    if (!k->state) return false;
    memcpy(k->state, run->w->q, n * sizeof(double));
    memcpy(k->state + n, run->w->v, n * sizeof(double));
    memcpy(k->state + 2 * n, run->w->work, lines * sizeof(double));
    return true;
}

static void go_back(LiaRunner* run, const Kept* k) {
    size_t n = run->system->n;
    run->out->events.count = k->events;
    run->out->jumps.count = k->jumps;
    run->contacts->events = k->own;
    if (!lia_modes_enter(run, k->mode->mode)) return;
    run->w->t = k->t;
    memcpy(run->w->q, k->state, n * sizeof(double));
    memcpy(run->w->v, k->state + n, n * sizeof(double));
    memcpy(run->w->work, k->state + 2 * n, run->system->line_count * sizeof(double));
}

static LiaOutcome outcome_of(const LiaRunner* run, bool good) {
    if (good) return LIA_OUTCOME_GO_ON;
    if (lia_watch_asked()) return LIA_OUTCOME_CUT;
    return run->out->reason.code ? LIA_OUTCOME_ENDED : LIA_OUTCOME_NO_MEMORY;
}

LiaOutcome lia_contacts_happen(LiaRunner* run) {
    Kept before;
    if (!keep(run, &before)) return LIA_OUTCOME_NO_MEMORY;
    LiaOutcome outcome = outcome_of(run, lia_contacts_pass(run, true, true));
    if (outcome == LIA_OUTCOME_CUT) go_back(run, &before);
    free(before.state);
    return outcome;
}

// Over the corner, and to the mode that goes on there.
static bool cross(LiaRunner* run, LiaModeRoom* before) {
    lia_contacts_keep_step(run, false);
    run->contacts->found.corner = true;
    bool good = cross_open(run) && lia_gaps_go_on(run);
    lia_contacts_keep_step(run, true);
    good = good && lia_contacts_pass_from(run, before, false);
    run->contacts->found.corner = false;
    return good;
}

LiaOutcome lia_contacts_cross(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    Kept before;
    if (!keep(run, &before)) return LIA_OUTCOME_NO_MEMORY;
    memset(c->fires, 0, run->system->mode.watched_count * sizeof *c->fires);
    bool good = c->crossed = cross(run, before.mode);
    if (!good) go_back(run, &before);
    free(before.state);
    return outcome_of(run, good);
}
