// Which mode goes on where contacts touch and none is approached. Complementarity of accelerations and
// forces proposes it (complementarity.h). The series of the mode are the proof: every formula that it
// watches is positive just after, which also decides where forces and accelerations both vanish, as
// where a force has fallen to zero. So nothing is dropped because its sign is wrong: what goes on
// satisfies all conditions.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/stage.h"
#include "motion/contact/contacts.h"
#include "motion/contact/friction/complementarity.h"
#include "motion/run/step.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- the proposal ------------------------------------------------------------------------------

typedef struct Proposal {
    LiaComplementarity found;
    LiaComplementarityStatus status;
    double* work;
    int* index;
} Proposal;

static void clear(Proposal* p) {
    free(p->found.lambda);
    free(p->found.verdict);
    free(p->work);
    free(p->index);
}

static bool propose(const LiaDelassus* d, Proposal* p) {
    size_t rows = (size_t)d->rows, k = (size_t)d->contacts;
    *p = (Proposal){0};
    p->found.lambda = lia_memory_zeros(2 * rows + 1, sizeof(double));
    p->found.verdict = lia_memory_zeros(k + 1, sizeof *p->found.verdict);
    p->work = lia_memory_zeros(lia_complementarity_work(d) + 1, sizeof(double));
    p->index = lia_memory_zeros(lia_complementarity_index(d) + 1, sizeof(int));
    if (!p->found.lambda || !p->found.verdict || !p->work || !p->index) return false;
    p->found.a = p->found.lambda + rows;
    p->status = lia_complementarity_solve(d, &p->found, p->work, p->index);
    return true;
}

static LiaContactMode mode_of(const LiaSystem* s, uint32_t contact, const LiaContactVerdict* v) {
    uint32_t slips = s->contacts[contact].slips;
    if (v->state == LIA_CONTACT_OPENS) return LIA_MODE_OPEN;
    if (slips == 0) return LIA_MODE_CLOSED;
    if (v->block[0] != LIA_CONTACT_SLIDES) return LIA_MODE_STICK;
    if (slips == 2) return LIA_MODE_SLIDE;
    return v->direction[0][0] > 0.0 ? LIA_MODE_FORWARD : LIA_MODE_BACKWARD;
}

// --- trying a mode -----------------------------------------------------------------------------

typedef enum Trial { TRIAL_GOOD, TRIAL_WRONG, TRIAL_NO_MEMORY } Trial;

// What is known at the instant.
typedef struct Instant {
    LiaResponse response;
    Proposal proposal;
    double* a;  // accelerations with the forces of the proposal           (n)
} Instant;

static void go_to_instant(LiaRunner* run) {
    const LiaContacts* c = run->contacts;
    size_t n = (size_t)run->w->n * sizeof(double);
    run->w->t = c->t;
    memcpy(run->w->q, c->q, n);
    memcpy(run->w->v, c->v, n);
    memcpy(run->w->work, c->work, run->system->line_count * sizeof(double));
}

// Does the slip of two components begin from rest in this mode? Its direction has no series there.
static bool begins_to_slide(const LiaRunner* run, const LiaResponse* r,
                            const LiaContactMode* mode) {
    (void)run;
    for (int k = 0; k < r->at_rest.contacts; k++) {
        int row = r->contact[k].normal;
        if (mode[r->touching[k]] != LIA_MODE_SLIDE) continue;
        if (r->slip[row + 1] == 0.0 && r->slip[row + 2] == 0.0) return true;
    }
    return false;
}

// A time so short that what is left out of the parabola makes no difference.
static bool step_off(LiaRunner* run, const double* a) {
    LiaWorkspace* w = run->w;
    double d = run->direction * LIA_CONTACT_STEP_OFF * fmax(run->course.longest, fabs(run->step.h));
    if (d == 0.0) d = LIA_CONTACT_STEP_OFF * run->direction * run->span;
    for (int i = 0; i < w->n; i++) {
        w->q[i] += d * (w->v[i] + 0.5 * d * a[i]);
        w->v[i] += d * a[i];
    }
    w->t += d;
    if (!lia_step_arrive(run, NULL, NULL)) return false;
    for (uint32_t l = 0; l < run->system->line_count; l++)
        w->work[l] += d * lia_jet_series(&w->jets, w->dynamics->power[l])[0];
    return true;
}

// Where friction that sticks has grown to its bound the slip begins with its square, (t - t0)^2 W,
// along the force that held it: T = -|T| W/|W|. True for a contact that slides so in `mode`.
static bool begins_slowly(const Instant* at, const LiaContactMode* mode, int k) {
    const LiaResponse* r = &at->response;
    int row = r->contact[k].normal;
    return mode[r->touching[k]] == LIA_MODE_SLIDE && r->slip[row + 1] == 0.0 &&
           r->slip[row + 2] == 0.0 && at->proposal.status == LIA_COMPLEMENTARITY_SOLVED &&
           at->proposal.found.verdict[k].block[0] == LIA_CONTACT_STICKS;
}

