// The forces as formulas. See formulas_work.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/evaluation.h"
#include "geometry/formulas/formulas_work.h"
#include <math.h>
#include <stdlib.h>

// What a driven coordinate's row of d'Alembert's principle lacks:
//   lambda = dp/dt - dL/ds - Q_s - (forces of the other constraints)
bool lia_forces_driven(Work* k) {
    const LiaDynamics* d = k->s->reduced;
    LiaExpr* by = list(k, k->s->row_count);
    if (!by) return false;
    for (uint32_t e = 0; e < d->drive_count; e++) {
        uint32_t i = d->drives[e].coordinate, r = d->drive_row[e];
        by[r] = zero(k);
        LiaExpr rest =
            lia_diff_substitute(k->g, k->out->rest[i], LIA_SYMBOL_MULTIPLIER, by, k->s->row_count);
        LiaExpr f = lia_graph_neg(k->g, rest);
        by[r] = (LiaExpr){0};
        for (size_t j = 0; j < k->n; j++) {
            LiaExpr a = lia_graph_symbol(k->g, LIA_SYMBOL_ACCELERATION, (uint32_t)j);
            f = plus(k, f, times(k, k->out->M[i * k->n + j], a));
        }
        k->out->force[r] = readable(k, f);
    }
    return true;
}

// mu = -S^-1 (gamma + J M^-1 r), S = J M^-1 Omega^T, over the unknown coordinates.
enum { ROWS_MOST = 64 };  // larger systems have no formulas that one reads

// Forces without multipliers, and what driven accelerations do; of the coordinate i.
static LiaExpr without_multipliers(Work* k, uint32_t i, const LiaExpr* zeros) {
    const LiaDynamics* d = k->s->reduced;
    LiaExpr r =
        lia_diff_substitute(k->g, k->out->rest[i], LIA_SYMBOL_MULTIPLIER, zeros, k->s->row_count);
    for (uint32_t e = 0; e < d->drive_count; e++) {
        uint32_t q = d->drives[e].coordinate;
        LiaExpr a = lia_graph_symbol(k->g, LIA_SYMBOL_ACCELERATION, q);
        r = minus(k, r, times(k, k->out->M[i * k->n + q], a));
    }
    return tidy(k, r);
}

// S = J M^-1 Omega^T
static void make_coupling(Work* k, const LiaExpr* JM, LiaExpr* S) {
    const LiaDynamics* d = k->s->reduced;
    size_t nf = d->nf, nc = d->nc;
    for (size_t e = 0; e < nc; e++) {
        for (size_t f = 0; f < nc; f++) {
            LiaExpr sum = zero(k);
            for (size_t i = 0; i < nf; i++) {
                LiaExpr Omega = lia_system_Omega(k->s, d->rows[f], d->free[i]);
                sum = plus(k, sum, times(k, JM[e * nf + i], Omega));
            }
            S[e * nc + f] = tidy(k, sum);
        }
    }
}

bool lia_forces_multipliers(Work* k) {
    const LiaSystem* s = k->s;
    const LiaDynamics* d = s->reduced;
    size_t n = k->n, nf = d->nf, nc = d->nc;
    if (nc == 0 || nc > LIA_FORMULAS_BLOCK) return true;
    bool driven[LIA_FORMULAS_SIZE] = {false};
    uint32_t all[LIA_FORMULAS_BLOCK] = {0};
    for (uint32_t e = 0; e < d->drive_count; e++) driven[d->drives[e].coordinate] = true;
    LiaExpr *inverse = list(k, nf * nf), *r = list(k, nf), *J = list(k, nc * n),
            *JM = list(k, nc * nf);
    LiaExpr *S = list(k, nc * nc), *T = list(k, nc * nc), *c = list(k, nc);
    bool singular = k->out->singular;
    if (!inverse || !r || !J || !JM || !S || !T || !c) return false;
    bool inverted = lia_formulas_invert(k, k->out->M, n, d->free, nf, inverse);
    k->out->singular = singular;
    if (!inverted) return !k->g->failed;
    LiaExpr zeros[ROWS_MOST] = {{0}};
    for (uint32_t e = 0; e < s->row_count && e < ROWS_MOST; e++) zeros[e] = zero(k);
    if (s->row_count > ROWS_MOST) return true;
    for (size_t i = 0; i < nf; i++) r[i] = without_multipliers(k, d->free[i], zeros);
    for (size_t e = 0; e < nc; e++) {
        LiaExpr psi = k->y->psi[d->rows[e]];
        if (!lia_diff_gradient(k->g, psi, s->v, n, J + e * n)) return false;
        LiaExpr rate = lia_diff_rate(&k->y->rates, psi);
        if (!rate.index) return true;
        c[e] = without(k, rate, LIA_SYMBOL_ACCELERATION, driven);
        for (size_t i = 0; i < nf; i++) {
            LiaExpr sum = zero(k);
            for (size_t j = 0; j < nf; j++) {
                sum = plus(k, sum, times(k, J[e * n + d->free[j]], inverse[j * nf + i]));
            }
            JM[e * nf + i] = tidy(k, sum);
            c[e] = plus(k, c[e], times(k, JM[e * nf + i], r[i]));
        }
        c[e] = tidy(k, c[e]);
    }
    for (size_t e = 0; e < nc; e++) all[e] = (uint32_t)e;
    make_coupling(k, JM, S);
    inverted = lia_formulas_invert(k, S, nc, all, nc, T);
    k->out->singular = singular;
    if (!inverted) return !k->g->failed;
    for (size_t e = 0; e < nc; e++) {
        LiaExpr sum = zero(k);
        for (size_t f = 0; f < nc; f++) sum = minus(k, sum, times(k, T[e * nc + f], c[f]));
        k->out->force[d->rows[e]] = readable(k, sum);
    }
    return !k->g->failed;
}

// A formula is shown only if it gives the number that K0 gives.
bool lia_forces_check(Work* k, double t, const double* q, const double* v) {
    const LiaSystem* s = k->s;
    LiaEvaluation evaluation;
    LiaValues values = {0};
    bool ok = lia_evaluation_make(s, s->reduced, t, q, v, &evaluation) &&
              lia_evaluate_init(&values, k->g, k->out->force, s->row_count);
    if (ok) {
        const LiaWorkspace* w = evaluation.w;
        bool regular = evaluation.solved;
        LiaSymbols at = {
            .t = t, .parameters = s->parameters, .q = w->q, .v = w->v, .a = w->a, .mu = w->mu};
        if (regular) lia_evaluate_run(&values, &at);
        double* size = lia_memory_zeros((size_t)values.size + 1, sizeof *size);
        if (regular && size) lia_sizes_run(&values, &(LiaSymbols){0}, size);
        for (uint32_t r = 0; r < s->row_count; r++) {
            if (!k->out->force[r].index) continue;
            double x = regular ? lia_value(&values, k->out->force[r]) : NAN;
            double terms = size ? fabs(x) + size[k->out->force[r].index] : 0.0;
            if (!(fabs(x - w->mu[r]) <= LIA_FORMULA_AGREES * terms))
                k->out->force[r] = (LiaExpr){0};
        }
        ok = size;
        free(size);
    }
    lia_evaluate_clear(&values);
    lia_evaluation_clear(&evaluation);
    return ok;
}
