// Tests of src/base/sparse and elimination: against the dense factorisation, and against known
// ranks.
// SPDX-License-Identifier: MIT
#include "base/numeric/dense.h"
#include "base/numeric/sparse.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed;
static double chance(void) {  // in [0, 1)
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}
static double number(void) { return 2.0 * chance() - 1.0; }

// A dense m x n array as a sparse matrix: entries that are exactly zero are not there.
static LiaSparse from_dense(int m, int n, const double* D) {
    size_t entries = (size_t)m * (size_t)n;
    LiaSparse A = {.rows = m, .columns = n};
    A.start = calloc((size_t)m + 1, sizeof(int));
    A.column = calloc(entries + 1, sizeof(int));
    A.value = calloc(entries + 1, sizeof(double));
    for (int i = 0; i < m; i++) {
        A.start[i + 1] = A.start[i];
        for (int j = 0; j < n; j++) {
            if (D[i * n + j] == 0.0) continue;
            A.column[A.start[i + 1]] = j;
            A.value[A.start[i + 1]++] = D[i * n + j];
        }
    }
    return A;
}

static void release(LiaSparse* A) {
    free(A->start);
    free(A->column);
    free(A->value);
}

static double residual(int n, const double* D, const double* x, const double* b, bool transposed) {
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = -b[i], size = fabs(b[i]);
        for (int j = 0; j < n; j++) {
            double term = (transposed ? D[j * n + i] : D[i * n + j]) * x[j];
            sum += term;
            size += fabs(term);
        }
        worst = fmax(worst, fabs(sum) / size);
    }
    return worst;
}

// Solve with both factorisations; the answers agree, and the transposed system is solved too.
static void compare(int n, const double* D, LiaSparseLu* lu, double away) {
    size_t N = (size_t)n;
    LiaSparse A = from_dense(n, n, D);
    double* F = malloc(N * N * sizeof *F);
    double* scales = calloc(2 * N + 1, sizeof *scales);
    int* row = calloc(N + 1, sizeof *row);
    double *b = malloc(N * sizeof *b), *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    memcpy(F, D, N * N * sizeof *F);
    LiaLu dense = {.n = n, .A = F, .left = scales, .right = scales + n, .row = row};
    double least = lia_dense_lu_factor(&dense, NULL), own = lia_sparse_lu_factor(lu, &A, NULL);
    assert_true(least > 1e-8 && own > 1e-10);
    for (int i = 0; i < n; i++) b[i] = x[i] = y[i] = number();
    lia_dense_lu_solve(&dense, x);
    lia_sparse_lu_solve(lu, y);
    double size = 0.0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    for (int i = 0; i < n; i++) assert_true(fabs(x[i] - y[i]) <= away * size);
    assert_true(residual(n, D, y, b, false) < 1e-11);
    memcpy(y, b, N * sizeof *y);
    lia_sparse_lu_solve_transposed(lu, y);
    assert_true(residual(n, D, y, b, true) < 1e-11);
    release(&A);
    free(F), free(scales), free(row), free(b), free(x), free(y);
}

static void random_matrices_are_solved_like_dense_ones(void) {
    seed = 1;
    for (int n = 1; n <= 60; n += 7) {
        double* D = calloc((size_t)n * (size_t)n, sizeof *D);
        for (int i = 0; i < n; i++) {
            D[i * n + (i * 7 + 3) % n] = 1.0 + chance();  // regular, mostly off the diagonal
            for (int k = 0; k < 3; k++) D[i * n + (int)(chance() * n)] += 0.4 * number();
        }
        LiaSparseLu lu;
        assert_true(lia_sparse_lu_init(&lu, n));
        compare(n, D, &lu, 1e-9);
        lia_sparse_lu_clear(&lu);
        free(D);
    }
}

// [M -J^T; J 0] of a chain: blocks of M singular by themselves, as for the four numbers of a
// rotation.
static double* saddle(int bodies, int* size) {
    int nf = 4 * bodies, n = nf + 2 * bodies;
    double* D = calloc((size_t)n * (size_t)n, sizeof *D);
    for (int b = 0; b < bodies; b++) {
        double u[4], J[8];
        for (int i = 0; i < 4; i++) u[i] = number();
        double norm = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3]);
        for (int i = 0; i < 4; i++) u[i] /= norm;
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++)
                D[(4 * b + i) * n + 4 * b + j] = (i == j) - u[i] * u[j];  // rank 3
            int c = nf + 2 * b;
            D[c * n + 4 * b + i] = u[i];  // its length
            D[(4 * b + i) * n + c] = -u[i];
        }
        for (int i = 0; i < 8; i++) J[i] = number();
        for (int i = 0; i < 8; i++) {
            int at = 4 * (b - 1) + i, c = nf + 2 * b + 1;
            if (at < 0) continue;
            D[c * n + at] = J[i];
            D[at * n + c] = -J[i];
        }
    }
    *size = n;
    return D;
}

