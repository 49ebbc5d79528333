// Frobenius: do the equations restrict positions, and is a left side the velocity of a function?
//
// Row r, affine in the velocities, is the form theta_r = A_r dq + c_r dt on M x R. It is holonomic
// together with all the others if d(theta_r)(X, Y) = 0 for all X, Y that all forms annihilate,
// where
//   d(theta)(X, Y) = D_X[theta(Y)] - D_Y[theta(X)]          (X, Y constant)
//   theta(Y) = psi(q, Y_q, t) + (Y_t - 1) psi(q, 0, t)
// A row that passes while others do not is asked again together with those that passed alone: the
// skater's blade is closed on the distribution that a prescribed curvature leaves, and yet it
// integrates to nothing. For left sides the same is asked of their own forms, at a fixed time.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/classification/judge.h"
#include "geometry/integrability/flag.h"
#include "geometry/span.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Look {
    LiaGeometry* geometry;
    LiaAdmissible* z;
    int n, m;
    const uint32_t* row;
    LiaExpr* slope;  // gradient of psi by q and t, or of <d(left), w> by q    (m x (n + 1))
    LiaValues values;
    double* size;  // what the rounding of each is a part of, by node
    double *form, *basis, *grad, *rest;
    double* rough;  // the same of the largest slope of theta_r(Y_b)           (n + 1 x m)
    void* block;
} Look;

static bool look_init(Look* k, LiaGeometry* y, LiaAdmissible* z) {
    *k = (Look){.geometry = y, .z = z, .n = z->n, .m = z->m, .row = z->w->dynamics->rows};
    size_t N = (size_t)z->n + 1, m = (size_t)z->m;
    k->slope = lia_memory_zeros(m * N + 1, sizeof *k->slope);
    size_t room = z->n <= LIA_JUDGE_SIZE ? N * m * N : 0;
    k->block = lia_memory_zeros(2 * m * N + N * N + (m + 1) * N + room, sizeof(double));
    if (!k->slope || !k->block) return false;
    k->form = k->block;
    k->basis = k->form + m * N;
    k->rest = k->basis + N * N;
    k->rough = k->rest + (m + 1) * N;
    k->grad = k->rough + m * N;
    return true;
}

static void look_clear(Look* k) {
    lia_evaluate_clear(&k->values);
    free(k->size);
    free(k->slope);
    free(k->block);
}

static bool evaluate_init(Look* k, const LiaExpr* roots, size_t count) {
    lia_evaluate_clear(&k->values);
    free(k->size);
    k->size = NULL;
    if (!lia_evaluate_init(&k->values, k->geometry->graph, roots, count)) return false;
    k->size = lia_memory_zeros((size_t)k->values.size + 1, sizeof *k->size);
    return k->size;
}

// The largest size of the slopes of theta_r(Y_b); Y is of size 1, and zeros of it are rounding.
static void roughen(Look* k, size_t b, size_t r, const LiaExpr* slope, size_t length) {
    double most = 0.0;
    for (size_t i = 0; i < length; i++) {
        if (slope[i].index) most = fmax(most, k->size[slope[i].index]);
    }
    k->rough[b * (size_t)k->m + r] = most;
}

static LiaSymbols symbols_of(const Look* k) {
    const LiaWorkspace* w = k->z->w;
    return (LiaSymbols){.t = w->t, .parameters = w->system->parameters, .q = w->q, .v = w->v};
}

// D_X[theta_r(Y)] with its size added to *size.
static double along(const double* X, const double* slope, int count, double* size) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += X[i] * slope[i];
        *size += fabs(X[i] * slope[i]);
    }
    return sum;
}

