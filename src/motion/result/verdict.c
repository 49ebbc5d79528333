// Why a motion ended early: the time, the formula or constraint, its place in the model text and the
// number that tells.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/reading/formula_text.h"
#include "lang/bodies/attitude.h"
#include "mechanics/assembly/domain.h"
#include "motion/runner.h"
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lia_verdict(LiaRunner* run, LiaStatus status, const char* code, LiaSpan span, double t,
                 const char* format, ...) {
    LiaTrajectory* out = run->out;
    char text[1200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    out->status = status;
    out->reason = (LiaReason){.code = code, .t = t, .span = span};
    out->reason.text = lia_arena_text(out->arena, text, strlen(text));
    if (span.end > span.begin) {
        lia_diag_place(run->diags, span, &out->reason.line, &out->reason.column);
    }
}

void lia_verdict_help(LiaRunner* run, const char* format, ...) {
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    run->out->reason.help = lia_arena_text(run->out->arena, text, strlen(text));
}

// Does formula f contain node x?
static bool contains(const LiaGraph* g, LiaExpr f, LiaExpr x) {
    if (f.index < x.index) return false;
    unsigned char* wanted = lia_memory_zeros((size_t)f.index + 1, 1);
    if (!wanted) return false;
    wanted[f.index] = 1;
    for (uint32_t i = f.index; i > x.index; i--) {
        if (!wanted[i]) continue;
        const LiaNode* n = &g->nodes[i];
        int arity = lia_op_arity((LiaOp)n->op);
        if (arity > 0) wanted[n->a] = 1;
        if (arity > 1) wanted[n->b] = 1;
        if (arity > 2) wanted[n->c] = 1;
    }
    bool found = wanted[x.index];
    free(wanted);
    return found;
}

// The constraint in which a formula stands (its equation or its force directions): NULL if none.
static const LiaRow* row_with(const LiaSystem* s, LiaExpr node) {
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        if (row->identical) continue;
        if (contains(s->graph, row->equation, node)) return row;
        for (uint32_t e = 0; e < row->entries; e++) {
            if (contains(s->graph, row->Omega[e], node)) return row;
        }
    }
    return NULL;
}

static void name_place(const LiaRunner* run, LiaExpr node, LiaText* text, LiaSpan* span) {
    const LiaSystem* s = run->system;
    const LiaRow* row = row_with(s, node);
    *span = (LiaSpan){0, 0};
    if (row) {
        const LiaConstraint* c = &run->model->constraints[row->constraint];
        lia_text_add(text, " in '%s'", c->name);
        *span = c->name_span;
        return;
    }
    for (uint32_t e = 0; e < run->model->energies_count; e++) {
        if (contains(s->graph, s->energies[e], node)) {
            static const char* const kinds[] = {"Lagrangian", "kinetic energy", "potential"};
            lia_text_add(text, " in the %s", kinds[run->model->energies[e].kind]);
            *span = run->model->energies[e].span;
            return;
        }
    }
    if (run->model->forces_count) {
        lia_text_add(text, " in the forces");
        *span = run->model->forces[0].span;
    }
}

// A joint of shapes whose place is a formula without a value here: said in words, the formula tells nobody anything.
static bool lose_contact(LiaRunner* run, const LiaNode* node, LiaExpr at, double t) {
    const LiaRow* row = row_with(run->system, at);
    const LiaConstraint* c = row ? &run->model->constraints[row->constraint] : NULL;
    bool root = node->op == LIA_OP_SQRT || node->op == LIA_OP_HYPOT;
    if (!c || !(c->gap || c->foot) || !root || (node->depends & LIA_DEPENDS(VELOCITY)))
        return false;
    lia_verdict(
        run, LIA_FAILED, "E0404", c->name_span, t,
        "at t = %.10g the place where the shapes of '%s' touch is lost: a disk lies flat, or a "
        "centre or an axis is reached",
        t, c->name);
    return true;
}

