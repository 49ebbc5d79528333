// Which mode of the rough constraints goes on where one ends (mechanics/rough/rough.c). The slip
// says whether one may stick and to which side it slides; the sign of its normal force is not known
// where that has just vanished, or after a jump. So modes are tried, the likely one first, and the
// series of a mode are its proof, as in decide.c: nothing that it watches is negative just after.
// With K0(s) the matrix of the sign s, friction that couples strongly with the normal force makes
//
//   det K0(+) det K0(-) < 0:   for either sign N has the other one, or for both N has it
//
// no motion, or two (Painleve): both are reported.
// SPDX-License-Identifier: MIT
#include "motion/contact/rough/rough_modes.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/kkt/stage.h"
#include "mechanics/multipliers/min_norm.h"
#include "mechanics/rough/rough.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool slides(LiaContactMode mode) { return mode > LIA_MODE_STICK; }
static bool pulls(LiaContactMode mode) {
    return mode == LIA_MODE_FORWARD_PULL || mode == LIA_MODE_BACKWARD_PULL;
}
static bool is_forward(LiaContactMode mode) {
    return mode == LIA_MODE_FORWARD || mode == LIA_MODE_FORWARD_PULL;
}

static LiaContactMode sliding(bool forward, bool pull) {
    if (pull) return forward ? LIA_MODE_FORWARD_PULL : LIA_MODE_BACKWARD_PULL;
    return forward ? LIA_MODE_FORWARD : LIA_MODE_BACKWARD;
}

static LiaContactMode mode_of(const LiaSystem* s, uint32_t k) {
    return s->mode.now[lia_system_rough_place(s, k)];
}

void lia_rough_modes_let_go(const LiaSystem* base, LiaContactMode* mode) {
    for (uint32_t k = 0; k < base->rough_count; k++)
        mode[lia_system_rough_place(base, k)] = LIA_MODE_CLOSED;
}

void lia_rough_modes_find_resting(LiaRunner* run, bool fired) {
    LiaContacts* c = run->contacts;
    const LiaSystem* s = run->system;
    for (uint32_t k = 0; k < s->rough_count; k++) {
        bool sticks = mode_of(s, k) == LIA_MODE_STICK;
        c->rough[k] = (LiaRoughInstant){.rests = sticks,
                                        .stuck = sticks,
                                        .N = run->w->mu[s->rough[k].row],
                                        .T = run->w->mu[s->rough[k].slip]};
    }
    for (uint32_t i = 0; fired && i < s->mode.watched_count; i++) {
        const LiaWatched* of = &s->mode.watched[i];
        if (!c->fires[i] || !of->rough) continue;
        LiaRoughInstant* at = &c->rough[of->contact];
        at->rests |= of->kind == LIA_WATCH_SLIP;
        at->turned |= of->kind == LIA_WATCH_NORMAL;
        at->loose |= of->kind == LIA_WATCH_BOUND;
        at->stuck &= !at->loose;
    }
}

void lia_rough_modes_struck(LiaRunner* run) {
    const LiaContacts* c = run->contacts;
    for (uint32_t k = 0; k < c->base->rough_count; k++) {
        LiaRoughInstant* at = &c->rough[k];
        at->rests = at->stuck = at->turned = at->loose = false;
    }
}

// --- slips ---------------------------------------------------------------------------------------

// The slip at the state of run->w, zero where it is rounding.
static double slip_now(const LiaSpeeds* speeds, uint32_t k, const LiaValues* values) {
    const LiaRunner* run = speeds->run;
    const LiaSystem* s = run->contacts->base;
    const LiaWorkspace* w = run->w;
    const LiaRow* row = &s->rows[s->rough[k].slip];
    double slip = lia_value(values, row->equation), moved = 0.0, size = 0.0;
    for (uint32_t e = 0; e < row->entries; e++) {
        uint32_t i = row->coordinate[e];
        double J = lia_value(values, row->Omega[e]);
        moved += J * w->v[i];
        size += fabs(J) * (fabs(w->v[i]) + lia_response_speed(speeds, i));
    }
    bool rounding = fabs(slip) <= LIA_CONTACT_ROUNDING * (size + fabs(slip - moved));
    return rounding ? 0.0 : slip;
}

