// Friction that does what friction cannot, and kinetic energy below zero: looked for in the samples
// of a run.
//
// Friction of a constraint is a part of its force direction, `force d(z) - nu*...`, and so goes
// with the sign of its normal force: where that changes its sign, friction drives. Friction between
// parts that do not move by themselves takes energy out. Do they move? A belt tells the two
// directions of a motion apart: the power changes when all velocities are reversed.
// SPDX-License-Identifier: MIT
#include "motion/check/friction_check.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/diagnosis/kinetic_sign.h"
#include "motion/runner.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Curve {  // a column of the table
    size_t column;
    double least, most, size;
} Curve;

static double sample(const LiaTrajectory* out, size_t row, size_t column) {
    return out->rows.values[row * out->column_count + column];
}

static Curve look_at(const LiaTrajectory* out, size_t column) {
    Curve c = {.column = column};
    for (size_t row = 0; row < out->rows.count; row++) {
        double x = sample(out, row, column);
        if (!isfinite(x)) continue;
        c.least = fmin(c.least, x);
        c.most = fmax(c.most, x);
    }
    c.size = fmax(c.most, -c.least);
    return c;
}

static bool changes_sign(const Curve* c) {
    return c->most > LIA_FRICTION_NOISE * c->size && c->least < -LIA_FRICTION_NOISE * c->size;
}

// The time of the first sample with another sign than the ones before it.
static double time_of_change(const LiaTrajectory* out, const Curve* c) {
    double first = 0.0;
    for (size_t row = 0; row < out->rows.count; row++) {
        double x = sample(out, row, c->column);
        if (!(fabs(x) > LIA_FRICTION_NOISE * c->size)) continue;
        if (first * x < 0.0) return sample(out, row, 0);
        first = x;
    }
    return out->t1;
}

static bool find_column(const LiaTrajectory* out, LiaColumnKind kind, uint32_t index, uint32_t part,
                        size_t* found) {
    for (size_t k = 0; k < out->column_count; k++) {
        const LiaColumn* c = &out->columns[k];
        if (c->kind != kind || c->index != index || c->part != part) continue;
        *found = k;
        return true;
    }
    return false;
}

// The coordinate that a node is the position or velocity of; UINT32_MAX: none.
static uint32_t coordinate_of(const LiaGraph* g, uint32_t node) {
    const LiaNode* x = &g->nodes[node];
    bool state = x->op == LIA_OP_SYMBOL &&
                 (x->symbol_kind == LIA_SYMBOL_POSITION || x->symbol_kind == LIA_SYMBOL_VELOCITY);
    return state ? x->a : UINT32_MAX;
}

static bool share_coordinate(const LiaGraph* g, const LiaValues* a, const LiaValues* b) {
    for (uint32_t k = 0; k < a->count; k++) {
        uint32_t x = coordinate_of(g, a->nodes[k]);
        if (x == UINT32_MAX) continue;
        for (uint32_t i = 0; i < b->count; i++) {
            if (coordinate_of(g, b->nodes[i]) == x) return true;
        }
    }
    return false;
}

// Does an operator, or an equation with the time in it, move something that `values` are made of?
static bool is_driven(const LiaSystem* s, const LiaValues* values) {
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        bool active = s->model->constraints[row->constraint].active;
        bool timed = lia_graph_node(s->graph, row->equation)->depends & LIA_DEPENDS(TIME);
        LiaValues moved;
        if (!active && !timed) continue;
        if (!lia_evaluate_init(&moved, s->graph, active ? &row->left : &row->equation, 1))
            return true;
        bool met = share_coordinate(s->graph, &moved, values);
        lia_evaluate_clear(&moved);
        if (met) return true;
    }
    return false;
}

