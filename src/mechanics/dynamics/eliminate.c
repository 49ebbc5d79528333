// Elimination is a presolve, not a semantics: a coordinate whose operator says `s = f` or `s' = f`,
// with nothing in f but time, parameters and other such coordinates, has a motion that is known
// beforehand.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "mechanics/build.h"
#include <stdlib.h>

typedef struct Candidate {
    uint32_t row, coordinate;
    LiaExpr law;
    bool rate;  // s' = f rather than s = f
    bool out;   // turned out not to be one
    bool placed;
} Candidate;

// `by d(s)` on s = f says what is so without it.
static bool acts_on(const LiaSystem* s, const LiaRow* row, uint32_t coordinate) {
    LiaNumber one;
    return row->entries == 1 && row->coordinate[0] == coordinate &&
           lia_graph_constant(s->graph, row->Omega[0], &one) && one.value == 1.0;
}

static bool candidate_of(LiaSystem* s, uint32_t r, Candidate* out) {
    const LiaRow* row = &s->rows[r];
    const LiaConstraint* c = &s->model->constraints[row->constraint];
    if (!c->active || row->identical) return false;
    LiaExpr left = c->equations[row->part].left;
    if (!lia_model_is_coordinate(s->model, left)) return false;
    const LiaNode* n = lia_graph_node(s->model->graph, left);
    if (c->rule != LIA_RULE_DEFAULT && !acts_on(s, row, n->a)) return false;
    bool rate = n->symbol_kind == LIA_SYMBOL_VELOCITY;
    *out = (Candidate){.row = r, .coordinate = n->a, .rate = rate};
    out->law = row->right;
    const unsigned known = LIA_DEPENDS(TIME) | LIA_DEPENDS(PARAMETER) | LIA_DEPENDS(POSITION);
    return !(lia_graph_node(s->graph, out->law)->depends & ~known);
}

// Positions a formula uses, as flags by coordinate.
static void positions_in(const LiaGraph* g, LiaExpr f, unsigned char* wanted, unsigned char* used,
                         uint32_t n) {
    for (uint32_t i = 0; i < n; i++) used[i] = 0;
    for (uint32_t i = 0; i <= f.index; i++) wanted[i] = 0;
    wanted[f.index] = 1;
    for (uint32_t i = f.index; i > 0; i--) {
        if (!wanted[i]) continue;
        const LiaNode* node = &g->nodes[i];
        if (node->op == LIA_OP_SYMBOL) {
            if (node->symbol_kind == LIA_SYMBOL_POSITION) used[node->a] = 1;
            continue;
        }
        int arity = lia_op_arity((LiaOp)node->op);
        if (arity > 0) wanted[node->a] = 1;
        if (arity > 1) wanted[node->b] = 1;
        if (arity > 2) wanted[node->c] = 1;
    }
}

typedef struct Candidates {
    Candidate* all;
    uint32_t count;
    unsigned char *wanted, *used;  // nodes below a law, coordinates that it uses
} Candidates;

static Candidate* driver_of(const Candidates* k, uint32_t coordinate) {
    for (uint32_t c = 0; c < k->count; c++) {
        if (!k->all[c].out && k->all[c].coordinate == coordinate) return &k->all[c];
    }
    return NULL;
}

// Drop those that use a coordinate nobody drives, until nothing changes.
static void drop_free(LiaSystem* s, const Candidates* k) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t c = 0; c < k->count; c++) {
            if (k->all[c].out) continue;
            positions_in(s->graph, k->all[c].law, k->wanted, k->used, s->n);
            for (uint32_t i = 0; i < s->n; i++) {
                if (k->used[i] && !driver_of(k, i)) k->all[c].out = changed = true;
            }
        }
    }
}

// Place position laws after those they use, then rate laws: a coordinate with a rate law is itself
// a state, so it can be used anywhere. Returns false if something turned in a circle and was put
// out.
static bool place(LiaSystem* s, const Candidates* k, LiaDrive* drives, uint32_t* rows,
                  uint32_t* placed) {
    Candidate* all = k->all;
    uint32_t count = k->count;
    *placed = 0;
    for (uint32_t c = 0; c < count; c++) all[c].placed = false;
    for (int pass = 0; pass < 2; pass++) {
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t c = 0; c < count; c++) {
                if (all[c].out || all[c].placed || all[c].rate != (pass == 1)) continue;
                positions_in(s->graph, all[c].law, k->wanted, k->used, s->n);
                bool ready = true;
                for (uint32_t i = 0; i < s->n; i++) {
                    Candidate* other = k->used[i] ? driver_of(k, i) : NULL;
                    if (other && !other->rate && !other->placed) ready = false;
                }
                if (!ready) continue;
                all[c].placed = changed = true;
                drives[*placed] = (LiaDrive){all[c].coordinate, all[c].law, all[c].rate};
                rows[(*placed)++] = all[c].row;
            }
        }
    }
    bool all_placed = true;
    for (uint32_t c = 0; c < count; c++) {
        if (!all[c].out && !all[c].placed) {
            all[c].out = true;
            all_placed = false;
        }
    }
    return all_placed;
}

uint32_t lia_eliminate_build(LiaSystem* s, LiaDrive* drives, uint32_t* rows) {
    Candidate* all = lia_memory_zeros(s->row_count + 1, sizeof *all);
    unsigned char* used = lia_memory_zeros(s->n + 1, 1);
    unsigned char* seen = lia_memory_zeros(s->n + 1, 1);
    unsigned char* wanted = lia_memory_zeros((size_t)s->graph->count + 1, 1);
    uint32_t count = 0, placed = 0;
    if (all && used && seen && wanted) {
        for (uint32_t r = 0; r < s->row_count; r++) {
            // a coordinate driven twice: the second equation stays a row
            if (candidate_of(s, r, &all[count]) && !seen[all[count].coordinate]) {
                seen[all[count].coordinate] = 1;
                count++;
            }
        }
        Candidates k = {all, count, wanted, used};
        do {
            drop_free(s, &k);
        } while (!place(s, &k, drives, rows, &placed));
    }
    free(all);
    free(used);
    free(seen);
    free(wanted);
    return placed;
}
