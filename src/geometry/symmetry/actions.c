// Generators in numbers. See actions.h.
// SPDX-License-Identifier: MIT
#include "geometry/symmetry/actions.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/free_state.h"
#include "geometry/span.h"
#include "mechanics/kkt/stage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- formulas ----------------------------------------------------------------------------------

static bool prepare_rows(LiaActions* k) {
    LiaGeometry* y = k->geometry;
    const LiaSystem* s = y->system;
    size_t n = k->n, m = k->m;
    LiaExpr* form = LIA_ARENA_NEW(y->arena, LiaExpr, n + 1);
    if (!form) return false;
    for (size_t r = 0; r <= m; r++) {
        for (size_t i = 0; i < n; i++)
            form[i] = r < m ? lia_system_Omega(s, k->row[r], i) : s->lagrange.Q[i];
        if (!lia_diff_pullback(y->graph, (LiaWeightedSum){form, y->w, n}, s->q, n,
                               k->formulas.form_q + r * n) ||
            !lia_diff_pullback(y->graph, (LiaWeightedSum){form, y->w, n}, s->v, n,
                               k->formulas.form_v + r * n)) {
            return false;
        }
        if (r == m) break;
        if (!lia_diff_gradient(y->graph, y->psi[k->row[r]], s->q, n, k->formulas.psi_q + r * n) ||
            !lia_diff_gradient(y->graph, y->psi[k->row[r]], s->v, n, k->formulas.psi_v + r * n)) {
            return false;
        }
    }
    return true;
}

static bool prepare_generators(LiaActions* k, const LiaExpr* xi) {
    LiaGeometry* y = k->geometry;
    const LiaSystem* s = y->system;
    size_t n = k->n;
    for (size_t e = 0; e < k->count * n; e++) {
        k->formulas.xi[e] = xi[e];
        k->formulas.rate[e] = lia_diff_rate(&y->rates, xi[e]);
        if (!k->formulas.rate[e].index) return false;
        if (!k->carries || lia_graph_is_zero(y->graph, xi[e])) continue;
        if (!lia_diff_gradient(y->graph, xi[e], s->q, n, k->formulas.slope + e * n)) return false;
    }
    return true;
}

static bool take_formulas(LiaActions* k, const LiaExpr* xi) {
    LiaGeometry* y = k->geometry;
    const LiaSystem* s = y->system;
    size_t n = k->n, m = k->m, c = k->count, at = 0;
    size_t slopes = k->carries ? c * n * n : 0, rows = k->carries ? 2 * m * n : 0;
    size_t forms = k->carries ? 2 * (m + 1) * n : 0;
    size_t all = 2 * c * n + slopes + rows + forms + 3 * n + m * n + 2;
    k->formulas.roots = lia_memory_zeros(all, sizeof *k->formulas.roots);
    if (!k->formulas.roots) return false;
    k->formulas.xi = k->formulas.roots, at += c * n;
    k->formulas.rate = k->formulas.roots + at, at += c * n;
    k->formulas.slope = k->formulas.roots + at, at += slopes;
    k->formulas.psi_q = k->formulas.roots + at, k->formulas.psi_v = k->formulas.psi_q + rows / 2,
    at += rows;
    k->formulas.form_q = k->formulas.roots + at,
    k->formulas.form_v = k->formulas.form_q + forms / 2, at += forms;
    if (!prepare_generators(k, xi) || (k->carries && !prepare_rows(k))) return false;
    for (size_t i = 0; i < n; i++) {  // what is read with them
        k->formulas.roots[at++] = s->lagrange.p[i], k->formulas.roots[at++] = s->lagrange.dL_dq[i],
        k->formulas.roots[at++] = s->lagrange.Q[i];
    }
    for (size_t r = 0; r < m; r++) {
        for (size_t i = 0; i < n; i++) k->formulas.roots[at++] = lia_system_Omega(s, k->row[r], i);
    }
    k->formulas.dL_dt = lia_diff(y->graph, s->energy.lagrangian, y->t);
    k->formulas.roots[at++] = k->formulas.dL_dt;
    return k->formulas.dL_dt.index &&
           lia_evaluate_init(&k->values, y->graph, k->formulas.roots, at);
}

