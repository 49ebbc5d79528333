// Slips of two components that begin from rest, and friction where all components of a normal force
// vanish at one instant (rough/rough_modes.c). A slip is (t - t0)^k W(t), k = 1, or k = 2 where
// friction that holds has just reached its bound. Its direction, W/|W|, is smooth, but has no
// series at t0 by the formula slip/|slip|. So the run goes a short time d into the mode by
// collocation at Radau's points, none of which is t0:
//
//     v(t_i) = v0 + d sum of A_ij a(t_j, q_j, v_j),   q(t_i) = q0 + d sum of A_ij v_j
//
// The motion is smooth, so that five points give it to rounding. The accelerations depend strongly
// on the slips, which are small: Newton's method over the velocities that the friction changes, in
// all other directions the iteration of Picard. Velocities are counted in units in which friction
// that changes a slip by 1 changes them by 1: lengths and angles have no common one.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/dense.h"
#include "base/numeric/newton.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/stage.h"
#include "motion/contact/slip/slip_way.h"
#include "motion/run/step.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 40 };

static const double* const point = lia_slip_guess_points;

// --- collocation --------------------------------------------------------------------------------

// A_ij: the integral of Lagrange's polynomial j from 0 to point i.
static void find_weights(LiaSlipWay* b) {
    for (int j = 0; j < LIA_SLIP_POINTS; j++) {
        double* c = b->polynomial[j];
        int degree = 0;
        c[0] = 1.0;
        for (int k = 0; k < LIA_SLIP_POINTS; k++) {
            if (k == j) continue;
            double by = 1.0 / (point[j] - point[k]);
            for (int i = degree + 1; i >= 0; i--)
                c[i] = by * ((i > 0 ? c[i - 1] : 0.0) - (i <= degree ? point[k] * c[i] : 0.0));
            degree++;
        }
        for (int i = 0; i < LIA_SLIP_POINTS; i++) {
            double sum = 0.0;
            for (int k = degree; k >= 0; k--) sum = sum * point[i] + c[k] / (k + 1);
            b->A[i][j] = sum * point[i];
        }
    }
}

static size_t directions(const LiaInstant* at) {
    return 2 * LIA_CONTACT_BLOCKS * (size_t)at->response.at_rest.contacts;
}

static bool make_room(LiaSlipWay* b) {
    size_t n = b->n = b->run->system->n, lines = b->lines = b->run->system->line_count;
    size_t rows = b->run->system->row_count;
    size_t p = directions(b->at), N = LIA_SLIP_POINTS * p;
    size_t doubles =
        LIA_SLIP_POINTS * (6 * n + lines + rows) + p * n + 2 * n + N * n + N * N + 3 * N;
    b->block = lia_memory_zeros(doubles * sizeof(double) + (N + 1) * sizeof(int), 1);
    if (!b->block) return false;
    double* x = b->block;
    b->q = x, x += LIA_SLIP_POINTS * n;
    b->v = x, x += LIA_SLIP_POINTS * n;
    b->a = x, x += LIA_SLIP_POINTS * n;
    b->rest = x, x += LIA_SLIP_POINTS * n;
    b->before = x, x += LIA_SLIP_POINTS * n;
    b->step = x, x += LIA_SLIP_POINTS * n;
    b->power = x, x += LIA_SLIP_POINTS * lines;
    b->mu = x, x += LIA_SLIP_POINTS * rows;
    b->U = x, x += p * n;
    b->unit = x, x += n;
    b->other = x, x += n;
    b->G = x, x += N * n;
    b->equations.M = x, x += N * N;
    b->equations.y = x, x += N;
    b->equations.scales = x, x += 2 * N;
    b->equations.row = (int*)x;
    return true;
}

// The accelerations at point j; `plus`: with this velocity in addition. False where there are none.
static bool accelerate(const LiaSlipWay* b, int j, const double* plus, double by, double* a) {
    LiaWorkspace* w = b->run->w;
    const LiaContacts* c = b->run->contacts;
    w->t = c->t + point[j] * b->d;
    memcpy(w->q, b->q + (size_t)j * b->n, b->n * sizeof(double));
    memcpy(w->v, b->v + (size_t)j * b->n, b->n * sizeof(double));
    for (size_t i = 0; plus && i < b->n; i++) w->v[i] += by * plus[i] * b->unit[i];
    if (!lia_workspace_evaluate(w)) return false;
    for (size_t i = 0; i < b->n; i++) {
        a[i] = w->a[i];
        if (!isfinite(a[i])) return false;
    }
    size_t rows = w->system->row_count;
    if (!plus) memcpy(b->mu + (size_t)j * rows, w->mu, rows * sizeof(double));
    if (!plus) lia_slip_way_note_sides(b, j);
    for (size_t l = 0; !plus && l < b->lines; l++)
        b->power[(size_t)j * b->lines + l] = lia_jet_series(&w->jets, w->dynamics->power[l])[0];
    return true;
}

