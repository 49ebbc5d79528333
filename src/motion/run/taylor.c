// Polynomials of one step. See taylor.h.
// SPDX-License-Identifier: MIT
#include "motion/run/taylor.h"
#include "base/memory/memory.h"
#include "motion/run/step.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Series that not every step has.
typedef struct Watching {
    size_t guards, events, watched;
} Watching;

static Watching all_of(const LiaSystem* s, const LiaDynamics* d) {
    return (Watching){d->tape->guard_count, s->model->events_count, s->mode.watched_count};
}

static bool init(LiaStep* step, const LiaSystem* s, const Watching* x, int order) {
    memset(step, 0, sizeof *step);
    step->order = order;
    step->stride = (order + 2 + 3) / 4 * 4;  // in fours: lia_step_sum()
    size_t n = s->n, rows = s->row_count, lines = s->line_count, stride = (size_t)step->stride;
    size_t motion = 2 * n + rows + lines;
    size_t doubles = (motion + x->guards + x->events + x->watched) * stride + motion + lines;
    step->block = lia_memory_zeros(
        doubles * sizeof(double) + (rows + lines) * sizeof(uint32_t) + x->guards + 1, 1);
    if (!step->block) return false;
    double* at = step->block;
    step->q = at, at += n * stride;
    step->v = at, at += n * stride;
    step->mu = at, at += rows * stride;
    step->work = at, at += lines * stride;
    step->guard = at, at += x->guards * stride;
    step->event = at, at += x->events * stride;
    step->watched = at, at += x->watched * stride;
    step->at = at, at += motion;
    step->works = at, at += lines;
    step->live.rows = (uint32_t*)at;
    step->live.lines = step->live.rows + rows;
    step->side = (signed char*)(step->live.lines + lines);
    return true;
}

bool lia_taylor_init(LiaStep* step, const LiaSystem* s, const LiaDynamics* d, int order) {
    Watching all = all_of(s, d);
    return init(step, s, &all, order);
}

bool lia_taylor_init_motion(LiaStep* step, const LiaSystem* s, int order) {
    return init(step, s, &(Watching){0}, order);
}

void lia_taylor_clear(LiaStep* step) {
    free(step->block);
    memset(step, 0, sizeof *step);
}

// --- what is live -------------------------------------------------------------------------------

static bool same(const uint32_t* a, uint32_t a_count, const uint32_t* b, uint32_t b_count) {
    return a_count == b_count && memcmp(a, b, a_count * sizeof *a) == 0;
}

// Other rows or lines: the series of those there were are 0.
static void replace(const LiaStep* step, double* all, uint32_t* list, uint32_t* count,
                    const uint32_t* by, uint32_t by_count) {
    if (same(list, *count, by, by_count)) return;
    size_t stride = (size_t)step->stride;
    for (uint32_t k = 0; k < *count; k++) memset(all + list[k] * stride, 0, stride * sizeof *all);
    memcpy(list, by, by_count * sizeof *list);
    *count = by_count;
}

void lia_taylor_hold(LiaStep* step, const LiaLive* live) {
    LiaLive* own = &step->live;
    replace(step, step->mu, own->rows, &own->row_count, live->rows, live->row_count);
    replace(step, step->work, own->lines, &own->line_count, live->lines, live->line_count);
}

void lia_taylor_copy(LiaStep* step, const LiaStep* from, const LiaSystem* s) {
    size_t stride = (size_t)step->stride, size = stride * sizeof(double);
    const LiaLive* live = &from->live;
    lia_taylor_hold(step, live);
    memcpy(step->q, from->q, s->n * size);
    memcpy(step->v, from->v, s->n * size);
    for (uint32_t k = 0; k < live->row_count; k++)
        memcpy(step->mu + live->rows[k] * stride, from->mu + live->rows[k] * stride, size);
    for (uint32_t k = 0; k < live->line_count; k++)
        memcpy(step->work + live->lines[k] * stride, from->work + live->lines[k] * stride, size);
    memcpy(step->works, from->works, s->line_count * sizeof(double));
    step->t = from->t;
    step->h = from->h;
}

// --- a checkpoint -------------------------------------------------------------------------------

LIA_KEEP_ALL(LiaStep, 136);

static void keep_list(LiaKeep* keep, uint32_t* list, uint32_t* count, uint32_t most) {
    size_t length = lia_keep_length(keep, *count, most, sizeof(size_t));
    *count = 0;
    for (size_t k = 0; k < length && lia_keep_good(keep); k++) {
        size_t x = lia_keep_reads(keep) ? 0 : list[k];
        lia_keep_sizes(keep, &x, 1, most - 1);
        list[k] = (uint32_t)x;
        *count = (uint32_t)k + 1;
    }
}

