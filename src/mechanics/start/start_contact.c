// Where shapes touch when a motion starts: the inner coordinates of contacts, found for bodies as
// they stand.
//
// F(x) = 0, as many equations as unknowns, by Levenberg and Marquardt from several guesses:
//   (J^T J + lambda D) dx = -J^T F,   D the diagonal of J^T J
// Of the solutions that of the largest (or smallest) gap is taken: for two convex bodies that is
// the place where they are nearest, the others are at far sides.
// The parameter of a curve is where the curve is nearest: looked for on a grid about 0 that grows
// coarser, then between.
// SPDX-License-Identifier: MIT
#include "base/numeric/golden_section.h"
#include "base/numeric/newton.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/build.h"
#include "mechanics/start/start.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12, TRIALS = 9 };

typedef struct Search {
    const LiaSystem* s;
    LiaWorkspace* w;  // full dynamics
    const LiaContactPoint* foot;
    int n;              // unknowns and equations
    int row[MOST];      // rows of w
    double kept[MOST];  // the unknowns before the last step
    LiaValues values;
} Search;

static bool find_rows(Search* z) {
    int count = 0;
    for (int c = 0; c < z->w->nc; c++) {
        if (z->s->rows[z->w->dynamics->rows[c]].constraint != z->foot->constraint) continue;
        if (count == MOST) return false;
        z->row[count++] = c;
    }
    z->n = count;
    return count == (int)z->foot->count;
}

static double* unknowns(const Search* z) { return z->w->q + z->foot->first; }

// F, and with `J` the derivatives; the sum of the squares of F, NAN where it has no value.
static double evaluate(Search* z, double* F, double* J) {
    LiaWorkspace* w = z->w;
    lia_workspace_update(w, 1);
    if (J) lia_workspace_matrices(w);
    double sum = 0.0;
    for (int i = 0; i < z->n; i++) {
        F[i] = w->phi[z->row[i]];
        sum += F[i] * F[i];
        if (!J) continue;
        for (int k = 0; k < z->n; k++) J[i * z->n + k] = 0.0;
        LiaEntries row = lia_workspace_J(w, z->row[i]);
        for (int e = 0; e < row.count; e++) {
            int k = lia_entry_column(&row, e) - (int)z->foot->first;
            if (k >= 0 && k < z->n) J[i * z->n + k] = row.value[e];
        }
    }
    return sum;
}

static bool solve_damped(int n, const double* F, const double* J, double lambda, double* dx) {
    double A[MOST * MOST];
    for (int i = 0; i < n; i++) {
        dx[i] = 0.0;
        for (int k = 0; k < n; k++) {
            A[i * n + k] = 0.0;
            for (int r = 0; r < n; r++) A[i * n + k] += J[r * n + i] * J[r * n + k];
        }
        for (int r = 0; r < n; r++) dx[i] -= J[r * n + i] * F[r];
    }
    for (int i = 0; i < n; i++) A[i * n + i] += lambda * (A[i * n + i] + LIA_FOOT_DIAGONAL);
    if (!lia_dense_cholesky(n, A)) return false;
    lia_dense_forward(n, A, dx);
    lia_dense_backward(n, A, dx);
    return true;
}

static double damped_step(void* of, double lambda) {
    Search* z = of;
    double F[MOST], J[MOST * MOST], dx[MOST], *x = unknowns(z), most = 0.0;
    evaluate(z, F, J);
    memcpy(z->kept, x, (size_t)z->n * sizeof *x);
    if (!solve_damped(z->n, F, J, lambda, dx)) return NAN;
    for (int i = 0; i < z->n; i++) {
        x[i] += dx[i];
        most = fmax(most, fabs(dx[i]));
    }
    return most;
}

static double squares_at(void* of) {
    double F[MOST];
    return evaluate(of, F, NULL);
}

static void step_back(void* of) {
    Search* z = of;
    memcpy(unknowns(z), z->kept, (size_t)z->n * sizeof *z->kept);
}

// From the unknowns as they stand; true where the equations hold then.
static bool descend(Search* z) {
    const LiaNewton newton = {
        .of = z,
        .residual = squares_at,
        .step = damped_step,
        .back = step_back,
        .rules = {.passes = 60,
                  .found = LIA_FOOT_FOUND,
                  .damping = LIA_FOOT_DAMPING,
                  .damping_least = LIA_FOOT_DAMPING_LEAST,
                  .damping_most = LIA_FOOT_DAMPING_MOST},
    };
    double sum = squares_at(z);
    return sum < LIA_FOOT_FOUND || lia_newton_run(&newton, sum).residual < LIA_FOOT_FOUND_LATE;
}

// Guess number `trial`: as it stands, longer and shorter, and turned towards the axes.
static void set_guess(Search* z, const double* guess, int trial) {
    double* x = unknowns(z);
    double size = sqrt(guess[0] * guess[0] + guess[1] * guess[1] + guess[2] * guess[2]);
    bool known = isfinite(size) && size > LIA_FOOT_NO_GUESS;
    for (int i = 0; i < z->n; i++) x[i] = isfinite(guess[i]) ? guess[i] : 0.0;
    if (!known) {
        x[0] = x[1] = 0.0;
        x[2] = size = 1.0;
    }
    double scale = trial == 1 ? 0.3 : trial == 2 ? 3.0 : 1.0;
    for (int i = 0; i < 3; i++) x[i] *= scale;
    if (trial >= 3) x[(trial - 3) / 2] += trial % 2 ? size : -size;
    if (!z->foot->unit) return;
    double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int i = 0; i < 3; i++) x[i] = length > LIA_FOOT_NO_GUESS ? x[i] / length : i == 2;
}