// The least slip that begins, where the accelerations were looked at last.
static double least_slip(const LiaSlipWay* b) {
    const LiaSystem* s = b->run->system;
    const LiaWorkspace* w = b->run->w;
    double least = INFINITY;
    for (uint32_t i = 0; i + 1 < s->mode.watched_count; i++) {
        const LiaWatched* of = &s->mode.watched[i];
        if (of->kind != LIA_WATCH_SLIP || s->mode.watched[i + 1].kind != LIA_WATCH_SLIP) continue;
        const LiaWatched* next = of + 1;
        if (of->rough || next->rough || of->contact != next->contact) continue;
        if (of->block != next->block) continue;
        double x = lia_jet_coefficient(&w->jets, w->dynamics->watched[i], 0);
        double y = lia_jet_coefficient(&w->jets, w->dynamics->watched[i + 1], 0);
        least = fmin(least, hypot(x, y));
        i++;
    }
    return isfinite(least) ? least : 1.0;  // none begins: a normal force vanishes
}

// --- what friction changes ----------------------------------------------------------------------

// The largest velocity of a row that the velocities u bring about, in units where there are some.
static double moved_by(const LiaSlipWay* b, const double* u, const double* unit) {
    const LiaResponse* r = &b->at->response;
    double most = 0.0;
    for (int k = 0; k < r->at_rest.rows; k++) {
        const double* Omega = r->Omega + (size_t)k * b->n;
        double sum = 0.0;
        for (size_t i = 0; i < b->n; i++) sum += Omega[i] * u[i] * (unit ? unit[i] : 1.0);
        most = fmax(most, fabs(sum));
    }
    return most;
}

// The units of velocities by `count` directions; of those that friction does not change, their
// speeds per slip.
static void find_units(LiaSlipWay* b, int count) {
    const LiaRunner* run = b->run;
    const uint32_t* family = run->scales.family;
    double *of_family = b->step, slip = b->slip[LIA_SLIP_POINTS - 1];
    memset(b->unit, 0, b->n * sizeof *b->unit);
    memset(of_family, 0, b->n * sizeof *of_family);
    for (int k = 0; k < count; k++) {
        const double* u = b->U + (size_t)k * b->n;
        double moved = moved_by(b, u, NULL);
        for (size_t i = 0; moved > 0.0 && i < b->n; i++)
            of_family[family[i]] = fmax(of_family[family[i]], fabs(u[i]) / moved);
    }
    for (size_t i = 0; i < b->n; i++) {
        double own = of_family[family[i]];
        double speed = fmax(lia_scale_v(&run->scales, run->w, (uint32_t)i),
                            lia_scale_q(&run->scales, run->w, (uint32_t)i) / run->span);
        b->unit[i] = own > 0.0 ? own : speed > 0.0 && slip > 0.0 ? speed / slip : 1.0;
    }
    for (int k = 0; k < count; k++) {
        for (size_t i = 0; i < b->n; i++) b->U[(size_t)k * b->n + i] /= b->unit[i];
    }
}

// Velocities that forces along the slips bring about in the mode, at the last point.
static bool find_directions(LiaSlipWay* b) {
    LiaWorkspace* w = b->run->w;
    const LiaResponse* r = &b->at->response;
    int count = 0;
    for (int k = 0; k < LIA_CONTACT_BLOCKS * r->at_rest.contacts; k++) {
        const LiaFrictionBlock* block = lia_slip_way_block(b->run, r, b->mode, k);
        for (int i = 0; block && i < block->dimension; i++) {
            const double* Omega = r->Omega + (size_t)(block->row + i) * b->n;
            double* u = b->U + (size_t)count++ * b->n;
            memset(w->b, 0, (size_t)(w->nf + w->nr) * sizeof *w->b);
            for (int f = 0; f < w->nf; f++) w->b[f] = Omega[w->dynamics->free[f]];
            lia_workspace_solve(w, w->b);
            for (int f = 0; f < w->nf; f++) u[w->dynamics->free[f]] = w->b[f];
        }
    }
    find_units(b, count);
    b->p = count > 0 ? lia_qr_basis(count, (int)b->n, b->U, LIA_LCP_RANK) : 0;
    return b->p > 0 || count == 0;
}

