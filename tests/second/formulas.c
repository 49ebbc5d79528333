// From a LiaModel to the formulas of the second way: M, Q - h, J, Omega, gamma, and the power of
// each line.
// SPDX-License-Identifier: MIT
#include "expr/graph/diff.h"
#include "parts.h"
#include <stdlib.h>
#include <string.h>

static bool has(const Second* s, LiaExpr f, uint16_t what) {
    return (lia_graph_node(s->g, f)->depends & what) != 0;
}

// df/dt along a motion, one partial derivative after the other; `to_a` counts the velocities too.
static LiaExpr total(Second* s, LiaExpr f, bool to_a) {
    LiaGraph* g = s->g;
    LiaExpr sum = lia_diff(g, f, s->t);
    for (int i = 0; i < s->n; i++) {
        sum = lia_graph_add(g, sum, lia_graph_mul(g, lia_diff(g, f, s->q[i]), s->v[i]));
        if (to_a) {
            sum = lia_graph_add(g, sum, lia_graph_mul(g, lia_diff(g, f, s->v[i]), s->a[i]));
        }
    }
    return sum;
}

static LiaExpr quantity(Second* s, const LiaQuantityNamed* of);

static LiaExpr symbol(Second* s, const LiaNode* n) {
    switch ((LiaSymbolKind)n->symbol_kind) {
    case LIA_SYMBOL_CONTROL:
        return second_lower(s, s->model->controls[n->a].term);
    case LIA_SYMBOL_QUANTITY:
    case LIA_SYMBOL_REACTION:
        return quantity(s, &s->model->quantities[n->a]);
    case LIA_SYMBOL_RATE: {
        LiaExpr of = second_lower(s, (LiaExpr){n->a});
        return of.index ? total(s, of, true) : of;
    }
    default:
        return lia_graph_symbol(s->g, (LiaSymbolKind)n->symbol_kind, n->a);
    }
}

// A formula of the model in a graph of its own; {0} if something in it is not known here. Models
// of tests are not deep.
LiaExpr second_lower(Second* s, LiaExpr term) {
    if (!term.index || s->formula[term.index].index) return s->formula[term.index];
    const LiaNode* n = lia_graph_node(s->model->graph, term);
    const uint32_t of[3] = {n->a, n->b, n->c};
    LiaExpr f, args[3] = {{0}};
    LiaNumber number;
    for (int i = 0; i < lia_op_arity((LiaOp)n->op); i++) {
        args[i] = second_lower(s, (LiaExpr){of[i]});
        if (!args[i].index) return args[i];
    }
    if (lia_graph_constant(s->model->graph, term, &number)) {
        f = lia_graph_number(s->g, number);
    } else if (n->op == LIA_OP_PI) {
        f = lia_graph_pi(s->g);
    } else if (n->op == LIA_OP_SYMBOL) {
        f = symbol(s, n);
    } else {
        f = lia_graph_apply(s->g, (LiaOp)n->op, args[0], args[1], args[2]);
    }
    s->formula[term.index] = f;
    return f;
}

// out += form
static void add_form(Second* s, const LiaForm* form, LiaExpr* out) {
    for (uint32_t k = 0; k < form->count; k++) {
        const LiaFormPart* part = &form->parts[k];
        LiaExpr f = second_lower(s, part->of);
        LiaExpr c = part->coefficient.index ? second_lower(s, part->coefficient)
                                            : lia_graph_integer(s->g, 1);
        for (int i = 0; i < s->n; i++) {
            LiaExpr d = lia_diff(s->g, f, part->is_virtual ? s->v[i] : s->q[i]);
            out[i] = lia_graph_add(s->g, out[i], lia_graph_mul(s->g, c, d));
        }
    }
}

static LiaExpr* zeros(Second* s, size_t count) {
    LiaExpr* list = calloc(count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++) list[i] = lia_graph_integer(s->g, 0);
    return list;
}

static LiaExpr times_v(Second* s, const LiaExpr* form) {
    LiaExpr sum = lia_graph_integer(s->g, 0);
    for (int i = 0; i < s->n; i++) {
        sum = lia_graph_add(s->g, sum, lia_graph_mul(s->g, form[i], s->v[i]));
    }
    return sum;
}

static void build_energy(Second* s) {
    LiaGraph* g = s->g;
    s->L = lia_graph_integer(g, 0);
    for (uint32_t i = 0; i < s->model->energies_count; i++) {
        const LiaEnergy* e = &s->model->energies[i];
        LiaExpr f = second_lower(s, e->term);
        s->L = e->kind == LIA_POTENTIAL ? lia_graph_sub(g, s->L, f) : lia_graph_add(g, s->L, f);
    }
    s->p = zeros(s, (size_t)s->n);
    s->M = zeros(s, (size_t)(s->n * s->n));
    s->force = zeros(s, (size_t)s->n);
    s->energy = lia_graph_neg(g, s->L);
    for (int i = 0; i < s->n; i++) {
        s->p[i] = lia_diff(g, s->L, s->v[i]);
        s->energy = lia_graph_add(g, s->energy, lia_graph_mul(g, s->p[i], s->v[i]));
        for (int j = 0; j < s->n; j++) s->M[i * s->n + j] = lia_diff(g, s->p[i], s->v[j]);
        LiaExpr h = lia_graph_sub(g, total(s, s->p[i], false), lia_diff(g, s->L, s->q[i]));
        s->force[i] = lia_graph_neg(g, h);
    }
}

