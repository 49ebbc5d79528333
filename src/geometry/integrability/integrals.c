// The functions that holonomic combinations of equations keep. See flag.h.
// SPDX-License-Identifier: MIT
#include "expr/reading/simplify.h"
#include "geometry/formulas/formulas.h"
#include "geometry/integrability/flag.h"
#include "geometry/integrability/primitive.h"

enum { NODES_MOST = 120 };

// The combination as a form: coefficients of d(q_i), then of dt.
static bool combine(LiaGeometry* y, const double* coefficient, const LiaExpr* zero, LiaExpr* form,
                    LiaExpr* one) {
    const LiaSystem* s = y->system;
    LiaGraph* g = y->graph;
    size_t n = s->n;
    for (size_t i = 0; i <= n; i++) form[i] = lia_graph_integer(g, 0);
    for (uint32_t r = 0; r < s->row_count; r++) {
        if (coefficient[r] == 0.0) continue;
        LiaExpr c = lia_geometry_number(g, coefficient[r]);
        if (!lia_diff_gradient(g, y->psi[r], s->v, n, one)) return false;
        one[n] = lia_diff_substitute(g, y->psi[r], LIA_SYMBOL_VELOCITY, zero, n);
        for (size_t i = 0; i <= n; i++) {
            form[i] = lia_graph_add(g, form[i], lia_graph_mul(g, c, one[i]));
        }
    }
    return !g->failed;
}

// Long formulas, as those of attitudes, have no primitive that anybody would read.
static bool is_short(const LiaGraph* g, const LiaExpr* form, size_t count) {
    size_t length = 0;
    for (size_t i = 0; i < count && length <= NODES_MOST; i++) {
        LiaValues values;
        if (!lia_evaluate_init(&values, g, form + i, 1)) return false;
        length += values.count;
        lia_evaluate_clear(&values);
    }
    return length <= NODES_MOST;
}

bool lia_integrals_find(LiaGeometry* y, LiaArena* arena, LiaFlag* flag) {
    const LiaSystem* s = y->system;
    size_t n = s->n;
    if (flag->combinations == 0 || n > LIA_FORMULAS_SIZE) return true;
    LiaExpr* form = LIA_ARENA_NEW(arena, LiaExpr, n + 2);
    LiaExpr* one = LIA_ARENA_NEW(arena, LiaExpr, n + 2);
    LiaExpr* zero = LIA_ARENA_NEW(arena, LiaExpr, n + 1);
    LiaExpr* symbols = LIA_ARENA_NEW(arena, LiaExpr, n + 2);
    if (!form || !one || !zero || !symbols) return false;
    for (size_t i = 0; i < n; i++) {
        zero[i] = lia_graph_integer(y->graph, 0);
        symbols[i] = s->q[i];
    }
    symbols[n] = y->t;
    uint32_t found = 0;
    for (uint32_t c = 0; c < flag->combinations; c++) {
        if (!combine(y, flag->coefficient + c * (size_t)s->row_count, zero, form, one))
            return false;
        LiaExpr f = {0};
        if (is_short(y->graph, form, n + 1)) {
            f = lia_primitive_find(y->graph, form, symbols, n + 1);
        }
        bool shown = f.index && lia_simplify_length(y->graph, f) <= LIA_FORMULA_LENGTH;
        flag->integral[c] = shown ? f : (LiaExpr){0};
        found += f.index != 0;
    }
    flag->proved = found == flag->combinations && found == flag->integrable;
    return !y->graph->failed;
}
