// Attitudes and directions are numbers u with |u| = 1: what rows and metrics have along u means
// nothing. See judge.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "geometry/classification/judge.h"
#include <math.h>

static bool is_unit(const LiaGroup* group) {
    return group->manifold == LIA_ROTATION || group->manifold == LIA_SPHERE;
}

void lia_lengths_take_away(const LiaSystem* s, const double* q, int count, double* rows) {
    for (uint32_t c = 0; c < s->model->groups_count; c++) {
        const LiaGroup* group = &s->model->groups[c];
        double square = 0.0;
        for (uint32_t i = 0; i < group->count; i++) {
            square += q[group->first + i] * q[group->first + i];
        }
        if (!is_unit(group) || !(square > 0.0)) continue;
        for (int r = 0; r < count; r++) {
            double *row = rows + (size_t)r * s->n + group->first, along = 0.0;
            for (uint32_t i = 0; i < group->count; i++) along += row[i] * q[group->first + i];
            for (uint32_t i = 0; i < group->count; i++) {
                row[i] -= along / square * q[group->first + i];
            }
        }
    }
}

void lia_lengths_add(const LiaSystem* s, const double* q, double* M) {
    size_t n = s->n;
    for (uint32_t c = 0; c < s->model->groups_count; c++) {
        const LiaGroup* group = &s->model->groups[c];
        double kappa = 0.0, along = 0.0;
        for (uint32_t i = 0; is_unit(group) && i < group->count; i++) {
            size_t x = group->first + i;
            kappa = fmax(kappa, M[x * n + x]);
            for (uint32_t j = 0; j < group->count; j++) {
                size_t z = group->first + j;
                along += q[x] * M[x * n + z] * q[z];
            }
        }
        if (!(kappa > 0.0) || fabs(along) > LIA_LENGTH_FREE * kappa) continue;
        for (uint32_t i = 0; i < group->count; i++) {
            for (uint32_t j = 0; j < group->count; j++) {
                size_t x = group->first + i, z = group->first + j;
                M[x * n + z] += kappa * q[x] * q[z];
            }
        }
    }
}

// g u less its own part along u.
static bool couples(const LiaSystem* s, const LiaGroup* group, const double* q, const double* g) {
    size_t n = s->n, first = group->first, end = first + group->count;
    double along = 0.0, square = 0.0, most = 0.0, left = 0.0;
    for (size_t u = first; u < end; u++) {
        square += q[u] * q[u];
        for (size_t w = first; w < end; w++) along += q[u] * g[u * n + w] * q[w];
    }
    for (size_t i = 0; i < n; i++) {
        bool own = i >= first && i < end;
        double row = own && square > 0.0 ? -along / square * q[i] : 0.0;
        for (size_t u = first; u < end; u++) row += g[i * n + u] * q[u];
        left = fmax(left, fabs(row));
        most = fmax(most, fabs(g[i * n + i]));
    }
    return left > LIA_LENGTH_FREE * most;
}

void lia_lengths_coupled(const LiaSystem* s, const double* q, const double* g, bool* length) {
    for (uint32_t c = 0; c < s->model->groups_count; c++) {
        const LiaGroup* group = &s->model->groups[c];
        length[c] = is_unit(group) && couples(s, group, q, g);
    }
}
