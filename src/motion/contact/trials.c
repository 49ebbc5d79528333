// Modes that are tried where one is looked for: that of the proposal of complementarity, and those
// of contacts on a border. The series of a mode are the proof: every formula that it watches is
// positive just after.
// SPDX-License-Identifier: MIT
#include "motion/contact/trials.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/stage.h"
#include "motion/contact/slip/slip_way.h"
#include "motion/run/step.h"
#include <math.h>
#include <string.h>

// All places of an open contact are open.
void lia_trials_set_open(const LiaSystem* s, uint32_t contact, LiaContactMode* mode) {
    const LiaContactFormulas* c = &s->contacts[contact];
    mode[contact] = LIA_MODE_OPEN;
    for (uint32_t b = 0; b < c->blocks; b++) mode[c->block[b].place] = LIA_MODE_OPEN;
}

// --- one mode -----------------------------------------------------------------------------------

// The series of the mode where run->w is: is every formula positive that it watches?
static LiaTrial prove(LiaRunner* run) {
    lia_stage_series(run->w, run->out->effort.order);
    lia_taylor_take(&run->step, run->w);
    run->contacts->found.negative = lia_contact_watch_admissible(run);
    return run->contacts->found.negative < 0 ? LIA_TRIAL_GOOD : LIA_TRIAL_WRONG;
}

// One way. Where another gap closes, the mode goes on to there; the contacts are looked at again.
static LiaTrial go_way(LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at,
                       double part, bool slow) {
    LiaSlipWay way = {.slow = slow};
    LiaTrial result = lia_slip_begin(run, mode, at, part, &way);
    bool begun = result == LIA_TRIAL_GOOD;
    if (begun) result = prove(run);
    if (begun && result == LIA_TRIAL_WRONG && lia_slip_way_cut(&way)) {
        run->contacts->found.cut = true;
        result = LIA_TRIAL_GOOD;
    }
    if (begun && result == LIA_TRIAL_WRONG) lia_slip_way_restore_sides(&way);
    if (result == LIA_TRIAL_GOOD && !lia_slip_way_sample(&way)) result = LIA_TRIAL_NO_MEMORY;
    if (run->contacts->found.cut) lia_slip_way_end(&way);
    lia_slip_way_clear(&way);
    return result;
}

static bool any_slowly(const LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at) {
    bool any = false;
    for (int k = 0; k < LIA_CONTACT_BLOCKS * at->response.at_rest.contacts; k++)
        any |= lia_slip_way_slowly(run, at, mode, k);
    return any;
}

// In shorter and shorter times, where something else happens within, down to `least`.
static LiaTrial try_slip(LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at,
                         double least) {
    LiaTrial result = LIA_TRIAL_WRONG;
    bool young = least > LIA_SLIP_PART_LEAST;
    for (double part = LIA_SLIP_PART; part >= least; part *= LIA_SLIP_SHORTER) {
        result = go_way(run, mode, at, part, false);
        if (result == LIA_TRIAL_WRONG && young) result = go_way(run, mode, at, part, true);
        if (result != LIA_TRIAL_WRONG) break;
    }
    // where steps are held short, slips that begin with the square of such a time are rounding
    double most = young || !any_slowly(run, mode, at) ? 0.0 : 1.0;
    for (double part = LIA_SLIP_PART / LIA_SLIP_SHORTER; result == LIA_TRIAL_WRONG && part <= most;
         part /= LIA_SLIP_SHORTER)
        result = go_way(run, mode, at, part, false);
    return result;
}

// Is there no time left in which a slip could begin? The run halts here, and the mode is as it was.
static bool is_over(const LiaRunner* run) {
    const LiaContacts* c = run->contacts;
    return fabs(run->halt - c->t) <= LIA_CONTACT_INSTANT * lia_time_size(run, c->t);
}

// Is there a slip that has just begun, less than the way ago? *least: its age, in longest steps.
static bool is_young(const LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at,
                     double* least) {
    double longest = run->course.longest;
    if (run->direction < 0.0 || run->contacts->start.looks || !(longest > 0.0) || is_over(run))
        return false;
    *least = fmax(lia_slip_way_age(run, at, mode) / longest, 2.0 * LIA_SLIP_PART_LEAST);
    return *least < LIA_SLIP_YOUNG * LIA_SLIP_PART;
}

