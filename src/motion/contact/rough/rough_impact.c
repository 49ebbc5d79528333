// Friction of rough constraints in the impacts of contacts. A rough constraint that bears a blow
// has the impulse P of its normal force and T of its friction, with the kinetic coefficient:
//
//   slides   T = -friction e |P|, e the sign of the slip before, which does not change
//   stops    the slip is zero after, |T| <= friction |P|, T against the slip before
//
// While it slides this is Routh's process: the impulses grow in proportion. Of one contact without
// friction of its own the process goes on where the slip ends: it sticks from there on, or slides
// to the other side. Of several the law of a slip that stops is the one between impulses and the
// velocities at the end. The modes are those of forces (mechanics/rough/rough.c); they are tried,
// and the first one that keeps the law is taken: what it takes for granted is the sign of P and the
// side of the slip.
// SPDX-License-Identifier: MIT
#include "motion/contact/rough/rough_impact.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/rough/rough.h"
#include "motion/contact/rough/rough_modes.h"
#include "motion/contact/rough/rough_values.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS = 5, WAYS = 3, TRIALS_MOST = 256 };

// Of each the likely one first: sliding goes on, or stops; at rest it sticks, or slides off.
static LiaContactMode option_of(double slip, int option) {
    static const LiaContactMode forward[WAYS] = {LIA_MODE_FORWARD, LIA_MODE_FORWARD_PULL,
                                                 LIA_MODE_STICK};
    static const LiaContactMode backward[WAYS] = {LIA_MODE_BACKWARD, LIA_MODE_BACKWARD_PULL,
                                                  LIA_MODE_STICK};
    static const LiaContactMode rests[OPTIONS] = {LIA_MODE_STICK, LIA_MODE_FORWARD,
                                                  LIA_MODE_FORWARD_PULL, LIA_MODE_BACKWARD,
                                                  LIA_MODE_BACKWARD_PULL};
    return slip > 0.0 ? forward[option] : slip < 0.0 ? backward[option] : rests[option];
}

static int options_of(double slip) { return slip != 0.0 ? WAYS : OPTIONS; }

// --- the slips ----------------------------------------------------------------------------------

static bool evaluate(const LiaRunner* run, LiaRoughImpact* x) {
    const LiaSystem* s = run->contacts->base;
    const LiaWorkspace* w = run->w;
    size_t wanted_count = 0, n = s->n;
    for (uint32_t k = 0; k < x->count; k++) wanted_count += 1 + s->rows[s->rough[k].slip].entries;
    LiaExpr* wanted = lia_memory_take((wanted_count + 1) * sizeof *wanted);
    LiaValues values;
    if (!wanted) return false;
    wanted_count = 0;
    for (uint32_t k = 0; k < x->count; k++) {
        const LiaRow* row = &s->rows[s->rough[k].slip];
        wanted[wanted_count++] = s->rough[k].friction;
        for (uint32_t e = 0; e < row->entries; e++) wanted[wanted_count++] = row->Omega[e];
    }
    bool good = lia_evaluate_init(&values, s->graph, wanted, (uint32_t)wanted_count);
    free(wanted);
    if (!good) return false;
    LiaSymbols at = {.t = w->t, .parameters = s->parameters, .q = w->q, .v = w->v};
    lia_evaluate_run(&values, &at);
    for (uint32_t k = 0; k < x->count; k++) {
        const LiaRow* row = &s->rows[s->rough[k].slip];
        x->coefficient[k] = fmax(lia_value(&values, s->rough[k].friction), 0.0);
        for (uint32_t e = 0; e < row->entries; e++)
            x->J[k * n + row->coordinate[e]] = lia_value(&values, row->Omega[e]);
    }
    lia_evaluate_clear(&values);
    return true;
}

// Has it friction in impacts? Not where |P| has several components, nor where it is off.
static bool rubs(const LiaRunner* run, uint32_t k) {
    return run->contacts->base->rough[k].normals == 1 && lia_rough_is_on(run->system, k);
}

bool lia_rough_impact_begin(const LiaRunner* run, LiaRoughImpact* x) {
    size_t count = run->contacts->base->rough_count, n = run->system->n;
    *x = (LiaRoughImpact){.count = (uint32_t)count, .trials = 1};
    x->block = lia_memory_zeros(count * (n + 2) + 1, sizeof(double));
    if (!x->block) return false;
    x->slip = x->block;
    x->coefficient = x->slip + count;
    x->J = x->coefficient + count;
    if (!evaluate(run, x)) return false;
    lia_rough_values_slips(run, x->slip);
    lia_rough_impact_again(run, x);
    return true;
}

