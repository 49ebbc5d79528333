// The gaps of contacts at a state, and what is rounding in them: of all, or of those that are not
// far. At a corner, where a gap may leap, they are those just after it.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "expr/ops/op.h"
#include "motion/contact/contact_rows.h"
#include "motion/contact/contacts.h"
#include "motion/contact/near.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>

// --- just after a corner ------------------------------------------------------------------------

// An instant later: a gap that leaps by the time, if(t > 1, z, z - 1), has its value after it.
static double time_of(const LiaRunner* run) {
    double instant = LIA_INSTANT_TIME * lia_time_size(run, run->w->t);
    return run->w->t + (run->contacts->found.corner ? run->direction * instant : 0.0);
}

// abs and max go on at their corner: their values there need no side.
static bool leaps(LiaOp op) {
    return op == LIA_OP_LESS || op == LIA_OP_LESS_EQUAL || op == LIA_OP_SIGN ||
           (lia_op_arity(op) > 0 && lia_op_kinds[op]->guard == LIA_GUARD_CUT);
}

// The guard of a node that has its root where run->w is: it has crossed, and its side is that after
// the corner. -1: there is none.
static int guard_here(const LiaRunner* run, uint32_t index, const LiaNode* n) {
    const LiaTape* tape = run->dynamics->tape;
    const LiaGuard own = {
        .rule = lia_op_kinds[n->op]->guard, .node = {index}, .x = n->a, .y = n->b};
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        bool here = run->watch.crossing[g] || run->watch.at_root[g];
        if (here && lia_guard_same(&tape->guards[g], &own)) return (int)g;
    }
    return -1;
}

// The value of a node on a side of its guard, as the tape computes it.
static double value_on(const LiaNode* n, const double* value, int side) {
    double out = 0.0, aux = 0.0;
    lia_op_kinds[n->op]->series(0, &(LiaJet){.x = value + n->a,
                                             .y = value + n->b,
                                             .z = value + n->c,
                                             .out = &out,
                                             .aux = &aux,
                                             .side = side});
    return lia_op_kinds[n->op]->guard == LIA_GUARD_CUT ? lia_op_take_side(out, side) : out;
}

// Next to its root the value of a condition or an angle says nothing of its side: the run knows it.
static void evaluate(const LiaRunner* run, LiaValues* values) {
    const LiaSystem* s = run->contacts->base;
    LiaSymbols at = {.t = time_of(run), .parameters = s->parameters, .q = run->w->q};
    if (!run->contacts->found.corner) {
        lia_evaluate_run(values, &at);
        return;
    }
    for (uint32_t k = 0; k < values->count; k++) {
        LiaExpr f = {values->nodes[k]};
        const LiaNode* n = lia_graph_node(values->graph, f);
        double* value = values->value;
        int g = leaps((LiaOp)n->op) ? guard_here(run, f.index, n) : -1;
        value[f.index] = g < 0 ? lia_evaluate_node(values->graph, f, value, &at)
                               : value_on(n, value, run->w->jets.side[g]);
    }
}

// --- gaps ---------------------------------------------------------------------------------------

static void take(const LiaRunner* run, const LiaExpr* formula, LiaValues* values, double* size,
                 LiaGaps* out) {
    const LiaSystem* s = run->contacts->base;
    evaluate(run, values);
    lia_sizes_run(values, &(LiaSymbols){0}, size);
    for (uint32_t k = 0; k < s->contact_count; k++) {
        out->value[k] = lia_value(values, formula[k]);
        out->rounding[k] = LIA_CONTACT_TOUCHES * size[formula[k].index];
    }
}

bool lia_gaps_find_near(const LiaRunner* run, LiaGaps* out) {
    const LiaSystem* s = run->contacts->base;
    size_t count = s->contact_count;
    if (!run->contacts->near) return lia_gaps_find(run, out);
    *out = (LiaGaps){.value = lia_memory_take((2 * count + 1) * sizeof(double))};
    if (!out->value) return false;
    out->rounding = out->value + count;
    for (uint32_t k = lia_near_next(run, 0); k < count; k = lia_near_next(run, k + 1)) {
        double* size;
        LiaValues values = lia_near_gap(run->contacts->near, k, &size);
        LiaExpr gap = s->rows[s->contacts[k].row].equation;
        evaluate(run, &values);
        lia_sizes_run(&values, &(LiaSymbols){0}, size);
        out->value[k] = lia_value(&values, gap);
        out->rounding[k] = LIA_CONTACT_TOUCHES * size[gap.index];
    }
    return true;
}

bool lia_gaps_find(const LiaRunner* run, LiaGaps* out) {
    const LiaSystem* s = run->contacts->base;
    size_t count = s->contact_count;
    LiaValues values;
    LiaExpr* formula = lia_memory_zeros(count + 1, sizeof *formula);
    *out = (LiaGaps){.value = lia_memory_zeros(2 * count + 1, sizeof(double))};
    bool good = formula && out->value;
    for (uint32_t k = 0; good && k < count; k++) formula[k] = s->rows[s->contacts[k].row].equation;
    good = good && lia_evaluate_init(&values, s->graph, formula, count);
    double* size = good ? lia_memory_zeros((size_t)values.size + 1, sizeof *size) : NULL;
    if (good) out->rounding = out->value + count;
    if (size) take(run, formula, &values, size, out);
    if (good) lia_evaluate_clear(&values);
    good = size != NULL;
    free(size);
    free(formula);
    if (!good) lia_gaps_clear(out);
    return good;
}

