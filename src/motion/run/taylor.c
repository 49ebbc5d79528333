// Polynomials of one step. See taylor.h.
// SPDX-License-Identifier: MIT
#include "motion/run/taylor.h"
#include "base/memory/memory.h"
#include "motion/run/step.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t series_count(const LiaSystem* s, const LiaDynamics* d) {
    return 2 * (size_t)s->n + s->row_count + s->line_count + d->tape->guard_count +
           s->model->events_count + s->mode.watched_count;
}

bool lia_taylor_init(LiaStep* step, const LiaSystem* s, const LiaDynamics* d, int order) {
    memset(step, 0, sizeof *step);
    step->order = order;
    step->stride = (order + 2 + 3) / 4 * 4;  // in fours: lia_step_sum()
    size_t stride = (size_t)step->stride, guards = d->tape->guard_count;
    size_t series = series_count(s, d);
    size_t at = 2 * (size_t)s->n + s->row_count + s->line_count;
    step->block = lia_memory_zeros((series * stride + at) * sizeof(double) + guards + 1, 1);
    if (!step->block) return false;
    double* x = step->block;
    step->q = x, x += s->n * stride;
    step->v = x, x += s->n * stride;
    step->mu = x, x += s->row_count * stride;
    step->work = x, x += s->line_count * stride;
    step->guard = x, x += guards * stride;
    step->event = x, x += s->model->events_count * stride;
    step->watched = x, x += s->mode.watched_count * stride;
    step->at = x, x += at;
    step->side = (signed char*)x;
    return true;
}

void lia_taylor_clear(LiaStep* step) {
    free(step->block);
    memset(step, 0, sizeof *step);
}

LIA_KEEP_ALL(LiaStep, 104);

void lia_taylor_keep(LiaStep* step, LiaKeep* keep, const LiaSystem* s, const LiaDynamics* d) {
    size_t doubles = series_count(s, d) * (size_t)step->stride;
    lia_keep_same(keep, doubles);
    lia_keep_double(keep, &step->t);
    lia_keep_double(keep, &step->h);
    lia_keep_doubles(keep, step->block, doubles);
    lia_keep_signs(keep, step->side, d->tape->guard_count);
}

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
    for (uint32_t i = 0; i < s->n; i++) {
        copy(step, w, step->q, i, d->tape->position[i], p + 1);
        copy(step, w, step->v, i, d->tape->velocity[i], p);
    }
    for (uint32_t c = 0; c < d->nc; c++)
        copy(step, w, step->mu, d->rows[c], d->tape->multiplier[d->rows[c]], p - 1);
    for (uint32_t m = 0; m < d->drive_count; m++)
        copy(step, w, step->mu, d->drive_row[m], d->tape->multiplier[d->drive_row[m]], p - 1);
    for (uint32_t l = 0; l < s->line_count; l++) copy(step, w, step->work, l, d->tape->work[l], p);
    for (uint32_t e = 0; e < s->model->events_count; e++)
        copy(step, w, step->event, e, d->event[e], p - 1);
    const LiaAwake* awake = w->jets.awake;
    for (uint32_t i = 0; i < s->mode.watched_count; i++) {
        if (!lia_parts_rests(awake, d->watched[i]))
            copy(step, w, step->watched, i, d->watched[i], p - 1);
    }
    for (uint32_t i = 0; i < s->mode.following_count; i++)
        copy(step, w, step->mu, s->mode.following[i].row, d->following[i], p - 1);
    for (uint32_t g = 0; g < d->tape->guard_count; g++) {
        if (!lia_parts_rests(awake, d->tape->guards[g].reg))
            copy(step, w, step->guard, g, d->tape->guards[g].reg, p - 1);
        step->side[g] = w->jets.side[g];
    }
}

static void cut(const LiaStep* step, double* all, uint32_t count, int degree) {
    for (uint32_t i = 0; i < count; i++) {
        double* c = all + (size_t)i * (size_t)step->stride;
        for (int k = degree + 1; k < step->stride; k++) c[k] = 0.0;
    }
}

void lia_taylor_straighten(LiaStep* step, const LiaSystem* s, double bend) {
    cut(step, step->q, s->n, 2);
    cut(step, step->v, s->n, 2);
    for (size_t i = 0; i < s->n; i++) step->v[i * (size_t)step->stride + 2] *= bend;
    cut(step, step->work, s->line_count, 2);  // powers are straight, too
    cut(step, step->mu, s->row_count, 0);
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
    for (uint32_t l = 0; l < s->line_count; l++) {
        w->work[l] = lia_step_value(step->work + l * stride, step->order, x);
    }
    lia_taylor_sides(step, x, w);
}

void lia_taylor_at_powers(const LiaStep* step, const LiaPowers* power, LiaWorkspace* w) {
    const LiaSystem* s = w->system;
    const uint32_t n = s->n, rows = s->row_count, lines = s->line_count;
    w->t = step->t + power->of[1];
    lia_step_sums(step, step->q, 2 * n + rows + lines, power->of, step->at);  // all of them
    memcpy(w->q, step->at, n * sizeof(double));
    memcpy(w->v, step->at + n, n * sizeof(double));
    memcpy(w->work, step->at + 2 * (size_t)n + rows, lines * sizeof(double));
    if (w->dynamics->tape->guard_count) lia_taylor_sides(step, power->of[1], w);
}

void lia_taylor_sides(const LiaStep* step, double x, LiaWorkspace* w) {
    size_t stride = (size_t)step->stride;
    const LiaTape* tape = w->dynamics->tape;
    memcpy(w->jets.side, step->side, tape->guard_count);
    for (uint32_t g = 0; g < tape->guard_count; g++) {  // an angle is continued over its cut
        if (tape->guards[g].rule != LIA_GUARD_CUT) continue;
        double angle = lia_step_value(step->guard + g * stride, step->order - 1, x);
        w->jets.side[g] = angle > 1.0 ? 1 : angle < -1.0 ? -1 : 0;
    }
}
