// Multipliers that are not unique, as far inside of the cones as they can be: of lambda + range P
// (cone_norm.c) the point with the least
//
//     |lambda - lambda_0|^2/(2 size^2) - sum of log(slack),   slack: N, mu (N + offset) - |T|
//
// by Newton's steps; the first term keeps it finite where contacts can be pressed together as one
// likes. The shift is so large at first that all logarithms are there, and becomes smaller as the
// slacks allow it. Where it does not become 0 some slack is 0 for all multipliers.
// SPDX-License-Identifier: MIT
#include "base/numeric/dense.h"
#include "base/numeric/thresholds.h"
#include "motion/contact/friction/cone.h"
#include <math.h>
#include <string.h>

enum {
    STEPS = 12,     // of Newton's method, with one shift
    SHIFTS = 40,    // at most
    HALVINGS = 40,  // of one step
};

typedef struct Centre {
    const LiaConeScaled* s;
    const double *P, *from;
    double size, shift;
    double *x, *trial, *gradient, *H, *A, *step, *scales;
    int* row;
} Centre;

size_t lia_cone_centre_work(const LiaDelassus* d) {
    size_t m = (size_t)d->rows;
    return 2 * m * m + 7 * m;
}

static bool moves(const Centre* c, int row) { return c->P[row * c->s->rows + row] > LIA_LCP_RANK; }

static double bound(const LiaConeScaled* s, int contact, int k) {
    const LiaContactRows* of = s->contact + contact;
    return s->mu[contact * LIA_FRICTION_BLOCKS + k] * s->scale[of->block[k].row] /
           s->scale[of->normal];
}

// It begins to slide: its friction is on its bound, with all multipliers.
static bool slides(const LiaConeScaled* s, const LiaFrictionBlock* block) {
    const double* y = s->y + block->row;
    return (block->dimension == 1 ? fabs(y[0]) : hypot(y[0], y[1])) > LIA_LCP_PIVOT;
}

// One condition: its slack, and the parts of its gradient by N and by T.
typedef struct Slack {
    double value, by_N, by_T[2];
    int normal, tangent, dimension;
} Slack;

typedef void (*Visit)(Centre* c, const Slack* of, void* to);

// All conditions that the multipliers can change.
static void visit_all(Centre* c, const double* x, Visit visit, void* to) {
    const LiaConeScaled* s = c->s;
    for (int i = 0; i < s->contacts; i++) {
        const LiaContactRows* contact = s->contact + i;
        int n = contact->normal;
        Slack of = {.value = x[n] + c->shift, .by_N = 1.0, .normal = n, .dimension = 0};
        if (moves(c, n)) visit(c, &of, to);
        for (int k = 0; k < contact->blocks; k++) {
            const LiaFrictionBlock* block = contact->block + k;
            double mu = bound(s, i, k), N = x[n] + s->offset[i] * s->scale[n] + c->shift;
            bool any = moves(c, n);
            for (int j = 0; j < block->dimension; j++) any |= moves(c, block->row + j);
            if (!any || !(mu > 0.0) || slides(s, block)) continue;
            const double* T = x + block->row;
            for (int side = -1; side <= 1 && block->dimension == 1; side += 2) {
                of = (Slack){.value = mu * N - side * T[0], .by_N = mu, .by_T = {-side, 0.0}};
                of.normal = n, of.tangent = block->row, of.dimension = 1;
                visit(c, &of, to);
            }
            if (block->dimension == 1) continue;
            double size = hypot(T[0], T[1]), e[2] = {1.0, 0.0};
            if (size > 0.0) e[0] = T[0] / size, e[1] = T[1] / size;
            of = (Slack){.value = mu * N - size, .by_N = mu, .by_T = {-e[0], -e[1]}};
            of.normal = n, of.tangent = block->row, of.dimension = 2;
            visit(c, &of, to);
        }
    }
}

static void find_least(Centre* c, const Slack* of, void* to) {
    double* least = to;
    (void)c;
    *least = fmin(*least, of->value);
}

static void add_log(Centre* c, const Slack* of, void* to) {
    double* sum = to;
    (void)c;
    *sum -= of->value > 0.0 ? log(of->value) : -INFINITY;
}

