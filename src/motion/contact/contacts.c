// What happens to the contacts of a run: at its start, and where a mode ends.
//
//   1. who touches: closed contacts, those whose gap has just become zero, those whose gap is rounding
//   2. if one of them is approached: an impact (collide.c); who separates by it touches no more
//   3. which mode goes on (decide.c), and what it is called
//
// SPDX-License-Identifier: MIT
#include "motion/contact/contacts.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- gaps ----------------------------------------------------------------------------------------

typedef struct Gaps {
    LiaValues values;
    LiaExpr* formula;  // (contacts)
    double* size;      // by node
} Gaps;

static void clear_gaps(Gaps* g) {
    if (g->size) lia_evaluate_clear(&g->values);
    free(g->formula);
    free(g->size);
}

// The gaps of all contacts at the state of run->w, and what their rounding is a part of.
static bool find_gaps(const LiaRunner* run, Gaps* g) {
    const LiaSystem* s = run->contacts->base;
    *g = (Gaps){0};
    g->formula = lia_memory_zeros(s->contact_count + 1, sizeof *g->formula);
    if (!g->formula) return false;
    for (uint32_t k = 0; k < s->contact_count; k++)
        g->formula[k] = s->rows[s->contacts[k].row].equation;
    if (!lia_evaluate_init(&g->values, s->graph, g->formula, s->contact_count)) return false;
    g->size = lia_memory_zeros((size_t)g->values.size + 1, sizeof *g->size);
    if (!g->size) {
        lia_evaluate_clear(&g->values);
        return false;
    }
    LiaSymbols at = {.t = run->w->t, .parameters = s->parameters, .q = run->w->q};
    lia_evaluate_run(&g->values, &at);
    lia_sizes_run(&g->values, &(LiaSymbols){0}, g->size);
    return true;
}

static double gap(const Gaps* g, uint32_t k) { return lia_value(&g->values, g->formula[k]); }

static double gap_size(const LiaRunner* run, const Gaps* g, uint32_t k) {
    (void)run;
    return g->size[g->formula[k].index];
}

// --- who touches ---------------------------------------------------------------------------------

// Contacts with gap = 0; `fired`: those of the step that has just ended too. False if memory is out.
static bool find_touching(LiaRunner* run, bool fired, bool* touches) {
    LiaContacts* c = run->contacts;
    const LiaSystem* s = run->system;
    Gaps gaps;
    bool good = find_gaps(run, &gaps);
    for (uint32_t k = 0; good && k < s->contact_count; k++) {
        bool closed = s->mode[k] != LIA_MODE_OPEN;
        bool rounding = fabs(gap(&gaps, k)) <= LIA_CONTACT_TOUCHES * gap_size(run, &gaps, k);
        touches[k] = closed || rounding;
    }
    for (uint32_t i = 0; good && fired && i < s->watched_count; i++) {
        if (c->fires[i] && s->watched[i].kind == LIA_WATCH_GAP)
            touches[s->watched[i].contact] = true;
    }
    clear_gaps(&gaps);
    return good;
}

// What sticks rests, and so does what has just stopped to slide.
static void find_resting(LiaRunner* run, bool fired) {
    LiaContacts* c = run->contacts;
    const LiaSystem* s = run->system;
    for (uint32_t k = 0; k < s->contact_count; k++) c->rests[k] = s->mode[k] == LIA_MODE_STICK;
    for (uint32_t i = 0; fired && i < s->watched_count; i++) {
        if (c->fires[i] && s->watched[i].kind == LIA_WATCH_SLIP)
            c->rests[s->watched[i].contact] = true;
    }
}

static bool is_approached(const LiaResponse* r, int k) {
    int row = r->contact[k].normal;
    return r->velocity[row] < -r->noise_v[row];
}

