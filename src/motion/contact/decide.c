// Which mode goes on where contacts touch and none is approached. Complementarity of accelerations
// and forces proposes it (complementarity.h). The series of the mode are the proof: every formula
// that it watches is positive just after, which also decides where forces and accelerations both
// vanish, as where a force has fallen to zero. So nothing is dropped because its sign is wrong:
// what goes on satisfies all conditions.
// SPDX-License-Identifier: MIT
#include "motion/contact/decide.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "motion/contact/friction/self_stress.h"
#include "motion/contact/laws.h"
#include "motion/contact/rough/rough_modes.h"
#include "motion/contact/trials.h"
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

static void set_mode(const LiaSystem* s, uint32_t contact, const LiaContactVerdict* v,
                     LiaContactMode* mode) {
    const LiaContactFormulas* c = &s->contacts[contact];
    lia_trials_set_open(s, contact, mode);
    if (v->state == LIA_CONTACT_OPENS) return;
    mode[contact] = LIA_MODE_CLOSED;
    for (uint32_t b = 0; b < c->blocks; b++)
        mode[c->block[b].place] = mode_of(&c->block[b], v, (int)b);
}

// What is no force and no acceleration, of each touching contact: as complementarity judges.
static void find_rounding(LiaRunner* run, const LiaInstant* at) {
    const LiaResponse* r = &at->response;
    const LiaContactRounding* of_run = &run->contacts->rounding;
    int m = r->at_rest.rows;
    double most = 0.0;
    for (int i = 0; i < m; i++) {
        double root = sqrt(fabs(r->W[i * m + i]));
        if (root > 0.0) most = fmax(most, fabs(r->acceleration[i]) / root);
    }
    for (int k = 0; k < r->at_rest.contacts; k++) {
        int row = r->contact[k].normal;
        double root = sqrt(fabs(r->W[row * m + row]));
        double force = root > 0.0 ? LIA_CONTACT_ZERO * most / root : 0.0;
        of_run->force[r->touching[k]] = force;
        of_run->acceleration[r->touching[k]] =
            fmax(LIA_CONTACT_ZERO * most * root, r->noise_a[row]);
        const LiaContactFormulas* of = &run->contacts->base->contacts[r->touching[k]];
        for (int b = 0; b < r->contact[k].blocks; b++) {
            const LiaFrictionBlock* block = &r->contact[k].block[b];
            double bound = fmax(block->static_most, block->kinetic);
            of_run->slip[of->block[b].place] = r->noise_v[block->row];
            of_run->square[of->block[b].place] =
                2.0 * bound * bound * fabs(at->proposal.found.lambda[row]) * force;
        }
    }
}

// --- the instant -------------------------------------------------------------------------------

