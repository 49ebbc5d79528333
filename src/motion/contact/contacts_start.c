// Contacts at the start of a run. Those whose gap is zero there, or would be negative with the
// values that nobody gave, are closed where that contradicts nothing that was given: a block that
// lies on a plane lies there, whatever is not said of it. Else a gap that is negative is a mistake,
// and one that is approached brings an impact.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "mechanics/contact/contacts.h"
#include "motion/contact/decide.h"
#include <stdlib.h>
#include <string.h>

static LiaStatus refuse(LiaRunner* run, uint32_t k, double by) {
    const LiaSystem* s = run->contacts->base;
    const LiaConstraint* of = &s->model->constraints[s->contacts[k].constraint];
    lia_diag_error(run->diags, of->span, "E0430",
                   "the start is where '%s' cannot be: its gap is %.6g, and never negative",
                   s->contacts[k].name, by);
    lia_diag_help(run->diags, "start where the gap is 0 (closed) or positive (open), or leave a "
                              "position of it out of 'start': it is put where the gap is 0");
    return LIA_MODEL;
}

static LiaStatus check_gaps(LiaRunner* run) {
    LiaGaps gaps;
    LiaStatus status = lia_gaps_find(run, &gaps) ? LIA_OK : LIA_MEMORY;
    for (uint32_t k = 0; status == LIA_OK && k < run->contacts->base->contact_count; k++) {
        if (!lia_system_contact_is_on(run->contacts->base, k)) continue;
        if (gaps.value[k] < -gaps.rounding[k]) status = refuse(run, k, gaps.value[k]);
    }
    lia_gaps_clear(&gaps);
    return status;
}

// Is there a past to run into? What is on later, what was set and what sticks is not known from
// what comes after it.
static bool has_past(LiaRunner* run) {
    const LiaSystem* s = run->contacts->base;
    if (run->direction > 0.0) return true;
    if (lia_model_sets_states(run->model) || s->mode.any->switch_count > 0) {
        const LiaEvent* event = run->model->events;
        while (!lia_model_acts(event)) event++;
        lia_diag_error(run->diags, event->span, "E0442",
                       "the run goes backwards, and statements begin or end in it, or states are "
                       "set: neither what an impulse lost nor what was on is known from what comes "
                       "after it");
        lia_diag_help(run->diags, "run forward in time: 'run t = 0..10'");
        return false;
    }
    if (s->rough_count == 0) return true;
    lia_diag_error(run->diags, s->model->constraints[s->rough[0].constraint].span, "E0431",
                   "the run goes backwards, and it has friction: what sticks has no past");
    lia_diag_help(run->diags, "run forward in time: 'run t = 0..10'");
    return false;
}

// Contacts answer what operators do through springs (degree/answers.h) by looking ahead. That is
// not done for friction of constraints, for a crowd of contacts, and where only several derivatives
// together decide the operators' forces.
bool lia_contacts_start_possible(const LiaRunner* run) {
    const LiaSystem* s = run->contacts->base;
    if (!run->degree || s->contact_count + s->rough_count == 0) return true;
    return s->rough_count == 0 && !run->contacts->near && !run->degree->derivative_array;
}

// Can contacts be where the run goes?
static bool is_possible(LiaRunner* run) {
    const LiaSystem* s = run->contacts->base;
    if (!has_past(run)) return false;
    if (lia_contacts_start_possible(run)) return true;
    bool rough = s->rough_count > 0;
    uint32_t first = rough ? s->rough[0].constraint : s->contacts[0].constraint;
    lia_diag_error(run->diags, s->model->constraints[first].span, "E0431",
                   rough
                       ? "friction of a constraint cannot act together with an operator that acts "
                         "through other forces"
                   : run->contacts->near
                       ? "so many contacts cannot act together with an operator that acts through "
                         "other forces"
                       : "a contact cannot act together with operators whose forces only several "
                         "derivatives decide");
    lia_diag_help(run->diags, "let the operator act on what it asks for, without 'by' and without "
                              "springs in between");
    return false;
}

