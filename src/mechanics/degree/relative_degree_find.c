// Operators that act through springs: in which derivatives of their equations the forces appear
// (relative_degree.c), and how many derivatives decide them where they do so only together
// (derivative_array.c).
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/qr.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/derivative_array.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/start/search/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COORDINATES_MOST = 200 };  // of systems whose forces are looked at together

static double equation(const LiaWorkspace* w, int c, int order) {
    return lia_jet_series(&w->jets, w->dynamics->equation[c])[order];
}

static bool of_operator(const LiaWorkspace* w, int c) {
    const LiaSystem* s = w->system;
    return s->model->constraints[s->rows[w->dynamics->rows[c]].constraint].active;
}

bool lia_relative_degree_find_has_operators(const LiaWorkspace* w) {
    for (int c = 0; c < w->nc; c++) {
        if (of_operator(w, c)) return true;
    }
    return false;
}

// How far one looks ahead before the degrees are known.
static void look_far(LiaRelativeDegree* h, int shift) {
    h->ahead = shift;
    h->levels = 0;
    for (int i = 0; i < h->count; i++) {
        h->shift[i] = shift;
        h->levels += h->base[i] + shift;
    }
}

// The equations of all operators; NULL where there are none, or too many.
static LiaRelativeDegree* list_operators(const LiaWorkspace* w) {
    int count = 0;
    for (int c = 0; c < w->nc; c++) count += of_operator(w, c);
    if (count == 0 || count > 60) return NULL;
    LiaRelativeDegree* h = lia_relative_degree_create(count);
    for (int c = 0; h && c < w->nc; c++) {
        if (!of_operator(w, c)) continue;
        h->row[h->count] = c;
        h->base[h->count++] = w->system->rows[w->dynamics->rows[c]].geometric ? 2 : 1;
    }
    return h;
}

static bool regular_without(LiaWorkspace* w, const LiaRelativeDegree* h) {
    if (!lia_relative_degree_attach(w, h)) return false;
    lia_workspace_update(w, w->jets.order);
    return lia_workspace_factor(w);
}

static void take_out(LiaRelativeDegree* h, int i) {
    size_t rest = (size_t)(h->count - i - 1) * sizeof(int);
    memmove(h->row + i, h->row + i + 1, rest);
    memmove(h->base + i, h->base + i + 1, rest);
    h->count--;
}

static void put_in(LiaRelativeDegree* h, int i, int row, int base) {
    size_t rest = (size_t)(h->count - i) * sizeof(int);
    memmove(h->row + i + 1, h->row + i, rest);
    memmove(h->base + i + 1, h->base + i, rest);
    h->row[i] = row;
    h->base[i] = base;
    h->count++;
}

// Those that stand in K0 without making it singular are equations of the common kind. They answer
// at once what hidden forces do, so that their own forces do not hide in which derivative those
// appear. The one with the best hold comes first: of a load on a rope the height, not the place.
// One with little hold may lose it on the way: it does not count.
static void spare_common(LiaWorkspace* w, LiaRelativeDegree* h) {
    double firm = regular_without(w, h) ? fmax(LIA_FIRM_PIVOT, LIA_FIRM_PART * w->saddle.pivot)
                                        : LIA_FIRM_PIVOT;
    while (h->count > 1) {
        int best = -1;
        double most = firm;
        for (int i = 0; i < h->count; i++) {
            int row = h->row[i], base = h->base[i];
            take_out(h, i);
            if (regular_without(w, h) && w->nr + h->count == w->nc &&
                w->saddle.pivot > 1.001 * most) {
                most = w->saddle.pivot;
                best = i;
            }
            put_in(h, i, row, base);
        }
        if (best < 0) return;
        take_out(h, best);
    }
}

