// A model of a phase space as rows: (P, Lambda, H, D, W) (Marle).
//
//   flow         x' = Lambda dH + forces + W l'          n rows, which act on x
//   D            phi(x) = 0                              which acts on the impulse l
//
// There is no mass: K0 is (0 Omega^T; J 0) with J = (1 -W; dphi 0), regular where dphi W is. l' is
// the force: Q = -l' makes it the multiplier of D. Projection moves x along W, as it should be.
// SPDX-License-Identifier: MIT
#include "mechanics/assembly/phase.h"
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include <math.h>
#include <stdlib.h>

LiaExpr lia_phase_rate_of_H(LiaSystem* s, const LiaExpr* direction) {
    LiaGraph* g = s->graph;
    LiaExpr sum = lia_graph_integer(g, 0);
    for (uint32_t i = 0; i < s->n; i++) {
        if (lia_graph_is_zero(g, direction[i])) continue;
        // dL/dx = -dH/dx
        sum = lia_graph_sub(g, sum, lia_graph_mul(g, direction[i], s->lagrange.dL_dq[i]));
    }
    return sum;
}

static void add_to(LiaSystem* s, uint32_t i, LiaExpr factor, LiaExpr term) {
    LiaGraph* g = s->graph;
    s->phase.flow[i] = lia_graph_add(g, s->phase.flow[i], lia_graph_mul(g, factor, term));
}

// --- Lambda dH ----------------------------------------------------------------------------------

enum { FACTORS_MOST = 24 };

// The factors of a product of quotients: those above the line, those below it, and the sign.
typedef struct Factors {
    LiaExpr above[FACTORS_MOST], below[FACTORS_MOST];
    int above_count, below_count;
    bool minus;
    bool full;  // there are more
} Factors;

static void take_factor(const LiaGraph* g, LiaExpr x, bool below, int depth, Factors* out) {
    const LiaNode* n = lia_graph_node(g, x);
    LiaExpr a = {n->a}, b = {n->b};
    int* count = below ? &out->below_count : &out->above_count;
    bool taken_apart = n->op == LIA_OP_MUL || n->op == LIA_OP_DIV || n->op == LIA_OP_NEG;
    if (*count == FACTORS_MOST || (taken_apart && depth == FACTORS_MOST)) out->full = true;
    if (out->full) return;
    if (!taken_apart) {
        (below ? out->below : out->above)[(*count)++] = x;
        return;
    }
    out->minus = out->minus != (n->op == LIA_OP_NEG);
    take_factor(g, a, below, depth + 1, out);
    if (n->op == LIA_OP_NEG) return;
    take_factor(g, b, n->op == LIA_OP_DIV ? !below : below, depth + 1, out);
}

static int by_index(const void* a, const void* b) {
    uint32_t x = ((const LiaExpr*)a)->index, y = ((const LiaExpr*)b)->index;
    return (x > y) - (x < y);
}

static LiaExpr product_of(LiaGraph* g, LiaExpr* factors, int count) {
    LiaExpr all = lia_graph_integer(g, 1);
    qsort(factors, (size_t)count, sizeof *factors, by_index);
    for (int i = 0; i < count; i++) all = lia_graph_mul(g, all, factors[i]);
    return all;
}

// a b with its factors in one order: x (y/I) and y (x/I) are one formula, and cancel to the last
// bit in M x (M/I).
static LiaExpr product(LiaGraph* g, LiaExpr a, LiaExpr b) {
    Factors f = {.above_count = 0};
    take_factor(g, a, false, 0, &f);
    take_factor(g, b, false, 0, &f);
    if (f.full) return lia_graph_mul(g, a, b);
    LiaExpr above = product_of(g, f.above, f.above_count);
    LiaExpr all = lia_graph_div(g, above, product_of(g, f.below, f.below_count));
    return f.minus ? lia_graph_neg(g, all) : all;
}

// x' = {x, y} dH/dy + ...; terms that are opposite to each other are left out.
static void add_terms(LiaSystem* s, uint32_t i, LiaExpr* terms, uint32_t count) {
    LiaGraph* g = s->graph;
    for (uint32_t k = 0; k < count; k++) {
        LiaExpr opposite = lia_graph_neg(g, terms[k]);
        bool cancels = false;
        for (uint32_t j = k + 1; j < count && !cancels; j++) {
            cancels = lia_expr_same(terms[j], opposite);
            if (cancels) terms[j] = lia_graph_integer(g, 0);
        }
        if (!cancels) s->phase.flow[i] = lia_graph_add(g, s->phase.flow[i], terms[k]);
    }
}

