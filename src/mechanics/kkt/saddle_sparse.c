// K0 by its entries. See saddle.h.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/saddle_sparse.h"
#include "base/memory/memory.h"
#include "mechanics/kkt/independent.h"
#include <stdlib.h>
#include <string.h>

enum { NULL_SPACE_MOST = 600 };  // a third of a second for each factorisation, at the cube of it

static size_t entries_of(const LiaDynamics* d) {
    return (size_t)d->M.start[d->nf] + (size_t)d->J.start[d->nc] + (size_t)d->Omega.start[d->nc];
}

static bool create(LiaSaddle* k) {
    const LiaDynamics* d = k->dynamics;
    LiaSaddleEntries* s = k->entries = lia_memory_zeros(1, sizeof *s);
    if (!s) return false;
    size_t nc = d->nc, N = d->nf + nc, entries = entries_of(d);
    s->dynamics = d;
    s->nr = -1;
    s->block =
        lia_memory_zeros(2 * entries * sizeof(double) + (2 * entries + N + 1 + N) * sizeof(int), 1);
    if (!s->block || !lia_sparse_lu_init(&s->lu, (int)N)) return false;
    s->value = s->block;
    s->K0.value = s->value + entries;
    s->K0.column = (int*)(s->K0.value + entries);
    s->from = s->K0.column + entries;
    s->K0.start = s->from + entries;
    s->active = s->K0.start + N + 1;
    s->next = s->active + nc;
    return true;
}

static void destroy(LiaSaddle* k) {
    if (!k->entries) return;
    lia_sparse_lu_clear(&k->entries->lu);
    free(k->entries->full);
    free(k->entries->block);
    free(k->entries);
}

// --- blocks -------------------------------------------------------------------------------------

static LiaEntries row_of(const LiaPattern* p, const double* values, int row) {
    int at = p->start[row];
    return (LiaEntries){p->start[row + 1] - at, p->column + at, values + at};
}

static double* values_of_J(const LiaSaddle* k) {
    return k->entries->value + k->dynamics->M.start[k->dynamics->nf];
}

static double* values_of_Omega(const LiaSaddle* k) {
    return values_of_J(k) + k->dynamics->J.start[k->dynamics->nc];
}

static LiaEntries row_of_M(const LiaSaddle* k, int i) {
    return row_of(&k->dynamics->M, k->entries->value, i);
}

static LiaEntries row_of_J(const LiaSaddle* k, int c) {
    return row_of(&k->dynamics->J, values_of_J(k), c);
}

static LiaEntries row_of_Omega(const LiaSaddle* k, int c) {
    return row_of(&k->dynamics->Omega, values_of_Omega(k), c);
}

static void take_columns(LiaSaddle* k, const LiaJets* jets, const LiaProbes* p, uint32_t pass) {
    const LiaRead *r = p->reads + p->read_start[pass], *end = p->reads + p->read_start[pass + 1];
    double* value = k->entries->value;
    for (; r < end; r++) value[r->entry] = lia_jet_lane(jets, r->reg, (int)r->lane);
}

static void take_Omega(LiaSaddle* k, const LiaJets* jets) {
    const LiaDynamics* d = k->dynamics;
    double* value = values_of_Omega(k);
    for (int e = 0; e < d->Omega.start[d->nc]; e++) {
        value[e] = lia_jet_coefficient(jets, d->Omega_register[e], 0);
    }
}

static double J_rounding(const LiaSaddle* k) {
    return lia_independent_rounding(values_of_J(k), 1, k->dynamics->J.start[k->dynamics->nc]);
}

// --- factors ------------------------------------------------------------------------------------

static void put(LiaSaddleEntries* s, int at, int column, int from) {
    s->K0.column[at] = column;
    s->from[at] = from;
}

