// Operators that act through springs: equations of higher degree.
//
// An operator acts on x1, a spring ties x1 to x2, and x2 is to follow a law: J M^-1 Omega^T = 0,
// the force does not appear in the second derivative of the equation, but it appears in a later
// one. Along the motion, for each such row h,
//
//   d^(base+shift) e_h / dt^(base+shift) = alpha + S mu
//
// with S the same for all orders of the series. So mu[k] follows by looking ahead: run stages k ..
// k+shift with mu[k] = 0, read the coefficient of order k+base+shift of e_h, solve with S, and run
// stage k again. All lower derivatives of e_h are equations for the state itself: hidden ones, on
// which the start and every step are projected.
//
// S is found by trying: mu of one row at a trial value, the others at zero. The trial value is one
// that matters relative to the accelerations that are there anyway, else S would drown in rounding
// (masses of 1e6, a spring of 3).
// SPDX-License-Identifier: MIT
#include "mechanics/degree/relative_degree.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/derivative_array.h"
#include "mechanics/kkt/stage.h"
#include "mechanics/test_hooks.h"
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double* series(const LiaWorkspace* w, uint32_t reg) { return lia_jet_series(&w->jets, reg); }

static double* equation(const LiaWorkspace* w, int c) {
    return series(w, w->dynamics->equation[c]);
}

static double* multiplier(const LiaWorkspace* w, int c) {
    return series(w, w->dynamics->tape->multiplier[w->dynamics->rows[c]]);
}

static double acceleration(const LiaWorkspace* w, int i) {
    return series(w, w->dynamics->tape->acceleration[w->dynamics->free[i]])[0];
}

// to!/from!
static double factorials(int from, int to) {
    double f = 1.0;
    for (int i = from + 1; i <= to; i++) f *= i;
    return f;
}

bool lia_relative_degree_is(const LiaWorkspace* w, int c) {
    for (int h = 0; h < w->forces.degree->count; h++) {
        if (w->forces.degree->row[h] == c) return true;
    }
    return false;
}

void lia_relative_degree_look_ahead(LiaWorkspace* w, int k, int last, int unit) {
    const LiaRelativeDegree* h = w->forces.degree;
    for (int j = k; j <= last; j++) {
        for (int i = 0; i < h->count; i++) {
            multiplier(w, h->row[i])[j] = j == k && i == unit ? w->forces.trial[i] : 0.0;
        }
        lia_stage_begin(w, j);
        lia_stage_solve(w, j);
        lia_jet_reaction(&w->jets, j);  // later orders read what depends on mu[j]
    }
}

static void stage(LiaWorkspace* w, int k) {
    const LiaRelativeDegree* h = w->forces.degree;
    assert(h->count > 0 && w->stage >= LIA_WORKSPACE_FACTORED && k >= 0 && k < w->jets.order);
    double b[64];
    lia_relative_degree_look_ahead(w, k, k + h->ahead, -1);
    for (int i = 0; i < h->count; i++) {
        int top = h->base[i] + h->shift[i];
        b[i] = -factorials(k, k + top) * equation(w, h->row[i])[k + top];
    }
    lia_dense_lu_solve(&w->forces.S_lu, b);
    for (int i = 0; i < h->count; i++) multiplier(w, h->row[i])[k] = b[i];
    lia_stage_begin(w, k);
    lia_stage_solve(w, k);
}

static double power_of_two(double x) { return exp2(round(log2(x))); }

void lia_relative_degree_choose_trials(LiaWorkspace* w, double* plain) {
    double there = 1.0;
    lia_relative_degree_look_ahead(w, 0, 0, -1);
    for (int i = 0; i < w->nf; i++) {
        plain[i] = acceleration(w, i);
        there = fmax(there, fabs(plain[i]));
    }
    for (int g = 0; g < w->forces.degree->count; g++) {
        double most = 0.0;
        lia_relative_degree_look_ahead(w, 0, 0, g);
        for (int i = 0; i < w->nf; i++) most = fmax(most, fabs(acceleration(w, i) - plain[i]));
        if (most > 0.0 && isfinite(there / most)) w->forces.trial[g] = power_of_two(there / most);
    }
}

