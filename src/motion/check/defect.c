// The defect of a step: the accelerations at its end, from the polynomials and from the state
// reached. Where they differ the series were not what they seemed (too long a step, something not
// analytic).
// SPDX-License-Identifier: MIT
#include "motion/check/defect.h"
#include "base/numeric/thresholds.h"
#include "motion/check/digits.h"
#include "motion/check/inner_residual.h"
#include "motion/check/noise.h"
#include "motion/run/step_size.h"
#include "motion/runner.h"
#include <math.h>

static double entry(LiaEntries e, int k) {
    for (int i = 0; i < e.count; i++) {
        if (lia_entry_column(&e, i) == k) return e.value[i];
    }
    return 0.0;
}

// Acceleration of coordinate k caused by constraint forces alone: the scale of rounding when a
// system is at rest.
static double pull(const LiaWorkspace* w, int k) {
    double mass = fabs(entry(lia_workspace_M(w, k), k)), sum = 0.0;
    for (int c = 0; c < w->nc; c++) {
        sum += fabs(entry(lia_workspace_Omega(w, c), k) * w->mu[w->dynamics->rows[c]]);
    }
    return mass > 0.0 ? sum / mass : 0.0;
}

// The largest acceleration by rounding of the forces on coordinates of a kind.
static double rounding_of(const LiaWorkspace* w, const double* noise, int kind) {
    double most = 0.0;
    for (int k = 0; k < w->nf; k++) {
        double mass = fabs(entry(lia_workspace_M(w, k), k));
        if (mass > 0.0 && lia_scales_kind(w, w->dynamics->free[k]) == kind)
            most = fmax(most, noise[k] / mass);
    }
    return most;
}

bool lia_defect_small(LiaRunner* run, double h, double allowed) {
    const LiaWorkspace* w = run->w;
    const double *noise = NULL, *spread = NULL;
    const LiaDynamics* d = w->dynamics;
    const LiaStep* step = &run->step;
    LiaPowers power;
    lia_taylor_powers(&power, step, h);
    for (int k = 0; k < w->nf; k++) {
        uint32_t i = d->free[k];
        double a = lia_step_sum(step, lia_step_series(step, step->v, i), power.rate);
        int kind = lia_scales_kind(w, i);
        double scale = lia_scale_v(&run->scales, w, i) + fabs(h * w->a[i]),
               gap = fabs(a - w->a[i]) * fabs(h);
        if (gap <= allowed * scale) continue;
        scale += LIA_DEFECT_PULL * fabs(h) * pull(w, k);
        if (gap <= allowed * scale) continue;
        if (!noise) noise = lia_noise_forces(run->checks.noise, run, w, w->mu);
        double rounding =
            rounding_of(w, noise, kind) + lia_noise_rows(run->checks.noise, run, w, kind);
        if (gap <= allowed * scale + fabs(h) * rounding) continue;
        if (!spread) spread = lia_noise_accelerations(run->checks.noise, run, w);
        if (!(gap <= allowed * scale + fabs(h) * (rounding + spread[k]))) return false;
    }
    return true;
}
