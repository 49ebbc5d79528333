// What ends a mode: the first root of a formula that is never negative in it, on the polynomials of
// the step, none skipped. Where a formula only touches zero (a gap that grazes) nothing ends.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "motion/contact/contacts.h"
#include "motion/events/roots.h"
#include <math.h>

static const double* series_of(const LiaRunner* run, uint32_t i) {
    return lia_step_series(&run->step, run->step.watched, i);
}

// The first root at which the formula becomes negative.
static bool first_root(const LiaRunner* run, uint32_t i, double h, double* x) {
    enum { ROOTS = 32 };
    int vanish = run->contacts->vanish[i], degree = run->step.order - 1 - vanish;
    LiaRootFound roots[ROOTS];
    if (degree < 1) return false;
    int count = lia_roots(series_of(run, i) + vanish, degree, h, 0, roots, ROOTS);
    for (int k = 0; k < count; k++) {
        if (roots[k].direction >= 0) continue;
        *x = roots[k].x;
        return true;
    }
    return false;
}

// The square of a slip touches zero where the slip vanishes: there its derivative passes zero, which
// is where it is known to the last digits. Where the square is not zero there the slip turned aside.
static bool slip_vanishes(const LiaRunner* run, uint32_t i, double h, double* x) {
    enum { ROOTS = 32 };
    int vanish = run->contacts->vanish[i], degree = run->step.order - 1 - vanish;
    const double* c = series_of(run, i) + vanish;
    double slope[LIA_ROOTS_DEGREE + 1], size = 0.0, power = 1.0;
    LiaRootFound roots[ROOTS];
    if (degree < 2 || degree > LIA_ROOTS_DEGREE) return false;
    for (int k = 1; k <= degree; k++) slope[k - 1] = k * c[k];
    for (int k = 0; k <= degree; k++, power *= h) size = fmax(size, fabs(c[k] * power));
    // a little beyond the end: the root may stand there
    int count = lia_roots(slope, degree - 1, h * (1.0 + LIA_INSTANT_BEYOND), 0, roots, ROOTS);
    for (int k = 0; k < count; k++) {
        double least = lia_step_value(c, degree, roots[k].x);
        if (roots[k].direction <= 0 || !(least <= LIA_WATCH_SQUARE * size)) continue;
        *x = fmin(roots[k].x, h);
        return roots[k].x <= h * (1.0 + LIA_INSTANT_STEP);
    }
    return false;
}

static bool ends(const LiaRunner* run, uint32_t i, double h, double* x) {
    const LiaWatched* watched = &run->system->watched[i];
    bool square =
        watched->kind == LIA_WATCH_SLIP && run->system->mode[watched->contact] == LIA_MODE_SLIDE;
    return square ? slip_vanishes(run, i, h, x) : first_root(run, i, h, x);
}

bool lia_watch_first(LiaRunner* run, double h, double* x) {
    LiaContacts* c = run->contacts;
    bool found = false;
    double root, reach = h;
    for (uint32_t i = 0; i < run->system->watched_count; i++) {
        c->fires[i] = false;
        if (!ends(run, i, reach, &root)) continue;
        found = true;
        *x = reach = root;
    }
    if (!found) return false;
    double near = LIA_INSTANT_STEP * fabs(*x) + LIA_INSTANT_TIME * lia_time_size(run, run->step.t);
    reach = fmin(*x + near, h);
    for (uint32_t i = 0; i < run->system->watched_count; i++)
        c->fires[i] = ends(run, i, reach, &root) && fabs(root - *x) <= near;
    return true;
}

void lia_watch_passed(LiaRunner* run) {
    for (uint32_t i = 0; i < run->system->watched_count; i++) run->contacts->vanish[i] = 0;
}

// A time by which the terms of a series are compared: of the run, or half the radius of convergence.
// The terms that decide are the first then.
static double time_of(const LiaRunner* run, const double* c, int degree) {
    double h = fabs(run->scales.span);
    for (int k = degree - 1; k <= degree; k++) {
        if (c[k] != 0.0) h = fmin(h, 0.5 * pow(fabs(c[k]), -1.0 / k));
    }
    return h;
}

// How many coefficients are nothing but rounding beside the others.
static int count_vanishing(const double* c, int degree, double h) {
    double size = 0.0, power = 1.0;
    for (int k = 0; k <= degree; k++, power *= h) size = fmax(size, fabs(c[k] * power));
    int vanish = 0;
    power = 1.0;
    while (vanish <= degree && !(fabs(c[vanish] * power) > LIA_WATCH_VANISHES * size))
        vanish++, power *= h;
    return vanish;
}

int lia_watch_admissible(LiaRunner* run) {
    const LiaSystem* s = run->system;
    int degree = run->step.order - 1, negative = -1;
    for (uint32_t i = 0; i < s->watched_count; i++) {
        const double* c = series_of(run, i);
        bool leaves =
            s->watched[i].kind == LIA_WATCH_GAP && run->contacts->leaves[s->watched[i].contact];
        int vanish = leaves ? 1 : count_vanishing(c, degree, time_of(run, c, degree));
        run->contacts->vanish[i] = vanish;
        if (vanish <= degree && c[vanish] < 0.0 && negative < 0) negative = (int)i;
    }
    return negative;
}

static void say_leap(LiaRunner* run, uint32_t i) {
    const LiaSystem* s = run->system;
    const LiaConstraint* of = &s->model->constraints[s->contacts[s->watched[i].contact].constraint];
    double t = run->w->t;
    lia_verdict(run, LIA_FAILED, "E0436", of->span, t,
                "at t = %.10g the gap of '%s' leaps below zero: no impulse stops that", t,
                of->name);
}

// Rounding, projection and jumps lie between two steps: what is watched may be a little negative where
// a step begins, and falls.
bool lia_watch_overdue(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    bool overdue = false;
    int degree = run->step.order - 1;
    for (uint32_t i = 0; i < run->system->watched_count; i++) {
        const double* x = series_of(run, i);
        c->fires[i] = c->vanish[i] == 0 && x[0] < 0.0 && x[1] <= 0.0;
        if (!c->fires[i]) continue;
        double size = 0.0, h = time_of(run, x, degree), power = 1.0;
        for (int k = 0; k <= degree; k++, power *= h) size = fmax(size, fabs(x[k] * power));
        bool gap = run->system->watched[i].kind == LIA_WATCH_GAP;  // forces may jump
        if (gap && -x[0] > LIA_WATCH_LEAPS * size) {
            say_leap(run, i);
            return false;
        }
        overdue = true;
    }
    return overdue;
}
