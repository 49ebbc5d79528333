// See impact.h: which contacts hang together, and which law decides.
// SPDX-License-Identifier: MIT
#include "motion/contact/impact/impact.h"
#include "base/numeric/lcp.h"
#include "base/numeric/thresholds.h"
#include "motion/contact/friction/cone.h"
#include <math.h>
#include <string.h>

size_t lia_impact_work(const LiaDelassus* d) {
    size_t newton = lia_impact_newton_work(d->contacts), phases = lia_impact_phases_work(d);
    return newton > phases ? newton : phases;
}

size_t lia_impact_index(const LiaDelassus* d) {
    size_t lcp = lia_lcp_index(d->contacts), cone = lia_cone_index(d);
    return 2 * (size_t)d->contacts + (lcp > cone ? lcp : cone);
}

// ---- contacts that are coupled

static int row_of(const LiaContactRows* contact, int i) {
    if (i == 0) return contact->normal;
    i--;
    for (int k = 0; k < contact->blocks; k++) {
        if (i < contact->block[k].dimension) return contact->block[k].row + i;
        i -= contact->block[k].dimension;
    }
    return -1;
}

static bool coupled(const LiaDelassus* d, const LiaContactRows* x, const LiaContactRows* y) {
    int m = d->rows;
    for (int i = 0; i < lia_delassus_rows(x); i++) {
        for (int j = 0; j < lia_delassus_rows(y); j++) {
            int r = row_of(x, i), s = row_of(y, j);
            double size = sqrt(fabs(d->W[r * m + r] * d->W[s * m + s]));
            double most = fmax(fabs(d->W[r * m + s]), fabs(d->W[s * m + r]));
            if (most > LIA_IMPACT_COUPLED * size) return true;
        }
    }
    return false;
}

// The contacts that are coupled with the first one that is not `done`; they are done then.
static int gather(const LiaDelassus* d, int* done, int* member) {
    int count = 0;
    for (int c = 0; c < d->contacts && count == 0; c++) {
        if (!done[c]) member[count++] = c;
    }
    for (int i = 0; i < count; i++) {
        done[member[i]] = 1;
        for (int c = 0; c < d->contacts; c++) {
            if (done[c] || !coupled(d, d->contact + member[i], d->contact + c)) continue;
            done[c] = 1;
            member[count++] = c;
        }
    }
    return count;
}

// ---- which law

static bool rubs(const LiaContactRows* contact) {
    for (int k = 0; k < contact->blocks; k++) {
        if (contact->block[k].kinetic > 0.0) return true;
    }
    return false;
}

static bool any_rubs(const LiaImpactGroup* g) {
    for (int i = 0; i < g->count; i++) {
        if (rubs(g->d->contact + g->member[i])) return true;
    }
    return false;
}

static bool approaches(const LiaImpactGroup* g) {
    for (int i = 0; i < g->count; i++) {
        if (lia_impact_before(g->d, g->d->contact[g->member[i]].normal) < 0.0) return true;
    }
    return false;
}

// The contact whose slip presses it together: relative coupling not positive. -1: none.
static int wedged(const LiaImpactGroup* g) {
    const LiaDelassus* d = g->d;
    int m = d->rows, least = -1;
    double worst = LIA_LCP_MINOR;
    for (int i = 0; i < g->count; i++) {
        const LiaContactRows* contact = d->contact + g->member[i];
        double k = d->W[contact->normal * m + contact->normal], size = fabs(k);
        if (lia_impact_before(d, contact->normal) > 0.0) continue;
        for (int b = 0; b < contact->blocks; b++) {
            const LiaFrictionBlock* block = contact->block + b;
            double u[2] = {0.0}, speed;
            for (int j = 0; j < block->dimension; j++) u[j] = lia_impact_before(d, block->row + j);
            speed = hypot(u[0], u[1]);
            for (int j = 0; j < block->dimension && speed > 0.0; j++) {
                double term = d->W[contact->normal * m + block->row + j] * u[j] / speed;
                k -= block->kinetic * term;
                size += fabs(block->kinetic * term);
            }
        }
        if (size > 0.0 && k / size <= worst) worst = k / size, least = g->member[i];
    }
    return least;
}

static LiaImpactStatus solve_group(const LiaImpactGroup* g, const LiaImpactOptions* options,
                                   LiaImpact* out, double* work, int* index) {
    int jam = options->jam ? wedged(g) : -1;
    bool rough = any_rubs(g), alone = g->count == 1 && g->d->contact[g->member[0]].blocks <= 1;
    if (!approaches(g) && jam < 0) return LIA_IMPACT_SOLVED;
    if (alone && (rough || jam >= 0)) {
        out->law = LIA_IMPACT_LAW_ROUTH;
        return lia_impact_single_solve(g, g->member[0], jam >= 0, out);
    }
    if (options->sequential || jam >= 0) {
        out->law = LIA_IMPACT_LAW_SEQUENCE;
        return lia_impact_sequence_solve(g, jam, out);
    }
    bool newton = options->restitution == LIA_RESTITUTION_DEFAULT ||
                  options->restitution == LIA_RESTITUTION_NEWTON;
    if (rough || (!newton && g->count > 1)) {
        LiaImpactStatus status = lia_impact_phases_solve(g, out, work, index);
        bool several = status == LIA_IMPACT_SEVERAL;
        out->law = several ? LIA_IMPACT_LAW_CHOSEN : LIA_IMPACT_LAW_PHASES;
        return several ? LIA_IMPACT_SOLVED : status;
    }
    out->law = LIA_IMPACT_LAW_NEWTON;
    return lia_impact_newton_solve(g, out, work, index);
}

