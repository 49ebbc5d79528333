// What every LiaModel keeps to: lists that are there, terms after their arguments, indices in
// range. Asserted where a model leaves lang and where it enters mechanics.
// SPDX-License-Identifier: MIT
#include "lang/model.h"

static bool is_term(const LiaModel* m, LiaExpr x) {
    return x.index > 0 && x.index < m->graph->count;
}

// {0} stands for none.
static bool may_be_term(const LiaModel* m, LiaExpr x) { return x.index == 0 || is_term(m, x); }

static bool are_terms(const LiaModel* m, const LiaExpr* terms, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (!may_be_term(m, terms[i])) return false;
    }
    return true;
}

static bool quantity_holds(const LiaModel* m, const LiaQuantityNamed* x) {
    switch (x->kind) {
    case LIA_QUANTITY_ENERGY:
    case LIA_QUANTITY_KINETIC:
    case LIA_QUANTITY_POTENTIAL:
        return true;
    case LIA_QUANTITY_MOMENTUM:
        return x->index < m->symmetries_count;
    case LIA_QUANTITY_P:
        return x->index < m->coordinates_count;
    case LIA_QUANTITY_FORCE:
        return x->index < m->constraints_count && x->part < m->constraints[x->index].equation_count;
    case LIA_QUANTITY_POWER:
    case LIA_QUANTITY_WORK:
        return x->index < m->constraints_count;
    case LIA_QUANTITY_FORCE_POWER:
    case LIA_QUANTITY_FORCE_WORK:
        return x->index < m->forces_count;
    }
    return false;
}

static bool symbol_holds(const LiaModel* m, uint32_t i) {
    const LiaNode* n = &m->graph->nodes[i];
    switch ((LiaSymbolKind)n->symbol_kind) {
    case LIA_SYMBOL_TIME:
        return n->a == 0;
    case LIA_SYMBOL_PARAMETER:
        return n->a < m->parameters_count;
    case LIA_SYMBOL_POSITION:
    case LIA_SYMBOL_VELOCITY:
    case LIA_SYMBOL_ACCELERATION:
        return n->a < m->coordinates_count;
    case LIA_SYMBOL_DISPLACEMENT:
        return n->a < 3;
    case LIA_SYMBOL_CONTROL:
        return n->a < m->controls_count;
    case LIA_SYMBOL_QUANTITY:
    case LIA_SYMBOL_REACTION:
        return n->a < m->quantities_count && quantity_holds(m, &m->quantities[n->a]);
    case LIA_SYMBOL_RATE:
        return n->a > 0 && n->a < i;
    default:
        return false;  // what only mechanics knows
    }
}

static bool terms_hold(const LiaModel* m) {
    const LiaGraph* g = m->graph;
    for (uint32_t i = 1; i < g->count; i++) {
        const LiaNode* n = &g->nodes[i];
        const uint32_t of[3] = {n->a, n->b, n->c};
        if (n->op >= LIA_OP_COUNT) return false;
        if (n->op == LIA_OP_CONST && n->a >= g->number_count) return false;
        if (n->op == LIA_OP_SYMBOL && !symbol_holds(m, i)) return false;
        for (int k = 0; k < lia_op_arity((LiaOp)n->op); k++) {
            if (of[k] == 0 || of[k] >= i) return false;
        }
    }
    for (uint32_t i = 0; i < m->text.written_count; i++) {
        if (!is_term(m, m->text.written[i].node)) return false;
    }
    return true;
}

static bool form_holds(const LiaModel* m, const LiaForm* form) {
    for (uint32_t i = 0; i < form->count; i++) {
        const LiaFormPart* part = &form->parts[i];
        if (!is_term(m, part->coefficient) || !is_term(m, part->of)) return false;
    }
    return true;
}

static bool groups_hold(const LiaModel* m) {
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        uint32_t group = m->coordinates[i].group;
        if (group > m->groups_count || !m->coordinates[i].name) return false;
        const LiaGroup* of = group ? &m->groups[group - 1] : NULL;
        if (of && (i < of->first || i - of->first >= of->count)) return false;
    }
    for (uint32_t i = 0; i < m->groups_count; i++) {
        const LiaGroup* group = &m->groups[i];
        uint32_t numbers = group->manifold == LIA_ROTATION ? 4 : 3;
        if (group->manifold < LIA_SPACE || group->count != numbers) return false;
        if (group->first > m->coordinates_count) return false;
        if (m->coordinates_count - group->first < numbers) return false;
    }
    return true;
}

static bool duration_holds(const LiaModel* m, LiaDuration duration) {
    return duration.from <= m->events_count && duration.until <= m->events_count;
}

