// Patterns of M, J and Omega, and the passes that find M and J. See pattern.h.
// SPDX-License-Identifier: MIT
#include "mechanics/dynamics/pattern.h"
#include "base/memory/memory.h"
#include "base/numeric/elimination.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "expr/tape/jet.h"
#include "mechanics/system.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- what a formula depends on ------------------------------------------------------------------

typedef struct Finder {
    const LiaGraph* g;
    uint32_t* seen;  // per node: the last search that met it
    uint32_t search;
    uint32_t* stack;
    int* column;  // coordinate -> its column, -1: driven
    int* found;   // columns below the formula, rising
    int count;
    void* block;
} Finder;

static bool finder_init(Finder* f, const LiaSystem* s, const LiaDynamics* d) {
    *f = (Finder){.g = s->graph};
    size_t nodes = s->graph->count, n = s->n;
    f->block = lia_memory_zeros(2 * nodes + 2 * n + 2, sizeof(uint32_t));
    if (!f->block) return false;
    f->seen = f->block;
    f->stack = f->seen + nodes;
    f->column = (int*)(f->stack + nodes);
    f->found = f->column + n + 1;
    for (size_t i = 0; i < n; i++) f->column[i] = -1;
    for (uint32_t k = 0; k < d->nf; k++) f->column[d->free[k]] = (int)k;
    return true;
}

static int rising(const void* a, const void* b) {
    int x = *(const int*)a, y = *(const int*)b;
    return (x > y) - (x < y);
}

// The free coordinates whose symbols of one kind stand in e.
static void find(Finder* f, LiaExpr e, LiaSymbolKind kind) {
    const LiaNode* nodes = f->g->nodes;
    unsigned bit = 1u << kind;
    uint32_t height = 0;
    f->search++;
    f->count = 0;
    if (!(nodes[e.index].depends & bit)) return;
    f->seen[e.index] = f->search;
    f->stack[height++] = e.index;
    while (height > 0) {
        const LiaNode* n = &nodes[f->stack[--height]];
        if (n->op == LIA_OP_SYMBOL) {
            if (f->column[n->a] >= 0) f->found[f->count++] = f->column[n->a];
            continue;
        }
        const uint32_t arguments[3] = {n->a, n->b, n->c};
        for (int a = 0; a < lia_op_arity((LiaOp)n->op); a++) {
            uint32_t x = arguments[a];
            if (f->seen[x] == f->search || !(nodes[x].depends & bit)) continue;
            f->seen[x] = f->search;
            f->stack[height++] = x;
        }
    }
    qsort(f->found, (size_t)f->count, sizeof *f->found, rising);
}

// --- patterns -----------------------------------------------------------------------------------

static bool pattern_init(LiaPattern* p, int rows, int columns) {
    *p = (LiaPattern){.rows = rows, .columns = columns};
    p->start = lia_memory_zeros((size_t)rows + 1, sizeof *p->start);
    return p->start != NULL;
}

// Rows are added one after the other; room doubles.
static bool add_row(LiaPattern* p, int row, const int* columns, int count) {
    int used = p->start[row], room = 16;
    while (room < used) room *= 2;
    if (!p->column || used + count > room || used == 0) {
        while (room < used + count) room *= 2;
        int* column = lia_memory_resize(p->column, (size_t)room * sizeof *column);
        if (!column) return false;
        p->column = column;
    }
    if (count > 0) memcpy(p->column + used, columns, (size_t)count * sizeof *columns);
    p->start[row + 1] = used + count;
    return true;
}

static bool find_M(Finder* f, const LiaSystem* s, LiaDynamics* d) {
    bool ok = pattern_init(&d->M, (int)d->nf, (int)d->nf);
    for (uint32_t k = 0; ok && k < d->nf; k++) {
        find(f, s->lagrange.P[d->free[k]], LIA_SYMBOL_VELOCITY);
        ok = add_row(&d->M, (int)k, f->found, f->count);
    }
    return ok;
}

