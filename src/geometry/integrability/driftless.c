// The driftless part of a system: what operators can bring about, whatever they do. See flag.h.
// SPDX-License-Identifier: MIT
#include "geometry/integrability/flag.h"

// Is there a kinematic equation that is no operator's; is one of them affine?
static bool has_passive(const LiaGeometry* y, bool* affine) {
    const LiaSystem* s = y->system;
    LiaExpr zero[LIA_DRIFTLESS_SIZE];
    bool any = false;
    *affine = false;
    for (uint32_t i = 0; i < s->n; i++) zero[i] = lia_graph_integer(y->graph, 0);
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        const LiaConstraint* c = &s->model->constraints[row->constraint];
        bool geometric = row->geometric && !row->integrated;
        if (row->identical || geometric || c->active || c->internal) continue;
        LiaExpr rest = lia_diff_substitute(y->graph, y->psi[r], LIA_SYMBOL_VELOCITY, zero, s->n);
        any = true;
        *affine |= !lia_graph_is_zero(y->graph, rest);
    }
    return any;
}

static bool has_operator(const LiaSystem* s) {
    for (uint32_t c = 0; c < s->model->constraints_count; c++) {
        if (s->model->constraints[c].active) return true;
    }
    return false;
}

bool lia_driftless_find(const LiaGeometry* y, const LiaSamples* samples, LiaArena* arena,
                        LiaFlag* flag) {
    LiaDriftless* out = &flag->driftless;
    LiaFlag free;
    if (!flag->known || y->system->n > LIA_DRIFTLESS_SIZE) return true;
    out->operators = has_operator(y->system);
    if (!has_passive(y, &out->affine) || !(out->affine || out->operators)) return true;
    if (!lia_flag_make(y, samples, (LiaFlagAsk){.driftless = true}, arena, &free)) return false;
    out->known = free.known;
    out->rank = free.rank, out->space = free.space, out->integrable = free.integrable;
    out->growth = free.lie;
    return true;
}