// Is d(theta_r)(X, Y) zero for all X, Y of the basis? grad[b][r] are the gradients of theta_r(Y_b).
static bool closed_on(const Look* k, int r, int count, int length) {
    size_t N = (size_t)length, m = (size_t)k->m;
    for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count; b++) {
            const double *X = k->basis + (size_t)a * N, *Y = k->basis + (size_t)b * N;
            double size = 0.0, most = fmax(k->rough[(size_t)a * m + (size_t)r],
                                           k->rough[(size_t)b * m + (size_t)r]);
            double d = along(X, k->grad + ((size_t)b * m + (size_t)r) * N, length, &size);
            d -= along(Y, k->grad + ((size_t)a * m + (size_t)r) * N, length, &size);
            if (!(fabs(d) <= LIA_IDENTITY * size + LIA_IDENTITY_LEAST * most)) return false;
        }
    }
    return true;
}

static bool prepare_holonomic(Look* k) {
    LiaGeometry* y = k->geometry;
    const LiaSystem* s = y->system;
    size_t N = (size_t)k->n + 1;
    LiaExpr* symbols = lia_memory_zeros(N, sizeof *symbols);
    if (!symbols) return false;
    for (int i = 0; i < k->n; i++) symbols[i] = s->q[i];
    symbols[k->n] = y->t;
    bool ok = true;
    for (int r = 0; ok && r < k->m; r++) {
        if (s->rows[k->row[r]].geometric) continue;
        ok = lia_diff_gradient(y->graph, y->psi[k->row[r]], symbols, N, k->slope + (size_t)r * N);
    }
    free(symbols);
    return ok && evaluate_init(k, k->slope, (size_t)k->m * N);
}

// The gradients of theta_r(Y_b) for all rows and basis vectors.
static void gradients_of_theta(Look* k, int count) {
    const LiaSystem* s = k->geometry->system;
    int N = k->n + 1;
    size_t L = (size_t)N, m = (size_t)k->m;
    LiaSymbols at = symbols_of(k);
    double* rest = lia_memory_zeros(L, sizeof *rest);
    if (!rest) return;
    for (int b = -1; b < count; b++) {
        const double* Y = b < 0 ? rest : k->basis + (size_t)b * L;
        at.v = Y;
        lia_evaluate_run(&k->values, &at);
        lia_sizes_run(&k->values, &(LiaSymbols){0}, k->size);
        for (int r = 0; r < k->m; r++) {
            if (s->rows[k->row[r]].geometric) continue;
            if (b >= 0) roughen(k, (size_t)b, (size_t)r, k->slope + (size_t)r * L, L);
            for (int i = 0; i < N; i++) {
                double x = lia_value(&k->values, k->slope[(size_t)r * L + (size_t)i]);
                size_t at0 = (size_t)r * L + (size_t)i;
                if (b < 0) {
                    k->rest[at0] = x;
                } else {
                    double still = Y[k->n] == 1.0 ? 0.0 : (Y[k->n] - 1.0) * k->rest[at0];
                    k->grad[(size_t)b * m * L + at0] = x + still;
                }
            }
        }
    }
    free(rest);
}

// At one sample: which rows are closed on what all rows that `count` so far annihilate?
static bool look_at_closure(Look* k, const LiaVerdict* counts, LiaVerdict* by_row) {
    const LiaSystem* s = k->geometry->system;
    const LiaWorkspace* w = k->z->w;
    int N = k->n + 1, rows = 0;
    for (int r = 0; r < k->m; r++) {  // theta: psi = A v + c = 0, so c = -A v
        if (counts[r] != LIA_YES) continue;
        double c = 0.0;
        for (int i = 0; i < k->n; i++) {
            k->form[rows * N + i] = w->saddle.J[r * k->n + i];
            c -= w->saddle.J[r * k->n + i] * w->v[i];
        }
        k->form[rows++ * N + k->n] = c;
    }
    int count = lia_span_kernel(rows, N, k->form, k->basis);
    if (count < 0) return false;
    gradients_of_theta(k, count);
    for (int r = 0; r < k->m; r++) {
        if (s->rows[k->row[r]].geometric || by_row[r] == LIA_NO) continue;
        if (!closed_on(k, r, count, N)) by_row[r] = LIA_NO;
    }
    return true;
}

