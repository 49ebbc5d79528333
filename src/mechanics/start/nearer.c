// Is there a nearer admissible place than the one that was found? Newton steps end at some place where the guess is as near as
// it gets in the neighbourhood, and there may be many of them: a nearer one is inside of the ball about the guess
// that has the place found on its surface. So searches begin at places drawn from there, and the ball shrinks whenever one of them
// ends nearer. Each is
//
//   onto the equations    dx = the shortest with J dx = -residual, shortened until the residuals fall
//   along them            dx = the part of x0 - x with J dx = 0, in the metric M at x; then onto the equations again; shortened until
//                         the distance falls: so it ends where M (x - x0) = J^T lambda, and in a least value
//
// The last digits are left to descent.c. Where few searches end at the nearest place, or there was no room for enough of them,
// there may be a nearer one still: z->doubt. See search.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/scaling.h"
#include "mechanics/start/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Nearer {
    LiaSearch* z;
    int u, m;
    double* A;       // the metric at a place                                 u x u
    double* L0;      // at the guess, L0 L0^T                                 u x u
    double* G;       // B B^T, B = J L^-T                                     m x m
    double* y;       // a step                                                u
    double* along;   // towards the guess                                   u
    double* before;  // the same one step before                            u
    double* gone;    // that step                                           u
    double* size;    // of the rows                                         m
    double* here;    // x before a step                                       n
    double* best;    // the nearest place                                     n
    double* first;   // where the search began                                n
    double least;    // the square of its distance
    uint64_t random;
    int left;      // evaluations
    int searches;  // that arrived
    int agree;     // since the last one that came nearer
    int drawn;
    int begun;  // since then, arrived or not
    int same;   // that ended as near as the nearest place is
} Nearer;

static bool nearer_init(Nearer* N, LiaSearch* z) {
    size_t u = (size_t)z->u, m = (size_t)z->m, n = (size_t)z->n;
    *N = (Nearer){.z = z, .u = z->u, .m = z->m, .random = 0x2545f4914f6cdd1du};
    double* x = lia_memory_zeros(2 * u * u + m * m + 4 * u + m + 3 * n + 1, sizeof *x);
    if (!x) return false;
    N->A = x, x += u * u;
    N->L0 = x, x += u * u;
    N->G = x, x += m * m;
    N->y = x, x += u;
    N->along = x, x += u;
    N->before = x, x += u;
    N->gone = x, x += u;
    N->size = x, x += m;
    N->here = x, x += n;
    N->best = x, x += n;
    N->first = x;
    double work = (double)(m * u * (m + u) + u * u * u) / 2.0 + 20.0 * (double)(m + u) * (double)n;
    N->left = (int)fmin(20000.0, 3e7 / work);
    return true;
}

static void nearer_clear(Nearer* N) { free(N->A); }

// --- steps -------------------------------------------------------------------------------------------

static void put(const Nearer* N, const double* x) {
    memcpy(N->z->x, x, (size_t)N->z->n * sizeof *x);
}

// None are left once somebody asks for the end.
static void evaluate(Nearer* N) {
    lia_search_evaluate(N->z);
    N->left = lia_watch_asked() ? 0 : N->left - 1;
}

// d^T A d, d = x - x0, with the metric of the last step.
static double square(const Nearer* N) {
    const LiaSearch* z = N->z;
    const double* target = z->target[z->level];
    double sum = 0.0;
    for (int i = 0; i < N->u; i++) {
        double d = z->x[z->unknown[i]] - target[z->unknown[i]], row = 0.0;
        for (int k = 0; k < N->u; k++)
            row += N->A[i * N->u + k] * (z->x[z->unknown[k]] - target[z->unknown[k]]);
        sum += d * row;
    }
    return sum;
}

// The length of a step in the metric of z->dense.L.
static double length(const Nearer* N, const double* y) {
    double sum = 0.0;
    for (int k = 0; k < N->u; k++) {
        double x = 0.0;
        for (int i = k; i < N->u; i++) x += N->z->dense.L[i * N->u + k] * y[i];
        sum += x * x;
    }
    return sqrt(sum);
}