// The size of the terms that coefficient j of equation i is made of.
static double terms_of(const LiaWorkspace* w, int i, int j) {
    int order = j + (w->forces.degree->base[i] == 1);  // of the positions in it
    double size = 0.0, terms = 0.0;
    LiaEntries J = lia_workspace_J(w, w->forces.degree->row[i]);
    for (int k = 0; k < J.count; k++) size = fmax(size, fabs(J.value[k]));
    for (int k = 0; k < w->nf; k++) {
        const double* q = series(w, w->dynamics->tape->position[w->dynamics->free[k]]);
        terms = fmax(terms, fabs(q[order]) * (order > j ? order : 1));
    }
    return size * terms;
}

bool lia_relative_degree_differs(const LiaWorkspace* w, int i, int j, double without, double part) {
    return fabs(equation(w, w->forces.degree->row[i])[j] - without) > part * terms_of(w, i, j);
}

// Does the force whose trial was looked at last change a lower derivative of a hidden equation than
// the one in which a force appeared at the start?
int lia_relative_degree_early(const LiaWorkspace* w, int rows) {
    const LiaRelativeDegree* h = w->forces.degree;
    int at = 0;
    for (int i = 0; i < rows; i++) {
        int top = h->base[i] + h->shift[i];
        for (int j = h->base[i]; j < top; j++) {
            if (lia_relative_degree_differs(w, i, j, w->forces.level[at + j] / factorials(0, j),
                                            LIA_FORCE_APPEARS_EARLY))
                return 1 + h->row[i];
        }
        at += top;
    }
    return 0;
}

// The largest entry should stand out of what is there without the force: if not, a larger trial.
void lia_relative_degree_column(LiaWorkspace* w, int g, int rows, const double* zero,
                                double* column) {
    const LiaRelativeDegree* h = w->forces.degree;
    for (int attempt = 0; attempt < 3; attempt++) {
        double part = INFINITY;
        lia_relative_degree_look_ahead(w, 0, h->ahead, g);
        for (int i = 0; i < rows; i++) {
            int top = h->base[i] + h->shift[i];
            double change = equation(w, h->row[i])[top] - zero[i];
            column[i] = factorials(0, top) * change / w->forces.trial[g];
            if (change != 0.0) part = fmin(part, fabs(zero[i] / change));
        }
        if (!(part > 16.0 && isfinite(part)) || attempt == 2) break;
        w->forces.trial[g] = power_of_two(w->forces.trial[g] * part);
    }
}

// Column g of S. What rounding makes of the rows goes into `noise`.
static void find_column(LiaWorkspace* w, int g, const double* zero, double* noise) {
    const LiaRelativeDegree* h = w->forces.degree;
    int m = h->count;
    double column[64];
    lia_relative_degree_column(w, g, m, zero, column);
    for (int i = 0; i < m; i++) {
        w->forces.S[i * m + g] = column[i];
        int top = h->base[i] + h->shift[i];
        double blur = LIA_HIGH_DERIVATIVE_ROUNDING * terms_of(w, i, top) / fabs(w->forces.trial[g]);
        noise[i] = fmax(noise[i], factorials(0, top) * blur);
    }
}

// What rounding makes of the rows of S, relative to their size.
static double blur_of_S(const LiaWorkspace* w, const double* noise) {
    int m = w->forces.degree->count;
    double most = 0.0;
    for (int i = 0; i < m; i++) {
        double size = 0.0;
        for (int g = 0; g < m; g++) size = fmax(size, fabs(w->forces.S[i * m + g]));
        if (size > 0.0) most = fmax(most, noise[i] / size);
    }
    return most;
}

void lia_relative_degree_plain(LiaWorkspace* w, double* top) {
    const LiaRelativeDegree* h = w->forces.degree;
    int at = 0;
    lia_relative_degree_look_ahead(w, 0, h->ahead, -1);
    for (int i = 0; i < h->count; i++) {
        int order = h->base[i] + h->shift[i];
        const double* e = equation(w, h->row[i]);
        for (int j = 0; j < order; j++) {
            w->forces.level[at++] =
                factorials(0, j) * e[j] - (j == 0 ? w->phi_start[h->row[i]] : 0.0);
        }
        top[i] = e[order];
    }
}

