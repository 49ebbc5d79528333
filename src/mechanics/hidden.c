// Operators that act through springs: equations of higher degree.
//
// An operator acts on x1, a spring ties x1 to x2, and x2 is to follow a law: J M^-1 Omega^T = 0, the force
// does not appear in the second derivative of the equation, but it appears in a later one. Along the
// motion, for each such row h,
//
//   d^(base+shift) e_h / dt^(base+shift) = alpha + S mu
//
// with S the same for all orders of the series. So mu[k] follows by looking ahead: run stages k .. k+shift
// with mu[k] = 0, read the coefficient of order k+base+shift of e_h, solve with S, and run stage k again.
// All lower derivatives of e_h are equations for the state itself: hidden ones, on which the start
// and every step are projected.
//
// S is found by trying: mu of one row at a trial value, the others at zero. The trial value is one that matters
// beside the accelerations that are there anyway, else S would drown in rounding (masses of 1e6, a spring of 3).
// SPDX-License-Identifier: MIT
#include "../base/orthogonal.h"
#include "together.h"
#include <float.h>
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

bool lia_hidden_is(const LiaWorkspace* w, int c) {
    for (int h = 0; h < w->hidden->count; h++) {
        if (w->hidden->row[h] == c) return true;
    }
    return false;
}

// Stages k .. last with the forces of hidden rows at zero from order k on, but for `unit` (-1: none),
// which has its trial value at order k.
static void look_ahead(LiaWorkspace* w, int k, int last, int unit) {
    const LiaHidden* h = w->hidden;
    for (int j = k; j <= last; j++) {
        for (int i = 0; i < h->count; i++) {
            multiplier(w, h->row[i])[j] = j == k && i == unit ? w->trial[i] : 0.0;
        }
        lia_stage_begin(w, j);
        lia_stage_solve(w, j);
        lia_jet_reaction(&w->jets, j);  // later orders read what depends on mu[j]
    }
}

void lia_hidden_stage(LiaWorkspace* w, int k) {
    const LiaHidden* h = w->hidden;
    if (w->together) {
        lia_together_stage(w, k);
        return;
    }
    double b[64];
    look_ahead(w, k, k + h->ahead, -1);
    for (int i = 0; i < h->count; i++) {
        int top = h->base[i] + h->shift[i];
        b[i] = -factorials(k, k + top) * equation(w, h->row[i])[k + top];
    }
    lia_lu_solve(&w->S_lu, b);
    for (int i = 0; i < h->count; i++) multiplier(w, h->row[i])[k] = b[i];
    lia_stage_begin(w, k);
    lia_stage_solve(w, k);
}

static double power_of_two(double x) { return exp2(round(log2(x))); }

void lia_hidden_choose_trials(LiaWorkspace* w, double* plain) {
    double there = 1.0;
    look_ahead(w, 0, 0, -1);
    for (int i = 0; i < w->nf; i++) {
        plain[i] = acceleration(w, i);
        there = fmax(there, fabs(plain[i]));
    }
    for (int g = 0; g < w->hidden->count; g++) {
        double most = 0.0;
        look_ahead(w, 0, 0, g);
        for (int i = 0; i < w->nf; i++) most = fmax(most, fabs(acceleration(w, i) - plain[i]));
        if (most > 0.0 && isfinite(there / most)) w->trial[g] = power_of_two(there / most);
    }
}

// Is coefficient j of equation i another than `without`, by more than this part of the terms it is made of? What is less than
// that is rounding, or has no hold yet.
static bool differs(const LiaWorkspace* w, int i, int j, double without, double part) {
    int order = j + (w->hidden->base[i] == 1);  // of the positions in it
    double size = 0.0, terms = 0.0;
    LiaEntries J = lia_mechanics_J(w, w->hidden->row[i]);
    for (int k = 0; k < J.count; k++) size = fmax(size, fabs(J.value[k]));
    for (int k = 0; k < w->nf; k++) {
        const double* q = series(w, w->dynamics->tape->position[w->dynamics->free[k]]);
        terms = fmax(terms, fabs(q[order]) * (order > j ? order : 1));
    }
    return fabs(equation(w, w->hidden->row[i])[j] - without) > part * size * terms;
}

// Does the force whose trial was looked at last change a lower derivative of a hidden equation than the one in which a force
// appeared at the start? 1 + that row, or 0.
static int appears_early(const LiaWorkspace* w) {
    const LiaHidden* h = w->hidden;
    int at = 0;
    for (int i = 0; i < h->count; i++) {
        int top = h->base[i] + h->shift[i];
        for (int j = h->base[i]; j < top; j++) {
            if (differs(w, i, j, w->level[at + j] / factorials(0, j), 1e-9)) return 1 + h->row[i];
        }
        at += top;
    }
    return 0;
}

