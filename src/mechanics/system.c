// From a model to its mechanics, step by step. See system.h.
// SPDX-License-Identifier: MIT
#include "mechanics/system.h"
#include "base/clock.h"
#include "base/memory/call.h"
#include "mechanics/assembly/phase.h"
#include "mechanics/build.h"
#include "mechanics/diagnosis/driven_twice.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lia_system_choice(LiaSystem* system, const char* format, ...) {
    enum { MOST = 64 };
    if (system->origin.choice_count >= MOST) return;
    if (!system->origin.choices)
        system->origin.choices = LIA_ARENA_NEW(system->arena, const char*, MOST);
    if (!system->origin.choices) return;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char* copy = lia_arena_text(system->arena, text, strlen(text));
    if (copy) system->origin.choices[system->origin.choice_count++] = copy;
}

LiaExpr lia_system_quantity(const LiaSystem* s, LiaGraph* g, const LiaQuantityNamed* of) {
    uint32_t constraints = s->model->constraints_count;
    switch (of->kind) {
    case LIA_QUANTITY_ENERGY:
        return s->energy.total;
    case LIA_QUANTITY_KINETIC:
        return s->energy.kinetic;
    case LIA_QUANTITY_POTENTIAL:
        return s->energy.potential;
    case LIA_QUANTITY_P:
        return s->lagrange.p ? s->lagrange.p[of->index] : (LiaExpr){0};
    case LIA_QUANTITY_MOMENTUM:
        return s->observables.momenta ? s->observables.momenta[of->index] : (LiaExpr){0};
    case LIA_QUANTITY_FORCE: {
        if (!s->rows) return (LiaExpr){0};
        uint32_t row = s->first_row[of->index] + of->part;
        if (s->rows[row].identical && !s->rows[row].by_mode) return lia_graph_integer(g, 0);
        return lia_graph_symbol(g, LIA_SYMBOL_MULTIPLIER, row);
    }
    case LIA_QUANTITY_POWER:
        return s->lines ? s->lines[of->index].power : (LiaExpr){0};
    case LIA_QUANTITY_FORCE_POWER:
        return s->lines ? s->lines[constraints + of->index].power : (LiaExpr){0};
    case LIA_QUANTITY_WORK:
        return lia_graph_symbol(g, LIA_SYMBOL_WORK, of->index);
    case LIA_QUANTITY_FORCE_WORK:
        return lia_graph_symbol(g, LIA_SYMBOL_WORK, constraints + of->index);
    }
    return (LiaExpr){0};
}

static LiaExpr quantity(void* context, const LiaQuantityNamed* of) {
    LiaSystem* s = context;
    return lia_system_quantity(s, s->graph, of);
}

static bool make_symbols(LiaSystem* s) {
    s->q = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    s->v = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    s->parameters = LIA_ARENA_NEW(s->arena, double, s->model->parameters_count + 1);
    if (!s->q || !s->v || !s->parameters) return false;
    for (uint32_t i = 0; i < s->n; i++) {
        s->q[i] = lia_graph_symbol(s->graph, LIA_SYMBOL_POSITION, i);
        s->v[i] = lia_graph_symbol(s->graph, LIA_SYMBOL_VELOCITY, i);
    }
    for (uint32_t i = 0; i < s->model->parameters_count; i++) {
        s->parameters[i] = s->model->parameters[i].value;
    }
    return true;
}

bool lia_system_dynamics(LiaSystem* s, bool eliminate) {
    s->full = lia_dynamics_create(s, true, NULL, NULL, 0);
    if (!s->full) return false;
    bool follows = false;
    for (uint32_t r = 0; r < s->row_count; r++) follows |= s->rows[r].follows;
    s->plain = follows ? lia_dynamics_create(s, false, NULL, NULL, 0) : s->full;
    if (!s->plain) return false;
    s->reduced = s->plain;
    if (!eliminate) return true;
    LiaDrive* drives = LIA_ARENA_NEW(s->arena, LiaDrive, s->row_count + 1);
    uint32_t* rows = LIA_ARENA_NEW(s->arena, uint32_t, s->row_count + 1);
    if (!drives || !rows) return false;
    uint32_t count = lia_eliminate_build(s, drives, rows);
    if (count) s->reduced = lia_dynamics_create(s, false, drives, rows, count);
    for (uint32_t d = 0; d < count; d++) {
        const LiaRow* row = &s->rows[rows[d]];
        if (s->model->constraints[row->constraint].internal) continue;
        lia_system_choice(
            s, "'%s' is driven by '%s': its motion is known beforehand, its force follows",
            s->model->coordinates[drives[d].coordinate].name,
            s->model->constraints[row->constraint].name);
    }
    return s->reduced != NULL;
}

