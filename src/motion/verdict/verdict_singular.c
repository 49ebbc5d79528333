// Equations that K0 is singular by: those that contradict each other, that are nearly the same, or
// whose forces do not reach what they ask for.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/regularity/singular_report.h"
#include "motion/runner.h"
#include "motion/singular/singular_start.h"
#include "motion/verdict/advice.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>

// Forces are decided together, and no state satisfies all that they would have to keep.
static void verdict_unmet(LiaRunner* run, const LiaWorkspace* w) {
    const LiaRelativeDegree* h = w->forces.degree;
    LiaText names = {0};
    lia_verdict_force_names(run, &names);
    lia_verdict(run, "E0406", run->system->rows[w->dynamics->rows[h->row[0]]].span, w->t,
                "at t = %.10g the equations of %s begin to contradict each other: no state near "
                "satisfies them and all their derivatives up to the %dth",
                w->t, names.data ? names.data : "operators", h->base[0] + h->shift[0]);
    lia_verdict_help(run, "correct what one of the operators asks for, or leave it out");
    lia_text_clear(&names);
}

void lia_verdict_singular_contradiction(LiaRunner* run, LiaWorkspace* w) {
    if (w->forces.degree->derivative_array) {
        verdict_unmet(run, w);
        return;
    }
    const LiaRow* row = &run->system->rows[w->dynamics->rows[w->contradiction - 1]];
    double sum = w->gamma[w->contradiction - 1];
    LiaText others = {0};
    uint32_t last = row->constraint;  // the rows of a constraint stand together
    for (int r = 0; r < w->nr; r++) {
        const LiaRow* other = &run->system->rows[w->dynamics->rows[w->active[r]]];
        const LiaConstraint* what = &run->model->constraints[other->constraint];
        if (other->constraint == row->constraint || other->constraint == last || what->internal ||
            others.length > 200)
            continue;
        last = other->constraint;
        lia_text_add(&others, "%s'%s'", others.length ? ", " : "",
                     run->model->constraints[other->constraint].name);
    }
    lia_verdict(run, "E0406", row->span, w->t,
                "at t = %.10g '%s' contradicts the other equations (%s): its row depends on "
                "theirs, but what it "
                "asks does not follow (%.3g, rank %d of %d)",
                w->t, run->model->constraints[row->constraint].name,
                others.data ? others.data : "its own", sum, w->nr, w->nc);
    lia_verdict_help(run, "correct one of these equations, or leave it out");
    lia_advice_twice(run);
    lia_text_clear(&others);
}

// In a large system: where the elimination found nothing left to divide by.
static void tell_weakest(LiaRunner* run, const LiaWorkspace* w) {
    const LiaDynamics* d = w->dynamics;
    if (w->saddle.weakest < w->nf || w->saddle.weakest - w->nf >= w->nr) {
        const LiaCoordinate* x =
            &run->model->coordinates[d->free[w->saddle.weakest < w->nf ? w->saddle.weakest : 0]];
        lia_verdict(run, "E0401", x->span, w->t,
                    "at t = %.10g the accelerations are not determined, seen first at %s: no "
                    "inertia there, or equations whose forces do not reach what they ask for "
                    "(%d equations in %d unknowns, smallest pivot %.1e)",
                    w->t, x->name, w->nc, w->nf, w->saddle.pivot);
        lia_verdict_help(run,
                         "give it an inertia, drive or hold it, or let the forces act elsewhere");
    } else {
        const LiaRow* row = &run->system->rows[d->rows[w->active[w->saddle.weakest - w->nf]]];
        lia_verdict(run, "E0401", row->span, w->t,
                    "at t = %.10g the force of '%s' is not determined: it does not reach what the "
                    "equations ask for (%d equations in %d unknowns, smallest pivot %.1e)",
                    w->t, run->model->constraints[row->constraint].name, w->nc, w->nf,
                    w->saddle.pivot);
        lia_verdict_help(run, "let the force act on what its equation asks for");
    }
}