// Forces that are not unique in a mode: near to those of the proposal, which are within the cones,
// or of least norm. Where the mode goes on and forces inside of all bounds have come to a bound,
// they go on as from those before to those now: forces that fall to zero together never are inside
// for long if they do not fall. False if memory is out.
static bool prefer(LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at) {
    LiaModeRoom* room = lia_modes_room(run, mode);
    if (!room) return false;
    LiaPreferred* x = &room->system->mode.preferred;
    uint32_t rows = room->system->row_count;
    if (!x->mu) return true;
    memset(x->mu, 0, rows * sizeof *x->mu);
    memset(x->slope, 0, rows * sizeof *x->slope);
    x->since = run->contacts->t;
    x->inside = at->prefers && at->response.at_rest.inside;
    if (at->prefers) memcpy(x->mu, at->mu, rows * sizeof *x->mu);
    for (uint32_t i = 0; x->inside && at->drifts && room == at->from && i < rows; i++)
        x->slope[i] = (at->mu[i] - at->past[i]) / (x->since - at->past_t);
    return true;
}

// Into the mode, at the instant or where its series begin.
LiaTrial lia_trials_mode(LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at) {
    bool begins = lia_slip_way_needed(run, at, mode), over = begins && is_over(run);
    double part;
    if (!prefer(run, mode, at)) return LIA_TRIAL_NO_MEMORY;
    if (begins && run->contacts->start.looks) return lia_slip_way_wait(run, mode, at);
    if (begins && !over) return try_slip(run, mode, at, LIA_SLIP_PART_LEAST);
    if (!begins && !run->contacts->found.vain && is_young(run, mode, at, &part)) {
        LiaTrial trial = try_slip(run, mode, at, part);
        if (trial != LIA_TRIAL_WRONG) return trial;
        run->contacts->found.vain = true;  // Taylor steps follow it
    }
    lia_decide_go_back(run);
    if (over) return lia_step_arrive(run, NULL, NULL) ? LIA_TRIAL_GOOD : LIA_TRIAL_WRONG;
    if (!lia_modes_enter(run, mode)) return LIA_TRIAL_NO_MEMORY;
    return lia_step_arrive(run, NULL, NULL) ? prove(run) : LIA_TRIAL_WRONG;
}

// A mode with the forces of least norm; where these are not unique they may pull or be beyond the
// bounds though others are not: then with those of the proposal.
LiaTrial lia_trials_forces(LiaRunner* run, const LiaContactMode* mode, LiaInstant* at) {
    LiaTrial trial = lia_trials_mode(run, mode, at);
    if (trial != LIA_TRIAL_WRONG || run->w->nr == run->w->nc) return trial;
    if (at->proposal.status != LIA_COMPLEMENTARITY_SOLVED) return trial;
    at->prefers = true;
    at->drifts = at->from;
    trial = lia_trials_mode(run, mode, at);
    if (trial == LIA_TRIAL_WRONG && at->drifts) {
        at->drifts = false;
        trial = lia_trials_mode(run, mode, at);
    }
    at->prefers = false;
    return trial;
}

// --- all modes of the contacts that are on a border ---------------------------------------------

enum { BLOCK_MODES = 3 };

// Modes of block b of contact k, by its slip. One that sticks within its bound goes on sticking (by
// the verdict, if there is one), though with less kinetic friction it could slide.
static int block_options(const LiaResponse* r, const LiaContactVerdict* verdict, int k, int b,
                         LiaContactMode* out) {
    const LiaFrictionBlock* block = &r->contact[k].block[b];
    const double* slip = r->slip + block->row;
    bool plane = block->dimension == 1;
    if (plane && slip[0] != 0.0) {
        out[0] = slip[0] > 0.0 ? LIA_MODE_FORWARD : LIA_MODE_BACKWARD;
        return 1;
    }
    if (!plane && (slip[0] != 0.0 || slip[1] != 0.0)) {
        out[0] = LIA_MODE_SLIDE;
        return 1;
    }
    out[0] = LIA_MODE_STICK;
    if (verdict && verdict[k].block[b] == LIA_CONTACT_STICKS && !verdict[k].bound[b]) return 1;
    out[1] = plane ? LIA_MODE_FORWARD : LIA_MODE_SLIDE;
    out[2] = LIA_MODE_BACKWARD;
    return plane ? 3 : 2;
}

// How many modes a touching contact can be in: those of its blocks, and open.
static int options_of(const LiaResponse* r, const LiaContactVerdict* verdict, int k) {
    int count = 1;
    LiaContactMode out[BLOCK_MODES];
    for (int b = 0; b < r->contact[k].blocks; b++) count *= block_options(r, verdict, k, b, out);
    return count + 1;
}

// The option with this number, into `mode`.
static void set_option(const LiaRunner* run, const LiaResponse* r, const LiaContactVerdict* verdict,
                       int k, int option, LiaContactMode* mode) {
    const LiaSystem* s = run->contacts->base;
    const LiaContactFormulas* c = &s->contacts[r->touching[k]];
    lia_trials_set_open(s, r->touching[k], mode);
    if (option == options_of(r, verdict, k) - 1) return;
    mode[r->touching[k]] = LIA_MODE_CLOSED;
    for (int b = 0; b < r->contact[k].blocks; b++) {
        LiaContactMode out[BLOCK_MODES];
        int count = block_options(r, verdict, k, b, out);
        mode[c->block[b].place] = out[option % count];
        option /= count;
    }
}

