// Attitudes and directions are numbers u with |u| = 1: what rows and metrics have along u means nothing. See judge.h.
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
