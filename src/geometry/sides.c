// States on the other sides of corners. See sides.h.
// SPDX-License-Identifier: MIT
#include "geometry/sides.h"
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "base/watch.h"
#include "expr/graph/diff.h"
#include "expr/tape/tape.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CORNERS_MOST = 6,
    SIZE_MOST = 40,  // coordinates
    STEPS = 12,      // towards a corner
    FROM_MOST = 4,   // states from which another side is looked for
    TIMES = 8,       // at which it is, for corners of time
};

typedef struct Sides {
    LiaGeometry* y;
    LiaAdmissible* z;
    LiaAround around;
    size_t n;
    uint32_t count, left_out;  // corners that are looked at, and others
    uint32_t most;
    LiaExpr d[CORNERS_MOST];  // roots are the corners
    LiaExpr* gradient;        // by positions, then velocities              (count x 2n)
    int first[CORNERS_MOST];  // sides of the first state
    uint32_t room, added;
    double *t, *q, *v;        // states that are added                      (room), (room x n)
    double *from_q, *from_v;  // the one others are looked for around       (n)
    LiaValues values;
    bool on;  // values are made ready
    void* block;
} Sides;

// --- the corners --------------------------------------------------------------------------------

static void find_corners(Sides* k) {
    LiaGraph* g = k->y->graph;
    const LiaTape* tape = k->y->system->full->tape;
    for (uint32_t i = 0; i < tape->guard_count; i++) {
        const LiaGuard* guard = &tape->guards[i];
        bool corner = guard->rule == LIA_GUARD_ARGUMENT || guard->rule == LIA_GUARD_DIFFERENCE;
        bool known = false;
        if (!guard->vital || !corner) continue;
        LiaExpr d = {guard->x}, right = {guard->y};
        if (guard->rule == LIA_GUARD_DIFFERENCE) d = lia_graph_sub(g, d, right);
        for (uint32_t c = 0; c < k->count; c++) known |= k->d[c].index == d.index;
        if (known) continue;
        if (k->count < CORNERS_MOST)
            k->d[k->count++] = d;
        else
            k->left_out++;
    }
}

static bool make_room(Sides* k) {
    const LiaSystem* s = k->y->system;
    size_t n = k->n;
    k->room = k->count * k->most;
    size_t doubles = k->room * (2 * n + 1) + 2 * n + 1, exprs = k->count * 2 * n;
    k->block = lia_memory_zeros(doubles * sizeof(double) + (exprs + k->count) * sizeof(LiaExpr), 1);
    if (!k->block) return false;
    k->t = k->block, k->q = k->t + k->room, k->v = k->q + k->room * n;
    k->from_q = k->v + k->room * n, k->from_v = k->from_q + n;
    k->gradient = (LiaExpr*)(k->from_v + n + 1);
    for (uint32_t c = 0; c < k->count; c++) {
        LiaExpr* to = k->gradient + c * 2 * n;
        if (!lia_diff_gradient(k->y->graph, k->d[c], s->q, n, to) ||
            !lia_diff_gradient(k->y->graph, k->d[c], s->v, n, to + n)) {
            return false;
        }
    }
    memcpy(k->gradient + exprs, k->d, k->count * sizeof *k->d);
    k->on = true;
    return lia_evaluate_init(&k->values, k->y->graph, k->gradient, exprs + k->count);
}

static void evaluate(Sides* k) {
    const LiaWorkspace* w = k->z->w;
    LiaSymbols at = {.t = w->t, .parameters = k->y->system->parameters, .q = w->q, .v = w->v};
    lia_evaluate_run(&k->values, &at);
}

// On which side of corner c the state is that was evaluated last: -1, 1, or 0 where it is not
// known.
static int side_of(const Sides* k, uint32_t c) {
    double d = lia_value(&k->values, k->d[c]);
    return d > 0.0 ? 1 : d < 0.0 ? -1 : 0;
}

// --- across a corner ----------------------------------------------------------------------------

static bool has_values(const LiaAdmissible* z) {
    double sum = 0.0;
    for (int i = 0; i < z->n * z->n; i++) sum += z->w->saddle.M[i];
    for (int i = 0; i < z->n * z->m; i++) sum += z->w->saddle.J[i] + z->w->saddle.Omega[i];
    return isfinite(sum) != 0;
}

// The step that changes the sign of a d that is linear; false where no step changes d.
static bool reflect(Sides* k, uint32_t c) {
    LiaWorkspace* w = k->z->w;
    size_t n = k->n;
    double square = 0.0, d = lia_value(&k->values, k->d[c]);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < 2 * n; i++) {
            double* x = i < n ? &w->q[i] : &w->v[i - n];
            double slope = lia_value(&k->values, k->gradient[c * 2 * n + i]);
            double reach = fmax(1.0, fabs(*x));
            if (pass == 0) square += reach * reach * slope * slope;
            if (pass == 1) *x -= 2.0 * d * reach * reach * slope / square;
        }
        if (!(square > 0.0) || !isfinite(square)) return false;
    }
    return true;
}

// From the state in the workspace to an admissible one where corner c has the side asked for.
static bool cross(Sides* k, uint32_t c, int side) {
    for (int step = 0; step < STEPS && !lia_watch_asked(); step++) {
        evaluate(k);
        if (!reflect(k, c)) return false;
        memset(k->z->given, 0, 2 * k->n * sizeof *k->z->given);
        bool good = lia_admissible_settle(k->z) < LIA_ADMISSIBLE_SAMPLE && has_values(k->z);
        evaluate(k);
        if (good && side_of(k, c) == side) return true;
    }
    return false;
}

