// Arithmetic of terms and sums, and quotients that come out even. See polynomial.h.
// SPDX-License-Identifier: MIT
#include "expr/reading/polynomial.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EFFORT = 2000000 };  // terms compared, before it is given up

// --- terms and sums ----------------------------------------------------------------------------

double lia_polynomial_monomial_number(const LiaSimplifier* w, LiaExpr c) {
    LiaNumber n = {0};
    lia_graph_constant(w->g, c, &n);
    return n.value;
}

bool lia_polynomial_monomial_same(const LiaMonomial* a, const LiaMonomial* b) {
    return a->count == b->count &&
           memcmp(a->factors, b->factors, (size_t)a->count * sizeof *a->factors) == 0;
}

static LiaExpr add_numbers(LiaSimplifier* w, LiaExpr a, LiaExpr b) {
    LiaExpr c = lia_graph_add(w->g, a, b);
    LiaNumber n = {0};
    lia_graph_constant(w->g, c, &n);
    double size =
        fabs(lia_polynomial_monomial_number(w, a)) + fabs(lia_polynomial_monomial_number(w, b));
    if (!n.den && fabs(n.value) < LIA_NUMBERS_CANCEL * size)
        return lia_graph_integer(w->g, 0);  // rounding
    return c;
}

void lia_polynomial_add(LiaSimplifier* w, LiaPolynomial* sum, const LiaMonomial* term) {
    if (lia_polynomial_monomial_number(w, term->number) == 0.0) return;
    w->effort += 1 + sum->count;
    if (w->effort > EFFORT) w->failed = true;
    for (int i = 0; i < sum->count; i++) {
        if (!lia_polynomial_monomial_same(&sum->terms[i], term)) continue;
        LiaExpr c = add_numbers(w, sum->terms[i].number, term->number);
        sum->terms[i].number = c;
        if (lia_polynomial_monomial_number(w, c) == 0.0) {
            memmove(&sum->terms[i], &sum->terms[i + 1],
                    (size_t)(sum->count - i - 1) * sizeof *sum->terms);
            sum->count--;
        }
        return;
    }
    if (sum->count == sum->capacity) {
        int capacity = sum->capacity ? 2 * sum->capacity : 4;
        LiaMonomial* terms =
            capacity <= 2 * LIA_TERMS_MOST ? LIA_ARENA_NEW(w->arena, LiaMonomial, capacity) : NULL;
        if (!terms) {
            w->failed = true;
            return;
        }
        if (sum->count) memcpy(terms, sum->terms, (size_t)sum->count * sizeof *terms);
        sum->terms = terms;
        sum->capacity = capacity;
    }
    if (sum->count >= LIA_TERMS_MOST) {
        w->failed = true;
        return;
    }
    sum->terms[sum->count++] = *term;
}

// t * atom^power
void lia_polynomial_monomial_multiply(LiaSimplifier* w, LiaMonomial* t, uint32_t atom, int power) {
    int at = 0;
    while (at < t->count && t->factors[at].atom < atom) at++;
    if (at < t->count && t->factors[at].atom == atom) {
        t->factors[at].power += power;
        if (t->factors[at].power == 0) {
            memmove(&t->factors[at], &t->factors[at + 1],
                    (size_t)(t->count - at - 1) * sizeof *t->factors);
            t->count--;
        }
        return;
    }
    if (t->count == LIA_FACTORS_MOST) {
        w->failed = true;
        return;
    }
    memmove(&t->factors[at + 1], &t->factors[at], (size_t)(t->count - at) * sizeof *t->factors);
    t->factors[at] = (LiaFactor){atom, power};
    t->count++;
}

LiaMonomial lia_polynomial_monomial_product(LiaSimplifier* w, const LiaMonomial* a,
                                            const LiaMonomial* b) {
    LiaMonomial t = *a;
    t.number = lia_graph_mul(w->g, a->number, b->number);
    for (int i = 0; i < b->count; i++)
        lia_polynomial_monomial_multiply(w, &t, b->factors[i].atom, b->factors[i].power);
    return t;
}