// Nothing that the power is made of moves by itself: no time in it, nothing driven, and the same
// power when all is reversed.
static bool is_still(const LiaRunner* run, LiaExpr power) {
    const LiaSystem* s = run->system;
    const LiaWorkspace* w = run->w;
    LiaValues values;
    if (lia_graph_node(s->graph, power)->depends & LIA_DEPENDS(TIME)) return false;
    if (!lia_evaluate_init(&values, s->graph, &power, 1)) return false;
    double* v = lia_memory_take(((size_t)s->n + 1) * sizeof *v);
    bool still = v && !is_driven(s, &values);
    LiaSymbols at = {.t = w->t, .parameters = s->parameters, .q = w->q, .v = w->v, .mu = w->mu};
    if (still) {
        lia_evaluate_run(&values, &at);
        double forwards = lia_value(&values, power);
        for (uint32_t i = 0; i < s->n; i++) v[i] = -w->v[i];
        at.v = v;
        lia_evaluate_run(&values, &at);
        double back = lia_value(&values, power);
        still = forwards != 0.0 &&
                fabs(forwards - back) <= LIA_FRICTION_STILL * fmax(fabs(forwards), fabs(back));
    }
    free(v);
    lia_evaluate_clear(&values);
    return still;
}

// --- friction of constraints --------------------------------------------------------------------

// Is a part of the force of this row friction: along with a geometric equation, in a direction that
// depends on velocities?
static bool has_friction(const LiaSystem* s, const LiaRow* row) {
    const LiaConstraint* c = &s->model->constraints[row->constraint];
    if (c->active || c->rule != LIA_RULE_GIVEN || row->identical || !row->geometric) return false;
    for (uint32_t k = 0; k < row->entries; k++) {
        if (lia_graph_node(s->graph, row->Omega[k])->depends & LIA_DEPENDS(VELOCITY)) return true;
    }
    return false;
}

static void doubt_normal_force(LiaRunner* run, const LiaRow* row, const Curve* force) {
    const LiaConstraint* c = &run->model->constraints[row->constraint];
    lia_diag_warning(run->diags, c->name_span, "W0419",
                     "the force of '%s' changes its sign near t = %.6g, and its friction with it: "
                     "from there friction drives",
                     c->name, time_of_change(run->out, force));
    lia_diag_help(
        run->diags,
        "end the run there: 'event lift: force(%s)%s = 0 stop'; or write 'slip e friction "
        "e', which uses the force whatever its sign",
        c->name, c->equation_count > 1 ? "[..]" : "");
}

static void doubt_constraint(LiaRunner* run, const LiaRow* row, uint32_t line) {
    size_t force, power;
    const LiaConstraint* c = &run->model->constraints[row->constraint];
    if (!find_column(run->out, LIA_COLUMN_FORCE, row->constraint, row->part, &force)) return;
    if (!find_column(run->out, LIA_COLUMN_POWER, line, 0, &power)) return;
    Curve mu = look_at(run->out, force), fed = look_at(run->out, power);
    if (changes_sign(&mu)) {
        doubt_normal_force(run, row, &mu);
    } else if (fed.most > LIA_FRICTION_NOISE * fed.size &&
               is_still(run, run->system->lines[line].power)) {
        lia_diag_warning(run->diags, c->name_span, "W0420",
                         "'%s' feeds energy in (a power of %.3g), though nothing in it moves by "
                         "itself: its friction acts along the sliding",
                         c->name, fed.most);
        lia_diag_help(run->diags, "friction acts against the velocity: turn its sign");
    }
}

// --- friction as a force ------------------------------------------------------------------------

static bool is_named(const char* name, const char* const* words, size_t count) {
    char text[64];
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof text; n++) text[n] = (char)tolower((unsigned char)name[n]);
    text[n] = '\0';
    for (size_t k = 0; k < count; k++) {
        if (strstr(text, words[k])) return true;
    }
    return false;
}

// Is this what one calls a force that takes energy out?
static bool named_friction(const char* name) {
    static const char* const words[] = {"friction", "drag", "damp", "brake", "resist"};
    return is_named(name, words, sizeof words / sizeof words[0]);
}

// Or one that feeds it in?
static bool named_drive(const char* name) {
    static const char* const words[] = {"push",  "driv",  "motor", "engine", "thrust",  "pump",
                                        "feed",  "excit", "prop",  "pull",   "muscle",  "jet",
                                        "power", "boost", "swing", "rocket", "forcing", "kick"};
    return is_named(name, words, sizeof words / sizeof words[0]);
}

