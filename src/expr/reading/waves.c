// Sines and cosines in sums: sin^2 + cos^2 = 1, and products of waves that join to a wave of a sum
// of angles. See polynomial.h.
// SPDX-License-Identifier: MIT
#include "expr/reading/polynomial.h"
#include <math.h>

static const LiaExpr none = {0};

static uint32_t partner(LiaSimplifier* w, uint32_t atom) {
    const LiaNode* n = &w->g->nodes[atom];
    if (n->op != LIA_OP_SIN && n->op != LIA_OP_COS) return 0;
    LiaExpr u = {n->a};
    return lia_graph_apply(w->g, n->op == LIA_OP_SIN ? LIA_OP_COS : LIA_OP_SIN, u, none, none)
        .index;
}

// By how many terms the sum grows with t in it: 1, 0 where it joins one, -1 where it cancels one.
static int growth(const LiaSimplifier* w, const LiaPolynomial* sum, const LiaMonomial* t,
                  bool minus) {
    for (int i = 0; i < sum->count; i++) {
        if (!lia_polynomial_monomial_same(&sum->terms[i], t)) continue;
        double a = lia_polynomial_monomial_number(w, sum->terms[i].number),
               b = lia_polynomial_monomial_number(w, t->number);
        return a == (minus ? b : -b) ? -1 : 0;
    }
    return 1;
}

