// The curvature of the kinetic connection, and the force of the base's statements term by term. See
// fields.h.
// SPDX-License-Identifier: MIT
#include "geometry/phase_space/fields_work.h"
#include <math.h>
#include <string.h>

enum { CURVATURE_MOST = 4000 };  // (fibre) x (base) above which F is not computed

// F^j_ab = h_a A^j_b - h_b A^j_a, and G h_a A_b = (N_a d g) N_b along the fibre.
static bool fill_curvature(LiaFieldsWork* k) {
    LiaFields* out = k->out;
    size_t n = k->n, nf = k->nf, nb = k->nb;
    if (nf * nb > CURVATURE_MOST || nf == 0 || nb == 0) return true;
    out->F = lia_fields_numbers(k, nf * nb * nb);
    double *R = lia_fields_numbers(k, nf * nb * nb), *x = lia_fields_numbers(k, nf);
    double* Z = lia_fields_numbers(k, n);
    if (!out->F || !R || !x || !Z) return false;
    for (size_t i = 0; i < nf; i++) {
        memset(Z, 0, n * sizeof *Z);
        lia_frame_add(&out->frame, i, 1.0, Z);
        for (size_t b = 0; b < nb; b++) {
            lia_fields_metric_slope(k, Z, out->N + b * n, k->slope);
            for (size_t a = 0; a < nb; a++) {
                R[(a * nb + b) * nf + i] = lia_fields_dot(n, out->N + a * n, k->slope);
            }
        }
    }
    for (size_t a = 0; a < nb; a++) {
        for (size_t b = 0; b < nb; b++) {
            for (size_t i = 0; i < nf; i++)
                x[i] = R[(a * nb + b) * nf + i] - R[(b * nb + a) * nf + i];
            lia_dense_lu_solve(&k->lu, x);
            for (size_t i = 0; i < nf; i++) out->F[(i * nb + a) * nb + b] = x[i];
        }
    }
    return true;
}

static void metric_terms(LiaFieldsWork* k, size_t a, LiaOperatorForce* f) {
    const LiaFields* out = k->out;
    size_t n = k->n, nb = k->nb;
    const double* N = out->N + a * n;
    for (size_t b = 0; b < nb; b++) {
        double second = lia_fields_dot(n, out->frame.F + b * n, k->w->a) +
                        lia_frame_second(&out->frame, (uint32_t)b, out->state.v, out->state.v);
        f->inertia += out->Theta[a * nb + b] * second;
    }
    lia_fields_metric_slope(k, N, k->v_h, k->slope);
    f->theta_uu = lia_fields_dot(n, k->v_h, k->slope);
    f->theta_pu = lia_fields_dot(n, k->v_v, k->slope);
    lia_fields_metric_slope(k, k->v_h, k->v_h, k->slope);
    f->theta_uu -= 0.5 * lia_fields_dot(n, N, k->slope);
    f->potential = lia_fields_dot(n, N, k->U_q);
    lia_fields_metric_slope(k, k->v_v, k->v_v, k->slope);
    f->shape_pp = -0.5 * lia_fields_dot(n, N, k->slope);
    lia_fields_metric_slope(k, k->v_v, N, k->slope);
    f->shape_pp += lia_fields_dot(n, k->v_v, k->slope);
    f->gyro = lia_fields_dot(n, k->v_h, k->slope);
    lia_fields_metric_slope(k, k->v_v, k->v_h, k->slope);
    f->gyro -= lia_fields_dot(n, N, k->slope);
}

// Terms of L linear in v, and explicit time.
static double linear_term(LiaFieldsWork* k, const double* N) {
    const LiaFields* out = k->out;
    size_t n = k->n;
    double rate, sum;
    rate = lia_phase_space_pairing(k->space, out->state.t, out->state.q, out->state.v, N, k->slope);
    lia_fields_linear_slope(k, N, k->slope);
    sum = rate + lia_fields_dot(n, out->state.v, k->slope);
    lia_fields_linear_slope(k, out->state.v, k->slope);
    return sum - lia_fields_dot(n, N, k->slope);
}

static void operator_force(LiaFieldsWork* k, size_t a, LiaOperatorForce* f) {
    const LiaFields* out = k->out;
    const LiaSystem* s = k->s;
    size_t n = k->n;
    const double* N = out->N + a * n;
    *f = (LiaOperatorForce){0};
    metric_terms(k, a, f);
    f->linear = linear_term(k, N);
    for (size_t i = 0; i < n; i++) f->applied += N[i] * lia_value(&k->values, s->lagrange.Q[i]);
    double *own = k->slope, *others = k->still;
    memset(own, 0, n * sizeof *own);
    memset(others, 0, n * sizeof *others);
    for (uint32_t r = 0; r < s->row_count; r++) {
        if (s->rows[r].identical || s->rows[r].follows) continue;
        lia_fields_add_force(k, r, 1.0, lia_fields_is_base(k, r) ? own : others);
    }
    f->given = lia_fields_dot(n, N, own);
    f->reactions = lia_fields_dot(n, N, others);
    f->total = f->inertia + f->theta_uu + f->potential + f->shape_pp + f->theta_pu + f->gyro +
               f->linear - f->applied - f->reactions;
}

bool lia_operator_force_fill(LiaFieldsWork* k) {
    LiaFields* out = k->out;
    if (!fill_curvature(k)) return false;
    out->lambda = LIA_ARENA_NEW(out->arena, LiaOperatorForce, k->nb + 1);
    if (!out->lambda) return false;
    double most = 0.0, away = 0.0;
    for (size_t a = 0; a < k->nb; a++) {
        LiaOperatorForce* f = &out->lambda[a];
        operator_force(k, a, f);
        const double terms[] = {f->inertia, f->theta_uu, f->potential, f->shape_pp, f->theta_pu,
                                f->gyro,    f->linear,   f->applied,   f->reactions};
        for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) most = fmax(most, fabs(terms[i]));
        away = fmax(away, fabs(f->total - f->given));
    }
    for (size_t r = k->n; r < out->rows; r++) most = fmax(most, fabs(out->field[LIA_FIELD_D_Y][r]));
    out->lambda_defect = most > 0.0 ? away / most : away;
    return true;
}
