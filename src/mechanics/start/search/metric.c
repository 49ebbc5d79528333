// The metric in which a start is the nearest one: M of the unknown coordinates, with an inertia for
// what has none.
//
// With M = L L^T the y of least y^T M y with J y = rhs is L^-T times the solution of least norm of
// (J L^-T) z = rhs. The pseudo-inverse makes dependent but consistent equations harmless. See
// search.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/scaling.h"
#include "mechanics/start/search/search.h"
#include <math.h>
#include <string.h>

// The length of a unit vector or quaternion has no inertia, and does not move: it gets that of its
// neighbours.
static void add_lengths(LiaSearch* z) {
    const LiaWorkspace* w = z->w;
    int u = z->u;
    for (int c = 0; c < z->nc; c++) {
        const LiaRow* row = &z->s->rows[w->dynamics->rows[c]];
        const LiaConstraint* constraint = &z->s->model->constraints[row->constraint];
        if (!constraint->internal || constraint->foot) continue;
        const double* J = w->saddle.J + (size_t)c * (size_t)z->n;
        double mass = 0.0;
        for (int i = 0; i < u; i++) {
            if (J[z->unknown[i]] != 0.0) mass = fmax(mass, fabs(z->dense.L[i * u + i]));
        }
        for (int i = 0; i < u; i++) {
            for (int k = 0; k < u; k++) {
                z->dense.L[i * u + k] += mass * J[z->unknown[i]] * J[z->unknown[k]];
            }
        }
    }
}

// M of the unknown coordinates; massless ones get 1. False if it is no finite number.
static bool inertia(LiaSearch* z) {
    const LiaWorkspace* w = z->w;
    const LiaModel* model = z->s->model;
    int u = z->u;
    bool finite = true;
    double heaviest[2] = {0.0, 0.0};
    for (int i = 0; i < u; i++) {
        for (int k = 0; k < u; k++) {
            int a = z->unknown[i], b = z->unknown[k];
            double x = w->saddle.M[a * z->n + b] * z->weight[a] * z->weight[b];
            if (!lia_search_coupled(z, a, b)) x = 0.0;
            if (!isfinite(x)) finite = false;
            z->dense.L[i * u + k] = x;
        }
        double* of_kind = &heaviest[lia_scaling_kind(model, z->unknown[i])];
        *of_kind = fmax(*of_kind, fabs(z->dense.L[i * u + i]));
    }
    add_lengths(z);
    double most = fmax(heaviest[0], heaviest[1]);
    for (int i = 0; i < u; i++) {
        double* own = &z->dense.L[i * u + i];
        if (model->coordinates[z->unknown[i]].inner) {
            *own = LIA_INNER_INERTIA *
                   (most > 0.0 ? most : 1.0);  // it follows the bodies, not its guess
        } else {
            *own = lia_scaling_inertia(*own, lia_scaling_kind(model, z->unknown[i]), heaviest);
        }
    }
    return finite;
}

// What an equation says is the same for all admissible states, so its square may be added to the
// metric without moving the nearest one: M + sum of weight j j^T, which is positive where M is so
// on what the equations leave free.
static void add_equations(LiaSearch* z) {
    int u = z->u;
    double heaviest = 0.0;
    for (int i = 0; i < u; i++) heaviest = fmax(heaviest, fabs(z->dense.L[i * u + i]));
    for (int c = 0; c < z->m; c++) {
        const double* J = z->w->saddle.J + (size_t)z->row[c] * (size_t)z->n;
        double square = 0.0;
        for (int i = 0; i < u; i++) square += J[z->unknown[i]] * J[z->unknown[i]];
        if (!(square > 0.0)) continue;
        for (int i = 0; i < u; i++) {
            for (int k = 0; k < u; k++) {
                z->dense.L[i * u + k] += heaviest / square * J[z->unknown[i]] * J[z->unknown[k]];
            }
        }
    }
}

static void set_unit(int u, double* A) {
    memset(A, 0, (size_t)u * (size_t)u * sizeof *A);
    for (int i = 0; i < u; i++) A[i * u + i] = 1.0;
}

// The metric as L L^T: M; M and the equations where a massless combination is driven; 1 where that
// fails too. `A` is what distances are measured by: without the equations.
void lia_metric_take(LiaSearch* z, double* A) {
    int u = z->u;
    bool good = inertia(z);
    if (A) memcpy(A, z->dense.L, (size_t)u * (size_t)u * sizeof *A);
    if (good && lia_dense_cholesky(u, z->dense.L)) return;
    if (inertia(z)) {
        add_equations(z);
        if (lia_dense_cholesky(u, z->dense.L)) return;
    }
    set_unit(u, z->dense.L);
    if (A) set_unit(u, A);
}

void lia_metric_shortest(LiaSearch* z) {
    int u = z->u, m = z->m, r = m < u ? m : u;
    lia_metric_take(z, NULL);
    for (int c = 0; c < m; c++) {
        double* row = z->dense.B + (size_t)c * (size_t)u;
        for (int i = 0; i < u; i++) row[i] = z->w->saddle.J[z->row[c] * z->n + z->unknown[i]];
        lia_dense_forward(u, z->dense.L, row);
    }
    lia_dense_svd(
        m, u, z->dense.B,
        (LiaSvd){.s = z->dense.sv, .U = z->dense.U, .V = z->dense.V, .work = z->dense.scratch});
    memset(z->y, 0, (size_t)u * sizeof(double));
    for (int j = 0; j < r; j++) {
        if (!(z->dense.sv[j] > LIA_START_RANK * z->dense.sv[0])) continue;
        double sum = 0.0;
        for (int c = 0; c < m; c++) sum += z->dense.U[c * r + j] * z->rhs[c];
        for (int i = 0; i < u; i++) z->y[i] += z->dense.V[i * r + j] * sum / z->dense.sv[j];
    }
    lia_dense_backward(u, z->dense.L, z->y);
}

static double distance_by(const LiaSearch* z, int i) {
    return z->x[z->unknown[i]] - z->target[z->level][z->unknown[i]];
}

// Of a large system: coordinates without inertia do not count.
static double sparse_distance(const LiaSearch* z) {
    const double *x = z->x, *target = z->target[z->level];
    double sum = 0.0;
    for (int i = 0; i < z->u; i++) {
        LiaEntries M = lia_workspace_M(z->w, z->unknown[i]);
        for (int k = 0; k < M.count; k++) {
            int j = lia_entry_column(&M, k);
            if (lia_search_moves(z, j) && lia_search_coupled(z, z->unknown[i], j))
                sum += distance_by(z, i) * M.value[k] * (x[j] - target[j]);
        }
    }
    return sum;
}

double lia_metric_distance(LiaSearch* z) {
    if (!z->dense.L) return sparse_distance(z);
    double sum = 0.0, plain = 0.0;
    bool good = inertia(z);
    for (int i = 0; i < z->u; i++) {
        double row = 0.0, away = distance_by(z, i);
        for (int k = 0; k < z->u; k++) row += z->dense.L[i * z->u + k] * distance_by(z, k);
        sum += away * row;
        plain += away * away;
    }
    if (good && lia_dense_cholesky(z->u, z->dense.L)) return sum;
    if (good && inertia(z)) {
        add_equations(z);
        if (lia_dense_cholesky(z->u, z->dense.L)) return sum;
    }
    return plain;
}
