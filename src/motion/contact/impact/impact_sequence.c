// Impacts one after another: the contact that approaches most comes first, each by its own law,
// until none approaches any more. With restitution below 1 that can take for ever, each impact
// being a part of the one before: it ends when what is left is rounding of the first one.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "motion/contact/impact/impact.h"
#include <math.h>

enum { IMPACTS_PER_CONTACT = 300 };

static double velocity(const LiaDelassus* d, const LiaImpact* out, int row) {
    double noise = d->noise ? d->noise[row] : 0.0;
    return fabs(out->u[row]) <= noise ? 0.0 : out->u[row];
}

// The contact that approaches most, in units in which W has a diagonal of 1; -1: none.
static int fastest(const LiaImpactGroup* g, const LiaImpact* out, double* speed) {
    int most = -1;
    *speed = 0.0;
    for (int i = 0; i < g->count; i++) {
        int n = g->d->contact[g->member[i]].normal;
        double root = sqrt(fabs(g->d->W[n * g->d->rows + n]));
        double v = -velocity(g->d, out, n) / (root > 0.0 ? root : 1.0);
        if (v > *speed) *speed = v, most = g->member[i];
    }
    return most;
}

// What is left of the approach is rounding of what was there.
static void settle(const LiaImpactGroup* g, LiaImpact* out) {
    for (int i = 0; i < g->count; i++) {
        double* u = out->u + g->d->contact[g->member[i]].normal;
        *u = fmax(*u, 0.0);
    }
}

LiaImpactStatus lia_impact_sequence_solve(const LiaImpactGroup* g, int first, LiaImpact* out) {
    double start, speed;
    int contact = fastest(g, out, &start);
    if (first >= 0) contact = first;
    for (int i = 0; i < IMPACTS_PER_CONTACT * g->count && contact >= 0; i++) {
        bool jam = i == 0 && first >= 0;
        LiaImpactStatus status = lia_impact_single_solve(g, contact, jam, out);
        if (status == LIA_IMPACT_NO_SOLUTION || status == LIA_IMPACT_BUDGET) return status;
        contact = fastest(g, out, &speed);
        if (contact < 0) return LIA_IMPACT_SOLVED;
        if (jam) start = fmax(start, speed);
        if (speed <= LIA_IMPACT_SETTLED * start) {
            settle(g, out);
            return LIA_IMPACT_SOLVED;
        }
    }
    return LIA_IMPACT_BUDGET;
}
