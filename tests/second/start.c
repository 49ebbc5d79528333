// A start for the second way, by a solver of its own: the nearest state to the guesses that keeps what is given.
// SPDX-License-Identifier: MIT
#include "parts.h"
#include "pivoting.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool positive_definite(int n, const double* M) {
    double L[64 * 64];
    if (n > 64) return false;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
            if (i == j && !(sum > 1e-10 * fabs(M[i * n + i]))) return false;
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    }
    return true;
}

// The metric among the unknowns: that of M, where a massless one counts 1; Euclidean if M is singular on what the
// equations leave free (M + J^T J is singular then).
static void metric(Second* s, const bool* given, bool positions, double* W) {
    int n = s->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            bool both = !given[i] && !given[j];
            W[i * n + j] = both ? second_value(s, s->M[i * n + j]) : (double)(i == j);
        }
        if (W[i * n + i] == 0.0) W[i * n + i] = 1.0;
    }
    if (positive_definite(n, W)) return;
    double* sum = calloc((size_t)(n * n) + 1, sizeof *sum);
    memcpy(sum, W, (size_t)(n * n) * sizeof *sum);
    for (int r = 0; r < s->m; r++) {
        const Row* row = &s->rows[r];
        if (positions && !row->geometric) continue;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (!given[i] && !given[j])
                    sum[i * n + j] += second_value(s, row->J[i]) * second_value(s, row->J[j]);
            }
        }
    }
    if (!positive_definite(n, sum)) {
        for (int i = 0; i < n * n; i++) W[i] = i / n == i % n;
    }
    free(sum);
}

// One step towards the nearest x to x0 in the metric W that satisfies c(x) = 0 and keeps what is given:
//   W (x - x0) = J^T lambda,   J (x - x0) = J (x_now - x0) - c(x_now)
// Positions that a kinematic equation speaks of are not moved by it: only geometric rows count.
static double nearest_step(Second* s, double t, double* q, double* v, const double* x0,
                           const bool* given, bool positions) {
    int n = s->n, size = s->n + s->m;
    double* x = positions ? q : v;
    second_set(s, t, q, v);
    second_evaluate_all(s);
    double* W = calloc((size_t)(n * n) + 1, sizeof *W);
    metric(s, given, positions, W);
    memset(s->K, 0, (size_t)(size * size) * sizeof *s->K);
    memset(s->rhs, 0, (size_t)size * sizeof *s->rhs);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) s->K[i * size + j] = W[i * n + j];
        if (given[i]) s->rhs[i] = x[i] - x0[i];
    }
    for (int r = 0; r < s->m; r++) {
        const Row* row = &s->rows[r];
        if (positions && !row->geometric) continue;
        double residual = second_value(s, positions ? row->equation : row->rate);
        for (int i = 0; i < n; i++) {
            double slope = second_value(s, row->J[i]);
            if (!given[i]) s->K[i * size + n + r] = -slope;
            s->K[(n + r) * size + i] = slope;
            residual -= slope * (x[i] - x0[i]);
        }
        s->rhs[n + r] = -residual;
    }
    free(W);
    // While the unknowns are not there yet, equations on given values contradict each other a little.
    if (pivoting_solve(size, s->K, s->rhs, true, NULL) < n) return INFINITY;
    double change = 0.0;
    for (int i = 0; i < n; i++) {
        if (given[i]) continue;
        change = fmax(change, fabs(x0[i] + s->rhs[i] - x[i]));
        x[i] = x0[i] + s->rhs[i];
    }
    return change;
}

// start omega(R) = e: rates of the quaternion, q' = (0, omega) q/2, or q (0, Omega)/2 in body axes.
static void set_spins(const LiaModel* model, const double* q, double* v, bool* given) {
    for (uint32_t i = 0; i < model->spins_count; i++) {
        const LiaSpin* spin = &model->spins[i];
        uint32_t first = model->groups[spin->group].first;
        const double *a = q + first, *o = spin->value, side = spin->body ? -1.0 : 1.0;
        double* b = v + first;
        b[0] = -0.5 * (o[0] * a[1] + o[1] * a[2] + o[2] * a[3]);
        b[1] = 0.5 * (o[0] * a[0] + side * (o[1] * a[3] - o[2] * a[2]));
        b[2] = 0.5 * (o[1] * a[0] + side * (o[2] * a[1] - o[0] * a[3]));
        b[3] = 0.5 * (o[2] * a[0] + side * (o[0] * a[2] - o[1] * a[1]));
        for (int k = 0; k < 4; k++) given[first + (uint32_t)k] = !spin->guess;
    }
}

bool second_start(Second* s, double t, double* q, double* v) {
    size_t n = (size_t)s->n;
    bool* given = calloc(2 * n + 1, sizeof *given);
    double* x0 = calloc(2 * n + 1, sizeof *x0);
    for (size_t i = 0; i < n; i++) x0[i] = s->model->coordinates[i].rest;
    for (uint32_t i = 0; i < s->model->starts_count; i++) {
        const LiaStart* start = &s->model->starts[i];
        size_t k = start->coordinate + (start->velocity ? n : 0);
        x0[k] = start->value;
        given[k] = !start->guess;
    }
    memcpy(q, x0, n * sizeof *q);
    memcpy(v, x0 + n, n * sizeof *v);
    for (int positions = 1; positions >= 0; positions--) {
        if (!positions) set_spins(s->model, q, v, given + n);
        if (!positions) memcpy(x0 + n, v, n * sizeof *v);
        double change = 1.0;
        for (int round = 0; round < 200 && change > 1e-15; round++) {
            change = nearest_step(s, t, q, v, positions ? x0 : x0 + n,
                                  positions ? given : given + n, positions);
            if (!isfinite(change)) break;
        }
    }
    free(given);
    free(x0);
    double residual = second_residual(s, t, q, v);
    return residual < 1e-10;
}
