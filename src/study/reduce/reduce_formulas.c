// The quotient as formulas: Legendre transformation, Hamiltonian and brackets on the slice. See
// reduce.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/reading/simplify.h"
#include "study/reduce/reduce.h"
#include <math.h>
#include <stdlib.h>

static LiaExpr zero_of(const LiaReduce* x) { return lia_graph_integer(x->g, 0); }

static LiaExpr minus_product(const LiaReduce* x, LiaExpr from, LiaExpr a, LiaExpr b) {
    if (lia_graph_is_zero(x->g, a) || lia_graph_is_zero(x->g, b)) return from;
    return lia_graph_sub(x->g, from, lia_graph_mul(x->g, a, b));
}

// The row whose entry is largest at the start, numbers before formulas.
static uint32_t pivot_row(const LiaReduce* x, uint32_t n, const LiaExpr* M, uint32_t column) {
    uint32_t best = n;
    double most = 0.0;
    for (uint32_t r = column; r < n; r++) {
        LiaNumber number;
        LiaExpr f = M[r * n + column];
        if (lia_graph_is_zero(x->g, f)) continue;
        double size = fabs(lia_reduce_value(x, f));
        // a number is worth more than a formula of its size: quotients stay short
        if (lia_graph_constant(x->g, f, &number)) size *= LIA_PIVOT_CONSTANT;
        if (size > most) {
            most = size;
            best = r;
        }
    }
    return best;
}

