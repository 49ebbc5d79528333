// Lie brackets as formulas.
//
//   [V, W]^i = L_V W^i - L_W V^i,   L_V f made node by node along the graph, once for each node
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "geometry/integrability/flag_work.h"
#include <stdlib.h>
#include <string.h>

// L_V f; w->memo holds what is known of this V.
static LiaExpr along(LiaFlagWork* w, const LiaExpr* V, LiaExpr f) {
    LiaGraph* g = w->k.graph;
    const unsigned moving = LIA_DEPENDS(TIME) | LIA_DEPENDS(POSITION);
    LiaExpr zero = lia_graph_integer(g, 0);
    if (!(g->nodes[f.index].depends & moving)) return zero;
    if (w->memo[f.index]) return (LiaExpr){w->memo[f.index]};
    const uint32_t* list;
    uint32_t met = lia_below_roots(g, &f, 1, moving, &list);
    for (uint32_t e = 0; e < met; e++) {
        uint32_t i = list[e];
        if (w->memo[i]) continue;
        LiaNode n = g->nodes[i];
        LiaExpr rate = zero;
        if (n.op == LIA_OP_SYMBOL) {
            if (n.symbol_kind == LIA_SYMBOL_POSITION) rate = V[n.a];
            if (n.symbol_kind == LIA_SYMBOL_TIME && w->k.time) rate = V[w->k.n];
        } else {
            const uint32_t argument[3] = {n.a, n.b, n.c};
            for (int arg = 0; arg < lia_op_arity((LiaOp)n.op); arg++) {
                uint32_t x = argument[arg];
                if (!(g->nodes[x].depends & moving)) continue;
                LiaExpr dx = {w->memo[x]};
                if (lia_graph_is_zero(g, dx)) continue;
                LiaExpr slope = lia_diff_partial(g, (LiaExpr){i}, arg);
                rate = lia_graph_add(g, rate, lia_graph_mul(g, slope, dx));
            }
        }
        w->memo[i] = rate.index;
    }
    return (LiaExpr){w->memo[f.index]};
}

// Room for all nodes there are, and nothing known.
static bool forget(LiaFlagWork* w) {
    if (w->k.graph->count > w->memo_room) {
        uint32_t room = 2 * w->k.graph->count;
        uint32_t* more = lia_memory_zeros(room, sizeof *more);
        if (!more) return false;
        free(w->memo);
        w->memo = more, w->memo_room = room;
        return true;
    }
    memset(w->memo, 0, w->memo_room * sizeof *w->memo);
    return true;
}

bool lia_brackets_add(LiaFlagWork* w, uint32_t v, uint32_t u, uint32_t step) {
    LiaGraph* g = w->k.graph;
    size_t N = w->N;
    if (w->words == LIA_FLAG_WORDS || g->count - w->nodes > LIA_FLAG_NODES) {
        w->full = true;
        return true;
    }
    LiaFlagWord* made = &w->word[w->words];
    LiaExpr *V = w->word[v].field, *U = w->word[u].field;
    made->field = LIA_ARENA_NEW(w->arena, LiaExpr, N + 1);
    if (!made->field || !forget(w)) return false;
    for (size_t i = 0; i < N; i++) made->field[i] = along(w, V, U[i]);
    if (!forget(w)) return false;
    bool zero = true;
    for (size_t i = 0; i < N; i++) {
        made->field[i] = lia_graph_sub(g, made->field[i], along(w, U, V[i]));
        zero &= lia_graph_is_zero(g, made->field[i]);
    }
    made->length = w->word[v].length + w->word[u].length;
    made->step = step;
    if (!zero) w->words++;
    return !g->failed;
}
