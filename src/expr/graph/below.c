// The nodes below some formulas, and no others.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/rising.h"
#include "expr/graph/graph.h"
#include <stdlib.h>

static bool search_begin(LiaGraph* g) {
    if (g->below.size < g->count || g->below.search == UINT32_MAX) {
        uint32_t size = g->count + g->count / 2 + 64;
        uint32_t* block = lia_memory_zeros(3 * (size_t)size, sizeof *block);
        if (!block) {
            g->failed = true;
            return false;
        }
        free(g->below.seen);
        g->below.seen = block;
        g->below.value = block + size;
        g->below.list = g->below.value + size;
        g->below.size = size;
        g->below.search = 0;
    }
    g->below.search++;
    return true;
}

static void meet(LiaGraph* g, uint32_t node, unsigned bits, uint32_t* count) {
    if (g->below.seen[node] == g->below.search || !(g->nodes[node].depends & bits)) return;
    g->below.seen[node] = g->below.search;
    g->below.value[node] = 0;
    g->below.list[(*count)++] = node;
}

uint32_t lia_below_roots(LiaGraph* g, const LiaExpr* roots, size_t count, unsigned bits,
                         const uint32_t** list) {
    uint32_t met = 0, top = 0;
    *list = NULL;
    if (!search_begin(g)) return 0;
    for (size_t r = 0; r < count; r++) meet(g, roots[r].index, bits, &met);
    for (uint32_t i = 0; i < met; i++) {
        const LiaNode* n = &g->nodes[g->below.list[i]];
        const uint32_t arguments[3] = {n->a, n->b, n->c};
        if (g->below.list[i] > top) top = g->below.list[i];
        for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++)
            meet(g, arguments[arg], bits, &met);
    }
    if (met > top / 16) {  // most of them: count them off
        met = 0;
        for (uint32_t i = 1; i <= top; i++) {
            if (g->below.seen[i] == g->below.search) g->below.list[met++] = i;
        }
    } else {
        qsort(g->below.list, met, sizeof *g->below.list, lia_rising);
    }
    *list = g->below.list;
    return met;
}
