// Constraint equations as rows: what is admissible, and separately the force directions Omega.
//
//   geometric   phi(q, t) = 0        J = d(phi)/dq
//   kinematic   psi(q, v, t) = 0     J = d(psi)/dv
//
//   constraint, nothing said         Omega = J         (ideal; refused where psi is nonlinear in v)
//   constraint ... force chetaev     Omega = J
//   constraint ... force w1, w2      Omega as given
//   operator, nothing said           Omega = gradient of the left side alone
//   operator ... by w                Omega as given
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/assembly/identity.h"
#include "mechanics/assembly/phase.h"
#include "mechanics/build.h"
#include <math.h>
#include <stdlib.h>

static bool depends(const LiaSystem* s, LiaExpr e, unsigned bits) {
    return (lia_graph_node(s->graph, e)->depends & bits) != 0;
}

// Omega from an expression: by v if it has velocities, else by q.
static bool gradient_of(LiaSystem* s, LiaExpr e, LiaExpr* Omega) {
    LiaSymbolKind kind =
        depends(s, e, LIA_DEPENDS(VELOCITY)) ? LIA_SYMBOL_VELOCITY : LIA_SYMBOL_POSITION;
    LiaExpr zero = lia_graph_integer(s->graph, 0);
    for (uint32_t i = 0; i < s->n; i++) Omega[i] = zero;
    return lia_diff_gradient_of(s->graph, e, kind, Omega);
}

static LiaExpr dot_v(LiaSystem* s, const LiaRow* row) {
    LiaExpr sum = lia_graph_integer(s->graph, 0);
    for (uint32_t e = 0; e < row->entries; e++) {
        LiaExpr v = s->v[row->coordinate[e]];
        sum = lia_graph_add(s->graph, sum, lia_graph_mul(s->graph, row->Omega[e], v));
    }
    return sum;
}

// Of a force direction what is other than zero is kept.
static bool keep_Omega(LiaSystem* s, const LiaExpr* Omega, LiaRow* row) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->n; i++) count += !lia_graph_is_zero(s->graph, Omega[i]);
    row->coordinate = LIA_ARENA_NEW(s->arena, uint32_t, count + 1);
    row->Omega = LIA_ARENA_NEW(s->arena, LiaExpr, count + 1);
    if (!row->coordinate || !row->Omega) return false;
    for (uint32_t i = 0; i < s->n; i++) {
        if (lia_graph_is_zero(s->graph, Omega[i])) continue;
        row->coordinate[row->entries] = i;
        row->Omega[row->entries++] = Omega[i];
    }
    return true;
}

// psi at v = 0: the part of an affine equation that is not linear.
static LiaExpr at_rest(LiaSystem* s, LiaExpr psi) {
    LiaExpr* zero = lia_memory_zeros(s->n + 1, sizeof *zero);
    if (!zero) return psi;
    for (uint32_t i = 0; i < s->n; i++) zero[i] = lia_graph_integer(s->graph, 0);
    LiaExpr rest = lia_diff_substitute(s->graph, psi, LIA_SYMBOL_VELOCITY, zero, s->n);
    free(zero);
    return rest;
}

// An equation of a joint that the coordinates of its bodies make true: nothing that moves is left
// of it, and that is zero but for the rounding of its unit vectors.
static bool holds_anyway(const LiaSystem* s, const LiaRow* row) {
    static const double times[] = {0.0, 0.7390851332, -2.718281828, 31.41592654};
    LiaValues values;
    if (!lia_evaluate_init(&values, s->graph, &row->equation, 1)) return false;
    bool holds = true;
    for (int i = 0; i < 4 && holds; i++) {
        lia_evaluate_run(&values, &(LiaSymbols){.t = times[i], .parameters = s->parameters});
        holds = fabs(lia_value(&values, row->equation)) < LIA_JOINT_HOLDS;
    }
    lia_evaluate_clear(&values);
    return holds;
}

static bool check_equation(LiaSystem* s, const LiaConstraint* c, LiaRow* row, LiaDiags* diags) {
    LiaNumber value;
    bool moves = depends(s, row->equation, LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY));
    if (c->joint && !moves && !lia_parameters_pin(s, &row->equation, 1)) return false;
    if (c->joint && !moves && holds_anyway(s, row)) {
        row->identical = true;
        return true;
    }
    if (lia_graph_constant(s->graph, row->equation, &value)) {
        if (value.value == 0.0) {
            row->identical = true;
            return true;
        }
        lia_diag_error(diags, row->span, "E0211",
                       "'%s' can never hold: left minus right is %g, whatever the motion", c->name,
                       value.value);
        return false;
    }
    if (!moves) {
        lia_diag_error(diags, row->span, "E0212",
                       "'%s' has neither a coordinate nor a velocity: it restricts no motion",
                       c->name);
        lia_diag_help(diags, "an equation of time and parameters only is not a constraint");
        return false;
    }
    bool written = !c->internal && !c->contact && !c->rough && !c->flow;
    row->identical = written && lia_identity_holds(s, row->equation);
    return true;
}