// In which derivative of each equation a force appears first, at the state in w; -1: in none. False
// if K0 is singular, or memory is out.
static bool find_shifts(LiaWorkspace* w, int most, int* shift) {
    const LiaRelativeDegree* h = w->forces.degree;
    int stride = most + 1;
    lia_workspace_update(w, w->jets.order);
    bool regular = lia_workspace_factor(w);
    double* plain =
        lia_memory_zeros((size_t)h->count * (size_t)stride + (size_t)w->nf, sizeof *plain);
    if (!regular || !plain) {
        free(plain);
        return false;
    }
    lia_relative_degree_choose_trials(w, plain);
    lia_relative_degree_look_ahead(w, 0, most, -1);
    for (int i = 0; i < h->count; i++) {
        shift[i] = -1;
        for (int r = 0; r <= most; r++)
            plain[i * stride + r] = equation(w, h->row[i], h->base[i] + r);
    }
    for (int g = 0; g < h->count; g++) {
        lia_relative_degree_look_ahead(w, 0, most, g);
        for (int i = 0; i < h->count; i++) {
            for (int r = 0; r <= most && (shift[i] < 0 || r < shift[i]); r++) {
                if (lia_relative_degree_differs(w, i, h->base[i] + r, plain[i * stride + r],
                                                LIA_FORCE_APPEARS)) {
                    shift[i] = r;
                    break;
                }
            }
        }
    }
    free(plain);
    return true;
}

// In which derivative a force appears in each equation, and do these separate the forces? False,
// with *row where none does.
static bool find_degrees(LiaWorkspace* w, LiaRelativeDegree* h, int* row) {
    int most = h->ahead;
    if (!lia_relative_degree_attach(w, h) || !find_shifts(w, most, h->shift)) return false;
    h->ahead = h->levels = 0;
    for (int i = 0; i < h->count; i++) {
        if (h->shift[i] < 0) {
            *row = 1 + h->row[i];
            return false;
        }
        h->levels += h->base[i] + h->shift[i];
        if (h->shift[i] > h->ahead) h->ahead = h->shift[i];
    }
    // Equations that separate the forces are independent ones of the state: where they would be
    // more than it has numbers, a force that appears is rounding.
    if (h->levels > 2 * w->nf) return false;
    // K0 is singular: with no row shifted so is S, and what it has of a pivot is rounding
    return h->ahead > 0 && lia_relative_degree_residuals(w) &&
           w->forces.S_pivot > fmax(LIA_S_REGULAR, LIA_CLEAR_OF_NOISE * w->forces.S_noise);
}

typedef LiaEntries Entries(const LiaWorkspace* w, int c);

// How many rows of J, or of Omega, are independent: of constraints, of operators, or of both. -1
// where they have no value, or memory is out.
static int rank_of(const LiaWorkspace* w, Entries* entries, bool constraints, bool operators) {
    double* A = lia_memory_zeros((size_t)w->nc * (size_t)w->nf + 1, sizeof *A);
    int m = 0;
    bool finite = true;
    if (!A) return -1;
    for (int c = 0; c < w->nc; c++) {
        if (!(of_operator(w, c) ? operators : constraints)) continue;
        LiaEntries row = entries(w, c);
        double size = 0.0;
        for (int k = 0; k < row.count; k++) size = hypot(size, row.value[k]);
        finite = finite && isfinite(size);
        for (int k = 0; k < row.count && size > 0.0; k++)
            A[m * w->nf + lia_entry_column(&row, k)] = row.value[k] / size;
        m++;
    }
    int rank = finite ? lia_qr_basis(m, w->nf, A, LIA_OPERATOR_RANK) : -1;
    free(A);
    return rank;
}

// What operators ask, or do, that constraints do not: a couple between bodies that cannot turn
// against each other moves nothing. -1 as above.
static int rank_beyond_constraints(const LiaWorkspace* w, Entries* entries) {
    int all = rank_of(w, entries, true, true), held = rank_of(w, entries, true, false);
    return all < 0 || held < 0 ? -1 : all - held;
}

static void evaluate(LiaWorkspace* w) {
    lia_workspace_update(w, 1);
    lia_workspace_matrices(w);
}

// Directions and quaternions, which were moved, are of length 1 again.
static void restore_lengths(LiaWorkspace* w) {
    const LiaModel* m = w->system->model;
    for (uint32_t g = 0; g < m->groups_count; g++) {
        LiaManifold of = m->groups[g].manifold;
        double *x = w->q + m->groups[g].first, size = 0.0;
        int n = of == LIA_ROTATION ? 4 : of == LIA_SPHERE ? 3 : 0;
        for (int i = 0; i < n; i++) size = hypot(size, x[i]);
        for (int i = 0; i < n; i++) x[i] /= size;
    }
}

