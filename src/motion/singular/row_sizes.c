// What is left of each row of J, in units of sqrt(M), after those before it: where rows lose their
// rank, what is left of one of them vanishes.
//
// These are the diagonal of Cholesky's factor of J J^T. Its digits are half of those of J, which is
// plenty for a size that is compared with itself. Rows of large systems have few columns in common:
// they are taken in the order of minimum degree, in which few entries fill in.
// SPDX-License-Identifier: MIT
#include "motion/singular/row_sizes.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/independent.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// --- the order ----------------------------------------------------------------------------------

// Which rows have columns in common, as bits, while rows are eliminated one after the other.
typedef struct Graph {
    size_t count, words;  // rows; words of bits for each
    uint64_t* bits;       //                       (count x words)
} Graph;

static bool graph_init(Graph* g, size_t count) {
    *g = (Graph){count, (count + 63) / 64, NULL};
    g->bits = lia_memory_zeros(count * g->words + 1, sizeof *g->bits);
    return g->bits != NULL;
}

static void join(Graph* g, size_t a, size_t b) {
    g->bits[a * g->words + b / 64] |= (uint64_t)1 << (b % 64);
}

static bool joined(const Graph* g, size_t a, size_t b) {
    return g->bits[a * g->words + b / 64] >> (b % 64) & 1;
}

static int degree(const Graph* g, size_t a) {
    int sum = 0;
    for (size_t k = 0; k < g->words; k++) {
        for (uint64_t x = g->bits[a * g->words + k]; x; x &= x - 1) sum++;
    }
    return sum;
}

// Row p goes: its neighbours become neighbours of each other. They have new degrees.
static void eliminate(Graph* g, size_t p, int* degrees) {
    const uint64_t* own = g->bits + p * g->words;
    for (size_t b = 0; b < g->count; b++) {
        if (b == p || !joined(g, p, b)) continue;
        uint64_t* other = g->bits + b * g->words;
        for (size_t k = 0; k < g->words; k++) other[k] |= own[k];
        other[p / 64] &= ~((uint64_t)1 << (p % 64));
        degrees[b] = degree(g, b);
    }
}

// The order of minimum degree; rows that are eliminated keep the later ones they change.
static void find_order(Graph* g, LiaRowSizes* s, int* degrees) {
    int entries = 0;
    for (size_t a = 0; a < g->count; a++) degrees[a] = degree(g, a);
    for (int k = 0; k < s->count; k++) {
        int best = -1;
        for (int a = 0; a < s->count; a++) {
            if (degrees[a] >= 0 && (best < 0 || degrees[a] < degrees[best])) best = a;
        }
        s->order[k] = best;
        s->number[best] = k;
        s->start[k] = entries;
        entries += degrees[best] - 1;  // but for itself
        eliminate(g, (size_t)best, degrees);
        degrees[best] = -1;
    }
    s->start[s->count] = entries;
}

static void list_later(const Graph* g, LiaRowSizes* s) {
    for (int k = 0; k < s->count; k++) {
        int to = s->start[k];
        for (int other = k + 1; other < s->count; other++) {
            if (joined(g, (size_t)s->order[k], (size_t)s->order[other])) s->later[to++] = other;
        }
    }
}

// --- J by columns -------------------------------------------------------------------------------

static void list_columns(LiaRowSizes* s, const LiaPattern* J) {
    int nf = J->columns;
    for (int r = 0; r < s->count; r++) {
        for (int e = J->start[s->row[r]]; e < J->start[s->row[r] + 1]; e++)
            s->with[J->column[e] + 1]++;
    }
    for (int k = 0; k < nf; k++) s->with[k + 1] += s->with[k];
    for (int r = 0, own = 0; r < s->count; r++) {
        s->entry[r] = own;
        for (int e = J->start[s->row[r]]; e < J->start[s->row[r] + 1]; e++, own++) {
            int to = s->with[J->column[e]]++;
            s->at[to] = own;
            s->of[to] = r;
        }
    }
    for (int k = nf; k > 0; k--) s->with[k] = s->with[k - 1];
    s->with[0] = 0;
}

static void join_rows(Graph* g, const LiaRowSizes* s, int columns) {
    for (int k = 0; k < columns; k++) {
        for (int a = s->with[k]; a < s->with[k + 1]; a++) {
            for (int b = s->with[k]; b < s->with[k + 1]; b++)
                join(g, (size_t)s->of[a], (size_t)s->of[b]);
        }
    }
    for (size_t r = 0; r < g->count; r++) join(g, r, r);
}

// --- all of it ----------------------------------------------------------------------------------

