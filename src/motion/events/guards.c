// Formulas that are not analytic everywhere (abs, sign, min, if, hypot at 0, ...): a step ends where one
// of their guards has a root, and the next begins on the other side, or the run stops with a verdict.
// What the motion does there: corner.c.
// SPDX-License-Identifier: MIT
#include "motion/events/guards.h"
#include "base/numeric/thresholds.h"
#include "motion/events/roots.h"
#include "motion/runner.h"
#include <math.h>

static bool switches(LiaGuardRule rule) {
    return rule == LIA_GUARD_ARGUMENT || rule == LIA_GUARD_DIFFERENCE || rule == LIA_GUARD_CUT;
}

// The first root of guard g within h; *sign: 1, or -1 where it is the cut at -pi.
static bool first_root(LiaRunner* run, uint32_t g, double h, double* x, signed char* sign) {
    const LiaGuard* guard = &run->w->dynamics->tape->guards[g];
    LiaStep* step = &run->step;
    double* c = step->guard + (size_t)g * (size_t)step->stride;
    LiaRootFound root;
    if (guard->rule != LIA_GUARD_CUT) {
        *sign = 1;
        LiaRootFound roots[32];
        int count = lia_roots(c, step->order - 1, h, run->watch.at_root[g], roots, 32);
        for (int k = 0; k < count; k++) {
            if (roots[k].direction == 0 && switches(guard->rule)) continue;  // touches, goes back
            *x = roots[k].x;
            return true;
        }
        return false;
    }
    const double pi = 3.14159265358979324;
    double value = c[0];
    bool found = false;
    for (int side = 1; side >= -1; side -= 2) {
        c[0] = value - side * pi;
        bool here = run->watch.at_root[g] && fabs(c[0]) < 1.0;
        // only a passage outwards is one: just behind the cut the angle comes from the other end
        if (lia_roots(c, step->order - 1, h, here, &root, 1) &&
            root.direction == side * (h > 0 ? 1 : -1)) {
            found = true;
            h = *x = root.x;
            *sign = (signed char)side;
        }
    }
    c[0] = value;
    return found;
}

static bool watched(const LiaRunner* run, uint32_t g) {
    const LiaGuard* guard = &run->w->dynamics->tape->guards[g];
    // Sides are kept everywhere, so that they are right when a branch is taken again.
    return switches(guard->rule) || (guard->vital && run->watch.live[g]);
}

int lia_guards_first(LiaRunner* run, double h, double* x) {
    const LiaTape* tape = run->w->dynamics->tape;
    int first = -1;
    double root;
    signed char sign, first_sign = 1;
    lia_jet_live(&run->w->jets, run->watch.live);
    // A formula like x^1.5 for x > 0 is not analytic at the corner itself: steps shrink towards it without
    // ever reaching it. Where the root is all but reached, the step goes there.
    double close = LIA_GUARD_CLOSE * run->course.longest;
    double span = fmax(fabs(h), close);
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        run->watch.crossing[g] = 0;
        if (!watched(run, g)) continue;
        double reach = run->direction * (first >= 0                       ? fabs(*x)
                                         : switches(tape->guards[g].rule) ? span
                                                                          : fabs(h));
        if (!first_root(run, g, reach, &root, &sign)) continue;
        first = (int)g;
        first_sign = sign;
        *x = root;
    }
    if (first < 0) return first;
    // a multiple root is blurred by rounding: looked for again, it may be found a little elsewhere
    if (switches(tape->guards[first].rule)) run->watch.crossing[first] = first_sign;
    // Others that have their root at the same instant (max(0, x) and its derivative) go over together; where
    // one of them switches, that decides whether a singular one still matters.
    double near = LIA_INSTANT_STEP * fabs(*x) + LIA_INSTANT_TIME * lia_time_size(run, run->step.t);
    // beyond it a little: whether a multiple root passes zero is seen outside of its blur only
    double reach = *x + run->direction * (near + LIA_INSTANT_BEYOND * fabs(*x));
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (!switches(tape->guards[g].rule)) continue;
        if (first_root(run, g, reach, &root, &sign) && fabs(root - *x) <= near) {
            run->watch.crossing[g] = sign;
            if (!switches(tape->guards[first].rule)) first = (int)g;
        }
    }
    return first;
}

// The step at which the last terms of a polynomial are still small, a part `tolerance` of its size: beyond that its roots
// mean nothing.
static double trusted(const double* c, int degree, double h, double tolerance) {
    double size = fmax(fabs(c[0]), fmax(fabs(c[1] * h), fabs(c[2] * h * h)));
    if (!(size > 0.0)) return INFINITY;
    for (int k = degree - 1; k <= degree; k++) {
        if (c[k] != 0.0) h = fmin(h, pow(tolerance * size / fabs(c[k]), 1.0 / k));
    }
    return h;
}

