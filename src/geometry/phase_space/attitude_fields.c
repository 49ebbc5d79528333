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
