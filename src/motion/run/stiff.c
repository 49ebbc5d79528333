// Stiffness: steps that something fast asks for, though it is next to nothing of the motion.
//
// What vibrates or decays with the rate s and the amplitude A has the coefficients A s^k/k!, so
// that log(|c[k]| k!) is a straight line: its slope is log s, and led back to k = 0 it is log A.
// The slow rest is in the first coefficients only. (Where a series ends at a singularity, |c[k]| k!
// grows like k!: no straight line.) Taken between three orders, over all velocities in units of the
// largest met.
// SPDX-License-Identifier: MIT
#include "motion/run/stiff.h"
#include "base/numeric/thresholds.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include <math.h>
#include <stdio.h>

// log(|c[k]| k!), of all velocities.
static double size_at(const LiaRunner* run, int k) {
    const LiaStep* step = &run->step;
    double most = 0.0;
    for (uint32_t i = 0; i < run->system->n; i++) {
        double scale = run->scales.v[lia_scales_kind(run->w, i)];
        const double* v = lia_step_series(step, step->v, i);
        if (scale > 0.0) most = fmax(most, fabs(v[k]) / scale);
    }
    return log(most) + log(tgamma(k + 1.0));  // lgamma() writes to a global
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

// The one mode that the last coefficients of the step are made of; rate 0: there is none.
static LiaStiff mode_of(const LiaRunner* run) {
    int p = run->step.order, third = p / 6 * 2;  // even: vibrations are at the same phase
    if (third < 2) return (LiaStiff){0};
    double last = slope_between(run, p - third, p);
    double before = slope_between(run, p - third - third / 4 * 2, p - third);
    if (!(fabs(last - before) < LIA_STIFF_STRAIGHT)) return (LiaStiff){0};
    return (LiaStiff){.rate = exp(last), .part = exp(envelope(run, p, last) - p * last)};
}

void lia_stiff_look(LiaRunner* run) {
    LiaStiff mode = mode_of(run);
    bool stiff = mode.part < LIA_STIFF_SMALL && mode.rate * run->span > LIA_STIFF_MANY;
    run->course.stiff = stiff ? mode : (LiaStiff){0};
}

double lia_stiff_rate(const LiaRunner* run) {
    const LiaScales* s = &run->scales;
    double most = s->begun ? mode_of(run).rate : 0.0;
    if (most > 0.0 && isfinite(most)) return most;
    most = 0.0;
    for (uint32_t i = 0; s->begun && i < run->system->n; i++) {
        if (s->own_q[i] > 0.0) most = lia_larger(most, s->own_v[i] / s->own_q[i]);
    }
    return isfinite(most) ? most : 0.0;
}

// A run that was stopped after many steps: how far it would have been to its end.
static void tell_far(LiaRunner* run, LiaSpan span) {
    const LiaTrajectory* out = run->out;
    const double turn = 6.283185307179586;
    double gone = fabs(run->w->t - out->t0), left = fabs(out->t1 - run->w->t);
    double steps = left / gone * (double)out->effort.steps;
    if (out->status != LIA_STOPPED || run->course.stall.looks == 0) return;
    if (!(steps > LIA_FAR_STEPS) || !isfinite(steps)) return;
    double times = lia_stiff_rate(run) * fabs(out->t1 - out->t0) / turn;
    char vibrates[80] = "";
    if (times > LIA_STIFF_MANY)
        snprintf(vibrates, sizeof vibrates, ": the motion vibrates about %.1g times until then",
                 times);
    lia_diag_warning(run->diags, span, "W0424",
                     "the end of the run is far: to t = %.6g it would be %.1e steps of %.1e more%s",
                     out->t1, steps, fabs(run->step.h), vibrates);
    lia_diag_help(run->diags, "end the run earlier; write a constraint instead of a hard spring, "
                              "and no light part that only a strong force holds");
}

void lia_stiff_tell(LiaRunner* run) {
    if (run->model->coordinates_count == 0) return;
    LiaSpan span =
        run->model->energies_count ? run->model->energies[0].span : run->model->coordinates[0].span;
    if (!(run->course.stiff.rate > 0.0)) {
        tell_far(run, span);
        return;
    }
    lia_diag_warning(run->diags, span, "W0415",
                     "the motion is stiff: something with a rate of %.2g a second, which is only "
                     "%.0e of it, asks for steps of %.1e (%llu of them to t = %.6g)",
                     run->course.stiff.rate, run->course.stiff.part, fabs(run->step.h),
                     (unsigned long long)run->out->effort.steps, run->w->t);
    lia_diag_help(run->diags, "accuracy does not ask for that: write a constraint or an operator "
                              "instead of a hard spring, no inertia beside a strong damper");
}