static bool find(Search* z, const LiaContactPointFormulas* formulas) {
    double guess[MOST], best[MOST], best_gap = NAN;
    LiaSymbols at = {.t = z->w->t, .parameters = z->s->parameters, .q = z->w->q, .v = z->w->v};
    lia_evaluate_run(&z->values, &at);
    for (int i = 0; i < z->n; i++) guess[i] = lia_value(&z->values, formulas->guesses[i]);
    for (int trial = 0; trial < TRIALS; trial++) {
        if (z->foot->unit && (trial == 1 || trial == 2)) continue;
        set_guess(z, guess, trial);
        if (!descend(z)) continue;
        lia_evaluate_run(&z->values, &at);
        if (formulas->positive.index && !(lia_value(&z->values, formulas->positive) > 0.0))
            continue;
        double gap = lia_value(&z->values, formulas->gap);
        double better = z->foot->least ? best_gap - gap : gap - best_gap;
        if (isnan(best_gap) || better > LIA_FOOT_NEARER * (1.0 + fabs(gap))) {
            best_gap = gap;
            memcpy(best, unknowns(z), (size_t)z->n * sizeof *best);
        }
    }
    if (isnan(best_gap)) {
        set_guess(z, guess, 0);
        return false;
    }
    memcpy(unknowns(z), best, (size_t)z->n * sizeof *best);
    return true;
}

// --- the parameter of a curve

typedef struct Square {
    Search* z;
    const LiaContactPointFormulas* formulas;
} Square;

// The square of the distance at parameter s.
static double square_at(void* context, double s) {
    Search* z = ((Square*)context)->z;
    LiaSymbols at = {.t = z->w->t, .parameters = z->s->parameters, .q = z->w->q, .v = z->w->v};
    *unknowns(z) = s;
    lia_evaluate_run(&z->values, &at);
    double square = lia_value(&z->values, ((Square*)context)->formulas->gap);
    return isfinite(square) ? square : INFINITY;
}

static double next_of_grid(double s) {
    return s < LIA_CURVE_GRID_FIRST ? LIA_CURVE_GRID_FIRST
           : s < 0.1                ? 1.15 * s
           : s < 8.0                ? s + 0.1
                                    : 1.05 * s;
}

// Outwards from 0, so that of places equally near that of the smallest parameter is taken.
static bool find_nearest_place(Search* z, const LiaContactPointFormulas* formulas) {
    Square of = {z, formulas};
    double best = 0.0, least = square_at(&of, 0.0);
    for (double s = 0.0; s < LIA_CURVE_GRID_END; s = next_of_grid(s)) {
        double next = next_of_grid(s), after = next_of_grid(next);
        for (int sign = 1; sign >= -1; sign -= 2) {
            double middle = square_at(&of, sign * next);
            double lower = s == 0.0 ? -LIA_CURVE_GRID_FIRST : s;  // about 0 from both sides
            if (middle > square_at(&of, sign * s) || middle > square_at(&of, sign * after))
                continue;
            double place = lia_golden_section_least(square_at, &of, sign * lower, sign * after, 60);
            double square = square_at(&of, place);
            if (square < least - LIA_FOOT_NEARER * (1.0 + least)) least = square, best = place;
        }
    }
    *unknowns(z) = best;
    return isfinite(least);
}

int lia_start_contact_find(const LiaSystem* s, LiaWorkspace* w) {
    int lost = 0;
    for (uint32_t k = 0; k < s->model->contact_points_count; k++) {
        const LiaContactPointFormulas* formulas = &s->branches.contact_points[k];
        Search z = {.s = s, .w = w, .foot = &s->model->contact_points[k]};
        LiaExpr roots[MOST + 2];
        uint32_t count = 0;
        if (z.foot->nearest)
            z.n = 1;
        else if (!find_rows(&z))
            return 1 + (int)k;
        for (int i = 0; i < z.n; i++) roots[count++] = formulas->guesses[i];
        roots[count++] = formulas->gap;
        roots[count++] = formulas->positive;
        if (!lia_evaluate_init(&z.values, s->graph, roots, count)) return 1 + (int)k;
        bool found = z.foot->nearest ? find_nearest_place(&z, formulas) : find(&z, formulas);
        if (!found && !lost) lost = 1 + (int)k;
        lia_evaluate_clear(&z.values);
    }
    return lost;
}

bool lia_start_contact_build(LiaSystem* s, LiaResolver* resolver) {
    const LiaModel* m = s->model;
    s->branches.contact_points =
        LIA_ARENA_NEW(s->arena, LiaContactPointFormulas, m->contact_points_count + 1);
    if (!s->branches.contact_points) return false;
    for (uint32_t k = 0; k < m->contact_points_count; k++) {
        const LiaContactPoint* foot = &m->contact_points[k];
        LiaContactPointFormulas* out = &s->branches.contact_points[k];
        out->guesses = LIA_ARENA_NEW(s->arena, LiaExpr, foot->count + 1);
        if (!out->guesses) return false;
        for (uint32_t i = 0; i < foot->count; i++)
            out->guesses[i] = lia_resolve_term(resolver, foot->guesses[i]);
        out->gap = lia_resolve_term(resolver, foot->gap);
        if (foot->positive.index) out->positive = lia_resolve_term(resolver, foot->positive);
    }
    return true;
}
