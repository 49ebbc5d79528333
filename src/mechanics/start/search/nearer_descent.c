// Searches for a near admissible place, one from each place where it begins: onto the equations,
// then along them towards the guess. See nearer.c.
// SPDX-License-Identifier: MIT
#include "mechanics/start/search/nearer_descent.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/start/search/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lia_nearer_descent_init(LiaNearer* N, LiaSearch* z) {
    size_t u = (size_t)z->u, m = (size_t)z->m, n = (size_t)z->n;
    *N = (LiaNearer){.z = z, .u = z->u, .m = z->m, .random = 0x2545f4914f6cdd1du};
    double* x = lia_memory_zeros(2 * u * u + m * m + 4 * u + m + 3 * n + 1, sizeof *x);
    if (!x) return false;
    N->A = x, x += u * u;
    N->L0 = x, x += u * u;
    N->G = x, x += m * m;
    N->y = x, x += u;
    N->along = x, x += u;
    N->before = x, x += u;
    N->gone = x, x += u;
    N->size = x, x += m;
    N->here = x, x += n;
    N->best = x, x += n;
    N->first = x;
    double work = (double)(m * u * (m + u) + u * u * u) / 2.0 + 20.0 * (double)(m + u) * (double)n;
    N->left = (int)fmin(20000.0, 3e7 / work);
    return true;
}

void lia_nearer_descent_clear(LiaNearer* N) { free(N->A); }

void lia_nearer_descent_put(const LiaNearer* N, const double* x) {
    memcpy(N->z->x, x, (size_t)N->z->n * sizeof *x);
}

void lia_nearer_descent_evaluate(LiaNearer* N) {
    lia_search_evaluate(N->z);
    N->left = lia_watch_asked() ? 0 : N->left - 1;
}

// d^T A d, d = x - x0, with the metric of the last step.
static double square(const LiaNearer* N) {
    const LiaSearch* z = N->z;
    const double* target = z->target[z->level];
    double sum = 0.0;
    for (int i = 0; i < N->u; i++) {
        double d = z->x[z->unknown[i]] - target[z->unknown[i]], row = 0.0;
        for (int k = 0; k < N->u; k++)
            row += N->A[i * N->u + k] * (z->x[z->unknown[k]] - target[z->unknown[k]]);
        sum += d * row;
    }
    return sum;
}

double lia_nearer_descent_length(const LiaNearer* N, const double* y) {
    double sum = 0.0;
    for (int k = 0; k < N->u; k++) {
        double x = 0.0;
        for (int i = k; i < N->u; i++) x += N->z->dense.L[i * N->u + k] * y[i];
        sum += x * x;
    }
    return sqrt(sum);
}

// y of least norm with J y = rhs. Not as exact as lia_metric_shortest(), and much quicker. The
// metric here into `A`, or NULL.
static bool shortest(LiaNearer* N, double* A, double* y) {
    LiaSearch* z = N->z;
    int u = N->u, m = N->m;
    double most = 0.0;
    lia_metric_take(z, A);
    for (int c = 0; c < m; c++) {
        double* row = z->dense.B + (size_t)c * (size_t)u;
        for (int i = 0; i < u; i++) row[i] = z->w->saddle.J[z->row[c] * z->n + z->unknown[i]];
        lia_dense_forward(u, z->dense.L, row);
        for (int k = 0; k <= c; k++) {
            const double* other = z->dense.B + (size_t)k * (size_t)u;
            double sum = 0.0;
            for (int i = 0; i < u; i++) sum += row[i] * other[i];
            N->G[c * m + k] = N->G[k * m + c] = sum;
        }
        most = fmax(most, N->G[c * m + c]);
    }
    for (int c = 0; c < m; c++) N->G[c * m + c] += LIA_NEARER_LIFTED * most;
    if (!(most > 0.0) || !lia_dense_cholesky(m, N->G)) return false;
    lia_dense_forward(m, N->G, z->rhs);
    lia_dense_backward(m, N->G, z->rhs);
    for (int i = 0; i < u; i++) {
        y[i] = 0.0;
        for (int c = 0; c < m; c++) y[i] += z->dense.B[c * u + i] * z->rhs[c];
    }
    lia_dense_backward(u, z->dense.L, y);
    return true;
}

static void go(const LiaNearer* N, const double* y, double part) {
    const LiaSearch* z = N->z;
    lia_nearer_descent_put(N, N->here);
    for (int i = 0; i < N->u; i++) z->x[z->unknown[i]] += part * y[i];
}

// The residuals, each measured by the size of its row; that is found `anew`, or is the one of the
// place before.
static double misses(LiaNearer* N, bool anew) {
    const LiaSearch* z = N->z;
    double* size = N->size;
    double sum = 0.0;
    for (int c = 0; c < N->m; c++) {
        double row = anew ? lia_search_row_size(z, z->row[c]) : size[c];
        if (anew) size[c] = row > 0.0 ? fmax(row, LIA_START_ROW_LEAST) : 1.0;
        double r = lia_search_residual(z, z->row[c], z->level) / size[c];
        sum += r * r;
    }
    return sqrt(sum);
}

