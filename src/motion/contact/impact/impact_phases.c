// Several contacts with friction at once.
//
// Compression: u_c = u- + W P_c, 0 <= P_n, 0 <= u_n,c complementary, Coulomb's law between P_t and
// u_t,c. Restitution: P_n = e P_n,c + P', 0 <= P', 0 <= u_n+ complementary, Coulomb's law between
// P_t and u_t+ with the bound mu P_n. Each phase is a cone problem (cone.h).
// Newton's law has one phase: 0 <= P_n, 0 <= u_n+ + e u_n-.
//
// Where a phase has several outcomes (wedged bodies, much friction), the one that loses the most
// energy is taken.
//
// Compression never gains energy, restitution can: then all e are reduced, down to 0 if need be.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "motion/contact/friction/cone.h"
#include "motion/contact/impact/impact.h"
#include <math.h>
#include <string.h>

enum {
    HALVINGS = 48,  // of the interval of the factor
    CONTACT_ROWS = 1 + LIA_FRICTION_BLOCKS * LIA_FRICTION_DIMENSION,
};

size_t lia_impact_phases_work(const LiaDelassus* d) {
    size_t m = (size_t)d->rows, k = (size_t)d->contacts;
    return 8 * m + (LIA_FRICTION_BLOCKS + 1) * k + k + lia_cone_work(d);
}

typedef struct Phases {
    const LiaImpactGroup* g;
    double *b, *before;             // free terms of a phase; velocities before it    (rows)
    double *P, *u;                  // of a phase; velocities after it                (rows)
    double *compression, *middle;   // P and u of the compression                     (rows)
    double* all;                    // impulses of the whole                          (rows)
    double *mu, *offset, *contact;  // contact: work of each
    double* work;
    int* index;
    double gain, size, residual;
    bool trial;           // of a factor: status and residual do not count
    bool guess;           // P is one
    bool inside, unique;  // of impulses that are not unique, some off their bounds; they are unique
    LiaConeStatus status;
} Phases;

static bool is_member(const LiaImpactGroup* g, int c) {
    for (int i = 0; i < g->count; i++) {
        if (g->member[i] == c) return true;
    }
    return false;
}

// The rows of a contact; returns how many.
static int rows_of(const LiaContactRows* contact, int* rows) {
    int count = 0;
    rows[count++] = contact->normal;
    for (int k = 0; k < contact->blocks; k++) {
        for (int i = 0; i < contact->block[k].dimension; i++) {
            rows[count++] = contact->block[k].row + i;
        }
    }
    return count;
}

// One cone problem with the free terms x->b; P and the velocities u = before + W P.
static bool phase(Phases* x, const double* offset) {
    LiaDelassus d = *x->g->d;
    int m = d.rows;
    d.b = x->b;
    d.noise = NULL;
    LiaCone cone = {.d = &d, .mu = x->mu, .offset = offset, .lambda = x->P, .a = x->u};
    cone.any = x->trial;
    cone.several = LIA_CONE_TAKE_LEAST_ENERGY;
    cone.guess = x->guess;
    cone.inside = x->inside;
    cone.blur = x->g->d->noise;
    LiaConeStatus status = lia_cone_solve(&cone, x->work, x->index);
    if (!x->trial) {
        if (status != LIA_CONE_SOLVED) x->status = status;
        x->residual = fmax(x->residual, cone.residual);
    }
    if (status == LIA_CONE_NONE || status == LIA_CONE_NOT_FOUND) return false;
    x->unique = cone.unique;
    for (int c = 0; c < d.contacts && offset; c++) x->P[d.contact[c].normal] += offset[c];
    for (int i = 0; i < m; i++) {
        x->u[i] = x->before[i];
        for (int j = 0; j < m; j++) x->u[i] += d.W[i * m + j] * x->P[j];
    }
    return true;
}

// Work of the phase, contact by contact: its impulses grow together.
static void add_work(Phases* x) {
    const LiaDelassus* d = x->g->d;
    for (int i = 0; i < x->g->count; i++) {
        int c = x->g->member[i], rows[CONTACT_ROWS], count = rows_of(d->contact + c, rows);
        for (int k = 0; k < count; k++) {
            int r = rows[k];
            double half = 0.5 * x->P[r];
            x->contact[c] += half * (x->before[r] + x->u[r]);
            x->gain += half * (x->before[r] + x->u[r]);
            x->size += fabs(half) * (fabs(x->before[r]) + fabs(x->u[r]));
        }
    }
}

