// The copy of the graph and the formulas every verdict needs. See geometry.h.
// SPDX-License-Identifier: MIT
#include "geometry/geometry.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { DENOMINATOR_MOST = 64, NUMERATOR_MOST = 1000000 };

static bool depends_on_v(const LiaGeometry* y, LiaExpr f) {
    return (lia_graph_node(y->graph, f)->depends & LIA_DEPENDS(VELOCITY)) != 0;
}

// L is at most quadratic if d<dL/dv, w>/dv has no velocities for any w: one sweep for all of them.
static bool find_quadratic(LiaGeometry* y) {
    const LiaSystem* s = y->system;
    LiaExpr* slope = LIA_ARENA_NEW(y->arena, LiaExpr, s->n + 1);
    if (!slope) return false;
    bool ok =
        lia_diff_pullback(y->graph, (LiaWeightedSum){s->lagrange.p, y->w, s->n}, s->v, s->n, slope);
    y->quadratic = true;
    for (uint32_t i = 0; ok && i < s->n; i++) {
        if (depends_on_v(y, slope[i])) y->quadratic = false;
    }
    return ok;
}

// Their numbers come after those of the coordinates.
static bool name_spins(LiaGeometry* y) {
    const LiaModel* model = y->system->model;
    y->spin = LIA_ARENA_NEW(y->arena, LiaExpr, 3 * (size_t)model->groups_count + 1);
    if (!y->spin) return false;
    for (uint32_t c = 0; c < model->groups_count; c++) {
        for (uint32_t i = 0; model->groups[c].manifold == LIA_ROTATION && i < 3; i++) {
            uint32_t number = y->system->n + 3 * c + i;
            const char* name =
                lia_arena_printf(y->arena, "p(%s).%c", model->groups[c].name, "xyz"[i]);
            if (!name) return false;
            y->spin[3 * c + i] = lia_graph_symbol(y->graph, LIA_SYMBOL_MOMENTUM, number);
            lia_graph_name(y->graph, LIA_SYMBOL_MOMENTUM, number, name);
        }
    }
    return true;
}

static bool make(LiaGeometry* y) {
    const LiaSystem* s = y->system;
    y->arena = lia_arena_create();
    y->graph = lia_graph_copy(s->graph);
    if (!y->arena || !y->graph) return false;
    lia_diff_rates_init(&y->rates, y->graph);
    y->resolver = lia_resolve_create(y->graph, &y->rates, s->model, NULL, NULL);
    y->p = LIA_ARENA_NEW(y->arena, LiaExpr, s->n + 1);
    y->w = LIA_ARENA_NEW(y->arena, LiaExpr, s->n + 1);
    y->psi = LIA_ARENA_NEW(y->arena, LiaExpr, s->row_count + 1);
    if (!y->resolver || !y->p || !y->w || !y->psi) return false;
    y->t = lia_graph_symbol(y->graph, LIA_SYMBOL_TIME, 0);
    for (uint32_t i = 0; i < s->n; i++) {
        const char* name = lia_arena_printf(y->arena, "p(%s)", s->model->coordinates[i].name);
        if (!name) return false;
        y->p[i] = lia_graph_symbol(y->graph, LIA_SYMBOL_MOMENTUM, i);
        y->w[i] = lia_graph_symbol(y->graph, LIA_SYMBOL_DISPLACEMENT, i);
        lia_graph_name(y->graph, LIA_SYMBOL_MOMENTUM, i, name);
    }
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        if (row->identical) continue;
        y->psi[r] = row->geometric ? lia_diff_rate(&y->rates, row->equation) : row->equation;
    }
    return name_spins(y) && find_quadratic(y) && !y->graph->failed;
}

LiaGeometry* lia_geometry_create(const LiaSystem* system) {
    assert(lia_system_invariants_hold(system));
    LiaGeometry* y = lia_memory_zeros(1, sizeof *y);
    if (!y) return NULL;
    y->system = system;
    if (make(y)) return y;
    lia_geometry_destroy(y);
    return NULL;
}

void lia_geometry_destroy(LiaGeometry* y) {
    if (!y) return;
    lia_resolve_destroy(y->resolver);
    lia_diff_rates_clear(&y->rates);
    lia_graph_destroy(y->graph);
    lia_arena_destroy(y->arena);
    free(y);
}

bool lia_geometry_generator(LiaGeometry* y, uint32_t symmetry, LiaExpr* xi) {
    assert(symmetry < y->system->model->symmetries_count);
    const LiaSymmetry* sym = &y->system->model->symmetries[symmetry];
    for (uint32_t i = 0; i < y->system->n; i++) xi[i] = lia_graph_integer(y->graph, 0);
    for (uint32_t k = 0; k < sym->count; k++) {
        LiaExpr f = lia_resolve_term(y->resolver, sym->parts[k].term);
        if (!f.index) return false;
        xi[sym->parts[k].coordinate] = f;
    }
    return !y->graph->failed;
}

LiaExpr lia_geometry_number(LiaGraph* g, double x) {
    if (x == 0.0) return lia_graph_integer(g, 0);
    for (int64_t d = 1; d <= DENOMINATOR_MOST; d++) {
        double top = x * (double)d;
        if (fabs(top - round(top)) < LIA_FRACTION_IS * fabs(top) && fabs(top) < NUMERATOR_MOST) {
            return lia_graph_rational(g, (int64_t)llround(top), d);
        }
    }
    return lia_graph_real(g, x);
}
