// All statements together as one constraint (Y, f, F) in Dazord's words: f the left sides, Y their
// velocities, F the force directions. What it is must not depend on how the equations are divided
// among statements.
//
//   perfect       the forces span what df spans
//   Hamiltonian   dY/dp along df, B = (df - J) M^-1 df^T, is symmetric
//   (H)           the admissible states are a graph over V*M: det(J M^-1 df^T) is not zero
//   his words     holonomic: Y = 0; almost holonomic: Y depends on the base alone; semi-holonomic:
//                 Y depends on
//                 positions alone; linear: Y is linear in the velocities
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "geometry/classification/judge.h"
#include "geometry/span.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Work {
    LiaJudge* j;
    int n, k;
    int* row;          // of the look: rows whose left side is the velocity of a function  (k)
    double* size;      // what the rounding of each value is a part of, by node
    LiaExpr* slope;    // of Y along the fibre: see below                                  (k x n)
    LiaValues values;  // of these
    double *F, *J, *Omega, *X, *L, *B;
    void* block;
} Work;

static bool gather_rows(Work* w) {
    LiaJudge* j = w->j;
    w->row = LIA_ARENA_NEW(j->out->arena, int, (size_t)j->m + 1);
    if (!w->row) return false;
    for (int r = 0; r < j->m; r++) {
        const LiaConstraintClass* c = &j->out->constraints[j->system->rows[j->row[r]].constraint];
        if (c->internal) continue;
        if (c->submersion == LIA_YES || j->out->one.submersion == LIA_YES) {
            w->row[w->k++] = r;
        } else {
            j->out->one.other = c->name;
        }
    }
    j->out->one.equations = (uint32_t)w->k;
    return true;
}

// Y = theta v - psi for the forms theta of the left side. Along a vertical Z its slope in
// coordinates of the base is Z(Y) - d(theta)(Z, v): where theta is no differential but spans some
// with the others, as a velocity in moving axes, the second term is what the axes turn by. Together
// -dpsi/dq_i + v_m dtheta_i/dq_m.
static bool find_slope(Work* w, size_t a, LiaExpr* by, LiaExpr* out) {
    const LiaJudge* j = w->j;
    LiaGraph* g = j->geometry->graph;
    const LiaSystem* s = j->system;
    size_t n = (size_t)w->n;
    if (!lia_diff_gradient(g, j->geometry->psi[j->row[w->row[a]]], s->q, n, out)) return false;
    for (size_t i = 0; i < n; i++) {
        LiaExpr d = j->left[(size_t)w->row[a] * n + i];
        out[i] = lia_graph_neg(g, out[i]);
        if (!(lia_graph_node(g, d)->depends & LIA_DEPENDS(POSITION))) continue;
        if (!lia_diff_gradient(g, d, s->q, n, by)) return false;
        for (size_t m = 0; m < n; m++)
            out[i] = lia_graph_add(g, out[i], lia_graph_mul(g, by[m], s->v[m]));
    }
    return !g->failed;
}

static bool prepare(Work* w) {
    LiaJudge* j = w->j;
    LiaGraph* g = j->geometry->graph;
    size_t n = (size_t)w->n, k = (size_t)w->k;
    w->slope = lia_memory_zeros(k * n + 1, sizeof *w->slope);
    w->block = lia_memory_zeros(4 * k * n + 2 * n * n + k * k + 1, sizeof(double));
    if (!w->slope || !w->block) return false;
    w->F = w->block, w->J = w->F + k * n, w->Omega = w->J + k * n, w->X = w->Omega + k * n;
    w->L = w->X + k * n, w->B = w->L + 2 * n * n;
    LiaExpr* by = LIA_ARENA_NEW(j->out->arena, LiaExpr, n + 1);
    for (size_t a = 0; by && a < k; a++) {
        if (!find_slope(w, a, by, w->slope + a * n)) return false;
    }
    if (!by || !lia_evaluate_init(&w->values, g, w->slope, k * n)) return false;
    w->size = lia_memory_zeros((size_t)w->values.size + 1, sizeof *w->size);
    return w->size;
}

