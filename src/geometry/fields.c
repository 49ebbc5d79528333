// The field D_Y and its parts. See fields.h.
//
// With the fibre block G of the metric g, A = G^-1 B, N_a = (-A_a, e_a) and b = p at v = 0:
//   v = v_v + v_h,   v_v = (G^-1 (p - b), 0),   v_h = N Y          (orthogonal in g)
//   Q_i(a, b) = a^T (dg/dq_i) b
//   D_0       p_i' = 1/2 Q_i(v_v, v_v) + db/dq_i v_v - dU/dq_i
//   -X_K      p_i' = 1/2 Q_i(v_h, v_h) + db/dq_i v_h - Q_i(G^-1 b, v_h)
//   H(Y)      p_i' = Q_i(G^-1 p, v_h)
// which is dL/dq_i at v, written out.
//
// The numbers of an attitude or a direction, u with |u| = 1, have no inertia along u. To L is added kappa/2 (u v)^2: it changes
// no motion, for u v = 0 stays so, and no part, for v_v and v_h are orthogonal to u; but then G can be inverted.
// SPDX-License-Identifier: MIT
#include "geometry/fields.h"
#include "base/numeric/quaternion.h"
#include "base/numeric/thresholds.h"
#include "geometry/evaluation.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CURVATURE_MOST = 4000 };  // (fibre) x (base) above which F is not computed

typedef struct Work {
    LiaPhaseSpace* space;
    const LiaSystem* s;
    LiaFields* out;
    LiaEvaluation evaluation;         // of the reduced dynamics at the state
    LiaWorkspace* w;                  // its workspace
    LiaExpr *p_rate, *psi_q, *psi_v;  // dp/dt; gradients of psi of servo rows     (n), (nb x n)
    LiaValues values;
    uint32_t* own;  // the row that governs each base coordinate              (nb)
    size_t n, nf, nb;
    double *g, *G;  // metric; its fibre block, factored
    LiaLu lu;
    double *b, *U_q;              // p and dL/dq at v = 0                                   (n)
    double *v_v, *v_h, *up, *ub;  // v_v, v_h, (G^-1 p, 0), (G^-1 b, 0)                   (n)
    double* N;                    // horizontal lifts, one a row                            (nb x n)
    double *slope, *still;        // scratch                                                (n)
    double* column;               // scratch of solutions with G                             (nf)
} Work;

static double* numbers(Work* k, size_t count) {
    return LIA_ARENA_NEW(k->out->arena, double, count + 1);
}

static double dot(size_t n, const double* a, const double* b) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// Q(a, b) into `out`; d(b w)/dq, the part that is linear in v, is taken away.
static void metric_slope(Work* k, const double* a, const double* w, double* out) {
    const LiaFields* f = k->out;
    lia_phase_space_pairing(k->space, f->t, f->q, a, w, out, NULL);
    lia_phase_space_pairing(k->space, f->t, f->q, k->space->zero, w, k->still, NULL);
    for (size_t i = 0; i < k->n; i++) out[i] -= k->still[i];
}

static void linear_slope(Work* k, const double* w, double* out) {
    lia_phase_space_pairing(k->space, k->out->t, k->out->q, k->space->zero, w, out, NULL);
}

// --- the state ---------------------------------------------------------------------------------

static bool prepare(Work* k, double t, const double* q, const double* v) {
    LiaGeometry* y = k->space->geometry;
    const LiaSystem* s = k->s;
    LiaFields* out = k->out;
    size_t n = k->n = s->n;
    out->n = s->n, out->nx = k->space->nx, out->rows = out->n + out->nx;
    out->x = k->space->x;
    out->q = numbers(k, n), out->v = numbers(k, n), out->p = numbers(k, n);
    k->b = numbers(k, n), k->U_q = numbers(k, n);
    k->slope = numbers(k, n), k->still = numbers(k, n);
    k->p_rate = LIA_ARENA_NEW(out->arena, LiaExpr, n + 1);
    if (!out->q || !out->v || !out->p || !k->b || !k->U_q || !k->slope || !k->still || !k->p_rate) {
        return false;
    }
    for (size_t i = 0; i < n; i++) k->p_rate[i] = lia_diff_rate(&y->rates, s->p[i]);
    if (!lia_evaluation_make(s, s->reduced, t, q, v, &k->evaluation)) return false;
    k->w = k->evaluation.w;
    out->t = t;
    memcpy(out->q, k->w->q, n * sizeof(double));
    memcpy(out->v, k->w->v, n * sizeof(double));
    if (!k->evaluation.solved) {
        out->why = "the matrix of accelerations and multipliers is singular at this state";
        return false;
    }
    return !y->graph->failed;
}

