// Corners after which the motion cannot go on: what jumps there, and that no force can do it.
// SPDX-License-Identifier: MIT
#include "expr/reading/formula_text.h"
#include "motion/contact/contact_run.h"
#include "motion/runner.h"
#include "motion/verdict/verdict.h"
#include <math.h>

void lia_verdict_jump_wall(LiaRunner* run, LiaExpr node, double leap) {
    LiaText formula = {0}, where = {0};
    LiaSpan span = {0, 0};
    if (node.index) {
        lia_formula_text(run->system->graph, node, &formula);
        lia_verdict_where(run, node, &where, &span);
    }
    lia_verdict(
        run, "E0410", span, run->w->t,
        "at t = %.10g the energy leaps by %.3g where %s%s changes: a wall that no force describes",
        run->w->t, leap, formula.data ? formula.data : "a formula", where.data ? where.data : "");
    lia_verdict_help(run,
                     "let the energy rise over a short way: 3*max(0, min(1, (x - 1)/0.01)), not "
                     "if(x < 1, 0, 3)");
    lia_text_clear(&formula);
    lia_text_clear(&where);
}

void lia_verdict_jump_leap(LiaRunner* run, uint32_t row, double leap) {
    const LiaRow* r = &run->system->rows[row];
    if (!isfinite(leap)) {
        lia_verdict_not_finite(run);
        return;
    }
    lia_verdict(run, "E0409", r->span, run->w->t,
                "at t = %.10g '%s' asks for a position that leaps by %.3g: no force can do that",
                run->w->t, run->model->constraints[r->constraint].name, leap);
    lia_verdict_help(run, "prescribe a position that is continuous");
}

void lia_verdict_jump_begin(LiaRunner* run, uint32_t row, double miss) {
    const LiaRow* r = &run->system->rows[row];
    const LiaConstraint* c = &run->model->constraints[r->constraint];
    const char* event = c->duration.from ? run->model->events[c->duration.from - 1].name : c->name;
    lia_verdict(run, "E0440", r->span, run->w->t,
                "at t = %.10g '%s' begins where it does not hold: left minus right is %.6g, and "
                "positions cannot jump",
                run->w->t, c->name, miss);
    lia_verdict_help(run,
                     "let '%s' happen where the equation holds, or let an equation of the "
                     "velocities begin: '(left - right)' = 0'",
                     event);
}

void lia_verdict_jump_unreached(LiaRunner* run, int c, int derivative) {
    const LiaWorkspace* w = run->corner.impulse.w;
    const LiaRelativeDegree* h = w->forces.degree;
    const LiaRow* r = &run->system->rows[w->dynamics->rows[c]];
    int force = 0;
    for (int i = 0; i < h->count; i++) {
        if (h->row[i] == c) force = h->base[i] + h->shift[i];
    }
    lia_verdict(
        run, "E0409", r->span, run->w->t,
        "at t = %.10g derivative %d of the equation of '%s' jumps, and its force appears in "
        "derivative %d only: an impulse makes derivative %d jump and no lower one, so no "
        "force can do that",
        run->w->t, derivative, run->model->constraints[r->constraint].name, force, force - 1);
    lia_verdict_help(run, "prescribe something with continuous derivatives up to that one");
}

void lia_verdict_jump_together(LiaRunner* run) {
    const LiaRelativeDegree* h = run->w->forces.degree;
    const LiaRow* r = &run->system->rows[run->w->dynamics->rows[h->row[0]]];
    lia_verdict(run, "E0409", r->span, run->w->t,
                "at t = %.10g '%s' asks for a state that jumps, and the forces that keep it are "
                "decided only by derivatives up to the %dth together: no jump is computed for them",
                run->w->t, run->model->constraints[r->constraint].name, h->base[0] + h->shift[0]);
    lia_verdict_help(run, "prescribe something with continuous derivatives");
}

void lia_verdict_jump_no_velocities(LiaRunner* run) {
    const LiaTape* tape = run->w->dynamics->tape;
    LiaText formula = {0}, where = {0};
    LiaSpan span = {0, 0};
    if (lia_switches_begin(run)) lia_text_add(&formula, "what holds");
    for (uint32_t g = 0; g < tape->guard_count && !formula.length; g++) {
        if (!run->watch.crossing[g]) continue;
        lia_formula_text(run->system->graph, tape->guards[g].node, &formula);
        lia_verdict_where(run, tape->guards[g].node, &where, &span);
    }
    lia_verdict(run, "E0413", span, run->w->t,
                "at t = %.10g velocities jump where %s%s changes, but no velocities have the "
                "momenta that go on there",
                run->w->t, formula.data ? formula.data : "a formula", where.data ? where.data : "");
    lia_verdict_help(run, "let the law turn gently to see where the motion goes, and look at the "
                          "Lagrangian");
    lia_text_clear(&formula);
    lia_text_clear(&where);
}