static bool holonomic(Look* k, const LiaSamples* samples, LiaVerdict* by_row) {
    const LiaSystem* s = k->geometry->system;
    bool open = false;
    for (int r = 0; r < k->m; r++) {
        by_row[r] = LIA_YES;
        if (!s->rows[k->row[r]].geometric) open = true;
        if (!s->rows[k->row[r]].linear) {  // no distribution: only the geometric ones are decided
            for (int e = 0; e < k->m; e++) {
                by_row[e] = s->rows[k->row[e]].geometric ? LIA_YES : LIA_UNKNOWN;
            }
            return true;
        }
    }
    if (!open) return true;
    if (k->n > LIA_JUDGE_SIZE || samples->count == 0) {
        for (int r = 0; r < k->m; r++) {
            if (!s->rows[k->row[r]].geometric) by_row[r] = LIA_UNKNOWN;
        }
        return true;
    }
    if (!prepare_holonomic(k)) return false;
    LiaVerdict* before = lia_memory_zeros((size_t)k->m + 1, sizeof *before);
    bool ok = before != NULL, changed = ok;
    while (ok && changed) {
        memcpy(before, by_row, (size_t)k->m * sizeof *before);
        for (uint32_t sample = 0; ok && sample < samples->count; sample++) {
            lia_admissible_load(k->z, samples, sample);
            ok = look_at_closure(k, before, by_row);
        }
        changed = ok && memcmp(before, by_row, (size_t)k->m * sizeof *before) != 0;
    }
    free(before);
    return ok;
}

// --- left sides --------------------------------------------------------------------------------

// d(left): by velocities where there are some, else by positions.
static bool left_form(LiaGeometry* y, const LiaRow* row, LiaExpr* form, bool* has_v) {
    const LiaSystem* s = y->system;
    *has_v = (lia_graph_node(y->graph, row->left)->depends & LIA_DEPENDS(VELOCITY)) != 0;
    return lia_diff_gradient(y->graph, row->left, *has_v ? s->v : s->q, s->n, form);
}

// Are the left sides of rows first..last-1 of the look a submersion, their forms those of functions
// of the configuration? Of velocities in axes that time turns they are not.
static bool submersion_of(Look* k, const LiaSamples* samples, int first, int last,
                          LiaVerdict* verdict) {
    LiaGeometry* y = k->geometry;
    const LiaSystem* s = y->system;
    int rows = last - first, n = k->n;
    size_t N = (size_t)n;
    LiaExpr* roots = lia_memory_zeros(2 * (size_t)rows * N + 1, sizeof *roots);
    if (!roots) return false;
    LiaExpr *form = roots, *slope = roots + (size_t)rows * N;
    bool ok = true, velocities = false, nonlinear = false;
    for (int r = 0; ok && r < rows; r++) {
        bool has_v;
        ok = left_form(y, &s->rows[k->row[first + r]], form + (size_t)r * N, &has_v);
        velocities |= has_v;
        for (int i = 0; ok && i < n; i++) {
            unsigned depends = lia_graph_node(y->graph, form[(size_t)r * N + (size_t)i])->depends;
            nonlinear |= (depends & LIA_DEPENDS(VELOCITY)) != 0;
            nonlinear |= has_v && (depends & LIA_DEPENDS(TIME)) != 0;
        }
        ok = ok && lia_diff_pullback(y->graph, (LiaWeightedSum){form + (size_t)r * N, y->w, N},
                                     s->q, N, slope + (size_t)r * N);
    }
    bool found = false;
    *verdict = nonlinear ? LIA_NO : LIA_YES;
    ok = ok && evaluate_init(k, roots, 2 * (size_t)rows * N);
    for (uint32_t sample = 0; ok && *verdict == LIA_YES && sample < samples->count; sample++) {
        lia_admissible_load(k->z, samples, sample);
        LiaSymbols at = symbols_of(k);
        double* zero = k->rest;  // any displacement: the forms do not depend on it
        memset(zero, 0, N * sizeof *zero);
        at.w = zero;
        lia_evaluate_run(&k->values, &at);
        for (int j = 0; j < rows * n; j++) k->form[j] = lia_value(&k->values, form[j]);
        if (lia_span_rank(rows, n, k->form) < rows) continue;  // a point where it is none
        found = true;
        if (!velocities || n > LIA_JUDGE_SIZE) continue;
        int count = lia_span_kernel(rows, n, k->form, k->basis);
        for (int b = 0; b < count; b++) {
            at.w = k->basis + (size_t)b * N;
            lia_evaluate_run(&k->values, &at);
            lia_sizes_run(&k->values, &(LiaSymbols){0}, k->size);
            for (int r = 0; r < rows; r++) {
                roughen(k, (size_t)b, (size_t)r, slope + (size_t)r * N, N);
                for (int i = 0; i < n; i++) {
                    k->grad[((size_t)b * (size_t)k->m + (size_t)r) * N + (size_t)i] =
                        lia_value(&k->values, slope[(size_t)r * N + (size_t)i]);
                }
            }
        }
        for (int r = 0; r < rows; r++) {
            if (!closed_on(k, r, count, n)) *verdict = LIA_NO;
        }
    }
    if (!found && samples->count > 0) *verdict = LIA_NO;
    free(roots);
    return ok;
}