// The contacts that are to be closed, into c->wanted. False: none, or memory is out.
static bool choose_closed(LiaRunner* run, LiaStatus* status) {
    LiaContacts* c = run->contacts;
    LiaGaps gaps;
    bool any = false;
    memcpy(c->wanted, c->base->mode.now, lia_system_mode_count(c->base) * sizeof *c->wanted);
    *status = lia_gaps_find(run, &gaps) ? LIA_OK : LIA_MEMORY;
    for (uint32_t k = 0; *status == LIA_OK && k < c->base->contact_count; k++) {
        bool closed = gaps.value[k] <= gaps.rounding[k] && lia_system_contact_is_on(c->base, k);
        c->wanted[k] = closed ? LIA_MODE_CLOSED : LIA_MODE_OPEN;
        any |= closed;
    }
    lia_gaps_clear(&gaps);
    return any;
}

// The start with these contacts closed, into `start`, where there is one.
static LiaStatus start_closed(LiaRunner* run, LiaStartState* start) {
    size_t n = run->system->n;
    LiaSystem* closed = lia_contacts_mode(run->contacts->base, run->contacts->wanted);
    LiaDiags* none = lia_diags_create();
    LiaStartState other = *start;
    other.choices = other.chosen = (LiaText){0};
    other.q = lia_memory_zeros(2 * n + 1, sizeof(double));
    LiaStatus status = LIA_MEMORY;
    if (closed && none && other.q) {
        other.v = other.q + n;
        status = lia_start_find(closed, none, &other);
    }
    if (status == LIA_OK && !other.singular && other.degree == start->degree) {
        memcpy(start->q, other.q, n * sizeof(double));
        memcpy(start->v, other.v, n * sizeof(double));
        lia_start_clear(start);
        start->choices = other.choices;
        start->chosen = other.chosen;
    } else {
        lia_start_clear(&other);
    }
    free(other.q);
    lia_diags_destroy(none);
    lia_contacts_destroy_mode(closed);
    return status == LIA_MEMORY ? LIA_MEMORY : LIA_OK;
}

LiaStatus lia_contacts_start(LiaRunner* run, LiaStartState* start) {
    LiaStatus status = lia_modes_create(run);
    if (status != LIA_OK || !run->contacts) return status;
    if (!choose_closed(run, &status)) return status;
    status = start_closed(run, start);
    return status == LIA_OK ? check_gaps(run) : status;
}

// --- the first mode -----------------------------------------------------------------------------

static bool is_struck(LiaRunner* run, bool* struck) {
    bool* touches = lia_memory_zeros(run->contacts->base->contact_count + 1, sizeof *touches);
    LiaResponse r = {0};
    bool good = touches && lia_contacts_touching(run, false, touches);
    good = good && lia_response_make(run, touches, &r) != LIA_RESPONSE_NO_MEMORY;
    *struck = false;
    for (int k = 0; good && k < r.at_rest.contacts; k++) *struck |= lia_contacts_approached(&r, k);
    lia_response_clear(&r);
    free(touches);
    return good;
}

LiaStatus lia_contacts_start_mode(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    if (!c) return LIA_OK;
    if (!is_possible(run)) return LIA_MODEL;
    c->since = c->t = run->w->t;
    if (c->base->contact_count && !is_struck(run, &c->start.struck)) return LIA_MEMORY;
    if (!c->start.struck && !lia_contacts_pass(run, false, false) && !run->out->reason.code)
        return LIA_MEMORY;  // without contacts: the mode of the start
    if (!c->start.struck) lia_modes_visit(run);
    return LIA_OK;
}

bool lia_contacts_start_strike(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    if (!c->start.struck || run->out->t0 == run->out->t1) return true;
    lia_modes_visit(run);
    if (c->start.waits) lia_decide_go_back(run);
    c->start.struck = c->start.waits = false;
    return lia_contacts_pass(run, false, true);
}
