// Step size from the last two coefficients:
//   h = min over k = p-1, p of (tolerance * scale / |x[k]|)^(1/k)
// Scales are the largest values met, so that a coordinate passing through zero asks for nothing special;
// an angle's scale is at least one radian.
// SPDX-License-Identifier: MIT
#include "step_size.h"
#include <math.h>

// e^-2 of the radius of convergence is the best step for a cost growing like order^2, which gives the
// order -ln(tolerance)/2. Ours grows more slowly (each instruction has a fixed price as well), so longer
// series pay: measured on the problems of bench/, from two links to forty.
int lia_step_order(double tolerance) {
    int order = (int)ceil(-0.75 * log(tolerance)) + 2;
    return order < 6 ? 6 : order > 40 ? 40 : order;
}

static int kind_of(const LiaWorkspace* w, uint32_t i) {
    return w->system->model->coordinates[i].manifold == LIA_CIRCLE ? 1 : 0;
}

void lia_step_scales(const LiaWorkspace* w, int order, double tau, LiaScales* scales) {
    const LiaDynamics* d = w->dynamics;
    if (tau == 0.0) {  // a first idea from the ratio of coefficients
        double low = 0.0, high = 0.0;
        for (uint32_t i = 0; i < w->system->n; i++) {
            const double* v = lia_jet_series(&w->jets, d->tape->velocity[i]);
            for (int j = 0; j <= order / 2; j++) low = fmax(low, fabs(v[j]));
            for (int j = order / 2 + 1; j <= order; j++) high = fmax(high, fabs(v[j]));
        }
        tau = high > 0.0 && low > 0.0 ? pow(low / high, 2.0 / order) : 1.0;
    }
    tau = fabs(tau);
    // Driven coordinates count too: those that follow a rate are integrated like the others, and samples
    // of all of them come from their polynomials.
    for (uint32_t i = 0; i < w->system->n; i++) {
        int kind = kind_of(w, i);
        const double* q = lia_jet_series(&w->jets, d->tape->position[i]);
        const double* v = lia_jet_series(&w->jets, d->tape->velocity[i]);
        for (int j = 0; j <= 2; j++) {
            scales->q[kind] = fmax(scales->q[kind], fabs(q[j]) * pow(tau, j));
            scales->v[kind] = fmax(scales->v[kind], fabs(v[j]) * pow(tau, j));
        }
    }
    scales->q[1] = fmax(scales->q[1], 1.0);
    // A velocity that would not move its coordinate by its own size in the whole run is rest.
    for (int kind = 0; kind < 2; kind++) {
        scales->v[kind] = fmax(scales->v[kind], scales->q[kind] / fabs(scales->span));
    }
    double twice = 0.0, at_scale = 0.0;  // v p: twice the kinetic energy
    for (int i = 0; i < w->n; i++) twice += w->v[i] * w->p[i];
    for (uint32_t k = 0; k < d->nf; k++) {
        double v = scales->v[kind_of(w, d->free[k])];
        at_scale += fabs(w->M[(size_t)k * d->nf + k]) * v * v / 2.0;
    }
    scales->energy = fmax(scales->energy, fmax(fabs(twice) / 2.0, at_scale));
    for (uint32_t l = 0; l < w->system->line_count; l++) {
        const double* work = lia_jet_series(&w->jets, d->tape->work[l]);
        for (int j = 0; j <= 2; j++) {
            scales->energy = fmax(scales->energy, fabs(work[j]) * pow(tau, j));
        }
    }
}

static double step_of(double allowed, double coefficient, int k) {
    return coefficient > 0.0 ? pow(allowed / coefficient, 1.0 / k) : INFINITY;
}

double lia_step_size(const LiaWorkspace* w, int order, double tolerance, const LiaScales* scales) {
    const LiaDynamics* d = w->dynamics;
    double most[2][2] = {{0.0}};  // |v[k]| / scale for k = order - 1, order
    double most_q[2][2] = {{0.0}};
    for (uint32_t x = 0; x < w->system->n; x++) {
        int kind = kind_of(w, x);
        const double* v = lia_jet_series(&w->jets, d->tape->velocity[x]);
        const double* q = lia_jet_series(&w->jets, d->tape->position[x]);
        for (int j = 0; j < 2; j++) {
            most[kind][j] = fmax(most[kind][j], fabs(v[order - 1 + j]));
            most_q[kind][j] = fmax(most_q[kind][j], fabs(q[order + j]));
        }
    }
    double h = INFINITY;
    for (int kind = 0; kind < 2; kind++) {
        for (int j = 0; j < 2; j++) {
            int k = order - 1 + j;
            h = fmin(h, step_of(tolerance * scales->v[kind], most[kind][j], k));
            h = fmin(h, step_of(tolerance * scales->q[kind], most_q[kind][j], k + 1));
        }
    }
    // Works oscillate faster than the motion (products of it), but they do not feed back.
    const double slack = 10.0;
    for (int j = 0; j < 2; j++) {
        double most_work = 0.0;
        for (uint32_t l = 0; l < w->system->line_count; l++) {
            const double* work = lia_jet_series(&w->jets, d->tape->work[l]);
            most_work = fmax(most_work, fabs(work[order - 1 + j]));
        }
        if (!(scales->energy > 0.0)) break;
        h = fmin(h, step_of(slack * tolerance * scales->energy, most_work, order - 1 + j));
    }
    return h;
}
