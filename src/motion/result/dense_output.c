// The motion at any time, by the polynomials of its steps. See dense_output.h and
// include/liaison/trajectory.h.
// SPDX-License-Identifier: MIT
#include "motion/result/dense_output.h"
#include "base/memory/call.h"
#include "mechanics/kkt/evaluator.h"
#include "motion/run/step.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void lia_dense_output_destroy(LiaPieces* p) {
    if (!p) return;
    free(p->pieces);
    free(p->numbers);
    free(p);
}

static LiaPieces* create(const LiaRunner* run) {
    LiaPieces* p = lia_memory_zeros(1, sizeof *p);
    if (!p) return NULL;
    p->n = run->system->n;
    p->lines = run->system->line_count;
    p->order = run->step.order;
    p->stride = run->step.stride;
    return p;
}

static size_t numbers_of(const LiaPieces* p) {
    return (2 * (size_t)p->n + p->lines) * (size_t)p->stride;
}

static bool make_room(LiaPieces* p) {
    if (p->count < p->capacity) return true;
    size_t capacity = p->capacity ? 2 * p->capacity : 16, each = numbers_of(p) + 1;
    if (capacity > SIZE_MAX / sizeof(double) / each) return false;
    LiaPiece* pieces = lia_memory_resize(p->pieces, capacity * sizeof *pieces);
    if (!pieces) return false;
    p->pieces = pieces;
    double* numbers = lia_memory_resize(p->numbers, capacity * each * sizeof *numbers);
    if (!numbers) return false;
    p->numbers = numbers;
    p->capacity = capacity;
    return true;
}

bool lia_dense_output_add(LiaRunner* run, double h, bool to_end) {
    LiaTrajectory* out = run->out;
    const LiaStep* step = &run->step;
    if (!out->pieces) out->pieces = create(run);
    LiaPieces* p = out->pieces;
    if (!p || !make_room(p)) return false;
    // A piece begins where the last one ends: a start in a singular configuration is left by a step
    // that leads back to it.
    double first = run->options->resume ? step->t : out->t0;
    double begin = p->count ? p->pieces[p->count - 1].end : first;
    p->pieces[p->count] = (LiaPiece){begin, to_end ? out->t1 : step->t + h, step->t};
    size_t stride = (size_t)p->stride, n = p->n * stride;
    double* x = p->numbers + p->count++ * numbers_of(p);
    memcpy(x, step->q, n * sizeof *x);
    memcpy(x + n, step->v, n * sizeof *x);
    memcpy(x + 2 * n, step->work, p->lines * stride * sizeof *x);
    for (size_t l = 0; l < p->lines; l++) x[2 * n + l * stride] = step->works[l];
    return true;
}

// --- reading ------------------------------------------------------------------------------------

// The last piece that has begun by then; LIA_NOWHERE: none has, or all are over.
static size_t piece_at(const LiaTrajectory* x, double t) {
    const LiaPieces* p = x->pieces;
    if (!p || !p->count || !isfinite(t)) return LIA_NOWHERE;
    double sign = x->t1 < x->t0 ? -1.0 : 1.0;
    double begin = sign * p->pieces[0].begin;
    double end = fmax(sign * p->pieces[p->count - 1].end, sign * x->t);  // an ulp, at most
    if (sign * t < begin || sign * t > end) return LIA_NOWHERE;
    size_t from = 0, to = p->count;  // begun; not begun
    while (to - from > 1) {
        size_t middle = from + (to - from) / 2;
        if (sign * p->pieces[middle].begin <= sign * t) {
            from = middle;
        } else {
            to = middle;
        }
    }
    return from;
}

// A number of a piece: positions are counted first, then velocities, then works.
static double number(const LiaPieces* p, size_t piece, size_t i, double t) {
    const double* x = p->numbers + piece * numbers_of(p) + i * (size_t)p->stride;
    return lia_step_value(x, i < p->n ? p->order + 1 : p->order, t - p->pieces[piece].t);
}

LiaStatus lia_trajectory_at(const LiaTrajectory* x, double t, double* q, double* v, double* work) {
    size_t piece = x ? piece_at(x, t) : LIA_NOWHERE;
    if (piece == LIA_NOWHERE) return LIA_ARGUMENT;
    const LiaPieces* p = x->pieces;
    for (uint32_t i = 0; q && i < p->n; i++) q[i] = number(p, piece, i, t);
    for (uint32_t i = 0; v && i < p->n; i++) v[i] = number(p, piece, p->n + i, t);
    for (uint32_t l = 0; work && l < p->lines; l++) {
        if (!lia_system_line_internal(x->system, l)) *work++ = number(p, piece, 2 * p->n + l, t);
    }
    return LIA_OK;
}

LiaStatus lia_trajectory_evaluate(const LiaTrajectory* x, double t, LiaEvaluator* e) {
    size_t piece = x && e ? piece_at(x, t) : LIA_NOWHERE;
    bool alike = piece != LIA_NOWHERE && e->system->n == x->pieces->n &&
                 e->system->line_count == x->pieces->lines &&
                 e->system->model->coordinates == x->model->coordinates;
    if (!alike) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin(NULL);
    size_t n = e->system->n, lines = e->system->line_count;
    double* state = lia_memory_take((2 * n + lines + 1) * sizeof *state);
    if (!state || lia_call_end(&call) != LIA_OK) return LIA_MEMORY;
    for (size_t i = 0; i < 2 * n + lines; i++) state[i] = number(x->pieces, piece, i, t);
    LiaStatus status = lia_evaluator_put(e, t, state, state + n, state + 2 * n);
    free(state);
    return status;
}