void lia_taylor_keep(LiaStep* step, LiaKeep* keep, const LiaSystem* s, const LiaDynamics* d) {
    size_t stride = (size_t)step->stride;
    Watching x = all_of(s, d);
    LiaLive* live = &step->live;
    lia_keep_same(keep, stride);
    lia_keep_double(keep, &step->t);
    lia_keep_double(keep, &step->h);
    if (lia_keep_reads(keep))
        lia_taylor_hold(step, &(LiaLive){.rows = live->rows, .lines = live->lines});
    keep_list(keep, live->rows, &live->row_count, s->row_count);
    keep_list(keep, live->lines, &live->line_count, s->line_count);
    lia_keep_doubles(keep, step->q, 2 * s->n * stride);
    for (uint32_t k = 0; k < live->row_count; k++)
        lia_keep_doubles(keep, step->mu + live->rows[k] * stride, stride);
    for (uint32_t k = 0; k < live->line_count; k++)
        lia_keep_doubles(keep, step->work + live->lines[k] * stride, stride);
    lia_keep_doubles(keep, step->works, s->line_count);
    lia_keep_doubles(keep, step->guard, (x.guards + x.events + x.watched) * stride);
    lia_keep_signs(keep, step->side, d->tape->guard_count);
}

// --- from the series ----------------------------------------------------------------------------

static void copy(const LiaStep* step, const LiaWorkspace* w, double* to, uint32_t index,
                 uint32_t reg, int degree) {
    double* room = to + (size_t)index * (size_t)step->stride;
    const double* from = lia_jet_read(&w->jets, reg, degree, room);
    if (from != room) memcpy(room, from, (size_t)(degree + 1) * sizeof(double));
}

void lia_taylor_take(LiaStep* step, const LiaWorkspace* w) {
    const LiaSystem* s = w->system;
    const LiaDynamics* d = w->dynamics;
    int p = step->order;
    step->t = w->t;
    lia_taylor_hold(step, &d->live);
    for (uint32_t i = 0; i < s->n; i++) {
        copy(step, w, step->q, i, d->tape->position[i], p + 1);
        copy(step, w, step->v, i, d->tape->velocity[i], p);
    }
    for (uint32_t c = 0; c < d->nc; c++)
        copy(step, w, step->mu, d->rows[c], d->tape->multiplier[d->rows[c]], p - 1);
    for (uint32_t m = 0; m < d->drive_count; m++)
        copy(step, w, step->mu, d->drive_row[m], d->tape->multiplier[d->drive_row[m]], p - 1);
    memcpy(step->works, w->work, s->line_count * sizeof(double));
    for (uint32_t k = 0; k < d->live.line_count; k++)
        copy(step, w, step->work, d->live.lines[k], d->tape->work[d->live.lines[k]], p);
    for (uint32_t e = 0; e < s->model->events_count; e++)
        copy(step, w, step->event, e, d->event[e], p - 1);
    const LiaAwake* awake = w->jets.awake;
    const uint32_t count = s->mode.watched_count;
    for (uint32_t i = lia_parts_next(awake, 0, count); i < count;
         i = lia_parts_next(awake, i + 1, count))
        copy(step, w, step->watched, i, d->watched[i], p - 1);
    for (uint32_t i = 0; i < s->mode.following_count; i++)
        copy(step, w, step->mu, s->mode.following[i].row, d->following[i], p - 1);
    const uint32_t guards = d->tape->guard_count;
    for (uint32_t g = lia_parts_next_guard(awake, 0, guards); g < guards;
         g = lia_parts_next_guard(awake, g + 1, guards))
        copy(step, w, step->guard, g, d->tape->guards[g].reg, p - 1);
    memcpy(step->side, w->jets.side, d->tape->guard_count);
}

static void cut_one(const LiaStep* step, double* all, uint32_t i, int degree) {
    double* c = all + (size_t)i * (size_t)step->stride;
    for (int k = degree + 1; k < step->stride; k++) c[k] = 0.0;
}

static void cut(const LiaStep* step, double* all, uint32_t count, int degree) {
    for (uint32_t i = 0; i < count; i++) cut_one(step, all, i, degree);
}