// What the directions do to the accelerations at point j, by differences to both sides: along a
// slip friction does not change, and what one side would leave of that is much, where slips are
// small.
static bool find_slopes(const LiaSlipWay* b, int j, double slip) {
    for (int k = 0; k < b->p; k++) {
        const double* u = b->U + (size_t)k * b->n;
        double *G = b->G + (size_t)(j * b->p + k) * b->n, moved = moved_by(b, u, b->unit);
        double by = moved > 0.0 ? LIA_SLIP_DIFFERENCE * slip / moved : 0.0;
        if (by == 0.0) {
            memset(G, 0, b->n * sizeof *G);
            continue;
        }
        if (!accelerate(b, j, u, by, G) || !accelerate(b, j, u, -by, b->other)) return false;
        for (size_t i = 0; i < b->n; i++) G[i] = (G[i] - b->other[i]) / (2.0 * by * b->unit[i]);
    }
    return true;
}

// --- Newton's method ----------------------------------------------------------------------------

// What is left of the equations, in units. Returns its size.
static double find_rest(const LiaSlipWay* b) {
    const double* v0 = b->run->contacts->v;
    double most = 0.0;
    for (int j = 0; j < LIA_SLIP_POINTS; j++) {
        for (size_t i = 0; i < b->n; i++) {
            double sum = 0.0;
            for (int k = 0; k < LIA_SLIP_POINTS; k++)
                sum += b->A[j][k] * b->a[(size_t)k * b->n + i];
            double rest = v0[i] + b->d * sum - b->v[(size_t)j * b->n + i];
            b->rest[(size_t)j * b->n + i] = rest / b->unit[i];
            most = fmax(most, fabs(rest / b->unit[i]));
        }
    }
    return most;
}

static void find_positions(const LiaSlipWay* b) {
    const double* q0 = b->run->contacts->q;
    for (int j = 0; j < LIA_SLIP_POINTS; j++) {
        for (size_t i = 0; i < b->n; i++) {
            double sum = 0.0;
            for (int k = 0; k < LIA_SLIP_POINTS; k++)
                sum += b->A[j][k] * b->v[(size_t)k * b->n + i];
            b->q[(size_t)j * b->n + i] = q0[i] + b->d * sum;
        }
    }
}

// y_j - d sum of A_jk U^T G_k y_k = U^T rest_j
static bool solve(const LiaSlipWay* b) {
    int p = b->p, N = LIA_SLIP_POINTS * p;
    for (int j = 0; j < LIA_SLIP_POINTS; j++) {
        for (int i = 0; i < p; i++) {
            const double* u = b->U + (size_t)i * b->n;
            b->equations.y[j * p + i] =
                lia_sum_of_products(u, b->rest + (size_t)j * b->n, (int)b->n);
            for (int k = 0; k < LIA_SLIP_POINTS; k++) {
                for (int l = 0; l < p; l++) {
                    const double* G = b->G + (size_t)(k * p + l) * b->n;
                    double same = j == k && i == l ? 1.0 : 0.0;
                    b->equations.M[(j * p + i) * N + k * p + l] =
                        same - b->d * b->A[j][k] * lia_sum_of_products(u, G, (int)b->n);
                }
            }
        }
    }
    LiaLu lu = {.n = N,
                .A = b->equations.M,
                .row = b->equations.row,
                .left = b->equations.scales,
                .right = b->equations.scales + N};
    if (!(lia_dense_lu_factor(&lu, NULL) > 0.0)) return false;
    lia_dense_lu_solve(&lu, b->equations.y);
    return true;
}

// Accelerations at all points, and what is left of the equations. Returns its size; INFINITY: there
// are none.
static double look(LiaSlipWay* b) {
    for (int j = LIA_SLIP_POINTS - 1; j >= 0; j--) {
        if (!accelerate(b, j, NULL, 0.0, b->a + (size_t)j * b->n)) return INFINITY;
        b->slip[j] = least_slip(b);
        if (!(b->slip[j] > 0.0)) return INFINITY;
    }
    return find_rest(b);
}