static void begin(Phases* x) {
    const LiaDelassus* d = x->g->d;
    for (int i = 0; i < d->rows; i++) x->before[i] = x->b[i] = 0.0;
    for (int i = 0; i < x->g->count; i++) {
        int rows[CONTACT_ROWS], count = rows_of(d->contact + x->g->member[i], rows);
        for (int k = 0; k < count; k++) x->before[rows[k]] = lia_impact_before(d, rows[k]);
    }
    memcpy(x->b, x->before, (size_t)d->rows * sizeof *x->b);
    memset(x->contact, 0, (size_t)d->contacts * sizeof *x->contact);
    memset(x->all, 0, (size_t)d->rows * sizeof *x->all);
    x->gain = x->size = 0.0;
}

static double restitution(const Phases* x, int c) { return x->g->d->contact[c].restitution; }

static bool newton(Phases* x, double factor) {
    begin(x);
    for (int i = 0; i < x->g->count; i++) {
        int c = x->g->member[i], n = x->g->d->contact[c].normal;
        x->b[n] += factor * restitution(x, c) * fmin(x->before[n], 0.0);
    }
    if (!phase(x, NULL)) return false;
    add_work(x);
    memcpy(x->all, x->P, (size_t)x->g->d->rows * sizeof *x->all);
    return true;
}

// Without approach the impulses 0 satisfy the law too. Forces do not end what presses the contacts
// together, so that from a little approach by it no small impulses do; those that do are a guess.
static bool jam(Phases* x) {
    const LiaDelassus* d = x->g->d;
    int m = d->rows;
    double speed = 0.0, push = 0.0;
    for (int i = 0; i < m; i++) {
        double root = sqrt(fabs(d->W[i * m + i]));
        if (!(root > 0.0)) continue;
        speed = fmax(speed, fabs(x->before[i]) / root);
        push = fmax(push, fabs(x->g->push[i]) / root);
    }
    double part = push > 0.0 ? LIA_IMPACT_PUSH * speed / push : 0.0;
    for (int i = 0; i < m; i++) x->b[i] += part * x->g->push[i];
    x->trial = true;
    bool good = part > 0.0 && phase(x, NULL);
    x->trial = false;
    memcpy(x->b, x->before, (size_t)m * sizeof *x->b);
    x->guess = true;
    good = good && phase(x, NULL);
    x->guess = false;
    double most = 0.0;  // of the impulses: not 0 again
    for (int i = 0; i < m && good; i++)
        most = fmax(most, fabs(x->P[i]) * sqrt(fabs(d->W[i * m + i])));
    if (!(most > LIA_IMPACT_SAME * speed)) x->status = LIA_CONE_NOT_FOUND;
    return good && most > LIA_IMPACT_SAME * speed;
}

// Impulses of compression that are not unique, though the velocities are: do others give back more
// or less? Then there are several outcomes.
static void look_for_others(Phases* x) {
    const LiaDelassus* d = x->g->d;
    LiaConeStatus status = x->status;
    double residual = x->residual, size = 0.0, apart = 0.0;
    for (int i = 0; i < d->rows; i++) size = fmax(size, fabs(x->compression[i]));
    x->inside = true;
    bool found = phase(x, NULL);
    x->inside = false;
    x->status = status, x->residual = residual;
    for (int i = 0; i < x->g->count && found; i++) {
        int c = x->g->member[i], n = d->contact[c].normal;
        apart = fmax(apart, restitution(x, c) * fabs(x->P[n] - x->compression[n]));
    }
    if (apart > LIA_LCP_SAME * size) x->status = LIA_CONE_SEVERAL;
}

static bool compress(Phases* x) {
    size_t bytes = (size_t)x->g->d->rows * sizeof(double);
    begin(x);
    if (x->g->push ? !jam(x) : !phase(x, NULL)) return false;
    memcpy(x->compression, x->P, bytes);
    memcpy(x->middle, x->u, bytes);
    if (!x->unique && !x->g->push) look_for_others(x);
    return true;
}

// From the end of the compression, with all e times `factor`.
static bool restitute(Phases* x, double factor) {
    const LiaDelassus* d = x->g->d;
    int m = d->rows;
    size_t bytes = (size_t)m * sizeof(double);
    bool any = false;
    begin(x);
    memcpy(x->P, x->compression, bytes);
    memcpy(x->u, x->middle, bytes);
    add_work(x);
    memcpy(x->all, x->P, bytes);
    memcpy(x->before, x->middle, bytes);
    for (int c = 0; c < d->contacts; c++) {
        x->offset[c] = 0.0;
        if (!is_member(x->g, c)) continue;
        x->offset[c] = factor * restitution(x, c) * x->compression[d->contact[c].normal];
        any = any || x->offset[c] > 0.0;
    }
    if (!any) return true;
    for (int i = 0; i < m; i++) {
        x->b[i] = x->before[i];
        for (int c = 0; c < d->contacts; c++) {
            x->b[i] += d->W[i * m + d->contact[c].normal] * x->offset[c];
        }
    }
    if (!phase(x, x->offset)) return false;
    add_work(x);
    for (int i = 0; i < m; i++) x->all[i] += x->P[i];
    return true;
}