// The multiplier form: q' = v, p' = dp/dt along the accelerations.
static bool multiplier_form(Work* k) {
    LiaGeometry* y = k->space->geometry;
    const LiaSystem* s = k->s;
    LiaFields* out = k->out;
    size_t n = k->n, rows = s->reduced->nc;
    LiaExpr* roots = LIA_ARENA_NEW(out->arena, LiaExpr, 2 * n + rows * n + 2);
    if (!roots) return false;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) roots[count++] = k->p_rate[i], roots[count++] = s->Q[i];
    for (size_t r = 0; r < rows; r++) {
        for (size_t i = 0; i < n; i++) roots[count++] = lia_system_Omega(s, s->reduced->rows[r], i);
    }
    roots[count++] = s->energy;
    for (int f = 0; f < LIA_FIELD_COUNT; f++) {
        out->field[f] = numbers(k, out->rows);
        if (!out->field[f]) return false;
    }
    if (!lia_evaluate_init(&k->values, y->graph, roots, count)) return false;
    LiaSymbols at = {
        .t = out->t, .parameters = s->parameters, .q = out->q, .v = out->v, .a = k->w->a};
    lia_evaluate_run(&k->values, &at);
    for (size_t i = 0; i < n; i++) out->field[LIA_FIELD_D_Y][i] = out->v[i];
    for (size_t j = 0; j < out->nx; j++) {
        size_t i = out->x[j];
        out->field[LIA_FIELD_D_Y][n + j] = lia_value(&k->values, k->p_rate[i]);
        out->field[LIA_FIELD_Q][n + j] = lia_value(&k->values, s->Q[i]);
        for (size_t r = 0; r < rows; r++) {
            uint32_t row = s->reduced->rows[r];
            double force = k->w->mu[row] * lia_value(&k->values, lia_system_Omega(s, row, i));
            out->field[LIA_FIELD_Z][n + j] -= force;
        }
    }
    for (size_t i = 0; i < n; i++) out->has_Q |= !lia_graph_is_zero(y->graph, s->Q[i]);
    out->energy = lia_value(&k->values, s->energy);
    lia_phase_space_momenta(k->space, out->t, out->q, out->v, out->p);
    return true;
}

// --- base and fibre ----------------------------------------------------------------------------

static bool in_base(const Work* k, uint32_t coordinate) {
    for (size_t a = 0; a < k->nb; a++) {
        if (k->out->base[a] == coordinate) return true;
    }
    return false;
}

// A servo whose left side is a coordinate or its velocity.
static bool governs(const LiaSystem* s, uint32_t r, uint32_t* coordinate) {
    const LiaRow* row = &s->rows[r];
    const LiaConstraint* c = &s->model->constraints[row->constraint];
    LiaExpr left = c->equations[row->part].left;
    if (!c->active || !lia_model_is_coordinate(s->model, left)) return false;
    *coordinate = lia_graph_node(s->model->graph, left)->a;
    return true;
}

