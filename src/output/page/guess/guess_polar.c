// Points in polar coordinates, where the kinetic energy has their squares and no places:
//
//   T = m/2 r'^2 + (J + m r^2)/2 a'^2      a distance r that is measured along what turns by a
//
// The mass is that of r', so that a bead on a rod with the inertia J is one too. It is seen at
// r (cos a, sin a), or where the weight in the potential says that it hangs or stands; with a coil
// from the centre where the potential is that of a spring along r. Nothing is drawn unless the
// metric is such a one at states drawn at random.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "output/page/guess/guess.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Polar {
    LiaGuess* guess;
    LiaValues T, U;
    LiaSymbols at;
    double *q, *v;  // a state                                  (n)
} Polar;

static bool is_little(double x, double size) { return fabs(x) <= LIA_GUESS_SAME * fabs(size); }

static double energy_of(Polar* p, uint32_t i, uint32_t j) {
    memset(p->v, 0, p->guess->s->n * sizeof *p->v);
    p->v[i] = p->v[j] = 1.0;
    lia_evaluate_run(&p->T, &p->at);
    return lia_value(&p->T, p->guess->s->energy.kinetic);
}

static double metric(Polar* p, uint32_t i, uint32_t j) {
    if (i == j) return 2.0 * energy_of(p, i, i);
    return energy_of(p, i, j) - energy_of(p, i, i) - energy_of(p, j, j);
}

static double potential(Polar* p) {
    if (!p->guess->s->energy.has_potential) return 0.0;
    lia_evaluate_run(&p->U, &p->at);
    return lia_value(&p->U, p->guess->s->energy.potential);
}

static bool is_single(const LiaGuess* guess, uint32_t i) {
    const LiaCoordinate* x = &guess->m->coordinates[i];
    bool number = x->manifold == LIA_LINE || x->manifold == LIA_CIRCLE;
    return !x->group && !x->inner && number;
}

// Is the metric of r and a that of polar coordinates, and coupled to no other coordinate?
static bool is_polar(Polar* p, uint32_t r, uint32_t a) {
    enum { STATES = 4 };
    uint64_t random = 0;
    double was[2] = {p->q[r], p->q[a]};
    p->q[r] = 0.0;
    double J = metric(p, a, a), m = metric(p, r, r);
    bool good = m > 0.0 && J >= -LIA_GUESS_SAME * m;
    for (int k = 0; good && k < STATES; k++) {
        p->q[r] = 2.0 * lia_random_generic(&random);
        p->q[a] = 3.0 * lia_random_even(&random);
        double size = J + m * p->q[r] * p->q[r];
        good = is_little(metric(p, r, r) - m, m) && is_little(metric(p, a, a) - size, size);
        for (uint32_t i = 0; good && i < p->guess->s->n; i++) {
            double own = metric(p, i, i);
            if (i != r) good = is_little(metric(p, r, i), sqrt(m * fabs(own)) + m);
            if (i != r && i != a)
                good = good && is_little(metric(p, a, i), sqrt(size * own) + size);
        }
    }
    p->q[r] = was[0];
    p->q[a] = was[1];
    return good;
}

// The weight by the angle, at a distance of 1: U(0) - U(pi), U(pi/2) - U(-pi/2).
static void find_weight(Polar* p, uint32_t r, uint32_t a, double* x, double* y) {
    const double quarter = 1.57079632679489661923;
    double was[2] = {p->q[r], p->q[a]}, U[4];
    p->q[r] = 1.0;
    for (int k = 0; k < 4; k++) {
        p->q[a] = k * quarter;
        U[k] = potential(p);
    }
    p->q[r] = was[0];
    p->q[a] = was[1];
    *x = is_little(U[0] - U[2], fabs(U[0]) + fabs(U[2])) ? 0.0 : U[0] - U[2];
    *y = is_little(U[1] - U[3], fabs(U[1]) + fabs(U[3])) ? 0.0 : U[1] - U[3];
}

