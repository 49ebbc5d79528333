// The factors of a sparse LU as solving runs through them: from one end to the other and back,
// nothing but what is needed.
//
// A matrix is factored once and solved with many times, and in a large system its factors come from
// far away each time. So the scales of rows and columns are in them (powers of two: no digit
// changes), and indices are as short as the size allows.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/elimination.h"

typedef struct LiaFactors {
    int n;
    bool narrow;      // indices are uint16_t, else uint32_t
    double *L, *U;    // L by steps, U by steps from the last to the first
    double* inverse;  // of the pivots, from the last to the first
    void* forward;    // for each step: its row, the number of its entries of L, their steps
    void* backward;   // the same with its column and U, from the last step to the first
    void* block;
} LiaFactors;

// L, U and 1/pivot of the matrix left*A*right, in the order of its elimination.
typedef struct LiaFactorNumbers {
    const double *L, *U, *inverse, *left, *right;
} LiaFactorNumbers;

/// Make room for the pattern of an elimination of full rank whose U holds steps. False if memory is
/// out.
bool lia_factors_init(LiaFactors* f, const LiaElimination* e);
void lia_factors_clear(LiaFactors* f);
/// Take over the numbers, in the order of e.
void lia_factors_take(LiaFactors* f, const LiaElimination* e, const LiaFactorNumbers* of);
/// Solve A x = b in place; `x` is scratch of n numbers.
void lia_factors_solve(const LiaFactors* f, double* b, double* x);
