// Simplification for reading. See simplify.h.
//
// A formula becomes a sum of terms (polynomial.h), sines and cosines are gathered (waves.c), and
// the sum becomes a formula
// again: with common factors outside, over one denominator, divided, whatever is shortest.
// SPDX-License-Identifier: MIT
#include "expr/reading/simplify.h"
#include "base/memory/memory.h"
#include "expr/reading/formula_text.h"
#include "expr/reading/polynomial.h"
#include <stdlib.h>

enum {
    NODES_MOST = 3000,  // of a formula that is looked at
    POWER_MOST = 8,     // (a + b)^8 is written out, no more
};

// --- a formula as a sum ------------------------------------------------------------------------

static void add_inverse(LiaSimplifier* w, const LiaPolynomial* sum, int power, LiaMonomial* out) {
    // (number * powers * rest)^-power, rest remembered as a divisor
    LiaMonomial factor = lia_polynomial_clearing(w, sum),
                back = lia_polynomial_monomial_inverse(w, &factor);
    LiaPolynomial* rest = LIA_ARENA_NEW(w->arena, LiaPolynomial, 1);
    if (!rest) {
        w->failed = true;
        return;
    }
    *rest = lia_polynomial_times(w, sum, &back);
    for (int i = 0; i < power; i++) *out = lia_polynomial_monomial_product(w, out, &back);
    if (rest->count == 1) {
        LiaMonomial single = lia_polynomial_monomial_inverse(w, &rest->terms[0]);
        for (int i = 0; i < power; i++) *out = lia_polynomial_monomial_product(w, out, &single);
        return;
    }
    LiaExpr atom = lia_simplify_write(w, rest);
    lia_polynomial_monomial_multiply(w, out, atom.index, -power);
    for (int i = 0; i < w->divisor_count; i++) {
        if (w->divisors[i].atom == atom.index) return;
    }
    if (w->divisor_count < LIA_DIVISORS_MOST) {
        w->divisors[w->divisor_count++] = (LiaDivisor){atom.index, rest};
    }
}

static const LiaPolynomial* keep(LiaSimplifier* w, uint32_t index, LiaPolynomial sum) {
    LiaPolynomial* kept = LIA_ARENA_NEW(w->arena, LiaPolynomial, 1);
    if (!kept) {
        w->failed = true;
        return NULL;
    }
    *kept = sum;
    if (index <= w->top) w->memo[index] = kept;
    return kept;
}

static const LiaPolynomial* atom_sum(LiaSimplifier* w, uint32_t index, uint32_t atom) {
    LiaPolynomial sum = {0};
    LiaMonomial t = {.number = lia_graph_integer(w->g, 1)};
    lia_polynomial_monomial_multiply(w, &t, atom, 1);
    lia_polynomial_add(w, &sum, &t);
    return keep(w, index, sum);
}

// A function of simplified arguments; sin(-x) comes back as -sin(x).
static const LiaPolynomial* function_sum(LiaSimplifier* w, uint32_t index) {
    LiaNode n = w->g->nodes[index];
    LiaExpr args[3] = {{n.a}, {n.b}, {n.c}};
    for (int i = 0; i < lia_op_arity((LiaOp)n.op); i++) {
        const LiaPolynomial* sum = lia_simplify_sum(w, args[i].index);
        if (!sum) return NULL;
        args[i] = lia_simplify_write(w, sum);
        if (w->failed) return NULL;
    }
    LiaExpr f = n.op == LIA_OP_SIN || n.op == LIA_OP_COS
                    ? lia_waves_apply(w, n.op == LIA_OP_SIN, lia_simplify_sum(w, n.a))
                    : lia_graph_apply(w->g, (LiaOp)n.op, args[0], args[1], args[2]);
    LiaNode made = w->g->nodes[f.index];
    LiaPolynomial sum = {0};
    LiaMonomial t = {.number = lia_graph_integer(w->g, 1)};
    LiaNumber c;
    if (lia_graph_constant(w->g, f, &c)) {
        t.number = f;
    } else if (made.op == LIA_OP_NEG) {
        t.number = lia_graph_integer(w->g, -1);
        lia_polynomial_monomial_multiply(w, &t, made.a, 1);
    } else {
        lia_polynomial_monomial_multiply(w, &t, f.index, 1);
    }
    lia_polynomial_add(w, &sum, &t);
    return keep(w, index, sum);
}

