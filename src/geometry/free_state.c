// States that no constraint restricts. See free_state.h.
// SPDX-License-Identifier: MIT
#include "geometry/free_state.h"
#include "base/numeric/random.h"
#include <math.h>

// u of length 1, and v across it.
static void put_on_sphere(const LiaGroup* group, double* q, double* v) {
    double square = 0.0, along = 0.0;
    for (uint32_t i = 0; i < group->count; i++) {
        square += q[group->first + i] * q[group->first + i];
    }
    if (!(square > 0.0)) {
        q[group->first] = 1.0;
        square = 1.0;
    }
    for (uint32_t i = 0; i < group->count; i++) {
        q[group->first + i] /= sqrt(square);
        along += q[group->first + i] * v[group->first + i];
    }
    for (uint32_t i = 0; i < group->count; i++) {
        v[group->first + i] -= along * q[group->first + i];
    }
}

void lia_free_state_make(const LiaSystem* s, uint64_t seed, double radius, double* q, double* v) {
    const LiaModel* model = s->model;
    uint64_t state = seed * 0x2545f4914f6cdd1du + 1;
    for (uint32_t i = 0; i < s->n; i++) {
        q[i] += radius * fmax(1.0, fabs(q[i])) * lia_random_even(&state);
        v[i] += radius * fmax(1.0, fabs(v[i])) * lia_random_even(&state);
    }
    for (uint32_t c = 0; c < model->groups_count; c++) {
        const LiaGroup* group = &model->groups[c];
        bool unit = group->manifold == LIA_ROTATION || group->manifold == LIA_SPHERE;
        if (unit) put_on_sphere(group, q, v);
    }
}
