// Reconstruction where the slice is made of functions, or where what the group moves depends on
// coordinates that are kept: by matrices.
//
// Where the generators are affine, xi_A(q) = X_A q + x_A, the group moves the slice by affine maps,
// q = M z + b, and along the motion
//   M' = M sum c_A X_A,   b' = M sum c_A x_A,      c = a^-1 dy(v) on the slice.
// Turns of quaternions and directions are linear. Coordinates that the generators mix make a block;
// blocks that are moved alike have one matrix.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "expr/reading/simplify.h"
#include "study/reduce/reduce_page.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_MOST = 8, POINTS = 3 };

typedef struct Block {
    uint32_t of[BLOCK_MOST], size;
    bool unit;
    double* X;       // X_A, x_A as a last column      (generators x size x (size + 1))
    uint32_t first;  // number of its first symbol; blocks with the same matrix have the same
    bool own;        // it is the first of those
} Block;

struct LiaReduceCarry {
    LiaExpr* xi;    // by coordinate           (generators x n)
    uint32_t* set;  // of each coordinate, the least of its block                 (n)
    Block* blocks;
    uint32_t count;
};

static bool make_generators(LiaReducePage* page, LiaReduceCarry* c) {
    const LiaReduce* x = page->x;
    uint32_t n = x->s->n;
    c->xi = LIA_ARENA_NEW(x->arena, LiaExpr, (size_t)x->count * n + 1);
    c->set = LIA_ARENA_NEW(x->arena, uint32_t, n + 1);
    c->blocks = LIA_ARENA_NEW(x->arena, Block, n + 1);
    if (!c->xi || !c->set || !c->blocks) return false;
    for (uint32_t A = 0; A < x->count; A++) {
        LiaExpr* xi = c->xi + (size_t)A * n;
        if (!lia_geometry_generator(x->e->geometry, x->symmetry[A], xi)) return false;
    }
    return !x->g->failed;
}

static void join(const LiaReduce* x, uint32_t* set, uint32_t i, uint32_t j) {
    uint32_t a = set[i], b = set[j], least = a < b ? a : b;
    for (uint32_t k = 0; k < x->s->n; k++) {
        if (set[k] == a || set[k] == b) set[k] = least;
    }
}

static bool is_moved(const LiaReduce* x, const LiaReduceCarry* c, uint32_t i) {
    for (uint32_t A = 0; A < x->count; A++) {
        if (!lia_graph_is_zero(x->g, c->xi[(size_t)A * x->s->n + i])) return true;
    }
    return false;
}

// False where a block is too large.
static bool make_blocks(const LiaReduce* x, LiaReduceCarry* c) {
    uint32_t n = x->s->n;
    for (uint32_t i = 0; i < n; i++) c->set[i] = i;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t group = x->m->coordinates[i].group;
        LiaManifold kind = x->m->coordinates[i].manifold;
        bool unit = kind == LIA_ROTATION || kind == LIA_SPHERE;
        if (unit) join(x, c->set, i, x->m->groups[group - 1].first);
        for (uint32_t A = 0; A < x->count; A++) {
            LiaExpr xi = c->xi[(size_t)A * n + i];
            for (uint32_t j = 0; j < n && !lia_graph_is_zero(x->g, xi); j++) {
                LiaExpr slope = lia_diff(x->g, xi, x->s->q[j]);
                if (!lia_graph_is_zero(x->g, slope)) join(x, c->set, i, j);
            }
        }
    }
    for (uint32_t least = 0; least < n; least++) {
        Block* block = &c->blocks[c->count];
        bool moved = false;
        *block = (Block){0};
        for (uint32_t i = 0; i < n; i++) {
            if (c->set[i] != least) continue;
            if (block->size == BLOCK_MOST) return false;
            LiaManifold kind = x->m->coordinates[i].manifold;
            block->unit |= kind == LIA_ROTATION || kind == LIA_SPHERE;
            block->of[block->size++] = i;
            moved |= is_moved(x, c, i);
        }
        c->count += moved;
    }
    return true;
}