// The curvature of a disc across its radius is left out: the steps are still downhill.
static void add_slopes(Centre* c, const Slack* of, void* to) {
    int m = c->s->rows, rows[3] = {of->normal, of->tangent, of->tangent + 1};
    double by[3] = {of->by_N, of->by_T[0], of->by_T[1]}, inverse = 1.0 / of->value;
    (void)to;
    for (int i = 0; i <= of->dimension; i++) {
        c->gradient[rows[i]] -= by[i] * inverse;
        for (int j = 0; j <= of->dimension; j++)
            c->H[rows[i] * m + rows[j]] += by[i] * by[j] * inverse * inverse;
    }
}

static double height(Centre* c, const double* x) {
    double sum = 0.0;
    for (int i = 0; i < c->s->rows; i++) {
        double off = (x[i] - c->from[i]) / c->size;
        sum += 0.5 * off * off;
    }
    visit_all(c, x, add_log, &sum);
    return sum;
}

// A = P H P + 1 - P; A step = -P gradient. False: singular.
static bool find_step(Centre* c) {
    int m = c->s->rows;
    memset(c->H, 0, (size_t)(m * m) * sizeof *c->H);
    for (int i = 0; i < m; i++) {
        c->gradient[i] = (c->x[i] - c->from[i]) / (c->size * c->size);
        c->H[i * m + i] = 1.0 / (c->size * c->size);
    }
    visit_all(c, c->x, add_slopes, NULL);
    for (int i = 0; i < m; i++) {  // A <- H P
        for (int j = 0; j < m; j++) {
            c->A[i * m + j] = lia_sum_of_products(c->H + i * m, c->P + j * m, m);
        }
    }
    for (int j = 0; j < m; j++) {  // P A, column by column
        for (int i = 0; i < m; i++) {
            c->step[i] = 0.0;
            for (int k = 0; k < m; k++) c->step[i] += c->P[i * m + k] * c->A[k * m + j];
        }
        for (int i = 0; i < m; i++) c->H[i * m + j] = c->step[i] + (i == j) - c->P[i * m + j];
    }
    for (int i = 0; i < m; i++) c->step[i] = -lia_sum_of_products(c->P + i * m, c->gradient, m);
    LiaLu lu = {.n = m, .A = c->H, .row = c->row, .left = c->scales, .right = c->scales + m};
    if (!(lia_dense_lu_factor(&lu, NULL) > 0.0)) return false;
    lia_dense_lu_solve(&lu, c->step);
    return true;
}

// Newton's steps with one shift.
static void descend(Centre* c) {
    int m = c->s->rows;
    double now = height(c, c->x);
    for (int step = 0; step < STEPS; step++) {
        if (!find_step(c)) return;
        double part = 1.0, next = INFINITY;
        for (int i = 0; i < HALVINGS && !(next < now); i++, part *= 0.5) {
            for (int k = 0; k < m; k++) c->trial[k] = c->x[k] + part * c->step[k];
            next = height(c, c->trial);
        }
        if (!(next < now)) return;
        memcpy(c->x, c->trial, (size_t)m * sizeof *c->x);
        now = next;
    }
}

bool lia_cone_centre_find(const LiaConeScaled* s, const double* P, double* lambda, double* work,
                          int* index) {
    int m = s->rows;
    Centre c = {.s = s, .P = P, .from = lambda, .x = work, .row = index};
    c.trial = work + m, c.gradient = work + 2 * m, c.step = work + 3 * m, c.scales = work + 4 * m;
    c.H = work + 6 * m, c.A = c.H + m * m;
    memcpy(c.x, lambda, (size_t)m * sizeof *c.x);
    for (int i = 0; i < m; i++) c.size = fmax(c.size, fabs(lambda[i]));
    if (!(c.size > 0.0)) return false;
    double least = INFINITY;
    visit_all(&c, c.x, find_least, &least);
    if (least == INFINITY) return true;  // nothing moves
    c.shift = least > 0.0 ? 0.0 : c.size - 2.0 * least;
    for (int i = 0; i < SHIFTS; i++) {
        descend(&c);
        if (c.shift == 0.0) break;
        double kept = c.shift;
        c.shift = 0.0;
        least = INFINITY;
        visit_all(&c, c.x, find_least, &least);
        if (least <= 0.0) c.shift = fmin(0.5 * kept, -2.0 * least + LIA_LCP_TIE * c.size);
        if (c.shift > 0.0 && c.shift <= LIA_LCP_PIVOT * c.size) return false;
    }
    if (c.shift == 0.0) memcpy(lambda, c.x, (size_t)m * sizeof *lambda);
    return c.shift == 0.0;
}
