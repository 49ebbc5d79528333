// Each constraint by itself: its form, its forces, its left side. See judge.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/classification/judge.h"
#include "geometry/span.h"
#include "mechanics/regularity/regularity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- what the form of the equations says --------------------------------------------------------

// Does it contain a control?
static bool has_control(const LiaModel* model, const LiaConstraint* c) {
    for (uint32_t e = 0; e < c->equation_count; e++) {
        const LiaEquation* of = &c->equations[e];
        unsigned has = lia_model_depends(model, of->left) | lia_model_depends(model, of->right);
        if (has & LIA_DEPENDS(CONTROL)) return true;
    }
    return false;
}

static bool is_eliminated(const LiaSystem* s, uint32_t row) {
    for (uint32_t d = 0; d < s->reduced->drive_count; d++) {
        if (s->reduced->drive_row[d] == row) return true;
    }
    return false;
}

uint32_t lia_kinds_own(const LiaConstraint* c) { return c->joint ? c->joint->own : 0; }

void lia_kinds_read(LiaJudge* j, uint32_t c) {
    const LiaSystem* s = j->system;
    const LiaConstraint* given = &s->model->constraints[c];
    LiaConstraintClass* out = &j->out->constraints[c];
    bool control = has_control(s->model, given);
    *out = (LiaConstraintClass){.name = given->name,
                                .internal = given->internal,
                                .active = given->active || control,
                                .control = control && !given->active,
                                .eliminated = given->equation_count > 0,
                                .geometric = true,
                                .equations = given->equation_count - lia_kinds_own(given) -
                                             (given->rough != NULL),
                                .holonomic = LIA_UNKNOWN,
                                .submersion = LIA_UNKNOWN,
                                .perfect = LIA_UNKNOWN,
                                .hamiltonian = LIA_UNKNOWN,
                                .H0 = LIA_YES,
                                .H = LIA_UNKNOWN,
                                .workless = true,
                                .unique = true};
    for (uint32_t r = s->first_row[c]; r < s->first_row[c + 1]; r++) {
        const LiaRow* row = &s->rows[r];
        if (row->identical) continue;
        if (!row->geometric || row->integrated) out->geometric = false;
        if (!row->linear) out->linearity = LIA_NONLINEAR;
        if (!is_eliminated(s, r)) out->eliminated = false;
    }
}

// psi at v = 0 is not the number 0: an equation that is not homogeneous, as far as its form says.
static bool is_affine(LiaJudge* j, uint32_t r) {
    const LiaSystem* s = j->system;
    LiaGraph* g = j->geometry->graph;
    LiaExpr* by = LIA_ARENA_NEW(j->out->arena, LiaExpr, s->n + 1);
    if (!by || !j->geometry->psi[r].index) return false;
    for (uint32_t i = 0; i < s->n; i++) by[i] = lia_graph_integer(g, 0);
    LiaExpr rest = lia_diff_substitute(g, j->geometry->psi[r], LIA_SYMBOL_VELOCITY, by, s->n);
    return rest.index && !lia_graph_is_zero(g, rest);
}

void lia_kinds_leave_open(LiaJudge* j) {
    const LiaSystem* s = j->system;
    for (uint32_t c = 0; c < j->out->constraint_count; c++) {
        LiaConstraintClass* out = &j->out->constraints[c];
        out->H0 = LIA_UNKNOWN;
        if (s->model->constraints[c].rule == LIA_RULE_GIVEN) out->force = LIA_FORCE_GIVEN;
        for (uint32_t r = s->first_row[c]; r < s->first_row[c + 1]; r++) {
            if (s->rows[r].identical) continue;
            out->workless &= s->rows[r].workless;
            if (out->linearity == LIA_LINEAR && is_affine(j, r)) out->linearity = LIA_AFFINE;
        }
    }
    for (uint32_t l = 0; l < s->line_count; l++) {
        LiaExpr power = s->lines[l].power;
        j->out->line_feeds[l] = power.index && !lia_graph_is_zero(s->graph, power);
    }
}

// --- what samples say ---------------------------------------------------------------------------

void lia_kinds_rows(const LiaJudge* j, uint32_t c, int* first, int* last) {
    *first = 0;
    while (*first < j->m && j->system->rows[j->row[*first]].constraint < c) ++*first;
    *last = *first;
    while (*last < j->m && j->system->rows[j->row[*last]].constraint == c) ++*last;
}

// row v is zero up to the rounding of its terms, and of velocities that the equations make zero.
static bool is_orthogonal(const LiaJudge* j, const double* row) {
    const double *v = j->z.w->v, *size = j->reactions.v;
    double sum = 0.0, terms = 0.0, rounding = 0.0;
    for (int i = 0; i < j->n; i++) {
        sum += row[i] * v[i];
        terms += fabs(row[i] * v[i]);
        rounding += fabs(row[i]) * size[i];
    }
    return fabs(sum) <= LIA_IDENTITY * terms + LIA_IDENTITY_LEAST * rounding;
}

static bool same_rows(const double* A, const double* B, int count) {
    for (int i = 0; i < count; i++) {
        if (fabs(A[i] - B[i]) > LIA_IDENTITY_ROWS * (fabs(A[i]) + fabs(B[i]))) return false;
    }
    return true;
}

