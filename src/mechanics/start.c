// Consistent start values. See start.h.
//
// With d = x - x0 the distance from the guess, each Newton step solves
//   min (d + dx)^T M (d + dx)   subject to   J dx = -residual
// for the unknown coordinates: with M = L L^T the solution of least norm of (J L^-T) y = J d - residual,
// dx = L^-T y - d. The pseudo-inverse makes dependent but consistent equations harmless.
// SPDX-License-Identifier: MIT
#include "start.h"
#include "shortest.h"
#include "workspace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Solver {
    const LiaSystem* s;
    LiaWorkspace* w;  // full dynamics: every equation is a row
    int n, m;
    bool* given[2];     // positions, velocities: kept
    double* target[2];  // guesses
    bool* guessed;      // positions whose guess was written down, not taken to be 0
    double* weight;  // of each coordinate in the metric: 1, or small while it follows the guesses
    int* unknown;    // coordinates moved in this solve
    int* row;        // rows used in this solve
    bool moved;      // what was given had to move by more than rounding
    bool nowhere;    // an equation has no value, or no gradient, at the guess: y = 1/x at x = 0
    double* astray;  // positions on a branch of a joint that is not meant
    double* found;   // positions found by another way
    double* nearer;  // admissible positions, while nearer ones are looked for
    double* before;  // the step before
    double *y, *rhs;
    double *L, *B, *sv, *U, *V, *scratch;  // not where the system is sparse
    LiaShortest* shortest;                 // there instead, during a solve
    void* block;
} Solver;

static bool solver_init(Solver* z, const LiaSystem* s) {
    memset(z, 0, sizeof *z);
    z->s = s;
    z->w = lia_workspace_create(s, s->full, 1);
    if (!z->w) return false;
    z->n = z->w->n, z->m = z->w->nc;
    size_t n = (size_t)z->n, m = (size_t)z->m, r = m < n ? m : n;
    bool dense = !z->w->saddle;
    size_t doubles = 9 * n + m;
    if (dense) doubles += n * n + m * n + r + m * r + n * r + lia_svd_work((int)m, (int)n);
    z->block = calloc(doubles * sizeof(double) + (n + m + 2) * sizeof(int) + 3 * n, 1);
    if (!z->block) return false;
    double* x = z->block;
    z->target[0] = x, x += n;
    z->target[1] = x, x += n;
    z->astray = x, x += n;
    z->found = x, x += n;
    z->nearer = x, x += n;
    z->before = x, x += n;
    z->weight = x, x += n;
    for (size_t i = 0; i < n; i++) z->weight[i] = 1.0;
    z->y = x, x += 2 * n;
    z->rhs = x, x += m;
    if (dense) {
        z->L = x, x += n * n;
        z->B = x, x += m * n;
        z->sv = x, x += r;
        z->U = x, x += m * r;
        z->V = x, x += n * r;
        z->scratch = x, x += lia_svd_work((int)m, (int)n);
    }
    z->unknown = (int*)x;
    z->row = z->unknown + n;
    z->given[0] = (bool*)(z->row + m + 1);
    z->given[1] = z->given[0] + n;
    z->guessed = z->given[1] + n;
    return true;
}

static void solver_clear(Solver* z) {
    lia_workspace_destroy(z->w);
    free(z->block);
}

static void evaluate(Solver* z) {
    lia_mechanics_load(z->w, 1);
    lia_mechanics_residuals(z->w);
    lia_mechanics_matrices(z->w);
}

// Rows that matter on a level: geometric ones for positions, all for velocities.
static bool row_counts(const Solver* z, int c, int level) {
    const LiaRow* row = &z->s->rows[z->w->dynamics->rows[c]];
    return level == 1 || (row->geometric && !row->levelled);
}

static double residual_of(const Solver* z, int c, int level) {
    return level == 0 ? z->w->phi[c] : z->w->psi[c];
}

// Scaled by the row and the size of the state.
static double worst_residual(const Solver* z, int level) {
    const LiaWorkspace* w = z->w;
    double size = 1.0, most = 0.0;
    const double* x = level == 0 ? w->q : w->v;
    for (int i = 0; i < z->n; i++) size = fmax(size, fabs(x[i]));
    for (int c = 0; c < z->m; c++) {
        if (!row_counts(z, c, level)) continue;
        double row = 0.0;
        LiaEntries J = lia_mechanics_J(w, c);
        for (int k = 0; k < J.count; k++) row += fabs(J.value[k]);
        double r = fabs(residual_of(z, c, level)) / (size * (row > 0.0 ? fmax(row, 1e-8) : 1.0));
        if (isnan(r)) return NAN;
        if (r > most) most = r;
    }
    return most;
}

// The length of a unit vector or quaternion has no inertia, and does not move: it gets that of its neighbours.
static void add_lengths(Solver* z, int u) {
    const LiaWorkspace* w = z->w;
    for (int c = 0; c < z->m; c++) {
        const LiaRow* row = &z->s->rows[w->dynamics->rows[c]];
        const LiaConstraint* constraint = &z->s->model->constraints[row->constraint];
        if (!constraint->internal || constraint->foot) continue;
        const double* J = w->J + (size_t)c * (size_t)z->n;
        double mass = 0.0;
        for (int i = 0; i < u; i++) {
            if (J[z->unknown[i]] != 0.0) mass = fmax(mass, fabs(z->L[i * u + i]));
        }
        for (int i = 0; i < u; i++) {
            for (int k = 0; k < u; k++) {
                z->L[i * u + k] += mass * J[z->unknown[i]] * J[z->unknown[k]];
            }
        }
    }
}