// Impulses (P, T) of contact k that change its slip by `by` and leave the gap: W P = (0, by).
static bool find_push(const LiaResponse* r, int k, const double* by, double* P) {
    int first = r->contact[k].normal, m = r->at_rest.rows;
    const double* A[3];
    for (int i = 0; i < 3; i++) A[i] = r->W + (first + i) * m + first;
    double c[3][3];  // cofactors
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = A[i1][j1] * A[i2][j2] - A[i1][j2] * A[i2][j1];
        }
    }
    double det = A[0][0] * c[0][0] + A[0][1] * c[0][1] + A[0][2] * c[0][2];
    for (int j = 0; j < 3; j++) P[j] = (c[1][j] * by[0] + c[2][j] * by[1]) / det;
    return isfinite(P[0]) && isfinite(P[1]) && isfinite(P[2]);
}

// The slip of contact k a time d after it began: d/2 times its acceleration.
static bool push_off(LiaRunner* run, const LiaResponse* r, const Proposal* p, int k) {
    int row = r->contact[k].normal;
    const double* a = p->found.a + row + 1;
    double half = 0.5 * (run->w->t - run->contacts->t), by[2] = {half * a[0], half * a[1]}, P[3];
    size_t n = (size_t)run->w->n;
    bool slides = p->status == LIA_COMPLEMENTARITY_SOLVED &&
                  p->found.verdict[k].block[0] == LIA_CONTACT_SLIDES;
    if (!slides || !find_push(r, k, by, P)) return false;
    for (int j = 0; j < 3; j++) {
        for (size_t i = 0; i < n; i++) run->w->v[i] += r->answer[(size_t)(row + j) * n + i] * P[j];
    }
    return true;
}

// The directions of the slips that begin, where what stuck is beyond its bound.
static Trial push_all(LiaRunner* run, const LiaContactMode* mode, const Instant* at) {
    const LiaResponse* r = &at->response;
    LiaResponse here = {0};
    Proposal proposal = {0};
    bool* touches = lia_memory_zeros(run->system->contact_count + 1, sizeof *touches);
    for (int k = 0; touches && k < r->at_rest.contacts; k++) touches[r->touching[k]] = true;
    LiaResponseFound found =
        touches ? lia_response_make(run, touches, &here) : LIA_RESPONSE_NO_MEMORY;
    Trial result = found == LIA_RESPONSE_NO_MEMORY ? TRIAL_NO_MEMORY
                   : found == LIA_RESPONSE_FOUND   ? TRIAL_GOOD
                                                   : TRIAL_WRONG;
    if (result == TRIAL_GOOD && !propose(&here.at_rest, &proposal)) result = TRIAL_NO_MEMORY;
    for (int k = 0; result == TRIAL_GOOD && k < r->at_rest.contacts; k++) {
        if (begins_slowly(at, mode, k) && !push_off(run, &here, &proposal, k)) result = TRIAL_WRONG;
    }
    clear(&proposal);
    lia_response_clear(&here);
    free(touches);
    return result;
}

// For a short time as if they stuck, then with slips that have a direction.
static Trial creep_off(LiaRunner* run, const LiaContactMode* mode, const Instant* at) {
    const LiaResponse* r = &at->response;
    LiaContactMode* stick = run->contacts->trial;
    memcpy(stick, mode, run->system->contact_count * sizeof *stick);
    for (int k = 0; k < r->at_rest.contacts; k++) {
        if (begins_slowly(at, mode, k)) stick[r->touching[k]] = LIA_MODE_STICK;
    }
    if (!lia_modes_enter(run, stick)) return TRIAL_NO_MEMORY;
    if (!lia_step_arrive(run, NULL, NULL)) return TRIAL_WRONG;
    lia_stage_series(run->w, run->out->order);
    lia_taylor_take(&run->step, run->w);
    double longest = fmax(run->course.longest, fabs(run->step.h));
    double d = LIA_CONTACT_SLIP_BEGINS * (longest > 0.0 ? longest : run->span);
    lia_taylor_at(&run->step, run->direction * d, run->w);
    if (!lia_step_arrive(run, NULL, NULL)) return TRIAL_WRONG;
    Trial pushed = push_all(run, mode, at);
    if (pushed != TRIAL_GOOD) return pushed;
    if (!lia_modes_enter(run, mode)) return TRIAL_NO_MEMORY;
    return lia_step_arrive(run, NULL, NULL) ? TRIAL_GOOD : TRIAL_WRONG;
}

