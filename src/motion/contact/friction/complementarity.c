// See complementarity.h.
//
// Contacts that are coupled are one problem, those that are not are several (coupled.h).
//
// A block that slides has T = -mu N D with a known direction D: it leaves the problem, and the
// column of its N becomes n - mu t. What is left is the cone problem of the blocks at rest. Static
// coefficients above the kinetic ones: a block that cannot be held by the static one is solved for
// again with the kinetic one. That makes it rub less, so it need not be tried the other way.
// SPDX-License-Identifier: MIT
#include "motion/contact/friction/complementarity.h"
#include "base/numeric/thresholds.h"
#include "motion/contact/friction/cone.h"
#include "motion/contact/friction/coupled.h"
#include <math.h>
#include <string.h>

static size_t verdicts(size_t count) {
    return (count * sizeof(LiaContactVerdict) + sizeof(double) - 1) / sizeof(double);
}

size_t lia_complementarity_work(const LiaDelassus* d) {
    size_t m = (size_t)d->rows, k = (size_t)d->contacts;
    return 4 * m + verdicts(k) + lia_coupled_work(d) + m * m + LIA_FRICTION_BLOCKS * k +
           lia_redundant_work(d);
}

size_t lia_complementarity_index(const LiaDelassus* d) {
    return lia_coupled_index(d) + lia_redundant_index(d);
}

static double length(const double* x, int n) { return n == 1 ? fabs(x[0]) : hypot(x[0], x[1]); }

static bool slides(const LiaDelassus* d, const LiaFrictionBlock* block) {
    return d->slip && length(d->slip + block->row, block->dimension) > 0.0;
}

// The columns of N of contacts that slide: n - mu t; and how much of n is left in its own row.
static void slide_columns(const LiaDelassus* d, double* W, LiaContactVerdict* verdict) {
    int m = d->rows;
    memcpy(W, d->W, (size_t)(m * m) * sizeof *W);
    for (int c = 0; c < d->contacts; c++) {
        const LiaContactRows* contact = d->contact + c;
        int n = contact->normal;
        double size = fabs(W[n * m + n]);
        bool any = false;
        for (int k = 0; k < contact->blocks; k++) {
            const LiaFrictionBlock* block = contact->block + k;
            if (!slides(d, block)) continue;
            const double* slip = d->slip + block->row;
            double f = block->kinetic / length(slip, block->dimension);
            any = true;
            for (int i = 0; i < block->dimension; i++) {
                int t = block->row + i;
                size += fabs(f * slip[i] * d->W[n * m + t]);
                for (int j = 0; j < m; j++) W[j * m + n] -= f * slip[i] * d->W[j * m + t];
            }
        }
        verdict[c].coupling = any && size > 0.0 ? W[n * m + n] / size : 1.0;
    }
}

// The bounds of the blocks at rest, static at first.
static void first_bounds(const LiaDelassus* d, double* mu) {
    for (int c = 0; c < d->contacts; c++) {
        for (int k = 0; k < LIA_FRICTION_BLOCKS; k++) {
            const LiaFrictionBlock* block = d->contact[c].block + k;
            bool rests = k < d->contact[c].blocks && !slides(d, block);
            double most = rests ? fmax(block->static_most, block->kinetic) : 0.0;
            mu[c * LIA_FRICTION_BLOCKS + k] = fmax(most, 0.0);
        }
    }
}

// What is 0 in a row: relative to the largest free term, in units in which W has a diagonal of 1.
static void find_zeros(const LiaDelassus* d, double* zero) {
    int m = d->rows;
    double most = 0.0;
    for (int i = 0; i < m; i++) {
        double root = sqrt(fabs(d->W[i * m + i]));
        if (root > 0.0) most = fmax(most, fabs(d->b[i]) / root);
    }
    for (int i = 0; i < m; i++) {
        zero[i] = LIA_CONTACT_ZERO * most * sqrt(fabs(d->W[i * m + i]));
        if (d->noise) zero[i] = fmax(zero[i], d->noise[i]);
    }
}

