// Which slips begin, and what is sampled of them: their way as the polynomials of a step, and at
// the start of a run the instant itself.
// SPDX-License-Identifier: MIT
#include "motion/contact/slip/slip_way.h"
#include "base/numeric/thresholds.h"
#include "motion/check/noise.h"
#include "motion/contact/contact_rows.h"
#include "motion/contact/rough/rough_modes.h"
#include "motion/run/step.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- which of them

const LiaFrictionBlock* lia_slip_way_block(const LiaRunner* run, const LiaResponse* r,
                                           const LiaContactMode* mode, int k) {
    int contact = k / LIA_CONTACT_BLOCKS, b = k % LIA_CONTACT_BLOCKS;
    const LiaContactFormulas* c = &run->contacts->base->contacts[r->touching[contact]];
    if (b >= r->contact[contact].blocks || mode[c->block[b].place] != LIA_MODE_SLIDE) return NULL;
    return &r->contact[contact].block[b];
}

// Does block k slide from rest on?
static bool begins(const LiaRunner* run, const LiaInstant* at, const LiaContactMode* mode, int k) {
    const LiaResponse* r = &at->response;
    const LiaFrictionBlock* block = lia_slip_way_block(run, r, mode, k);
    return block && r->slip[block->row] == 0.0 && r->slip[block->row + 1] == 0.0;
}

bool lia_slip_way_slowly(const LiaRunner* run, const LiaInstant* at, const LiaContactMode* mode,
                         int k) {
    const LiaContactVerdict* verdict = at->proposal.found.verdict;
    return begins(run, at, mode, k) && at->proposal.status == LIA_COMPLEMENTARITY_SOLVED &&
           verdict[k / LIA_CONTACT_BLOCKS].block[k % LIA_CONTACT_BLOCKS] == LIA_CONTACT_STICKS;
}

bool lia_slip_way_needed(const LiaRunner* run, const LiaInstant* at, const LiaContactMode* mode) {
    for (int k = 0; k < LIA_CONTACT_BLOCKS * at->response.at_rest.contacts; k++) {
        if (begins(run, at, mode, k)) return true;
    }
    return lia_rough_modes_passing(run->contacts, NULL);
}

// The time since which the slip of block k has grown, if it grows as it does; INFINITY: it does
// not.
static double age_of(const LiaRunner* run, const LiaInstant* at, const LiaContactMode* mode,
                     int k) {
    const LiaResponse* r = &at->response;
    const LiaFrictionBlock* block = lia_slip_way_block(run, r, mode, k);
    if (!block || at->proposal.status != LIA_COMPLEMENTARITY_SOLVED) return INFINITY;
    const double *slip = r->slip + block->row, *a = at->proposal.found.a + block->row;
    double rate = slip[0] * a[0] + slip[1] * a[1], square = slip[0] * slip[0] + slip[1] * slip[1];
    return square > 0.0 && rate > 0.0 ? square / rate : INFINITY;
}

double lia_slip_way_age(const LiaRunner* run, const LiaInstant* at, const LiaContactMode* mode) {
    double least = INFINITY;
    for (int k = 0; k < LIA_CONTACT_BLOCKS * at->response.at_rest.contacts; k++)
        least = fmin(least, age_of(run, at, mode, k));
    return least;
}

bool lia_slip_way_slow(const LiaSlipWay* b, int k) {
    return lia_slip_way_slowly(b->run, b->at, b->mode, k) ||
           (b->slow && age_of(b->run, b->at, b->mode, k) < b->d);
}

// --- the way as a step

// The series of what has these values at the points, over the time since the instant.
static void interpolate(const LiaSlipWay* b, const double* values, size_t stride, double* c) {
    double power = 1.0;
    for (int k = 0; k < LIA_SLIP_POINTS; k++, power *= b->d) {
        c[k] = 0.0;
        for (int j = 0; j < LIA_SLIP_POINTS; j++)
            c[k] += values[(size_t)j * stride] * b->polynomial[j][k] / power;
    }
}

// Its integral, from `start` on.
static void integrate(double* c, int degree, double start) {
    for (int k = degree; k >= 0; k--) c[k + 1] = c[k] / (k + 1);
    c[0] = start;
}

// The way as the polynomials of a step.
static void write_step(const LiaSlipWay* b) {
    LiaRunner* run = b->run;
    LiaStep* step = &run->step;
    const LiaContacts* at = run->contacts;
    const LiaLive* live = &run->dynamics->live;
    size_t stride = (size_t)step->stride, rows = run->system->row_count;
    step->t = at->t;
    step->h = b->d;
    memset(step->q, 0, b->n * stride * sizeof(double));
    memset(step->v, 0, b->n * stride * sizeof(double));
    lia_taylor_hold(step, live);
    memcpy(step->works, at->work, b->lines * sizeof(double));
    for (size_t i = 0; i < b->n; i++) {
        double *v = step->v + i * stride, *q = step->q + i * stride;
        interpolate(b, b->a + i, b->n, v);
        integrate(v, LIA_SLIP_POINTS - 1, at->v[i]);
        memcpy(q, v, (LIA_SLIP_POINTS + 1) * sizeof *q);
        integrate(q, LIA_SLIP_POINTS, at->q[i]);
    }
    for (uint32_t k = 0; k < live->row_count; k++) {
        double* mu = step->mu + live->rows[k] * stride;
        memset(mu, 0, stride * sizeof *mu);
        interpolate(b, b->mu + live->rows[k], rows, mu);
    }
    for (uint32_t k = 0; k < live->line_count; k++) {
        double* work = step->work + live->lines[k] * stride;
        memset(work, 0, stride * sizeof *work);
        interpolate(b, b->power + live->lines[k], b->lines, work);
        integrate(work, LIA_SLIP_POINTS - 1, at->work[live->lines[k]]);
    }
}

