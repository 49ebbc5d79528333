// Idle turns of several bodies together: a rod that is welded to another on the same line cannot turn by itself, but the two
// of them can. A joint that both turns are seen by lets some combinations of their rates pass:
//
//   sum over turns t of c_t y_t = y,   J y = 0,  Omega y = 0,  Q y = 0,  p y = 0,  dL/dq y + p dy/dt = 0,     y_t = q n_t / 2
//
// The c that solve this are looked for in states that satisfy the joints in question, taken at random but for that. If
// there are as many in each of them, as many of the turns are lent an inertia: along y nothing but it is there to
// answer, so that their rates stay what they are and no joint passes on a moment.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/qr.h"
#include "base/numeric/quaternion.h"
#include "base/numeric/thresholds.h"
#include "mechanics/spin/massless_spin.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 9, ENOUGH = 3, STEPS = 40, LARGEST = 300 };

typedef struct Group {  // turns that are seen by equations which see others of the group too
    uint32_t *turns, *rows, *unknowns;  // rows to be satisfied; coordinates in them
    int m, row_count, unknown_count;
    int tries, looks;
    int rank;      // how many solutions c there are; -1: not known yet
    int* chosen;   // turns that are lent an inertia              (rank of m)
    bool* member;  // others that take part in it                 (m)
    bool too_large;
    bool taken, settled;  // in the state at hand: is it looked at; does it satisfy the rows
} Group;

typedef struct Together {
    LiaMasslessSpins* z;
    uint32_t* turn;  // those that are not idle by themselves          (count)
    uint32_t count;
    uint32_t* group_of;  // of a turn; first its root               (count)
    uint32_t* pair;      // turn, row: who is seen by whom           (2 pairs)
    size_t pairs, pairs_room;
    bool* held;  // by something that is not looked at closer (count)
    Group* groups;
    uint32_t group_count;
    bool* used;  // coordinates that a group has in the state at hand  (n)
} Together;

// --- groups

static uint32_t root_of(const Together* g, uint32_t k) {
    while (g->group_of[k] != k) k = g->group_of[k];
    return k;
}

static bool add_pair(Together* g, uint32_t k, uint32_t row) {
    if (g->pairs == g->pairs_room) {
        size_t more = 2 * g->pairs_room + 64;
        uint32_t* grown = lia_memory_resize(g->pair, 2 * more * sizeof *grown);
        if (!grown) return false;
        g->pair = grown;
        g->pairs_room = more;
    }
    g->pair[2 * g->pairs] = k;
    g->pair[2 * g->pairs++ + 1] = row;
    return true;
}

// The force direction is the gradient of the equation, by positions.
static bool has_gradient(const LiaSystem* s, uint32_t r) {
    const LiaRow* row = &s->rows[r];
    const LiaConstraint* of = &s->model->constraints[row->constraint];
    return row->geometric && !row->levelled && !of->active && of->rule != LIA_RULE_GIVEN;
}

// Omega y of a row, in parts of what it is the sum of.
static double along(const LiaMasslessSpins* z, const LiaMasslessSpin* turn, const LiaRow* row) {
    double y[4], sum = 0.0, size = 0.0;
    lia_quaternion_times(z->q + turn->first, turn->axis, y);
    for (uint32_t e = 0; e < row->entries; e++) {
        uint32_t at = row->coordinate[e] - turn->first;
        if (row->coordinate[e] < turn->first || at > 3) continue;
        double part = lia_value(&z->values, row->Omega[e]) * y[at];
        sum += part;
        size += fabs(part);
    }
    return size > 0.0 ? fabs(sum) / size : 0.0;
}

// Equations whose gradients are known see a turn where there is a slope along it. Turns that are seen by one of them belong together.
static bool find_pairs(Together* g, const uint32_t* first_turn) {
    const LiaMasslessSpins* z = g->z;
    const LiaSystem* s = z->s;
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        uint32_t other = UINT32_MAX, last = UINT32_MAX;
        for (uint32_t e = 0; has_gradient(s, r) && e < row->entries; e++) {
            uint32_t k = first_turn[row->coordinate[e]] - 1;
            if (k == last || k == UINT32_MAX) continue;
            last = k;
            uint32_t first = z->turns[g->turn[k]].first;
            for (; k < g->count && z->turns[g->turn[k]].first == first; k++) {
                if (!(along(z, &z->turns[g->turn[k]], row) > LIA_TURN_PULLED)) continue;
                if (!add_pair(g, k, r)) return false;
                if (other != UINT32_MAX) g->group_of[root_of(g, k)] = root_of(g, other);
                other = k;
            }
        }
    }
    return true;
}