void lia_decide_go_back(LiaRunner* run) {
    const LiaContacts* c = run->contacts;
    lia_workspace_put(run->w, c->t, c->q, c->v);
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

// --- verdicts -----------------------------------------------------------------------------------

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
    for (int k = 0; k < r->at_rest.contacts; k++) {
        if (lia_laws_wrong(run, r->touching[k])) return;
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

// --- the decision -------------------------------------------------------------------------------

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

// A slip that ends within an instant has ended. True if there is one more.
static bool rest_ended(const LiaRunner* run, LiaInstant* at) {
    const LiaContacts* c = run->contacts;
    LiaResponse* r = &at->response;
    double instant = LIA_CONTACT_INSTANT * lia_time_size(run, c->t);
    bool any = false;
    for (int k = 0; run->direction > 0.0 && k < r->at_rest.contacts; k++) {
        const LiaContactFormulas* of = &c->base->contacts[r->touching[k]];
        if (at->proposal.found.verdict[k].state == LIA_CONTACT_OPENS) continue;
        for (int b = 0; b < r->contact[k].blocks; b++) {
            const LiaFrictionBlock* block = &r->contact[k].block[b];
            double *slip = r->slip + block->row, size = 0.0, rate = 0.0;
            const double* a = at->proposal.found.a + block->row;
            for (int i = 0; i < block->dimension; i++) {
                size = hypot(size, slip[i]);
                rate += slip[i] * a[i];
            }
            if (!(size > 0.0 && -rate * instant >= size * size)) continue;
            memset(slip, 0, (size_t)block->dimension * sizeof *slip);
            c->rests[of->block[b].place] = c->rounding.still[of->block[b].place] = true;
            any = true;
        }
    }
    return any;
}

// What complementarity says, and all that follows from its forces. False if memory is out.
static bool propose(LiaRunner* run, LiaInstant* at) {
    do {
        lia_decide_clear(&at->proposal);
        if (!lia_decide_propose(&at->response.at_rest, &at->proposal)) return false;
    } while (at->proposal.status == LIA_COMPLEMENTARITY_SOLVED && rest_ended(run, at));
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

static bool any_slides(const LiaResponse* r) {
    for (int i = 0; i < r->at_rest.rows; i++) {
        if (r->slip[i] != 0.0) return true;
    }
    return false;
}

// What goes on as it is, before the contacts that touch are decided.
static void begin_mode(const LiaRunner* run, LiaContactMode* mode) {
    const LiaContacts* c = run->contacts;
    memcpy(mode, c->begins.open, lia_system_mode_count(c->base) * sizeof *mode);
    lia_rough_modes_passing(c, mode);
}

// The mode without contact k, which supports nothing then.
static LiaTrial try_without(LiaRunner* run, const LiaInstant* at, int k, LiaContactMode* mode) {
    const LiaSystem* s = run->contacts->base;
    size_t n = (size_t)run->w->n, rows = run->system->row_count;
    LiaInstant other = {.a = lia_memory_zeros(n + rows + 1, sizeof(double))};
    bool* touches = lia_memory_zeros((size_t)s->contact_count + 1, sizeof *touches);
    LiaTrial trial = LIA_TRIAL_NO_MEMORY;
    if (other.a && touches) {
        other.mu = other.a + n;
        for (int i = 0; i < at->response.at_rest.contacts; i++)
            touches[at->response.touching[i]] = i != k;
        lia_decide_go_back(run);
        LiaResponseFound found = lia_response_make(run, touches, &other.response);
        if (found == LIA_RESPONSE_SINGULAR) trial = LIA_TRIAL_WRONG;
        if (found == LIA_RESPONSE_FOUND) {
            rest_slips(run, &other.response);
            bool room = propose(run, &other);
            bool solved = room && other.proposal.status == LIA_COMPLEMENTARITY_SOLVED;
            begin_mode(run, mode);
            if (room) trial = LIA_TRIAL_WRONG;
            if (solved) propose_mode(run, &other, mode);
            if (solved) trial = lia_trials_forces(run, mode, &other);
        }
    }
    lia_decide_clear(&other.proposal);
    lia_response_clear(&other.response);
    free(touches);
    free(other.a);
    return trial;
}

// Where a contact slides, friction is where the force is. Of contacts that hold the same, by
// chance of the places (discs in rows), one supports nothing: each is tried, as one of several
// motions.
static LiaTrial try_supports(LiaRunner* run, LiaInstant* at, LiaContactMode* mode) {
    LiaTrial trial = LIA_TRIAL_WRONG;
    if (at->proposal.found.unique || !any_slides(&at->response)) return trial;
    for (int k = 0; trial == LIA_TRIAL_WRONG && k < at->response.at_rest.contacts; k++) {
        if (at->proposal.found.verdict[k].state == LIA_CONTACT_OPENS) continue;
        trial = try_without(run, at, k, mode);
        if (trial == LIA_TRIAL_GOOD) at->proposal.found.chosen = true;
    }
    return trial;
}

static LiaTrial decide(LiaRunner* run, LiaInstant* at) {
    LiaContactMode* mode = run->contacts->wanted;
    begin_mode(run, mode);
    if (at->response.at_rest.contacts == 0) {
        find_accelerations(run, at);
        return lia_trials_mode(run, mode, at);
    }
    if (!propose(run, at)) return LIA_TRIAL_NO_MEMORY;
    find_rounding(run, at);
    bool none = at->proposal.status == LIA_COMPLEMENTARITY_NONE;
    if (none && at->proposal.found.painleve >= 0) {
        run->contacts->found.jams = (int)at->response.touching[at->proposal.found.painleve];
        return LIA_TRIAL_JAMS;
    }
    if (none || at->proposal.status == LIA_COMPLEMENTARITY_SEVERAL) return LIA_TRIAL_WRONG;
    LiaTrial trial = LIA_TRIAL_WRONG;
    run->contacts->found.negative = -1;
    if (at->proposal.status == LIA_COMPLEMENTARITY_SOLVED) {
        // where a bound was reached that need not be passed: off it at once
        bool off = propose_mode(run, at, mode);
        if (!off) trial = lia_trials_forces(run, mode, at);
        if (trial == LIA_TRIAL_WRONG && !at->proposal.found.unique) {
            at->response.at_rest.inside = true;
            if (!propose(run, at)) return LIA_TRIAL_NO_MEMORY;
            propose_mode(run, at, mode);
            off = true;
        }
        if (trial == LIA_TRIAL_WRONG && off) trial = lia_trials_forces(run, mode, at);
        if (trial == LIA_TRIAL_WRONG) trial = lia_trials_changes(run, at, mode, false);
        if (trial == LIA_TRIAL_WRONG) trial = lia_trials_release(run, at, mode);
        if (trial == LIA_TRIAL_WRONG) trial = lia_trials_others(run, at, mode, false);
        if (trial == LIA_TRIAL_WRONG) trial = try_supports(run, at, mode);
        if (trial == LIA_TRIAL_WRONG) {
            propose_mode(run, at, mode);
            trial = lia_trials_forces(run, mode, at);
            if (trial == LIA_TRIAL_WRONG) trial = lia_trials_changes(run, at, mode, true);
        }
    }
    if (trial == LIA_TRIAL_WRONG) trial = lia_trials_others(run, at, mode, true);
    if (trial == LIA_TRIAL_GOOD && at->response.at_rest.inside) {
        int endless = lia_self_stress(&at->response.at_rest, at->proposal.found.verdict);
        if (endless < 0) return LIA_TRIAL_NO_MEMORY;
        at->proposal.found.chosen |= endless > 0;
    }
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
        lia_verdict_help(run, "begin earlier and run forward in time: 'run t = 0..10'");
        return false;
    }
    return true;
}

// The forces that are not unique, as they were chosen when the mode was looked for before.
static void keep_past(const LiaRunner* run, LiaInstant* at) {
    const LiaPreferred* preferred = &run->system->mode.preferred;
    if (!preferred->mu || !preferred->inside || !(run->w->t > preferred->since)) return;
    at->from = run->contacts->rooms[run->contacts->now];
    at->past_t = preferred->since;
    memcpy(at->past, preferred->mu, run->system->row_count * sizeof *at->past);
}

LiaTrial lia_decide_mode(LiaRunner* run, const bool* touches, bool says) {
    LiaContacts* c = run->contacts;
    size_t rows = run->system->row_count, n = (size_t)run->w->n;
    LiaInstant at = {.a = lia_memory_zeros(n + 2 * rows + 1, sizeof(double))};
    if (at.a) at.mu = at.a + n, at.past = at.mu + rows;
    if (at.a) keep_past(run, &at);
    c->found.vain = false;
    LiaTrial trial = LIA_TRIAL_NO_MEMORY;
    LiaResponseFound found =
        at.a ? lia_response_make(run, touches, &at.response) : LIA_RESPONSE_NO_MEMORY;
    if (found == LIA_RESPONSE_FOUND) found = lia_response_round(run, touches, &at.response);
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
    if (found == LIA_RESPONSE_SINGULAR || found == LIA_RESPONSE_REFUSED) trial = LIA_TRIAL_WRONG;
    if (says && found == LIA_RESPONSE_SINGULAR)
        lia_verdict_singular(run, lia_modes_open(run)->probe);
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
