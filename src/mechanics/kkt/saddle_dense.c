// K0 as a full array. See saddle.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "mechanics/kkt/independent.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static size_t block_doubles(const LiaDynamics* d) {
    size_t nf = d->nf, nc = d->nc, N = nf + nc;
    return nf * nf + 2 * nc * nf + N * N + 3 * N;
}

static bool create(LiaSaddle* k) {
    const LiaDynamics* d = k->dynamics;
    size_t nf = d->nf, nc = d->nc, N = nf + nc;
    k->block = lia_memory_zeros(block_doubles(d) * sizeof(double) + (2 * N + 1) * sizeof(int), 1);
    if (!k->block) return false;
    double* x = k->block;
    k->M = x, x += nf * nf;
    k->J = x, x += nc * nf;
    k->Omega = x, x += nc * nf;
    k->K0 = x, x += N * N;
    int* row = (int*)(x + 3 * N);
    k->lu = (LiaLu){.n = (int)N, .A = k->K0, .left = x, .right = x + N, .row = row};
    k->null_space = (LiaNullSpace){.n = (int)N,
                                   .nf = (int)nf,
                                   .A = k->K0,
                                   .row = row,
                                   .column = row + N,
                                   .left = x,
                                   .x = x + 2 * N};
    return true;
}

static void destroy(LiaSaddle* k) { free(k->block); }

static void keep(LiaSaddle* k, LiaKeep* keep) {
    int N = (int)(k->dynamics->nf + k->dynamics->nc);
    lia_keep_doubles(keep, k->block, block_doubles(k->dynamics));
    lia_keep_int(keep, &k->lu.n, 0, N);
    lia_keep_ints(keep, k->lu.row, 2 * (size_t)N, 0, N ? N - 1 : 0);  // and the columns
    k->null_space.n = k->lu.n;
}

static LiaEntries row_of(const LiaSaddle* k, const double* A, int row) {
    size_t nf = k->dynamics->nf;
    return (LiaEntries){(int)nf, NULL, A + (size_t)row * nf};
}

static LiaEntries row_of_M(const LiaSaddle* k, int i) { return row_of(k, k->M, i); }
static LiaEntries row_of_J(const LiaSaddle* k, int c) { return row_of(k, k->J, c); }
static LiaEntries row_of_Omega(const LiaSaddle* k, int c) { return row_of(k, k->Omega, c); }

static void take_columns(LiaSaddle* k, const LiaJets* jets, const LiaProbes* p, uint32_t pass) {
    const LiaRead *r = p->reads + p->read_start[pass], *end = p->reads + p->read_start[pass + 1];
    const size_t* entry_at = k->dynamics->entry_at;  // J stands after M
    for (; r < end; r++) k->M[entry_at[r->entry]] = lia_jet_lane(jets, r->reg, (int)r->lane);
}

static void take_Omega(LiaSaddle* k, const LiaJets* jets) {
    const LiaDynamics* d = k->dynamics;
    for (uint32_t c = 0; c < d->nc; c++) {
        double* row = k->Omega + (size_t)c * d->nf;
        for (int e = d->Omega.start[c]; e < d->Omega.start[c + 1]; e++) {
            row[d->Omega.column[e]] = lia_jet_coefficient(jets, d->Omega_register[e], 0);
        }
    }
}

static void fill(LiaSaddle* k, const int* active, int rows, double sign) {
    size_t nf = k->dynamics->nf, nr = (size_t)rows, N = nf + nr;
    const double* unit = k->measured ? k->measure : NULL;
    for (size_t i = 0; i < nf; i++) {
        memcpy(k->K0 + i * N, k->M + i * nf, nf * sizeof(double));
        for (size_t a = 0; a < nr; a++) {
            k->K0[i * N + nf + a] = sign * k->Omega[(size_t)active[a] * nf + i];
        }
    }
    for (size_t a = 0; a < nr; a++) {
        memcpy(k->K0 + (nf + a) * N, k->J + (size_t)active[a] * nf, nf * sizeof(double));
        for (size_t e = 0; e < nr; e++) k->K0[(nf + a) * N + nf + e] = 0.0;
    }
    for (size_t i = 0; unit && i < N; i++) {
        double left = i < nf ? unit[i] : 1.0;
        for (size_t j = 0; j < N; j++) k->K0[i * N + j] *= left * unit[j];
    }
    k->lu.n = k->null_space.n = (int)N;
}

static double factor(LiaSaddle* k, const int* active, int rows, double sign) {
    fill(k, active, rows, sign);
    k->by_null_space = false;
    return lia_dense_lu_factor(&k->lu, &k->weakest);
}

static double factor_null_space(LiaSaddle* k, const int* active, int rows, double sign) {
    fill(k, active, rows, sign);
    k->by_null_space = true;
    return lia_null_space_factor(&k->null_space, &k->weakest);
}

static void solve(const LiaSaddle* k, double* b, bool careful) {
    (void)careful;  // all digits there are
    if (k->by_null_space) {
        lia_null_space_solve(&k->null_space, b);
    } else {
        lia_dense_lu_solve(&k->lu, b);
    }
}

static double log2_determinant(const LiaSaddle* k) {
    return k->by_null_space ? lia_null_space_size(&k->null_space) : lia_dense_lu_size(&k->lu);
}

// Small systems can afford to look at each fall of the determinant.
static void mark_pivots(LiaSaddle* k) { (void)k; }

static bool pivot_fell(const LiaSaddle* k, double part) {
    (void)k, (void)part;
    return true;
}

static double J_rounding(const LiaSaddle* k) {
    return lia_independent_rounding(k->J, (int)k->dynamics->nc, (int)k->dynamics->nf);
}

const LiaSaddleMethod lia_saddle_dense = {
    .full = true,
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
    .null_space_most = INT_MAX,
    .solve = solve,
    .log2_determinant = log2_determinant,
    .mark_pivots = mark_pivots,
    .pivot_fell = pivot_fell,
    .J_rounding = J_rounding,
    .independent = lia_independent_dense_take,
    .choice_scratch = lia_independent_dense_scratch,
};
