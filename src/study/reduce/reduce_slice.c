// The slice: which coordinates stay as they are at the start. See reduce.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "study/reduce/reduce.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Choice {
    double* a;   // generators at the start, brought to echelon form           (count x n)
    bool* done;  // this generator has its coordinate                          (count)
    uint32_t taken;
} Choice;

// The generator with the largest entry in a column, among those that are left. Entries that are the
// same everywhere come first.
static uint32_t best_row(const LiaReduce* x, const Choice* c, uint32_t column, double* size) {
    uint32_t best = x->count;
    *size = LIA_SLICE_LEAST;
    for (uint32_t A = 0; A < x->count; A++) {
        LiaNumber number;
        double entry = fabs(c->a[(size_t)A * x->n + column]);
        if (c->done[A] || !(entry > LIA_SLICE_LEAST)) continue;
        if (lia_graph_constant(x->g, x->xi[(size_t)A * x->n + column], &number))
            entry *= LIA_PIVOT_CONSTANT;
        if (entry <= *size) continue;
        *size = entry;
        best = A;
    }
    return best;
}

static void take_column(LiaReduce* x, Choice* c, uint32_t row, uint32_t column) {
    uint32_t n = x->n;
    double pivot = c->a[(size_t)row * n + column];
    for (uint32_t A = 0; A < x->count; A++) {
        double factor = A == row ? 0.0 : c->a[(size_t)A * n + column] / pivot;
        for (uint32_t k = 0; factor != 0.0 && k < n; k++) {
            c->a[(size_t)A * n + k] -= factor * c->a[(size_t)row * n + k];
        }
    }
    c->done[row] = true;
    x->slots[column].fixed = true;
    for (uint32_t k = 0; k < n; k++)
        x->across[(size_t)c->taken * n + k] = lia_graph_integer(x->g, k == column);
    x->fixed[c->taken++] = column;
}

static void take_scalars(LiaReduce* x, Choice* c) {
    for (;;) {
        uint32_t row = x->count, column = 0;
        double most = 0.0;
        for (uint32_t k = 0; k < x->n; k++) {
            double size;
            if (x->slots[k].rotation || x->slots[k].fixed) continue;
            uint32_t best = best_row(x, c, k, &size);
            if (best == x->count || !(size > most)) continue;
            most = size, row = best, column = k;
        }
        if (row == x->count) return;
        take_column(x, c, row, column);
    }
}

// A rotation is fixed as a whole, by three generators, or not at all.
static void take_rotations(LiaReduce* x, Choice* c) {
    for (uint32_t k = 0; k < x->n; k++) {
        if (!x->slots[k].rotation || x->slots[k].axis != 0 || c->taken + 3 > x->count) continue;
        if (lia_reduce_is_direction(x, &x->slots[k])) continue;
        Choice kept = *c;
        size_t size = (size_t)x->count * x->n * sizeof *c->a;
        double* a = lia_memory_take(size + 1);
        bool* done = lia_memory_take(x->count + 1);
        if (!a || !done) {
            x->g->failed = true;
        } else {
            memcpy(a, c->a, size);
            memcpy(done, c->done, x->count);
            uint32_t got = 0;
            for (uint32_t axis = 0; axis < 3; axis++) {
                double entry;
                uint32_t row = best_row(x, c, k + axis, &entry);
                if (row == x->count) break;
                take_column(x, c, row, k + axis);
                got++;
            }
            if (got < 3) {
                memcpy(c->a, a, size);
                memcpy(c->done, done, x->count);
                c->taken = kept.taken;
                for (uint32_t axis = 0; axis < 3; axis++) x->slots[k + axis].fixed = false;
            }
        }
        free(a);
        free(done);
    }
}

