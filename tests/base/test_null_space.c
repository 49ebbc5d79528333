// Tests of src/base/numeric/null_space.c: saddle matrices whose rows differ by d, against solutions
// known beforehand.
// SPDX-License-Identifier: MIT
#include "base/numeric/dense.h"
#include "base/numeric/null_space.h"
#include "support/cases.h"
#include "support/random.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { NF = 6, NR = 3, N = NF + NR };

// M near 1, rows of J and Omega at random, the last nearly the sum of the others.
static void make(Random* r, double d, double* A) {
    memset(A, 0, N * N * sizeof *A);
    for (int i = 0; i < NF; i++) {
        for (int k = 0; k <= i; k++) {
            double x = random_between(r, -0.1, 0.1) + (i == k);
            A[i * N + k] = A[k * N + i] = x;
        }
    }
    for (int i = 0; i < NF; i++) {
        double sum = 0.0;
        for (int c = 0; c < NR; c++) {
            double x = random_between(r, -1.0, 1.0);
            if (c == NR - 1) x = sum + d * x;
            sum += x;
            A[(NF + c) * N + i] = x;
            A[i * N + NF + c] = -x;
        }
    }
}

typedef struct Factors {
    double A[N * N], left[N], right[N], x[N];
    int row[N], column[N];
} Factors;

static LiaNullSpace null_space_of(Factors* f) {
    return (LiaNullSpace){N, NF, f->A, f->row, f->column, f->left, f->x};
}

static void right_side(const double* A, const double* x, double* b) {
    for (int i = 0; i < N; i++) {
        long double sum = 0.0L;
        for (int k = 0; k < N; k++) sum += (long double)A[i * N + k] * x[k];
        b[i] = (double)sum;
    }
}

// y A^-1 b in two ways, for any y and b.
static void check_transposed(const LiaNullSpace* z, const double* A, Random* r, double d) {
    double y[N], b[N], left = 0.0, right = 0.0, size = 0.0;
    double x[N];
    for (int i = 0; i < N; i++) x[i] = random_between(r, -1.0, 1.0);
    right_side(A, x, b);
    for (int i = 0; i < N; i++) y[i] = i < NF ? random_between(r, -1.0, 1.0) : 0.0;
    for (int i = 0; i < N; i++) left += y[i] * x[i];
    lia_null_space_solve_transposed(z, y);
    for (int i = 0; i < N; i++) right += y[i] * b[i], size += fabs(y[i] * b[i]);
    if (!(fabs(left - right) < 1e3 * DBL_EPSILON * (size + 1.0 / d)))
        fail_msg("%g: %.17g, transposed %.17g", d, left, right);
}

// Accelerations are known to eps/d, not to eps/d^2, and the smallest pivot is of the size of d.
static void digits_are_lost_once(void) {
    Random r = {3};
    for (double d = 1e-1; d > 1e-12; d /= 10.0) {
        for (int trial = 0; trial < 20; trial++) {
            double A[N * N], x[N], b[N], most = 0.0;
            Factors f;
            int weakest;
            make(&r, d, A);
            for (int i = 0; i < N; i++) x[i] = random_between(&r, -1.0, 1.0);
            right_side(A, x, b);
            memcpy(f.A, A, sizeof A);
            LiaNullSpace z = null_space_of(&f);
            double pivot = lia_null_space_factor(&z, &weakest);
            assert_true(pivot > 1e-3 * d && pivot < 10.0 * d);
            lia_null_space_solve(&z, b);
            for (int i = 0; i < NF; i++) most = fmax(most, fabs(b[i] - x[i]));
            if (!(most < 1e3 * DBL_EPSILON / d)) fail_msg("%g: off by %.2g", d, most);
            check_transposed(&z, A, &r, d);
        }
    }
}

static void the_determinant_is_that_of_lu(void) {
    Random r = {5};
    for (int trial = 0; trial < 20; trial++) {
        Factors f, g;
        int weakest;
        make(&r, 0.1, f.A);
        memcpy(g.A, f.A, sizeof f.A);
        LiaNullSpace z = null_space_of(&f);
        LiaLu lu = {.n = N, .A = g.A, .row = g.row, .left = g.left, .right = g.right};
        assert_true(lia_null_space_factor(&z, &weakest) > 0.0);
        assert_true(lia_dense_lu_factor(&lu, NULL) > 0.0);
        assert_true(fabs(lia_null_space_size(&z) - lia_dense_lu_size(&lu)) < 1e-9);
    }
}

// A row in other units has the same pivots and the same solution.
static void units_of_rows_do_not_matter(void) {
    Random r = {11};
    Factors f, g;
    double x[N], b[N], c[N];
    int weakest;
    make(&r, 1e-6, f.A);
    memcpy(g.A, f.A, sizeof f.A);
    for (int k = 0; k < NF; k++) g.A[(NF + 1) * N + k] *= 0x1p-40;
    for (int i = 0; i < N; i++) x[i] = random_between(&r, -1.0, 1.0);
    right_side(f.A, x, b);
    memcpy(c, b, sizeof b);
    c[NF + 1] *= 0x1p-40;
    LiaNullSpace z = null_space_of(&f), y = null_space_of(&g);
    assert_true(lia_null_space_factor(&z, &weakest) == lia_null_space_factor(&y, &weakest));
    lia_null_space_solve(&z, b);
    lia_null_space_solve(&y, c);
    for (int i = 0; i < N; i++) assert_true(b[i] == c[i]);
}

static void what_is_singular_has_no_pivot(void) {
    Random r = {13};
    Factors f;
    int weakest;
    make(&r, 0.0, f.A);
    for (int k = 0; k < NF; k++) f.A[(NF + 2) * N + k] = 0.0;
    LiaNullSpace z = null_space_of(&f);
    assert_true(lia_null_space_factor(&z, &weakest) == 0.0);
    z.nf = 2;  // more equations than unknowns
    assert_true(lia_null_space_factor(&z, &weakest) == 0.0);
}

int main(void) {
    const TestCase tests[] = {
        TEST(digits_are_lost_once),
        TEST(the_determinant_is_that_of_lu),
        TEST(units_of_rows_do_not_matter),
        TEST(what_is_singular_has_no_pivot),
    };
    return TESTS_RUN(tests);
}