// b->v + part of the step.
static double go(LiaSlipWay* b, double part) {
    for (size_t i = 0; i < LIA_SLIP_POINTS * b->n; i++)
        b->v[i] = b->before[i] + part * b->step[i] * b->unit[i % b->n];
    find_positions(b);
    return look(b);
}

// The step that the slopes say, shorter where that does not lead nearer. Gives the largest change
// of a velocity; NAN: there is none.
static double improve(void* of, double damping) {
    enum { HALVINGS = 12 };
    LiaSlipWay* b = of;
    double moved = 0.0;
    (void)damping;
    for (int j = LIA_SLIP_POINTS - 1; j >= 0; j--) {
        if (!find_slopes(b, j, b->slip[j])) return NAN;
    }
    if (!solve(b)) return NAN;
    for (size_t j = 0; j < LIA_SLIP_POINTS; j++) {
        for (size_t i = 0; i < b->n; i++) {
            double change = b->rest[j * b->n + i];
            for (int k = 0; k < LIA_SLIP_POINTS * b->p; k++)
                change += b->d * b->A[j][k / b->p] * b->G[(size_t)k * b->n + i] * b->equations.y[k];
            b->step[j * b->n + i] = change;
            moved = lia_larger(moved, fabs(change));
        }
    }
    memcpy(b->before, b->v, LIA_SLIP_POINTS * b->n * sizeof(double));
    double part = 1.0, rest = go(b, part);
    for (int i = 0; i < HALVINGS && !(rest < b->left); i++) rest = go(b, part *= 0.5);
    if (!(rest < b->left)) rest = go(b, 1.0);  // rounding
    b->left = rest;
    return moved;
}

static double left(void* of) { return ((LiaSlipWay*)of)->left; }

// Velocities are as good as they are small relative to the slips, whose directions decide all.
static double least_of_slips(void* of) {
    const LiaSlipWay* b = of;
    double least = INFINITY;
    for (int j = 0; j < LIA_SLIP_POINTS; j++) least = fmin(least, b->slip[j]);
    return least;
}

// What rounding of the velocities makes of the acceleration of coordinate i at point j, by the last
// slopes: the directions of small slips are not known to all digits.
static double blur(const LiaSlipWay* b, int j, size_t i) {
    const double* v = b->v + (size_t)j * b->n;
    double sum = 0.0;
    for (int k = 0; k < b->p; k++) {
        const double *u = b->U + (size_t)k * b->n, *G = b->G + (size_t)(j * b->p + k) * b->n;
        double along = 0.0;
        for (size_t l = 0; l < b->n; l++) along += fabs(u[l] * v[l]) / b->unit[l];
        sum += fabs(G[i]) * b->unit[i] * DBL_EPSILON * along;
    }
    return sum;
}

typedef struct Highest {
    double difference;  // the fourth one of accelerations
    double most;        // what they are measured by
    double blur;        // of the difference
} Highest;

static Highest fourth_difference(const LiaSlipWay* b, size_t i) {
    Highest x = {0};
    double sum = 0.0;
    for (int j = 0; j < LIA_SLIP_POINTS; j++) {
        double a = b->a[(size_t)j * b->n + i], by = 1.0;
        for (int k = 0; k < LIA_SLIP_POINTS; k++) {
            if (k != j) by /= point[j] - point[k];
        }
        sum += by * a;
        x.most = fmax(x.most, fabs(a) + fabs(b->run->contacts->v[i]) / b->d);
        x.blur += fabs(by) * blur(b, j, i);
    }
    x.difference = fabs(sum);
    return x;
}

// What the acceleration of coordinate i is made of: forces may nearly cancel.
static double terms_of(const LiaSlipWay* b, size_t i) {
    const LiaResponse* r = &b->at->response;
    double sum = fabs(r->free[i]);
    for (int j = 0; j < r->at_rest.rows; j++)
        sum += fabs(r->answer[(size_t)j * b->n + i] * b->at->proposal.found.lambda[j]);
    return sum;
}