// Omega of a row by the rules above                                            (n)
static bool choose_Omega(LiaSystem* s, LiaResolver* resolver, const LiaRow* row, LiaExpr* Omega,
                         LiaDiags* diags) {
    const LiaConstraint* c = &s->model->constraints[row->constraint];
    if (c->rule == LIA_RULE_GIVEN) {
        if (!lia_resolve_form(resolver, &c->forms[row->part], diags, Omega)) return false;
        for (uint32_t i = 0; i < s->n; i++) {
            if (!lia_graph_is_zero(s->graph, Omega[i])) return true;
        }
        lia_diag_error(diags, c->forms[row->part].span, "E0215",
                       "this form is zero: '%s' would have no force", c->name);
        return false;
    }
    if (c->active && c->rule == LIA_RULE_DEFAULT) {
        if (!depends(s, row->left, LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY))) {
            lia_diag_error(diags, row->span, "E0214", "the left side of '%s' has nothing to act on",
                           c->name);
            lia_diag_help(diags,
                          "an operator acts on what stands on the left: write the driven quantity "
                          "there, or add 'by d(...)'");
            return false;
        }
        return gradient_of(s, row->left, Omega);
    }
    if (!row->linear && (c->contact || (c->rough && row->part == c->rough->slip))) {
        lia_diag_error(
            diags, row->span, "E0286",
            "the slip of '%s' is not affine in the velocities: friction has no direction", c->name);
        return false;
    }
    if (!row->linear && c->rule == LIA_RULE_DEFAULT) {
        lia_diag_error(diags, row->span, "E0213",
                       "'%s' is nonlinear in the velocities, so its force is not decided by it",
                       c->name);
        lia_diag_help(diags, "write 'force chetaev', or give the directions: 'force d(x), ...'");
        return false;
    }
    return gradient_of(s, row->equation, Omega);
}

// Omega as it was chosen, the same formulas as the gradient of the equation? That of operators and
// of given forms may be.
static bool is_ideal(LiaSystem* s, const LiaConstraint* c, const LiaRow* row) {
    if (!c->active && c->rule != LIA_RULE_GIVEN) return true;
    LiaExpr* J = lia_memory_zeros((size_t)s->n + 1, sizeof *J);
    bool same = J && gradient_of(s, row->equation, J);
    uint32_t e = 0;
    for (uint32_t i = 0; same && i < s->n; i++) {
        bool there = e < row->entries && row->coordinate[e] == i;
        same = there ? lia_expr_same(J[i], row->Omega[e]) : lia_graph_is_zero(s->graph, J[i]);
        e += there;
    }
    free(J);
    return same;
}

static bool is_workless(LiaSystem* s, const LiaConstraint* c, const LiaRow* row) {
    bool ideal = !c->active && c->rule != LIA_RULE_GIVEN;
    if (!ideal || !row->linear) return false;
    if (row->geometric) return !depends(s, row->equation, LIA_DEPENDS(TIME));
    return lia_graph_is_zero(s->graph, at_rest(s, row->equation));
}

// `Omega` is room for one                                                       (n)
// left - right, or phi of phi' = 0. False if memory is out.
static bool take_equation(LiaSystem* s, LiaResolver* resolver, LiaRow* row) {
    const LiaConstraint* c = &s->model->constraints[row->constraint];
    const LiaEquation* e = &c->equations[row->part];
    row->left = lia_resolve_term(resolver, e->left);
    row->right = lia_resolve_term(resolver, e->right);
    if (c->flow) row->right = s->phase.flow[row->part];
    if (!row->left.index || !row->right.index) return false;  // lang lets no force() in here
    row->equation = lia_graph_sub(s->graph, row->left, row->right);
    const LiaGraph* of = s->model->graph;
    LiaExpr phi = {lia_graph_node(of, e->left)->a};
    bool slip = c->contact || (c->rough && row->part == c->rough->slip);
    if (!slip && lia_graph_is_symbol(of, e->left, LIA_SYMBOL_RATE) &&
        lia_graph_is_zero(s->graph, row->right) &&
        !(lia_model_depends(s->model, phi) & LIA_DEPENDS(VELOCITY))) {
        // The value of phi is data: nothing drifts, however long the run.
        row->equation = lia_resolve_term(resolver, phi);
        row->integrated = true;
    }
    return true;
}