// M of the unknown coordinates; massless ones get 1. False if it is no finite number.
static bool inertia(Solver* z, int u) {
    const LiaWorkspace* w = z->w;
    const LiaModel* model = z->s->model;
    bool finite = true;
    double heaviest[2] = {0.0, 0.0};
    for (int i = 0; i < u; i++) {
        for (int k = 0; k < u; k++) {
            double x = w->M[z->unknown[i] * z->n + z->unknown[k]] * z->weight[z->unknown[i]] *
                       z->weight[z->unknown[k]];
            if (!isfinite(x)) finite = false;
            z->L[i * u + k] = x;
        }
        double* of_kind = &heaviest[lia_measure_kind(model, z->unknown[i])];
        *of_kind = fmax(*of_kind, fabs(z->L[i * u + i]));
    }
    add_lengths(z, u);
    double most = fmax(heaviest[0], heaviest[1]);
    for (int i = 0; i < u; i++) {
        double* own = &z->L[i * u + i];
        if (model->coordinates[z->unknown[i]].inner) {
            *own = 1e-15 * (most > 0.0 ? most : 1.0);  // it follows the bodies, not its guess
        } else {
            *own = lia_measure_inertia(*own, lia_measure_kind(model, z->unknown[i]), heaviest);
        }
    }
    return finite;
}

// What an equation says is the same for all admissible states, so its square may be added to the metric without moving the
// nearest one: M + sum of weight j j^T, which is positive where M is so on what the equations leave free.
static void add_equations(Solver* z, int u, int m) {
    double heaviest = 0.0;
    for (int i = 0; i < u; i++) heaviest = fmax(heaviest, fabs(z->L[i * u + i]));
    for (int c = 0; c < m; c++) {
        const double* J = z->w->J + (size_t)z->row[c] * (size_t)z->n;
        double square = 0.0;
        for (int i = 0; i < u; i++) square += J[z->unknown[i]] * J[z->unknown[i]];
        if (!(square > 0.0)) continue;
        for (int i = 0; i < u; i++) {
            for (int k = 0; k < u; k++) {
                z->L[i * u + k] += heaviest / square * J[z->unknown[i]] * J[z->unknown[k]];
            }
        }
    }
}

// The metric as L L^T: M; M and the equations where a massless combination is driven; 1 where that fails too.
static void metric(Solver* z, int u, int m) {
    if (inertia(z, u) && lia_cholesky(u, z->L)) return;
    if (inertia(z, u)) {
        add_equations(z, u, m);
        if (lia_cholesky(u, z->L)) return;
    }
    memset(z->L, 0, (size_t)u * (size_t)u * sizeof(double));
    for (int i = 0; i < u; i++) z->L[i * u + i] = 1.0;
}

// y of least norm in the metric with J y = rhs.
static void shortest_dense(Solver* z, int u, int m) {
    const LiaWorkspace* w = z->w;
    int r = m < u ? m : u;
    metric(z, u, m);
    for (int c = 0; c < m; c++) {
        double* row = z->B + (size_t)c * (size_t)u;
        for (int i = 0; i < u; i++) row[i] = w->J[z->row[c] * z->n + z->unknown[i]];
        lia_forward(u, z->L, row);
    }
    lia_svd(m, u, z->B, z->sv, z->U, z->V, z->scratch);
    memset(z->y, 0, (size_t)u * sizeof(double));
    for (int j = 0; j < r; j++) {
        if (!(z->sv[j] > 1e-12 * z->sv[0])) continue;
        double sum = 0.0;
        for (int c = 0; c < m; c++) sum += z->U[c * r + j] * z->rhs[c];
        for (int i = 0; i < u; i++) z->y[i] += z->V[i * r + j] * sum / z->sv[j];
    }
    lia_backward(u, z->L, z->y);
}

// One Newton step; returns its size relative to the state. `pull` 0: the smallest step; 1: the one to the nearest place
// as the equations look from here; between: a part of the way along them.
static double newton_step(Solver* z, int level, double* x, int u, int m, double pull) {
    for (int i = 0; i < z->n; i++) z->y[i] = 0.0;
    for (int i = 0; i < u && pull > 0.0; i++) {
        z->y[z->unknown[i]] = pull * (x[z->unknown[i]] - z->target[level][z->unknown[i]]);
    }
    for (int c = 0; c < m; c++) {
        LiaEntries J = lia_mechanics_J(z->w, z->row[c]);
        double along = 0.0;
        for (int k = 0; k < J.count; k++) along += J.value[k] * z->y[lia_entry_column(&J, k)];
        z->rhs[c] = along - residual_of(z, z->row[c], level);
    }
    if (!z->shortest) {
        shortest_dense(z, u, m);
    } else if (!lia_shortest_find(z->shortest, z->w, z->rhs, z->y)) {
        return 0.0;  // no step: the residual will tell
    }
    double size = 1.0, most = 0.0, turn = 0.0;
    for (int i = 0; i < z->n; i++) size = fmax(size, fabs(x[i]));
    double* step = z->y + z->n;
    for (int i = 0; i < u; i++) {
        int k = z->unknown[i];
        step[i] = pull > 0.0 ? z->y[i] - pull * (x[k] - z->target[level][k]) : z->y[i];
        most = fmax(most, fabs(step[i]));
        if (level == 0 && z->s->model->coordinates[k].manifold == LIA_CIRCLE) {
            turn = fmax(turn, fabs(step[i]));
        }
    }
    // Far away the equations are not what they look like here: no leap beyond ten times the state, and no turn by more
    // than half a radian, or the nearest angle would be left behind.
    double part = most > 10.0 * size ? 10.0 * size / most : 1.0;
    if (part * turn > 0.5) part = 0.5 / turn;
    for (int i = 0; i < u; i++) x[z->unknown[i]] += part * step[i];
    return most / size;
}