double lia_guards_reach(const LiaRunner* run, double h) {
    const LiaStep* step = &run->step;
    const LiaTape* tape = run->w->dynamics->tape;
    double reach = fabs(h), tolerance = fmax(LIA_GUARD_TRUSTED, run->tolerance);
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (!watched(run, g)) continue;
        reach = fmin(reach, trusted(step->guard + (size_t)g * (size_t)step->stride, step->order - 1,
                                    reach, tolerance));
    }
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        reach = fmin(reach, trusted(step->event + (size_t)e * (size_t)step->stride, step->order - 1,
                                    reach, tolerance));
    }
    return run->direction * reach;
}

// The sign of a series just after its beginning, in the direction of time: 0 if it vanishes. Terms are looked at over a time h
// in which something happens: what is nothing but rounding then is zero. *here: so is the first.
static int sign_after(const double* c, int degree, double h, bool* here) {
    double size = 0.0, power = 1.0;
    for (int k = 0; k <= degree; k++, power *= h) size = fmax(size, fabs(c[k] * power));
    power = 1.0;
    for (int k = 0; k <= degree; k++, power *= h) {
        double x = c[k] * power;
        if (fabs(x) <= LIA_GUARD_VANISHES * size) continue;
        *here = k > 0;
        return x > 0.0 ? 1 : -1;
    }
    *here = true;
    return 0;
}

bool lia_guards_begin(LiaRunner* run) {
    const LiaTape* tape = run->w->dynamics->tape;
    bool changed = false;
    lia_step_size_scales(run->w, &run->step, &run->scales);
    double h = lia_step_size(run->w, &run->step, run->step_tolerance, &run->scales);
    if (!isfinite(h) || !(h < fabs(run->scales.span))) h = fabs(run->scales.span);
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        const LiaGuard* guard = &tape->guards[g];
        const double* c = run->step.guard + (size_t)g * (size_t)run->step.stride;
        if (!switches(guard->rule) || guard->rule == LIA_GUARD_CUT) continue;
        bool here = false;
        int side = sign_after(c, run->step.order - 1, run->direction * h, &here);
        if (!here) continue;
        run->watch.at_root[g] = true;
        if (side && side != run->w->jets.side[g]) {
            run->w->jets.side[g] = (signed char)side;
            changed = true;
        }
    }
    return changed;
}

// guard_crossing of one that has no root at the corner
static const signed char taken_along = 2;

void lia_guards_flip(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    const LiaTape* tape = w->dynamics->tape;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (!run->watch.crossing[g]) continue;
        signed char from =
            tape->guards[g].rule == LIA_GUARD_CUT ? run->watch.crossing[g] : w->jets.side[g];
        w->jets.side[g] = (signed char)(w->jets.side[g] == -from ? from : -from);
        run->watch.at_root[g] = run->watch.crossing[g] != taken_along;
    }
}

void lia_guards_flip_along(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    const LiaTape* tape = w->dynamics->tape;
    bool again = true;
    for (uint32_t pass = 0; again && pass < tape->guard_count; pass++) {
        again = false;
        for (uint32_t g = 0; g < tape->guard_count; g++) {
            LiaGuardRule rule = tape->guards[g].rule;
            if (run->watch.crossing[g] || !switches(rule) || rule == LIA_GUARD_CUT) continue;
            double before = run->step.guard[(size_t)g * (size_t)run->step.stride];
            double x = lia_jet_series(&w->jets, tape->guards[g].reg)[0];
            bool other_side =
                x * w->jets.side[g] < 0.0 && fabs(x) > LIA_GUARD_OTHER_SIDE * fabs(before);
            if (!other_side) continue;
            run->watch.crossing[g] = taken_along;
            w->jets.side[g] = (signed char)-w->jets.side[g];
            again = true;
        }
        if (again) {
            lia_workspace_load(w, 1);
            lia_workspace_residuals(w);
        }
    }
}

bool lia_guards_moves_on(const LiaRunner* run, int g) {
    const LiaGuard* guard = &run->w->dynamics->tape->guards[g];
    if (guard->rule == LIA_GUARD_CUT) return true;
    const double* c = run->step.guard + (size_t)g * (size_t)run->step.stride;
    double rate = c[1] * run->direction;
    double size = 0.0;
    for (int k = 1; k < run->step.order; k++) size = fmax(size, fabs(c[k]));
    if (fabs(rate) <= LIA_GUARD_TOUCHES * size) return true;  // touches: the root search will tell
    return (rate > 0.0) == (run->step.side[g] > 0);
}
