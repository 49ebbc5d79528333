// A start for the second way, by a solver of its own: what operators say of a coordinate is put
// there; then the nearest positions to the guesses that keep what is given, of those coordinates
// that are in one set with an equation that does not hold, a set at a time as far as inertia goes;
// then velocities likewise, all of them.
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

// The metric among the unknowns: that of M, where a massless one counts 1; Euclidean if M is
// singular on what the equations leave free (M + J^T J is singular then). Between coordinates of
// two sets it is 0.
static void metric(Second* s, const bool* given, const int* set, bool positions, double* W) {
    int n = s->n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            bool both = !given[i] && !given[j] && (!set || set[i] == set[j]);
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

// One step towards the nearest x to x0 in the metric W that satisfies c(x) = 0 and keeps what is
// given:
//   W (x - x0) = J^T lambda,   J (x - x0) = J (x_now - x0) - c(x_now)
// Positions that a kinematic equation speaks of are not moved by it: only geometric rows count.
typedef struct Wanted {
    double* x0;   // guesses, positions or velocities
    bool* given;  // kept
    int* set;     // of each coordinate; NULL: all are one
    bool positions;
} Wanted;

static double nearest_step(Second* s, double t, double* q, double* v, const Wanted* wanted) {
    const double* x0 = wanted->x0;
    const bool *given = wanted->given, positions = wanted->positions;
    int n = s->n, size = s->n + s->m;
    double* x = positions ? q : v;
    second_set(s, t, q, v);
    second_evaluate_all(s);
    double* W = calloc((size_t)(n * n) + 1, sizeof *W);
    metric(s, given, wanted->set, positions, W);
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
    // While the unknowns are not there yet, equations on given values contradict each other a
    // little.
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
    for (uint32_t i = 0; i < model->start.spins_count; i++) {
        const LiaSpin* spin = &model->start.spins[i];
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

// --- which positions move -----------------------------------------------------------------------

// Has equation r coordinate i in it?
static bool has(const Second* s, const Row* row, int i) {
    return row->geometric && !lia_graph_is_zero(s->g, row->J[i]);
}

// How far equation r is from holding; 0 for one that positions have no part in.
static double missed(Second* s, int r) {
    return s->rows[r].geometric ? fabs(second_value(s, s->rows[r].equation)) : 0.0;
}

typedef struct Positions {
    double t, *q;
    const double* v;
    double* x0;  // guesses
    bool* kept;
} Positions;

// Row r is solved for coordinate i, if it is of the first degree in it. False, and as it was: it is
// not.
static bool solve_for(Second* s, const Row* row, int i, const Positions* p) {
    second_set(s, p->t, p->q, p->v);
    second_evaluate_all(s);
    double slope = second_value(s, row->J[i]), before = p->q[i];
    p->q[i] -= second_value(s, row->equation) / slope;
    second_set(s, p->t, p->q, p->v);
    second_evaluate_all(s);
    bool good = second_value(s, row->J[i]) == slope &&
                fabs(second_value(s, row->equation)) < 1e-13 * (1.0 + fabs(p->q[i]));
    if (!good) p->q[i] = before;
    return good;
}

// Which coordinate equation e of operator c is solved for: the one that stands alone on its left,
// or the only one that is not kept.
static void set_by(Second* s, const LiaConstraint* c, int r, uint32_t e, const Positions* p) {
    const Row* row = &s->rows[r];
    LiaExpr left = c->equations[e].left;
    uint32_t number = lia_graph_node(s->model->graph, left)->a;
    int open = 0, one = -1;
    if (!row->geometric || c->equations[e].turn.index) return;
    for (int i = 0; i < s->n; i++) {
        if (has(s, row, i) && !p->kept[i]) open++, one = i;
    }
    bool alone =
        lia_graph_is_symbol(s->model->graph, left, LIA_SYMBOL_POSITION) && !p->kept[number];
    int i = alone ? (int)number : open == 1 ? one : -1;
    if (i < 0 || !solve_for(s, row, i, p)) return;
    p->x0[i] = p->q[i];
    p->kept[i] = open == 1;
}

// As often as laws may stand on each other. A value stays put where nothing else in its equation
// can move.
static void set_driven(Second* s, const Positions* p) {
    const LiaModel* m = s->model;
    for (int round = 0; round < s->n + 2; round++) {
        for (uint32_t c = 0; c < m->constraints_count; c++) {
            const LiaConstraint* of = &m->constraints[c];
            for (uint32_t e = 0; of->active && e < of->equation_count; e++)
                set_by(s, of, s->first_row[c] + (int)e, e, p);
        }
    }
}

// together[i][k]: some chain of equations leads from i to k. set[i] is the first of them; those
// without an equation that misses are kept.
static void find_sets(Second* s, double t, const double* q, const double* v, bool* kept, int* set) {
    int n = s->n;
    bool* together = calloc((size_t)(n * n) + 1, sizeof *together);
    bool* moves = calloc((size_t)n + 1, sizeof *moves);
    second_set(s, t, q, v);
    second_evaluate_all(s);
    for (int r = 0; r < s->m; r++) {
        for (int i = 0; i < n * n; i++) {
            int a = i / n, b = i % n;
            bool both = has(s, &s->rows[r], a) && has(s, &s->rows[r], b);
            together[i] = together[i] || (both && !kept[a] && !kept[b]);
        }
    }
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n * n; i++)
            together[i] = together[i] || (together[i / n * n + k] && together[k * n + i % n]);
    }
    for (int i = 0; i < n; i++) {
        set[i] = i;
        for (int k = i; k >= 0; k--) set[i] = together[i * n + k] ? k : set[i];
    }
    for (int r = 0; r < s->m; r++) {
        for (int i = 0; i < n && missed(s, r) > 1e-14; i++)
            moves[set[i]] = moves[set[i]] || (has(s, &s->rows[r], i) && !kept[i]);
    }
    for (int i = 0; i < n; i++) kept[i] = kept[i] || !moves[set[i]];
    free(together);
    free(moves);
}

static void go_nearest(Second* s, double t, double* q, double* v, const Wanted* wanted) {
    double change = 1.0;
    for (int round = 0; round < 200 && change > 1e-15; round++) {
        change = nearest_step(s, t, q, v, wanted);
        if (!isfinite(change)) break;
    }
}

static double worst_position(Second* s, double t, const double* q, const double* v) {
    double most = 0.0;
    second_set(s, t, q, v);
    second_evaluate_all(s);
    for (int r = 0; r < s->m; r++) {
        double now = missed(s, r);
        if (!(now <= most)) most = now;
    }
    return most;
}

// Those that have to move; all that are not given, where that does not lead to admissible ones.
static void find_positions(Second* s, double t, double* q, double* v, const double* guess,
                           const bool* given) {
    size_t n = (size_t)s->n;
    Wanted wanted = {.x0 = calloc(n + 1, sizeof(double)),
                     .given = calloc(n + 1, sizeof(bool)),
                     .set = calloc(n + 1, sizeof(int)),
                     .positions = true};
    memcpy(wanted.x0, guess, n * sizeof *guess);
    memcpy(wanted.given, given, n * sizeof *given);
    set_driven(s, &(Positions){t, q, v, wanted.x0, wanted.given});
    find_sets(s, t, q, v, wanted.given, wanted.set);
    go_nearest(s, t, q, v, &wanted);
    if (!(worst_position(s, t, q, v) < 1e-10)) {
        memcpy(q, guess, n * sizeof *q);
        memcpy(wanted.x0, guess, n * sizeof *guess);
        memcpy(wanted.given, given, n * sizeof *given);
        Wanted all = wanted;
        all.set = NULL;
        go_nearest(s, t, q, v, &all);
    }
    free(wanted.x0);
    free(wanted.given);
    free(wanted.set);
}

bool second_start(Second* s, double t, double* q, double* v) {
    size_t n = (size_t)s->n;
    bool* given = calloc(2 * n + 1, sizeof *given);
    double* x0 = calloc(2 * n + 1, sizeof *x0);
    for (size_t i = 0; i < n; i++) x0[i] = s->model->coordinates[i].rest;
    for (uint32_t i = 0; i < s->model->start.values_count; i++) {
        const LiaStart* start = &s->model->start.values[i];
        size_t k = start->coordinate + (start->velocity ? n : 0);
        x0[k] = start->value;
        given[k] = !start->guess;
    }
    memcpy(q, x0, n * sizeof *q);
    memcpy(v, x0 + n, n * sizeof *v);
    find_positions(s, t, q, v, x0, given);
    set_spins(s->model, q, v, given + n);
    memcpy(x0 + n, v, n * sizeof *v);
    go_nearest(s, t, q, v, &(Wanted){.x0 = x0 + n, .given = given + n});
    free(given);
    free(x0);
    double residual = second_residual(s, t, q, v);
    return residual < 1e-10;
}
