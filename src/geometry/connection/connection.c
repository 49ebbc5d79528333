// The kinetic connection over coordinates of the base. See connection.h.
//
// With the rows k of K a basis of the velocities that the constraints allow, W their base
// components and S = K M K^T, the lifts are c K with
//   [S  W] [c ]   [0]
//   [W' 0] [mu] = [e]          e the unit vectors of the base.
// The derivatives along the lifts are central differences of fourth order: nothing is asked of the
// formulas but their values.
// SPDX-License-Identifier: MIT
#include "geometry/connection/connection.h"
#include "base/memory/memory.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include "geometry/span.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t lia_connection_driver(const LiaSystem* s, uint32_t coordinate) {
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaConstraint* c = &s->model->constraints[s->rows[r].constraint];
        LiaExpr left = c->equations[s->rows[r].part].left;
        bool itself = lia_model_is_coordinate(s->model, left);
        if (c->active && itself && lia_graph_node(s->model->graph, left)->a == coordinate) return r;
    }
    return UINT32_MAX;
}

static uint32_t row_of(const LiaConnection* c, const LiaSystem* s, size_t a) {
    bool function = c->base[a] == UINT32_MAX;
    return function ? c->function[a] : lia_connection_driver(s, c->base[a]);
}

static bool is_base(const LiaConnection* c, const LiaSystem* s, uint32_t row) {
    for (size_t a = 0; a < c->base_count; a++) {
        if (row_of(c, s, a) == row) return true;
    }
    return false;
}

bool lia_connection_init(LiaConnection* c, const LiaSystem* s, uint32_t a, uint32_t b) {
    assert(a != b);
    return lia_connection_init_rows(c, s, (uint32_t[]){a, b}, NULL, 2);
}

bool lia_connection_init_rows(LiaConnection* c, const LiaSystem* s, const uint32_t* base,
                              const uint32_t* rows_of_functions, size_t count) {
    assert(lia_system_invariants_hold(s) && count <= s->n);
    memset(c, 0, sizeof *c);
    c->base_count = count;
    c->w = lia_workspace_create_dense(s, s->full, 1);
    if (!c->w) return false;
    c->n = c->w->n;
    size_t n = (size_t)c->n, rows = (size_t)c->w->nc, size = n + count;
    size_t doubles = rows * n + n * n + size * size + 4 * size + (2 * count + 1) * n;
    size_t integers = 2 * rows + size + 3 * count + 1;
    c->block = lia_memory_zeros(doubles * sizeof(double) + integers * sizeof(int) + count, 1);
    if (!c->block) {
        lia_connection_clear(c);
        return false;
    }
    double* x = c->block;
    c->J = x, x += rows * n;
    c->K = x, x += n * n;
    c->S = x, x += size * size;
    c->lu = x, x += 4 * size;
    c->N = x, x += count * n;
    c->moved = x, x += count * n;
    c->place = x, x += n;
    c->row = (int*)x;
    c->base = (uint32_t*)(c->row + rows + size);
    c->function = c->base + count;
    c->over = (int*)(c->function + count);
    c->kept = c->over + count;
    c->follows = (bool*)(c->kept + rows + 1);
    c->free_count = count;
    memcpy(c->base, base, count * sizeof *base);
    if (rows_of_functions) memcpy(c->function, rows_of_functions, count * sizeof *base);
    for (size_t a = 0; a < count; a++) c->over[a] = -1;
    for (int k = 0; k < c->w->nc; k++) {
        uint32_t row = c->w->dynamics->rows[k];
        if (!is_base(c, s, row)) c->row[c->m++] = k;
        for (size_t a = 0; a < count; a++) {
            if (row_of(c, s, a) == row) c->over[a] = k;
        }
    }
    memcpy(c->kept, c->row, (size_t)c->m * sizeof(int));
    c->keeps = c->m;
    return true;
}

void lia_connection_clear(LiaConnection* c) {
    lia_workspace_destroy(c->w);
    free(c->block);
    memset(c, 0, sizeof *c);
}

