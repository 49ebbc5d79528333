// The nearest admissible state: the ways to it, and the choice between them. See search.h.
// SPDX-License-Identifier: MIT
#include "mechanics/start/search/search.h"
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/kkt/scaling.h"
#include "mechanics/start/start.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lia_search_init(LiaSearch* z, const LiaSystem* s) {
    memset(z, 0, sizeof *z);
    z->s = s;
    z->w = lia_workspace_create(s, s->full, 1);
    if (!z->w) return false;
    z->n = z->w->n, z->nc = z->w->nc;
    size_t n = (size_t)z->n, m = (size_t)z->nc, r = m < n ? m : n;
    bool dense = z->w->saddle.method->full;
    size_t doubles = 11 * n + m;
    if (dense) doubles += n * n + m * n + r + m * r + n * r + lia_dense_svd_work((int)m, (int)n);
    z->block =
        lia_memory_zeros(doubles * sizeof(double) + (3 * n + m + 2) * sizeof(int) + 4 * n, 1);
    if (!z->block) return false;
    double* x = z->block;
    z->target[0] = x, x += n;
    z->target[1] = x, x += n;
    z->kept.astray = x, x += n;
    z->kept.found = x, x += n;
    z->kept.nearer = x, x += n;
    z->kept.closest = x, x += n;
    z->before = x, x += n;
    z->weight = x, x += n;
    for (size_t i = 0; i < n; i++) z->weight[i] = 1.0;
    z->y = x, x += n;
    z->step = x, x += n;
    z->driven.asked = x, x += n;
    z->rhs = x, x += m;
    if (dense) {
        z->dense.L = x, x += n * n;
        z->dense.B = x, x += m * n;
        z->dense.sv = x, x += r;
        z->dense.U = x, x += m * r;
        z->dense.V = x, x += n * r;
        z->dense.scratch = x, x += lia_dense_svd_work((int)m, (int)n);
    }
    z->unknown = (int*)x;
    z->row = z->unknown + n;
    z->part = z->row + m + 1;
    z->driven.by = z->part + n;
    for (size_t i = 0; i < n; i++) z->driven.by[i] = -1;
    z->given[0] = (bool*)(z->driven.by + n);
    z->given[1] = z->given[0] + n;
    z->guessed = z->given[1] + n;
    z->driven.set = z->guessed + n;
    return true;
}

void lia_search_clear(LiaSearch* z) {
    lia_workspace_destroy(z->w);
    free(z->block);
}

// --- the equations in a state -------------------------------------------------------------------

void lia_search_evaluate(LiaSearch* z) {
    lia_workspace_update(z->w, 1);
    lia_workspace_matrices(z->w);
}

bool lia_search_row_counts(const LiaSearch* z, int c, int level) {
    const LiaRow* row = &z->s->rows[z->w->dynamics->rows[c]];
    return level == 1 || (row->geometric && !row->integrated);
}

bool lia_search_row_has_value(const LiaSearch* z, int c) {
    LiaEntries J = lia_workspace_J(z->w, c);
    bool finite = isfinite(z->w->phi[c]);
    for (int k = 0; k < J.count; k++) finite &= isfinite(J.value[k]);
    return finite;
}

double lia_search_row_size(const LiaSearch* z, int c) {
    LiaEntries J = lia_workspace_J(z->w, c);
    double size = 0.0;
    for (int k = 0; k < J.count; k++) size += fabs(J.value[k]);
    return size;
}

double lia_search_residual(const LiaSearch* z, int c, int level) {
    return level == 0 ? z->w->phi[c] : z->w->psi[c];
}

// By what a row moves with the coordinates that it depends on: one that has run away to where the
// row does not depend on it any more makes nothing small.
double lia_search_missed(const LiaSearch* z, int c, int level) {
    const LiaWorkspace* w = z->w;
    const double* x = level == 0 ? w->q : w->v;
    LiaEntries J = lia_workspace_J(w, c);
    double size = 0.0;
    for (int k = 0; k < J.count; k++)
        size += fabs(J.value[k]) * fmax(fabs(x[w->dynamics->free[lia_entry_column(&J, k)]]), 1.0);
    return fabs(lia_search_residual(z, c, level)) /
           (size > 0.0 ? fmax(size, LIA_START_ROW_LEAST) : 1.0);
}

double lia_search_worst(const LiaSearch* z, int level) {
    double most = 0.0;
    for (int c = 0; c < z->nc; c++) {
        if (!lia_search_row_counts(z, c, level)) continue;
        double r = lia_search_missed(z, c, level);
        if (isnan(r)) return NAN;
        if (r > most) most = r;
    }
    return most;
}

