// From a system to all that is said about it. See explanation.h.
// SPDX-License-Identifier: MIT
#include "geometry/explanation.h"
#include "geometry/phase_space/base.h"
#include "geometry/state_text.h"
#include "mechanics/start/start.h"
#include <liaison/parameters.h>
#include <stdlib.h>
#include <string.h>

// A system of its own where controls are sampled: their values are those at the start.
static LiaStatus own_system(LiaExplanation* e) {
    const LiaModel* m = e->system->model;
    bool sampled = false;
    for (uint32_t i = 0; i < m->controls_count; i++) sampled |= m->controls[i].every > 0.0;
    if (!sampled) return LIA_OK;
    LiaStatus status = lia_system_copy(e->system, &e->own);
    if (status == LIA_OK) e->system = e->own;
    return status;
}

// The start of the model. Whether it is wrong matters only where it was asked for.
static LiaStatus find_start(LiaExplanation* e, LiaDiags* diags, bool asked) {
    const LiaModel* model = e->system->model;
    LiaStartState start = {.t = model->run.given ? model->run.t0 : 0.0, .q = e->q, .v = e->v};
    LiaDiags* quiet = asked ? NULL : lia_diags_create();
    if (!asked && !quiet) return LIA_MEMORY;
    if (!asked) diags = quiet;
    LiaStatus status = e->own ? lia_start_sampled_find(e->own, diags, &start)
                              : lia_start_find(e->system, diags, &start);
    lia_diags_destroy(quiet);
    e->t = start.t;
    e->has_start = status == LIA_OK;
    if (status == LIA_OK) {
        e->choices = start.choices;
        start.choices = (LiaText){0};
    }
    lia_start_clear(&start);
    if (status == LIA_OK || asked || status == LIA_MEMORY) return status;
    for (size_t i = 0; i < e->system->n; i++) e->q[i] = e->v[i] = 0.0;
    for (uint32_t k = 0; k < model->start.values_count; k++) {
        const LiaStart* given = &model->start.values[k];
        (given->velocity ? e->v : e->q)[given->coordinate] = given->value;
    }
    return LIA_OK;
}

static LiaStatus classify(LiaExplanation* e, const LiaExplanationAsk* ask, LiaDiags* diags) {
    const LiaSystem* system = e->system;
    bool* base = LIA_ARENA_NEW(e->geometry->arena, bool, system->model->constraints_count + 1);
    if (!base) return LIA_MEMORY;
    if (ask->base) {
        LiaStatus status = lia_base_read(system, ask->base, diags, base);
        if (status != LIA_OK) return status;
    }
    LiaClassificationAsk what = {.look = ask->look, .base = ask->base ? base : NULL};
    bool classified = lia_classification_make(e->geometry, e->t, e->q, e->v, &what, &e->classes);
    bool out_of_memory = e->classes.samples > 0 || !e->classes.arena || !e->classes.energy_law;
    return classified || !out_of_memory ? LIA_OK : LIA_MEMORY;
}

LiaStatus lia_explanation_make(const LiaSystem* system, const LiaExplanationAsk* ask,
                               LiaDiags* diags, LiaExplanation* e) {
    *e = (LiaExplanation){.system = system};
    if (own_system(e) != LIA_OK) return LIA_MEMORY;
    system = e->system;
    e->geometry = lia_geometry_create(system);
    e->space = e->geometry ? lia_phase_space_create(e->geometry) : NULL;
    if (!e->space) return LIA_MEMORY;
    e->q = LIA_ARENA_NEW(e->geometry->arena, double, system->n + 1);
    e->v = LIA_ARENA_NEW(e->geometry->arena, double, system->n + 1);
    if (!e->q || !e->v) return LIA_MEMORY;
    LiaStatus status = find_start(e, diags, ask->at_start && !ask->at);
    if (status != LIA_OK) return status;
    if (ask->at) {
        size_t before = lia_diags_errors(diags);
        if (!lia_state_text_read(e->space, ask->at, diags, &e->t, e->q, e->v)) {
            return lia_diags_errors(diags) > before ? LIA_MODEL : LIA_MEMORY;
        }
    }
    if (system->phase.flow && ask->base) {
        lia_diag_error(diags, (LiaSpan){0, 0}, "E0368",
                       "a phase space has no base: no operator "
                       "sets its configuration");
        return LIA_MODEL;
    }
    if (system->phase.flow) {
        e->has_state = ask->at_start || ask->at;
        return lia_poisson_make(e->geometry, e->t, e->q, &e->poisson) ? LIA_OK : LIA_MEMORY;
    }
    status = classify(e, ask, diags);
    if (status != LIA_OK) return status;
    bool known = e->has_start || ask->at;
    if (!lia_formulas_make(e->space, &e->classes, e->t, known ? e->q : NULL, e->v, &e->formulas)) {
        return LIA_MEMORY;
    }
    e->has_state = ask->at_start || ask->at;
    LiaFieldsBase base = {e->classes.base, e->classes.base_count, NULL, NULL};
    bool made = !e->has_state || lia_fields_make(e->space, &base, e->t, e->q, e->v, &e->fields) ||
                e->fields.why;
    if (made && e->has_state)
        made = lia_vertical_poisson_look(e->space, &base, &e->fields, &e->vertical);
    return made ? LIA_OK : LIA_MEMORY;
}

void lia_explanation_clear(LiaExplanation* e) {
    lia_fields_clear(&e->fields);
    lia_formulas_clear(&e->formulas);
    lia_classification_clear(&e->classes);
    lia_phase_space_destroy(e->space);
    lia_geometry_destroy(e->geometry);
    lia_system_destroy(e->own);
    lia_text_clear(&e->choices);
    *e = (LiaExplanation){0};
}
