// The motion as Dazord's theorem 4.1 takes it apart: D_Y = X_s*H + Y_W - Z. See fields_work.h.
//
// s*H = h0 + K_Y - beta Y is the energy on V*M; Y_W is the lift by the connection of s*lambda, with
// the momenta s = p A + Theta Y + beta of the base:
//   X_s*H   = D_0 + X_K - X_(beta Y)
//   Y_W     x' = -Y ds/dp, p' = Y ds/dx,   that is H(Y) - 2 X_K + X_(beta Y) + Lambda#eta
// SPDX-License-Identifier: MIT
#include "geometry/phase_space/fields_work.h"

bool lia_pulled_back_fill(LiaFieldsWork* k) {
    LiaFields* out = k->out;
    double* const* field = out->field;
    for (size_t r = 0; r < out->rows; r++) {
        double minus_X_K = field[LIA_FIELD_MINUS_X_K][r], minus_X_beta = k->X_beta[r];
        field[LIA_FIELD_X_SH][r] = field[LIA_FIELD_D_0][r] - minus_X_K + minus_X_beta;
        field[LIA_FIELD_Y_W][r] =
            field[LIA_FIELD_H_Y][r] + 2.0 * minus_X_K - minus_X_beta + field[LIA_FIELD_ETA][r];
    }
    size_t nb = k->nb, nx = out->nx;
    out->Theta_x = lia_fields_numbers(k, nb * nb * nx);
    if (!out->Theta_x) return false;
    for (size_t a = 0; a < nb; a++) {
        for (size_t b = 0; b < nb; b++) {
            lia_fields_metric_slope(k, out->N + a * k->n, out->N + b * k->n, k->slope);
            for (size_t j = 0; j < nx; j++)
                out->Theta_x[(a * nb + b) * nx + j] = lia_frame_along(&out->frame, j, k->slope);
        }
    }
    return true;
}
