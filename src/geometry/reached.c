// States that motions reach. See reached.h.
// SPDX-License-Identifier: MIT
#include "geometry/reached.h"
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "geometry/followed.h"
#include "geometry/span.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MOST = 100 };  // coordinates: of larger systems no motions are followed here

int lia_reached_rank(LiaAdmissible* z) { return lia_span_rank(z->m, z->n, z->w->saddle.J); }

typedef struct Chain {
    LiaAdmissible* z;
    LiaSamples to;
    uint64_t random;
    int rank;       // at the start
    double* basis;  // of the admissible directions                     (n x n)
} Chain;

// Other velocities at the last state of the chain, where the equations are linear in them; else
// those it has.
static bool turn(Chain* c) {
    LiaAdmissible* z = c->z;
    size_t n = (size_t)z->n;
    uint32_t last = c->to.count - 1;
    double* v = c->to.v + last * n;
    lia_admissible_load(z, &c->to, last);
    int free = lia_span_kernel(z->m, z->n, z->w->saddle.J, c->basis);
    if (free < 0) return false;
    for (int k = 0; k < free; k++) {
        double part = lia_random_even(&c->random);
        for (size_t i = 0; i < n; i++) v[i] += part * c->basis[(size_t)k * n + i];
    }
    double* before = c->basis;
    memcpy(before, z->w->v, n * sizeof *v);
    lia_admissible_load(z, &c->to, last);
    if (!(lia_admissible_residual(z, 1, NULL) < LIA_ADMISSIBLE)) memcpy(v, before, n * sizeof *v);
    return true;
}

// One piece of motion further. *good: it went on, and the rank is the same where it ended.
static bool go_on(Chain* c, double length, bool* good) {
    LiaSamples* to = &c->to;
    LiaFollowed motion;
    size_t n = (size_t)c->z->n, last = to->count - 1;
    bool ok = lia_followed_make(c->z->system, to->t[last], to->q + last * n, to->v + last * n,
                                length, &motion);
    double t = to->t[last] + length;
    *good = ok && lia_followed_at(&motion, t, to->q + (last + 1) * n, to->v + (last + 1) * n);
    lia_followed_clear(&motion);
    if (!*good) return ok;
    to->t[last + 1] = t;
    to->count++;
    lia_admissible_load(c->z, to, (uint32_t)last + 1);
    int rank = lia_reached_rank(c->z);
    *good = rank == c->rank && lia_admissible_residual(c->z, 0, NULL) < LIA_ADMISSIBLE &&
            lia_admissible_residual(c->z, 1, NULL) < LIA_ADMISSIBLE;
    return rank >= 0;
}

// The start keeps its velocities: the first piece begins at a copy of it.
static bool fill(Chain* c, double t1, uint32_t most, bool* good) {
    size_t n = (size_t)c->z->n;
    double length = (t1 - c->to.t[0]) / most;
    *good = most > 1;
    lia_admissible_load(c->z, &c->to, 0);
    c->rank = lia_reached_rank(c->z);
    double* start = c->basis + n * n;
    memcpy(start, c->to.v, n * sizeof *start);
    bool ok = c->rank >= 0;
    while (ok && *good && c->to.count < most) {
        ok = turn(c) && go_on(c, length, good);
        if (c->to.count == 2) memcpy(c->to.v, start, n * sizeof *start);
    }
    return ok && (!*good || turn(c));
}

bool lia_reached_make(LiaAdmissible* z, double t1, uint32_t most, LiaSamples* out) {
    size_t n = (size_t)z->n, room = most + 1;
    if (z->n > SIZE_MOST || z->system->phase.flow || out->count == 0) return true;
    double* block = lia_memory_zeros(room * (2 * n + 1) + n * n + n + 1, sizeof *block);
    if (!block) return false;
    Chain c = {.z = z, .to = {.count = 1, .given = out->given}, .random = 1};
    c.to.t = block, c.to.q = c.to.t + room, c.to.v = c.to.q + room * n;
    c.basis = c.to.v + room * n;
    c.to.t[0] = out->t[0];
    memcpy(c.to.q, out->q, n * sizeof(double));
    memcpy(c.to.v, out->v, n * sizeof(double));
    bool good = false, ok = fill(&c, t1, most, &good);
    if (ok && good) {
        out->count = c.to.count;
        memcpy(out->t, c.to.t, most * sizeof(double));
        memcpy(out->q, c.to.q, most * n * sizeof(double));
        memcpy(out->v, c.to.v, most * n * sizeof(double));
    }
    free(block);
    return ok;
}
