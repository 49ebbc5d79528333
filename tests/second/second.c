// The second way. See second.h.
// SPDX-License-Identifier: MIT
#include "second.h"
#include "dop853.h"
#include "parts.h"
#include "pivoting.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// K0 = [M -Omega^T; J 0] at the state evaluated last.
static void assemble(Second* s) {
    int n = s->n, size = s->n + s->m;
    memset(s->K, 0, (size_t)(size * size) * sizeof *s->K);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) s->K[i * size + j] = second_value(s, s->M[i * n + j]);
    }
    for (int r = 0; r < s->m; r++) {
        for (int i = 0; i < n; i++) {
            s->K[i * size + n + r] = -second_value(s, s->rows[r].Omega[i]);
            s->K[(n + r) * size + i] = second_value(s, s->rows[r].J[i]);
        }
    }
}

// K0 (a; mu) = (Q - h; -gamma) at a state.
static void equations_at(Second* s, double t, const double* q, const double* v) {
    second_set(s, t, q, v);
    second_evaluate_all(s);
    assemble(s);
    for (int i = 0; i < s->n; i++) s->rhs[i] = second_value(s, s->force[i]);
    for (int r = 0; r < s->m; r++) s->rhs[s->n + r] = -second_value(s, s->rows[r].gamma);
}

bool second_solve(Second* s, double t, const double* q, const double* v, double* a, double* mu) {
    equations_at(s, t, q, v);
    if (pivoting_solve(s->n + s->m, s->K, s->rhs, false, NULL) < s->n) return false;
    if (a) memcpy(a, s->rhs, (size_t)s->n * sizeof *a);
    if (mu) memcpy(mu, s->rhs + s->n, (size_t)s->m * sizeof *mu);
    return true;
}

// Which equations and multipliers are independent at an admissible state: kept until the next one.
static bool choose(Second* s, double t, const double* q, const double* v) {
    equations_at(s, t, q, v);
    return pivoting_solve(s->n + s->m, s->K, s->rhs, false, &s->choice) >= s->n;
}

double second_rank(Second* s, double t, const double* q, const double* v) {
    second_set(s, t, q, v);
    second_evaluate_all(s);
    assemble(s);
    memset(s->rhs, 0, (size_t)(s->n + s->m) * sizeof *s->rhs);
    int rank = pivoting_solve(s->n + s->m, s->K, s->rhs, false, NULL) - s->n;
    return s->m ? (double)rank / s->m : 1.0;
}

// --- projection --------------------------------------------------------------------------------

// One Newton step along the directions the forces have: M d = Omega^T lambda, J d = -residual.
// Positions: kinematic equations ask that the change is admissible (J d = 0).
static bool project_once(Second* s, double t, double* q, double* v, bool positions) {
    second_set(s, t, q, v);
    second_evaluate_all(s);
    assemble(s);
    memset(s->rhs, 0, (size_t)s->n * sizeof *s->rhs);
    for (int r = 0; r < s->m; r++) {
        const Row* row = &s->rows[r];
        double residual = positions ? (row->geometric ? second_value(s, row->equation) : 0.0)
                                    : second_value(s, row->rate);
        s->rhs[s->n + r] = -residual;
    }
    if (pivoting_solve_chosen(s->n + s->m, s->K, s->rhs, &s->choice) < s->n) return false;
    double* x = positions ? q : v;
    for (int i = 0; i < s->n; i++) x[i] += s->rhs[i];
    return true;
}

static bool project(Second* s, double t, double* q, double* v) {
    for (int round = 0; round < 3; round++) {
        if (!project_once(s, t, q, v, true)) return false;
    }
    for (int round = 0; round < 3; round++) {
        if (!project_once(s, t, q, v, false)) return false;
    }
    return true;
}

double second_residual(Second* s, double t, const double* q, const double* v) {
    second_set(s, t, q, v);
    second_evaluate_all(s);
    double most = 0.0;
    for (int r = 0; r < s->m; r++) {
        most = fmax(most, fabs(second_value(s, s->rows[r].rate)));
        if (s->rows[r].geometric) most = fmax(most, fabs(second_value(s, s->rows[r].equation)));
    }
    return most;
}

double second_energy(Second* s, double t, const double* q, const double* v) {
    second_set(s, t, q, v);
    return second_evaluate(s, s->energy);
}