static bool choose_base(Work* k, bool servos) {
    const LiaSystem* s = k->s;
    LiaFields* out = k->out;
    out->base = LIA_ARENA_NEW(out->arena, uint32_t, k->n + 1);
    out->fibre = LIA_ARENA_NEW(out->arena, uint32_t, k->n + 1);
    k->own = LIA_ARENA_NEW(out->arena, uint32_t, k->n + 1);
    if (!out->base || !out->fibre || !k->own) return false;
    k->nb = k->nf = 0;
    for (uint32_t d = 0; d < s->reduced->drive_count; d++) {
        k->own[k->nb] = s->reduced->drive_row[d];
        out->base[k->nb++] = s->reduced->drives[d].coordinate;
    }
    for (uint32_t r = 0; servos && r < s->reduced->nc; r++) {
        uint32_t i;
        if (!governs(s, s->reduced->rows[r], &i) || in_base(k, i)) continue;
        k->own[k->nb] = s->reduced->rows[r];
        out->base[k->nb++] = i;
    }
    for (uint32_t i = 0; i < k->n; i++) {
        if (!in_base(k, i)) out->fibre[k->nf++] = i;
    }
    out->nb = (uint32_t)k->nb, out->nf = (uint32_t)k->nf;
    return true;
}

// kappa u u^T for each attitude or direction among the fibre's coordinates that has no inertia along u; kappa is a
// moment of inertia that is there.
static void add_lengths(Work* k) {
    const LiaModel* m = k->s->model;
    const LiaFields* out = k->out;
    for (uint32_t c = 0; c < m->groups_count; c++) {
        const LiaGroup* group = &m->groups[c];
        bool unit = group->manifold == LIA_ROTATION || group->manifold == LIA_SPHERE;
        double kappa = 0.0, along = 0.0;
        for (uint32_t i = 0; unit && i < group->count; i++) {
            size_t x = group->first + i;
            kappa = fmax(kappa, k->g[x * k->n + x]);
            for (uint32_t j = 0; j < group->count; j++) {
                size_t z = group->first + j;
                along += out->q[x] * k->g[x * k->n + z] * out->q[z];
            }
        }
        if (!(kappa > 0.0) || fabs(along) > LIA_LENGTH_FREE * kappa) continue;
        for (uint32_t i = 0; i < group->count; i++) {
            for (uint32_t j = 0; j < group->count; j++) {
                size_t x = group->first + i, z = group->first + j;
                k->g[x * k->n + z] += kappa * out->q[x] * out->q[z];
            }
        }
    }
}

void lia_fields_turn(const LiaFields* f, uint32_t first, const double* field, double omega[3],
                     double moment[3]) {
    assert(first + 4 <= f->n);
    const double *q = f->q + first, *p = f->p + first, *dq = field + first;
    double dp[4] = {0};
    for (uint32_t j = 0; j < f->nx; j++) {
        if (f->x[j] >= first && f->x[j] < first + 4) dp[f->x[j] - first] = field[f->n + j];
    }
    for (int i = 1; i <= 3; i++) {
        int j = i % 3 + 1, l = j % 3 + 1;
        omega[i - 1] = lia_quaternion_spin_about(q, dq, i);
        moment[i - 1] = 0.5 * (q[0] * dp[i] - dp[0] * q[i] + q[j] * dp[l] - q[l] * dp[j] +
                               dq[0] * p[i] - p[0] * dq[i] + dq[j] * p[l] - dq[l] * p[j]);
    }
}

static bool make_room(Work* k) {
    LiaFields* out = k->out;
    size_t n = k->n, nf = k->nf, nb = k->nb;
    k->g = numbers(k, n * n), k->G = numbers(k, nf * nf);
    out->A = numbers(k, nf * nb), out->Theta = numbers(k, nb * nb);
    out->Y = numbers(k, nb), out->beta = numbers(k, nb);
    k->N = numbers(k, nb * n);
    k->v_v = numbers(k, n), k->v_h = numbers(k, n), k->up = numbers(k, n), k->ub = numbers(k, n);
    double* scales = numbers(k, 2 * nf);
    int* exchanges = LIA_ARENA_NEW(out->arena, int, nf + 1);
    k->column = numbers(k, nf);
    if (!scales) return false;
    k->lu =
        (LiaLu){.n = (int)nf, .A = k->G, .row = exchanges, .left = scales, .right = scales + nf};
    return k->g && k->G && out->A && out->Theta && out->Y && out->beta && k->N && k->v_v &&
           k->v_h && k->up && k->ub && exchanges && k->column;
}

