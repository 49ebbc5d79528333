// Is there a nearer admissible place than the one that was found? Newton steps end at some place
// where the guess is as near as it gets in the neighbourhood, and there may be many of them: a
// nearer one is inside of the ball about the guess that has the place found on its surface. So
// searches begin where equations of one unknown after another hold (nearer_chain.c), then at places
// drawn from there, and the ball shrinks whenever one of them ends nearer. Each is
//
//   onto the equations    dx = the shortest with J dx = -residual, shortened until the residuals
//                         fall
//   along them            dx = the part of x0 - x with J dx = 0, in the metric M at x; then onto
//                         the equations again; shortened until
//                         the distance falls: so it ends where M (x - x0) = J^T lambda, and in a
//                         least value
//
// The last digits are left to descent.c. Where few searches end at the nearest place, or there was
// no room for enough of them, there may be a nearer one still: z->doubt. See search.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/scaling.h"
#include "mechanics/start/search/nearer_chain.h"
#include "mechanics/start/search/nearer_descent.h"
#include "mechanics/start/search/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- steps --------------------------------------------------------------------------------------

// --- onto the equations -------------------------------------------------------------------------

// --- along them ---------------------------------------------------------------------------------

// --- from everywhere ----------------------------------------------------------------------------

enum { STATIONS = 8 };

// The nearest place with one coordinate moved through the ball: equations often have several
// solutions for one where the others are what they are. All of these are looked at, again when
// there is a nearer place.
static void move_one(LiaNearer* N, int number) {
    LiaSearch* z = N->z;
    int i = number / STATIONS, k = z->unknown[i];
    double side = number % 2 ? -1.0 : 1.0, part = (number % STATIONS / 2 + 0.5) * 2.0 / STATIONS;
    double reach = sqrt(N->least), own = 0.0;
    for (int j = 0; j <= i; j++) own += N->L0[i * N->u + j] * N->L0[i * N->u + j];
    z->x[k] = z->target[z->level][k] + side * part * reach / sqrt(own);
}

// A direction of length 1 in the metric at the guess, along `few` coordinates or, where these are
// all, along any.
static void draw_direction(LiaNearer* N, int few, double* g) {
    double sum = 0.0;
    for (int i = 0; i < N->u; i++) g[i] = 0.0;
    for (int k = 0; k < few; k++) {
        int i = few == N->u ? k : (int)((lia_random_even(&N->random) + 1.0) / 2.0 * N->u) % N->u;
        g[i] = 0.0;
        for (int j = 0; j < 4; j++) g[i] += lia_random_even(&N->random);  // as good as normal
    }
    for (int i = 0; i < N->u; i++) sum += g[i] * g[i];
    for (int i = 0; i < N->u; i++) g[i] /= sqrt(fmax(sum, LIA_DIRECTION_LEAST));
    lia_dense_backward(N->u, N->L0, g);
}

// A place in the ball about the guess, more of them near its middle; others that differ from the
// guess or from the nearest place in few coordinates, or from that by little: two solutions may be
// next to each other.
static void draw_place(LiaNearer* N, int number) {
    LiaSearch* z = N->z;
    enum { ANYWHERE, FEW, FEW_OF_NEAREST, NEXT_TO_NEAREST, KINDS };
    int kind = number % KINDS;
    bool few = (kind == FEW || kind == FEW_OF_NEAREST) && N->u > 2;
    draw_direction(N, few ? 2 + number / KINDS % 2 : N->u, N->y);
    double part = (lia_random_even(&N->random) + 1.0) / 2.0;
    if (number / KINDS % 2)
        part = pow(LIA_NEARER_RADIUS_LEAST, part);  // the first place may have been far out
    double radius = sqrt(N->least) * (kind == NEXT_TO_NEAREST ? 0.3 * part : part);
    for (int i = 0; i < N->u; i++) {
        int k = z->unknown[i];
        bool from_guess = kind < FEW_OF_NEAREST || (kind == FEW_OF_NEAREST && N->y[i] != 0.0);
        if (from_guess) z->x[k] = z->target[z->level][k];
        z->x[k] += radius * N->y[i];
    }
}

// The next place to begin a search at.
static void take_place(LiaNearer* N) {
    int all = STATIONS * N->u;
    lia_nearer_descent_put(N, N->best);
    if (N->begun % 2 && N->begun / 2 < all) {
        move_one(N, N->begun / 2);
    } else {
        draw_place(N, N->drawn++);
    }
    N->begun++;
    lia_nearer_descent_evaluate(N);
}

static void take(LiaNearer* N) {
    LiaSearch* z = N->z;
    double least = lia_metric_distance(z);
    N->searches++;
    N->agree++;
    if (least < N->least * (1.0 - LIA_NEARER_BETTER)) {
        N->least = least;
        N->agree = N->same = 1;
        N->begun = 0;
        memcpy(N->best, z->x, (size_t)z->n * sizeof *z->x);
    } else if (least < N->least * (1.0 + LIA_NEARER_SAME)) {
        N->same++;
    }
}

