// Events and what they set, the laws of sampled controls, and what is computed at each sample
// besides the state: one list of formulas, whose places have names (LiaSampleSlot).
// SPDX-License-Identifier: MIT
#include "mechanics/build.h"

// What events set.
static bool build_sets(LiaSystem* s, LiaResolver* resolver) {
    const LiaModel* m = s->model;
    LiaAnyMode* any = s->mode.any;
    uint32_t count = 0;
    any->first_set = LIA_ARENA_NEW(s->arena, uint32_t, m->events_count + 1);
    if (!any->first_set) return false;
    for (uint32_t e = 0; e < m->events_count; e++) {
        any->first_set[e] = count;
        count += m->events[e].set_count;
    }
    any->first_set[m->events_count] = count;
    any->sets = LIA_ARENA_NEW(s->arena, LiaExpr, count + 1);
    bool ok = any->sets != NULL;
    for (uint32_t e = 0; ok && e < m->events_count; e++) {
        for (uint32_t k = 0; k < m->events[e].set_count; k++) {
            LiaExpr* set = &any->sets[any->first_set[e] + k];
            *set = lia_resolve_term(resolver, m->events[e].sets[k].term);
            ok = ok && set->index;
        }
    }
    return ok;
}

// The laws of sampled controls.
static bool build_laws(LiaSystem* s, LiaResolver* resolver) {
    const LiaModel* m = s->model;
    LiaAnyMode* any = s->mode.any;
    any->laws = LIA_ARENA_NEW(s->arena, LiaExpr, m->controls_count + 1);
    bool ok = any->laws != NULL;
    for (uint32_t i = 0; ok && i < m->controls_count; i++) {
        if (!(m->controls[i].every > 0.0)) continue;
        any->laws[i] = lia_resolve_term(resolver, m->controls[i].law);
        ok = any->laws[i].index != 0;
    }
    return ok;
}

bool lia_samples_build(LiaSystem* s, LiaResolver* resolver) {
    const LiaModel* m = s->model;
    uint32_t count = lia_sample_curve(m, 0);
    for (uint32_t p = 0; p < m->pictures.plots_count; p++) {
        count += m->pictures.plots[p].count + (m->pictures.plots[p].x.term.index != 0);
    }
    s->observables.samples = LIA_ARENA_NEW(s->arena, LiaExpr, count + 1);
    s->observables.events = LIA_ARENA_NEW(s->arena, LiaExpr, m->events_count + 1);
    if (!s->observables.samples || !s->observables.events) return false;
    bool ok = true;
    for (uint32_t e = 0; e < m->events_count; e++) {
        s->observables.events[e] = lia_resolve_term(resolver, m->events[e].term);
        ok = ok && s->observables.events[e].index;
    }
    ok = build_sets(s, resolver) && build_laws(s, resolver) && ok;
    s->observables.samples[LIA_SAMPLE_ENERGY] = s->energy.total;
    s->observables.samples[LIA_SAMPLE_KINETIC] = s->energy.kinetic;
    s->observables.samples[LIA_SAMPLE_POTENTIAL] = s->energy.potential;
    for (uint32_t i = 0; i < m->symmetries_count; i++) {
        s->observables.samples[LIA_SAMPLE_MOMENTA + i] = s->observables.momenta[i];
    }
    for (uint32_t i = 0; i < m->observes_count; i++) {
        LiaExpr* sample = &s->observables.samples[lia_sample_observe(m, i)];
        *sample = lia_resolve_term(resolver, m->observes[i].term);
        ok = ok && sample->index;
    }
    uint32_t k = lia_sample_curve(m, 0);
    for (uint32_t p = 0; p < m->pictures.plots_count; p++) {
        const LiaPlot* plot = &m->pictures.plots[p];
        for (uint32_t c = 0; c <= plot->count; c++) {
            if (c == 0 && !plot->x.term.index) continue;
            LiaExpr term = c == 0 ? plot->x.term : plot->curves[c - 1].term;
            s->observables.samples[k] = lia_resolve_term(resolver, term);
            ok = ok && s->observables.samples[k++].index;
        }
    }
    s->observables.sample_count = k;
    return ok;
}
