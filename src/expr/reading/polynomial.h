// Sums of terms, as simplify.c computes with them.
//
// A term is a number times whole powers of atoms. Atoms are symbols, functions of simplified
// arguments, and sums that stand in a denominator (with power -1 or less; what they are as sums is
// remembered, so that a numerator can be divided by them).
// SPDX-License-Identifier: MIT
#pragma once
#include "base/memory/arena.h"
#include "expr/graph/graph.h"

enum {
    LIA_TERMS_MOST = 100,    // of a sum
    LIA_FACTORS_MOST = 16,   // of a term
    LIA_DIVISORS_MOST = 16,  // different sums in denominators
};

typedef struct LiaFactor {
    uint32_t atom;
    int power;
} LiaFactor;

typedef struct LiaMonomial {
    LiaExpr number;  // a constant
    int count;
    LiaFactor factors[LIA_FACTORS_MOST];  // by rising atom, powers not 0
} LiaMonomial;

typedef struct LiaPolynomial {
    LiaMonomial* terms;
    int count, capacity;
} LiaPolynomial;

typedef struct LiaDivisor {  // a sum in a denominator
    uint32_t atom;
    const LiaPolynomial* sum;
} LiaDivisor;

// One formula being simplified.
typedef struct LiaSimplifier {
    LiaGraph* g;
    LiaArena* arena;
    const LiaPolynomial** memo;  // by node
    uint32_t top;
    LiaDivisor divisors[LIA_DIVISORS_MOST];
    int divisor_count;
    int effort;   // terms compared so far
    bool failed;  // too long, too much work, or memory is out
} LiaSimplifier;

// polynomial.c: terms
double lia_polynomial_monomial_number(const LiaSimplifier* w, LiaExpr c);
/// The same but for the number.
bool lia_polynomial_monomial_same(const LiaMonomial* a, const LiaMonomial* b);
/// t * atom^power
void lia_polynomial_monomial_multiply(LiaSimplifier* w, LiaMonomial* t, uint32_t atom, int power);
LiaMonomial lia_polynomial_monomial_product(LiaSimplifier* w, const LiaMonomial* a,
                                            const LiaMonomial* b);
LiaMonomial lia_polynomial_monomial_inverse(LiaSimplifier* w, const LiaMonomial* a);
/// 0 where the atom is not in it.
int lia_polynomial_monomial_power(const LiaMonomial* t, uint32_t atom);

// polynomial.c: sums
void lia_polynomial_add(LiaSimplifier* w, LiaPolynomial* sum, const LiaMonomial* term);
void lia_polynomial_add_product(LiaSimplifier* w, LiaPolynomial* out, const LiaPolynomial* a,
                                const LiaPolynomial* b);
LiaPolynomial lia_polynomial_times(LiaSimplifier* w, const LiaPolynomial* sum,
                                   const LiaMonomial* factor);
/// The first term, lexicographic by atoms.
const LiaMonomial* lia_polynomial_leading(const LiaPolynomial* sum);
/// Does the sum `numerator` come out even by `divisor`?
bool lia_polynomial_divide(LiaSimplifier* w, const LiaPolynomial* numerator,
                           const LiaPolynomial* divisor, LiaPolynomial* quotient);
/// numerator = quotient * divisor + rest, as far as it goes. False if nothing could be divided.
bool lia_polynomial_divide_partly(LiaSimplifier* w, const LiaPolynomial* numerator,
                                  const LiaPolynomial* divisor, LiaPolynomial* quotient,
                                  LiaPolynomial* rest);
/// What all terms have in common; the number is 1 unless all are exact.
LiaMonomial lia_polynomial_common(LiaSimplifier* w, const LiaPolynomial* sum);
/// The common factor, with everything that stands below a line inside: 1/m + a/J = 1/(m J) (J + a
/// m).
LiaMonomial lia_polynomial_clearing(LiaSimplifier* w, const LiaPolynomial* sum);

// waves.c
/// sin or cos of a sum; its first term gets a plus, so that u - v and v - u are one atom.
LiaExpr lia_waves_apply(LiaSimplifier* w, bool sine, const LiaPolynomial* angle);
/// Write the sum with fewer terms, as long as that is possible.
void lia_waves_gather(LiaSimplifier* w, LiaPolynomial* sum);

// simplify.c
/// A formula as a sum. NULL: given up.
const LiaPolynomial* lia_simplify_sum(LiaSimplifier* w, uint32_t index);
/// A sum as a formula.
LiaExpr lia_simplify_write(LiaSimplifier* w, const LiaPolynomial* sum);
