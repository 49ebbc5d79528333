// The constraint distribution along a motion. See distribution.h.
//
// With an orthonormal basis z_k of ker J the shadow is the span of the columns (z_k,x, z_k,y); its
// dimension and its direction are those of the 2 x 2 matrix C = sum of (z_k,x, z_k,y)^T (z_k,x,
// z_k,y), whose eigenvalues are between 0 and 1.
// SPDX-License-Identifier: MIT
#include "study/distribution.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/span.h"
#include "study/instant.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lia_distribution_init(LiaDistribution* d, const LiaTrajectory* trajectory, uint32_t x,
                           uint32_t y) {
    memset(d, 0, sizeof *d);
    const LiaSystem* s = trajectory->system;
    d->trajectory = trajectory;
    d->x = x, d->y = y;
    d->w = lia_workspace_create_dense(s, s->full, 1);
    if (!d->w) return false;
    size_t n = (size_t)d->w->n, rows = (size_t)d->w->nc;
    d->block = lia_memory_zeros((rows * n + n * n) * sizeof(double) + (rows + 1) * sizeof(int), 1);
    if (!d->block) {
        lia_distribution_clear(d);
        return false;
    }
    d->J = d->block;
    d->kernel = d->J + rows * n;
    d->row = (int*)(d->kernel + n * n);
    for (int c = 0; c < d->w->nc; c++) {
        const LiaRow* row = &s->rows[d->w->dynamics->rows[c]];
        if (!s->model->constraints[row->constraint].active) d->row[d->m++] = c;
    }
    return true;
}

void lia_distribution_clear(LiaDistribution* d) {
    lia_workspace_destroy(d->w);
    free(d->block);
    memset(d, 0, sizeof *d);
}

static int compute_kernel(LiaDistribution* d, size_t row) {
    LiaWorkspace* w = d->w;
    size_t n = (size_t)w->n;
    lia_instant_load(d->trajectory, row, &w->t, w->q, w->v);
    lia_workspace_update(w, 1);
    lia_workspace_matrices(w);
    for (size_t c = 0; c < (size_t)d->m; c++) {
        memcpy(d->J + c * n, w->saddle.J + (size_t)d->row[c] * n, n * sizeof(double));
    }
    for (size_t i = 0; i < (size_t)d->m * n; i++) {
        if (!isfinite(d->J[i])) return -1;
    }
    return lia_span_kernel(d->m, w->n, d->J, d->kernel);
}

// ker J at a sample, into d->kernel; its dimension, or -1. It is the same for all planes.
static int find_kernel(LiaDistribution* d, size_t row) {
    if (d->sample != row + 1) d->dimension = compute_kernel(d, row);
    d->sample = row + 1;
    return d->dimension;
}

int lia_distribution_at(LiaDistribution* d, size_t row, double direction[2]) {
    size_t n = (size_t)d->w->n;
    int free_count = find_kernel(d, row);
    if (free_count < 0) return -1;
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (size_t k = 0; k < (size_t)free_count; k++) {
        double x = d->kernel[k * n + d->x], y = d->kernel[k * n + d->y];
        xx += x * x, xy += x * y, yy += y * y;
    }
    // Eigenvalues large >= small; xx yy - xy^2 is exact enough for the small one only down to
    // rounding.
    double half = 0.5 * (xx + yy), root = hypot(0.5 * (xx - yy), xy);
    double large = half + root, small = half - root;
    if (!(large > LIA_DISTRIBUTION_NOTHING)) return 0;
    if (small > LIA_DISTRIBUTION_LINE * large) return 2;
    double angle = 0.5 * atan2(2.0 * xy, xx - yy);
    direction[0] = cos(angle), direction[1] = sin(angle);
    return 1;
}

static double dot(const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The longest of the shadows, then the longest of what is left of the others: Gram and Schmidt with
// pivots.
int lia_distribution_in_space(LiaDistribution* d, size_t row, uint32_t z, double basis[2][3]) {
    size_t n = (size_t)d->w->n;
    const uint32_t axes[3] = {d->x, d->y, z};
    int free_count = find_kernel(d, row), dimension = 0;
    if (free_count < 0) return -1;
    double found[3][3];
    for (; dimension < 3; dimension++) {
        double most = 0.0, best[3] = {0.0, 0.0, 0.0};
        for (size_t k = 0; k < (size_t)free_count; k++) {
            double v[3];
            for (int i = 0; i < 3; i++) v[i] = d->kernel[k * n + axes[i]];
            for (int j = 0; j < dimension; j++) {
                double along = dot(v, found[j]);
                for (int i = 0; i < 3; i++) v[i] -= along * found[j][i];
            }
            if (dot(v, v) > most) {
                most = dot(v, v);
                memcpy(best, v, sizeof best);
            }
        }
        if (!(most > LIA_DISTRIBUTION_NOTHING)) break;
        for (int i = 0; i < 3; i++) found[dimension][i] = best[i] / sqrt(most);
    }
    if (dimension == 2) memcpy(basis, found, 2 * sizeof *found);
    return dimension;
}
