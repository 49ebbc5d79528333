// Idle turns of several bodies together: a rod that is welded to another on the same line cannot
// turn by itself, but the two of them can. A joint that both turns are seen by lets some
// combinations of their rates pass:
//
//   sum over turns t of c_t y_t = y,   y_t = q n_t / 2,
//   J y = 0,  Omega y = 0,  Q y = 0,  p y = 0,  dL/dq y + p dy/dt = 0
//
// The c that solve this are looked for in states that satisfy the joints in question, taken at
// random but for that. If there are as many in each of them, as many of the turns are lent an
// inertia: along y nothing but it is there to answer, so that their rates stay what they are and no
// joint passes on a moment.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/newton.h"
#include "base/numeric/qr.h"
#include "base/numeric/quaternion.h"
#include "base/numeric/rising.h"
#include "base/numeric/thresholds.h"
#include "mechanics/spin/massless_spin.h"
#include "mechanics/spin/spin_groups.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 9, ENOUGH = 3, STEPS = 40 };

// --- states that satisfy their equations

// Row r of the group: its gradient into A, its value returned; *size is the scale of the
// value.
static double read_row(const LiaMasslessSpins* z, const LiaSpinGroup* group, int r, double* A,
                       double* size) {
    const LiaRow* row = &z->s->rows[group->rows[r]];
    size_t n = (size_t)group->unknown_count;
    *size = 0.0;
    for (uint32_t e = 0; e < row->entries; e++) {
        const uint32_t* at =
            bsearch(&row->coordinate[e], group->unknowns, n, sizeof *group->unknowns, lia_rising);
        double x = lia_value(&z->values, row->Omega[e]);
        if (at) A[at - group->unknowns] = x;
        *size += fabs(x * z->q[row->coordinate[e]]);
    }
    return lia_value(&z->values, row->equation);
}

// How far the rows of a group are from 0; what has no value is infinitely far.
static double rest_of(const LiaMasslessSpins* z, const LiaSpinGroup* group, double* A) {
    double most = 0.0;
    for (int r = 0; r < group->row_count; r++) {
        double beside, value = read_row(z, group, r, A, &beside);
        most = fmax(most, isfinite(value) ? fabs(value) / (1.0 + beside) : INFINITY);
    }
    return most;
}

// The shortest step to where the rows of a group are 0, and its size. False if memory is out.
static bool step(LiaMasslessSpins* z, LiaSpinGroup* group) {
    int m = group->row_count, n = group->unknown_count;
    size_t M = (size_t)m, N = (size_t)n;
    double* block = lia_memory_zeros(M * N + 2 * M + N + lia_qr_work(m, n) + 1, sizeof *block);
    int* order = lia_memory_zeros(2 * M + 1, sizeof *order);
    bool ok = block && order;
    if (ok) {
        LiaRows rows = {.m = m, .n = n, .A = block, .pivot = block + M * N, .order = order};
        double *b = rows.pivot + M, *x = b + M, *work = x + N, moved = 0.0, size = 0.0, beside;
        for (int r = 0; r < m; r++) b[r] = read_row(z, group, r, rows.A + (size_t)r * N, &beside);
        lia_qr_factor(&rows, LIA_SPIN_PLACE_RANK, true);
        lia_qr_solve(&rows, b, x, work, order + m);
        for (int i = 0; i < n; i++) {
            double* q = &z->q[group->unknowns[i]];
            *q -= x[i];
            moved = fmax(moved, isfinite(x[i]) ? fabs(x[i]) : INFINITY);
            size = fmax(size, fabs(*q));
        }
        group->moved = moved / (1.0 + size);
        group->taken = isfinite(group->moved);
    }
    free(order);
    free(block);
    return ok;
}

// Groups have no coordinate in common: their steps are those of one system of equations, evaluated
// once for all of them. One that goes astray is left where it is.
static double rest_of_groups(void* of) {
    LiaSpinGroups* g = of;
    double most = 0.0;
    lia_massless_spin_evaluate(g->z, g->z->q, g->z->v);
    for (uint32_t i = 0; i < g->group_count; i++) {
        LiaSpinGroup* group = &g->groups[i];
        if (!group->taken) continue;
        group->rest = rest_of(g->z, group, g->gradient);
        group->taken = isfinite(group->rest);
        if (group->taken) most = fmax(most, group->rest);
    }
    return most;
}