static bool has_values(const LiaSearch* z) {
    for (int c = 0; c < z->nc; c++) {
        if (lia_search_row_counts(z, c, 0) && !lia_search_row_has_value(z, c)) return false;
    }
    return true;
}

bool lia_search_astray(const LiaSearch* z) {
    return lia_branch_is_wrong(z->s, z->w->q, z->w->t) != 0;
}

// --- from places around the guess ---------------------------------------------------------------

// The i-th unknown coordinate, beside its guess. Inner ones follow the bodies.
static void put_beside(LiaSearch* z, int i, double nudge) {
    int k = z->unknown[i];
    if (z->s->model->coordinates[k].inner) nudge = 0.0;
    z->x[k] = z->target[z->level][k] + nudge;
}

// The guess is a point where an equation has no value: from around it, near ones first, by the
// shortest way to admissible positions and along them to the nearest; the nearest of all is kept.
// Returns the worst scaled residual left, infinite where nothing was found.
static double leave_singular(LiaSearch* z) {
    enum { WAYS = 4 };  // all forwards, all backwards, and as it comes
    static const double away[] = {0.1, 0.5, 2.5};
    double closest = INFINITY, best = INFINITY;
    uint64_t random = 1;
    for (int attempt = 0; attempt < 3 * WAYS && !lia_watch_asked(); attempt++) {
        int way = attempt % WAYS;
        for (int i = 0; i < z->u; i++) {
            double nudge = way == 0   ? 1.0 + 0.37 * (i % 64)
                           : way == 1 ? -1.0 - 0.37 * (i % 64)
                                      : 2.0 * lia_random_even(&random);
            put_beside(z, i, away[attempt / WAYS] * nudge);
        }
        lia_search_evaluate(z);
        double residual;
        bool nearest = false;
        if (!lia_descent(z, true, &residual)) continue;
        residual = lia_descent_come_nearer(z, residual, &nearest);
        if (!nearest || !has_values(z) || lia_search_astray(z)) continue;
        double squared = lia_metric_distance(z);
        if (!(squared < closest * (1.0 - LIA_START_NEARER))) continue;
        closest = squared;
        best = residual;
        memcpy(z->kept.astray, z->x, (size_t)z->n * sizeof(double));
    }
    const double* to = isfinite(best) ? z->kept.astray : z->target[0];
    for (int i = 0; i < z->u; i++) z->x[z->unknown[i]] = to[z->unknown[i]];
    lia_search_evaluate(z);
    return best;
}

static bool right_branch(const LiaSearch* z) { return !lia_search_astray(z); }

// What Newton steps left is kept where that is not much worse: they end where they cannot be
// improved.
static double go_downhill(LiaSearch* z, double left) {
    memcpy(z->kept.astray, z->x, (size_t)z->n * sizeof *z->x);
    double residual = lia_downhill_run(z, false, right_branch);
    if (residual < 0.5 * left || !isfinite(left)) return residual;
    memcpy(z->x, z->kept.astray, (size_t)z->n * sizeof *z->x);
    lia_search_evaluate(z);
    return left;
}

// Positions were found, kept in astray, where axes of a joint stand against each other: to where
// they are along each other, or back.
static double turn_axes(LiaSearch* z) {
    double residual = lia_downhill_run(z, true, right_branch);
    if (residual < LIA_START_FOUND && !lia_search_astray(z)) return residual;
    memcpy(z->x, z->kept.astray, (size_t)z->n * sizeof(double));
    lia_search_evaluate(z);
    return lia_search_worst(z, 0);
}

// Steps that lead nowhere may end far out: of all states met the one to speak of, and to go on
// from, is the best.
static double back_to_closest(LiaSearch* z, double left) {
    if (!isfinite(z->kept.missed)) return left;
    memcpy(z->x, z->kept.closest, (size_t)z->n * sizeof *z->x);
    lia_search_evaluate(z);
    return lia_search_worst(z, z->level);
}

