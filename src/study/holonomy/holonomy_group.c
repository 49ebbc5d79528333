// The rigid motion that a loop leaves behind. See holonomy_group.h.
// SPDX-License-Identifier: MIT
#include "study/holonomy/holonomy_group.h"
#include "base/memory/memory.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TURN = 2.0 * 3.14159265358979323846;

enum { PLACES = 4, LINES_MOST = 24, PAIRS_ALONE = 8 };  // lines; up to which each pair is tried

// A rigid motion, and what of the fibre it moves.
typedef struct Action {
    LiaHolonomyWork* w;
    bool space;                 // all axes; else about z, along x and y
    uint32_t line[LINES_MOST];  // pairs of lengths that are turned: x, y, x, y
    size_t lines;
    double* sigma;  // how an angle goes with a turn about z: 0, 1 or -1           (n)
    double turn[4], shift[3];
} Action;

// --- g q and Tg v -------------------------------------------------------------------------------

static void turn3(const double turn[4], const double a[3], double out[3]) {
    double c[3], d[3];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        c[k] = 2.0 * (turn[1 + i] * a[j] - turn[1 + j] * a[i]);
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        d[k] = a[k] + turn[0] * c[k] + (turn[1 + i] * c[j] - turn[1 + j] * c[i]);
    }
    memcpy(out, d, sizeof d);
}