// What one equation says of one coordinate alone is put there first, so that the others are looked for beside it and not
// beside 0.
static void put_single(Solver* z, int level, double* x, int m) {
    for (int pass = 0; pass < 8; pass++) {
        double moved = 0.0;
        for (int c = 0; c < m; c++) {
            LiaEntries J = lia_mechanics_J(z->w, z->row[c]);
            int only = -1, count = 0;
            double slope = 0.0;
            for (int k = 0; k < J.count && count < 2; k++) {
                int i = lia_entry_column(&J, k);
                if (J.value[k] == 0.0 || z->given[level][i]) continue;
                only = i;
                slope = J.value[k];
                count++;
            }
            if (count != 1) continue;
            double step = -residual_of(z, z->row[c], level) / slope;
            if (!isfinite(step) || fabs(step) > 10.0 * (1.0 + fabs(x[only]))) continue;
            x[only] += step;
            moved = fmax(moved, fabs(step));
        }
        if (moved == 0.0) return;
        evaluate(z);
        if (moved < 1e-9) return;
    }
}

// Newton steps until they are rounding. Did they arrive?
static bool descend(Solver* z, int level, double* x, int u, int m, bool plain, double* residual) {
    double step = INFINITY;
    *residual = worst_residual(z, level);
    for (int pass = 0; pass < 100; pass++) {
        if (!isfinite(*residual)) break;
        step = newton_step(z, level, x, u, m, plain ? 0.0 : 1.0);
        evaluate(z);
        *residual = worst_residual(z, level);
        if (step < 1e-14 || (step < 1e-11 && *residual < 1e-15)) break;
    }
    return *residual < 1e-12 && step < 1e-6;
}

// From admissible positions along the equations to the nearest ones of this branch. Where the equations are curved, the
// nearest place as they look from here is too far; by how much the last two steps have shown (Barzilai and Borwein 1988).
// The positions stay as they were if that leads nowhere: *nearest is false then.
static double come_nearer(Solver* z, double* x, int u, int m, double residual, bool* nearest) {
    size_t size = (size_t)z->n * sizeof *x;
    double *kept = z->nearer, *before = z->before, *step = z->y + z->n;
    double pull = 0.01, pull_before = 0.0, left = residual, best = INFINITY;
    int since = 0;  // the best of all passes
    *nearest = true;
    memcpy(kept, x, size);
    for (int pass = 0; pass < 500; pass++) {
        double length = newton_step(z, 0, x, u, m, pull);
        evaluate(z);
        left = worst_residual(z, 0);
        if (!(left < 0.1)) break;
        since = length / pull < best ? 0 : since + 1;
        best = fmin(best, length / pull);
        if (best < 1e-14 || (best < 1e-10 && since > 20)) return left;
        double square = 0.0, turned = 0.0;  // <s, s> and <s, change of -step/pull>
        for (int i = 0; i < u && pull_before > 0.0; i++) {
            square += before[i] * before[i];
            turned += before[i] * (before[i] / pull_before - step[i] / pull);
        }
        memcpy(before, step, (size_t)u * sizeof *before);
        pull_before = pull;
        if (turned > 0.0) pull = fmin(1.0, fmax(square / turned, 1e-4));
    }
    *nearest = false;
    memcpy(x, kept, size);
    evaluate(z);
    return residual;
}

// The square of the distance of the positions x from their guesses, in the metric of the kinetic energy there.
static double distance(const Solver* z, const double* x, int u) {
    double sum = 0.0;
    for (int i = 0; i < u; i++) {
        LiaEntries M = lia_mechanics_M(z->w, z->unknown[i]);
        double away = x[z->unknown[i]] - z->target[0][z->unknown[i]];
        for (int k = 0; k < M.count; k++) {
            int j = lia_entry_column(&M, k);
            if (!z->given[0][j]) sum += away * M.value[k] * (x[j] - z->target[0][j]);
        }
    }
    return sum;
}

// Have the equations about positions a value and a gradient in the state that was evaluated?
static bool row_has_value(const Solver* z, int c) {
    LiaEntries J = lia_mechanics_J(z->w, c);
    bool finite = isfinite(z->w->phi[c]);
    for (int k = 0; k < J.count; k++) finite &= isfinite(J.value[k]);
    return finite;
}

static bool has_values(const Solver* z) {
    for (int c = 0; c < z->m; c++) {
        if (row_counts(z, c, 0) && !row_has_value(z, c)) return false;
    }
    return true;
}

static double even(uint64_t* random) {  // in (-1, 1)
    *random ^= *random << 13, *random ^= *random >> 7, *random ^= *random << 17;
    return (double)(*random >> 11) * 0x1p-52 - 1.0;
}

// The guess is a point where an equation has no value: from around it, near ones first, by the shortest way to
// admissible positions and along them to the nearest; the nearest of all is kept. Returns the worst scaled residual
// left, infinite where nothing was found.
static double leave_singular(Solver* z, double* x, int u, int m) {
    enum { WAYS = 4 };  // all forwards, all backwards, and as it comes
    static const double away[] = {0.1, 0.5, 2.5};
    const LiaModel* model = z->s->model;
    double closest = INFINITY, best = INFINITY;
    uint64_t random = 1;
    for (int attempt = 0; attempt < 3 * WAYS; attempt++) {
        int way = attempt % WAYS;
        for (int i = 0; i < u; i++) {
            double nudge = away[attempt / WAYS] * (way == 0   ? 1.0 + 0.37 * (i % 64)
                                                   : way == 1 ? -1.0 - 0.37 * (i % 64)
                                                              : 2.0 * even(&random));
            if (model->coordinates[z->unknown[i]].inner) nudge = 0.0;
            x[z->unknown[i]] = z->target[0][z->unknown[i]] + nudge;
        }
        evaluate(z);
        double residual;
        bool nearest = false;
        if (!descend(z, 0, x, u, m, true, &residual)) continue;
        residual = come_nearer(z, x, u, m, residual, &nearest);
        if (!nearest || !has_values(z) || lia_mechanics_wrong_branch(z->s, x, z->w->t)) continue;
        double squared = distance(z, x, u);
        if (!(squared < closest * (1.0 - 1e-9))) continue;
        closest = squared;
        best = residual;
        memcpy(z->astray, x, (size_t)z->n * sizeof(double));
    }
    const double* to = isfinite(best) ? z->astray : z->target[0];
    for (int i = 0; i < u; i++) x[z->unknown[i]] = to[z->unknown[i]];
    evaluate(z);
    return best;
}

