// The constants of the group: [xi_A, xi_B] = c_AB^C xi_C, at the start, and verified at other
// places. See reduce.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "study/reduce/reduce.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// [xi_A, xi_B] by slot: xi_A(xi_B) - xi_B(xi_A), and of turns -(xi_A x xi_B).
static bool commutator(const LiaReduce* x, uint32_t A, uint32_t B, LiaExpr* out) {
    LiaGraph* g = x->g;
    uint32_t n = x->n, coordinates = x->s->n;
    const LiaExpr* xi[2] = {x->xi + (size_t)A * n, x->xi + (size_t)B * n};
    LiaExpr* slope = lia_memory_zeros(coordinates + 1, sizeof *slope);
    LiaExpr* by = lia_memory_zeros(n + 1, sizeof *by);
    bool good = slope && by;
    for (uint32_t k = 0; good && k < n; k++) {
        LiaExpr sum = lia_graph_integer(g, 0);
        for (int side = 0; good && side < 2; side++) {
            good = lia_diff_gradient(g, xi[1 - side][k], x->s->q, coordinates, slope);
            if (good) lia_reduce_by_slot(x, slope, by);
            for (uint32_t j = 0; good && j < n; j++) {
                LiaExpr term = lia_graph_mul(g, xi[side][j], by[j]);
                sum = side == 0 ? lia_graph_add(g, sum, term) : lia_graph_sub(g, sum, term);
            }
        }
        const LiaReduceSlot* slot = &x->slots[k];
        if (slot->rotation) {
            uint32_t first = k - (uint32_t)slot->axis;
            uint32_t b = first + (uint32_t)(slot->axis + 1) % 3,
                     c = first + (uint32_t)(slot->axis + 2) % 3;
            sum = lia_graph_sub(g, sum, lia_graph_mul(g, xi[0][b], xi[1][c]));
            sum = lia_graph_add(g, sum, lia_graph_mul(g, xi[0][c], xi[1][b]));
        }
        out[k] = sum;
    }
    free(slope);
    free(by);
    return good && !g->failed;
}

// A place around the start; attitudes stay of length 1.
static void draw_place(const LiaReduce* x, double* q, uint64_t* random) {
    const LiaModel* m = x->m;
    for (uint32_t i = 0; i < x->s->n; i++) {
        double size = m->coordinates[i].manifold == LIA_ROTATION ? 1.0 : 1.0 + fabs(x->e->q[i]);
        q[i] = x->e->q[i] + 0.5 * size * lia_random_even(random);
    }
    for (uint32_t k = 0; k < m->groups_count; k++) {
        double sum = 0.0, *r = q + m->groups[k].first;
        if (m->groups[k].manifold == LIA_SPACE) continue;
        for (uint32_t i = 0; i < m->groups[k].count; i++) sum += r[i] * r[i];
        for (uint32_t i = 0; i < m->groups[k].count; i++) r[i] /= sqrt(sum);
    }
}

// c with [A, B] = c^C xi_C: from the fixed coordinates at the start, by Gauss's elimination.
static void find_constants(const LiaReduce* x, const double* bracket, const double* xi, double* c) {
    uint32_t g = x->count, n = x->n;
    double* a = lia_memory_zeros((size_t)g * (g + 1) + 1, sizeof *a);
    if (!a) {
        x->g->failed = true;
        return;
    }
    for (size_t e = 0; e < (size_t)g * n; e++) {  // dy_B of the generators, and of the bracket
        uint32_t B = (uint32_t)(e / n), k = (uint32_t)(e % n);
        if (lia_graph_is_zero(x->g, x->across[e])) continue;
        double part = lia_reduce_value(x, x->across[e]);
        for (uint32_t C = 0; C < g; C++) a[B * (g + 1) + C] += part * xi[(size_t)C * n + k];
        a[B * (g + 1) + g] += part * bracket[k];
    }
    for (uint32_t C = 0; C < g; C++) {
        uint32_t best = C;
        for (uint32_t r = C; r < g; r++) {
            if (fabs(a[r * (g + 1) + C]) > fabs(a[best * (g + 1) + C])) best = r;
        }
        for (uint32_t k = 0; k <= g; k++) {
            double kept = a[best * (g + 1) + k];
            a[best * (g + 1) + k] = a[C * (g + 1) + k];
            a[C * (g + 1) + k] = kept;
        }
        for (uint32_t r = 0; r < g; r++) {
            double factor = r == C ? 0.0 : a[r * (g + 1) + C] / a[C * (g + 1) + C];
            for (uint32_t k = C; factor != 0.0 && k <= g; k++) {
                a[r * (g + 1) + k] -= factor * a[C * (g + 1) + k];
            }
        }
    }
    for (uint32_t C = 0; C < g; C++) {
        double value = a[C * (g + 1) + g] / a[C * (g + 1) + C];
        c[C] = fabs(value) < LIA_STRUCTURE_NONE ? 0.0 : value;
    }
    free(a);
}