// X_A and x_A from the generators at unit vectors; do they give the generators at other places?
static bool fit(const LiaReduce* x, const LiaReduceCarry* c, LiaValues* values, Block* block) {
    uint32_t n = x->s->n, k = block->size, wide = k + 1;
    uint64_t random = 7;
    double *q = LIA_ARENA_NEW(x->arena, double, n + 1), at[BLOCK_MOST];
    block->X = LIA_ARENA_NEW(x->arena, double, (size_t)x->count* k* wide + 1);
    if (!q || !block->X) return false;
    LiaSymbols symbols = {.t = x->e->t, .q = q, .v = x->e->v, .parameters = x->s->parameters};
    for (uint32_t point = 0; point < wide + POINTS; point++) {
        uint32_t column = point == 0 ? k : point - 1;  // the place 0 first: x_A
        double square = 0.0;
        memcpy(q, x->e->q, n * sizeof *q);
        for (uint32_t l = 0; l < k; l++) {
            at[l] = point > k ? lia_random_even(&random) : l == column;
            square += at[l] * at[l];
        }
        for (uint32_t l = 0; l < k; l++) {
            if (block->unit && point > k) at[l] /= sqrt(square);
            q[block->of[l]] = at[l];
        }
        if (point == 0 && block->unit) continue;  // nothing is added to a unit vector
        lia_evaluate_run(values, &symbols);
        for (uint32_t A = 0; A < x->count; A++) {
            for (uint32_t i = 0; i < k; i++) {
                double* row = block->X + ((size_t)A * k + i) * wide;
                double value = lia_value(values, c->xi[(size_t)A * n + block->of[i]]);
                double sum = row[k], size = fabs(sum);
                for (uint32_t l = 0; l < k && point > k; l++)
                    sum += row[l] * at[l], size += fabs(row[l] * at[l]);
                if (point <= k) {
                    row[column] = (column == k ? value : value - row[k]) + 0.0;  // 0, not -0
                } else if (!(fabs(value - sum) <= LIA_CARRY_AFFINE * size)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool same_matrix(const LiaReduce* x, const Block* a, const Block* b) {
    size_t bytes = (size_t)x->count * a->size * (a->size + 1) * sizeof(double);
    return a->size == b->size && memcmp(a->X, b->X, bytes) == 0;
}

bool lia_reduce_carry_find(LiaReducePage* page) {
    const LiaReduce* x = page->x;
    LiaReduceCarry* c = LIA_ARENA_NEW(x->arena, LiaReduceCarry, 1);
    LiaValues values = {0};
    if (!c || !make_generators(page, c)) {
        page->failed = true;
        return false;
    }
    if (!make_blocks(x, c)) return false;
    if (!lia_evaluate_init(&values, x->g, c->xi, (size_t)x->count * x->s->n)) {
        page->failed = true;
        return false;
    }
    uint32_t next = x->count * x->count;  // after those of Ad
    bool affine = true;
    for (uint32_t b = 0; affine && b < c->count; b++) {
        Block* block = &c->blocks[b];
        affine = fit(x, c, &values, block);
        block->first = next, block->own = true;
        for (uint32_t a = 0; affine && a < b && block->own; a++) {
            if (!same_matrix(x, &c->blocks[a], block)) continue;
            block->first = c->blocks[a].first, block->own = false;
        }
        next += block->own ? block->size * (block->size + 1) : 0;
    }
    lia_evaluate_clear(&values);
    page->carry = affine ? c : NULL;
    return affine;
}

// Does an entry change? Those that do not are those of the unit matrix, or 0.
static bool changes(const LiaReduce* x, const Block* block, uint32_t column) {
    uint32_t k = block->size, wide = k + 1;
    for (uint32_t e = 0; e < x->count * k; e++) {
        if (block->X[(size_t)e * wide + column] != 0.0) return true;
    }
    return false;
}

static LiaExpr entry(const LiaReduce* x, const Block* block, uint32_t i, uint32_t j) {
    uint32_t number = block->first + i * (block->size + 1) + j;
    if (!changes(x, block, j)) return lia_graph_integer(x->g, i == j);
    lia_graph_name(x->g, LIA_SYMBOL_DISPLACEMENT, number,
                   lia_arena_printf(x->arena, "M%u_%u_%u", block->first, i + 1, j + 1));
    return lia_graph_symbol(x->g, LIA_SYMBOL_DISPLACEMENT, number);
}

typedef void (*OnEntry)(LiaReducePage* page, const Block* block, uint32_t i, uint32_t j,
                        const void* with);

static void for_entries(LiaReducePage* page, OnEntry on, const void* with) {
    for (uint32_t b = 0; b < page->carry->count; b++) {
        const Block* block = &page->carry->blocks[b];
        for (uint32_t i = 0; block->own && i < block->size; i++) {
            for (uint32_t j = 0; j <= block->size; j++) {
                if (changes(page->x, block, j)) on(page, block, i, j, with);
            }
        }
    }
}

static void declare(LiaReducePage* page, const Block* block, uint32_t i, uint32_t j,
                    const void* with) {
    (void)with;
    lia_text_add(page->out, "phase M%u_%u_%u\n", block->first, i + 1, j + 1);
}

void lia_reduce_carry_declare(LiaReducePage* page) { for_entries(page, declare, NULL); }

static void start(LiaReducePage* page, const Block* block, uint32_t i, uint32_t j,
                  const void* with) {
    (void)with;
    if (i == j) lia_text_add(page->out, ", M%u_%u_%u = 1", block->first, i + 1, j + 1);
}

void lia_reduce_carry_start(LiaReducePage* page) { for_entries(page, start, NULL); }

static void move(LiaReducePage* page, const Block* block, uint32_t i, uint32_t j,
                 const void* with) {
    const LiaReduce* x = page->x;
    const LiaExpr* c = with;
    uint32_t k = block->size;
    LiaExpr rate = lia_graph_integer(x->g, 0);
    for (uint32_t A = 0; A < x->count; A++) {
        for (uint32_t l = 0; l < k; l++) {
            double of = block->X[((size_t)A * k + l) * (k + 1) + j];
            if (of == 0.0) continue;
            LiaExpr term = lia_graph_mul(x->g, entry(x, block, i, l), c[A]);
            term = lia_graph_mul(x->g, lia_graph_real(x->g, of), term);
            rate = lia_graph_add(x->g, rate, term);
        }
    }
    if (lia_graph_is_zero(x->g, rate)) return;
    lia_reduce_text_put(page, page->carried ? " + " : "force reconstruct: ", rate, true);
    lia_reduce_text_say(page,
                        lia_arena_printf(x->arena, "*d(M%u_%u_%u)", block->first, i + 1, j + 1));
    page->carried = true;
}

// c_A = (a^-1)_BA dy_B(v)
static LiaExpr* coefficients(const LiaReduce* x) {
    uint32_t g = x->count;
    LiaExpr* c = LIA_ARENA_NEW(x->arena, LiaExpr, g + 1);
    for (uint32_t A = 0; c && A < g; A++) {
        c[A] = lia_graph_integer(x->g, 0);
        for (uint32_t B = 0; B < g; B++) {
            for (uint32_t k = 0; k < x->n; k++) {
                LiaExpr part = lia_reduce_at_slice(x, x->across[(size_t)B * x->n + k]);
                part = lia_graph_mul(x->g, part, x->V[k]);
                part = lia_graph_mul(x->g, part, x->inverse[B * g + A]);
                c[A] = lia_graph_add(x->g, c[A], part);
            }
        }
        c[A] = lia_simplify(x->g, c[A]);
    }
    return c;
}

void lia_reduce_carry_move(LiaReducePage* page) {
    const LiaReduce* x = page->x;
    const LiaExpr* c = coefficients(x);
    if (!c) {
        page->failed = true;
        return;
    }
    for_entries(page, move, c);
    if (page->carried) lia_reduce_text_say(page, "\n");
    for (uint32_t b = 0; b < page->carry->count; b++) {
        const Block* block = &page->carry->blocks[b];
        for (uint32_t i = 0; i < block->size; i++) {
            LiaExpr sum = entry(x, block, i, block->size);
            for (uint32_t j = 0; j < block->size; j++) {
                uint32_t at = block->of[j];
                LiaExpr z = x->position[at].index ? x->position[at] : x->s->q[at];
                z = lia_graph_mul(x->g, entry(x, block, i, j), z);
                sum = lia_graph_add(x->g, sum, z);
            }
            const char* name = lia_reduce_text_name(x, LIA_SYMBOL_POSITION, block->of[i]);
            lia_reduce_text_put(page, lia_arena_printf(x->arena, "observe moved_%s = ", name), sum,
                                false);
            lia_reduce_text_say(page, "\n");
        }
    }
}