// Newton steps from the guess; from elsewhere if that leads nowhere. Returns the worst scaled residual left.
static double approach(Solver* z, int level, bool free_all, double* x, int u, int m) {
    double best = INFINITY;
    bool astray = false;  // a solution was found, on a branch that is not meant
    bool nearest;
    if (level == 0) z->nowhere = !has_values(z);
    for (int attempt = -1; attempt < 5; attempt++) {
        bool plain = attempt == 0;  // far away the nearest place may be out of reach of these steps
        // then away from a point where the equations say nothing (y = 0 on a circle)
        if (attempt >= 0) {
            for (int i = 0; i < u; i++) {
                double nudge =
                    0.1 * attempt * (1.0 + 0.37 * (i % 64)) * (attempt == 4 ? -1.0 : 1.0);
                if (z->s->model->coordinates[z->unknown[i]].inner) nudge = 0.0;
                x[z->unknown[i]] = z->target[level][z->unknown[i]] + nudge;
            }
            evaluate(z);
        }
        if (attempt < 0 && !free_all) put_single(z, level, x, m);
        if (!descend(z, level, x, u, m, plain, &best)) continue;
        double residual = best;
        if (plain && level == 0 && !free_all) residual = come_nearer(z, x, u, m, best, &nearest);
        if (level == 1 || !lia_mechanics_wrong_branch(z->s, x, z->w->t)) return residual;
        if (astray) continue;  // the first of these solutions is the one to speak of
        memcpy(z->astray, x, (size_t)z->n * sizeof(double));
        astray = true;
    }
    if (!astray) return z->nowhere ? leave_singular(z, x, u, m) : best;
    memcpy(x, z->astray, (size_t)z->n * sizeof(double));
    evaluate(z);
    return worst_residual(z, level);
}

// To admissible positions on the branches that are meant?
static bool arrives(Solver* z, double* x, int u, int m, bool plain) {
    double residual;
    return descend(z, 0, x, u, m, plain, &residual) &&
           !lia_mechanics_wrong_branch(z->s, x, z->w->t);
}

// Another way to the positions: what was guessed is held heavily, and the rest (a 0 nobody wrote) comes to it; from there to the
// nearest place of all. Mechanisms of free bodies are put together so in the assembly that was meant. True if it arrived;
// x is as it was, the place is in `found`.
static bool follow_guesses(Solver* z, double* x, int u, int m, double* squared) {
    bool any = false, all = true;
    for (int i = 0; i < u; i++) {
        if (z->guessed[z->unknown[i]]) {
            any = true;
        } else if (!z->s->model->coordinates[z->unknown[i]].inner) {
            all = false;
        }
    }
    if (!any || all) return false;
    size_t size = (size_t)z->n * sizeof *x;
    double *before = z->astray, residual;
    memcpy(before, x, size);
    for (int i = 0; i < u; i++) {
        if (!z->guessed[z->unknown[i]]) z->weight[z->unknown[i]] = 1e-2;
    }
    descend(z, 0, x, u, m, false, &residual);  // it need not arrive: the shortest way is next
    bool ok = arrives(z, x, u, m, true);
    for (int i = 0; i < z->n; i++) z->weight[i] = 1.0;
    memcpy(z->found, x, size);
    if (ok) *squared = distance(z, x, u);
    if (ok && arrives(z, x, u, m, false) && distance(z, x, u) < *squared) {
        memcpy(z->found, x, size);
        *squared = distance(z, x, u);
    }
    memcpy(x, before, size);
    evaluate(z);
    return ok;
}

// The nearest of the places that the two ways lead to. Returns the worst scaled residual left.
static double find_nearest(Solver* z, int level, bool free_all, double* x, int u, int m) {
    double squared = 0.0;
    bool other = level == 0 && !free_all && follow_guesses(z, x, u, m, &squared);
    double residual = approach(z, level, free_all, x, u, m);
    if (!other) return residual;
    bool good = residual < 1e-12 && !lia_mechanics_wrong_branch(z->s, x, z->w->t);
    if (good && distance(z, x, u) <= squared * (1.0 + 1e-9)) return residual;
    memcpy(x, z->found, (size_t)z->n * sizeof *x);
    evaluate(z);
    return worst_residual(z, level);
}

// Solve one level; `free_all` moves given values too. Returns the worst scaled residual left.
static double solve_level(Solver* z, int level, bool free_all) {
    double* x = level == 0 ? z->w->q : z->w->v;
    int u = 0, m = 0;
    for (int i = 0; i < z->n; i++) {
        if (free_all || !z->given[level][i]) z->unknown[u++] = i;
    }
    for (int c = 0; c < z->m; c++) {
        if (row_counts(z, c, level)) z->row[m++] = c;
    }
    evaluate(z);
    if (m == 0 || u == 0) return m ? worst_residual(z, level) : 0.0;
    LiaShortest shortest;
    if (z->w->saddle) {
        bool ok = lia_shortest_init(&shortest, z->w, z->unknown, u, z->row, m, z->weight);
        z->shortest = &shortest;
        double left = ok ? find_nearest(z, level, free_all, x, u, m) : INFINITY;
        lia_shortest_clear(&shortest);
        z->shortest = NULL;
        return left;
    }
    return find_nearest(z, level, free_all, x, u, m);
}

