// Quotients by what is too large: 1/cosh(x)^2 far away is 0, though cosh(x)^2 is no number.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdbool.h>

/// x/y; 0 where y is beyond 1e150 and the quotient below 1e-150.
static inline double lia_quotient(double x, double y) {
    double q = x / y;
    return fabs(y) >= LIA_QUOTIENT_LARGE && fabs(q) * LIA_QUOTIENT_LARGE < 1.0 ? 0.0 : q;
}
/// Did it take this q for 0? Then so are all its derivatives.
static inline bool lia_quotient_vanishes(double q, double y) {
    return q == 0.0 && fabs(y) >= LIA_QUOTIENT_LARGE;
}
