// Multipliers that the accelerations do not determine (a box on four corners): those of minimum
// norm.
//
// With the same a, multipliers differ by d with W d = 0; d = 0 where a contact opens, and
// d_T = -mu d_N along the slip where a block slides. P projects onto these d. Minimum norm would be
// lambda - P lambda; where that leaves a cone, the nearest point to 0 that does not: by planes
// (cone_planes.c), or, where these fail, by Dykstra's projections onto one cone after another.
// SPDX-License-Identifier: MIT
#include "base/numeric/qr.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "motion/contact/friction/cone.h"
#include <math.h>
#include <string.h>

enum { ROUNDS = 2000 };  // of Dykstra's projections

size_t lia_cone_norm_work(const LiaDelassus* d) {
    size_t m = (size_t)d->rows, k = (size_t)d->contacts;
    size_t kernel = 3 * m * m + 2 * m;
    size_t planes = lia_cone_planes_work(d), dykstra = 3 * LIA_FRICTION_BLOCKS * k + m;
    size_t most = kernel > planes ? kernel : planes;
    if (dykstra > most) most = dykstra;
    if (lia_cone_centre_work(d) > most) most = lia_cone_centre_work(d);
    return m * m + 6 * m + most;
}

static double length(const double* x, int n) { return n == 1 ? fabs(x[0]) : hypot(x[0], x[1]); }

static double bound(const LiaConeScaled* s, int c, int k) {
    return s->mu[c * LIA_FRICTION_BLOCKS + k];
}

static bool is_open(const LiaConeScaled* s, int c) {
    return s->y[s->contact[c].normal] > LIA_LCP_PIVOT && !(s->offset[c] > 0.0);
}

static bool is_stuck(const LiaConeScaled* s, int c, int k) {
    const LiaFrictionBlock* block = s->contact[c].block + k;
    return bound(s, c, k) > 0.0 && length(s->y + block->row, block->dimension) <= LIA_LCP_PIVOT;
}

// Equations of d, in the units of lambda; returns how many.
static int equations(const LiaConeScaled* s, double* A) {
    int m = s->rows, count = m;
    memset(A, 0, 2 * (size_t)(m * m) * sizeof *A);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) A[i * m + j] = s->W[i * m + j] / s->scale[j];
        double most = 0.0;
        for (int j = 0; j < m; j++) most = fmax(most, fabs(A[i * m + j]));
        for (int j = 0; j < m && most > 0.0; j++) A[i * m + j] /= most;
    }
    for (int c = 0; c < s->contacts; c++) {
        const LiaContactRows* contact = s->contact + c;
        bool open = is_open(s, c);
        if (s->y[contact->normal] > LIA_LCP_PIVOT) A[count++ * m + contact->normal] = 1.0;
        for (int k = 0; k < contact->blocks; k++) {
            const LiaFrictionBlock* block = contact->block + k;
            if (!open && is_stuck(s, c, k)) continue;
            double size = length(s->y + block->row, block->dimension);
            double mu = bound(s, c, k) * s->scale[block->row] / s->scale[contact->normal];
            for (int i = 0; i < block->dimension; i++, count++) {
                A[count * m + block->row + i] = 1.0;
                if (open || size == 0.0) continue;
                A[count * m + contact->normal] = mu * s->y[block->row + i] / size;
            }
        }
    }
    return count;
}

// Projector onto the d, in the units of lambda; returns its rank.
static int projector(const LiaConeScaled* s, double* P, double* work, int* index) {
    int m = s->rows;
    double *A = work, *basis = A + 2 * m * m, *pivot = basis + m * m;
    int count = equations(s, A);
    LiaRows rows = {.m = count, .n = m, .A = A, .pivot = pivot, .order = index};
    lia_qr_factor(&rows, LIA_LCP_RANK, true);
    int rank = lia_qr_kernel(&rows, basis);
    memset(P, 0, (size_t)(m * m) * sizeof *P);
    for (int k = 0; k < rank; k++) {
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++) P[i * m + j] += basis[k * m + i] * basis[k * m + j];
        }
    }
    return rank;
}

// x of the multipliers `lambda`, if it satisfies all conditions.
static bool accept(LiaConeScaled* s, const double* lambda, double* x, double* y, double* residual) {
    for (int i = 0; i < s->rows; i++) x[i] = lambda[i] / s->scale[i];
    for (int c = 0; c < s->contacts; c++) {
        const LiaContactRows* contact = s->contact + c;
        double N = x[contact->normal];
        if (N < -LIA_LCP_TIE) return false;
        x[contact->normal] = fmax(N, 0.0);
    }
    lia_cone_respond(s, x, y);
    double rest = lia_cone_residual(s, x, y);
    if (!(rest <= LIA_LCP_CERTIFICATE)) return false;
    memcpy(s->x, x, (size_t)s->rows * sizeof *x);
    memcpy(s->y, y, (size_t)s->rows * sizeof *y);
    *residual = rest;
    return true;
}