static bool constraints_hold(const LiaModel* m) {
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        const LiaConstraint* c = &m->constraints[i];
        if (!c->name || !c->equations || c->equation_count == 0) return false;
        if (c->rule == LIA_RULE_GIVEN && c->form_count != c->equation_count) return false;
        if (c->gap > c->equation_count || !duration_holds(m, c->duration)) return false;
        const LiaRoughLaw* rough = c->rough;
        if (rough && (rough->slip + 1 != c->equation_count || rough->normals == 0 ||
                      rough->normals > rough->slip || !is_term(m, rough->friction) ||
                      !may_be_term(m, rough->friction_static)))
            return false;
        const LiaContactLaw* law = c->contact;
        if (law && (lia_contact_law_rows(law) * law->points != c->equation_count ||
                    !may_be_term(m, law->restitution) || !may_be_term(m, law->friction) ||
                    !may_be_term(m, law->friction_static) || !may_be_term(m, law->rolling) ||
                    !may_be_term(m, law->pivoting)))
            return false;
        for (uint32_t k = 0; k < c->equation_count; k++) {
            const LiaEquation* e = &c->equations[k];
            if (!is_term(m, e->left) || !is_term(m, e->right) || !may_be_term(m, e->turn))
                return false;
        }
        for (uint32_t k = 0; k < c->form_count; k++) {
            if (!form_holds(m, &c->forms[k])) return false;
        }
        if (c->positions && !are_terms(m, c->positions, c->equation_count)) return false;
        if (c->joint && !are_terms(m, c->joint->signs, c->joint->sign_count)) return false;
    }
    for (uint32_t i = 0; i < m->contact_points_count; i++) {
        const LiaContactPoint* x = &m->contact_points[i];
        if (x->constraint >= m->constraints_count || x->first > m->coordinates_count) return false;
        if (x->count > m->coordinates_count - x->first) return false;
        if (!are_terms(m, x->guesses, x->count) || !is_term(m, x->gap)) return false;
        if (!may_be_term(m, x->positive)) return false;
    }
    return true;
}

// Energies, forces, dissipation, symmetries: what the equations of motion are made of.
static bool dynamics_hold(const LiaModel* m) {
    for (uint32_t i = 0; i < m->energies_count; i++) {
        if (!is_term(m, m->energies[i].term)) return false;
    }
    for (uint32_t i = 0; i < m->forces_count; i++) {
        const LiaForce* force = &m->forces[i];
        if (!force->name || !form_holds(m, &force->form)) return false;
        if (!duration_holds(m, force->duration)) return false;
    }
    for (uint32_t i = 0; i < m->phase.brackets_count; i++) {
        const LiaBracket* b = &m->phase.brackets[i];
        if (b->first >= m->coordinates_count || b->second >= m->coordinates_count) return false;
        if (!is_term(m, b->term)) return false;
    }
    for (uint32_t i = 0; i < m->dissipations_count; i++) {
        if (!is_term(m, m->dissipations[i].term)) return false;
    }
    for (uint32_t i = 0; i < m->symmetries_count; i++) {
        for (uint32_t k = 0; k < m->symmetries[i].count; k++) {
            const LiaSymmetryPart* part = &m->symmetries[i].parts[k];
            if (part->coordinate >= m->coordinates_count || !is_term(m, part->term)) return false;
        }
    }
    return true;
}

// Events, observed quantities and curves: what is read along the motion; and where it starts.
static bool samples_hold(const LiaModel* m) {
    for (uint32_t i = 0; i < m->events_count; i++) {
        const LiaEvent* event = &m->events[i];
        if (!is_term(m, event->term) || event->joint > m->constraints_count) return false;
        for (uint32_t k = 0; k < event->set_count; k++) {
            const LiaSet* set = &event->sets[k];
            if (set->coordinate >= m->coordinates_count || !is_term(m, set->term)) return false;
        }
    }
    for (uint32_t i = 0; i < m->observes_count; i++) {
        if (!m->observes[i].name || !is_term(m, m->observes[i].term)) return false;
    }
    for (uint32_t i = 0; i < m->pictures.plots_count; i++) {
        const LiaPlot* plot = &m->pictures.plots[i];
        if (!may_be_term(m, plot->x.term)) return false;
        for (uint32_t k = 0; k < plot->count; k++) {
            if (!is_term(m, plot->curves[k].term)) return false;
        }
    }
    for (uint32_t i = 0; i < m->start.values_count; i++) {
        if (m->start.values[i].coordinate >= m->coordinates_count) return false;
    }
    for (uint32_t i = 0; i < m->phase.momenta_count; i++) {
        const LiaConstraint* given = &m->phase.momenta[i];
        for (uint32_t k = 0; k < given->equation_count; k++) {
            if (!is_term(m, given->equations[k].left)) return false;
            if (!is_term(m, given->equations[k].right)) return false;
        }
    }
    for (uint32_t i = 0; i < m->start.spins_count; i++) {
        if (m->start.spins[i].group >= m->groups_count) return false;
    }
    for (uint32_t i = 0; i < m->pictures.places_count; i++) {
        const LiaPlace* x = &m->pictures.places[i];
        if (x->constraint >= m->constraints_count) return false;
        uint32_t equations = m->constraints[x->constraint].equation_count;
        if (x->first > equations || x->count > equations - x->first) return false;
    }
    return true;
}

static bool lists_are_there(const LiaModel* m) {
    return m->graph && (m->text.written || m->text.written_count == 0) &&
           (m->parameters || m->parameters_count == 0) &&
           (m->coordinates || m->coordinates_count == 0) && (m->groups || m->groups_count == 0) &&
           (m->controls || m->controls_count == 0) && (m->energies || m->energies_count == 0) &&
           (m->forces || m->forces_count == 0) && (m->constraints || m->constraints_count == 0) &&
           (m->events || m->events_count == 0) && (m->observes || m->observes_count == 0);
}

bool lia_model_invariants_hold(const LiaModel* m) {
    return m && lists_are_there(m) && terms_hold(m) && groups_hold(m) && constraints_hold(m) &&
           dynamics_hold(m) && samples_hold(m);
}