// Multiplier j that moves its row by what is 0 there.
static double zero_force(const LiaDelassus* d, const double* zero, int j) {
    double size = fabs(d->W[j * d->rows + j]);
    return size > 0.0 ? zero[j] / size : 0.0;
}

// Does block k of contact c begin to slide though its bound is static?
static bool slips_off(const LiaDelassus* d, const double* a, const double* zero, const double* mu,
                      int c, int k) {
    const LiaFrictionBlock* block = d->contact[c].block + k;
    if (slides(d, block) || mu[c * LIA_FRICTION_BLOCKS + k] <= block->kinetic) return false;
    return length(a + block->row, block->dimension) > zero[block->row];
}

static bool slips_beyond(const LiaDelassus* d, const double* a, const double* zero,
                         const double* mu) {
    for (int c = 0; c < d->contacts; c++) {
        for (int k = 0; k < d->contact[c].blocks; k++) {
            if (slips_off(d, a, zero, mu, c, k)) return true;
        }
    }
    return false;
}

// Blocks that do: kinetic from now on. False: none.
static bool loosen(const LiaDelassus* d, const double* a, const double* zero, double* mu) {
    bool any = false;
    for (int c = 0; c < d->contacts; c++) {
        for (int k = 0; k < d->contact[c].blocks; k++) {
            if (!slips_off(d, a, zero, mu, c, k)) continue;
            mu[c * LIA_FRICTION_BLOCKS + k] = fmax(d->contact[c].block[k].kinetic, 0.0);
            any = true;
        }
    }
    return any;
}

static void set_direction(double* direction, const double* x, int dim, double sign) {
    double size = length(x, dim);
    direction[0] = direction[1] = 0.0;
    for (int i = 0; i < dim && size > 0.0; i++) direction[i] = sign * x[i] / size;
}

static void judge_block(const LiaDelassus* d, const LiaComplementarity* out, const double* zero,
                        double mu, int c, int k) {
    const LiaFrictionBlock* block = d->contact[c].block + k;
    LiaContactVerdict* v = out->verdict + c;
    int t = block->row, dim = block->dimension;
    double N = out->lambda[d->contact[c].normal];
    if (slides(d, block)) {
        v->block[k] = LIA_CONTACT_SLIDES;
        set_direction(v->direction[k], d->slip + t, dim, 1.0);
    } else if (length(out->a + t, dim) > zero[t]) {
        v->block[k] = LIA_CONTACT_SLIDES;
        set_direction(v->direction[k], out->a + t, dim, 1.0);
    } else {
        double T = length(out->lambda + t, dim);
        v->block[k] = LIA_CONTACT_STICKS;
        set_direction(v->direction[k], out->lambda + t, dim, -1.0);
        if (T > 0.0 && T >= mu * N * (1.0 - 2.0 * LIA_CONE_MARGIN)) v->border = v->bound[k] = true;
    }
    if (v->block[k] == LIA_CONTACT_SLIDES) v->state = LIA_CONTACT_SLIDES;
}

static void judge(const LiaDelassus* d, LiaComplementarity* out, const double* zero,
                  const double* mu) {
    for (int c = 0; c < d->contacts; c++) {
        LiaContactVerdict* v = out->verdict + c;
        int n = d->contact[c].normal;
        bool open = out->lambda[n] <= zero_force(d, zero, n);
        v->state = open ? LIA_CONTACT_OPENS : LIA_CONTACT_STICKS;
        double doubt = LIA_CONTACT_BORDER / LIA_CONTACT_ZERO;
        v->light = out->lambda[n] <= doubt * zero_force(d, zero, n) && out->a[n] <= zero[n];
        v->border = v->light;
        memset(v->direction, 0, sizeof v->direction);
        for (int k = 0; k < LIA_FRICTION_BLOCKS; k++)
            v->block[k] = v->state, v->bound[k] = v->border;
        for (int k = 0; k < d->contact[c].blocks && !open; k++) {
            judge_block(d, out, zero, mu[c * LIA_FRICTION_BLOCKS + k], c, k);
        }
    }
}