// g and G, factored; the potential into *U. False if G is singular.
static bool take_metric(Work* k, double* U) {
    LiaFields* out = k->out;
    size_t n = k->n, nf = k->nf;
    lia_phase_space_momenta(k->space, out->t, out->q, k->space->zero, k->b);
    for (size_t i = 0; i < n; i++) {  // the last run was at v = 0
        k->U_q[i] = -lia_value(&k->space->values, k->s->dL_dq[i]);
    }
    *U = -lia_value(&k->space->values, k->s->lagrangian);
    lia_phase_space_metric(k->space, out->t, out->q, out->v, k->g);
    add_lengths(k);
    for (size_t i = 0; i < nf; i++) {
        for (size_t j = 0; j < nf; j++) k->G[i * nf + j] = k->g[out->fibre[i] * n + out->fibre[j]];
    }
    if (nf == 0 || lia_dense_lu_factor(&k->lu, NULL) > LIA_FIBRE_PIVOT) return true;
    out->why = "the metric of the coordinates that are not driven is singular";
    return false;
}

// x <- G^-1 x
static void solve_G(const Work* k, double* x) {
    if (k->nf > 0) lia_dense_lu_solve(&k->lu, x);
}

// A = G^-1 g of fibre and base, N, Y, beta
static void make_connection(Work* k) {
    LiaFields* out = k->out;
    size_t n = k->n, nf = k->nf, nb = k->nb;
    double* x = k->column;
    for (size_t a = 0; a < nb; a++) {
        for (size_t i = 0; i < nf; i++) x[i] = k->g[out->fibre[i] * n + out->base[a]];
        solve_G(k, x);
        out->Y[a] = out->v[out->base[a]];
        out->beta[a] = k->b[out->base[a]];
        k->N[a * n + out->base[a]] = 1.0;
        for (size_t i = 0; i < nf; i++) {
            out->A[i * nb + a] = x[i];
            k->N[a * n + out->fibre[i]] = -x[i];
            out->beta[a] -= k->b[out->fibre[i]] * x[i];
        }
    }
}

static void make_Theta(Work* k) {
    LiaFields* out = k->out;
    size_t n = k->n, nf = k->nf, nb = k->nb;
    for (size_t a = 0; a < nb; a++) {
        for (size_t c = 0; c < nb; c++) {
            double sum = k->g[out->base[a] * n + out->base[c]];
            for (size_t i = 0; i < nf; i++)
                sum -= k->g[out->fibre[i] * n + out->base[a]] * out->A[i * nb + c];
            out->Theta[a * nb + c] = sum;
        }
    }
}

// The horizontal and the vertical part of the velocity, G^-1 p and G^-1 b. Returns the kinetic energy of the vertical one.
static double split_velocity(Work* k) {
    LiaFields* out = k->out;
    size_t n = k->n, nf = k->nf;
    double* x = k->column;
    for (size_t a = 0; a < k->nb; a++) {
        for (size_t i = 0; i < n; i++) k->v_h[i] += k->N[a * n + i] * out->Y[a];
    }
    const double* from[2] = {out->p, k->b};
    double* to[2] = {k->up, k->ub};
    for (int which = 0; which < 2; which++) {
        for (size_t i = 0; i < nf; i++) x[i] = from[which][out->fibre[i]];
        solve_G(k, x);
        for (size_t i = 0; i < nf; i++) to[which][out->fibre[i]] = x[i];
    }
    double kinetic = 0.0;
    for (size_t i = 0; i < nf; i++) x[i] = out->p[out->fibre[i]] - k->b[out->fibre[i]];
    for (size_t i = 0; i < nf; i++) k->still[i] = x[i];
    solve_G(k, x);
    for (size_t i = 0; i < nf; i++) {
        k->v_v[out->fibre[i]] = x[i];
        kinetic += 0.5 * x[i] * k->still[i];
    }
    return kinetic;
}