// What the flag proves. A form that is not zero on a bracket is not holonomic; the others vanish on
// all of them.
static void take_flag(const Look* k, const LiaFlag* flag, LiaVerdict* by_row) {
    const LiaSystem* s = k->geometry->system;
    if (!flag->known) return;
    for (int r = 0; r < k->m; r++) {
        const LiaRow* row = &s->rows[k->row[r]];
        bool broken = !row->geometric && flag->defect[k->row[r]] > LIA_FLAG_CUT;
        by_row[r] = broken ? LIA_NO : LIA_YES;
    }
}

// Equations that are all affine, and not all geometric: else there is nothing to ask of a flag.
static bool has_flag(const Look* k) {
    const LiaSystem* s = k->geometry->system;
    bool open = false;
    for (int r = 0; r < k->m; r++) {
        const LiaRow* row = &s->rows[k->row[r]];
        if (!row->linear) return false;
        open |= !row->geometric || row->integrated;
    }
    return open;
}

bool lia_integrability_judge(LiaJudge* j, const LiaSamples* samples) {
    LiaGeometry* y = j->geometry;
    LiaAdmissible* z = &j->z;
    LiaConstraintClass* constraints = j->out->constraints;
    const LiaSystem* s = y->system;
    Look k;
    LiaVerdict* by_row = lia_memory_zeros((size_t)z->m + 1, sizeof *by_row);
    bool ok = look_init(&k, y, z) && by_row;
    LiaFlag* flag = &j->out->flag;
    if (ok && has_flag(&k)) {
        ok = lia_flag_make(y, samples, (LiaFlagAsk){.has_start = j->has_start}, j->out->arena,
                           flag) &&
             lia_driftless_find(y, samples, j->out->arena, flag) &&
             lia_integrals_find(y, j->out->arena, flag);
    }
    ok = ok && holonomic(&k, samples, by_row);
    if (ok) take_flag(&k, flag, by_row);
    for (int first = 0, last; ok && first < k.m; first = last) {
        uint32_t c = s->rows[k.row[first]].constraint;
        for (last = first; last < k.m && s->rows[k.row[last]].constraint == c; last++) {
            LiaVerdict* all = &constraints[c].holonomic;
            if (last == first) *all = LIA_YES;
            if (by_row[last] == LIA_NO || (by_row[last] == LIA_UNKNOWN && *all == LIA_YES)) {
                *all = by_row[last];
            }
        }
        ok = submersion_of(&k, samples, first, last, &constraints[c].submersion);
        if (samples->count == 0) constraints[c].submersion = LIA_UNKNOWN;
    }
    ok = ok && submersion_of(&k, samples, 0, k.m, &j->out->one.submersion);
    free(by_row);
    look_clear(&k);
    return ok;
}
