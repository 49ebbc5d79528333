// Independent rows by orthogonalisation with pivoting. See independent.c.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/kkt/independent.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Rows of size 1, columns in units of sqrt(M): what is small is small mechanically. A row that is
// nothing but rounding beside the others is none.
static void prepare(const LiaWorkspace* w, const double* size, double* rows) {
    int nf = w->nf, nc = w->nc;
    double rounding = lia_independent_rounding(w->saddle.J, nc, nf);
    for (int c = 0; c < nc; c++) {
        double entry = 0.0;
        for (int k = 0; k < nf; k++) entry = fmax(entry, fabs(w->saddle.J[c * nf + k]));
        if (entry <= rounding || lia_relative_degree_is(w, c)) {
            memset(rows + (size_t)c * (size_t)nf, 0, (size_t)nf * sizeof *rows);
            continue;
        }
        double sum = 0.0;
        for (int k = 0; k < nf; k++) {
            double x = w->saddle.J[c * nf + k] / size[k];
            rows[c * nf + k] = x;
            sum += x * x;
        }
        for (int k = 0; k < nf && sum > 0.0; k++) rows[c * nf + k] /= sqrt(sum);
    }
}

// The row that is farthest from the span of those taken, until none is farther than the margin.
static void orthogonalise(const LiaWorkspace* w, const LiaRowChoice* choice, bool* taken) {
    double* rows = choice->scratch;
    int nf = w->nf, nc = w->nc;
    for (int rank = 0; rank < choice->rank_most; rank++) {
        int best = -1;
        double most = 0.0, distance = 0.0;  // of the best row from the span of those taken
        for (int c = 0; c < nc; c++) {
            if (taken[c]) continue;
            double sum = 0.0;
            for (int k = 0; k < nf; k++) sum += rows[c * nf + k] * rows[c * nf + k];
            if (!(sqrt(sum) > choice->margin)) continue;
            // The first of equals.
            if (sqrt(sum) * choice->weight[c] > most * (1.0 + LIA_LARGER_DISTANCE)) {
                most = sqrt(sum) * choice->weight[c];
                distance = sqrt(sum);
                best = c;
            }
        }
        if (best < 0) return;
        taken[best] = true;
        double* u = rows + (size_t)best * (size_t)nf;
        for (int k = 0; k < nf; k++) u[k] /= distance;
        for (int c = 0; c < nc; c++) {
            if (taken[c]) continue;
            double dot = 0.0;
            for (int k = 0; k < nf; k++) dot += u[k] * rows[c * nf + k];
            for (int k = 0; k < nf; k++) rows[c * nf + k] -= dot * u[k];
        }
    }
}

bool lia_independent_dense_take(const LiaWorkspace* w, const LiaRowChoice* choice, bool* taken) {
    prepare(w, choice->size, choice->scratch);
    orthogonalise(w, choice, taken);
    return true;
}

size_t lia_independent_dense_scratch(const LiaDynamics* d) { return (size_t)d->nc * d->nf; }

int lia_independent_dense_force_rank(const LiaWorkspace* w) {
    int nf = w->nf, nc = w->nc, r = nc < nf ? nc : nf;
    size_t m = (size_t)nc, n = (size_t)nf;
    double* block =
        lia_memory_zeros(m * n + (size_t)r + lia_dense_svd_work(nc, nf) + 1, sizeof *block);
    if (!block || r == 0) {
        free(block);
        return 0;
    }
    double *A = block, *s = A + m * n;
    double rounding = lia_independent_rounding(w->saddle.Omega, nc, nf);
    for (int c = 0; c < nc; c++) {  // rows of size 1
        double most = 0.0;
        for (int k = 0; k < nf; k++) most = fmax(most, fabs(w->saddle.Omega[c * nf + k]));
        for (int k = 0; k < nf && most > rounding; k++)
            A[c * nf + k] = w->saddle.Omega[c * nf + k] / most;
    }
    lia_dense_svd(nc, nf, A, s, NULL, NULL, s + r);
    int rank = 0;
    while (rank < r && s[rank] > LIA_FORCE_RANK * s[0]) rank++;
    free(block);
    return rank;
}