// y of least norm with J y = rhs. Not as exact as lia_metric_shortest(), and much quicker. The metric here into `A`, or NULL.
static bool shortest(Nearer* N, double* A, double* y) {
    LiaSearch* z = N->z;
    int u = N->u, m = N->m;
    double most = 0.0;
    lia_metric_take(z, A);
    for (int c = 0; c < m; c++) {
        double* row = z->dense.B + (size_t)c * (size_t)u;
        for (int i = 0; i < u; i++) row[i] = z->w->saddle.J[z->row[c] * z->n + z->unknown[i]];
        lia_dense_forward(u, z->dense.L, row);
        for (int k = 0; k <= c; k++) {
            const double* other = z->dense.B + (size_t)k * (size_t)u;
            double sum = 0.0;
            for (int i = 0; i < u; i++) sum += row[i] * other[i];
            N->G[c * m + k] = N->G[k * m + c] = sum;
        }
        most = fmax(most, N->G[c * m + c]);
    }
    for (int c = 0; c < m; c++) N->G[c * m + c] += LIA_NEARER_LIFTED * most;
    if (!(most > 0.0) || !lia_dense_cholesky(m, N->G)) return false;
    lia_dense_forward(m, N->G, z->rhs);
    lia_dense_backward(m, N->G, z->rhs);
    for (int i = 0; i < u; i++) {
        y[i] = 0.0;
        for (int c = 0; c < m; c++) y[i] += z->dense.B[c * u + i] * z->rhs[c];
    }
    lia_dense_backward(u, z->dense.L, y);
    return true;
}

static void go(const Nearer* N, const double* y, double part) {
    const LiaSearch* z = N->z;
    put(N, N->here);
    for (int i = 0; i < N->u; i++) z->x[z->unknown[i]] += part * y[i];
}

// --- onto the equations ------------------------------------------------------------------------------

// The residuals, each measured by the size of its row; that is found `anew`, or is the one of the place before.
static double misses(Nearer* N, bool anew) {
    const LiaSearch* z = N->z;
    double* size = N->size;
    double sum = 0.0;
    for (int c = 0; c < N->m; c++) {
        double row = anew ? lia_search_row_size(z, z->row[c]) : size[c];
        if (anew) size[c] = row > 0.0 ? fmax(row, LIA_START_ROW_LEAST) : 1.0;
        double r = lia_search_residual(z, z->row[c], z->level) / size[c];
        sum += r * r;
    }
    return sqrt(sum);
}

// The same, as lia_search_worst() has it, of the equations that are looked at.
static double worst(const LiaSearch* z) {
    double size = 1.0, most = 0.0;
    for (int i = 0; i < z->n; i++) size = fmax(size, fabs(z->x[i]));
    for (int c = 0; c < z->m; c++) {
        double row = lia_search_row_size(z, z->row[c]);
        double r = fabs(lia_search_residual(z, z->row[c], z->level));
        r /= size * (row > 0.0 ? fmax(row, LIA_START_ROW_LEAST) : 1.0);
        if (!(r <= most)) most = r;
        if (isnan(r)) return r;
    }
    return most;
}

// No step is longer than `most` in the metric. False where they lead nowhere.
static bool come_onto(Nearer* N, double most) {
    LiaSearch* z = N->z;
    for (int pass = 0; pass < 40 && N->left > 0; pass++) {
        double before = misses(N, true), part = 1.0;
        if (!isfinite(before)) return false;
        if (worst(z) < LIA_NEARER_ON_EQUATIONS) return true;
        for (int c = 0; c < N->m; c++) z->rhs[c] = -lia_search_residual(z, z->row[c], z->level);
        if (!shortest(N, NULL, N->y)) return false;
        double step = length(N, N->y);
        if (!isfinite(step) || !(step > 0.0)) return false;
        part = fmin(1.0, most / step);
        memcpy(N->here, z->x, (size_t)z->n * sizeof *z->x);
        for (int tries = 0;; tries++) {
            go(N, N->y, part);
            evaluate(N);
            if (misses(N, false) < (1.0 - 0.2 * part) * before) break;
            if (tries == 6) return false;
            part *= 0.4;
        }
    }
    return false;
}

// --- along them --------------------------------------------------------------------------------------