void lia_verdict_guard(LiaRunner* run, int g, double t) {
    const LiaGuard* guard = &run->w->dynamics->tape->guards[g];
    const LiaGraph* graph = run->system->graph;
    if (lose_contact(run, lia_graph_node(graph, guard->node), guard->node, t)) return;
    LiaText formula = {0}, place = {0};
    LiaSpan span;
    lia_formula_text(graph, guard->node, &formula);
    name_place(run, guard->node, &place, &span);
    const LiaNode* node = lia_graph_node(graph, guard->node);
    const char* why = "leaves the domain of the formula";
    if (node->op == LIA_OP_HYPOT || node->op == LIA_OP_SQRT) {
        why = node->depends & LIA_DEPENDS(VELOCITY)
                  ? "reaches zero: the direction of sliding is lost"
                  : "reaches zero, where the formula has no derivative";
    } else if (node->op == LIA_OP_ASIN || node->op == LIA_OP_ACOS) {
        why = "reaches the end of its range, where it has no derivative";
    }
    lia_verdict(run, LIA_FAILED, "E0404", span, t, "at t = %.10g %s%s %s", t,
                formula.data ? formula.data : "a formula", place.data ? place.data : "", why);
    lia_text_clear(&formula);
    lia_text_clear(&place);
}

void lia_verdict_chatter(LiaRunner* run, int g) {
    const LiaGuard* guard = &run->w->dynamics->tape->guards[g];
    LiaText formula = {0}, place = {0};
    LiaSpan span;
    lia_formula_text(run->system->graph, guard->node, &formula);
    name_place(run, guard->node, &place, &span);
    lia_verdict(run, LIA_FAILED, "E0405", span, run->w->t,
                "at t = %.10g %s%s is driven back from both sides: it would switch without end "
                "(a slip that sticks)",
                run->w->t, formula.data ? formula.data : "a formula", place.data ? place.data : "");
    lia_advice_stick(run, guard->node);
    lia_text_clear(&formula);
    lia_text_clear(&place);
}

void lia_verdict_end(LiaRunner* run, const LiaEvent* end) {
    double t = run->w->t;
    if (end->flat) {
        lia_verdict(run, LIA_FAILED, "E0411", end->span, t,
                    "at t = %.10g the disks of '%s' come to lie in one plane, where their rims "
                    "have no normal",
                    t, end->name);
        return;
    }
    lia_verdict(run, LIA_FAILED, "E0411", end->span, t,
                "at t = %.10g '%s' goes beyond %s: the shapes do not touch any more", t, end->name,
                end->leaves);
}

// In a large tape a register is used again by every window (expr/tape/allocate.h): then what it holds may be of another formula.
static bool written_again(const LiaTape* tape, uint32_t at) {
    uint32_t reg = tape->main.instrs[at].out;
    if (!tape->room || tape->room[reg] != LIA_ROOM_POOL) return false;
    for (uint32_t i = at + 1; i < tape->main.count; i++) {
        if (tape->main.instrs[i].out == reg) return true;
    }
    for (uint32_t i = 0; i < at; i++) {
        if (tape->main.instrs[i].out == reg) return true;
    }
    return false;
}

// The first formula in the order of computation that has no finite value.
static LiaExpr first_not_finite(const LiaWorkspace* w) {
    const LiaTape* tape = w->dynamics->tape;
    const LiaSection* const sections[] = {&tape->main, &tape->aside};
    for (int s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < sections[s]->count; i++) {
            uint32_t reg = sections[s]->instrs[i].out;
            if (isfinite(lia_jet_coefficient(&w->jets, reg, 0))) continue;
            if (s == 0 && written_again(tape, i)) continue;
            for (uint32_t n = 1; n < tape->node_count; n++) {
                if (tape->register_of[n] == reg) return (LiaExpr){n};
            }
        }
    }
    return (LiaExpr){0};
}

bool lia_verdict_domain(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    LiaText what = {0};
    LiaSpan span = {0, 0};
    bool left =
        lia_domain_left(run->model, run->system->parameters, w->t, w->q, w->v, &what, &span);
    if (left) {
        lia_verdict(run, LIA_FAILED, "E0403", span, w->t, "at t = %.10g %s", w->t,
                    what.data ? what.data : "a formula is not a number");
    }
    lia_text_clear(&what);
    return left;
}

// A value that is infinite though nothing is divided by zero: no argument is.
static bool too_large(const LiaWorkspace* w, const LiaGraph* graph, LiaExpr culprit) {
    const LiaTape* tape = w->dynamics->tape;
    const LiaNode* node = lia_graph_node(graph, culprit);
    const uint32_t below[3] = {node->a, node->b, node->c};
    uint32_t reg = tape->register_of[culprit.index];
    if (!isinf(lia_jet_coefficient(&w->jets, reg, 0))) return false;
    for (int i = 0; i < lia_op_arity((LiaOp)node->op); i++) {
        uint32_t argument = lia_tape_register(tape, (LiaExpr){below[i]});  // 0: none
        if (argument && lia_jet_coefficient(&w->jets, argument, 0) == 0.0) return false;
    }
    return true;
}

