// The number type of the references: double to be measured, long double to measure against.
// Every file of this folder is compiled twice; with HAND_LONG its functions are named ..._long.
// SPDX-License-Identifier: MIT
#pragma once
#include <tgmath.h>

#ifdef HAND_LONG
typedef long double Real;
#define REAL(x)          x##L
#define HAND_PASTE(name) name##_long
#else
typedef double Real;
#define REAL(x)          x
#define HAND_PASTE(name) name
#endif
#define HAND(name) HAND_PASTE(name)

// Comparisons inline; fmax and fmin are calls, for the sake of NaN.
static inline Real larger(Real a, Real b) { return a > b ? a : b; }
static inline Real smaller(Real a, Real b) { return a < b ? a : b; }