// Backwards, so that the first statement about a coordinate counts.
static void take_starts(Solver* z) {
    const LiaModel* m = z->s->model;
    for (uint32_t k = m->starts_count; k > 0; k--) {
        const LiaStart* s = &m->starts[k - 1];
        int level = s->velocity ? 1 : 0;
        double* x = level == 0 ? z->w->q : z->w->v;
        z->given[level][s->coordinate] = !s->guess;
        if (level == 0) z->guessed[s->coordinate] = s->guess;
        z->target[level][s->coordinate] = x[s->coordinate] = s->value;
    }
}

static void describe_state(const Solver* z, LiaText* text) {
    bool first = true;
    for (int level = 0; level < 2; level++) {
        const double* x = level == 0 ? z->w->q : z->w->v;
        for (int i = 0; i < z->n && i < 12; i++) {
            if (z->s->model->coordinates[i].inner) continue;
            lia_text_add(text, "%s%s%s = ", first ? "" : ", ", z->s->model->coordinates[i].name,
                         level ? "'" : "");
            lia_text_add_short(text, x[i], 8);
            first = false;
        }
    }
    if (z->n > 12) lia_text_add(text, ", ...");
}

// Two shapes have no places that face each other, or none was found.
static void say_lost(const LiaModel* model, uint32_t foot, LiaDiags* diags) {
    const LiaConstraint* c = &model->constraints[model->feet[foot].constraint];
    lia_diag_error(diags, c->span, "E0306", "where the shapes of '%s' touch was not found",
                   c->name);
    lia_diag_help(
        diags,
        "say in 'start' where the bodies are, near the place; a function of a shape is 0 on its "
        "surface, negative inside, and smooth");
}

enum { SAID_MOST = 12 };  // a mechanism that was not put together has hundreds of residuals

// Shapes that do not touch, by the residual r of one of their equations.
static void say_apart(const LiaConstraint* c, const LiaRow* row, double r, LiaDiags* diags) {
    uint32_t part = row->part + 1;
    if (part < c->gap || part >= c->gap + c->gap_count) {
        lia_diag_error(diags, row->span, "E0305",
                       "the shapes of '%s' do not touch along a line at the start: one of them "
                       "must be turned or moved (left minus right is %.6g)",
                       c->name, r);
    } else if (c->gap_count > 1) {
        lia_diag_error(diags, row->span, "E0305",
                       "the tips of the cones of '%s' are not together at the start: apart by %.6g "
                       "in %c",
                       c->name, fabs(r), "xyz"[part - c->gap]);
    } else {
        lia_diag_error(diags, row->span, "E0305",
                       "the shapes of '%s' do not touch at the start: they %s %s%.6g", c->name,
                       r > 0.0 ? "are apart by" : "overlap by", c->gap_rough ? "about " : "",
                       fabs(r));
    }
}

// Each equation that does not hold, by more than `least` of its row; how many there are. Unit lengths and places of contacts
// are `internal`.
static int say_residuals(Solver* z, int level, bool internal, double least, LiaDiags* diags) {
    const LiaModel* model = z->s->model;
    int said = 0;
    for (int c = 0; c < z->m; c++) {
        if (!row_counts(z, c, level)) continue;
        double r = residual_of(z, c, level);
        const LiaRow* row = &z->s->rows[z->w->dynamics->rows[c]];
        double size = 0.0;
        LiaEntries J = lia_mechanics_J(z->w, c);
        for (int k = 0; k < J.count; k++) size += fabs(J.value[k]);
        if (fabs(r) <= least * fmax(size, 1e-8)) continue;
        const LiaConstraint* constraint = &model->constraints[row->constraint];
        if (constraint->internal != internal) continue;
        if (said++ >= SAID_MOST) continue;
        if (level == 0 && constraint->gap) {
            say_apart(constraint, row, r, diags);
            continue;
        }
        lia_diag_error(
            diags, row->span, "E0301", "the start contradicts '%s': %s is %.6g, not 0",
            model->constraints[row->constraint].name,
            level == 1 && row->geometric ? "the rate of left minus right" : "left minus right", r);
    }
    return said;
}

// "x = 0, y = 0": the coordinates of a row, where it was looked at.
static int add_guesses(const Solver* z, int c, LiaText* text) {
    enum { TOLD = 4 };
    LiaEntries J = lia_mechanics_J(z->w, c);
    int count = 0;
    for (int k = 0; k < J.count; k++) {
        int i = lia_entry_column(&J, k);
        if (J.value[k] == 0.0 || z->s->model->coordinates[i].inner) continue;
        if (count++ >= TOLD) continue;
        lia_text_add(text, "%s%s = ", count > 1 ? ", " : "", z->s->model->coordinates[i].name);
        lia_text_add_short(text, z->target[0][i], 6);
    }
    if (count > TOLD) lia_text_add(text, ", ...");
    return count;
}

// No start was found, and nothing was contradicted: an equation has no value at the guess.
static bool say_nowhere(Solver* z, LiaDiags* diags) {
    for (int c = 0; c < z->m; c++) {
        if (!row_counts(z, c, 0) || row_has_value(z, c)) continue;
        LiaText guesses = {0};
        const LiaRow* row = &z->s->rows[z->w->dynamics->rows[c]];
        bool any = add_guesses(z, c, &guesses) > 0 && guesses.data;
        if (any) {
            lia_diag_error(diags, row->span, "E0308", "no start was found: '%s' has no %s at %s",
                           z->s->model->constraints[row->constraint].name,
                           isfinite(z->w->phi[c]) ? "gradient" : "value", guesses.data);
            lia_diag_help(diags,
                          "no nearest admissible positions were found around there: give others in "
                          "'start', or guess them with '~'");
        }
        lia_text_clear(&guesses);
        if (any) return true;
    }
    return false;
}