// Newton steps from the guess; from elsewhere if that leads nowhere. Returns the worst scaled
// residual left.
static double approach(LiaSearch* z) {
    double best = INFINITY;
    bool astray = false;  // a solution was found, on a branch that is not meant
    bool nearest;
    if (z->level == 0) z->nowhere = !has_values(z);
    for (int attempt = -1; attempt < 5 && !lia_watch_asked(); attempt++) {
        bool plain = attempt == 0;  // far away the nearest place may be out of reach of these steps
        // then away from a point where the equations say nothing (y = 0 on a circle)
        for (int i = 0; attempt >= 0 && i < z->u; i++) {
            double side = attempt == 4 ? -1.0 : 1.0;
            put_beside(z, i, 0.1 * attempt * (1.0 + 0.37 * (i % 64)) * side);
        }
        if (attempt >= 0) lia_search_evaluate(z);
        if (attempt < 0 && !z->free_all) lia_descent_put_single(z);
        if (!lia_descent(z, plain, &best)) continue;
        double residual = best;
        if (plain && z->level == 0 && !z->free_all) {
            residual = lia_descent_come_nearer(z, best, &nearest);
        }
        if (z->level == 1 || !lia_search_astray(z)) return residual;
        if (astray) continue;  // the first of these solutions is the one to speak of
        memcpy(z->kept.astray, z->x, (size_t)z->n * sizeof(double));
        astray = true;
    }
    if (!astray && z->nowhere) return leave_singular(z);
    if (!astray) {
        best = back_to_closest(z, best);
        return z->level == 0 ? go_downhill(z, best) : best;
    }
    return turn_axes(z);
}

// --- what was guessed first, then the rest ------------------------------------------------------

// To admissible positions on the branches that are meant?
static bool arrives(LiaSearch* z, bool plain) {
    double residual;
    return lia_descent(z, plain, &residual) && !lia_search_astray(z);
}

// Some positions were guessed, and some not.
static bool guessed_in_part(const LiaSearch* z) {
    bool any = false, all = true;
    for (int i = 0; i < z->u; i++) {
        int k = z->unknown[i];
        if (z->guessed[k]) {
            any = true;
        } else if (!z->s->model->coordinates[k].inner) {
            all = false;
        }
    }
    return any && !all;
}

// Another way to the positions: what was guessed is held heavily, and the rest (a 0 nobody wrote)
// comes to it; from there to the nearest place of all. Mechanisms of free bodies are put together
// so in the assembly that was meant. True if it arrived; x is as it was, the place is in `found`.
static bool follow_guesses(LiaSearch* z, double* squared) {
    if (!guessed_in_part(z)) return false;
    size_t size = (size_t)z->n * sizeof *z->x;
    double *before = z->kept.astray, residual;
    memcpy(before, z->x, size);
    for (int i = 0; i < z->u; i++) {
        if (!z->guessed[z->unknown[i]]) z->weight[z->unknown[i]] = LIA_UNGUESSED_WEIGHT;
    }
    lia_descent(z, false, &residual);  // it need not arrive: the shortest way is next
    bool ok = arrives(z, true);
    for (int i = 0; i < z->n; i++) z->weight[i] = 1.0;
    memcpy(z->kept.found, z->x, size);
    if (ok) *squared = lia_metric_distance(z);
    if (ok && arrives(z, false) && lia_metric_distance(z) < *squared) {
        memcpy(z->kept.found, z->x, size);
        *squared = lia_metric_distance(z);
    }
    memcpy(z->x, before, size);
    lia_search_evaluate(z);
    return ok;
}

// --- the nearest of all -------------------------------------------------------------------------

// The nearest of the places that the two ways lead to. Returns the worst scaled residual left.
static double nearest_of_both(LiaSearch* z) {
    double squared = 0.0;
    bool other = z->level == 0 && !z->free_all && follow_guesses(z, &squared);
    double residual = approach(z);
    if (!other) return residual;
    bool good = residual < LIA_START_FOUND && !lia_search_astray(z);
    if (good && lia_metric_distance(z) <= squared * (1.0 + LIA_START_NEARER)) return residual;
    memcpy(z->x, z->kept.found, (size_t)z->n * sizeof *z->x);
    lia_search_evaluate(z);
    return lia_search_worst(z, z->level);
}

bool lia_search_moves(const LiaSearch* z, int i) {
    if (z->free_all) return true;
    return !z->given[z->level][i] && (!z->apart || z->part[i] >= 0);
}

bool lia_search_coupled(const LiaSearch* z, int i, int k) {
    return !z->apart || z->part[i] == z->part[k];
}

// Where some coordinates move: an equation of none of them says nothing about them. Elimination
// would have to find that out; a singular value decomposition need not, and is more exact with more
// rows than columns.
static bool counts(const LiaSearch* z, int c) {
    const LiaPattern* J = &z->w->dynamics->J;
    bool any = !z->apart || z->w->saddle.method->full;
    for (int e = J->start[c]; e < J->start[c + 1] && !any; e++)
        any = lia_search_moves(z, J->column[e]);
    return any && lia_search_row_counts(z, c, z->level);
}

