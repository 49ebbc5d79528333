// What of the model is to blame where a motion ends: a law with a pole, a force without a
// direction, a coordinate that is driven twice, a slip that sticks. Each names the statement and
// says what to write instead.
// SPDX-License-Identifier: MIT
#include "motion/verdict/advice.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "expr/reading/formula_text.h"
#include "mechanics/diagnosis/domain.h"
#include "mechanics/diagnosis/driven_twice.h"
#include "motion/runner.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lia_advice_pole(LiaRunner* run, double h) {
    const LiaWorkspace* w = run->w;
    double span = fmax(fabs(run->out->t1 - run->out->t0), fabs(w->t));
    LiaText what = {0};
    LiaSpan where = {0, 0};
    bool found = lia_domain_pole(run->model, run->system->parameters, w->t, LIA_POLE_NEAR * span,
                                 &what, &where);
    if (found && what.data) {
        lia_verdict(run, "E0402", where, w->t, "at t = %.10g %s: %s", w->t,
                    lia_verdict_steps(h).text, what.data);
        lia_verdict_help(run, "end the run before that time, or write what stays finite there");
    }
    lia_text_clear(&what);
    return found;
}

// The state at the first sample; what is not known of it is NAN: velocities of rotations are others
// in the table.
static void take_first(const LiaRunner* run, double* q, double* v) {
    const LiaTrajectory* out = run->out;
    for (uint32_t i = 0; i < run->system->n; i++) q[i] = v[i] = NAN;
    for (size_t k = 0; k < out->column_count && out->rows.count > 0; k++) {
        const LiaColumn* c = &out->columns[k];
        bool turns =
            c->index < run->system->n && run->model->coordinates[c->index].manifold == LIA_ROTATION;
        if (c->kind == LIA_COLUMN_POSITION) q[c->index] = out->rows.values[k];
        if (c->kind == LIA_COLUMN_VELOCITY && !turns) v[c->index] = out->rows.values[k];
    }
}

static double law_at(LiaValues* values, const LiaRow* row, const LiaSymbols* at) {
    lia_evaluate_run(values, at);
    return fabs(lia_value(values, row->right));
}

bool lia_advice_law(LiaRunner* run, double h) {
    const LiaSystem* s = run->system;
    const LiaWorkspace* w = run->w;
    size_t n = s->n;
    double* q = lia_memory_take((2 * n + 1) * sizeof *q);
    bool found = false, memory = q != NULL;
    if (memory) take_first(run, q, q + n);
    for (uint32_t r = 0; memory && r < s->row_count && !found; r++) {
        const LiaRow* row = &s->rows[r];
        const LiaConstraint* c = &run->model->constraints[row->constraint];
        LiaSymbols first = {.t = run->out->t0, .parameters = s->parameters, .q = q, .v = q + n};
        LiaSymbols now = {.t = w->t, .parameters = s->parameters, .q = w->q, .v = w->v};
        LiaValues values;
        if (!c->active || row->identical) continue;
        memory = lia_evaluate_init(&values, s->graph, &row->right, 1);
        if (!memory) break;
        double was = law_at(&values, row, &first), is = law_at(&values, row, &now);
        found = is > LIA_LAW_BEYOND * fmax(was, 1.0);
        lia_evaluate_clear(&values);
        if (!found) continue;
        lia_verdict(run, "E0402", row->span, w->t,
                    "at t = %.10g %s: the law of '%s' grows without "
                    "bound, its right side is of size %.3g there",
                    w->t, lia_verdict_steps(h).text, c->name, is);
        lia_verdict_help(run, "end the run before that time, or write what stays finite there");
    }
    free(q);
    return found;
}

// --- forms that vanish --------------------------------------------------------------------------

// The size of a row's force direction in a state.
static double size_at(LiaValues* values, const LiaRow* row, const LiaSymbols* at) {
    double size = 0.0;
    lia_evaluate_run(values, at);
    for (uint32_t k = 0; k < row->entries; k++) {
        double entry = lia_value(values, row->Omega[k]);
        if (!isfinite(entry)) return NAN;  // no direction either, but another reason
        size = fmax(size, fabs(entry));
    }
    return size;
}

