// The names under which the symbols of a model's graph are printed: as the model writes them.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/elaborate.h"
#include <string.h>

static const char* quantity_name(const LiaModel* m, LiaArena* arena, const LiaQuantityNamed* of) {
    uint32_t i = of->index;
    switch (of->kind) {
    case LIA_QUANTITY_ENERGY:
        return "energy";
    case LIA_QUANTITY_KINETIC:
        return "kinetic";
    case LIA_QUANTITY_POTENTIAL:
        return "potential";
    case LIA_QUANTITY_MOMENTUM:
        return lia_arena_printf(arena, "momentum(%s)", m->symmetries[i].name);
    case LIA_QUANTITY_P:
        return lia_arena_printf(arena, "p(%s)", m->coordinates[i].name);
    case LIA_QUANTITY_FORCE:
        if (m->constraints[i].equation_count > 1) {
            return lia_arena_printf(arena, "force(%s)[%u]", m->constraints[i].name, of->part + 1);
        }
        return lia_arena_printf(arena, "force(%s)", m->constraints[i].name);
    case LIA_QUANTITY_POWER:
        return lia_arena_printf(arena, "power(%s)", m->constraints[i].name);
    case LIA_QUANTITY_WORK:
        return lia_arena_printf(arena, "work(%s)", m->constraints[i].name);
    case LIA_QUANTITY_FORCE_POWER:
        return lia_arena_printf(arena, "power(%s)", m->forces[i].name);
    case LIA_QUANTITY_FORCE_WORK:
        return lia_arena_printf(arena, "work(%s)", m->forces[i].name);
    }
    return NULL;
}

void lia_symbol_names_give(LiaElaboration* e, const LiaModel* model) {
    LiaGraph* g = e->work.terms.graph;
    bool good = true;
    for (uint32_t i = 0; i < model->parameters_count; i++) {
        lia_graph_name(g, LIA_SYMBOL_PARAMETER, i, model->parameters[i].name);
    }
    for (uint32_t i = 0; i < model->coordinates_count; i++) {
        lia_graph_name(g, LIA_SYMBOL_POSITION, i, model->coordinates[i].name);
    }
    for (uint32_t i = 0; i < model->controls_count; i++) {
        lia_graph_name(g, LIA_SYMBOL_CONTROL, i, model->controls[i].name);
    }
    for (uint32_t i = 0; i < model->quantities_count; i++) {
        const LiaQuantityNamed* of = &model->quantities[i];
        bool along = of->kind >= LIA_QUANTITY_FORCE;
        const char* name = quantity_name(model, e->context->kept, of);
        good = good && name;
        lia_graph_name(g, along ? LIA_SYMBOL_REACTION : LIA_SYMBOL_QUANTITY, i, name);
    }
    if (!good || g->failed) {
        lia_context_out_of_memory(e->context);
    }
}
