// Tests of src/base/numeric/qr.c: ranks, bases, least squares of least norm, against singular
// values.
// SPDX-License-Identifier: MIT
#include "base/numeric/dense.h"
#include "base/numeric/qr.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 12 };

static double even(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*state >> 12) * 0x1p-51 - 1.0;
}

// m x n of a given rank: a product of two random matrices.
static void make(uint64_t* state, int m, int n, int rank, double* A) {
    double L[MOST * MOST], R[MOST * MOST];
    for (int i = 0; i < m * rank; i++) L[i] = even(state);
    for (int i = 0; i < rank * n; i++) R[i] = even(state);
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < n; k++) {
            A[i * n + k] = 0.0;
            for (int j = 0; j < rank; j++) A[i * n + k] += L[i * rank + j] * R[j * n + k];
        }
    }
}

// The same by singular values.
static void pseudo_inverse(int m, int n, const double* A, const double* b, double* x) {
    double s[MOST], U[MOST * MOST], V[MOST * MOST], work[4 * MOST * MOST];
    int r = m < n ? m : n;
    lia_dense_svd(m, n, A, (LiaSvd){.s = s, .U = U, .V = V, .work = work});
    memset(x, 0, (size_t)n * sizeof *x);
    for (int j = 0; j < r && s[j] > 1e-10 * s[0]; j++) {
        double sum = 0.0;
        for (int i = 0; i < m; i++) sum += U[i * r + j] * b[i];
        for (int k = 0; k < n; k++) x[k] += V[k * r + j] * sum / s[j];
    }
}

static void solutions_are_those_of_least_norm(void) {
    uint64_t state = 1;
    for (int m = 1; m <= 9; m++) {
        for (int n = 1; n <= 9; n++) {
            for (int rank = 1; rank <= (m < n ? m : n); rank++) {
                double A[MOST * MOST], T[MOST * MOST], b[MOST], c[MOST], x[MOST], want[MOST];
                double pivot[MOST], work[2 * MOST * MOST];
                int order[MOST], index[MOST];
                make(&state, m, n, rank, A);
                memcpy(T, A, sizeof T);
                for (int i = 0; i < m; i++) b[i] = c[i] = even(&state);
                LiaRows rows = {.m = m, .n = n, .A = T, .pivot = pivot, .order = order};
                assert_int_equal(lia_qr_factor(&rows, 1e-10, true), rank);
                assert_true(lia_qr_work(m, n) <= sizeof work / sizeof *work);
                lia_qr_solve(&rows, c, x, work, index);
                pseudo_inverse(m, n, A, b, want);
                double size = 1.0;
                for (int k = 0; k < n; k++) size = fmax(size, fabs(want[k]));
                for (int k = 0; k < n; k++) assert_true(fabs(x[k] - want[k]) < 1e-9 * size * size);
            }
        }
    }
}

static void a_basis_is_orthonormal_and_spans_the_rows(void) {
    uint64_t state = 7;
    for (int rank = 1; rank <= 6; rank++) {
        int m = 8, n = 10;
        double A[MOST * MOST], U[MOST * MOST];
        make(&state, m, n, rank, A);
        memcpy(U, A, sizeof U);
        assert_int_equal(lia_qr_basis(m, n, U, 1e-10), rank);
        for (int i = 0; i < rank; i++) {
            for (int j = 0; j < rank; j++) {
                double sum = 0.0;
                for (int k = 0; k < n; k++) sum += U[i * n + k] * U[j * n + k];
                assert_true(fabs(sum - (i == j ? 1.0 : 0.0)) < 1e-13);
            }
        }
        for (int i = 0; i < m; i++) {
            double rest[MOST];
            memcpy(rest, A + i * n, (size_t)n * sizeof *rest);
            for (int j = 0; j < rank; j++) {
                double sum = 0.0;
                for (int k = 0; k < n; k++) sum += U[j * n + k] * A[i * n + k];
                for (int k = 0; k < n; k++) rest[k] -= sum * U[j * n + k];
            }
            for (int k = 0; k < n; k++) assert_true(fabs(rest[k]) < 1e-12);
        }
    }
}

static void rows_of_separate_parts_do_not_mix(void) {
    double A[] = {0.3, 0.4, 0, 0, 0, 0, 0.7, 0.1, 0.2, 0.9, 0, 0, 0, 0, 0.5, 0.6};
    assert_int_equal(lia_qr_basis(4, 4, A, 1e-10), 4);
    for (int i = 0; i < 4; i++) {
        assert_true((A[i * 4] == 0.0 && A[i * 4 + 1] == 0.0) ||
                    (A[i * 4 + 2] == 0.0 && A[i * 4 + 3] == 0.0));
    }
}

static void nothing_has_rank_0(void) {
    double A[6] = {0}, pivot[2], b[2] = {1, 2}, x[3] = {5, 5, 5}, work[16];
    int order[2], index[2];
    LiaRows rows = {.m = 2, .n = 3, .A = A, .pivot = pivot, .order = order};
    assert_int_equal(lia_qr_factor(&rows, 1e-12, true), 0);
    lia_qr_solve(&rows, b, x, work, index);
    for (int k = 0; k < 3; k++) assert_true(x[k] == 0.0);
    assert_int_equal(lia_qr_basis(2, 3, A, 1e-12), 0);
    assert_int_equal(lia_qr_basis(0, 3, A, 1e-12), 0);
}

int main(void) {
    const TestCase tests[] = {
        TEST(solutions_are_those_of_least_norm),
        TEST(a_basis_is_orthonormal_and_spans_the_rows),
        TEST(rows_of_separate_parts_do_not_mix),
        TEST(nothing_has_rank_0),
    };
    return TESTS_RUN(tests);
}
