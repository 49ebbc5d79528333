// Numbers of formulas: a double, and the fraction it stands for as long as that fits two 64-bit
// integers.
//
// 0.8 is 4/5 and 1e-3 is 1/1000, so that 2/5*m*r^2 is printed as it was written and sums of
// decimals do not collect rounding. What does not fit goes on as a double alone (den == 0).
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct LiaNumber {
    double value;
    int64_t num, den;  // exact value num/den in lowest terms if den > 0; den == 0: not exact
} LiaNumber;

LiaNumber lia_number_whole(int64_t n);
/// num/den; not exact where that is no fraction of numbers that have an opposite.
LiaNumber lia_number_fraction(int64_t num, int64_t den);
LiaNumber lia_number_double(double x);
/// The value of `digits [. digits] [e [sign] digits]`; needs the C locale. False where it overflows
/// or where a number that is not zero becomes zero.
bool lia_number_read(const char* text, size_t length, LiaNumber* out);

LiaNumber lia_number_negate(LiaNumber a);
LiaNumber lia_number_add(LiaNumber a, LiaNumber b);
LiaNumber lia_number_multiply(LiaNumber a, LiaNumber b);
/// b is not zero.
LiaNumber lia_number_divide(LiaNumber a, LiaNumber b);
/// a^b where that is exact and small; false: leave it as it is written.
bool lia_number_power(LiaNumber a, LiaNumber b, LiaNumber* out);
bool lia_number_equals(LiaNumber a, int64_t n);
