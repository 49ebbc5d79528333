// Generators in numbers. See actions.h.
// SPDX-License-Identifier: MIT
#include "geometry/symmetry/actions.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/free_state.h"
#include "geometry/span.h"
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
    if (!lia_reactions_init(&k->reactions, z) || !take_formulas(k, xi)) return false;
    size_t numbers = 2 * count * n + 3 * n + (2 * m + 1) * n + k->values.size;
    size_t sums = count * (4 + 2 * m + forms) + 1;
    k->block = lia_memory_zeros(numbers * sizeof(double) + sums * sizeof(LiaSum), 1);
    if (!k->block) return false;
    k->x = k->block, k->x_rate = k->x + count * n, k->w = k->x_rate + count * n;
    k->q = k->w + n, k->v = k->q + n, k->outside = k->v + n;
    k->Omega = k->outside + (m + 1) * n, k->size = k->Omega + m * n;
    k->change = (LiaSum*)(k->size + k->values.size);
    k->force = k->change + count, k->reaction = k->force + count;
    k->momentum = k->reaction + count, k->across = k->momentum + count;
    k->states = k->across + count * m, k->forms = k->states + count * m;
    return true;
}

void lia_actions_clear(LiaActions* k) {
    lia_reactions_clear(&k->reactions);
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

// So that LIA_IDENTITY_LEAST of what the rounding is a part of is rounding where LIA_IDENTITY of
// the terms is.
static const double rounded = LIA_IDENTITY_LEAST / LIA_IDENTITY;

static void add_product(const LiaActions* k, LiaSum* sum, LiaExpr f, LiaExpr g) {
    double a = value(k, f), b = value(k, g);
    add(sum, a * b);
    sum->size += rounded * (k->size[f.index] * fabs(b) + fabs(a) * k->size[g.index]);
}

static void evaluate(LiaActions* k, const LiaSymbols* at, const LiaSymbols* sizes) {
    lia_evaluate_run(&k->values, at);
    lia_sizes_run(&k->values, sizes, k->size);
    for (size_t e = 0; e < k->count * k->n; e++) {
        k->x[e] = value(k, k->formulas.xi[e]);
        k->x_rate[e] = value(k, k->formulas.rate[e]);
    }
}

static void change_of(LiaActions* k) {
    const LiaSystem* s = k->geometry->system;
    for (size_t g = 0; g < k->count; g++) {
        const LiaExpr *x = k->formulas.xi + g * k->n, *rate = k->formulas.rate + g * k->n;
        k->change[g] = k->momentum[g] = (LiaSum){0};
        for (size_t i = 0; i < k->n; i++) {
            add_product(k, &k->change[g], s->lagrange.dL_dq[i], x[i]);
            add_product(k, &k->change[g], s->lagrange.p[i], rate[i]);
            add(&k->momentum[g], value(k, s->lagrange.p[i]) * value(k, x[i]));
        }
    }
}

// The force of row c along x, and Omega x of it.
static void reaction_along(LiaActions* k, const LiaWorkspace* w, size_t g, size_t c) {
    double mu = k->solved ? w->mu[k->row[c]] : 0.0;
    double error =
        k->solved ? LIA_REACTION_ZERO / LIA_IDENTITY * k->reactions.error[k->row[c]] : 0.0;
    LiaSum* across = &k->across[g * k->m + c];
    *across = (LiaSum){0};
    for (size_t i = 0; i < k->n; i++) {
        LiaExpr Omega = lia_system_Omega(k->geometry->system, k->row[c], i);
        add_product(k, across, Omega, k->formulas.xi[g * k->n + i]);
        k->reaction[g].size += error * fabs(w->saddle.Omega[c * k->n + i] * k->x[g * k->n + i]);
    }
    k->reaction[g].value += mu * across->value;
    k->reaction[g].size += fabs(mu) * across->size;
}

static void energy_of(LiaActions* k, const LiaWorkspace* w) {
    const LiaSystem* s = k->geometry->system;
    const double error = LIA_REACTION_ZERO / LIA_IDENTITY;
    k->energy = (LiaSum){0.0, rounded * k->size[k->formulas.dL_dt.index]};
    add(&k->energy, -value(k, k->formulas.dL_dt));
    for (size_t i = 0; i < k->n; i++) {
        double Q = value(k, s->lagrange.Q[i]), v = k->reactions.v[i];
        add(&k->energy, Q * w->v[i]);
        k->energy.size += rounded * (k->size[s->lagrange.Q[i].index] * fabs(w->v[i]) + fabs(Q) * v);
        for (size_t c = 0; k->solved && c < k->m; c++) {
            double Omega = w->saddle.Omega[c * k->n + i], mu = w->mu[k->row[c]];
            add(&k->energy, mu * Omega * w->v[i]);
            k->energy.size += error * k->reactions.error[k->row[c]] * fabs(Omega * w->v[i]) +
                              rounded * fabs(mu * Omega) * v;
        }
    }
}

static void forces_of(LiaActions* k, LiaWorkspace* w) {
    const LiaSystem* s = k->geometry->system;
    for (size_t g = 0; g < k->count; g++) {
        k->force[g] = k->reaction[g] = (LiaSum){0};
        for (size_t i = 0; i < k->n; i++)
            add_product(k, &k->force[g], s->lagrange.Q[i], k->formulas.xi[g * k->n + i]);
        for (size_t c = 0; c < k->m; c++) reaction_along(k, w, g, c);
    }
    energy_of(k, w);
}

static void equations_of(LiaActions* k) {
    const LiaSystem* s = k->geometry->system;
    for (size_t g = 0; g < k->count; g++) {
        const LiaExpr *x = k->formulas.xi + g * k->n, *rate = k->formulas.rate + g * k->n;
        for (size_t r = 0; r < k->m; r++) {
            const LiaRow* row = &s->rows[k->row[r]];
            bool geometric = row->geometric && !row->integrated;
            LiaSum* sum = &k->states[g * k->m + r];
            *sum = (LiaSum){0};
            for (size_t i = 0; i < k->n; i++) {
                size_t at = r * k->n + i;
                add_product(k, sum, geometric ? k->formulas.psi_v[at] : k->formulas.psi_q[at],
                            x[i]);
                if (!geometric) add_product(k, sum, k->formulas.psi_v[at], rate[i]);
            }
        }
    }
}

// A number times a formula, whose own terms may cancel.
static void add_times(const LiaActions* k, LiaSum* sum, double factor, LiaExpr f) {
    add(sum, factor * value(k, f));
    sum->size += rounded * fabs(factor) * k->size[f.index];
}

// Component i of each form carried along each generator, in the units of the coordinates; the
// displacement is e_i.
static void component_of_forms(LiaActions* k, const LiaWorkspace* w, size_t i) {
    size_t n = k->n, m = k->m;
    const double* unit = k->reactions.unit;
    for (size_t g = 0; g < k->count; g++) {
        const double *x = k->x + g * n, *rate = k->x_rate + g * n;
        const LiaExpr* slope = k->formulas.slope + g * n * n;
        for (size_t r = 0; r <= m; r++) {
            LiaSum* sum = &k->forms[(g * (m + 1) + r) * n + i];
            double along = 0.0, turns = 0.0;  // the largest of Omega, and of what turns it
            *sum = (LiaSum){0};
            for (size_t e = 0; e < n; e++) {
                double Omega = r < m ? w->saddle.Omega[r * n + e]
                                     : value(k, k->geometry->system->lagrange.Q[e]);
                LiaExpr turned = slope[e * n + i];
                add_times(k, sum, unit[i] * x[e], k->formulas.form_q[r * n + e]);
                add_times(k, sum, unit[i] * rate[e], k->formulas.form_v[r * n + e]);
                along = fmax(along, fabs(Omega) * unit[e]);
                if (!turned.index) continue;
                add(sum, unit[i] * Omega * value(k, turned));
                turns = fmax(turns, fabs(value(k, turned)) * unit[i] / unit[e]);
            }
            sum->size += LIA_CARRIED_LEAST * along * turns;
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
        lia_sizes_run(&k->values, &(LiaSymbols){.q = k->reactions.q, .v = k->reactions.v}, k->size);
        component_of_forms(k, w, i);
    }
    for (size_t e = 0; e < m * n; e++) k->Omega[e] = w->saddle.Omega[e] * k->reactions.unit[e % n];
    for (size_t g = 0; g < k->count; g++) {
        LiaSum* forms = k->forms + g * (m + 1) * n;
        for (size_t e = 0; e < (m + 1) * n; e++) k->outside[e] = forms[e].value;
        if (!lia_span_outside((int)m, k->Omega, (int)n, (int)m + 1, k->outside)) return false;
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
    k->solved = lia_reactions_solve(&k->reactions, w);
    evaluate(k, &at, &(LiaSymbols){.q = k->reactions.q, .v = k->reactions.v});
    change_of(k);
    forces_of(k, w);
    if (!k->carries || !carries) return true;
    equations_of(k);
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
    evaluate(k, &at, &(LiaSymbols){0});
    change_of(k);
}