bool lia_rough_modes_slips(const LiaRunner* run, double* slips) {
    const LiaSystem* s = run->contacts->base;
    const LiaWorkspace* w = run->w;
    size_t count = 0;
    for (uint32_t k = 0; k < s->rough_count; k++) count += 1 + s->rows[s->rough[k].slip].entries;
    LiaExpr* wanted = lia_memory_take((count + 1) * sizeof *wanted);
    LiaValues values;
    if (!wanted) return false;
    count = 0;
    for (uint32_t k = 0; k < s->rough_count; k++) {
        const LiaRow* row = &s->rows[s->rough[k].slip];
        wanted[count++] = row->equation;
        for (uint32_t e = 0; e < row->entries; e++) wanted[count++] = row->Omega[e];
    }
    bool good = lia_evaluate_init(&values, s->graph, wanted, (uint32_t)count);
    free(wanted);
    if (!good) return false;
    LiaSymbols at = {.t = w->t, .parameters = s->parameters, .q = w->q, .v = w->v};
    lia_evaluate_run(&values, &at);
    LiaSpeeds speeds = lia_response_speeds(run, w);
    for (uint32_t k = 0; k < s->rough_count; k++) slips[k] = slip_now(&speeds, k, &values);
    lia_evaluate_clear(&values);
    return true;
}

// --- modes that may be ---------------------------------------------------------------------------

enum { OPTIONS = 5, TRIALS_MOST = 256 };

typedef struct Options {
    LiaContactMode mode[OPTIONS];  // the likely one first
    int count;
} Options;

static void add(Options* o, LiaContactMode mode) { o->mode[o->count++] = mode; }

// To one side, with the likely sign of N first.
static void add_sliding(Options* o, const LiaRoughFormulas* of, bool forward, bool pull) {
    bool one = of->normals > 1;  // |N| has no sign
    add(o, sliding(forward, pull && !one));
    if (!one) add(o, sliding(forward, !pull));
}

static Options options_of(const LiaRunner* run, uint32_t k, double slip) {
    const LiaContacts* c = run->contacts;
    const LiaRoughInstant* at = &c->rough[k];
    const LiaRoughFormulas* of = &c->base->rough[k];
    LiaContactMode before = c->rooms[c->now]->mode[lia_system_rough_place(c->base, k)];
    Options o = {.count = 0};
    bool pull = at->turned ? !pulls(before) : at->N < 0.0;
    if (!at->rests && slip != 0.0) {
        add_sliding(&o, of, slip > 0.0, pull);
        if (of->normals > 1) add(&o, LIA_MODE_CLOSED);  // N = 0 all the time
        return o;
    }
    bool forward = at->T < 0.0;  // friction holds it back
    if (!at->loose) add(&o, LIA_MODE_STICK);
    add_sliding(&o, of, forward, pull);
    add_sliding(&o, of, !forward, pull);
    if (at->loose) add(&o, LIA_MODE_STICK);
    return o;
}

// --- are the normal forces determined? -----------------------------------------------------------

