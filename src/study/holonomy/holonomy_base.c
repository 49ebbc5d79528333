// The base of a loop: what operators drive, and whether a connection is over it. See
// holonomy_base.h.
// SPDX-License-Identifier: MIT
#include "study/holonomy/holonomy_base.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "expr/reading/formula_text.h"
#include <math.h>
#include <string.h>

static const double TURN = 2.0 * 3.14159265358979323846;
static const LiaSpan nowhere = {0};

static LiaStatus no_connection(const LiaHolonomyWork* w, LiaSpan span, const char* name,
                               const char* why) {
    lia_diag_error(w->diags, span, "E0353", "'%s' %s", name, why);
    return LIA_MODEL;
}

void lia_holonomy_base_name(const LiaHolonomy* h, size_t a, LiaText* out) {
    const LiaSystem* s = h->system;
    if (h->base[a] != UINT32_MAX) {
        lia_text_add(out, "%s", s->model->coordinates[h->base[a]].name);
        return;
    }
    const LiaRow* row = &s->rows[h->base_row[a]];
    if (row->turn) {  // one of three, which nobody would read
        lia_text_add(out, "the turn by '%s' about %c", s->model->constraints[row->constraint].name,
                     "xyz"[row->part % 3]);
        return;
    }
    bool mixed = lia_graph_node(s->graph, row->right)->depends & LIA_DEPENDS(POSITION);
    if (mixed) lia_text_add(out, "what '%s' sets", s->model->constraints[row->constraint].name);
    if (!mixed) lia_formula_text(s->graph, row->left, out);
}

// The row that drives the coordinate i as a coordinate of the base; UINT32_MAX: none. A law with
// coordinates in it drives a function, unless it was asked for as a loop.
static uint32_t drives(const LiaHolonomyWork* w, uint32_t i) {
    const LiaSystem* s = w->h->system;
    uint32_t r = lia_connection_driver(s, i);
    if (r == UINT32_MAX || w->options->loop || !s->rows[r].geometric) return r;
    bool mixed = lia_graph_node(s->graph, s->rows[r].right)->depends & LIA_DEPENDS(POSITION);
    return mixed ? UINT32_MAX : r;
}

static bool is_base_row(const LiaHolonomy* h, uint32_t row) {
    for (size_t a = 0; a < h->base_count; a++) {
        if (h->base_row[a] == row) return true;
    }
    return false;
}

static LiaStatus take_functions(const LiaHolonomyWork* w) {
    LiaHolonomy* h = w->h;
    const LiaSystem* s = h->system;
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        const LiaConstraint* c = &s->model->constraints[row->constraint];
        if (!c->active || row->identical || is_base_row(h, r)) continue;
        if (!row->geometric || row->integrated) {
            return no_connection(w, c->span, c->name,
                                 "gives no function of coordinates as a function of time: what its "
                                 "loops leave behind is not known");
        }
        h->base[h->base_count] = UINT32_MAX;
        h->base_row[h->base_count++] = r;
    }
    return LIA_OK;
}

static LiaStatus check_rows(const LiaHolonomyWork* w) {
    const LiaSystem* s = w->h->system;
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        const LiaConstraint* c = &s->model->constraints[row->constraint];
        if (c->contact) {
            return no_connection(w, c->span, c->name,
                                 "is a contact: a loop through its modes has no connection");
        }
        if (!row->linear && !row->identical) {
            return no_connection(w, c->span, c->name,
                                 "is not linear in the velocities: there is no connection");
        }
    }
    return LIA_OK;
}