// The nearest (N, T) with |T| <= mu N.
static void onto_cone(double mu, double* N, double* T, int dim) {
    double size = length(T, dim);
    if (size <= mu * *N) return;
    if (mu * size <= -*N) {
        *N = 0.0;
        for (int i = 0; i < dim; i++) T[i] = 0.0;
        return;
    }
    double n = (*N + mu * size) / (1.0 + mu * mu);
    for (int i = 0; i < dim; i++) T[i] *= mu * n / size;
    *N = n;
}

// One cone after another, each with its memory of what it took away. v: lambda.
static void round_of_cones(const LiaConeScaled* s, double* v, double* memory) {
    for (int c = 0; c < s->contacts; c++) {
        const LiaContactRows* contact = s->contact + c;
        double normal = s->scale[contact->normal], shift = s->offset[c] * normal;
        for (int k = 0; k < contact->blocks || k == 0; k++) {
            double* kept = memory + 3 * (c * LIA_FRICTION_BLOCKS + k);
            bool stuck = k < contact->blocks && is_stuck(s, c, k);
            int dim = stuck ? contact->block[k].dimension : 0;
            double* T = stuck ? v + contact->block[k].row : NULL;
            double N = v[contact->normal] + kept[0], t[2] = {0.0}, before[3] = {N};
            for (int i = 0; i < dim; i++) before[i + 1] = t[i] = T[i] + kept[i + 1];
            if (stuck) {
                double mu = bound(s, c, k) * s->scale[contact->block[k].row] / normal;
                N += shift;
                onto_cone(mu * (1.0 - LIA_LCP_SAME), &N, t, dim);
                N -= shift;
            }
            N = fmax(N, 0.0);
            v[contact->normal] = N;
            kept[0] = before[0] - N;
            for (int i = 0; i < dim; i++) {
                T[i] = t[i];
                kept[i + 1] = before[i + 1] - t[i];
            }
        }
    }
}

// v <- the point of (lambda + range P) and all cones that is nearest to v, nearly.
static void dykstra(const LiaConeScaled* s, const double* P, const double* lambda, double* v,
                    double* work) {
    int m = s->rows;
    double *memory = work, *d = work + 3 * LIA_FRICTION_BLOCKS * s->contacts;
    memset(memory, 0, 3 * LIA_FRICTION_BLOCKS * (size_t)s->contacts * sizeof *memory);
    for (int round = 0; round < ROUNDS; round++) {
        if (round > 0) round_of_cones(s, v, memory);
        for (int i = 0; i < m; i++) d[i] = v[i] - lambda[i];
        for (int i = 0; i < m; i++) {
            double sum = lambda[i];
            for (int j = 0; j < m; j++) sum += P[i * m + j] * d[j];
            v[i] = sum;
        }
    }
}

// ---- are there others?

// Do all d, if short, stay in the cones? So if N and the bounds of T are off 0 wherever d is not.
static bool is_free(const LiaConeScaled* s, const double* P) {
    int m = s->rows;
    for (int c = 0; c < s->contacts; c++) {
        const LiaContactRows* contact = s->contact + c;
        double N = s->x[contact->normal];
        for (int k = -1; k < contact->blocks; k++) {
            int row = k < 0 ? contact->normal : contact->block[k].row;
            int dim = k < 0 ? 1 : contact->block[k].dimension;
            bool moves = false, stuck = k >= 0 && is_stuck(s, c, k);
            for (int i = row; i < row + dim; i++) moves |= P[i * m + i] > LIA_LCP_RANK;
            if (!moves) continue;
            if (N <= LIA_LCP_PIVOT) return false;
            double most = stuck ? bound(s, c, k) * (N + s->offset[c]) : INFINITY;
            if (k >= 0 && length(s->x + row, dim) >= most * (1.0 - LIA_LCP_PIVOT)) return false;
        }
    }
    return true;
}

static bool has_discs(const LiaConeScaled* s) {
    for (int c = 0; c < s->contacts; c++) {
        for (int k = 0; k < s->contact[c].blocks; k++) {
            if (s->contact[c].block[k].dimension > 1) return true;
        }
    }
    return false;
}

// v <- the point of (lambda + range P) and all cones that is nearest to v: exactly by planes, where
// there are no discs.
static void nearest(const LiaConeScaled* s, const double* P, const double* lambda, double* v,
                    double* work, int* index) {
    int m = s->rows;
    if (has_discs(s)) {
        dykstra(s, P, lambda, v, work);
        return;
    }
    double* x = work;
    for (int i = 0; i < m; i++) {
        x[i] = lambda[i];
        for (int j = 0; j < m; j++) x[i] += P[i * m + j] * (v[j] - lambda[j]);
    }
    memcpy(v, x, (size_t)m * sizeof *v);
    if (lia_cone_planes_nearest(s, P, v, work, index)) return;
    memcpy(v, lambda, (size_t)m * sizeof *v);
}

