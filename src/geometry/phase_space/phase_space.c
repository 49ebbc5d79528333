// Phase space in numbers. See phase_space.h.
// SPDX-License-Identifier: MIT
#include "geometry/phase_space/phase_space.h"
#include "base/memory/memory.h"
#include "base/numeric/dense.h"
#include "base/numeric/newton.h"
#include "base/numeric/thresholds.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool make(LiaPhaseSpace* space) {
    LiaGeometry* y = space->geometry;
    const LiaSystem* s = y->system;
    uint32_t n = s->n;
    space->n = n;
    space->x = LIA_ARENA_NEW(y->arena, uint32_t, n + 1);
    space->s = LIA_ARENA_NEW(y->arena, uint32_t, n + 1);
    space->driven = LIA_ARENA_NEW(y->arena, bool, n + 1);
    space->zero = LIA_ARENA_NEW(y->arena, double, n + 1);
    space->unit = LIA_ARENA_NEW(y->arena, double, n + 1);
    LiaExpr* roots = LIA_ARENA_NEW(y->arena, LiaExpr, 5 * (size_t)n + 3);
    if (!space->x || !space->s || !space->driven || !space->zero || !space->unit || !roots)
        return false;
    for (uint32_t d = 0; d < s->reduced->drive_count; d++) {
        space->driven[s->reduced->drives[d].coordinate] = true;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (space->driven[i]) {
            space->s[space->ns++] = i;
        } else {
            space->x[space->nx++] = i;
        }
    }
    space->pairing_q = roots;
    space->pairing_v = roots + n;
    if (!lia_diff_pullback(y->graph, (LiaWeightedSum){s->lagrange.p, y->w, n}, s->q, n,
                           space->pairing_q) ||
        !lia_diff_pullback(y->graph, (LiaWeightedSum){s->lagrange.p, y->w, n}, s->v, n,
                           space->pairing_v) ||
        !lia_diff_pullback(y->graph, (LiaWeightedSum){s->lagrange.p, y->w, n}, &y->t, 1,
                           &space->pairing_t)) {
        return false;
    }
    roots[2 * n] = space->pairing_t;
    roots[2 * n + 1] = s->energy.lagrangian;
    for (uint32_t i = 0; i < n; i++) {
        roots[2 * n + 2 + i] = s->lagrange.p[i];
        roots[3 * n + 2 + i] = s->lagrange.dL_dq[i];
        roots[4 * n + 2 + i] = s->lagrange.Q[i];
    }
    return lia_evaluate_init(&space->values, y->graph, roots, 5 * (size_t)n + 2);
}

LiaPhaseSpace* lia_phase_space_create(LiaGeometry* geometry) {
    assert(geometry);
    LiaPhaseSpace* space = lia_memory_zeros(1, sizeof *space);
    if (!space) return NULL;
    space->geometry = geometry;
    if (make(space)) return space;
    lia_phase_space_destroy(space);
    return NULL;
}

void lia_phase_space_destroy(LiaPhaseSpace* space) {
    if (!space) return;
    lia_evaluate_clear(&space->values);
    free(space);
}

static void run(LiaPhaseSpace* space, double t, const double* q, const double* v, const double* w) {
    assert(space->n == 0 || (q && v && w));
    LiaSymbols at = {
        .t = t, .parameters = space->geometry->system->parameters, .q = q, .v = v, .w = w};
    lia_evaluate_run(&space->values, &at);
}

void lia_phase_space_momenta(LiaPhaseSpace* space, double t, const double* q, const double* v,
                             double* p) {
    run(space, t, q, v, space->zero);
    for (uint32_t i = 0; i < space->n; i++) {
        p[i] = lia_value(&space->values, space->geometry->system->lagrange.p[i]);
    }
}

void lia_phase_space_metric(LiaPhaseSpace* space, double t, const double* q, const double* v,
                            double* g) {
    uint32_t n = space->n;
    for (uint32_t k = 0; k < n; k++) {
        space->unit[k] = 1.0;
        run(space, t, q, v, space->unit);
        space->unit[k] = 0.0;
        for (uint32_t i = 0; i < n; i++) {
            g[(size_t)i * n + k] = lia_value(&space->values, space->pairing_v[i]);
        }
    }
}

double lia_phase_space_pairing(LiaPhaseSpace* space, double t, const double* q, const double* v,
                               const double* w, double* slope) {
    run(space, t, q, v, w);
    for (uint32_t i = 0; i < space->n; i++)
        slope[i] = lia_value(&space->values, space->pairing_q[i]);
    return lia_value(&space->values, space->pairing_t);
}

static double largest(const double* x, const uint32_t* which, uint32_t count) {
    double most = 0.0;
    for (uint32_t i = 0; i < count; i++) most = fmax(most, fabs(x[which[i]]));
    return most;
}

