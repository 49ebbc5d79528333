// The energy law: which line of the ledger moves energy. See judge.h.
//
// A force does no work where Omega v = 0 on admissible states, and where the force itself is zero:
// it is solved for at the samples.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "geometry/classification/judge.h"
#include <math.h>

// All powers together: dE/dt, and what is rounding of it.
typedef struct Total {
    double power, rounding;
} Total;

// The power of a constraint at the sample; 0 where its forces, or what its rows do together, are
// rounding.
static double power_of(LiaJudge* j, uint32_t c, Total* total) {
    const LiaWorkspace* w = j->z.w;
    double power = 0.0, size = 0.0, rounding = 0.0;
    int first, last;
    lia_kinds_rows(j, c, &first, &last);
    for (int r = first; r < last; r++) {
        double own = 0.0, terms = 0.0, mu = w->mu[j->row[r]];
        for (int i = 0; i < j->n; i++) {
            double f = mu * w->saddle.Omega[r * j->n + i];
            own += f * w->v[i];
            terms += fabs(f * w->v[i]);
            rounding += LIA_IDENTITY_LEAST * fabs(f) * j->reactions.v[i];
        }
        if (fabs(mu) <= LIA_REACTION_ZERO * j->reactions.error[j->row[r]]) continue;
        j->acts[c] = true;
        // moments on an attitude are turned with it: their parts cancel in the terms
        double part = j->system->rows[j->row[r]].turn ? terms : fabs(own);
        power += own, size += part;
        total->power += own;
        total->rounding += LIA_IDENTITY * part + LIA_IDENTITY_LEAST * terms;
    }
    total->rounding += rounding;
    return fabs(power) <= LIA_IDENTITY * size + rounding ? 0.0 : power;
}

static void look_at_constraints(LiaJudge* j, Total* total) {
    bool needed = false;
    for (uint32_t c = 0; c < j->out->constraint_count; c++) {
        needed |= !j->out->constraints[c].workless;
    }
    if (!needed || !j->powers_known) return;
    if (!j->solved) {
        j->powers_known = false;
        return;
    }
    for (uint32_t c = 0; c < j->out->constraint_count; c++) {
        if (j->out->constraints[c].workless) continue;
        double power = power_of(j, c, total);
        if (!isfinite(power)) j->powers_known = false;
        if (power > 0.0) j->gives[c] = true;
        if (power < 0.0) j->takes[c] = true;
    }
}

// Is the power of an applied force positive at the state that was evaluated?
static void look_at_pushes(LiaJudge* j) {
    const LiaSystem* s = j->system;
    for (uint32_t l = 0; l < s->line_count; l++) {
        LiaExpr f = s->lines[l].power;
        if (s->lines[l].kind != LIA_LINE_FORCE) continue;
        if (!(lia_value(&j->values, f) <= LIA_LINE_FEEDS * j->size[f.index])) j->pushes[l] = true;
    }
}

// What takes from the energy takes with opposite velocities too; what pushes does not. (The values
// are those of the opposite velocities afterwards.)
static void look_both_ways(LiaJudge* j) {
    LiaWorkspace* w = j->z.w;
    LiaSymbols at = {.t = w->t, .parameters = j->system->parameters, .q = w->q, .v = j->B};
    bool any = false;
    for (uint32_t l = 0; l < j->system->line_count; l++)
        any |= j->system->lines[l].kind == LIA_LINE_FORCE;
    if (!any) return;
    look_at_pushes(j);
    for (int i = 0; i < j->n; i++) j->B[i] = -w->v[i];
    lia_evaluate_run(&j->values, &at);
    look_at_pushes(j);
}

void lia_energy_law_look(LiaJudge* j) {
    const LiaSystem* s = j->system;
    Total total = {0};
    for (uint32_t l = 0; l < s->line_count; l++) {
        const LiaPowerLine* line = &s->lines[l];
        if (line->kind == LIA_LINE_CONSTRAINT || line->kind == LIA_LINE_OPERATOR) continue;
        double power = lia_value(&j->values, line->power);
        double size = j->size[line->power.index];
        if (!line->part) total.power += line->kind == LIA_LINE_TIME ? -power : power;
        if (!line->part) total.rounding += LIA_LINE_FEEDS * size;
        if (!(fabs(power) <= LIA_LINE_FEEDS * size)) j->out->line_feeds[l] = true;
    }
    look_at_constraints(j, &total);
    if (!(fabs(total.power) <= total.rounding)) j->moves = true;
    look_both_ways(j);
}