void lia_taylor_straighten(LiaStep* step, const LiaSystem* s, double bend) {
    cut(step, step->q, s->n, 2);
    cut(step, step->v, s->n, 2);
    for (size_t i = 0; i < s->n; i++) step->v[i * (size_t)step->stride + 2] *= bend;
    const LiaLive* live = &step->live;
    for (uint32_t k = 0; k < live->line_count; k++)  // powers are straight, too
        cut_one(step, step->work, live->lines[k], 2);
    for (uint32_t k = 0; k < live->row_count; k++) cut_one(step, step->mu, live->rows[k], 0);
    cut(step, step->event, s->model->events_count, 1);
    cut(step, step->watched, s->mode.watched_count, 1);
}

// In a free motion of 1e300 seconds powers are larger than numbers, and their coefficients 0: so is
// the product.
static void keep_finite(double* x, int top) {
    for (int k = 0; k <= top; k++) x[k] = fmax(fmin(x[k], DBL_MAX), -DBL_MAX);
}

void lia_taylor_powers(LiaPowers* p, const LiaStep* step, double x) {
    double square = x * x, fourth = square * square;
    LiaFour power = {1.0, x, square, square * x}, whole = {1.0, 2.0, 3.0, 4.0}, rate;
    p->rate[0] = 0.0;
    for (int k = 0; k < step->stride; k += 4) {
        rate = whole * power;
        memcpy(p->of + k, &power, sizeof power);
        memcpy(p->rate + k + 1, &rate, sizeof rate);
        power *= fourth;
        whole += 4.0;
    }
    int top = step->stride - 1;
    if (isfinite(p->of[top]) && isfinite(p->rate[top])) return;
    keep_finite(p->of, top);
    keep_finite(p->rate, top);
}

void lia_taylor_at(const LiaStep* step, double x, LiaWorkspace* w) {
    const LiaSystem* s = w->system;
    size_t stride = (size_t)step->stride;
    w->t = step->t + x;
    for (uint32_t i = 0; i < s->n; i++) {
        w->q[i] = lia_step_value(step->q + i * stride, step->order + 1, x);
        w->v[i] = lia_step_value(step->v + i * stride, step->order, x);
    }
    memcpy(w->work, step->works, s->line_count * sizeof(double));
    for (uint32_t k = 0; k < step->live.line_count; k++) {
        uint32_t l = step->live.lines[k];
        w->work[l] = lia_step_value(step->work + l * stride, step->order, x);
    }
    lia_taylor_sides(step, x, w);
}

void lia_taylor_at_powers(const LiaStep* step, const LiaPowers* power, LiaWorkspace* w) {
    const LiaSystem* s = w->system;
    const uint32_t n = s->n, rows = s->row_count, lines = s->line_count;
    // what stands side by side is summed by fours: a few works that rest are summed with the others
    const bool all = step->live.row_count == rows, works = all && lines < step->live.line_count + 4;
    const uint32_t count = 2 * n + (all ? rows : 0) + (works ? lines : 0);
    w->t = step->t + power->of[1];
    lia_step_sums(step, step->q, count, power->of, step->at);
    double* mu = step->at + 2 * (size_t)n;
    if (!all) memset(mu, 0, rows * sizeof *mu);
    for (uint32_t k = 0; !all && k < step->live.row_count; k++) {
        uint32_t r = step->live.rows[k];
        mu[r] = lia_step_sum(step, lia_step_series(step, step->mu, r), power->of);
    }
    memcpy(w->q, step->at, n * sizeof(double));
    memcpy(w->v, step->at + n, n * sizeof(double));
    memcpy(w->work, step->works, lines * sizeof(double));
    for (uint32_t k = 0; k < step->live.line_count; k++) {
        uint32_t l = step->live.lines[k];
        const double* work = lia_step_series(step, step->work, l);
        w->work[l] = works ? mu[rows + l] : lia_step_sum(step, work, power->of);
    }
    if (w->dynamics->tape->guard_count) lia_taylor_sides(step, power->of[1], w);
}

void lia_taylor_sides(const LiaStep* step, double x, LiaWorkspace* w) {
    size_t stride = (size_t)step->stride;
    const LiaTape* tape = w->dynamics->tape;
    memcpy(w->jets.side, step->side, tape->guard_count);
    for (uint32_t g = 0; tape->cuts && g < tape->guard_count;
         g++) {  // an angle is continued over its cut
        if (tape->guards[g].rule != LIA_GUARD_CUT) continue;
        double angle = lia_step_value(step->guard + g * stride, step->order - 1, x);
        w->jets.side[g] = angle > 1.0 ? 1 : angle < -1.0 ? -1 : 0;
    }
}
