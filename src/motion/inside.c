// The polynomials of a step, held against the equations at points inside it: d'Alembert's principle with the accelerations and
// forces that they say, the constraints, the laws of what is driven. The end of the step is looked at in step.c.
// SPDX-License-Identifier: MIT
#include "runner.h"
#include <float.h>
#include <math.h>

enum { POINTS_PROVED = 2, POINTS_MOST = 20 };

static double slope_at(const double* c, int degree, double x) {
    double sum = degree * c[degree];
    for (int k = degree - 1; k >= 1; k--) sum = sum * x + k * c[k];
    return sum;
}

static int kind_of(const LiaWorkspace* w, int k) { return lia_step_kind(w, w->dynamics->free[k]); }

// Accelerations and multipliers that the polynomials say at x.
static void take_unknowns(LiaRunner* run, double x) {
    const LiaWorkspace* w = run->w;
    const LiaStep* step = &run->step;
    LiaInside* at = &run->inside;
    for (int k = 0; k < w->nf; k++) {
        const double* v = lia_step_series(step, step->v, w->dynamics->free[k]);
        at->a[k] = slope_at(v, step->order, x);
    }
    for (int c = 0; c < w->nc; c++) {
        uint32_t row = w->dynamics->rows[c];
        at->mu[row] = lia_step_value(lia_step_series(step, step->mu, row), step->order - 1, x);
    }
}

// What the constraint forces would do to each coordinate if nothing resisted. At rest they and the others leave rounding,
// which moves what it acts on.
static void hold(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    LiaInside* at = &run->inside;
    double h = fabs(run->step.h);
    const double part = 1e-3;
    for (int k = 0; k < w->nf; k++) at->held[k] = 0.0;
    for (int c = 0; c < w->nc; c++) {
        double force = part * fabs(at->mu[w->dynamics->rows[c]]);
        LiaEntries Omega = lia_mechanics_Omega(w, c);
        for (int k = 0; k < Omega.count; k++)
            at->held[lia_entry_column(&Omega, k)] += fabs(Omega.value[k]) * force;
    }
    double most[2] = {0.0, 0.0};
    for (int k = 0; k < w->nf; k++) {
        double inertia = fabs(lia_mechanics_inertia(w, k));
        int kind = kind_of(w, k);
        if (inertia > 0.0) most[kind] = lia_larger(most[kind], at->held[k] / inertia);
    }
    for (int kind = 0; kind < 2; kind++) {
        at->scale_v[kind] += h * most[kind];
        at->scale_q[kind] += h * h * most[kind];
    }
}

static bool balanced(LiaRunner* run, double allowed) {
    const LiaWorkspace* w = run->w;
    LiaInside* at = &run->inside;
    double h = fabs(run->step.h), most = 0.0;  // of forces times lengths
    const double* noise = NULL;
    lia_mechanics_defects(run->sampler, at->a, at->mu, at->defect, at->size);
    for (int k = 0; k < w->nf; k++) {
        at->size[k] += at->held[k];
        most = lia_larger(most, at->size[k] * at->scale_q[kind_of(w, k)]);
    }
    for (int k = 0; k < w->nf; k++) {
        // What is rounding of the others is no force: a coordinate without inertia has often none.
        double rounding = DBL_EPSILON / allowed * most / at->scale_q[kind_of(w, k)];
        double inertia = fabs(lia_mechanics_inertia(w, k));
        double unit = inertia * at->scale_v[kind_of(w, k)] + h * (at->size[k] + rounding);
        double gap = fabs(at->defect[k]) * h;
        if (gap <= allowed * unit || gap == 0.0) continue;
        if (!noise) noise = lia_noise_forces(run->noise, run, run->sampler, at->mu);
        if (!(gap <= allowed * unit + h * noise[k])) return false;
    }
    return true;
}

// A driven coordinate is integrated like the others; its law says where it is.
static bool driven_as_said(const LiaRunner* run, double x, double allowed) {
    const LiaWorkspace* w = run->sampler;
    const LiaStep* step = &run->step;
    const LiaDynamics* d = w->dynamics;
    for (uint32_t k = 0; k < d->drive_count; k++) {
        uint32_t i = d->drives[k].coordinate;
        int kind = lia_step_kind(w, i);
        double q = lia_step_value(lia_step_series(step, step->q, i), step->order + 1, x);
        double v = lia_step_value(lia_step_series(step, step->v, i), step->order, x);
        if (!(fabs(q - w->q[i]) <= allowed * run->inside.scale_q[kind])) return false;
        if (!(fabs(v - w->v[i]) <= allowed * run->inside.scale_v[kind])) return false;
    }
    return true;
}