// Into the mode, at the instant or where its series begin.
static Trial go_to_mode(LiaRunner* run, const LiaContactMode* mode, const Instant* at) {
    bool slowly = false;
    go_to_instant(run);
    for (int k = 0; k < at->response.at_rest.contacts; k++) slowly |= begins_slowly(at, mode, k);
    if (slowly) return creep_off(run, mode, at);
    if (!lia_modes_enter(run, mode)) return TRIAL_NO_MEMORY;
    bool off = begins_to_slide(run, &at->response, mode);
    bool there = off ? step_off(run, at->a) : lia_step_arrive(run, NULL, NULL);
    return there ? TRIAL_GOOD : TRIAL_WRONG;
}

static Trial try_mode(LiaRunner* run, const LiaContactMode* mode, const Instant* at) {
    Trial there = go_to_mode(run, mode, at);
    if (there != TRIAL_GOOD) return there;
    lia_stage_series(run->w, run->out->order);
    lia_taylor_take(&run->step, run->w);
    return lia_watch_admissible(run) < 0 ? TRIAL_GOOD : TRIAL_WRONG;
}

// --- all modes of the contacts that are on a border ----------------------------------------------

// Modes a touching contact can be in, by its slip.
static int options_of(const LiaRunner* run, const LiaResponse* r, int k, LiaContactMode* out) {
    uint32_t slips = run->contacts->base->contacts[r->touching[k]].slips;
    const double* slip = r->slip + r->contact[k].normal + 1;
    int count = 0;
    if (slips == 0) {
        out[count++] = LIA_MODE_CLOSED;
    } else if (slips == 1 && slip[0] != 0.0) {
        out[count++] = slip[0] > 0.0 ? LIA_MODE_FORWARD : LIA_MODE_BACKWARD;
    } else if (slips == 2 && (slip[0] != 0.0 || slip[1] != 0.0)) {
        out[count++] = LIA_MODE_SLIDE;
    } else {
        out[count++] = LIA_MODE_STICK;
        if (slips == 2) out[count++] = LIA_MODE_SLIDE;
        if (slips == 1) out[count++] = LIA_MODE_FORWARD, out[count++] = LIA_MODE_BACKWARD;
    }
    out[count++] = LIA_MODE_OPEN;
    return count;
}

// Other modes of these contacts, until one is proved. `any`: of all contacts, not of those on a border.
static Trial try_others(LiaRunner* run, const Instant* at, LiaContactMode* mode, bool any) {
    enum { MODES = 4, TRIALS_MOST = 256 };
    const LiaResponse* r = &at->response;
    const LiaContactVerdict* verdict = at->proposal.found.verdict;
    int contacts = r->at_rest.contacts, at_most = 1;
    for (int k = 0; k < contacts; k++) {
        LiaContactMode options[MODES];
        if (any || verdict[k].border) at_most *= options_of(run, r, k, options);
        if (at_most > TRIALS_MOST) return TRIAL_WRONG;
    }
    for (int trial = 0; trial < at_most; trial++) {
        int rest = trial;
        for (int k = 0; k < contacts; k++) {
            LiaContactMode options[MODES];
            if (!any && !verdict[k].border) continue;
            int count = options_of(run, r, k, options);
            mode[r->touching[k]] = options[rest % count];
            rest /= count;
        }
        Trial result = try_mode(run, mode, at);
        if (result != TRIAL_WRONG) return result;
    }
    return TRIAL_WRONG;
}

// --- verdicts ------------------------------------------------------------------------------------

static void name_touching(const LiaRunner* run, const LiaResponse* r, LiaText* names) {
    const LiaSystem* s = run->contacts->base;
    for (int k = 0; k < r->at_rest.contacts; k++) {
        const char* name = s->contacts[r->touching[k]].name;
        lia_text_add(names, "%s'%s'", k > 0 ? ", " : "", name);
    }
}

static LiaSpan span_of(const LiaRunner* run, const LiaResponse* r, int k) {
    const LiaSystem* s = run->contacts->base;
    return s->model->constraints[s->contacts[r->touching[k]].constraint].span;
}

// All contacts are open, and a gap is negative just after.
static void say_open_wrong(LiaRunner* run) {
    const LiaSystem* s = run->contacts->base;
    double t = run->contacts->t;
    lia_verdict(run, LIA_FAILED, "E0432", s->model->constraints[s->contacts[0].constraint].span, t,
                "at t = %.10g all contacts part, and a gap would be negative just after", t);
}