// Series that are no numbers from some order on, and huge before it.
static bool series_overflow(const LiaWorkspace* w) {
    for (int i = 0; i < w->n; i++) {
        const double* v = lia_jet_series(&w->jets, w->dynamics->tape->velocity[i]);
        double most = 0.0;
        for (int k = 0; k <= w->jets.order; k++) {
            if (!isfinite(v[k]) && most > LIA_SERIES_HUGE) return true;
            most = fmax(most, fabs(v[k]));
        }
    }
    return false;
}

static bool tell_overflow(LiaRunner* run, LiaExpr culprit) {
    const LiaWorkspace* w = run->w;
    bool overflow = culprit.index ? too_large(w, run->system->graph, culprit) : series_overflow(w);
    LiaText what = {0};
    LiaSpan span = {0, 0};
    bool told = overflow && lia_domain_overflows(run->model, run->system->parameters, w->t, w->q,
                                                 w->v, &what, &span);
    if (told) {
        lia_verdict(run, LIA_FAILED, "E0403", span, w->t, "at t = %.10g %s", w->t,
                    what.data ? what.data : "a formula is too large");
    }
    lia_text_clear(&what);
    return told;
}

void lia_verdict_not_finite(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    const LiaTape* tape = w->dynamics->tape;
    if (lia_verdict_domain(run)) return;
    // Which guard is at its singular point? That is the formula to name.
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        const LiaGuard* guard = &tape->guards[g];
        if (!guard->vital) continue;
        double x = lia_jet_series(&w->jets, guard->reg)[0];
        if (lia_guard_stops(guard->rule) && !(x > 0.0)) {
            lia_verdict_guard(run, (int)g, w->t);
            return;
        }
    }
    for (uint32_t i = 0; i < run->system->n; i++) {
        if (isfinite(w->q[i]) && isfinite(w->v[i])) continue;
        lia_verdict(run, LIA_FAILED, "E0403", run->model->coordinates[i].span, w->t,
                    "at t = %.10g the motion of '%s' is not a number", w->t,
                    lia_attitude_name(run->model, i));
        return;
    }
    LiaExpr culprit = first_not_finite(w);
    if (tell_overflow(run, culprit)) return;
    LiaText formula = {0}, place = {0};
    LiaSpan span = {0, 0};
    if (culprit.index) {
        lia_formula_text(run->system->graph, culprit, &formula);
        name_place(run, culprit, &place, &span);
    }
    if (!span.end && run->model->energies_count) span = run->model->energies[0].span;
    lia_verdict(
        run, LIA_FAILED, "E0403", span, w->t,
        "at t = %.10g %s%s is not a number (division by zero, a function outside its domain, or a "
        "value too large)",
        w->t, formula.data ? formula.data : "a formula of the equations of motion",
        place.data ? place.data : "");
    lia_text_clear(&formula);
    lia_text_clear(&place);
}

// The coupling number where the motion is now, with every equation a row; NAN where it is not known.
static double coupling_now(LiaRunner* run) {
    LiaWorkspace* f = run->full;
    size_t n = (size_t)f->n * sizeof(double);
    f->t = run->w->t;
    memcpy(f->q, run->w->q, n);
    memcpy(f->v, run->w->v, n);
    lia_workspace_load(f, 1);
    lia_workspace_residuals(f);
    lia_workspace_factor(f);
    return lia_regularity(f);
}

// The coordinate whose series grows fastest is the one to name.
static uint32_t fastest(const LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    uint32_t worst = 0;
    double most = -1.0;
    for (uint32_t i = 0; i < run->system->n; i++) {
        double x = fabs(w->a[i]) / (1.0 + fabs(w->v[i]));
        if (x > most) most = x, worst = i;
    }
    return worst;
}

// The number of x = q' or q'' that a message shows for coordinate i: of a rotation the size of the angular velocity or
// acceleration, which is twice what of q' or q'' is at right angles to the quaternion q.
static double pace_of(const LiaRunner* run, uint32_t i, const double* x) {
    uint32_t rotation = lia_attitude_of(run->model, i);
    if (!rotation) return x[i];
    uint32_t first = run->model->groups[rotation - 1].first;
    const double* q = run->w->q + first;
    double along = 0.0, size = 0.0;
    for (uint32_t k = 0; k < 4; k++) along += q[k] * x[first + k];
    for (uint32_t k = 0; k < 4; k++) size = hypot(size, x[first + k] - along * q[k]);
    return 2.0 * size;
}

