// A one-parameter action with generator xi: is L invariant, does the system reduce (first type), is the
// momentum constant (second type)?
//
//   xi(L)     = dL/dq xi + dL/dv xi'                              xi' = the rate of xi along a motion
//
// Both types ask for xi(L) = 0 on all of TM: an L that is invariant on admissible states alone has momenta
// that are not, and these enter the equations of a constraint that is not holonomic. So it is looked at on
// states that no constraint restricts, and apart from that on admissible ones.
//
//   d<p,xi>/dt = xi(L) + Q xi + mu (Omega xi)
//   first type: L, the equations and the spans of Omega are carried along,
//     dpsi/dq xi + dpsi/dv xi' = 0 on C,   (Lie_xi Omega_r)_i = xi d(Omega_ri) + Omega_rk d(xi_k)/dq_i in span Omega
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/classification/judge.h"
#include "geometry/free_state.h"
#include "geometry/span.h"
#include "mechanics/kkt/stage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Look {
    LiaGeometry* geometry;
    const LiaSystem* s;
    LiaAdmissible* z;
    size_t n, m;
    const uint32_t* row;
    LiaExpr *xi, *rate;        // generator and its rate                          (n)
    LiaExpr* slope;            // d(xi_k)/d(q_i)                                   (n x n)
    LiaExpr *psi_q, *psi_v;    // gradients of psi                                 (m x n)
    LiaExpr *form_q, *form_v;  // gradients of <Omega_r, w>, last of <Q, w>        ((m + 1) x n)
    LiaExpr* roots;
    LiaValues values;
    double *x, *x_rate, *w;  // numbers                                          (n)
    double* carried;         // Lie derivative of one form                       (n)
    double *q, *v;           // a state anywhere                                 (n)
    void* block;
    bool small;  // first type is looked at
} Look;

static bool prepare(Look* k, uint32_t symmetry) {
    LiaGeometry* y = k->geometry;
    const LiaSystem* s = k->s;
    size_t n = k->n, m = k->m, count = 0;
    k->roots =
        lia_memory_zeros(5 * n + n * n + 2 * m * n + 2 * (m + 1) * n + m * n + 1, sizeof *k->roots);
    k->block = lia_memory_zeros(6 * n + 1, sizeof(double));
    if (!k->roots || !k->block) return false;
    k->xi = k->roots, count += n;
    k->rate = k->roots + count, count += n;
    k->slope = k->roots + count, count += n * n;
    k->psi_q = k->roots + count, count += m * n;
    k->psi_v = k->roots + count, count += m * n;
    k->form_q = k->roots + count, count += (m + 1) * n;
    k->form_v = k->roots + count, count += (m + 1) * n;
    k->x = k->block, k->x_rate = k->x + n, k->w = k->x_rate + n, k->carried = k->w + n;
    k->q = k->carried + n, k->v = k->q + n;
    if (!lia_geometry_generator(y, symmetry, k->xi)) return false;
    for (size_t i = 0; i < n; i++) {
        k->rate[i] = lia_diff_rate(&y->rates, k->xi[i]);
        if (!k->rate[i].index) return false;
    }
    for (size_t r = 0; k->small && r <= m; r++) {
        LiaExpr* form = LIA_ARENA_NEW(y->arena, LiaExpr, n + 1);
        if (!form) return false;
        for (size_t i = 0; i < n; i++)
            form[i] = r < m ? lia_system_Omega(s, k->row[r], i) : s->Q[i];
        if (!lia_diff_pullback(y->graph, form, y->w, n, s->q, n, k->form_q + r * n) ||
            !lia_diff_pullback(y->graph, form, y->w, n, s->v, n, k->form_v + r * n)) {
            return false;
        }
        if (r == m) break;
        if (!lia_diff_gradient(y->graph, y->psi[k->row[r]], s->q, n, k->psi_q + r * n) ||
            !lia_diff_gradient(y->graph, y->psi[k->row[r]], s->v, n, k->psi_v + r * n)) {
            return false;
        }
    }
    for (size_t i = 0; k->small && i < n; i++) {
        if (!lia_diff_gradient(y->graph, k->xi[i], s->q, n, k->slope + i * n)) return false;
    }
    // what is read beside them
    LiaExpr* more = k->roots + count;
    for (size_t i = 0; i < n; i++) {
        more[i] = s->p[i], more[n + i] = s->dL_dq[i], more[2 * n + i] = s->Q[i];
    }
    count += 3 * n;
    for (size_t r = 0; r < m; r++) {
        for (size_t i = 0; i < n; i++) k->roots[count++] = lia_system_Omega(s, k->row[r], i);
    }
    return lia_evaluate_init(&k->values, y->graph, k->roots, count);
}

