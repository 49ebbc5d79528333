// What rounding inside formulas does to the motion. An argument that is the difference of large
// numbers is rounded, and a steep function makes more of it: exp((cos(t) - 1)/w^2) loses 2/w^2 of
// its digits. Two places where that is felt:
//
//   forces    a steep function makes steps short. There the impulse of a step is as uncertain as
//             the sizes of what the forces are made of say (expr/graph/sizes.c)
//   corners   the instant at which a condition passes zero is as uncertain as its formula, over
//             its rate. By that time the acceleration after the corner acts longer or shorter.
//             Next to a corner without series (x^1.5) steps are no shorter than time is rounded
//
// Both change velocities, and positions by these for the rest of the run.
// SPDX-License-Identifier: MIT
#include "motion/check/formula_rounding.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "motion/check/digits.h"
#include "motion/check/noise.h"
#include "motion/result/held.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

void lia_formula_rounding_add(LiaRunner* run, uint32_t i, double velocity) {
    if (!isfinite(velocity)) return;
    if (velocity > run->met.rounded.most)
        run->met.rounded.most = velocity, run->met.rounded.t = run->w->t;
    run->met.rounded.v[i] += velocity;
    double left = fabs(run->out->t1 - run->w->t);
    if (isfinite(left)) run->met.rounded.q[i] += left * velocity;
}

void lia_formula_rounding_step(LiaRunner* run, double h) {
    const LiaWorkspace* w = run->w;
    if (!(fabs(h) < LIA_FORMULA_SHORT * run->course.longest) || !w->forces.method->bounded) return;
    const double* size = lia_noise_sizes(run->checks.noise, run, w, w->mu);
    for (int k = 0; k < w->nf; k++) {
        double inertia = fabs(lia_workspace_inertia(w, k));
        if (inertia > 0.0)
            lia_formula_rounding_add(run, w->dynamics->free[k],
                                     fabs(h) * DBL_EPSILON * size[k] / inertia);
    }
}

// By the polynomials of the step, at its end.
static double acceleration_before(const LiaStep* step, uint32_t i, double h) {
    const double* v = lia_step_series(step, step->v, i);
    double a = step->order * v[step->order];
    for (int k = step->order - 1; k >= 1; k--) a = a * h + k * v[k];
    return a;
}

// Where steps shrink towards a corner without series, the last one goes over the end of its own:
// its last terms are no smaller than those before, and as many as these are left out. 0 for
// velocities whose last terms are as small as those of other steps.
static double left_out(const LiaRunner* run, uint32_t i, double h) {
    const LiaStep* step = &run->step;
    const double* v = lia_step_series(step, step->v, i);
    double last = 0.0, power = pow(fabs(h), step->order - 1);
    for (int k = step->order - 1; k <= step->order; k++, power *= fabs(h))
        last = fmax(last, fabs(v[k]) * power);
    double usual = LIA_FORMULA_USUAL * run->tolerance * lia_scale_v(&run->scales, run->w, i);
    return last > usual ? step->order * last : 0.0;
}

void lia_formula_rounding_corner(LiaRunner* run, int g, double h) {
    const LiaWorkspace* w = run->w;
    const LiaStep* step = &run->step;
    LiaGuardRule rule = w->dynamics->tape->guards[g].rule;
    if (rule != LIA_GUARD_ARGUMENT && rule != LIA_GUARD_DIFFERENCE) return;
    const double* c = lia_step_series(step, step->guard, (uint32_t)g);
    double rate = 0.0;
    for (int k = step->order - 1; k >= 1; k--) rate = rate * h + k * c[k];
    double late = lia_noise_condition(run->checks.noise, run, (uint32_t)g, h) / fabs(rate);
    if (!(late < fabs(h))) late = fabs(h);
    for (int k = 0; k < w->nf; k++) {
        uint32_t i = w->dynamics->free[k];
        double jump = fabs(w->a[i] - acceleration_before(step, i, h));
        lia_formula_rounding_add(run, i, late * jump + left_out(run, i, h));
    }
}

double lia_formula_rounding_tell(LiaRunner* run, double doubtful) {
    const LiaModel* m = run->model;
    double worst = 0.0;
    uint32_t whose = 0;
    // Where constraints leave no freedom, the forces and their rounding move nothing.
    double* off = lia_memory_zeros((size_t)run->system->n + 1, sizeof *off);
    bool known = off && lia_held_find(run, true, off);
    for (uint32_t i = 0; known && i < run->system->n; i++) {
        if (off[i] >= 0.0) continue;
        // A velocity that would move nothing in the whole run is at rest: rounding is no motion of
        // it, and none of its digits are lost.
        double q = lia_scale_q(&run->scales, run->w, i);
        double v = fmax(lia_scale_v(&run->scales, run->w, i), q / run->span);
        double part = fmax(run->met.rounded.v[i] / v, run->met.rounded.q[i] / q);
        if (part > worst) worst = fmin(part, 1.0), whose = i;
    }
    free(off);
    if (!(worst > doubtful)) return worst;
    uint32_t group = m->coordinates[whose].group;
    lia_diag_warning(run->diags, m->coordinates[whose].span, "W0421",
                     "the motion of '%.40s' is known to %d digits only: rounding inside a formula "
                     "is felt at t = %.10g",
                     group ? m->groups[group - 1].name : m->coordinates[whose].name,
                     (int)lia_digits_known(worst), run->met.rounded.t);
    lia_diag_help(run->diags, "write what is the difference of large numbers without it: "
                              "-2*sin(u/2)^2 for cos(u) - 1, (x - a)*(x + a) for x^2 - a^2");
    return worst;
}
