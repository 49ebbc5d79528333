// Routh's process by straight pieces. See routh.h; the curved piece is in routh_curve.c.
// SPDX-License-Identifier: MIT
#include "motion/contact/impact/routh.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <string.h>

enum {
    PIECES = 64,       // of one process; usual are at most five
    DIRECTIONS = 360,  // looked at for the sign of the turn
    HALVINGS = 60,     // of an interval of directions
};

double lia_routh_left(const LiaRouth* r, const LiaRouthState* s) {
    switch (r->law) {
    case LIA_RESTITUTION_NEWTON:
        return s->u[0] - s->aim;
    case LIA_RESTITUTION_POISSON:
        return s->P[0] - (1.0 + r->e) * s->compression_P;
    default:
        break;
    }
    return s->normal_work - (1.0 - r->e * r->e) * s->compression_work;
}

// ---- zero slip

// The least tau of sticking, where only one row of W_tt is independent.
static bool sticking_by_one(const LiaRouth* r, double* tau) {
    double one = hypot(r->W[1][1], r->W[1][2]), two = hypot(r->W[2][1], r->W[2][2]);
    const double* row = one >= two ? r->W[1] : r->W[2];
    double size = fmax(one, two);
    if (size == 0.0) return r->W[1][0] == 0.0 && r->W[2][0] == 0.0;
    for (int i = 0; i < 2; i++) tau[i] = -row[0] / size * (row[1 + i] / size);
    double rest = 0.0, terms = 0.0;
    for (int i = 1; i <= 2; i++) {
        const double* w = r->W[i];
        rest = fmax(rest, fabs(w[0] + w[1] * tau[0] + w[2] * tau[1]));
        terms = fmax(terms, fabs(w[0]));
    }
    return rest <= LIA_LCP_PIVOT * terms;
}

// tau of sticking; false where there is none.
static bool sticking(const LiaRouth* r, double* tau) {
    const double(*W)[LIA_ROUTH_ROWS] = r->W;
    tau[0] = tau[1] = 0.0;
    if (r->dimension == 1) {
        if (W[1][1] == 0.0) return W[1][0] == 0.0;
        tau[0] = -W[1][0] / W[1][1];
        return true;
    }
    double det = W[1][1] * W[2][2] - W[1][2] * W[2][1];
    double size = fabs(W[1][1] * W[2][2]) + fabs(W[1][2] * W[2][1]);
    if (fabs(det) <= LIA_LCP_MINOR * size) return sticking_by_one(r, tau);
    tau[0] = -(W[1][0] * W[2][2] - W[1][2] * W[2][0]) / det;
    tau[1] = -(W[1][1] * W[2][0] - W[1][0] * W[2][1]) / det;
    return true;
}

// d u_t/dp while sliding in the direction e: along e, and across it.
static double growth(const LiaRouth* r, const double* e, double* turn) {
    double k[2] = {0.0};
    for (int i = 0; i < r->dimension; i++) {
        k[i] = r->W[1 + i][0];
        for (int j = 0; j < r->dimension; j++) k[i] -= r->mu * r->W[1 + i][1 + j] * e[j];
    }
    *turn = r->dimension > 1 ? e[0] * k[1] - e[1] * k[0] : 0.0;
    return e[0] * k[0] + (r->dimension > 1 ? e[1] * k[1] : 0.0);
}

static double turn_at(const LiaRouth* r, double angle, double* along) {
    double turn, e[2] = {cos(angle), sin(angle)};
    *along = growth(r, e, &turn);
    return turn;
}

// Directions in which the slip grows from 0 without turning; e gets that in which it grows most.
static int departures(const LiaRouth* r, double* e) {
    int found = 0;
    double best = 0.0, along, turn;
    if (r->dimension == 1) {
        for (int side = -1; side <= 1; side += 2) {
            double d[2] = {side, 0.0};
            along = growth(r, d, &turn);
            if (!(along > 0.0)) continue;
            found++;
            if (along > best) e[0] = d[0], e[1] = 0.0, best = along;
        }
        return found;
    }
    double step = 8.0 * atan(1.0) / DIRECTIONS, before = turn_at(r, 0.0, &along);
    for (int i = 0; i < DIRECTIONS; i++) {
        double a = i * step, b = (i + 1) * step, after = turn_at(r, b, &along);
        double low = before, middle = b;
        before = after;
        if ((low > 0.0) == (after > 0.0)) continue;
        for (int k = 0; k < HALVINGS; k++) {
            middle = 0.5 * (a + b);
            if ((turn_at(r, middle, &along) > 0.0) == (low > 0.0))
                a = middle;
            else
                b = middle;
        }
        turn_at(r, middle, &along);
        if (!(along > 0.0)) continue;
        found++;
        if (along > best) e[0] = cos(middle), e[1] = sin(middle), best = along;
    }
    return found;
}