// The constraints of these rows, each once: "'a', 'b' and 'c'". Returns how many.
static int name_parts(const LiaRunner* run, const LiaWorkspace* w, const bool* parts,
                      LiaText* names) {
    enum { NAMED_MOST = 8 };
    int count = 0;
    uint32_t last = UINT32_MAX;
    for (int c = 0; c < w->nc; c++) {
        uint32_t of = run->system->rows[w->dynamics->rows[c]].constraint;
        if (!parts[c] || of == last) continue;  // rows of one constraint stand together
        last = of;
        if (count < NAMED_MOST)
            lia_text_add(names, "%s'%s'", count ? ", " : "", run->model->constraints[of].name);
        count++;
    }
    if (count > NAMED_MOST) lia_text_add(names, " and %d more", count - NAMED_MOST);
    return count;
}

// Equations that differ by d of their size leave d^2 of K0: where that is rounding, they
// are no reason to look for a force that has no hold.
static bool tell_near(LiaRunner* run, const LiaWorkspace* w, LiaNearRow near, bool left_out) {
    const LiaRow* row = &run->system->rows[w->dynamics->rows[near.row]];
    const char* name = run->model->constraints[row->constraint].name;
    LiaText names = {0};
    bool* parts = lia_memory_zeros((size_t)w->nc + 1, sizeof *parts);
    bool known = parts && lia_forward_error_parts(w, near, left_out, parts);
    int count = known ? name_parts(run, w, parts, &names) : 0;
    lia_verdict(run, "E0401", row->span, w->t,
                count == 1 ? "at t = %.10g the equations of '%s' differ by %.1g of their size from "
                             "those of %s: %s"
                           : "at t = %.10g '%s' differs by %.1g of its size from what follows from "
                             "%s: %s",
                w->t, name, near.distance, count && names.data ? names.data : "other equations",
                left_out ? "what is asked beyond that is lost in rounding"
                         : "their forces are lost in rounding");
    lia_verdict_help(run, "leave one of them out, or let it ask for something that is clearly "
                          "different");
    lia_text_clear(&names);
    free(parts);
    return true;
}

static bool tell_nearly_same(LiaRunner* run, const LiaWorkspace* w) {
    LiaNearRow near = lia_forward_error_nearest(w);
    bool nearly = near.distance < LIA_NEARLY_SAME && near.distance > LIA_NEARLY_FOLLOWS;
    return near.row >= 0 && nearly && tell_near(run, w, near, false);
}

bool lia_verdict_singular_left_out(LiaRunner* run) {
    LiaNearRow near = lia_forward_error_left_out(run->w);
    if (near.row < 0) return false;
    bool steady = run->system->rows[run->w->dynamics->rows[near.row]].steady;
    return near.distance > (steady ? LIA_STEADY_FOLLOWS : LIA_LEFT_OUT_FOLLOWS) &&
           tell_near(run, run->w, near, true);
}

void lia_verdict_singular(LiaRunner* run, LiaWorkspace* w) {
    for (int i = 0; i < w->nf; i++) {
        LiaEntries M = lia_workspace_M(w, i);
        for (int k = 0; k < M.count; k++) {
            if (!isfinite(M.value[k])) {
                lia_verdict_not_finite(run);
                return;
            }
        }
    }
    if (w == run->w && run->out->effort.steps > 0 &&
        lia_singular_start_verdict(run, LIA_SINGULAR_CUT_K0, LIA_SINGULAR_START_LOST)) {
        return;
    }
    if (lia_advice_form(run)) return;
    enum { LARGE = 300 };
    if (w->nf + w->nc > LARGE) {
        tell_weakest(run, w);
        return;
    }
    if (tell_nearly_same(run, w)) return;
    LiaSingularReport why;
    LiaText text = {0};
    if (!lia_singular_report(w, &why)) return;
    lia_singular_report_say(&why, &text);
    const char* code = why.equations.length && !why.motion.length ? "E0406" : "E0401";
    lia_verdict(run, code, why.span, w->t, "at t = %.10g %s (rank %d of %d, margin %.2g)", w->t,
                text.data ? text.data : "the equations are singular", why.rank, why.size,
                why.margin);
    lia_verdict_help(run,
                     "add what is missing there (an inertia, a force that reaches it), or leave "
                     "out what is asked twice");
    lia_text_clear(&text);
    lia_singular_report_clear(&why);
}
