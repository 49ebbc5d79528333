// Sparse elimination with Markowitz pivots. See elimination.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/elimination.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "base/watch.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEARCHED = 4 };  // so many rows and columns are looked at for a pivot

// Lists of numbers that grow, all in one pool. A list that needs room moves to the end.
typedef struct Lists {
    int* item;
    double* value;  // NULL: numbers without values
    size_t used, capacity;
    size_t* at;
    int* count;
    int* room;
} Lists;

// Rows or columns by their number of entries, doubly linked.
typedef struct Buckets {
    int* head;  // by count
    int *next, *before;
    int* where;  // count under which it hangs; -1: nowhere
    int least;   // no bucket below is occupied
} Buckets;

typedef struct Work {
    int m, n;
    double margin, part, tier;  // rows smaller than the tier wait
    Lists rows, columns;        // what is not yet eliminated
    Lists L, U;                 // by row: steps that changed it; its columns when it became a pivot
    Buckets by_row, by_column;
    double* size;  // largest entry of each row
    int* index;    // 1 + index of a column in the row at hand; 0: not there
    int* step;     // per row: 1 + its step; 0: none yet; -1: given up
    int *pivot_row, *pivot_column;
    int rank;
    double flops;
    bool failed;
} Work;

// --- lists --------------------------------------------------------------------------------------

static bool lists_init(Lists* l, int count, size_t capacity, bool values) {
    memset(l, 0, sizeof *l);
    l->capacity = capacity + 16;
    l->item = lia_memory_take(l->capacity * sizeof *l->item);
    l->value = values ? lia_memory_take(l->capacity * sizeof *l->value) : NULL;
    l->at = lia_memory_zeros((size_t)count + 1, sizeof *l->at);
    l->count = lia_memory_zeros(2 * ((size_t)count + 1), sizeof *l->count);
    l->room = l->count ? l->count + count + 1 : NULL;
    return l->item && (!values || l->value) && l->at && l->count;
}

static void lists_clear(Lists* l) {
    free(l->item);
    free(l->value);
    free(l->at);
    free(l->count);
}

static bool make_room(Lists* l, int i) {
    size_t room = l->room[i] ? 2 * (size_t)l->room[i] : 4;
    if (l->used + room > l->capacity) {
        size_t capacity = 2 * l->capacity + room;
        int* item = lia_memory_resize(l->item, capacity * sizeof *item);
        if (item) l->item = item;
        double* value = l->value ? lia_memory_resize(l->value, capacity * sizeof *value) : NULL;
        if (value) l->value = value;
        if (!item || (l->value && !value)) return false;
        l->capacity = capacity;
    }
    size_t count = (size_t)l->count[i];
    memcpy(l->item + l->used, l->item + l->at[i], count * sizeof *l->item);
    if (l->value) memcpy(l->value + l->used, l->value + l->at[i], count * sizeof *l->value);
    l->at[i] = l->used;
    l->room[i] = (int)room;
    l->used += room;
    return true;
}

static void append(Work* w, Lists* l, int i, int item, double value) {
    if (l->count[i] == l->room[i] && !make_room(l, i)) {
        w->failed = true;
        return;
    }
    size_t at = l->at[i] + (size_t)l->count[i]++;
    l->item[at] = item;
    if (l->value) l->value[at] = value;
}

// The last one takes the place of the one that goes.
static void take_out(Lists* l, int i, size_t at) {
    size_t last = l->at[i] + (size_t)--l->count[i];
    l->item[at] = l->item[last];
    if (l->value) l->value[at] = l->value[last];
}

static size_t find(const Lists* l, int i, int item) {
    size_t at = l->at[i];
    while (l->item[at] != item) at++;
    return at;
}

// --- buckets ------------------------------------------------------------------------------------