// A row that is none, or nearly so, is measured by the largest one.
static bool held(double residual, double size, double most, double allowed) {
    if (!(size > 1e-14 * most)) size = most;
    return fabs(residual) <= allowed * size || residual == 0.0;
}

// What is kept at the end of the step is kept inside it.
static bool constrained(const LiaRunner* run, double allowed) {
    const LiaWorkspace *w = run->w, *s = run->sampler;
    const LiaInside* at = &run->inside;
    double most_q = 0.0, most_v = 0.0;
    for (int c = 0; c < w->nc; c++) {
        most_q = lia_larger(most_q, lia_report_row_size(w, c, at->scale_q));
        most_v = lia_larger(most_v, lia_report_row_size(w, c, at->scale_v));
    }
    for (int c = 0; c < w->nc; c++) {
        double q = lia_report_row_size(w, c, at->scale_q);
        double v = lia_report_row_size(w, c, at->scale_v);
        if (!held(s->phi[c], q, most_q, allowed) || !held(s->psi[c], v, most_v, allowed))
            return false;
    }
    return true;
}

// The scales of the run, and what is met here: a system that was at rest so far moves.
static void set_scales(LiaRunner* run) {
    const LiaWorkspace* w = run->sampler;
    LiaInside* at = &run->inside;
    for (int kind = 0; kind < 2; kind++) {
        at->scale_q[kind] = run->scales.q[kind];
        at->scale_v[kind] = run->scales.v[kind];
    }
    for (int i = 0; i < w->n; i++) {
        int kind = lia_step_kind(w, (uint32_t)i);
        at->scale_q[kind] = lia_larger(at->scale_q[kind], fabs(w->q[i]));
        at->scale_v[kind] = lia_larger(at->scale_v[kind], fabs(w->v[i]));
    }
}

static bool good_at(LiaRunner* run, double x, double allowed, bool* kept) {
    lia_step_at(&run->step, x, run->sampler);
    lia_mechanics_load(run->sampler, 1);
    set_scales(run);
    *kept = driven_as_said(run, x, allowed);
    if (!*kept) return false;
    lia_mechanics_residuals(run->sampler);
    take_unknowns(run, x);
    hold(run);
    *kept = constrained(run, allowed);
    return *kept && balanced(run, allowed);
}

// The forces of the polynomials may be worse than the motion: where a linkage nears a flat position, or an operator loses its
// hold while nothing pulls, they have a pole that the motion has not. Then the accelerations decide that follow from the state.
// Where these are not determined, nothing can be said.
static bool moves_as_it_must(LiaRunner* run, double x, double allowed) {
    LiaWorkspace* w = run->sampler;
    const LiaInside* at = &run->inside;
    double h = fabs(run->step.h);
    lia_step_at(&run->step, x, w);
    if (!lia_mechanics_settle(w, 1, NULL, NULL)) return true;
    lia_mechanics_accelerate(w);
    const double smaller = -7.0;
    if (w->contradiction || lia_mechanics_size(w) - run->size_most < smaller) return true;
    for (int k = 0; k < w->nf; k++) {
        double a = w->a[w->dynamics->free[k]];
        double unit = at->scale_v[kind_of(w, k)] + h * fabs(a);
        if (!(fabs(a - at->a[k]) * h <= allowed * unit)) return false;
    }
    return true;
}

bool lia_inside_good(LiaRunner* run, double h, double allowed) {
    const double golden = 0.6180339887498949;
    bool grown = fabs(h) > 2.0 * run->inside.last;
    int count = !run->proved || grown ? POINTS_MOST : POINTS_PROVED;
    double place = fmod(golden * (double)run->inside.looked, 1.0);
    for (int k = 0; k < count; k++) {
        place = fmod(place + golden, 1.0);
        run->inside.looked++;
        bool kept = false;
        if (good_at(run, place * h, allowed, &kept)) continue;
        if (!kept || run->w->nc == 0 || !moves_as_it_must(run, place * h, allowed)) return false;
    }
    return true;
}