// What is seen by other equations is held: they are not looked at closer.
static void find_held(Together* g) {
    LiaMasslessSpins* z = g->z;
    const LiaSystem* s = z->s;
    bool others = false;
    for (uint32_t r = 0; r < s->row_count; r++) others |= !has_gradient(s, r);
    for (uint32_t k = 0; others && k < g->count; k++) {
        memcpy(z->q_moved, z->q, s->n * sizeof *z->q);
        memcpy(z->v_moved, z->v, s->n * sizeof *z->v);
        lia_massless_spin_move(z, &z->turns[g->turn[k]]);
        lia_massless_spin_evaluate(z, z->q_moved, z->v_moved);
        for (uint32_t r = 0; r < s->row_count; r++) {
            double was = z->before[s->model->energies_count + r];
            if (has_gradient(s, r)) continue;
            g->held[k] |= lia_massless_spin_differ(was, lia_value(&z->values, s->rows[r].equation));
        }
    }
}

static bool find_sight(Together* g) {
    LiaMasslessSpins* z = g->z;
    uint32_t* first_turn =
        lia_memory_zeros((size_t)z->s->n + 1, sizeof *first_turn);  // 1 + a turn there
    if (!first_turn) return false;
    for (uint32_t k = g->count; k-- > 0;) {
        g->group_of[k] = k;
        for (uint32_t i = 0; i < 4; i++) first_turn[z->turns[g->turn[k]].first + i] = k + 1;
    }
    lia_massless_spin_evaluate(z, z->q, z->v);
    bool ok = find_pairs(g, first_turn);
    if (ok) find_held(g);
    free(first_turn);
    return ok;
}

static int by_number(const void* a, const void* b) {
    uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}

static int without_repetition(uint32_t* list, int count) {
    int kept = 0;
    qsort(list, (size_t)count, sizeof *list, by_number);
    for (int i = 0; i < count; i++) {
        if (i == 0 || list[i] != list[i - 1]) list[kept++] = list[i];
    }
    return kept;
}

// Their coordinates.
static bool find_unknowns(const LiaSystem* s, Group* group) {
    size_t entries = 0;
    for (int r = 0; r < group->row_count; r++) entries += s->rows[group->rows[r]].entries;
    group->unknowns = lia_memory_zeros(entries + 1, sizeof *group->unknowns);
    if (!group->unknowns) return false;
    for (int r = 0; r < group->row_count; r++) {
        const LiaRow* row = &s->rows[group->rows[r]];
        for (uint32_t e = 0; e < row->entries; e++)
            group->unknowns[group->unknown_count++] = row->coordinate[e];
    }
    group->unknown_count = without_repetition(group->unknowns, group->unknown_count);
    return true;
}

// Unit vectors and quaternions among the unknowns keep their lengths.
static void add_lengths(const LiaSystem* s, Group* group) {
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        if (!s->model->constraints[row->constraint].internal || row->entries == 0) continue;
        bool inside = true;
        for (uint32_t e = 0; inside && e < row->entries; e++) {
            inside = bsearch(&row->coordinate[e], group->unknowns, (size_t)group->unknown_count,
                             sizeof *group->unknowns, by_number) != NULL;
        }
        if (inside) group->rows[group->row_count++] = r;
    }
    group->row_count = without_repetition(group->rows, group->row_count);
}