// Along r the potential is a parabola that opens upwards: equal third differences are 0.
static bool has_spring(Polar* p, uint32_t r) {
    double was = p->q[r], U[5];
    for (int k = 0; k < 5; k++) {
        p->q[r] = 1.0 + k;
        U[k] = potential(p);
    }
    p->q[r] = was;
    double second = U[0] - 2.0 * U[1] + U[2];
    bool parabola = is_little(U[0] - 3.0 * U[1] + 3.0 * U[2] - U[3], second) &&
                    is_little(U[1] - 3.0 * U[2] + 3.0 * U[3] - U[4], second);
    return second > 0.0 && parabola;
}

static void draw(Polar* p, uint32_t r, uint32_t a) {
    LiaGuess* guess = p->guess;
    LiaGraph* g = guess->g;
    LiaExpr none = {0}, zero = lia_guess_zero(guess), centre[3] = {zero, zero, zero};
    LiaExpr angle = guess->s->q[a], far = guess->s->q[r];
    LiaExpr cosine = lia_graph_mul(g, far, lia_graph_apply(g, LIA_OP_COS, angle, none, none));
    LiaExpr sine = lia_graph_mul(g, far, lia_graph_apply(g, LIA_OP_SIN, angle, none, none));
    double x, y;
    find_weight(p, r, a, &x, &y);
    bool upright = fabs(x) > fabs(y);
    LiaExpr up = upright ? cosine : sine;
    bool down = upright ? x < 0.0 : y < 0.0;
    LiaExpr at[3] = {upright ? sine : cosine, down ? lia_graph_neg(g, up) : up, zero};
    LiaGuessPoint* origin = lia_guess_point(guess, NULL, centre);
    uint32_t from = origin ? (uint32_t)(origin - guess->points) : 0;
    if (origin) origin->shown = true;
    LiaGuessPoint* point = lia_guess_point(guess, NULL, at);
    if (!point || !origin) return;
    point->shown = point->mass = true;
    uint32_t to = (uint32_t)(point - guess->points);
    if (from != to && has_spring(p, r)) lia_guess_span(guess, from, to, true);
}

static bool find_pairs(Polar* p, const bool* bends) {
    uint32_t n = p->guess->s->n;
    bool found = false;
    for (uint32_t r = 0; r < n; r++) {
        if (!bends[r] || !is_single(p->guess, r)) continue;
        for (uint32_t a = 0; a < n; a++) {
            if (a == r || !is_single(p->guess, a) || !is_polar(p, r, a)) continue;
            draw(p, r, a);
            found = true;
            break;
        }
    }
    return found;
}

bool lia_guess_polar(LiaGuess* guess) {
    const LiaSystem* s = guess->s;
    LiaExpr T = s->energy.kinetic, U = s->energy.potential;
    if (s->n < 2 || lia_graph_is_zero(guess->g, T)) return false;
    if (lia_graph_node(guess->g, T)->depends & LIA_DEPENDS(TIME)) return false;
    double* x = lia_memory_zeros(2 * (size_t)s->n, sizeof *x);
    bool* bends = lia_memory_zeros(s->n, sizeof *bends);
    Polar p = {.guess = guess, .q = x, .v = x + (x ? s->n : 0)};
    p.at = (LiaSymbols){.parameters = s->parameters, .q = p.q, .v = p.v};
    bool found = false, kinetic = x && bends && lia_evaluate_init(&p.T, guess->g, &T, 1);
    bool all = kinetic && (!s->energy.has_potential || lia_evaluate_init(&p.U, guess->g, &U, 1));
    if (!all) {
        guess->scene->failed = true;
    } else if (lia_scene_values(guess->scene, s->q, s->n, guess->instants, 1, p.q)) {
        lia_guess_depends(guess, &T, 1, bends);
        found = find_pairs(&p, bends);
    }
    if (kinetic) lia_evaluate_clear(&p.T);
    if (all && s->energy.has_potential) lia_evaluate_clear(&p.U);
    free(x);
    free(bends);
    return found;
}