// Column g of S. Its largest entry should stand out of what is there without the force: if not, a larger trial.
static void find_column(LiaWorkspace* w, int g, const double* zero) {
    const LiaHidden* h = w->hidden;
    int m = h->count;
    for (int attempt = 0; attempt < 3; attempt++) {
        double part = INFINITY;
        look_ahead(w, 0, h->ahead, g);
        for (int i = 0; i < m; i++) {
            int top = h->base[i] + h->shift[i];
            double change = equation(w, h->row[i])[top] - zero[i];
            w->S[i * m + g] = factorials(0, top) * change / w->trial[g];
            if (change != 0.0) part = fmin(part, fabs(zero[i] / change));
        }
        if (!(part > 16.0 && isfinite(part))) return;
        w->trial[g] = power_of_two(w->trial[g] * part);
    }
}

// The levels with the forces of hidden rows at zero; `top` gets the coefficients in which these appear.
static void find_levels(LiaWorkspace* w, double* top) {
    const LiaHidden* h = w->hidden;
    int at = 0;
    look_ahead(w, 0, h->ahead, -1);
    for (int i = 0; i < h->count; i++) {
        int order = h->base[i] + h->shift[i];
        const double* e = equation(w, h->row[i]);
        for (int j = 0; j < order; j++) {
            w->level[at++] = factorials(0, j) * e[j] - (j == 0 ? w->level0[h->row[i]] : 0.0);
        }
        top[i] = e[order];
    }
}

void lia_hidden_levels(LiaWorkspace* w) {
    double top[64];
    if (w->together) {
        lia_together_residuals(w);
        return;
    }
    find_levels(w, top);
}

// The levels and S. False where the forces are not decided so.
static bool find_residuals(LiaWorkspace* w) {
    int m = w->hidden->count;
    double zero[64];
    find_levels(w, zero);
    for (int g = 0; g < m; g++) {
        find_column(w, g, zero);
        int early = appears_early(w);
        if (!early) continue;
        w->early = early;
        return false;
    }
    w->S_lu.n = m;
    w->S_pivot = lia_lu_factor(&w->S_lu, NULL);
    return w->S_pivot > 1e-13;
}

bool lia_hidden_residuals(LiaWorkspace* w) {
    w->undecided = !(w->together ? lia_together_residuals(w) : find_residuals(w));
    return !w->undecided;
}

// --- finding the degrees -----------------------------------------------------------------------

LiaHidden* lia_hidden_create(int count) {
    LiaHidden* h = calloc(1, sizeof *h);
    if (!h) return NULL;
    h->row = calloc((size_t)count * 3 + 1, sizeof *h->row);
    if (!h->row) {
        free(h);
        return NULL;
    }
    h->base = h->row + count;
    h->shift = h->base + count;
    return h;
}

void lia_hidden_destroy(LiaHidden* h) {
    if (!h) return;
    free(h->row);
    free(h);
}

bool lia_hidden_attach(LiaWorkspace* w, const LiaHidden* h) {
    size_t m = (size_t)h->count;
    free(w->hidden_block);
    lia_hidden_forget(w);
    free(w->together);
    w->together = NULL;
    if (h->together) {
        w->together = lia_together_create(h, w->nf);
        if (!w->together) return false;
    }
    w->hidden_block =
        calloc(((size_t)h->levels + m * m + 3 * m + 1) * sizeof(double) + (m + 1) * sizeof(int), 1);
    if (!w->hidden_block) return false;
    w->level = w->hidden_block;
    w->S = w->level + h->levels;
    w->trial = w->S + m * m;
    double* x = w->trial + m;
    w->S_lu = (LiaLu){.n = (int)m, .A = w->S, .left = x, .right = x + m, .row = (int*)(x + 2 * m)};
    for (size_t g = 0; g < m; g++) w->trial[g] = 1.0;
    w->hidden = h;
    w->jets.correct_all = true;  // the equations themselves are read ahead
    w->nr = 0;
    for (int c = 0; c < w->nc; c++) {
        if (!lia_hidden_is(w, c)) w->active[w->nr++] = c;
    }
    return true;
}

static bool of_operator(const LiaWorkspace* w, int c) {
    const LiaSystem* s = w->system;
    return s->model->constraints[s->rows[w->dynamics->rows[c]].constraint].active;
}

// How far one looks ahead before the degrees are known.
static void look_far(LiaHidden* h, int shift) {
    h->ahead = shift;
    h->levels = 0;
    for (int i = 0; i < h->count; i++) {
        h->shift[i] = shift;
        h->levels += h->base[i] + shift;
    }
}