void lia_slip_way_end(const LiaSlipWay* way) {
    write_step(way);
    lia_taylor_at(&way->run->step, way->end, way->run->w);
    way->run->w->stage = LIA_WORKSPACE_EMPTY;
}

// --- at the start

// Has the slip of block k, as its formulas say, the direction of its acceleration?
static bool has_direction(LiaRunner* run, const LiaInstant* at, int k) {
    const LiaResponse* r = &at->response;
    int contact = k / LIA_CONTACT_BLOCKS, count = lia_delassus_rows(&r->contact[contact]);
    const LiaFrictionBlock* block = &r->contact[contact].block[k % LIA_CONTACT_BLOCKS];
    size_t n = run->system->n;
    LiaContactRow rows[LIA_CONTACT_ROWS_MOST];
    LiaContactLaws laws;
    for (int i = 0; i < count; i++) {  // J and Omega there are those of the instant
        size_t row = (size_t)(r->contact[contact].normal + i) * n;
        rows[i] = (LiaContactRow){.J = r->J + row, .Omega = r->Omega + row};
    }
    lia_contact_rows_find(run->contacts->formulas, r->touching[contact], run->w, &laws, rows);
    const double* a = at->proposal.found.a + block->row;
    int first = block->row - r->contact[contact].normal;
    double x = rows[first].psi, y = rows[first + 1].psi, size = hypot(x, y) * hypot(a[0], a[1]);
    double along = x * a[0] + y * a[1], across = x * a[1] - y * a[0];
    return along > 0.0 && fabs(across) <= LIA_SLIP_DIRECTION * size;
}

// What a time is relative to at the start. A run of no length has no time of its own: that in which
// velocities change by their size; from rest any time will do.
static double time_of(const LiaRunner* run, const LiaInstant* at) {
    double v = 0.0, a = 0.0;
    if (run->span > 0.0) return run->span;
    for (int i = 0; i < run->w->n; i++) {
        v = fmax(v, fabs(run->contacts->v[i]));
        a = fmax(a, fabs(at->a[i]));
    }
    return v > 0.0 && a > 0.0 ? v / a : 1.0;
}

// So short a time that slips have the directions of their accelerations, and no longer.
static void move_off(LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at) {
    const LiaContacts* c = run->contacts;
    const double span = time_of(run, at);
    double time = LIA_SLIP_WAITS_LEAST * (run->span > 0.0 ? lia_time_size(run, c->t) : span);
    for (bool good = false; !good && time <= LIA_SLIP_WAITS_MOST * span;
         time *= LIA_SLIP_WAITS_LONGER) {
        good = true;
        for (int i = 0; i < run->w->n; i++) run->w->v[i] = c->v[i] + time * at->a[i];
        for (int k = 0; good && k < LIA_CONTACT_BLOCKS * at->response.at_rest.contacts; k++) {
            if (begins(run, at, mode, k)) good = has_direction(run, at, k);
        }
    }
}

LiaTrial lia_slip_way_wait(LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at) {
    LiaContacts* c = run->contacts;
    LiaContactMode* first = c->trial;
    memcpy(first, mode, lia_system_mode_count(c->base) * sizeof *first);
    for (int k = 0; k < LIA_CONTACT_BLOCKS * at->response.at_rest.contacts; k++) {
        if (!lia_slip_way_slowly(run, at, mode, k)) continue;
        uint32_t contact = at->response.touching[k / LIA_CONTACT_BLOCKS];
        first[c->base->contacts[contact].block[k % LIA_CONTACT_BLOCKS].place] = LIA_MODE_STICK;
    }
    for (uint32_t k = 0; k < c->base->rough_count; k++) {
        if (c->rough.at[k].passes != LIA_MODE_OPEN)
            first[lia_system_rough_place(c->base, k)] = LIA_MODE_CLOSED;
    }
    lia_decide_go_back(run);
    if (!lia_modes_enter(run, first)) return LIA_TRIAL_NO_MEMORY;
    move_off(run, first, at);
    c->start.struck = c->start.waits = true;
    return lia_step_arrive(run, NULL, NULL) ? LIA_TRIAL_GOOD : LIA_TRIAL_WRONG;
}

// --- where it ends

