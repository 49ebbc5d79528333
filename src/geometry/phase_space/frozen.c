// D_0 of a Lagrangian that is not quadratic in the velocities: the motion with the base frozen. See
// fields_work.h.
//
// v_0 are the velocities with p(v_0) = p along the fibre and s' = 0. Then
//   x' = v_0,  p' = dL/dx at v_0,  h0 = <p, v_0> - L(v_0)
// SPDX-License-Identifier: MIT
#include "geometry/phase_space/fields_work.h"
#include <math.h>
#include <string.h>

bool lia_frozen_fill(LiaFieldsWork* k) {
    LiaFields* out = k->out;
    LiaPhaseSpace* space = k->space;
    size_t n = k->n;
    double *v = lia_fields_numbers(k, n), *D_0 = lia_fields_numbers(k, out->rows);
    if (!v || !D_0) return false;
    if (space->nx != out->nx || out->nb == 0) return true;
    for (uint32_t j = 0; j < space->nx; j++) v[space->x[j]] = out->state.v[space->x[j]];
    LiaUnknowns fibre = {space->x, space->nx};
    if (!lia_phase_space_velocities(space, out->state.t, out->state.q, out->state.p, fibre, v))
        return true;
    lia_phase_space_pairing(space, out->state.t, out->state.q, v, space->zero, k->slope);
    out->h0 = -lia_value(&space->values, k->s->energy.lagrangian);
    for (uint32_t j = 0; j < out->nx; j++) {
        uint32_t i = out->x[j];
        D_0[n + j] = lia_value(&space->values, k->s->lagrange.dL_dq[i]);
        out->h0 += out->state.p[i] * v[i];
    }
    memcpy(D_0, v, n * sizeof *v);
    out->field[LIA_FIELD_D_0] = D_0;
    return true;
}
