// Which mode of the rough constraints goes on where one ends (mechanics/rough/rough.c). The slip
// says whether one may stick and to which side it slides; the sign of its normal force is not known
// where that has just vanished, or after a jump. So modes are tried, the likely one first, and the
// series of a mode are its proof, as in decide.c: nothing that it watches is negative just after.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/stage.h"
#include "mechanics/multipliers/min_norm.h"
#include "mechanics/rough/rough.h"
#include "motion/contact/laws.h"
#include "motion/contact/rough/rough_coupling.h"
#include "motion/contact/rough/rough_values.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void lia_rough_modes_let_go(const LiaSystem* base, LiaContactMode* mode) {
    for (uint32_t k = 0; k < base->rough_count; k++)
        mode[lia_system_rough_place(base, k)] = LIA_MODE_CLOSED;
}

bool lia_rough_modes_matter(const LiaSystem* s) {
    for (uint32_t k = 0; k < s->rough_count; k++) {
        bool several = s->rough[k].normals > 1 && lia_rough_is_on(s, k);  // no force, by now
        if (several || lia_rough_mode(s, k) != LIA_MODE_CLOSED) return true;
    }
    return false;
}

void lia_rough_modes_find_resting(LiaRunner* run, bool fired) {
    LiaContacts* c = run->contacts;
    const LiaSystem* s = run->system;
    for (uint32_t k = 0; k < s->rough_count; k++) {
        bool sticks = lia_rough_mode(s, k) == LIA_MODE_STICK;
        c->rough.at[k] = (LiaRoughInstant){.rests = sticks,
                                           .stuck = sticks,
                                           .N = run->w->mu[s->rough[k].row],
                                           .T = run->w->mu[s->rough[k].slip]};
    }
    for (uint32_t i = 0; fired && i < s->mode.watched_count; i++) {
        const LiaWatched* of = &s->mode.watched[i];
        if (!c->fires[i] || !of->rough) continue;
        LiaRoughInstant* at = &c->rough.at[of->contact];
        at->rests |= of->kind == LIA_WATCH_SLIP;
        at->turned |= of->kind == LIA_WATCH_NORMAL;
        at->loose |= of->kind == LIA_WATCH_BOUND;
        at->stuck &= !at->loose;
    }
}

void lia_rough_modes_struck(LiaRunner* run) {
    const LiaContacts* c = run->contacts;
    for (uint32_t k = 0; k < c->base->rough_count; k++) {
        LiaRoughInstant* at = &c->rough.at[k];
        at->rests = at->stuck = at->turned = at->nought = at->loose = false;
        at->passes = LIA_MODE_OPEN;
    }
}

// --- modes that may be --------------------------------------------------------------------------

enum { OPTIONS = 6, TRIALS_MOST = 256 };

typedef struct Options {
    LiaContactMode mode[OPTIONS];  // the likely one first
    int count;
} Options;

static void add(Options* o, LiaContactMode mode) { o->mode[o->count++] = mode; }

// To one side, with the likely sign of N first.
static void add_sliding(Options* o, const LiaRoughFormulas* of, bool forward, bool pull) {
    bool one = of->normals > 1;  // |N| has no sign
    add(o, lia_rough_sliding(forward, pull && !one));
    if (!one) add(o, lia_rough_sliding(forward, !pull));
}

static Options options_of(const LiaRunner* run, uint32_t k, double slip) {
    const LiaContacts* c = run->contacts;
    const LiaRoughInstant* at = &c->rough.at[k];
    const LiaRoughFormulas* of = &c->base->rough[k];
    LiaContactMode before = c->rooms[c->now]->mode[lia_system_rough_place(c->base, k)];
    Options o = {.count = 0};
    bool pull = at->turned ? !lia_rough_pulls(before) : at->N < 0.0;
    if (!at->rests && slip != 0.0) {
        if (of->normals > 1 && at->turned) add(&o, LIA_MODE_CLOSED);  // N = 0 from now on
        add_sliding(&o, of, slip > 0.0, pull);
        if (of->normals > 1 && !at->turned) add(&o, LIA_MODE_CLOSED);  // N = 0 all the time
        return o;
    }
    bool forward = at->T < 0.0;  // friction holds it back
    if (!at->loose) add(&o, LIA_MODE_STICK);
    add_sliding(&o, of, forward, pull);
    add_sliding(&o, of, !forward, pull);
    if (at->loose) add(&o, LIA_MODE_STICK);
    if (of->normals > 1) add(&o, LIA_MODE_CLOSED);  // the force has gone, and friction with it
    return o;
}

