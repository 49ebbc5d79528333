// The field D_Y and its parts. See fields.h.
//
// In the frame of the base, with the fibre's metric G = Z^T g Z, horizontal lifts N (F N = 1, N
// orthogonal to VM in g) and b = p at v = 0:
//   v = v_v + v_h,   v_v = Z G^-1 Z^T (p - b),   v_h = N Y,   Y = F v           (orthogonal in g)
//   Q_c(a, w)        derivative of g(a, w) along c, a and w constant in the frame
//   D_0       <p, Z>' = 1/2 Q_Z(v_v, v_v) + (db)_Z v_v - dU Z
//   -X_K      <p, Z>' = 1/2 Q_Z(v_h, v_h) + (db)_Z v_h - Q_Z(G^-1 b, v_h)
//   H(Y)      <p, Z>' = Q_Z(G^-1 p, v_h)
// which is dL/dq Z + <p, Z'> at v, written out.
//
// The numbers of an attitude or a direction, u with |u| = 1, have no inertia along u. To L is added
// kappa/2 (u v)^2: it changes no motion, for u v = 0 stays so, and no part, for v_v and v_h are
// orthogonal to u; but then G can be inverted.
// SPDX-License-Identifier: MIT
#include "geometry/phase_space/fields.h"
#include "base/numeric/thresholds.h"
#include "geometry/classification/judge.h"
#include "geometry/phase_space/fields_work.h"
#include <assert.h>
#include <math.h>
#include <string.h>

double* lia_fields_numbers(LiaFieldsWork* k, size_t count) {
    return LIA_ARENA_NEW(k->out->arena, double, count + 1);
}

double lia_fields_dot(size_t n, const double* a, const double* b) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// g a into `out`.
static void lower(const LiaFieldsWork* k, const double* a, double* out) {
    for (size_t i = 0; i < k->n; i++) out[i] = lia_fields_dot(k->n, k->g + i * k->n, a);
}

void lia_fields_metric_slope(LiaFieldsWork* k, const double* a, const double* w, double* out) {
    const LiaFields* f = k->out;
    lia_phase_space_pairing(k->space, f->state.t, f->state.q, a, w, out);
    lia_phase_space_pairing(k->space, f->state.t, f->state.q, k->space->zero, w, k->still);
    for (size_t i = 0; i < k->n; i++) out[i] -= k->still[i];
    if (!f->frame.bent) return;
    lower(k, w, k->low);
    lia_frame_bend(&f->frame, k->low, a, out);
    lower(k, a, k->low);
    lia_frame_bend(&f->frame, k->low, w, out);
}

void lia_fields_linear_slope(LiaFieldsWork* k, const double* w, double* out) {
    lia_phase_space_pairing(k->space, k->out->state.t, k->out->state.q, k->space->zero, w, out);
    lia_frame_bend(&k->out->frame, k->b, w, out);
}

void lia_fields_add_force(const LiaFieldsWork* k, uint32_t row, double factor, double* out) {
    const LiaRow* one = &k->s->rows[row];
    for (uint32_t e = 0; e < one->entries; e++) {
        out[one->coordinate[e]] += factor * k->w->mu[row] * lia_value(&k->values, one->Omega[e]);
    }
}

bool lia_fields_is_base(const LiaFieldsWork* k, uint32_t row) {
    uint32_t constraint = k->s->rows[row].constraint;
    for (size_t a = 0; a < k->nb; a++) {
        if (k->s->rows[k->out->frame.row[a]].constraint == constraint) return true;
    }
    return false;
}

// --- the state ---------------------------------------------------------------------------------