// Do the points give the accelerations to rounding? Their fourth difference says how fast the terms
// of the motion fall, from each to the next; what is rounding in its family says nothing.
static bool is_fine(const LiaSlipWay* b) {
    const uint32_t* family = b->run->scales.family;
    double* of_family = b->step;
    if (b->d <= LIA_SLIP_SHORT * b->run->course.longest) return true;
    memset(of_family, 0, b->n * sizeof *of_family);
    for (size_t i = 0; i < b->n; i++) {
        double most = fmax(fourth_difference(b, i).most, terms_of(b, i));
        of_family[family[i]] = fmax(of_family[family[i]], most);
    }
    for (size_t i = 0; i < b->n; i++) {
        Highest x = fourth_difference(b, i);
        double least = LIA_SLIP_NOISE * of_family[family[i]] + x.blur;
        if (!(x.difference <= LIA_SLIP_SMOOTH * x.most + least)) return false;
    }
    return true;
}

static bool iterate_on_sides(LiaSlipWay* b) {
    for (size_t i = 0; i < b->n; i++) b->unit[i] = 1.0;
    if (!isfinite(look(b)) ||
        !accelerate(b, LIA_SLIP_POINTS - 1, NULL, 0.0, b->a + (LIA_SLIP_POINTS - 1) * b->n) ||
        !find_directions(b))
        return false;
    b->left = find_rest(b);
    LiaNewton newton = {.of = b,
                        .residual = left,
                        .step = improve,
                        .size = least_of_slips,
                        .rules = {.passes = STEPS,
                                  .still = DBL_EPSILON,
                                  .blurred = LIA_SLIP_SETTLED,
                                  .falls = LIA_SLIP_FALLS}};
    LiaNewtonEnd end = lia_newton_run(&newton, b->left).end;
    return (end == LIA_NEWTON_ARRIVED || end == LIA_NEWTON_BLURRED) && is_fine(b);
}

// Until each formula is on the side that the way has which its own side makes.
static bool iterate(LiaSlipWay* b) {
    enum { ROUNDS = 8 };
    LiaSlipSides sides = LIA_SLIP_SIDES_CHANGED;
    for (int round = 0; sides == LIA_SLIP_SIDES_CHANGED && round < ROUNDS; round++) {
        if (!iterate_on_sides(b)) return false;
        sides = lia_slip_way_settle_sides(b);
    }
    return sides == LIA_SLIP_SIDES_RIGHT;
}

// --- where it ends

// The state at the last point.
static LiaTrial arrive(LiaSlipWay* b) {
    LiaRunner* run = b->run;
    LiaContacts* c = run->contacts;
    LiaWorkspace* w = run->w;
    size_t last = (size_t)(LIA_SLIP_POINTS - 1) * b->n;
    w->t = c->t + b->d;
    memset(run->watch.at_root, 0, w->dynamics->tape->guard_count);
    memcpy(w->q, b->q + last, b->n * sizeof(double));
    memcpy(w->v, b->v + last, b->n * sizeof(double));
    for (size_t l = 0; l < b->lines; l++) {
        double sum = 0.0;
        for (int j = 0; j < LIA_SLIP_POINTS; j++)
            sum += b->A[LIA_SLIP_POINTS - 1][j] * b->power[(size_t)j * b->lines + l];
        w->work[l] = c->work[l] + b->d * sum;
    }
    return lia_step_arrive(run, NULL, NULL) ? LIA_TRIAL_GOOD : LIA_TRIAL_WRONG;
}

LiaTrial lia_slip_begin(LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at,
                        double part, LiaSlipWay* b) {
    double longest = fmax(run->course.longest, fabs(run->step.h));
    *b = (LiaSlipWay){.run = run, .at = at, .mode = mode, .slow = b->slow};
    b->d = fmin(part * (longest > 0.0 ? longest : run->span), fabs(run->halt - run->contacts->t));
    b->end = b->d;
    if (!make_room(b)) return LIA_TRIAL_NO_MEMORY;
    find_weights(b);
    lia_decide_go_back(run);
    LiaTrial result = lia_slip_guess(b);
    find_positions(b);
    if (result == LIA_TRIAL_GOOD) {
        lia_decide_go_back(run);
        if (!lia_modes_enter(run, mode) || !lia_slip_way_keep_sides(b))
            result = LIA_TRIAL_NO_MEMORY;
    }
    if (result == LIA_TRIAL_GOOD) {
        result = iterate(b) ? arrive(b) : LIA_TRIAL_WRONG;
        if (result == LIA_TRIAL_WRONG) lia_slip_way_restore_sides(b);
    }
    return result;
}
