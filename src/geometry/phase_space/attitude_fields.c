// Fields as an attitude sees them: angular velocity and moment, in space axes.
// SPDX-License-Identifier: MIT
#include "base/numeric/quaternion.h"
#include "geometry/phase_space/fields.h"
#include <assert.h>

bool lia_attitude_fields_known(const LiaFields* f, uint32_t first) {
    uint32_t found = 0;
    for (uint32_t j = 0; j < f->nx; j++) {
        if (f->x[j] < first || f->x[j] >= first + 4) continue;
        size_t rows = f->frame.nb + f->frame.nl;
        bool plain = true;
        for (size_t r = 0; r < rows; r++) plain &= f->frame.P[j * rows + r] == 0.0;
        found += plain;
    }
    return found == 4;
}

// p(R) = 1/2 (w p_u - p_w u + u x p_u), in space axes.
static void spin_of(const double* q, const double* p, double* out) {
    for (int i = 1; i <= 3; i++) {
        int j = i % 3 + 1, l = j % 3 + 1;
        out[i - 1] = 0.5 * (q[0] * p[i] - p[0] * q[i] + q[j] * p[l] - q[l] * p[j]);
    }
}

void lia_attitude_fields_momentum(const LiaFields* f, uint32_t first, double spin[3]) {
    spin_of(f->state.q + first, f->state.p + first, spin);
}

void lia_attitude_fields_turn(const LiaFields* f, uint32_t first, const double* field,
                              double omega[3], double moment[3]) {
    assert(first + 4 <= f->n);
    const double *q = f->state.q + first, *p = f->state.p + first, *dq = field + first;
    double dp[4] = {0}, change[3];
    for (uint32_t j = 0; j < f->nx; j++) {
        if (f->x[j] >= first && f->x[j] < first + 4) dp[f->x[j] - first] = field[f->n + j];
    }
    lia_quaternion_spin(q, dq, omega);
    spin_of(q, dp, moment);
    spin_of(dq, p, change);
    for (int i = 0; i < 3; i++) moment[i] += change[i];
}

static bool is_driven(const LiaFields* f, const LiaGroup* group) {
    for (uint32_t a = 0; a < f->nb; a++) {
        if (f->base[a] >= group->first && f->base[a] < group->first + group->count) return true;
    }
    return false;
}

// The attitude whose axes a group is seen in: itself, of a place the only one of the fibre. NULL:
// none.
static const LiaGroup* axes_of(const LiaFields* f, const LiaModel* model, uint32_t group) {
    const LiaGroup *own = &model->groups[group], *only = NULL;
    if (is_driven(f, own)) return NULL;
    if (own->manifold == LIA_ROTATION) return own;
    if (own->manifold != LIA_SPACE) return NULL;
    for (uint32_t c = 0; c < model->groups_count; c++) {
        const LiaGroup* g = &model->groups[c];
        if (g->manifold != LIA_ROTATION || is_driven(f, g)) continue;
        if (only) return NULL;  // whose axes?
        only = g;
    }
    return only;
}

bool lia_attitude_fields_body(const LiaFields* f, const LiaModel* model, uint32_t group,
                              const double* vector, double out[3]) {
    const LiaGroup *own = &model->groups[group], *axes = axes_of(f, model, group);
    double space[3];
    if (!axes) return false;
    const double *q = f->state.q + axes->first, *x = vector + own->first;
    if (own->manifold == LIA_ROTATION) {
        lia_quaternion_spin(q, x, space);
    } else {
        for (int k = 0; k < 3; k++) space[k] = x[k];
    }
    // R^T x = x - w c + u x c,  c = 2 u x x
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double ci = 2.0 * (q[1 + j] * space[k] - q[1 + k] * space[j]);
        double cj = 2.0 * (q[1 + k] * space[i] - q[1 + i] * space[k]);
        double ck = 2.0 * (q[1 + i] * space[j] - q[1 + j] * space[i]);
        out[k] = space[k] - q[0] * ck + q[1 + i] * cj - q[1 + j] * ci;
    }
    return true;
}

void lia_attitude_fields_curvature(const LiaFields* f, uint32_t a, uint32_t b, double* vector) {
    for (uint32_t i = 0; i < f->n; i++) vector[i] = 0.0;
    for (uint32_t j = 0; j < f->nf; j++)
        lia_frame_add(&f->frame, j, f->F[((size_t)j * f->nb + a) * f->nb + b], vector);
}