// --- are the normal forces determined? ----------------------------------------------------------

// Where equations depend on each other forces may not be, and friction with them.
static LiaTrial normals_known(LiaRunner* run) {
    const LiaSystem* s = run->contacts->base;
    if (run->w->nr == run->w->nc) return LIA_TRIAL_GOOD;
    LiaModeRoom* room = lia_modes_open(run);
    LiaWorkspace* probe = room ? lia_modes_probe(run, room) : NULL;
    if (!probe) return LIA_TRIAL_NO_MEMORY;
    lia_workspace_update(probe, 1);
    if (!lia_workspace_factor(probe)) return LIA_TRIAL_GOOD;
    lia_stage_accelerate(probe);
    lia_min_norm_multipliers(probe);
    for (uint32_t k = 0; k < s->rough_count; k++) {
        const LiaRoughFormulas* of = &s->rough[k];
        for (uint32_t r = of->row; r < of->row + of->rows && lia_rough_is_on(run->system, k); r++) {
            if (probe->unique[r]) continue;
            double t = run->w->t;
            lia_verdict(run, "E0463", run->model->constraints[of->constraint].span, t,
                        "at t = %.10g the normal force of '%s' is not determined by the motion: "
                        "other constraints hold the same, and friction is where the force is",
                        t, of->name);
            lia_verdict_help(run,
                             "leave out what holds twice; 'explain' lists dependent equations");
            return LIA_TRIAL_WRONG;
        }
    }
    return LIA_TRIAL_GOOD;
}

// --- is there one, and one only? ----------------------------------------------------------------

static void say_none(LiaRunner* run, const bool* touches) {
    const LiaSystem* s = run->contacts->base;
    double t = run->w->t;
    bool touching = false;
    if (lia_laws_any_wrong(run)) return;
    for (uint32_t k = 0; k < s->contact_count; k++) touching |= touches[k];
    if (touching) {
        lia_decide_mode(run, touches, true);
        return;
    }
    LiaText names = {0};
    for (uint32_t k = 0; k < s->rough_count; k++)
        lia_text_add(&names, "%s'%s'", k > 0 ? ", " : "", s->rough[k].name);
    lia_verdict(
        run, "E0460", lia_rough_span(run, 0), t,
        "at t = %.10g no motion has the friction of %s: whatever normal force is taken, its "
        "friction makes it another",
        t, names.data ? names.data : "");
    lia_verdict_help(run, "friction and normal force are coupled too strongly here (Painleve): a "
                          "smaller coefficient, or a body that gives way, has a motion");
    lia_text_clear(&names);
}

// --- the decision -------------------------------------------------------------------------------

// Where all components of N vanish there is no friction, at the instant.
static void set_option(LiaContacts* c, uint32_t k, LiaContactMode mode) {
    const LiaRoughInstant* at = &c->rough.at[k];
    bool zero = at->turned || at->nought;
    bool passes = zero && c->base->rough[k].normals > 1 && lia_rough_slides(mode);
    c->rough.at[k].passes = passes ? mode : LIA_MODE_OPEN;
    c->begins.open[lia_system_rough_place(c->base, k)] = passes ? LIA_MODE_CLOSED : mode;
}

bool lia_rough_modes_passing(const LiaContacts* c, LiaContactMode* mode) {
    bool any = false;
    for (uint32_t k = 0; k < c->base->rough_count; k++) {
        if (c->rough.at[k].passes == LIA_MODE_OPEN) continue;
        if (mode) mode[lia_system_rough_place(c->base, k)] = c->rough.at[k].passes;
        any = true;
    }
    return any;
}