// ---- straight pieces

// The first p > 0 with c + k p + a p^2 / 2 = 0; INFINITY: none.
static double first_root(double c, double k, double a) {
    if (c == 0.0) return 0.0;
    if (c > 0.0) c = -c, k = -k, a = -a;
    double q = k * k - 2.0 * a * c;
    if (!(q >= 0.0)) return INFINITY;
    double s = k + copysign(sqrt(q), k), x = s != 0.0 ? -2.0 * c / s : INFINITY;
    double y = a != 0.0 ? -s / a : INFINITY;
    if (!(x > 0.0)) x = INFINITY;
    if (!(y > 0.0)) y = INFINITY;
    return fmin(x, y);
}

// p until restitution ends, with the slope k of u_n.
static double until_finished(const LiaRouth* r, const LiaRouthState* s, double k) {
    double left = lia_routh_left(r, s);
    if (left >= 0.0) return 0.0;
    switch (r->law) {
    case LIA_RESTITUTION_NEWTON:
        return k > 0.0 ? -left / k : INFINITY;
    case LIA_RESTITUTION_POISSON:
        return -left;
    default:
        return first_root(left, s->u[0], k);
    }
}

// From here on by p, with u growing by k and the force (1, tau).
static void go(const LiaRouth* r, LiaRouthState* s, double p, const double* k, const double* tau) {
    for (int i = 0; i <= r->dimension; i++) {
        double before = s->u[i], force = i == 0 ? 1.0 : tau[i - 1];
        s->u[i] += k[i] * p;
        double work = force * p * 0.5 * (before + s->u[i]);
        s->P[i] += force * p;
        s->work += work;
        if (i > 0) continue;
        s->normal_work += work;
        if (!s->restitution) s->compression_work += work;
    }
}

// Is gap' rounding of what it is the sum of? Stuck contacts whose gap' follows from their slip end
// so: what was compressed cannot be given back, whatever the law.
static bool is_at_rest(const LiaRouth* r, const LiaRouthState* s) {
    double size = fabs(r->u[0]);
    for (int i = 0; i <= r->dimension; i++) size += fabs(r->W[0][i] * s->P[i]);
    return fabs(s->u[0]) <= LIA_LCP_PIVOT * size;
}

// One straight piece with the force (1, tau); e: the direction of sliding, NULL: it sticks.
static LiaRouthEnd straight(const LiaRouth* r, LiaRouthState* s, const double* tau,
                            const double* e) {
    double k[LIA_ROUTH_ROWS] = {0.0}, speed = 0.0, slower = 0.0;
    for (int i = 0; i <= r->dimension; i++) {
        k[i] = r->W[i][0];
        for (int j = 0; j < r->dimension; j++) k[i] += r->W[i][1 + j] * tau[j];
        if (i > 0 && !e) k[i] = 0.0;
        if (i == 0 && fabs(k[0]) <= LIA_LCP_MINOR * fabs(r->W[0][0])) k[0] = 0.0;
        if (i > 0 && e) speed += e[i - 1] * s->u[i], slower -= e[i - 1] * k[i];
    }
    double slip = e && slower > 0.0 ? speed / slower : INFINITY;
    double turn = s->u[0] * k[0] < 0.0 ? -s->u[0] / k[0] : INFINITY;
    if (!s->restitution && s->u[0] >= 0.0 && k[0] > 0.0) turn = 0.0;
    double end = s->restitution ? until_finished(r, s, k[0]) : INFINITY;
    double p = fmin(slip, fmin(turn, end));
    if (!e && k[0] == 0.0 && is_at_rest(r, s)) {
        s->u[0] = 0.0;
        return LIA_ROUTH_FINISHED;
    }
    if (!isfinite(p)) return LIA_ROUTH_ENDLESS;
    go(r, s, p, k, tau);
    if (p == end) return LIA_ROUTH_FINISHED;
    if (p == slip) {
        for (int i = 1; i <= r->dimension; i++) s->u[i] = 0.0;
        return LIA_ROUTH_SLIP_ENDED;
    }
    s->u[0] = 0.0;
    return LIA_ROUTH_TURNED;
}

