// What a model consists of, by index and by name. See include/liaison/inventory.h.
// SPDX-License-Identifier: MIT
#include "base/facts.h"
#include "lang/model.h"

// Those that the program added stand last.
static size_t shown_constraints(const LiaModel* m) {
    size_t count = m->constraints_count;
    while (count > 0 && m->constraints[count - 1].internal) count--;
    return count;
}

// Those of controls without a law stand last too.
static size_t shown_parameters(const LiaModel* m) {
    size_t count = m->parameters_count;
    while (count > 0 && m->parameters[count - 1].inner) count--;
    return count;
}

size_t lia_model_count(const LiaModel* m, LiaThing thing) {
    if (!m) return 0;
    switch (thing) {
    case LIA_THING_COORDINATE:
        return m->coordinates_count;
    case LIA_THING_PARAMETER:
        return shown_parameters(m);
    case LIA_THING_CONTROL:
        return m->controls_count;
    case LIA_THING_CONSTRAINT:
        return shown_constraints(m);
    case LIA_THING_FORCE:
        return m->forces_count;
    case LIA_THING_OBSERVABLE:
        return m->observes_count;
    case LIA_THING_EVENT:
        return m->events_count;
    case LIA_THING_SYMMETRY:
        return m->symmetries_count;
    }
    return 0;
}

const char* lia_model_name_of(const LiaModel* m, LiaThing thing, size_t i) {
    if (i >= lia_model_count(m, thing)) return NULL;
    switch (thing) {
    case LIA_THING_COORDINATE:
        return m->coordinates[i].name;
    case LIA_THING_PARAMETER:
        return m->parameters[i].name;
    case LIA_THING_CONTROL:
        return m->controls[i].name;
    case LIA_THING_CONSTRAINT:
        return m->constraints[i].name;
    case LIA_THING_FORCE:
        return m->forces[i].name;
    case LIA_THING_OBSERVABLE:
        return m->observes[i].name;
    case LIA_THING_EVENT:
        return m->events[i].name;
    case LIA_THING_SYMMETRY:
        return m->symmetries[i].name;
    }
    return NULL;
}

size_t lia_model_find(const LiaModel* m, LiaThing thing, const char* name) {
    size_t count = name ? lia_model_count(m, thing) : 0;
    for (size_t i = 0; i < count; i++) {
        const char* of = lia_model_name_of(m, thing, i);
        if (of && strcmp(of, name) == 0) return i;
    }
    return LIA_NOWHERE;
}

bool lia_model_coordinate(const LiaModel* m, size_t i, LiaCoordinateInfo* info, size_t size) {
    if (i >= lia_model_count(m, LIA_THING_COORDINATE)) return false;
    const LiaCoordinate* x = &m->coordinates[i];
    const LiaGroup* group = x->group ? &m->groups[x->group - 1] : NULL;
    LiaCoordinateInfo known = {.name = x->name,
                               .unit = x->unit,
                               .manifold = x->manifold,
                               .group = group ? group->name : NULL,
                               .part = group ? (uint32_t)i - group->first : 0,
                               .inner = x->inner};
    return lia_facts_give(&known, sizeof known, info, size);
}

bool lia_model_parameter(const LiaModel* m, size_t i, LiaParameterInfo* info, size_t size) {
    if (i >= lia_model_count(m, LIA_THING_PARAMETER)) return false;
    const LiaParameter* p = &m->parameters[i];
    LiaParameterInfo known = {
        .name = p->name, .unit = p->unit, .value = p->value, .structural = p->structural};
    return lia_facts_give(&known, sizeof known, info, size);
}

bool lia_model_constraint(const LiaModel* m, size_t i, LiaConstraintInfo* info, size_t size) {
    if (i >= lia_model_count(m, LIA_THING_CONSTRAINT)) return false;
    const LiaConstraint* c = &m->constraints[i];
    LiaConstraintInfo known = {.name = c->name,
                               .active = c->active,
                               .equations = c->equation_count,
                               .joint = c->joint ? c->joint->kind : NULL};
    lia_diag_source_line_column(&m->text.source, c->span, &known.line, &known.column);
    return lia_facts_give(&known, sizeof known, info, size);
}

bool lia_model_observable(const LiaModel* m, size_t i, LiaObservableInfo* info, size_t size) {
    if (i >= lia_model_count(m, LIA_THING_OBSERVABLE)) return false;
    LiaObservableInfo known = {.name = m->observes[i].name, .unit = m->observes[i].unit};
    return lia_facts_give(&known, sizeof known, info, size);
}

bool lia_model_event(const LiaModel* m, size_t i, LiaEventInfo* info, size_t size) {
    if (i >= lia_model_count(m, LIA_THING_EVENT)) return false;
    const LiaEvent* e = &m->events[i];
    LiaEventInfo known = {
        .name = e->name, .direction = e->direction, .stop = e->stop, .leaves = e->leaves};
    return lia_facts_give(&known, sizeof known, info, size);
}
