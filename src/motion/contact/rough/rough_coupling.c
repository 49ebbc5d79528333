// Friction of a rough constraint changes its normal force, and that its friction. With K0(s) the
// matrix of the sign s, friction that couples strongly with the normal force makes
//
//   det K0(+) det K0(-) < 0:   for either sign N has the other one, or for both N has it
//
// no motion, or two (Painleve): both are reported.
// SPDX-License-Identifier: MIT
#include "motion/contact/rough/rough_coupling.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/kkt/stage.h"
#include "mechanics/rough/rough.h"
#include "motion/contact/rough/rough_values.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- is there one, and one only? ----------------------------------------------------------------

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

// The equations in this mode as numbers at the state of run->w. NULL: memory is out; *good: K0 is
// not singular.
static LiaWorkspace* numbers_of(LiaRunner* run, const LiaContactMode* mode, bool* good) {
    LiaModeRoom* room = lia_modes_room(run, mode);
    LiaWorkspace* probe = room ? lia_modes_probe(run, room) : NULL;
    if (!probe) return NULL;
    lia_workspace_update(probe, 1);
    *good = lia_workspace_factor(probe);
    return probe;
}

// Does N have the other sign too, where friction takes it to have that? GOOD: it does not.
static LiaTrial try_other_sign(LiaRunner* run, uint32_t k) {
    LiaContacts* c = run->contacts;
    const LiaRoughFormulas* of = &c->base->rough[k];
    uint32_t place = lia_system_rough_place(c->base, k);
    LiaContactMode* mode = c->trial;
    memcpy(mode, lia_modes_now(run), lia_system_mode_count(c->base) * sizeof *mode);
    bool pull = !lia_rough_pulls(mode[place]);
    mode[place] = lia_rough_sliding(lia_rough_forward(mode[place]), pull);
    bool good = false;
    LiaWorkspace* probe = numbers_of(run, mode, &good);
    if (!probe) return LIA_TRIAL_NO_MEMORY;
    if (!good) return LIA_TRIAL_GOOD;
    lia_stage_accelerate(probe);
    double N = pull ? -probe->mu[of->row] : probe->mu[of->row];
    return N > 0.0 ? LIA_TRIAL_WRONG : LIA_TRIAL_GOOD;
}

// The directions of the slip of k at the state of run->w, into K0's right side b. Returns the
// coefficient of friction; NAN: memory is out.
static double load_slip(const LiaRunner* run, uint32_t k, const LiaWorkspace* probe, double* b) {
    const LiaSystem* s = run->contacts->base;
    const LiaWorkspace* w = run->w;
    const LiaRow* row = &s->rows[s->rough[k].slip];
    LiaExpr* wanted = lia_memory_take((row->entries + 1) * sizeof *wanted);
    LiaValues values;
    if (!wanted) return NAN;
    memcpy(wanted, row->Omega, row->entries * sizeof *wanted);
    wanted[row->entries] = s->rough[k].friction;
    bool good = lia_evaluate_init(&values, s->graph, wanted, row->entries + 1);
    free(wanted);
    if (!good) return NAN;
    LiaSymbols at = {.t = w->t, .parameters = s->parameters, .q = w->q, .v = w->v};
    lia_evaluate_run(&values, &at);
    memset(b, 0, (size_t)(probe->nf + probe->nr) * sizeof *b);
    for (int f = 0; f < probe->nf; f++) {
        for (uint32_t e = 0; e < row->entries; e++) {
            if (row->coordinate[e] == probe->dynamics->free[f])
                b[f] = lia_value(&values, row->Omega[e]);
        }
    }
    double friction = lia_value(&values, s->rough[k].friction);
    lia_evaluate_clear(&values);
    return friction;
}

// The same in a mode like this, in which k has no friction.
static LiaWorkspace* without_friction(LiaRunner* run, const LiaContactMode* like, uint32_t k,
                                      bool* good) {
    LiaContacts* c = run->contacts;
    LiaContactMode* mode = c->trial;
    memcpy(mode, like, lia_system_mode_count(c->base) * sizeof *mode);
    mode[lia_system_rough_place(c->base, k)] = LIA_MODE_CLOSED;
    return numbers_of(run, mode, good);
}

// Of several components: N = N0 - c |N|, N0 without friction and c what friction by |N| = 1 takes
// away. Its square is an equation for |N| whose two roots have one sign if |c| > 1: then there are
// two motions or none. GOOD: |c| <= 1.
static LiaTrial try_other_length(LiaRunner* run, uint32_t k) {
    const LiaRoughFormulas* of = &run->contacts->base->rough[k];
    bool good = false;
    LiaWorkspace* probe = without_friction(run, lia_modes_now(run), k, &good);
    if (!probe) return LIA_TRIAL_NO_MEMORY;
    if (!good) return LIA_TRIAL_GOOD;
    double friction = load_slip(run, k, probe, probe->b), size = 0.0;
    if (isnan(friction)) return LIA_TRIAL_NO_MEMORY;
    lia_workspace_solve(probe, probe->b);
    for (int r = 0; r < probe->nr; r++) {
        uint32_t row = probe->dynamics->rows[probe->active[r]];
        if (row >= of->row && row < of->row + of->rows) size = hypot(size, probe->b[probe->nf + r]);
    }
    return friction * size > 1.0 ? LIA_TRIAL_WRONG : LIA_TRIAL_GOOD;
}