// T of the blocks that slide.
static void add_friction(const LiaDelassus* d, double* lambda) {
    for (int c = 0; c < d->contacts; c++) {
        for (int k = 0; k < d->contact[c].blocks; k++) {
            const LiaFrictionBlock* block = d->contact[c].block + k;
            if (!slides(d, block)) continue;
            const double* slip = d->slip + block->row;
            double f = block->kinetic * lambda[d->contact[c].normal];
            f /= length(slip, block->dimension);
            for (int i = 0; i < block->dimension; i++) lambda[block->row + i] = -f * slip[i];
        }
    }
}

static int least_coupling(const LiaDelassus* d, const LiaContactVerdict* verdict) {
    int least = -1;
    for (int c = 0; c < d->contacts; c++) {
        if (verdict[c].coupling > LIA_LCP_MINOR) continue;
        if (least < 0 || verdict[c].coupling < verdict[least].coupling) least = c;
    }
    return least;
}

// Sliding contacts can press each other together: the first one of them.
static int first_sliding(const LiaDelassus* d) {
    for (int c = 0; c < d->contacts; c++) {
        for (int k = 0; k < d->contact[c].blocks; k++) {
            if (slides(d, d->contact[c].block + k)) return c;
        }
    }
    return -1;
}

static LiaComplementarityStatus status_of(LiaConeStatus status) {
    switch (status) {
    case LIA_CONE_SOLVED:
        return LIA_COMPLEMENTARITY_SOLVED;
    case LIA_CONE_NONE:
        return LIA_COMPLEMENTARITY_NONE;
    case LIA_CONE_SEVERAL:
        return LIA_COMPLEMENTARITY_SEVERAL;
    case LIA_CONE_NOT_FOUND:
        break;
    }
    return LIA_COMPLEMENTARITY_BUDGET;
}

// Is block k of contact c one that is kinetic since it began to slide?
static bool is_loose(const LiaDelassus* d, const double* mu, int c, int k) {
    const LiaFrictionBlock* block = d->contact[c].block + k;
    double bound = mu[c * LIA_FRICTION_BLOCKS + k];
    return !slides(d, block) && bound < fmax(block->static_most, 0.0);
}

static bool is_solved(LiaConeStatus status) {
    return status == LIA_CONE_SOLVED || status == LIA_CONE_SEVERAL;
}

// Several blocks began to slide at once. With the lesser friction of the others one may be held all
// the same: then it is.
static LiaConeStatus tighten(const LiaDelassus* d, LiaCone* cone, const double* zero, double* mu,
                             double* work, int* index) {
    LiaConeStatus status = LIA_CONE_SOLVED;
    int loose = 0;
    bool last = true;  // what was found is that of the bounds
    for (int c = 0; c < d->contacts; c++) {
        for (int k = 0; k < d->contact[c].blocks; k++) loose += is_loose(d, mu, c, k);
    }
    for (int c = 0; c < d->contacts && loose > 1; c++) {
        for (int k = 0; k < d->contact[c].blocks; k++) {
            if (!is_loose(d, mu, c, k)) continue;
            const LiaFrictionBlock* block = d->contact[c].block + k;
            double* bound = mu + c * LIA_FRICTION_BLOCKS + k;
            *bound = block->static_most;
            status = lia_cone_solve(cone, work, index);
            last = is_solved(status) && !slips_beyond(d, cone->a, zero, mu);
            if (!last) *bound = fmax(block->kinetic, 0.0);
        }
    }
    return last ? status : lia_cone_solve(cone, work, index);
}