// One term with atom^2, written as 1 - partner^2, joins with what is there: take it if that is
// shorter.
static bool join_squares(LiaSimplifier* w, LiaPolynomial* sum) {
    for (int i = 0; i < sum->count; i++) {
        LiaMonomial t = sum->terms[i];
        for (int k = 0; k < t.count; k++) {
            uint32_t atom = t.factors[k].atom, other = partner(w, atom);
            if (!other || t.factors[k].power < 2) continue;
            LiaMonomial one = t, two;
            lia_polynomial_monomial_multiply(w, &one, atom, -2);
            two = one;
            lia_polynomial_monomial_multiply(w, &two, other, 2);
            if (growth(w, sum, &one, false) + growth(w, sum, &two, true) > 0) continue;
            LiaPolynomial shorter = {0};
            for (int j = 0; j < sum->count; j++) {
                if (j != i) lia_polynomial_add(w, &shorter, &sum->terms[j]);
            }
            lia_polynomial_add(w, &shorter, &one);
            lia_polynomial_monomial_multiply(w, &one, other, 2);
            one.number = lia_graph_neg(w->g, one.number);
            lia_polynomial_add(w, &shorter, &one);
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
static bool exchange_squares(LiaSimplifier* w, LiaPolynomial* sum) {
    for (int i = 0; i < sum->count; i++) {
        for (int k = 0; k < sum->terms[i].count; k++) {
            uint32_t atom = sum->terms[i].factors[k].atom, other = partner(w, atom);
            if (!other || sum->terms[i].factors[k].power < 2) continue;
            bool tried = false;
            for (int j = 0; j < i; j++)
                tried = tried || lia_polynomial_monomial_power(&sum->terms[j], atom) >= 2;
            if (tried) continue;
            LiaArenaMark mark = lia_arena_mark(w->arena);
            LiaPolynomial changed = {0};
            for (int j = 0; j < sum->count; j++) {
                LiaMonomial t = sum->terms[j];
                if (lia_polynomial_monomial_power(&t, atom) < 2) {
                    lia_polynomial_add(w, &changed, &t);
                    continue;
                }
                lia_polynomial_monomial_multiply(w, &t, atom, -2);
                lia_polynomial_add(w, &changed, &t);
                lia_polynomial_monomial_multiply(w, &t, other, 2);
                t.number = lia_graph_neg(w->g, t.number);
                lia_polynomial_add(w, &changed, &t);
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
    LiaMonomial rest;
} Pair;

static bool is_wave(const LiaSimplifier* w, uint32_t atom, bool* sine) {
    LiaOp op = (LiaOp)w->g->nodes[atom].op;
    *sine = op == LIA_OP_SIN;
    return op == LIA_OP_SIN || op == LIA_OP_COS;
}

// The next pair of different waves of a term; `at` counts them.
static bool next_pair(LiaSimplifier* w, const LiaMonomial* t, int* at, Pair* pair) {
    for (int count = t->count * t->count; *at < count; ++*at) {
        int i = *at / t->count, k = *at % t->count;
        if (i >= k || t->factors[i].power < 1 || t->factors[k].power < 1) continue;
        pair->u = t->factors[i].atom, pair->v = t->factors[k].atom;
        if (!is_wave(w, pair->u, &pair->sin_u) || !is_wave(w, pair->v, &pair->sin_v)) continue;
        if (w->g->nodes[pair->u].a == w->g->nodes[pair->v].a) continue;
        pair->rest = *t;
        lia_polynomial_monomial_multiply(w, &pair->rest, pair->u, -1);
        lia_polynomial_monomial_multiply(w, &pair->rest, pair->v, -1);
        ++*at;
        return true;
    }
    return false;
}

// sin or cos of a sum; its first term gets a plus, so that u - v and v - u are one atom.
LiaExpr lia_waves_apply(LiaSimplifier* w, bool sine, const LiaPolynomial* angle) {
    bool minus = angle->count > 0 &&
                 lia_polynomial_monomial_number(w, lia_polynomial_leading(angle)->number) < 0.0;
    LiaMonomial turn = {.number = lia_graph_integer(w->g, -1)};
    LiaPolynomial turned = minus ? lia_polynomial_times(w, angle, &turn) : *angle;
    LiaOp op = sine ? LIA_OP_SIN : LIA_OP_COS;
    LiaExpr f = lia_graph_apply(w->g, op, lia_simplify_write(w, &turned), none, none);
    return minus && sine ? lia_graph_neg(w->g, f) : f;
}

// sin or cos of u + sign v, times `rest`, added to the sum.
static void add_wave(LiaSimplifier* w, LiaPolynomial* sum, bool sine, const uint32_t of[2],
                     int sign, LiaMonomial rest) {
    LiaGraph* g = w->g;
    LiaExpr a = {g->nodes[of[0]].a}, b = {g->nodes[of[1]].a};
    LiaExpr angle = sign > 0 ? lia_graph_add(g, a, b) : lia_graph_sub(g, a, b);
    const LiaPolynomial* terms = lia_simplify_sum(w, angle.index);
    if (!terms) return;
    LiaExpr f = lia_waves_apply(w, sine, terms);
    LiaNumber c;
    if (lia_graph_constant(g, f, &c)) {
        rest.number = lia_graph_mul(g, rest.number, f);
    } else if (g->nodes[f.index].op == LIA_OP_NEG) {
        rest.number = lia_graph_neg(g, rest.number);
        lia_polynomial_monomial_multiply(w, &rest, g->nodes[f.index].a, 1);
    } else {
        lia_polynomial_monomial_multiply(w, &rest, f.index, 1);
    }
    lia_polynomial_add(w, sum, &rest);
}

// cos u cos v + sin u sin v = cos(u - v), sin u cos v + cos u sin v = sin(u + v), and with minus.
static bool join_waves(LiaSimplifier* w, LiaPolynomial* sum) {
    for (int i = 0; i < sum->count; i++) {
        Pair x;
        for (int at = 0; next_pair(w, &sum->terms[i], &at, &x);) {
            LiaMonomial wanted = x.rest;
            lia_polynomial_monomial_multiply(w, &wanted, partner(w, x.u), 1);
            lia_polynomial_monomial_multiply(w, &wanted, partner(w, x.v), 1);
            for (int k = 0; k < sum->count && !w->failed; k++) {
                if (k == i || !lia_polynomial_monomial_same(&sum->terms[k], &wanted)) continue;
                double a = lia_polynomial_monomial_number(w, sum->terms[i].number),
                       b = lia_polynomial_monomial_number(w, sum->terms[k].number);
                if (fabs(a) != fabs(b)) continue;
                bool same = a == b, mixed = x.sin_u != x.sin_v;
                // the first of cos cos and sin sin, of sin u cos v and cos u sin v, gives the sign
                bool first = mixed ? x.sin_u : !x.sin_u;
                LiaPolynomial shorter = {0};
                for (int j = 0; j < sum->count; j++) {
                    if (j != i && j != k) lia_polynomial_add(w, &shorter, &sum->terms[j]);
                }
                LiaMonomial rest = x.rest;
                rest.number = sum->terms[first ? i : k].number;
                add_wave(w, &shorter, mixed, (uint32_t[2]){x.u, x.v}, same == mixed ? 1 : -1, rest);
                if (w->failed || shorter.count >= sum->count) return false;
                *sum = shorter;
                return true;
            }
        }
    }
    return false;
}

void lia_waves_gather(LiaSimplifier* w, LiaPolynomial* sum) {
    while (sum->count > 1 && !w->failed &&
           (join_squares(w, sum) || join_waves(w, sum) || exchange_squares(w, sum))) {
    }
}