static const char* why(const LiaJudge* j, const LiaPowerLine* line) {
    if (line->kind == LIA_LINE_OPERATOR) return "the operator";
    if (line->kind == LIA_LINE_FORCE) return "the applied force";
    const LiaConstraintClass* c = &j->out->constraints[line->index];
    return c->active                       ? "the active constraint"
           : c->force == LIA_FORCE_GIVEN   ? "the constraint with given force directions"
           : c->linearity == LIA_NONLINEAR ? "the nonlinear constraint"
           : c->geometric                  ? "the moving constraint"
                                           : "the affine constraint";
}

static bool is_constraint(const LiaPowerLine* line) {
    return line->kind == LIA_LINE_CONSTRAINT || line->kind == LIA_LINE_OPERATOR;
}

// Does it move energy? A constraint whose power was zero at all samples does not.
static bool feeds(const LiaJudge* j, const LiaPowerLine* line) {
    if (j->out->constraints[line->index].workless) return false;
    bool known = j->powers_known && j->samples.count > 0;
    return !known || j->gives[line->index] || j->takes[line->index];
}

// An operator may do either; friction never gives, and drag never pushes.
static bool only_takes(const LiaJudge* j, const LiaPowerLine* line) {
    if (j->samples.count == 0) return false;
    if (line->kind == LIA_LINE_FORCE) return !j->pushes[line - j->system->lines];
    return line->kind == LIA_LINE_CONSTRAINT && j->powers_known && !j->gives[line->index];
}

static void add_line(const LiaJudge* j, const LiaPowerLine* line, LiaText* sum, LiaText* who) {
    bool minus = line->kind == LIA_LINE_TIME, first = sum->length == 0;
    const char* comma = who->length ? ", " : "";
    lia_text_add(sum, "%s%s",
                 first   ? "dE/dt = "
                 : minus ? " - "
                         : " + ",
                 first && minus ? "-" : "");
    if (line->kind == LIA_LINE_DISSIPATION) {
        lia_text_add(sum, "dissipation");
        lia_text_add(who, "%sdissipation takes it", comma);
    } else if (line->kind == LIA_LINE_TIME) {
        lia_text_add(sum, "dL/dt");
        lia_text_add(who, "%sthe Lagrangian depends on time", comma);
    } else {
        lia_text_add(sum, "power(%s)", line->name);
        lia_text_add(who, "%s%s '%s' %s it", comma, why(j, line), line->name,
                     only_takes(j, line) ? "takes from" : "feeds");
    }
}

// A constraint that could do work, and does none; does it act at all?
static bool has_idle(const LiaJudge* j, const char** name, bool* acts) {
    for (uint32_t l = 0; l < j->system->line_count; l++) {
        const LiaPowerLine* line = &j->system->lines[l];
        if (!is_constraint(line) || j->out->constraints[line->index].workless) continue;
        *name = line->name, *acts = j->acts[line->index];
        return true;
    }
    return false;
}

bool lia_energy_law_say(LiaJudge* j) {
    const LiaSystem* s = j->system;
    LiaClassification* out = j->out;
    LiaText sum = {0}, who = {0};
    for (uint32_t l = 0; l < s->line_count; l++) {
        const LiaPowerLine* line = &s->lines[l];
        if (line->part) continue;
        if (is_constraint(line)) out->line_feeds[l] = feeds(j, line);
        if (out->line_feeds[l]) add_line(j, line, &sum, &who);
    }
    const char* idle = NULL;
    bool acts = false;
    bool cancel = sum.length > 0 && !j->moves && j->powers_known && j->samples.count > 0;
    out->energy_conserved = sum.length == 0 || cancel;
    if (cancel) {
        out->energy_law = lia_arena_printf(
            out->arena, "%s = 0: on all samples what these feed and take is as much", sum.data);
    } else if (!out->energy_conserved) {
        out->energy_law = lia_arena_printf(out->arena, "%s: %s", sum.data, who.data);
    } else if (has_idle(j, &idle, &acts)) {
        out->energy_law =
            lia_arena_printf(out->arena, "dE/dt = 0: no force does work, for %s of '%s' is zero",
                             acts ? "the power" : "that", idle);
    } else {
        out->energy_law = lia_arena_printf(
            out->arena, "%s",
            s->row_count ? "dE/dt = 0: no force does work on an admissible state (Omega v = 0)"
                         : "dE/dt = 0: no force does work");
    }
    LiaSpan span;
    const char* later = lia_model_acts_later(s->model, &span);
    if (out->energy_conserved && later && out->energy_law) {  // off, or 0, at the start
        out->energy_conserved = false;
        out->energy_law = lia_arena_printf(
            out->arena, "dE/dt = 0 only as long as '%s' does not act, which may do work", later);
    }
    bool ok = !sum.failed && !who.failed && out->energy_law;
    lia_text_clear(&sum);
    lia_text_clear(&who);
    return ok;
}
