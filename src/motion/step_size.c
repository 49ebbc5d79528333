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
    int order = (int)ceil(-0.85 * log(tolerance)) + 2;
    return order < 6 ? 6 : order > 40 ? 40 : order;
}

int lia_step_kind(const LiaWorkspace* w, uint32_t i) {
    LiaManifold manifold = w->system->model->coordinates[i].manifold;
    return manifold == LIA_LINE || manifold == LIA_SPACE ? 0 : 1;
}

void lia_step_scales(const LiaWorkspace* w, int order, LiaScales* scales) {
    const LiaDynamics* d = w->dynamics;
    // At the very start velocities may be zero: the first terms of the series, over a quarter of the radius
    // that their ratio to the last ones suggests, say what is to come.
    double tau = 0.0;
    if (!scales->begun) {
        double low = 0.0, high = 0.0;
        for (uint32_t i = 0; i < w->system->n; i++) {
            const double* v = lia_jet_series(&w->jets, d->tape->velocity[i]);
            for (int j = 0; j <= order / 2; j++) low = fmax(low, fabs(v[j]));
            for (int j = order / 2 + 1; j <= order; j++) high = fmax(high, fabs(v[j]));
        }
        tau = high > 0.0 && low > 0.0 ? pow(low / high, 2.0 / order) / 4.0 : fabs(scales->span);
        scales->begun = true;
    }
    // Driven coordinates count too: those that follow a rate are integrated like the others, and samples,
    // works and guards of all of them come from their polynomials.
    for (uint32_t i = 0; i < w->system->n; i++) {
        int kind = lia_step_kind(w, i);
        const double* q = lia_jet_series(&w->jets, d->tape->position[i]);
        const double* v = lia_jet_series(&w->jets, d->tape->velocity[i]);
        for (int j = 0; j <= (tau > 0.0 ? 2 : 0); j++) {
            scales->q[kind] = fmax(scales->q[kind], fabs(q[j]) * pow(tau, j));
            scales->v[kind] = fmax(scales->v[kind], fabs(v[j]) * pow(tau, j));
        }
    }
    scales->q[1] = fmax(scales->q[1], 1.0);
    // A velocity that would not move its coordinate by its own size in the whole run is rest.
    double twice = 0.0, at_rest = 0.0;  // v p: twice the kinetic energy
    for (int kind = 0; kind < 2; kind++) {
        scales->v[kind] = fmax(scales->v[kind], scales->q[kind] / fabs(scales->span));
    }
    for (int i = 0; i < w->n; i++) twice += w->v[i] * w->p[i];
    for (uint32_t k = 0; k < d->nf; k++) {
        double v = scales->q[lia_step_kind(w, d->free[k])] / fabs(scales->span);
        at_rest += fabs(w->M[(size_t)k * d->nf + k]) * v * v / 2.0;
    }
    scales->energy = fmax(scales->energy, fmax(fabs(twice) / 2.0, at_rest));
    for (uint32_t l = 0; l < w->system->line_count; l++) {
        const double* work = lia_jet_series(&w->jets, d->tape->work[l]);
        scales->energy = fmax(scales->energy, fabs(w->work[l]));
        // Where everything that has inertia is driven, nothing else says at the start what is much.
        scales->energy = fmax(scales->energy, fmax(fabs(work[1]) * tau, fabs(work[2]) * tau * tau));
    }
}

static double whole_power(double x, int k) {
    double result = 1.0;
    for (; k > 0; k >>= 1, x *= x) {
        if (k & 1) result *= x;
    }
    return result;
}

// Shorten h to (allowed / coefficient)^(1/k). Few series do: whether this one is among them is seen without a root.
static void shorten(double* h, double allowed, double coefficient, int k) {
    if (coefficient > 0.0 && !(coefficient * whole_power(*h, k) <= allowed)) {
        *h = pow(allowed / coefficient, 1.0 / k);
    }
}

// One series against its scale: its last two terms are to be below the tolerance. A series with gaps (every third
// coefficient, say) may show zeros just there: then the terms before them decide, by
//   |c[k]| rho^k = scale,   h = rho * tolerance^(1/order),
// the same part of rho as for the last term; `part` is tolerance^(1/order).
static void shorten_for(double* h, const double* c, int order, double tolerance, double part,
                        double scale) {
    if (!(scale > 0.0)) return;
    shorten(h, tolerance * scale, fabs(c[order]), order);
    shorten(h, tolerance * scale, fabs(c[order - 1]), order - 1);
    int first = order - order / 3;
    double x = 0.6 * *h / part, power = whole_power(x, first);
    for (int k = first; k < order - 1; k++, power *= x) {
        if (!(fabs(c[k]) * power > scale)) continue;
        *h = part * pow(scale / fabs(c[k]), 1.0 / k);
        x = 0.6 * *h / part;
        power = whole_power(x, k);
    }
}

// The numbers of a rotation are entire functions: their series converge however large the step, with terms much larger
// than the sum, and what is made of them (degree two) loses the square of that in digits.
static void keep_digits(double* h, const double* c, int order, double tolerance) {
    double most = fmax(1.0, pow(1e12 * tolerance, 0.25));
    double power = *h;
    for (int k = 1; k <= order; k++, power *= *h) {
        if (!(fabs(c[k]) * power > most)) continue;
        *h = pow(most / fabs(c[k]), 1.0 / k);
        power = whole_power(*h, k);
    }
}

double lia_step_size(const LiaWorkspace* w, int order, double tolerance, const LiaScales* scales) {
    const LiaDynamics* d = w->dynamics;
    double h = INFINITY;
    double part_v = pow(tolerance, 1.0 / order), part_q = pow(tolerance, 1.0 / (order + 1));
    for (uint32_t x = 0; x < w->system->n; x++) {
        int kind = lia_step_kind(w, x);
        const double* v = lia_jet_series(&w->jets, d->tape->velocity[x]);
        const double* q = lia_jet_series(&w->jets, d->tape->position[x]);
        if (!isfinite(v[order]) || !isfinite(v[order - 1])) return NAN;
        shorten_for(&h, v, order, tolerance, part_v, scales->v[kind]);
        shorten_for(&h, q, order + 1, tolerance, part_q, scales->q[kind]);
        if (w->system->model->coordinates[x].manifold == LIA_ROTATION)
            keep_digits(&h, q, order, tolerance);
    }
    // Works oscillate faster than the motion (products of it), but they do not feed back.
    const double slack = 10.0;
    double part_work = w->system->line_count ? pow(slack * tolerance, 1.0 / order) : 1.0;
    for (uint32_t l = 0; l < w->system->line_count; l++) {
        const double* work = lia_jet_series(&w->jets, d->tape->work[l]);
        shorten_for(&h, work, order, slack * tolerance, part_work, scales->energy);
    }
    return h;
}
