// How far the series of a step can be relied upon: as far as every function in them converges, or
// can be neglected in its equation. See expr/tape/enclosure.h. Where a function stops being
// negligible inside a step, the step ends there.
// SPDX-License-Identifier: MIT
#include "motion/check/series_range.h"
#include "base/numeric/thresholds.h"
#include "motion/events/event_range.h"
#include "motion/events/guards.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include <float.h>
#include <math.h>

typedef struct Look {
    const LiaRunner* run;
    const LiaEnclosure* e;
    double h;          // > 0
    double tolerance;  // of what a step may miss, relative to the scales
} Look;

static double scale_q(const Look* look, uint32_t i) {
    return lia_scale_q(&look->run->scales, look->run->w, i);
}

static double scale_v(const Look* look, uint32_t i) {
    return lia_scale_v(&look->run->scales, look->run->w, i);
}

static bool small(double error, double allowed) { return error <= allowed || error < DBL_MIN; }

// The balance of each unknown coordinate: an error of p or of the integral of G changes its
// velocity by that over the inertia.
static bool balances(const Look* look) {
    const LiaWorkspace* w = look->run->w;
    const LiaDynamics* d = w->dynamics;
    for (int k = 0; k < w->nf; k++) {
        uint32_t i = d->free[k], G = d->G_register[i];
        double error = look->e->error[d->p[i]] + look->h * look->e->error[G];
        if (error == 0.0) continue;
        double inertia = fabs(lia_workspace_inertia(w, k));
        double allowed = look->tolerance * inertia * scale_v(look, i);
        if (!(inertia > 0.0))  // then the forces balance each other
            allowed = look->tolerance * look->h * lia_interval_most(look->e->range[G]);
        if (!small(error, allowed)) return false;
    }
    return true;
}

// The equations: an error of phi moves positions, and within the step velocities.
static bool equations(const Look* look) {
    const LiaWorkspace* w = look->run->w;
    const LiaDynamics* d = w->dynamics;
    for (int c = 0; c < w->nc; c++) {
        double error = look->e->error[d->equation[c]];
        if (error == 0.0) continue;
        LiaEntries J = lia_workspace_J(w, c);
        double size = 0.0;
        for (int k = 0; k < J.count; k++) {
            uint32_t i = d->free[lia_entry_column(&J, k)];
            double unit = scale_v(look, i);
            if (w->series.equation[c].geometric) unit = fmin(scale_q(look, i), look->h * unit);
            size = fmax(size, fabs(J.value[k]) * unit);
        }
        if (!small(error, look->tolerance * size)) return false;
    }
    return true;
}

static bool drives(const Look* look) {
    const LiaTape* tape = look->run->w->dynamics->tape;
    for (uint32_t k = 0; k < tape->drive_count; k++) {
        uint32_t i = tape->drives[k].coordinate;
        double error = look->e->error[tape->drive_register[k]];
        double unit = fmin(scale_q(look, i), look->h * scale_v(look, i));
        if (tape->drives[k].rate) error *= look->h;
        if (!small(error, look->tolerance * unit)) return false;
    }
    return true;
}

static bool works(const Look* look) {
    const LiaRunner* run = look->run;
    const LiaDynamics* d = run->w->dynamics;
    for (uint32_t k = 0; k < d->live.line_count; k++) {
        double error = look->h * look->e->error[d->power[d->live.lines[k]]];
        if (!small(error, LIA_RANGE_WORKS * look->tolerance * lia_scale_energy(&run->scales)))
            return false;
    }
    return true;
}

// Roots of guards and events: none is where the formula stays farther from zero than the series are
// from it; else these must be good enough to tell where it is. Nothing is known of one that may be
// infinite.
static bool root_known(const LiaRunner* run, uint32_t reg, double tolerance) {
    double error = run->checks.enclosure.error[reg];
    LiaInterval range = run->checks.enclosure.range[reg];
    if (error == 0.0 || lia_interval_least(range) > error) return true;
    double most = lia_interval_most(range);
    return most < INFINITY && small(error, fmax(LIA_RANGE_ROOT, tolerance) * most);
}

bool lia_series_range_root_known(const LiaRunner* run, uint32_t reg) {
    return root_known(run, reg, LIA_RANGE_TOLERANCE * run->step_tolerance);
}

// Those of guards that only events have: event_range.c.
static bool roots(const Look* look) {
    const LiaRunner* run = look->run;
    const LiaTape* tape = run->w->dynamics->tape;
    for (uint32_t g = lia_guards_next(run, 0); g < tape->guard_count;
         g = lia_guards_next(run, g + 1)) {
        const LiaGuard* guard = &tape->guards[g];
        if (!run->watch.live[g] || !guard->vital) continue;
        // A motion that ends where the formula is zero does so only if the formula is.
        if (lia_guard_stops(guard->rule) &&
            lia_interval_least(run->checks.enclosure.range[guard->reg]) > 0.0)
            continue;
        if (!root_known(run, guard->reg, look->tolerance)) return false;
    }
    return true;
}

// What ends a mode of the contacts: gaps, forces, slips. A spike of the ground far ahead is in no
// series either.
static bool modes(const Look* look) {
    const LiaRunner* run = look->run;
    const LiaAwake* awake = run->w->jets.awake;
    const uint32_t count = run->system->mode.watched_count;
    for (uint32_t i = lia_parts_next(awake, 0, count); i < count;
         i = lia_parts_next(awake, i + 1, count)) {
        if (!root_known(run, run->dynamics->watched[i], look->tolerance)) return false;
    }
    return true;
}

static bool negligible(LiaRunner* run, double h) {
    lia_enclosure_spread(&run->checks.enclosure);
    Look look = {run, &run->checks.enclosure, fabs(h), LIA_RANGE_TOLERANCE * run->step_tolerance};
    return balances(&look) && equations(&look) && drives(&look) && works(&look) && roots(&look) &&
           modes(&look);
}

// The register of a singular formula that is all but zero where the step ends, which is as far as
// the motion goes; 0: none. What is divided by it has a pole there, and the motion, on its way,
// none.
static uint32_t ending_at(const LiaRunner* run, double h, int guard) {
    const LiaTape* tape = run->w->dynamics->tape;
    const LiaStep* step = &run->step;
    if (guard >= 0 && lia_guard_stops(tape->guards[guard].rule)) return tape->guards[guard].reg;
    for (uint32_t g = lia_guards_next(run, 0); g < tape->guard_count;
         g = lia_guards_next(run, g + 1)) {
        if (!run->watch.live[g] || !lia_guard_stops(tape->guards[g].rule)) continue;
        const double* c = lia_step_series(step, step->guard, g);
        if (fabs(lia_step_value(c, step->order - 1, h)) <= LIA_RANGE_ENDING * fabs(c[0]))
            return tape->guards[g].reg;
    }
    return 0;
}

double lia_series_range(LiaRunner* run, double h, int guard) {
    const int halvings = 60;
    uint32_t ending = ending_at(run, h, guard);
    run->checks.proved = true;
    for (int k = 0; k < halvings; k++, h *= 0.5, ending = 0) {
        bool settled = lia_enclosure_settles(&run->checks.enclosure, h, ending);
        if (settled && !ending) return lia_event_range(run, h);
        if (settled || negligible(run, h)) {
            run->checks.proved = false;
            return lia_event_range(run, h);
        }
    }
    return h;
}