static void take_rows(Work* w) {
    const LiaJudge* j = w->j;
    const LiaWorkspace* at = j->z.w;
    size_t n = (size_t)w->n, bytes = n * sizeof(double);
    for (int a = 0; a < w->k; a++) {
        size_t r = (size_t)w->row[a];
        for (size_t i = 0; i < n; i++)
            w->F[(size_t)a * n + i] = lia_value(&j->values, j->left[r * n + i]);
        memcpy(w->J + (size_t)a * n, at->saddle.J + r * n, bytes);
        memcpy(w->Omega + (size_t)a * n, at->saddle.Omega + r * n, bytes);
    }
    lia_lengths_take_away(j->system, at->q, w->k, w->F);
    lia_lengths_take_away(j->system, at->q, w->k, w->J);
    lia_lengths_take_away(j->system, at->q, w->k, w->Omega);
}

// B, and whether it is symmetric; a pair that is not makes both statements not Hamiltonian.
static void look_at_slope(Work* w) {
    LiaJudge* j = w->j;
    LiaOneSystem* one = &j->out->one;
    size_t n = (size_t)w->n, k = (size_t)w->k;
    double most = 0.0;
    memcpy(w->L, j->z.w->saddle.M, n * n * sizeof *w->L);
    lia_lengths_add(j->system, j->z.w->q, w->L);
    if (!lia_dense_cholesky(w->n, w->L)) {
        bool asked = w->k > 1 && !one->without_velocities;
        if (one->hamiltonian == LIA_YES && asked) one->hamiltonian = LIA_UNKNOWN;
        return;
    }
    memcpy(w->X, w->F, k * n * sizeof *w->X);
    for (size_t b = 0; b < k; b++) {
        lia_dense_forward(w->n, w->L, w->X + b * n);
        lia_dense_backward(w->n, w->L, w->X + b * n);
        for (size_t a = 0; a < k; a++) {
            double sum = 0.0;
            for (size_t i = 0; i < n; i++) {
                double term = (w->F[a * n + i] - w->J[a * n + i]) * w->X[b * n + i];
                sum += term;
                most = fmax(most, (fabs(w->F[a * n + i]) + fabs(w->J[a * n + i])) *
                                      fabs(w->X[b * n + i]));
            }
            w->B[a * k + b] = sum;
        }
    }
    for (size_t a = 0; a < k; a++) {
        for (size_t b = 0; b < a; b++) {
            if (fabs(w->B[a * k + b] - w->B[b * k + a]) <= LIA_IDENTITY * most) continue;
            one->hamiltonian = LIA_NO;
            size_t pair[2] = {a, b};
            for (int e = 0; e < 2; e++) {
                uint32_t c = j->system->rows[j->row[w->row[pair[e]]]].constraint;
                j->out->constraints[c].hamiltonian = LIA_NO;
            }
        }
    }
}

// Does Y depend on velocities, on the fibre, at all?
static void look_at_words(Work* w) {
    LiaJudge* j = w->j;
    const LiaWorkspace* at = j->z.w;
    LiaOneSystem* one = &j->out->one;
    size_t n = (size_t)w->n;
    LiaSymbols symbols = {.t = at->t, .parameters = j->system->parameters, .q = at->q, .v = at->v};
    lia_evaluate_run(&w->values, &symbols);
    lia_sizes_run(&w->values, &(LiaSymbols){.q = j->reactions.q, .v = j->reactions.v}, w->size);
    double* Z = w->L + n * n;
    int count = lia_span_kernel(w->k, w->n, w->F, Z);
    lia_lengths_take_away(j->system, at->q, count, Z);
    for (int a = 0; a < w->k; a++) {
        double Y = 0.0, size = 0.0, largest = 0.0;
        for (size_t i = 0; i < n; i++)
            largest = fmax(largest, fabs(w->J[(size_t)a * n + i]) * j->reactions.unit[i]);
        for (size_t i = 0; i < n; i++) {
            double F = w->F[(size_t)a * n + i], J = w->J[(size_t)a * n + i];
            double least = LIA_IDENTITY_LEAST * largest / j->reactions.unit[i];
            if (fabs(F - J) > LIA_IDENTITY_ROWS * (fabs(F) + fabs(J)) + least) {
                one->without_velocities = false;
            }
            Y += F * at->v[i];
            size += LIA_IDENTITY * fabs(F * at->v[i]) +
                    LIA_IDENTITY_LEAST * fabs(F) * j->reactions.v[i];
        }
        if (fabs(Y) > size) one->at_rest = false;
        for (int z = 0; z < count; z++) {
            double slope = 0.0, sum = 0.0;
            for (size_t i = 0; i < n; i++) {
                LiaExpr f = w->slope[(size_t)a * n + i];
                double x = lia_value(&w->values, f) * Z[(size_t)z * n + i];
                slope += x;
                // Z is of size 1, and zeros of it are rounding
                sum += LIA_IDENTITY * fabs(x) + LIA_IDENTITY_LEAST * w->size[f.index];
            }
            if (fabs(slope) > sum) one->by_base = false;
        }
    }
}