static double step_of_groups(void* of, double damping) {
    LiaSpinGroups* g = of;
    double most = 0.0;
    (void)damping;
    for (uint32_t i = 0; i < g->group_count; i++) {
        LiaSpinGroup* group = &g->groups[i];
        if (!group->taken) continue;
        if (!step(g->z, group)) g->failed = true;
        if (group->taken) most = fmax(most, group->moved);
    }
    return g->failed ? NAN : most;
}

// A state at random, in which bodies of a group have nearly the same attitude: most joints are near
// one of their solutions then.
static void take_state(LiaSpinGroups* g) {
    LiaMasslessSpins* z = g->z;
    lia_massless_spin_take_state(z);
    for (uint32_t i = 0; i < g->group_count; i++) {
        const LiaSpinGroup* group = &g->groups[i];
        if (!group->taken) continue;
        const double* from = z->q + z->turns[g->turn[group->turns[0]]].first;
        for (int k = 1; k < group->m; k++) {
            double* q = z->q + z->turns[g->turn[group->turns[k]]].first;
            for (int c = 0; q != from && c < 4; c++) q[c] = from[c] + 0.1 * q[c];
        }
    }
}

// Velocities of unit vectors and quaternions are across them.
static void straighten(LiaMasslessSpins* z) {
    const LiaModel* m = z->s->model;
    for (uint32_t g = 0; g < m->groups_count; g++) {
        const LiaGroup* group = &m->groups[g];
        double *q = z->q + group->first, *v = z->v + group->first, along = 0.0, square = 0.0;
        if (group->manifold == LIA_SPACE) continue;
        for (uint32_t k = 0; k < group->count; k++) {
            along += q[k] * v[k];
            square += q[k] * q[k];
        }
        for (uint32_t k = 0; k < group->count; k++) v[k] -= along / square * q[k];
    }
}

// Groups that have been tried `tries` times and have no coordinate in common; false if there are
// none.
static bool take_groups(LiaSpinGroups* g, int tries) {
    bool any = false;
    memset(g->used, 0, g->z->s->n * sizeof *g->used);
    for (uint32_t i = 0; i < g->group_count; i++) {
        LiaSpinGroup* group = &g->groups[i];
        bool open = !group->too_large && group->rank != 0 && group->looks < ENOUGH;
        group->settled = false;
        group->taken = open && group->tries == tries;
        for (int k = 0; group->taken && k < group->unknown_count; k++)
            group->taken = !g->used[group->unknowns[k]];
        for (int k = 0; group->taken && k < group->unknown_count; k++)
            g->used[group->unknowns[k]] = true;
        group->tries += group->taken;
        any |= group->taken;
    }
    return any;
}

static bool settle(LiaSpinGroups* g) {
    LiaMasslessSpins* z = g->z;
    take_state(g);
    LiaNewton newton = {
        .of = g,
        .residual = rest_of_groups,
        .step = step_of_groups,
        .rules = {.passes = STEPS, .small = LIA_SPIN_PLACE_FOUND, .held = LIA_SPIN_PLACE_FOUND}};
    lia_newton_run(&newton, rest_of_groups(g));
    for (uint32_t i = 0; i < g->group_count; i++) {
        LiaSpinGroup* group = &g->groups[i];
        group->settled = group->taken && group->rest <= LIA_SPIN_PLACE_FOUND &&
                         group->moved <= LIA_SPIN_PLACE_FOUND;
    }
    straighten(z);
    lia_massless_spin_evaluate(z, z->q, z->v);
    return !g->failed;
}

// --- what passes there

// The conditions for c, one row for each formula that sees a turn of the group.
typedef struct Conditions {
    int m, count;
    double* A;  // (count x m)
    size_t room;
    bool failed;
} Conditions;

static double* next_row(Conditions* a) {
    size_t m = (size_t)a->m, used = (size_t)a->count * m;
    if (used + m > a->room) {
        size_t room = 2 * (used + m) + 64;
        double* grown = lia_memory_resize(a->A, room * sizeof *grown);
        if (!grown) {
            a->failed = true;
            return NULL;
        }
        a->A = grown;
        a->room = room;
    }
    memset(a->A + used, 0, m * sizeof *a->A);
    a->count++;
    return a->A + used;
}

// In parts of what its entries are sums of; rounding is nothing.
static void finish_row(Conditions* a, double* row, double size) {
    double most = 0.0;
    for (int k = 0; k < a->m; k++) {
        row[k] = size > 0.0 ? row[k] / size : row[k];
        if (!(fabs(row[k]) <= LIA_TURN_PULLED)) most = INFINITY;
        if (isnan(row[k])) row[k] = 1.0;
    }
    if (most == 0.0) a->count--;
}

