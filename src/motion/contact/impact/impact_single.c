// One contact of its own: Routh's process, without friction the same with straight pieces alone.
// Its first block is the slip; couples of rolling and pivoting are left out.
// SPDX-License-Identifier: MIT
#include "motion/contact/impact/impact.h"
#include "motion/contact/impact/routh.h"
#include <math.h>

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