// Those that separate touch no more.
static void drop_separating(const LiaResponse* r, bool* touches) {
    for (int k = 0; k < r->at_rest.contacts; k++) {
        int row = r->contact[k].normal;
        if (r->velocity[row] > r->noise_v[row]) touches[r->touching[k]] = false;
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
        for (int k = 0; good && k < r.at_rest.contacts; k++) approached |= is_approached(&r, k);
        if (good && approached) {
            good = lia_collide(run, &r);
            for (uint32_t k = 0; k < c->base->contact_count; k++) c->rests[k] = false;
        } else if (good) {
            drop_separating(&r, touches);
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
    double t = run->w->t;
    bool good = true;
    if (!isnan(c->accumulates[k])) {
        t = c->accumulates[k];
        c->accumulates[k] = NAN;
        good = lia_contact_record(run, LIA_EVENT_ACCUMULATION, k, t, NULL, 0.0);
    }
    if (from == to) return good;
    LiaEventKind kind = from == LIA_MODE_OPEN ? LIA_EVENT_CONTACT
                        : to == LIA_MODE_OPEN ? LIA_EVENT_RELEASE
                        : slides(to)          ? LIA_EVENT_SLIP
                                              : LIA_EVENT_STICK;
    return good && lia_contact_record(run, kind, k, t, NULL, 0.0);
}

// Has the mode changed? Then its time begins.
static bool tell(LiaRunner* run, const LiaModeRoom* before) {
    LiaContacts* c = run->contacts;
    LiaModeRoom* now = c->rooms[c->now];
    double t = run->w->t;
    if (now != before) {
        ((LiaModeRoom*)before)->time += t - c->since;
        c->since = t;
        now->visits++;
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
static bool pass(LiaRunner* run, bool fired, bool may_strike) {
    LiaContacts* c = run->contacts;
    const LiaModeRoom* before = c->rooms[c->now];
    bool* touches = lia_memory_zeros(c->base->contact_count + 1, sizeof *touches);
    keep_step(run, false);
    bool good = touches && find_touching(run, fired, touches);
    if (good) find_resting(run, fired);
    good = good && (!may_strike || strike(run, touches)) && lia_decide_mode(run, touches);
    free(touches);
    keep_step(run, true);
    run->energy_known = false;
    return good && (!may_strike || tell(run, before));
}

LiaOutcome lia_contacts_happen(LiaRunner* run) {
    if (pass(run, true, true)) return LIA_OUTCOME_GO_ON;
    return run->out->reason.code ? LIA_OUTCOME_ENDED : LIA_OUTCOME_NO_MEMORY;
}

// --- the start -----------------------------------------------------------------------------------

static LiaStatus refuse(LiaRunner* run, uint32_t k, double by) {
    const LiaSystem* s = run->contacts->base;
    const LiaConstraint* of = &s->model->constraints[s->contacts[k].constraint];
    lia_diag_error(run->diags, of->span, "E0430",
                   "the start is where '%s' cannot be: its gap is %.6g, and never negative",
                   of->name, by);
    lia_diag_help(run->diags, "start where the gap is 0 (closed) or positive (open)");
    return LIA_MODEL;
}

static LiaStatus check_gaps(LiaRunner* run) {
    Gaps gaps;
    LiaStatus status = find_gaps(run, &gaps) ? LIA_OK : LIA_MEMORY;
    for (uint32_t k = 0; status == LIA_OK && k < run->contacts->base->contact_count; k++) {
        double x = gap(&gaps, k);
        if (x < -LIA_CONTACT_TOUCHES * gap_size(run, &gaps, k)) status = refuse(run, k, x);
    }
    clear_gaps(&gaps);
    return status;
}

// Can contacts be where the run goes?
static bool is_possible(LiaRunner* run) {
    const LiaSystem* s = run->contacts->base;
    LiaSpan span = s->model->constraints[s->contacts[0].constraint].span;
    const char* why = run->direction < 0.0 ? "a run with contacts goes forward in time"
                      : run->degree ? "a contact cannot act beside an operator that acts through "
                                      "other forces"
                      : run->controls ? "a model with contacts takes no control from outside"
                                      : NULL;
    if (why) lia_diag_error(run->diags, span, "E0431", "%s", why);
    return !why;
}

static bool is_struck(LiaRunner* run, bool* struck) {
    LiaContacts* c = run->contacts;
    bool* touches = lia_memory_zeros(c->base->contact_count + 1, sizeof *touches);
    LiaResponse r = {0};
    bool good = touches && find_touching(run, false, touches);
    good = good && lia_response_make(run, touches, &r) != LIA_RESPONSE_NO_MEMORY;
    *struck = false;
    for (int k = 0; good && k < r.at_rest.contacts; k++) *struck |= is_approached(&r, k);
    lia_response_clear(&r);
    free(touches);
    return good;
}

LiaStatus lia_contacts_begin(LiaRunner* run) {
    LiaStatus status = lia_modes_create(run);
    LiaContacts* c = run->contacts;
    if (status != LIA_OK || !c) return status;
    if (!is_possible(run)) return LIA_MODEL;
    c->since = run->w->t;
    status = check_gaps(run);
    if (status != LIA_OK || run->out->t0 == run->out->t1) return status;
    if (!is_struck(run, &c->struck)) return LIA_MEMORY;
    if (!c->struck && !pass(run, false, false) && !run->out->reason.code) return LIA_MEMORY;
    if (!c->struck) c->rooms[c->now]->visits++;
    return LIA_OK;
}

bool lia_contacts_strike(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    if (!c->struck) return true;
    c->rooms[c->now]->visits++;
    c->struck = false;
    return pass(run, false, true);
}