static bool find_J(Finder* f, const LiaSystem* s, LiaDynamics* d) {
    bool ok = pattern_init(&d->J, (int)d->nc, (int)d->nf);
    for (uint32_t c = 0; ok && c < d->nc; c++) {
        const LiaRow* row = &s->rows[d->rows[c]];
        find(f, row->equation, row->geometric ? LIA_SYMBOL_POSITION : LIA_SYMBOL_VELOCITY);
        ok = add_row(&d->J, (int)c, f->found, f->count);
    }
    return ok;
}

static bool find_Omega(Finder* f, const LiaSystem* s, LiaDynamics* d) {
    bool ok = pattern_init(&d->Omega, (int)d->nc, (int)d->nf);
    for (uint32_t c = 0; ok && c < d->nc; c++) {
        const LiaRow* row = &s->rows[d->rows[c]];
        uint32_t e = 0;
        f->count = 0;
        for (uint32_t k = 0; k < d->nf; k++) {
            while (e < row->entries && row->coordinate[e] < d->free[k]) e++;
            if (e < row->entries && row->coordinate[e] == d->free[k]) f->found[f->count++] = (int)k;
        }
        ok = add_row(&d->Omega, (int)c, f->found, f->count);
    }
    if (!ok) return false;
    d->Omega_register =
        lia_memory_zeros((size_t)d->Omega.start[d->nc] + 1, sizeof *d->Omega_register);
    for (uint32_t c = 0; d->Omega_register && c < d->nc; c++) {
        for (int e = d->Omega.start[c]; e < d->Omega.start[c + 1]; e++) {
            LiaExpr entry = lia_system_slope(s, d->rows[c], d->free[d->Omega.column[e]]);
            d->Omega_register[e] = lia_tape_register(d->tape, entry);
        }
    }
    return d->Omega_register != NULL;
}

// --- columns that are found together ------------------------------------------------------------

typedef struct Row {
    const int* column;
    int count;
    uint32_t reg, entry;  // of the first one
} Row;

// Rows of M and J that are found by velocities, or those of J that are found by positions.
static int rows_of(const LiaSystem* s, const LiaDynamics* d, bool by_q, Row* rows) {
    int count = 0;
    for (uint32_t k = 0; !by_q && k < d->nf; k++) {
        int at = d->M.start[k];
        rows[count++] =
            (Row){d->M.column + at, d->M.start[k + 1] - at, d->p[d->free[k]], (uint32_t)at};
    }
    for (uint32_t c = 0; c < d->nc; c++) {
        if (s->rows[d->rows[c]].geometric != by_q) continue;
        int at = d->J.start[c];
        rows[count++] = (Row){d->J.column + at, d->J.start[c + 1] - at, d->equation[c],
                              (uint32_t)(d->M.start[d->nf] + at)};
    }
    return count;
}

// Give each column the first colour none of its neighbours has. Where a row has most of the columns
// there is nothing to gain. Returns the number of colours, -1 if memory is out.
static int paint(const Row* rows, int count, int columns, int* colour) {
    int longest = 0;
    size_t entries = 0;
    for (int r = 0; r < count; r++) {
        longest = rows[r].count > longest ? rows[r].count : longest;
        entries += (size_t)rows[r].count;
    }
    for (int k = 0; k < columns; k++) colour[k] = k;
    if (entries == 0) return 0;
    if (2 * longest > columns) return columns;
    int* start = lia_memory_zeros(2 * (size_t)columns + 2 + entries, sizeof *start);
    if (!start) return -1;
    int *taken = start + columns + 2, *of = taken + columns, most = 0;
    for (int r = 0; r < count; r++) {
        for (int e = 0; e < rows[r].count; e++) start[rows[r].column[e] + 2]++;
    }
    for (int k = 0; k < columns; k++) start[k + 2] += start[k + 1];
    for (int r = 0; r < count; r++) {
        for (int e = 0; e < rows[r].count; e++) of[start[rows[r].column[e] + 1]++] = r;
    }
    for (int k = 0; k < columns; k++) {
        for (int e = start[k]; e < start[k + 1]; e++) {
            const Row* row = &rows[of[e]];
            for (int j = 0; j < row->count && row->column[j] < k; j++) {
                taken[colour[row->column[j]]] = k + 1;
            }
        }
        colour[k] = 0;
        while (taken[colour[k]] == k + 1) colour[k]++;
        if (colour[k] >= most) most = colour[k] + 1;
    }
    free(start);
    return most;
}

