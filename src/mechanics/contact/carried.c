// Gaps that follow from others, whatever the state: of four corners of a box on a plane
//
//     gap_4 = gap_1 - gap_2 + gap_3,   in general   d(gap_k) = sum of part_ka d(gap_a)
//
// Their forces are not determined by the motion. Without friction, or where all of them stick, the
// motion does not depend on them either, and multipliers of minimum norm are given for them
// (mechanics/multipliers). Where one of them slides it does: friction is where the force is. There
// the forces are those of minimum norm that support the same weights, as of equal springs under the
// contacts:
//
//     N_k = sum of part_ka N_a
//
// Contact k is carried: its gap is no row of K0, and what its force does is added to the rows of a.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/build.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 3 };  // at which the gradients are compared: what is so by chance is not so at all

typedef struct Gradients {
    const uint32_t* closed;  // the contacts
    uint32_t contacts;
    size_t width;     // of one of them, over all states
    double* all;      // of each contact                                       (contacts x width)
    double* basis;    // orthonormal, of those that are kept                   (contacts x width)
    double* made_of;  // each vector of the basis by kept gradients          (contacts x contacts)
    uint32_t* kept;   // the contact of each                                         (contacts)
    uint32_t count;   // of them
    void* block;
} Gradients;

static bool make_room(const LiaSystem* s, const uint32_t* closed, size_t count, Gradients* g) {
    size_t width = (size_t)STATES * s->n;
    *g = (Gradients){.closed = closed, .contacts = (uint32_t)count, .width = width};
    size_t doubles = 2 * count * width + count * count + 1;
    g->block = lia_memory_zeros(doubles * sizeof(double) + count * sizeof(uint32_t), 1);
    if (!g->block) return false;
    g->all = g->block;
    g->basis = g->all + count * width;
    g->made_of = g->basis + count * width;
    g->kept = (uint32_t*)(g->made_of + count * count + 1);
    return true;
}

// The gradients of all gaps at one state more.
static void take_state(const LiaSystem* s, LiaValues* values, const LiaSymbols* at, Gradients* g,
                       size_t state) {
    lia_evaluate_run(values, at);
    for (uint32_t k = 0; k < g->contacts; k++) {
        const LiaRow* row = &s->rows[s->contacts[g->closed[k]].row];
        double* to = g->all + k * g->width + state * s->n;
        for (uint32_t e = 0; e < row->entries; e++)
            to[row->coordinate[e]] = lia_value(values, row->Omega[e]);
    }
}

static bool take_gradients(const LiaSystem* s, Gradients* g) {
    size_t count = 0, at = 0;
    for (uint32_t k = 0; k < g->contacts; k++)
        count += s->rows[s->contacts[g->closed[k]].row].entries;
    LiaExpr* roots = lia_memory_zeros(count + 1, sizeof *roots);
    double* q = lia_memory_zeros((size_t)s->n + 1, sizeof *q);
    LiaValues values;
    for (uint32_t k = 0; roots && k < g->contacts; k++) {
        const LiaRow* row = &s->rows[s->contacts[g->closed[k]].row];
        memcpy(roots + at, row->Omega, row->entries * sizeof *roots);
        at += row->entries;
    }
    bool good = roots && q && lia_evaluate_init(&values, s->graph, roots, count);
    uint64_t seed = 1;
    for (size_t state = 0; good && state < STATES; state++) {
        LiaSymbols here = {.parameters = s->parameters, .q = q};
        here.t = lia_random_generic(&seed);
        for (uint32_t i = 0; i < s->n; i++) q[i] = lia_random_even(&seed);
        take_state(s, &values, &here, g, state);
    }
    if (good) lia_evaluate_clear(&values);
    free(roots);
    free(q);
    return good;
}

static double dot(const double* x, const double* y, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

// Is the gradient of contact k made of kept ones? Then `part` says how; else it is kept.
static bool is_made(Gradients* g, uint32_t k, double* part) {
    const uint32_t contacts = g->contacts;
    enum { PASSES = 2 };  // of Gram and Schmidt
    double* rest = g->basis + g->count * g->width;
    double* own = g->made_of + g->count * contacts;
    memcpy(rest, g->all + k * g->width, g->width * sizeof *rest);
    memset(own, 0, contacts * sizeof *own);
    double size = sqrt(dot(rest, rest, g->width));
    for (int pass = 0; pass < PASSES; pass++) {
        for (uint32_t j = 0; j < g->count; j++) {
            const double* e = g->basis + j * g->width;
            double along = dot(e, rest, g->width);
            for (size_t i = 0; i < g->width; i++) rest[i] -= along * e[i];
            for (uint32_t a = 0; a < g->count; a++)
                own[g->kept[a]] += along * g->made_of[j * contacts + g->kept[a]];
        }
    }
    double left = sqrt(dot(rest, rest, g->width));
    if (!isfinite(left) || size == 0.0) return false;
    if (left <= LIA_CARRIED * size) {
        memcpy(part, own, contacts * sizeof *part);
        return true;
    }
    for (size_t i = 0; i < g->width; i++) rest[i] /= left;
    for (uint32_t a = 0; a < contacts; a++) own[a] = -own[a] / left;
    own[k] = 1.0 / left;
    g->kept[g->count++] = k;
    return false;
}

// Parts are mostly whole numbers or simple fractions, which rounding has blurred.
static void sharpen(double* part, uint32_t count) {
    enum { WHOLE = 64 };
    for (uint32_t a = 0; a < count; a++) {
        double near = round(part[a] * WHOLE) / WHOLE;
        if (fabs(part[a] - near) <= LIA_CARRIED) part[a] = near;
    }
}

// Does a block of friction slide? Has it one that sticks, or none?
static bool slides(const LiaSystem* s, uint32_t k, bool* rests) {
    const LiaContactFormulas* c = &s->contacts[k];
    bool any = false;
    *rests = c->blocks == 0;
    for (uint32_t b = 0; b < c->blocks && s->mode.now[k] != LIA_MODE_OPEN; b++) {
        any |= s->mode.now[c->block[b].place] > LIA_MODE_STICK;
        *rests |= s->mode.now[c->block[b].place] == LIA_MODE_STICK;
    }
    return any;
}

bool lia_carried_find(const LiaSystem* s, const uint32_t* closed, uint32_t count, bool* carried,
                      double* part) {
    bool any = false, rests;
    memset(carried, 0, count * sizeof *carried);
    for (uint32_t k = 0; k < count; k++) any |= slides(s, closed[k], &rests);
    if (!any || count < 2) return true;
    Gradients g;
    bool good = make_room(s, closed, count, &g) && take_gradients(s, &g);
    // those that stick are not carried while others are there
    for (int pass = 0; good && pass < 2; pass++) {
        for (uint32_t k = 0; k < count; k++) {
            slides(s, closed[k], &rests);
            if (rests != (pass == 0)) continue;
            carried[k] = is_made(&g, k, part + (size_t)k * count);
            if (carried[k]) sharpen(part + (size_t)k * count, count);
        }
    }
    free(g.block);
    return good;
}