// Did enough searches end no nearer than the best did? More are wanted where they end at several
// places, or nowhere.
static bool enough(const LiaNearer* N) {
    bool one = N->same == N->searches;
    int many = N->u < 6 ? N->u : 6, wanted = one ? 10 + 8 * many : 40 + 24 * many;
    int swept = 2 * STATIONS * N->u < 100 ? 2 * STATIONS * N->u : 100;
    if (N->same < 2 || N->begun < swept) return false;
    return N->agree >= wanted || (N->begun >= 2 * wanted && 4 * N->agree >= wanted);
}

// From x.
static void search_here(LiaNearer* N) {
    LiaSearch* z = N->z;
    if (!lia_nearer_descent_onto(N, 0.5 * sqrt(N->least)) ||
        lia_metric_distance(z) > 25.0 * N->least)
        return;
    if (lia_nearer_descent_along(N) && (z->level == 1 || !lia_search_astray(z))) take(N);
}

// From the places of the chain, which are not drawn: where they end no nearer, they say nothing of
// how many searches are enough.
static void search_chain(LiaNearer* N) {
    LiaNearer before = *N;
    lia_nearer_chain_each(N, search_here);
    if (N->least < before.least) return;
    N->searches = before.searches, N->agree = before.agree, N->same = before.same;
}

static void search_drawn(LiaNearer* N) {
    for (int number = 0; N->left > 0 && number < 200 + 120 * N->u; number++) {
        if (enough(N)) break;
        take_place(N);
        search_here(N);
    }
}

// Coordinates that no link of the chain decides are at the nearest place so far: where the drawn
// ones came nearer, it is gone through again.
static void search(LiaNearer* N) {
    double before;
    search_chain(N);
    do {
        search_drawn(N);
        before = N->least;
        search_chain(N);
    } while (N->least < before && N->left > 0);
    N->z->doubt[N->z->level] |= !enough(N);
}

// The last digits of the nearest place. False where they are not found.
static bool finish(LiaNearer* N) {
    LiaSearch* z = N->z;
    double left;
    bool nearest;
    lia_nearer_descent_put(N, N->best);
    lia_search_evaluate(z);
    if (!lia_descent(z, true, &left)) return false;
    if (z->level == 1) return true;
    memcpy(N->here, z->x, (size_t)z->n * sizeof *z->x);
    left = lia_descent_come_nearer(z, left, &nearest);
    if (left < LIA_START_FOUND && lia_metric_distance(z) < N->least * (1.0 + LIA_NEARER_BETTER))
        return true;
    lia_nearer_descent_put(N, N->here);
    lia_search_evaluate(z);
    return true;
}

// The metric at the guess, where places are drawn. x comes back as it was.
static void take_metric_of_guess(LiaNearer* N) {
    LiaSearch* z = N->z;
    memcpy(N->here, z->x, (size_t)z->n * sizeof *z->x);
    for (int i = 0; i < N->u; i++) z->x[z->unknown[i]] = z->target[z->level][z->unknown[i]];
    lia_search_evaluate(z);
    lia_metric_take(z, NULL);
    memcpy(N->L0, z->dense.L, (size_t)N->u * (size_t)N->u * sizeof *N->L0);
    lia_nearer_descent_put(N, N->here);
    lia_search_evaluate(z);
}

// The coordinates z->unknown, which the equations z->row tie together; all others stay as they are.
static bool look_around(LiaSearch* z) {
    size_t size = (size_t)z->n * sizeof *z->x;
    LiaNearer N;
    if (!lia_nearer_descent_init(&N, z)) return false;
    take_metric_of_guess(&N);
    memcpy(N.first, z->x, size);
    memcpy(N.best, z->x, size);
    double least = N.least = lia_metric_distance(z);
    if (lia_nearer_descent_along(&N) && (z->level == 1 || !lia_search_astray(z))) take(&N);
    search(&N);
    bool nearer = N.least < least;
    if (!nearer || !finish(&N)) {
        lia_nearer_descent_put(&N, N.first);
        lia_search_evaluate(z);
        z->doubt[z->level] |= nearer;
    }
    lia_nearer_descent_clear(&N);
    return true;
}

// --- from further and further away --------------------------------------------------------------

// What a coordinate is measured by where nothing is known: its like, or 1.
static double usual_size(const LiaSearch* z, int i) {
    const LiaModel* model = z->s->model;
    int kind = lia_scaling_kind(model, i);
    double size = 0.0;
    if (kind == 1 && z->level == 0) return 1.0;
    for (int k = 0; k < z->n; k++) {
        if (lia_scaling_kind(model, k) == kind) size = fmax(size, fabs(z->target[z->level][k]));
    }
    return size > 0.0 ? size : 1.0;
}

