// Packed columns: what is read back is what was packed, to half a step.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "../support/random.h"
#include "output/page/packed.h"
#include "support/cases.h"
#include "unpacked.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

// Pack, unpack, compare; gives the bytes.
static size_t comes_back(const double* x, size_t count, int bits) {
    LiaPacked packed;
    static double y[MOST + 1];
    assert_true(lia_packed_make(&packed, x, count, 1, bits));
    unpack(packed.bytes, count, packed.low, packed.step, packed.order, y);
    for (size_t i = 0; i < count; i++) {
        if (fabs(x[i]) < 1e300)
            assert_true(fabs(y[i] - x[i]) <=
                        0.5000001 * packed.step + 4 * DBL_EPSILON * fabs(x[i]) + 1e-315);
    }
    size_t size = packed.size;
    lia_packed_clear(&packed);
    return size;
}

static void smooth_columns_come_back_from_few_bits(void) {
    static double x[MOST];
    for (size_t i = 0; i < MOST; i++)
        x[i] = 3.0 + sin(0.01 * (double)i) + 0.1 * cos(0.05 * (double)i);
    assert_true(comes_back(x, MOST, 24) * 8 < 6 * MOST);  // of 24 bits
    for (size_t i = 0; i < MOST; i++) x[i] = 0.25 * (double)i;
    assert_true(comes_back(x, MOST, 24) * 8 < 3 * MOST);
}

static void rough_columns_come_back_too(void) {
    static double x[MOST];
    Random random = {7};
    for (int bits = 16; bits <= 24; bits += 4) {
        for (size_t i = 0; i < MOST; i++) x[i] = random_between(&random, -1.0, 1.0);
        assert_true(comes_back(x, MOST, bits) * 8 < (size_t)(bits + 2) * MOST);
        for (size_t i = 0; i < MOST; i++) x[i] = i % 97 == 0 ? 1e6 : 0.0;  // peaks: escapes
        comes_back(x, MOST, bits);
        for (size_t i = 0; i < MOST; i++) x[i] = i % 2 ? 1.0 : -1.0;
        comes_back(x, MOST, bits);
    }
}

static void extreme_numbers_come_back(void) {
    const double x[] = {-9e299, 9e299, 0.0, DBL_MAX, -DBL_MAX, 5e-324};
    comes_back(x, 6, 24);
    const double tiny[] = {5e-324, 0.0, 1e-323};
    comes_back(tiny, 3, 24);
    const double close[] = {1e10, 1e10 + 1e-5, 1e10 + 2e-5};
    comes_back(close, 3, 24);
    comes_back(close, 1, 24);
    comes_back(close, 0, 24);
}

static void what_does_not_change_takes_no_bytes(void) {
    double x[100];
    for (int i = 0; i < 100; i++) x[i] = -7.25;
    LiaPacked packed;
    assert_true(lia_packed_make(&packed, x, 100, 1, 24));
    assert_int_equal(packed.size, 0);
    assert_true(packed.low == -7.25 && packed.step == 0.0);
    lia_packed_clear(&packed);
}

static void holes_are_listed(void) {
    const double x[] = {NAN, 1.0, INFINITY, -INFINITY, NAN, 2.0, 3.0, NAN};
    const uint32_t holes[] = {0, 1, 2, 3, 7, 1};
    LiaPacked packed;
    assert_true(lia_packed_make(&packed, x, 8, 1, 24));
    assert_int_equal(packed.hole_count, 3);
    assert_memory_equal(packed.holes, holes, sizeof holes);
    lia_packed_clear(&packed);
    comes_back(x, 8, 24);
    const double nothing[] = {NAN, NAN};
    assert_true(lia_packed_make(&packed, nothing, 2, 1, 24));
    assert_int_equal(packed.hole_count, 1);
    lia_packed_clear(&packed);
}

static void base64_is_that_of_the_standard(void) {
    static const char* const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};  // RFC 4648
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        LiaText text = {0};
        lia_packed_base64(&text, (const uint8_t*)pairs[i][0], strlen(pairs[i][0]));
        assert_string_equal(text.data ? text.data : "", pairs[i][1]);
        lia_text_clear(&text);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(smooth_columns_come_back_from_few_bits),
        TEST(rough_columns_come_back_too),
        TEST(extreme_numbers_come_back),
        TEST(what_does_not_change_takes_no_bytes),
        TEST(holes_are_listed),
        TEST(base64_is_that_of_the_standard),
    };
    return TESTS_RUN(tests);
}