// The place of a contact or on a curve runs away: said of the joint it belongs to. False where it is another coordinate that
// does.
static bool lose_place(LiaRunner* run, double h) {
    const LiaModel* m = run->model;
    uint32_t coordinate = m->contact_points_count > 0 ? fastest(run) : 0;
    for (uint32_t k = 0; k < m->contact_points_count; k++) {
        const LiaContactPoint* foot = &m->contact_points[k];
        if (coordinate < foot->first || coordinate >= foot->first + foot->count) continue;
        const LiaConstraint* c = &m->constraints[foot->constraint];
        char what[300];
        snprintf(what, sizeof what,
                 foot->nearest ? "where the point of '%.200s' is on its curve runs away"
                               : "where the shapes of '%.200s' touch is not decided: there they "
                                 "fit each other or touch twice",
                 c->name);
        lia_verdict(run, LIA_FAILED, "E0402", c->span, run->w->t,
                    "at t = %.10g the steps become too small (%.1e): %s", run->w->t, fabs(h), what);
        return true;
    }
    return false;
}

void lia_verdict_early(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    const LiaRelativeDegree* h = w->degree;
    const LiaRow* row = &run->system->rows[w->dynamics->rows[w->early - 1]];
    int derivative = 0;
    for (int i = 0; i < h->count; i++) {
        if (h->row[i] == w->early - 1) derivative = h->base[i] + h->shift[i];
    }
    lia_verdict(
        run, LIA_FAILED, "E0414", row->span, w->t,
        "at t = %.10g the equation of '%s' begins to contain a force in a lower derivative than "
        "%d, where it appeared first: what an operator acts through changes, and with it "
        "what may be asked",
        w->t, run->model->constraints[row->constraint].name, derivative);
}

// The operators that act through other forces: "'a', 'b'".
static void name_hidden(const LiaRunner* run, LiaText* names) {
    const LiaRelativeDegree* h = run->degree;
    uint32_t said = UINT32_MAX;
    for (int i = 0; i < h->count; i++) {
        uint32_t c = run->system->rows[run->w->dynamics->rows[h->row[i]]].constraint;
        if (c == said || (!h->derivative_array && !h->shift[i])) continue;
        lia_text_add(names, "%s'%s'", names->length ? ", " : "", run->model->constraints[c].name);
        said = c;
    }
}

// Operators that act through springs lose their hold.
static void lose_hidden(LiaRunner* run, double h) {
    LiaText names = {0};
    name_hidden(run, &names);
    const LiaRow* row = &run->system->rows[run->w->dynamics->rows[run->degree->row[0]]];
    lia_verdict(run, LIA_FAILED, "E0401", row->span, run->w->t,
                "at t = %.10g the steps become too small (%.1e): %s acts through other forces, and "
                "what it acts through loses its hold there: the derivatives in which its force "
                "appears no longer decide it",
                run->w->t, fabs(h), names.data ? names.data : "an operator");
    lia_text_clear(&names);
}

// Steps are refused because what they lead to is larger than numbers are.
static bool lose_range(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    for (uint32_t i = 0; i < run->system->n; i++) {
        bool far = fabs(w->q[i]) > LIA_STATE_HUGE, fast = fabs(w->v[i]) > LIA_STATE_HUGE;
        if (!far && !fast) continue;
        lia_verdict(run, LIA_FAILED, "E0403", run->model->coordinates[i].span, w->t,
                    "at t = %.10g the %s of '%s' (%.3g) leaves the range of numbers, and so do its "
                    "squares and products",
                    w->t, far ? "position" : "velocity", run->model->coordinates[i].name,
                    far ? w->q[i] : w->v[i]);
        return true;
    }
    return false;
}

