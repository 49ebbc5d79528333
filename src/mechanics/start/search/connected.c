// Which positions move at the start: those that equations connect with one that does not hold,
// directly or through others. All the rest stays where it is, to the bit.
//
// Positions that are given or driven (start_driven.c) do not move, so no equation connects through
// them. An equation that holds connects too: where one of its coordinates moves, the others must
// follow. So the sets that are found do not share an equation, and each of them goes to its nearest
// admissible place in its own block of the metric: what has to move elsewhere, and the inertia
// between the two, does not count. See search.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/start/search/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_open(const LiaSearch* z, int i) { return !z->given[0][i] && !z->driven.set[i]; }

static int root_of(int* parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// The first open coordinate of row c, tied to all others of it; -1: none.
static int tie(const LiaSearch* z, int c, int* parent) {
    const LiaPattern* J = &z->w->dynamics->J;
    int first = -1;
    for (int e = J->start[c]; e < J->start[c + 1]; e++) {
        int i = J->column[e];
        if (!is_open(z, i)) continue;
        if (first >= 0) parent[root_of(parent, i)] = root_of(parent, first);
        if (first < 0) first = i;
    }
    return first;
}

typedef struct Holding {
    LiaValues values;  // left minus right of each row
    double* size;      // what their rounding is a part of
    bool* wrong;       // signs of joints and rotations                    (sign_count)
} Holding;

static bool holding_init(Holding* h, const LiaSearch* z) {
    const LiaSystem* s = z->s;
    LiaExpr* roots = lia_memory_zeros((size_t)z->nc + 1, sizeof *roots);
    for (int c = 0; roots && c < z->nc; c++) {
        if (lia_search_row_counts(z, c, 0)) roots[c] = s->rows[z->w->dynamics->rows[c]].equation;
    }
    bool ok = roots && lia_evaluate_init(&h->values, s->graph, roots, (size_t)z->nc);
    free(roots);
    if (ok) h->size = lia_memory_zeros((size_t)h->values.size + 1, sizeof *h->size);
    h->wrong = lia_memory_zeros((size_t)s->branches.sign_count + 1, sizeof *h->wrong);
    return ok && h->size && h->wrong;
}

static void holding_clear(Holding* h) {
    lia_evaluate_clear(&h->values);
    free(h->size);
    free(h->wrong);
}

// Is a joint or rotation of row c on the branch that is not meant?
static bool on_wrong_branch(const LiaSearch* z, const Holding* h, int c) {
    uint32_t constraint = z->s->rows[z->w->dynamics->rows[c]].constraint;
    for (uint32_t k = 0; k < z->s->branches.sign_count; k++) {
        if (h->wrong[k] && z->s->branches.signs[k].constraint == constraint) return true;
    }
    return false;
}

// Does row c hold, up to the rounding of what it is the sum of?
static bool holds(const LiaSearch* z, const Holding* h, int c) {
    LiaExpr equation = z->s->rows[z->w->dynamics->rows[c]].equation;
    double rounding = LIA_ROW_HOLDS * h->size[equation.index];
    return fabs(z->w->phi[c]) <= rounding && !on_wrong_branch(z, h, c);
}

static bool look(const LiaSearch* z, Holding* h) {
    LiaSymbols at = {.t = z->w->t, .parameters = z->s->parameters, .q = z->w->q};
    lia_evaluate_run(&h->values, &at);
    lia_sizes_run(&h->values, &(LiaSymbols){0}, h->size);
    return lia_branch_find(z->s, z->w->q, z->w->t, h->wrong);
}

// Numbers for the sets with an equation that does not hold.
static void number_sets(LiaSearch* z, int* parent, const bool* moves) {
    int count = 0;
    for (int i = 0; i < z->n; i++) z->part[i] = -1;
    for (int i = 0; i < z->n; i++) {
        int root = root_of(parent, i);
        if (!moves[root]) continue;
        if (z->part[root] < 0) z->part[root] = count++;
        z->part[i] = z->part[root];
    }
}

bool lia_connected_find(LiaSearch* z, bool* mendable) {
    Holding h = {0};
    int* parent = lia_memory_take(((size_t)z->n + 1) * sizeof *parent);
    bool* moves = lia_memory_zeros((size_t)z->n + 1, sizeof *moves);
    bool ok = parent && moves && holding_init(&h, z);
    *mendable = true;
    if (ok) {
        for (int i = 0; i < z->n; i++) parent[i] = i;
        for (int c = 0; c < z->nc; c++) {
            if (lia_search_row_counts(z, c, 0)) tie(z, c, parent);
        }
        lia_search_evaluate(z);
        ok = look(z, &h);
    }
    for (int c = 0; ok && c < z->nc; c++) {
        if (!lia_search_row_counts(z, c, 0) || holds(z, &h, c)) continue;
        int first = tie(z, c, parent);
        if (first >= 0) moves[root_of(parent, first)] = true;
        if (first < 0) *mendable &= lia_search_missed(z, c, 0) < LIA_START_FOUND;
    }
    if (ok) number_sets(z, parent, moves);
    holding_clear(&h);
    free(parent);
    free(moves);
    return ok;
}

// What came back to its guess up to rounding is put there. False where nothing moves by that.
static bool put_near(const LiaSearch* z, double* q) {
    double largest = 1.0;
    bool moved = false;
    for (int i = 0; i < z->n; i++) largest = fmax(largest, fabs(q[i]));
    for (int i = 0; i < z->n; i++) {
        bool near = fabs(q[i] - z->target[0][i]) <= LIA_PUT_BACK * largest;
        bool inner = z->s->model->coordinates[i].inner;  // these have no guess of their own
        if (z->part[i] < 0 || !near || inner) continue;
        moved = moved || q[i] != z->target[0][i];
        q[i] = z->target[0][i];
    }
    return moved;
}

// It stays there if every equation then holds, or is missed by no more than before.
bool lia_connected_put_back(LiaSearch* z) {
    size_t n = (size_t)z->n;
    Holding h = {0};
    double *before = lia_memory_take((n + (size_t)z->nc + 1) * sizeof *before), *q = z->w->q;
    bool ok = before != NULL, moved = false;
    if (ok) {
        memcpy(before, q, n * sizeof *q);
        memcpy(before + n, z->w->phi, (size_t)z->nc * sizeof *before);
        moved = put_near(z, q);
    }
    if (moved) {
        ok = holding_init(&h, z);
        lia_search_evaluate(z);
        ok = ok && look(z, &h);
        bool good = ok;
        for (int c = 0; good && c < z->nc; c++) {
            bool counts = lia_search_row_counts(z, c, 0);
            bool better = fabs(z->w->phi[c]) <= fabs(before[z->n + c]);
            good = !counts || better || holds(z, &h, c);
        }
        if (!good) memcpy(q, before, n * sizeof *q);
    }
    lia_search_evaluate(z);
    holding_clear(&h);
    free(before);
    return ok;
}