// G, A, Theta, N and the vectors of the split. False if G is singular.
static bool split_metric(Work* k) {
    LiaFields* out = k->out;
    double U;
    if (!make_room(k) || !take_metric(k, &U)) return false;
    make_connection(k);
    make_Theta(k);
    out->h0 = split_velocity(k) + U;
    for (size_t a = 0; a < k->nb; a++) {
        out->K_Y += out->beta[a] * out->Y[a];
        for (size_t c = 0; c < k->nb; c++)
            out->K_Y += 0.5 * out->Theta[a * k->nb + c] * out->Y[a] * out->Y[c];
    }
    return true;
}

// --- the parts ---------------------------------------------------------------------------------

static void fill_parts(Work* k) {
    LiaFields* out = k->out;
    size_t n = k->n, nf = k->nf, nb = k->nb;
    double *D_0 = out->field[LIA_FIELD_D_0], *X_K = out->field[LIA_FIELD_MINUS_X_K];
    double* H_Y = out->field[LIA_FIELD_H_Y];
    for (size_t i = 0; i < nf; i++) {
        D_0[out->fibre[i]] = k->v_v[out->fibre[i]];
        H_Y[out->fibre[i]] = k->v_h[out->fibre[i]];
    }
    for (size_t a = 0; a < nb; a++) H_Y[out->base[a]] = out->Y[a];
    metric_slope(k, k->v_v, k->v_v, k->slope);
    for (size_t j = 0; j < out->nx; j++) D_0[n + j] = 0.5 * k->slope[out->x[j]] - k->U_q[out->x[j]];
    linear_slope(k, k->v_v, k->slope);
    for (size_t j = 0; j < out->nx; j++) D_0[n + j] += k->slope[out->x[j]];
    if (nb == 0) return;
    metric_slope(k, k->v_h, k->v_h, k->slope);
    for (size_t j = 0; j < out->nx; j++) X_K[n + j] = 0.5 * k->slope[out->x[j]];
    linear_slope(k, k->v_h, k->slope);
    for (size_t j = 0; j < out->nx; j++) X_K[n + j] += k->slope[out->x[j]];
    metric_slope(k, k->ub, k->v_h, k->slope);
    for (size_t j = 0; j < out->nx; j++) X_K[n + j] -= k->slope[out->x[j]];
    metric_slope(k, k->up, k->v_h, k->slope);
    for (size_t j = 0; j < out->nx; j++) H_Y[n + j] = k->slope[out->x[j]];
}