static bool prepare(LiaFieldsWork* k, double t, const double* q, const double* v) {
    LiaGeometry* y = k->space->geometry;
    const LiaSystem* s = k->s;
    LiaFields* out = k->out;
    size_t n = k->n = s->n;
    out->n = s->n;
    out->state.q = lia_fields_numbers(k, n), out->state.v = lia_fields_numbers(k, n);
    out->state.p = lia_fields_numbers(k, n);
    k->b = lia_fields_numbers(k, n), k->U_q = lia_fields_numbers(k, n);
    k->slope = lia_fields_numbers(k, n), k->still = lia_fields_numbers(k, n);
    k->low = lia_fields_numbers(k, n), k->g = lia_fields_numbers(k, n * n);
    k->p_rate = LIA_ARENA_NEW(out->arena, LiaExpr, n + 1);
    if (!out->state.q || !out->state.v || !out->state.p || !k->b || !k->U_q || !k->slope ||
        !k->still || !k->low || !k->g || !k->p_rate) {
        return false;
    }
    for (size_t i = 0; i < n; i++) k->p_rate[i] = lia_diff_rate(&y->rates, s->lagrange.p[i]);
    if (!lia_evaluation_make(s, s->reduced, t, q, v, &k->evaluation)) return false;
    k->w = k->evaluation.w;
    out->state.t = t;
    memcpy(out->state.q, k->w->q, n * sizeof(double));
    memcpy(out->state.v, k->w->v, n * sizeof(double));
    if (!k->evaluation.solved) {
        out->why = "the matrix of accelerations and multipliers is singular at this state";
        return false;
    }
    return !y->graph->failed;
}

// dp/dt, Q, Omega and the energy at the state.
static bool evaluate_forces(LiaFieldsWork* k) {
    LiaGeometry* y = k->space->geometry;
    const LiaSystem* s = k->s;
    LiaFields* out = k->out;
    size_t n = k->n, entries = 0, count = 0;
    for (uint32_t r = 0; r < s->row_count; r++) entries += s->rows[r].entries;
    LiaExpr* roots = LIA_ARENA_NEW(out->arena, LiaExpr, 2 * n + entries + 2);
    if (!roots) return false;
    for (size_t i = 0; i < n; i++) roots[count++] = k->p_rate[i], roots[count++] = s->lagrange.Q[i];
    for (uint32_t r = 0; r < s->row_count; r++) {
        for (uint32_t e = 0; e < s->rows[r].entries; e++) roots[count++] = s->rows[r].Omega[e];
    }
    roots[count++] = s->energy.total;
    if (!lia_evaluate_init(&k->values, y->graph, roots, count)) return false;
    LiaSymbols at = {.t = out->state.t,
                     .parameters = s->parameters,
                     .q = out->state.q,
                     .v = out->state.v,
                     .a = k->w->a};
    lia_evaluate_run(&k->values, &at);
    for (size_t i = 0; i < n; i++) out->has_Q |= !lia_graph_is_zero(y->graph, s->lagrange.Q[i]);
    out->energy = lia_value(&k->values, s->energy.total);
    lia_phase_space_momenta(k->space, out->state.t, out->state.q, out->state.v, out->state.p);
    return true;
}

// The multiplier form: q' = v, <p, Z>' = <dp/dt, Z> + <p, Z'> along the accelerations.
static bool multiplier_form(LiaFieldsWork* k) {
    const LiaSystem* s = k->s;
    LiaFields* out = k->out;
    size_t n = k->n;
    out->x = out->frame.fibre, out->nx = out->frame.nf, out->rows = out->n + out->nx;
    out->momentum = lia_fields_numbers(k, out->nx);
    for (int f = 0; f < LIA_FIELD_COUNT; f++) {
        out->field[f] = lia_fields_numbers(k, out->rows);
        if (!out->field[f]) return false;
    }
    if (!out->momentum) return false;
    for (size_t i = 0; i < n; i++) {
        out->field[LIA_FIELD_D_Y][i] = out->state.v[i];
        k->slope[i] = lia_value(&k->values, k->p_rate[i]);
    }
    lia_frame_bend(&out->frame, out->state.p, out->state.v, k->slope);
    double *Q = k->still, *Z = k->low;
    memset(Z, 0, n * sizeof *Z);
    for (size_t i = 0; i < n; i++) Q[i] = lia_value(&k->values, s->lagrange.Q[i]);
    for (uint32_t r = 0; r < s->row_count; r++) {
        bool acts = !s->rows[r].identical && !s->rows[r].follows;
        if (acts) lia_fields_add_force(k, r, -1.0, Z);
    }
    for (size_t j = 0; j < out->nx; j++) {
        out->momentum[j] = lia_frame_along(&out->frame, j, out->state.p);
        out->field[LIA_FIELD_D_Y][n + j] = lia_frame_along(&out->frame, j, k->slope);
        out->field[LIA_FIELD_Q][n + j] = lia_frame_along(&out->frame, j, Q);
        out->field[LIA_FIELD_Z][n + j] = lia_frame_along(&out->frame, j, Z);
    }
    return true;
}

