// Sizes met so far: the largest of coordinates, velocities, works and energies, and at the start,
// or where something wakes, what the first terms of the series say is to come.
// SPDX-License-Identifier: MIT
#include "motion/run/scales.h"
#include "base/numeric/thresholds.h"
#include "motion/run/step.h"
#include "motion/run/taylor.h"
#include <math.h>

int lia_scales_kind(const LiaWorkspace* w, uint32_t i) {
    LiaManifold manifold = w->system->model->coordinates[i].manifold;
    return manifold == LIA_LINE || manifold == LIA_SPACE ? 0 : 1;
}

// The largest of each family, for all of it.
static void measure_families(const LiaWorkspace* w, const uint32_t* family, double* size) {
    for (uint32_t i = 0; i < w->system->n; i++)
        size[family[i]] = lia_larger(size[family[i]], size[i]);
    for (uint32_t i = 0; i < w->system->n; i++) size[i] = size[family[i]];
}

// Has the family of coordinate i been at rest, at 0, ever since the start?
static bool rests(const LiaScales* scales, uint32_t i) {
    if (!scales->begun || !scales->own_q || !(scales->own_q[i] <= LIA_SCALE_NOTHING)) return false;
    return scales->own_v[i] <= LIA_SCALE_NOTHING / fmin(1.0, fabs(scales->span));
}

// Where velocities are zero the first terms of the series say what is to come: over a quarter of
// the radius that their ratio to the last ones suggests. Of all coordinates, or of those that were
// at rest so far.
static double look_ahead(const LiaWorkspace* w, const LiaStep* step, const LiaScales* scales,
                         bool resting) {
    int order = step->order;
    double low = 0.0, high = 0.0;
    for (uint32_t i = 0; i < w->system->n; i++) {
        if (resting && !rests(scales, i)) continue;
        const double* v = lia_step_series(step, step->v, i);
        for (int j = 0; j <= order / 2; j++) low = lia_larger(low, fabs(v[j]));
        for (int j = order / 2 + 1; j <= order; j++) high = lia_larger(high, fabs(v[j]));
    }
    if (resting && low == 0.0) return 0.0;  // they still are
    double tau = high > 0.0 && low > 0.0 ? pow(low / high, 2.0 / order) / 4.0 : fabs(scales->span);
    return fmin(tau, fabs(scales->span));  // the last terms may be next to nothing
}

// What was at rest since the start, and is set in motion: after a corner of a law, say. That counts
// for this step alone: the push may end with it.
static void wake(const LiaWorkspace* w, const LiaStep* step, LiaScales* scales) {
    double tau = -1.0;
    for (uint32_t i = 0; scales->own_q && i < w->system->n; i++) {
        scales->ahead_q[i] = scales->ahead_v[i] = 0.0;
        if (tau == 0.0 || !rests(scales, i)) continue;
        if (tau < 0.0) tau = look_ahead(w, step, scales, true);
        const double* q = lia_step_series(step, step->q, i);
        const double* v = lia_step_series(step, step->v, i);
        double power = 1.0;
        for (int j = 0; j <= step->order / 2 && tau > 0.0; j++, power *= tau) {
            scales->ahead_q[i] = lia_larger(scales->ahead_q[i], fabs(q[j]) * power);
            scales->ahead_v[i] = lia_larger(scales->ahead_v[i], fabs(v[j]) * power);
        }
    }
    scales->ahead_energy = 0.0;
    for (uint32_t k = 0; tau > 0.0 && k < step->live.line_count; k++) {
        const double* work = lia_step_series(step, step->work, step->live.lines[k]);
        double power = tau;
        for (int j = 1; j <= step->order / 2; j++, power *= tau)
            scales->ahead_energy = lia_larger(scales->ahead_energy, fabs(work[j]) * power);
    }
}

// Of each coordinate by itself. `tau`: how far ahead the first terms are looked at; 0: not.
static void measure_each(const LiaWorkspace* w, const LiaStep* step, LiaScales* scales,
                         double tau) {
    const double powers[4] = {1.0, tau, tau * tau, tau * tau * tau};
    for (uint32_t i = 0; i < w->system->n; i++) {
        const double* q = lia_step_series(step, step->q, i);
        const double* v = lia_step_series(step, step->v, i);
        double *of_q = &scales->own_q[i], *of_v = &scales->own_v[i];
        for (int j = 0; j <= (tau > 0.0 ? 2 : 0); j++) {
            *of_q = lia_larger(*of_q, fabs(q[j]) * powers[j]);
            *of_v = lia_larger(*of_v, fabs(v[j]) * powers[j]);
        }
        // Where a force grows from zero, the velocity shows it one order before the position.
        if (tau > 0.0) *of_q = lia_larger(*of_q, fabs(q[3]) * powers[3]);
        *of_q = lia_larger(*of_q, lia_scales_kind(w, i) ? 1.0 : LIA_SCALE_NOTHING);
    }
    measure_families(w, scales->family, scales->own_q);
    measure_families(w, scales->family, scales->own_v);
    for (uint32_t i = 0; i < w->system->n; i++) {
        double rest = scales->own_q[i] / fabs(scales->span);
        scales->own_v[i] = lia_larger(scales->own_v[i], lia_larger(rest, LIA_SCALE_NOTHING));
    }
}

