// Why a motion ended early: the time, the formula or constraint, its place in the model text and
// the number that tells.
// SPDX-License-Identifier: MIT
#include "motion/verdict/verdict.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/reading/formula_text.h"
#include "lang/bodies/attitude.h"
#include "mechanics/diagnosis/domain.h"
#include "motion/runner.h"
#include "motion/verdict/advice.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1200 };  // sentence

static void give(LiaRunner* run, LiaStatus status, LiaReason reason) {
    LiaTrajectory* out = run->out;
    assert(reason.code);
    out->status = status;
    reason.text = lia_arena_text(out->arena, reason.text, strlen(reason.text));
    if (reason.span.end > reason.span.begin) {
        lia_diag_line_column(run->diags, reason.span, &reason.line, &reason.column);
    }
    out->reason = reason;
}

void lia_verdict(LiaRunner* run, const char* code, LiaSpan span, double t, const char* format,
                 ...) {
    char text[LONGEST];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    give(run, LIA_FAILED, (LiaReason){.code = code, .text = text, .t = t, .span = span});
}

void lia_verdict_stopped(LiaRunner* run, const char* code, LiaSpan span, double t,
                         const char* format, ...) {
    char text[LONGEST];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    give(run, LIA_STOPPED, (LiaReason){.code = code, .text = text, .t = t, .span = span});
}

// A step is 0 where the first terms of the series are larger than numbers are.
LiaStepsText lia_verdict_steps(double h) {
    LiaStepsText steps = {"no step is short enough"};
    if (h != 0.0) {
        snprintf(steps.text, sizeof steps.text, "the steps become too small (%.1e)", fabs(h));
    }
    return steps;
}

void lia_verdict_help(LiaRunner* run, const char* format, ...) {
    char text[900];
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

const LiaRow* lia_verdict_row(const LiaSystem* s, LiaExpr node) {
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        if (row->identical) continue;
        if (contains(s->graph, row->equation, node)) return row;
        for (uint32_t e = 0; e < row->entries; e++) {
            if (contains(s->graph, row->Omega[e], node)) return row;
            if (row->slope && contains(s->graph, row->slope[e], node)) return row;
        }
    }
    return NULL;
}

void lia_verdict_where(const LiaRunner* run, LiaExpr node, LiaText* text, LiaSpan* span) {
    const LiaSystem* s = run->system;
    const LiaRow* row = lia_verdict_row(s, node);
    *span = (LiaSpan){0, 0};
    if (row) {
        const LiaConstraint* c = &run->model->constraints[row->constraint];
        lia_text_add(text, " in '%s'", c->name);
        *span = c->name_span;
        return;
    }
    for (uint32_t e = 0; e < run->model->energies_count; e++) {
        if (contains(s->graph, s->energy.statements[e], node)) {
            const LiaEnergy* energy = &run->model->energies[e];
            lia_text_add(text, " in the %s", lia_domain_energy_word(energy->kind));
            *span = run->model->energies[e].span;
            return;
        }
    }
    if (run->model->forces_count) {
        lia_text_add(text, " in the forces");
        *span = run->model->forces[0].span;
    }
}

// A joint of shapes whose place is a formula without a value here: said in words, the formula tells
// nobody anything.
static bool lose_contact(LiaRunner* run, const LiaNode* node, LiaExpr at, double t) {
    const LiaRow* row = lia_verdict_row(run->system, at);
    const LiaConstraint* c = row ? &run->model->constraints[row->constraint] : NULL;
    bool root = node->op == LIA_OP_SQRT || node->op == LIA_OP_HYPOT;
    if (!c || !(c->gap || c->foot) || !root || (node->depends & LIA_DEPENDS(VELOCITY)))
        return false;
    lia_verdict(
        run, "E0404", c->name_span, t,
        "at t = %.10g the place where the shapes of '%s' touch is lost: a disk lies flat, or a "
        "centre or an axis is reached",
        t, c->name);
    lia_verdict_help(run, "end the run before that time: the joint holds shapes that touch in one "
                          "place");
    return true;
}

