// Rows that depend on each other: which to keep in K0.
//
// All rows are kept for residuals. Independent ones are selected by orthogonalisation with pivoting; the
// others follow from them. What their multipliers mean then: least_norm.c.
// SPDX-License-Identifier: MIT
#include "workspace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

double lia_rows_rounding(const double* A, int m, int n) {
    double most = 0.0;
    for (size_t i = 0; i < (size_t)m * (size_t)n; i++) most = fmax(most, fabs(A[i]));
    return 1e-14 * most;
}

// The inertia that measures column k. The quaternion of a rotation has none along itself, so that
// each of its numbers has none at some attitude: its coordinates share the largest of theirs.
static double inertia(const LiaWorkspace* w, int k) {
    const LiaModel* model = w->system->model;
    uint32_t group = model->coordinates[w->dynamics->free[k]].group;
    double mass = w->M[(size_t)k * (size_t)w->nf + (size_t)k];
    for (int i = 0; group != 0 && i < w->nf; i++) {
        if (model->coordinates[w->dynamics->free[i]].group == group) {
            mass = fmax(mass, w->M[(size_t)i * (size_t)w->nf + (size_t)i]);
        }
    }
    return mass > 0.0 ? mass : 1.0;
}

// Size of each row, in units of sqrt(M), over that of the largest of the same constraint. The rows of a vector
// equation have one unit: where they say the same, as sin(theta) f = 0 and cos(theta) f = 0, the larger one
// says it better. Those of a joint of bodies are lengths and angles, of unit size each: none is larger.
static void row_weights(const LiaWorkspace* w, double* weight, double* size) {
    int nf = w->nf, nc = w->nc;
    for (int k = 0; k < nf; k++) size[k] = sqrt(inertia(w, k));
    for (int c = 0; c < nc; c++) {
        double sum = 0.0;
        for (int k = 0; k < nf; k++) {
            double x = w->J[c * nf + k] / size[k];
            sum += x * x;
        }
        weight[c] = sqrt(sum);
    }
    for (int c = 0, end; c < nc; c = end) {
        uint32_t constraint = w->system->rows[w->dynamics->rows[c]].constraint;
        double most = 0.0;
        for (end = c; end < nc; end++) {
            if (w->system->rows[w->dynamics->rows[end]].constraint != constraint) break;
            most = fmax(most, weight[end]);
        }
        const LiaConstraint* of = &w->system->model->constraints[constraint];
        bool alike = !of->joint || of->gap;
        for (int i = c; i < end; i++) weight[i] = alike && most > 0.0 ? weight[i] / most : 1.0;
    }
}

bool lia_mechanics_faded(const LiaWorkspace* w) {
    if (!w->weight) return false;
    row_weights(w, w->weight, w->weight + w->nc);
    for (int r = 0; r < w->nr; r++) {
        if (w->weight[w->active[r]] < 0.25) return true;
    }
    return false;
}

bool lia_mechanics_select(LiaWorkspace* w, double margin, int rank_most) {
    int nf = w->nf, nc = w->nc;
    size_t numbers = (size_t)nc + (size_t)nf + (size_t)nc * (size_t)nf;
    if (!w->weight) w->weight = calloc(numbers * sizeof(double) + (size_t)nc + 1, 1);
    if (!w->weight) return false;
    double *weight = w->weight, *size = weight + nc, *rows = size + nf;
    bool* taken = (bool*)(weight + numbers);
    memset(taken, 0, (size_t)nc * sizeof *taken);
    row_weights(w, weight, size);
    // Rows of size 1, columns in units of sqrt(M): what is small is small mechanically. A row that is nothing but
    // rounding beside the others is none.
    double rounding = lia_rows_rounding(w->J, nc, nf);
    for (int c = 0; c < nc; c++) {
        double entry = 0.0;
        for (int k = 0; k < nf; k++) entry = fmax(entry, fabs(w->J[c * nf + k]));
        if (entry <= rounding || (w->hidden && lia_hidden_is(w, c))) {
            memset(rows + (size_t)c * (size_t)nf, 0, (size_t)nf * sizeof *rows);
            continue;
        }
        double sum = 0.0;
        for (int k = 0; k < nf; k++) {
            double x = w->J[c * nf + k] / size[k];
            rows[c * nf + k] = x;
            sum += x * x;
        }
        for (int k = 0; k < nf && sum > 0.0; k++) rows[c * nf + k] /= sqrt(sum);
    }
    int rank = 0;
    while (rank < rank_most) {
        int best = -1;
        double most = 0.0, distance = 0.0;  // of the best row from the span of those taken
        for (int c = 0; c < nc; c++) {
            if (taken[c]) continue;
            double sum = 0.0;
            for (int k = 0; k < nf; k++) sum += rows[c * nf + k] * rows[c * nf + k];
            if (!(sqrt(sum) > margin)) continue;
            if (sqrt(sum) * weight[c] > most * (1.0 + 1e-9)) {  // the first of equals
                most = sqrt(sum) * weight[c];
                distance = sqrt(sum);
                best = c;
            }
        }
        if (best < 0) break;
        taken[best] = true;
        rank++;
        double* u = rows + (size_t)best * (size_t)nf;
        for (int k = 0; k < nf; k++) u[k] /= distance;
        for (int c = 0; c < nc; c++) {
            if (taken[c]) continue;
            double dot = 0.0;
            for (int k = 0; k < nf; k++) dot += u[k] * rows[c * nf + k];
            for (int k = 0; k < nf; k++) rows[c * nf + k] -= dot * u[k];
        }
    }
    bool changed = rank != w->nr;
    int at = 0;
    for (int c = 0; c < nc; c++) {
        if (!taken[c]) continue;
        if (at < w->nr && w->active[at] != c) changed = true;
        w->active[at++] = c;
    }
    w->nr = rank;
    return changed;
}

int lia_mechanics_force_rank(const LiaWorkspace* w) {
    int nf = w->nf, nc = w->nc, r = nc < nf ? nc : nf;
    size_t m = (size_t)nc, n = (size_t)nf;
    double* block = calloc(m * n + (size_t)r + lia_svd_work(nc, nf) + 1, sizeof *block);
    if (!block || r == 0) {
        free(block);
        return 0;
    }
    double *A = block, *s = A + m * n;
    double rounding = lia_rows_rounding(w->Omega, nc, nf);
    for (int c = 0; c < nc; c++) {  // rows of size 1
        double most = 0.0;
        for (int k = 0; k < nf; k++) most = fmax(most, fabs(w->Omega[c * nf + k]));
        for (int k = 0; k < nf && most > rounding; k++) A[c * nf + k] = w->Omega[c * nf + k] / most;
    }
    lia_svd(nc, nf, A, s, NULL, NULL, s + r);
    int rank = 0;
    while (rank < r && s[rank] > 1e-10 * s[0]) rank++;
    free(block);
    return rank;
}