// Some plain steps, from next to the equations.
static bool settle(Nearer* N) {
    LiaSearch* z = N->z;
    for (int pass = 0; pass < 6; pass++) {
        evaluate(N);
        double left = worst(z);
        if (left < LIA_NEARER_ON_EQUATIONS) return true;
        if (!(left < LIA_NEARER_LOST)) return false;
        for (int c = 0; c < N->m; c++) z->rhs[c] = -lia_search_residual(z, z->row[c], z->level);
        if (!shortest(N, NULL, N->y)) return false;
        for (int i = 0; i < N->u; i++) z->x[z->unknown[i]] += N->y[i];
    }
    return false;
}

// The part of x0 - x along the equations; its length, NAN where it has none.
static double towards_guess(Nearer* N) {
    LiaSearch* z = N->z;
    const double* target = z->target[z->level];
    for (int c = 0; c < N->m; c++) {
        z->rhs[c] = 0.0;
        for (int i = 0; i < N->u; i++) {
            int k = z->unknown[i];
            z->rhs[c] += z->w->saddle.J[z->row[c] * z->n + k] * (z->x[k] - target[k]);
        }
    }
    if (!shortest(N, N->A, N->along)) return NAN;
    for (int i = 0; i < N->u; i++) {
        int k = z->unknown[i];
        N->along[i] -= z->x[k] - target[k];
    }
    return length(N, N->along);
}

// How much of it to go: where the equations are curved, more or less than all, as the last step has shown (Barzilai and
// Borwein 1988).
static double next_part(const Nearer* N, double part) {
    double gone = 0.0, turned = 0.0;
    for (int i = 0; i < N->u; i++) {
        gone += N->gone[i] * N->gone[i];
        turned += N->gone[i] * (N->before[i] - N->along[i]);
    }
    return turned > 0.0 ? fmin(20.0, fmax(gone / turned, LIA_NEARER_PART)) : fmin(20.0, 2.0 * part);
}

// A part of the way that comes nearer, tried from `part` on. False if there is none: x is as it was.
static bool come_a_part(Nearer* N, double* part, double before, double step) {
    LiaSearch* z = N->z;
    memcpy(N->here, z->x, (size_t)z->n * sizeof *z->x);
    for (int tries = 0; tries < 12; tries++) {
        go(N, N->along, *part);
        if (settle(N) && square(N) < before - 0.1 * fmin(*part, 1.0) * step * step) return true;
        *part *= 0.4;
    }
    put(N, N->here);
    evaluate(N);
    return false;
}

// To a place from which all ways along the equations lead further away. False where none is reached: next to a pole, say, which the
// equations come near to and never reach.
static bool come_along(Nearer* N) {
    LiaSearch* z = N->z;
    double part = 1.0, left = INFINITY;
    for (int pass = 0; pass < 100 && N->left > 0; pass++) {
        double step = towards_guess(N), before = square(N);
        left = before > LIA_NEARER_AT_GUESS * N->least ? step * step / before : NAN;
        if (!(left > LIA_NEARER_STILL)) break;
        if (pass > 0) part = next_part(N, part);
        if (!come_a_part(N, &part, before, step)) break;
        for (int i = 0; i < N->u; i++) N->gone[i] = z->x[z->unknown[i]] - N->here[z->unknown[i]];
        memcpy(N->before, N->along, (size_t)N->u * sizeof *N->along);
    }
    return left < LIA_NEARER_SETTLED;
}

// --- from everywhere ---------------------------------------------------------------------------------

enum { STATIONS = 8 };

// The nearest place with one coordinate moved through the ball: equations often have several solutions for one where the others are
// what they are. All of these are looked at, again when there is a nearer place.
static void move_one(Nearer* N, int number) {
    LiaSearch* z = N->z;
    int i = number / STATIONS, k = z->unknown[i];
    double side = number % 2 ? -1.0 : 1.0, part = (number % STATIONS / 2 + 0.5) * 2.0 / STATIONS;
    double reach = sqrt(N->least), own = 0.0;
    for (int j = 0; j <= i; j++) own += N->L0[i * N->u + j] * N->L0[i * N->u + j];
    z->x[k] = z->target[z->level][k] + side * part * reach / sqrt(own);
}

