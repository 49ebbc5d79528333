// Independent rows by orthogonalisation with pivoting. See independent.c.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/kkt/independent.h"
#include <math.h>
#include <string.h>

// Rows of size 1, columns in units of sqrt(M): what is small is small mechanically. A row that is
// nothing but rounding relative to the others is none.
static void prepare(const LiaWorkspace* w, const LiaRowChoice* choice, double* rows) {
    int nf = w->nf, nc = w->nc;
    double most = 0.0;
    for (int c = 0; c < nc; c++) {
        LiaEntries row = choice->row(w, c);
        most = fmax(most, lia_independent_rounding(row.value, 1, nf));
    }
    for (int c = 0; c < nc; c++) {
        double entry = 0.0, sum = 0.0, *to = rows + (size_t)c * (size_t)nf;
        LiaEntries row = choice->row(w, c);
        for (int k = 0; k < nf; k++) entry = fmax(entry, fabs(row.value[k]));
        bool none = lia_independent_chosen_none(w, choice, c, entry, most);
        if (none || lia_relative_degree_is(w, c)) {
            memset(to, 0, (size_t)nf * sizeof *rows);
            continue;
        }
        for (int k = 0; k < nf; k++) {
            to[k] = row.value[k] / choice->size[k];
            sum += to[k] * to[k];
        }
        for (int k = 0; k < nf && sum > 0.0; k++) to[k] /= sqrt(sum);
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
    prepare(w, choice, choice->scratch);
    orthogonalise(w, choice, taken);
    return true;
}

size_t lia_independent_dense_scratch(const LiaDynamics* d) { return (size_t)d->nc * d->nf; }