static const LiaMasslessSpin* turn_of(const LiaSpinGroups* g, const LiaSpinGroup* group, int k) {
    return &g->z->turns[g->turn[group->turns[k]]];
}

// f y and f' dy/dt of the turn k; f' may be NULL.
static void add_product(const LiaSpinGroups* g, const LiaMasslessSpin* turn, const LiaExpr* f,
                        const LiaExpr* f_rate, double* sum, double* size) {
    const LiaMasslessSpins* z = g->z;
    double y[4], y_rate[4], beside = 0.0;
    lia_quaternion_times(z->q + turn->first, turn->axis, y);
    lia_quaternion_times(z->v + turn->first, turn->axis, y_rate);
    for (int i = 0; i < 4; i++) {
        double part = f[i].index ? lia_value(&z->values, f[i]) * y[i] : 0.0;
        double other = f_rate && f_rate[i].index ? lia_value(&z->values, f_rate[i]) * y_rate[i] : 0;
        *sum += part + other;
        beside += fabs(part) + fabs(other);
    }
    *size = fmax(*size, beside);
}

static void ask_motion(const LiaSpinGroups* g, const LiaSpinGroup* group, Conditions* a) {
    const LiaSystem* s = g->z->s;
    const LiaExpr* formulas[3][2] = {
        {s->lagrange.Q, NULL}, {s->lagrange.p, NULL}, {s->lagrange.dL_dq, s->lagrange.p}};
    for (int i = 0; i < 3; i++) {
        double *row = next_row(a), size = 0.0;
        for (int k = 0; row && k < group->m; k++) {
            const LiaMasslessSpin* turn = turn_of(g, group, k);
            const LiaExpr *f = formulas[i][0] + turn->first, *rate = formulas[i][1];
            add_product(g, turn, f, rate ? rate + turn->first : NULL, &row[k], &size);
        }
        if (row) finish_row(a, row, size);
    }
}

static void ask_rows(const LiaSpinGroups* g, const LiaSpinGroup* group, Conditions* a) {
    const LiaSystem* s = g->z->s;
    for (uint32_t r = 0; r < s->row_count && !a->failed; r++) {
        double *row = NULL, size = 0.0;
        for (int k = 0; k < group->m; k++) {
            const LiaMasslessSpin* turn = turn_of(g, group, k);
            const LiaRow* of = &s->rows[r];
            LiaExpr f[4] = {{0}};
            bool any = false;
            for (uint32_t e = 0; e < of->entries; e++) {
                uint32_t at = of->coordinate[e] - turn->first;
                if (of->coordinate[e] < turn->first || at > 3) continue;
                f[at] = of->Omega[e];
                any = true;
            }
            if (!any) continue;
            if (!row) row = next_row(a);
            if (row) add_product(g, turn, f, NULL, &row[k], &size);
        }
        if (row) finish_row(a, row, size);
    }
    for (int k = 0; k < group->m; k++) {
        double* row = g->held[group->turns[k]] ? next_row(a) : NULL;
        if (row) row[k] = 1.0;
    }
}

// The solutions c, orthonormal: *count rows of m, to be freed. NULL if memory is out.
static double* solutions(const LiaSpinGroups* g, const LiaSpinGroup* group, int* count) {
    Conditions a = {.m = group->m};
    size_t m = (size_t)group->m;
    ask_motion(g, group, &a);
    ask_rows(g, group, &a);
    int* order = lia_memory_zeros((size_t)a.count + 1, sizeof *order);
    double* pivot = lia_memory_zeros(m + 1, sizeof *pivot);
    double* c = lia_memory_zeros(m * m + 1, sizeof *c);
    bool ok = order && pivot && c && !a.failed;
    if (ok) {
        LiaRows rows = {.m = a.count, .n = group->m, .A = a.A, .pivot = pivot, .order = order};
        lia_qr_factor(&rows, LIA_SPIN_RANK, false);
        *count = lia_qr_kernel(&rows, c);
    }
    free(order);
    free(pivot);
    free(a.A);
    if (ok) return c;
    free(c);
    return NULL;
}

