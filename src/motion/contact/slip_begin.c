// Slips of two components that begin from rest. A slip is (t - t0)^k W(t), k = 1, or k = 2 where
// friction that holds has just reached its bound. Its direction, W/|W|, is smooth, but has no
// series at t0 by the formula slip/|slip|. So the run goes a short time d into the mode by
// collocation at Radau's points, none of which is t0:
//
//     v(t_i) = v0 + d sum of A_ij a(t_j, q_j, v_j),   q(t_i) = q0 + d sum of A_ij v_j
//
// The motion is smooth, so that five points give it to rounding. The accelerations depend strongly
// on the slips, which are small: Newton's method over the velocities that the friction changes, in
// all other directions the iteration of Picard.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/dense.h"
#include "base/numeric/newton.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/stage.h"
#include "motion/contact/slip_way.h"
#include "motion/run/step.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 40 };

static const double point[LIA_SLIP_POINTS] = {0.057104196114517682193, 0.27684301363812382768,
                                              0.58359043236891682006, 0.86024013565621944785, 1.0};

// --- collocation
// -----------------------------------------------------------------------------------

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
    size_t doubles = LIA_SLIP_POINTS * (6 * n + lines + rows) + p * n + N * n + N * N + 3 * N;
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
    b->G = x, x += N * n;
    b->M = x, x += N * N;
    b->y = x, x += N;
    b->scales = x, x += 2 * N;
    b->row = (int*)x;
    return true;
}

// The accelerations at point j; `plus`: with this velocity in addition. False where there are none.
static bool accelerate(const LiaSlipWay* b, int j, const double* plus, double by, double* a) {
    LiaWorkspace* w = b->run->w;
    const LiaContacts* c = b->run->contacts;
    w->t = c->t + point[j] * b->d;
    memcpy(w->q, b->q + (size_t)j * b->n, b->n * sizeof(double));
    memcpy(w->v, b->v + (size_t)j * b->n, b->n * sizeof(double));
    for (size_t i = 0; plus && i < b->n; i++) w->v[i] += by * plus[i];
    if (!lia_workspace_evaluate(w)) return false;
    for (size_t i = 0; i < b->n; i++) {
        a[i] = w->a[i];
        if (!isfinite(a[i])) return false;
    }
    size_t rows = w->system->row_count;
    if (!plus) memcpy(b->mu + (size_t)j * rows, w->mu, rows * sizeof(double));
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
    return least;
}

// --- what friction changes
// -------------------------------------------------------------------------

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
    b->p = lia_qr_basis(count, (int)b->n, b->U, LIA_LCP_RANK);
    return b->p > 0;
}

// What the directions do to the accelerations at point j, by differences.
static bool find_slopes(const LiaSlipWay* b, int j, double slip) {
    const LiaResponse* r = &b->at->response;
    for (int k = 0; k < b->p; k++) {
        const double* u = b->U + (size_t)k * b->n;
        double *G = b->G + (size_t)(j * b->p + k) * b->n, moved = 0.0;
        for (int i = 0; i < r->at_rest.rows; i++)
            moved =
                fmax(moved, fabs(lia_sum_of_products(r->Omega + (size_t)i * b->n, u, (int)b->n)));
        double by = moved > 0.0 ? LIA_SLIP_DIFFERENCE * slip / moved : 0.0;
        if (by == 0.0) {
            memset(G, 0, b->n * sizeof *G);
            continue;
        }
        if (!accelerate(b, j, u, by, G)) return false;
        for (size_t i = 0; i < b->n; i++) G[i] = (G[i] - b->a[(size_t)j * b->n + i]) / by;
    }
    return true;
}

// --- Newton's method
// -------------------------------------------------------------------------------

static void find_rest(const LiaSlipWay* b) {
    const double* v0 = b->run->contacts->v;
    for (int j = 0; j < LIA_SLIP_POINTS; j++) {
        for (size_t i = 0; i < b->n; i++) {
            double sum = 0.0;
            for (int k = 0; k < LIA_SLIP_POINTS; k++)
                sum += b->A[j][k] * b->a[(size_t)k * b->n + i];
            b->rest[(size_t)j * b->n + i] = v0[i] + b->d * sum - b->v[(size_t)j * b->n + i];
        }
    }
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
            b->y[j * p + i] = lia_sum_of_products(u, b->rest + (size_t)j * b->n, (int)b->n);
            for (int k = 0; k < LIA_SLIP_POINTS; k++) {
                for (int l = 0; l < p; l++) {
                    const double* G = b->G + (size_t)(k * p + l) * b->n;
                    double same = j == k && i == l ? 1.0 : 0.0;
                    b->M[(j * p + i) * N + k * p + l] =
                        same - b->d * b->A[j][k] * lia_sum_of_products(u, G, (int)b->n);
                }
            }
        }
    }
    LiaLu lu = {.n = N, .A = b->M, .row = b->row, .left = b->scales, .right = b->scales + N};
    if (!(lia_dense_lu_factor(&lu, NULL) > 0.0)) return false;
    lia_dense_lu_solve(&lu, b->y);
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
    find_rest(b);
    double most = 0.0;
    for (size_t i = 0; i < LIA_SLIP_POINTS * b->n; i++) most = fmax(most, fabs(b->rest[i]));
    return most;
}