// A force along a rope that is held moves nothing here, and does where the rope has turned: looked
// at near the state, which stays.
static int forces_nearby(LiaWorkspace* w) {
    size_t size = (size_t)w->n * sizeof *w->q;
    double* q = lia_memory_take(size + 1);
    if (!q) return -1;
    uint64_t random = 1;
    memcpy(q, w->q, size);
    for (int i = 0; i < w->nf; i++) w->q[w->dynamics->free[i]] += 0.01 * lia_random_even(&random);
    restore_lengths(w);
    evaluate(w);
    int forces = rank_beyond_constraints(w, lia_workspace_Omega);
    memcpy(w->q, q, size);
    evaluate(w);
    free(q);
    return forces;
}

// Can the operators move as much as they ask for? The force of one that cannot would be made of
// rounding.
static bool can_move(LiaWorkspace* w, LiaRelativeDegreeLack* lack) {
    if (w->nf > COORDINATES_MOST) return true;
    evaluate(w);
    lack->equations = rank_beyond_constraints(w, lia_workspace_J);
    lack->forces = rank_beyond_constraints(w, lia_workspace_Omega);
    if (lack->forces < lack->equations) lack->forces = forces_nearby(w);
    if (lack->forces >= lack->equations || lack->forces < 0) return true;
    bool held = lack->forces < rank_of(w, lia_workspace_Omega, false, true);
    lack->kind = held ? LIA_LACK_MOTION : LIA_LACK_FORCES;
    return false;
}

// Fewer forces than equations never decide.
static bool enough_forces(const LiaWorkspace* w, LiaRelativeDegreeLack* lack) {
    lack->equations = rank_of(w, lia_workspace_J, false, true);
    lack->forces = rank_of(w, lia_workspace_Omega, false, true);
    if (lack->forces >= lack->equations) return true;
    lack->kind = LIA_LACK_FORCES;
    return false;
}

// So many derivatives at once; forces that are known of fewer are kept. False if memory is out.
static bool attach_depth(LiaWorkspace* w, LiaRelativeDegree* h, int depth) {
    LiaDerivativeArray* before = w->forces.array;
    h->ahead = depth;
    h->levels = 0;
    for (int i = 0; i < h->count; i++) {
        h->shift[i] = depth;
        h->levels += h->base[i] + depth + 1;
    }
    w->forces.array = NULL;
    bool attached = lia_relative_degree_attach(w, h);
    if (attached && before && before->n < w->forces.array->n) {
        memcpy(w->forces.array->first, before->first, (size_t)before->n * sizeof(double));
    }
    free(before);
    return attached;
}

// Of the first depth from anywhere near, of others from where that is.
static bool reach_depth(LiaWorkspace* w, int depth, const bool* fixed, double* moved) {
    return depth == 0 ? lia_relative_degree_project_seek(w, fixed, moved)
                      : lia_relative_degree_project_reach(w, 1, fixed, moved);
}

bool lia_relative_degree_find_climb(LiaWorkspace* w, LiaRelativeDegree* h, const bool* fixed,
                                    double* moved) {
    double total = 0.0, *target = lia_memory_take((2 * (size_t)w->nf + 1) * sizeof *target);
    int top = h->ahead;
    bool arrived = target != NULL;
    for (int i = 0; arrived && i < w->nf; i++) {
        target[i] = w->q[w->dynamics->free[i]];
        target[w->nf + i] = w->v[w->dynamics->free[i]];
    }
    for (int depth = 0; arrived && depth <= top; depth++) {
        double part = 0.0;
        arrived =
            !lia_watch_asked() && attach_depth(w, h, depth) && reach_depth(w, depth, fixed, &part);
        total += part;
    }
    if (!arrived) attach_depth(w, h, top);
    arrived = arrived && lia_relative_degree_project_nearer(w, target, fixed);
    free(target);
    if (moved) *moved = total;
    return arrived && lia_relative_degree_residuals(w);
}

