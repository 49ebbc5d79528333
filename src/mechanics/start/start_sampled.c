// The start of a system with sampled controls: `control u = e every T` is e at the start, which may
// depend on u in turn. The start with the values of now, the laws there, and so on until no value
// changes.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/kkt/workspace.h"
#include "mechanics/start/start.h"
#include <math.h>
#include <stdlib.h>

// A value becomes that of its law at this start; `changed` if it was another one.
static LiaStatus take(LiaSystem* own, uint32_t i, double value, LiaDiags* diags, bool* changed) {
    const LiaControl* u = &own->model->controls[i];
    if (!isfinite(value)) {
        lia_diag_error(diags, u->span, "E0444",
                       "the control '%s' has no value at the start: its formula is outside its "
                       "domain there",
                       u->name);
        lia_diag_help(diags, "begin elsewhere, or write with 'if' what holds there");
        return LIA_MODEL;
    }
    double now = own->parameters[u->open - 1], values[LIA_CONTROL_PARAMETERS] = {value};
    *changed |= fabs(value - now) > LIA_LEAP * (fabs(value) + fabs(now));
    lia_parameters_exchange(own, u->open - 1, values);
    return LIA_OK;
}

static LiaStatus take_all(LiaSystem* own, const LiaStartState* start, LiaDiags* diags,
                          bool* changed) {
    const LiaModel* m = own->model;
    const LiaExpr* laws = own->mode.any->laws;
    LiaValues values;
    double* none = lia_memory_zeros((size_t)own->full->tape->work_count + 1, sizeof *none);
    if (!none || !lia_evaluate_init(&values, own->graph, laws, m->controls_count)) {
        free(none);
        return LIA_MEMORY;
    }
    LiaSymbols at = {.t = start->t,
                     .parameters = own->parameters,
                     .q = start->q,
                     .v = start->v,
                     .work = start->work ? start->work : none};
    lia_evaluate_run(&values, &at);
    LiaStatus status = LIA_OK;
    for (uint32_t i = 0; status == LIA_OK && i < m->controls_count; i++) {
        if (!(m->controls[i].every > 0.0)) continue;
        status = take(own, i, lia_value(&values, laws[i]), diags, changed);
    }
    lia_evaluate_clear(&values);
    free(none);
    return status;
}

// A start that the values of now contradict is taken as far as it was found: others may admit it.
static LiaStatus try_start(LiaSystem* own, LiaStartState* start, LiaDiags* diags, bool* changed) {
    LiaDiags* quiet = lia_diags_create();
    if (!quiet) return LIA_MEMORY;
    lia_start_clear(start);
    LiaStatus found = lia_start_find(own, quiet, start), status = found;
    *changed = false;
    if (found == LIA_OK) status = take_all(own, start, diags, changed);
    if (found == LIA_MODEL) status = take_all(own, start, quiet, changed);
    lia_diags_destroy(quiet);
    return found == LIA_MODEL && status == LIA_MODEL ? LIA_OK : status;
}

LiaStatus lia_start_sampled_find(LiaSystem* own, LiaDiags* diags, LiaStartState* start) {
    enum { PASSES_MOST = 20 };
    bool changed = true;
    for (int pass = 0; changed && pass < PASSES_MOST; pass++) {
        LiaStatus status = try_start(own, start, diags, &changed);
        if (status != LIA_OK) return status;
    }
    if (!changed) {
        lia_start_clear(start);
        return lia_start_find(own, diags, start);
    }
    lia_diag_error(diags, own->model->controls[0].span, "E0445",
                   "the start depends on a sampled control, and that on the start: no values "
                   "satisfy both");
    lia_diag_help(diags, "give the velocities that it is computed from in 'start'");
    return LIA_MODEL;
}
