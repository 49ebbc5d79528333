// A servo makes Y depend on the fibre; X_K and eta then have terms that cancel. See fields_work.h.
//
//   -X_K:        x_j' -= c_b dY^b/dp_j,   p_j' += c_b dY^b/dx_j,     c = Theta Y + beta
//   Lambda#eta:  the opposite.
// dY follows from dv, which moves so that the equations hold while one p_j changes (or the place,
// along Z_j):
//   psi_v dv = -psi_q dq      the statements of the base
//   u dv = -v dq              lengths
//   Z_i^T g dv = dp_i - Z_i^T (dp/dq) dq - <p, E(Z_i, dq)>          the momenta of the fibre
//   dY^b = F_b dv + D F_b[dq] v
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/phase_space/fields_work.h"
#include <string.h>

typedef struct Servo {
    LiaFieldsWork* k;
    size_t n, nb, rows;  // rows: base and lengths
    LiaExpr* slopes;     // of psi by q, then by v                     (nb x 2n)
    LiaValues values;
    double *B, *dv, *dq, *p_q, *c, *bent;
    double of_beta;  // beta dY of the last change
    LiaLu lu;
} Servo;

// Only the equations decide whether Y depends on the fibre: a law of time does not.
static bool needed(const LiaFieldsWork* k) {
    const LiaSystem* s = k->s;
    for (size_t a = 0; a < k->nb; a++) {
        bool driven = false;
        for (uint32_t d = 0; d < s->reduced->drive_count; d++) {
            driven |= s->reduced->drive_row[d] == k->out->frame.row[a];
        }
        if (!driven) return k->nf > 0;
    }
    return false;
}

static bool prepare(Servo* z) {
    LiaFieldsWork* k = z->k;
    LiaGeometry* y = k->space->geometry;
    LiaFields* out = k->out;
    size_t n = z->n;
    z->slopes = LIA_ARENA_NEW(out->arena, LiaExpr, 2 * z->nb * n + 1);
    z->B = lia_fields_numbers(k, n * n);
    z->dv = lia_fields_numbers(k, n), z->dq = lia_fields_numbers(k, n);
    z->p_q = lia_fields_numbers(k, k->nf * n), z->bent = lia_fields_numbers(k, n);
    z->c = lia_fields_numbers(k, z->nb);
    double* scales = lia_fields_numbers(k, 2 * n);
    int* exchanges = LIA_ARENA_NEW(out->arena, int, n + 1);
    if (!z->slopes || !z->B || !z->dv || !z->dq || !z->p_q || !z->bent || !z->c || !scales ||
        !exchanges) {
        return false;
    }
    z->lu = (LiaLu){(int)n, z->B, exchanges, scales, scales + n};
    for (size_t a = 0; a < z->nb; a++) {
        LiaExpr psi = y->psi[out->frame.row[a]], *slope = z->slopes + 2 * a * n;
        if (!lia_diff_gradient(y->graph, psi, k->s->q, n, slope) ||
            !lia_diff_gradient(y->graph, psi, k->s->v, n, slope + n)) {
            return false;
        }
    }
    if (!lia_evaluate_init(&z->values, y->graph, z->slopes, 2 * z->nb * n)) return false;
    LiaSymbols at = {
        .t = out->state.t, .parameters = k->s->parameters, .q = out->state.q, .v = out->state.v};
    lia_evaluate_run(&z->values, &at);
    for (size_t a = 0; a < z->nb; a++) {
        z->c[a] = out->beta[a];
        for (size_t b = 0; b < z->nb; b++) z->c[a] += out->Theta[a * z->nb + b] * out->Y[b];
    }
    return true;
}

