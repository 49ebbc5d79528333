// Numbers: fractions of 64-bit integers, checked for overflow at every step.
// SPDX-License-Identifier: MIT
#include "expr/graph/number.h"
#include "base/memory/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t gcd(int64_t a, int64_t b) {
    a = a < 0 ? -a : a;
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static LiaNumber inexact(double number) { return (LiaNumber){number, 0, 0}; }

LiaNumber lia_number_double(double x) {
    if (fabs(x) < 9007199254740992.0 && x == floor(x)) {
        return lia_number_whole((int64_t)x);
    }
    return inexact(x);
}

// num/den, den > 0, num > INT64_MIN. Both are doubles up to 2^53, and so is their quotient
// rounded once.
static LiaNumber reduced(int64_t num, int64_t den) {
    const int64_t most = INT64_C(1) << 53;
    int64_t g = gcd(num, den);
    num /= g;
    den /= g;
    bool small = num <= most && num >= -most && den <= most;
    double value =
        small ? (double)num / (double)den : (double)((long double)num / (long double)den);
    return (LiaNumber){value, num, den};
}

LiaNumber lia_number_whole(int64_t n) { return lia_number_fraction(n, 1); }

LiaNumber lia_number_fraction(int64_t num, int64_t den) {
    if (den == 0 || num == INT64_MIN || den == INT64_MIN) return inexact((double)num / (double)den);
    return den < 0 ? reduced(-num, -den) : reduced(num, den);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Mantissa and power of ten of the text; false if they do not fit.
static bool read_decimal(const char* text, size_t length, int64_t* mantissa, int64_t* exponent) {
    int64_t m = 0, e = 0;
    int64_t zeros = 0;  // zeros not yet known to be followed by another digit
    bool fraction = false;
    size_t i = 0;
    for (; i < length && (is_digit(text[i]) || text[i] == '.'); i++) {
        if (text[i] == '.') {
            fraction = true;
            continue;
        }
        e -= fraction;
        zeros++;
        if (text[i] == '0') {
            continue;
        }
        while (zeros > 0 && m != 0) {
            if (__builtin_mul_overflow(m, 10, &m)) {
                return false;
            }
            zeros--;
        }
        zeros = 0;
        if (__builtin_add_overflow(m, text[i] - '0', &m)) {
            return false;
        }
    }
    e += zeros;  // trailing zeros
    if (i < length) {
        bool minus = text[++i] == '-';
        i += text[i] == '-' || text[i] == '+';
        int64_t power = 0;
        for (; i < length; i++) {
            power = power * 10 + (text[i] - '0');
            if (power > 1000000) {
                return m == 0 ? (*mantissa = 0, *exponent = 0, true) : false;
            }
        }
        e += minus ? -power : power;
    }
    *mantissa = m;
    *exponent = m == 0 ? 0 : e;
    return true;
}

static bool power_of_ten(int64_t e, int64_t* out) {
    int64_t p = 1;
    for (int64_t i = 0; i < e; i++) {
        if (__builtin_mul_overflow(p, 10, &p)) {
            return false;
        }
    }
    *out = p;
    return true;
}

bool lia_number_read(const char* text, size_t length, LiaNumber* out) {
    char small[128];
    char* copy = length < sizeof small ? small : lia_memory_take(length + 1);
    if (!copy) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    double number = strtod(copy, NULL);
    int64_t mantissa = 0, exponent = 0, scale = 1;
    LiaNumber exact = inexact(number);
    bool fits = read_decimal(copy, length, &mantissa, &exponent);
    bool is_zero = fits && mantissa == 0;
    if (fits && exponent > -30 && exponent < 30 &&
        power_of_ten(exponent < 0 ? -exponent : exponent, &scale)) {
        int64_t num = 0;
        if (exponent < 0) {
            exact = reduced(mantissa, scale);
        } else if (!__builtin_mul_overflow(mantissa, scale, &num)) {
            exact = reduced(num, 1);
        }
        exact.value = number;
    }
    if (copy != small) {
        free(copy);
    }
    *out = exact;
    return isfinite(number) && (number != 0.0 || is_zero);
}

LiaNumber lia_number_negate(LiaNumber a) { return (LiaNumber){-a.value, -a.num, a.den}; }

LiaNumber lia_number_add(LiaNumber a, LiaNumber b) {
    if (a.den && b.den) {
        int64_t g = gcd(a.den, b.den), left = 0, right = 0, num = 0, den = 0;
        if (!__builtin_mul_overflow(a.num, b.den / g, &left) &&
            !__builtin_mul_overflow(b.num, a.den / g, &right) &&
            !__builtin_add_overflow(left, right, &num) &&
            !__builtin_mul_overflow(a.den, b.den / g, &den) && num != INT64_MIN) {
            return reduced(num, den);
        }
    }
    return inexact(a.value + b.value);
}

LiaNumber lia_number_multiply(LiaNumber a, LiaNumber b) {
    if (a.den && b.den) {
        int64_t g = gcd(a.num, b.den), h = gcd(b.num, a.den), num = 0, den = 0;
        if (!__builtin_mul_overflow(a.num / g, b.num / h, &num) &&
            !__builtin_mul_overflow(a.den / h, b.den / g, &den) && num != INT64_MIN) {
            return reduced(num, den);
        }
    }
    return inexact(a.value * b.value);
}

LiaNumber lia_number_divide(LiaNumber a, LiaNumber b) {
    if (a.den && b.den && b.num != 0) {
        LiaNumber inverse = {1.0 / b.value, b.num < 0 ? -b.den : b.den, b.num < 0 ? -b.num : b.num};
        LiaNumber quotient = lia_number_multiply(a, inverse);
        if (quotient.den) {
            return quotient;
        }
    }
    return inexact(a.value / b.value);
}

bool lia_number_power(LiaNumber a, LiaNumber b, LiaNumber* out) {
    if (!a.den || b.den != 1 || b.num < -64 || b.num > 64 || (a.num == 0 && b.num <= 0)) {
        return false;
    }
    LiaNumber power = lia_number_whole(1);
    for (int64_t i = 0; i < (b.num < 0 ? -b.num : b.num); i++) {
        power = lia_number_multiply(power, a);
        if (!power.den) {
            return false;
        }
    }
    *out = b.num < 0 ? lia_number_divide(lia_number_whole(1), power) : power;
    return out->den != 0;
}

bool lia_number_equals(LiaNumber a, int64_t n) { return a.den == 1 && a.num == n; }
