// Real roots of a Taylor polynomial on an interval: isolated, none skipped.
// SPDX-License-Identifier: MIT
#pragma once
#include <float.h>
#include <stdbool.h>

enum { LIA_ROOTS_DEGREE = 63 };  // highest degree looked at
/// Smaller numbers have lost digits to underflow: their sign is not known.
#define LIA_ROOTS_LEAST (DBL_MIN / DBL_EPSILON)

typedef struct LiaRootFound {
    double x;       // 0 < x <= h (h < 0: h <= x < 0)
    int direction;  // sign of the derivative by x; 0: touches without crossing
    // Between these its sign is not known: rounding. Equal where the root is sharp; where `to` is
    // h, it is not known beyond it either.
    double from, to;
} LiaRootFound;

typedef struct LiaRootsKnown {
    bool at_root;  // 0 is itself a root, c[0] is rounding: it is divided out
    bool series;   // the polynomial is the beginning of a series
    double
        floor;  // what rounding makes of the formula itself, in addition to that of its polynomial
} LiaRootsKnown;

/// Roots of sum c[k] x^k, k = 0..degree, between 0 (excluded) and h (included), in the order met.
/// `at_root`: 0 is itself a root, c[0] is rounding: it is divided out. Returns how many were
/// found, at most `most`.
int lia_roots(const double* c, int degree, double h, int at_root, LiaRootFound* roots, int most);
/// The same, with more said of what is known.
int lia_roots_search(const double* c, int degree, double h, const LiaRootsKnown* known,
                     LiaRootFound* roots, int most);
/// What rounding, and the terms that are left out, make of the beginning of a series at x. degree >
/// 0.
double lia_roots_doubt(const double* c, int degree, double x);
/// x^n for a whole number n >= 0.
static inline double lia_roots_power(double x, int n) {
    double power = 1.0;
    for (; n > 0 && x != 1.0; n >>= 1, x *= x) {
        if (n & 1) power *= x;
    }
    return power;
}
/// Does the polynomial not pass zero at root k, but for rounding of its terms, up to the next root
/// or h? A square that touches zero has two roots by rounding.
bool lia_roots_dips(const double* c, int degree, double h, const LiaRootFound* roots, int k,
                    int count);
