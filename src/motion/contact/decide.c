// Which mode goes on where contacts touch and none is approached. Complementarity of accelerations
// and forces proposes it (complementarity.h). The series of the mode are the proof: every formula
// that it watches is positive just after, which also decides where forces and accelerations both
// vanish, as where a force has fallen to zero. So nothing is dropped because its sign is wrong:
// what goes on satisfies all conditions.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/stage.h"
#include "motion/contact/slip_way.h"
#include "motion/run/step.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- the proposal ------------------------------------------------------------------------------

void lia_decide_clear(LiaProposal* p) {
    free(p->found.lambda);
    free(p->found.verdict);
    free(p->work);
    free(p->index);
    *p = (LiaProposal){0};
}

bool lia_decide_propose(const LiaDelassus* d, LiaProposal* p) {
    size_t rows = (size_t)d->rows, k = (size_t)d->contacts;
    *p = (LiaProposal){0};
    p->found.lambda = lia_memory_zeros(2 * rows + 1, sizeof(double));
    p->found.verdict = lia_memory_zeros(k + 1, sizeof *p->found.verdict);
    p->work = lia_memory_zeros(lia_complementarity_work(d) + 1, sizeof(double));
    p->index = lia_memory_zeros(lia_complementarity_index(d) + 1, sizeof(int));
    if (!p->found.lambda || !p->found.verdict || !p->work || !p->index) return false;
    p->found.a = p->found.lambda + rows;
    p->status = lia_complementarity_solve(d, &p->found, p->work, p->index);
    return true;
}

static LiaContactMode mode_of(const LiaFrictionFormulas* block, const LiaContactVerdict* v, int b) {
    if (v->block[b] != LIA_CONTACT_SLIDES) return LIA_MODE_STICK;
    if (block->rows == 2) return LIA_MODE_SLIDE;
    return v->direction[b][0] > 0.0 ? LIA_MODE_FORWARD : LIA_MODE_BACKWARD;
}

// All places of an open contact are open.
static void set_open(const LiaSystem* s, uint32_t contact, LiaContactMode* mode) {
    const LiaContactFormulas* c = &s->contacts[contact];
    mode[contact] = LIA_MODE_OPEN;
    for (uint32_t b = 0; b < c->blocks; b++) mode[c->block[b].place] = LIA_MODE_OPEN;
}

static void set_mode(const LiaSystem* s, uint32_t contact, const LiaContactVerdict* v,
                     LiaContactMode* mode) {
    const LiaContactFormulas* c = &s->contacts[contact];
    set_open(s, contact, mode);
    if (v->state == LIA_CONTACT_OPENS) return;
    mode[contact] = LIA_MODE_CLOSED;
    for (uint32_t b = 0; b < c->blocks; b++)
        mode[c->block[b].place] = mode_of(&c->block[b], v, (int)b);
}

// What is no force and no acceleration, of each touching contact: as complementarity judges.
static void find_rounding(LiaRunner* run, const LiaResponse* r) {
    int m = r->at_rest.rows;
    double most = 0.0;
    for (int i = 0; i < m; i++) {
        double root = sqrt(fabs(r->W[i * m + i]));
        if (root > 0.0) most = fmax(most, fabs(r->acceleration[i]) / root);
    }
    for (int k = 0; k < r->at_rest.contacts; k++) {
        int row = r->contact[k].normal;
        double root = sqrt(fabs(r->W[row * m + row]));
        run->contacts->rounding.force[r->touching[k]] =
            root > 0.0 ? LIA_CONTACT_ZERO * most / root : 0.0;
        run->contacts->rounding.acceleration[r->touching[k]] =
            fmax(LIA_CONTACT_ZERO * most * root, r->noise_a[row]);
        const LiaContactFormulas* of = &run->contacts->base->contacts[r->touching[k]];
        for (int b = 0; b < r->contact[k].blocks; b++)
            run->contacts->rounding.slip[of->block[b].place] =
                r->noise_v[r->contact[k].block[b].row];
    }
}

// --- trying a mode -----------------------------------------------------------------------------