// M; with the lengths of attitudes and directions where it is singular; M + J^T W J over all
// equations where it still is (what has no inertia is driven or held).
static const double* metric(LiaJudge* j) {
    const LiaWorkspace* w = j->z.w;
    size_t n = (size_t)j->n;
    memcpy(j->B, w->saddle.M, n * n * sizeof *j->B);
    if (lia_dense_cholesky(j->n, j->B)) return w->saddle.M;
    double* W = lia_memory_zeros((size_t)j->m + n * n + 1, sizeof *W);
    bool ok = W && lia_regularity_row_weights(w, W);
    double* L = ok ? W + j->m : NULL;
    memcpy(j->B, w->saddle.M, n * n * sizeof *j->B);
    lia_lengths_add(j->system, w->q, j->B);
    if (ok) memcpy(L, j->B, n * n * sizeof *L);
    bool definite = ok && lia_dense_cholesky(j->n, L);
    for (size_t r = 0; ok && !definite && r < (size_t)j->m; r++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++)
                j->B[i * n + k] += W[r] * w->saddle.J[r * n + i] * w->saddle.J[r * n + k];
        }
    }
    free(W);
    return j->B;
}

// Numbers of the left side that are nothing but rounding, compared with the rows of the equation,
// are zero.
static void clear_rounding(int count, double* F, const double* J) {
    double most = 0.0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(J[i]));
    for (int i = 0; i < count; i++) {
        if (fabs(F[i]) <= LIA_IDENTITY_ROWS * most) F[i] = 0.0;
    }
}

static void look_at_submersion(LiaJudge* j, LiaConstraintClass* out, int first, int k) {
    const LiaWorkspace* w = j->z.w;
    int n = j->n;
    size_t count = (size_t)k * (size_t)n;
    double *F = j->A, *Omega = j->A2, *J = w->saddle.J + (size_t)first * (size_t)n;
    for (int i = 0; i < k * n; i++) F[i] = lia_value(&j->values, j->left[first * n + i]);
    clear_rounding(k * n, F, J);
    memcpy(Omega, w->saddle.Omega + (size_t)first * (size_t)n, count * sizeof *Omega);
    bool without_velocities = same_rows(F, J, k * n);  // Y does not depend on v
    // in a large system the metric is not asked where the rows are the same
    double coupling =
        without_velocities && n > LIA_SPAN_SMALL ? 1.0 : lia_span_coupling(n, metric(j), k, J, F);
    if (lia_span_rank(k, n, F) < k) return;  // a point where the left side is no submersion
    lia_lengths_take_away(j->system, w->q, k, F);
    lia_lengths_take_away(j->system, w->q, k, Omega);
    if (!lia_span_same(k, Omega, k, F, n)) out->perfect = LIA_NO;
    if (isnan(coupling)) {
        if (out->H == LIA_YES) out->H = LIA_UNKNOWN;
    } else if (coupling < LIA_COUPLING_LEAST) {
        out->H = LIA_NO;
    }
}

void lia_kinds_look(LiaJudge* j, uint32_t c) {
    const LiaWorkspace* w = j->z.w;
    LiaConstraintClass* out = &j->out->constraints[c];
    int first, last, n = j->n;
    lia_kinds_rows(j, c, &first, &last);
    int k = last - first;
    if (k == 0) return;
    size_t at = (size_t)first * (size_t)n, bytes = (size_t)k * (size_t)n * sizeof(double);
    const double *J = w->saddle.J + at, *Omega = w->saddle.Omega + at;
    memcpy(j->A, J, bytes);
    memcpy(j->A2, Omega, bytes);
    if (!out->internal) {
        lia_lengths_take_away(j->system, w->q, k, j->A);
        lia_lengths_take_away(j->system, w->q, k, j->A2);
    }
    if (!lia_span_same(k, j->A, k, j->A2, n)) out->force = LIA_FORCE_GIVEN;
    if (lia_span_rank(k, n, j->A2) < lia_span_rank(k, n, j->A)) out->H0 = LIA_NO;
    for (int r = 0; r < k; r++) {
        bool along = is_orthogonal(j, J + (size_t)r * (size_t)n);
        if (!along && out->linearity == LIA_LINEAR) out->linearity = LIA_AFFINE;
        if (!is_orthogonal(j, Omega + (size_t)r * (size_t)n)) out->workless = false;
    }
    if (out->submersion == LIA_YES) look_at_submersion(j, out, first, k);
}

// Do the forces of all rows that count span what their gradients span?
static bool same_together(LiaJudge* j, bool operators) {
    const LiaWorkspace* w = j->z.w;
    size_t n = (size_t)j->n;
    int count = 0;
    for (int r = 0; r < j->m; r++) {
        const LiaConstraint* c =
            &j->system->model->constraints[j->system->rows[j->row[r]].constraint];
        if (c->internal || (operators && !c->active)) continue;
        memcpy(j->A + (size_t)count * n, w->saddle.J + (size_t)r * n, n * sizeof(double));
        memcpy(j->A2 + (size_t)count * n, w->saddle.Omega + (size_t)r * n, n * sizeof(double));
        count++;
    }
    lia_lengths_take_away(j->system, w->q, count, j->A);
    lia_lengths_take_away(j->system, w->q, count, j->A2);
    return lia_span_same(count, j->A, count, j->A2, j->n);
}

void lia_kinds_look_together(LiaJudge* j) {
    bool given = false, operators = false;
    for (uint32_t c = 0; c < j->out->constraint_count; c++) {
        bool one = j->out->constraints[c].force == LIA_FORCE_GIVEN;
        given |= one;
        operators |= one && j->system->model->constraints[c].active;
    }
    if (given && j->out->ideal_together) j->out->ideal_together = same_together(j, false);
    if (operators && j->operators_ideal) j->operators_ideal = same_together(j, true);
}