// Contacts that are coupled; `zero`: what is 0 in a row.
static LiaComplementarityStatus solve_group(const LiaDelassus* d, const double* zero,
                                            LiaComplementarity* out, double* work, int* index) {
    int m = d->rows;
    double *W = work, *mu = W + m * m, *rest = mu + LIA_FRICTION_BLOCKS * d->contacts;
    slide_columns(d, W, out->verdict);
    first_bounds(d, mu);
    LiaDelassus reduced = *d;
    reduced.W = W;
    LiaCone cone = {.d = &reduced, .mu = mu, .blur = d->noise, .lambda = out->lambda, .a = out->a};
    cone.unique = true;
    cone.inside = d->inside;
    bool wedges = least_coupling(d, out->verdict) >= 0;
    if (!wedges) cone.several = LIA_CONE_TAKE_LEAST_CONSTRAINT;
    LiaConeStatus status = LIA_CONE_SOLVED;
    if (!lia_redundant_solve(d, &cone, zero, rest, index)) {
        bool redundant = !cone.unique;
        status = lia_cone_solve(&cone, rest, index);
        // what differs is which of the sliding contacts supports the others
        bool several = status == LIA_CONE_SEVERAL && !wedges;
        if (redundant && several) status = LIA_CONE_SOLVED, cone.unique = false;
    }
    bool loosened = false;
    while (is_solved(status) && loosen(d, out->a, zero, mu)) {
        status = lia_cone_solve(&cone, rest, index);
        loosened = true;
    }
    if (loosened && is_solved(status)) {
        LiaConeStatus tight = tighten(d, &cone, zero, mu, rest, index);
        if (status == LIA_CONE_SOLVED || !is_solved(tight)) status = tight;
    }
    add_friction(d, out->lambda);
    judge(d, out, zero, mu);
    out->residual = cone.residual;
    out->unique = cone.unique;
    out->painleve = least_coupling(d, out->verdict);
    out->chosen = status == LIA_CONE_SEVERAL && !wedges;
    if (status == LIA_CONE_NONE && out->painleve < 0) out->painleve = first_sliding(d);
    return out->chosen ? LIA_COMPLEMENTARITY_SOLVED : status_of(status);
}

// ---- group by group

static bool is_worse(LiaComplementarityStatus x, LiaComplementarityStatus y) {
    static const int order[] = {
        [LIA_COMPLEMENTARITY_SOLVED] = 0,
        [LIA_COMPLEMENTARITY_SEVERAL] = 1,
        [LIA_COMPLEMENTARITY_BUDGET] = 2,
        [LIA_COMPLEMENTARITY_NONE] = 3,
    };
    return order[x] > order[y];
}

// What was found of a group, into the whole; `worst`: no group was worse so far.
static void take_group(const LiaCoupled* g, const LiaComplementarity* its, bool worst,
                       LiaComplementarity* out) {
    for (int i = 0; i < g->d.rows; i++) {
        out->lambda[g->row[i]] = its->lambda[i];
        out->a[g->row[i]] = its->a[i];
    }
    for (int i = 0; i < g->d.contacts; i++) out->verdict[g->member[i]] = its->verdict[i];
    out->residual = fmax(out->residual, its->residual);
    out->unique = out->unique && its->unique;
    out->chosen = out->chosen || its->chosen;
    if (its->painleve >= 0 && (worst || out->painleve < 0))
        out->painleve = g->member[its->painleve];
}

LiaComplementarityStatus lia_complementarity_solve(const LiaDelassus* d, LiaComplementarity* out,
                                                   double* work, int* index) {
    int m = d->rows;
    double *all = work, *zero = all + m, *rest = zero + 3 * m;
    LiaComplementarity its = {.lambda = zero + m, .a = zero + 2 * m};
    LiaComplementarityStatus status = LIA_COMPLEMENTARITY_SOLVED;
    LiaCoupled g;
    its.verdict = (LiaContactVerdict*)rest, rest += verdicts((size_t)d->contacts);
    lia_coupled_begin(d, &g, rest, index);
    rest += lia_coupled_work(d), index += lia_coupled_index(d);
    out->residual = 0.0;
    out->unique = true;
    out->chosen = false;
    out->painleve = -1;
    find_zeros(d, all);
    while (lia_coupled_next(d, &g)) {
        for (int i = 0; i < g.d.rows; i++) zero[i] = all[g.row[i]];
        LiaComplementarityStatus found = solve_group(&g.d, zero, &its, rest, index);
        bool worst = is_worse(found, status);
        take_group(&g, &its, worst, out);
        if (worst) status = found;
    }
    return status;
}