void lia_relative_degree_levels(LiaWorkspace* w) {
    double top[64];
    if (w->forces.array) {
        lia_derivative_array_residuals(w);
        return;
    }
    lia_relative_degree_plain(w, top);
}

// The levels and S. False where the forces are not decided so.
static bool find_residuals(LiaWorkspace* w) {
    int m = w->forces.degree->count;
    double zero[64], noise[64] = {0};
    lia_relative_degree_plain(w, zero);
    for (int g = 0; g < m; g++) {
        find_column(w, g, zero, noise);
        int early = lia_relative_degree_early(w, m);
        if (!early) continue;
        w->forces.early = early;
        return false;
    }
    w->forces.S_lu.n = m;
    w->forces.S_noise = blur_of_S(w, noise);
    w->forces.S_pivot = lia_dense_lu_factor(&w->forces.S_lu, NULL);
    return w->forces.S_pivot > LIA_S_SINGULAR;
}

bool lia_relative_degree_residuals(LiaWorkspace* w) {
    assert(w->stage >= LIA_WORKSPACE_FACTORED);
    w->stage = LIA_WORKSPACE_FACTORED;  // looking ahead leaves trial forces in the series
    w->forces.undecided = !w->forces.method->decide(w);
    return !w->forces.undecided;
}

LiaRelativeDegree* lia_relative_degree_create(int count) {
    LiaRelativeDegree* h = lia_memory_zeros(1, sizeof *h);
    if (!h) return NULL;
    h->row = lia_memory_zeros((size_t)count * 3 + 1, sizeof *h->row);
    if (!h->row) {
        free(h);
        return NULL;
    }
    h->base = h->row + count;
    h->shift = h->base + count;
    return h;
}

bool lia_relative_degree_among(const LiaRelativeDegree* of, const LiaDynamics* from,
                               const LiaDynamics* to, LiaRelativeDegree** out) {
    LiaRelativeDegree* h = *out = lia_relative_degree_create(of->count);
    if (!h) return false;
    h->count = of->count;
    h->ahead = of->ahead;
    h->levels = of->levels;
    h->derivative_array = of->derivative_array;
    h->equations = of->equations;
    bool all = true;
    for (int i = 0; i < of->count; i++) {
        h->base[i] = of->base[i];
        h->shift[i] = of->shift[i];
        h->row[i] = -1;
        for (uint32_t c = 0; c < to->nc; c++) {
            if (to->rows[c] == from->rows[of->row[i]]) h->row[i] = (int)c;
        }
        all &= h->row[i] >= 0;
    }
    if (all) return true;
    lia_relative_degree_destroy(h);
    *out = NULL;
    return true;
}

void lia_relative_degree_destroy(LiaRelativeDegree* h) {
    if (!h) return;
    free(h->row);
    free(h);
}

void lia_relative_degree_forget(LiaWorkspace* w) {
    free(w->forces.block);
    lia_level_slopes_forget(w);
    free(w->forces.array);
    w->forces = (LiaForceState){.method = &lia_direct, .degree = &lia_direct_no_rows};
}

void lia_relative_degree_detach(LiaWorkspace* w) {
    lia_relative_degree_forget(w);
    w->jets.correct_all = lia_test_hooks(w->system).correct_all;
    for (w->nr = 0; w->nr < w->nc; w->nr++) w->active[w->nr] = w->nr;
}

bool lia_relative_degree_attach(LiaWorkspace* w, const LiaRelativeDegree* h) {
    size_t m = (size_t)h->count;
    LiaForceState* f = &w->forces;
    lia_relative_degree_forget(w);
    f->block = lia_memory_zeros(
        ((size_t)h->levels + m * m + 3 * m + 1) * sizeof(double) + (m + 1) * sizeof(int), 1);
    if (!f->block) return false;
    if (h->derivative_array) {
        f->array = lia_derivative_array_create(h, w->nf);
        if (!f->array) return false;
    }
    f->method = h->derivative_array ? &lia_derivative_array : &lia_relative_degree;
    f->degree = h;
    f->level = f->block;
    f->S = f->level + h->levels;
    f->trial = f->S + m * m;
    double* x = f->trial + m;
    f->S_lu = (LiaLu){.n = (int)m, .A = f->S, .left = x, .right = x + m, .row = (int*)(x + 2 * m)};
    for (size_t g = 0; g < m; g++) f->trial[g] = 1.0;
    w->jets.correct_all = true;  // the equations themselves are read ahead
    w->nr = 0;
    for (int c = 0; c < w->nc; c++) {
        if (!lia_relative_degree_is(w, c)) w->active[w->nr++] = c;
    }
    return true;
}