static void exchange(LiaExpr* a, LiaExpr* b, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        LiaExpr kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

// M x = b by elimination, count right sides side by side: they become the solutions. False where M
// is singular at the start.
static bool solve(const LiaReduce* x, uint32_t n, LiaExpr* M, LiaExpr* b, uint32_t columns) {
    for (uint32_t c = 0; c < n; c++) {
        uint32_t r = pivot_row(x, n, M, c);
        if (r == n) return false;
        exchange(M + r * n, M + c * n, n);
        exchange(b + r * columns, b + c * columns, columns);
        LiaExpr pivot = M[c * n + c];
        for (uint32_t row = 0; row < n; row++) {
            LiaExpr entry = M[row * n + c];
            if (row == c || lia_graph_is_zero(x->g, entry)) continue;
            LiaExpr factor = lia_graph_div(x->g, entry, pivot);
            for (uint32_t k = c; k < n; k++) {
                M[row * n + k] = minus_product(x, M[row * n + k], factor, M[c * n + k]);
            }
            M[row * n + c] = zero_of(x);
            for (uint32_t k = 0; k < columns; k++) {
                b[row * columns + k] =
                    minus_product(x, b[row * columns + k], factor, b[c * columns + k]);
            }
        }
    }
    for (uint32_t c = 0; c < n; c++) {
        for (uint32_t k = 0; k < columns; k++) {
            b[c * columns + k] = lia_graph_div(x->g, b[c * columns + k], M[c * n + c]);
        }
    }
    return !x->g->failed;
}

// A direction u has no inertia about itself, and its angular momentum no part along u: one is given
// to it, with which omega u = 0 follows from M u = 0. M u is a Casimir function.
static void add_spins(const LiaReduce* x, LiaExpr* L) {
    for (uint32_t k = 0; k < x->n; k++) {
        const LiaReduceSlot* slot = &x->slots[k];
        if (!lia_reduce_is_direction(x, slot) || slot->axis != 0) continue;
        const LiaExpr* u = x->s->q + x->m->groups[slot->rotation - 1].first;
        LiaExpr spin = zero_of(x);
        double inertia = 0.0;
        for (uint32_t j = 0; j < 3; j++) {
            LiaExpr P = lia_diff(x->g, *L, x->v[k + j]);
            inertia += 0.5 * lia_reduce_value(x, lia_diff(x->g, P, x->v[k + j]));
            LiaExpr part =
                lia_diff_substitute(x->g, u[j], LIA_SYMBOL_POSITION, x->position, x->s->n);
            spin = lia_graph_add(x->g, spin, lia_graph_mul(x->g, x->v[k + j], part));
        }
        LiaExpr half = lia_geometry_number(x->g, 0.5 * (inertia > 0.0 ? inertia : 1.0));
        LiaExpr square = lia_graph_mul(x->g, spin, spin);
        *L = lia_graph_add(x->g, *L, lia_graph_mul(x->g, half, square));
    }
}

// H = (p - b) V/2 - c with V = M^-1 (p - b), for L = V M V/2 + b V + c.
static LiaStatus make_hamiltonian(LiaReduce* x) {
    uint32_t n = x->n;
    LiaExpr* M = LIA_ARENA_NEW(x->arena, LiaExpr, (size_t)n * n + 1);
    LiaExpr* P = LIA_ARENA_NEW(x->arena, LiaExpr, n + 1);
    LiaExpr* rest = LIA_ARENA_NEW(x->arena, LiaExpr, x->s->n + 1);
    LiaExpr* given = LIA_ARENA_NEW(x->arena, LiaExpr, n + 1);
    x->V = LIA_ARENA_NEW(x->arena, LiaExpr, n + 1);
    if (!M || !P || !rest || !given || !x->V) return LIA_MEMORY;
    LiaExpr L = lia_reduce_at_slice(x, x->s->energy.lagrangian);
    add_spins(x, &L);
    if (!lia_diff_gradient(x->g, L, x->v, n, P)) return LIA_MEMORY;
    for (uint32_t i = 0; i < x->s->n; i++) rest[i] = zero_of(x);
    for (uint32_t k = 0; k < n; k++) {
        if (!lia_diff_gradient(x->g, P[k], x->v, n, M + (size_t)k * n)) return LIA_MEMORY;
        for (uint32_t j = 0; j < n; j++) M[k * n + j] = lia_simplify(x->g, M[k * n + j]);
        LiaExpr b = lia_diff_substitute(x->g, P[k], LIA_SYMBOL_VELOCITY, rest, x->s->n);
        x->V[k] = given[k] = lia_graph_sub(x->g, x->p[k], lia_simplify(x->g, b));
    }
    if (!solve(x, n, M, x->V, 1)) {
        if (x->g->failed) return LIA_MEMORY;
        lia_diag_error(x->diags, x->m->energies[0].span, "E0373",
                       "there are coordinates without inertia: velocities are not functions of "
                       "momenta");
        return LIA_MODEL;
    }
    LiaExpr c = lia_diff_substitute(x->g, L, LIA_SYMBOL_VELOCITY, rest, x->s->n);
    LiaExpr twice = zero_of(x);
    for (uint32_t k = 0; k < n; k++) {
        twice = lia_graph_add(x->g, twice, lia_graph_mul(x->g, given[k], x->V[k]));
    }
    LiaExpr half = lia_graph_div(x->g, twice, lia_graph_integer(x->g, 2));
    x->H = lia_graph_sub(x->g, half, lia_simplify(x->g, c));
    return LIA_OK;
}

// The derivative of f by the turn about an axis of the rotation, or direction, of a slot: dR = e x
// R.
static LiaExpr turned(const LiaReduce* x, LiaExpr f, const LiaReduceSlot* slot) {
    const LiaGroup* group = &x->m->groups[slot->rotation - 1];
    LiaExpr slope[4], sum = zero_of(x);
    if (!lia_diff_gradient(x->g, f, x->s->q + group->first, group->count, slope)) return sum;
    for (uint32_t a = 0; a < group->count; a++) {
        LiaExpr turn = lia_reduce_turning(x, slot, (int)a, slot->axis);
        sum = lia_graph_add(x->g, sum, lia_graph_mul(x->g, slope[a], turn));
    }
    return sum;
}

static LiaExpr slope_of(const LiaReduce* x, LiaExpr f, const LiaReduceSlot* slot) {
    if (slot->rotation) return turned(x, f, slot);
    return lia_diff(x->g, f, x->s->q[slot->coordinate]);
}

// {p_k, J}, J = <p, xi>: minus its slope, and for components of one angular momentum their own
// bracket.
static LiaExpr momentum_lift(const LiaReduce* x, uint32_t k, const LiaExpr* xi) {
    LiaExpr J = zero_of(x), lift;
    for (uint32_t j = 0; j < x->n; j++) {
        J = lia_graph_add(x->g, J, lia_graph_mul(x->g, x->p[j], xi[j]));
    }
    const LiaReduceSlot* slot = &x->slots[k];
    lift = lia_reduce_at_slice(x, lia_graph_neg(x->g, slope_of(x, J, slot)));
    if (!slot->rotation) return lia_simplify(x->g, lift);
    uint32_t first = k - (uint32_t)slot->axis;
    uint32_t b = first + (uint32_t)(slot->axis + 1) % 3, c = first + (uint32_t)(slot->axis + 2) % 3;
    LiaExpr xb = lia_reduce_at_slice(x, xi[b]), xc = lia_reduce_at_slice(x, xi[c]);
    lift = lia_graph_add(x->g, lift, lia_graph_mul(x->g, xb, x->p[c]));
    lift = lia_graph_sub(x->g, lift, lia_graph_mul(x->g, xc, x->p[b]));
    return lia_simplify(x->g, lift);
}

static LiaStatus make_lifts(LiaReduce* x) {
    uint32_t n = x->n, g = x->count;
    LiaExpr* a = LIA_ARENA_NEW(x->arena, LiaExpr, (size_t)g * g + 1);
    x->inverse = LIA_ARENA_NEW(x->arena, LiaExpr, (size_t)g * g + 1);
    x->lift = LIA_ARENA_NEW(x->arena, LiaExpr, 2 * (size_t)n * g + 1);
    if (!a || !x->inverse || !x->lift) return LIA_MEMORY;
    for (uint32_t A = 0; A < g; A++) {
        const LiaExpr* xi = x->xi + (size_t)A * n;
        for (uint32_t B = 0; B < g; B++) {
            LiaExpr sum = zero_of(x);
            for (uint32_t k = 0; k < n; k++)
                sum = lia_graph_add(x->g, sum, lia_graph_mul(x->g, x->across[B * n + k], xi[k]));
            a[A * g + B] = lia_simplify(x->g, lia_reduce_at_slice(x, sum));
            x->inverse[A * g + B] = lia_graph_integer(x->g, A == B);
        }
        for (uint32_t k = 0; k < n; k++) {
            x->lift[k * g + A] = lia_simplify(x->g, lia_reduce_at_slice(x, xi[k]));
            x->lift[(n + k) * g + A] = momentum_lift(x, k, xi);
        }
    }
    // a a^-1 = 1: row B of the inverse belongs to y_B, column A to J_A
    if (solve(x, g, a, x->inverse, g)) return LIA_OK;
    if (x->g->failed) return LIA_MEMORY;
    lia_diag_error(x->diags, (LiaSpan){0, 0}, "E0371",
                   "the group does not act freely at the start");
    return LIA_MODEL;
}

LiaStatus lia_reduce_formulas_make(LiaReduce* x) {
    LiaStatus status = make_hamiltonian(x);
    if (status == LIA_OK) status = make_lifts(x);
    return x->g->failed ? LIA_MEMORY : status;
}

// {z_a, z_b} on T*Q. The position of a rotation is its turn about an axis.
static LiaExpr canonical(const LiaReduce* x, uint32_t a, bool a_momentum, uint32_t b,
                         bool b_momentum) {
    if (!a_momentum && !b_momentum) return zero_of(x);
    if (!a_momentum) return lia_graph_integer(x->g, a == b);
    if (!b_momentum) return lia_graph_integer(x->g, a == b ? -1 : 0);
    const LiaReduceSlot *s = &x->slots[a], *t = &x->slots[b];
    if (!s->rotation || s->rotation != t->rotation || a == b) return zero_of(x);
    uint32_t first = a - (uint32_t)s->axis, third = first + (uint32_t)(3 - s->axis - t->axis);
    bool cyclic = (s->axis + 1) % 3 == t->axis;
    return cyclic ? x->p[third] : lia_graph_neg(x->g, x->p[third]);
}

// {y_B, z_a}
static LiaExpr across_of(const LiaReduce* x, uint32_t B, uint32_t a, bool momentum) {
    LiaExpr sum = zero_of(x);
    for (uint32_t k = 0; k < x->n; k++) {
        LiaExpr part = x->across[B * x->n + k];
        if (lia_graph_is_zero(x->g, part)) continue;
        sum = lia_graph_add(x->g, sum,
                            lia_graph_mul(x->g, part, canonical(x, k, false, a, momentum)));
    }
    return sum;
}

LiaExpr lia_reduce_formulas_bracket(const LiaReduce* x, uint32_t a, bool a_momentum, uint32_t b,
                                    bool b_momentum) {
    uint32_t g = x->count, n = x->n;
    const LiaExpr* lift_a = x->lift + (size_t)(a_momentum ? n + a : a) * g;
    const LiaExpr* lift_b = x->lift + (size_t)(b_momentum ? n + b : b) * g;
    LiaExpr sum = canonical(x, a, a_momentum, b, b_momentum);
    for (uint32_t B = 0; B < g; B++) {
        LiaExpr along_b = across_of(x, B, b, b_momentum);
        LiaExpr along_a = across_of(x, B, a, a_momentum);
        for (uint32_t A = 0; A < g; A++) {
            LiaExpr inverse = x->inverse[B * g + A];
            sum = minus_product(x, sum, lia_graph_mul(x->g, lift_a[A], inverse), along_b);
            LiaExpr other = lia_graph_mul(x->g, lift_b[A], inverse);
            sum = lia_graph_add(x->g, sum, lia_graph_mul(x->g, other, along_a));
        }
    }
    return lia_simplify(x->g, sum);
}