// The same in the state that lies `ahead` of the present one, on the tangent; q: room for it.
static double size_ahead(const LiaRunner* run, LiaValues* values, const LiaRow* row, double ahead,
                         double* q) {
    const LiaWorkspace* w = run->w;
    uint32_t n = run->system->n;
    for (uint32_t i = 0; i < n; i++) {
        q[i] = w->q[i] + w->v[i] * ahead;
        q[n + i] = w->v[i] + w->a[i] * ahead;
    }
    LiaSymbols at = {.t = w->t + ahead, .parameters = run->system->parameters, .q = q, .v = q + n};
    return size_at(values, row, &at);
}

// It has been larger: at the first sample, where that is an earlier one. What only seems small
// relative to where great velocities would lead is not zero.
static bool has_shrunk(const LiaRunner* run, LiaValues* values, const LiaRow* row, double now,
                       double* q) {
    uint32_t n = run->system->n;
    if (run->w->t == run->out->t0) return true;
    take_first(run, q, q + n);
    LiaSymbols at = {.t = run->out->t0, .parameters = run->system->parameters, .q = q, .v = q + n};
    double first = size_at(values, row, &at);
    return !(now > LIA_FORM_ZERO * first);  // or it is not known
}

// "th = 0, x' = 0": the positions, velocities and the time that a direction is made of, as they
// are.
static void add_state(const LiaRunner* run, const LiaValues* values, LiaText* text) {
    enum { TOLD = 4 };
    const LiaGraph* g = run->system->graph;
    int told = 0;
    for (uint32_t k = 0; k < values->count; k++) {
        const LiaNode* node = &g->nodes[values->nodes[k]];
        if (node->op != LIA_OP_SYMBOL) continue;
        double x = 0.0;
        if (node->symbol_kind == LIA_SYMBOL_POSITION) {
            x = run->w->q[node->a];
        } else if (node->symbol_kind == LIA_SYMBOL_VELOCITY) {
            x = run->w->v[node->a];
        } else if (node->symbol_kind == LIA_SYMBOL_TIME) {
            x = run->w->t;
        } else {
            continue;
        }
        if (told++ >= TOLD) continue;
        lia_text_add(text, told > 1 ? ", " : " where ");
        lia_formula_text(g, (LiaExpr){values->nodes[k]}, text);
        lia_text_add(text, " = ");
        lia_text_add_short(text, fabs(x) > LIA_STATE_SHOWN ? x : 0.0, 6);
    }
    if (told > TOLD) lia_text_add(text, ", ...");
}

static void say_no_direction(LiaRunner* run, const LiaRow* row, const LiaValues* values) {
    const LiaConstraint* c = &run->model->constraints[row->constraint];
    LiaText form = {0}, where = {0};
    lia_domain_quote(run->model, c->forms[row->part].span, &form);
    add_state(run, values, &where);
    lia_verdict(run, "E0401", c->forms[row->part].span, run->w->t,
                "at t = %.10g the force of '%s' has no direction: its form %s is zero%s", run->w->t,
                c->name, form.data ? form.data : "", where.data ? where.data : "");
    if (c->active) {
        lia_verdict_help(run, "begin and stay where the form is not zero, or let the force act "
                              "elsewhere: without 'by' it acts on what stands on the left");
    } else {
        lia_verdict_help(run, "begin and stay where the form is not zero; without 'force' the "
                              "constraint is ideal");
    }
    lia_text_clear(&form);
    lia_text_clear(&where);
}

bool lia_advice_form(LiaRunner* run) {
    double ahead = LIA_FORM_ASIDE * (run->out->t1 - run->out->t0);
    double* q = lia_memory_take((2 * (size_t)run->system->n + 1) * sizeof *q);
    bool found = false, memory = q != NULL;
    for (uint32_t r = 0; memory && r < run->system->row_count && !found; r++) {
        const LiaRow* row = &run->system->rows[r];
        const LiaConstraint* c = &run->model->constraints[row->constraint];
        LiaValues values;
        if (c->rule != LIA_RULE_GIVEN || row->part >= c->form_count || row->identical) continue;
        memory = lia_evaluate_init(&values, run->system->graph, row->Omega, row->entries);
        if (!memory) break;
        double most =
            fmax(size_ahead(run, &values, row, -ahead, q), size_ahead(run, &values, row, ahead, q));
        double now = size_ahead(run, &values, row, 0.0, q);
        found = now <= LIA_FORM_ZERO * most && has_shrunk(run, &values, row, now, q);
        if (found) say_no_direction(run, row, &values);
        lia_evaluate_clear(&values);
    }
    free(q);
    return found;
}

