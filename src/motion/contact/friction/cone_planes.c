// The nearest multipliers within the cones, where those of minimum norm leave them.
//
// The multipliers with the same accelerations are lambda + range P, P an orthogonal projector
// (cone_norm.c). Each condition is a half space, e.lambda + shift >= 0:
//
//     N >= 0,    mu (N + offset) - d.T >= 0
//
// with d = 1 and -1 for a block of one row. A disc is cut by the planes that touch it: where |T| is
// beyond its bound, one more with d = T/|T|, until none is. With z >= 0 the pressures
// of the planes E, v + P E^T z is the nearest point to v if
//
//     w = E P E^T z + E v + shift >= 0,   w.z = 0
//
// a complementarity problem of a symmetric matrix that is not negative.
// SPDX-License-Identifier: MIT
#include "base/numeric/lcp_convex.h"
#include "base/numeric/thresholds.h"
#include "motion/contact/friction/cone.h"
#include <math.h>
#include <string.h>

enum {
    CUTS = 8,    // of one disc, at most
    ENTRIES = 3  // of one plane, at most
};

typedef struct Plane {
    int count, row[ENTRIES];
    double e[ENTRIES], shift;
} Plane;

typedef struct Planes {
    const LiaConeScaled* s;
    const double* P;
    int count;
    Plane* list;
} Planes;

static int planes_most(const LiaDelassus* d) {
    int most = d->contacts;
    for (int c = 0; c < d->contacts; c++) {
        for (int k = 0; k < d->contact[c].blocks; k++)
            most += d->contact[c].block[k].dimension == 1 ? 2 : CUTS;
    }
    return most;
}

static size_t structs(size_t count) {
    return (count * sizeof(Plane) + sizeof(double) - 1) / sizeof(double);
}

size_t lia_cone_planes_work(const LiaDelassus* d) {
    size_t n = (size_t)planes_most(d);
    return (size_t)d->rows + structs(n) + n * n + 3 * n + lia_lcp_work((int)n);
}

size_t lia_cone_planes_index(const LiaDelassus* d) { return lia_lcp_index(planes_most(d)); }

// ---- the planes

static double length(const double* x, int n) { return n == 1 ? fabs(x[0]) : hypot(x[0], x[1]); }

static bool moves(const Planes* x, int row) { return x->P[row * x->s->rows + row] > LIA_LCP_RANK; }

static double bound(const Planes* x, int c, int k) {
    const LiaContactRows* contact = x->s->contact + c;
    double units = x->s->scale[contact->block[k].row] / x->s->scale[contact->normal];
    return x->s->mu[c * LIA_FRICTION_BLOCKS + k] * units * (1.0 - LIA_CONE_MARGIN);
}

static double shift_of(const Planes* x, int c) {
    return x->s->offset[c] * x->s->scale[x->s->contact[c].normal];
}

static void add_normal(Planes* x, int c) {
    int n = x->s->contact[c].normal;
    if (!moves(x, n)) return;
    x->list[x->count++] = (Plane){.count = 1, .row = {n}, .e = {1.0}};
}

static void add_cut(Planes* x, int c, int k, const double* d) {
    const LiaFrictionBlock* block = x->s->contact[c].block + k;
    double mu = bound(x, c, k);
    Plane plane = {.count = 1 + block->dimension, .shift = mu * shift_of(x, c)};
    plane.row[0] = x->s->contact[c].normal;
    plane.e[0] = mu;
    for (int i = 0; i < block->dimension; i++) {
        plane.row[1 + i] = block->row + i;
        plane.e[1 + i] = -d[i];
    }
    x->list[x->count++] = plane;
}

static bool is_stuck(const Planes* x, int c, int k) {
    const LiaFrictionBlock* block = x->s->contact[c].block + k;
    return x->s->mu[c * LIA_FRICTION_BLOCKS + k] > 0.0 &&
           length(x->s->y + block->row, block->dimension) <= LIA_LCP_PIVOT;
}