bool lia_actions_init(LiaActions* k, LiaGeometry* y, LiaAdmissible* z, const LiaExpr* xi,
                      size_t count, bool carries) {
    *k = (LiaActions){.geometry = y,
                      .z = z,
                      .n = y->system->n,
                      .m = (size_t)z->m,
                      .count = count,
                      .row = z->w->dynamics->rows,
                      .carries = carries};
    size_t n = k->n, m = k->m, forms = carries ? (m + 1) * n : 0;
    size_t numbers = 2 * count * n + 3 * n + (m + 1) * n;
    size_t sums = count * (4 + 2 * m + forms) + 1;
    k->block = lia_memory_zeros(numbers * sizeof(double) + sums * sizeof(LiaSum), 1);
    if (!k->block || !take_formulas(k, xi)) return false;
    k->x = k->block, k->x_rate = k->x + count * n, k->w = k->x_rate + count * n;
    k->q = k->w + n, k->v = k->q + n, k->outside = k->v + n;
    k->change = (LiaSum*)(k->outside + (m + 1) * n);
    k->force = k->change + count, k->reaction = k->force + count;
    k->momentum = k->reaction + count, k->across = k->momentum + count;
    k->states = k->across + count * m, k->forms = k->states + count * m;
    return true;
}

void lia_actions_clear(LiaActions* k) {
    lia_evaluate_clear(&k->values);
    free(k->formulas.roots);
    free(k->block);
    *k = (LiaActions){0};
}

// --- numbers -----------------------------------------------------------------------------------

static double value(const LiaActions* k, LiaExpr f) { return lia_value(&k->values, f); }

static void add(LiaSum* sum, double term) {
    sum->value += term;
    sum->size += fabs(term);
}

static void take_generators(LiaActions* k) {
    for (size_t e = 0; e < k->count * k->n; e++) {
        k->x[e] = value(k, k->formulas.xi[e]);
        k->x_rate[e] = value(k, k->formulas.rate[e]);
    }
}

static void change_of(LiaActions* k) {
    const LiaSystem* s = k->geometry->system;
    for (size_t g = 0; g < k->count; g++) {
        const double *x = k->x + g * k->n, *rate = k->x_rate + g * k->n;
        k->change[g] = k->momentum[g] = (LiaSum){0};
        for (size_t i = 0; i < k->n; i++) {
            double p = value(k, s->lagrange.p[i]);
            add(&k->change[g], value(k, s->lagrange.dL_dq[i]) * x[i]);
            add(&k->change[g], p * rate[i]);
            add(&k->momentum[g], p * x[i]);
        }
    }
}

// The largest force of a constraint on any coordinate: the rounding of all multipliers is relative
// to it.
static double largest_force(const LiaActions* k, const LiaWorkspace* w) {
    double most = 0.0;
    for (size_t c = 0; k->solved && c < k->m; c++) {
        for (size_t i = 0; i < k->n; i++)
            most = fmax(most, fabs(w->mu[k->row[c]] * w->saddle.Omega[c * k->n + i]));
    }
    return most;
}