static bool buckets_init(Buckets* b, int count, int most) {
    b->head = lia_memory_take(((size_t)most + 3 * (size_t)count + 4) * sizeof *b->head);
    if (!b->head) return false;
    b->next = b->head + most + 1;
    b->before = b->next + count + 1;
    b->where = b->before + count + 1;
    b->least = 0;
    for (int i = 0; i <= most; i++) b->head[i] = -1;
    for (int i = 0; i < count; i++) b->where[i] = -1;
    return true;
}

static void hang(Buckets* b, int i, int count) {
    int old = b->where[i];
    if (old == count) return;
    if (old >= 0) {
        if (b->before[i] >= 0) b->next[b->before[i]] = b->next[i];
        if (b->before[i] < 0) b->head[old] = b->next[i];
        if (b->next[i] >= 0) b->before[b->next[i]] = b->before[i];
    }
    b->where[i] = count;
    if (count < 0) return;
    b->before[i] = -1;
    b->next[i] = b->head[count];
    if (b->head[count] >= 0) b->before[b->head[count]] = i;
    b->head[count] = i;
    if (count < b->least) b->least = count;
}

// --- the matrix ---------------------------------------------------------------------------------

static void measure(Work* w, int i) {
    const double* value = w->rows.value + w->rows.at[i];
    double most = 0.0;
    for (int k = 0; k < w->rows.count[i]; k++) most = fabs(value[k]) > most ? fabs(value[k]) : most;
    w->size[i] = most;
}

// A row that is nothing any more leaves its columns.
static void give_up(Work* w, int i) {
    for (int k = 0; k < w->rows.count[i]; k++) {
        int c = w->rows.item[w->rows.at[i] + (size_t)k];
        take_out(&w->columns, c, find(&w->columns, c, i));
        hang(&w->by_column, c, w->columns.count[c]);
    }
    w->step[i] = -1;
    hang(&w->by_row, i, -1);
}

static void file_row(Work* w, int i) {
    measure(w, i);
    if (!(w->size[i] > w->margin)) {
        give_up(w, i);
    } else {
        hang(&w->by_row, i, w->size[i] >= w->tier ? w->rows.count[i] : -1);
    }
}

static bool work_init(Work* w, const LiaSparse* A, double margin, double part) {
    memset(w, 0, sizeof *w);
    int m = A->rows, n = A->columns;
    size_t entries = (size_t)A->start[m];
    w->m = m, w->n = n;
    w->margin = margin;
    w->part = w->tier = part;
    w->size = lia_memory_zeros((size_t)m + 1, sizeof *w->size);
    w->index = lia_memory_zeros((size_t)n + 3 * (size_t)m + 4, sizeof *w->index);
    if (!w->size || !w->index || !lists_init(&w->rows, m, 3 * entries, true) ||
        !lists_init(&w->columns, n, 3 * entries, false) || !lists_init(&w->L, m, entries, false) ||
        !lists_init(&w->U, m, entries, false) || !buckets_init(&w->by_row, m, n) ||
        !buckets_init(&w->by_column, n, m)) {
        return false;
    }
    w->step = w->index + n + 1;
    w->pivot_row = w->step + m + 1;
    w->pivot_column = w->pivot_row + m + 1;
    for (int i = 0; i < m; i++) {
        for (int k = A->start[i]; k < A->start[i + 1]; k++) {
            append(w, &w->rows, i, A->column[k], A->value[k]);
            append(w, &w->columns, A->column[k], i, 0.0);
        }
    }
    for (int j = n - 1; j >= 0; j--) hang(&w->by_column, j, w->columns.count[j]);
    for (int i = m - 1; i >= 0; i--) file_row(w, i);
    return !w->failed;
}

static void work_clear(Work* w) {
    lists_clear(&w->rows);
    lists_clear(&w->columns);
    lists_clear(&w->L);
    lists_clear(&w->U);
    free(w->by_row.head);
    free(w->by_column.head);
    free(w->size);
    free(w->index);
}

