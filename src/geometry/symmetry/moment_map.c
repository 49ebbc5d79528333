// J of several symmetries. See moment_map.h.
// SPDX-License-Identifier: MIT
#include "geometry/symmetry/moment_map.h"
#include "base/numeric/thresholds.h"
#include "geometry/classification/judge.h"
#include "geometry/symmetry/relations.h"
#include <math.h>
#include <string.h>

enum { GENERATORS_MOST = 10, STATES = 4 };

typedef struct Group {
    LiaJudge* j;
    LiaArena* arena;
    LiaMomentMap* out;
    size_t n, count;
    LiaExpr* xi;   // and, last, one bracket                          ((count + 1) x n)
    LiaSum* sums;  // one row                                        (count + 1)
    double* ones;  // (count + 1)
} Group;

// [xi_A, xi_B] after the generators.
static bool bracket(Group* k, size_t A, size_t B) {
    LiaGraph* g = k->j->geometry->graph;
    const LiaSystem* s = k->j->system;
    size_t n = k->n;
    LiaExpr* slope = LIA_ARENA_NEW(k->arena, LiaExpr, 2 * n + 1);
    const LiaExpr *X = k->xi + A * n, *Y = k->xi + B * n;
    if (!slope) return false;
    for (size_t i = 0; i < n; i++) {
        LiaExpr sum = lia_graph_integer(g, 0);
        if (!lia_diff_gradient(g, Y[i], s->q, n, slope)) return false;
        if (!lia_diff_gradient(g, X[i], s->q, n, slope + n)) return false;
        for (size_t e = 0; e < n; e++) {
            sum = lia_graph_add(g, sum, lia_graph_mul(g, X[e], slope[e]));
            sum = lia_graph_sub(g, sum, lia_graph_mul(g, Y[e], slope[n + e]));
        }
        k->xi[k->count * n + i] = sum;
    }
    return !g->failed;
}

// Relations among the first `all` of the generators and the bracket, at all samples. *largest is
// the largest number of the last one.
static bool relate(Group* k, size_t all, LiaRelations* relations, double* largest) {
    const LiaSamples* samples = &k->j->samples;
    size_t n = k->n;
    LiaValues values;
    *largest = 0.0;
    if (!lia_relations_init(relations, k->arena, all, k->ones)) return false;
    if (!lia_evaluate_init(&values, k->j->geometry->graph, k->xi, all * n)) return false;
    double* size = LIA_ARENA_NEW(k->arena, double, values.size + 1);
    for (uint32_t e = 0; size && e < samples->count && e < STATES; e++) {
        LiaSymbols at = {
            .t = samples->t[e], .parameters = k->j->system->parameters, .q = samples->q + e * n};
        lia_evaluate_run(&values, &at);
        lia_sizes_run(&values, &(LiaSymbols){0}, size);
        for (size_t i = 0; i < n; i++) {
            for (size_t a = 0; a < all; a++) {
                LiaExpr f = k->xi[a * n + i];
                k->sums[a] = (LiaSum){lia_value(&values, f), size[f.index]};
            }
            const LiaSum* last = &k->sums[all - 1];
            if (fabs(last->value) > LIA_IDENTITY * last->size) *largest = fabs(last->value);
            lia_relations_add(relations, k->sums, 1);
        }
    }
    lia_evaluate_clear(&values);
    return size && lia_relations_solve(relations);
}

// c with [xi_A, xi_B] = c^C xi_C; *found is false where there is none.
static bool combine(Group* k, double* c, bool* found) {
    LiaRelations relations;
    size_t all = k->count + 1;
    double largest;
    if (!relate(k, all, &relations, &largest)) return false;
    *found = largest == 0.0;  // they commute
    for (uint32_t r = 0; r < relations.found && !*found; r++) {
        const double* of = relations.c + r * all;
        *found = of[k->count] != 0.0;
        for (size_t C = 0; *found && C < k->count; C++) {
            c[C] = -of[C] / of[k->count];
            double whole = round(c[C]);
            if (fabs(c[C] - whole) <= LIA_RELATION_ZERO) c[C] = whole + 0.0;
        }
    }
    return true;
}

static bool find_constants(Group* k) {
    size_t count = k->count;
    LiaRelations own;
    double largest;
    if (!relate(k, count, &own, &largest)) return false;
    k->out->dimension = (uint32_t)count - own.found;
    k->out->closed = true;
    for (size_t A = 0; k->out->closed && A < count; A++) {
        for (size_t B = A + 1; k->out->closed && B < count; B++) {
            double* c = k->out->c + (A * count + B) * count;
            if (!bracket(k, A, B) || !combine(k, c, &k->out->closed)) return false;
            for (size_t C = 0; C < count; C++) k->out->c[(B * count + A) * count + C] = 0.0 - c[C];
        }
    }
    return true;
}

static bool find_values(Group* k, double t, const double* q, const double* v) {
    LiaJudge* j = k->j;
    LiaExpr* momentum = LIA_ARENA_NEW(k->arena, LiaExpr, k->count + 1);
    double* J = LIA_ARENA_NEW(k->arena, double, k->count + 1);
    LiaValues values;
    if (!momentum || !J) return false;
    for (size_t A = 0; A < k->count; A++)
        momentum[A] = j->out->symmetries[k->out->symmetry[A]].momentum;
    if (!lia_evaluate_init(&values, j->geometry->graph, momentum, k->count)) return false;
    LiaSymbols at = {.t = t, .parameters = j->system->parameters, .q = q, .v = v};
    lia_evaluate_run(&values, &at);
    for (size_t A = 0; A < k->count; A++) J[A] = lia_value(&values, momentum[A]);
    lia_evaluate_clear(&values);
    k->out->J = J;
    return true;
}

bool lia_moment_map_make(LiaJudge* j, double t, const double* q, const double* v) {
    LiaMomentMap* out = &j->out->moment_map;
    Group k = {.j = j, .arena = j->out->arena, .out = out, .n = j->system->n};
    size_t most = j->out->symmetry_count;
    *out = (LiaMomentMap){0};
    out->symmetry = LIA_ARENA_NEW(k.arena, uint32_t, most + 1);
    if (!out->symmetry) return false;
    for (uint32_t i = 0; i < most && j->samples.count > 0; i++) {
        if (j->out->symmetries[i].lagrangian == LIA_INVARIANT_EVERYWHERE)
            out->symmetry[k.count++] = i;
    }
    if (k.count < 2 || k.count > GENERATORS_MOST || j->n > LIA_JUDGE_SIZE) return true;
    k.xi = LIA_ARENA_NEW(k.arena, LiaExpr, (k.count + 1) * k.n + 1);
    k.sums = LIA_ARENA_NEW(k.arena, LiaSum, k.count + 2);
    k.ones = LIA_ARENA_NEW(k.arena, double, k.count + 2);
    out->c = LIA_ARENA_NEW(k.arena, double, k.count* k.count* k.count + 1);
    if (!k.xi || !k.sums || !k.ones || !out->c) return false;
    for (size_t A = 0; A <= k.count; A++) k.ones[A] = 1.0;
    for (size_t A = 0; A < k.count; A++) {
        if (!lia_geometry_generator(j->geometry, out->symmetry[A], k.xi + A * k.n)) return false;
    }
    out->count = (uint32_t)k.count;
    return find_constants(&k) && (!j->has_start || find_values(&k, t, q, v));
}