static void load(LiaConnection* c, double t, const double* q) {
    LiaWorkspace* w = c->w;
    w->t = t;
    memcpy(w->q, q, (size_t)c->n * sizeof(double));
    memset(w->v, 0, (size_t)c->n * sizeof(double));
    lia_workspace_update(w, 1);
    lia_workspace_matrices(w);
}

// The gradients of some rows into c->J. False if they have no value.
static bool gradients(LiaConnection* c, const int* row, int count) {
    size_t n = (size_t)c->n;
    for (int k = 0; k < count; k++)
        memcpy(c->J + (size_t)k * n, c->w->saddle.J + (size_t)row[k] * n, n * sizeof(double));
    for (size_t i = 0; i < (size_t)count * n; i++) {
        if (!isfinite(c->J[i])) return false;
    }
    return true;
}

// What the constraints allow at the positions in the workspace: rows of K. Returns how many, -1 if
// that has no value.
static int allowed(LiaConnection* c) {
    if (!gradients(c, c->kept, c->keeps)) return -1;
    return lia_span_kernel(c->keeps, c->n, c->J, c->K);
}

// What moves the base, each of size 1, and of that what the constraints allow. False if it has no
// value.
static bool base_gradients(const LiaConnection* c, int m, double* X) {
    size_t n = (size_t)c->n;
    for (size_t a = 0; a < c->base_count; a++) {
        const double* J = c->w->saddle.J + (size_t)(c->over[a] < 0 ? 0 : c->over[a]) * n;
        bool function = c->base[a] == UINT32_MAX;
        double size = 0.0;
        for (size_t i = 0; i < n; i++) {
            X[a * n + i] = function ? J[i] : i == c->base[a] ? 1.0 : 0.0;
            size = fmax(size, fabs(X[a * n + i]));
        }
        if (!isfinite(size)) return false;
        for (size_t i = 0; i < n; i++) X[a * n + i] /= size > 0.0 ? size : 1.0;
    }
    return lia_span_outside(m, c->J, c->n, (int)c->base_count, X);
}

// Which of the base are independent of each other in X.
static bool choose_base(LiaConnection* c, double* X) {
    size_t count = c->base_count, n = (size_t)c->n;
    int* order = lia_memory_zeros(count + 1, sizeof *order);
    double* pivot = lia_memory_zeros(n + count + 1, sizeof *pivot);
    LiaRows rows = {(int)count, c->n, X, pivot, order, 0};
    bool room = order && pivot;
    if (room) lia_qr_factor(&rows, c->chosen ? 0.0 : LIA_LIFT_FOLLOWS, false);
    size_t rank = (size_t)rows.rank;
    if (!c->chosen) c->free_count = rank;
    for (size_t a = 0; room && a < count; a++) c->follows[a] = true;
    for (size_t k = 0; room && k < rank && k < c->free_count; k++) c->follows[order[k]] = false;
    free(order);
    free(pivot);
    return room && rank >= c->free_count;
}

bool lia_connection_choose(LiaConnection* c, double t, const double* q) {
    bool all = c->keeps == c->m && c->free_count == c->base_count;
    if (c->chosen && all) return true;
    load(c, t, q);
    if (!gradients(c, c->row, c->m)) return false;
    int rank = lia_span_choose(c->m, c->n, c->J, c->chosen ? 0.0 : LIA_LIFT_FOLLOWS, c->kept);
    if (!c->chosen) c->keeps = rank;
    if (rank < 0 || rank < c->keeps) return false;
    for (int k = 0; k < c->keeps; k++) c->kept[k] = c->row[c->kept[k]];
    double* X = lia_memory_take((c->base_count * (size_t)c->n + 1) * sizeof *X);
    bool good =
        X && gradients(c, c->kept, c->keeps) && base_gradients(c, c->keeps, X) && choose_base(c, X);
    free(X);
    c->chosen = c->chosen || good;
    return good;
}

double lia_connection_moves(const LiaConnection* c, size_t a, const double* x) {
    if (c->base[a] != UINT32_MAX) return x[c->base[a]];
    const double* J = c->w->saddle.J + (size_t)c->over[a] * (size_t)c->n;
    double sum = 0.0;
    for (int i = 0; i < c->n; i++) sum += J[i] * x[i];
    return sum;
}