void lia_rough_impact_again(const LiaRunner* run, LiaRoughImpact* x) {
    x->trial = 0;
    x->trials = 1;
    for (uint32_t k = 0; k < x->count; k++) {
        if (rubs(run, k) && x->trials < TRIALS_MOST) x->trials *= options_of(x->slip[k]);
    }
}

void lia_rough_impact_clear(LiaRoughImpact* x) {
    free(x->block);
    *x = (LiaRoughImpact){0};
}

// --- modes --------------------------------------------------------------------------------------

bool lia_rough_impact_next(LiaRunner* run, LiaRoughImpact* x) {
    LiaContacts* c = run->contacts;
    if (x->trial >= x->trials || x->trial >= TRIALS_MOST) return false;
    int rest = x->trial++;
    for (uint32_t k = 0; k < x->count; k++) {
        LiaContactMode* mode = &c->begins.open[lia_system_rough_place(c->base, k)];
        *mode = LIA_MODE_CLOSED;
        if (!rubs(run, k)) continue;
        *mode = option_of(x->slip[k], rest % options_of(x->slip[k]));
        rest /= options_of(x->slip[k]);
    }
    return true;
}

static LiaContactMode mode_of(const LiaRunner* run, uint32_t k) {
    return run->contacts->begins.open[lia_system_rough_place(run->contacts->base, k)];
}

// --- the contacts -------------------------------------------------------------------------------

// What a slip that stops changes of the velocities of the contacts, before their own impulses; the
// restitution is that of the approach before.
static LiaResponseFound stop_slips(LiaRunner* run, LiaResponse* r) {
    LiaModeRoom* room = lia_modes_open(run);
    LiaWorkspace* open = room ? room->probe : NULL;
    size_t n = run->system->n;
    if (!open) return LIA_RESPONSE_NO_MEMORY;
    double* p = lia_memory_take((n + 1) * sizeof *p);
    if (!p) return LIA_RESPONSE_NO_MEMORY;
    for (size_t i = 0; i < n; i++) p[i] = lia_jet_coefficient(&open->jets, open->dynamics->p[i], 0);
    LiaImpulseFound found = lia_impulse_find(&room->open_impulse, open, open->q, open->v, p);
    free(p);
    if (found != LIA_IMPULSE_FOUND)
        return found == LIA_IMPULSE_NO_MEMORY ? LIA_RESPONSE_NO_MEMORY : LIA_RESPONSE_SINGULAR;
    const double* v = room->open_impulse.w->v;
    for (int k = 0; k < r->at_rest.contacts; k++) {
        int first = r->contact[k].normal, rows = lia_delassus_rows(&r->contact[k]);
        double before = r->velocity[first];
        for (int row = first; row < first + rows; row++) {
            for (size_t i = 0; i < n; i++)
                r->velocity[row] += r->J[(size_t)row * n + i] * (v[i] - open->v[i]);
        }
        double after = r->velocity[first];
        if (!(before < 0.0) || r->contact[k].restitution == 0.0) continue;
        if (!(after < 0.0)) return LIA_RESPONSE_SINGULAR;
        r->contact[k].restitution *= before / after;
    }
    return LIA_RESPONSE_FOUND;
}

LiaResponseFound lia_rough_impact_response(LiaRunner* run, const LiaRoughImpact* x,
                                           const LiaResponse* r, LiaResponse* out) {
    bool stops = false;
    *out = (LiaResponse){0};
    bool* touches = lia_memory_zeros(run->system->contact_count + 1, sizeof *touches);
    if (!touches) return LIA_RESPONSE_NO_MEMORY;
    for (int k = 0; k < r->at_rest.contacts; k++) touches[r->touching[k]] = true;
    LiaResponseFound found = lia_response_make(run, touches, out);
    free(touches);
    for (int k = 0; found == LIA_RESPONSE_FOUND && k < r->at_rest.contacts; k++)
        out->pull[k] = r->pull[k];
    for (uint32_t k = 0; k < x->count; k++)
        stops |= mode_of(run, k) == LIA_MODE_STICK && x->slip[k] != 0.0;
    return found == LIA_RESPONSE_FOUND && stops ? stop_slips(run, out) : found;
}