// b->v + part of the step.
static double go(LiaSlipWay* b, double part) {
    for (size_t i = 0; i < LIA_SLIP_POINTS * b->n; i++) b->v[i] = b->before[i] + part * b->step[i];
    find_positions(b);
    return look(b);
}

// The step that the slopes say, shorter where that does not lead nearer. Gives the largest change of
// a velocity; NAN: there is none.
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
                change += b->d * b->A[j][k / b->p] * b->G[(size_t)k * b->n + i] * b->y[k];
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

// Velocities are as good as they are small beside the slips, whose directions decide all.
static double least_of_slips(void* of) {
    const LiaSlipWay* b = of;
    double least = INFINITY;
    for (int j = 0; j < LIA_SLIP_POINTS; j++) least = fmin(least, b->slip[j]);
    return least;
}

// The fourth difference of the accelerations of coordinate i, and *most, what they are measured by.
static double fourth_difference(const LiaSlipWay* b, size_t i, double* most) {
    double highest = 0.0;
    *most = 0.0;
    for (int j = 0; j < LIA_SLIP_POINTS; j++) {
        double a = b->a[(size_t)j * b->n + i], by = 1.0;
        for (int k = 0; k < LIA_SLIP_POINTS; k++) {
            if (k != j) by /= point[j] - point[k];
        }
        highest += by * a;
        *most = fmax(*most, fabs(a) + fabs(b->run->contacts->v[i]) / b->d);
    }
    return fabs(highest);
}

// Do the points give the accelerations to rounding? Their fourth difference says how fast the terms
// of the motion fall, from each to the next; what is rounding in its family says nothing.
static bool is_fine(const LiaSlipWay* b) {
    const uint32_t* family = b->run->scales.family;
    double *of_family = b->step, most;
    if (b->d <= LIA_SLIP_SHORT * b->run->course.longest) return true;
    memset(of_family, 0, b->n * sizeof *of_family);
    for (size_t i = 0; i < b->n; i++) {
        fourth_difference(b, i, &most);
        of_family[family[i]] = fmax(of_family[family[i]], most);
    }
    for (size_t i = 0; i < b->n; i++) {
        double highest = fourth_difference(b, i, &most);
        if (!(highest <= LIA_SLIP_SMOOTH * most + LIA_SLIP_NOISE * of_family[family[i]]))
            return false;
    }
    return true;
}