// The matrix: base, lengths, fibre.
static void fill_matrix(Servo* z) {
    LiaFieldsWork* k = z->k;
    const LiaFrame* frame = &k->out->frame;
    size_t n = z->n;
    for (size_t a = 0; a < z->nb; a++) {
        for (size_t i = 0; i < n; i++) {
            z->B[a * n + i] = lia_value(&z->values, z->slopes[(2 * a + 1) * n + i]);
        }
    }
    for (size_t l = z->nb; l < z->rows; l++)
        memcpy(z->B + l * n, frame->F + l * n, n * sizeof *z->B);
    for (size_t j = 0; j < k->nf; j++) {
        double *row = z->B + (z->rows + j) * n, *unit = k->space->unit;
        for (size_t i = 0; i < n; i++) row[i] = lia_frame_along(frame, j, k->g + i * n);
        lia_frame_add(frame, j, 1.0, unit);
        lia_phase_space_pairing(k->space, k->out->state.t, k->out->state.q, k->out->state.v, unit,
                                z->p_q + j * n);
        memset(unit, 0, n * sizeof *unit);
    }
}

// c dY where p_j changes (by_p), or the place along Z_j.
static double change(Servo* z, size_t j, bool by_p) {
    LiaFieldsWork* k = z->k;
    const LiaFields* out = k->out;
    const LiaFrame* frame = &out->frame;
    size_t n = z->n;
    double sum = 0.0;
    z->of_beta = 0.0;
    memset(z->dv, 0, n * sizeof *z->dv);
    memset(z->dq, 0, n * sizeof *z->dq);
    if (by_p) {
        z->dv[z->rows + j] = 1.0;
    } else {
        lia_frame_add(frame, j, 1.0, z->dq);
        memset(z->bent, 0, n * sizeof *z->bent);
        lia_frame_bend(frame, out->state.p, z->dq, z->bent);
        for (size_t a = 0; a < z->nb; a++) {
            for (size_t i = 0; i < n; i++) {
                z->dv[a] -= lia_value(&z->values, z->slopes[2 * a * n + i]) * z->dq[i];
            }
        }
        for (size_t l = z->nb; l < z->rows; l++) {
            z->dv[l] = -lia_frame_second(frame, (uint32_t)l, z->dq, out->state.v);
        }
        for (size_t i = 0; i < k->nf; i++) {
            z->dv[z->rows + i] =
                -lia_fields_dot(n, z->p_q + i * n, z->dq) - lia_frame_along(frame, i, z->bent);
        }
    }
    lia_dense_lu_solve(&z->lu, z->dv);
    for (size_t b = 0; b < z->nb; b++) {
        double dY = lia_fields_dot(n, frame->F + b * n, z->dv) +
                    lia_frame_second(frame, (uint32_t)b, z->dq, out->state.v);
        sum += z->c[b] * dY;
        z->of_beta += out->beta[b] * dY;
    }
    return sum;
}

bool lia_servo_fill(LiaFieldsWork* k) {
    LiaFields* out = k->out;
    Servo z = {.k = k, .n = k->n, .nb = k->nb, .rows = k->nb + out->frame.nl};
    if (!needed(k)) return true;
    bool regular = prepare(&z);
    if (regular) {
        fill_matrix(&z);
        regular = lia_dense_lu_factor(&z.lu, NULL) > LIA_LIFT_PIVOT;
    }
    for (size_t j = 0; regular && j < k->nf; j++) {
        double by_p = change(&z, j, true);
        lia_frame_add(&out->frame, j, -z.of_beta, k->X_beta);
        double by_x = change(&z, j, false);
        k->X_beta[k->n + j] += z.of_beta;
        lia_frame_add(&out->frame, j, by_p, out->field[LIA_FIELD_ETA]);
        lia_frame_add(&out->frame, j, -by_p, out->field[LIA_FIELD_MINUS_X_K]);
        out->field[LIA_FIELD_ETA][k->n + j] -= by_x;
        out->field[LIA_FIELD_MINUS_X_K][k->n + j] += by_x;
    }
    lia_evaluate_clear(&z.values);
    return regular;
}