// --- base and fibre ----------------------------------------------------------------------------

// A servo whose left side is a coordinate or its velocity.
static bool governs(const LiaSystem* s, uint32_t r, uint32_t* coordinate) {
    const LiaRow* row = &s->rows[r];
    const LiaConstraint* c = &s->model->constraints[row->constraint];
    LiaExpr left = c->equations[row->part].left;
    if (!lia_model_is_coordinate(s->model, left)) return false;
    *coordinate = lia_graph_node(s->model->graph, left)->a;
    return true;
}

// The rows the frame is made of: those given, or the operators on coordinates; at last the
// eliminated ones alone.
static uint32_t choose_base(const LiaFieldsWork* k, const LiaFieldsBase* base, int pass,
                            uint32_t* rows) {
    const LiaSystem* s = k->s;
    uint32_t count = 0, coordinate;
    if (pass == 0 && base) {
        memcpy(rows, base->row, base->count * sizeof *rows);
        return base->count;
    }
    for (uint32_t d = 0; d < s->reduced->drive_count; d++) rows[count++] = s->reduced->drive_row[d];
    for (uint32_t r = 0; pass == 0 && r < s->reduced->nc; r++) {
        uint32_t row = s->reduced->rows[r];
        if (s->model->constraints[s->rows[row].constraint].active && governs(s, row, &coordinate)) {
            rows[count++] = row;
        }
    }
    return count;
}

static bool name_base(LiaFieldsWork* k) {
    const LiaSystem* s = k->s;
    LiaFields* out = k->out;
    out->base = LIA_ARENA_NEW(out->arena, uint32_t, k->nb + 1);
    out->base_name = LIA_ARENA_NEW(out->arena, const char*, k->nb + 1);
    if (!out->base || !out->base_name) return false;
    for (size_t a = 0; a < k->nb; a++) {
        const LiaRow* row = &s->rows[out->frame.row[a]];
        const LiaConstraint* c = &s->model->constraints[row->constraint];
        out->base[a] = UINT32_MAX;
        if (governs(s, out->frame.row[a], &out->base[a])) {
            out->base_name[a] = s->model->coordinates[out->base[a]].name;
        } else {
            out->base_name[a] = c->equation_count == 1 ? c->name
                                                       : lia_arena_printf(out->arena, "%s[%u]",
                                                                          c->name, row->part + 1);
        }
        if (!out->base_name[a]) return false;
    }
    return true;
}

static bool make_room(LiaFieldsWork* k) {
    LiaFields* out = k->out;
    size_t n = k->n, nf = k->nf, nb = k->nb;
    k->G = lia_fields_numbers(k, nf * nf);
    out->A = lia_fields_numbers(k, nf * nb), out->Theta = lia_fields_numbers(k, nb * nb);
    out->Y = lia_fields_numbers(k, nb), out->beta = lia_fields_numbers(k, nb);
    out->N = lia_fields_numbers(k, nb * n);
    k->v_v = lia_fields_numbers(k, n), k->v_h = lia_fields_numbers(k, n);
    k->up = lia_fields_numbers(k, n), k->ub = lia_fields_numbers(k, n);
    double* scales = lia_fields_numbers(k, 2 * nf);
    int* exchanges = LIA_ARENA_NEW(out->arena, int, nf + 1);
    k->column = lia_fields_numbers(k, nf);
    k->X_beta = lia_fields_numbers(k, out->rows);
    if (!scales || !k->X_beta) return false;
    k->lu =
        (LiaLu){.n = (int)nf, .A = k->G, .row = exchanges, .left = scales, .right = scales + nf};
    return k->G && out->A && out->Theta && out->Y && out->beta && out->N && k->v_v && k->v_h &&
           k->up && k->ub && exchanges && k->column;
}