// The rows that see one of its turns, where their gradients are known.
static bool fill_group(const Together* g, Group* group, uint32_t number) {
    const LiaSystem* s = g->z->s;
    size_t rows = 0, m = 0;
    for (size_t p = 0; p < g->pairs; p++) rows += g->group_of[g->pair[2 * p]] == number;
    for (uint32_t k = 0; k < g->count; k++) m += g->group_of[k] == number;
    group->turns = lia_memory_zeros(m + 1, sizeof *group->turns);
    group->rows = lia_memory_zeros(rows + s->row_count + 1, sizeof *group->rows);
    group->chosen = lia_memory_zeros(m + 1, sizeof *group->chosen);
    group->member = lia_memory_zeros(m + 1, sizeof *group->member);
    if (!group->turns || !group->rows || !group->chosen || !group->member) return false;
    for (uint32_t k = 0; k < g->count; k++) {
        if (g->group_of[k] == number) group->turns[group->m++] = k;
    }
    for (size_t p = 0; p < g->pairs; p++) {
        uint32_t row = g->pair[2 * p + 1];
        if (g->group_of[g->pair[2 * p]] != number) continue;
        group->rows[group->row_count++] = row;
    }
    group->row_count = without_repetition(group->rows, group->row_count);
    if (!find_unknowns(s, group)) return false;
    group->rank = -1;
    group->too_large = group->unknown_count > LARGEST;
    if (!group->too_large) add_lengths(s, group);
    return true;
}

static bool make_groups(Together* g) {
    uint32_t* number =
        lia_memory_zeros(2 * (size_t)g->count + 1, sizeof *number);  // of a root, from 1
    g->groups = lia_memory_zeros((size_t)g->count + 1, sizeof *g->groups);
    bool ok = number && g->groups;
    uint32_t* of = number + g->count;
    for (uint32_t k = 0; ok && k < g->count; k++) {
        uint32_t* root = &number[root_of(g, k)];
        if (!*root) *root = ++g->group_count;
        of[k] = *root - 1;
    }
    if (ok) memcpy(g->group_of, of, g->count * sizeof *of);
    for (uint32_t i = 0; ok && i < g->group_count; i++) ok = fill_group(g, &g->groups[i], i);
    free(number);
    return ok;
}

// --- states that satisfy their equations

// Row r of the group: its gradient into A, its value returned; *size is what the value is small beside.
static double read_row(const LiaMasslessSpins* z, const Group* group, int r, double* A,
                       double* size) {
    const LiaRow* row = &z->s->rows[group->rows[r]];
    size_t n = (size_t)group->unknown_count;
    *size = 0.0;
    for (uint32_t e = 0; e < row->entries; e++) {
        const uint32_t* at =
            bsearch(&row->coordinate[e], group->unknowns, n, sizeof *group->unknowns, by_number);
        double x = lia_value(&z->values, row->Omega[e]);
        if (at) A[at - group->unknowns] = x;
        *size += fabs(x * z->q[row->coordinate[e]]);
    }
    return lia_value(&z->values, row->equation);
}

// One step of Newton's method, the shortest one. False if memory is out.
static bool step(LiaMasslessSpins* z, Group* group) {
    int m = group->row_count, n = group->unknown_count;
    size_t M = (size_t)m, N = (size_t)n;
    double* block = lia_memory_zeros(M * N + 2 * M + N + lia_qr_work(m, n) + 1, sizeof *block);
    int* order = lia_memory_zeros(2 * M + 1, sizeof *order);
    bool ok = block && order;
    if (ok) {
        LiaRows rows = {.m = m, .n = n, .A = block, .pivot = block + M * N, .order = order};
        double *b = rows.pivot + M, *x = b + M, *work = x + N, moved = 0.0, size = 0.0;
        bool small = true;
        for (int r = 0; r < m; r++) {
            double beside;
            b[r] = read_row(z, group, r, rows.A + (size_t)r * N, &beside);
            small &= fabs(b[r]) <= LIA_SPIN_PLACE_FOUND * (1.0 + beside);
        }
        lia_qr_factor(&rows, LIA_SPIN_PLACE_RANK, true);
        lia_qr_solve(&rows, b, x, work, order + m);
        for (int i = 0; i < n; i++) {
            double* q = &z->q[group->unknowns[i]];
            *q -= x[i];
            moved = fmax(moved, isfinite(x[i]) ? fabs(x[i]) : INFINITY);
            size = fmax(size, fabs(*q));
        }
        group->settled = small && moved <= LIA_SPIN_PLACE_FOUND * (1.0 + size);
        group->taken = isfinite(moved);
    }
    free(order);
    free(block);
    return ok;
}