static void saddle_matrices_are_solved_like_dense_ones(void) {
    seed = 5;
    for (int bodies = 1; bodies <= 33; bodies += 8) {
        int n;
        double* D = saddle(bodies, &n);
        LiaSparseLu lu;
        assert_true(lia_sparse_lu_init(&lu, n));
        compare(n, D, &lu, 1e-8);
        lia_sparse_lu_clear(&lu);
        free(D);
    }
}

static void the_work_for_a_chain_grows_with_its_length_only(void) {
    double flops[2];
    for (int k = 0; k < 2; k++) {
        seed = 7;
        int n;
        double* D = saddle(k ? 120 : 30, &n);
        LiaSparse A = from_dense(n, n, D);
        LiaElimination e;
        assert_true(lia_elimination_run(&A, 0.0, 1e-3, &e));
        assert_int_equal(e.rank, n);
        flops[k] = e.flops;
        lia_elimination_clear(&e);
        release(&A);
        free(D);
    }
    assert_true(flops[1] < 4.6 * flops[0]);
}

// More unknowns than short indices can name: a band, rows and columns in other units.
static void large_matrices_are_solved(void) {
    enum { n = 70000, wide = 3 };
    seed = 5;
    LiaSparse A = {.rows = n, .columns = n};
    A.start = calloc(n + 1, sizeof(int));
    A.column = calloc(wide * n, sizeof(int));
    A.value = calloc(wide * n, sizeof(double));
    double *b = calloc(n, sizeof *b), *rest = calloc(n, sizeof *rest),
           *keep = calloc(wide * n, sizeof *keep);
    for (int i = 0; i < n; i++) {
        double unit = ldexp(1.0, i % 37);
        for (int j = i - 1; j <= i + 1; j++) {
            if (j < 0 || j >= n) continue;
            A.column[A.start[i + 1]] = j;
            keep[A.start[i + 1]] = A.value[A.start[i + 1]] = unit * (j == i ? 3.0 : number());
            A.start[i + 1]++;
        }
        if (i + 1 < n) A.start[i + 2] = A.start[i + 1];
        b[i] = rest[i] = unit * number();
    }
    LiaSparseLu lu;
    assert_true(lia_sparse_lu_init(&lu, n));
    assert_true(lia_sparse_lu_factor(&lu, &A, NULL) > 0.1);
    lia_sparse_lu_solve(&lu, b);
    for (int i = 0; i < n; i++) {
        double sum = rest[i], size = fabs(sum);
        for (int k = A.start[i]; k < A.start[i + 1]; k++) {
            sum -= keep[k] * b[A.column[k]];
            size += fabs(keep[k] * b[A.column[k]]);
        }
        assert_true(fabs(sum) < 1e-14 * size);
    }
    lia_sparse_lu_clear(&lu);
    release(&A);
    free(b);
    free(rest);
    free(keep);
}

// The pattern is kept while the values change, and given up when a pivot dies.
static void pivots_that_die_are_chosen_anew(void) {
    seed = 11;
    int n = 40;
    double* D = calloc((size_t)n * (size_t)n, sizeof *D);
    for (int i = 0; i < n; i++) {
        D[i * n + i] = 4.0 + chance();
        D[i * n + (i + 1) % n] = 1.0 + chance();
        D[i * n + (i + 9) % n] = 0.3 * number();
    }
    LiaSparseLu lu;
    assert_true(lia_sparse_lu_init(&lu, n));
    compare(n, D, &lu, 1e-11);
    assert_int_equal(lu.orderings, 1);
    for (int i = 0; i < n; i++) D[i * n + (i + 9) % n] = 0.3 * number();
    compare(n, D, &lu, 1e-11);
    assert_int_equal(lu.orderings, 1);
    for (int i = 0; i < n; i++) {  // now the neighbours are the large ones
        D[i * n + i] = 1e-9 * number();
        D[i * n + (i + 1) % n] = 4.0 + chance();
    }
    compare(n, D, &lu, 1e-11);
    assert_int_equal(lu.orderings, 2);
    lia_sparse_lu_clear(&lu);
    free(D);
}

static void singular_and_broken_matrices_are_told(void) {
    double D[9] = {1, 2, 0, 0, 1, 1, 1, 3, 1};  // third row = first + second
    int weakest;
    LiaSparse A = from_dense(3, 3, D);
    LiaSparseLu lu;
    assert_true(lia_sparse_lu_init(&lu, 3));
    assert_true(lia_sparse_lu_factor(&lu, &A, &weakest) == 0.0);
    release(&A);
    D[8] = 2.0;
    lia_sparse_lu_reset(&lu, 3);
    A = from_dense(3, 3, D);
    assert_true(lia_sparse_lu_factor(&lu, &A, &weakest) > 0.01);
    A.value[2] = NAN;
    assert_true(lia_sparse_lu_factor(&lu, &A, &weakest) == 0.0);
    A.value[2] = INFINITY;
    assert_true(lia_sparse_lu_factor(&lu, &A, &weakest) == 0.0);
    for (int k = 0; k < A.start[3]; k++) A.value[k] = 0.0;
    assert_true(lia_sparse_lu_factor(&lu, &A, &weakest) == 0.0);
    double b[3] = {1, 1, 1};
    lia_sparse_lu_solve(&lu, b);
    assert_true(isnan(b[0]) && isnan(b[1]) && isnan(b[2]));
    release(&A);
    lia_sparse_lu_clear(&lu);
    assert_true(lia_sparse_lu_init(&lu, 0));
    assert_true(lia_sparse_lu_factor(&lu, &A, &weakest) == 1.0);
    lia_sparse_lu_clear(&lu);
}