// Each bracket stands in two rows of Lambda.
static bool add_brackets(LiaSystem* s, LiaResolver* resolver) {
    LiaGraph* g = s->graph;
    const LiaModel* m = s->model;
    uint32_t* first = lia_memory_zeros((size_t)s->n + 2, sizeof *first);
    uint32_t* filled = lia_memory_zeros((size_t)s->n + 1, sizeof *filled);
    LiaExpr* terms = lia_memory_zeros(2 * (size_t)m->phase.brackets_count + 1, sizeof *terms);
    bool ok = first && filled && terms;
    for (uint32_t k = 0; ok && k < m->phase.brackets_count; k++) {
        first[m->phase.brackets[k].first + 1]++;
        first[m->phase.brackets[k].second + 1]++;
    }
    for (uint32_t i = 0; ok && i < s->n; i++) first[i + 1] += first[i];
    for (uint32_t k = 0; ok && k < m->phase.brackets_count; k++) {
        const LiaBracket* b = &m->phase.brackets[k];
        if (b->repeated) continue;
        LiaExpr entry = lia_resolve_term(resolver, b->term);
        ok = entry.index != 0;
        if (!ok) break;
        terms[first[b->first] + filled[b->first]++] =
            lia_graph_neg(g, product(g, entry, s->lagrange.dL_dq[b->second]));
        terms[first[b->second] + filled[b->second]++] =
            product(g, entry, s->lagrange.dL_dq[b->first]);
    }
    for (uint32_t i = 0; ok && i < s->n; i++) add_terms(s, i, terms + first[i], filled[i]);
    free(first);
    free(filled);
    free(terms);
    return ok;
}

// --- forces -------------------------------------------------------------------------------------

static bool add_direction(LiaSystem* s, LiaResolver* resolver, const LiaForm* form, LiaExpr factor,
                          LiaDiags* diags) {
    LiaExpr* w = lia_memory_zeros((size_t)s->n + 1, sizeof *w);
    bool right = w && lia_resolve_form(resolver, form, diags, w);
    for (uint32_t i = 0; right && i < s->n; i++) add_to(s, i, factor, w[i]);
    free(w);
    return right;
}

uint32_t lia_phase_variables(const LiaSystem* s) {
    uint32_t n = 0;
    while (n < s->n && !s->model->coordinates[n].inner) n++;
    return n;
}

void lia_phase_sample(const LiaSystem* s, double* q, uint64_t* random) {
    const LiaModel* m = s->model;
    for (uint32_t i = 0; i < s->n; i++) q[i] = 0.0;
    for (uint32_t k = 0; k < m->start.values_count; k++)
        q[m->start.values[k].coordinate] = m->start.values[k].value;
    for (uint32_t i = 0, n = lia_phase_variables(s); i < n; i++) {
        q[i] += (1.0 + fabs(q[i])) * 0.5 * lia_random_even(random);
    }
}

bool lia_phase_build(LiaSystem* s, LiaResolver* resolver, LiaDiags* diags) {
    const LiaModel* m = s->model;
    if (!m->phase.is) return true;
    LiaExpr one = lia_graph_integer(s->graph, 1);
    s->phase.flow = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    if (!s->phase.flow) return false;
    for (uint32_t i = 0; i < s->n; i++) s->phase.flow[i] = lia_graph_integer(s->graph, 0);
    bool ok = add_brackets(s, resolver);
    for (uint32_t f = 0; ok && f < m->forces_count; f++) {
        ok = add_direction(s, resolver, &m->forces[f].form, one, diags);
    }
    for (uint32_t c = 0; ok && c < m->constraints_count; c++) {
        const LiaConstraint* of = &m->constraints[c];
        for (uint32_t k = 0; ok && of->impulse && k < of->form_count; k++) {
            ok = add_direction(s, resolver, &of->forms[k], s->v[of->impulse - 1 + k], diags);
        }
    }
    return ok && lia_casimir_build(s, resolver);
}

bool lia_phase_direction(LiaSystem* s, LiaResolver* resolver, LiaRow* row, LiaExpr* Omega,
                         LiaDiags* diags) {
    const LiaConstraint* c = &s->model->constraints[row->constraint];
    const LiaForm* form = &c->forms[row->part];
    if (!lia_resolve_form(resolver, form, diags, Omega)) return false;
    bool any = false;
    for (uint32_t i = 0; i < s->n; i++) any = any || !lia_graph_is_zero(s->graph, Omega[i]);
    if (!any) {
        lia_diag_error(diags, form->span, "E0215",
                       "this direction is zero: '%s' would have no force", c->name);
        return false;
    }
    row->Omega_v = lia_phase_rate_of_H(s, Omega);
    for (uint32_t i = 0; i < s->n; i++) Omega[i] = lia_graph_integer(s->graph, 0);
    Omega[c->impulse - 1 + row->part] = lia_graph_integer(s->graph, 1);
    return true;
}
