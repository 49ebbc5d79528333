// Connection and momentum equation along a loop. See momentum_equation.h.
//
// Z_i(q) = P(q) c_i with the orthogonal projection P on S: smooth wherever S has one dimension. The
// c_i are chosen anew at each panel. Z_i' is a central difference of order twelve along the
// velocity.
// SPDX-License-Identifier: MIT
#include "study/holonomy/momentum_equation.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "base/watch.h"
#include "geometry/span.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STAGES = LIA_GAUSS_STAGES,
    ITERATIONS = 60,
    PANELS_LEAST = 8,
    PANELS_MOST = 256,
    HALVINGS = 6,  // of a panel that does not converge
};

static double dot(const double* a, const double* b, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// An orthonormal basis of S at the positions in the workspace. -1: it has no value.
static int kernel(LiaMomentumEquation* e) {
    const LiaConnection* c = &e->x->c;
    const double* J = c->w->saddle.J;
    int rows = 0;
    for (int k = 0; k < c->keeps; k++)
        memcpy(e->J + (size_t)rows++ * e->n, J + (size_t)c->kept[k] * e->n, e->n * sizeof *J);
    for (size_t a = 0; a < c->base_count; a++) {
        if (c->follows[a]) continue;
        memcpy(e->J + (size_t)rows++ * e->n, J + (size_t)c->over[a] * e->n, e->n * sizeof *J);
    }
    for (size_t i = 0; i < (size_t)rows * e->n; i++) {
        if (!isfinite(e->J[i])) return -1;
    }
    return lia_span_kernel(rows, c->n, e->J, e->K);
}

// The fields at the positions in the workspace: c_i projected on S.
static bool fields(LiaMomentumEquation* e, double* Z) {
    size_t n = e->n, k = e->k;
    if (kernel(e) != (int)k) return false;
    memset(Z, 0, k * n * sizeof(double));
    for (size_t i = 0; i < k; i++) {
        for (size_t r = 0; r < k; r++) {
            double along = dot(e->K + r * n, e->field + i * n, n);
            for (size_t j = 0; j < n; j++) Z[i * n + j] += along * e->K[r * n + j];
        }
    }
    return true;
}

static void evaluate(LiaMomentumEquation* e, double t, const double* q, const double* v) {
    const LiaSystem* s = e->x->c.w->system;
    lia_evaluate_run(&e->values,
                     &(LiaSymbols){.t = t, .parameters = s->parameters, .q = q, .v = v});
}

// dL/dv at rest.
static void find_b(LiaMomentumEquation* e, double t, const double* q) {
    const LiaSystem* s = e->x->c.w->system;
    memset(e->v, 0, e->n * sizeof(double));
    evaluate(e, t, q, e->v);
    for (size_t i = 0; i < e->n; i++) e->b[i] = lia_value(&e->values, s->lagrange.p[i]);
}

// The velocity at (q, p) into e->v; the fields stand in e->Z.
static bool velocity(LiaMomentumEquation* e, double t, const double* q, const double* ds,
                     const double* p) {
    LiaConnection* c = &e->x->c;
    size_t n = e->n, k = e->k;
    if (!lia_connection_lifts(c, t, q, c->N) || !lia_transport_rests(e->x, NULL)) return false;
    lia_transport_lifted(e->x, ds, e->lifted);
    if (!fields(e, e->Z)) return false;
    find_b(e, t, q);
    const double* M = c->w->saddle.M;
    for (size_t i = 0; i < k; i++) {
        for (size_t l = 0; l < n; l++) e->z[l] = dot(M + l * n, e->Z + i * n, n);
        for (size_t j = 0; j < k; j++) e->G[i * k + j] = dot(e->Z + j * n, e->z, n);
        e->w[i] = p[i] - dot(e->b, e->Z + i * n, n);
    }
    if (k > 0 && !lia_dense_cholesky((int)k, e->G)) return false;
    lia_dense_forward((int)k, e->G, e->w);
    lia_dense_backward((int)k, e->G, e->w);
    for (size_t l = 0; l < n; l++) {
        e->v[l] = e->lifted[l];
        for (size_t i = 0; i < k; i++) e->v[l] += e->w[i] * e->Z[i * n + l];
        if (!isfinite(e->v[l])) return false;
    }
    return true;
}

// How far along the velocity differences go: a part of the loop, and of a turn.
static double step_along(const LiaMomentumEquation* e) {
    const LiaModel* model = e->x->c.w->system->model;
    double step = LIA_MOMENTUM_STEP * fabs(e->x->t1 - e->x->t0), fastest = 0.0;
    for (size_t i = 0; i < e->n; i++) {
        if (model->coordinates[i].manifold != LIA_LINE)
            fastest = fmax(fastest, fabs(e->v[i]) / (model->coordinates[i].group ? 0.5 : 1.0));
    }
    return fastest * step > LIA_MOMENTUM_TURN ? LIA_MOMENTUM_TURN / fastest : step;
}

// <dL/dv, Z_i'> added to the rates of p.
static bool add_turning(LiaMomentumEquation* e, double t, const double* q, const double* momentum,
                        double* rate) {
    static const double weights[] = {6.0 / 7,   -15.0 / 56, 5.0 / 63,
                                     -1.0 / 56, 1.0 / 385,  -1.0 / 5544};
    double h = step_along(e);
    for (int j = -6; j <= 6; j++) {
        if (j == 0) continue;
        double weight = (j > 0 ? weights[j - 1] : -weights[-j - 1]) / h;
        for (size_t i = 0; i < e->n; i++) e->z[i] = q[i] + j * h * e->v[i];
        lia_transport_rest_at(e->x, t, e->z);
        if (!fields(e, e->Z)) return false;
        for (size_t i = 0; i < e->k; i++) rate[i] += weight * dot(momentum, e->Z + i * e->n, e->n);
    }
    return true;
}

// L is not quadratic in the velocities: p is no linear function of w.
static bool is_quadratic(const LiaMomentumEquation* e, const double* momentum) {
    const double* M = e->x->c.w->saddle.M;
    double miss = 0.0, size = 0.0;
    for (size_t i = 0; i < e->n; i++) {
        miss = fmax(miss, fabs(momentum[i] - e->b[i] - dot(M + i * e->n, e->v, e->n)));
        size = fmax(size, fabs(momentum[i]) + fabs(e->b[i]));
    }
    return !(miss > LIA_MOMENTUM_LINEAR * size);
}

// Rates of (q, p) at y.
static bool rates(LiaMomentumEquation* e, double t, const double* y, const double* ds,
                  double* rate) {
    const LiaSystem* s = e->x->c.w->system;
    size_t n = e->n, k = e->k;
    if (!velocity(e, t, y, ds, y + n)) return false;
    evaluate(e, t, y, e->v);
    double* momentum = e->lifted;  // free here
    for (size_t i = 0; i < n; i++) momentum[i] = lia_value(&e->values, s->lagrange.p[i]);
    if (!is_quadratic(e, momentum)) e->why = "the Lagrangian is not quadratic in the velocities";
    if (e->why) return false;
    memcpy(rate, e->v, n * sizeof(double));
    for (size_t i = 0; i < k; i++) {
        rate[n + i] = 0.0;
        for (size_t j = 0; j < n; j++) {
            double force = lia_value(&e->values, s->lagrange.dL_dq[j]) +
                           lia_value(&e->values, s->lagrange.Q[j]);
            rate[n + i] += force * e->Z[i * n + j];
        }
    }
    if (!add_turning(e, t, y, momentum, rate + n)) return false;
    for (size_t i = 0; i < n + k; i++) {
        if (!isfinite(rate[i])) return false;
    }
    return true;
}

// Reactions that do work on a velocity of S: the equations are not ideal. At the place where a
// panel begins, which satisfies them.
static bool reacts(const LiaMomentumEquation* e) {
    const LiaWorkspace* w = e->x->c.w;
    for (int r = 0; r < w->nc; r++) {
        const double* Omega = w->saddle.Omega + (size_t)r * e->n;
        double size = sqrt(dot(Omega, Omega, e->n));
        for (size_t i = 0; i < e->k; i++) {
            const double* Z = e->field + i * e->n;
            double length = sqrt(dot(Z, Z, e->n));
            if (fabs(dot(Omega, Z, e->n)) > LIA_MOMENTUM_LINEAR * size * length) return true;
        }
    }
    return false;
}

// Gauge of a panel: c_i, and the momenta of the velocity in e->v there.
static bool begin_panel(LiaMomentumEquation* e, double t) {
    const LiaSystem* s = e->x->c.w->system;
    LiaTransport* x = e->x;
    if (!lia_connection_choose(&x->c, t, e->y)) return false;
    lia_transport_rest_at(x, t, e->y);
    int k = kernel(e);
    if (k < 0) return false;
    e->k = (size_t)k;
    memcpy(e->field, e->K, e->k * e->n * sizeof(double));
    if (reacts(e)) e->why = "forces of operators or constraints act along the fibre";
    if (e->why) return false;
    evaluate(e, t, e->y, e->v);
    for (size_t i = 0; i < e->k; i++) {
        e->y[e->n + i] = 0.0;
        for (size_t j = 0; j < e->n; j++)
            e->y[e->n + i] += lia_value(&e->values, s->lagrange.p[j]) * e->field[i * e->n + j];
    }
    return true;
}

// New values at the nodes from the rates there. How far they moved, relative.
static double improve(LiaMomentumEquation* e, double h) {
    size_t size = e->n + e->k;
    double most = 0.0;
    for (size_t i = 0; i < STAGES; i++) {
        for (size_t k = 0; k < size; k++) {
            double moved = 0.0, scale = fabs(e->y[k]) + 1.0;
            for (size_t j = 0; j < STAGES; j++)
                moved += h * e->x->rule.collocation[i * STAGES + j] * e->f[j * size + k];
            double next = e->y[k] + moved, *old = &e->Y[i * size + k];
            most = fmax(most, fabs(next - *old) / scale);
            *old = next;
        }
    }
    return most;
}

// (q, p) from t to t + h; e->v becomes the velocity there.
static bool step(LiaMomentumEquation* e, double t, double h) {
    LiaTransport* x = e->x;
    size_t base = x->c.base_count;
    if (!begin_panel(e, t)) return false;
    size_t size = e->n + e->k;
    for (size_t i = 0; i < STAGES; i++) {
        if (!lia_transport_law(x, t + h * x->rule.node[i], x->s + i * base, x->ds + i * base))
            return false;
        memcpy(e->Y + i * size, e->y, size * sizeof(double));
    }
    bool close = false;
    for (int k = 0; k < ITERATIONS && !close; k++) {
        for (size_t i = 0; i < STAGES; i++) {
            double there = t + h * x->rule.node[i];
            if (!rates(e, there, e->Y + i * size, x->ds + i * base, e->f + i * size)) return false;
        }
        close = improve(e, h) <= LIA_MOMENTUM_CLOSE;
    }
    if (!close || !lia_transport_law(x, t + h, x->s, x->ds)) return false;
    for (size_t k = 0; k < size; k++) {
        for (size_t j = 0; j < STAGES; j++) e->y[k] += h * x->rule.weight[j] * e->f[j * size + k];
    }
    return velocity(e, t + h, e->y, x->ds, e->y + e->n);
}

// From one panel to the next; one that does not converge is halved.
static LiaStatus follow(LiaMomentumEquation* e, int panels) {
    LiaTransport* x = e->x;
    double span = x->t1 - x->t0, t = x->t0, h = span / panels;
    memcpy(e->y, x->q0, e->n * sizeof(double));
    if (!lia_transport_law(x, t, x->s, x->ds)) return LIA_FAILED;
    e->k = 0;  // without momentum: the lift alone
    lia_transport_rest_at(x, t, e->y);
    if (!lia_connection_choose(&x->c, t, e->y)) return LIA_FAILED;
    if (!lia_connection_lifts(&x->c, t, e->y, x->c.N)) return LIA_FAILED;
    lia_transport_lifted(x, x->ds, e->v);
    double* kept = e->z + e->n;
    while (fabs(x->t1 - t) > LIA_TRANSPORT_SHORTEST * fabs(span)) {
        if (lia_watch_asked()) return LIA_STOPPED;
        if (fabs(h) > fabs(x->t1 - t)) h = x->t1 - t;
        memcpy(kept, e->y, e->n * sizeof(double));
        memcpy(kept + e->n, e->v, e->n * sizeof(double));
        if (step(e, t, h)) {
            t += h, h = span / panels;
            continue;
        }
        if (e->why || fabs(h) < fabs(span) / panels / (1 << HALVINGS)) return LIA_FAILED;
        memcpy(e->y, kept, e->n * sizeof(double));
        memcpy(e->v, kept + e->n, e->n * sizeof(double));
        h /= 2.0;
    }
    return LIA_OK;
}

static bool make_room(LiaMomentumEquation* e) {
    const LiaSystem* s = e->x->c.w->system;
    size_t n = e->n = s->n, rows = (size_t)e->x->c.w->nc;
    size_t nodes = STAGES * 2 * n;
    LiaExpr* roots = lia_memory_zeros(3 * n + 1, sizeof *roots);
    e->block = lia_memory_zeros(4 * n * n + rows * n + 2 * nodes + 10 * n + 1, sizeof(double));
    if (roots) {
        memcpy(roots, s->lagrange.p, n * sizeof *roots);
        memcpy(roots + n, s->lagrange.dL_dq, n * sizeof *roots);
        memcpy(roots + 2 * n, s->lagrange.Q, n * sizeof *roots);
    }
    bool room = roots && e->block && lia_evaluate_init(&e->values, s->graph, roots, 3 * n);
    free(roots);
    if (!room) return false;
    double* x = e->block;
    e->field = x, x += n * n;
    e->Z = x, x += n * n;
    e->K = x, x += n * n;
    e->G = x, x += n * n;
    e->J = x, x += rows * n;
    e->Y = x, x += nodes;
    e->f = x, x += nodes;
    e->w = x, x += n;
    e->v = x, x += n;
    e->b = x, x += n;
    e->lifted = x, x += n;
    e->y = x, x += 2 * n;
    e->z = x;  // n of scratch, 2 n to keep a state
    return true;
}

LiaStatus lia_momentum_equation_follow(LiaTransport* x, double* q1, double* error,
                                       const char** why) {
    LiaMomentumEquation e = {.x = x};
    LiaStatus status = make_room(&e) ? LIA_OK : LIA_MEMORY;
    *why = NULL;
    for (size_t i = 0; i < e.n; i++) q1[i] = error[i] = NAN;
    for (int panels = PANELS_LEAST; status == LIA_OK && panels <= PANELS_MOST; panels *= 2) {
        status = follow(&e, panels);
        bool good = panels > PANELS_LEAST;
        for (size_t i = 0; status == LIA_OK && i < e.n; i++) {
            error[i] = fabs(e.y[i] - q1[i]);
            good = good && error[i] <= LIA_MOMENTUM_REFINED * (1.0 + fabs(e.y[i]));
            q1[i] = e.y[i];
        }
        if (good) break;
    }
    if (status == LIA_FAILED) {
        *why = e.why ? e.why : "its equations have no solution all the way round";
        status = LIA_OK;
    }
    lia_evaluate_clear(&e.values);
    free(e.block);
    return status;
}
