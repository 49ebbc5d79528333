// Groups of massless spins: turns that are seen by equations which see others of the group too.
// SPDX-License-Identifier: MIT
#include "mechanics/spin/spin_groups.h"
#include "base/memory/memory.h"
#include "base/numeric/quaternion.h"
#include "base/numeric/rising.h"
#include "base/numeric/thresholds.h"
#include "mechanics/spin/massless_spin.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWNS_MOST = 300 };  // of a group that is looked at

static uint32_t root_of(const LiaSpinGroups* g, uint32_t k) {
    while (g->group_of[k] != k) k = g->group_of[k];
    return k;
}

static bool add_pair(LiaSpinGroups* g, uint32_t k, uint32_t row) {
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
    return row->geometric && !row->integrated && !of->active && of->rule != LIA_RULE_GIVEN;
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

// Equations whose gradients are known see a turn where there is a slope along it. Turns that are
// seen by one of them belong together.
static bool find_pairs(LiaSpinGroups* g, const uint32_t* first_turn) {
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
static void find_held(LiaSpinGroups* g) {
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

bool lia_spin_groups_see(LiaSpinGroups* g) {
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

static int without_repetition(uint32_t* list, int count) {
    int kept = 0;
    qsort(list, (size_t)count, sizeof *list, lia_rising);
    for (int i = 0; i < count; i++) {
        if (i == 0 || list[i] != list[i - 1]) list[kept++] = list[i];
    }
    return kept;
}

// Their coordinates.
static bool find_unknowns(const LiaSystem* s, LiaSpinGroup* group) {
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
static void add_lengths(const LiaSystem* s, LiaSpinGroup* group) {
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        if (!s->model->constraints[row->constraint].internal || row->entries == 0) continue;
        bool inside = true;
        for (uint32_t e = 0; inside && e < row->entries; e++) {
            inside = bsearch(&row->coordinate[e], group->unknowns, (size_t)group->unknown_count,
                             sizeof *group->unknowns, lia_rising) != NULL;
        }
        if (inside) group->rows[group->row_count++] = r;
    }
    group->row_count = without_repetition(group->rows, group->row_count);
}

// The rows that see one of its turns, where their gradients are known.
static bool fill_group(const LiaSpinGroups* g, LiaSpinGroup* group, uint32_t number) {
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
    group->too_large = group->unknown_count > UNKNOWNS_MOST;
    if (!group->too_large) add_lengths(s, group);
    return true;
}

bool lia_spin_groups_make(LiaSpinGroups* g) {
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

void lia_spin_groups_clear(LiaSpinGroups* g) {
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
    free(g->gradient);
}