// A push that has not come yet.
bool lia_rough_coupling_none(LiaRunner* run, uint32_t k) {
    LiaContacts* c = run->contacts;
    bool good = false;
    double *none = &c->rounding.none[lia_system_rough_place(c->base, k)], least = INFINITY;
    *none = 0.0;
    if (c->base->rough[k].normals == 1) return true;
    LiaWorkspace* probe = without_friction(run, c->begins.open, k, &good);
    if (!probe) return false;
    if (!good) return true;
    double friction = load_slip(run, k, probe, probe->b);
    if (isnan(friction)) return false;
    lia_workspace_solve(probe, probe->b);
    LiaSpeeds speeds = lia_response_speeds(run, run->w);
    double most = 0.0;
    for (int f = 0; f < probe->nf; f++) most = fmax(most, fabs(probe->b[f]));
    for (int f = 0; f < probe->nf; f++) {
        if (fabs(probe->b[f]) <= LIA_CONTACT_ROUNDING * most) continue;  // held
        double change = friction * fabs(probe->b[f] * run->span);
        double speed = lia_response_speed(&speeds, probe->dynamics->free[f]);
        if (change > 0.0 && speed > 0.0) least = fmin(least, speed / change);
    }
    if (isfinite(least)) *none = LIA_ROUGH_NONE * least;
    return true;
}

bool lia_rough_coupling_one(LiaRunner* run) {
    const LiaSystem* s = run->contacts->base;
    for (uint32_t k = 0; k < s->rough_count; k++) {
        const LiaRoughFormulas* of = &s->rough[k];
        if (!lia_rough_slides(lia_rough_mode(run->system, k)) || !presses(run, k)) continue;
        LiaTrial trial = of->normals == 1 ? try_other_sign(run, k) : try_other_length(run, k);
        if (trial == LIA_TRIAL_GOOD) continue;
        double t = run->contacts->t;
        if (trial == LIA_TRIAL_WRONG) {
            lia_verdict(run, "E0461", lia_rough_span(run, k), t,
                        "at t = %.10g two motions have the friction of '%s': its normal force may "
                        "%s, and friction agrees with both",
                        t, of->name, of->normals == 1 ? "push or pull" : "have two lengths");
            lia_verdict_help(run,
                             "a smaller coefficient, or a body that gives way, has one motion");
        }
        return false;
    }
    return true;
}

// --- does it stick though it could slide? -------------------------------------------------------

// The equations in this mode as numbers, with accelerations; NULL: memory is out, or there are
// none.
static LiaWorkspace* accelerate(LiaRunner* run, const LiaContactMode* mode) {
    bool good = false;
    LiaWorkspace* probe = numbers_of(run, mode, &good);
    if (probe && good) lia_stage_accelerate(probe);
    return good ? probe : NULL;
}

// Where it slides from rest the slip has the acceleration J (a - a of sticking): is that to the
// side of the sliding, and has N the sign that it is taken to have?
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
    if (of->normals == 1 && !((lia_rough_pulls(mode) ? -N : N) > 0.0)) return false;
    return (lia_rough_forward(mode) ? rate : -rate) > LIA_CONTACT_ROUNDING * size;
}

// Is it the static coefficient alone that holds it? Then it slides off wherever the kinetic one is
// smaller, coupled or not: that is the law.
static bool only_static_holds(const LiaRunner* run, const LiaWorkspace* stick, uint32_t k) {
    const LiaRoughFormulas* of = &run->contacts->base->rough[k];
    double N = 0.0, kinetic = lia_rough_values_laws(run, k).kinetic;
    for (uint32_t r = of->row; r < of->row + of->rows; r++) N = hypot(N, stick->mu[r]);
    return fabs(stick->mu[of->slip]) > kinetic * N;
}

// Could rough constraint k, which sticks, slide off as well?
static bool could_slide(LiaRunner* run, uint32_t k) {
    LiaContacts* c = run->contacts;
    const LiaRoughFormulas* of = &c->base->rough[k];
    uint32_t place = lia_system_rough_place(c->base, k);
    LiaWorkspace* stick = accelerate(run, lia_modes_now(run));
    if (stick && only_static_holds(run, stick, k)) return false;
    for (int option = 0; stick && option < (of->normals == 1 ? 4 : 2); option++) {
        LiaContactMode* mode = c->trial;
        memcpy(mode, lia_modes_now(run), lia_system_mode_count(c->base) * sizeof *mode);
        mode[place] = lia_rough_sliding(option & 1, option & 2);
        LiaWorkspace* slide = accelerate(run, mode);
        if (slide && slides_off(stick, slide, of, lia_rough_sliding(option & 1, option & 2)))
            return true;
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
void lia_rough_coupling_doubt(LiaRunner* run) {
    const LiaContacts* c = run->contacts;
    for (uint32_t k = 0; k < c->base->rough_count; k++) {
        const LiaRoughFormulas* of = &c->base->rough[k];
        LiaSpan span = run->model->constraints[of->constraint].name_span;
        if (lia_rough_mode(run->system, k) != LIA_MODE_STICK || c->rough.at[k].stuck) continue;
        if (was_said(run, "W0442", span) || !could_slide(run, k)) continue;
        lia_diag_warning(run->diags, span, "W0442",
                         "at t = %.10g '%s' can stick, and it can slide off as well: friction and "
                         "normal force are coupled strongly. It sticks",
                         c->t, of->name);
    }
}
