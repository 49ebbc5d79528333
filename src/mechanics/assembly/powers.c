// The lines of the ledger, dE/dt = sum of powers.
//
//   constraints, operators   mu (Omega v)
//   applied forces           Q v             of a phase space: dH(F), and of constraints mu dH(W)
//   dissipation              -v dD/dv
//   explicit time            -dL/dt
//   events that set states   none: energy at an instant
//
// Friction takes T slip, never positive. Where all that a contact or a rough constraint is made of
// is at rest that is its whole power. Where moving bodies feed in, belts and walls that are
// functions of time, the friction is a line of its own, a part of that of the constraint.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "mechanics/assembly/phase.h"
#include "mechanics/build.h"
#include <stdlib.h>

LiaExpr lia_powers_of_constraint(LiaSystem* s, uint32_t c) {
    LiaExpr sum = lia_graph_integer(s->graph, 0);
    for (uint32_t r = s->first_row[c]; r < s->first_row[c + 1]; r++) {
        if (s->rows[r].identical && !s->rows[r].by_mode) continue;
        LiaExpr mu = lia_graph_symbol(s->graph, LIA_SYMBOL_MULTIPLIER, r);
        sum = lia_graph_add(s->graph, sum, lia_graph_mul(s->graph, mu, s->rows[r].Omega_v));
    }
    return sum;
}

static LiaExpr power_of_row(LiaSystem* s, uint32_t row) {
    LiaExpr T = lia_graph_symbol(s->graph, LIA_SYMBOL_MULTIPLIER, row);
    return lia_graph_mul(s->graph, T, s->rows[row].equation);
}

// Of what slides, rolls or pivots.
static LiaExpr power_of_block(LiaSystem* s, const LiaFrictionFormulas* block) {
    LiaExpr sum = lia_graph_integer(s->graph, 0);
    if (s->mode.now[block->place] <= LIA_MODE_STICK) return sum;
    for (uint32_t i = 0; i < block->rows; i++)
        sum = lia_graph_add(s->graph, sum, power_of_row(s, block->row + i));
    return sum;
}

LiaExpr lia_powers_of_friction(LiaSystem* s, uint32_t c) {
    LiaExpr sum = lia_graph_integer(s->graph, 0);
    for (uint32_t k = 0; k < s->contact_count; k++) {
        const LiaContactFormulas* of = &s->contacts[k];
        if (of->constraint != c || s->mode.now[k] == LIA_MODE_OPEN) continue;
        for (uint32_t b = 0; b < of->blocks; b++)
            sum = lia_graph_add(s->graph, sum, power_of_block(s, &of->block[b]));
    }
    for (uint32_t k = 0; k < s->rough_count; k++) {
        bool slides = s->mode.now[lia_system_rough_place(s, k)] > LIA_MODE_STICK;
        if (s->rough[k].constraint == c && slides)
            sum = lia_graph_add(s->graph, sum, power_of_row(s, s->rough[k].slip));
    }
    return sum;
}

// Has a constraint friction, on bodies that are moved?
static bool rubs_on_moving(const LiaSystem* s, uint32_t c) {
    const LiaConstraint* of = &s->model->constraints[c];
    bool moved = false;
    if (!of->rough && !(of->contact && lia_contact_law_rows(of->contact) > 1)) return false;
    for (uint32_t r = s->first_row[c]; r < s->first_row[c + 1]; r++) moved |= !s->rows[r].workless;
    return moved;
}

static LiaExpr work_of(LiaSystem* s, const LiaExpr* w, bool take_away) {
    LiaExpr sum = lia_graph_integer(s->graph, 0);
    for (uint32_t i = 0; i < s->n; i++) {
        sum = lia_graph_add(s->graph, sum, lia_graph_mul(s->graph, w[i], s->v[i]));
    }
    return take_away ? lia_graph_neg(s->graph, sum) : sum;
}

static void add_line(LiaSystem* s, LiaLineKind kind, uint32_t index, const char* name,
                     LiaExpr power) {
    s->lines[s->line_count++] =
        (LiaPowerLine){.kind = kind, .index = index, .name = name, .power = power};
}

bool lia_powers_build(LiaSystem* s, LiaResolver* resolver, LiaDiags* diags) {
    const LiaModel* m = s->model;
    LiaGraph* g = s->graph;
    s->lines = LIA_ARENA_NEW(s->arena, LiaPowerLine,
                             2 * m->constraints_count + m->forces_count + 3 + m->events_count);
    LiaExpr* w = lia_memory_zeros(s->n + 1, sizeof *w);
    if (!s->lines || !w) {
        free(w);
        return false;
    }
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        LiaLineKind kind = m->constraints[c].active ? LIA_LINE_OPERATOR : LIA_LINE_CONSTRAINT;
        add_line(s, kind, c, m->constraints[c].name, lia_powers_of_constraint(s, c));
    }
    for (uint32_t f = 0; f < m->forces_count; f++) {
        if (!lia_resolve_form(resolver, &m->forces[f].form, diags, w)) continue;
        LiaExpr power = m->phase.is ? lia_phase_rate_of_H(s, w)
                                    : lia_contacts_of_force(s, f, work_of(s, w, false));
        add_line(s, LIA_LINE_FORCE, f, m->forces[f].name, power);
    }
    LiaExpr lost = lia_graph_integer(g, 0);
    for (uint32_t d = 0; d < m->dissipations_count; d++) {
        LiaExpr D = lia_resolve_term(resolver, m->dissipations[d].term);
        if (lia_diff_gradient(g, D, s->v, s->n, w)) {
            lost = lia_graph_add(g, lost, work_of(s, w, true));
        }
    }
    if (m->dissipations_count) add_line(s, LIA_LINE_DISSIPATION, 0, "dissipation", lost);
    if (lia_graph_node(g, s->energy.lagrangian)->depends & LIA_DEPENDS(TIME)) {
        LiaExpr t = lia_graph_symbol(g, LIA_SYMBOL_TIME, 0);
        LiaExpr rate = lia_diff(g, s->energy.lagrangian, t);
        add_line(s, LIA_LINE_TIME, 0, "time", lia_graph_neg(g, rate));
    }
    for (uint32_t e = 0; e < m->events_count; e++) {
        if (m->events[e].set_count > 0)
            add_line(s, LIA_LINE_EVENT, e, m->events[e].name, lia_graph_integer(g, 0));
    }
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        if (!rubs_on_moving(s, c)) continue;
        const char* name = lia_arena_printf(s->arena, "friction of %s", m->constraints[c].name);
        add_line(s, LIA_LINE_CONSTRAINT, c, name, lia_graph_integer(g, 0));
        s->lines[s->line_count - 1].part = true;
    }
    for (uint32_t l = 0; l < s->line_count; l++) {
        lia_graph_name(g, LIA_SYMBOL_WORK, l,
                       lia_arena_printf(s->arena, "work(%s)", s->lines[l].name));
    }
    free(w);
    return true;
}
