// Families of coordinates: those of one kind that the energies, the forces or the constraints tie
// together. Their errors are measured alike; what does not know of each other is measured apart, so
// that x = 1e10 does not spoil y = 1e-6.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "motion/run/step_size.h"
#include <stdlib.h>

// Nodes of the graph that are tied, each with another of its set; the first stands for itself.
static uint32_t first_of(uint32_t* set, uint32_t i) {
    while (set[i] != i) i = set[i] = set[set[i]];
    return i;
}

static void tie(uint32_t* set, uint32_t i, uint32_t k) {
    uint32_t a = first_of(set, i), b = first_of(set, k);
    if (a < b) {
        set[b] = a;
    } else {
        set[a] = b;
    }
}

// The force of a constraint ties what it acts on.
static const unsigned moving =
    LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY) | LIA_DEPENDS(MULTIPLIER);

// Whatever moves below the wanted nodes is tied to them. Arguments stand before what is made of
// them.
static void tie_below(const LiaGraph* g, uint8_t* wanted, uint32_t* set) {
    for (uint32_t i = g->count - 1; i > 0; i--) {
        const LiaNode* n = &g->nodes[i];
        if (!wanted[i]) continue;
        const uint32_t arguments[3] = {n->a, n->b, n->c};
        for (int k = 0; k < lia_op_arity((LiaOp)n->op); k++) {
            if (!(g->nodes[arguments[k]].depends & moving)) continue;
            wanted[arguments[k]] = 1;
            tie(set, i, arguments[k]);
        }
    }
}

static void tie_formula(const LiaGraph* g, LiaExpr f, uint32_t with, uint8_t* wanted,
                        uint32_t* set) {
    if (!f.index || !(g->nodes[f.index].depends & moving)) return;
    wanted[f.index] = 1;
    if (with) tie(set, f.index, with);
}

static void tie_all(const LiaWorkspace* w, uint8_t* wanted, uint32_t* set) {
    const LiaSystem* s = w->system;
    const LiaDynamics* d = w->dynamics;
    const LiaModel* model = s->model;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t q = s->q[i].index;
        tie(set, q, s->v[i].index);
        tie_formula(s->graph, s->lagrange.P[i], q, wanted, set);
        tie_formula(s->graph, d->G[i], q, wanted, set);
    }
    for (uint32_t r = 0; r < s->row_count; r++)
        tie_formula(s->graph, s->rows[r].equation, 0, wanted, set);
    for (uint32_t g = 0; g < model->groups_count; g++) {
        const LiaGroup* group = &model->groups[g];
        uint32_t count = group->manifold == LIA_ROTATION ? 4 : 3;
        for (uint32_t i = 1; i < count; i++)
            tie(set, s->q[group->first].index, s->q[group->first + i].index);
    }
    tie_below(s->graph, wanted, set);
}

bool lia_family_find(const LiaWorkspace* w, uint32_t* family) {
    const LiaSystem* s = w->system;
    size_t count = s->graph->count;
    uint32_t* set = lia_memory_take((count + 1) * sizeof *set);
    uint32_t* member = lia_memory_zeros(2 * count + 1, sizeof *member);  // 1 + the first of a kind
    uint8_t* wanted = lia_memory_zeros(count + 1, 1);
    bool ok = set && member && wanted;
    for (size_t i = 0; ok && i < count; i++) set[i] = (uint32_t)i;
    if (ok) tie_all(w, wanted, set);
    for (uint32_t i = 0; ok && i < s->n; i++) {
        size_t at = 2 * (size_t)first_of(set, s->q[i].index) + (size_t)lia_scales_kind(w, i);
        if (!member[at]) member[at] = 1 + i;
        family[i] = member[at] - 1;
    }
    free(set);
    free(member);
    free(wanted);
    return ok;
}