void lia_decide_go_back(LiaRunner* run) {
    const LiaContacts* c = run->contacts;
    size_t n = (size_t)run->w->n * sizeof(double);
    run->w->t = c->t;
    memcpy(run->w->q, c->q, n);
    memcpy(run->w->v, c->v, n);
    memcpy(run->w->work, c->work, run->system->line_count * sizeof(double));
}

LiaTrial lia_decide_again(LiaRunner* run, const LiaInstant* at, LiaResponse* here,
                          LiaProposal* proposal) {
    const LiaResponse* r = &at->response;
    bool* touches = lia_memory_zeros(run->system->contact_count + 1, sizeof *touches);
    for (int k = 0; touches && k < r->at_rest.contacts; k++) touches[r->touching[k]] = true;
    LiaResponseFound found =
        touches ? lia_response_make(run, touches, here) : LIA_RESPONSE_NO_MEMORY;
    LiaTrial result = found == LIA_RESPONSE_NO_MEMORY ? LIA_TRIAL_NO_MEMORY
                      : found == LIA_RESPONSE_FOUND   ? LIA_TRIAL_GOOD
                                                      : LIA_TRIAL_WRONG;
    if (result == LIA_TRIAL_GOOD && !lia_decide_propose(&here->at_rest, proposal))
        result = LIA_TRIAL_NO_MEMORY;
    free(touches);
    return result;
}

// The series of the mode where run->w is: is every formula positive that it watches?
static LiaTrial prove(LiaRunner* run) {
    lia_stage_series(run->w, run->out->effort.order);
    lia_taylor_take(&run->step, run->w);
    run->contacts->negative = lia_contact_watch_admissible(run);
    return run->contacts->negative < 0 ? LIA_TRIAL_GOOD : LIA_TRIAL_WRONG;
}

// In shorter and shorter times, where something else happens within.
static LiaTrial try_slip(LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at) {
    LiaTrial result = LIA_TRIAL_WRONG;
    for (double part = LIA_SLIP_PART; part >= LIA_SLIP_PART_LEAST; part *= LIA_SLIP_SHORTER) {
        LiaSlipWay way = {0};
        result = lia_slip_begin(run, mode, at, part, &way);
        if (result == LIA_TRIAL_GOOD) result = prove(run);
        if (result == LIA_TRIAL_GOOD && !lia_slip_way_sample(&way)) result = LIA_TRIAL_NO_MEMORY;
        lia_slip_way_clear(&way);
        if (result != LIA_TRIAL_WRONG) break;
    }
    return result;
}

// Is there no time left in which a slip could begin? The run halts here, and the mode is as it was.
static bool is_over(const LiaRunner* run) {
    const LiaContacts* c = run->contacts;
    return fabs(run->halt - c->t) <= LIA_CONTACT_INSTANT * lia_time_size(run, c->t);
}

// Forces that are not unique in a mode: near to those of the proposal, which are within the cones,
// or of least norm. False if memory is out.
static bool prefer(LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at) {
    LiaModeRoom* room = lia_modes_room(run, mode);
    if (!room) return false;
    double* preferred = room->system->mode.preferred;
    size_t bytes = room->system->row_count * sizeof *preferred;
    if (preferred && at->prefers) memcpy(preferred, at->mu, bytes);
    if (preferred && !at->prefers) memset(preferred, 0, bytes);
    return true;
}

// Into the mode, at the instant or where its series begin.
static LiaTrial try_mode(LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at) {
    bool begins = lia_slip_way_needed(run, at, mode), over = begins && is_over(run);
    if (!prefer(run, mode, at)) return LIA_TRIAL_NO_MEMORY;
    if (begins && run->contacts->start.looks) return lia_slip_way_wait(run, mode, at);
    if (begins && !over) return try_slip(run, mode, at);
    lia_decide_go_back(run);
    if (over) return lia_step_arrive(run, NULL, NULL) ? LIA_TRIAL_GOOD : LIA_TRIAL_WRONG;
    if (!lia_modes_enter(run, mode)) return LIA_TRIAL_NO_MEMORY;
    return lia_step_arrive(run, NULL, NULL) ? prove(run) : LIA_TRIAL_WRONG;
}

