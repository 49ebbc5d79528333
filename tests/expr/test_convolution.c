// Sums in vectors of four against the same sums one by one, at every order; what stands behind a
// series and before the zero in front of it must not matter.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "expr/ops/convolution.h"
#include "support/cases.h"
#include "support/random.h"
#include <math.h>

enum { ORDERS = 61, ROOM = LIA_CONVOLVE_BEFORE + ORDERS + LIA_CONVOLVE_BEYOND };

// A series of which orders 0..k are known; everything else that may be read is no number.
static double* fill(Random* random, double* room, int k) {
    for (int i = 0; i < ROOM; i++) room[i] = NAN;
    double* x = room + LIA_CONVOLVE_BEFORE;
    x[-1] = 0.0;
    for (int j = 0; j <= k; j++) x[j] = random_between(random, -1.0, 1.0);
    return x;
}

static void same(double x, long double exact, int k) {
    if (!(fabsl(x - exact) <= 1e-15L * (k + 1)))
        fail_msg("order %d: %.17g is not %.17Lg", k, x, exact);
}

static void products_are_the_same_sums(void) {
    Random random = {7};
    double room_x[ROOM], room_y[ROOM];
    for (int k = 0; k < ORDERS; k++) {
        const double *x = fill(&random, room_x, k), *y = fill(&random, room_y, k);
        long double exact = 0.0L;
        for (int j = 0; j <= k; j++) exact += (long double)x[j] * y[k - j];
        same(lia_convolve_all(x, y, k), exact, k);
        same(lia_convolve(x, y, k, 0, k), exact, k);
        exact = 0.0L;
        for (int j = 0; j <= k; j++) exact += (long double)x[j] * x[k - j];
        same(lia_convolve_all(x, x, k), exact, k);
        same(lia_convolve_square(x, k), exact, k);
    }
}

static void rates_are_the_same_sums(void) {
    Random random = {8};
    double room_x[ROOM], room_y[ROOM], room_z[ROOM], whole[ROOM];
    for (int j = 0; j < ROOM; j++) whole[j] = j;
    for (int k = 1; k < ORDERS; k++) {
        const double* x = fill(&random, room_x, k);
        const double *y = fill(&random, room_y, k), *z = fill(&random, room_z, k);
        long double exact_y = 0.0L, exact_z = 0.0L;
        for (int j = 1; j < k; j++) {
            exact_y += (long double)j * x[j] * y[k - j];
            exact_z += (long double)j * x[j] * z[k - j];
        }
        LiaTwoSums of = lia_convolve_rates(x, whole, y, z, k);
        same(of.y / k, exact_y / k, k);
        same(of.z / k, exact_z / k, k);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(products_are_the_same_sums),
        TEST(rates_are_the_same_sums),
    };
    return TESTS_RUN(tests);
}