// The rows of M, each with room for its part of Omega^T; then the active rows of J.
static void make_pattern(LiaSaddleEntries* s) {
    const LiaDynamics* d = s->dynamics;
    int nf = (int)d->nf, nc = (int)d->nc, at = 0;
    int J = d->M.start[nf], Omega = J + d->J.start[nc];
    int* next = s->next;
    memset(next, 0, (size_t)nf * sizeof *next);
    for (int r = 0; r < s->nr; r++) {
        int c = s->active[r];
        for (int e = d->Omega.start[c]; e < d->Omega.start[c + 1]; e++) next[d->Omega.column[e]]++;
    }
    for (int k = 0; k < nf; k++) {
        s->K0.start[k] = at;
        for (int e = d->M.start[k]; e < d->M.start[k + 1]; e++) put(s, at++, d->M.column[e], e);
        int room = next[k];
        next[k] = at;
        at += room;
    }
    for (int r = 0; r < s->nr; r++) {
        int c = s->active[r];
        s->K0.start[nf + r] = at;
        for (int e = d->Omega.start[c]; e < d->Omega.start[c + 1]; e++) {
            put(s, next[d->Omega.column[e]]++, nf + r, Omega + e);
        }
        for (int e = d->J.start[c]; e < d->J.start[c + 1]; e++) {
            put(s, at++, d->J.column[e], J + e);
        }
    }
    s->K0.start[nf + s->nr] = at;
    s->K0.rows = s->K0.columns = nf + s->nr;
}

static void assemble(LiaSaddle* k, const int* active, int nr, double sign) {
    LiaSaddleEntries* s = k->entries;
    const double* unit = k->measured ? k->measure : NULL;
    const LiaDynamics* d = s->dynamics;
    size_t bytes = (size_t)nr * sizeof *active;
    bool others = s->nr != nr || memcmp(s->active, active, bytes) != 0;
    if (others) {
        s->nr = nr;
        memcpy(s->active, active, bytes);
        make_pattern(s);
    }
    if (others || s->in_units != (unit != NULL)) lia_sparse_lu_reset(&s->lu, s->K0.rows);
    s->in_units = unit != NULL;
    int Omega = d->M.start[d->nf] + d->J.start[d->nc];
    for (int e = 0; e < s->K0.start[s->K0.rows]; e++) {
        double x = s->value[s->from[e]];
        s->K0.value[e] = s->from[e] >= Omega ? sign * x : x;
    }
    for (int i = 0; unit && i < s->K0.rows; i++) {
        double left = i < (int)d->nf ? unit[i] : 1.0;
        for (int e = s->K0.start[i]; e < s->K0.start[i + 1]; e++) {
            s->K0.value[e] *= left * unit[s->K0.column[e]];
        }
    }
}

static double factor(LiaSaddle* k, const int* active, int nr, double sign) {
    assemble(k, active, nr, sign);
    k->by_null_space = false;
    return lia_sparse_lu_factor(&k->entries->lu, &k->entries->K0, &k->weakest);
}

static size_t full_doubles(size_t N) { return N * N + 2 * N; }

// Room for K0 as a full array: few systems ever need it.
static bool make_full(LiaSaddleEntries* s) {
    size_t nf = s->dynamics->nf, N = nf + s->dynamics->nc;
    if (s->full) return true;
    s->full = lia_memory_zeros(full_doubles(N) * sizeof(double) + 2 * N * sizeof(int), 1);
    if (!s->full) return false;
    double *A = s->full, *left = A + N * N;
    int* row = (int*)(left + 2 * N);
    s->null_space = (LiaNullSpace){(int)N, (int)nf, A, row, row + N, left, left + N};
    return true;
}

static double factor_null_space(LiaSaddle* k, const int* active, int nr, double sign) {
    LiaSaddleEntries* s = k->entries;
    if (!make_full(s)) return 0.0;
    assemble(k, active, nr, sign);
    size_t n = (size_t)s->K0.rows;
    s->null_space.n = s->K0.rows;
    memset(s->null_space.A, 0, n * n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        double* row = s->null_space.A + i * n;
        for (int e = s->K0.start[i]; e < s->K0.start[i + 1]; e++)
            row[s->K0.column[e]] = s->K0.value[e];
    }
    k->by_null_space = true;
    return lia_null_space_factor(&s->null_space, &k->weakest);
}