static LiaRouthEnd slide(const LiaRouth* r, LiaRouthState* s, const double* e, unsigned* phases) {
    double tau[2] = {0.0}, k = r->W[0][0];
    for (int i = 0; i < r->dimension; i++) {
        tau[i] = -r->mu * e[i];
        k += r->W[0][1 + i] * tau[i];
    }
    if (k <= 0.0) *phases |= LIA_IMPACT_WEDGED;
    return straight(r, s, tau, e);
}

// ---- the whole

typedef struct Course {
    bool curved;    // the first sliding in space
    bool departed;  // slides from zero slip on, in the direction e
    double e[2];
    LiaImpactStatus status;
} Course;

static double speed_of(const LiaRouth* r, const LiaRouthState* s) {
    return r->dimension == 2 ? hypot(s->u[1], s->u[2]) : r->dimension == 1 ? fabs(s->u[1]) : 0.0;
}

static LiaRouthEnd piece(LiaRouth* r, LiaRouthState* s, Course* course) {
    double tau[2] = {0.0};
    if (r->dimension == 0 || r->mu == 0.0) {
        if (speed_of(r, s) > 0.0) r->phases |= LIA_IMPACT_SLID;
        double none[2] = {0.0};  // no direction: the slip never ends
        return straight(r, s, tau, none);
    }
    double speed = speed_of(r, s);
    if (speed > 0.0 || course->departed) {
        if (course->curved) return lia_routh_curve_follow(r, s, &r->phases);
        if (!course->departed) {
            course->e[0] = s->u[1] / speed;
            course->e[1] = r->dimension > 1 ? s->u[2] / speed : 0.0;
            r->phases |= LIA_IMPACT_SLID;
        }
        return slide(r, s, course->e, &r->phases);
    }
    bool held = sticking(r, tau) && hypot(tau[0], tau[1]) <= r->mu * (1.0 + LIA_LCP_TIE);
    if (!held) {
        int ways = departures(r, course->e);
        if (ways > 1) course->status = LIA_IMPACT_SEVERAL;
        if (ways > 0) {
            r->phases |= r->phases & LIA_IMPACT_SLID ? LIA_IMPACT_REVERSED : LIA_IMPACT_SLID;
            course->departed = true;
            course->curved = false;
            return slide(r, s, course->e, &r->phases);
        }
    }
    r->phases |= LIA_IMPACT_STUCK;
    return straight(r, s, tau, NULL);
}

static void turn(const LiaRouth* r, LiaRouthState* s) {
    s->restitution = !s->restitution;
    if (s->restitution) s->compression_P = s->P[0];
    if (r->law == LIA_RESTITUTION_NEWTON) s->restitution = true;
}

// Does the slip press the bodies together though they do not approach?
static bool wedges(const LiaRouth* r, const LiaRouthState* s) {
    double speed = speed_of(r, s), k = r->W[0][0];
    for (int i = 1; i <= r->dimension && speed > 0.0; i++) {
        k -= r->mu * r->W[0][i] * s->u[i] / speed;
    }
    return k <= 0.0;
}

LiaImpactStatus lia_routh_solve(LiaRouth* r) {
    LiaRouthState s = {.aim = -r->e * fmin(r->u[0], 0.0)};
    memcpy(s.u, r->u, sizeof s.u);
    Course course = {.curved = r->dimension == 2, .status = LIA_IMPACT_SOLVED};
    r->phases = 0;
    bool ended = s.u[0] > 0.0 || (s.u[0] == 0.0 && !(r->jam && wedges(r, &s)));
    LiaRouthEnd end = LIA_ROUTH_FINISHED;
    for (int i = 0; i < PIECES && !ended; i++) {
        end = piece(r, &s, &course);
        if (end == LIA_ROUTH_SLIP_ENDED) course.curved = course.departed = false;
        if (end == LIA_ROUTH_TURNED) turn(r, &s);
        if (end == LIA_ROUTH_TURNED && s.restitution && lia_routh_left(r, &s) >= 0.0) {
            end = LIA_ROUTH_FINISHED;
        }
        ended = end != LIA_ROUTH_SLIP_ENDED && end != LIA_ROUTH_TURNED;
    }
    if (s.P[0] > 0.0) r->phases |= LIA_IMPACT_COMPRESSED;
    memcpy(r->u, s.u, sizeof s.u);
    memcpy(r->P, s.P, sizeof s.P);
    r->work = s.work;
    if (end == LIA_ROUTH_ENDLESS) return LIA_IMPACT_NO_SOLUTION;
    if (end != LIA_ROUTH_FINISHED) return LIA_IMPACT_BUDGET;
    return course.status;
}