static bool build_row(LiaSystem* s, LiaResolver* resolver, LiaExpr* Omega, LiaRow* row,
                      LiaDiags* diags) {
    const LiaConstraint* c = &s->model->constraints[row->constraint];
    LiaGraph* g = s->graph;
    row->span = c->equations[row->part].span;
    LiaExpr zero = lia_graph_integer(g, 0);
    for (uint32_t i = 0; i < s->n; i++) Omega[i] = zero;
    row->Omega_v = lia_graph_integer(g, 0);
    if (!take_equation(s, resolver, row)) return false;
    if (!check_equation(s, c, row, diags) || row->identical) return row->identical;
    row->geometric = !depends(s, row->equation, LIA_DEPENDS(VELOCITY));
    row->linear = true;
    if (!row->geometric) {
        if (!lia_diff_gradient_of(g, row->equation, LIA_SYMBOL_VELOCITY, Omega)) return false;
        for (uint32_t i = 0; i < s->n; i++) {
            if (depends(s, Omega[i], LIA_DEPENDS(VELOCITY))) row->linear = false;
        }
    }
    row->follows = c->gap_follows && row->part + 1 == c->gap;
    if (c->positions) row->position = lia_resolve_term(resolver, c->positions[row->part]);
    if (c->impulse) {
        return lia_phase_direction(s, resolver, row, Omega, diags) && keep_Omega(s, Omega, row);
    }
    if (!choose_Omega(s, resolver, row, Omega, diags)) return false;
    if (!keep_Omega(s, Omega, row)) return false;
    if (c->flow) {  // what it moves has no energy of its own: powers are those of its causes
        row->workless = true;
        return true;
    }
    if (c->rule == LIA_RULE_CHETAEV && row->linear && row->part == 0) {
        lia_system_choice(s, "'%s' is %s: 'force chetaev' is the ideal force there", c->name,
                          row->geometric ? "geometric" : "linear in the velocities");
    }
    row->ideal = is_ideal(s, c, row);
    row->workless = is_workless(s, c, row);
    row->Omega_v = row->workless ? lia_graph_integer(g, 0) : dot_v(s, row);
    row->by_mode = c->contact || lia_model_begins_or_ends(c->duration);
    if (c->contact) {  // all are open: see contacts.c
        row->identical = true;
        if (row->part > 0) row->Omega_v = dot_v(s, row);
    }
    if (c->rough && row->part == c->rough->slip) {  // it does not stick: see rough.c
        row->identical = row->by_mode = true;
        row->Omega_v = dot_v(s, row);
    }
    return true;
}

bool lia_constraints_build(LiaSystem* s, LiaResolver* resolver, LiaDiags* diags) {
    const LiaModel* m = s->model;
    s->first_row = LIA_ARENA_NEW(s->arena, uint32_t, m->constraints_count + 1);
    if (!s->first_row) return false;
    uint32_t count = 0;
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        s->first_row[c] = count;
        count += m->constraints[c].equation_count;
    }
    s->first_row[m->constraints_count] = count;
    LiaRow* rows = LIA_ARENA_NEW(s->arena, LiaRow, count + 1);
    LiaExpr* Omega = lia_memory_zeros((size_t)s->n + 1, sizeof *Omega);
    s->zero = lia_graph_integer(s->graph, 0);
    bool ok = rows && Omega;
    for (uint32_t c = 0; rows && Omega && c < m->constraints_count; c++) {
        for (uint32_t part = 0; part < m->constraints[c].equation_count; part++) {
            LiaRow* row = &rows[s->first_row[c] + part];
            row->constraint = c;
            row->part = part;
            if (!build_row(s, resolver, Omega, row, diags)) ok = false;
            const char* name = m->constraints[c].name;
            const char* label = m->constraints[c].equation_count == 1
                                    ? lia_arena_printf(s->arena, "force(%s)", name)
                                    : lia_arena_printf(s->arena, "force(%s)[%u]", name, part + 1);
            lia_graph_name(s->graph, LIA_SYMBOL_MULTIPLIER, s->first_row[c] + part, label);
        }
    }
    free(Omega);
    s->rows = rows;
    s->row_count = rows ? count : 0;
    return ok;
}