// An angle of the model's text has no value where the motion is, or no derivative.
static bool lose_angle(LiaRunner* run, const char* code, double t) {
    const LiaWorkspace* w = run->w;
    LiaText what = {0};
    LiaSpan span = {0, 0};
    bool lost = lia_domain_angle(
        run->model,
        &(LiaSymbols){.t = t, .parameters = run->system->parameters, .q = w->q, .v = w->v}, &what,
        &span);
    if (lost) {
        lia_verdict(run, code, span, t, "at t = %.10g %s", t,
                    what.data ? what.data : "an angle is not determined");
        lia_verdict_help(run, "begin elsewhere, or write the force with what is smooth there: the "
                              "vector itself, or the entries of the rotation");
    }
    lia_text_clear(&what);
    return lost;
}

void lia_verdict_guard(LiaRunner* run, int g, double t) {
    const LiaGuard* guard = &run->w->dynamics->tape->guards[g];
    const LiaGraph* graph = run->system->graph;
    if (lose_contact(run, lia_graph_node(graph, guard->node), guard->node, t)) return;
    bool root = lia_graph_node(graph, guard->node)->op == LIA_OP_HYPOT;
    if (root && lose_angle(run, "E0404", t)) return;
    LiaText formula = {0}, where = {0};
    LiaSpan span;
    lia_formula_text(graph, guard->node, &formula);
    lia_verdict_where(run, guard->node, &where, &span);
    const LiaNode* node = lia_graph_node(graph, guard->node);
    const char* why = "leaves the domain of the formula";
    if (node->op == LIA_OP_HYPOT || node->op == LIA_OP_SQRT) {
        why = node->depends & LIA_DEPENDS(VELOCITY)
                  ? "reaches zero: the direction of sliding is lost"
                  : "reaches zero, where the formula has no derivative";
    } else if (node->op == LIA_OP_ASIN || node->op == LIA_OP_ACOS) {
        why = "reaches the end of its range, where it has no derivative";
    }
    lia_verdict(run, "E0404", span, t, "at t = %.10g %s%s %s", t,
                formula.data ? formula.data : "a formula", where.data ? where.data : "", why);
    if (node->op == LIA_OP_HYPOT && (node->depends & LIA_DEPENDS(VELOCITY))) {
        lia_advice_stick(run, guard->node);
    } else {
        lia_verdict_help(run,
                         "end the run there with an event, or write with 'if' what holds beyond");
    }
    lia_text_clear(&formula);
    lia_text_clear(&where);
}

void lia_verdict_chatter(LiaRunner* run, int g) {
    const LiaGuard* guard = &run->w->dynamics->tape->guards[g];
    LiaText formula = {0}, where = {0};
    LiaSpan span;
    lia_formula_text(run->system->graph, guard->node, &formula);
    lia_verdict_where(run, guard->node, &where, &span);
    bool slip = lia_graph_node(run->system->graph, guard->node)->depends & LIA_DEPENDS(VELOCITY);
    lia_verdict(
        run, "E0405", span, run->w->t,
        "at t = %.10g %s%s is driven back from both sides: it would switch without end (%s)",
        run->w->t, formula.data ? formula.data : "a formula", where.data ? where.data : "",
        slip ? "a slip that sticks" : "it comes to rest at the corner");
    if (slip) {
        lia_advice_stick(run, guard->node);
    } else {
        lia_verdict_help(
            run, run->contacts ? "write the sides of a groove as contacts of their own, z - x >= "
                                 "0 and z + x >= 0 in place of z - abs(x) >= 0, or end the run "
                                 "there with an 'event ... stop'"
                               : "end the run there with an 'event ... stop', or round the "
                                 "corner: sqrt(u^2 + d^2) in place of abs(u), with a small "
                                 "length d");
    }
    lia_text_clear(&formula);
    lia_text_clear(&where);
}

void lia_verdict_end(LiaRunner* run, const LiaEvent* end) {
    double t = run->w->t;
    if (end->flat) {
        lia_verdict(run, "E0411", end->span, t,
                    "at t = %.10g the disks of '%s' come to lie in one plane, where their rims "
                    "have no normal",
                    t, end->name);
        lia_verdict_help(run, "end the run before that time");
        return;
    }
    lia_verdict(run, "E0411", end->span, t,
                "at t = %.10g '%s' goes beyond %s: the shapes do not touch any more", t, end->name,
                end->leaves);
    lia_verdict_help(run, "end the run before that time; where the ends do not matter, write the "
                          "shape without its height");
}

