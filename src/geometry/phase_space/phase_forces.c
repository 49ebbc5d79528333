// Forces of a phase space. See phase_forces.h.
// SPDX-License-Identifier: MIT
#include "geometry/phase_space/phase_forces.h"
#include "base/numeric/thresholds.h"
#include "expr/reading/simplify.h"
#include <math.h>
#include <string.h>

enum { EQUATIONS_MOST = 4, LENGTH_MOST = 400 };  // characters of a formula

typedef struct Work {
    LiaGeometry* y;
    uint32_t n, m;                              // phase variables, equations
    LiaExpr S[EQUATIONS_MOST][EQUATIONS_MOST];  // dphi W
    LiaExpr b[EQUATIONS_MOST];                  // -(dphi X + dphi/dt), then mu
    LiaSymbols at;
} Work;

// The equation that impulse k is the force of.
static const LiaRow* row_of(const Work* w, uint32_t k) {
    const LiaSystem* s = w->y->system;
    for (uint32_t r = 0; r < s->row_count; r++) {
        uint32_t impulse = s->model->constraints[s->rows[r].constraint].impulse;
        if (impulse && impulse - 1 + s->rows[r].part == w->n + k) return &s->rows[r];
    }
    return NULL;
}

static LiaExpr sum_of(LiaGraph* g, LiaExpr sum, LiaExpr a, LiaExpr b) {
    return lia_graph_add(g, sum, lia_graph_mul(g, a, b));
}

static bool fill(Work* w) {
    LiaGeometry* y = w->y;
    const LiaSystem* s = y->system;
    LiaGraph* g = y->graph;
    LiaExpr* dphi = LIA_ARENA_NEW(y->arena, LiaExpr, w->n + 1);
    LiaExpr* still = LIA_ARENA_NEW(y->arena, LiaExpr, s->n + 1);
    if (!dphi || !still) return false;
    for (uint32_t i = 0; i < s->n; i++) still[i] = lia_graph_integer(g, 0);
    for (uint32_t k = 0; k < w->m; k++) {
        const LiaRow* row = row_of(w, k);
        if (!row || !lia_diff_gradient(g, row->equation, s->q, w->n, dphi)) return false;
        LiaExpr rate = lia_diff(g, row->equation, y->t);
        for (uint32_t e = 0; e < w->m; e++) w->S[k][e] = lia_graph_integer(g, 0);
        for (uint32_t i = 0; i < w->n; i++) {
            LiaExpr flow = s->phase.flow[i];
            if (lia_graph_is_zero(g, dphi[i])) continue;
            LiaExpr X = lia_diff_substitute(g, flow, LIA_SYMBOL_VELOCITY, still, s->n);
            rate = sum_of(g, rate, dphi[i], X);
            for (uint32_t e = 0; e < w->m; e++)
                w->S[k][e] = sum_of(g, w->S[k][e], dphi[i], lia_diff(g, flow, s->v[w->n + e]));
        }
        for (uint32_t e = 0; e < w->m; e++) w->S[k][e] = lia_simplify(g, w->S[k][e]);
        w->b[k] = lia_simplify(g, lia_graph_neg(g, rate));
    }
    return !g->failed;
}

static double value_of(const Work* w, LiaExpr f) {
    LiaValues values;
    if (!lia_evaluate_init(&values, w->y->graph, &f, 1)) return 0.0;
    lia_evaluate_run(&values, &w->at);
    double x = lia_value(&values, f);
    lia_evaluate_clear(&values);
    return x;
}

// Elimination with the pivots that are largest at the state. False where S is singular there.
static bool solve(Work* w) {
    LiaGraph* g = w->y->graph;
    for (uint32_t c = 0; c < w->m; c++) {
        uint32_t best = c;
        for (uint32_t r = c + 1; r < w->m; r++) {
            if (fabs(value_of(w, w->S[r][c])) > fabs(value_of(w, w->S[best][c]))) best = r;
        }
        if (!(fabs(value_of(w, w->S[best][c])) > 0.0)) return false;
        for (uint32_t e = 0; e <= w->m; e++) {
            LiaExpr *x = e < w->m ? &w->S[c][e] : &w->b[c],
                    *y = e < w->m ? &w->S[best][e] : &w->b[best];
            LiaExpr kept = *x;
            *x = *y, *y = kept;
        }
        for (uint32_t r = 0; r < w->m; r++) {
            if (r == c || lia_graph_is_zero(g, w->S[r][c])) continue;
            LiaExpr part = lia_graph_neg(g, lia_graph_div(g, w->S[r][c], w->S[c][c]));
            for (uint32_t e = c + 1; e < w->m; e++)
                w->S[r][e] = lia_simplify(g, sum_of(g, w->S[r][e], part, w->S[c][e]));
            w->b[r] = lia_simplify(g, sum_of(g, w->b[r], part, w->b[c]));
        }
    }
    for (uint32_t c = 0; c < w->m; c++)
        w->b[c] = lia_simplify(g, lia_graph_div(g, w->b[c], w->S[c][c]));
    return true;
}

bool lia_phase_forces_make(LiaGeometry* y, uint32_t variables, double t, const double* q,
                           LiaExpr* mu) {
    const LiaSystem* s = y->system;
    Work w = {.y = y, .n = variables, .m = s->n - variables};
    w.at = (LiaSymbols){.t = t, .q = q, .parameters = s->parameters};
    memset(mu, 0, w.m * sizeof *mu);
    if (w.m == 0 || w.m > EQUATIONS_MOST) return true;
    if (!fill(&w)) return !y->graph->failed;
    bool solved = solve(&w);
    for (uint32_t k = 0; solved && k < w.m; k++) {
        if (lia_simplify_length(y->graph, w.b[k]) <= LENGTH_MOST) mu[k] = w.b[k];
    }
    return !y->graph->failed;
}