static bool probes_init(LiaProbes* p, int colours, int columns, size_t reads) {
    p->passes = (uint32_t)(colours + LIA_JET_LANES - 1) / LIA_JET_LANES;
    size_t passes = p->passes, n = (size_t)columns;
    p->block = lia_memory_zeros(
        reads * sizeof(LiaRead) + (2 * passes + 2 + n) * sizeof(uint32_t) + n + 1, 1);
    if (!p->block) return false;
    p->reads = p->block;
    p->seed_start = (uint32_t*)(p->reads + reads);
    p->read_start = p->seed_start + passes + 1;
    p->coordinate = p->read_start + passes + 1;
    p->lane = (uint8_t*)(p->coordinate + n);
    return true;
}

// Sort the columns and what is read by passes.
static void fill_probes(LiaProbes* p, const LiaDynamics* d, const Row* rows, int count,
                        const int* colour, int colours) {
    enum { LANES = LIA_JET_LANES };
    for (uint32_t pass = 0; pass < p->passes; pass++) {
        p->seed_start[pass + 1] = p->seed_start[pass];
        for (uint32_t k = 0; k < d->nf; k++) {
            if (colour[k] / LANES != (int)pass || colour[k] >= colours) continue;
            p->coordinate[p->seed_start[pass + 1]] = d->free[k];
            p->lane[p->seed_start[pass + 1]++] = (uint8_t)(colour[k] % LANES);
        }
    }
    for (int r = 0; r < count; r++) {
        for (int e = 0; e < rows[r].count; e++) {
            p->read_start[colour[rows[r].column[e]] / LANES + 1]++;
        }
    }
    for (uint32_t pass = 0; pass < p->passes; pass++) {
        p->read_start[pass + 1] += p->read_start[pass];
    }
    for (int r = 0; r < count; r++) {
        for (int e = 0; e < rows[r].count; e++) {
            int c = colour[rows[r].column[e]];
            p->reads[p->read_start[c / LANES]++] =
                (LiaRead){rows[r].reg, (uint32_t)(c % LANES), rows[r].entry + (uint32_t)e};
        }
    }
    for (uint32_t pass = p->passes; pass > 0; pass--) p->read_start[pass] = p->read_start[pass - 1];
    p->read_start[0] = 0;
}

static bool make_probes(const LiaSystem* s, LiaDynamics* d, bool by_q, LiaProbes* p) {
    Row* rows = lia_memory_zeros((size_t)d->nf + d->nc + 1, sizeof *rows);
    int* colour = lia_memory_zeros((size_t)d->nf + 1, sizeof *colour);
    bool ok = rows && colour;
    if (ok) {
        int count = rows_of(s, d, by_q, rows);
        int colours = paint(rows, count, (int)d->nf, colour);
        size_t reads = 0;
        for (int r = 0; r < count; r++) reads += (size_t)rows[r].count;
        ok = colours >= 0 && probes_init(p, colours, (int)d->nf, reads);
        if (ok) fill_probes(p, d, rows, count, colour, colours);
    }
    free(rows);
    free(colour);
    return ok;
}

// --- dense or sparse ----------------------------------------------------------------------------