// Turns whose rates say all of c: by elimination, the largest entry of each solution; the first of
// equals.
static void choose(LiaSpinGroup* group, double* c, int count) {
    int m = group->m;
    for (int j = 0; j < count; j++) {
        double* row = c + (size_t)j * (size_t)m;
        int best = 0;
        for (int k = 0; k < m; k++) {
            if (fabs(row[k]) > fabs(row[best]) * (1.0 + LIA_SPIN_LARGER)) best = k;
            if (fabs(row[k]) > LIA_SPIN_MEMBER) group->member[k] = true;
        }
        group->chosen[j] = best;
        for (int i = j + 1; i < count; i++) {
            double* other = c + (size_t)i * (size_t)m;
            double factor = other[best] / row[best];
            for (int k = 0; k < m; k++) other[k] -= factor * row[k];
        }
    }
    group->rank = count;
}

// Do the rates of the turns chosen say all of c here too?
static bool still_chosen(const LiaSpinGroup* group, double* c, int count) {
    int m = group->m;
    if (count < group->rank) return false;
    for (int j = 0; j < group->rank; j++) {
        int best = j;
        for (int i = j; i < count; i++) {
            const double* row = c + (size_t)i * (size_t)m;
            if (fabs(row[group->chosen[j]]) > fabs(c[best * m + group->chosen[j]])) best = i;
        }
        double *row = c + (size_t)j * (size_t)m, *from = c + (size_t)best * (size_t)m;
        if (!(fabs(from[group->chosen[j]]) > LIA_SPIN_MEMBER)) return false;
        for (int k = 0; k < m; k++) {
            double x = row[k];
            row[k] = from[k], from[k] = x;
        }
        for (int i = j + 1; i < count; i++) {
            double* other = c + (size_t)i * (size_t)m;
            double factor = other[group->chosen[j]] / row[group->chosen[j]];
            for (int k = 0; k < m; k++) other[k] -= factor * row[k];
        }
    }
    return true;
}

static bool look(LiaSpinGroups* g) {
    if (!settle(g)) return false;
    for (uint32_t i = 0; i < g->group_count; i++) {
        LiaSpinGroup* group = &g->groups[i];
        int count = 0;
        if (!group->settled) continue;
        double* c = solutions(g, group, &count);
        if (!c) return false;
        if (group->rank < 0) {
            choose(group, c, count);
        } else if (!still_chosen(group, c, count)) {
            group->rank = 0;
        }
        group->looks++;
        free(c);
    }
    return true;
}

// --- the verdict

static const char* names_of(const LiaSpinGroups* g, const LiaSpinGroup* group, int but) {
    LiaText text = {0};
    const LiaBody *last = NULL, *own = turn_of(g, group, but)->body;
    for (int k = 0; k < group->m; k++) {
        const LiaBody* body = turn_of(g, group, k)->body;
        if (!group->member[k] || body == own || body == last) continue;
        lia_text_add(&text, "%s'%s'", text.length ? ", " : "", body->name);
        last = body;
    }
    const char* copy = text.length ? lia_arena_text(g->z->s->arena, text.data, text.length) : NULL;
    lia_text_clear(&text);
    return copy;
}

static void decide(LiaSpinGroups* g) {
    for (uint32_t i = 0; i < g->group_count; i++) {
        const LiaSpinGroup* group = &g->groups[i];
        for (int j = 0; group->looks == ENOUGH && j < group->rank; j++) {
            LiaMasslessSpin* turn = &g->z->turns[g->turn[group->turns[group->chosen[j]]]];
            turn->idle = true;
            turn->with = names_of(g, group, group->chosen[j]);
        }
    }
}

bool lia_massless_spin_coupled_find(LiaMasslessSpins* z) {
    LiaSpinGroups g = {.z = z};
    g.turn = lia_memory_zeros((size_t)z->count + 1, sizeof *g.turn);
    g.group_of = lia_memory_zeros((size_t)z->count + 1, sizeof *g.group_of);
    g.held = lia_memory_zeros((size_t)z->count + 1, sizeof *g.held);
    g.used = lia_memory_zeros((size_t)z->s->n + 1, sizeof *g.used);
    g.gradient = lia_memory_zeros((size_t)z->s->n + 1, sizeof *g.gradient);
    bool ok = g.turn && g.group_of && g.held && g.used && g.gradient;
    for (uint32_t t = 0; ok && t < z->count; t++) {
        if (!z->turns[t].idle) g.turn[g.count++] = t;
    }
    if (ok && g.count > 0) {
        ok = lia_spin_groups_see(&g) && lia_spin_groups_make(&g);
        for (int i = 0; ok && i < TRIES; i++) {
            while (ok && take_groups(&g, i)) ok = look(&g);
        }
        if (ok) decide(&g);
    }
    lia_spin_groups_clear(&g);
    return ok;
}