void lia_verdict_collapse(LiaRunner* run, double h) {
    LiaWorkspace* w = run->w;
    if (lia_advice_pole(run, h) || lose_range(run)) return;
    if (w->degree && w->early) {
        lia_verdict_early(run);
        return;
    }
    if (lose_place(run, h) || lia_advice_form(run)) return;
    // an operator loses its hold, or equations come to depend on each other
    if (w->nc > 0 && w->pivot < LIA_COLLAPSE_PIVOT) {
        lia_verdict_singular(run, w);
        return;
    }
    for (int c = 0; c < w->nc; c++) {  // a pole of a force that is nearer than any step
        const LiaRow* row = &run->system->rows[w->dynamics->rows[c]];
        const double* mu =
            lia_jet_series(&w->jets, w->dynamics->tape->multiplier[w->dynamics->rows[c]]);
        // mu = c/(t1 - t): the ratio of each coefficient to the next is the distance of the pole
        double near = LIA_COLLAPSE_POLE * fmax(fabs(run->out->t1 - run->out->t0), fabs(w->t));
        bool pole = mu[0] != 0.0 && w->jets.order > 3;
        for (int k = 0; pole && k < 3; k++) pole = fabs(mu[k]) < near * fabs(mu[k + 1]);
        if (!pole) continue;
        lia_verdict(
            run, LIA_FAILED, "E0401", row->span, w->t,
            "at t = %.10g the force of '%s' grows beyond all bounds (%.3g): along its direction it "
            "has no hold on its equation there",
            w->t, run->model->constraints[row->constraint].name, mu[0]);
        return;
    }
    if (lia_singular_start_verdict(run, LIA_FLAT_CUT_COLLAPSE, LIA_FLAT_COLLAPSE)) return;
    double number = w->nc > 0 && !w->degree ? coupling_now(run) : 1.0;
    if (w->degree && (w->undecided || (!w->derivative_array && w->S_pivot < LIA_COLLAPSE_PIVOT))) {
        lose_hidden(run, h);
        return;
    }
    if (number < LIA_COUPLING_LOST) {  // not where it is not known
        LiaSingularReport why;
        LiaText text = {0};
        if (!lia_singular_report(run->full, &why)) return;
        lia_singular_report_say(&why, &text);
        lia_verdict(
            run, LIA_FAILED, "E0401", why.span, w->t,
            "at t = %.10g the steps become too small (%.1e): an operator loses its hold (coupling "
            "number %.1e): %s",
            w->t, fabs(h), number, text.data ? text.data : "");
        lia_text_clear(&text);
        lia_singular_report_clear(&why);
        return;
    }
    for (int c = 0; c < w->nc; c++) {  // the rank changes: several motions go on from here
        const LiaRow* row = &run->system->rows[w->dynamics->rows[c]];
        if (!run->shared[w->dynamics->rows[c]]) continue;
        lia_verdict(run, LIA_FAILED, "E0401", row->span, w->t,
                    "at t = %.10g the steps become too small (%.1e) where the equations of '%s' "
                    "change their rank: several motions go on from here, and nothing decides "
                    "between them",
                    w->t, fabs(h), run->model->constraints[row->constraint].name);
        return;
    }
    const LiaTape* tape = w->dynamics->tape;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        const LiaGuard* guard = &tape->guards[g];
        double x = fabs(lia_jet_series(&w->jets, guard->reg)[0]);
        if (guard->vital && lia_guard_stops(guard->rule) && x < LIA_GUARD_REACHED) {
            lia_verdict_guard(run, (int)g, w->t);
            return;
        }
    }
    if (lia_advice_law(run, h)) return;
    uint32_t worst = fastest(run);
    lia_verdict(run, LIA_FAILED, "E0402", run->model->coordinates[worst].span, w->t,
                "at t = %.10g the steps become too small (%.1e): the motion of '%s' runs into a "
                "singularity (acceleration %.3g)",
                w->t, fabs(h), lia_attitude_name(run->model, worst), pace_of(run, worst, w->a));
}

void lia_verdict_pace(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    if (lia_advice_pole(run, run->step.h)) return;
    uint32_t worst = 0;
    for (uint32_t i = 1; i < run->system->n; i++) {
        if (fabs(w->v[i]) > fabs(w->v[worst])) worst = i;
    }
    lia_verdict(
        run, LIA_FAILED, "E0415", run->model->coordinates[worst].span, w->t,
        "at t = %.10g, after %llu steps, the motion becomes ever faster ('%s' with a velocity "
        "of %.3g) and the steps ever shorter (%.1e): the end of the run is out of reach",
        w->t, (unsigned long long)run->out->steps, lia_attitude_name(run->model, worst),
        pace_of(run, worst, w->v), fabs(run->step.h));
}