// Where a servo makes Y depend on the fibre, X_K and eta have terms that cancel:
//   -X_K:        x_j' -= c_b dY^b/dp_j,   p_j' += c_b dY^b/dq_j,     c = Theta Y + beta
//   Lambda#eta:  the opposite.
// dY follows from dv, which moves so that the laws hold and only p_j (or q_j) changes:
//   psi_v dv = -psi_q dq (servos),   dv = 0 (driven),   g dv = dp - dp/dq dq (fibre).
// False if these equations are singular: (H) does not hold.
static bool fill_eta(Work* k) {
    LiaGeometry* y = k->space->geometry;
    const LiaSystem* s = k->s;
    LiaFields* out = k->out;
    size_t n = k->n, nf = k->nf, nb = k->nb, ns = s->reduced->drive_count;
    if (nb == ns || nf == 0) return true;
    LiaExpr* slopes = LIA_ARENA_NEW(out->arena, LiaExpr, 2 * nb * n + 1);
    double *B = numbers(k, n * n), *scales = numbers(k, 3 * n), *p_q = numbers(k, nf * n);
    int* exchanges = LIA_ARENA_NEW(out->arena, int, n + 1);
    if (!slopes || !B || !scales || !p_q || !exchanges) return false;
    for (size_t a = ns; a < nb; a++) {
        if (!lia_diff_gradient(y->graph, y->psi[k->own[a]], s->q, n, slopes + 2 * a * n) ||
            !lia_diff_gradient(y->graph, y->psi[k->own[a]], s->v, n, slopes + (2 * a + 1) * n)) {
            return false;
        }
    }
    LiaValues values;
    if (!lia_evaluate_init(&values, y->graph, slopes, 2 * nb * n)) return false;
    LiaSymbols at = {.t = out->t, .parameters = s->parameters, .q = out->q, .v = out->v};
    lia_evaluate_run(&values, &at);
    for (size_t a = 0; a < nb; a++) {
        size_t r = out->base[a];
        if (a < ns) B[r * n + r] = 1.0;
        for (size_t i = 0; a >= ns && i < n; i++) {
            B[r * n + i] = lia_value(&values, slopes[(2 * a + 1) * n + i]);
        }
    }
    for (size_t j = 0; j < nf; j++) {
        size_t r = out->fibre[j];
        memcpy(B + r * n, k->g + r * n, n * sizeof *B);
        k->space->unit[r] = 1.0;  // dp_r/dq
        lia_phase_space_pairing(k->space, out->t, out->q, out->v, k->space->unit, p_q + j * n,
                                NULL);
        k->space->unit[r] = 0.0;
    }
    LiaLu lu = {.n = (int)n, .A = B, .row = exchanges, .left = scales, .right = scales + n};
    bool regular = lia_dense_lu_factor(&lu, NULL) > LIA_LIFT_PIVOT;
    double* dv = scales + 2 * n;
    for (size_t j = 0; regular && j < nf; j++) {
        size_t x = out->fibre[j], row = 0;
        while (out->x[row] != x) row++;
        for (int by_p = 0; by_p < 2; by_p++) {
            memset(dv, 0, n * sizeof *dv);
            for (size_t a = ns; !by_p && a < nb; a++) {
                dv[out->base[a]] = -lia_value(&values, slopes[2 * a * n + x]);
            }
            for (size_t i = 0; !by_p && i < nf; i++) dv[out->fibre[i]] = -p_q[i * n + x];
            if (by_p) dv[x] = 1.0;
            lia_dense_lu_solve(&lu, dv);
            double sum = 0.0;
            for (size_t c = 0; c < nb; c++) {
                double weight = out->beta[c];
                for (size_t a = 0; a < nb; a++) weight += out->Theta[a * nb + c] * out->Y[a];
                sum += weight * dv[out->base[c]];
            }
            size_t at_row = by_p ? x : n + row;
            double sign = by_p ? 1.0 : -1.0;
            out->field[LIA_FIELD_ETA][at_row] += sign * sum;
            out->field[LIA_FIELD_MINUS_X_K][at_row] -= sign * sum;
        }
    }
    lia_evaluate_clear(&values);
    return regular;
}

static void check_sum(Work* k) {
    LiaFields* out = k->out;
    double most = 0.0, away = 0.0;
    for (size_t r = 0; r < out->rows; r++) {
        double sum = 0.0;
        for (int f = LIA_FIELD_D_0; f < LIA_FIELD_COUNT; f++) {
            double x = out->field[f][r];
            sum += f == LIA_FIELD_Z ? -x : x;
            most = fmax(most, fabs(x));
        }
        away = fmax(away, fabs(sum - out->field[LIA_FIELD_D_Y][r]));
    }
    out->defect = most > 0.0 ? away / most : away;
}

// --- connection, curvature, operator forces ----------------------------------------------------

