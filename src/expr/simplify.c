// Simplification for reading. See simplify.h.
//
// A formula becomes a sum of terms, a term a number times whole powers of atoms. Atoms are symbols,
// functions of simplified arguments, and sums that stand in a denominator (with power -1 or less; what
// they are as sums is remembered, so that a numerator can be divided by them).
// SPDX-License-Identifier: MIT
#include "simplify.h"
#include "../base/arena.h"
#include "print.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NODES_MOST = 3000,   // of a formula that is looked at
    TERMS_MOST = 100,    // of a sum
    FACTORS_MOST = 16,   // of a term
    DIVISORS_MOST = 16,  // different sums in denominators
    POWER_MOST = 8,      // (a + b)^8 is written out, no more
    EFFORT = 2000000,    // terms compared, before it is given up
};

typedef struct Factor {
    uint32_t atom;
    int power;
} Factor;

typedef struct Term {
    LiaExpr number;  // a constant
    int count;
    Factor factors[FACTORS_MOST];  // by rising atom, powers not 0
} Term;

typedef struct Sum {
    Term* terms;
    int count, capacity;
} Sum;

typedef struct Divisor {  // a sum in a denominator
    uint32_t atom;
    const Sum* sum;
} Divisor;

typedef struct Work {
    LiaGraph* g;
    LiaArena* arena;
    const Sum** memo;  // by node
    uint32_t top;
    Divisor divisors[DIVISORS_MOST];
    int divisor_count;
    int effort;   // terms compared so far
    bool failed;  // too long, too much work, or memory is out
} Work;

static const LiaExpr none = {0};

// --- terms and sums ----------------------------------------------------------------------------

static double number_of(const Work* w, LiaExpr c) {
    LiaNumber n = {0};
    lia_graph_constant(w->g, c, &n);
    return n.value;
}

static bool same_factors(const Term* a, const Term* b) {
    return a->count == b->count &&
           memcmp(a->factors, b->factors, (size_t)a->count * sizeof *a->factors) == 0;
}

static LiaExpr add_numbers(Work* w, LiaExpr a, LiaExpr b) {
    LiaExpr c = lia_graph_add(w->g, a, b);
    LiaNumber n = {0};
    lia_graph_constant(w->g, c, &n);
    double size = fabs(number_of(w, a)) + fabs(number_of(w, b));
    if (!n.den && fabs(n.value) < 1e-14 * size) return lia_graph_integer(w->g, 0);  // rounding
    return c;
}

static void add_term(Work* w, Sum* sum, const Term* term) {
    if (number_of(w, term->number) == 0.0) return;
    w->effort += 1 + sum->count;
    if (w->effort > EFFORT) w->failed = true;
    for (int i = 0; i < sum->count; i++) {
        if (!same_factors(&sum->terms[i], term)) continue;
        LiaExpr c = add_numbers(w, sum->terms[i].number, term->number);
        sum->terms[i].number = c;
        if (number_of(w, c) == 0.0) {
            memmove(&sum->terms[i], &sum->terms[i + 1],
                    (size_t)(sum->count - i - 1) * sizeof *sum->terms);
            sum->count--;
        }
        return;
    }
    if (sum->count == sum->capacity) {
        int capacity = sum->capacity ? 2 * sum->capacity : 4;
        Term* terms = capacity <= 2 * TERMS_MOST ? LIA_ARENA_NEW(w->arena, Term, capacity) : NULL;
        if (!terms) {
            w->failed = true;
            return;
        }
        if (sum->count) memcpy(terms, sum->terms, (size_t)sum->count * sizeof *terms);
        sum->terms = terms;
        sum->capacity = capacity;
    }
    if (sum->count >= TERMS_MOST) {
        w->failed = true;
        return;
    }
    sum->terms[sum->count++] = *term;
}

static Term plain(Work* w, LiaExpr number) {
    (void)w;
    return (Term){.number = number};
}

// t * atom^power
static void multiply_factor(Work* w, Term* t, uint32_t atom, int power) {
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
    if (t->count == FACTORS_MOST) {
        w->failed = true;
        return;
    }
    memmove(&t->factors[at + 1], &t->factors[at], (size_t)(t->count - at) * sizeof *t->factors);
    t->factors[at] = (Factor){atom, power};
    t->count++;
}

