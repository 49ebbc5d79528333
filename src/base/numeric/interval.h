// Intervals [low, high] of real numbers: where a quantity is during a step. Not rounded outwards:
// they decide what is negligible, by orders of magnitude, not what is the last digit.
// SPDX-License-Identifier: MIT
#pragma once
#include <math.h>
#include <stdbool.h>

typedef struct LiaInterval {
    double low, high;
} LiaInterval;

static inline LiaInterval lia_interval_all(void) { return (LiaInterval){-INFINITY, INFINITY}; }
static inline LiaInterval lia_interval_point(double x) { return (LiaInterval){x, x}; }

/// From two numbers in order; all numbers where one of them is none.
static inline LiaInterval lia_interval_of(double low, double high) {
    return low <= high ? (LiaInterval){low, high} : lia_interval_all();
}

static inline LiaInterval lia_interval_add(LiaInterval x, LiaInterval y) {
    return lia_interval_of(x.low + y.low, x.high + y.high);
}
static inline LiaInterval lia_interval_sub(LiaInterval x, LiaInterval y) {
    return lia_interval_of(x.low - y.high, x.high - y.low);
}
static inline LiaInterval lia_interval_neg(LiaInterval x) { return (LiaInterval){-x.high, -x.low}; }

/// The largest absolute value in x.
static inline double lia_interval_most(LiaInterval x) {
    double low = fabs(x.low), high = fabs(x.high);
    return low > high ? low : high;
}
/// The smallest.
static inline double lia_interval_least(LiaInterval x) {
    if (x.low > 0.0) return x.low;
    return x.high < 0.0 ? -x.high : 0.0;
}

/// A product of bounds: 0 times anything is 0, since an infinite bound stands for numbers that are
/// finite.
static inline double lia_interval_times(double a, double b) {
    return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}

static inline LiaInterval lia_interval_mul(LiaInterval x, LiaInterval y) {
    double a = lia_interval_times(x.low, y.low), b = lia_interval_times(x.low, y.high);
    double c = lia_interval_times(x.high, y.low), d = lia_interval_times(x.high, y.high);
    double low = a < b ? a : b, high = a < b ? b : a;
    if (c < low) low = c;
    if (c > high) high = c;
    if (d < low) low = d;
    if (d > high) high = d;
    return lia_interval_of(low, high);
}

static inline LiaInterval lia_interval_square(LiaInterval x) {
    double least = lia_interval_least(x), most = lia_interval_most(x);
    return lia_interval_of(least * least, most * most);
}

static inline LiaInterval lia_interval_div(LiaInterval x, LiaInterval y) {
    if (y.low <= 0.0 && y.high >= 0.0) return lia_interval_all();
    return lia_interval_mul(x, (LiaInterval){1.0 / y.high, 1.0 / y.low});
}

/// By e to both sides.
static inline LiaInterval lia_interval_widen(LiaInterval x, double e) {
    return lia_interval_of(x.low - e, x.high + e);
}

/// What both say; x where they contradict each other (by rounding).
static inline LiaInterval lia_interval_meet(LiaInterval x, LiaInterval y) {
    LiaInterval both = {x.low > y.low ? x.low : y.low, x.high < y.high ? x.high : y.high};
    return both.low <= both.high ? both : x;
}

/// How far a number of x can be from one of y.
static inline double lia_interval_apart(LiaInterval x, LiaInterval y) {
    double up = x.high - y.low, down = y.high - x.low;
    double most = up > down ? up : down;
    return isnan(most) ? INFINITY : most;
}