// g, G = Z^T g Z, factored; the potential into *U. False if G is singular.
static bool take_metric(LiaFieldsWork* k, double* U) {
    LiaFields* out = k->out;
    size_t n = k->n, nf = k->nf;
    lia_phase_space_momenta(k->space, out->state.t, out->state.q, k->space->zero, k->b);
    for (size_t i = 0; i < n; i++) {  // the last run was at v = 0
        k->U_q[i] = -lia_value(&k->space->values, k->s->lagrange.dL_dq[i]);
    }
    *U = -lia_value(&k->space->values, k->s->energy.lagrangian);
    lia_phase_space_metric(k->space, out->state.t, out->state.q, out->state.v, k->g);
    lia_lengths_add(k->s, out->state.q, k->g);
    for (size_t j = 0; j < nf; j++) {
        double* gZ = k->low;
        for (size_t i = 0; i < n; i++) gZ[i] = lia_frame_along(&out->frame, j, k->g + i * n);
        for (size_t i = 0; i < nf; i++) k->G[i * nf + j] = lia_frame_along(&out->frame, i, gZ);
    }
    if (nf == 0 || lia_dense_lu_factor(&k->lu, NULL) > LIA_FIBRE_PIVOT) return true;
    out->why = "the metric of the fibre is singular: what is not of the base has no inertia";
    return false;
}

// Z G^-1 Z^T p as a vector, for a covector p.
static void raise(LiaFieldsWork* k, const double* p, double* out) {
    const LiaFrame* frame = &k->out->frame;
    size_t n = k->n, nf = k->nf;
    memset(out, 0, n * sizeof *out);
    for (size_t j = 0; j < nf; j++) k->column[j] = lia_frame_along(frame, j, p);
    if (nf > 0) lia_dense_lu_solve(&k->lu, k->column);
    for (size_t j = 0; j < nf; j++) lia_frame_add(frame, j, k->column[j], out);
}

// The horizontal lift of each function: any vector with F n = 1 of it, 0 of the others, minus its
// vertical part. The pivots alone can be such a vector: B n = e_a.
static bool make_connection(LiaFieldsWork* k) {
    LiaFields* out = k->out;
    const LiaFrame* frame = &out->frame;
    size_t n = k->n, rows = k->nb + frame->nl;
    double *B = lia_fields_numbers(k, rows * rows), *scales = lia_fields_numbers(k, 3 * rows);
    double* vertical = lia_fields_numbers(k, n);
    int* exchanges = LIA_ARENA_NEW(out->arena, int, rows + 1);
    if (!B || !scales || !vertical || !exchanges) return false;
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < rows; c++) B[r * rows + c] = frame->F[r * n + frame->pivot[c]];
    }
    LiaLu lu = {(int)rows, B, exchanges, scales, scales + rows};
    if (rows > 0) lia_dense_lu_factor(&lu, NULL);
    double* x = scales + 2 * rows;
    for (size_t a = 0; a < k->nb; a++) {
        double* N = out->N + a * n;
        memset(x, 0, rows * sizeof *x);
        x[a] = 1.0;
        lia_dense_lu_solve(&lu, x);
        for (size_t c = 0; c < rows; c++) N[frame->pivot[c]] = x[c];
        lower(k, N, k->low);
        raise(k, k->low, vertical);
        for (size_t i = 0; i < n; i++) N[i] -= vertical[i];
        for (size_t j = 0; j < k->nf; j++) out->A[j * k->nb + a] = -N[frame->fibre[j]];
        out->Y[a] = lia_fields_dot(n, frame->F + a * n, out->state.v);
        out->beta[a] = lia_fields_dot(n, k->b, N);
    }
    for (size_t a = 0; a < k->nb; a++) {
        lower(k, out->N + a * n, k->low);
        for (size_t c = 0; c < k->nb; c++) {
            out->Theta[c * k->nb + a] = lia_fields_dot(n, out->N + c * n, k->low);
        }
    }
    return true;
}

