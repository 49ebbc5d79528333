// The hodograph of sliding in space, as Taylor series.
//
// Slip in polar coordinates, u_t = r (cos f, sin f); with dp = r ds the angle does not know of r:
//     f' = turn(f),  r' = r along(f),  p' = r,  u_n' = r k(f)      (by s)
// where along and turn are the parts of du_t/dp along the slip and across it. Zero slip is s =
// infinity: f tends to a direction without turn, r to 0 like an exponential, so that nothing is
// singular on the way there, and the rest is straight.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "motion/contact/impact/routh.h"
#include "motion/events/roots.h"
#include <math.h>
#include <string.h>

enum {
    ORDER = 28,
    STEPS = 4000,
    ROOTS = 4,
    LAST = 5,  // coefficients that decide the step
};

// Series by s over one step.
typedef struct Series {
    double c[ORDER + 1], s[ORDER + 1];  // of the angle
    double cc[ORDER + 1], cs[ORDER + 1], ss[ORDER + 1];
    double along[ORDER + 1], turn[ORDER + 1], k[ORDER + 1];
    double r[ORDER + 1];                // speed of the slip; also the slope of p
    double p[ORDER + 1], n[ORDER + 1];  // p, u_n
    double T[2][ORDER + 1];             // tangential impulse
    double normal_work[ORDER + 1], work[ORDER + 1];
} Series;

static double product(const double* x, const double* y, int k) {
    double sum = 0.0;
    for (int j = 0; j <= k; j++) sum += x[j] * y[k - j];
    return sum;
}

// Coefficients of order k of what is made of the angle, then those of order k + 1 of what grows.
static void extend(const LiaRouth* a, Series* x, int k) {
    const double(*W)[LIA_ROUTH_ROWS] = a->W;
    double mu = a->mu, one = k == 0 ? 1.0 : 0.0, next = k + 1.0;
    x->cc[k] = product(x->c, x->c, k);
    x->cs[k] = product(x->c, x->s, k);
    x->ss[k] = product(x->s, x->s, k);
    x->turn[k] = W[2][0] * x->c[k] - W[1][0] * x->s[k] -
                 mu * (W[2][1] * x->cc[k] + (W[2][2] - W[1][1]) * x->cs[k] - W[1][2] * x->ss[k]);
    x->along[k] = W[1][0] * x->c[k] + W[2][0] * x->s[k] -
                  mu * (W[1][1] * x->cc[k] + (W[1][2] + W[2][1]) * x->cs[k] + W[2][2] * x->ss[k]);
    x->k[k] = W[0][0] * one - mu * (W[0][1] * x->c[k] + W[0][2] * x->s[k]);
    x->c[k + 1] = -product(x->s, x->turn, k) / next;
    x->s[k + 1] = product(x->c, x->turn, k) / next;
    x->r[k + 1] = product(x->r, x->along, k) / next;
    x->p[k + 1] = x->r[k] / next;
    x->n[k + 1] = product(x->r, x->k, k) / next;
    x->T[0][k + 1] = -mu * product(x->r, x->c, k) / next;
    x->T[1][k + 1] = -mu * product(x->r, x->s, k) / next;
    x->normal_work[k + 1] = product(x->r, x->n, k) / next;
    x->work[k + 1] = x->normal_work[k + 1] - mu * product(x->r, x->r, k) / next;
}

static void expand(const LiaRouth* a, const LiaRouthState* s, Series* x) {
    double r = hypot(s->u[1], s->u[2]);
    x->c[0] = s->u[1] / r;
    x->s[0] = s->u[2] / r;
    x->r[0] = r;
    x->n[0] = s->u[0];
    x->p[0] = x->T[0][0] = x->T[1][0] = x->normal_work[0] = x->work[0] = 0.0;
    for (int k = 0; k < ORDER; k++) extend(a, x, k);
}