// --- the choice of a pivot ----------------------------------------------------------------------

typedef struct Choice {
    int row, column;
    double cost, part;  // part of the largest entry in the row
} Choice;

static void offer(const Work* w, Choice* best, int i, int j, double value) {
    double part = fabs(value) / w->size[i];
    if (!(part >= LIA_PIVOT_GROWTH)) return;
    double cost = (double)(w->rows.count[i] - 1) * (double)(w->columns.count[j] - 1);
    if (best->row >= 0 && (cost > best->cost || (cost == best->cost && part <= best->part))) return;
    *best = (Choice){i, j, cost, part};
}

static void look_at_row(const Work* w, Choice* best, int i) {
    size_t at = w->rows.at[i];
    for (int k = 0; k < w->rows.count[i]; k++, at++) {
        offer(w, best, i, w->rows.item[at], w->rows.value[at]);
    }
}

static void look_at_column(const Work* w, Choice* best, int j) {
    size_t at = w->columns.at[j];
    for (int k = 0; k < w->columns.count[j]; k++, at++) {
        int i = w->columns.item[at];
        if (w->by_row.where[i] < 0) continue;  // waits
        offer(w, best, i, j, w->rows.value[find(&w->rows, i, j)]);
    }
}

// Short rows and columns first; a few of them are enough.
static bool choose(Work* w, Choice* best) {
    best->row = -1;
    int most = w->m > w->n ? w->m : w->n, searched = 0;
    int from = w->by_row.least < w->by_column.least ? w->by_row.least : w->by_column.least;
    bool empty = true;
    for (int count = from; count <= most; count++) {
        double reach = (double)(count - 1) * (double)(count - 1);
        if (best->row >= 0 && best->cost <= reach) return true;
        for (int j = count <= w->m && count > 0 ? w->by_column.head[count] : -1; j >= 0;
             j = w->by_column.next[j]) {
            empty = false;
            look_at_column(w, best, j);
            if (best->row >= 0 && (best->cost <= reach || ++searched >= SEARCHED)) return true;
        }
        for (int i = count <= w->n ? w->by_row.head[count] : -1; i >= 0; i = w->by_row.next[i]) {
            empty = false;
            look_at_row(w, best, i);
            if (best->row >= 0 && (best->cost <= reach || ++searched >= SEARCHED)) return true;
        }
        if (empty) w->by_row.least = w->by_column.least = count + 1;
    }
    return best->row >= 0;
}

// Smaller rows have their turn now. False if there are none.
static bool lower_tier(Work* w) {
    double most = 0.0;
    for (int i = 0; i < w->m; i++) {
        if (!w->step[i] && w->size[i] > most) most = w->size[i];
    }
    if (!(most > w->margin) || !isfinite(most)) return false;
    w->tier = w->part * (most < w->tier ? most : w->tier);
    for (int i = w->m - 1; i >= 0; i--) {
        if (!w->step[i]) file_row(w, i);
    }
    return true;
}

// --- one step -----------------------------------------------------------------------------------

// row i -= l * pivot row, l such that column j vanishes
static void subtract(Work* w, int i, int p, int j, double pivot) {
    size_t at = find(&w->rows, i, j);
    double l = w->rows.value[at] / pivot;
    take_out(&w->rows, i, at);
    append(w, &w->L, i, w->rank, 0.0);
    size_t first = w->rows.at[i];
    for (int k = 0; k < w->rows.count[i]; k++) w->index[w->rows.item[first + (size_t)k]] = 1 + k;
    for (int k = 0; k < w->rows.count[p] && !w->failed; k++) {
        size_t from = w->rows.at[p] + (size_t)k;
        int c = w->rows.item[from];
        double change = -l * w->rows.value[from];
        if (w->index[c]) {
            w->rows.value[w->rows.at[i] + (size_t)w->index[c] - 1] += change;
        } else {
            append(w, &w->rows, i, c, change);
            append(w, &w->columns, c, i, 0.0);
            hang(&w->by_column, c, w->columns.count[c]);
        }
    }
    for (int k = 0; k < w->rows.count[i]; k++) {
        w->index[w->rows.item[w->rows.at[i] + (size_t)k]] = 0;
    }
    w->flops += 1.0 + w->rows.count[p];
}