// --- forces that are not unique ------------------------------------------------------------------

// Multipliers of all rows with the forces of the proposal, by the mode in which all contacts are
// open, which response.c has factored.
static void find_multipliers(LiaRunner* run, LiaInstant* at) {
    const LiaResponse* r = &at->response;
    const LiaWorkspace* open = lia_modes_open(run)->probe;
    size_t n = (size_t)open->n;
    double* b = open->b;
    memset(b, 0, (size_t)(open->nf + open->nr) * sizeof *b);
    for (int j = 0; j < r->at_rest.rows; j++) {
        for (size_t i = 0; i < n; i++)
            b[i] += r->Omega[(size_t)j * n + i] * at->proposal.found.lambda[j];
    }
    lia_workspace_solve(open, b);
    memcpy(at->mu, open->mu, run->system->row_count * sizeof *at->mu);
    for (int c = 0; c < open->nr; c++)
        at->mu[open->dynamics->rows[open->active[c]]] += b[open->nf + c];
    for (int j = 0; j < r->at_rest.rows; j++) at->mu[r->row[j]] = at->proposal.found.lambda[j];
}

// A mode with the forces of least norm; where these are not unique they may pull or be beyond the
// bounds though others are not: then with those of the proposal.
static LiaTrial try_forces(LiaRunner* run, const LiaContactMode* mode, LiaInstant* at) {
    LiaTrial trial = try_mode(run, mode, at);
    if (trial != LIA_TRIAL_WRONG || run->w->nr == run->w->nc) return trial;
    if (at->proposal.status != LIA_COMPLEMENTARITY_SOLVED) return trial;
    at->prefers = true;
    trial = try_mode(run, mode, at);
    at->prefers = false;
    return trial;
}

// --- all modes of the contacts that are on a border ----------------------------------------------

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
    set_open(s, r->touching[k], mode);
    if (option == options_of(r, verdict, k) - 1) return;
    mode[r->touching[k]] = LIA_MODE_CLOSED;
    for (int b = 0; b < r->contact[k].blocks; b++) {
        LiaContactMode out[BLOCK_MODES];
        int count = block_options(r, verdict, k, b, out);
        mode[c->block[b].place] = out[option % count];
        option /= count;
    }
}

// A contact whose force or gap is negative in the mode that was tried changes its mode, until one is
// proved. Many contacts may be on a border (balls in a row): to try all modes of theirs takes too
// long.
static LiaTrial try_changes(LiaRunner* run, LiaInstant* at, LiaContactMode* mode) {
    enum { CHANGES_EACH = 3 };
    const LiaResponse* r = &at->response;
    LiaTrial trial = LIA_TRIAL_WRONG;
    for (int i = 0; i < CHANGES_EACH * r->at_rest.contacts; i++) {
        int negative = run->contacts->negative, k = 0;
        if (negative < 0) return trial;
        uint32_t contact = run->system->mode.watched[negative].contact;
        while (k < r->at_rest.contacts && r->touching[k] != contact) k++;
        bool rough = run->contacts->base->contacts[contact].blocks > 0;
        if (k == r->at_rest.contacts || rough || !at->proposal.found.verdict[k].border)
            return trial;
        mode[contact] = mode[contact] == LIA_MODE_OPEN ? LIA_MODE_CLOSED : LIA_MODE_OPEN;
        run->contacts->negative = -1;
        trial = try_forces(run, mode, at);
        if (trial != LIA_TRIAL_WRONG) return trial;
    }
    return trial;
}

// Other modes of these contacts, until one is proved. `any`: of all contacts, not of those on a
// border.
static LiaTrial try_others(LiaRunner* run, LiaInstant* at, LiaContactMode* mode, bool any) {
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
        LiaTrial result = try_forces(run, mode, at);
        if (result != LIA_TRIAL_WRONG) return result;
    }
    return LIA_TRIAL_WRONG;
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
    lia_verdict(run, "E0432", s->model->constraints[s->contacts[0].constraint].span, t,
                "at t = %.10g all contacts part, and a gap would be negative just after: the "
                "accelerations do not say that it opens",
                t);
    lia_verdict_help(run, "look at the gaps: each is to be smooth where it is zero, with a slope");
}

