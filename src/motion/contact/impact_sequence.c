// Impacts one after another: the contact that approaches most comes first, each by its own law, until
// none approaches any more. With restitution below 1 that can take for ever, each impact being a part
// of the one before: it ends when what is left is rounding of the first one.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "motion/contact/impact.h"
#include "motion/contact/routh.h"
#include <math.h>

enum { IMPACTS_PER_CONTACT = 1000 };

static double velocity(const LiaDelassus* d, const LiaImpact* out, int row) {
    double noise = d->noise ? d->noise[row] : 0.0;
    return fabs(out->u[row]) <= noise ? 0.0 : out->u[row];
}

// The rows of a contact that Routh's process knows: the gap and the slip, if it rubs.
static int routh_rows(const LiaContactRows* contact, int* rows) {
    const LiaFrictionBlock* block = contact->block;
    int count = 0;
    rows[count++] = contact->normal;
    if (contact->blocks > 0 && block->kinetic > 0.0) {
        for (int i = 0; i < block->dimension; i++) rows[count++] = block->row + i;
    }
    return count;
}

LiaImpactStatus lia_impact_single_solve(const LiaImpactGroup* g, int contact, bool jam,
                                        LiaImpact* out) {
    const LiaDelassus* d = g->d;
    const LiaContactRows* c = d->contact + contact;
    int m = d->rows, rows[LIA_ROUTH_ROWS], count = routh_rows(c, rows);
    LiaRouth r = {.dimension = count - 1, .e = c->restitution, .law = g->restitution, .jam = jam};
    r.mu = count > 1 ? c->block[0].kinetic : 0.0;
    if (r.law == LIA_RESTITUTION_DEFAULT) {
        r.law = count > 1 ? LIA_RESTITUTION_STRONGE : LIA_RESTITUTION_NEWTON;
    }
    for (int i = 0; i < count; i++) {
        r.u[i] = velocity(d, out, rows[i]);
        for (int j = 0; j < count; j++) r.W[i][j] = d->W[rows[i] * m + rows[j]];
    }
    LiaImpactStatus status = lia_routh_solve(&r);
    out->restitution = r.law;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < count; j++) out->u[i] += d->W[i * m + rows[j]] * r.P[j];
    }
    for (int j = 0; j < count; j++) {
        out->P[rows[j]] += r.P[j];
        if (status != LIA_IMPACT_NO_SOLUTION) out->u[rows[j]] = r.u[j];
    }
    out->work[contact] += r.work;
    out->phases[contact] |= r.phases;
    out->impacts++;
    out->contact = status == LIA_IMPACT_SOLVED ? out->contact : contact;
    return status;
}

// The contact that approaches most, in units in which W has a diagonal of 1; -1: none.
static int fastest(const LiaImpactGroup* g, const LiaImpact* out, double* speed) {
    int most = -1;
    *speed = 0.0;
    for (int i = 0; i < g->count; i++) {
        int n = g->d->contact[g->member[i]].normal;
        double root = sqrt(fabs(g->d->W[n * g->d->rows + n]));
        double v = root > 0.0 ? -velocity(g->d, out, n) / root : 0.0;
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
