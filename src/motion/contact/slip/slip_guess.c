// Where the way of slips that begin from rest is looked for first (slip_begin.c): velocities at
// Radau's points with constant accelerations; of slips that begin with the square of the time, the
// motion as if all stuck, and slips in the directions in which these are pulled there.
// SPDX-License-Identifier: MIT
#include "base/numeric/dense.h"
#include "mechanics/kkt/stage.h"
#include "motion/contact/slip/slip_way.h"
#include "motion/run/step.h"
#include <math.h>
#include <string.h>

const double lia_slip_guess_points[LIA_SLIP_POINTS] = {
    0.057104196114517682193, 0.27684301363812382768, 0.58359043236891682006, 0.86024013565621944785,
    1.0};

// Velocities with constant accelerations.
static void guess_straight(const LiaSlipWay* b) {
    const LiaContacts* c = b->run->contacts;
    for (int j = 0; j < LIA_SLIP_POINTS; j++) {
        for (size_t i = 0; i < b->n; i++)
            b->v[(size_t)j * b->n + i] = c->v[i] + lia_slip_guess_points[j] * b->d * b->at->a[i];
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
    double half = 0.5 * lia_slip_guess_points[j] * b->d, by[2] = {half * a[0], half * a[1]};
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
    lia_taylor_at(&run->step, lia_slip_guess_points[j] * b->d, run->w);
    run->w->stage = LIA_WORKSPACE_EMPTY;
    memcpy(b->v + (size_t)j * b->n, run->w->v, b->n * sizeof(double));
    LiaResponse here = {0};
    LiaProposal proposal = {0};
    LiaTrial result = lia_decide_again(run, b->at, &here, &proposal);
    int blocks = LIA_CONTACT_BLOCKS * here.at_rest.contacts;
    for (int k = 0; result == LIA_TRIAL_GOOD && k < blocks; k++) {
        if (lia_slip_way_slow(b, k) && !push_off(b, &here, &proposal, j, k))
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
        if (!lia_slip_way_slow(b, k)) continue;
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

LiaTrial lia_slip_guess(LiaSlipWay* b) {
    bool slowly = false;
    for (int k = 0; k < LIA_CONTACT_BLOCKS * b->at->response.at_rest.contacts; k++)
        slowly |= lia_slip_way_slow(b, k);
    LiaTrial result = LIA_TRIAL_GOOD;
    if (slowly) result = guess_slow(b);
    if (!slowly) guess_straight(b);
    return result;
}