// K0 with made-up numbers where it can be other than zero.
static bool fill_K0(const LiaDynamics* d, LiaSparse* K) {
    int nf = (int)d->nf, nc = (int)d->nc, at = 0;
    int entries = d->M.start[nf] + d->J.start[nc] + d->Omega.start[nc];
    *K = (LiaSparse){.rows = nf + nc, .columns = nf + nc};
    K->start = lia_memory_zeros((size_t)K->rows + 1, sizeof *K->start);
    K->column = lia_memory_zeros((size_t)entries + 1, sizeof *K->column);
    K->value = lia_memory_zeros((size_t)entries + 1, sizeof *K->value);
    int* next = lia_memory_zeros((size_t)nf + 1, sizeof *next);
    bool ok = K->start && K->column && K->value && next;
    if (ok) {
        for (int e = 0; e < d->Omega.start[nc]; e++) next[d->Omega.column[e]]++;
        for (int k = 0; k < nf; k++) {
            for (int e = d->M.start[k]; e < d->M.start[k + 1]; e++) {
                K->column[at++] = d->M.column[e];
            }
            int room = at + next[k];
            next[k] = at;
            at = room;
            K->start[k + 1] = at;
        }
        for (int c = 0; c < nc; c++) {
            for (int e = d->Omega.start[c]; e < d->Omega.start[c + 1]; e++) {
                K->column[next[d->Omega.column[e]]++] = nf + c;
            }
            for (int e = d->J.start[c]; e < d->J.start[c + 1]; e++) {
                K->column[at++] = d->J.column[e];
            }
            K->start[nf + c + 1] = at;
        }
        uint64_t x = 1;
        for (int e = 0; e < at; e++) {
            K->value[e] = lia_random_generic(&x);
        }
    }
    free(next);
    return ok;
}

// Counted in multiplications, for one factorisation and the solves of one step; one through a list
// of places costs as much as some five in a row.
static bool choose_sparse(LiaDynamics* d) {
    double N = (double)d->nf + (double)d->nc;
    double entries = (double)d->M.start[d->nf] + d->J.start[d->nc] + d->Omega.start[d->nc];
    const double solves = 20.0, dear = 5.0;
    if (N < 64.0 || entries > 0.25 * N * N) return true;
    LiaSparse K;
    LiaElimination e = {0};
    bool ok =
        fill_K0(d, &K) && lia_elimination_run(&K, LIA_SPARSE_TRIAL_MARGIN, LIA_ROWS_BY_FILL, &e);
    if (ok) {
        double stored = (double)(e.L_start[e.rank] + e.U_start[e.rank]) + N;
        d->sparse = dear * (e.flops + solves * stored) < N * N * N / 3.0 + solves * N * N;
    }
    lia_elimination_clear(&e);
    free(K.start);
    free(K.column);
    free(K.value);
    return ok;
}

static bool find_places(LiaDynamics* d) {
    size_t nf = d->nf, at = 0;
    d->entry_at = lia_memory_zeros((size_t)d->M.start[nf] + (size_t)d->J.start[d->nc] + 1,
                                   sizeof *d->entry_at);
    if (!d->entry_at) return false;
    for (size_t k = 0; k < nf; k++) {
        for (int e = d->M.start[k]; e < d->M.start[k + 1]; e++) {
            d->entry_at[at++] = k * nf + (size_t)d->M.column[e];
        }
    }
    for (size_t c = 0; c < d->nc; c++) {
        for (int e = d->J.start[c]; e < d->J.start[c + 1]; e++) {
            d->entry_at[at++] = (nf + c) * nf + (size_t)d->J.column[e];
        }
    }
    return true;
}

bool lia_pattern_make(const LiaSystem* s, LiaDynamics* d) {
    Finder f;
    bool ok = finder_init(&f, s, d);
    ok = ok && find_M(&f, s, d) && find_J(&f, s, d) && find_Omega(&f, s, d);
    free(f.block);
    return ok && make_probes(s, d, false, &d->probe_v) && make_probes(s, d, true, &d->probe_q) &&
           find_places(d) && choose_sparse(d);
}

void lia_pattern_clear(LiaDynamics* d) {
    LiaPattern* const patterns[3] = {&d->M, &d->J, &d->Omega};
    for (int i = 0; i < 3; i++) {
        free(patterns[i]->start);
        free(patterns[i]->column);
    }
    free(d->Omega_register);
    free(d->entry_at);
    free(d->probe_v.block);
    free(d->probe_q.block);
}