// Is lambda the only point? The nearest ones to points on all sides of it are tried.
static bool is_only(const LiaConeScaled* s, const double* P, const double* lambda, double* work,
                    int* index) {
    int m = s->rows;
    double *v = work, size = 0.0, apart = has_discs(s) ? LIA_CONE_APART : LIA_CONE_APART_PLANES;
    for (int i = 0; i < m; i++) size = fmax(size, fabs(lambda[i]));
    for (int side = 0; side < 4; side++) {
        double on_N = side & 1 ? 1.0 : -1.0, on_T = side & 2 ? 1.0 : -1.0;
        for (int i = 0; i < m; i++) v[i] = lambda[i] + on_T * size * sin(1.0 + 3.0 * i);
        for (int c = 0; c < s->contacts; c++) {
            int n = s->contact[c].normal;
            double up = lambda[n] <= LIA_LCP_PIVOT * size ? 1.0 : on_N;
            v[n] = lambda[n] + up * size * (1.0 + 0.5 * sin(1.0 + 3.0 * n));
        }
        nearest(s, P, lambda, v, work + m, index);
        for (int i = 0; i < m; i++) {
            if (fabs(v[i] - lambda[i]) > apart * size) return false;
        }
    }
    return true;
}

// ---- the whole

// A point off all bounds that can be kept off: the middle of points that are nearest to others, on
// all sides of that of minimum norm. The cones are convex.
static bool find_inside(const LiaConeScaled* s, const double* P, const double* shortest, double* v,
                        double* work, int* index) {
    enum { POINTS = 16 };
    int m = s->rows, found = 0;
    double *least = work, *x = least + m, *rest = x + m, size = 0.0;
    uint64_t seed = 1;
    memcpy(least, shortest, (size_t)m * sizeof *least);
    if (!lia_cone_planes_nearest(s, P, least, rest, index)) return false;
    memset(v, 0, (size_t)m * sizeof *v);
    for (int i = 0; i < m; i++) size = fmax(size, fabs(least[i]));
    for (int k = 0; k < POINTS; k++) {
        double* off = rest;
        for (int i = 0; i < m; i++) off[i] = size * lia_random_even(&seed);
        for (int i = 0; i < m; i++) {
            x[i] = least[i];
            for (int j = 0; j < m; j++) x[i] += P[i * m + j] * off[j];
        }
        if (!lia_cone_planes_nearest(s, P, x, rest, index)) continue;
        found++;
        for (int i = 0; i < m; i++) v[i] += x[i];
    }
    for (int i = 0; i < m && found > 0; i++) v[i] /= found;
    return found > 0;
}

// s->x <- minimum norm, as far as the conditions allow it, or inside of them.
static void shorten(LiaConeScaled* s, const double* P, bool inside, double* residual, double* work,
                    int* index) {
    int m = s->rows;
    double *lambda = work, *v = lambda + m, *x = v + m, *y = x + m, *rest = y + m;
    for (int i = 0; i < m; i++) lambda[i] = s->x[i] * s->scale[i];
    for (int i = 0; i < m; i++) {
        v[i] = lambda[i];
        for (int j = 0; j < m; j++) v[i] -= P[i * m + j] * lambda[j];
    }
    if (!inside && accept(s, v, x, y, residual)) return;
    if (inside && lia_cone_centre_find(s, P, lambda, rest, index) &&
        accept(s, lambda, x, y, residual))
        return;
    memcpy(lambda, v, (size_t)m * sizeof *v);
    bool found = inside ? find_inside(s, P, lambda, v, rest, index)
                        : lia_cone_planes_nearest(s, P, v, rest, index);
    if (found && accept(s, v, x, y, residual)) return;
    for (int i = 0; i < m; i++) lambda[i] = s->x[i] * s->scale[i];
    memset(v, 0, (size_t)m * sizeof *v);
    dykstra(s, P, lambda, v, rest);
    accept(s, v, x, y, residual);
}

bool lia_cone_norm_least(LiaConeScaled* s, bool inside, double* residual, double* work,
                         int* index) {
    int m = s->rows;
    double *P = work, *rest = P + m * m;
    if (projector(s, P, rest, index) == 0) return true;
    shorten(s, P, inside, residual, rest, index);
    if (is_free(s, P)) return false;
    for (int i = 0; i < m; i++) rest[i] = s->x[i] * s->scale[i];
    return is_only(s, P, rest, rest + m, index);
}