// Where equations depend on each other forces may not be, and friction with them.
static LiaTrial normals_known(LiaRunner* run) {
    const LiaSystem* s = run->contacts->base;
    if (run->w->nr == run->w->nc) return LIA_TRIAL_GOOD;
    LiaModeRoom* room = lia_modes_open(run);
    LiaWorkspace* probe = room ? lia_modes_probe(run, room) : NULL;
    if (!probe) return LIA_TRIAL_NO_MEMORY;
    lia_workspace_load(probe, 1);
    lia_workspace_residuals(probe);
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

// --- is there one, and one only? -----------------------------------------------------------------

static LiaSpan span_of(const LiaRunner* run, uint32_t k) {
    return run->model->constraints[run->contacts->base->rough[k].constraint].span;
}

static void say_none(LiaRunner* run, const bool* touches) {
    const LiaSystem* s = run->contacts->base;
    double t = run->w->t;
    bool touching = false;
    for (uint32_t k = 0; k < s->contact_count; k++) touching |= touches[k];
    if (touching) {
        lia_decide_mode(run, touches, true);
        return;
    }
    for (uint32_t k = 0; k < s->rough_count; k++) {
        const LiaRoughFormulas* of = &s->rough[k];
        double N = 0.0;
        for (uint32_t r = of->row; r < of->row + of->rows; r++) N = hypot(N, run->w->mu[r]);
        if (of->normals == 1 || N > 0.0) continue;
        lia_verdict_no_normal(run, of->constraint, t);
        return;
    }
    LiaText names = {0};
    for (uint32_t k = 0; k < s->rough_count; k++)
        lia_text_add(&names, "%s'%s'", k > 0 ? ", " : "", s->rough[k].name);
    lia_verdict(run, "E0460", span_of(run, 0), t,
                "at t = %.10g no motion has the friction of %s: whatever sign the normal force is "
                "given, its friction makes it another",
                t, names.data ? names.data : "");
    lia_verdict_help(run, "friction and normal force are coupled too strongly here (Painleve): a "
                          "smaller coefficient, or a body that gives way, has a motion");
    lia_text_clear(&names);
}

// The watched formula of the normal force of k does not vanish where the mode begins.
static bool presses(const LiaRunner* run, uint32_t k) {
    const LiaSystem* s = run->system;
    for (uint32_t i = 0; i < s->mode.watched_count; i++) {
        const LiaWatched* of = &s->mode.watched[i];
        if (of->rough && of->contact == k && of->kind == LIA_WATCH_NORMAL)
            return run->contacts->vanish[i] == 0;
    }
    return false;
}

// Does N have the other sign too, where friction takes it to have that? GOOD: it does not.
static LiaTrial try_other_sign(LiaRunner* run, uint32_t k) {
    LiaContacts* c = run->contacts;
    const LiaRoughFormulas* of = &c->base->rough[k];
    uint32_t place = lia_system_rough_place(c->base, k);
    LiaContactMode* mode = c->trial;
    memcpy(mode, lia_modes_now(run), lia_system_mode_count(c->base) * sizeof *mode);
    bool pull = !pulls(mode[place]);
    mode[place] = sliding(is_forward(mode[place]), pull);
    LiaModeRoom* room = lia_modes_room(run, mode);
    LiaWorkspace* probe = room ? lia_modes_probe(run, room) : NULL;
    if (!probe) return LIA_TRIAL_NO_MEMORY;
    lia_workspace_load(probe, 1);
    lia_workspace_residuals(probe);
    if (!lia_workspace_factor(probe)) return LIA_TRIAL_GOOD;
    lia_stage_accelerate(probe);
    double N = pull ? -probe->mu[of->row] : probe->mu[of->row];
    return N > 0.0 ? LIA_TRIAL_WRONG : LIA_TRIAL_GOOD;
}

static bool is_only_one(LiaRunner* run) {
    const LiaSystem* s = run->contacts->base;
    for (uint32_t k = 0; k < s->rough_count; k++) {
        const LiaRoughFormulas* of = &s->rough[k];
        if (of->normals != 1 || !slides(mode_of(run->system, k)) || !presses(run, k)) continue;
        LiaTrial trial = try_other_sign(run, k);
        if (trial == LIA_TRIAL_GOOD) continue;
        double t = run->contacts->t;
        if (trial == LIA_TRIAL_WRONG) {
            lia_verdict(run, "E0461", span_of(run, k), t,
                        "at t = %.10g two motions have the friction of '%s': its normal force may "
                        "push or pull, and friction agrees with both",
                        t, of->name);
            lia_verdict_help(run,
                             "a smaller coefficient, or a body that gives way, has one motion");
        }
        return false;
    }
    return true;
}

// --- does it stick though it could slide? --------------------------------------------------------

// The equations in this mode as numbers, with accelerations; NULL: memory is out, or there are none.
static LiaWorkspace* accelerate(LiaRunner* run, const LiaContactMode* mode) {
    LiaModeRoom* room = lia_modes_room(run, mode);
    LiaWorkspace* probe = room ? lia_modes_probe(run, room) : NULL;
    if (!probe) return NULL;
    lia_workspace_load(probe, 1);
    lia_workspace_residuals(probe);
    if (!lia_workspace_factor(probe)) return NULL;
    lia_stage_accelerate(probe);
    return probe;
}

// Where it slides from rest the slip has the acceleration J (a - a of sticking): is that to the side
// of the sliding, and has N the sign that it is taken to have?
static bool slides_off(const LiaWorkspace* stick, const LiaWorkspace* slide,
                       const LiaRoughFormulas* of, LiaContactMode mode) {
    double rate = 0.0, size = 0.0, N = slide->mu[of->row];
    for (int c = 0; c < stick->nc; c++) {
        if (stick->dynamics->rows[c] != of->slip) continue;
        LiaEntries J = lia_workspace_J(stick, c);
        for (int e = 0; e < J.count; e++) {
            uint32_t i = stick->dynamics->free[lia_entry_column(&J, e)];
            rate += J.value[e] * (slide->a[i] - stick->a[i]);
            size += fabs(J.value[e]) * (fabs(slide->a[i]) + fabs(stick->a[i]));
        }
    }
    if (of->normals == 1 && !((pulls(mode) ? -N : N) > 0.0)) return false;
    return (is_forward(mode) ? rate : -rate) > LIA_CONTACT_ROUNDING * size;
}

// Could rough constraint k, which sticks, slide off as well?
static bool could_slide(LiaRunner* run, uint32_t k) {
    LiaContacts* c = run->contacts;
    const LiaRoughFormulas* of = &c->base->rough[k];
    uint32_t place = lia_system_rough_place(c->base, k);
    LiaWorkspace* stick = accelerate(run, lia_modes_now(run));
    for (int option = 0; stick && option < (of->normals == 1 ? 4 : 2); option++) {
        LiaContactMode* mode = c->trial;
        memcpy(mode, lia_modes_now(run), lia_system_mode_count(c->base) * sizeof *mode);
        mode[place] = sliding(option & 1, option & 2);
        LiaWorkspace* slide = accelerate(run, mode);
        if (slide && slides_off(stick, slide, of, sliding(option & 1, option & 2))) return true;
    }
    return false;
}

static bool was_said(const LiaRunner* run, const char* code, LiaSpan span) {
    for (size_t i = 0; i < lia_diags_count(run->diags); i++) {
        const LiaDiag* d = lia_diag_at(run->diags, i);
        if (strcmp(d->code, code) == 0 && d->span.begin == span.begin) return true;
    }
    return false;
}

// Coupled strongly with its normal force, what comes to rest may stick or slide off again. It
// sticks: friction jumps least by that. It is said, once of each constraint.
static void doubt_sticking(LiaRunner* run) {
    const LiaContacts* c = run->contacts;
    for (uint32_t k = 0; k < c->base->rough_count; k++) {
        const LiaRoughFormulas* of = &c->base->rough[k];
        LiaSpan span = run->model->constraints[of->constraint].name_span;
        if (mode_of(run->system, k) != LIA_MODE_STICK || c->rough[k].stuck) continue;
        if (was_said(run, "W0442", span) || !could_slide(run, k)) continue;
        lia_diag_warning(run->diags, span, "W0442",
                         "at t = %.10g '%s' can stick, and it can slide off as well: friction and "
                         "normal force are coupled strongly. It sticks",
                         c->t, of->name);
    }
}

// --- the decision --------------------------------------------------------------------------------

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
            c->begins.open[lia_system_rough_place(c->base, k)] = o[k].mode[rest % o[k].count];
            rest /= o[k].count;
        }
        result = lia_decide_mode(run, touches, false);
    }
    return result;
}