// Do multipliers of this block, or of its N, differ at all?
static bool block_moves(const Planes* x, int c, int k) {
    const LiaFrictionBlock* block = x->s->contact[c].block + k;
    bool any = moves(x, x->s->contact[c].normal);
    for (int i = 0; i < block->dimension; i++) any |= moves(x, block->row + i);
    return any && is_stuck(x, c, k);
}

static void first_planes(Planes* x) {
    x->count = 0;
    for (int c = 0; c < x->s->contacts; c++) {
        add_normal(x, c);
        for (int k = 0; k < x->s->contact[c].blocks; k++) {
            if (x->s->contact[c].block[k].dimension > 1 || !block_moves(x, c, k)) continue;
            add_cut(x, c, k, &(double){1.0});
            add_cut(x, c, k, &(double){-1.0});
        }
    }
}

// One more plane for each disc whose bound is passed; false: there is none.
static bool cut_discs(Planes* x, const double* lambda) {
    bool any = false;
    for (int c = 0; c < x->s->contacts; c++) {
        for (int k = 0; k < x->s->contact[c].blocks; k++) {
            const LiaFrictionBlock* block = x->s->contact[c].block + k;
            if (block->dimension == 1 || !block_moves(x, c, k)) continue;
            const double* T = lambda + block->row;
            double size = length(T, 2), N = lambda[x->s->contact[c].normal] + shift_of(x, c);
            // in the margin: within the true bound
            if (size <= bound(x, c, k) * fmax(N, 0.0) * (1.0 + 0.5 * LIA_CONE_MARGIN)) continue;
            double d[2] = {T[0] / size, T[1] / size};
            add_cut(x, c, k, d);
            any = true;
        }
    }
    return any;
}

// ---- the nearest point

static double across(const Planes* x, const Plane* a, const Plane* b) {
    double sum = 0.0;
    for (int i = 0; i < a->count; i++) {
        for (int j = 0; j < b->count; j++)
            sum += a->e[i] * x->P[a->row[i] * x->s->rows + b->row[j]] * b->e[j];
    }
    return sum;
}

static bool nearest(const Planes* x, const double* v, double* lambda, double* work, int* index) {
    int n = x->count, m = x->s->rows;
    double *M = work, *q = M + n * n, *z = q + n, *w = z + n;
    for (int i = 0; i < n; i++) {
        const Plane* plane = x->list + i;
        q[i] = plane->shift;
        for (int k = 0; k < plane->count; k++) q[i] += plane->e[k] * v[plane->row[k]];
        for (int j = 0; j < n; j++) M[i * n + j] = across(x, plane, x->list + j);
    }
    LiaLcp p = {.n = n, .M = M, .q = q, .z = z, .w = w};
    LiaLcpStatus status = lia_lcp_convex_solve(&p, w + n, index);
    if (status != LIA_LCP_SOLVED && status != LIA_LCP_INEXACT) return false;
    memcpy(lambda, v, (size_t)m * sizeof *lambda);
    for (int i = 0; i < n; i++) {
        const Plane* plane = x->list + i;
        for (int k = 0; k < plane->count && z[i] > 0.0; k++) {
            for (int r = 0; r < m; r++)
                lambda[r] += x->P[r * m + plane->row[k]] * plane->e[k] * z[i];
        }
    }
    return true;
}

bool lia_cone_planes_nearest(const LiaConeScaled* s, const double* P, double* lambda, double* work,
                             int* index) {
    LiaDelassus d = {.contacts = s->contacts, .rows = s->rows, .contact = s->contact};
    size_t most = (size_t)planes_most(&d);
    double* v = work;
    Planes x = {.s = s, .P = P, .list = (Plane*)(work + s->rows)};
    double* rest = work + (size_t)s->rows + structs(most);
    memcpy(v, lambda, (size_t)s->rows * sizeof *v);
    first_planes(&x);
    if (x.count == 0) return true;
    for (int round = 0; round < CUTS; round++) {
        if (!nearest(&x, v, lambda, rest, index)) return false;
        if (!cut_discs(&x, lambda)) return true;
    }
    return true;  // nearly: whether it is good is judged by all conditions
}