static double value(const Look* k, LiaExpr f) { return lia_value(&k->values, f); }

// --- d<p, xi>/dt -------------------------------------------------------------------------------

typedef struct Rate {
    double L, force, reaction, size;  // xi(L), Q xi, mu (Omega xi); sum of the sizes of all terms
    bool solved;                      // mu is known
} Rate;

static Rate momentum_rate(Look* k, LiaWorkspace* w) {
    Rate r = {.solved = lia_workspace_factor(w)};
    for (size_t i = 0; i < k->n; i++) {
        double a = value(k, k->s->dL_dq[i]) * k->x[i], b = value(k, k->s->p[i]) * k->x_rate[i];
        double f = value(k, k->s->Q[i]) * k->x[i];
        r.L += a + b;
        r.force += f;
        r.size += fabs(a) + fabs(b) + fabs(f);
    }
    if (!r.solved) return r;
    lia_stage_accelerate(w);
    for (size_t c = 0; c < k->m; c++) {
        for (size_t i = 0; i < k->n; i++) {
            double f = w->mu[k->row[c]] * w->saddle.Omega[c * k->n + i] * k->x[i];
            r.reaction += f;
            r.size += fabs(f);
        }
    }
    return r;
}

// --- the first type ----------------------------------------------------------------------------

static bool equations_carried(const Look* k, const LiaWorkspace* w) {
    for (size_t r = 0; r < k->m; r++) {
        const LiaRow* row = &k->s->rows[k->row[r]];
        bool geometric = row->geometric && !row->levelled;
        double sum = 0.0, size = 0.0;
        for (size_t i = 0; i < k->n; i++) {
            double a = geometric ? w->saddle.J[r * k->n + i] * k->x[i]
                                 : value(k, k->psi_q[r * k->n + i]) * k->x[i];
            double b = geometric ? 0.0 : value(k, k->psi_v[r * k->n + i]) * k->x_rate[i];
            sum += a + b;
            size += fabs(a) + fabs(b);
        }
        if (!(fabs(sum) <= LIA_IDENTITY * size + LIA_IDENTITY_LEAST)) return false;
    }
    return true;
}

// Row r of Omega (m: Q) carried along, against the span of Omega.
static bool form_carried(Look* k, LiaSymbols* at, const LiaWorkspace* w, size_t r) {
    double scale = 0.0;
    for (size_t i = 0; i < k->n; i++) {
        memset(k->w, 0, k->n * sizeof *k->w);
        k->w[i] = 1.0;
        lia_evaluate_run(&k->values, at);
        double sum = 0.0;
        for (size_t e = 0; e < k->n; e++) {
            double Omega = r < k->m ? w->saddle.Omega[r * k->n + e] : value(k, k->s->Q[e]);
            double a = k->x[e] * value(k, k->form_q[r * k->n + e]);
            double b = k->x_rate[e] * value(k, k->form_v[r * k->n + e]);
            double c = Omega * value(k, k->slope[e * k->n + i]);
            sum += a + b + c;
            scale += fabs(a) + fabs(b) + fabs(c);
        }
        k->carried[i] = sum;
    }
    return lia_span_holds((int)k->m, w->saddle.Omega, (int)k->n, k->carried,
                          scale + LIA_CARRIED_LEAST);
}

static bool forces_carried(Look* k, LiaSymbols* at, const LiaWorkspace* w) {
    for (size_t r = 0; r <= k->m; r++) {
        if (!form_carried(k, at, w, r)) return false;
    }
    return true;
}

// --- one symmetry ------------------------------------------------------------------------------

static void take_generator(Look* k) {
    for (size_t i = 0; i < k->n; i++) {
        k->x[i] = value(k, k->xi[i]);
        k->x_rate[i] = value(k, k->rate[i]);
    }
}

// Omega xi = 0 at the state in the workspace: no force acts along the generator.
static bool forces_across(const Look* k, const LiaWorkspace* w) {
    for (size_t c = 0; c < k->m; c++) {
        double sum = 0.0, a = 0.0, b = 0.0;
        for (size_t i = 0; i < k->n; i++) {
            sum += w->saddle.Omega[c * k->n + i] * k->x[i];
            a = fmax(a, fabs(w->saddle.Omega[c * k->n + i]));
            b = fmax(b, fabs(k->x[i]));
        }
        if (!(fabs(sum) <= LIA_IDENTITY * a * b)) return false;
    }
    return true;
}