static void fill_equations(const LiaConnection* c, int k) {
    size_t n = (size_t)c->n, size = (size_t)k + c->free_count;
    const double* M = c->w->saddle.M;
    memset(c->S, 0, size * size * sizeof(double));
    for (size_t r = 0; r < (size_t)k; r++) {
        for (size_t s = 0; s < (size_t)k; s++) {
            double sum = 0.0;
            for (size_t i = 0; i < n; i++) {
                for (size_t j = 0; j < n; j++) {
                    sum += c->K[r * n + i] * M[i * n + j] * c->K[s * n + j];
                }
            }
            c->S[r * size + s] = sum;
        }
        for (size_t a = 0, column = (size_t)k; a < c->base_count; a++) {
            if (c->follows[a]) continue;
            double base = lia_connection_moves(c, a, c->K + r * n);
            c->S[r * size + column] = base;
            c->S[column++ * size + r] = base;
        }
    }
}

bool lia_connection_lifts(LiaConnection* c, double t, const double* q, double* N) {
    size_t n = (size_t)c->n;
    load(c, t, q);
    int k = allowed(c);
    if (k < (int)c->free_count) return false;
    size_t size = (size_t)k + c->free_count, column = (size_t)k;
    fill_equations(c, k);
    LiaLu lu = {
        .n = (int)size, .A = c->S, .row = c->row + c->m, .left = c->lu, .right = c->lu + size};
    if (!(lia_dense_lu_factor(&lu, NULL) > LIA_LIFT_PIVOT)) return false;
    double* x = c->lu + 2 * size;
    for (size_t a = 0; a < c->base_count; a++) {
        memset(x, 0, size * sizeof(double));
        if (!c->follows[a]) x[column++] = 1.0;
        if (!c->follows[a]) lia_dense_lu_solve(&lu, x);
        for (size_t i = 0; i < n; i++) {
            N[a * n + i] = 0.0;
            for (size_t r = 0; r < (size_t)k; r++) N[a * n + i] += x[r] * c->K[r * n + i];
        }
    }
    return true;
}

typedef struct Stencil {  // differences of places h apart, as many on either side
    const double* weights;
    int count;
    double h;
} Stencil;

// Central differences of order 2 * count with the step h along the lifts.
static bool difference(LiaConnection* c, double t, const double* q, Stencil of, double* F) {
    double h = of.h;
    size_t n = (size_t)c->n;
    assert(c->base_count == 2);
    memset(F, 0, n * sizeof(double));
    if (!lia_connection_lifts(c, t, q, c->N)) return false;
    for (size_t a = 0; a < 2; a++) {
        size_t b = 1 - a;
        double sign = a == 0 ? -1.0 : 1.0;  // A is minus the fibre part of N
        for (int k = -of.count; k <= of.count; k++) {
            if (k == 0) continue;
            double weight = k > 0 ? of.weights[k - 1] : -of.weights[-k - 1];
            for (size_t i = 0; i < n; i++) c->place[i] = q[i] + k * h * c->N[a * n + i];
            if (!lia_connection_lifts(c, t, c->place, c->moved)) return false;
            for (size_t i = 0; i < n; i++) F[i] += sign * weight / h * c->moved[b * n + i];
        }
    }
    for (size_t a = 0; a < 2; a++) {
        if (c->base[a] != UINT32_MAX) F[c->base[a]] = 0.0;
    }
    return true;
}

bool lia_connection_curvature(LiaConnection* c, double t, const double* q, double* F) {
    static const double weights[] = {8.0 / 12, -1.0 / 12};
    return difference(c, t, q, (Stencil){weights, 2, LIA_LIFT_STEP}, F);
}

bool lia_connection_curvature_fine(LiaConnection* c, double t, const double* q, double step,
                                   double* F) {
    static const double weights[] = {6.0 / 7,   -15.0 / 56, 5.0 / 63,
                                     -1.0 / 56, 1.0 / 385,  -1.0 / 5544};
    return difference(c, t, q, (Stencil){weights, 6, step}, F);
}