static bool whole(Phases* x, double factor) {
    bool one = x->g->restitution == LIA_RESTITUTION_NEWTON && !x->g->push;
    return one ? newton(x, factor) : restitute(x, factor);
}

static bool gains(const Phases* x) { return x->gain > LIA_IMPACT_GAIN * x->size; }

// The whole impact, with restitutions as large as energy allows. False: no solution was found.
static bool solve(Phases* x, double* factor) {
    *factor = 1.0;
    bool one = x->g->restitution == LIA_RESTITUTION_NEWTON && !x->g->push;
    if (!one && !compress(x)) return false;
    LiaConeStatus status = x->status;
    double residual = x->residual;
    if (whole(x, 1.0) && !gains(x)) return true;
    x->status = status;
    x->residual = residual;
    x->trial = true;
    double good = 0.0, bad = 1.0;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (good + bad);
        if (!whole(x, middle) || gains(x))
            bad = middle;
        else
            good = middle;
    }
    if (good < LIA_IMPACT_LEAST_FACTOR) good = 0.0;
    *factor = good;
    x->trial = false;
    return whole(x, good);
}

static void put(const Phases* x, LiaImpact* out) {
    const LiaDelassus* d = x->g->d;
    int m = d->rows;
    for (int i = 0; i < x->g->count; i++) {
        int c = x->g->member[i], rows[CONTACT_ROWS], count = rows_of(d->contact + c, rows);
        out->work[c] += x->contact[c];
        for (int k = 0; k < count; k++) out->P[rows[k]] += x->all[rows[k]];
    }
    for (int i = 0; i < x->g->count; i++) {
        int c = x->g->member[i], rows[CONTACT_ROWS], count = rows_of(d->contact + c, rows);
        for (int k = 0; k < count; k++) out->u[rows[k]] = x->u[rows[k]];
        for (int b = 0; b < d->contact[c].blocks; b++) {
            const LiaFrictionBlock* block = d->contact[c].block + b;
            double speed = 0.0, size = 0.0;
            for (int j = 0; j < block->dimension; j++) {
                int r = block->row + j;
                speed = fmax(speed, fabs(x->u[r]));
                size = fmax(size, fabs(d->b[r]));
                for (int s = 0; s < m; s++) size = fmax(size, fabs(d->W[r * m + s] * x->all[s]));
            }
            bool stuck = speed <= LIA_CONTACT_ZERO * size;
            out->phases[c] |= stuck ? LIA_IMPACT_STUCK : LIA_IMPACT_SLID;
        }
    }
    out->residual = fmax(out->residual, x->residual);
}

LiaImpactStatus lia_impact_phases_solve(const LiaImpactGroup* g, LiaImpact* out, double* work,
                                        int* index) {
    const LiaDelassus* d = g->d;
    int m = d->rows, k = d->contacts;
    Phases x = {.g = g, .b = work, .index = index, .status = LIA_CONE_SOLVED};
    x.before = x.b + m, x.P = x.before + m, x.u = x.P + m, x.compression = x.u + m;
    x.middle = x.compression + m, x.all = x.middle + m;
    x.mu = x.all + m, x.offset = x.mu + LIA_FRICTION_BLOCKS * k, x.contact = x.offset + k;
    x.work = x.contact + k;
    for (int c = 0; c < k; c++) {
        for (int i = 0; i < LIA_FRICTION_BLOCKS; i++) {
            bool there = i < d->contact[c].blocks;
            double mu = there ? d->contact[c].block[i].kinetic : 0.0;
            x.mu[c * LIA_FRICTION_BLOCKS + i] = fmax(mu, 0.0);
        }
    }
    bool one = g->restitution == LIA_RESTITUTION_NEWTON;
    double factor;
    out->restitution = one ? LIA_RESTITUTION_NEWTON : LIA_RESTITUTION_POISSON;
    if (!solve(&x, &factor)) {
        return x.status == LIA_CONE_NONE ? LIA_IMPACT_NO_SOLUTION : LIA_IMPACT_BUDGET;
    }
    out->reduced = fmin(out->reduced, factor);
    put(&x, out);
    return x.status == LIA_CONE_SEVERAL ? LIA_IMPACT_SEVERAL : LIA_IMPACT_SOLVED;
}