static void eliminate(Work* w, int p, int j) {
    size_t at = find(&w->rows, p, j);
    double pivot = w->rows.value[at];
    take_out(&w->rows, p, at);
    take_out(&w->columns, j, find(&w->columns, j, p));
    for (int k = 0; k < w->rows.count[p]; k++) {
        int c = w->rows.item[w->rows.at[p] + (size_t)k];
        append(w, &w->U, p, c, 0.0);
        take_out(&w->columns, c, find(&w->columns, c, p));
        hang(&w->by_column, c, w->columns.count[c]);
    }
    w->step[p] = 1 + w->rank;
    hang(&w->by_row, p, -1);
    hang(&w->by_column, j, -1);
    for (int k = 0; k < w->columns.count[j] && !w->failed; k++) {
        int i = w->columns.item[w->columns.at[j] + (size_t)k];
        subtract(w, i, p, j, pivot);
        file_row(w, i);
    }
    w->columns.count[j] = 0;
    w->pivot_row[w->rank] = p;
    w->pivot_column[w->rank] = j;
    w->rank++;
}

// --- what comes out -----------------------------------------------------------------------------

bool lia_elimination_room(LiaElimination* e, size_t rank, size_t L, size_t U) {
    size_t starts = 2 * (rank + 1) * sizeof(size_t);
    memset(e, 0, sizeof *e);
    e->block = lia_memory_take(starts + (2 * rank + L + U + 1) * sizeof(int));
    if (!e->block) return false;
    e->L_start = e->block;
    e->U_start = e->L_start + rank + 1;
    e->row = (int*)(e->U_start + rank + 1);
    e->column = e->row + rank;
    e->L = e->column + rank;
    e->U = e->L + L;
    e->rank = (int)rank;
    return true;
}

static bool take_pattern(const Work* w, LiaElimination* out) {
    size_t rank = (size_t)w->rank, L = 0, U = 0;
    for (size_t k = 0; k < rank; k++) {
        L += (size_t)w->L.count[w->pivot_row[k]];
        U += (size_t)w->U.count[w->pivot_row[k]];
    }
    if (!lia_elimination_room(out, rank, L, U)) return false;
    out->flops = w->flops;
    L = U = 0;
    for (size_t k = 0; k < rank; k++) {
        int p = w->pivot_row[k];
        size_t l = (size_t)w->L.count[p], u = (size_t)w->U.count[p];
        out->row[k] = p;
        out->column[k] = w->pivot_column[k];
        out->L_start[k] = L;
        out->U_start[k] = U;
        memcpy(out->L + L, w->L.item + w->L.at[p], l * sizeof(int));
        memcpy(out->U + U, w->U.item + w->U.at[p], u * sizeof(int));
        L += l;
        U += u;
    }
    out->L_start[rank] = L;
    out->U_start[rank] = U;
    return true;
}

bool lia_elimination_run(const LiaSparse* A, double margin, double part, LiaElimination* out) {
    Work w;
    memset(out, 0, sizeof *out);
    bool ok = work_init(&w, A, margin, part);
    while (ok && !w.failed) {
        if (lia_watch_asked_often()) ok = false;
        Choice best;
        if (choose(&w, &best)) {
            eliminate(&w, best.row, best.column);
        } else if (!lower_tier(&w)) {
            break;
        }
    }
    ok = ok && !w.failed && take_pattern(&w, out);
    work_clear(&w);
    return ok;
}

void lia_elimination_clear(LiaElimination* e) {
    free(e->block);
    memset(e, 0, sizeof *e);
}