typedef struct Constants {
    LiaExpr* formulas;  // generators, then the commutator                 ((count + 1) x n)
    double *values, *q;
} Constants;

// What turns a direction about itself does nothing.
static void drop_spins(const LiaReduce* x, const double* q, double* by_slot) {
    for (uint32_t k = 0; k < x->n; k++) {
        const LiaReduceSlot* slot = &x->slots[k];
        if (!lia_reduce_is_direction(x, slot) || slot->axis != 0) continue;
        const double* u = q + x->m->groups[slot->rotation - 1].first;
        double* w = by_slot + k;
        double along = u[0] * w[0] + u[1] * w[1] + u[2] * w[2];
        for (int i = 0; i < 3; i++) w[i] -= along * u[i];
    }
}

static bool check_pair(LiaReduce* x, uint32_t A, uint32_t B, Constants* z, bool* closed) {
    enum { PLACES = 3 };
    uint32_t g = x->count, n = x->n;
    size_t all = ((size_t)g + 1) * n;
    LiaExpr* last = z->formulas + (size_t)g * n;
    double* c = x->structure + ((size_t)A * g + B) * g;
    LiaValues values;
    if (!commutator(x, A, B, last)) return false;
    if (!lia_evaluate_init(&values, x->g, z->formulas, all)) return false;
    uint64_t random = 3;
    for (int place = 0; place <= PLACES; place++) {
        if (place == 0) {
            memcpy(z->q, x->e->q, x->s->n * sizeof *z->q);
        } else {
            draw_place(x, z->q, &random);
        }
        lia_evaluate_run(&values,
                         &(LiaSymbols){.t = x->e->t, .q = z->q, .parameters = x->s->parameters});
        for (size_t k = 0; k < all; k++) z->values[k] = lia_value(&values, z->formulas[k]);
        double* bracket = z->values + (size_t)g * n;
        for (size_t C = 0; C <= g; C++) drop_spins(x, z->q, z->values + C * n);
        if (place == 0) find_constants(x, bracket, z->values, c);
        for (uint32_t k = 0; k < n; k++) {
            double sum = -bracket[k], size = fabs(bracket[k]);
            for (uint32_t C = 0; C < g; C++) {
                sum += c[C] * z->values[(size_t)C * n + k];
                size += fabs(c[C] * z->values[(size_t)C * n + k]);
            }
            if (isfinite(sum) && fabs(sum) > LIA_STRUCTURE_NONE * (1.0 + size)) *closed = false;
        }
    }
    lia_evaluate_clear(&values);
    for (uint32_t C = 0; C < g; C++) x->commutes = x->commutes && c[C] == 0.0;
    return !x->g->failed;
}

LiaStatus lia_reduce_group_find(LiaReduce* x) {
    size_t g = x->count, all = (g + 1) * x->n;
    x->structure = LIA_ARENA_NEW(x->arena, double, g* g* g + 1);
    Constants z = {.formulas = LIA_ARENA_NEW(x->arena, LiaExpr, all + 1),
                   .values = LIA_ARENA_NEW(x->arena, double, all + 1),
                   .q = LIA_ARENA_NEW(x->arena, double, x->s->n + 1)};
    if (!x->structure || !z.formulas || !z.values || !z.q) return LIA_MEMORY;
    memcpy(z.formulas, x->xi, g * x->n * sizeof *x->xi);
    x->commutes = true;
    for (uint32_t A = 0; A < g; A++) {
        for (uint32_t B = 0; B < g; B++) {
            bool closed = true;
            if (A == B) continue;
            if (!check_pair(x, A, B, &z, &closed)) return LIA_MEMORY;
            if (closed) continue;
            lia_diag_error(x->diags, (LiaSpan){0, 0}, "E0372",
                           "these symmetries make no group: the bracket of '%s' and '%s' is none "
                           "of their combinations",
                           x->m->symmetries[x->symmetry[A]].name,
                           x->m->symmetries[x->symmetry[B]].name);
            lia_diag_help(x->diags, "name the symmetries that are missing as well");
            return LIA_MODEL;
        }
    }
    return LIA_OK;
}