// The start contradicts the constraints: say by how much, and what would be admissible.
static void contradiction(Solver* z, int level, LiaDiags* diags) {
    const LiaModel* model = z->s->model;
    if (level == 0 &&
        model->feet_count > 0) {  // how far apart shapes are is asked where they are nearest
        int lost = lia_mechanics_feet(z->s, z->w);
        if (lost) {
            say_lost(model, (uint32_t)lost - 1, diags);
            return;
        }
        evaluate(z);
    }
    if (level == 0 && z->nowhere && say_nowhere(z, diags)) return;
    int said = say_residuals(z, level, false, 1e-9, diags);
    if (said == 0) said = say_residuals(z, level, true, 1e-9, diags);
    if (said == 0) said = say_residuals(z, level, false, 0.0, diags);  // small numbers all of them
    LiaText text = {0};
    if (said > SAID_MOST) lia_text_add(&text, "%d more equations do not hold; ", said - SAID_MOST);
    double left = solve_level(z, 0, true);
    if (left < 1e-9) {
        // as little as possible is moved: the given values are the targets now
        left = solve_level(z, 1, true);
    }
    if (left < 1e-9) {
        lia_text_add(&text, "nearest admissible start: ");
        describe_state(z, &text);
    } else {
        lia_text_add(&text, "no admissible start was found near these values: do the equations "
                            "contradict each other?");
    }
    lia_diag_help(diags, "%s", text.data ? text.data : "");
    lia_text_clear(&text);
}

static bool is_driven(const LiaSystem* s, int coordinate) {
    for (uint32_t k = 0; k < s->reduced->drive_count; k++) {
        if ((int)s->reduced->drives[k].coordinate == coordinate) return true;
    }
    return false;
}

// Write down what was chosen: values not given that came out other than their guess. Those of driven
// coordinates are no choice.
static void note_choices(const Solver* z, LiaText* text) {
    int told = 0;
    if (z->nowhere) {
        lia_text_add(text,
                     "start: at the guess an equation has no value or no gradient; it was looked "
                     "for around it\n");
    }
    for (int level = 0; level < 2; level++) {
        const double* x = level == 0 ? z->w->q : z->w->v;
        for (int i = 0; i < z->n; i++) {
            if (z->given[level][i] || is_driven(z->s, i)) continue;
            if (z->s->model->coordinates[i].inner) continue;
            if (fabs(x[i] - z->target[level][i]) < 1e-15) continue;
            const LiaCoordinate* coordinate = &z->s->model->coordinates[i];
            if (level == 1 && coordinate->manifold == LIA_ROTATION)
                continue;  // told as omega below
            if (told++ >= 12) continue;
            lia_text_add(text, "start: %s%s = ", z->s->model->coordinates[i].name,
                         level ? "'" : "");
            lia_text_add_short(text, x[i], 10);
            lia_text_add(text, ", the nearest admissible value to ");
            lia_text_add_short(text, z->target[level][i], 6);
            lia_text_add(text, "\n");
        }
    }
    const LiaModel* m = z->s->model;
    for (uint32_t k = 0; k < m->groups_count; k++) {
        uint32_t first = m->groups[k].first;
        if (m->groups[k].manifold != LIA_ROTATION || z->given[1][first]) continue;
        const double *q = z->w->q + first, *v = z->w->v + first;
        double rate = fabs(v[0]) + fabs(v[1]) + fabs(v[2]) + fabs(v[3]);
        if (rate < 1e-15 || told++ >= 12) continue;
        lia_text_add(text, "start: omega(%s) = [", m->groups[k].name);
        for (int i = 1; i <= 3; i++) {
            int j = i % 3 + 1, l = j % 3 + 1;
            lia_text_add_short(text, 2.0 * (q[0] * v[i] - v[0] * q[i] + q[j] * v[l] - q[l] * v[j]),
                               8);
            lia_text_add(text, i < 3 ? ", " : "], the nearest admissible to rest\n");
        }
    }
    if (told > 12) lia_text_add(text, "start: and %d more\n", told - 12);
}

// omega(R) = e: the quaternion is known now, so its rate is (0, e) q / 2; in body axes q (0, e) / 2.
static void take_spin(Solver* z, uint32_t first, const double* e, bool body, bool given) {
    const double* q = z->w->q + first;
    double side = body ? -1.0 : 1.0;
    double rate[4] = {-(e[0] * q[1] + e[1] * q[2] + e[2] * q[3]) / 2.0,
                      (q[0] * e[0] + side * (e[1] * q[3] - e[2] * q[2])) / 2.0,
                      (q[0] * e[1] + side * (e[2] * q[1] - e[0] * q[3])) / 2.0,
                      (q[0] * e[2] + side * (e[0] * q[2] - e[1] * q[1])) / 2.0};
    for (uint32_t i = 0; i < 4; i++) {
        z->w->v[first + i] = z->target[1][first + i] = rate[i];
        z->given[1][first + i] = given;
    }
}

// Those of the model, then those of a state to begin from. (The omega of such a rate is the one given up to rounding: of
// all states, those of rotations are the only ones that are not kept to the last bit.)
static void take_spins(Solver* z, const double* given_v) {
    const LiaModel* m = z->s->model;
    for (uint32_t k = 0; k < m->spins_count; k++) {
        const LiaSpin* spin = &m->spins[k];
        take_spin(z, m->groups[spin->group].first, spin->value, spin->body,
                  !spin->guess && !given_v);
    }
    for (uint32_t g = 0; given_v && g < m->groups_count; g++) {
        uint32_t first = m->groups[g].first;
        if (m->groups[g].manifold != LIA_ROTATION || isnan(given_v[first + 1])) continue;
        take_spin(z, first, given_v + first + 1, false, true);
    }
}

// What is small beside 1 may be large beside the state: in a system of micrometres half a micrometre is no rounding.
static bool moved_much(Solver* z, int level, const double* x) {
    double size = 0.0, most = 0.0;
    for (int i = 0; i < z->n; i++) {
        size = fmax(size, fabs(z->target[level][i]));
        most = fmax(most, fabs(x[i] - z->target[level][i]));
    }
    z->moved = most > 1e-3 * size;
    return z->moved;
}