LiaMonomial lia_polynomial_monomial_inverse(LiaSimplifier* w, const LiaMonomial* a) {
    LiaMonomial t = *a;
    t.number = lia_graph_div(w->g, lia_graph_integer(w->g, 1), a->number);
    for (int i = 0; i < t.count; i++) t.factors[i].power = -t.factors[i].power;
    return t;
}

void lia_polynomial_add_product(LiaSimplifier* w, LiaPolynomial* out, const LiaPolynomial* a,
                                const LiaPolynomial* b) {
    for (int i = 0; i < a->count && !w->failed; i++) {
        for (int k = 0; k < b->count && !w->failed; k++) {
            LiaMonomial t = lia_polynomial_monomial_product(w, &a->terms[i], &b->terms[k]);
            lia_polynomial_add(w, out, &t);
        }
    }
}

int lia_polynomial_monomial_power(const LiaMonomial* t, uint32_t atom) {
    for (int i = 0; i < t->count; i++) {
        if (t->factors[i].atom == atom) return t->factors[i].power;
    }
    return 0;
}

// --- quotients ---------------------------------------------------------------------------------

// Lexicographic by atoms: positive if a comes before b.
static int compare(const LiaMonomial* a, const LiaMonomial* b) {
    int i = 0, k = 0;
    while (i < a->count || k < b->count) {
        uint32_t x = i < a->count ? a->factors[i].atom : UINT32_MAX;
        uint32_t y = k < b->count ? b->factors[k].atom : UINT32_MAX;
        int px = x <= y ? a->factors[i].power : 0, py = y <= x ? b->factors[k].power : 0;
        if (px != py) return px > py ? 1 : -1;
        i += x <= y;
        k += y <= x;
    }
    return 0;
}

const LiaMonomial* lia_polynomial_leading(const LiaPolynomial* sum) {
    const LiaMonomial* best = &sum->terms[0];
    for (int i = 1; i < sum->count; i++) {
        if (compare(&sum->terms[i], best) > 0) best = &sum->terms[i];
    }
    return best;
}

// Does the sum `numerator` come out even by `divisor`?
bool lia_polynomial_divide(LiaSimplifier* w, const LiaPolynomial* numerator,
                           const LiaPolynomial* divisor, LiaPolynomial* quotient) {
    LiaPolynomial rest = {0};
    *quotient = (LiaPolynomial){0};
    for (int i = 0; i < numerator->count; i++) lia_polynomial_add(w, &rest, &numerator->terms[i]);
    LiaMonomial first = lia_polynomial_monomial_inverse(w, lia_polynomial_leading(divisor));
    for (int step = 0; rest.count > 0; step++) {
        if (step > 2 * LIA_TERMS_MOST || w->failed) return false;
        LiaMonomial lead = *lia_polynomial_leading(&rest),
                    t = lia_polynomial_monomial_product(w, &lead, &first);
        lia_polynomial_add(w, quotient, &t);
        t.number = lia_graph_neg(w->g, t.number);
        for (int i = 0; i < divisor->count && !w->failed; i++) {
            LiaMonomial part = lia_polynomial_monomial_product(w, &t, &divisor->terms[i]);
            lia_polynomial_add(w, &rest, &part);
        }
        if (quotient->count > numerator->count) return false;
    }
    return true;
}

// Does a hold all factors of b?
static bool holds_factors(const LiaMonomial* a, const LiaMonomial* b) {
    for (int i = 0; i < b->count; i++) {
        if (lia_polynomial_monomial_power(a, b->factors[i].atom) < b->factors[i].power)
            return false;
    }
    return true;
}

