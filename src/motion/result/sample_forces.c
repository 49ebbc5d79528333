// Accelerations and forces at a sample by the polynomials of its step: dense output.
//
// At the end of a step they are known twice, by the polynomials and by the state that was reached.
// What the polynomials lack there is given to them as one more term, so that both agree. What is
// left is of the order of the terms after it,
//   error (x/h)^order (1 - x/h),
// with the error that the polynomials had at the end. K0 is factored for samples at which that is
// not rounding, and where the end of the step says nothing of the sample: at corners, near
// positions in which equations lose their rank, where equations follow from others, where forces
// are decided by higher derivatives.
// SPDX-License-Identifier: MIT
#include "motion/result/sample_forces.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/project.h"
#include "mechanics/kkt/stage.h"
#include "motion/result/record.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include <math.h>
#include <string.h>

// --- the step ----------------------------------------------------------------------------------

// As lia_step_sum(), and the sizes of all terms added to *size.
static double sum_of(const LiaStep* step, const double* c, const double* power, double* size) {
    LiaFour sum = {0.0}, sizes = sum, x, y;
    for (int k = step->stride - 4; k >= 0; k -= 4) {  // 0 beyond the degree
        memcpy(&x, c + k, sizeof x);
        memcpy(&y, power + k, sizeof y);
        x *= y;
        sum += x;
        sizes += (LiaFour)((LiaFourBits)x & INT64_MAX);
    }
    *size += (sizes[0] + sizes[1]) + (sizes[2] + sizes[3]);
    return sum[0] + (sum[1] + (sum[2] + sum[3]));
}

// What a polynomial lacks at the end of the step. The error is the larger of that and its last
// term.
static double compare(LiaRunner* run, double value, double exact, double last, double size) {
    double lacks = exact - value, error = lia_larger(fabs(last), fabs(lacks));
    double part = error == 0.0 ? 0.0 : error / size;
    if (!(part <= run->samples.forces.error)) run->samples.forces.error = part;
    return lacks / run->samples.forces.beyond;
}

// Accelerations, relative to all terms and to what would make or stop the motion within the step:
// these into forces.a.
static void compare_accelerations(LiaRunner* run, const double* rate) {
    const LiaStep* step = &run->step;
    const LiaDynamics* d = run->dynamics;
    for (uint32_t k = 0; k < d->nf; k++) {
        uint32_t i = d->free[k];
        const double* v = lia_step_series(step, step->v, i);
        double* size = &run->samples.forces.a[k];
        *size = lia_scale_v(&run->scales, run->w, i) / fabs(step->h);
        double sum = sum_of(step, v, rate, size);
        run->samples.forces.next_a[k] =
            compare(run, sum, run->w->a[i], v[step->order] * rate[step->order], *size);
    }
}

static void compare_multiplier(LiaRunner* run, const double* power, uint32_t row, double least) {
    const LiaStep* step = &run->step;
    const double* mu = lia_step_series(step, step->mu, row);
    double last = mu[step->order - 1] * power[step->order - 1], size = least;
    double sum = sum_of(step, mu, power, &size);
    run->samples.forces.next_mu[row] = compare(run, sum, run->w->mu[row], last, size);
}

// The multiplier whose force on some coordinate is as large as its inertia times such an
// acceleration. One that is zero but for rounding has no other size.
static double inertial_size(const LiaRunner* run, int c) {
    LiaEntries Omega = lia_workspace_Omega(run->w, c);
    double least = INFINITY;
    for (int e = 0; e < Omega.count; e++) {
        int k = lia_entry_column(&Omega, e);
        double force = fabs(lia_workspace_inertia(run->w, k)) * run->samples.forces.a[k];
        if (Omega.value[e] != 0.0) least = fmin(least, force / fabs(Omega.value[e]));
    }
    return isfinite(least) ? least : 0.0;
}

static void compare_all(LiaRunner* run) {
    const LiaDynamics* d = run->dynamics;
    const double h = run->step.h;
    LiaPowers power;
    lia_taylor_powers(&power, &run->step, h);
    run->samples.forces.error = 0.0;
    run->samples.forces.beyond = power.of[run->step.order];
    compare_accelerations(run, power.rate);
    for (uint32_t c = 0; c < d->nc; c++)
        compare_multiplier(run, power.of, d->rows[c], inertial_size(run, (int)c));
    for (uint32_t k = 0; k < d->drive_count; k++) {
        double stop = fabs(run->w->p[d->drives[k].coordinate] / h);  // its momentum, in the step
        compare_multiplier(run, power.of, d->drive_row[k], stop);
    }
    bool usable = run->samples.forces.beyond != 0.0 && isfinite(run->samples.forces.beyond);
    if (!usable || isnan(run->samples.forces.error)) run->samples.forces.error = INFINITY;
}

// Does the step have a sample, so that it is worth while?
static bool has_sample(const LiaRunner* run) {
    if (run->samples.next >= run->samples.total) return false;
    double x = lia_record_time(run, run->samples.next) - run->step.t;
    return run->direction * (x - run->step.h) <= 0.0;
}

void lia_sample_forces_begin(LiaRunner* run, double size) {
    LiaWorkspace* w = run->w;
    if (!run->checks.passed || !w->forces.method->by_order || w->nr != w->nc || !has_sample(run))
        return;
    double least = fmin(size, lia_workspace_size(w)) - run->course.size_most;
    bool regular =
        !(least < LIA_DETERMINANT_SMALLER) && (w->nc == 0 || w->saddle.pivot >= LIA_REFINED_PIVOT);
    if (!regular) return;
    compare_all(run);
    lia_project_row_sizes(w, run->samples.forces.row_size);
}

void lia_sample_forces_end(LiaRunner* run) { run->samples.forces.error = INFINITY; }

// --- a sample ----------------------------------------------------------------------------------

static bool is_good(const LiaRunner* run) {
    const LiaSampleForces* f = &run->samples.forces;
    double x = f->power.of[1], part = f->power.of[run->step.order] / f->beyond;
    double left = f->error * part * (1.0 - x / run->step.h);
    return isfinite(f->error) && left <= LIA_SAMPLE_BY_SERIES;
}

bool lia_sample_forces(LiaRunner* run) {
    const LiaStep* step = &run->step;
    const LiaDynamics* d = run->dynamics;
    LiaSampleForces* f = &run->samples.forces;
    if (!is_good(run) || run->sampler->nr != run->sampler->nc) return false;
    if (!lia_project_nearby(run->sampler, run->w, f->row_size)) return false;
    const double *mu = lia_step_multipliers(step, run->sampler), next = f->power.of[step->order];
    lia_step_sums(step, step->v, run->system->n, f->power.rate, f->rate);
    for (uint32_t k = 0; k < d->nf; k++) f->a[k] = f->next_a[k] * next + f->rate[d->free[k]];
    // a row that is none of this mode has no force
    if (d->nc + d->drive_count < run->system->row_count)
        memset(f->mu, 0, run->system->row_count * sizeof *f->mu);
    for (uint32_t c = 0; c < d->nc; c++)
        f->mu[d->rows[c]] = f->next_mu[d->rows[c]] * next + mu[d->rows[c]];
    for (uint32_t k = 0; k < d->drive_count; k++)
        f->mu[d->drive_row[k]] = f->next_mu[d->drive_row[k]] * next + mu[d->drive_row[k]];
    lia_stage_given(run->sampler, f->a, f->mu);
    return true;
}
