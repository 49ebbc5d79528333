// Principal values and axes of symmetric matrices: A V = V diag, V a rotation.
// SPDX-License-Identifier: MIT
#include "base/numeric/eigen3.h"
#include "support/cases.h"
#include "support/random.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static double determinant(double V[3][3]) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        sum += V[0][i] * (V[1][j] * V[2][k] - V[1][k] * V[2][j]);
    }
    return sum;
}

static void check(double A[3][3]) {
    double D[3][3], V[3][3], size = 0.0;
    memcpy(D, A, sizeof D);
    lia_eigen3_axes(D, V);
    for (int i = 0; i < 9; i++) size = fmax(size, fabs(A[i / 3][i % 3]));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double AV = 0.0, VV = 0.0;
            for (int k = 0; k < 3; k++) AV += A[i][k] * V[k][j], VV += V[k][i] * V[k][j];
            assert_true(fabs(AV - V[i][j] * D[j][j]) <= 1e-14 * size);
            assert_true(fabs(VV - (i == j)) <= 1e-14);
            if (i != j) assert_true(fabs(D[i][j]) <= 1e-15 * size);
        }
    }
    assert_true(fabs(determinant(V) - 1.0) <= 1e-14);
    double again[3][3];
    memcpy(again, A, sizeof again);
    lia_eigen3_axes(again, NULL);
    assert_memory_equal(again, D, sizeof D);
}

static void random_matrices_become_diagonal(void) {
    Random random = {.state = 7};
    for (int trial = 0; trial < 1000; trial++) {
        double A[3][3];
        for (int i = 0; i < 3; i++) {
            for (int j = i; j < 3; j++) A[i][j] = A[j][i] = random_between(&random, -1.0, 1.0);
        }
        check(A);
    }
}

static void equal_and_very_different_values(void) {
    check((double[3][3]){{2, 0, 0}, {0, 2, 0}, {0, 0, 2}});
    check((double[3][3]){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
    check((double[3][3]){{1, 1, 1}, {1, 1, 1}, {1, 1, 1}});
    check((double[3][3]){{1e12, 1, 0}, {1, 1, 1e-6}, {0, 1e-6, 1e-9}});
}

int main(void) {
    const TestCase tests[] = {
        TEST(random_matrices_become_diagonal),
        TEST(equal_and_very_different_values),
    };
    return TESTS_RUN(tests);
}