static void product(const double a[4], const double b[4], double out[4]) {
    double c[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                   a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                   a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
                   a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
    memcpy(out, c, sizeof c);
}

// Of positions; `tangent`: of a velocity.
static void apply(const Action* g, double* q, bool tangent) {
    const LiaHolonomyWork* w = g->w;
    const LiaModel* model = w->h->system->model;
    double s = tangent ? 0.0 : 1.0;
    for (size_t k = 0; k + 1 < g->lines; k += 2) {
        double a[3] = {q[g->line[k]], q[g->line[k + 1]], 0.0};
        turn3(g->turn, a, a);
        q[g->line[k]] = a[0] + s * g->shift[0], q[g->line[k + 1]] = a[1] + s * g->shift[1];
    }
    double angle = 2.0 * atan2(g->turn[3], g->turn[0]);
    for (size_t i = 0; i < w->n; i++) q[i] += s * g->sigma[i] * angle;
    for (uint32_t c = 0; c < model->groups_count; c++) {
        const LiaGroup* group = &model->groups[c];
        if (w->x.driven[group->first] || model->coordinates[group->first].inner) continue;
        double* x = q + group->first;
        if (group->manifold == LIA_ROTATION) {
            product(g->turn, x, x);
        } else {
            turn3(g->turn, x, x);
            for (int k = 0; k < 3 && group->manifold == LIA_SPACE; k++) x[k] += s * g->shift[k];
        }
    }
}

// --- is the connection carried along? -----------------------------------------------------------

// A place at random over a place of the loop; its lifts into N. False where they have no value.
static bool lifts_at(LiaHolonomyWork* w, int place, double* q, double* N) {
    LiaHolonomy* h = w->h;
    double t = h->t0 + (h->t1 - h->t0) * (place + 0.3) / PLACES;
    if (!lia_transport_law(&w->x, t, w->s, w->ds)) return false;
    memcpy(q, w->q0, w->n * sizeof *q);
    for (size_t i = 0; i < h->count; i++) {
        if (!h->system->model->coordinates[h->fibre[i]].group)
            q[h->fibre[i]] += 0.7 * sin(place + 3.0 * (double)i + 1.0);
    }
    return lia_transport_place(&w->x, w->s, q) && lia_connection_lifts(&w->x.c, h->t0, q, N);
}

// Functions of the base at the place of the last lifts.
static double function_at(const LiaHolonomyWork* w, size_t a) {
    bool function = w->h->base[a] == UINT32_MAX && w->x.law[a] >= 0;
    return function ? w->x.c.w->phi[w->x.law[a]] : 0.0;
}

// How far the lifts at g q and the functions of the base there are from those carried along,
// relative.
static double carried(const Action* g, double* room) {
    LiaHolonomyWork* w = g->w;
    size_t n = w->n, base = w->h->base_count;
    double *q = room, *N = room + n, *there = N + base * n, worst = 0.0;
    for (int place = 0; place < PLACES; place++) {
        double size = 0.0, miss = 0.0;
        if (!lifts_at(w, place, q, N)) return INFINITY;
        for (size_t a = 0; a < base; a++) w->ds[a] = function_at(w, a);
        apply(g, q, false);
        if (!lia_connection_lifts(&w->x.c, w->h->t0, q, there)) return INFINITY;
        for (size_t a = 0; a < base; a++) {
            double* from = N + a * n;
            apply(g, from, true);
            for (size_t i = 0; i < n; i++) {
                size = fmax(size, fabs(from[i]));
                miss = fmax(miss, fabs(from[i] - there[a * n + i]));
            }
            worst = fmax(worst, fabs(function_at(w, a) - w->ds[a]));
        }
        worst = fmax(worst, size > 0.0 ? miss / size : 0.0);
    }
    return worst;
}

static void set_turn(Action* g, double angle, const double axis[3]) {
    g->turn[0] = cos(angle / 2.0);
    for (int k = 0; k < 3; k++) g->turn[1 + k] = sin(angle / 2.0) * axis[k];
}

static bool keeps(const Action* g, double* room) {
    return carried(g, room) <= LIA_HOLONOMY_CARRIED;
}

// --- which angles go with a turn about z --------------------------------------------------------

// Changes of lifts and functions by a small move of the fibre, into `out`: by a turn of the lengths
// and groups, or by an angle alone.
static bool change_by(Action* g, uint32_t angle, double step, double* room, double* out) {
    static const double z[3] = {0.0, 0.0, 1.0};
    LiaHolonomyWork* w = g->w;
    size_t n = w->n, base = w->h->base_count, row = 0;
    double *q = room, *N = room + n;
    for (int place = 0; place < PLACES; place++) {
        for (int side = -1; side <= 1; side += 2) {
            if (!lifts_at(w, place, q, N)) return false;
            set_turn(g, angle == UINT32_MAX ? side * step : 0.0, z);
            apply(g, q, false);
            if (angle != UINT32_MAX) q[angle] += side * step;
            if (!lia_connection_lifts(&w->x.c, w->h->t0, q, N)) return false;
            set_turn(g, angle == UINT32_MAX ? -side * step : 0.0, z);
            for (size_t a = 0; a < base; a++) {
                apply(g, N + a * n, true);
                double* to = out + row + a * (n + 1);
                for (size_t i = 0; i < n; i++) to[i] += side * N[a * n + i] / (2.0 * step);
                to[n] += side * function_at(w, a) / (2.0 * step);
            }
        }
        row += base * (n + 1);
    }
    return true;
}

// The angles by least squares: whole numbers, if it is a group. False if memory is out.
static bool find_sigma(Action* g, double* room) {
    LiaHolonomyWork* w = g->w;
    const LiaHolonomy* h = w->h;
    size_t n = w->n, count = 0, rows = PLACES * h->base_count * (n + 1);
    uint32_t* angle = lia_memory_zeros(n + 1, sizeof *angle);
    memset(g->sigma, 0, n * sizeof(double));
    for (size_t i = 0; angle && i < h->count; i++) {
        const LiaCoordinate* c = &h->system->model->coordinates[h->fibre[i]];
        if (c->manifold == LIA_CIRCLE && !c->group) angle[count++] = h->fibre[i];
    }
    size_t work = lia_qr_work((int)count, (int)rows) + lia_qr_work((int)rows, (int)count);
    double* x = lia_memory_zeros(2 * rows * (count + 1) + rows + 2 * count + work + 1, sizeof *x);
    int* index = lia_memory_zeros(2 * rows + 1, sizeof *index);
    bool ok = angle && x && index;
    if (ok && count > 0) {
        double *column = x, *b = x + rows * count, *A = b + rows, *pivot = A + rows * count;
        double *s = pivot + count, *scratch = s + count;
        bool known = change_by(g, UINT32_MAX, LIA_HOLONOMY_SMALL_TURN, room, b);
        for (size_t k = 0; known && k < count; k++)
            known = change_by(g, angle[k], LIA_HOLONOMY_SMALL_TURN, room, column + k * rows);
        for (size_t r = 0; r < rows; r++) {
            for (size_t k = 0; k < count; k++) A[r * count + k] = column[k * rows + r];
            b[r] = -b[r];
        }
        LiaRows q = {(int)rows, (int)count, A, pivot, index, 0};
        if (known) lia_qr_factor(&q, LIA_HOLONOMY_SMALL_TURN, true);
        if (known) lia_qr_solve(&q, b, s, scratch, index + rows);
        for (size_t k = 0; known && k < count; k++) g->sigma[angle[k]] = round(s[k]);
    }
    free(angle);
    free(x);
    free(index);
    return ok;
}

// --- g itself -----------------------------------------------------------------------------------

// The turn from q0 to q1: of an angle that goes with it, or of an attitude. False: nothing says it.
static bool find_turn(Action* g, double* angle) {
    const LiaHolonomyWork* w = g->w;
    const LiaModel* model = w->h->system->model;
    for (size_t i = 0; i < w->n; i++) {
        if (g->sigma[i] == 0.0) continue;
        *angle = (w->q1[i] - w->q0[i]) / g->sigma[i];
        set_turn(g, *angle, (double[]){0.0, 0.0, 1.0});
        return true;
    }
    for (uint32_t c = 0; c < model->groups_count; c++) {
        const LiaGroup* group = &model->groups[c];
        if (group->manifold != LIA_ROTATION || w->x.driven[group->first]) continue;
        const double *a = w->q0 + group->first, *b = w->q1 + group->first;
        product(b, (double[]){a[0], -a[1], -a[2], -a[3]}, g->turn);
        double size = hypot(hypot(g->turn[1], g->turn[2]), g->turn[3]);
        *angle = 2.0 * atan2(size, fabs(g->turn[0]));
        if (!g->space) *angle = 2.0 * atan2(g->turn[3], g->turn[0]);
        return true;
    }
    return false;
}

static void find_shift(Action* g) {
    const LiaHolonomyWork* w = g->w;
    const LiaModel* model = w->h->system->model;
    double from[3] = {0}, to[3] = {0};
    bool found = g->lines > 1;
    for (int k = 0; found && k < 2; k++) from[k] = w->q0[g->line[k]], to[k] = w->q1[g->line[k]];
    for (uint32_t c = 0; !found && c < model->groups_count; c++) {
        const LiaGroup* group = &model->groups[c];
        found = group->manifold == LIA_SPACE && !w->x.driven[group->first];
        if (!found) continue;
        memcpy(from, w->q0 + group->first, sizeof from);
        memcpy(to, w->q1 + group->first, sizeof to);
    }
    turn3(g->turn, from, from);
    for (int k = 0; k < 3; k++) g->shift[k] = to[k] - from[k];
    if (!g->space) g->shift[2] = 0.0;
}

// How far g q0 is from q1; angles but for whole turns, attitudes but for their sign.
static double left_over(const Action* g, double* q) {
    const LiaHolonomyWork* w = g->w;
    const LiaHolonomy* h = w->h;
    const LiaModel* model = h->system->model;
    double most = 0.0;
    memcpy(q, w->q0, w->n * sizeof *q);
    apply(g, q, false);
    for (size_t k = 0; k < h->count; k++) {
        uint32_t i = h->fibre[k];
        const LiaCoordinate* c = &model->coordinates[i];
        double miss = q[i] - w->q1[i];
        if (c->group && model->groups[c->group - 1].manifold == LIA_ROTATION) {
            uint32_t first = model->groups[c->group - 1].first;
            double same = 0.0;
            for (uint32_t j = 0; j < 4; j++) same += q[first + j] * w->q1[first + j];
            if (same < 0.0) miss = q[i] + w->q1[i];
        } else if (c->manifold == LIA_CIRCLE) {
            miss = remainder(miss, TURN);
        }
        most = fmax(most, fabs(miss) / (1.0 + fabs(w->q1[i])));
    }
    return most;
}

// The axis: a point that g moves along it alone, the one nearest to the origin; and by how much.
static void find_axis(const Action* g, LiaHolonomyMove* m) {
    double size = hypot(hypot(g->turn[1], g->turn[2]), g->turn[3]), d[3], cross[3];
    double sign = g->turn[0] < 0.0 && g->space ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) m->axis[k] = !g->space ? k == 2 : sign * g->turn[1 + k] / size;
    m->along = 0.0;
    for (int k = 0; k < 3; k++) m->along += m->axis[k] * g->shift[k];
    for (int k = 0; k < 3; k++) d[k] = g->shift[k] - m->along * m->axis[k];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        cross[k] = m->axis[i] * d[j] - m->axis[j] * d[i];
    }
    double cot = 1.0 / tan(m->angle / 2.0);
    for (int k = 0; k < 3; k++) m->centre[k] = (d[k] + cot * cross[k]) / 2.0;
}

