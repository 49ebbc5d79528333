// Which places stay at the same distance.
//
// The distance d of two places is the same in every admissible motion where its gradient is a sum
// of rows of the constraints, d' = d_q v = 0 for all v with J v = 0. That is looked at where the
// numbers of this motion say so: two pendulums that swing side by side keep their distance as well,
// and no rod is between them. Operators do not count: what somebody moves is no rod.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/page/guess/guess.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 3, NUMBERS_MOST = 400000 };

struct LiaFreedom {
    size_t instant[STATES];  // which of the instants
    double* rows[STATES];    // an orthonormal basis of the rows of J there   (count x n)
    uint32_t count[STATES];
    bool known;
};

// The rows of J that hold by themselves.
static uint32_t take_rows(LiaGuess* guess, LiaExpr* J) {
    const LiaSystem* s = guess->s;
    uint32_t count = 0;
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        bool good = !s->model->constraints[row->constraint].active && row->linear;
        const LiaExpr* by = row->geometric ? s->q : s->v;
        if (good && lia_diff_gradient(guess->g, row->equation, by, s->n, J + (size_t)count * s->n))
            count++;
    }
    return count;
}

// x without what of it is along the basis: how much is left.
static double across(const double* basis, uint32_t count, uint32_t n, double* x) {
    double left = 0.0;
    for (uint32_t k = 0; k < count; k++) {
        const double* e = basis + (size_t)k * n;
        double along = 0.0;
        for (uint32_t i = 0; i < n; i++) along += e[i] * x[i];
        for (uint32_t i = 0; i < n; i++) x[i] -= along * e[i];
    }
    for (uint32_t i = 0; i < n; i++) left = hypot(left, x[i]);
    return left;
}

// Gram and Schmidt, twice for each row; what is left of less than LIA_GUESS_ACROSS is no row of its
// own.
static uint32_t make_basis(double* rows, uint32_t count, uint32_t n) {
    uint32_t kept = 0;
    for (uint32_t r = 0; r < count; r++) {
        double* x = rows + (size_t)kept * n;
        double before = 0.0, after = 0.0;
        if (kept != r) memcpy(x, rows + (size_t)r * n, n * sizeof *x);
        for (uint32_t i = 0; i < n; i++) before = hypot(before, x[i]);
        for (int pass = 0; pass < 2; pass++) after = across(rows, kept, n, x);
        if (!(after > LIA_GUESS_ACROSS * before)) continue;
        for (uint32_t i = 0; i < n; i++) x[i] /= after;
        kept++;
    }
    return kept;
}

static bool find_freedom(LiaGuess* guess) {
    if (guess->freedom) return guess->freedom->known;
    const LiaSystem* s = guess->s;
    struct LiaFreedom* f = LIA_ARENA_NEW(guess->scene->arena, struct LiaFreedom, 1);
    if (!f) return false;
    *f = (struct LiaFreedom){0};
    guess->freedom = f;
    size_t size = (size_t)s->row_count * s->n;
    LiaExpr* J = size <= NUMBERS_MOST ? lia_memory_zeros(size + 1, sizeof *J) : NULL;
    if (!J) return false;
    uint32_t count = take_rows(guess, J);
    f->known = true;
    for (int k = 0; k < STATES; k++) {
        f->instant[k] = (size_t)k * (guess->instant_count - 1) / (STATES - 1);
        f->rows[k] = lia_memory_take(((size_t)count * s->n + 1) * sizeof **f->rows);
        f->known = f->known && f->rows[k] &&
                   lia_scene_values(guess->scene, J, (size_t)count * s->n,
                                    &guess->instants[f->instant[k]], 1, f->rows[k]);
        if (f->known) f->count[k] = make_basis(f->rows[k], count, s->n);
    }
    free(J);
    return f->known;
}

void lia_guess_rigid_clear(LiaGuess* guess) {
    for (int k = 0; guess->freedom && k < STATES; k++) free(guess->freedom->rows[k]);
}

static const double origin[3] = {0.0, 0.0, 0.0};

// By the numbers of this motion.
static bool is_constant(const LiaGuess* guess, const LiaGuessPoint* a, const LiaGuessPoint* b) {
    double first = lia_guess_distance(a->where[0], b ? b->where[0] : origin);
    for (size_t k = 1; k < guess->instant_count; k++) {
        double now = lia_guess_distance(a->where[k], b ? b->where[k] : origin);
        if (!(fabs(now - first) <= LIA_GUESS_RIGID * first)) return false;
    }
    return first > 0.0;
}

// Is r . dr/dq, r from b to a, a sum of rows at the states?
static bool is_held(LiaGuess* guess, const LiaGuessPoint* a, const LiaGuessPoint* b) {
    uint32_t n = guess->s->n;
    const struct LiaFreedom* f = guess->freedom;
    LiaExpr* A = lia_memory_zeros(3 * (size_t)n + 1, sizeof *A);
    double* x = lia_memory_zeros(4 * (size_t)n + 1, sizeof *x);
    bool held = A && x;
    for (int k = 0; held && k < 3; k++) {
        LiaExpr r = b ? lia_graph_sub(guess->g, a->at[k], b->at[k]) : a->at[k];
        held = lia_diff_gradient(guess->g, r, guess->s->q, n, A + (size_t)k * n);
    }
    for (int s = 0; held && s < STATES; s++) {
        size_t instant = f->instant[s];
        held = lia_scene_values(guess->scene, A, 3 * (size_t)n, &guess->instants[instant], 1, x);
        double *gradient = x + 3 * (size_t)n, size = 0.0;
        memset(gradient, 0, n * sizeof *gradient);
        for (int k = 0; held && k < 3; k++) {
            double r = a->where[instant][k] - (b ? b->where[instant][k] : 0.0);
            for (uint32_t i = 0; i < n; i++) {
                gradient[i] += r * x[(size_t)k * n + i];
                size = hypot(size, x[(size_t)k * n + i]);
            }
        }
        size *= lia_guess_distance(a->where[instant], b ? b->where[instant] : origin);
        held = held && across(f->rows[s], f->count[s], n, gradient) <= LIA_GUESS_ACROSS * size;
    }
    free(A);
    free(x);
    return held;
}

bool lia_guess_rigid_is_rigid(LiaGuess* guess, const LiaGuessPoint* a, const LiaGuessPoint* b) {
    if (a->still && (!b || b->still)) return false;
    if (!is_constant(guess, a, b)) return false;
    // too large to look at: three instants or more that agree are taken for it
    return find_freedom(guess) ? is_held(guess, a, b) : guess->instant_count > 2;
}