static void look(Work* w) {
    LiaJudge* j = w->j;
    LiaOneSystem* one = &j->out->one;
    take_rows(w);
    if (lia_span_rank(w->k, w->n, w->F) == 0) return;
    look_at_words(w);
    if (!lia_span_same(w->k, w->Omega, w->k, w->F, w->n)) one->perfect = LIA_NO;
    look_at_slope(w);
    double* M = w->L;
    memcpy(M, j->z.w->saddle.M, (size_t)w->n * (size_t)w->n * sizeof *M);
    lia_lengths_add(j->system, j->z.w->q, M);
    double coupling = lia_span_coupling(w->n, M, w->k, w->J, w->F);
    if (isnan(coupling)) {
        if (one->H == LIA_YES) one->H = LIA_UNKNOWN;
    } else if (coupling < LIA_COUPLING_LEAST) {
        one->H = LIA_NO;
    }
}

static LiaDazordWord word_of(const LiaJudge* j) {
    const LiaOneSystem* one = &j->out->one;
    bool linear = true;
    for (uint32_t c = 0; c < j->out->constraint_count; c++) {
        const LiaConstraintClass* each = &j->out->constraints[c];
        if (!each->internal && each->linearity != LIA_LINEAR) linear = false;
    }
    if (one->without_velocities && one->at_rest) return LIA_DAZORD_HOLONOMIC;
    if (one->without_velocities && one->by_base) return LIA_DAZORD_ALMOST;
    if (one->without_velocities) return LIA_DAZORD_SEMI;
    return linear ? LIA_DAZORD_LINEAR : LIA_DAZORD_GENERAL;
}

bool lia_one_system_look(LiaJudge* j) {
    Work w = {.j = j, .n = j->n};
    LiaOneSystem* one = &j->out->one;
    LiaVerdict submersion = one->submersion;  // judged before
    *one = (LiaOneSystem){.perfect = LIA_UNKNOWN, .hamiltonian = LIA_UNKNOWN, .H = LIA_UNKNOWN};
    one->submersion = submersion;
    if (j->n > LIA_JUDGE_SIZE || j->samples.count == 0) return true;
    bool ok = gather_rows(&w);
    if (ok && w.k > 0) {
        one->perfect = one->hamiltonian = one->H = LIA_YES;
        one->without_velocities = one->at_rest = one->by_base = true;
        ok = prepare(&w);
        for (uint32_t k = 0; ok && k < j->samples.count; k++) {
            lia_admissible_load(&j->z, &j->samples, k);
            LiaWorkspace* at = j->z.w;
            lia_reactions_solve(&j->reactions, at);
            LiaSymbols symbols = {
                .t = at->t, .parameters = j->system->parameters, .q = at->q, .v = at->v};
            lia_evaluate_run(&j->values, &symbols);
            look(&w);
        }
        one->word = word_of(j);
    }
    for (uint32_t c = 0; ok && one->hamiltonian == LIA_UNKNOWN && c < j->out->constraint_count;
         c++) {
        LiaConstraintClass* each = &j->out->constraints[c];
        if (each->hamiltonian == LIA_YES) each->hamiltonian = LIA_UNKNOWN;
    }
    lia_evaluate_clear(&w.values);
    free(w.slope);
    free(w.size);
    free(w.block);
    return ok;
}
