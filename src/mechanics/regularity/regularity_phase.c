// The coupling number of a model of a phase space: can forces along W keep the equations of D?
//
// C = dphi W must be regular. There is no metric, so the number depends on no units by itself:
//   1/rho,   rho the largest eigenvalue of |C^-1| |dphi| |W|
// is 1 where no terms of dphi W cancel, and 0 where they leave nothing; of one equation it is
// |dphi W| over the sum of the sizes of its terms.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/dense.h"
#include "mechanics/regularity/regularity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Coupling {
    int n, m;           // phase variables, equations of D
    double *dphi, *W;   // (m x n), by equation
    double *C, *terms;  // dphi W, and the sums of the sizes of its terms    (m x m)
    double *x, *y;      // (m)
} Coupling;

static void take_rows(const LiaWorkspace* w, Coupling* z) {
    const LiaSystem* s = w->system;
    uint32_t flow = s->first_row[s->model->constraints_count - 1];
    for (int c = 0; c < w->nc; c++) {
        uint32_t row = w->dynamics->rows[c];
        LiaEntries J = lia_workspace_J(w, c);
        for (int k = 0; k < J.count; k++) {
            int i = (int)w->dynamics->free[lia_entry_column(&J, k)];
            if (row < flow && i < z->n) z->dphi[(int)row * z->n + i] = J.value[k];
            if (row >= flow && i >= z->n) z->W[(i - z->n) * z->n + (int)(row - flow)] = -J.value[k];
        }
    }
    for (int a = 0; a < z->m; a++) {
        for (int b = 0; b < z->m; b++) {
            double sum = 0.0, size = 0.0;
            for (int i = 0; i < z->n; i++) {
                double term = z->dphi[a * z->n + i] * z->W[b * z->n + i];
                sum += term;
                size += fabs(term);
            }
            if (size == 0.0 && a == b && w->system->rows[a].identical)
                sum = size = 1.0;  // no equation
            z->C[a * z->m + b] = sum;
            z->terms[a * z->m + b] = size;
        }
    }
}

// |C^-1| x into y, C^-1 column by column; false where C is singular.
static bool times_inverse(const Coupling* z, const LiaLu* lu, double* column) {
    memset(z->y, 0, (size_t)z->m * sizeof *z->y);
    for (int a = 0; a < z->m; a++) {
        for (int b = 0; b < z->m; b++) column[b] = b == a ? 1.0 : 0.0;
        lia_dense_lu_solve(lu, column);
        for (int b = 0; b < z->m; b++) z->y[b] += fabs(column[b]) * z->x[a];
    }
    for (int b = 0; b < z->m; b++) {
        if (!isfinite(z->y[b])) return false;
    }
    return true;
}

// The largest eigenvalue of a matrix without negative entries, by its powers.
static double radius(const Coupling* z, const LiaLu* lu, double* column) {
    enum { POWERS = 60 };
    double rho = INFINITY, *v = column + z->m;
    for (int a = 0; a < z->m; a++) v[a] = 1.0;
    for (int power = 0; power < POWERS; power++) {
        for (int a = 0; a < z->m; a++) {
            z->x[a] = 0.0;
            for (int b = 0; b < z->m; b++) z->x[a] += z->terms[a * z->m + b] * v[b];
        }
        if (!times_inverse(z, lu, column)) return INFINITY;
        rho = 0.0;
        for (int a = 0; a < z->m; a++) rho = fmax(rho, z->y[a]);
        for (int a = 0; a < z->m && rho > 0.0; a++) v[a] = z->y[a] / rho;
    }
    return rho;
}

double lia_regularity_phase(const LiaWorkspace* w) {
    const LiaSystem* s = w->system;
    Coupling z = {.m = (int)s->first_row[s->model->constraints_count - 1]};
    z.n = (int)s->n - z.m;
    if (z.m == 0) return 1.0;
    size_t n = (size_t)z.n, m = (size_t)z.m;
    double* block = lia_memory_zeros(2 * m * n + 3 * m * m + 6 * m + 1, sizeof *block);
    int* order = lia_memory_zeros(m + 1, sizeof *order);
    double number = NAN;
    if (block && order) {
        z.dphi = block, z.W = z.dphi + m * n, z.C = z.W + m * n, z.terms = z.C + m * m;
        z.x = z.terms + m * m, z.y = z.x + m;
        double* column = z.y + m;
        take_rows(w, &z);
        LiaLu lu = {z.m, z.C, order, column + 2 * m, column + 3 * m};
        double rho = lia_dense_lu_factor(&lu, NULL) > 0.0 ? radius(&z, &lu, column) : INFINITY;
        number = rho > 1.0 ? 1.0 / rho : 1.0;
    }
    free(block);
    free(order);
    return number;
}