static bool make_room(LiaRowSizes* s, const LiaPattern* J) {
    size_t n = (size_t)s->count, columns = (size_t)J->columns, entries = 0;
    for (int r = 0; r < s->count; r++)
        entries += (size_t)(J->start[s->row[r] + 1] - J->start[s->row[r]]);
    size_t doubles = n * n + 2 * n + columns + entries,
           ints = 4 * n + 2 + columns + 1 + 2 * entries;
    s->block = lia_memory_zeros(doubles * sizeof(double) + ints * sizeof(int), 1);
    if (!s->block) return false;
    s->A = s->block;
    s->size = s->A + n * n;
    s->whole = s->size + n;
    s->column = s->whole + n;
    s->value = s->column + columns;
    s->order = (int*)(s->value + entries);
    s->number = s->order + n;
    s->start = s->number + n;
    s->entry = s->start + n + 1;
    s->with = s->entry + n + 1;
    s->at = s->with + columns + 1;
    s->of = s->at + entries;
    return true;
}

bool lia_row_sizes_init(LiaRowSizes* s, const LiaWorkspace* w, const int* row, int count) {
    const LiaPattern* J = &w->dynamics->J;
    Graph g = {0};
    *s = (LiaRowSizes){.count = count, .row = row};
    int* degrees = lia_memory_zeros((size_t)count + 1, sizeof *degrees);
    bool ok = degrees && make_room(s, J) && graph_init(&g, (size_t)count);
    if (ok) {
        list_columns(s, J);
        join_rows(&g, s, J->columns);
        find_order(&g, s, degrees);
        s->later = lia_memory_zeros((size_t)s->start[count] + 1, sizeof *s->later);
        ok = s->later != NULL;
    }
    if (ok) list_later(&g, s);
    free(degrees);
    free(g.bits);
    return ok;
}

void lia_row_sizes_clear(LiaRowSizes* s) {
    free(s->later);
    free(s->block);
    *s = (LiaRowSizes){0};
}

// --- the sizes ----------------------------------------------------------------------------------

static void take_rows(LiaRowSizes* s, const LiaWorkspace* w) {
    const LiaPattern* pattern = &w->dynamics->J;
    lia_independent_columns(w, s->column);
    for (int r = 0; r < s->count; r++) {
        LiaEntries J = lia_workspace_J(w, s->row[r]);
        double* value = s->value + s->entry[r];
        int begin = pattern->start[s->row[r]], count = pattern->start[s->row[r] + 1] - begin;
        for (int e = 0; e < count; e++) {
            int k = pattern->column[begin + e];
            value[e] = J.value[J.column ? e : k] / s->column[k];
        }
    }
}

// The lower half of J J^T, the entries that there are.
static void multiply(LiaRowSizes* s, int columns) {
    size_t n = (size_t)s->count;
    for (size_t k = 0; k < n; k++) {
        s->A[k * n + k] = 0.0;
        for (int e = s->start[k]; e < s->start[k + 1]; e++) s->A[(size_t)s->later[e] * n + k] = 0.0;
    }
    for (int k = 0; k < columns; k++) {
        for (int a = s->with[k]; a < s->with[k + 1]; a++) {
            size_t i = (size_t)s->number[s->of[a]];
            double x = s->value[s->at[a]];
            for (int b = s->with[k]; b < s->with[k + 1]; b++) {
                size_t j = (size_t)s->number[s->of[b]];
                if (j <= i) s->A[i * n + j] += x * s->value[s->at[b]];
            }
        }
    }
}

void lia_row_sizes_find(LiaRowSizes* s, const LiaWorkspace* w) {
    size_t n = (size_t)s->count;
    take_rows(s, w);
    multiply(s, w->dynamics->J.columns);
    for (size_t k = 0; k < n; k++) s->whole[k] = sqrt(s->A[k * n + k]);
    for (size_t k = 0; k < n; k++) {
        const int *later = s->later + s->start[k], *end = s->later + s->start[k + 1];
        double* A = s->A;
        double left = fmax(A[k * n + k], 0.0), pivot = sqrt(left);
        s->size[s->order[k]] = pivot;
        // Of a row that is nothing but rounding the others lose nothing.
        double inverse = pivot > LIA_SINGULAR_NOTHING * s->whole[k] ? 1.0 / pivot : 0.0;
        for (const int* i = later; i < end; i++) {
            double f = A[(size_t)*i * n + k] *= inverse;
            if (f == 0.0) continue;
            for (const int* j = later; j <= i; j++)
                A[(size_t)*i * n + (size_t)*j] -= f * A[(size_t)*j * n + k];
        }
    }
}