// Attitudes that are open, drawn at random into the targets. False if none is open.
static bool draw_attitudes(Solver* z, uint64_t* random) {
    const LiaModel* m = z->s->model;
    bool any = false;
    for (uint32_t k = 0; k < m->groups_count; k++) {
        uint32_t first = m->groups[k].first;
        double size = 0.0, x[4];
        if (m->groups[k].manifold != LIA_ROTATION || z->given[0][first]) continue;
        for (int i = 0; i < 4; i++) {
            x[i] = even(random);
            size += x[i] * x[i];
        }
        for (int i = 0; i < 4 && size > 0.0; i++)
            z->target[0][first + (uint32_t)i] = x[i] / sqrt(size);
        any = true;
    }
    return any;
}

enum { TRIED_MOST = 500 };  // coordinates

// The bodies of a joint came to stand against each other, as near as they did the other way (axes at right angles at first), or
// no start was found: from other attitudes the branch that is meant is reached, and of several such starts the nearest is taken.
static void try_other_branches(Solver* z) {
    size_t size = (size_t)z->n * sizeof(double);
    double *kept = malloc(3 * size + 1), least = INFINITY;
    if (!kept) return;
    double *found = kept + z->n, *target = found + z->n, *q = z->w->q;
    memcpy(kept, q, size);
    memcpy(target, z->target[0], size);
    uint64_t random = 0x9e3779b97f4a7c15u;
    for (int trial = 0; trial < 8 && draw_attitudes(z, &random); trial++) {
        memcpy(q, z->target[0], size);
        double residual = solve_level(z, 0, false);
        for (int pass = 0; pass < 2; pass++) {  // then back towards what was asked for
            if (!(residual < 1e-12) || lia_mechanics_wrong_branch(z->s, q, z->w->t)) break;
            double distance = 0.0;
            for (int i = 0; i < z->n; i++) distance += (q[i] - target[i]) * (q[i] - target[i]);
            if (distance < least) {
                least = distance;
                memcpy(found, q, size);
            }
            memcpy(z->target[0], target, size);
            residual = solve_level(z, 0, false);
        }
        memcpy(z->target[0], target, size);
    }
    memcpy(z->target[0], target, size);
    memcpy(q, isfinite(least) ? found : kept, size);
    evaluate(z);
    free(kept);
}

static LiaStatus solve(Solver* z, LiaDiags* diags, LiaStartState* start) {
    for (int level = 0; level < 2; level++) {
        double* x = level == 0 ? z->w->q : z->w->v;
        if (level == 1) take_spins(z, start->given_v);
        lia_mechanics_look(z->w, start->ahead);
        double residual = solve_level(z, level, false);
        if (level == 0 && z->n <= TRIED_MOST &&
            (!(residual < 1e-6) || lia_mechanics_wrong_branch(z->s, x, z->w->t) > 0)) {
            try_other_branches(z);
            residual = worst_residual(z, 0);
        }
        if (residual < 1e-12) continue;
        if (residual < 1e-6) {
            memcpy(z->target[level], x, (size_t)z->n * sizeof(double));
            double again = solve_level(z, level, true);
            if (again < 1e-12 && !moved_much(z, level, x)) {
                lia_text_add(&start->choices,
                             "start: the given %s missed the constraints by %.1e "
                             "(rounding); they were projected\n",
                             level ? "velocities" : "positions", residual);
                continue;
            }
        }
        if (z->moved) memcpy(x, z->target[level], (size_t)z->n * sizeof(double));
        evaluate(z);
        memcpy(z->target[level], x, (size_t)z->n * sizeof(double));
        contradiction(z, level, diags);
        return LIA_MODEL;
    }
    return LIA_OK;
}

// Is K0 singular here and not at other admissible states? A straight rope carries no force across, a bent one does: then
// the operator has no hold here, and no hidden equation mends that. Looked at where the positions are drawn elsewhere.
static bool singular_here_alone(Solver* z) {
    size_t size = (size_t)z->n * sizeof(double);
    double* kept = malloc(3 * size + 1);
    bool alone = false;
    if (!kept) return false;
    memcpy(kept, z->w->q, size);
    memcpy(kept + z->n, z->target[0], size);
    memcpy(kept + 2 * z->n, z->w->v, size);
    double scale = 1.0;
    for (int i = 0; i < z->n; i++) scale = fmax(scale, fabs(kept[i]));
    uint64_t random = 88172645463325252u;
    for (int trial = 0; trial < 4 && !alone; trial++) {
        for (int i = 0; i < z->n; i++) {
            double part = 0.5 * even(&random);
            z->target[0][i] = z->w->q[i] = kept[i] + (trial < 2 ? 0.5 : 2.0 * scale) * part;
        }
        double left = solve_level(z, 0, true);
        alone = left < 1e-9 && lia_mechanics_factor(z->w) && z->w->pivot > 1e-9;
    }
    memcpy(z->w->q, kept, size);
    memcpy(z->target[0], kept + z->n, size);
    memcpy(z->w->v, kept + 2 * z->n, size);
    evaluate(z);
    free(kept);
    return alone;
}