// A direction of length 1 in the metric at the guess, along `few` coordinates or, where these are all, along any.
static void draw_direction(Nearer* N, int few, double* g) {
    double sum = 0.0;
    for (int i = 0; i < N->u; i++) g[i] = 0.0;
    for (int k = 0; k < few; k++) {
        int i = few == N->u ? k : (int)((lia_search_draw(&N->random) + 1.0) / 2.0 * N->u) % N->u;
        g[i] = 0.0;
        for (int j = 0; j < 4; j++) g[i] += lia_search_draw(&N->random);  // as good as normal
    }
    for (int i = 0; i < N->u; i++) sum += g[i] * g[i];
    for (int i = 0; i < N->u; i++) g[i] /= sqrt(fmax(sum, LIA_DIRECTION_LEAST));
    lia_dense_backward(N->u, N->L0, g);
}

// A place in the ball about the guess, more of them near its middle; others that differ from the guess or from the nearest place in
// few coordinates, or from that by little: two solutions may be next to each other.
static void draw_place(Nearer* N, int number) {
    LiaSearch* z = N->z;
    enum { ANYWHERE, FEW, FEW_OF_NEAREST, NEXT_TO_NEAREST, KINDS };
    int kind = number % KINDS;
    bool few = (kind == FEW || kind == FEW_OF_NEAREST) && N->u > 2;
    draw_direction(N, few ? 2 + number / KINDS % 2 : N->u, N->y);
    double part = (lia_search_draw(&N->random) + 1.0) / 2.0;
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
static void take_place(Nearer* N) {
    int all = STATIONS * N->u;
    put(N, N->best);
    if (N->begun % 2 && N->begun / 2 < all) {
        move_one(N, N->begun / 2);
    } else {
        draw_place(N, N->drawn++);
    }
    N->begun++;
    evaluate(N);
}

static void take(Nearer* N) {
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

// Did enough searches end no nearer than the best did? More are wanted where they end at several places, or nowhere.
static bool enough(const Nearer* N) {
    bool one = N->same == N->searches;
    int many = N->u < 6 ? N->u : 6, wanted = one ? 10 + 8 * many : 40 + 24 * many;
    int swept = 2 * STATIONS * N->u < 100 ? 2 * STATIONS * N->u : 100;
    if (N->same < 2 || N->begun < swept) return false;
    return N->agree >= wanted || (N->begun >= 2 * wanted && 4 * N->agree >= wanted);
}

static void search(Nearer* N) {
    LiaSearch* z = N->z;
    for (int number = 0; N->left > 0 && number < 200 + 120 * N->u; number++) {
        if (enough(N)) break;
        take_place(N);
        if (!come_onto(N, 0.5 * sqrt(N->least)) || lia_metric_distance(z) > 25.0 * N->least)
            continue;
        if (come_along(N) && (z->level == 1 || !lia_search_astray(z))) take(N);
    }
    z->doubt[z->level] |= !enough(N);
}

// The last digits of the nearest place. False where they are not found.
static bool finish(Nearer* N) {
    LiaSearch* z = N->z;
    double left;
    bool nearest;
    put(N, N->best);
    lia_search_evaluate(z);
    if (!lia_descent(z, true, &left)) return false;
    if (z->level == 1) return true;
    memcpy(N->here, z->x, (size_t)z->n * sizeof *z->x);
    left = lia_descent_come_nearer(z, left, &nearest);
    if (left < LIA_START_FOUND && lia_metric_distance(z) < N->least * (1.0 + LIA_NEARER_BETTER))
        return true;
    put(N, N->here);
    lia_search_evaluate(z);
    return true;
}

// The metric at the guess, where places are drawn. x comes back as it was.
static void take_metric_of_guess(Nearer* N) {
    LiaSearch* z = N->z;
    memcpy(N->here, z->x, (size_t)z->n * sizeof *z->x);
    for (int i = 0; i < N->u; i++) z->x[z->unknown[i]] = z->target[z->level][z->unknown[i]];
    lia_search_evaluate(z);
    lia_metric_take(z, NULL);
    memcpy(N->L0, z->dense.L, (size_t)N->u * (size_t)N->u * sizeof *N->L0);
    put(N, N->here);
    lia_search_evaluate(z);
}

// The coordinates z->unknown, which the equations z->row tie together; all others stay as they are.
static bool look_around(LiaSearch* z) {
    size_t size = (size_t)z->n * sizeof *z->x;
    Nearer N;
    if (!nearer_init(&N, z)) return false;
    take_metric_of_guess(&N);
    memcpy(N.first, z->x, size);
    memcpy(N.best, z->x, size);
    double least = N.least = lia_metric_distance(z);
    if (come_along(&N) && (z->level == 1 || !lia_search_astray(z))) take(&N);
    search(&N);
    bool nearer = N.least < least;
    if (!nearer || !finish(&N)) {
        put(&N, N.first);
        lia_search_evaluate(z);
        z->doubt[z->level] |= nearer;
    }
    nearer_clear(&N);
    return true;
}

// --- from further and further away -------------------------------------------------------------------

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

// Some admissible place for the coordinates z->unknown, whose equations do not hold where x is. Left as it is if there is none.
static bool look_far(LiaSearch* z) {
    static const double radius[] = {0.0, 0.2, 0.6, 2.0, 6.0, 20.0};
    enum { RADII = sizeof radius / sizeof *radius };
    Nearer N;
    if (!nearer_init(&N, z)) return false;
    const double* target = z->target[z->level];
    int each = 6 + 3 * z->u;
    bool found = false;
    memcpy(N.first, z->x, (size_t)z->n * sizeof *z->x);
    for (int number = 0; !found && N.left > 0 && number < RADII * each; number++) {
        double far = radius[number / each];
        put(&N, N.first);
        for (int i = 0; i < N.u; i++) {
            int k = z->unknown[i];
            double by = far * usual_size(z, k) * lia_search_draw(&N.random);
            z->x[k] = target[k] + by;
            N.y[i] = fmax(far, 1.0) * usual_size(z, k);
        }
        evaluate(&N);
        lia_metric_take(z, NULL);
        found = come_onto(&N, length(&N, N.y)) && (z->level == 1 || !lia_search_astray(z));
        if (far == 0.0) number += each - 1;
    }
    if (!found) put(&N, N.first);
    lia_search_evaluate(z);
    nearer_clear(&N);
    return true;
}

// --- what hangs together -----------------------------------------------------------------------------

static int root_of(int* parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void tie(const LiaPattern* pattern, int row, int* parent, const int* place, int with) {
    for (int e = pattern->start[row]; e < pattern->start[row + 1]; e++) {
        int i = place[pattern->column[e]];
        if (i < 0) continue;
        if (with >= 0) parent[root_of(parent, i)] = root_of(parent, with);
        with = i;
    }
}

typedef struct Parts {
    int u, m;             // of all of them
    int *unknown, *row;   // as z has them                                (u), (m)
    int *parent, *place;  // (u), (n)
} Parts;

// Coordinates that no equation and no inertia ties together are looked at apart: few at a time, and what is nearest of each is so of
// all.
static void find_parts(const LiaSearch* z, Parts* p) {
    const LiaDynamics* d = z->w->dynamics;
    for (int i = 0; i < z->n; i++) p->place[i] = -1;
    for (int i = 0; i < p->u; i++) p->place[p->unknown[i]] = p->parent[i] = i;
    for (int i = 0; i < p->u; i++) p->place[p->unknown[i]] = i;
    for (int c = 0; c < p->m; c++) tie(&d->J, p->row[c], p->parent, p->place, -1);
    for (int i = 0; i < p->u && !z->apart; i++) tie(&d->M, p->unknown[i], p->parent, p->place, i);
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
            first = p->place[J->column[e]];
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
    p.parent = p.row + m, p.place = p.parent + u;
    memcpy(p.unknown, z->unknown, u * sizeof *block);
    memcpy(p.row, z->row, m * sizeof *block);
    find_parts(z, &p);
    bool ok = true;
    for (int k = 0; ok && k < p.u && !lia_watch_asked(); k++) {
        if (!take_part(z, &p, k)) {
            put_at_guess(z);
            continue;
        }
        if (far && !(worst(z) < LIA_START_FOUND)) ok = look_far(z);
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