// Frame, G, A, Theta, N and the vectors of the split. False if G is singular.
static bool split_metric(LiaFieldsWork* k) {
    LiaFields* out = k->out;
    size_t n = k->n;
    double U, kinetic = 0.0;
    if (!make_room(k) || !take_metric(k, &U) || !make_connection(k)) return false;
    for (size_t a = 0; a < k->nb; a++) {
        for (size_t i = 0; i < n; i++) k->v_h[i] += out->N[a * n + i] * out->Y[a];
    }
    raise(k, out->state.p, k->up);
    raise(k, k->b, k->ub);
    for (size_t i = 0; i < n; i++) k->slope[i] = out->state.p[i] - k->b[i];
    raise(k, k->slope, k->v_v);
    kinetic = 0.5 * lia_fields_dot(n, k->slope, k->v_v);
    out->h0 = kinetic + U;
    out->K_Y = 0.0;
    for (size_t a = 0; a < k->nb; a++) {
        out->K_Y += out->beta[a] * out->Y[a];
        for (size_t c = 0; c < k->nb; c++)
            out->K_Y += 0.5 * out->Theta[a * k->nb + c] * out->Y[a] * out->Y[c];
    }
    return true;
}

// --- the parts ---------------------------------------------------------------------------------

// factor times the slope along each Z_j, added to the momentum rows of a field.
static void add_slope(const LiaFieldsWork* k, double factor, const double* slope, double* field) {
    const LiaFields* out = k->out;
    for (size_t j = 0; j < out->nx; j++) {
        field[k->n + j] += factor * lia_frame_along(&out->frame, j, slope);
    }
}

static void fill_parts(LiaFieldsWork* k) {
    LiaFields* out = k->out;
    double *D_0 = out->field[LIA_FIELD_D_0], *X_K = out->field[LIA_FIELD_MINUS_X_K];
    double* H_Y = out->field[LIA_FIELD_H_Y];
    for (size_t i = 0; i < k->n; i++) D_0[i] = k->v_v[i], H_Y[i] = k->v_h[i];
    lia_fields_metric_slope(k, k->v_v, k->v_v, k->slope);
    add_slope(k, 0.5, k->slope, D_0);
    add_slope(k, -1.0, k->U_q, D_0);
    lia_fields_linear_slope(k, k->v_v, k->slope);
    add_slope(k, 1.0, k->slope, D_0);
    if (k->nb == 0) return;
    lia_fields_metric_slope(k, k->v_h, k->v_h, k->slope);
    add_slope(k, 0.5, k->slope, X_K);
    lia_fields_linear_slope(k, k->v_h, k->slope);
    add_slope(k, 1.0, k->slope, k->X_beta);
    lia_fields_metric_slope(k, k->ub, k->v_h, k->slope);
    add_slope(k, -1.0, k->slope, k->X_beta);
    for (size_t r = 0; r < out->rows; r++) X_K[r] += k->X_beta[r];
    lia_fields_metric_slope(k, k->up, k->v_h, k->slope);
    add_slope(k, 1.0, k->slope, H_Y);
}

static void check_sum(LiaFieldsWork* k) {
    LiaFields* out = k->out;
    double most = 0.0, away = 0.0;
    for (size_t r = 0; r < out->rows; r++) {
        double sum = 0.0;
        for (int f = LIA_FIELD_D_0; f < LIA_FIELD_PARTS; f++) {
            double x = out->field[f][r];
            sum += f == LIA_FIELD_Z ? -x : x;
            most = fmax(most, fabs(x));
        }
        away = fmax(away, fabs(sum - out->field[LIA_FIELD_D_Y][r]));
    }
    out->defect = most > 0.0 ? away / most : away;
}

// --- all of it ---------------------------------------------------------------------------------

static void forget_parts(LiaFields* out) {
    out->split = false;
    for (int f = LIA_FIELD_D_0; f <= LIA_FIELD_H_Y; f++) out->field[f] = NULL;
    out->field[LIA_FIELD_ETA] = out->field[LIA_FIELD_X_SH] = out->field[LIA_FIELD_Y_W] = NULL;
}