double second_term(Second* s, LiaExpr term, double t, const double* q, const double* v,
                   const double* work) {
    LiaExpr f = second_lower(s, term);
    if (!second_solve(s, t, q, v, s->a_last, s->mu_last)) return NAN;
    second_set(s, t, q, v);
    s->a_now = s->a_last;
    s->mu_now = s->mu_last;
    s->work_now = work;
    return second_evaluate(s, f);
}

// --- motion ------------------------------------------------------------------------------------

// y = (q, v, works)
static bool rate(void* context, double t, const double* y, double* dy) {
    Second* s = context;
    int n = s->n;
    const double *q = y, *v = y + n;
    equations_at(s, t, q, v);
    if (s->watch.fraction > 0.0) second_watch_look(s);
    if (pivoting_solve_chosen(n + s->m, s->K, s->rhs, &s->choice) < n) return false;
    memcpy(s->a_last, s->rhs, (size_t)n * sizeof *s->a_last);
    memcpy(s->mu_last, s->rhs + n, (size_t)s->m * sizeof *s->mu_last);
    second_set(s, t, q, v);
    s->mu_now = s->mu_last;
    second_evaluate_late(s);
    memcpy(dy, v, (size_t)n * sizeof *dy);
    memcpy(dy + n, s->a_last, (size_t)n * sizeof *dy);
    for (int i = 0; i < s->lines; i++) dy[2 * n + i] = second_value(s, s->power[i]);
    for (int i = 0; i < 2 * n; i++) {
        if (!isfinite(dy[i])) return false;
    }
    return true;
}

static bool too_long(void* context) { return second_watch_moved(context); }

// Back to the admissible states by the equations the step was made with, and a new choice there.
// Equations that have become independent on the way were not asked: they must hold all the same.
static bool admit(Second* s, double t, double* y) {
    double *q = y, *v = y + s->n;
    if (s->m == 0) return true;
    int before = s->choice.rank;
    if (!project(s, t, q, v) || !choose(s, t, q, v)) return false;
    return s->choice.rank == before || (second_residual(s, t, q, v) < 1e-10 && project(s, t, q, v));
}

static bool accept(void* context, double t, double* y) {
    Second* s = context;
    if (!admit(s, t, y)) return false;
    if (s->watch.fraction > 0.0) {
        Dop853 problem = {.n = 2 * (size_t)s->n + (size_t)s->lines, .context = s, .rate = rate};
        second_events_look(s, &problem, t, y);
        s->watch_begins = true;
    }
    return true;
}

void second_watch(Second* s, SecondWatch watch) {
    s->watch = watch;
    s->found_count = 0;
    s->steps = 0;
    memset(s->size, 0, (2 * (size_t)s->n + (size_t)s->lines) * sizeof *s->size);
}

const SecondEvent* second_found(const Second* s, uint32_t* count) {
    *count = s->found_count;
    return s->found;
}

uint64_t second_steps(const Second* s) { return s->steps; }
const double* second_sizes(const Second* s) { return s->size; }

bool second_run(Second* s, double t0, double t1, double tolerance, double* q, double* v,
                double* work) {
    size_t n = (size_t)s->n, size = 2 * n + (size_t)s->lines;
    double* y = calloc(size, sizeof *y);
    memcpy(y, q, n * sizeof *y);
    memcpy(y + n, v, n * sizeof *y);
    if (work) memcpy(y + 2 * n, work, (size_t)s->lines * sizeof *y);
    Dop853 problem = {
        .n = size, .tolerance = tolerance, .context = s, .rate = rate, .accept = accept};
    bool good = choose(s, t0, q, v);
    if (good && s->watch.fraction > 0.0) {
        problem.too_long = too_long;
        problem.longest = s->watch.longest;
        problem.steps_most = s->watch.steps_most;
        problem.shorter = fmin(1.0, s->watch.fraction);
        second_events_begin(s, &problem, t0, y);
        s->watch_begins = true;
    }
    good = good && dop853_run(&problem, t0, t1, y);
    memcpy(q, y, n * sizeof *y);
    memcpy(v, y + n, n * sizeof *y);
    if (work) memcpy(work, y + 2 * n, (size_t)s->lines * sizeof *y);
    free(y);
    return good;
}
