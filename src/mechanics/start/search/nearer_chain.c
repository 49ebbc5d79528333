// Equations of one unknown after another: cos(x) = a says some values of x; with one of them
// x^3 + y = b says one of y; and so on. Such a chain has many solutions, and steps of all
// coordinates at once meet few of them: while x is on its way, y runs far away and back. So all
// are looked at:
//
//   link    a row with one unknown coordinate when the links before it are known
//   roots   where its residual changes its sign as that coordinate goes through the ball about the
//           guess that has the nearest place so far on its surface; those next to the guess first
//
// and from each place where all links hold begins a search, onto the other equations and along
// them. Coordinates that no link decides are where they are at the nearest place so far. See
// nearer.c.
// SPDX-License-Identifier: MIT
#include "mechanics/start/search/nearer_chain.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATIONS = 96,  // of a coordinate on its way through the ball
    ROOTS = 32,     // of a link, kept
    LINKS = 8,
    PART = 4  // of the evaluations, 1 / PART of those that are left
};

typedef struct Link {
    int row, unknown;  // of w; number among z->unknown
    int count, next;   // of roots; the one to be put next
    double root[ROOTS];
} Link;

typedef struct Chain {
    LiaNearer* N;
    int count, left;
    Link link[LINKS];
    double* unit;  // (u)
} Chain;

// --- links --------------------------------------------------------------------------------------

// The only unknown coordinate of row c that is not known; -1: there is none, or there are several.
static int single(const LiaSearch* z, int c, const bool* known) {
    const LiaPattern* J = &z->w->dynamics->J;
    int only = -1;
    for (int e = J->start[c]; e < J->start[c + 1]; e++) {
        for (int i = 0; i < z->u; i++) {
            if (z->unknown[i] != J->column[e] || known[i]) continue;
            if (only >= 0) return -1;
            only = i;
        }
    }
    return only;
}

static void find_links(Chain* chain, bool* known) {
    const LiaSearch* z = chain->N->z;
    for (bool more = true; more;) {
        more = false;
        for (int c = 0; c < z->m && chain->count < LINKS; c++) {
            int i = single(z, z->row[c], known);
            if (i < 0) continue;
            known[i] = more = true;
            chain->link[chain->count++] = (Link){.row = z->row[c], .unknown = i};
        }
    }
}

// --- roots --------------------------------------------------------------------------------------

static double residual_at(Chain* chain, const Link* link, double x) {
    LiaSearch* z = chain->N->z;
    z->x[z->unknown[link->unknown]] = x;
    lia_workspace_update(z->w, 1);
    chain->N->left--, chain->left--;
    return lia_search_residual(z, link->row, z->level);
}

// Between a and b, where f has different signs; as near as searches that begin there need.
static double root_between(Chain* chain, const Link* link, double a, double b, double f) {
    for (int pass = 0; pass < 30; pass++) {
        double x = 0.5 * (a + b), here = residual_at(chain, link, x);
        if ((here < 0.0) == (f < 0.0)) {
            a = x;
        } else {
            b = x;
        }
    }
    return 0.5 * (a + b);
}

static void sort_by_distance(Link* link, double guess) {
    for (int k = 1; k < link->count; k++) {
        double x = link->root[k];
        int at = k;
        for (; at > 0 && fabs(link->root[at - 1] - guess) > fabs(x - guess); at--)
            link->root[at] = link->root[at - 1];
        link->root[at] = x;
    }
}

// How far a coordinate goes in the ball: sqrt(least (M^-1)_ii), M = L0 L0^T at the guess.
static double reach(Chain* chain, int i) {
    const LiaNearer* N = chain->N;
    double sum = 0.0;
    for (int k = 0; k < N->u; k++) chain->unit[k] = k == i;
    lia_dense_forward(N->u, N->L0, chain->unit);
    for (int k = 0; k < N->u; k++) sum += chain->unit[k] * chain->unit[k];
    return sqrt(N->least * sum);
}

static void find_roots(Chain* chain, Link* link) {
    LiaSearch* z = chain->N->z;
    double guess = z->target[z->level][z->unknown[link->unknown]];
    double far = reach(chain, link->unknown), before = NAN, last = NAN;
    link->count = link->next = 0;
    for (int k = 0; k <= STATIONS && chain->left > 0 && link->count < ROOTS; k++) {
        double x = guess + far * (2.0 * k / STATIONS - 1.0), f = residual_at(chain, link, x);
        if (isfinite(f) && isfinite(before) && (f < 0.0) != (before < 0.0))
            link->root[link->count++] = root_between(chain, link, last, x, before);
        before = f, last = x;
    }
    sort_by_distance(link, guess);
}

// --- all of them --------------------------------------------------------------------------------

// The links before `first` hold; the others are at the nearest place.
static void put_links(const Chain* chain, int first) {
    LiaSearch* z = chain->N->z;
    lia_nearer_descent_put(chain->N, chain->N->best);
    for (int k = 0; k < first; k++) {
        const Link* link = &chain->link[k];
        z->x[z->unknown[link->unknown]] = link->root[link->next - 1];
    }
}

static void go_through(Chain* chain, void (*search)(LiaNearer* N)) {
    int at = 0;
    find_roots(chain, &chain->link[0]);
    while (at >= 0 && chain->left > 0) {
        Link* link = &chain->link[at];
        if (link->next == link->count) {
            at--;
            continue;
        }
        link->next++;
        put_links(chain, at + 1);
        if (at + 1 < chain->count) {
            find_roots(chain, &chain->link[++at]);
            continue;
        }
        int left = chain->N->left;
        lia_nearer_descent_evaluate(chain->N);
        search(chain->N);
        chain->left -= left - chain->N->left;
    }
}

void lia_nearer_chain_each(LiaNearer* N, void (*search)(LiaNearer* N)) {
    Chain chain = {.N = N, .left = N->left / PART};
    size_t u = (size_t)N->u;
    bool* known = lia_memory_zeros(u + 1, sizeof *known);
    chain.unit = lia_memory_zeros(u + 1, sizeof *chain.unit);
    if (known && chain.unit) find_links(&chain, known);
    if (chain.count > 0) go_through(&chain, search);
    free(known);
    free(chain.unit);
}