static void say_undecided(LiaRunner* run, const LiaInstant* at) {
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
        lia_verdict(run, "E0434", span, t,
                    "at t = %.10g several motions satisfy the laws of the contacts %s: friction "
                    "couples them so strongly that they agree with more than one mode",
                    t, names.data);
        lia_verdict_help(run, "a smaller friction, or a body that gives way, has one motion");
    } else {
        lia_verdict(run, "E0432", span, t,
                    "at t = %.10g no mode of the contacts %s satisfies all their conditions: "
                    "each leaves a force that pulls, a gap that closes or too much friction",
                    t, names.data);
        lia_verdict_help(run, "a smaller friction, or fewer contacts and constraints that hold the "
                              "same, has a motion");
    }
    lia_text_clear(&names);
}

// --- the decision --------------------------------------------------------------------------------

// A slip that was found to vanish is zero, and what sticks does not slip.
static void rest_slips(LiaRunner* run, LiaResponse* r) {
    const LiaContacts* c = run->contacts;
    for (int k = 0; k < r->at_rest.contacts; k++) {
        const LiaContactFormulas* of = &c->base->contacts[r->touching[k]];
        for (int b = 0; b < r->contact[k].blocks; b++) {
            const LiaFrictionBlock* block = &r->contact[k].block[b];
            double* slip = r->slip + block->row;
            bool still = true;
            for (int i = 0; i < block->dimension; i++) {
                if (c->rests[of->block[b].place]) slip[i] = 0.0;
                still &= slip[i] == 0.0;
            }
            c->rounding.still[of->block[b].place] = still;
        }
    }
}

static void find_accelerations(const LiaRunner* run, LiaInstant* at) {
    const LiaResponse* r = &at->response;
    size_t n = (size_t)run->w->n;
    memcpy(at->a, r->free, n * sizeof *at->a);
    for (int j = 0; j < r->at_rest.rows; j++) {
        for (size_t i = 0; i < n; i++)
            at->a[i] += r->answer[(size_t)j * n + i] * at->proposal.found.lambda[j];
    }
}

// What complementarity says, and all that follows from its forces. False if memory is out.
static bool propose(LiaRunner* run, LiaInstant* at) {
    lia_decide_clear(&at->proposal);
    if (!lia_decide_propose(&at->response.at_rest, &at->proposal)) return false;
    find_accelerations(run, at);
    find_multipliers(run, at);
    return true;
}

// The mode of the proposal: open contacts and switches are as they are. Is it that of the run?
static bool propose_mode(const LiaRunner* run, const LiaInstant* at, LiaContactMode* mode) {
    const LiaSystem* s = run->contacts->base;
    const LiaResponse* r = &at->response;
    for (int k = 0; k < r->at_rest.contacts; k++)
        set_mode(s, r->touching[k], &at->proposal.found.verdict[k], mode);
    return memcmp(mode, lia_modes_now(run), lia_system_mode_count(s) * sizeof *mode) == 0;
}

// Several motions satisfy the laws, and one of them was taken.
static void note_choice(LiaRunner* run, const LiaInstant* at) {
    LiaContactChoices* choices = &run->contacts->course.choices;
    if (choices->count++ > 0) return;
    choices->t = run->contacts->t;
    choices->contact = at->response.touching[0];
}