// Where K0 is singular because an operator acts through springs, the state must satisfy further, hidden
// equations as well.
static LiaStatus solve_hidden(Solver* z, LiaDiags* diags, LiaText* choices) {
    int row;
    double moved = 0.0;
    LiaStatus status = LIA_OK;
    LiaWorkspace* w = lia_workspace_create(z->s, z->s->full, 2 * z->n + 8 < 40 ? 2 * z->n + 8 : 40);
    bool* fixed = calloc(2 * (size_t)z->n + 1, sizeof *fixed);
    LiaHidden* hidden = NULL;
    if (!w || !fixed) {
        status = LIA_MEMORY;
        goto done;
    }
    w->t = z->w->t;
    memcpy(w->q, z->w->q, (size_t)z->n * sizeof(double));
    memcpy(w->v, z->w->v, (size_t)z->n * sizeof(double));
    lia_mechanics_levels(w);
    hidden = lia_hidden_find(w, &row);
    if (!hidden || hidden->ahead == 0) goto done;  // the run will say what is wrong
    for (int i = 0; i < z->n; i++) {
        fixed[i] = z->given[0][i];
        fixed[z->n + i] = z->given[1][i];
    }
    if (lia_hidden_project(w, 1, fixed, NULL)) {
        memcpy(z->w->q, w->q, (size_t)z->n * sizeof(double));
        memcpy(z->w->v, w->v, (size_t)z->n * sizeof(double));
        goto done;
    }
    memcpy(w->q, z->w->q, (size_t)z->n * sizeof(double));
    memcpy(w->v, z->w->v, (size_t)z->n * sizeof(double));
    if (lia_hidden_project(w, 1, NULL, &moved) && moved < 1e-6) {
        lia_text_add(choices,
                     "start: the given state missed hidden equations by %.1e (rounding); it was "
                     "projected\n",
                     moved);
        memcpy(z->w->q, w->q, (size_t)z->n * sizeof(double));
        memcpy(z->w->v, w->v, (size_t)z->n * sizeof(double));
        goto done;
    }
    status = LIA_MODEL;
    for (int h = 0; h < hidden->count; h++) {
        const LiaRow* r = &z->s->rows[w->dynamics->rows[hidden->row[h]]];
        if (!hidden->shift[h]) continue;
        lia_diag_error(diags, r->span, "E0302",
                       "the start contradicts a hidden equation of '%s': its force appears only in "
                       "derivative %d, "
                       "so the state must satisfy the first %d",
                       z->s->model->constraints[r->constraint].name,
                       hidden->base[h] + hidden->shift[h], hidden->base[h] + hidden->shift[h]);
    }
    memcpy(w->q, z->w->q, (size_t)z->n * sizeof(double));
    memcpy(w->v, z->w->v, (size_t)z->n * sizeof(double));
    if (lia_hidden_project(w, 1, NULL, NULL)) {
        memcpy(z->w->q, w->q, (size_t)z->n * sizeof(double));
        memcpy(z->w->v, w->v, (size_t)z->n * sizeof(double));
        LiaText text = {0};
        describe_state(z, &text);
        lia_diag_help(diags, "nearest admissible start: %s", text.data ? text.data : "");
        lia_text_clear(&text);
    }
done:
    lia_workspace_destroy(w);
    lia_hidden_destroy(hidden);
    free(fixed);
    return status;
}

// Where other equations ask what an eliminated operator asks, its force is one of many.
static bool drives_share(const Solver* z) {
    const LiaDynamics* reduced = z->s->reduced;
    if (reduced == z->s->plain || z->w->nr == z->w->nc) return false;
    lia_mechanics_least_norm(z->w);
    for (uint32_t k = 0; k < reduced->drive_count; k++) {
        if (!z->w->unique[reduced->drive_row[k]]) return true;
    }
    return false;
}

// Inner coordinates begin where the shapes touch or are nearest, unless a state to begin in has them.
static void place_feet(Solver* z) {
    const LiaModel* m = z->s->model;
    bool given = m->feet_count > 0;
    for (int i = 0; i < z->n; i++) given = given && (!m->coordinates[i].inner || z->given[0][i]);
    if (m->feet_count == 0 || given) return;
    lia_mechanics_feet(z->s, z->w);
    for (int i = 0; i < z->n; i++) {
        if (!m->coordinates[i].inner) continue;
        z->target[0][i] = z->w->q[i];
        z->given[0][i] = z->given[1][i] = false;
    }
}

LiaStatus lia_mechanics_start(const LiaSystem* s, LiaDiags* diags, LiaStartState* start) {
    Solver z;
    if (!solver_init(&z, s)) {
        solver_clear(&z);
        return LIA_MEMORY;
    }
    z.w->t = start->t;
    for (int i = 0; i < z.n; i++) z.target[0][i] = z.w->q[i] = s->model->coordinates[i].rest;
    take_starts(&z);
    for (int level = 0; level < 2; level++) {
        double* x = level == 0 ? z.w->q : z.w->v;
        const double* from = level == 0 ? start->given_q : start->given_v;
        for (int i = 0; from && i < z.n; i++) {
            bool turns = s->model->coordinates[i].manifold == LIA_ROTATION;
            z.given[level][i] = !isnan(from[i]) && !(level == 1 && turns);  // see take_spins()
            if (z.given[level][i]) z.target[level][i] = x[i] = from[i];
        }
    }
    place_feet(&z);
    LiaStatus status = solve(&z, diags, start);
    int wrong = status == LIA_OK ? lia_mechanics_wrong_branch(s, z.w->q, start->t) : 0;
    if (wrong) {
        if (wrong > 0) lia_mechanics_say_branch(s, wrong, diags);
        status = wrong > 0 ? LIA_MODEL : LIA_MEMORY;
    }
    bool memory = false;
    if (status == LIA_OK && !lia_mechanics_within_ends(s, z.w->q, start->t, diags, &memory)) {
        status = memory ? LIA_MEMORY : LIA_MODEL;
    }
    if (status == LIA_OK) {
        evaluate(&z);
        if (!lia_mechanics_factor(z.w)) {
            start->singular = singular_here_alone(&z);
            if (!start->singular) status = solve_hidden(&z, diags, &start->choices);
        }
    }
    if (status == LIA_OK) {
        note_choices(&z, &start->choices);
        evaluate(&z);
        lia_mechanics_factor(z.w);
        start->regularity = lia_mechanics_regularity(z.w);
        start->shared = drives_share(&z);
        memcpy(start->q, z.w->q, (size_t)z.n * sizeof(double));
        memcpy(start->v, z.w->v, (size_t)z.n * sizeof(double));
    }
    solver_clear(&z);
    return status;
}