// The equations of all operators; NULL where there are none, or too many.
static LiaHidden* list_operators(const LiaWorkspace* w) {
    int count = 0;
    for (int c = 0; c < w->nc; c++) count += of_operator(w, c);
    if (count == 0 || count > 60) return NULL;
    LiaHidden* h = lia_hidden_create(count);
    for (int c = 0; h && c < w->nc; c++) {
        if (!of_operator(w, c)) continue;
        h->row[h->count] = c;
        h->base[h->count++] = w->system->rows[w->dynamics->rows[c]].geometric ? 2 : 1;
    }
    return h;
}

static bool regular_without(LiaWorkspace* w, const LiaHidden* h) {
    if (!lia_hidden_attach(w, h)) return false;
    lia_mechanics_load(w, w->jets.order);
    lia_mechanics_residuals(w);
    return lia_mechanics_factor(w) && w->nr + h->count == w->nc;
}

static void take_out(LiaHidden* h, int i) {
    size_t rest = (size_t)(h->count - i - 1) * sizeof(int);
    memmove(h->row + i, h->row + i + 1, rest);
    memmove(h->base + i, h->base + i + 1, rest);
    h->count--;
}

static void put_in(LiaHidden* h, int i, int row, int base) {
    size_t rest = (size_t)(h->count - i) * sizeof(int);
    memmove(h->row + i + 1, h->row + i, rest);
    memmove(h->base + i + 1, h->base + i, rest);
    h->row[i] = row;
    h->base[i] = base;
    h->count++;
}

// Those that stand in K0 without making it singular are equations of the common kind. They answer at once what hidden forces
// do, so that their own forces do not hide in which derivative those appear. The one with the best hold comes first: of a load on
// a rope the height, not the place.
static void spare_common(LiaWorkspace* w, LiaHidden* h) {
    while (h->count > 1) {
        int best = -1;
        double most = 1e-9;
        for (int i = 0; i < h->count; i++) {
            int row = h->row[i], base = h->base[i];
            take_out(h, i);
            if (regular_without(w, h) && w->pivot > 1.001 * most) {
                most = w->pivot;
                best = i;
            }
            put_in(h, i, row, base);
        }
        if (best < 0) return;
        take_out(h, best);
    }
}

// In which derivative of each equation a force appears first, at the state in w; -1: in none. False if K0 is singular, or memory
// is out.
static bool find_shifts(LiaWorkspace* w, int most, int* shift) {
    const LiaHidden* h = w->hidden;
    int stride = most + 1;
    lia_mechanics_load(w, w->jets.order);
    lia_mechanics_residuals(w);
    bool regular = lia_mechanics_factor(w);
    double* plain = calloc((size_t)h->count * (size_t)stride + (size_t)w->nf, sizeof *plain);
    if (!regular || !plain) {
        free(plain);
        return false;
    }
    lia_hidden_choose_trials(w, plain);
    look_ahead(w, 0, most, -1);
    for (int i = 0; i < h->count; i++) {
        shift[i] = -1;
        for (int r = 0; r <= most; r++)
            plain[i * stride + r] = equation(w, h->row[i])[h->base[i] + r];
    }
    for (int g = 0; g < h->count; g++) {
        look_ahead(w, 0, most, g);
        for (int i = 0; i < h->count; i++) {
            for (int r = 0; r <= most && (shift[i] < 0 || r < shift[i]); r++) {
                if (differs(w, i, h->base[i] + r, plain[i * stride + r], 1e-12)) {
                    shift[i] = r;
                    break;
                }
            }
        }
    }
    free(plain);
    return true;
}

// In which derivative a force appears in each equation, and do these separate the forces? False, with *row where none does.
static bool find_degrees(LiaWorkspace* w, LiaHidden* h, int* row) {
    int most = h->ahead;
    if (!lia_hidden_attach(w, h) || !find_shifts(w, most, h->shift)) return false;
    h->ahead = h->levels = 0;
    for (int i = 0; i < h->count; i++) {
        if (h->shift[i] < 0) {
            *row = 1 + h->row[i];
            return false;
        }
        h->levels += h->base[i] + h->shift[i];
        if (h->shift[i] > h->ahead) h->ahead = h->shift[i];
    }
    // K0 is singular: with no row shifted so is S, and what it has of a pivot is rounding
    return h->ahead > 0 && lia_hidden_residuals(w) && w->S_pivot > 1e-11;
}

// How many rows of J, or of Omega, of operators are independent. -1 if memory is out.
static int rank_of(const LiaWorkspace* w, LiaEntries (*entries)(const LiaWorkspace*, int)) {
    const LiaHidden* h = w->hidden;
    double* A = calloc((size_t)h->count * (size_t)w->nf + 1, sizeof *A);
    if (!A) return -1;
    for (int i = 0; i < h->count; i++) {
        LiaEntries row = entries(w, h->row[i]);
        for (int k = 0; k < row.count; k++) A[i * w->nf + lia_entry_column(&row, k)] = row.value[k];
    }
    int rank = lia_rows_basis(h->count, w->nf, A, 1e-10);
    free(A);
    return rank;
}

