// Fields that span the kernel of forms. See kernel_fields.h.
// SPDX-License-Identifier: MIT
#include "geometry/integrability/kernel_fields.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool depends_on_time(const LiaGraph* g, LiaExpr f) {
    return (lia_graph_node(g, f)->depends & LIA_DEPENDS(TIME)) != 0;
}

bool lia_kernel_fields_init(LiaKernelFields* k, const LiaGeometry* y, bool driftless) {
    const LiaSystem* s = y->system;
    *k = (LiaKernelFields){.n = s->n, .N = s->n, .arena = lia_arena_create()};
    k->graph = lia_graph_copy(y->graph);
    if (!k->arena || !k->graph) return false;
    size_t n = s->n;
    k->every = LIA_ARENA_NEW(k->arena, uint32_t, s->row_count + 1);
    LiaExpr* A = LIA_ARENA_NEW(k->arena, LiaExpr, (size_t)s->row_count * (n + 1) + 1);
    LiaExpr* zero = LIA_ARENA_NEW(k->arena, LiaExpr, n + 1);
    if (!k->every || !A || !zero) return false;
    for (size_t i = 0; i < n; i++) zero[i] = lia_graph_integer(k->graph, 0);
    for (uint32_t e = 0; e < 2 * s->row_count; e++) {  // those that follow from others come last
        uint32_t r = e % s->row_count;
        bool late = e >= s->row_count;
        if (s->rows[r].identical || s->rows[r].follows != late) continue;
        if (driftless && s->model->constraints[s->rows[r].constraint].active) continue;
        LiaExpr* row = A + k->all * (n + 1);
        if (!lia_diff_gradient(k->graph, y->psi[r], s->v, n, row)) return false;
        row[n] = lia_diff_substitute(k->graph, y->psi[r], LIA_SYMBOL_VELOCITY, zero, n);
        bool time = !lia_graph_is_zero(k->graph, row[n]);
        for (size_t i = 0; i < n; i++) time |= depends_on_time(k->graph, row[i]);
        k->time |= time && !driftless;
        k->every[k->all++] = r;
        if (!late) k->used = k->all;
    }
    if (k->time) k->N++;
    k->A = LIA_ARENA_NEW(k->arena, LiaExpr, (size_t)k->all * k->N + 1);
    if (!k->A) return false;
    for (uint32_t r = 0; r < k->all; r++) {
        memcpy(k->A + (size_t)r * k->N, A + (size_t)r * (n + 1), k->N * sizeof *A);
    }
    return !k->graph->failed;
}

void lia_kernel_fields_clear(LiaKernelFields* k) {
    lia_graph_destroy(k->graph);
    lia_arena_destroy(k->arena);
    *k = (LiaKernelFields){0};
}

// Numbers of the forms at a place, rows of size 1 over the coordinates: time is no pivot.
static bool evaluate(const LiaKernelFields* k, double t, const double* q, const double* parameters,
                     double* a) {
    LiaValues values;
    size_t count = (size_t)k->all * k->N;
    if (!lia_evaluate_init(&values, k->graph, k->A, count)) return false;
    LiaSymbols at = {.t = t, .parameters = parameters, .q = q};
    lia_evaluate_run(&values, &at);
    bool finite = true;
    for (size_t i = 0; i < count; i++) {
        a[i] = lia_value(&values, k->A[i]);
        finite &= isfinite(a[i]) != 0;
    }
    lia_evaluate_clear(&values);
    for (uint32_t r = 0; r < k->all; r++) {
        double size = 0.0;
        for (uint32_t i = 0; i < k->n; i++) size = fmax(size, fabs(a[r * k->N + i]));
        for (uint32_t i = 0; i < k->N && size > 0.0; i++) a[r * k->N + i] /= size;
    }
    return finite;
}