// Is the gap of a contact that did not touch negative after `time`? 1, 0; -1: memory is out. Those
// that are fire.
static int passes(const LiaSlipWay* b, double time) {
    LiaRunner* run = b->run;
    const LiaContacts* c = run->contacts;
    LiaGaps gaps;
    bool passed = false;
    lia_taylor_at(&run->step, time, run->w);
    if (!lia_gaps_find_near(run, &gaps)) return -1;
    for (uint32_t i = 0; i < run->system->mode.watched_count; i++) {
        const LiaWatched* of = &run->system->mode.watched[i];
        bool gap = of->kind == LIA_WATCH_GAP && !of->rough && !c->touched[of->contact];
        c->fires[i] = gap && gaps.value[of->contact] < 0.0;
        passed |= c->fires[i];
    }
    lia_gaps_clear(&gaps);
    return passed;
}

bool lia_slip_way_cut(LiaSlipWay* b) {
    enum { HALVINGS = 60 };
    double before = 0.0, after = b->d, h = b->run->step.h;
    write_step(b);
    int passed = passes(b, after);
    if (passed < 1) {
        b->run->step.h = h;  // the way was not gone: other ways are not measured by it
        return false;
    }
    for (int i = 0; i < HALVINGS && passed >= 0; i++) {
        double middle = 0.5 * (before + after);
        passed = passes(b, middle);
        if (passed)
            after = middle;
        else
            before = middle;
    }
    b->end = before;
    return passed >= 0 && before > 0.0 && passes(b, after) > 0;
}

bool lia_slip_way_sample(LiaSlipWay* way) {
    write_step(way);
    way->run->step.h = way->end;
    return lia_step_sample(way->run, way->end, false);
}

// --- sides of formulas

// At rest nothing says on which side of a corner abs(x) is to be: the way does.

static bool has_sides(const LiaGuard* guard) {
    return guard->rule == LIA_GUARD_ARGUMENT || guard->rule == LIA_GUARD_DIFFERENCE;
}

bool lia_slip_way_keep_sides(LiaSlipWay* way) {
    const LiaWorkspace* w = way->run->w;
    size_t guards = w->dynamics->tape->guard_count;
    way->guards.value = lia_memory_zeros(LIA_SLIP_POINTS * guards + 1, sizeof *way->guards.value);
    way->guards.side = lia_memory_take(guards + 1);
    if (way->guards.side) memcpy(way->guards.side, w->jets.side, guards);
    return way->guards.value && way->guards.side;
}

void lia_slip_way_restore_sides(const LiaSlipWay* way) {
    LiaWorkspace* w = way->run->w;
    memcpy(w->jets.side, way->guards.side, w->dynamics->tape->guard_count);
}

void lia_slip_way_note_sides(const LiaSlipWay* way, int j) {
    const LiaTape* tape = way->run->w->dynamics->tape;
    for (uint32_t g = 0; g < tape->guard_count; g++)
        way->guards.value[(size_t)j * tape->guard_count + g] =
            lia_jet_series(&way->run->w->jets, tape->guards[g].reg)[0];
}

// Guard g on a way that was found with its side: a value at a point that is on the other one, and
// is not rounding, says that the side is wrong, if it is zero at the instant.
static LiaSlipSides judge_side(const LiaSlipWay* way, uint32_t g) {
    const LiaRunner* run = way->run;
    size_t guards = run->w->dynamics->tape->guard_count;
    double c[LIA_SLIP_POINTS], most = 0.0, along = INFINITY;
    int side = run->w->jets.side[g];
    for (int j = 0; j < LIA_SLIP_POINTS; j++) {
        double x = way->guards.value[(size_t)j * guards + g];
        if (!isfinite(x)) return LIA_SLIP_SIDES_RIGHT;
        most = fmax(most, fabs(x));
        along = fmin(along, side * x);
    }
    if (along >= 0.0) return LIA_SLIP_SIDES_RIGHT;
    double rounding =
        lia_noise_condition(run->checks.noise, run, g, run->contacts->t - run->step.t);
    rounding = fmax(rounding, LIA_SLIP_CORNER * most);
    if (along >= -rounding) return LIA_SLIP_SIDES_RIGHT;
    interpolate(way, way->guards.value + g, guards, c);
    bool turns = fabs(c[0]) <= rounding;
    for (int j = 0; j < LIA_SLIP_POINTS; j++)
        turns &= side * way->guards.value[(size_t)j * guards + g] <= rounding;
    return turns ? LIA_SLIP_SIDES_CHANGED : LIA_SLIP_SIDES_CORNER;
}

LiaSlipSides lia_slip_way_settle_sides(LiaSlipWay* way) {
    LiaWorkspace* w = way->run->w;
    const LiaTape* tape = w->dynamics->tape;
    LiaSlipSides most = LIA_SLIP_SIDES_RIGHT;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (!has_sides(&tape->guards[g])) continue;
        LiaSlipSides now = judge_side(way, g);
        if (now == LIA_SLIP_SIDES_CHANGED) w->jets.side[g] = (signed char)-w->jets.side[g];
        if (now > most) most = now;
    }
    return most;
}

void lia_slip_way_clear(LiaSlipWay* way) {
    free(way->block);
    free(way->guards.value);
    free(way->guards.side);
    way->block = NULL;
    way->guards.value = NULL;
    way->guards.side = NULL;
}