// Some admissible place for the coordinates z->unknown, whose equations do not hold where x is.
// Left as it is if there is none.
static bool look_far(LiaSearch* z) {
    static const double radius[] = {0.0, 0.2, 0.6, 2.0, 6.0, 20.0};
    enum { RADII = sizeof radius / sizeof *radius };
    LiaNearer N;
    if (!lia_nearer_descent_init(&N, z)) return false;
    const double* target = z->target[z->level];
    int each = 6 + 3 * z->u;
    bool found = false;
    memcpy(N.first, z->x, (size_t)z->n * sizeof *z->x);
    for (int number = 0; !found && N.left > 0 && number < RADII * each; number++) {
        double far = radius[number / each];
        lia_nearer_descent_put(&N, N.first);
        for (int i = 0; i < N.u; i++) {
            int k = z->unknown[i];
            double by = far * usual_size(z, k) * lia_random_even(&N.random);
            z->x[k] = target[k] + by;
            N.y[i] = fmax(far, 1.0) * usual_size(z, k);
        }
        lia_nearer_descent_evaluate(&N);
        lia_metric_take(z, NULL);
        found = lia_nearer_descent_onto(&N, lia_nearer_descent_length(&N, N.y)) &&
                (z->level == 1 || !lia_search_astray(z));
        if (far == 0.0) number += each - 1;
    }
    if (!found) lia_nearer_descent_put(&N, N.first);
    lia_search_evaluate(z);
    lia_nearer_descent_clear(&N);
    return true;
}

// --- what hangs together ------------------------------------------------------------------------

static int root_of(int* parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void tie(const LiaPattern* pattern, int row, int* parent, const int* number, int with) {
    for (int e = pattern->start[row]; e < pattern->start[row + 1]; e++) {
        int i = number[pattern->column[e]];
        if (i < 0) continue;
        if (with >= 0) parent[root_of(parent, i)] = root_of(parent, with);
        with = i;
    }
}

typedef struct Parts {
    int u, m;              // of all of them
    int *unknown, *row;    // as z has them                                (u), (m)
    int *parent, *number;  // (u), (n)
} Parts;

// Coordinates that no equation and no inertia ties together are looked at apart: few at a time, and
// what is nearest of each is so of all.
static void find_parts(const LiaSearch* z, Parts* p) {
    const LiaDynamics* d = z->w->dynamics;
    for (int i = 0; i < z->n; i++) p->number[i] = -1;
    for (int i = 0; i < p->u; i++) p->number[p->unknown[i]] = p->parent[i] = i;
    for (int i = 0; i < p->u; i++) p->number[p->unknown[i]] = i;
    for (int c = 0; c < p->m; c++) tie(&d->J, p->row[c], p->parent, p->number, -1);
    for (int i = 0; i < p->u && !z->apart; i++) tie(&d->M, p->unknown[i], p->parent, p->number, i);
}

// Part number k into z: its coordinates and equations. False if it has none of either.
static bool take_part(LiaSearch* z, const Parts* p, int k) {
    const LiaPattern* J = &z->w->dynamics->J;
    z->u = z->m = 0;
    if (root_of(p->parent, k) != k) return false;
    for (int i = 0; i < p->u; i++) {
        if (root_of(p->parent, i) == k) z->unknown[z->u++] = p->unknown[i];
    }
    for (int c = 0; c < p->m; c++) {
        int first = -1;
        for (int e = J->start[p->row[c]]; e < J->start[p->row[c] + 1] && first < 0; e++)
            first = p->number[J->column[e]];
        if (first >= 0 && root_of(p->parent, first) == k) z->row[z->m++] = p->row[c];
    }
    return z->m > 0;
}

// Coordinates that no equation speaks of.
static void put_at_guess(LiaSearch* z) {
    for (int i = 0; i < z->u; i++) z->x[z->unknown[i]] = z->target[z->level][z->unknown[i]];
}

// The worst residual then; infinite if memory is out.
static double each_part(LiaSearch* z, bool far) {
    size_t u = (size_t)z->u, m = (size_t)z->m;
    int* block = lia_memory_zeros(2 * u + m + (size_t)z->n + 1, sizeof *block);
    if (!block) return INFINITY;
    Parts p = {.u = z->u, .m = z->m, .unknown = block, .row = block + u};
    p.parent = p.row + m, p.number = p.parent + u;
    memcpy(p.unknown, z->unknown, u * sizeof *block);
    memcpy(p.row, z->row, m * sizeof *block);
    find_parts(z, &p);
    bool ok = true;
    for (int k = 0; ok && k < p.u && !lia_watch_asked(); k++) {
        if (!take_part(z, &p, k)) {
            put_at_guess(z);
            continue;
        }
        if (far && !(lia_nearer_descent_worst(z) < LIA_START_FOUND)) ok = look_far(z);
        if (!far && lia_search_moved(z) > LIA_START_STAYED) ok = look_around(z);
    }
    z->u = p.u, z->m = p.m;
    memcpy(z->unknown, p.unknown, u * sizeof *block);
    memcpy(z->row, p.row, m * sizeof *block);
    free(block);
    lia_search_evaluate(z);
    return ok ? lia_search_worst(z, z->level) : INFINITY;
}

double lia_nearer_around(LiaSearch* z) { return each_part(z, false); }

double lia_nearer_far(LiaSearch* z) {
    double residual, left = each_part(z, true);
    return left < LIA_NEARER_FAR_FOUND && lia_descent(z, true, &residual) ? residual : left;
}
