// Times at equal distances: by fractions, where the numbers are some, so that they are what a
// person would write for them.
// SPDX-License-Identifier: MIT
#include "base/numeric/grid.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>

// Whole numbers, as doubles.
typedef struct Fraction {
    double above, below;
} Fraction;

static const double whole_most = 9007199254740992.0;

// The first convergent of x that is x but for its rounding. False where that needs large numbers.
static bool find_fraction(double x, Fraction* of) {
    const double below_most = 1e6;
    double a = fabs(x), rest = a, above[2] = {0.0, 1.0}, below[2] = {1.0, 0.0};
    if (!(a < whole_most / below_most)) return false;
    for (;;) {
        double whole = floor(rest), p = whole * above[1] + above[0];
        double q = whole * below[1] + below[0];
        if (!(p < whole_most && q <= below_most)) return false;
        above[0] = above[1], above[1] = p;
        below[0] = below[1], below[1] = q;
        if (fabs(p / q - a) <= DBL_EPSILON * a) break;
        rest = 1.0 / (rest - whole);
    }
    *of = (Fraction){copysign(above[1], x), below[1]};
    return true;
}

static double common_divisor(double a, double b) {
    while (b != 0.0) {
        double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    return a;
}

double lia_grid_at(double start, double step, uint64_t k) {
    Fraction a, b;
    double count = (double)k;
    if (find_fraction(start, &a) && find_fraction(step, &b)) {
        double divisor = common_divisor(a.below, b.below), each = a.below / divisor * b.above;
        double first = a.above * (b.below / divisor), sum = first + count * each;
        double below = a.below / divisor * b.below;
        bool exact = fabs(first) < whole_most && fabs(count * each) < whole_most;
        if (exact && fabs(sum) < whole_most && below < whole_most) return sum / below;
    }
    return fma(count, step, start);
}