static void the_rank_of_rows_is_found(void) {
    seed = 3;
    enum { ROWS = 50, COLUMNS = 40, RANK = 23 };
    double* D = calloc(ROWS * COLUMNS, sizeof *D);
    for (int i = 0; i < RANK; i++) {
        D[i * COLUMNS + i] = 1.0 + chance();
        for (int k = 0; k < 3; k++) D[i * COLUMNS + (int)(chance() * COLUMNS)] += 0.5 * number();
    }
    for (int i = RANK; i < ROWS; i++) {  // sums of two of them, and a zero row now and then
        int a = (int)(chance() * RANK), b = (int)(chance() * RANK);
        double x = number(), y = i % 9 ? number() : -x;
        if (i % 9 == 0) b = a;
        for (int j = 0; j < COLUMNS; j++)
            D[i * COLUMNS + j] = x * D[a * COLUMNS + j] + y * D[b * COLUMNS + j];
    }
    LiaSparse A = from_dense(ROWS, COLUMNS, D);
    LiaElimination e;
    assert_true(lia_elimination_run(&A, 1e-10, 0.5, &e));
    assert_int_equal(e.rank, RANK);
    lia_elimination_clear(&e);
    release(&A);
    free(D);
}

static void results_repeat_bit_for_bit(void) {
    double* first = NULL;
    int n = 0;
    for (int pass = 0; pass < 3; pass++) {
        seed = 17;
        double* D = saddle(25, &n);
        LiaSparse A = from_dense(n, n, D);
        LiaSparseLu lu;
        assert_true(lia_sparse_lu_init(&lu, n));
        lia_sparse_lu_factor(&lu, &A, NULL);
        if (pass == 2) {  // through the known pattern
            release(&A);
            A = from_dense(n, n, D);
            lia_sparse_lu_factor(&lu, &A, NULL);
            assert_int_equal(lu.orderings, 1);
        }
        double* b = malloc((size_t)n * sizeof *b);
        for (int i = 0; i < n; i++) b[i] = i % 7 - 3.0;
        lia_sparse_lu_solve(&lu, b);
        if (first) assert_memory_equal(first, b, (size_t)n * sizeof *b);
        free(first);
        first = b;
        lia_sparse_lu_clear(&lu);
        release(&A);
        free(D);
    }
    free(first);
}

// Pivots of a tridiagonal matrix: all of them a little smaller is no fall, one of them is, whatever
// the others do.
static void a_pivot_that_falls_is_seen(void) {
    enum { N = 30 };
    static const struct {
        double all, one;
        bool falls;
    } cases[] = {
        {1.0, 1.0, false}, {0.8, 1.0, false}, {1.1, 1.0, false},
        {1.0, 0.1, true},  {2.0, 0.1, true},  {1.0, 0.6, false},
    };
    double D[N * N] = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        LiaSparseLu lu;
        assert_true(lia_sparse_lu_init(&lu, N));
        assert_true(lia_sparse_lu_fell(&lu, 0.5));  // nothing is known yet
        for (int turn = 0; turn < 2; turn++) {
            for (int i = 0; i < N; i++) {
                D[i * N + i] = turn ? cases[k].all * (i == 7 ? cases[k].one : 1.0) : 1.0;
                if (i > 0) D[i * N + i - 1] = D[(i - 1) * N + i] = 0.01;
            }
            LiaSparse A = from_dense(N, N, D);
            assert_true(lia_sparse_lu_factor(&lu, &A, NULL) > 0.0);
            if (!turn) lia_sparse_lu_mark(&lu);
            release(&A);
        }
        assert_int_equal(lu.orderings, 1);
        if (lia_sparse_lu_fell(&lu, 0.5) != cases[k].falls) fail_msg("case %d", (int)k);
        lia_sparse_lu_clear(&lu);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(random_matrices_are_solved_like_dense_ones),
        TEST(saddle_matrices_are_solved_like_dense_ones),
        TEST(the_work_for_a_chain_grows_with_its_length_only),
        TEST(large_matrices_are_solved),
        TEST(pivots_that_die_are_chosen_anew),
        TEST(singular_and_broken_matrices_are_told),
        TEST(the_rank_of_rows_is_found),
        TEST(a_pivot_that_falls_is_seen),
        TEST(results_repeat_bit_for_bit),
    };
    return TESTS_RUN(tests);
}