// A force whose power is the same both ways is along the velocity or against it, as friction is.
// One that now feeds in and now takes out, as of van der Pol, is meant.
static void doubt_force(LiaRunner* run, uint32_t line) {
    const LiaPowerLine* l = &run->system->lines[line];
    LiaSpan span = run->model->forces[l->index].span;
    size_t power;
    if (!find_column(run->out, LIA_COLUMN_POWER, line, 0, &power)) return;
    Curve fed = look_at(run->out, power);
    if (!(fed.most > 0.0) || fed.least < -LIA_FRICTION_NOISE * fed.size || !is_still(run, l->power))
        return;
    if (named_friction(l->name)) {
        lia_diag_warning(
            run->diags, span, "W0420",
            "'%s' feeds energy in (a power of %.3g), though nothing in it moves by itself", l->name,
            fed.most);
        lia_diag_help(run->diags, "friction acts against the velocity: turn its sign");
    } else if (!named_drive(l->name)) {
        lia_diag_warning(run->diags, span, "W0451",
                         "'%s' acts along the velocity, whichever way that is, and feeds energy in "
                         "(a power of %.3g), though nothing in it moves by itself",
                         l->name, fed.most);
        lia_diag_help(run->diags, "if it is meant as friction or damping, turn its sign: these act "
                                  "against the velocity");
    }
}

// --- kinetic energy -----------------------------------------------------------------------------

static bool said(const LiaDiags* diags, const char* code) {
    for (size_t i = 0; i < lia_diags_count(diags); i++) {
        if (strcmp(lia_diag_at(diags, i)->code, code) == 0) return true;
    }
    return false;
}

// Is it negative for velocities that the motion does not have, where the motion goes?
static bool doubt_inertia(LiaRunner* run) {
    enum { PLACES = 5 };  // of the samples
    const LiaTrajectory* out = run->out;
    size_t before = SIZE_MAX;
    const LiaSystem* s = run->system;
    uint16_t moving = LIA_DEPENDS(POSITION) | LIA_DEPENDS(TIME);
    if (!(lia_graph_node(s->graph, s->energy.kinetic)->depends & moving)) return false;
    double* q = lia_memory_take(((size_t)s->n + 1) * sizeof *q);
    bool doubted = false;
    for (size_t k = 0; q && k < PLACES && !doubted; k++) {
        size_t row = k * (out->rows.count - 1) / (PLACES - 1);
        if (row == before) continue;
        before = row;
        memcpy(q, run->w->q, s->n * sizeof *q);
        for (size_t c = 0; c < out->column_count; c++) {
            const LiaColumn* column = &out->columns[c];
            if (column->kind == LIA_COLUMN_POSITION) q[column->index] = sample(out, row, c);
        }
        doubted = lia_kinetic_sign_check(s, sample(out, row, 0), q, run->diags);
    }
    free(q);
    return doubted;
}

static void doubt_kinetic(LiaRunner* run) {
    const LiaModel* m = run->model;
    size_t column;
    if (said(run->diags, "W0224") || said(run->diags, "W0225") || doubt_inertia(run)) return;
    if (!find_column(run->out, LIA_COLUMN_OBSERVE, LIA_SAMPLE_KINETIC, 0, &column)) return;
    Curve kinetic = look_at(run->out, column);
    if (!(kinetic.least < -LIA_FRICTION_NOISE * kinetic.size)) return;
    uint32_t e = 0;
    while (e + 1 < m->energies_count && m->energies[e].kind != LIA_KINETIC) e++;
    lia_diag_warning(run->diags, m->energies[e].span, "W0225",
                     "the kinetic energy becomes negative: %.6g", kinetic.least);
    lia_diag_help(run->diags, "look at the signs and for forgotten squares");
}

void lia_friction_check_motion(LiaRunner* run) {
    const LiaSystem* s = run->system;
    if (run->out->rows.count == 0) return;
    for (uint32_t l = 0; l < s->line_count; l++) {
        const LiaPowerLine* line = &s->lines[l];
        if (line->kind == LIA_LINE_FORCE) doubt_force(run, l);
        if (line->kind != LIA_LINE_CONSTRAINT || line->part) continue;
        for (uint32_t r = s->first_row[line->index]; r < s->first_row[line->index + 1]; r++) {
            if (has_friction(s, &s->rows[r])) doubt_constraint(run, &s->rows[r], l);
        }
    }
    doubt_kinetic(run);
}