static void look(Look* k, const LiaSamples* samples, uint32_t sample, LiaSymmetryClass* out) {
    lia_admissible_load(k->z, samples, sample);
    LiaWorkspace* w = k->z->w;
    LiaSymbols at = {.t = w->t, .parameters = k->s->parameters, .q = w->q, .v = w->v, .w = k->w};
    lia_evaluate_run(&k->values, &at);
    take_generator(k);
    Rate r = momentum_rate(k, w);
    double rounding = LIA_IDENTITY * r.size + LIA_IDENTITY_LEAST;
    if (!(fabs(r.L) <= rounding)) {
        out->lagrangian = LIA_INVARIANT_NOT;
        out->lagrangian_defect = fmax(out->lagrangian_defect, fabs(r.L));
    }
    if (!(fabs(r.force) <= rounding) || !forces_across(k, w)) out->forces_across = false;
    double rate = r.L + r.force + r.reaction;
    if (r.solved && !(fabs(rate) <= rounding)) {
        out->constant = false;
        out->defect = fmax(out->defect, fabs(rate));
    }
    if (!r.solved) out->constant = false;
    if (out->states_carried && !equations_carried(k, w)) out->states_carried = false;
    if (out->forces_carried && !forces_carried(k, &at, w)) out->forces_carried = false;
}

// xi(L) at a state that no constraint restricts; NaN where L has no value there.
static double change_anywhere(Look* k, double t, double* size) {
    LiaSymbols at = {.t = t, .parameters = k->s->parameters, .q = k->q, .v = k->v, .w = k->w};
    double sum = 0.0;
    *size = 0.0;
    lia_evaluate_run(&k->values, &at);
    take_generator(k);
    for (size_t i = 0; i < k->n; i++) {
        double a = value(k, k->s->dL_dq[i]) * k->x[i], b = value(k, k->s->p[i]) * k->x_rate[i];
        sum += a + b;
        *size += fabs(a) + fabs(b);
    }
    return sum;
}

// Nearer and nearer to the sample, for formulas that have a value only there.
static void look_anywhere(Look* k, const LiaSamples* samples, uint32_t sample,
                          LiaSymmetryClass* out) {
    const double *q = samples->q + sample * k->n, *v = samples->v + sample * k->n;
    for (double radius = 1.0; radius > LIA_SAMPLE_NEAREST; radius *= 0.5) {
        double size, change;
        lia_free_state_make(k->s, sample + 1, radius, q, v, k->q, k->v);
        change = change_anywhere(k, samples->t[sample], &size);
        if (!isfinite(change)) continue;
        if (fabs(change) <= LIA_IDENTITY * size + LIA_IDENTITY_LEAST) return;
        if (out->lagrangian == LIA_INVARIANT_EVERYWHERE) {
            out->lagrangian = LIA_INVARIANT_ADMISSIBLE;
        }
        out->lagrangian_defect = fmax(out->lagrangian_defect, fabs(change));
        return;
    }
}

bool lia_symmetry_judge(LiaGeometry* y, LiaAdmissible* z, const LiaSamples* samples,
                        uint32_t symmetry, LiaSymmetryClass* out) {
    const LiaSystem* s = y->system;
    Look k = {.geometry = y,
              .s = s,
              .z = z,
              .n = s->n,
              .m = (size_t)z->m,
              .row = z->w->dynamics->rows,
              .small = z->n <= LIA_JUDGE_SIZE};
    bool any = samples->count > 0;
    *out = (LiaSymmetryClass){.name = s->model->symmetries[symmetry].name,
                              .momentum = s->momenta[symmetry],
                              .lagrangian = any ? LIA_INVARIANT_EVERYWHERE : LIA_INVARIANT_NOT,
                              .states_carried = any && k.small,
                              .forces_carried = any && k.small,
                              .forces_across = any,
                              .constant = any};
    bool ok = prepare(&k, symmetry);
    for (uint32_t i = 0; ok && i < samples->count; i++) look(&k, samples, i, out);
    for (uint32_t i = 0; ok && i < samples->count; i++) look_anywhere(&k, samples, i, out);
    bool everywhere = out->lagrangian == LIA_INVARIANT_EVERYWHERE;
    out->first_type = everywhere && out->states_carried && out->forces_carried;
    out->second_type = everywhere && out->forces_across;
    // also where K0 is singular
    if (out->lagrangian != LIA_INVARIANT_NOT && out->forces_across) out->constant = any;
    lia_evaluate_clear(&k.values);
    free(k.roots);
    free(k.block);
    return ok;
}
