// The way of slips that begin, as the polynomials of a step: what samples on it are read from.
// SPDX-License-Identifier: MIT
#include "motion/contact/slip_way.h"
#include "motion/run/step.h"
#include <stdlib.h>
#include <string.h>

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
    size_t stride = (size_t)step->stride, rows = run->system->row_count;
    step->t = at->t;
    step->h = b->d;
    memset(step->q, 0, b->n * stride * sizeof(double));
    memset(step->v, 0, b->n * stride * sizeof(double));
    memset(step->mu, 0, rows * stride * sizeof(double));
    memset(step->work, 0, b->lines * stride * sizeof(double));
    for (size_t i = 0; i < b->n; i++) {
        double *v = step->v + i * stride, *q = step->q + i * stride;
        interpolate(b, b->a + i, b->n, v);
        integrate(v, LIA_SLIP_POINTS - 1, at->v[i]);
        memcpy(q, v, (LIA_SLIP_POINTS + 1) * sizeof *q);
        integrate(q, LIA_SLIP_POINTS, at->q[i]);
    }
    for (size_t r = 0; r < rows; r++) interpolate(b, b->mu + r, rows, step->mu + r * stride);
    for (size_t l = 0; l < b->lines; l++) {
        interpolate(b, b->power + l, b->lines, step->work + l * stride);
        integrate(step->work + l * stride, LIA_SLIP_POINTS - 1, at->work[l]);
    }
}

bool lia_slip_way_sample(LiaSlipWay* way) {
    write_step(way);
    return lia_step_sample(way->run, way->d, false);
}

void lia_slip_way_clear(LiaSlipWay* way) {
    free(way->block);
    way->block = NULL;
}