static bool iterate(LiaSlipWay* b) {
    b->left = look(b);
    if (!isfinite(b->left) ||
        !accelerate(b, LIA_SLIP_POINTS - 1, NULL, 0.0, b->a + (LIA_SLIP_POINTS - 1) * b->n) ||
        !find_directions(b))
        return false;
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

// --- where it begins
// -------------------------------------------------------------------------------

// Velocities with constant accelerations.
static void guess_straight(const LiaSlipWay* b) {
    const LiaContacts* c = b->run->contacts;
    for (int j = 0; j < LIA_SLIP_POINTS; j++) {
        for (size_t i = 0; i < b->n; i++)
            b->v[(size_t)j * b->n + i] = c->v[i] + point[j] * b->d * b->at->a[i];
    }
}

// The rows of a contact that are pushed together: its gap, the blocks that stick in the mode, and
// last those of block `own`. Returns how many.
static int pushed_rows(const LiaSlipWay* way, const LiaResponse* r, int contact, int own,
                       int* rows) {
    const LiaContactFormulas* c = &way->run->contacts->base->contacts[r->touching[contact]];
    const LiaContactRows* of = &r->contact[contact];
    int count = 0;
    rows[count++] = of->normal;
    for (int b = 0; b < of->blocks; b++) {
        bool sticks = way->mode[c->block[b].place] == LIA_MODE_STICK;
        for (int i = 0; sticks && i < of->block[b].dimension; i++)
            rows[count++] = of->block[b].row + i;
    }
    for (int i = 0; i < of->block[own].dimension; i++) rows[count++] = of->block[own].row + i;
    return count;
}

// Impulses on these rows that change the last two by `by` and leave the others: W P = (0, by).
static bool find_push(const LiaResponse* r, int count, const int* rows, const double* by,
                      double* P) {
    double A[LIA_CONTACT_ROWS_MOST * LIA_CONTACT_ROWS_MOST], scales[2 * LIA_CONTACT_ROWS_MOST];
    int order[LIA_CONTACT_ROWS_MOST], m = r->at_rest.rows;
    for (int i = 0; i < count; i++) {
        P[i] = i < count - 2 ? 0.0 : by[i - (count - 2)];
        for (int j = 0; j < count; j++) A[i * count + j] = r->W[rows[i] * m + rows[j]];
    }
    LiaLu lu = {.n = count, .A = A, .row = order, .left = scales, .right = scales + count};
    if (!(lia_dense_lu_factor(&lu, NULL) > 0.0)) return false;
    lia_dense_lu_solve(&lu, P);
    bool good = true;
    for (int i = 0; i < count; i++) good &= isfinite(P[i]);
    return good;
}

// The slip of block k at a point: half of its acceleration there times the time that has passed.
static bool push_off(const LiaSlipWay* b, const LiaResponse* r, const LiaProposal* p, int j,
                     int k) {
    int contact = k / LIA_CONTACT_BLOCKS, own = k % LIA_CONTACT_BLOCKS;
    int rows[LIA_CONTACT_ROWS_MOST], count = pushed_rows(b, r, contact, own, rows);
    const double* a = p->found.a + r->contact[contact].block[own].row;
    double half = 0.5 * point[j] * b->d, by[2] = {half * a[0], half * a[1]};
    double P[LIA_CONTACT_ROWS_MOST];
    bool slides = p->status == LIA_COMPLEMENTARITY_SOLVED &&
                  p->found.verdict[contact].block[own] == LIA_CONTACT_SLIDES;
    if (!slides || !find_push(r, count, rows, by, P)) return false;
    for (int m = 0; m < count; m++) {
        for (size_t i = 0; i < b->n; i++)
            b->v[(size_t)j * b->n + i] += r->answer[(size_t)rows[m] * b->n + i] * P[m];
    }
    return true;
}

// The state at point j as if all stuck, and slips in the directions in which these are pulled
// there.
static LiaTrial guess_point(LiaSlipWay* b, int j) {
    LiaRunner* run = b->run;
    lia_taylor_at(&run->step, point[j] * b->d, run->w);
    run->w->stage = LIA_WORKSPACE_EMPTY;
    memcpy(b->v + (size_t)j * b->n, run->w->v, b->n * sizeof(double));
    LiaResponse here = {0};
    LiaProposal proposal = {0};
    LiaTrial result = lia_decide_again(run, b->at, &here, &proposal);
    int blocks = LIA_CONTACT_BLOCKS * here.at_rest.contacts;
    for (int k = 0; result == LIA_TRIAL_GOOD && k < blocks; k++) {
        if (lia_slip_way_slowly(run, b->at, b->mode, k) && !push_off(b, &here, &proposal, j, k))
            result = LIA_TRIAL_WRONG;
    }
    lia_decide_clear(&proposal);
    lia_response_clear(&here);
    return result;
}

static LiaTrial guess_slow(LiaSlipWay* b) {
    LiaRunner* run = b->run;
    const LiaResponse* r = &b->at->response;
    LiaContactMode* stick = run->contacts->trial;
    memcpy(stick, b->mode, lia_system_mode_count(run->system) * sizeof *stick);
    for (int k = 0; k < LIA_CONTACT_BLOCKS * r->at_rest.contacts; k++) {
        if (!lia_slip_way_slowly(run, b->at, b->mode, k)) continue;
        uint32_t contact = r->touching[k / LIA_CONTACT_BLOCKS];
        stick[run->system->contacts[contact].block[k % LIA_CONTACT_BLOCKS].place] = LIA_MODE_STICK;
    }
    if (!lia_modes_enter(run, stick)) return LIA_TRIAL_NO_MEMORY;
    if (!lia_step_arrive(run, NULL, NULL)) return LIA_TRIAL_WRONG;
    lia_stage_series(run->w, run->out->effort.order);
    lia_taylor_take(&run->step, run->w);
    LiaTrial result = LIA_TRIAL_GOOD;
    for (int j = 0; result == LIA_TRIAL_GOOD && j < LIA_SLIP_POINTS; j++)
        result = guess_point(b, j);
    return result;
}

static LiaTrial guess(LiaSlipWay* b) {
    bool slowly = false;
    for (int k = 0; k < LIA_CONTACT_BLOCKS * b->at->response.at_rest.contacts; k++)
        slowly |= lia_slip_way_slowly(b->run, b->at, b->mode, k);
    LiaTrial result = LIA_TRIAL_GOOD;
    if (slowly) result = guess_slow(b);
    if (!slowly) guess_straight(b);
    find_positions(b);
    return result;
}

// The state at the last point.
static LiaTrial arrive(LiaSlipWay* b) {
    LiaRunner* run = b->run;
    LiaContacts* c = run->contacts;
    LiaWorkspace* w = run->w;
    size_t last = (size_t)(LIA_SLIP_POINTS - 1) * b->n;
    w->t = c->t + b->d;
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
    *b = (LiaSlipWay){.run = run, .at = at, .mode = mode};
    b->d = fmin(part * (longest > 0.0 ? longest : run->span), fabs(run->halt - run->contacts->t));
    if (!make_room(b)) return LIA_TRIAL_NO_MEMORY;
    find_weights(b);
    lia_decide_go_back(run);
    LiaTrial result = guess(b);
    if (result == LIA_TRIAL_GOOD) {
        lia_decide_go_back(run);
        if (!lia_modes_enter(run, mode)) result = LIA_TRIAL_NO_MEMORY;
    }
    if (result == LIA_TRIAL_GOOD) result = iterate(b) ? arrive(b) : LIA_TRIAL_WRONG;
    return result;
}