static LiaTrial try_all(LiaRunner* run, const bool* touches, const double* slips, Options* o) {
    LiaContacts* c = run->contacts;
    uint32_t count = c->base->rough_count;
    int trials = 1;
    for (uint32_t k = 0; k < count; k++) {
        o[k] = options_of(run, k, slips[k]);
        if (!lia_rough_is_on(run->system, k)) o[k] = (Options){{LIA_MODE_CLOSED}, 1};
        if (trials < TRIALS_MOST) trials *= o[k].count;
    }
    LiaTrial result = LIA_TRIAL_WRONG;
    for (int i = 0; i < trials && i < TRIALS_MOST && result == LIA_TRIAL_WRONG; i++) {
        int rest = i;
        for (uint32_t k = 0; k < count; k++) {
            set_option(c, k, o[k].mode[rest % o[k].count]);
            rest /= o[k].count;
        }
        result = lia_decide_mode(run, touches, false);
    }
    return result;
}

// Normal forces of several components that may be zero at this instant, as at a start: are there
// some that were not taken to be so?
static bool doubt_normals(LiaContacts* c) {
    bool any = false;
    for (uint32_t k = 0; k < c->base->rough_count; k++) {
        if (c->base->rough[k].normals == 1 || c->rough.at[k].turned) continue;
        any = c->rough.at[k].nought = true;
    }
    return any;
}

LiaTrial lia_rough_modes_decide(LiaRunner* run, const bool* touches) {
    size_t count = run->contacts->base->rough_count;
    if (count == 0) return lia_decide_mode(run, touches, true);
    double* slips = lia_memory_zeros(count, sizeof *slips);
    Options* options = lia_memory_zeros(count, sizeof *options);
    LiaTrial known = normals_known(run), trial = LIA_TRIAL_NO_MEMORY;
    bool good = known == LIA_TRIAL_GOOD && slips && options;
    if (good) lia_rough_values_slips(run, slips);
    for (uint32_t k = 0; good && k < count; k++) good = lia_rough_coupling_none(run, k);
    if (good) trial = try_all(run, touches, slips, options);
    if (trial == LIA_TRIAL_WRONG && good && doubt_normals(run->contacts))
        trial = try_all(run, touches, slips, options);
    free(slips);
    free(options);
    for (uint32_t k = 0; k < count; k++) run->contacts->rough.at[k].passes = LIA_MODE_OPEN;
    if (trial == LIA_TRIAL_WRONG) say_none(run, touches);
    if (trial == LIA_TRIAL_GOOD && !lia_rough_coupling_one(run)) trial = LIA_TRIAL_WRONG;
    if (trial == LIA_TRIAL_GOOD) lia_rough_coupling_doubt(run);
    return trial;
}

// --- what it is called --------------------------------------------------------------------------

bool lia_rough_modes_tell(LiaRunner* run, const LiaModeRoom* before) {
    LiaContacts* c = run->contacts;
    const LiaContactMode* now = lia_modes_now(run);
    for (uint32_t k = 0; k < c->base->rough_count; k++) {
        uint32_t place = lia_system_rough_place(c->base, k);
        LiaContactMode from = before->mode[place], to = now[place];
        bool turned =
            c->rough.at[k].turned && lia_rough_slides(from) && c->base->rough[k].normals > 1;
        if ((from == to && !turned) || !lia_rough_is_on(run->system, k)) continue;
        bool kink = lia_rough_slides(from) && lia_rough_slides(to) &&
                    lia_rough_forward(from) == lia_rough_forward(to);
        LiaEventRecord event = {.kind = kink                   ? LIA_EVENT_KINK
                                        : lia_rough_slides(to) ? LIA_EVENT_SLIP
                                                               : LIA_EVENT_STICK,
                                .name = c->base->rough[k].name,
                                .t = c->t};
        if (to != LIA_MODE_CLOSED && !lia_contact_record_named(run, event)) return false;
    }
    return true;
}