// --- the law ------------------------------------------------------------------------------------

// The impulse of a row of the system; zero where it is none of the mode.
static double impulse_of(const LiaImpulse* x, uint32_t row) {
    for (int c = 0; c < x->w->nc; c++) {
        if (x->w->dynamics->rows[c] == row) return x->nu[c];
    }
    return 0.0;
}

static bool is_forward(LiaContactMode mode) {
    return mode == LIA_MODE_FORWARD || mode == LIA_MODE_FORWARD_PULL;
}

static bool keeps_law(LiaRunner* run, const LiaRoughImpact* x, uint32_t k, double size) {
    const LiaRoughFormulas* of = &run->contacts->base->rough[k];
    const LiaImpulse* found = &lia_modes_open(run)->open_impulse;
    LiaContactMode mode = mode_of(run, k);
    double P = impulse_of(found, of->row), none = LIA_CONTACT_ROUNDING * size;
    double before = x->slip[k], after = before, speed = fabs(before);
    for (uint32_t i = 0; i < run->system->n; i++) {
        double change = x->J[(size_t)k * run->system->n + i] * (found->w->v[i] - found->v0[i]);
        after += change;
        speed += fabs(change);
    }
    if (mode == LIA_MODE_STICK) {
        double T = impulse_of(found, of->slip);
        return fabs(T) <= x->coefficient[k] * fabs(P) + none && T * before <= none * speed;
    }
    bool pull = mode == LIA_MODE_FORWARD_PULL || mode == LIA_MODE_BACKWARD_PULL;
    double slow = LIA_CONTACT_ROUNDING * speed;
    return (pull ? -P : P) >= -none && (is_forward(mode) ? after : -after) >= -slow;
}

bool lia_rough_impact_holds(LiaRunner* run, const LiaRoughImpact* x) {
    const LiaImpulse* found = &lia_modes_open(run)->open_impulse;
    double size = 0.0;
    for (int c = 0; c < found->w->nc; c++) size = fmax(size, fabs(found->nu[c]));
    for (uint32_t k = 0; k < x->count; k++) {
        if (mode_of(run, k) != LIA_MODE_CLOSED && !keeps_law(run, x, k, size)) return false;
    }
    return true;
}

void lia_rough_impact_friction(LiaRunner* run, const LiaRoughImpact* x, double* impulse) {
    const LiaImpulse* found = &lia_modes_open(run)->open_impulse;
    for (uint32_t k = 0; k < x->count; k++) {
        const LiaRoughFormulas* of = &run->contacts->base->rough[k];
        LiaContactMode mode = mode_of(run, k);
        if (mode <= LIA_MODE_STICK) continue;
        double T = x->coefficient[k] * fabs(impulse_of(found, of->row));
        impulse[of->slip] += is_forward(mode) ? -T : T;
    }
}

// --- the process of one contact -----------------------------------------------------------------

// The impulse of the contact at which a slip ends, the first of them; INFINITY: none does.
double lia_rough_impact_ends(const LiaRunner* run, const LiaRoughImpact* x, const LiaResponse* r,
                             uint32_t* which) {
    size_t n = run->system->n;
    const double* answer = r->answer + (size_t)r->contact[0].normal * n;
    double first = INFINITY;
    for (uint32_t k = 0; k < x->count; k++) {
        double rate = 0.0;
        if (mode_of(run, k) == LIA_MODE_STICK && x->slip[k] != 0.0) return INFINITY;
        for (size_t i = 0; i < n; i++) rate += x->J[(size_t)k * n + i] * answer[i];
        if (mode_of(run, k) <= LIA_MODE_STICK || !(x->slip[k] * rate < 0.0)) continue;
        double at = -x->slip[k] / rate;
        if (at < first) first = at, *which = k;
    }
    return first;
}

void lia_rough_impact_pass(LiaRunner* run, LiaRoughImpact* x, uint32_t ended) {
    const LiaImpulse* found = &lia_modes_open(run)->open_impulse;
    size_t n = run->system->n;
    for (uint32_t k = 0; k < x->count; k++) {
        for (size_t i = 0; i < n; i++)
            x->slip[k] += x->J[(size_t)k * n + i] * (found->w->v[i] - found->v0[i]);
    }
    x->slip[ended] = 0.0;
}