LiaTrial lia_rough_modes_decide(LiaRunner* run, const bool* touches) {
    size_t count = run->contacts->base->rough_count;
    if (count == 0) return lia_decide_mode(run, touches, true);
    double* slips = lia_memory_zeros(count, sizeof *slips);
    Options* options = lia_memory_zeros(count, sizeof *options);
    LiaTrial known = normals_known(run), trial = LIA_TRIAL_NO_MEMORY;
    bool good = known == LIA_TRIAL_GOOD && slips && options && lia_rough_modes_slips(run, slips);
    if (good) trial = try_all(run, touches, slips, options);
    free(slips);
    free(options);
    if (trial == LIA_TRIAL_WRONG) say_none(run, touches);
    if (trial == LIA_TRIAL_GOOD && !is_only_one(run)) trial = LIA_TRIAL_WRONG;
    if (trial == LIA_TRIAL_GOOD) doubt_sticking(run);
    return trial;
}

// --- what it is called ---------------------------------------------------------------------------

bool lia_rough_modes_tell(LiaRunner* run, const LiaModeRoom* before) {
    LiaContacts* c = run->contacts;
    const LiaContactMode* now = lia_modes_now(run);
    for (uint32_t k = 0; k < c->base->rough_count; k++) {
        uint32_t place = lia_system_rough_place(c->base, k);
        LiaContactMode from = before->mode[place], to = now[place];
        if (from == to || !lia_rough_is_on(run->system, k)) continue;
        bool kink = slides(from) && slides(to) && is_forward(from) == is_forward(to);
        LiaEventRecord event = {.kind = kink         ? LIA_EVENT_KINK
                                        : slides(to) ? LIA_EVENT_SLIP
                                                     : LIA_EVENT_STICK,
                                .name = c->base->rough[k].name,
                                .t = c->t};
        if (to != LIA_MODE_CLOSED && !lia_contact_record_named(run, event)) return false;
    }
    return true;
}
