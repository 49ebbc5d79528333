// Where Newton steps lead nowhere: downhill in the squares of the residuals, with steps that are shortened until they go down
// (Levenberg 1944, Marquardt 1963),
//
//   dx = -B^T (B B^T + lambda 1)^-1 W r,   B = W J,   W makes the rows of B of length 1
//
// from places around the guess, near ones first. A guess may be one where an equation has no slope, such as arms of a
// cross that lie along each other; and far away the equations are not what they look like from here.
// SPDX-License-Identifier: MIT
#include "../base/dense.h"
#include "search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EQUATIONS_MOST = 300, STEPS = 200, PLACES = 7 };

typedef struct Downhill {
    LiaSearch* z;
    double* B;     // m x u
    double* A;     // m x m
    double* W;     // m
    double* r;     // m
    double* here;  // x before the step    n
    double* best;  // of all places        n
    int* column;   // of each coordinate among the unknown, -1: given
    double lambda;
} Downhill;

// Residuals, weighed as at the last place that was looked at closely.
static double squares(const Downhill* d) {
    double sum = 0.0;
    for (int c = 0; c < d->z->m; c++) {
        double r = d->W[c] * lia_search_residual(d->z, d->z->row[c], 0);
        sum += r * r;
    }
    return sum;
}

static void weigh(Downhill* d) {
    LiaSearch* z = d->z;
    double most = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < z->m; c++) {
            LiaEntries J = lia_mechanics_J(z->w, z->row[c]);
            double sum = 0.0;
            for (int k = 0; k < J.count; k++) {
                if (d->column[lia_entry_column(&J, k)] >= 0) sum += J.value[k] * J.value[k];
            }
            if (pass == 0) most = fmax(most, sqrt(sum));
            if (pass == 1) d->W[c] = 1.0 / fmax(sqrt(sum), 1e-2 * most);
        }
    }
}

static void make_B(Downhill* d) {
    LiaSearch* z = d->z;
    memset(d->B, 0, (size_t)z->m * (size_t)z->u * sizeof *d->B);
    for (int c = 0; c < z->m; c++) {
        LiaEntries J = lia_mechanics_J(z->w, z->row[c]);
        for (int k = 0; k < J.count; k++) {
            int i = d->column[lia_entry_column(&J, k)];
            if (i >= 0) d->B[c * z->u + i] = d->W[c] * J.value[k];
        }
    }
}

// x <- x + dx for the lambda there is. False where that cannot be worked out.
static bool try_step(Downhill* d) {
    LiaSearch* z = d->z;
    int m = z->m, u = z->u;
    for (int a = 0; a < m; a++) {
        for (int b = 0; b <= a; b++) {
            double sum = a == b ? d->lambda : 0.0;
            for (int i = 0; i < u; i++) sum += d->B[a * u + i] * d->B[b * u + i];
            d->A[a * m + b] = sum;
        }
        d->r[a] = d->W[a] * lia_search_residual(z, z->row[a], 0);
    }
    if (!lia_cholesky(m, d->A)) return false;
    lia_forward(m, d->A, d->r);
    lia_backward(m, d->A, d->r);
    for (int i = 0; i < u; i++) {
        double sum = 0.0;
        for (int c = 0; c < m; c++) sum += d->B[c * u + i] * d->r[c];
        z->x[z->unknown[i]] -= sum;
    }
    return true;
}

// From where x is, down to where the residuals are least.
static void descend(Downhill* d) {
    LiaSearch* z = d->z;
    size_t size = (size_t)z->n * sizeof *z->x;
    int still = 0;
    d->lambda = 1e-2;
    for (int step = 0; step < STEPS && still < 8 && d->lambda < 1e9; step++) {
        if (!(lia_search_worst(z, 0) > 1e-13)) return;
        weigh(d);
        double before = squares(d);
        make_B(d);
        memcpy(d->here, z->x, size);
        bool down = try_step(d);
        lia_search_evaluate(z);
        double after = squares(d);
        down = down && after < before;
        still = down && after > 0.999 * before ? still + 1 : 0;
        d->lambda *= down ? 0.2 : 6.0;
        if (down) continue;
        memcpy(z->x, d->here, size);
        lia_search_evaluate(z);
    }
}

static bool downhill_init(Downhill* d, LiaSearch* z) {
    size_t m = (size_t)z->m, u = (size_t)z->u, n = (size_t)z->n;
    *d = (Downhill){.z = z};
    d->B = calloc(m * u + m * m + 2 * m + 2 * n + 1, sizeof *d->B);
    d->column = malloc((n + 1) * sizeof *d->column);
    if (!d->B || !d->column) return false;
    d->A = d->B + m * u, d->W = d->A + m * m, d->r = d->W + m;
    d->here = d->r + m, d->best = d->here + n;
    for (size_t i = 0; i < n; i++) d->column[i] = -1;
    for (int i = 0; i < z->u; i++) d->column[z->unknown[i]] = i;
    return true;
}

// A place around the guess: the further away, the more were tried.
static void take_place(LiaSearch* z, int place, uint64_t* random) {
    static const double away[PLACES] = {0.0, 0.03, 0.03, 0.1, 0.1, 0.3, 0.3};
    for (int i = 0; i < z->u; i++) {
        int k = z->unknown[i];
        double by = z->s->model->coordinates[k].inner ? 0.0 : away[place] * lia_search_draw(random);
        z->x[k] = z->target[0][k] + by;
    }
    lia_search_evaluate(z);
}

double lia_descent_downhill(LiaSearch* z, bool (*good)(const LiaSearch* z)) {
    double best = INFINITY, left;
    uint64_t random = 1;
    Downhill d = {0};
    bool ok = z->m <= EQUATIONS_MOST && downhill_init(&d, z), nearest, arrived = false;
    for (int place = 0; ok && place < PLACES && !arrived; place++) {
        take_place(z, place, &random);
        descend(&d);
        left = lia_search_worst(z, 0);
        arrived = left < 1e-6 && lia_descent(z, true, &left) && good(z);
        if (arrived && !z->free_all) left = lia_descent_come_nearer(z, left, &nearest);
        if (!arrived && !(left < best)) continue;
        best = left;
        memcpy(d.best, z->x, (size_t)z->n * sizeof *z->x);
    }
    if (isfinite(best)) {
        memcpy(z->x, d.best, (size_t)z->n * sizeof *z->x);
        lia_search_evaluate(z);
    }
    free(d.B);
    free(d.column);
    return best;
}
