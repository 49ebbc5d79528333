// Newton's restitution without friction, all contacts of a group at once:
//     0 <= P,  0 <= gap'+ + e gap'-,  complementary      (gap'- > 0 counts as 0).
//
// With different e, or contacts that already touch, this can gain energy or ask for the impossible
// (a ball between two walls that leaves both). With e = 0 it does not; so all e are multiplied by
// the largest number up to 1 with which it does not.
// SPDX-License-Identifier: MIT
#include "base/numeric/lcp.h"
#include "base/numeric/lcp_unique.h"
#include "base/numeric/thresholds.h"
#include "motion/contact/impact/impact.h"
#include <math.h>

enum { HALVINGS = 48 };  // of the interval of the factor

size_t lia_impact_newton_work(int contacts) {
    size_t k = (size_t)contacts;
    return k * k + 3 * k + lia_lcp_work(contacts);
}

typedef struct Problem {
    const LiaImpactGroup* g;
    LiaLcp p;
    double *M, *q, *work;
    int* index;
    double gain, size;  // energy gained; the terms of that sum
} Problem;

static int normal(const LiaImpactGroup* g, int i) { return g->d->contact[g->member[i]].normal; }

// Solve with all e times `factor`.
static LiaLcpStatus solve(Problem* x, double factor) {
    const LiaImpactGroup* g = x->g;
    int k = g->count;
    for (int i = 0; i < k; i++) {
        double u = lia_impact_before(g->d, normal(g, i));
        x->q[i] = u + factor * g->d->contact[g->member[i]].restitution * fmin(u, 0.0);
    }
    LiaLcpStatus status = lia_lcp_solve(&x->p, x->work, x->index);
    x->gain = x->size = 0.0;
    for (int i = 0; i < k; i++) {
        double before = lia_impact_before(g->d, normal(g, i)), after = before;
        for (int j = 0; j < k; j++) after += x->M[i * k + j] * x->p.z[j];
        x->gain += 0.5 * x->p.z[i] * (before + after);
        x->size += 0.5 * x->p.z[i] * (fabs(before) + fabs(after));
    }
    return status;
}

static bool gains(const Problem* x) { return x->gain > LIA_IMPACT_GAIN * x->size; }

static void put(const Problem* x, LiaImpact* out) {
    const LiaImpactGroup* g = x->g;
    int m = g->d->rows;
    for (int i = 0; i < g->count; i++) {
        int n = normal(g, i);
        out->P[n] = x->p.z[i];
        for (int r = 0; r < m; r++) out->u[r] += g->d->W[r * m + n] * x->p.z[i];
    }
    for (int i = 0; i < g->count; i++) {
        int n = normal(g, i);
        double u = lia_impact_before(g->d, n);
        double e = out->reduced * g->d->contact[g->member[i]].restitution;
        if (x->p.z[i] > 0.0) out->u[n] = -e * fmin(u, 0.0);  // exactly
        out->work[g->member[i]] = 0.5 * x->p.z[i] * (u + out->u[n]);
    }
    out->residual = fmax(out->residual, x->p.residual);
}

LiaImpactStatus lia_impact_newton_solve(const LiaImpactGroup* g, LiaImpact* out, double* work,
                                        int* index) {
    int k = g->count, m = g->d->rows;
    Problem x = {.g = g, .M = work, .q = work + k * k, .index = index};
    double *z = x.q + k, *w = z + k;
    x.work = w + k;
    x.p = (LiaLcp){.n = k, .M = x.M, .q = x.q, .z = z, .w = w};
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) x.M[i * k + j] = g->d->W[normal(g, i) * m + normal(g, j)];
    }
    out->restitution = LIA_RESTITUTION_NEWTON;
    LiaLcpStatus status = solve(&x, 1.0);
    if (status != LIA_LCP_SOLVED || gains(&x)) {
        double good = 0.0, bad = 1.0;
        for (int i = 0; i < HALVINGS; i++) {
            double factor = 0.5 * (good + bad);
            status = solve(&x, factor);
            if (status != LIA_LCP_SOLVED || gains(&x))
                bad = factor;
            else
                good = factor;
        }
        if (good < LIA_IMPACT_LEAST_FACTOR) good = 0.0;
        status = solve(&x, good);
        out->reduced = fmin(out->reduced, good);
    }
    if (status == LIA_LCP_RAY) return LIA_IMPACT_NO_SOLUTION;
    if (status != LIA_LCP_SOLVED) return LIA_IMPACT_BUDGET;
    LiaLcpUnique unique = lia_lcp_unique(&x.p, x.work, x.index);
    put(&x, out);
    return unique == LIA_LCP_SEVERAL ? LIA_IMPACT_SEVERAL : LIA_IMPACT_SOLVED;
}