static void say_undecided(LiaRunner* run, const Instant* at) {
    const LiaResponse* r = &at->response;
    if (r->at_rest.contacts == 0) {
        say_open_wrong(run);
        return;
    }
    const LiaComplementarity* found = &at->proposal.found;
    LiaText names = {0};
    name_touching(run, r, &names);
    int culprit = found->painleve >= 0 ? found->painleve : 0;
    LiaSpan span = span_of(run, r, culprit);
    double t = run->contacts->t;
    if (at->proposal.status == LIA_COMPLEMENTARITY_SEVERAL) {
        lia_verdict(run, LIA_FAILED, "E0434", span, t,
                    "at t = %.10g several motions satisfy the laws of the contacts %s", t,
                    names.data);
    } else if (found->painleve >= 0) {
        lia_verdict(run, LIA_FAILED, "E0433", span, t,
                    "at t = %.10g friction presses the contacts %s together more than their forces "
                    "push them apart: no force stops them (Painleve)",
                    t, names.data);
    } else {
        lia_verdict(run, LIA_FAILED, "E0432", span, t,
                    "at t = %.10g no mode of the contacts %s satisfies all their conditions", t,
                    names.data);
    }
    lia_text_clear(&names);
}

// --- the decision --------------------------------------------------------------------------------

// A slip that was found to vanish is zero, and what sticks does not slip.
static void rest_slips(LiaRunner* run, LiaResponse* r) {
    const LiaContacts* c = run->contacts;
    for (int k = 0; k < r->at_rest.contacts; k++) {
        if (!c->rests[r->touching[k]]) continue;
        for (int i = 0; i < r->contact[k].block[0].dimension; i++)
            r->slip[r->contact[k].block[0].row + i] = 0.0;
    }
}

static void find_accelerations(const LiaRunner* run, Instant* at) {
    const LiaResponse* r = &at->response;
    size_t n = (size_t)run->w->n;
    memcpy(at->a, r->free, n * sizeof *at->a);
    for (int j = 0; j < r->at_rest.rows; j++) {
        for (size_t i = 0; i < n; i++)
            at->a[i] += r->answer[(size_t)j * n + i] * at->proposal.found.lambda[j];
    }
}

static Trial decide(LiaRunner* run, Instant* at) {
    const LiaSystem* s = run->contacts->base;
    const LiaResponse* r = &at->response;
    LiaContactMode* mode = run->contacts->wanted;
    for (uint32_t k = 0; k < s->contact_count; k++) mode[k] = LIA_MODE_OPEN;
    if (r->at_rest.contacts == 0) return try_mode(run, mode, at);
    if (!propose(&r->at_rest, &at->proposal)) return TRIAL_NO_MEMORY;
    find_accelerations(run, at);
    bool solved = at->proposal.status == LIA_COMPLEMENTARITY_SOLVED;
    if (at->proposal.status == LIA_COMPLEMENTARITY_NONE ||
        at->proposal.status == LIA_COMPLEMENTARITY_SEVERAL)
        return TRIAL_WRONG;
    Trial trial = TRIAL_WRONG;
    for (int k = 0; solved && k < r->at_rest.contacts; k++)
        mode[r->touching[k]] = mode_of(s, r->touching[k], &at->proposal.found.verdict[k]);
    if (solved) trial = try_mode(run, mode, at);
    if (trial == TRIAL_WRONG && solved) trial = try_others(run, at, mode, false);
    return trial == TRIAL_WRONG ? try_others(run, at, mode, true) : trial;
}

bool lia_decide_mode(LiaRunner* run, const bool* touches) {
    LiaContacts* c = run->contacts;
    Instant at = {.a = lia_memory_zeros((size_t)run->w->n + 1, sizeof(double))};
    Trial trial = TRIAL_NO_MEMORY;
    LiaResponseFound found =
        at.a ? lia_response_make(run, touches, &at.response) : LIA_RESPONSE_NO_MEMORY;
    c->t = run->w->t;
    memcpy(c->q, run->w->q, (size_t)run->w->n * sizeof(double));
    memcpy(c->v, run->w->v, (size_t)run->w->n * sizeof(double));
    memcpy(c->work, run->w->work, run->system->line_count * sizeof(double));
    if (found == LIA_RESPONSE_FOUND) {
        rest_slips(run, &at.response);
        trial = decide(run, &at);
    }
    if (found == LIA_RESPONSE_SINGULAR) lia_verdict_singular(run, c->rooms[0]->probe);
    if (trial == TRIAL_WRONG) {
        go_to_instant(run);
        say_undecided(run, &at);
    }
    clear(&at.proposal);
    lia_response_clear(&at.response);
    free(at.a);
    // the series of the trial are used up: those of the next step begin anew
    return trial == TRIAL_GOOD && lia_step_arrive(run, NULL, NULL);
}