// Contact k in the next mode by what is negative in the one that was tried: an open one closes and
// sticks or slides as it slips, one that pulls opens, friction beyond its bound slides against its
// force, a slip that turns against its direction sticks.
static void change_mode(const LiaRunner* run, const LiaInstant* at, const LiaWatched* of, int k,
                        LiaContactMode* mode) {
    const LiaResponse* r = &at->response;
    const LiaContactFormulas* c = &run->contacts->base->contacts[of->contact];
    const LiaFrictionBlock* block = &r->contact[k].block[of->block];
    LiaContactMode *now = NULL, out[BLOCK_MODES];
    if (c->blocks > 0) now = mode + c->block[of->block].place;
    if (mode[of->contact] == LIA_MODE_OPEN) {
        mode[of->contact] = LIA_MODE_CLOSED;
        for (int b = 0; b < r->contact[k].blocks; b++) {
            block_options(r, NULL, k, b, out);
            mode[c->block[b].place] = out[0];
        }
    } else if (of->kind == LIA_WATCH_NORMAL) {
        lia_trials_set_open(run->contacts->base, of->contact, mode);
    } else if (of->kind == LIA_WATCH_SLIP && now) {
        *now = LIA_MODE_STICK;
    } else if (of->kind == LIA_WATCH_BOUND && now) {
        double T = at->proposal.found.lambda[block->row];
        *now = block->dimension > 1 ? LIA_MODE_SLIDE
               : T < 0.0            ? LIA_MODE_FORWARD
                                    : LIA_MODE_BACKWARD;
    }
}

// A contact for which the mode that was tried is wrong changes its mode, until one is proved. Many
// contacts may be on a border (balls in a row, a heap): to try all modes of theirs takes too long.
LiaTrial lia_trials_changes(LiaRunner* run, LiaInstant* at, LiaContactMode* mode, bool any) {
    enum { CHANGES_EACH = 3 };
    const LiaResponse* r = &at->response;
    LiaTrial trial = LIA_TRIAL_WRONG;
    for (int i = 0; i < CHANGES_EACH * r->at_rest.contacts; i++) {
        int negative = run->contacts->found.negative, k = 0;
        if (negative < 0) return trial;
        const LiaWatched* of = &run->system->mode.watched[negative];
        while (k < r->at_rest.contacts && r->touching[k] != of->contact) k++;
        if (k == r->at_rest.contacts || of->rough) return trial;
        bool rough = run->contacts->base->contacts[of->contact].blocks > 0;
        if (!any && (rough || !at->proposal.found.verdict[k].border)) return trial;
        change_mode(run, at, of, k, mode);
        run->contacts->found.negative = -1;
        trial = lia_trials_forces(run, mode, at);
        if (trial != LIA_TRIAL_WRONG) return trial;
    }
    return trial;
}

// Forces that fall to zero together (a row of discs from which a load goes): those contacts open.
LiaTrial lia_trials_release(LiaRunner* run, LiaInstant* at, LiaContactMode* mode) {
    bool any = false;
    for (int k = 0; k < at->response.at_rest.contacts; k++) {
        uint32_t contact = at->response.touching[k];
        if (!at->proposal.found.verdict[k].light || mode[contact] == LIA_MODE_OPEN) continue;
        lia_trials_set_open(run->contacts->base, contact, mode);
        any = true;
    }
    return any ? lia_trials_forces(run, mode, at) : LIA_TRIAL_WRONG;
}

// Other modes of these contacts, until one is proved. `any`: of all contacts, not of those on a
// border.
LiaTrial lia_trials_others(LiaRunner* run, LiaInstant* at, LiaContactMode* mode, bool any) {
    enum { TRIALS_MOST = 256 };
    const LiaResponse* r = &at->response;
    const LiaContactVerdict* verdict = at->proposal.found.verdict;
    const LiaContactVerdict* by = any || !at->proposal.found.unique ? NULL : verdict;
    int contacts = r->at_rest.contacts, at_most = 1;
    for (int k = 0; k < contacts; k++) {
        if (any || verdict[k].border) at_most *= options_of(r, by, k);
        if (at_most > TRIALS_MOST) return LIA_TRIAL_WRONG;
    }
    for (int trial = 0; trial < at_most; trial++) {
        int rest = trial;
        for (int k = 0; k < contacts; k++) {
            if (!any && !verdict[k].border) continue;
            int count = options_of(r, by, k);
            set_option(run, r, by, k, rest % count, mode);
            rest /= count;
        }
        LiaTrial result = lia_trials_forces(run, mode, at);
        if (result != LIA_TRIAL_WRONG) return result;
    }
    return LIA_TRIAL_WRONG;
}