void lia_verdict_far(LiaRunner* run) {
    const LiaTrajectory* out = run->out;
    uint32_t i = fastest(run);
    double left = fabs(out->t1 - run->w->t), gone = fabs(run->w->t - out->t0);
    lia_verdict(run, LIA_FAILED, "E0415", run->model->coordinates[i].span, run->w->t,
                "at t = %.10g, after %llu steps, the end of the run is out of reach: the motion of "
                "'%s' asks for steps of %.1e, and to t = %.6g it would be %.1e of them",
                run->w->t, (unsigned long long)out->steps, run->model->coordinates[i].name,
                fabs(run->step.h), out->t1, fmin(left / gone * (double)out->steps, DBL_MAX));
}

void lia_verdict_coarse(LiaRunner* run, double h) {
    const LiaTrajectory* out = run->out;
    const LiaWorkspace* w = run->w;
    const LiaCoordinate* x = &run->model->coordinates[fastest(run)];
    double apart = nextafter(fabs(w->t), INFINITY) - fabs(w->t);
    if (fabs(h) > LIA_CLOCK_TICKS * apart) {
        lia_verdict(run, LIA_FAILED, "E0415", x->span, w->t,
                    "at t = %.10g the end of the run is out of reach: the motion of '%s' asks for "
                    "steps of %.1e, and to t = %.6g it would be %.1e of them",
                    w->t, x->name, fabs(h), out->t1, fmin(fabs(out->t1 - w->t) / fabs(h), DBL_MAX));
        return;
    }
    lia_verdict(run, LIA_FAILED, "E0416", x->span, w->t,
                "at t = %.10g time is too coarse: two numbers there are %.1e apart, and the motion "
                "of '%s' asks for steps of %.1e; count the time from a nearer instant",
                w->t, apart, x->name, fabs(h));
}

void lia_verdict_wall(LiaRunner* run, LiaExpr node, double leap) {
    LiaText formula = {0}, place = {0};
    LiaSpan span = {0, 0};
    if (node.index) {
        lia_formula_text(run->system->graph, node, &formula);
        name_place(run, node, &place, &span);
    }
    lia_verdict(
        run, LIA_FAILED, "E0410", span, run->w->t,
        "at t = %.10g the energy leaps by %.3g where %s%s changes: a wall that no force describes",
        run->w->t, leap, formula.data ? formula.data : "a formula", place.data ? place.data : "");
    lia_text_clear(&formula);
    lia_text_clear(&place);
}

void lia_verdict_leap(LiaRunner* run, uint32_t row, double leap) {
    const LiaRow* r = &run->system->rows[row];
    lia_verdict(run, LIA_FAILED, "E0409", r->span, run->w->t,
                "at t = %.10g '%s' asks for a position that leaps by %.3g: no force can do that",
                run->w->t, run->model->constraints[r->constraint].name, leap);
}

void lia_verdict_unreached(LiaRunner* run, int c, int derivative) {
    const LiaWorkspace* w = run->impulse.w;
    const LiaRelativeDegree* h = w->degree;
    const LiaRow* r = &run->system->rows[w->dynamics->rows[c]];
    int force = 0;
    for (int i = 0; i < h->count; i++) {
        if (h->row[i] == c) force = h->base[i] + h->shift[i];
    }
    lia_verdict(
        run, LIA_FAILED, "E0409", r->span, run->w->t,
        "at t = %.10g derivative %d of the equation of '%s' jumps, and its force appears in "
        "derivative %d only: an impulse makes derivative %d jump and no lower one, so no "
        "force can do that",
        run->w->t, derivative, run->model->constraints[r->constraint].name, force, force - 1);
}

void lia_verdict_together(LiaRunner* run) {
    const LiaRelativeDegree* h = run->degree;
    const LiaRow* r = &run->system->rows[run->w->dynamics->rows[h->row[0]]];
    lia_verdict(run, LIA_FAILED, "E0409", r->span, run->w->t,
                "at t = %.10g '%s' asks for a state that jumps, and the forces that keep it are "
                "decided only by derivatives up to the %dth together: no jump is computed for them",
                run->w->t, run->model->constraints[r->constraint].name, h->base[0] + h->shift[0]);
}

