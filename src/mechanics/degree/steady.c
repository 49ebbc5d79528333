// Equilibria, steady motions, linear equations. See steady.h.
//
// The formulas looked at: p, dL/dq, Q, Omega and the equations on the level of velocities, psi or
// d(phi)/dt.
//   linear   the derivatives of all but Omega by q and v, and Omega itself, are constants
//   steady   none of them contains time or a coordinate that moves, and no acceleration is left
// SPDX-License-Identifier: MIT
#include "mechanics/degree/steady.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include <math.h>
#include <stdlib.h>

typedef struct Look {
    const LiaWorkspace* w;
    const LiaSystem* s;
    LiaGraph* g;
    LiaRates rates;
    LiaExpr* f;    // the formulas: p, dL/dq, Q, psi                    (smooth)
    LiaExpr* all;  // these, then the entries of Omega                  (count)
    LiaExpr* d;    // derivatives by q and v                            (2 n)
    size_t smooth, count;
    LiaValues values;
    double* size;  // what the rounding of each is a part of, by node
    double* unit;  // of coordinates; 0: driven                         (n)
} Look;

static bool gather(Look* k) {
    const LiaSystem* s = k->s;
    size_t n = s->n, entries = 0;
    for (uint32_t r = 0; r < s->row_count; r++) entries += s->rows[r].entries;
    k->all = lia_memory_zeros(3 * n + s->row_count + entries + 1, sizeof *k->all);
    k->d = lia_memory_zeros(2 * n + 1, sizeof *k->d);
    if (!k->all || !k->d) return false;
    k->f = k->all;
    for (size_t i = 0; i < n; i++) {
        k->f[k->smooth++] = s->lagrange.p[i];
        k->f[k->smooth++] = s->lagrange.dL_dq[i];
        k->f[k->smooth++] = s->lagrange.Q[i];
    }
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        if (row->identical) continue;
        LiaExpr psi = row->geometric ? lia_diff_rate(&k->rates, row->equation) : row->equation;
        if (!psi.index) return false;
        k->f[k->smooth++] = psi;
    }
    k->count = k->smooth;
    for (uint32_t r = 0; r < s->row_count; r++) {
        for (uint32_t e = 0; e < s->rows[r].entries; e++) {
            k->all[k->count++] = s->rows[r].Omega[e];
        }
    }
    if (k->g->failed || !lia_evaluate_init(&k->values, k->g, k->all, k->count)) return false;
    k->size = lia_memory_zeros((size_t)k->values.size + n + 1, sizeof *k->size);
    k->unit = k->size ? k->size + k->values.size : NULL;
    return k->size;
}

static bool is_constant(const Look* k, LiaExpr f) {
    unsigned moving = LIA_DEPENDS(TIME) | LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY);
    return !(lia_graph_node(k->g, f)->depends & moving);
}

static bool is_linear(Look* k) {
    size_t n = k->s->n;
    for (size_t i = k->smooth; i < k->count; i++) {
        if (!is_constant(k, k->all[i])) return false;
    }
    for (size_t i = 0; i < k->smooth; i++) {
        if (!lia_diff_gradient(k->g, k->f[i], k->s->q, n, k->d)) return false;
        if (!lia_diff_gradient(k->g, k->f[i], k->s->v, n, k->d + n)) return false;
        for (size_t j = 0; j < 2 * n; j++) {
            if (!is_constant(k, k->d[j])) return false;
        }
    }
    return true;
}

// Nothing contains time, nor a coordinate whose velocity is not zero.
static bool stays_the_same(const Look* k) {
    for (uint32_t i = 0; i < k->values.count; i++) {
        const LiaNode* node = &k->g->nodes[k->values.nodes[i]];
        if (node->op != LIA_OP_SYMBOL) continue;
        if (node->symbol_kind == LIA_SYMBOL_TIME) return false;
        if (node->symbol_kind == LIA_SYMBOL_POSITION && k->w->v[node->a] != 0.0) return false;
    }
    return true;
}

// a is zero but for the rounding of the forces that balance.
static bool is_balanced(Look* k) {
    const LiaWorkspace* w = k->w;
    const LiaSystem* s = k->s;
    LiaSymbols at = {.t = w->t, .parameters = s->parameters, .q = w->q, .v = w->v};
    double left = 0.0, size = 0.0;  // in units in which the inertia of each coordinate is 1
    lia_evaluate_run(&k->values, &at);
    lia_sizes_run(&k->values, &(LiaSymbols){0}, k->size);
    for (int i = 0; i < w->nf; i++) {
        uint32_t c = w->dynamics->free[i];
        double sum = 0.0;
        LiaEntries M = lia_workspace_M(w, i);
        for (int j = 0; j < M.count; j++) {
            sum += M.value[j] * w->a[w->dynamics->free[lia_entry_column(&M, j)]];
        }
        LiaExpr dL = s->lagrange.dL_dq[c], Q = s->lagrange.Q[c];
        double inertia = lia_workspace_inertia(w, i);
        double unit = k->unit[c] = inertia > 0.0 ? 1.0 / sqrt(inertia) : 1.0;
        left = fmax(left, unit * fabs(sum));
        size = fmax(size, unit * LIA_IDENTITY *
                              (fabs(lia_value(&k->values, dL)) + fabs(lia_value(&k->values, Q))));
        size = fmax(size, unit * LIA_IDENTITY_LEAST * (k->size[dL.index] + k->size[Q.index]));
    }
    for (uint32_t r = 0; r < s->row_count; r++) {
        for (uint32_t e = 0; e < s->rows[r].entries; e++) {
            double force = w->mu[r] * lia_value(&k->values, s->rows[r].Omega[e]);
            double unit = k->unit[s->rows[r].coordinate[e]];
            size = fmax(size, LIA_IDENTITY * fabs(force) * unit);
        }
    }
    return left <= size;
}

LiaSteady lia_steady_find(const LiaWorkspace* w) {
    Look k = {.w = w, .s = w->system, .g = lia_graph_copy(w->system->graph)};
    LiaSteady found = LIA_STEADY_NOT;
    if (!k.g) return found;
    lia_diff_rates_init(&k.rates, k.g);
    if (gather(&k)) {
        if (stays_the_same(&k) && is_balanced(&k)) {
            found = LIA_STEADY_EQUILIBRIUM;
            for (uint32_t i = 0; i < k.s->n; i++) {
                if (w->v[i] != 0.0) found = LIA_STEADY_MOTION;
            }
        } else if (is_linear(&k)) {
            found = LIA_STEADY_LINEAR;
        }
    }
    lia_evaluate_clear(&k.values);
    lia_diff_rates_clear(&k.rates);
    lia_graph_destroy(k.g);
    free(k.all);
    free(k.size);
    free(k.d);
    return found;
}
