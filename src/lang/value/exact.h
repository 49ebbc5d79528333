// Exact numbers: a double, and the fraction it stands for as long as that fits two 64-bit integers.
//
// 0.8 is 4/5 and 1e-3 is 1/1000, so that 2/5*m*r^2 is printed as it was written and sums of
// decimals do not collect rounding. What does not fit goes on as a double alone (den == 0).
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct LiaExact {
    double number;
    int64_t num, den;  // lowest terms, den > 0; den == 0: not exact
} LiaExact;

LiaExact lia_exact_whole(int64_t n);
LiaExact lia_exact_fraction(int64_t num, int64_t den);
LiaExact lia_exact_double(double x);
/// The value of `digits [. digits] [e [sign] digits]`; needs the C locale. False where it overflows
/// or where a number that is not zero becomes zero.
bool lia_exact_read(const char* text, size_t length, LiaExact* out);

LiaExact lia_exact_negate(LiaExact a);
LiaExact lia_exact_add(LiaExact a, LiaExact b);
LiaExact lia_exact_multiply(LiaExact a, LiaExact b);
/// b is not zero.
LiaExact lia_exact_divide(LiaExact a, LiaExact b);
/// a^b where that is exact and small; false: leave it as it is written.
bool lia_exact_power(LiaExact a, LiaExact b, LiaExact* out);
bool lia_exact_equals(LiaExact a, int64_t n);