static const LiaPolynomial* power_sum(LiaSimplifier* w, uint32_t index) {
    LiaNode n = w->g->nodes[index];
    LiaNumber e;
    const LiaPolynomial* base = lia_simplify_sum(w, n.a);
    if (!base) return NULL;
    if (!lia_graph_constant(w->g, (LiaExpr){n.b}, &e) || e.den != 1 || e.num < -64 || e.num > 64) {
        return atom_sum(w, index, index);
    }
    int power = (int)e.num;
    LiaPolynomial sum = {0};
    LiaMonomial one = {.number = lia_graph_integer(w->g, 1)};
    if (base->count == 1 || power < 0) {
        LiaMonomial t = one;
        if (power < 0 && base->count > 0) {
            add_inverse(w, base, -power, &t);
        } else {
            for (int i = 0; i < power; i++)
                t = lia_polynomial_monomial_product(w, &t, &base->terms[0]);
        }
        lia_polynomial_add(w, &sum, &t);
        return keep(w, index, sum);
    }
    if (power > POWER_MOST) return atom_sum(w, index, index);
    lia_polynomial_add(w, &sum, &one);
    for (int i = 0; i < power && !w->failed; i++) {
        LiaPolynomial next = {0};
        lia_polynomial_add_product(w, &next, &sum, base);
        sum = next;
    }
    return keep(w, index, sum);
}

static const LiaPolynomial* quotient_sum(LiaSimplifier* w, uint32_t index) {
    LiaNode n = w->g->nodes[index];
    const LiaPolynomial *a = lia_simplify_sum(w, n.a), *b = lia_simplify_sum(w, n.b);
    if (!a || !b) return NULL;
    if (b->count == 0) return atom_sum(w, index, index);  // a fault of the model: left as it is
    LiaMonomial t = {.number = lia_graph_integer(w->g, 1)};
    add_inverse(w, b, 1, &t);
    return w->failed ? NULL : keep(w, index, lia_polynomial_times(w, a, &t));
}