LIA_KEEP_ALL(LiaRelativeDegree, 8 + 3 * sizeof(int*) + 16);

// Levels are counted again, as relative_degree_find.c does: rooms are made by them.
static bool is_possible(LiaRelativeDegree* h) {
    h->levels = h->derivative_array ? h->count : 0;
    for (int i = 0; i < h->count; i++) {
        h->levels += h->base[i] + h->shift[i];
        if (h->shift[i] > h->ahead) return false;
        for (int k = 0; k < i; k++) {
            if (h->row[k] == h->row[i]) return false;
        }
    }
    return true;
}

void lia_relative_degree_keep(LiaRelativeDegree** degree, LiaKeep* keep, uint32_t rows) {
    LiaRelativeDegree* h = *degree;
    size_t count = lia_keep_length(keep, h ? (size_t)h->count : 0, rows, sizeof(int));
    if (lia_keep_reads(keep)) {
        h = count > 0 ? lia_relative_degree_create((int)count) : NULL;
        if (count > 0 && !h) lia_keep_refuse(keep);
        if (h) h->count = (int)count;
    }
    if (!h) return;
    lia_keep_ints(keep, h->row, count, 0, (int)rows - 1);
    lia_keep_ints(keep, h->base, count, 1, 2);
    lia_keep_ints(keep, h->shift, count, 0, LIA_JET_ORDER_MOST);
    lia_keep_int(keep, &h->ahead, 0, LIA_JET_ORDER_MOST);
    lia_keep_bool(keep, &h->derivative_array);
    lia_keep_int(keep, &h->equations, 0, INT_MAX);
    if (lia_keep_reads(keep) && !(lia_keep_good(keep) && is_possible(h))) {
        lia_keep_refuse(keep);
        lia_relative_degree_destroy(h);
        h = NULL;
    }
    *degree = h;
}

// --- the method ---------------------------------------------------------------------------------

static void accelerate(LiaWorkspace* w) { stage(w, 0); }

bool lia_relative_degree_project_method(LiaWorkspace* w, int order, double* moved, double* energy) {
    if (energy) *energy = 0.0;
    return lia_relative_degree_project(w, order, NULL, moved);
}

static void mark_unique(LiaWorkspace* w) { (void)w; }

static bool lost(const LiaWorkspace* w) {
    return w->forces.undecided || w->forces.S_pivot < LIA_COLLAPSE_PIVOT;
}

void lia_relative_degree_keep_forces(LiaWorkspace* w, LiaKeep* keep) {
    double* begin = w->forces.block;
    size_t doubles = (size_t)((double*)(void*)w->forces.S_lu.row - begin);
    int m = w->forces.degree->count;
    lia_keep_same(keep, doubles);
    lia_keep_doubles(keep, begin, doubles);
    lia_keep_int(keep, &w->forces.S_lu.n, 0, m);
    lia_keep_ints(keep, w->forces.S_lu.row, (size_t)m, 0, m - 1);
    lia_level_slopes_keep(w, keep);
}

int lia_relative_degree_open_rank(LiaWorkspace* w) {
    (void)w;
    return 0;
}

double lia_relative_degree_hidden_blur(const LiaWorkspace* w) { return w->projection.blur; }

const LiaForceMethod lia_relative_degree = {
    .impulses = true,
    .open_rank = lia_relative_degree_open_rank,
    .hidden_blur = lia_relative_degree_hidden_blur,
    .decide = find_residuals,
    .accelerate = accelerate,
    .stage = stage,
    .project = lia_relative_degree_project_method,
    .mark_unique = mark_unique,
    .lost = lost,
    .keep = lia_relative_degree_keep_forces,
};
