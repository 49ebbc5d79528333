// Is the kinetic energy negative for some velocities?
//
//   T = v.M v/2 + b.v + c,   M_ij = T(e_i + e_j) - T(e_i) - T(e_j) + T(0),   b_i likewise
//
// M is looked at in units in which its diagonal is 1. Where it is not positive, the velocities that
// belong to its smallest eigenvalue make T negative. Where it is, T is least at -M^-1 b: 0 in a
// moving frame, (x' + u)^2/2, and below 0 where a square was forgotten, x'^2/2 + x'. T itself,
// evaluated there, has the last word.
// SPDX-License-Identifier: MIT
#include "mechanics/diagnosis/kinetic_sign.h"
#include "base/memory/memory.h"
#include "base/numeric/dense.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Energy {
    const LiaSystem* s;
    LiaValues values;
    LiaSymbols at;
    double *v, *alone, *back;  // T(e_i), T(-e_i)                      (n)
    double *M, *L, *b, *unit;  // as above; `unit` of each coordinate   (n x n), (n)
    double *sv, *U, *work, *w;
    double rest;  // T(0)
} Energy;

static double energy_at(Energy* e, const double* v) {
    e->at.v = v;
    lia_evaluate_run(&e->values, &e->at);
    return lia_value(&e->values, e->s->energy.kinetic);
}

static void split_up(Energy* e) {
    size_t n = e->s->n;
    memset(e->v, 0, n * sizeof *e->v);
    e->rest = energy_at(e, e->v);
    for (size_t i = 0; i < n; i++) {
        e->v[i] = 1.0;
        e->alone[i] = energy_at(e, e->v);
        e->v[i] = -1.0;
        e->back[i] = energy_at(e, e->v);
        e->v[i] = 0.0;
        e->b[i] = (e->alone[i] - e->back[i]) / 2.0;
        e->M[i * n + i] = e->alone[i] + e->back[i] - 2.0 * e->rest;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            e->v[i] = e->v[j] = 1.0;
            double both = energy_at(e, e->v);
            e->v[i] = e->v[j] = 0.0;
            e->M[i * n + j] = e->M[j * n + i] = both - e->alone[i] - e->alone[j] + e->rest;
        }
    }
}

// In units of its own, a coordinate has the inertia 1; one without, the largest coupling.
static bool scale(Energy* e) {
    size_t n = e->s->n;
    for (size_t i = 0; i < n; i++) {
        double own = fabs(e->M[i * n + i]);
        for (size_t j = 0; !(own > 0.0) && j < n; j++) own = fmax(own, fabs(e->M[i * n + j]));
        e->unit[i] = own > 0.0 ? 1.0 / sqrt(own) : 1.0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            e->M[i * n + j] *= e->unit[i] * e->unit[j];
            if (!isfinite(e->M[i * n + j])) return false;
        }
        e->b[i] *= e->unit[i];
        if (!isfinite(e->b[i])) return false;
    }
    return true;
}

// The largest velocity becomes 1.
static void write_velocities(Energy* e, double* w, LiaText* text) {
    enum { NAMED = 6 };
    uint32_t n = e->s->n, told = 0, largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (fabs(w[i]) > fabs(w[largest])) largest = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!(fabs(w[i]) > LIA_KINETIC_NAMED * fabs(w[largest]))) continue;
        if (told++ >= NAMED) continue;
        lia_text_add(text, "%s%s' = ", told > 1 ? ", " : "", e->s->model->coordinates[i].name);
        lia_text_add_short(text, w[i], 3);
    }
    if (told > NAMED) lia_text_add(text, ", ...");
}

static LiaSpan place_of(const LiaModel* m) {
    for (uint32_t k = 0; k < m->energies_count; k++) {
        if (m->energies[k].kind == LIA_KINETIC) return m->energies[k].span;
    }
    return m->coordinates[0].span;
}