static LiaTrial decide(LiaRunner* run, LiaInstant* at) {
    const LiaSystem* s = run->contacts->base;
    LiaContactMode* mode = run->contacts->wanted;
    memcpy(mode, run->contacts->begins.open, lia_system_mode_count(s) * sizeof *mode);
    if (at->response.at_rest.contacts == 0) return try_mode(run, mode, at);
    if (!propose(run, at)) return LIA_TRIAL_NO_MEMORY;
    find_rounding(run, &at->response);
    bool none = at->proposal.status == LIA_COMPLEMENTARITY_NONE;
    if (none && at->proposal.found.painleve >= 0) return LIA_TRIAL_JAMS;
    if (none || at->proposal.status == LIA_COMPLEMENTARITY_SEVERAL) return LIA_TRIAL_WRONG;
    LiaTrial trial = LIA_TRIAL_WRONG;
    run->contacts->negative = -1;
    if (at->proposal.status == LIA_COMPLEMENTARITY_SOLVED) {
        // where a bound was reached that need not be passed: off it at once
        bool off = propose_mode(run, at, mode);
        if (!off) trial = try_forces(run, mode, at);
        if (trial == LIA_TRIAL_WRONG && !at->proposal.found.unique) {
            at->response.at_rest.inside = true;
            if (!propose(run, at)) return LIA_TRIAL_NO_MEMORY;
            propose_mode(run, at, mode);
            off = true;
        }
        if (trial == LIA_TRIAL_WRONG && off) trial = try_forces(run, mode, at);
        if (trial == LIA_TRIAL_WRONG) trial = try_changes(run, at, mode);
        if (trial == LIA_TRIAL_WRONG) trial = try_others(run, at, mode, false);
    }
    if (trial == LIA_TRIAL_WRONG) trial = try_others(run, at, mode, true);
    if (trial == LIA_TRIAL_GOOD && at->proposal.found.chosen) note_choice(run, at);
    return trial;
}

// Does a block of friction of contact k rest?
static bool rests(const LiaResponse* r, int k) {
    for (int b = 0; b < r->contact[k].blocks; b++) {
        const LiaFrictionBlock* block = &r->contact[k].block[b];
        double slip = 0.0;
        for (int i = 0; i < block->dimension; i++) slip = hypot(slip, r->slip[block->row + i]);
        if (slip == 0.0) return true;
    }
    return false;
}

// Against the time: what rests by friction may have come to rest at any time before.
static bool has_past(LiaRunner* run, const LiaResponse* r) {
    const LiaSystem* s = run->contacts->base;
    for (int k = 0; run->direction < 0.0 && k < r->at_rest.contacts; k++) {
        if (!rests(r, k)) continue;
        double t = run->contacts->t;
        lia_verdict(run, "E0431", span_of(run, r, k), t,
                    "at t = %.10g '%s' does not slip: what rests by friction may have come to rest "
                    "at any time before, and has no past of its own",
                    t, s->contacts[r->touching[k]].name);
        return false;
    }
    return true;
}

LiaTrial lia_decide_mode(LiaRunner* run, const bool* touches, bool says) {
    LiaContacts* c = run->contacts;
    size_t rows = run->system->row_count, n = (size_t)run->w->n;
    LiaInstant at = {.a = lia_memory_zeros(n + rows + 1, sizeof(double))};
    if (at.a) at.mu = at.a + n;
    LiaTrial trial = LIA_TRIAL_NO_MEMORY;
    LiaResponseFound found =
        at.a ? lia_response_make(run, touches, &at.response) : LIA_RESPONSE_NO_MEMORY;
    c->t = run->w->t;
    memcpy(c->q, run->w->q, n * sizeof(double));
    memcpy(c->v, run->w->v, n * sizeof(double));
    memcpy(c->work, run->w->work, run->system->line_count * sizeof(double));
    if (found == LIA_RESPONSE_FOUND) {
        rest_slips(run, &at.response);
        bool past = has_past(run, &at.response);
        trial = past ? decide(run, &at) : LIA_TRIAL_WRONG;
        says = says && past;
    }
    if (found == LIA_RESPONSE_SINGULAR) {
        trial = LIA_TRIAL_WRONG;
        if (says) lia_verdict_singular(run, lia_modes_open(run)->probe);
    }
    if (trial == LIA_TRIAL_WRONG || trial == LIA_TRIAL_JAMS) {
        lia_decide_go_back(run);
        if (says && trial == LIA_TRIAL_WRONG && found == LIA_RESPONSE_FOUND)
            say_undecided(run, &at);
    }
    lia_decide_clear(&at.proposal);
    lia_response_clear(&at.response);
    free(at.a);
    // the series of the trial are used up: those of the next step begin anew
    if (trial == LIA_TRIAL_GOOD && !lia_step_arrive(run, NULL, NULL)) return LIA_TRIAL_NO_MEMORY;
    return trial;
}