// --- advice -------------------------------------------------------------------------------------

void lia_advice_twice(LiaRunner* run) {
    LiaText text = {0};
    if (lia_driven_twice_find(run->system, &text) && text.data) {
        lia_verdict_help(run, "%s", text.data);
    }
    lia_text_clear(&text);
}

// The velocity that a law of friction is made of, as one writes a slip: x' of sign(x') or abs(x'),
// [x', y'] of hypot(x', y'). Nothing where it is another formula.
static void write_slip(const LiaGraph* g, const LiaNode* node, LiaText* slip) {
    bool plane = node->op == LIA_OP_HYPOT;
    if (!plane && node->op != LIA_OP_SIGN && node->op != LIA_OP_ABS) return;
    if (!(node->depends & LIA_DEPENDS(VELOCITY))) return;
    lia_text_add(slip, plane ? "[" : "");
    lia_formula_text(g, (LiaExpr){node->a}, slip);
    if (!plane) return;
    lia_text_add(slip, ", ");
    lia_formula_text(g, (LiaExpr){node->b}, slip);
    lia_text_add(slip, "]");
}

// "'contact floor: z >= 0 slip x' friction mu'": the constraint whose friction it is, one way.
static void write_contact(const LiaRunner* run, LiaExpr formula, const char* slip, LiaText* text) {
    const LiaSystem* s = run->system;
    const LiaRow* row = lia_verdict_row(s, formula);
    bool floor = row && row->geometric && !run->model->constraints[row->constraint].active;
    if (!floor) {
        lia_text_add(text,
                     "'contact floor: GAP >= 0 slip %s friction mu', with the force of the "
                     "gap in place of the normal force",
                     slip);
        return;
    }
    LiaText left = {0}, right = {0};
    size_t column = (size_t)(row - s->rows);
    bool pulls = column < s->row_count && run->w->mu[column] < 0.0;
    lia_formula_text(s->graph, row->left, &left);
    lia_formula_text(s->graph, row->right, &right);
    lia_text_add(text, "'contact %s: %s %s %s slip %s friction mu'",
                 run->model->constraints[row->constraint].name, left.data ? left.data : "GAP",
                 pulls ? "<=" : ">=", right.data ? right.data : "0", slip);
    lia_text_clear(&left);
    lia_text_clear(&right);
}

void lia_advice_stick(LiaRunner* run, LiaExpr formula) {
    const LiaGraph* g = run->system->graph;
    const LiaNode* node = lia_graph_node(g, formula);
    LiaText slip = {0}, contact = {0}, size = {0};
    write_slip(g, node, &slip);
    if (slip.data) write_contact(run, formula, slip.data, &contact);
    if (node->op == LIA_OP_HYPOT) lia_formula_text(g, formula, &size);
    if (contact.data && size.data) {
        lia_verdict_help(run,
                         "friction that slides and sticks is a contact: %.300s; or end the run "
                         "before, 'event rest: %.100s = 0.001 stop'",
                         contact.data, size.data);
    } else if (contact.data) {
        lia_verdict_help(run,
                         "friction that slides and sticks is a contact: %.300s; or end the run "
                         "there, 'event rest: %.100s = 0 stop', and go on with 'constraint stick: "
                         "%.100s = 0'; or smooth the law: tanh((%.100s)/0.001)",
                         contact.data, slip.data, slip.data, slip.data);
    } else {
        lia_verdict_help(run, "end the run there with an 'event ... stop' and hold the slip with a "
                              "constraint, or let the law change over a short way; friction that "
                              "slides and sticks is a 'contact'");
    }
    lia_text_clear(&slip);
    lia_text_clear(&contact);
    lia_text_clear(&size);
}