static bool worse(LiaImpactStatus x, LiaImpactStatus y) {
    static const int order[] = {
        [LIA_IMPACT_SOLVED] = 0,
        [LIA_IMPACT_SEVERAL] = 1,
        [LIA_IMPACT_BUDGET] = 2,
        [LIA_IMPACT_NO_SOLUTION] = 3,
    };
    return order[x] > order[y];
}

static void clear(const LiaDelassus* d, LiaImpact* out) {
    for (int i = 0; i < d->rows; i++) {
        out->P[i] = 0.0;
        out->u[i] = d->b[i];
    }
    for (int c = 0; c < d->contacts; c++) {
        out->work[c] = 0.0;
        out->phases[c] = 0;
    }
    out->lost = 0.0;
    out->reduced = 1.0;
    out->residual = 0.0;
    out->impacts = 0;
    out->contact = -1;
    out->law = LIA_IMPACT_LAW_NONE;
}

// Without a solution nothing changes; numbers that are none are no solution.
static bool judge(const LiaDelassus* d, LiaImpact* out, LiaImpactStatus* status) {
    bool finite = true;
    for (int i = 0; i < d->rows; i++) {
        finite = finite && isfinite(out->P[i]) && isfinite(out->u[i]);
    }
    if (!finite) *status = LIA_IMPACT_BUDGET;
    if (*status == LIA_IMPACT_SOLVED || *status == LIA_IMPACT_SEVERAL) return true;
    LiaImpact kept = *out;
    clear(d, out);
    out->law = kept.law;
    out->restitution = kept.restitution;
    out->contact = kept.contact;
    out->impacts = kept.impacts;
    out->residual = kept.residual;
    return false;
}

LiaImpactStatus lia_impact_solve(const LiaDelassus* d, const LiaImpactOptions* options,
                                 LiaImpact* out, double* work, int* index) {
    int *done = index, *member = index + d->contacts;
    LiaImpactStatus status = LIA_IMPACT_SOLVED;
    LiaImpactLaw law = LIA_IMPACT_LAW_NONE;
    clear(d, out);
    out->restitution = options->restitution;
    LiaRestitution restitution = options->restitution;
    memset(done, 0, (size_t)d->contacts * sizeof *done);
    LiaImpactGroup g = {.d = d, .member = member, .restitution = options->restitution};
    while ((g.count = gather(d, done, member)) > 0) {
        out->law = LIA_IMPACT_LAW_NONE;
        LiaImpactStatus its = solve_group(&g, options, out, work, member + d->contacts);
        if (worse(its, status)) {
            status = its;
            out->contact = g.count == 1 ? member[0] : -1;
        }
        if (out->law > law) law = out->law, restitution = out->restitution;
    }
    out->law = law;
    out->restitution = restitution;
    if (!judge(d, out, &status)) return status;
    for (int c = 0; c < d->contacts; c++) {
        out->lost -= out->work[c];
        if (out->P[d->contact[c].normal] > 0.0) out->phases[c] |= LIA_IMPACT_COMPRESSED;
    }
    return status;
}

const char* lia_impact_law_text(const LiaImpact* impact) {
    bool newton = impact->restitution == LIA_RESTITUTION_NEWTON;
    switch (impact->law) {
    case LIA_IMPACT_LAW_NONE:
        return "no contact approaches";
    case LIA_IMPACT_LAW_NEWTON:
        return "Newton's restitution, all contacts at once";
    case LIA_IMPACT_LAW_ROUTH:
        if (newton) return "Routh's process with Newton's restitution";
        if (impact->restitution == LIA_RESTITUTION_POISSON) {
            return "Routh's process with Poisson's restitution";
        }
        return "Routh's process with Stronge's restitution";
    case LIA_IMPACT_LAW_PHASES:
        if (newton) return "Newton's restitution with friction, all contacts at once";
        return "compression and restitution (Poisson), all contacts at once";
    case LIA_IMPACT_LAW_SEQUENCE:
        return "one contact after another, the fastest approach first";
    case LIA_IMPACT_LAW_CHOSEN:
        if (newton) {
            return "Newton's restitution with friction, all contacts at once, "
                   "of several outcomes the one that loses the most energy";
        }
        return "compression and restitution (Poisson), all contacts at once, "
               "of several outcomes the one that loses the most energy";
    }
    return "";
}

enum { RESTITUTIONS = LIA_RESTITUTION_STRONGE + 1 };

uint32_t lia_impact_law_number(const LiaImpact* impact) {
    return 1 + (uint32_t)impact->law * RESTITUTIONS + (uint32_t)impact->restitution;
}

const char* lia_impact_law_of(uint32_t number) {
    LiaImpact impact = {.law = (LiaImpactLaw)((number - 1) / RESTITUTIONS),
                        .restitution = (LiaRestitution)((number - 1) % RESTITUTIONS)};
    return lia_impact_law_text(&impact);
}

bool lia_impact_law_chooses(uint32_t number) {
    return number > 0 && (number - 1) / RESTITUTIONS == LIA_IMPACT_LAW_CHOSEN;
}