// The largest entry of the rows not used yet, over coordinates that are no pivots.
static double largest(const LiaKernelFields* k, const double* a, const bool* used,
                      const bool* taken, uint32_t* row, uint32_t* column) {
    double most = 0.0;
    for (uint32_t r = 0; r < k->used; r++) {
        for (uint32_t i = 0; !used[r] && i < k->n; i++) {
            if (taken[i] || !(fabs(a[r * k->N + i]) > most)) continue;
            most = fabs(a[r * k->N + i]);
            *row = r, *column = i;
        }
    }
    return most;
}

// theta of row `to` minus a multiple of the pivot's row, so that `column` vanishes: in numbers and
// as formulas.
static void eliminate(LiaKernelFields* k, double* a, LiaExpr* rows, uint32_t from, uint32_t to,
                      uint32_t column) {
    LiaGraph* g = k->graph;
    size_t N = k->N;
    double part = a[to * N + column] / a[from * N + column];
    for (uint32_t i = 0; i < N; i++) a[to * N + i] -= part * a[from * N + i];
    a[to * N + column] = 0.0;
    LiaExpr entry = rows[to * N + column];
    if (lia_graph_is_zero(g, entry)) return;
    LiaExpr ratio = lia_graph_div(g, entry, rows[from * N + column]);
    for (uint32_t i = 0; i < N; i++) {
        rows[to * N + i] = i == column ? lia_graph_integer(g, 0)
                                       : lia_graph_sub(g, rows[to * N + i],
                                                       lia_graph_mul(g, ratio, rows[from * N + i]));
    }
}

static bool make_fields(LiaKernelFields* k, const LiaExpr* rows, const uint32_t* at,
                        const bool* taken) {
    LiaGraph* g = k->graph;
    size_t N = k->N;
    k->count = 0;
    k->X = LIA_ARENA_NEW(k->arena, LiaExpr, (N - k->rows) * N + 1);
    if (!k->X) return false;
    for (uint32_t j = 0; j < N; j++) {
        if (j < k->n && taken[j]) continue;
        LiaExpr* X = k->X + (size_t)k->count++ * N;
        for (uint32_t i = 0; i < N; i++) X[i] = lia_graph_integer(g, i == j);
        for (uint32_t r = 0; r < k->rows; r++) {
            LiaExpr entry = rows[at[r] * N + j];
            if (lia_graph_is_zero(g, entry)) continue;
            LiaExpr quotient = lia_graph_div(g, entry, rows[at[r] * N + k->pivot[r]]);
            X[k->pivot[r]] = lia_graph_neg(g, quotient);
        }
    }
    return !g->failed;
}

bool lia_kernel_fields_solve(LiaKernelFields* k, double t, const double* q,
                             const double* parameters) {
    size_t N = k->N, count = (size_t)k->all * N;
    double* a = LIA_ARENA_NEW(k->arena, double, count + 1);
    LiaExpr* rows = LIA_ARENA_NEW(k->arena, LiaExpr, count + 1);
    uint32_t* at = LIA_ARENA_NEW(k->arena, uint32_t, k->all + 1);
    bool* used = LIA_ARENA_NEW(k->arena, bool, k->all + 1);
    bool* taken = LIA_ARENA_NEW(k->arena, bool, N + 1);
    k->pivot = LIA_ARENA_NEW(k->arena, uint32_t, k->all + 1);
    k->row = LIA_ARENA_NEW(k->arena, uint32_t, k->all + 1);
    if (!a || !rows || !at || !used || !taken || !k->pivot || !k->row) return false;
    if (!evaluate(k, t, q, parameters, a)) return false;
    memcpy(rows, k->A, count * sizeof *rows);
    uint32_t row = 0, column = 0;
    k->rows = 0;
    while (k->rows < k->used && largest(k, a, used, taken, &row, &column) > LIA_SPAN_CUT) {
        used[row] = taken[column] = true;
        at[k->rows] = row;
        k->pivot[k->rows] = column;
        k->row[k->rows++] = k->every[row];
        for (uint32_t r = 0; r < k->used; r++) {
            if (r != row) eliminate(k, a, rows, row, r, column);
        }
    }
    return make_fields(k, rows, at, taken);
}