// In a large tape a register is used again by every window (expr/tape/allocate.h): then what it
// holds may be of another formula.
static bool written_again(const LiaTape* tape, uint32_t at) {
    uint32_t reg = tape->sections.main.instrs[at].out;
    if (!tape->room || tape->room[reg] != LIA_ROOM_POOL) return false;
    for (uint32_t i = at + 1; i < tape->sections.main.count; i++) {
        if (tape->sections.main.instrs[i].out == reg) return true;
    }
    for (uint32_t i = 0; i < at; i++) {
        if (tape->sections.main.instrs[i].out == reg) return true;
    }
    return false;
}

// The first formula in the order of computation that has no finite value.
static LiaExpr first_not_finite(const LiaWorkspace* w) {
    const LiaTape* tape = w->dynamics->tape;
    const LiaSection* const sections[] = {&tape->sections.main, &tape->sections.aside};
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
    bool left = lia_domain_left(
        run->model,
        &(LiaSymbols){.t = w->t, .parameters = run->system->parameters, .q = w->q, .v = w->v},
        &what, &span);
    if (left) {
        lia_verdict(run, "E0403", span, w->t, "at t = %.10g %s", w->t,
                    what.data ? what.data : "a formula is not a number");
        lia_verdict_help(run, "begin elsewhere, end the run before that time, or write with 'if' "
                              "what holds there");
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

// Whose motion is not a number, or whose power: " (seen first in the motion of 'x')". Nothing where
// that is not known.
static void add_seen_first(const LiaRunner* run, LiaText* text) {
    const LiaStep* step = &run->step;
    for (uint32_t i = 0; i < run->system->n; i++) {
        const double* v = lia_step_series(step, step->v, i);
        for (int k = 0; k <= step->order; k++) {
            if (isfinite(v[k])) continue;
            lia_text_add(text, ", seen first in the motion of '%s'",
                         lia_attitude_name(run->model, i));
            return;
        }
    }
    for (uint32_t k = 0; k < step->live.line_count; k++) {
        uint32_t l = step->live.lines[k];
        const double* work = lia_step_series(step, step->work, l);
        if (isfinite(work[step->order]) || lia_system_line_internal(run->system, l)) continue;
        lia_text_add(text, ", seen first in the power of '%s'", run->system->lines[l].name);
        return;
    }
}

static bool tell_overflow(LiaRunner* run, LiaExpr culprit) {
    const LiaWorkspace* w = run->w;
    bool overflow = culprit.index ? too_large(w, run->system->graph, culprit) : series_overflow(w);
    LiaText what = {0};
    LiaSpan span = {0, 0};
    bool told =
        overflow &&
        lia_domain_overflows(
            run->model,
            &(LiaSymbols){.t = w->t, .parameters = run->system->parameters, .q = w->q, .v = w->v},
            &what, &span);
    if (told) {
        lia_verdict(run, "E0403", span, w->t, "at t = %.10g %s", w->t,
                    what.data ? what.data : "a formula is too large");
        lia_verdict_help(run, "end the run before that time, or write what stays finite there");
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
        lia_verdict(run, "E0403", run->model->coordinates[i].span, w->t,
                    "at t = %.10g the motion of '%s' is not a number", w->t,
                    lia_attitude_name(run->model, i));
        lia_verdict_help(run, "end the run before that time; a smaller tolerance shows whether "
                              "the motion itself has no value there");
        return;
    }
    if (lose_angle(run, "E0403", w->t)) return;
    LiaExpr culprit = first_not_finite(w);
    if (tell_overflow(run, culprit)) return;
    LiaText formula = {0}, where = {0};
    LiaSpan span = {0, 0};
    if (culprit.index) {
        lia_formula_text(run->system->graph, culprit, &formula);
        lia_verdict_where(run, culprit, &where, &span);
    }
    if (!span.end && run->model->energies_count) span = run->model->energies[0].span;
    add_seen_first(run, &where);
    lia_verdict(
        run, "E0403", span, w->t,
        "at t = %.10g %s%s is not a number (division by zero, a function outside its domain, or a "
        "value too large)",
        w->t, formula.data ? formula.data : "a formula of the equations of motion",
        where.data ? where.data : "");
    lia_verdict_help(run, "begin elsewhere, end the run before that time, or write with 'if' what "
                          "holds there");
    lia_text_clear(&formula);
    lia_text_clear(&where);
}