static void describe(const Action* g, const char* name, double angle, double left,
                     LiaHolonomyWork* w) {
    LiaHolonomyMove* m = &w->h->move;
    w->h->moves = true;
    *m = (LiaHolonomyMove){.group = name, .angle = angle, .along = NAN, .left = left};
    memcpy(m->shift, g->shift, sizeof m->shift);
    for (int k = 0; k < 3; k++) m->centre[k] = m->axis[k] = NAN;
    for (int k = 0; k < 2 && g->lines > 1; k++)
        m->plane[k] = w->h->system->model->coordinates[g->line[k]].name;
    if (fabs(sin(angle / 2.0)) > LIA_HOLONOMY_NO_TURN) find_axis(g, m);
}

// --- which group --------------------------------------------------------------------------------

static bool has_groups(const LiaHolonomyWork* w, LiaManifold manifold) {
    const LiaModel* model = w->h->system->model;
    for (uint32_t c = 0; c < model->groups_count; c++) {
        if (model->groups[c].manifold == manifold && !w->x.driven[model->groups[c].first])
            return true;
    }
    return false;
}

// A turn the way of the first angle that goes with it, in whichever order x and y are declared.
static void orient(Action* g) {
    size_t n = g->w->n, i = 0;
    while (i < n && g->sigma[i] == 0.0) i++;
    if (i == n || g->sigma[i] > 0.0 || has_groups(g->w, LIA_SPACE) ||
        has_groups(g->w, LIA_ROTATION) || has_groups(g->w, LIA_SPHERE))
        return;
    for (; i < n; i++) g->sigma[i] = -g->sigma[i];
    for (size_t k = 0; k + 1 < g->lines; k += 2) {
        uint32_t first = g->line[k];
        g->line[k] = g->line[k + 1], g->line[k + 1] = first;
    }
}