// How far the last coefficients of a series stay below rounding of `size`. Several of them: where
// the nearest singularity is complex, single ones are small by chance.
static double reach(const double* x, double size, double h) {
    for (int k = ORDER + 1 - LAST; k <= ORDER; k++) {
        double a = fabs(x[k]) / size;
        if (a > 0.0) h = fmin(h, pow(LIA_ROUTH_SERIES / a, 1.0 / k));
    }
    return h;
}

static double value(const double* x, double h) {
    double sum = x[ORDER];
    for (int k = ORDER - 1; k >= 0; k--) sum = sum * h + x[k];
    return sum;
}

static void arrive(const Series* x, double h, LiaRouthState* s) {
    double r = value(x->r, h), c = value(x->c, h), d = value(x->s, h), one = hypot(c, d);
    double work = value(x->normal_work, h);
    s->u[0] = value(x->n, h);
    s->u[1] = r * c / one;
    s->u[2] = r * d / one;
    s->P[0] += value(x->p, h);
    s->P[1] += value(x->T[0], h);
    s->P[2] += value(x->T[1], h);
    s->normal_work += work;
    s->work += value(x->work, h);
    if (!s->restitution) s->compression_work += work;
}

// The first root of a series in (0, h]; INFINITY: none.
static double first(const double* x, double h, bool at_root) {
    LiaRootFound roots[ROOTS];
    int count = lia_roots(x, ORDER, h, at_root, roots, ROOTS);
    for (int i = 0; i < count; i++) {
        if (roots[i].direction != 0) return roots[i].x;
    }
    return INFINITY;
}

// Where restitution ends within the step.
static double finish(const LiaRouth* a, const LiaRouthState* s, const Series* x, double h) {
    double left[ORDER + 1];
    const double* series = x->normal_work;
    if (a->law == LIA_RESTITUTION_NEWTON) series = x->n;
    if (a->law == LIA_RESTITUTION_POISSON) series = x->p;
    memcpy(left, series, sizeof left);
    left[0] = lia_routh_left(a, s);
    return left[0] >= 0.0 ? 0.0 : first(left, h, false);
}

// The last bit to zero slip, straight.
static void stop(const LiaRouth* a, const Series* x, LiaRouthState* s) {
    double r = hypot(s->u[1], s->u[2]), p = x->along[0] < 0.0 ? -r / x->along[0] : 0.0;
    s->u[0] += x->k[0] * p;
    s->P[0] += p;
    s->P[1] -= a->mu * x->c[0] * p;
    s->P[2] -= a->mu * x->s[0] * p;
    s->u[1] = s->u[2] = 0.0;
}

LiaRouthEnd lia_routh_curve_follow(const LiaRouth* a, LiaRouthState* s, unsigned* phases) {
    double start = hypot(s->u[1], s->u[2]), last = INFINITY;
    double speed = fmax(start, fabs(s->u[0]));
    bool at_zero = s->u[0] == 0.0;
    *phases |= LIA_IMPACT_SLID;
    for (int step = 0; step < STEPS; step++) {
        Series x;
        expand(a, s, &x);
        if (x.k[0] <= 0.0) *phases |= LIA_IMPACT_WEDGED;
        if (x.r[0] <= DBL_EPSILON * start && x.along[0] < 0.0) {
            stop(a, &x, s);
            return LIA_ROUTH_SLIP_ENDED;
        }
        if (x.r[0] > speed / LIA_ROUTH_ENDLESS_SLIP) return LIA_ROUTH_ENDLESS;
        double h = reach(x.c, 1.0, INFINITY);
        h = reach(x.r, x.r[0], reach(x.s, 1.0, h));
        if (!isfinite(h)) h = isfinite(last) ? 2.0 * last : 1.0 / (a->W[0][0] + a->W[1][1]);
        last = h;
        double turn = first(x.n, h, at_zero);
        double end = s->restitution ? finish(a, s, &x, h) : INFINITY;
        double next = fmin(turn, end);
        arrive(&x, fmin(next, h), s);
        at_zero = false;
        if (next > h) continue;
        if (next == end) return LIA_ROUTH_FINISHED;
        s->u[0] = 0.0;
        return LIA_ROUTH_TURNED;
    }
    return LIA_ROUTH_LOST;
}
