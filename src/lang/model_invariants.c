// What every LiaModel keeps to: lists that are there, terms after their arguments, indices in range.
// Asserted where a model leaves lang and where it enters mechanics.
// SPDX-License-Identifier: MIT
#include "lang/model.h"

static bool is_term(const LiaModel* m, LiaTermId id) { return id > 0 && id < m->terms_count; }

// 0 stands for none.
static bool may_be_term(const LiaModel* m, LiaTermId id) { return id == 0 || is_term(m, id); }

static bool are_terms(const LiaModel* m, const LiaTermId* ids, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (!may_be_term(m, ids[i])) return false;
    }
    return true;
}

// How many arguments an operation has at least.
static int arguments_of(LiaTermOp op) {
    switch (op) {
    case LIA_TERM_NEG:
    case LIA_TERM_CALL:
    case LIA_TERM_NOT:
    case LIA_TERM_PRIME:
        return 1;
    case LIA_TERM_IF:
        return 3;
    case LIA_TERM_ADD:
    case LIA_TERM_SUB:
    case LIA_TERM_MUL:
    case LIA_TERM_DIV:
    case LIA_TERM_POW:
    case LIA_TERM_LESS:
    case LIA_TERM_LESS_EQUAL:
    case LIA_TERM_AND:
    case LIA_TERM_OR:
        return 2;
    default:
        return 0;
    }
}

static bool quantity_holds(const LiaModel* m, const LiaTerm* x) {
    switch ((LiaQuantity)x->function) {
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

static bool index_holds(const LiaModel* m, const LiaTerm* x) {
    switch ((LiaTermOp)x->op) {
    case LIA_TERM_PARAMETER:
        return x->index < m->parameters_count;
    case LIA_TERM_COORDINATE:
    case LIA_TERM_VELOCITY:
    case LIA_TERM_ACCELERATION:
        return x->index < m->coordinates_count;
    case LIA_TERM_CONTROL:
        return x->index < m->controls_count;
    case LIA_TERM_ARGUMENT:
        return x->index < 3;
    case LIA_TERM_CALL:
        return x->function < LIA_FUNCTION_COUNT;
    case LIA_TERM_QUANTITY:
        return quantity_holds(m, x);
    default:
        return x->op <= LIA_TERM_PRIME;
    }
}

static bool terms_hold(const LiaModel* m) {
    for (uint32_t i = 1; i < m->terms_count; i++) {
        const LiaTerm* x = &m->terms[i];
        int needed = arguments_of((LiaTermOp)x->op);
        if (x->a >= i || x->b >= i || x->c >= i || !index_holds(m, x)) return false;
        if ((needed > 0 && !x->a) || (needed > 1 && !x->b) || (needed > 2 && !x->c)) return false;
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

static bool constraints_hold(const LiaModel* m) {
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        const LiaConstraint* c = &m->constraints[i];
        if (!c->name || !c->equations || c->equation_count == 0) return false;
        if (c->rule == LIA_RULE_GIVEN && c->form_count != c->equation_count) return false;
        if (c->gap > c->equation_count) return false;
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
        if (!m->forces[i].name || !form_holds(m, &m->forces[i].form)) return false;
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
        if (!is_term(m, m->events[i].term)) return false;
    }
    for (uint32_t i = 0; i < m->observes_count; i++) {
        if (!m->observes[i].name || !is_term(m, m->observes[i].term)) return false;
    }
    for (uint32_t i = 0; i < m->plots_count; i++) {
        const LiaPlot* plot = &m->plots[i];
        if (!may_be_term(m, plot->x.term)) return false;
        for (uint32_t k = 0; k < plot->count; k++) {
            if (!is_term(m, plot->curves[k].term)) return false;
        }
    }
    for (uint32_t i = 0; i < m->starts_count; i++) {
        if (m->starts[i].coordinate >= m->coordinates_count) return false;
    }
    for (uint32_t i = 0; i < m->spins_count; i++) {
        if (m->spins[i].group >= m->groups_count) return false;
    }
    for (uint32_t i = 0; i < m->places_count; i++) {
        const LiaPlace* x = &m->places[i];
        if (x->constraint >= m->constraints_count) return false;
        uint32_t equations = m->constraints[x->constraint].equation_count;
        if (x->first > equations || x->count > equations - x->first) return false;
    }
    return true;
}

static bool lists_are_there(const LiaModel* m) {
    return (m->terms || m->terms_count == 0) && (m->parameters || m->parameters_count == 0) &&
           (m->coordinates || m->coordinates_count == 0) && (m->groups || m->groups_count == 0) &&
           (m->controls || m->controls_count == 0) && (m->energies || m->energies_count == 0) &&
           (m->forces || m->forces_count == 0) && (m->constraints || m->constraints_count == 0) &&
           (m->events || m->events_count == 0) && (m->observes || m->observes_count == 0);
}

bool lia_model_invariants_hold(const LiaModel* m) {
    return m && lists_are_there(m) && terms_hold(m) && groups_hold(m) && constraints_hold(m) &&
           dynamics_hold(m) && samples_hold(m);
}