// y = alpha q of the quaternion q of a rotation from slot k on, or of a direction, where generator
// A turns it by omega: alpha is along its rate at the start. Its differential by turns, and in
// numbers there.
static void take_function(LiaReduce* x, Choice* c, uint32_t A, uint32_t k) {
    uint32_t n = x->n;
    const LiaReduceSlot* of = &x->slots[k];
    int parts = (int)x->m->groups[of->rotation - 1].count;
    const double* omega = c->a + (size_t)A * n + k;
    double alpha[4] = {0}, dy[3], size = 0.0, zero = 0.0;
    for (int i = 0; i < parts; i++) {
        for (int j = 0; j < 3; j++)
            alpha[i] += omega[j] * lia_reduce_value(x, lia_reduce_turning(x, of, i, j));
        size = hypot(size, alpha[i]);
    }
    for (uint32_t e = 0; e < n; e++)
        x->across[(size_t)c->taken * n + e] = lia_graph_integer(x->g, 0);
    for (int j = 0; j < 3; j++) {
        LiaExpr* to = &x->across[(size_t)c->taken * n + k + (uint32_t)j];
        for (int i = 0; i < parts; i++) {
            LiaExpr part = lia_graph_real(
                x->g, fabs(alpha[i]) > LIA_SLICE_LEAST * size ? alpha[i] / size : zero);
            LiaExpr turn = lia_reduce_turning(x, of, i, j);
            *to = lia_graph_add(x->g, *to, lia_graph_mul(x->g, part, turn));
        }
        dy[j] = lia_reduce_value(x, *to);
    }
    double pivot = 0.0;
    for (int j = 0; j < 3; j++) pivot += dy[j] * omega[j];
    for (uint32_t other = 0; other < x->count; other++) {
        double along = 0.0;
        for (int j = 0; j < 3; j++) along += dy[j] * c->a[(size_t)other * n + k + (uint32_t)j];
        for (uint32_t e = 0; other != A && e < n; e++)
            c->a[(size_t)other * n + e] -= along / pivot * c->a[(size_t)A * n + e];
    }
    c->done[A] = true;
    x->fixed[c->taken++] = UINT32_MAX;
}

// Generators that are left and turn a rotation that stays: the longest turn first.
static void take_turns(LiaReduce* x, Choice* c) {
    for (;;) {
        uint32_t row = x->count, slot = 0;
        double most = LIA_SLICE_LEAST;
        for (uint32_t A = 0; A < x->count; A++) {
            for (uint32_t k = 0; k < x->n; k++) {
                const double* w = c->a + (size_t)A * x->n + k;
                const LiaReduceSlot* of = &x->slots[k];
                if (c->done[A] || !of->rotation || of->axis != 0 || of->fixed) continue;
                double size = hypot(w[0], hypot(w[1], w[2]));
                if (size > most) most = size, row = A, slot = k;
            }
        }
        if (row == x->count || x->g->failed) return;
        take_function(x, c, row, slot);
    }
}

static bool choose(LiaReduce* x, Choice* c, const double* values, bool rotations_first) {
    memcpy(c->a, values, (size_t)x->count * x->n * sizeof *values);
    memset(c->done, 0, x->count);
    c->taken = 0;
    for (uint32_t k = 0; k < x->n; k++) x->slots[k].fixed = false;
    if (rotations_first) take_rotations(x, c);
    take_scalars(x, c);
    take_rotations(x, c);
    if (!rotations_first) return c->taken == x->count;
    take_turns(x, c);
    return c->taken == x->count;
}

LiaStatus lia_reduce_slice_choose(LiaReduce* x) {
    size_t size = (size_t)x->count * x->n;
    double* values = LIA_ARENA_NEW(x->arena, double, size + 1);
    Choice c = {.a = LIA_ARENA_NEW(x->arena, double, size + 1),
                .done = LIA_ARENA_NEW(x->arena, bool, x->count + 1)};
    x->fixed = LIA_ARENA_NEW(x->arena, uint32_t, x->count + 3);
    x->across = LIA_ARENA_NEW(x->arena, LiaExpr, (size_t)(x->count + 3) * x->n + 1);
    if (!values || !c.a || !c.done || !x->fixed || !x->across) return LIA_MEMORY;
    for (size_t k = 0; k < size; k++) values[k] = lia_reduce_value(x, x->xi[k]);
    bool chosen = choose(x, &c, values, false) || choose(x, &c, values, true);
    if (x->g->failed) return LIA_MEMORY;
    if (chosen) return LIA_OK;
    lia_diag_error(x->diags, x->m->symmetries[x->symmetry[0]].span, "E0371",
                   "no coordinates tell the states of an orbit apart at the start: %u of %u "
                   "generators have none of their own",
                   x->count - c.taken, x->count);
    lia_diag_help(x->diags, "where the start is a fixed point, start elsewhere");
    return LIA_MODEL;
}