// The least depth that decides the forces, on states that satisfy all equations up to it. Each
// depth may have new equations of the state hidden in it; where none came, none will, and what is
// not decided will not be.
static bool search_depth(LiaWorkspace* w, LiaRelativeDegree* h, int least, int most,
                         LiaRelativeDegreeLack* lack) {
    enum { UNKNOWNS_MOST = 120 };
    int equations = -1, waits = 0;
    for (int depth = 0; depth <= most && h->count * (depth + 1) <= UNKNOWNS_MOST; depth++) {
        if (!attach_depth(w, h, depth)) return false;
        lack->derivative = depth + (w->forces.array->kinematic ? 1 : 2);
        lack->kind = LIA_LACK_STATE;
        if (!reach_depth(w, depth, NULL, NULL)) return false;
        lack->kind = LIA_LACK_DECISION;
        bool decided = lia_relative_degree_residuals(w);
        h->equations = lia_relative_degree_project_rank(w) - w->forces.array->rank;
        if (decided && depth >= least) return true;
        waits = h->equations > equations ? 0 : waits + 1;
        equations = h->equations;
        if (waits > 1) return false;
    }
    return false;
}

// The forces do not separate derivative by derivative: how many do they need together? The state in
// w stays.
static bool find_depth(LiaWorkspace* w, LiaRelativeDegree* h, int least, int most,
                       LiaRelativeDegreeLack* lack) {
    enum { COUNT_MOST = 12 };
    size_t size = (size_t)w->n * sizeof(double);
    bool small = h->count <= COUNT_MOST && w->nf <= COORDINATES_MOST;
    double* kept = small && regular_without(w, h) ? lia_memory_take(2 * size + 1) : NULL;
    if (!kept) return false;
    memcpy(kept, w->q, size);
    memcpy(kept + w->n, w->v, size);
    h->derivative_array = true;
    bool found = enough_forces(w, lack) && search_depth(w, h, least, most, lack);
    memcpy(w->q, kept, size);
    memcpy(w->v, kept + w->n, size);
    free(kept);
    if (!found) return false;
    lia_level_slopes_forget(w);
    lia_workspace_update(w, w->jets.order);
    if (lia_workspace_factor(w)) lia_relative_degree_residuals(w);
    return true;
}

LiaRelativeDegree* lia_relative_degree_find_deepen(LiaWorkspace* w, int least) {
    LiaRelativeDegreeLack lack = {0};
    LiaRelativeDegree* h = list_operators(w);
    if (!h) return NULL;
    look_far(h, 0);
    if (find_depth(w, h, least, w->jets.order - 3, &lack)) return h;
    lia_relative_degree_detach(w);
    lia_relative_degree_destroy(h);
    return NULL;
}

LiaRelativeDegree* lia_relative_degree_find(LiaWorkspace* w, LiaRelativeDegreeLack* lack) {
    int most = w->jets.order - 3, row = 0;  // stages that can be looked at
    *lack = (LiaRelativeDegreeLack){0};
    if (!can_move(w, lack)) return NULL;
    for (int attempt = 0; attempt < 2; attempt++) {  // without those of the common kind, with them
        LiaRelativeDegree* h = list_operators(w);
        *lack = (LiaRelativeDegreeLack){0};
        if (!h) return NULL;
        look_far(h, most);
        if (attempt == 0) spare_common(w, h);
        look_far(h, most);
        row = 0;
        if (find_degrees(w, h, &row)) return h;
        if (attempt == 1 && find_depth(w, h, 1, most, lack)) return h;
        lia_relative_degree_detach(w);
        lia_relative_degree_destroy(h);
    }
    // a force that shows in no derivative by itself and in none of the first together shows nowhere
    if (row && lack->kind != LIA_LACK_FORCES &&
        (lack->kind != LIA_LACK_STATE || lack->derivative <= 3)) {
        *lack = (LiaRelativeDegreeLack){.kind = LIA_LACK_FORCE, .row = row - 1};
    }
    return NULL;
}
