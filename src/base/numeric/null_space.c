// LU of saddle matrices in the order of the null-space method. See null_space.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/null_space.h"
#include "base/watch.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { LONG = 150 };  // from this size on the watch is asked

static double* row_of(const LiaNullSpace* z, int i) { return z->A + (size_t)i * (size_t)z->n; }

static void scale(const LiaNullSpace* z) {
    for (int i = 0; i < z->n; i++) {
        double *row = row_of(z, i), most = 0.0;
        for (int j = 0; i >= z->nf && j < z->nf; j++) most = fmax(most, fabs(row[j]));
        int e = 0;
        if (most > 0.0 && isfinite(most)) frexp(most, &e);
        z->left[i] = ldexp(1.0, -e);
        for (int j = 0; e != 0 && j < z->n; j++) row[j] *= z->left[i];
    }
}

typedef struct Pivot {
    int row, column;
    double size;
} Pivot;

// The largest entry of the part that is eliminated at step k: J, then Omega^T, then the rest.
static Pivot find_pivot(const LiaNullSpace* z, int k) {
    int nr = z->n - z->nf;
    Pivot best = {k, k, 0.0};
    for (int i = k; i < z->n; i++) {
        if (k < nr && z->row[i] < z->nf) continue;
        const double* row = row_of(z, i);
        for (int j = k; j < z->n; j++) {
            bool force = z->column[j] >= z->nf;
            if (k < 2 * nr && force != (k >= nr)) continue;
            if (fabs(row[j]) > best.size) best = (Pivot){i, j, fabs(row[j])};
        }
    }
    return best;
}

static void swap_ints(int* a, int* b) {
    int x = *a;
    *a = *b;
    *b = x;
}

static void swap_numbers(double* a, double* b) {
    double x = *a;
    *a = *b;
    *b = x;
}

static void exchange(const LiaNullSpace* z, int k, Pivot p) {
    swap_ints(&z->row[k], &z->row[p.row]);
    swap_ints(&z->column[k], &z->column[p.column]);
    double *row = row_of(z, k), *other = row_of(z, p.row);
    for (int j = 0; p.row != k && j < z->n; j++) swap_numbers(&row[j], &other[j]);
    for (int i = 0; p.column != k && i < z->n; i++)
        swap_numbers(&row_of(z, i)[k], &row_of(z, i)[p.column]);
}

static void eliminate(const LiaNullSpace* z, int k) {
    double* pivot = row_of(z, k);
    pivot[k] = 1.0 / pivot[k];
    for (int i = k + 1; i < z->n; i++) {
        double* row = row_of(z, i);
        if (row[k] == 0.0) continue;
        double f = row[k] *= pivot[k];
        for (int j = k + 1; j < z->n; j++) row[j] -= f * pivot[j];
    }
}

double lia_null_space_factor(LiaNullSpace* z, int* weakest) {
    double least = INFINITY;
    *weakest = 0;
    if (2 * z->nf < z->n) return 0.0;  // more equations than unknowns
    for (int k = 0; k < z->n; k++) z->row[k] = z->column[k] = k;
    scale(z);
    for (int k = 0; k < z->n; k++) {
        if (z->n > LONG && lia_watch_asked()) return 0.0;
        Pivot p = find_pivot(z, k);
        if (p.size < least) {
            least = p.size;
            *weakest = z->column[p.column];
        }
        if (!(p.size > 0.0)) return 0.0;
        exchange(z, k, p);
        eliminate(z, k);
    }
    return z->n ? least : 1.0;
}

void lia_null_space_solve(const LiaNullSpace* z, double* b) {
    double* x = z->x;
    for (int k = 0; k < z->n; k++) {
        const double* row = row_of(z, k);
        x[k] = b[z->row[k]] * z->left[z->row[k]];
        for (int j = 0; j < k; j++) x[k] -= row[j] * x[j];
    }
    for (int k = z->n - 1; k >= 0; k--) {
        const double* row = row_of(z, k);
        for (int j = k + 1; j < z->n; j++) x[k] -= row[j] * x[j];
        x[k] *= row[k];
    }
    for (int k = 0; k < z->n; k++) b[z->column[k]] = x[k];
}

void lia_null_space_solve_transposed(const LiaNullSpace* z, double* b) {
    double* x = z->x;
    for (int k = 0; k < z->n; k++) x[k] = b[z->column[k]];
    for (int k = 0; k < z->n; k++) {
        const double* row = row_of(z, k);
        x[k] *= row[k];
        for (int j = k + 1; j < z->n; j++) x[j] -= row[j] * x[k];
    }
    for (int k = z->n - 1; k >= 0; k--) {
        const double* row = row_of(z, k);
        for (int j = 0; j < k; j++) x[j] -= row[j] * x[k];
    }
    for (int k = 0; k < z->n; k++) b[z->row[k]] = x[k] * z->left[z->row[k]];
}

double lia_null_space_size(const LiaNullSpace* z) {
    double product = 1.0;
    int power = 0, e;
    for (int k = 0; k < z->n; k++) {
        product = frexp(product * row_of(z, k)[k], &e);
        power += e;
        product = frexp(product * z->left[k], &e);
        power += e;
    }
    return -log2(fabs(product)) - power;
}