// numerator = quotient * divisor + rest, as far as it goes. False if nothing could be divided.
bool lia_polynomial_divide_partly(LiaSimplifier* w, const LiaPolynomial* numerator,
                                  const LiaPolynomial* divisor, LiaPolynomial* quotient,
                                  LiaPolynomial* rest) {
    LiaPolynomial left = {0};
    *quotient = *rest = (LiaPolynomial){0};
    for (int i = 0; i < numerator->count; i++) lia_polynomial_add(w, &left, &numerator->terms[i]);
    const LiaMonomial* lead = lia_polynomial_leading(divisor);
    LiaMonomial first = lia_polynomial_monomial_inverse(w, lead);
    for (int step = 0; left.count > 0; step++) {
        if (step > 2 * LIA_TERMS_MOST || w->failed) return false;
        LiaMonomial top = *lia_polynomial_leading(&left),
                    t = lia_polynomial_monomial_product(w, &top, &first);
        if (!holds_factors(&top, lead)) {
            lia_polynomial_add(w, rest, &top);
            top.number = lia_graph_neg(w->g, top.number);
            lia_polynomial_add(w, &left, &top);
            continue;
        }
        lia_polynomial_add(w, quotient, &t);
        t.number = lia_graph_neg(w->g, t.number);
        for (int i = 0; i < divisor->count && !w->failed; i++) {
            LiaMonomial part = lia_polynomial_monomial_product(w, &t, &divisor->terms[i]);
            lia_polynomial_add(w, &left, &part);
        }
    }
    return quotient->count > 0 && rest->count + quotient->count < numerator->count;
}

// What all terms have in common; the number is 1 unless all are exact.
LiaMonomial lia_polynomial_common(LiaSimplifier* w, const LiaPolynomial* sum) {
    LiaMonomial t = {.number = lia_graph_integer(w->g, 1)};
    const LiaMonomial* first = &sum->terms[0];
    for (int i = 0; i < first->count; i++) {
        int power = first->factors[i].power;
        for (int k = 1; k < sum->count; k++) {
            int other = lia_polynomial_monomial_power(&sum->terms[k], first->factors[i].atom);
            if ((other > 0) != (power > 0)) power = 0;
            if (abs(other) < abs(power)) power = other;
            if (power == 0) break;
        }
        if (power != 0) t.factors[t.count++] = (LiaFactor){first->factors[i].atom, power};
    }
    int64_t num = 0, den = 1;
    for (int k = 0; k < sum->count; k++) {
        LiaNumber n = {0};
        lia_graph_constant(w->g, sum->terms[k].number, &n);
        if (!n.den || n.den > 1000000 || den > 1000000) return t;
        int64_t a = num < 0 ? -num : num, b = n.num < 0 ? -n.num : n.num;
        while (b) {
            int64_t r = a % b;
            a = b;
            b = r;
        }
        num = a;
        int64_t c = den, d = n.den;
        while (d) {
            int64_t r = c % d;
            c = d;
            d = r;
        }
        den = den / c * n.den;
    }
    for (int k = 0; k < sum->count && den > 1; k++) {  // 1/2 x + y is better than 1/2 (x + 2 y)
        LiaNumber n = {0};
        lia_graph_constant(w->g, sum->terms[k].number, &n);
        if (n.den != den || (n.num != num && n.num != -num)) return t;
    }
    LiaNumber n = {0};
    lia_graph_constant(w->g, first->number, &n);
    if (num != 0) t.number = lia_graph_rational(w->g, n.num < 0 ? -num : num, den);
    return t;
}

LiaPolynomial lia_polynomial_times(LiaSimplifier* w, const LiaPolynomial* sum,
                                   const LiaMonomial* factor) {
    LiaPolynomial out = {0};
    for (int i = 0; i < sum->count; i++) {
        LiaMonomial t = lia_polynomial_monomial_product(w, &sum->terms[i], factor);
        lia_polynomial_add(w, &out, &t);
    }
    return out;
}

// The common factor, with everything that stands below a line inside: 1/m + a/J = 1/(m J) (J + a
// m).
LiaMonomial lia_polynomial_clearing(LiaSimplifier* w, const LiaPolynomial* sum) {
    LiaMonomial t = lia_polynomial_common(w, sum);
    for (int i = 0; i < sum->count; i++) {
        for (int k = 0; k < sum->terms[i].count; k++) {
            LiaFactor f = sum->terms[i].factors[k];
            int missing = f.power - lia_polynomial_monomial_power(&t, f.atom);
            if (f.power < 0 && missing < 0)
                lia_polynomial_monomial_multiply(w, &t, f.atom, missing);
        }
    }
    return t;
}