// Velocities to given momenta: p(v) - p = 0 of the unknown coordinates, whose slopes are g.
typedef struct Legendre {
    LiaPhaseSpace* space;
    double t;
    const double *q, *p;
    double* v;
    const uint32_t* unknown;
    uint32_t count;
    double *g, *now, *b;  // metric (n x n); momenta (n); step (count)
    LiaLu lu;
    double size;  // of the velocities before the step
} Legendre;

static double legendre_step(void* of, double damping) {
    (void)damping;  // full steps
    Legendre* z = of;
    size_t n = z->space->n, u = z->count;
    lia_phase_space_momenta(z->space, z->t, z->q, z->v, z->now);
    lia_phase_space_metric(z->space, z->t, z->q, z->v, z->g);
    for (size_t i = 0; i < u; i++) {
        z->b[i] = z->p[z->unknown[i]] - z->now[z->unknown[i]];
        for (size_t k = 0; k < u; k++) {
            z->lu.A[i * u + k] = z->g[z->unknown[i] * n + z->unknown[k]];
        }
    }
    if (!(lia_dense_lu_factor(&z->lu, NULL) > LIA_SINGULAR_PIVOT)) return NAN;
    lia_dense_lu_solve(&z->lu, z->b);
    double step = 0.0;
    z->size = largest(z->v, z->unknown, z->count);
    for (size_t i = 0; i < u; i++) {
        z->v[z->unknown[i]] += z->b[i];
        if (!(fabs(z->b[i]) <= step)) step = fabs(z->b[i]);
    }
    return step;
}

// Steps alone say how near it is.
static double legendre_residual(void* of) {
    (void)of;
    return 1.0;
}

static double legendre_size(void* of) { return LIA_LEGENDRE_LEAST + ((const Legendre*)of)->size; }

// For a quadratic L the first step is exact, and the second takes the rounding away.
static bool settle(Legendre* z) {
    bool quadratic = z->space->geometry->quadratic;
    const LiaNewton newton = {
        .of = z,
        .residual = legendre_residual,
        .step = legendre_step,
        .size = legendre_size,
        .rules = {.passes = quadratic ? 2 : 50,
                  .still = LIA_LEGENDRE_EXACT,
                  .blurred = LIA_LEGENDRE_SETTLED,
                  .falls = 0.5,
                  .blurred_from = 1},
    };
    LiaNewtonEnd end = lia_newton_run(&newton, 1.0).end;
    return quadratic ? end != LIA_NEWTON_LOST
                     : end == LIA_NEWTON_ARRIVED || end == LIA_NEWTON_BLURRED;
}

bool lia_phase_space_velocities(LiaPhaseSpace* space, double t, const double* q, const double* p,
                                LiaUnknowns of, double* v) {
    const uint32_t* unknown = of.coordinate;
    uint32_t count = of.count;
    assert(count <= space->n);
    for (uint32_t i = 0; i < count; i++) assert(unknown[i] < space->n);
    if (count == 0) return true;
    size_t n = space->n, u = count;
    double* block = lia_memory_zeros(n * n + n + u * u + 3 * u + 1, sizeof *block);
    int* exchanges = lia_memory_zeros(u + 1, sizeof *exchanges);
    bool settled = false;
    if (block && exchanges) {
        Legendre z = {space, t, q, p, v, unknown, count, .g = block, .now = block + n * n};
        double* G = z.now + n;
        z.b = G + u * u;
        z.lu =
            (LiaLu){.n = (int)u, .A = G, .row = exchanges, .left = z.b + u, .right = z.b + 2 * u};
        settled = settle(&z);
    }
    free(block);
    free(exchanges);
    return settled;
}

LiaExpr lia_phase_space_bracket(LiaPhaseSpace* space, LiaExpr f, LiaExpr h) {
    LiaGraph* g = space->geometry->graph;
    assert(f.index < g->count && h.index < g->count);
    LiaExpr sum = lia_graph_integer(g, 0);
    size_t n = space->n;
    LiaExpr* slopes = lia_memory_zeros(4 * n + 1, sizeof *slopes);
    const LiaExpr *q = space->geometry->system->q, *p = space->geometry->p;
    if (!slopes || !lia_diff_gradient(g, f, q, n, slopes) ||
        !lia_diff_gradient(g, f, p, n, slopes + n) ||
        !lia_diff_gradient(g, h, q, n, slopes + 2 * n) ||
        !lia_diff_gradient(g, h, p, n, slopes + 3 * n)) {
        free(slopes);
        g->failed = true;
        return sum;
    }
    for (uint32_t k = 0; k < space->nx; k++) {
        uint32_t i = space->x[k];
        LiaExpr up = lia_graph_mul(g, slopes[i], slopes[3 * n + i]);
        LiaExpr down = lia_graph_mul(g, slopes[n + i], slopes[2 * n + i]);
        sum = lia_graph_add(g, sum, lia_graph_sub(g, up, down));
    }
    free(slopes);
    return sum;
}
