// Velocities of attitudes by their angular momenta, where that is short: a body whose inertia is
// the same about all axes and is not coupled to other velocities, as a ball. Then
// omega(R) = p(R)/I.
//
// With q' = (0, omega) q/2 a formula is one in omega. What does not depend on the attitude is read
// at attitude 1, and that it does not is looked at in numbers. See formulas_work.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "geometry/formulas/formulas_work.h"
#include <math.h>
#include <stdlib.h>

enum { LOOKS = 4, SPINS_MOST = 3 * LIA_FORMULAS_SIZE };

typedef struct Turn {
    Work* k;
    const LiaGroup* group;
    const LiaExpr* omega;  // symbols that stand for it: those of p(R)   (3)
} Turn;

// f with q' = (0, omega) q/2.
static LiaExpr by_omega(const Turn* turn, LiaExpr f) {
    Work* k = turn->k;
    const LiaExpr *q = k->s->q + turn->group->first, *w = turn->omega;
    LiaExpr by[LIA_FORMULAS_SIZE] = {{0}}, *to = by + turn->group->first;
    to[0] = lia_graph_neg(k->g, half(k, plus(k, plus(k, times(k, w[0], q[1]), times(k, w[1], q[2])),
                                             times(k, w[2], q[3]))));
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        LiaExpr turned = minus(k, times(k, w[b], q[1 + c]), times(k, w[c], q[1 + b]));
        to[1 + a] = half(k, plus(k, times(k, q[0], w[a]), turned));
    }
    return lia_diff_substitute(k->g, f, LIA_SYMBOL_VELOCITY, by, k->n);
}

// f at attitude 1.
static LiaExpr upright(const Turn* turn, LiaExpr f) {
    Work* k = turn->k;
    LiaExpr by[LIA_FORMULAS_SIZE] = {{0}};
    for (uint32_t i = 0; i < 4; i++) by[turn->group->first + i] = lia_graph_integer(k->g, i == 0);
    return tidy(k, lia_diff_substitute(k->g, f, LIA_SYMBOL_POSITION, by, k->n));
}

// Are both the same number at places at random, at rest?
static bool same(const Turn* turn, LiaExpr f, LiaExpr g) {
    Work* k = turn->k;
    LiaExpr roots[2] = {f, g};
    LiaValues values;
    double q[LIA_FORMULAS_SIZE] = {0}, v[LIA_FORMULAS_SIZE] = {0};
    double p[LIA_FORMULAS_SIZE + SPINS_MOST] = {0};
    uint64_t state = 5;
    bool is = lia_evaluate_init(&values, k->g, roots, 2);
    double* size = is ? lia_memory_zeros((size_t)values.size + 1, sizeof *size) : NULL;
    is = is && size;
    for (int look = 0; is && look < LOOKS; look++) {
        double square = 0.0;
        for (size_t i = 0; i < k->n; i++) q[i] = lia_random_even(&state);
        for (uint32_t i = 0; i < 4; i++)
            square += q[turn->group->first + i] * q[turn->group->first + i];
        for (uint32_t i = 0; i < 4; i++) q[turn->group->first + i] /= sqrt(square);
        LiaSymbols at = {.t = 0.0, .parameters = k->s->parameters, .q = q, .v = v, .p = p};
        lia_evaluate_run(&values, &at);
        lia_sizes_run(&values, &(LiaSymbols){0}, size);
        double a = lia_value(&values, f), b = lia_value(&values, g);
        is = fabs(a - b) <= LIA_IDENTITY * (fabs(a) + fabs(b)) +
                                LIA_IDENTITY_LEAST * (size[f.index] + size[g.index]);
    }
    lia_evaluate_clear(&values);
    free(size);
    return is;
}

// The moment of inertia about every axis; {0}: there is none.
static LiaExpr inertia(const Turn* turn) {
    Work* k = turn->k;
    LiaExpr L = by_omega(turn, k->s->energy.lagrangian), I = {0}, p[3], row[3];
    LiaExpr* others = list(k, k->n);
    const LiaExpr none = {0}, nothing = zero(k);
    if (!others || !lia_diff_gradient(k->g, L, turn->omega, 3, p)) return none;
    for (int a = 0; a < 3; a++) {
        if (!lia_diff_gradient(k->g, p[a], turn->omega, 3, row) ||
            !lia_diff_gradient(k->g, p[a], k->s->v, k->n, others)) {
            return none;
        }
        if (a == 0) I = upright(turn, row[0]);
        for (int b = 0; b < 3; b++) {
            if (!same(turn, row[b], a == b ? I : nothing)) return none;
        }
        for (size_t i = 0; i < k->n; i++) {
            if (!same(turn, others[i], nothing)) return none;
        }
        if (!same(turn, p[a], nothing)) return none;  // a term of L linear in omega
    }
    return lia_graph_is_zero(k->g, I) ? none : I;
}

// Y = Y at rest + C omega, C the same at all attitudes.
static LiaExpr put(const Turn* turn, LiaExpr Y, LiaExpr I) {
    Work* k = turn->k;
    LiaExpr f = by_omega(turn, Y), C[3], sum = zero(k);
    const LiaExpr none = {0};
    if (!lia_diff_gradient(k->g, f, turn->omega, 3, C)) return none;
    for (int a = 0; a < 3; a++) {
        LiaExpr c = upright(turn, C[a]);
        if (!same(turn, C[a], c)) return none;
        sum = plus(k, sum, times(k, c, lia_graph_div(k->g, turn->omega[a], I)));
    }
    LiaExpr by[LIA_FORMULAS_SIZE + SPINS_MOST] = {{0}};
    size_t count = k->n + 3 * (size_t)k->s->model->groups_count;
    for (size_t i = k->n; i < count; i++) by[i] = zero(k);
    f = lia_diff_substitute(k->g, f, LIA_SYMBOL_MOMENTUM, by, count);
    return f.index ? tidy(k, plus(k, f, sum)) : none;
}

bool lia_attitude_velocity_put(Work* k, int count, LiaExpr* Y) {
    const LiaModel* model = k->s->model;
    if (model->groups_count > LIA_FORMULAS_SIZE) return false;
    for (uint32_t c = 0; c < model->groups_count; c++) {
        if (model->groups[c].manifold != LIA_ROTATION) continue;
        Turn turn = {k, &model->groups[c], k->y->spin + 3 * (size_t)c};
        LiaExpr I = inertia(&turn);
        for (int a = 0; I.index && a < count; a++) {
            LiaExpr y = put(&turn, Y[a], I);
            if (!y.index) return false;
            Y[a] = y;
        }
    }
    bool left = false;
    for (int a = 0; a < count; a++)
        left |= (lia_graph_node(k->g, Y[a])->depends & LIA_DEPENDS(VELOCITY)) != 0;
    return !left;
}