// A state at random, in which bodies of a group have nearly the same attitude: most joints are near one of their
// solutions then.
static void take_state(Together* g) {
    LiaMasslessSpins* z = g->z;
    lia_massless_spin_take_state(z);
    for (uint32_t i = 0; i < g->group_count; i++) {
        const Group* group = &g->groups[i];
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

// Groups that have been tried `tries` times and have no coordinate in common; false if there are none.
static bool take_groups(Together* g, int tries) {
    bool any = false;
    memset(g->used, 0, g->z->s->n * sizeof *g->used);
    for (uint32_t i = 0; i < g->group_count; i++) {
        Group* group = &g->groups[i];
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

static bool settle(Together* g) {
    LiaMasslessSpins* z = g->z;
    bool waiting = true;
    take_state(g);
    for (int k = 0; waiting && k < STEPS; k++) {
        waiting = false;
        lia_massless_spin_evaluate(z, z->q, z->v);
        for (uint32_t i = 0; i < g->group_count; i++) {
            Group* group = &g->groups[i];
            if (group->settled || !group->taken) continue;
            if (!step(z, group)) return false;
            waiting |= !group->settled && group->taken;
        }
    }
    straighten(z);
    lia_massless_spin_evaluate(z, z->q, z->v);
    return true;
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

static const LiaMasslessSpin* turn_of(const Together* g, const Group* group, int k) {
    return &g->z->turns[g->turn[group->turns[k]]];
}

// f y and f' dy/dt of the turn k; f' may be NULL.
static void add_product(const Together* g, const LiaMasslessSpin* turn, const LiaExpr* f,
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

static void ask_motion(const Together* g, const Group* group, Conditions* a) {
    const LiaSystem* s = g->z->s;
    const LiaExpr* formulas[3][2] = {{s->Q, NULL}, {s->p, NULL}, {s->dL_dq, s->p}};
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

static void ask_rows(const Together* g, const Group* group, Conditions* a) {
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
static double* solutions(const Together* g, const Group* group, int* count) {
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

// Turns whose rates say all of c: by elimination, the largest entry of each solution; the first of equals.
static void choose(Group* group, double* c, int count) {
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
static bool still_chosen(const Group* group, double* c, int count) {
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

static bool look(Together* g) {
    if (!settle(g)) return false;
    for (uint32_t i = 0; i < g->group_count; i++) {
        Group* group = &g->groups[i];
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

static const char* names_of(const Together* g, const Group* group, int but) {
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

static void decide(Together* g) {
    for (uint32_t i = 0; i < g->group_count; i++) {
        const Group* group = &g->groups[i];
        for (int j = 0; group->looks == ENOUGH && j < group->rank; j++) {
            LiaMasslessSpin* turn = &g->z->turns[g->turn[group->turns[group->chosen[j]]]];
            turn->idle = true;
            turn->with = names_of(g, group, group->chosen[j]);
        }
    }
}

static void clear(Together* g) {
    for (uint32_t i = 0; g->groups && i < g->group_count; i++) {
        free(g->groups[i].turns);
        free(g->groups[i].rows);
        free(g->groups[i].unknowns);
        free(g->groups[i].chosen);
        free(g->groups[i].member);
    }
    free(g->groups);
    free(g->turn);
    free(g->group_of);
    free(g->pair);
    free(g->held);
    free(g->used);
}

bool lia_massless_spin_coupled_find(LiaMasslessSpins* z) {
    Together g = {.z = z};
    g.turn = lia_memory_zeros((size_t)z->count + 1, sizeof *g.turn);
    g.group_of = lia_memory_zeros((size_t)z->count + 1, sizeof *g.group_of);
    g.held = lia_memory_zeros((size_t)z->count + 1, sizeof *g.held);
    g.used = lia_memory_zeros((size_t)z->s->n + 1, sizeof *g.used);
    bool ok = g.turn && g.group_of && g.held && g.used;
    for (uint32_t t = 0; ok && t < z->count; t++) {
        if (!z->turns[t].idle) g.turn[g.count++] = t;
    }
    if (ok && g.count > 0) {
        ok = find_sight(&g) && make_groups(&g);
        for (int i = 0; ok && i < TRIES; i++) {
            while (ok && take_groups(&g, i)) ok = look(&g);
        }
        if (ok) decide(&g);
    }
    clear(&g);
    return ok;
}