// F^j_ab = h_a A^j_b - h_b A^j_a, and G h_a A_b = (N_a d g) N_b along the fibre.
static bool fill_curvature(Work* k) {
    LiaFields* out = k->out;
    size_t n = k->n, nf = k->nf, nb = k->nb;
    if (nf * nb > CURVATURE_MOST || nf == 0 || nb == 0) return true;
    out->F = numbers(k, nf * nb * nb);
    double *R = numbers(k, nf * nb * nb), *x = numbers(k, nf);
    if (!out->F || !R || !x) return false;
    for (size_t i = 0; i < nf; i++) {
        for (size_t b = 0; b < nb; b++) {
            k->space->unit[out->fibre[i]] = 1.0;
            metric_slope(k, k->space->unit, k->N + b * n, k->slope);
            k->space->unit[out->fibre[i]] = 0.0;
            for (size_t a = 0; a < nb; a++) {
                R[(a * nb + b) * nf + i] = dot(n, k->N + a * n, k->slope);
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

// Does the row act on its base coordinate alone? Then its multiplier is this coordinate's force.
static bool acts_alone(const Work* k, uint32_t row, size_t coordinate) {
    for (size_t i = 0; i < k->n; i++) {
        LiaExpr entry = lia_system_Omega(k->s, row, i);
        if (i != coordinate && !lia_graph_is_zero(k->s->graph, entry)) return false;
    }
    return true;
}

static void operator_force(Work* k, size_t a, LiaOperatorForce* f) {
    LiaFields* out = k->out;
    const LiaSystem* s = k->s;
    size_t n = k->n, nb = k->nb;
    const double* N = k->N + a * n;
    *f = (LiaOperatorForce){.coordinate = out->base[a], .given = NAN};
    for (size_t b = 0; b < nb; b++) f->inertia += out->Theta[a * nb + b] * k->w->a[out->base[b]];
    metric_slope(k, N, k->v_h, k->slope);
    f->theta_uu = dot(n, k->v_h, k->slope);
    f->theta_pu = dot(n, k->v_v, k->slope);
    metric_slope(k, k->v_h, k->v_h, k->slope);
    f->theta_uu -= 0.5 * dot(n, N, k->slope);
    f->potential = dot(n, N, k->U_q);
    metric_slope(k, k->v_v, k->v_v, k->slope);
    f->shape_pp = -0.5 * dot(n, N, k->slope);
    metric_slope(k, k->v_v, N, k->slope);
    f->shape_pp += dot(n, k->v_v, k->slope);
    f->gyro = dot(n, k->v_h, k->slope);
    metric_slope(k, k->v_v, k->v_h, k->slope);
    f->gyro -= dot(n, N, k->slope);
    // terms of L linear in v, and explicit time
    double rate;
    lia_phase_space_pairing(k->space, out->t, out->q, out->v, N, k->slope, &rate);
    linear_slope(k, N, k->slope);
    f->linear = rate + dot(n, out->v, k->slope);
    linear_slope(k, out->v, k->slope);
    f->linear -= dot(n, N, k->slope);
    for (size_t i = 0; i < n; i++) f->applied += N[i] * lia_value(&k->values, s->Q[i]);
    for (uint32_t r = 0; r < s->reduced->nc; r++) {
        uint32_t row = s->reduced->rows[r];
        if (row == k->own[a] && acts_alone(k, row, out->base[a])) continue;
        for (size_t i = 0; i < n; i++) {
            f->reactions +=
                k->w->mu[row] * N[i] * lia_value(&k->values, lia_system_Omega(s, row, i));
        }
    }
    f->total = f->inertia + f->theta_uu + f->potential + f->shape_pp + f->theta_pu + f->gyro +
               f->linear - f->applied - f->reactions;
    if (a < s->reduced->drive_count) {
        f->given = k->w->mu[k->own[a]];
    } else if (acts_alone(k, k->own[a], out->base[a])) {
        f->given = k->w->mu[k->own[a]] *
                   lia_value(&k->values, lia_system_Omega(s, k->own[a], out->base[a]));
    }
}

static bool fill_forces(Work* k) {
    LiaFields* out = k->out;
    out->lambda = LIA_ARENA_NEW(out->arena, LiaOperatorForce, k->nb + 1);
    if (!out->lambda) return false;
    double most = 0.0, away = 0.0;
    for (size_t a = 0; a < k->nb; a++) {
        LiaOperatorForce* f = &out->lambda[a];
        operator_force(k, a, f);
        const double terms[] = {f->inertia, f->theta_uu, f->potential, f->shape_pp, f->theta_pu,
                                f->gyro,    f->linear,   f->applied,   f->reactions};
        for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) most = fmax(most, fabs(terms[i]));
        if (!isnan(f->given)) away = fmax(away, fabs(f->total - f->given));
    }
    for (size_t r = k->n; r < out->rows; r++) most = fmax(most, fabs(out->field[LIA_FIELD_D_Y][r]));
    out->lambda_defect = most > 0.0 ? away / most : away;
    return true;
}

// --- all of it ---------------------------------------------------------------------------------

static void forget_parts(LiaFields* out) {
    out->split = false;
    for (int f = LIA_FIELD_D_0; f <= LIA_FIELD_H_Y; f++) out->field[f] = NULL;
    out->field[LIA_FIELD_ETA] = NULL;
}

// X_R: q' = v with v the velocities that belong to p, p' = dL/dq; Y is in v.
static bool check_generator(Work* k) {
    LiaFields* out = k->out;
    size_t n = k->n;
    double* v = numbers(k, n);
    if (!v) return false;
    // p may belong to several velocities where L is not convex: the ones nearest to the state's
    memcpy(v, out->v, n * sizeof *v);
    if (!lia_phase_space_velocities(k->space, out->t, out->q, out->p, k->space->x, k->space->nx,
                                    v)) {
        memcpy(v, out->v, n * sizeof *v);  // coordinates without inertia
    }
    double most = 0.0, away = 0.0;
    lia_phase_space_pairing(k->space, out->t, out->q, v, k->space->zero, k->slope, NULL);
    for (size_t r = 0; r < out->rows; r++) {
        double slope = r < n ? v[r] : lia_value(&k->space->values, k->s->dL_dq[out->x[r - n]]);
        double Q = out->field[LIA_FIELD_Q][r], Z = out->field[LIA_FIELD_Z][r], x = slope + Q - Z;
        most = fmax(most, fmax(fabs(slope), fmax(fabs(Q), fabs(Z))));
        away = fmax(away, fabs(x - out->field[LIA_FIELD_D_Y][r]));
    }
    out->defect = most > 0.0 ? away / most : away;
    return true;
}

static bool make(Work* k, double t, const double* q, const double* v) {
    LiaFields* out = k->out;
    if (!prepare(k, t, q, v) || !multiplier_form(k)) return false;
    if (!k->space->geometry->quadratic) {
        forget_parts(out);
        out->why = "the Lagrangian is not quadratic in the velocities";
        return check_generator(k);
    }
    for (int servos = 1; servos >= 0; servos--) {
        for (int f = LIA_FIELD_D_0; f < LIA_FIELD_COUNT; f++) {
            if (f == LIA_FIELD_Z || f == LIA_FIELD_Q) continue;
            memset(out->field[f], 0, out->rows * sizeof(double));
        }
        out->why = NULL;
        out->K_Y = 0.0;
        if (!choose_base(k, servos)) return false;
        if (!split_metric(k)) {
            if (!out->why) return false;
            continue;
        }
        fill_parts(k);
        if (fill_eta(k)) {
            out->split = true;
            break;
        }
    }
    if (!out->split) {
        if (!out->why) return false;
        forget_parts(out);
        return check_generator(k);
    }
    check_sum(k);
    return fill_curvature(k) && fill_forces(k);
}

bool lia_fields_make(LiaPhaseSpace* space, double t, const double* q, const double* v,
                     LiaFields* out) {
    assert(space && (space->n == 0 || (q && v)));
    *out = (LiaFields){.arena = lia_arena_create()};
    if (!out->arena) return false;
    Work k = {.space = space, .s = space->geometry->system, .out = out};
    bool ok = make(&k, t, q, v);
    lia_evaluate_clear(&k.values);
    lia_evaluation_clear(&k.evaluation);
    return ok;
}

void lia_fields_clear(LiaFields* f) {
    lia_arena_destroy(f->arena);
    *f = (LiaFields){0};
}