// Which coordinates move, and which equations count.
static void choose(LiaSearch* z, int level, bool free_all) {
    z->level = level;
    z->free_all = free_all;
    z->x = level == 0 ? z->w->q : z->w->v;
    z->u = z->m = 0;
    for (int i = 0; i < z->n; i++) {
        if (lia_search_moves(z, i)) z->unknown[z->u++] = i;
    }
    for (int c = 0; c < z->nc; c++) {
        if (counts(z, c)) z->row[z->m++] = c;
    }
    lia_search_evaluate(z);
}

double lia_search_find(LiaSearch* z, int level, bool free_all) {
    choose(z, level, free_all);
    z->kept.missed = INFINITY;
    if (z->m == 0 || z->u == 0) return lia_search_worst(z, level);
    if (z->w->saddle.method->full) return nearest_of_both(z);
    LiaMinNormStep shortest;
    bool ok = lia_min_norm_step_init(&shortest, z->w,
                                     (LiaMinNormAsked){z->unknown, z->u, z->row, z->m, z->weight});
    shortest.part = z->apart ? z->part : NULL;
    z->shortest = &shortest;
    double left = ok ? nearest_of_both(z) : INFINITY;
    lia_min_norm_step_clear(&shortest);
    z->shortest = NULL;
    return left;
}

// Equations affine in the velocities have one nearest solution.
static bool all_affine(const LiaSearch* z) {
    bool affine = z->level == 1;
    for (int c = 0; c < z->m; c++) affine &= z->s->rows[z->w->dynamics->rows[z->row[c]]].linear;
    return affine;
}

double lia_search_moved(const LiaSearch* z) {
    const LiaModel* model = z->s->model;
    const double* guess = z->target[z->level];
    double size[2] = {0.0, 0.0}, most = 0.0;
    for (int i = 0; i < z->n; i++) {
        double* of_kind = &size[lia_scaling_kind(model, i)];
        if (!model->coordinates[i].inner)
            *of_kind = fmax(*of_kind, fmax(fabs(z->x[i]), fabs(guess[i])));
    }
    for (int i = 0; i < z->u; i++) {
        int k = z->unknown[i];
        double own = size[lia_scaling_kind(model, k)];
        if (own > 0.0 && !model->coordinates[k].inner)
            most = fmax(most, fabs(z->x[k] - guess[k]) / own);
    }
    return most;
}

// Nothing is drawn where shapes touch: which of the places where they do is meant is decided
// otherwise.
static bool can_draw(const LiaSearch* z) {
    return z->m > 0 && z->u > 0 && z->w->saddle.method->full &&
           !(z->level == 0 && z->s->model->contact_points_count > 0);
}

double lia_search_further(LiaSearch* z, int level, double residual) {
    choose(z, level, false);
    if (!can_draw(z) || all_affine(z) || (level == 0 && z->nowhere)) return residual;
    memcpy(z->kept.found, z->x, (size_t)z->n * sizeof *z->x);
    double left = lia_nearer_far(z);
    if (left < LIA_START_FOUND) return left;
    memcpy(z->x, z->kept.found, (size_t)z->n * sizeof *z->x);
    lia_search_evaluate(z);
    return residual;
}

// Where equations have corners (abs, max, if) the nearest place may be at one: no slope leads
// there.
static bool has_corners(const LiaSearch* z) {
    LiaValues values = {0};
    bool corners = false;
    LiaExpr* roots = lia_memory_zeros((size_t)z->m + 1, sizeof *roots);
    if (!roots) return true;
    for (int c = 0; c < z->m; c++) roots[c] = z->s->rows[z->w->dynamics->rows[z->row[c]]].equation;
    if (!lia_evaluate_init(&values, z->s->graph, roots, (size_t)z->m)) corners = true;
    for (uint32_t k = 0; k < values.count && !corners; k++) {
        LiaOp op = (LiaOp)z->s->graph->nodes[values.nodes[k]].op;
        corners = op == LIA_OP_ABS || op == LIA_OP_SIGN || op == LIA_OP_MIN || op == LIA_OP_MAX ||
                  op == LIA_OP_IF || op == LIA_OP_WRAP;
    }
    lia_evaluate_clear(&values);
    free(roots);
    return corners;
}

double lia_search_nearer(LiaSearch* z, int level, double residual) {
    choose(z, level, false);
    z->doubt[level] = false;
    if (z->m == 0 || z->u == 0 || all_affine(z) || !(lia_search_moved(z) > LIA_START_STAYED))
        return residual;
    bool corners = has_corners(z);
    if (!can_draw(z)) {
        z->doubt[level] = true;
        return residual;
    }
    residual = lia_nearer_around(z);
    z->doubt[level] |= corners;
    return residual;
}