static Term product(Work* w, const Term* a, const Term* b) {
    Term t = *a;
    t.number = lia_graph_mul(w->g, a->number, b->number);
    for (int i = 0; i < b->count; i++)
        multiply_factor(w, &t, b->factors[i].atom, b->factors[i].power);
    return t;
}

static Term inverse(Work* w, const Term* a) {
    Term t = *a;
    t.number = lia_graph_div(w->g, lia_graph_integer(w->g, 1), a->number);
    for (int i = 0; i < t.count; i++) t.factors[i].power = -t.factors[i].power;
    return t;
}

static void add_product(Work* w, Sum* out, const Sum* a, const Sum* b) {
    for (int i = 0; i < a->count && !w->failed; i++) {
        for (int k = 0; k < b->count && !w->failed; k++) {
            Term t = product(w, &a->terms[i], &b->terms[k]);
            add_term(w, out, &t);
        }
    }
}

static int power_in(const Term* t, uint32_t atom) {
    for (int i = 0; i < t->count; i++) {
        if (t->factors[i].atom == atom) return t->factors[i].power;
    }
    return 0;
}

// --- quotients ---------------------------------------------------------------------------------

// Lexicographic by atoms: positive if a comes before b.
static int compare(const Term* a, const Term* b) {
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

static const Term* leading(const Sum* sum) {
    const Term* best = &sum->terms[0];
    for (int i = 1; i < sum->count; i++) {
        if (compare(&sum->terms[i], best) > 0) best = &sum->terms[i];
    }
    return best;
}

// Does the sum `numerator` come out even by `divisor`?
static bool divide(Work* w, const Sum* numerator, const Sum* divisor, Sum* quotient) {
    Sum rest = {0};
    *quotient = (Sum){0};
    for (int i = 0; i < numerator->count; i++) add_term(w, &rest, &numerator->terms[i]);
    Term first = inverse(w, leading(divisor));
    for (int step = 0; rest.count > 0; step++) {
        if (step > 2 * TERMS_MOST || w->failed) return false;
        Term lead = *leading(&rest), t = product(w, &lead, &first);
        add_term(w, quotient, &t);
        t.number = lia_graph_neg(w->g, t.number);
        for (int i = 0; i < divisor->count && !w->failed; i++) {
            Term part = product(w, &t, &divisor->terms[i]);
            add_term(w, &rest, &part);
        }
        if (quotient->count > numerator->count) return false;
    }
    return true;
}

// Does a hold all factors of b?
static bool holds_factors(const Term* a, const Term* b) {
    for (int i = 0; i < b->count; i++) {
        if (power_in(a, b->factors[i].atom) < b->factors[i].power) return false;
    }
    return true;
}

// numerator = quotient * divisor + rest, as far as it goes. False if nothing could be divided.
static bool divide_partly(Work* w, const Sum* numerator, const Sum* divisor, Sum* quotient,
                          Sum* rest) {
    Sum left = {0};
    *quotient = *rest = (Sum){0};
    for (int i = 0; i < numerator->count; i++) add_term(w, &left, &numerator->terms[i]);
    const Term* lead = leading(divisor);
    Term first = inverse(w, lead);
    for (int step = 0; left.count > 0; step++) {
        if (step > 2 * TERMS_MOST || w->failed) return false;
        Term top = *leading(&left), t = product(w, &top, &first);
        if (!holds_factors(&top, lead)) {
            add_term(w, rest, &top);
            top.number = lia_graph_neg(w->g, top.number);
            add_term(w, &left, &top);
            continue;
        }
        add_term(w, quotient, &t);
        t.number = lia_graph_neg(w->g, t.number);
        for (int i = 0; i < divisor->count && !w->failed; i++) {
            Term part = product(w, &t, &divisor->terms[i]);
            add_term(w, &left, &part);
        }
    }
    return quotient->count > 0 && rest->count + quotient->count < numerator->count;
}

static LiaExpr put_together(Work* w, const Sum* sum);
static const Sum* sum_of(Work* w, uint32_t index);

// What all terms have in common; the number is 1 unless all are exact.
static Term common_factor(Work* w, const Sum* sum) {
    Term t = plain(w, lia_graph_integer(w->g, 1));
    const Term* first = &sum->terms[0];
    for (int i = 0; i < first->count; i++) {
        int power = first->factors[i].power;
        for (int k = 1; k < sum->count; k++) {
            int other = power_in(&sum->terms[k], first->factors[i].atom);
            if ((other > 0) != (power > 0)) power = 0;
            if (abs(other) < abs(power)) power = other;
            if (power == 0) break;
        }
        if (power != 0) t.factors[t.count++] = (Factor){first->factors[i].atom, power};
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

static Sum times(Work* w, const Sum* sum, const Term* factor) {
    Sum out = {0};
    for (int i = 0; i < sum->count; i++) {
        Term t = product(w, &sum->terms[i], factor);
        add_term(w, &out, &t);
    }
    return out;
}

// The common factor, with everything that stands below a line inside: 1/m + a/J = 1/(m J) (J + a m).
static Term clearing_factor(Work* w, const Sum* sum) {
    Term t = common_factor(w, sum);
    for (int i = 0; i < sum->count; i++) {
        for (int k = 0; k < sum->terms[i].count; k++) {
            Factor f = sum->terms[i].factors[k];
            int missing = f.power - power_in(&t, f.atom);
            if (f.power < 0 && missing < 0) multiply_factor(w, &t, f.atom, missing);
        }
    }
    return t;
}

static void add_inverse(Work* w, const Sum* sum, int power, Term* out) {
    // (number * powers * rest)^-power, rest remembered as a divisor
    Term factor = clearing_factor(w, sum), back = inverse(w, &factor);
    Sum* rest = LIA_ARENA_NEW(w->arena, Sum, 1);
    if (!rest) {
        w->failed = true;
        return;
    }
    *rest = times(w, sum, &back);
    for (int i = 0; i < power; i++) *out = product(w, out, &back);
    if (rest->count == 1) {
        Term single = inverse(w, &rest->terms[0]);
        for (int i = 0; i < power; i++) *out = product(w, out, &single);
        return;
    }
    LiaExpr atom = put_together(w, rest);
    multiply_factor(w, out, atom.index, -power);
    for (int i = 0; i < w->divisor_count; i++) {
        if (w->divisors[i].atom == atom.index) return;
    }
    if (w->divisor_count < DIVISORS_MOST) {
        w->divisors[w->divisor_count++] = (Divisor){atom.index, rest};
    }
}

// --- sines and cosines -------------------------------------------------------------------------

static uint32_t partner(Work* w, uint32_t atom) {
    const LiaNode* n = &w->g->nodes[atom];
    if (n->op != LIA_OP_SIN && n->op != LIA_OP_COS) return 0;
    LiaExpr u = {n->a};
    return lia_graph_apply(w->g, n->op == LIA_OP_SIN ? LIA_OP_COS : LIA_OP_SIN, u, none, none)
        .index;
}

// By how many terms the sum grows with t in it: 1, 0 where it joins one, -1 where it cancels one.
static int growth(const Work* w, const Sum* sum, const Term* t, bool minus) {
    for (int i = 0; i < sum->count; i++) {
        if (!same_factors(&sum->terms[i], t)) continue;
        double a = number_of(w, sum->terms[i].number), b = number_of(w, t->number);
        return a == (minus ? b : -b) ? -1 : 0;
    }
    return 1;
}

// One term with atom^2, written as 1 - partner^2, joins with what is there: take it if that is shorter.
static bool join_squares(Work* w, Sum* sum) {
    for (int i = 0; i < sum->count; i++) {
        Term t = sum->terms[i];
        for (int k = 0; k < t.count; k++) {
            uint32_t atom = t.factors[k].atom, other = partner(w, atom);
            if (!other || t.factors[k].power < 2) continue;
            Term one = t, two;
            multiply_factor(w, &one, atom, -2);
            two = one;
            multiply_factor(w, &two, other, 2);
            if (growth(w, sum, &one, false) + growth(w, sum, &two, true) > 0) continue;
            Sum shorter = {0};
            for (int j = 0; j < sum->count; j++) {
                if (j != i) add_term(w, &shorter, &sum->terms[j]);
            }
            add_term(w, &shorter, &one);
            multiply_factor(w, &one, other, 2);
            one.number = lia_graph_neg(w->g, one.number);
            add_term(w, &shorter, &one);
            if (w->failed) return false;
            if (shorter.count < sum->count) {
                *sum = shorter;
                return true;
            }
        }
    }
    return false;
}

// All squares of one atom at once: helps where several terms have to be exchanged together.
static bool exchange_squares(Work* w, Sum* sum) {
    for (int i = 0; i < sum->count; i++) {
        for (int k = 0; k < sum->terms[i].count; k++) {
            uint32_t atom = sum->terms[i].factors[k].atom, other = partner(w, atom);
            if (!other || sum->terms[i].factors[k].power < 2) continue;
            bool tried = false;
            for (int j = 0; j < i; j++) tried = tried || power_in(&sum->terms[j], atom) >= 2;
            if (tried) continue;
            LiaArenaMark mark = lia_arena_mark(w->arena);
            Sum changed = {0};
            for (int j = 0; j < sum->count; j++) {
                Term t = sum->terms[j];
                if (power_in(&t, atom) < 2) {
                    add_term(w, &changed, &t);
                    continue;
                }
                multiply_factor(w, &t, atom, -2);
                add_term(w, &changed, &t);
                multiply_factor(w, &t, other, 2);
                t.number = lia_graph_neg(w->g, t.number);
                add_term(w, &changed, &t);
            }
            if (w->failed) return false;
            if (changed.count < sum->count) {
                *sum = changed;
                return true;
            }
            lia_arena_reset(w->arena, mark);
        }
    }
    return false;
}

// A term as a wave of u times a wave of v times the rest.
typedef struct Pair {
    uint32_t u, v;  // atoms
    bool sin_u, sin_v;
    Term rest;
} Pair;

static bool is_wave(const Work* w, uint32_t atom, bool* sine) {
    LiaOp op = (LiaOp)w->g->nodes[atom].op;
    *sine = op == LIA_OP_SIN;
    return op == LIA_OP_SIN || op == LIA_OP_COS;
}

// The next pair of different waves of a term; `at` counts them.
static bool next_pair(Work* w, const Term* t, int* at, Pair* pair) {
    for (int count = t->count * t->count; *at < count; ++*at) {
        int i = *at / t->count, k = *at % t->count;
        if (i >= k || t->factors[i].power < 1 || t->factors[k].power < 1) continue;
        pair->u = t->factors[i].atom, pair->v = t->factors[k].atom;
        if (!is_wave(w, pair->u, &pair->sin_u) || !is_wave(w, pair->v, &pair->sin_v)) continue;
        if (w->g->nodes[pair->u].a == w->g->nodes[pair->v].a) continue;
        pair->rest = *t;
        multiply_factor(w, &pair->rest, pair->u, -1);
        multiply_factor(w, &pair->rest, pair->v, -1);
        ++*at;
        return true;
    }
    return false;
}

// sin or cos of a sum; its first term gets a plus, so that u - v and v - u are one atom.
static LiaExpr wave(Work* w, bool sine, const Sum* angle) {
    bool minus = angle->count > 0 && number_of(w, leading(angle)->number) < 0.0;
    Term turn = plain(w, lia_graph_integer(w->g, -1));
    Sum turned = minus ? times(w, angle, &turn) : *angle;
    LiaOp op = sine ? LIA_OP_SIN : LIA_OP_COS;
    LiaExpr f = lia_graph_apply(w->g, op, put_together(w, &turned), none, none);
    return minus && sine ? lia_graph_neg(w->g, f) : f;
}

// sin or cos of u + sign v, times `rest`, added to the sum.
static void add_wave(Work* w, Sum* sum, bool sine, uint32_t u, uint32_t v, int sign, Term rest) {
    LiaGraph* g = w->g;
    LiaExpr a = {g->nodes[u].a}, b = {g->nodes[v].a};
    LiaExpr angle = sign > 0 ? lia_graph_add(g, a, b) : lia_graph_sub(g, a, b);
    const Sum* terms = sum_of(w, angle.index);
    if (!terms) return;
    LiaExpr f = wave(w, sine, terms);
    LiaNumber c;
    if (lia_graph_constant(g, f, &c)) {
        rest.number = lia_graph_mul(g, rest.number, f);
    } else if (g->nodes[f.index].op == LIA_OP_NEG) {
        rest.number = lia_graph_neg(g, rest.number);
        multiply_factor(w, &rest, g->nodes[f.index].a, 1);
    } else {
        multiply_factor(w, &rest, f.index, 1);
    }
    add_term(w, sum, &rest);
}

// cos u cos v + sin u sin v = cos(u - v), sin u cos v + cos u sin v = sin(u + v), and with minus.
static bool join_waves(Work* w, Sum* sum) {
    for (int i = 0; i < sum->count; i++) {
        Pair x;
        for (int at = 0; next_pair(w, &sum->terms[i], &at, &x);) {
            Term wanted = x.rest;
            multiply_factor(w, &wanted, partner(w, x.u), 1);
            multiply_factor(w, &wanted, partner(w, x.v), 1);
            for (int k = 0; k < sum->count && !w->failed; k++) {
                if (k == i || !same_factors(&sum->terms[k], &wanted)) continue;
                double a = number_of(w, sum->terms[i].number),
                       b = number_of(w, sum->terms[k].number);
                if (fabs(a) != fabs(b)) continue;
                bool same = a == b, mixed = x.sin_u != x.sin_v;
                // the first of cos cos and sin sin, of sin u cos v and cos u sin v, gives the sign
                bool first = mixed ? x.sin_u : !x.sin_u;
                Sum shorter = {0};
                for (int j = 0; j < sum->count; j++) {
                    if (j != i && j != k) add_term(w, &shorter, &sum->terms[j]);
                }
                Term rest = x.rest;
                rest.number = sum->terms[first ? i : k].number;
                add_wave(w, &shorter, mixed, x.u, x.v, same == mixed ? 1 : -1, rest);
                if (w->failed || shorter.count >= sum->count) return false;
                *sum = shorter;
                return true;
            }
        }
    }
    return false;
}

static void gather_squares(Work* w, Sum* sum) {
    while (sum->count > 1 && !w->failed &&
           (join_squares(w, sum) || join_waves(w, sum) || exchange_squares(w, sum))) {
    }
}

// --- a formula as a sum ------------------------------------------------------------------------

static const Sum* keep(Work* w, uint32_t index, Sum sum) {
    Sum* kept = LIA_ARENA_NEW(w->arena, Sum, 1);
    if (!kept) {
        w->failed = true;
        return NULL;
    }
    *kept = sum;
    if (index <= w->top) w->memo[index] = kept;
    return kept;
}

static const Sum* atom_sum(Work* w, uint32_t index, uint32_t atom) {
    Sum sum = {0};
    Term t = plain(w, lia_graph_integer(w->g, 1));
    multiply_factor(w, &t, atom, 1);
    add_term(w, &sum, &t);
    return keep(w, index, sum);
}

// A function of simplified arguments; sin(-x) comes back as -sin(x).
static const Sum* function_sum(Work* w, uint32_t index) {
    LiaNode n = w->g->nodes[index];
    LiaExpr args[3] = {{n.a}, {n.b}, {n.c}};
    for (int i = 0; i < lia_op_arity((LiaOp)n.op); i++) {
        const Sum* sum = sum_of(w, args[i].index);
        if (!sum) return NULL;
        args[i] = put_together(w, sum);
    }
    LiaExpr f = n.op == LIA_OP_SIN || n.op == LIA_OP_COS
                    ? wave(w, n.op == LIA_OP_SIN, sum_of(w, n.a))
                    : lia_graph_apply(w->g, (LiaOp)n.op, args[0], args[1], args[2]);
    LiaNode made = w->g->nodes[f.index];
    Sum sum = {0};
    Term t = plain(w, lia_graph_integer(w->g, 1));
    LiaNumber c;
    if (lia_graph_constant(w->g, f, &c)) {
        t.number = f;
    } else if (made.op == LIA_OP_NEG) {
        t.number = lia_graph_integer(w->g, -1);
        multiply_factor(w, &t, made.a, 1);
    } else {
        multiply_factor(w, &t, f.index, 1);
    }
    add_term(w, &sum, &t);
    return keep(w, index, sum);
}

static const Sum* power_sum(Work* w, uint32_t index) {
    LiaNode n = w->g->nodes[index];
    LiaNumber e;
    const Sum* base = sum_of(w, n.a);
    if (!base) return NULL;
    if (!lia_graph_constant(w->g, (LiaExpr){n.b}, &e) || e.den != 1 || e.num < -64 || e.num > 64) {
        return atom_sum(w, index, index);
    }
    int power = (int)e.num;
    Sum sum = {0};
    Term one = plain(w, lia_graph_integer(w->g, 1));
    if (base->count == 1 || power < 0) {
        Term t = one;
        if (power < 0 && base->count > 0) {
            add_inverse(w, base, -power, &t);
        } else {
            for (int i = 0; i < power; i++) t = product(w, &t, &base->terms[0]);
        }
        add_term(w, &sum, &t);
        return keep(w, index, sum);
    }
    if (power > POWER_MOST) return atom_sum(w, index, index);
    add_term(w, &sum, &one);
    for (int i = 0; i < power && !w->failed; i++) {
        Sum next = {0};
        add_product(w, &next, &sum, base);
        sum = next;
    }
    return keep(w, index, sum);
}

static const Sum* quotient_sum(Work* w, uint32_t index) {
    LiaNode n = w->g->nodes[index];
    const Sum *a = sum_of(w, n.a), *b = sum_of(w, n.b);
    if (!a || !b) return NULL;
    if (b->count == 0) return atom_sum(w, index, index);  // a fault of the model: left as it is
    Term t = plain(w, lia_graph_integer(w->g, 1));
    add_inverse(w, b, 1, &t);
    return w->failed ? NULL : keep(w, index, times(w, a, &t));
}

static const Sum* sum_of(Work* w, uint32_t index) {
    if (w->failed) return NULL;
    if (index <= w->top && w->memo[index]) return w->memo[index];
    LiaNode n = w->g->nodes[index];
    Sum sum = {0};
    switch ((LiaOp)n.op) {
    case LIA_OP_CONST: {
        Term t = plain(w, (LiaExpr){index});
        add_term(w, &sum, &t);
        return keep(w, index, sum);
    }
    case LIA_OP_PI:
    case LIA_OP_SYMBOL:
    case LIA_OP_IF:
    case LIA_OP_LESS:
    case LIA_OP_LESS_EQUAL:
    case LIA_OP_AND:
    case LIA_OP_OR:
    case LIA_OP_NOT:
        return atom_sum(w, index, index);
    case LIA_OP_NEG:
    case LIA_OP_ADD:
    case LIA_OP_SUB: {
        const Sum* a = sum_of(w, n.a);
        const Sum* b = n.op == LIA_OP_NEG ? NULL : sum_of(w, n.b);
        if (!a || (!b && n.op != LIA_OP_NEG)) return NULL;
        for (int side = 0; side < 2; side++) {
            const Sum* part = side == 0 ? a : b;
            bool minus = side == 0 ? n.op == LIA_OP_NEG : n.op == LIA_OP_SUB;
            for (int i = 0; part && i < part->count && !w->failed; i++) {
                Term t = part->terms[i];
                if (minus) t.number = lia_graph_neg(w->g, t.number);
                add_term(w, &sum, &t);
            }
        }
        break;
    }
    case LIA_OP_MUL: {
        const Sum *a = sum_of(w, n.a), *b = sum_of(w, n.b);
        if (!a || !b) return NULL;
        add_product(w, &sum, a, b);
        break;
    }
    case LIA_OP_DIV:
        return quotient_sum(w, index);
    case LIA_OP_POW:
        return power_sum(w, index);
    default:
        return function_sum(w, index);
    }
    return w->failed ? NULL : keep(w, index, sum);
}

// --- a sum as a formula ------------------------------------------------------------------------

static bool is_divisor(const Work* w, uint32_t atom) {
    LiaOp op = (LiaOp)w->g->nodes[atom].op;
    return op == LIA_OP_ADD || op == LIA_OP_SUB;
}

static LiaExpr write_term(Work* w, const Term* t) {
    LiaGraph* g = w->g;
    LiaExpr up = lia_graph_integer(g, 1), down = up;
    for (int i = 0; i < t->count; i++) {
        int power = t->factors[i].power;
        LiaExpr f = lia_graph_pow(g, (LiaExpr){t->factors[i].atom},
                                  lia_graph_integer(g, power < 0 ? -power : power));
        LiaExpr* side = power > 0 ? &up : &down;
        *side = lia_graph_mul(g, *side, f);
    }
    return lia_graph_mul(g, t->number, lia_graph_div(g, up, down));
}

// Terms with a plus first: a - b, not -b + a.
static LiaExpr write_sum(Work* w, const Sum* sum) {
    LiaExpr f = lia_graph_integer(w->g, 0);
    for (int sign = 0; sign < 2; sign++) {
        for (int i = 0; i < sum->count; i++) {
            bool minus = number_of(w, sum->terms[i].number) < 0.0;
            if (minus == (sign == 1)) f = lia_graph_add(w->g, f, write_term(w, &sum->terms[i]));
        }
    }
    return f;
}

// With the common factor outside, if that is shorter.
static LiaExpr write_factored(Work* w, const Sum* sum) {
    LiaExpr flat = write_sum(w, sum);
    if (sum->count < 2) return flat;
    Term factor = common_factor(w, sum), back = inverse(w, &factor);
    Sum inner = times(w, sum, &back);
    gather_squares(w, &inner);
    LiaExpr outside = lia_graph_mul(w->g, write_term(w, &factor), write_sum(w, &inner));
    return lia_expr_length(w->g, outside) < lia_expr_length(w->g, flat) ? outside : flat;
}

static LiaExpr put_together(Work* w, const Sum* sum) {
    LiaGraph* g = w->g;
    LiaExpr total = lia_graph_integer(g, 0);
    bool* done = calloc((size_t)sum->count + 1, sizeof *done);
    if (!done) {
        w->failed = true;
        return total;
    }
    for (int i = 0; i < sum->count && !w->failed; i++) {
        if (done[i]) continue;
        // the terms with the same sums below the line
        Term below = plain(w, lia_graph_integer(g, 1));
        for (int k = 0; k < sum->terms[i].count; k++) {
            Factor f = sum->terms[i].factors[k];
            if (f.power < 0 && is_divisor(w, f.atom)) multiply_factor(w, &below, f.atom, f.power);
        }
        Sum group = {0};
        Term up = inverse(w, &below);
        for (int j = i; j < sum->count; j++) {
            Term t = sum->terms[j];
            int count = 0;
            bool same = !done[j];
            for (int k = 0; same && k < t.count; k++) {
                if (t.factors[k].power >= 0 || !is_divisor(w, t.factors[k].atom)) continue;
                count++;
                same = power_in(&below, t.factors[k].atom) == t.factors[k].power;
            }
            if (!same || count != below.count) continue;
            done[j] = true;
            t = product(w, &t, &up);
            add_term(w, &group, &t);
        }
        gather_squares(w, &group);
        for (int d = 0; d < w->divisor_count; d++) {
            Sum quotient;
            while (power_in(&below, w->divisors[d].atom) < 0 && group.count > 0 &&
                   divide(w, &group, w->divisors[d].sum, &quotient)) {
                group = quotient;
                multiply_factor(w, &below, w->divisors[d].atom, 1);
            }
        }
        Term down = inverse(w, &below);
        LiaExpr part = lia_graph_div(g, write_factored(w, &group), write_term(w, &down));
        for (int d = 0; d < w->divisor_count && below.count == 1; d++) {  // (q D + r)/D = q + r/D
            Sum quotient, rest;
            if (power_in(&below, w->divisors[d].atom) != -1 ||
                !divide_partly(w, &group, w->divisors[d].sum, &quotient, &rest)) {
                continue;
            }
            LiaExpr split = lia_graph_div(g, write_factored(w, &rest), write_term(w, &down));
            split = lia_graph_add(g, write_factored(w, &quotient), split);
            if (lia_expr_length(g, split) < lia_expr_length(g, part)) part = split;
        }
        total = lia_graph_add(g, total, part);
    }
    free(done);
    return total;
}

// All terms over one denominator: numerators are multiplied by what they lack of it.
static bool over_one(Work* w, const Sum* sum, Sum* out) {
    Term below = plain(w, lia_graph_integer(w->g, 1));
    *out = (Sum){0};
    for (int d = 0; d < w->divisor_count; d++) {
        int least = 0;
        for (int i = 0; i < sum->count; i++) {
            int power = power_in(&sum->terms[i], w->divisors[d].atom);
            least = power < least ? power : least;
        }
        if (least < -3) return false;
        if (least < 0) multiply_factor(w, &below, w->divisors[d].atom, least);
    }
    if (below.count == 0) return false;
    for (int i = 0; i < sum->count && !w->failed; i++) {
        Sum part = {0};
        Term t = sum->terms[i];
        for (int d = 0; d < w->divisor_count; d++) {  // what stands there of it already
            int power = power_in(&t, w->divisors[d].atom);
            if (power < 0) multiply_factor(w, &t, w->divisors[d].atom, -power);
        }
        add_term(w, &part, &t);
        for (int d = 0; d < w->divisor_count; d++) {
            uint32_t atom = w->divisors[d].atom;
            int power = power_in(&sum->terms[i], atom);
            int lacks = (power < 0 ? power : 0) - power_in(&below, atom);
            for (int k = 0; k < lacks && !w->failed; k++) {
                Sum next = {0};
                add_product(w, &next, &part, w->divisors[d].sum);
                part = next;
            }
        }
        for (int k = 0; k < part.count; k++) add_term(w, out, &part.terms[k]);
    }
    gather_squares(w, out);
    *out = times(w, out, &below);
    return !w->failed;
}

// --- the way in --------------------------------------------------------------------------------

static bool short_enough(const LiaGraph* g, LiaExpr f) {
    unsigned char* needed = calloc((size_t)f.index + 1, 1);
    if (!needed) return false;
    int count = 0;
    needed[f.index] = 1;
    for (uint32_t i = f.index; i > 0 && count <= NODES_MOST; i--) {
        if (!needed[i]) continue;
        count++;
        const LiaNode* n = &g->nodes[i];
        const uint32_t args[3] = {n->a, n->b, n->c};
        for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++) needed[args[arg]] = 1;
    }
    free(needed);
    return count <= NODES_MOST;
}

size_t lia_expr_length(const LiaGraph* g, LiaExpr f) {
    LiaText text = {0};
    lia_expr_print(g, f, &text);
    size_t length = text.length;
    lia_text_clear(&text);
    return length;
}

LiaExpr lia_expr_simplify(LiaGraph* g, LiaExpr f) {
    if (!f.index || !short_enough(g, f)) return f;
    Work w = {.g = g, .arena = lia_arena_create(), .top = f.index};
    w.memo = calloc((size_t)f.index + 1, sizeof *w.memo);
    LiaExpr best = f;
    if (w.arena && w.memo) {
        const Sum* sum = sum_of(&w, f.index);
        Sum own = {0};
        if (sum) {
            for (int i = 0; i < sum->count; i++) add_term(&w, &own, &sum->terms[i]);
            gather_squares(&w, &own);
            LiaExpr written = put_together(&w, &own);
            if (!w.failed && lia_expr_length(g, written) <= lia_expr_length(g, f)) best = written;
            Sum joined;
            if (!w.failed && over_one(&w, &own, &joined)) {
                written = put_together(&w, &joined);
                if (!w.failed && lia_expr_length(g, written) < lia_expr_length(g, best))
                    best = written;
            }
        }
    }
    free((void*)w.memo);
    lia_arena_destroy(w.arena);
    return best;
}
