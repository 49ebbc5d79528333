// Ends of shapes at the start: a contact that begins beyond the end of a cylinder or the tip of a
// cone is none. During the motion the same formulas are watched like events
// (motion/events/events.c).
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "expr/graph/evaluate.h"
#include "mechanics/start/start.h"
#include <stdlib.h>

static void say(const LiaEvent* end, bool at, LiaDiags* diags) {
    if (end->flat) {
        lia_diag_error(
            diags, end->span, "E0307",
            "at the start the disks of '%s' lie in one plane, where their rims have no normal",
            end->name);
        lia_diag_help(
            diags,
            "wheels that roll on each other in one plane are cylinders: 'cylinder(BODY, r)'");
        return;
    }
    lia_diag_error(diags, end->span, "E0307", "at the start the shapes of '%s' touch %s %s",
                   end->name, at ? "at" : "beyond", end->leaves);
    lia_diag_help(diags, "say in 'start' where the bodies are, or give the shape another size");
}

bool lia_start_ends_inside(const LiaSystem* s, const double* q, double t, LiaDiags* diags,
                           bool* memory) {
    const LiaModel* m = s->model;
    uint32_t count = 0;
    LiaExpr* formulas = lia_memory_take((m->events_count + 1) * sizeof *formulas);
    LiaValues values = {0};
    for (uint32_t e = 0; formulas && e < m->events_count; e++) {
        if (m->events[e].leaves) formulas[count++] = s->observables.events[e];
    }
    *memory = !formulas || (count && !lia_evaluate_init(&values, s->graph, formulas, count));
    bool within = !*memory;
    if (within && count) {
        lia_evaluate_run(&values, &(LiaSymbols){.t = t, .parameters = s->parameters, .q = q});
        for (uint32_t e = 0; e < m->events_count; e++) {
            const LiaEvent* end = &m->events[e];
            if (!end->leaves || lia_system_is_off(s, end->joint - 1)) continue;
            double inside = lia_value(&values, s->observables.events[e]);
            if (inside > 0.0) continue;
            say(end, inside == 0.0, diags);
            within = false;
        }
        lia_evaluate_clear(&values);
    }
    free(formulas);
    return within;
}