// Is it one, with translations? Then g is found. False if memory is out.
static bool try_action(Action* g, double* room, const char* with, const char* without) {
    static const double axis[2][3] = {{0.0, 0.0, 1.0}, {0.6, 0.0, 0.8}};
    LiaHolonomyWork* w = g->w;
    memset(g->shift, 0, sizeof g->shift);
    if (g->space) memset(g->sigma, 0, w->n * sizeof(double));
    if (!g->space && !find_sigma(g, room)) return false;
    if (!g->space) orient(g);
    set_turn(g, 0.9, axis[g->space]);
    if (!keeps(g, room)) return true;
    for (int k = 0; k < (g->space ? 3 : 2); k++) g->shift[k] = 0.4 + 0.3 * k;
    bool shifts = keeps(g, room);
    double angle;
    if (!find_turn(g, &angle)) return true;
    memset(g->shift, 0, sizeof g->shift);
    if (shifts) find_shift(g);
    double left = left_over(g, room);
    if (!w->h->moves || left < w->h->move.left)
        describe(g, shifts ? with : without, angle, left, w);
    return true;
}

// Lengths of the fibre, in the order of the model.
static size_t find_lines(const LiaHolonomy* h, uint32_t line[LINES_MOST]) {
    size_t count = 0;
    for (size_t i = 0; i < h->count; i++) {
        const LiaCoordinate* c = &h->system->model->coordinates[h->fibre[i]];
        if (c->manifold != LIA_LINE || c->group || c->inner) continue;
        if (count == LINES_MOST) return 0;  // too many to guess pairs
        line[count++] = h->fibre[i];
    }
    return count;
}

static bool try_plane(Action* g, double* room) {
    LiaHolonomyWork* w = g->w;
    uint32_t line[LINES_MOST];
    size_t count = find_lines(w->h, line);
    // all pairs together: x, y, x, y, or x, x, y, y as families are declared
    for (int order = 0; order < 2 && !w->h->moves; order++) {
        if (!has_groups(w, LIA_SPACE) && count % 2 > 0) break;
        g->lines = count - count % 2;
        for (size_t k = 0; k < g->lines; k++)
            g->line[k] = line[order ? k / 2 + k % 2 * (g->lines / 2) : k];
        if (!try_action(g, room, "SE(2)", "SO(2)")) return false;
    }
    for (size_t a = 0; a < count && count > 2 && count <= PAIRS_ALONE; a++) {
        for (size_t b = a + 1; b < count; b++) {
            g->lines = 2, g->line[0] = line[a], g->line[1] = line[b];
            if (!try_action(g, room, "SE(2)", "SO(2)")) return false;
        }
    }
    return true;
}

bool lia_holonomy_group_find(LiaHolonomyWork* w) {
    size_t n = w->n, base = w->h->base_count;
    double* room = lia_memory_zeros(2 * n + 2 * base * n + 1, sizeof *room);
    if (!room) return false;
    Action g = {.w = w, .sigma = room + n + 2 * base * n};
    bool ok = true;
    if (has_groups(w, LIA_SPACE) && has_groups(w, LIA_ROTATION)) {
        g.space = true;
        ok = try_action(&g, room, "SE(3)", "SO(3)");
        g.space = false;
    }
    bool plane = !w->h->moves && (find_lines(w->h, g.line) > 1 || has_groups(w, LIA_SPACE));
    if (ok && plane) ok = try_plane(&g, room);
    free(room);
    return ok;
}