// Without memory they touch, and what comes next says that it is out.
bool lia_gaps_touch(const LiaRunner* run) {
    const LiaSystem* s = run->system;
    LiaGaps gaps;
    if (!run->contacts || s->contact_count == 0) return false;
    bool any = !lia_gaps_find_near(run, &gaps);
    for (uint32_t k = lia_near_next(run, 0); gaps.value && k < s->contact_count;
         k = lia_near_next(run, k + 1))
        any |= lia_system_contact_is_on(s, k) && gaps.value[k] <= gaps.rounding[k];
    lia_gaps_clear(&gaps);
    return any;
}

void lia_gaps_clear(LiaGaps* gaps) {
    free(gaps->value);
    *gaps = (LiaGaps){0};
}

double lia_gaps_least(const LiaRunner* run) {
    double largest = 1.0;
    for (int k = 0; k < run->w->n; k++) largest = fmax(largest, fabs(run->w->q[k]));
    return LIA_LEAP_ROUNDING * largest;
}

// On a side where the gap is the height alone, that height is what rounding has left of it.
double lia_gaps_leap(const LiaRunner* run, const LiaGaps* gaps, uint32_t contact) {
    LiaContactRowFormulas* formulas = run->contacts->formulas;
    if (!lia_contact_rows_make(formulas, contact)) return -1.0;
    double length = lia_contact_rows_length(formulas, contact, run);
    double size = gaps->rounding[contact] / LIA_CONTACT_TOUCHES;
    double least = fmax(lia_gaps_least(run), LIA_LEAP * size);
    return isfinite(length) ? fmax(least, LIA_LEAP_ROUNDING * length) : least;
}

void lia_gaps_say_leap(LiaRunner* run, uint32_t contact) {
    const LiaSystem* s = run->system;
    const LiaConstraint* of = &s->model->constraints[s->contacts[contact].constraint];
    double t = run->w->t;
    lia_verdict(run, "E0436", of->span, t,
                "at t = %.10g the gap of '%s' leaps below zero: it is not continuous there, or has "
                "a corner that is met from both sides, and no impulse stops that",
                t, s->contacts[contact].name);
    lia_verdict_help(run, "write a gap that is continuous, max(a, b) in place of if(x < 0, a, b), "
                          "and the sides of a groove as contacts of their own: z - x >= 0 and "
                          "z + x >= 0 in place of z - abs(x) >= 0");
}

// A certificate, whatever the search for roots has found: no gap is below zero where the step is to
// end.
bool lia_gaps_astray(LiaRunner* run, double h) {
    const LiaContacts* c = run->contacts;
    const LiaAwake* awake = run->w->jets.awake;
    const uint32_t count = run->system->mode.watched_count;
    const double least = lia_gaps_least(run);
    for (uint32_t i = lia_parts_next(awake, 0, count); i < count;
         i = lia_parts_next(awake, i + 1, count)) {
        const LiaWatched* of = &run->system->mode.watched[i];
        if (of->kind != LIA_WATCH_GAP || of->rough || c->fires[i] || lia_near_far(run, of->contact))
            continue;
        const double* x = lia_step_series(&run->step, run->step.watched, i);
        double size = c->rounding.gap[of->contact] / LIA_CONTACT_TOUCHES, power = 1.0;
        for (int k = 0; k < run->step.order; k++, power *= h) size = fmax(size, fabs(x[k] * power));
        double leap = fmax(LIA_LEAP * size, least);
        if (!(lia_step_value(x, run->step.order - 1, h) < -leap)) continue;
        lia_gaps_say_leap(run, of->contact);
        return true;
    }
    return false;
}

bool lia_gaps_go_on(LiaRunner* run) {
    LiaGaps gaps;
    bool good = lia_gaps_find(run, &gaps);
    for (uint32_t k = 0; good && k < run->system->contact_count; k++) {
        if (!lia_system_contact_is_on(run->system, k)) continue;
        double leap = gaps.value[k] < 0.0 ? lia_gaps_leap(run, &gaps, k) : 0.0;
        good = leap >= 0.0 && gaps.value[k] >= -leap;
        if (!good && leap >= 0.0) lia_gaps_say_leap(run, k);
    }
    lia_gaps_clear(&gaps);
    return good;
}

// What is caught in the corner of a gap, a V written as one, goes to and fro without end, by
// velocities that are too small for impacts.
bool lia_gaps_caught(LiaRunner* run) {
    enum { CORNERS_MOST = 64 };
    LiaContactsCorners* corners = &run->contacts->corners;
    double instant = LIA_CONTACT_INSTANT * lia_time_size(run, run->w->t);
    if (!(fabs(run->w->t - corners->t) <= instant)) corners->count = 0;
    corners->t = run->w->t;
    if (++corners->count <= CORNERS_MOST) return false;
    for (uint32_t g = 0; g < run->w->dynamics->tape->guard_count; g++) {
        if (!run->watch.crossing[g]) continue;
        lia_verdict_chatter(run, (int)g);
        return true;
    }
    return false;
}