// The velocities of the smallest eigenvalue of M: those of M + size, which is not negative.
static bool say_negative(Energy* e, LiaDiags* diags) {
    int n = (int)e->s->n;
    double size = 0.0, largest = 0.0;
    for (int i = 0; i < n * n; i++) size += fabs(e->M[i]);
    for (int i = 0; i < n; i++) e->M[i * n + i] += size;
    lia_dense_svd(n, n, e->M, (LiaSvd){.s = e->sv, .U = e->U, .work = e->work});
    for (int i = 0; i < n; i++) {
        e->w[i] = e->unit[i] * e->U[i * n + n - 1];
        largest = lia_larger(largest, fabs(e->w[i]));
    }
    int first = 0;
    while (first + 1 < n && !(fabs(e->w[first]) > LIA_KINETIC_NAMED * largest)) first++;
    double sign = e->w[first] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < n; i++) e->w[i] *= sign / largest;
    double there = energy_at(e, e->w);
    for (int i = 0; i < n; i++) e->v[i] = -e->w[i];
    double even = (there + energy_at(e, e->v)) / 2.0 - e->rest;  // without what is linear
    if (!(even < 0.0)) return false;
    LiaText text = {0};
    write_velocities(e, e->w, &text);
    lia_diag_warning(diags, place_of(e->s->model), "W0225",
                     "the kinetic energy is negative for some velocities: its quadratic part is "
                     "%.6g at %s",
                     even, text.data ? text.data : "");
    lia_diag_help(diags, "look at the signs and factors of the products of velocities: a kinetic "
                         "energy is a sum of squares");
    lia_text_clear(&text);
    return true;
}

// M is L L^T: where T is least.
static bool say_linear(Energy* e, LiaDiags* diags) {
    int n = (int)e->s->n;
    double along = 0.0;
    for (int i = 0; i < n; i++) e->w[i] = -e->b[i];
    lia_dense_forward(n, e->L, e->w);
    lia_dense_backward(n, e->L, e->w);
    for (int i = 0; i < n; i++) {
        along += fabs(e->b[i] * e->w[i]);
        e->w[i] *= e->unit[i];
    }
    double least = energy_at(e, e->w);
    if (!isfinite(along) || !(least < -LIA_KINETIC_LINEAR * along)) return false;
    LiaText text = {0};
    write_velocities(e, e->w, &text);
    lia_diag_warning(diags, place_of(e->s->model), "W0224",
                     "the kinetic energy has terms linear in velocities, which make it negative: "
                     "%.6g at %s",
                     least, text.data ? text.data : "");
    lia_diag_help(diags, "look for a forgotten square; what is linear in velocities, as of a "
                         "magnetic field, is a 'lagrangian'");
    lia_text_clear(&text);
    return true;
}

static bool judge(Energy* e, LiaDiags* diags) {
    size_t n = e->s->n;
    split_up(e);
    if (!isfinite(e->rest) || !scale(e)) return false;
    memcpy(e->L, e->M, n * n * sizeof *e->L);
    for (size_t i = 0; i < n; i++) e->L[i * n + i] += LIA_KINETIC_NEGATIVE;
    return lia_dense_cholesky((int)n, e->L) ? say_linear(e, diags) : say_negative(e, diags);
}

bool lia_kinetic_sign_check(const LiaSystem* s, double t, const double* q, LiaDiags* diags) {
    enum { LOOKED = 16 };  // coordinates: the energy is evaluated for each pair of them
    size_t n = s->n;
    if (n == 0 || n > LOOKED || lia_graph_is_zero(s->graph, s->energy.kinetic)) return false;
    double* x = lia_memory_zeros(3 * n * n + 7 * n + lia_dense_svd_work((int)n, (int)n), sizeof *x);
    Energy e = {.s = s, .at = {.t = t, .parameters = s->parameters, .q = q}};
    bool said = false;
    if (x && lia_evaluate_init(&e.values, s->graph, &s->energy.kinetic, 1)) {
        e.v = x, e.alone = x + n, e.back = x + 2 * n, e.b = x + 3 * n, e.unit = x + 4 * n;
        e.sv = x + 5 * n, e.w = x + 6 * n, e.M = x + 7 * n;
        e.L = e.M + n * n, e.U = e.L + n * n, e.work = e.U + n * n;
        said = judge(&e, diags);
        lia_evaluate_clear(&e.values);
    }
    free(x);
    return said;
}