// X_R: q' = v with v the velocities that belong to p, p' = dL/dq; Y is in v.
static bool check_generator(LiaFieldsWork* k) {
    LiaFields* out = k->out;
    size_t n = k->n;
    double* v = lia_fields_numbers(k, n);
    if (!v) return false;
    // p may belong to several velocities where L is not convex: the ones nearest to the state's
    memcpy(v, out->state.v, n * sizeof *v);
    if (!lia_phase_space_velocities(k->space, out->state.t, out->state.q, out->state.p,
                                    (LiaUnknowns){k->space->x, k->space->nx}, v)) {
        memcpy(v, out->state.v, n * sizeof *v);  // coordinates without inertia
    }
    double most = 0.0, away = 0.0;
    lia_phase_space_pairing(k->space, out->state.t, out->state.q, v, k->space->zero, k->slope);
    for (size_t r = 0; r < out->rows; r++) {
        double slope =
            r < n ? v[r] : lia_value(&k->space->values, k->s->lagrange.dL_dq[out->x[r - n]]);
        double Q = out->field[LIA_FIELD_Q][r], Z = out->field[LIA_FIELD_Z][r], x = slope + Q - Z;
        most = fmax(most, fmax(fabs(slope), fmax(fabs(Q), fabs(Z))));
        away = fmax(away, fabs(x - out->field[LIA_FIELD_D_Y][r]));
    }
    out->defect = most > 0.0 ? away / most : away;
    return true;
}

// One choice of the base. 1: split; 0: it cannot be, out->why says so; -1: memory is out.
static int attempt(LiaFieldsWork* k, const LiaFieldsBase* asked, const uint32_t* rows,
                   uint32_t count) {
    LiaFields* out = k->out;
    out->why = NULL;
    bool* lengths = LIA_ARENA_NEW(out->arena, bool, k->s->model->groups_count + 1);
    if (!lengths) return -1;
    lia_phase_space_metric(k->space, out->state.t, out->state.q, out->state.v, k->g);
    lia_lengths_coupled(k->s, out->state.q, k->g, lengths);
    for (uint32_t c = 0; asked && asked->length && c < k->s->model->groups_count; c++)
        lengths[c] |= asked->length[c];
    LiaFieldsBase base = {rows, count, lengths, asked ? asked->pivot : NULL};
    if (!lia_frame_make(k->space->geometry, base, out->state.t, out->state.q, out->arena,
                        &out->frame)) {
        out->why = out->frame.why;
        return out->why ? 0 : -1;
    }
    k->nb = out->nb = out->frame.nb, k->nf = out->nf = out->frame.nf;
    if (!name_base(k) || !multiplier_form(k)) return -1;
    if (!k->space->geometry->quadratic) {
        out->why = "the Lagrangian is not quadratic in the velocities";
        return 0;
    }
    if (!split_metric(k)) return out->why ? 0 : -1;
    fill_parts(k);
    if (lia_servo_fill(k)) return 1;
    if (!out->why) out->why = "the admissible states are no graph over V*M: (H) does not hold";
    return 0;
}

static bool make(LiaFieldsWork* k, const LiaFieldsBase* base, double t, const double* q,
                 const double* v) {
    LiaFields* out = k->out;
    if (!prepare(k, t, q, v) || !evaluate_forces(k)) return false;
    uint32_t* rows =
        LIA_ARENA_NEW(out->arena, uint32_t, k->s->row_count + (base ? base->count : 0) + 1);
    if (!rows) return false;
    bool quadratic = k->space->geometry->quadratic;
    const char* why = NULL;
    for (int pass = quadratic ? 0 : 1; pass < 2 && !out->split; pass++) {
        int done = attempt(k, pass == 0 ? base : NULL, rows, choose_base(k, base, pass, rows));
        if (done < 0) return false;
        out->split = done > 0;
        if (!out->split && !why) why = out->why;
    }
    if (!out->split) {
        out->why = why;
        if (!out->field[LIA_FIELD_D_Y]) return false;
        forget_parts(out);
        return check_generator(k) && (quadratic || lia_frozen_fill(k));
    }
    check_sum(k);
    return lia_pulled_back_fill(k) && lia_operator_force_fill(k);
}

bool lia_fields_make(LiaPhaseSpace* space, const LiaFieldsBase* base, double t, const double* q,
                     const double* v, LiaFields* out) {
    assert(space && (space->n == 0 || (q && v)));
    *out = (LiaFields){.arena = lia_arena_create()};
    if (!out->arena) return false;
    LiaFieldsWork k = {.space = space, .s = space->geometry->system, .out = out};
    bool ok = make(&k, base, t, q, v);
    lia_evaluate_clear(&k.values);
    lia_evaluation_clear(&k.evaluation);
    return ok;
}

void lia_fields_clear(LiaFields* f) {
    lia_arena_destroy(f->arena);
    *f = (LiaFields){0};
}