static void build_row(Second* s, Row* row, const LiaConstraint* c, uint32_t k) {
    LiaGraph* g = s->g;
    const uint16_t velocities = LIA_DEPENDS(VELOCITY);
    LiaExpr left = second_lower(s, c->equations[k].left),
            right = second_lower(s, c->equations[k].right);
    row->equation = lia_graph_sub(g, left, right);
    row->geometric = !has(s, left, velocities) && !has(s, right, velocities);
    row->J = zeros(s, (size_t)s->n);
    row->Omega = zeros(s, (size_t)s->n);
    for (int i = 0; i < s->n; i++) {
        row->J[i] = lia_diff(g, row->equation, row->geometric ? s->q[i] : s->v[i]);
        if (c->rule == LIA_RULE_GIVEN) continue;
        // Nothing said: a constraint acts along its own gradient, an operator on what stands on the
        // left.
        LiaExpr x = has(s, left, velocities) ? s->v[i] : s->q[i];
        row->Omega[i] = c->active ? lia_diff(g, left, x) : row->J[i];
        // what follows from the others of its constraint has no force of its own
        if (c->gap_follows && k + 1 == c->gap) row->Omega[i] = lia_graph_integer(g, 0);
    }
    if (c->rule == LIA_RULE_GIVEN) add_form(s, &c->forms[k], row->Omega);
    row->rate = row->geometric ? total(s, row->equation, false) : row->equation;
    row->gamma = total(s, row->rate, false);
}

static void build_rows(Second* s) {
    const LiaModel* model = s->model;
    s->first_row = calloc((size_t)model->constraints_count + 1, sizeof *s->first_row);
    for (uint32_t i = 0; i < model->constraints_count; i++) {
        s->first_row[i + 1] = s->first_row[i] + (int)model->constraints[i].equation_count;
    }
    s->m = s->first_row[model->constraints_count];
    s->rows = calloc((size_t)s->m + 1, sizeof *s->rows);
    for (uint32_t i = 0; i < model->constraints_count; i++) {
        for (uint32_t k = 0; k < model->constraints[i].equation_count; k++) {
            build_row(s, &s->rows[s->first_row[i] + (int)k], &model->constraints[i], k);
        }
    }
}

// The forces, and the power of each line: dE/dt is their sum.
static void build_powers(Second* s) {
    const LiaModel* model = s->model;
    LiaGraph* g = s->g;
    s->lines = (int)model->constraints_count + (int)model->forces_count + 2;
    s->power = zeros(s, (size_t)s->lines);
    LiaExpr* line = s->power;
    for (uint32_t i = 0; i < model->constraints_count; i++, line++) {
        for (int r = s->first_row[i]; r < s->first_row[i + 1]; r++) {
            LiaExpr mu = lia_graph_symbol(g, LIA_SYMBOL_MULTIPLIER, (uint32_t)r);
            *line = lia_graph_add(g, *line, lia_graph_mul(g, mu, times_v(s, s->rows[r].Omega)));
        }
    }
    for (uint32_t i = 0; i < model->forces_count; i++, line++) {
        LiaExpr* form = zeros(s, (size_t)s->n);
        add_form(s, &model->forces[i].form, form);
        for (int k = 0; k < s->n; k++) s->force[k] = lia_graph_add(g, s->force[k], form[k]);
        *line = times_v(s, form);
        free(form);
    }
    for (uint32_t i = 0; i < model->dissipations_count; i++) {
        LiaExpr D = second_lower(s, model->dissipations[i].term);
        LiaExpr* form = zeros(s, (size_t)s->n);
        for (int k = 0; k < s->n; k++) {
            form[k] = lia_graph_neg(g, lia_diff(g, D, s->v[k]));
            s->force[k] = lia_graph_add(g, s->force[k], form[k]);
        }
        *line = lia_graph_add(g, *line, times_v(s, form));
        free(form);
    }
    line++;
    *line = lia_graph_neg(g, lia_diff(g, s->L, s->t));
}

static LiaExpr energies_of(Second* s, LiaEnergyKind kind) {
    LiaExpr sum = lia_graph_integer(s->g, 0);
    for (uint32_t i = 0; i < s->model->energies_count; i++) {
        const LiaEnergy* e = &s->model->energies[i];
        if (e->kind == kind) sum = lia_graph_add(s->g, sum, second_lower(s, e->term));
    }
    return sum;
}

