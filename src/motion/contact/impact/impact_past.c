// The impact that led to given velocities, in a run against the time. Without friction those of the
// gaps before it follow from those after it, contact by contact that separates:
//
//     gap'- = -gap'+ / e,     W P = gap'+ - gap'-
//
// The law itself says whether that is what happened: from the velocities before it must lead to
// those after. Without restitution, and with friction, many velocities lead to the same ones.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/dense.h"
#include "base/numeric/thresholds.h"
#include "motion/contact/impact/impact.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Past {
    int count;    // contacts that separate
    int* member;  // which                                              (k)
    double* P;    // their impulses                                     (k)
    double* A;    // W of their gaps                                    (k x k)
    LiaLu lu;     // its factors
    void* block;
} Past;

static bool make_room(const LiaDelassus* d, Past* x) {
    size_t k = (size_t)d->contacts;
    *x = (Past){
        .block = lia_memory_zeros((k * k + 3 * k) * sizeof(double) + (2 * k + 1) * sizeof(int), 1)};
    if (!x->block) return false;
    x->A = x->block;
    x->P = x->A + k * k;
    x->lu.left = x->P + k;
    x->lu.right = x->lu.left + k;
    x->member = (int*)(x->lu.right + k);
    x->lu.row = x->member + k;
    return true;
}

static bool is_rough(const LiaContactRows* contact) {
    for (int b = 0; b < contact->blocks; b++) {
        if (contact->block[b].kinetic > 0.0) return true;
    }
    return false;
}

// Who separates; false: one of them without restitution, or with friction: `contact`.
static bool find_members(const LiaDelassus* d, Past* x, int* contact) {
    for (int c = 0; c < d->contacts; c++) {
        const LiaContactRows* of = &d->contact[c];
        double away = d->b[of->normal];
        *contact = c;
        if (!(away > (d->noise ? d->noise[of->normal] : 0.0))) continue;
        if (is_rough(of) || !(of->restitution > 0.0)) return false;
        x->member[x->count++] = c;
    }
    *contact = -1;
    return x->count > 0;
}

static bool find_impulses(const LiaDelassus* d, Past* x) {
    int k = x->count, m = d->rows;
    for (int i = 0; i < k; i++) {
        const LiaContactRows* of = &d->contact[x->member[i]];
        x->P[i] = d->b[of->normal] * (1.0 + 1.0 / of->restitution);
        for (int j = 0; j < k; j++)
            x->A[i * k + j] = d->W[of->normal * m + d->contact[x->member[j]].normal];
    }
    x->lu.n = k;
    x->lu.A = x->A;
    if (!(lia_dense_lu_factor(&x->lu, NULL) > LIA_LCP_RANK)) return false;
    lia_dense_lu_solve(&x->lu, x->P);
    for (int i = 0; i < k; i++) {
        if (!(x->P[i] > 0.0)) return false;
    }
    return true;
}

// Does the law lead from `before` to the velocities after? Nobody who touches separates before it:
// that would be another impact at the same instant, and the law takes all at once.
static bool is_confirmed(const LiaDelassus* d, const LiaImpactOptions* options, LiaImpact* out,
                         LiaImpactPast* past) {
    LiaDelassus forward = *d;
    double size = 0.0;
    forward.b = past->before;
    if (lia_impact_solve(&forward, options, out, past->work, past->index) != LIA_IMPACT_SOLVED)
        return false;
    for (int c = 0; c < d->contacts; c++) {
        int n = d->contact[c].normal;
        if (past->before[n] > (d->noise ? d->noise[n] : 0.0)) return false;
    }
    for (int i = 0; i < d->rows; i++) size = fmax(size, fabs(d->b[i]));
    for (int i = 0; i < d->rows; i++) {
        double noise = d->noise ? d->noise[i] : 0.0;
        if (!(fabs(out->u[i] - d->b[i]) <= fmax(LIA_IMPACT_SAME * size, noise))) return false;
    }
    return true;
}

LiaImpactStatus lia_impact_past_solve(const LiaDelassus* d, const LiaImpactOptions* options,
                                      LiaImpact* out, LiaImpactPast* past) {
    Past x;
    int m = d->rows;
    out->contact = -1;
    if (!make_room(d, &x)) return LIA_IMPACT_BUDGET;
    bool good = find_members(d, &x, &out->contact) && find_impulses(d, &x);
    for (int i = 0; good && i < m; i++) {
        past->before[i] = d->b[i];
        for (int j = 0; j < x.count; j++)
            past->before[i] -= d->W[i * m + d->contact[x.member[j]].normal] * x.P[j];
    }
    good = good && is_confirmed(d, options, out, past);
    free(x.block);
    return good ? LIA_IMPACT_SOLVED : LIA_IMPACT_NO_SOLUTION;
}