void lia_verdict_no_velocities(LiaRunner* run) {
    const LiaTape* tape = run->w->dynamics->tape;
    LiaText formula = {0}, place = {0};
    LiaSpan span = {0, 0};
    for (uint32_t g = 0; g < tape->guard_count && !formula.length; g++) {
        if (!run->guard_crossing[g]) continue;
        lia_formula_text(run->system->graph, tape->guards[g].node, &formula);
        name_place(run, tape->guards[g].node, &place, &span);
    }
    lia_verdict(run, LIA_FAILED, "E0413", span, run->w->t,
                "at t = %.10g velocities jump where %s%s changes, but no velocities have the "
                "momenta that go on there",
                run->w->t, formula.data ? formula.data : "a formula", place.data ? place.data : "");
    lia_text_clear(&formula);
    lia_text_clear(&place);
}

void lia_verdict_undecided(LiaRunner* run, int rank) {
    const LiaWorkspace* w = run->w;
    LiaText names = {0};
    LiaSpan span = {0, 0};
    uint32_t last = 0;
    for (int c = 0, a = 0; c < w->nc; c++) {
        if (a < w->nr && w->active[a] == c) {
            a++;
            continue;
        }
        const LiaRow* row = &run->system->rows[w->dynamics->rows[c]];
        if (names.length && row->constraint == last) continue;  // the rows of one stand together
        last = row->constraint;
        if (!names.length) span = row->span;
        lia_text_add(&names, "%s'%s'", names.length ? ", " : "",
                     run->model->constraints[row->constraint].name);
    }
    lia_verdict(run, LIA_FAILED, "E0408", span, w->t,
                "%s asks what follows from the other equations, but with a force of its own (rank "
                "of the equations %d, of "
                "the forces %d): which force acts is not decided",
                names.data ? names.data : "a row", w->nr, rank);
    lia_verdict_help(run, "leave one of the equations out, or let its force act along the same "
                          "form as that of the others");
    lia_text_clear(&names);
}

void lia_verdict_never(LiaRunner* run, int c) {
    const LiaRow* row = &run->system->rows[run->w->dynamics->rows[c]];
    lia_verdict(run, LIA_FAILED, "E0407", row->span, run->w->t,
                "no derivative of '%s' contains the force that is to keep it: what acts is coupled "
                "to it neither "
                "by inertia nor by any other force",
                run->model->constraints[row->constraint].name);
}

// All operators: "'a', 'b'", and where the first of them is.
static LiaSpan name_operators(const LiaRunner* run, LiaText* names) {
    const LiaWorkspace* w = run->w;
    LiaSpan span = {0, 0};
    uint32_t said = UINT32_MAX;
    for (int c = 0; c < w->nc; c++) {
        const LiaRow* row = &run->system->rows[w->dynamics->rows[c]];
        const LiaConstraint* of = &run->model->constraints[row->constraint];
        if (!of->active || row->constraint == said) continue;
        if (!names->length) span = row->span;
        lia_text_add(names, "%s'%s'", names->length ? ", " : "", of->name);
        said = row->constraint;
    }
    return span;
}

void lia_verdict_open(LiaRunner* run, int derivative) {
    LiaText names = {0};
    LiaSpan span = name_operators(run, &names);
    lia_verdict(run, LIA_FAILED, "E0408", span, run->w->t,
                "at t = %.10g the forces of %s are not decided: all derivatives of their equations "
                "together leave open which force acts (looked at up to the %dth: those that follow "
                "ask nothing new)",
                run->w->t, names.data ? names.data : "operators", derivative);
    lia_text_clear(&names);
}

void lia_verdict_fewer(LiaRunner* run, int equations, int forces) {
    LiaText names = {0};
    LiaSpan span = name_operators(run, &names);
    lia_verdict(run, LIA_FAILED, "E0401", span, run->w->t,
                "at t = %.10g %s ask for %d independent things and have %d independent force%s: "
                "that many can be kept, not more",
                run->w->t, names.data ? names.data : "operators", equations, forces,
                forces == 1 ? "" : "s");
    lia_text_clear(&names);
}

void lia_verdict_held(LiaRunner* run, int equations, int forces) {
    LiaText names = {0}, moved = {0};
    LiaSpan span = name_operators(run, &names);
    if (forces == 0) {
        lia_text_add(&moved, "nothing, for constraints hold all that they act on");
    } else {
        lia_text_add(&moved, "what they act on in %d independent way%s, for constraints hold it",
                     forces, forces == 1 ? "" : "s");
    }
    lia_verdict(run, LIA_FAILED, "E0401", span, run->w->t,
                "at t = %.10g the forces of %s move %s; %d independent thing%s asked for",
                run->w->t, names.data ? names.data : "operators", moved.data ? moved.data : "less",
                equations, equations == 1 ? " is" : "s are");
    lia_text_clear(&names);
    lia_text_clear(&moved);
}

