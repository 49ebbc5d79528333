// The balance of the energy at every step: what it changed by, from one state to the next, is what
// the works are that were integrated along the way. The two come from different formulas, so a
// wrong step shows here whatever its series say.
// SPDX-License-Identifier: MIT
#include "motion/check/energy_balance.h"
#include "base/numeric/thresholds.h"
#include "motion/check/noise.h"
#include "motion/check/trend.h"
#include "motion/runner.h"
#include <float.h>
#include <math.h>

static double energy_of(LiaWorkspace* w) {
    lia_jet_sample(&w->jets);
    return lia_jet_coefficient(
        &w->jets,
        lia_tape_register(w->jets.tape, w->system->observables.samples[LIA_SAMPLE_ENERGY]), 0);
}

static double kinetic_of(const LiaWorkspace* w) { return 0.5 * lia_workspace_twice_energy(w); }

static double scale_of(const LiaRunner* run) {
    double range = run->met.potential_most - run->met.potential_least;
    double scale = run->met.kinetic_most + (range > 0.0 ? range : 0.0);
    return lia_larger(scale, lia_scale_energy(&run->scales));
}

static double sum_of(const LiaRunner* run, const double* work) {
    double sum = 0.0;
    for (uint32_t l = 0; l < run->system->line_count; l++) {
        if (work[l] != 0.0 && !lia_system_line_internal(run->system, l)) sum += work[l];
    }
    return sum;
}

void lia_energy_balance_note(LiaRunner* run, const LiaWorkspace* w, double energy) {
    double kinetic = kinetic_of(w), potential = energy - kinetic;
    if (!isfinite(potential)) return;
    run->met.kinetic_most = lia_larger(run->met.kinetic_most, fabs(kinetic));
    if (potential < run->met.potential_least) run->met.potential_least = potential;
    run->met.potential_most = lia_larger(run->met.potential_most, potential);
}

void lia_energy_balance_sample(LiaRunner* run, const LiaWorkspace* w, double energy) {
    bool first = !(run->met.potential_most >= run->met.potential_least);
    double gap = energy - run->out->ledger.start - sum_of(run, w->work) - run->met.projected;
    if (first || (run->checks.passed && fabs(gap) <= LIA_ENERGY_MUCH * scale_of(run)))
        lia_energy_balance_note(run, w, energy);
}

double lia_energy_balance_gap(const LiaRunner* run, double energy) {
    double works = sum_of(run, run->w->work) + sum_of(run, run->low.work);
    return energy - run->out->ledger.start - works - run->met.projected;
}

void lia_energy_balance_begin(LiaRunner* run) {
    if (!run->balance.known) run->balance.begin = energy_of(run->w);
    run->balance.known = true;
    run->balance.gap = INFINITY;
}

// Forces F that hold each other leave a rounding e F, which moves the mass they act on by e F
// h^2/m; F does work along it. So a system at rest, which has no energy to compare with, has works.
// After lia_inner_residual_good(), which sums up the sizes of forces.
static double work_at_rest(const LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    double h = run->step.h, sum = 0.0;
    for (int k = 0; k < w->nf; k++) {
        double force = run->checks.inside.size[k], inertia = fabs(lia_workspace_inertia(w, k));
        if (inertia > 0.0) sum += h * h * force * force / inertia;
    }
    return DBL_EPSILON * sum;
}

bool lia_energy_balance_closes(LiaRunner* run, double fed, double allowed) {
    LiaWorkspace* w = run->w;
    double energy = energy_of(w), before = sum_of(run, run->old.work), after = sum_of(run, w->work);
    double gap = fabs(energy - run->balance.begin - (after - before) - fed),
           kinetic = fabs(kinetic_of(w));
    double scale = lia_larger(scale_of(run), lia_larger(kinetic, fabs(after - before)));
    run->balance.end = energy;
    lia_trend_look(run, energy);
    if (gap <= allowed * scale || !isfinite(run->balance.begin)) return true;
    // What half a step does not make much smaller is not the step's: rounding, or a model whose
    // ledger does not close. The report tells of it.
    bool by_series = !(gap > LIA_ENERGY_AS_BEFORE * run->balance.gap);
    run->balance.gap = gap;
    if (!by_series) return true;
    double size = fabs(energy) + fabs(run->balance.begin) + kinetic + fabs(after) + fabs(before);
    double rounding = DBL_EPSILON * size + work_at_rest(run);
    if (gap <= allowed * scale + LIA_ENERGY_ROUNDINGS * rounding) return true;
    return gap <= allowed * scale +
                      LIA_ENERGY_ROUNDINGS * lia_noise_energy(run->checks.noise, run, w, w->mu);
}