// So many derivatives at once; forces that are known of fewer are kept. False if memory is out.
static bool attach_depth(LiaWorkspace* w, LiaHidden* h, int depth) {
    LiaTogether* before = w->together;
    h->ahead = depth;
    h->levels = 0;
    for (int i = 0; i < h->count; i++) {
        h->shift[i] = depth;
        h->levels += h->base[i] + depth + 1;
    }
    w->together = NULL;
    bool attached = lia_hidden_attach(w, h);
    if (attached && before && before->n < w->together->n) {
        memcpy(w->together->first, before->first, (size_t)before->n * sizeof(double));
    }
    free(before);
    return attached;
}

// Of the first depth from anywhere near, of others from where that is.
static bool reach_depth(LiaWorkspace* w, int depth, const bool* fixed, double* moved) {
    return depth == 0 ? lia_hidden_seek(w, fixed, moved) : lia_hidden_reach(w, 1, fixed, moved);
}

bool lia_hidden_climb(LiaWorkspace* w, LiaHidden* h, const bool* fixed, double* moved) {
    double total = 0.0;
    int top = h->ahead;
    bool arrived = true;
    for (int depth = 0; arrived && depth <= top; depth++) {
        double part = 0.0;
        arrived = attach_depth(w, h, depth) && reach_depth(w, depth, fixed, &part);
        total += part;
    }
    if (!arrived) attach_depth(w, h, top);
    if (moved) *moved = total;
    return arrived && lia_hidden_residuals(w);
}

// The least depth that decides the forces, on states that satisfy all equations up to it. Each depth may have new equations of the
// state hidden in it; where none came, none will, and what is not decided will not be.
static bool search_depth(LiaWorkspace* w, LiaHidden* h, int least, int most) {
    enum { UNKNOWNS_MOST = 120 };
    int equations = -1, waits = 0;
    for (int depth = 0; depth <= most && h->count * (depth + 1) <= UNKNOWNS_MOST; depth++) {
        if (!attach_depth(w, h, depth) || !reach_depth(w, depth, NULL, NULL)) return false;
        bool decided = lia_hidden_residuals(w);
        h->equations = lia_hidden_rank(w) - w->together->rank;
        if (decided && depth >= least) return true;
        waits = h->equations > equations ? 0 : waits + 1;
        equations = h->equations;
        if (waits > 1) return false;
    }
    return false;
}

// The forces do not separate derivative by derivative: how many do they need together? Fewer forces than equations
// never do. The state in w stays.
static bool find_depth(LiaWorkspace* w, LiaHidden* h, int least, int most) {
    enum { COUNT_MOST = 12, COORDINATES_MOST = 200 };
    size_t size = (size_t)w->n * sizeof(double);
    bool small = h->count <= COUNT_MOST && w->nf <= COORDINATES_MOST;
    double* kept = small ? malloc(2 * size + 1) : NULL;
    if (!kept) return false;
    memcpy(kept, w->q, size);
    memcpy(kept + w->n, w->v, size);
    h->together = true;
    bool found = rank_of(w, lia_mechanics_Omega) >= rank_of(w, lia_mechanics_J) &&
                 search_depth(w, h, least, most);
    memcpy(w->q, kept, size);
    memcpy(w->v, kept + w->n, size);
    free(kept);
    if (!found) return false;
    lia_hidden_forget(w);
    lia_mechanics_load(w, w->jets.order);
    lia_mechanics_residuals(w);
    if (lia_mechanics_factor(w)) lia_hidden_residuals(w);
    return true;
}

LiaHidden* lia_hidden_deepen(LiaWorkspace* w, int least) {
    LiaHidden* h = list_operators(w);
    if (!h) return NULL;
    look_far(h, 0);
    bool found = regular_without(w, h) && find_depth(w, h, least, w->jets.order - 3);
    if (found) return h;
    lia_hidden_destroy(h);
    w->hidden = NULL;
    return NULL;
}

LiaHidden* lia_hidden_find(LiaWorkspace* w, int* row) {
    int most = w->jets.order - 3;                    // stages that can be looked at
    for (int attempt = 0; attempt < 2; attempt++) {  // without those of the common kind, with them
        LiaHidden* h = list_operators(w);
        *row = 0;
        if (!h) return NULL;
        look_far(h, most);
        if (attempt == 0) spare_common(w, h);
        look_far(h, most);
        if (find_degrees(w, h, row)) return h;
        if (attempt == 1 && find_depth(w, h, 1, most)) return h;
        free(w->together);
        w->together = NULL;
        w->hidden = NULL;
        w->jets.correct_all = w->system->correct_all;
        for (w->nr = 0; w->nr < w->nc; w->nr++) w->active[w->nr] = w->nr;
        lia_hidden_destroy(h);
    }
    return NULL;
}
