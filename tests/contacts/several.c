// Several rough contacts at once. See several.h.
// SPDX-License-Identifier: MIT
#include "several.h"
#include "support/gauss.h"
#include <math.h>
#include <string.h>

typedef enum Side { STUCK, FORWARD, BACKWARD, NONE, SIDES = NONE } Side;

static const double BROKEN = 1e-11;  // a condition is, from here on
static const double APART = 1e-9;    // velocities of different outcomes

// One phase: gap' and slip of all contacts are b + W (N, T), bounds are mu (N + offset).
typedef struct Phase {
    const Several* s;
    double b[SEVERAL_ROWS], offset[SEVERAL_MOST];
    double x[SEVERAL_ROWS], u[SEVERAL_ROWS];
    int found;
    bool loose;  // other impulses have the same velocities
} Phase;

static void respond(const Phase* p, const double* x, double* u) {
    for (int i = 0; i < 2 * p->s->count; i++) {
        u[i] = p->b[i];
        for (int j = 0; j < 2 * p->s->count; j++) u[i] += p->s->W[i][j] * x[j];
    }
}

// Does (x, u) satisfy all conditions of contact c?
static bool keeps(const Phase* p, int c, const double* x, const double* u) {
    double N = x[2 * c], T = x[2 * c + 1], gap = u[2 * c], slip = u[2 * c + 1];
    double most = p->s->mu[c] * (N + p->offset[c]);
    if (N < -BROKEN || gap < -BROKEN || fabs(N * gap) > BROKEN) return false;
    if (fabs(T) > most + BROKEN) return false;
    return fabs(slip) <= BROKEN || fabs(T + (slip > 0.0 ? most : -most)) <= BROKEN;
}

// Closed or open, with one of the sides each: the equations of a mode.
static void try_mode(Phase* p, const bool* closed, const Side* side) {
    int rows = 2 * p->s->count;
    double A[SEVERAL_ROWS][SEVERAL_ROWS] = {{0}}, x[SEVERAL_ROWS] = {0}, u[SEVERAL_ROWS];
    for (int c = 0; c < p->s->count; c++) {
        int n = 2 * c, t = n + 1;
        if (closed[c]) {
            memcpy(A[n], p->s->W[n], sizeof A[n]);
            x[n] = -p->b[n];
        } else {
            A[n][n] = 1.0;
        }
        if (side[c] == STUCK) {
            memcpy(A[t], p->s->W[t], sizeof A[t]);
            x[t] = -p->b[t];
        } else {
            double f = side[c] == FORWARD ? -p->s->mu[c] : side[c] == BACKWARD ? p->s->mu[c] : 0.0;
            A[t][t] = 1.0, A[t][n] = -f, x[t] = f * p->offset[c];
        }
    }
    if (!gauss_solve_in_place(rows, SEVERAL_ROWS, *A, x, 1e-10)) return;
    respond(p, x, u);
    for (int c = 0; c < p->s->count; c++) {
        if (!keeps(p, c, x, u)) return;
    }
    double apart = 0.0, other = 0.0;
    for (int i = 0; i < rows && p->found; i++) {
        apart = fmax(apart, fabs(u[i] - p->u[i]));
        other = fmax(other, fabs(x[i] - p->x[i]));
    }
    p->loose = p->loose || other > APART;
    p->found += !p->found || apart > APART;
    memcpy(p->x, x, sizeof x), memcpy(p->u, u, sizeof u);
}

static bool phase(Phase* p) {
    int all = 1;
    p->found = 0;
    for (int c = 0; c < p->s->count; c++) all *= 2 * (p->s->mu[c] > 0.0 ? SIDES : 1);
    for (int number = 0; number < all; number++) {
        bool closed[SEVERAL_MOST];
        Side side[SEVERAL_MOST];
        int rest = number;
        for (int c = 0; c < p->s->count; c++) {
            int sides = p->s->mu[c] > 0.0 ? SIDES : 1;
            closed[c] = rest % 2, rest /= 2;
            side[c] = sides == 1 ? NONE : (Side)(rest % sides), rest /= sides;
        }
        try_mode(p, closed, side);
    }
    return p->found == 1;
}

bool several_impact(const Several* s, double* P) {
    int rows = 2 * s->count;
    double gained = 0.0, middle[SEVERAL_ROWS];
    Phase first = {.s = s}, then = {.s = s};
    memcpy(first.b, s->u, sizeof first.b);
    if (!phase(&first)) return false;
    memcpy(middle, first.u, sizeof middle);
    memcpy(then.b, middle, sizeof then.b);
    bool any = false;
    for (int c = 0; c < s->count; c++) {
        then.offset[c] = s->e[c] * first.x[2 * c];
        any = any || then.offset[c] > 0.0;
        for (int i = 0; i < rows; i++) then.b[i] += s->W[i][2 * c] * then.offset[c];
    }
    if (any && (first.loose || !phase(&then))) return false;
    for (int i = 0; i < rows; i++) {
        double back = any ? then.x[i] + (i % 2 == 0 ? then.offset[i / 2] : 0.0) : 0.0;
        P[i] = first.x[i] + back;
        gained += 0.5 * first.x[i] * (s->u[i] + middle[i]);
        if (any) gained += 0.5 * back * (middle[i] + then.u[i]);
    }
    return gained <= 0.0;
}