static LiaExpr quantity(Second* s, const LiaQuantityNamed* of) {
    const LiaExpr none = {0};
    if (!s->p) return none;  // asked for before there is an energy
    uint32_t i = of->index;
    switch (of->kind) {
    case LIA_QUANTITY_ENERGY:
        return s->energy;
    case LIA_QUANTITY_KINETIC:
        return energies_of(s, LIA_KINETIC);
    case LIA_QUANTITY_POTENTIAL:
        return energies_of(s, LIA_POTENTIAL);
    case LIA_QUANTITY_MOMENTUM: {
        const LiaSymmetry* y = &s->model->symmetries[i];
        LiaExpr sum = lia_graph_integer(s->g, 0);
        for (uint32_t k = 0; k < y->count; k++) {
            LiaExpr part = lia_graph_mul(s->g, s->p[y->parts[k].coordinate],
                                         second_lower(s, y->parts[k].term));
            sum = lia_graph_add(s->g, sum, part);
        }
        return sum;
    }
    case LIA_QUANTITY_P:
        return s->p[i];
    case LIA_QUANTITY_FORCE:
        return lia_graph_symbol(s->g, LIA_SYMBOL_MULTIPLIER, (uint32_t)s->first_row[i] + of->part);
    case LIA_QUANTITY_POWER:
        return s->power[i];
    case LIA_QUANTITY_WORK:
        return lia_graph_symbol(s->g, LIA_SYMBOL_WORK, i);
    case LIA_QUANTITY_FORCE_POWER:
        return s->power[s->model->constraints_count + i];
    case LIA_QUANTITY_FORCE_WORK:
        return lia_graph_symbol(s->g, LIA_SYMBOL_WORK, s->model->constraints_count + i);
    }
    return none;
}

static void mark(bool* needed, LiaExpr f) { needed[f.index] = true; }

// What is evaluated at each state.
static void mark_needed(Second* s) {
    s->needed_count = s->g->count;
    s->needed = calloc(s->needed_count, sizeof *s->needed);
    mark(s->needed, s->energy);
    for (int i = 0; i < s->n; i++) mark(s->needed, s->force[i]);
    for (int i = 0; i < s->n * s->n; i++) mark(s->needed, s->M[i]);
    for (int i = 0; i < s->lines; i++) mark(s->needed, s->power[i]);
    for (uint32_t i = 0; i < s->model->events_count; i++) mark(s->needed, s->event[i]);
    for (int r = 0; r < s->m; r++) {
        const Row* row = &s->rows[r];
        mark(s->needed, row->equation);
        mark(s->needed, row->rate);
        mark(s->needed, row->gamma);
        for (int i = 0; i < s->n; i++) {
            mark(s->needed, row->J[i]);
            mark(s->needed, row->Omega[i]);
        }
    }
    second_mark_below(s->g, s->needed, s->needed_count - 1);
    s->order = calloc(s->needed_count, sizeof *s->order);
    for (uint32_t i = 1; i < s->needed_count; i++) {
        if (s->needed[i]) s->order[s->order_count++] = i;
    }
}

Second* second_create(const LiaModel* model) {
    Second* s = calloc(1, sizeof *s);
    s->model = model;
    s->g = lia_graph_create();
    s->n = (int)model->coordinates_count;
    s->formula = calloc(model->graph->count, sizeof *s->formula);
    s->t = lia_graph_symbol(s->g, LIA_SYMBOL_TIME, 0);
    s->q = zeros(s, (size_t)s->n);
    s->v = zeros(s, (size_t)s->n);
    s->a = zeros(s, (size_t)s->n);
    for (int i = 0; i < s->n; i++) {
        s->q[i] = lia_graph_symbol(s->g, LIA_SYMBOL_POSITION, (uint32_t)i);
        s->v[i] = lia_graph_symbol(s->g, LIA_SYMBOL_VELOCITY, (uint32_t)i);
        s->a[i] = lia_graph_symbol(s->g, LIA_SYMBOL_ACCELERATION, (uint32_t)i);
    }
    build_energy(s);
    build_rows(s);
    build_powers(s);
    second_events_create(s);
    mark_needed(s);
    second_watch_create(s);
    size_t size = (size_t)(s->n + s->m);
    s->K = calloc(size * size + 1, sizeof *s->K);
    s->rhs = calloc(size + 1, sizeof *s->rhs);
    s->a_last = calloc((size_t)s->n + 1, sizeof *s->a_last);
    s->mu_last = calloc((size_t)s->m + 1, sizeof *s->mu_last);
    if (s->g->failed) {
        second_destroy(s);
        return NULL;
    }
    return s;
}

void second_destroy(Second* s) {
    if (!s) return;
    for (int r = 0; r < s->m; r++) {
        free(s->rows[r].J);
        free(s->rows[r].Omega);
    }
    free(s->rows);
    free(s->formula);
    free(s->q);
    free(s->v);
    free(s->a);
    free(s->p);
    free(s->M);
    free(s->force);
    free(s->power);
    free(s->first_row);
    free(s->value);
    free(s->needed);
    free(s->order);
    free(s->watched);
    second_events_destroy(s);
    free(s->K);
    free(s->rhs);
    free(s->a_last);
    free(s->mu_last);
    lia_graph_destroy(s->g);
    free(s);
}

int second_n(const Second* s) { return s->n; }
int second_rows(const Second* s) { return s->m; }
int second_lines(const Second* s) { return s->lines; }
