// Stiffness: steps that something fast asks for, though it is next to nothing of the motion.
//
// What vibrates or decays with the rate s and the amplitude A has the coefficients A s^k/k!, so that log(|c[k]| k!) is a straight line:
// its slope is log s, and led back to k = 0 it is log A. The slow rest is in the first coefficients only. (Where a series ends at
// a singularity, |c[k]| k! grows like k!: no straight line.) Taken between three orders, over all velocities in units of the largest met.
// SPDX-License-Identifier: MIT
#include "motion/run/stiff.h"
#include "base/numeric/thresholds.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include <math.h>

// log(|c[k]| k!), of all velocities.
static double size_at(const LiaRunner* run, int k) {
    const LiaStep* step = &run->step;
    double most = 0.0;
    for (uint32_t i = 0; i < run->system->n; i++) {
        double scale = run->scales.v[lia_step_size_kind(run->w, i)];
        const double* v = lia_step_series(step, step->v, i);
        if (scale > 0.0) most = fmax(most, fabs(v[k]) / scale);
    }
    return log(most) + lgamma(k + 1.0);
}

// The larger of two orders, one of which may be at a zero of a vibration, led to order k.
static double envelope(const LiaRunner* run, int k, double slope) {
    return fmax(size_at(run, k), size_at(run, k - 1) + slope);
}

static double slope_between(const LiaRunner* run, int low, int high) {
    double slope = (size_at(run, high) - size_at(run, low)) / (high - low);
    if (!isfinite(slope)) slope = 0.0;
    for (int pass = 0; pass < 3; pass++)
        slope = (envelope(run, high, slope) - envelope(run, low, slope)) / (high - low);
    return slope;
}

void lia_stiff_look(LiaRunner* run) {
    int p = run->step.order, third = p / 6 * 2;  // even: vibrations are at the same phase
    run->course.stiff = (LiaStiff){0};
    if (third < 2) return;
    double last = slope_between(run, p - third, p);
    double before = slope_between(run, p - third - third / 4 * 2, p - third);
    if (!(fabs(last - before) < LIA_STIFF_STRAIGHT)) return;
    double rate = exp(last), part = exp(envelope(run, p, last) - p * last);
    if (part < LIA_STIFF_SMALL && rate * run->span > LIA_STIFF_MANY)
        run->course.stiff = (LiaStiff){.rate = rate, .part = part};
}

void lia_stiff_tell(LiaRunner* run) {
    if (!(run->course.stiff.rate > 0.0) || run->model->coordinates_count == 0) return;
    LiaSpan span =
        run->model->energies_count ? run->model->energies[0].span : run->model->coordinates[0].span;
    lia_diag_warning(run->diags, span, "W0415",
                     "the motion is stiff: something with a rate of %.2g a second, which is only "
                     "%.0e of it, asks for steps of %.1e (%llu of them to t = %.6g)",
                     run->course.stiff.rate, run->course.stiff.part, fabs(run->step.h),
                     (unsigned long long)run->out->steps, run->w->t);
    lia_diag_help(run->diags, "accuracy does not ask for that: write a constraint or an operator "
                              "instead of a hard spring, no inertia beside a strong damper");
}