static void solve(const LiaSaddle* k, double* b, bool careful) {
    if (k->by_null_space) {
        lia_null_space_solve(&k->entries->null_space, b);
    } else if (careful) {
        lia_sparse_lu_refine(&k->entries->lu, &k->entries->K0, b);
    } else {
        lia_sparse_lu_solve(&k->entries->lu, b);
    }
}

void lia_saddle_sparse_solve_transposed(const LiaSaddle* k, double* b) {
    int nf = (int)k->dynamics->nf, N = k->entries->K0.rows;
    for (int i = 0; k->measured && i < N; i++) b[i] *= k->measure[i];
    if (k->by_null_space) {
        lia_null_space_solve_transposed(&k->entries->null_space, b);
    } else {
        lia_sparse_lu_solve_transposed(&k->entries->lu, b);
    }
    for (int i = 0; k->measured && i < nf; i++) b[i] *= k->measure[i];
}

static double log2_determinant(const LiaSaddle* k) {
    return k->by_null_space ? lia_null_space_size(&k->entries->null_space)
                            : lia_sparse_lu_size(&k->entries->lu);
}

static void mark_pivots(LiaSaddle* k) { lia_sparse_lu_mark(&k->entries->lu); }

static bool pivot_fell(const LiaSaddle* k, double part) {
    return k->by_null_space || k->measured || lia_sparse_lu_fell(&k->entries->lu, part);
}

static void keep_full(LiaSaddleEntries* s, LiaKeep* keep) {
    bool there = lia_keep_there(keep, s->full != NULL);
    if (!there) return;
    if (!make_full(s)) {
        lia_keep_refuse(keep);
        return;
    }
    size_t N = s->dynamics->nf + s->dynamics->nc;
    lia_keep_int(keep, &s->null_space.n, 0, (int)N);
    lia_keep_doubles(keep, s->full, full_doubles(N));
    lia_keep_ints(keep, s->null_space.row, 2 * N, 0, (int)N - 1);
}

static void keep(LiaSaddle* k, LiaKeep* keep) {
    LiaSaddleEntries* s = k->entries;
    size_t nf = k->dynamics->nf, nc = k->dynamics->nc, entries = entries_of(k->dynamics);
    lia_keep_int(keep, &s->nr, -1, (int)nc);
    lia_keep_bool(keep, &s->in_units);
    lia_keep_doubles(keep, s->value, 2 * entries);  // and those of K0
    lia_keep_rows(keep, s->active, s->nr, nc);
    if (lia_keep_reads(keep) && lia_keep_good(keep) && s->nr >= 0) make_pattern(s);
    lia_sparse_lu_keep(&s->lu, keep, (int)(nf + nc));
    bool fits = s->nr < 0 ? s->lu.fresh == 0.0 : s->lu.n == (int)nf + s->nr;
    if (!fits) lia_keep_refuse(keep);
    keep_full(s, keep);
    if (k->by_null_space && !s->full) lia_keep_refuse(keep);
}

const LiaSaddleMethod lia_saddle_sparse = {
    .keeps_units = true,
    .create = create,
    .destroy = destroy,
    .keep = keep,
    .M = row_of_M,
    .J = row_of_J,
    .Omega = row_of_Omega,
    .take_columns = take_columns,
    .take_Omega = take_Omega,
    .factor = factor,
    .factor_null_space = factor_null_space,
    .null_space_most = NULL_SPACE_MOST,
    .solve = solve,
    .log2_determinant = log2_determinant,
    .mark_pivots = mark_pivots,
    .pivot_fell = pivot_fell,
    .J_rounding = J_rounding,
    .independent = lia_independent_sparse_take,
    .choice_scratch = lia_independent_sparse_scratch,
};