const LiaPolynomial* lia_simplify_sum(LiaSimplifier* w, uint32_t index) {
    if (w->failed) return NULL;
    if (index <= w->top && w->memo[index]) return w->memo[index];
    LiaNode n = w->g->nodes[index];
    LiaPolynomial sum = {0};
    switch ((LiaOp)n.op) {
    case LIA_OP_CONST: {
        LiaMonomial t = {.number = (LiaExpr){index}};
        lia_polynomial_add(w, &sum, &t);
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
        const LiaPolynomial* a = lia_simplify_sum(w, n.a);
        const LiaPolynomial* b = n.op == LIA_OP_NEG ? NULL : lia_simplify_sum(w, n.b);
        if (!a || (!b && n.op != LIA_OP_NEG)) return NULL;
        for (int side = 0; side < 2; side++) {
            const LiaPolynomial* part = side == 0 ? a : b;
            bool minus = side == 0 ? n.op == LIA_OP_NEG : n.op == LIA_OP_SUB;
            for (int i = 0; part && i < part->count && !w->failed; i++) {
                LiaMonomial t = part->terms[i];
                if (minus) t.number = lia_graph_neg(w->g, t.number);
                lia_polynomial_add(w, &sum, &t);
            }
        }
        break;
    }
    case LIA_OP_MUL: {
        const LiaPolynomial *a = lia_simplify_sum(w, n.a), *b = lia_simplify_sum(w, n.b);
        if (!a || !b) return NULL;
        lia_polynomial_add_product(w, &sum, a, b);
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

static bool is_divisor(const LiaSimplifier* w, uint32_t atom) {
    LiaOp op = (LiaOp)w->g->nodes[atom].op;
    return op == LIA_OP_ADD || op == LIA_OP_SUB;
}

static LiaExpr write_term(LiaSimplifier* w, const LiaMonomial* t) {
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
static LiaExpr write_sum(LiaSimplifier* w, const LiaPolynomial* sum) {
    LiaExpr f = lia_graph_integer(w->g, 0);
    for (int sign = 0; sign < 2; sign++) {
        for (int i = 0; i < sum->count; i++) {
            bool minus = lia_polynomial_monomial_number(w, sum->terms[i].number) < 0.0;
            if (minus == (sign == 1)) f = lia_graph_add(w->g, f, write_term(w, &sum->terms[i]));
        }
    }
    return f;
}

// With the common factor outside, if that is shorter.
static LiaExpr write_factored(LiaSimplifier* w, const LiaPolynomial* sum) {
    LiaExpr flat = write_sum(w, sum);
    if (sum->count < 2) return flat;
    LiaMonomial factor = lia_polynomial_common(w, sum),
                back = lia_polynomial_monomial_inverse(w, &factor);
    LiaPolynomial inner = lia_polynomial_times(w, sum, &back);
    lia_waves_gather(w, &inner);
    LiaExpr outside = lia_graph_mul(w->g, write_term(w, &factor), write_sum(w, &inner));
    return lia_simplify_length(w->g, outside) < lia_simplify_length(w->g, flat) ? outside : flat;
}

// The sums below the line of a term.
static LiaMonomial divisors_of(LiaSimplifier* w, const LiaMonomial* term) {
    LiaMonomial below = {.number = lia_graph_integer(w->g, 1)};
    for (int k = 0; k < term->count; k++) {
        LiaFactor f = term->factors[k];
        if (f.power < 0 && is_divisor(w, f.atom))
            lia_polynomial_monomial_multiply(w, &below, f.atom, f.power);
    }
    return below;
}

// The terms from `first` on with these sums below the line, without them; they are done then.
static void gather_over(LiaSimplifier* w, const LiaPolynomial* sum, int first,
                        const LiaMonomial* below, bool* done, LiaPolynomial* group) {
    LiaMonomial up = lia_polynomial_monomial_inverse(w, below);
    for (int j = first; j < sum->count; j++) {
        LiaMonomial t = sum->terms[j];
        int count = 0;
        bool same = !done[j];
        for (int k = 0; same && k < t.count; k++) {
            if (t.factors[k].power >= 0 || !is_divisor(w, t.factors[k].atom)) continue;
            count++;
            same = lia_polynomial_monomial_power(below, t.factors[k].atom) == t.factors[k].power;
        }
        if (!same || count != below->count) continue;
        done[j] = true;
        t = lia_polynomial_monomial_product(w, &t, &up);
        lia_polynomial_add(w, group, &t);
    }
}

LiaExpr lia_simplify_write(LiaSimplifier* w, const LiaPolynomial* sum) {
    LiaGraph* g = w->g;
    LiaExpr total = lia_graph_integer(g, 0);
    bool* done = lia_memory_zeros((size_t)sum->count + 1, sizeof *done);
    if (!done) {
        w->failed = true;
        return total;
    }
    for (int i = 0; i < sum->count && !w->failed; i++) {
        if (done[i]) continue;
        LiaMonomial below = divisors_of(w, &sum->terms[i]);
        LiaPolynomial group = {0};
        gather_over(w, sum, i, &below, done, &group);
        lia_waves_gather(w, &group);
        for (int d = 0; d < w->divisor_count; d++) {
            LiaPolynomial quotient;
            while (lia_polynomial_monomial_power(&below, w->divisors[d].atom) < 0 &&
                   group.count > 0 &&
                   lia_polynomial_divide(w, &group, w->divisors[d].sum, &quotient)) {
                group = quotient;
                lia_polynomial_monomial_multiply(w, &below, w->divisors[d].atom, 1);
            }
        }
        LiaMonomial down = lia_polynomial_monomial_inverse(w, &below);
        LiaExpr part = lia_graph_div(g, write_factored(w, &group), write_term(w, &down));
        for (int d = 0; d < w->divisor_count && below.count == 1; d++) {  // (q D + r)/D = q + r/D
            LiaPolynomial quotient, rest;
            if (lia_polynomial_monomial_power(&below, w->divisors[d].atom) != -1 ||
                !lia_polynomial_divide_partly(w, &group, w->divisors[d].sum, &quotient, &rest)) {
                continue;
            }
            LiaExpr split = lia_graph_div(g, write_factored(w, &rest), write_term(w, &down));
            split = lia_graph_add(g, write_factored(w, &quotient), split);
            if (lia_simplify_length(g, split) < lia_simplify_length(g, part)) part = split;
        }
        total = lia_graph_add(g, total, part);
    }
    free(done);
    return total;
}

// All terms over one denominator: numerators are multiplied by what they lack of it.
static bool over_one(LiaSimplifier* w, const LiaPolynomial* sum, LiaPolynomial* out) {
    LiaMonomial below = {.number = lia_graph_integer(w->g, 1)};
    *out = (LiaPolynomial){0};
    for (int d = 0; d < w->divisor_count; d++) {
        int least = 0;
        for (int i = 0; i < sum->count; i++) {
            int power = lia_polynomial_monomial_power(&sum->terms[i], w->divisors[d].atom);
            least = power < least ? power : least;
        }
        if (least < -3) return false;
        if (least < 0) lia_polynomial_monomial_multiply(w, &below, w->divisors[d].atom, least);
    }
    if (below.count == 0) return false;
    for (int i = 0; i < sum->count && !w->failed; i++) {
        LiaPolynomial part = {0};
        LiaMonomial t = sum->terms[i];
        for (int d = 0; d < w->divisor_count; d++) {  // what stands there of it already
            int power = lia_polynomial_monomial_power(&t, w->divisors[d].atom);
            if (power < 0) lia_polynomial_monomial_multiply(w, &t, w->divisors[d].atom, -power);
        }
        lia_polynomial_add(w, &part, &t);
        for (int d = 0; d < w->divisor_count; d++) {
            uint32_t atom = w->divisors[d].atom;
            int power = lia_polynomial_monomial_power(&sum->terms[i], atom);
            int lacks = (power < 0 ? power : 0) - lia_polynomial_monomial_power(&below, atom);
            for (int k = 0; k < lacks && !w->failed; k++) {
                LiaPolynomial next = {0};
                lia_polynomial_add_product(w, &next, &part, w->divisors[d].sum);
                part = next;
            }
        }
        for (int k = 0; k < part.count; k++) lia_polynomial_add(w, out, &part.terms[k]);
    }
    lia_waves_gather(w, out);
    *out = lia_polynomial_times(w, out, &below);
    return !w->failed;
}

// --- the way in --------------------------------------------------------------------------------

static bool short_enough(const LiaGraph* g, LiaExpr f) {
    unsigned char* needed = lia_memory_zeros((size_t)f.index + 1, 1);
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

size_t lia_simplify_length(const LiaGraph* g, LiaExpr f) {
    LiaText text = {0};
    lia_formula_text(g, f, &text);
    size_t length = text.length;
    lia_text_clear(&text);
    return length;
}

LiaExpr lia_simplify(LiaGraph* g, LiaExpr f) {
    if (!f.index || !short_enough(g, f)) return f;
    LiaSimplifier w = {.g = g, .arena = lia_arena_create(), .top = f.index};
    w.memo = lia_memory_zeros((size_t)f.index + 1, sizeof *w.memo);
    LiaExpr best = f;
    if (w.arena && w.memo) {
        const LiaPolynomial* sum = lia_simplify_sum(&w, f.index);
        LiaPolynomial own = {0};
        if (sum) {
            for (int i = 0; i < sum->count; i++) lia_polynomial_add(&w, &own, &sum->terms[i]);
            lia_waves_gather(&w, &own);
            LiaExpr written = lia_simplify_write(&w, &own);
            if (!w.failed && lia_simplify_length(g, written) <= lia_simplify_length(g, f))
                best = written;
            LiaPolynomial joined;
            if (!w.failed && over_one(&w, &own, &joined)) {
                written = lia_simplify_write(&w, &joined);
                if (!w.failed && lia_simplify_length(g, written) < lia_simplify_length(g, best))
                    best = written;
            }
        }
    }
    free((void*)w.memo);
    lia_arena_destroy(w.arena);
    return best;
}