static void put_time(Sides* k, int i) {
    k->z->w->t = k->around.t0 + (k->around.t1 - k->around.t0) * i / TIMES;
}

// A state of that side into the workspace: one of the samples, or one across the corner.
static bool find_first(Sides* k, uint32_t c, int side, const LiaSamples* samples) {
    for (uint32_t i = 0; i < samples->count; i++) {
        lia_admissible_load(k->z, samples, i);
        evaluate(k);
        if (side_of(k, c) == side) return true;
    }
    for (uint32_t i = 0; i < samples->count && i < FROM_MOST; i++) {
        lia_admissible_load(k->z, samples, i);
        if (cross(k, c, side)) return true;
    }
    for (int i = 0; i <= TIMES; i++) {
        lia_admissible_load(k->z, samples, 0);
        put_time(k, i);
        memset(k->z->given, 0, 2 * k->n * sizeof *k->z->given);
        bool good = lia_admissible_settle(k->z) < LIA_ADMISSIBLE_SAMPLE && has_values(k->z);
        evaluate(k);
        if (good && side_of(k, c) == side) return true;
    }
    return false;
}

static void keep(Sides* k) {
    const LiaWorkspace* w = k->z->w;
    size_t n = k->n, e = k->added++;
    k->t[e] = w->t;
    memcpy(k->q + e * n, w->q, n * sizeof(double));
    memcpy(k->v + e * n, w->v, n * sizeof(double));
}

// States of that side around one of them, at times of the run, where it has them.
static void add(Sides* k, uint32_t c, int side, uint32_t wanted) {
    LiaWorkspace* w = k->z->w;
    size_t n = k->n;
    double t = w->t;
    memcpy(k->from_q, w->q, n * sizeof(double));
    memcpy(k->from_v, w->v, n * sizeof(double));
    uint32_t last = k->added + wanted;
    keep(k);
    for (uint64_t seed = 1; k->added < last && seed <= 6 * (uint64_t)wanted; seed++) {
        uint64_t state = seed;
        double length = k->around.t1 - k->around.t0;
        // far around, then nearer
        double radius = 1.0 / (double)(1 + seed / (2 * wanted + 1));
        w->t = seed % 2 ? k->around.t0 + length * 0.5 * (1.0 + lia_random_even(&state)) : t;
        if (!lia_admissible_sample(k->z, seed, radius, k->from_q, k->from_v)) continue;
        evaluate(k);
        if (side_of(k, c) == side) keep(k);
    }
}

// --- all of it ----------------------------------------------------------------------------------

static bool is_beyond(Sides* k) {
    bool beyond = false;
    evaluate(k);
    for (uint32_t c = 0; c < k->count; c++) beyond |= side_of(k, c) != k->first[c];
    return beyond;
}

// The states that were there and those that were added by turns, so that the first few are of both.
static bool join(Sides* k, LiaArena* arena, LiaSamples* out) {
    size_t n = k->n, count = out->count + k->added, old = 0, fresh = 0;
    LiaSamples all = *out;
    all.t = LIA_ARENA_NEW(arena, double, count + 1);
    all.q = LIA_ARENA_NEW(arena, double, (count + 1) * n + 1);
    all.v = LIA_ARENA_NEW(arena, double, (count + 1) * n + 1);
    all.beyond = LIA_ARENA_NEW(arena, bool, count + 1);
    if (!all.t || !all.q || !all.v || !all.beyond) return false;
    all.count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        bool take = fresh < k->added && (i % 2 == 1 || old == out->count);
        size_t from = take ? fresh++ : old++;
        all.t[i] = (take ? k->t : out->t)[from];
        memcpy(all.q + i * n, (take ? k->q : out->q) + from * n, n * sizeof(double));
        memcpy(all.v + i * n, (take ? k->v : out->v) + from * n, n * sizeof(double));
        lia_admissible_load(k->z, &all, (uint32_t)i);
        all.beyond[i] = is_beyond(k);
    }
    *out = all;
    return true;
}

static void fill(Sides* k, LiaSamples* out) {
    lia_admissible_load(k->z, out, 0);
    evaluate(k);
    for (uint32_t c = 0; c < k->count; c++) k->first[c] = side_of(k, c);
    for (uint32_t c = 0; c < k->count; c++) {
        uint32_t on[2] = {0, 0};
        for (uint32_t i = 0; i < out->count; i++) {
            lia_admissible_load(k->z, out, i);
            evaluate(k);
            if (side_of(k, c) != 0) on[side_of(k, c) > 0]++;
        }
        int side = on[1] < on[0] ? 1 : -1;
        uint32_t there = on[side > 0];
        bool found = there >= k->most || find_first(k, c, side, out);
        if (found && there < k->most) add(k, c, side, k->most - there);
        out->one_sided += !found;
    }
    out->corners = k->count + k->left_out;
    out->one_sided += k->left_out;
}

bool lia_sides_add(LiaGeometry* geometry, LiaAdmissible* z, LiaArena* arena, LiaAround around,
                   uint32_t most, LiaSamples* samples) {
    Sides k = {.y = geometry, .z = z, .around = around, .n = (size_t)z->n, .most = most};
    if (samples->count == 0 || z->n > SIZE_MOST || geometry->system->phase.flow) return true;
    find_corners(&k);
    if (k.count == 0) return true;
    bool ok = make_room(&k);
    if (ok) fill(&k, samples);
    ok = ok && join(&k, arena, samples);
    if (k.on) lia_evaluate_clear(&k.values);
    free(k.block);
    return ok;
}