double lia_nearer_descent_worst(const LiaSearch* z) {
    double most = 0.0;
    for (int c = 0; c < z->m; c++) {
        double r = lia_search_missed(z, z->row[c], z->level);
        if (!(r <= most)) most = r;
        if (isnan(r)) return r;
    }
    return most;
}

bool lia_nearer_descent_onto(LiaNearer* N, double most) {
    LiaSearch* z = N->z;
    for (int pass = 0; pass < 40 && N->left > 0; pass++) {
        double before = misses(N, true), part = 1.0;
        if (!isfinite(before)) return false;
        if (lia_nearer_descent_worst(z) < LIA_NEARER_ON_EQUATIONS) return true;
        for (int c = 0; c < N->m; c++) z->rhs[c] = -lia_search_residual(z, z->row[c], z->level);
        if (!shortest(N, NULL, N->y)) return false;
        double step = lia_nearer_descent_length(N, N->y);
        if (!isfinite(step) || !(step > 0.0)) return false;
        part = fmin(1.0, most / step);
        memcpy(N->here, z->x, (size_t)z->n * sizeof *z->x);
        for (int tries = 0;; tries++) {
            go(N, N->y, part);
            lia_nearer_descent_evaluate(N);
            if (misses(N, false) < (1.0 - 0.2 * part) * before) break;
            if (tries == 6) return false;
            part *= 0.4;
        }
    }
    return false;
}

// Some plain steps, from next to the equations.
static bool settle(LiaNearer* N) {
    LiaSearch* z = N->z;
    for (int pass = 0; pass < 6; pass++) {
        lia_nearer_descent_evaluate(N);
        double left = lia_nearer_descent_worst(z);
        if (left < LIA_NEARER_ON_EQUATIONS) return true;
        if (!(left < LIA_NEARER_LOST)) return false;
        for (int c = 0; c < N->m; c++) z->rhs[c] = -lia_search_residual(z, z->row[c], z->level);
        if (!shortest(N, NULL, N->y)) return false;
        for (int i = 0; i < N->u; i++) z->x[z->unknown[i]] += N->y[i];
    }
    return false;
}

// The part of x0 - x along the equations; its length, NAN where it has none.
static double towards_guess(LiaNearer* N) {
    LiaSearch* z = N->z;
    const double* target = z->target[z->level];
    for (int c = 0; c < N->m; c++) {
        z->rhs[c] = 0.0;
        for (int i = 0; i < N->u; i++) {
            int k = z->unknown[i];
            z->rhs[c] += z->w->saddle.J[z->row[c] * z->n + k] * (z->x[k] - target[k]);
        }
    }
    if (!shortest(N, N->A, N->along)) return NAN;
    for (int i = 0; i < N->u; i++) {
        int k = z->unknown[i];
        N->along[i] -= z->x[k] - target[k];
    }
    return lia_nearer_descent_length(N, N->along);
}

// How much of it to go: where the equations are curved, more or less than all, as the last step has
// shown (Barzilai and Borwein 1988).
static double next_part(const LiaNearer* N, double part) {
    double gone = 0.0, turned = 0.0;
    for (int i = 0; i < N->u; i++) {
        gone += N->gone[i] * N->gone[i];
        turned += N->gone[i] * (N->before[i] - N->along[i]);
    }
    return turned > 0.0 ? fmin(20.0, fmax(gone / turned, LIA_NEARER_PART)) : fmin(20.0, 2.0 * part);
}

// A part of the way that comes nearer, tried from `part` on. False if there is none: x is as it
// was.
static bool come_a_part(LiaNearer* N, double* part, double before, double step) {
    LiaSearch* z = N->z;
    memcpy(N->here, z->x, (size_t)z->n * sizeof *z->x);
    for (int tries = 0; tries < 12; tries++) {
        go(N, N->along, *part);
        if (settle(N) && square(N) < before - 0.1 * fmin(*part, 1.0) * step * step) return true;
        *part *= 0.4;
    }
    lia_nearer_descent_put(N, N->here);
    lia_nearer_descent_evaluate(N);
    return false;
}

bool lia_nearer_descent_along(LiaNearer* N) {
    LiaSearch* z = N->z;
    double part = 1.0, left = INFINITY;
    for (int pass = 0; pass < 100 && N->left > 0; pass++) {
        double step = towards_guess(N), before = square(N);
        left = before > LIA_NEARER_AT_GUESS * N->least ? step * step / before : NAN;
        if (!(left > LIA_NEARER_STILL)) break;
        if (pass > 0) part = next_part(N, part);
        if (!come_a_part(N, &part, before, step)) break;
        for (int i = 0; i < N->u; i++) N->gone[i] = z->x[z->unknown[i]] - N->here[z->unknown[i]];
        memcpy(N->before, N->along, (size_t)N->u * sizeof *N->along);
    }
    return left < LIA_NEARER_SETTLED;
}
