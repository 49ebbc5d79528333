// See impact.h: which contacts hang together, and which law decides.
// SPDX-License-Identifier: MIT
#include "motion/contact/impact/impact.h"
#include "base/numeric/lcp.h"
#include "base/numeric/thresholds.h"
#include "motion/contact/friction/cone.h"
#include "motion/contact/friction/coupled.h"
#include <math.h>
#include <string.h>

static size_t bits(size_t count) {
    return (count * sizeof(unsigned) + sizeof(double) - 1) / sizeof(double);
}

size_t lia_impact_work(const LiaDelassus* d) {
    size_t newton = lia_impact_newton_work(d->contacts), phases = lia_impact_phases_work(d);
    size_t m = (size_t)d->rows, k = (size_t)d->contacts;
    return 3 * m + k + bits(k) + lia_coupled_work(d) + (newton > phases ? newton : phases);
}

size_t lia_impact_index(const LiaDelassus* d) {
    size_t lcp = lia_lcp_index(d->contacts), cone = lia_cone_index(d);
    return (size_t)d->contacts + lia_coupled_index(d) + (lcp > cone ? lcp : cone);
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

static LiaImpactStatus solve_group(LiaImpactGroup* g, const LiaImpactOptions* options,
                                   LiaImpact* out, double* work, int* index) {
    int jam = options->jam ? wedged(g) : -1;
    bool rough = any_rubs(g), alone = g->count == 1 && g->d->contact[g->member[0]].blocks <= 1;
    bool pushed = options->jam && jam < 0 && options->push;
    g->push = pushed ? options->push : NULL;
    if (!approaches(g) && jam < 0 && !pushed) return LIA_IMPACT_SOLVED;
    if (alone && !pushed && (rough || jam >= 0)) {
        out->law = LIA_IMPACT_LAW_ROUTH;
        return lia_impact_single_solve(g, g->member[0], jam >= 0, out);
    }
    if ((options->sequential && !pushed) || jam >= 0) {
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

// What happened in a group, into the whole.
static void take_group(const LiaCoupled* g, const LiaImpact* its, LiaImpact* out) {
    for (int i = 0; i < g->d.rows; i++) {
        out->P[g->row[i]] = its->P[i];
        out->u[g->row[i]] = its->u[i];
    }
    for (int i = 0; i < g->d.contacts; i++) {
        out->work[g->member[i]] = its->work[i];
        out->phases[g->member[i]] = its->phases[i];
    }
    out->reduced = fmin(out->reduced, its->reduced);
    out->residual = fmax(out->residual, its->residual);
    out->impacts += its->impacts;
    if (its->law > out->law) out->law = its->law, out->restitution = its->restitution;
}

// The velocities of rows that are in no group, as those of rolling.
static void find_others(const LiaDelassus* d, LiaImpact* out) {
    int m = d->rows;
    for (int i = 0; i < m; i++) {
        bool inside = false;
        for (int c = 0; c < d->contacts && !inside; c++) {
            const LiaContactRows* contact = d->contact + c;
            inside = i == contact->normal;
            for (int k = 0; k < contact->blocks; k++) {
                int from = i - contact->block[k].row;
                inside = inside || (from >= 0 && from < contact->block[k].dimension);
            }
        }
        for (int j = 0; j < m && !inside; j++) out->u[i] += d->W[i * m + j] * out->P[j];
    }
}

LiaImpactStatus lia_impact_solve(const LiaDelassus* d, const LiaImpactOptions* options,
                                 LiaImpact* out, double* work, int* index) {
    int m = d->rows, k = d->contacts, *member = index;
    LiaImpactStatus status = LIA_IMPACT_SOLVED;
    LiaImpact its = {.P = work, .u = work + m, .work = work + 2 * m};
    its.phases = (unsigned*)(its.work + k);
    double* push = its.work + k + bits((size_t)k);
    work = push + m;
    LiaCoupled g;
    clear(d, out);
    out->restitution = options->restitution;
    lia_coupled_begin(d, &g, work, index + k);
    work += lia_coupled_work(d), index += (size_t)k + lia_coupled_index(d);
    for (int i = 0; i < k; i++) member[i] = i;
    while (lia_coupled_next(d, &g)) {
        LiaImpactGroup group = {.d = &g.d, .member = member, .count = g.d.contacts};
        group.restitution = its.restitution = options->restitution;
        LiaImpactOptions own = *options;
        own.push = NULL;
        for (int i = 0; i < g.d.contacts && options->push; i++) {
            if (g.member[i] == options->jammed) own.push = push;
        }
        for (int i = 0; i < g.d.rows && own.push; i++) push[i] = options->push[g.row[i]];
        clear(&g.d, &its);
        LiaImpactStatus found = solve_group(&group, &own, &its, work, index);
        take_group(&g, &its, out);
        if (!worse(found, status)) continue;
        status = found;
        out->contact = g.d.contacts == 1 ? g.member[0]
                       : its.contact < 0 ? -1
                                         : g.member[its.contact];
    }
    find_others(d, out);
    if (!judge(d, out, &status)) return status;
    for (int c = 0; c < d->contacts; c++) {
        out->lost -= out->work[c];
        if (out->P[d->contact[c].normal] > 0.0) out->phases[c] |= LIA_IMPACT_COMPRESSED;
    }
    return status;
}

// Which law decided, in words, without full stop.
static const char* law_text(const LiaImpact* impact) {
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
                   "of several outcomes the one that loses the most energy or has the least "
                   "impulses";
        }
        return "compression and restitution (Poisson), all contacts at once, "
               "of several outcomes the one that loses the most energy or has the least impulses";
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
    return law_text(&impact);
}

bool lia_impact_law_chooses(uint32_t number) {
    return number > 0 && (number - 1) / RESTITUTIONS == LIA_IMPACT_LAW_CHOSEN;
}