static double largest_of(const double* x, size_t n) {
    double most = 0.0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static void forces_of(LiaActions* k, LiaWorkspace* w) {
    const LiaSystem* s = k->geometry->system;
    k->solved = lia_workspace_factor(w);
    if (k->solved) lia_stage_accelerate(w);
    // so that this part of it is rounding where LIA_IDENTITY of the terms is
    double rounding = LIA_REACTION_ROUNDING / LIA_IDENTITY * largest_force(k, w);
    for (size_t g = 0; g < k->count; g++) {
        const double* x = k->x + g * k->n;
        k->force[g] = (LiaSum){0};
        k->reaction[g] = (LiaSum){0.0, rounding * largest_of(x, k->n)};
        for (size_t i = 0; i < k->n; i++) add(&k->force[g], value(k, s->lagrange.Q[i]) * x[i]);
        for (size_t c = 0; c < k->m; c++) {
            double sum = 0.0, a = 0.0, b = 0.0;
            for (size_t i = 0; i < k->n; i++) {
                double Omega = w->saddle.Omega[c * k->n + i];
                if (k->solved) add(&k->reaction[g], w->mu[k->row[c]] * Omega * x[i]);
                sum += Omega * x[i];
                a = fmax(a, fabs(Omega)), b = fmax(b, fabs(x[i]));
            }
            k->across[g * k->m + c] = (LiaSum){sum, a * b};
        }
    }
    k->energy = (LiaSum){0.0, rounding * largest_of(w->v, k->n)};
    add(&k->energy, -value(k, k->formulas.dL_dt));
    for (size_t i = 0; i < k->n; i++) {
        add(&k->energy, value(k, s->lagrange.Q[i]) * w->v[i]);
        for (size_t c = 0; k->solved && c < k->m; c++) {
            add(&k->energy, w->mu[k->row[c]] * w->saddle.Omega[c * k->n + i] * w->v[i]);
        }
    }
}

static void equations_of(LiaActions* k, const LiaWorkspace* w) {
    const LiaSystem* s = k->geometry->system;
    for (size_t g = 0; g < k->count; g++) {
        const double *x = k->x + g * k->n, *rate = k->x_rate + g * k->n;
        for (size_t r = 0; r < k->m; r++) {
            const LiaRow* row = &s->rows[k->row[r]];
            bool geometric = row->geometric && !row->levelled;
            LiaSum* sum = &k->states[g * k->m + r];
            *sum = (LiaSum){0};
            for (size_t i = 0; i < k->n; i++) {
                size_t at = r * k->n + i;
                add(sum, (geometric ? w->saddle.J[at] : value(k, k->formulas.psi_q[at])) * x[i]);
                if (!geometric) add(sum, value(k, k->formulas.psi_v[at]) * rate[i]);
            }
        }
    }
}

// Component i of each form carried along each generator; the displacement is e_i.
static void component_of_forms(LiaActions* k, const LiaWorkspace* w, size_t i) {
    size_t n = k->n, m = k->m;
    for (size_t g = 0; g < k->count; g++) {
        const double *x = k->x + g * n, *rate = k->x_rate + g * n;
        const LiaExpr* slope = k->formulas.slope + g * n * n;
        for (size_t r = 0; r <= m; r++) {
            LiaSum* sum = &k->forms[(g * (m + 1) + r) * n + i];
            *sum = (LiaSum){0};
            for (size_t e = 0; e < n; e++) {
                double Omega = r < m ? w->saddle.Omega[r * n + e]
                                     : value(k, k->geometry->system->lagrange.Q[e]);
                LiaExpr turned = slope[e * n + i];
                add(sum, x[e] * value(k, k->formulas.form_q[r * n + e]));
                add(sum, rate[e] * value(k, k->formulas.form_v[r * n + e]));
                if (turned.index) add(sum, Omega * value(k, turned));
            }
        }
    }
}

// What of the forms carried along is outside the span of Omega; the size is that of the whole form.
static bool forms_of(LiaActions* k, LiaSymbols* at, const LiaWorkspace* w) {
    size_t n = k->n, m = k->m;
    for (size_t i = 0; i < n; i++) {
        memset(k->w, 0, n * sizeof *k->w);
        k->w[i] = 1.0;
        lia_evaluate_run(&k->values, at);
        component_of_forms(k, w, i);
    }
    for (size_t g = 0; g < k->count; g++) {
        LiaSum* forms = k->forms + g * (m + 1) * n;
        for (size_t e = 0; e < (m + 1) * n; e++) k->outside[e] = forms[e].value;
        if (!lia_span_outside((int)m, w->saddle.Omega, (int)n, (int)m + 1, k->outside))
            return false;
        for (size_t r = 0; r <= m; r++) {
            double size = 0.0;
            for (size_t i = 0; i < n; i++) size += forms[r * n + i].size;
            for (size_t i = 0; i < n; i++) forms[r * n + i] = (LiaSum){k->outside[r * n + i], size};
        }
    }
    return true;
}

bool lia_actions_look(LiaActions* k, const LiaSamples* samples, uint32_t sample, bool carries) {
    lia_admissible_load(k->z, samples, sample);
    LiaWorkspace* w = k->z->w;
    LiaSymbols at = {
        .t = w->t, .parameters = k->geometry->system->parameters, .q = w->q, .v = w->v, .w = k->w};
    lia_evaluate_run(&k->values, &at);
    take_generators(k);
    change_of(k);
    forces_of(k, w);
    if (!k->carries || !carries) return true;
    equations_of(k, w);
    return forms_of(k, &at, w);
}

void lia_actions_look_anywhere(LiaActions* k, const LiaSamples* samples, uint32_t sample,
                               double radius) {
    const LiaSystem* s = k->geometry->system;
    memcpy(k->q, samples->q + sample * k->n, k->n * sizeof *k->q);
    memcpy(k->v, samples->v + sample * k->n, k->n * sizeof *k->v);
    lia_free_state_make(s, sample + 1, radius, k->q, k->v);
    LiaSymbols at = {
        .t = samples->t[sample], .parameters = s->parameters, .q = k->q, .v = k->v, .w = k->w};
    lia_evaluate_run(&k->values, &at);
    take_generators(k);
    change_of(k);
}