// The largest that a work comes to in the time tau, or within half of the radius that its own terms
// suggest: a force may have a pole that is nearer than those of the motion. Its terms by themselves
// may be much larger: those of a swing cancel.
static double work_ahead(const double* work, int order, double tau) {
    double low = 0.0, high = 0.0, power = tau, most = 0.0;
    for (int j = 1; j <= order && tau > 0.0; j++, power *= tau) {
        double* part = j <= order / 2 ? &low : &high;
        *part = lia_larger(*part, fabs(work[j]) * power);
    }
    if (high > 0.0) tau *= fmin(1.0, 0.5 * pow(low / high, 2.0 / order));
    for (int part = 1; part <= 4 && tau > 0.0; part++) {
        double s = tau * part / 4.0, sum = 0.0;
        for (int j = order; j >= 1; j--) sum = (sum + work[j]) * s;
        most = lia_larger(most, fabs(sum));
    }
    return most;
}

void lia_scales_measure(const LiaWorkspace* w, const LiaStep* step, LiaScales* scales) {
    const LiaDynamics* d = w->dynamics;
    double tau = scales->begun ? 0.0 : look_ahead(w, step, scales, false);
    if (scales->begun) wake(w, step, scales);
    scales->begun = true;
    // Driven coordinates count too: those that follow a rate are integrated like the others, and
    // samples, works and guards of all of them come from their polynomials.
    for (uint32_t i = 0; i < w->system->n; i++) {
        int kind = lia_scales_kind(w, i);
        const double* q = lia_step_series(step, step->q, i);
        const double* v = lia_step_series(step, step->v, i);
        scales->met_q[kind] = lia_larger(scales->met_q[kind], fabs(q[0]));
        for (int j = 0; j <= (tau > 0.0 ? 2 : 0); j++) {
            double power = j == 0 ? 1.0 : j == 1 ? tau : tau * tau;
            scales->q[kind] = lia_larger(scales->q[kind], fabs(q[j]) * power);
            scales->v[kind] = lia_larger(scales->v[kind], fabs(v[j]) * power);
        }
    }
    scales->q[1] = lia_larger(scales->q[1], 1.0);
    scales->met_q[1] = lia_larger(scales->met_q[1], 1.0);
    if (scales->own_q) measure_each(w, step, scales, tau);
    // In a system at rest a pulse that is still to come begins with 1e-300.
    scales->q[0] = lia_larger(scales->q[0], LIA_SCALE_NOTHING);
    for (int kind = 0; kind < 2; kind++)
        scales->v[kind] = lia_larger(scales->v[kind], LIA_SCALE_NOTHING);
    // A velocity that would not move its coordinate by its own size in the whole run is rest.
    double twice = lia_workspace_twice_energy(w), at_rest = 0.0;
    for (int kind = 0; kind < 2; kind++) {
        scales->v[kind] = lia_larger(scales->v[kind], scales->q[kind] / fabs(scales->span));
    }
    for (uint32_t k = 0; k < d->nf; k++) {
        uint32_t i = d->free[k];
        double v = scales->met_q[lia_scales_kind(w, i)] / fabs(scales->span);
        double own = lia_larger(lia_scale_q(scales, w, i) / fabs(scales->span), LIA_SCALE_NOTHING);
        // What moves has its own energy. That of its parts may be much larger: (x' + y')^2/2.
        if (lia_scale_v(scales, w, i) > LIA_SCALE_MOVES * own) continue;
        at_rest += fabs(lia_workspace_inertia(w, (int)k)) * v * v / 2.0;
    }
    // Where nothing has inertia, as in a phase space, a pulse that is still to come works that
    // little.
    at_rest = lia_larger(at_rest, LIA_SCALE_NOTHING * LIA_SCALE_NOTHING);
    scales->met_energy = lia_larger(scales->met_energy, fabs(twice) / 2.0);
    scales->energy = lia_larger(scales->energy, at_rest);
    for (uint32_t l = 0; l < w->system->line_count; l++)
        scales->met_energy = lia_larger(scales->met_energy, fabs(w->work[l]));
    for (uint32_t k = 0; k < step->live.line_count; k++) {
        const double* work = lia_step_series(step, step->work, step->live.lines[k]);
        // Where everything that has inertia is driven, nothing else says at the start what is much.
        scales->energy = lia_larger(scales->energy, work_ahead(work, step->order, tau));
    }
    scales->energy = lia_larger(scales->energy, scales->met_energy);
}
