// Digits that two runs agree in.
// SPDX-License-Identifier: MIT
#include "output/study/checked.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void shows(const char* expected, double x, double difference, double size, int most) {
    LiaText text = {0};
    lia_checked_number(&text, x, difference, size, most);
    assert_string_equal(text.data, expected);
    lia_text_clear(&text);
}

static void numbers_lose_the_digits_that_differ(void) {
    shows("1.234567891", 1.2345678912, 0.0, 1.0, 10);
    shows("1.234567891", 1.2345678912, NAN, 1.0, 10);  // not known
    shows("1.2346", 1.2345678912, 1e-5, 1.0, 10);
    shows("1.23", 1.2345678912, -3e-3, 1.0, 10);
    shows("-1", -1.2345678912, 0.3, 1.0, 10);
    shows("~", 1.2345678912, 0.6, 1.0, 10);
    shows("~", 1e-30, 1e-3, 1.0, 10);
    shows("0", 1e-12, 1e-12, 1.0, 10);  // it was 1 on its way
    shows("0", 0.0, 0.0, 0.0, 10);
    shows("0", -0.0, 1e-9, 1.0, 10);
    shows("-", NAN, NAN, 1.0, 10);
    shows("~", 1.0, INFINITY, 1.0, 10);
}

// Whatever the two are, what is shown is nearer to both than one of its last digit; and a digit
// more would not be known.
static void what_is_shown_is_true_of_both(void) {
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double x = ldexp((double)(seed >> 11), -53) * pow(10.0, (double)(i % 13) - 6.0);
        double d = x * pow(10.0, -(double)(i % 17) / 1.7) * (i % 2 ? 1.0 : -0.7);
        int digits = lia_checked_digits(x, d, 10);
        if (digits == 0) {
            assert_true(2.0 * fabs(d) > pow(10.0, floor(log10(x))) * (1.0 - 1e-9));
            continue;
        }
        char text[64];
        snprintf(text, sizeof text, "%.*e", digits - 1, x);
        double shown = strtod(text, NULL), unit = pow(10.0, floor(log10(x)) + 1.0 - digits);
        assert_true(2.0 * fabs(d) <= unit * (1.0 + 1e-9));
        assert_true(fabs(shown - x) <= unit && fabs(shown - x - d) <= 1.01 * unit);
        assert_true(digits == 10 || 200.0 * fabs(d) >= unit * (1.0 - 1e-9));
    }
}

static void differences_have_one_digit(void) {
    static const struct {
        double d;
        const char* text;
    } cases[] = {{0.0, "0"},  {-3.4e-13, "3e-13"}, {0.26, "0.3"},
                 {9.7, "10"}, {34.0, "30"},        {NAN, "-"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        LiaText text = {0};
        lia_checked_difference(&text, cases[i].d);
        assert_string_equal(text.data, cases[i].text);
        lia_text_clear(&text);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(numbers_lose_the_digits_that_differ),
        TEST(what_is_shown_is_true_of_both),
        TEST(differences_have_one_digit),
    };
    return TESTS_RUN(tests);
}