LiaStatus lia_holonomy_base_find(LiaHolonomyWork* w) {
    LiaHolonomy* h = w->h;
    const LiaModel* model = h->system->model;
    for (uint32_t i = 0; i < h->system->n; i++) {
        uint32_t row = drives(w, i);
        if (row != UINT32_MAX) {
            h->base_row[h->base_count] = row;
            h->base[h->base_count++] = i;
        } else if (!model->coordinates[i].inner) {
            h->fibre[h->count] = i;
            h->parts[h->count++] = (LiaHolonomyPart){
                model->coordinates[i].name, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
        }
    }
    LiaStatus status = check_rows(w);
    if (status == LIA_OK) status = take_functions(w);
    if (status != LIA_OK || (h->base_count > 0 && h->count > 0)) return status;
    lia_diag_error(w->diags, nowhere, "E0353",
                   h->count > 0 ? "no operator drives a coordinate: there is no base to go round in"
                                : "operators drive all coordinates: there is no fibre");
    if (h->count > 0) lia_diag_help(w->diags, "give --loop \"s = ..., u = 0..2*pi\"");
    return LIA_MODEL;
}

// The law at a time, or why there is none.
LiaStatus lia_holonomy_base_at(LiaHolonomyWork* w, double t) {
    if (lia_transport_law(&w->x, t, w->s, w->ds)) return LIA_OK;
    const LiaHolonomy* h = w->h;
    const LiaSystem* system = h->system;
    const LiaRow* row = &system->rows[h->base_row[w->x.lawless]];
    const LiaConstraint* c = &system->model->constraints[row->constraint];
    LiaText name = {0};
    lia_holonomy_base_name(h, w->x.lawless, &name);
    lia_diag_error(w->diags, c->span, "E0352",
                   "'%s' does not give '%s' as a function of time: it is no loop", c->name,
                   name.data ? name.data : "");
    if (h->base[w->x.lawless] != UINT32_MAX)
        lia_diag_help(w->diags, "give the loop: --loop \"%s = ..., u = 0..2*pi\"",
                      name.data ? name.data : "");
    lia_text_clear(&name);
    return LIA_MODEL;
}

LiaStatus lia_holonomy_base_separates(LiaHolonomyWork* w) {
    const LiaHolonomy* h = w->h;
    for (size_t a = 0; a < h->base_count; a++) {
        if (h->base[a] != UINT32_MAX || lia_transport_separates(&w->x, a)) continue;
        const LiaRow* row = &h->system->rows[h->base_row[a]];
        const LiaConstraint* c = &h->system->model->constraints[row->constraint];
        return no_connection(w, c->span, c->name,
                             "does not say what a function of coordinates is at each time: there "
                             "is no base to go round in");
    }
    return LIA_OK;
}

// Passive equations must admit rest along the loop: the lift of a base at rest is rest.
LiaStatus lia_holonomy_base_rests(LiaHolonomyWork* w) {
    enum { LOOKS = 8 };
    const LiaSystem* system = w->h->system;
    for (int k = 0; k <= LOOKS; k++) {
        int row;
        LiaStatus status = lia_holonomy_base_at(w, w->h->t0 + (w->h->t1 - w->h->t0) * k / LOOKS);
        if (status != LIA_OK) return status;
        if (lia_transport_rests(&w->x, &row)) continue;
        uint32_t r = w->x.c.w->dynamics->rows[row];
        const LiaConstraint* c = &system->model->constraints[system->rows[r].constraint];
        return no_connection(w, c->span, c->name,
                             "does not admit rest: it moves the system also where the base stands "
                             "still");
    }
    return LIA_OK;
}

// An angle: a coordinate on a circle, or a sum of whole multiples of such.
static bool is_angle(const LiaHolonomyWork* w, size_t a) {
    const LiaModel* model = w->h->system->model;
    if (w->h->base[a] != UINT32_MAX)
        return model->coordinates[w->h->base[a]].manifold == LIA_CIRCLE;
    const double* J = w->x.c.w->saddle.J + (size_t)w->x.law[a] * w->n;
    for (size_t i = 0; i < w->n; i++) {
        bool whole = model->coordinates[i].manifold == LIA_CIRCLE && J[i] == round(J[i]);
        if (J[i] != 0.0 && !whole) return false;
    }
    return true;
}

// At the end of the loop: equations between rotations nearly hold also where these are half a turn
// from each other.
static bool half_a_turn(const LiaHolonomyWork* w, size_t a) {
    const LiaHolonomy* h = w->h;
    const LiaSystem* s = h->system;
    LiaValues values;
    double sign = 3.0;
    if (!w->x.turns[a] || s->rows[h->base_row[a]].turn > s->branches.sign_count) return false;
    LiaExpr formula = s->branches.signs[s->rows[h->base_row[a]].turn - 1].formula;
    if (!lia_evaluate_init(&values, s->graph, &formula, 1)) return true;
    lia_evaluate_run(&values, &(LiaSymbols){.t = h->t1, .q = w->x.q0, .parameters = s->parameters});
    sign = lia_value(&values, formula);
    lia_evaluate_clear(&values);
    return sign < 0.0;
}

// Closed: the base returns; angles may have made turns (*winds).
LiaStatus lia_holonomy_base_closed(LiaHolonomyWork* w, bool* winds) {
    LiaHolonomy* h = w->h;
    double* first = w->scratch;
    LiaStatus status = lia_holonomy_base_at(w, h->t0);
    if (status != LIA_OK) return status;
    memcpy(first, w->s, h->base_count * sizeof *first);
    status = lia_holonomy_base_at(w, h->t1);
    for (size_t a = 0; status == LIA_OK && a < h->base_count; a++) {
        double apart = w->s[a] - first[a], turns = 0.0;
        if (is_angle(w, a)) turns = round(apart / TURN);
        *winds = *winds || turns != 0.0;
        bool back = fabs(apart - TURN * turns) <= LIA_LOOP_CLOSED * (1.0 + fabs(first[a]));
        if (back && !half_a_turn(w, a)) continue;
        LiaText name = {0}, numbers = {0};
        lia_holonomy_base_name(h, a, &name);
        if (h->base[a] == UINT32_MAX) {
            lia_text_add(&numbers, "ends apart by ");
            lia_text_add_short(&numbers, apart, 10);
        } else {
            lia_text_add(&numbers, "begins at ");
            lia_text_add_short(&numbers, first[a], 10);
            lia_text_add(&numbers, ", and ends at ");
            lia_text_add_short(&numbers, w->s[a], 10);
        }
        lia_diag_error(w->diags, nowhere, "E0352", "the loop is not closed: '%s' %s",
                       name.data ? name.data : "", numbers.data ? numbers.data : "");
        lia_diag_help(w->diags, "--until T says when it closes; --loop gives another one");
        lia_text_clear(&name);
        lia_text_clear(&numbers);
        status = LIA_MODEL;
    }
    return status;
}