// Forces are decided together, and no state satisfies all that they would have to keep.
static void verdict_unmet(LiaRunner* run, const LiaWorkspace* w) {
    const LiaRelativeDegree* h = w->degree;
    LiaText names = {0};
    name_hidden(run, &names);
    lia_verdict(run, LIA_FAILED, "E0406", run->system->rows[w->dynamics->rows[h->row[0]]].span,
                w->t,
                "at t = %.10g the equations of %s begin to contradict each other: no state near "
                "satisfies them and all their derivatives up to the %dth",
                w->t, names.data ? names.data : "operators", h->base[0] + h->shift[0]);
    lia_text_clear(&names);
}

void lia_verdict_contradiction(LiaRunner* run, LiaWorkspace* w) {
    if (w->derivative_array) {
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
    lia_verdict(run, LIA_FAILED, "E0406", row->span, w->t,
                "at t = %.10g '%s' contradicts the other equations (%s): its row depends on "
                "theirs, but what it "
                "asks does not follow (%.3g, rank %d of %d)",
                w->t, run->model->constraints[row->constraint].name,
                others.data ? others.data : "its own", sum, w->nr, w->nc);
    lia_advice_twice(run);
    lia_text_clear(&others);
}

// In a large system: where the elimination found nothing left to divide by.
static void tell_weakest(LiaRunner* run, const LiaWorkspace* w) {
    const LiaDynamics* d = w->dynamics;
    if (w->weakest < w->nf || w->weakest - w->nf >= w->nr) {
        const LiaCoordinate* x =
            &run->model->coordinates[d->free[w->weakest < w->nf ? w->weakest : 0]];
        lia_verdict(run, LIA_FAILED, "E0401", x->span, w->t,
                    "at t = %.10g the accelerations are not determined, seen first at %s: no "
                    "inertia there, or equations whose forces do not reach what they ask for "
                    "(%d equations in %d unknowns, smallest pivot %.1e)",
                    w->t, x->name, w->nc, w->nf, w->pivot);
    } else {
        const LiaRow* row = &run->system->rows[d->rows[w->active[w->weakest - w->nf]]];
        lia_verdict(run, LIA_FAILED, "E0401", row->span, w->t,
                    "at t = %.10g the force of '%s' is not determined: it does not reach what the "
                    "equations ask for (%d equations in %d unknowns, smallest pivot %.1e)",
                    w->t, run->model->constraints[row->constraint].name, w->nc, w->nf, w->pivot);
    }
}

// Equations that are told apart by d of their size leave d^2 of K0: where that is rounding, they are no reason to look for a
// force that has no hold.
static bool tell_nearly_same(LiaRunner* run, const LiaWorkspace* w) {
    LiaNearRow near = lia_forward_error_nearest(w);
    if (near.row < 0 || !(near.distance < LIA_NEARLY_SAME && near.distance > LIA_NEARLY_FOLLOWS))
        return false;
    const LiaRow* row = &run->system->rows[w->dynamics->rows[near.row]];
    const LiaModel* m = run->model;
    const char* name = m->constraints[row->constraint].name;
    const LiaRow* same = near.same < 0 ? row : &run->system->rows[w->dynamics->rows[near.same]];
    lia_verdict(
        run, LIA_FAILED, "E0401", row->span, w->t,
        near.same < 0 ? "at t = %.10g '%s' differs by %.1g of its size from what follows from "
                        "other equations%s%s: its force is lost in rounding"
                      : "at t = %.10g the equations of '%s' differ by %.1g of their size from "
                        "those of '%s'%s: their forces are lost in rounding",
        w->t, name, near.distance, near.same < 0 ? "" : m->constraints[same->constraint].name, "");
    return true;
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
    if (w == run->w && run->out->steps > 0 &&
        lia_singular_start_verdict(run, LIA_FLAT_CUT_SINGULAR, LIA_FLAT_LOST)) {
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
    lia_verdict(
        run, LIA_FAILED, code, why.span, w->t, "at t = %.10g %s (rank %d of %d, margin %.1e)", w->t,
        text.data ? text.data : "the equations are singular", why.rank, why.size, why.margin);
    lia_text_clear(&text);
    lia_singular_report_clear(&why);
}