// What the rounding of a row's rate is a part of is read off its formula: motion/check/noise.c.
static bool make_rates(LiaSystem* s) {
    // first, so that sums of accelerations are written in the order of the coordinates
    for (uint32_t i = 0; i < s->n; i++) lia_graph_symbol(s->graph, LIA_SYMBOL_ACCELERATION, i);
    for (uint32_t r = 0; r < s->row_count; r++) {
        LiaRow *row = &s->rows[r], *any = lia_contacts_row(s, r);
        if (any->identical) continue;
        any->rate = row->geometric ? lia_diff_rate(&s->rates, row->equation) : row->equation;
        any->acceleration = lia_diff_rate(&s->rates, any->rate);
        if (!any->rate.index || !any->acceleration.index) return false;
        row->rate = any->rate;
        row->acceleration = any->acceleration;
        uint16_t depends = lia_graph_node(s->graph, any->acceleration)->depends;
        row->steady = any->steady = !(depends & (LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY)));
    }
    return true;
}

static LiaStatus build(const LiaModel* model, const LiaSystemOptions* options, LiaDiags* diags,
                       LiaSystem** out) {
    double begin = lia_clock_seconds();
    LiaSystem* s = lia_memory_zeros(1, sizeof *s);
    if (!s) return LIA_MEMORY;
    s->model = model;
    s->n = model->coordinates_count;
    s->arena = lia_arena_create();
    s->graph = lia_graph_create();
    if (s->graph) lia_diff_rates_init(&s->rates, s->graph);
    LiaResolver* resolver =
        s->graph ? lia_resolve_create(s->graph, &s->rates, model, quantity, s) : NULL;
    size_t before = lia_diags_errors(diags);
    if (s->arena && options && options->rule_count)
        s->model = lia_rules_build(s, model, options, diags);
    bool ok = s->arena && s->model && resolver && make_symbols(s);
    ok = ok && lia_energy_build(s, resolver, diags);
    ok = ok && lia_phase_build(s, resolver, diags);
    ok = ok && lia_constraints_build(s, resolver, diags);
    ok = ok && lia_rough_build(s, resolver, diags);
    ok = ok && lia_contacts_build(s, resolver);
    ok = ok && lia_branch_build(s, resolver);
    ok = ok && lia_diags_errors(diags) == before;
    ok = ok && lia_massless_spin_build(s, resolver);
    ok = ok && lia_start_contact_build(s, resolver);
    ok = ok && lia_powers_build(s, resolver, diags);
    ok = ok && lia_samples_build(s, resolver);
    ok = ok && lia_diags_errors(diags) == before;
    ok = ok && lia_contacts_settle(s);
    bool as_written = (s->mode.any && s->mode.any->switch_count > 0) ||
                      lia_model_sets_states(model) || (options && options->no_eliminate);
    ok = ok && lia_system_dynamics(s, !as_written);
    ok = ok && lia_parameters_pin_exponents(s);
    ok = ok && make_rates(s);  // from here on, what is added to the graph is in nobody's way
    ok = ok && lia_kinetic_check_build(s, diags);
    ok = ok && lia_dissipation_check_build(s, resolver, diags);
    if (ok) lia_driven_twice_warn(s, diags);
    ok = ok && lia_jacobi_check(s, diags);
    ok = ok && !s->graph->failed;
    lia_resolve_destroy(resolver);
    if (!ok) {
        lia_system_destroy(s);
        return lia_diags_errors(diags) > before ? LIA_MODEL : LIA_MEMORY;
    }
    s->origin.setup_seconds = lia_clock_seconds() - begin;
    *out = s;
    return LIA_OK;
}

static bool are_rules(const LiaSystemOptions* options) {
    if (options && !lia_call_knows(options->more)) return false;
    if (!options || !options->rules) return !options || options->rule_count == 0;
    for (size_t i = 0; i < options->rule_count; i++) {
        const LiaRuleChange* rule = &options->rules[i];
        if (!rule->constraint || (unsigned)rule->forces > LIA_FORCES_GIVEN) return false;
    }
    return true;
}

LiaStatus lia_system_build(const LiaModel* model, const LiaSystemOptions* options, LiaDiags* diags,
                           LiaSystem** out) {
    if (out) *out = NULL;
    if (!model || !diags || !out || !are_rules(options)) return LIA_ARGUMENT;
    assert(lia_model_invariants_hold(model));
    LiaCall call = lia_call_begin_work(diags);
    LiaStatus status = build(model, options, diags, out);
    LiaStatus ended = lia_call_end(&call);
    assert(ended != LIA_OK || status != LIA_OK || lia_system_invariants_hold(*out));
    if (ended == LIA_OK) return status;
    lia_system_destroy(*out);
    *out = NULL;
    return ended;
}

void lia_system_destroy(LiaSystem* s) {
    if (!s) return;
    assert(!s->mode.base);
    if (s->origin.is_copy) {
        lia_parameters_release_copy(s);
        return;
    }
    if (s->reduced != s->plain) lia_dynamics_destroy(s->reduced);
    if (s->plain != s->full) lia_dynamics_destroy(s->plain);
    lia_dynamics_destroy(s->full);
    lia_diff_rates_clear(&s->rates);
    lia_graph_destroy(s->graph);
    lia_arena_destroy(s->arena);
    free(s);
}
