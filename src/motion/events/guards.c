// Formulas that are not analytic everywhere (abs, sign, min, if, hypot at 0, ...): a step ends
// where one of their guards has a root, and the next begins on the other side, or the run stops
// with a verdict. What the motion does there: corner.c.
// SPDX-License-Identifier: MIT
#include "motion/events/guards.h"
#include "base/numeric/thresholds.h"
#include "motion/check/noise.h"
#include "motion/events/blur.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include <math.h>
#include <string.h>

// guard_crossing of one that has no root at the corner, and of one that touches zero there: on
// which side it is after the corner is seen by its series then
static const signed char taken_along = 2, touches_along = 3;

static bool switches(LiaGuardRule rule) {
    return rule == LIA_GUARD_ARGUMENT || rule == LIA_GUARD_DIFFERENCE || rule == LIA_GUARD_CUT;
}

// Those whose formula is a series at its root.
static bool sharpens(LiaGuardRule rule) {
    return rule == LIA_GUARD_ARGUMENT || rule == LIA_GUARD_DIFFERENCE;
}

// The first root of guard g within h; *sign: 1, or -1 where it is the cut at -pi. The polynomial as
// it is: blurs are roots.
static bool any_root(LiaRunner* run, uint32_t g, double h, double* x, signed char* sign) {
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
        // only a passage outwards is one: just after the cut the angle comes from the other end
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

typedef struct First {
    int guard;         // whose root is where the step ends; -1: none's
    double end;        // where it ends, along the direction of time
    double x;          // the root
    signed char sign;  // see any_root()
} First;

// At most `close`, and so near that terms from order k on change no velocity by more than a part.
static double changes_little(const LiaRunner* run, double close, int from, double part) {
    const LiaStep* step = &run->step;
    for (uint32_t i = 0; i < run->system->n; i++) {
        const double* v = lia_step_series(step, step->v, i);
        double most = part * lia_scale_v(&run->scales, run->w, i);
        for (int k = from; k <= step->order; k++) {
            double size = fabs(v[k]);
            if (size * lia_roots_power(close, k) > most) close = pow(most / size, 1.0 / k);
        }
    }
    return close;
}

// Would the coefficients of the next step, nearer to the corner, be too large for numbers?
static bool is_nearly_too_large(const LiaRunner* run) {
    double most = pow(10.0, LIA_GUARD_DECADES) * pow(0.5, run->step.order);
    bool large = false;
    for (uint32_t i = 0; i < run->system->n; i++)
        large |= !(fabs(lia_step_series(&run->step, run->step.v, i)[run->step.order]) < most);
    return large;
}

// How far beyond the step, up to `close`, its series tell where the corner of guard g is that steps
// shrink towards: the motion hardly changes on that way. Where something fast makes the steps short
// it does, and the series beyond the step are nothing: neither is a root of theirs. Their last
// terms there say what is not known; steps go on until that is the tolerance, until coefficients
// are too large for numbers, or until the rounding of the time or of the condition would be felt:
// then it is said (check/formula_rounding.c).
static double beyond_step(const LiaRunner* run, uint32_t g, double close) {
    const double* c = lia_step_series(&run->step, run->step.guard, g);
    close = lia_guards_trusted(run, c, close);
    double loose = changes_little(run, close, 1, LIA_CORNER_CRUDE);
    double crude = changes_little(run, loose, 1, LIA_GUARD_BEYOND);
    double part = LIA_GUARD_UNKNOWN * run->tolerance;
    double fine = changes_little(run, crude, run->step.order / 2, part);
    double least = LIA_GUARD_LASTS * LIA_STEP_LASTS * lia_time_size(run, run->step.t);
    if (is_nearly_too_large(run)) least = loose;
    double rounding = lia_noise_condition(run->checks.noise, run, g, 0.0);
    if (c[1] != 0.0) least = fmax(least, LIA_GUARD_ROUNDINGS * rounding / fabs(c[1]));
    return fmax(fine, fmin(loose, least));
}

// Does guard g end the step before what was found so far? At a root, or where rounding hides
// whether there is one.
static void look_at(LiaRunner* run, uint32_t g, double span, First* first) {
    LiaRootFound root = {0};
    signed char sign = 1;
    double h = run->direction * span, reach = span;
    bool found;
    // beyond it a little: whether a multiple root passes zero is seen outside of its blur only
    if (first->guard >= 0) h *= 1.0 + LIA_INSTANT_BEYOND;
    if (sharpens(run->w->dynamics->tape->guards[g].rule)) {
        LiaCondition condition = {.c = lia_step_series(&run->step, run->step.guard, g),
                                  .index = g,
                                  .at_root = run->watch.at_root[g],
                                  .side = run->step.side[g]};
        found = lia_blur_first(run, &condition, h, &root, &reach);
    } else {
        found = any_root(run, g, h, &root.x, &sign);
    }
    if (found && fabs(root.x) <= span) *first = (First){(int)g, fabs(root.x), root.x, sign};
    if (!found && reach < first->end) *first = (First){.guard = -1, .end = reach};
}

// The direction of a slip that a mode has made, or the length of a normal force: where that
// vanishes, the mode ends.
static bool is_of_mode(const LiaRunner* run, const LiaGuard* guard) {
    const LiaSystem* base = run->system->mode.base;
    if (!base) return false;
    const LiaNode* node = lia_graph_node(run->system->graph, guard->node);
    bool force = run->system->rubbing && (node->depends & LIA_DEPENDS(MULTIPLIER));
    return force || guard->node.index >= base->graph->count;
}

static bool watched(const LiaRunner* run, uint32_t g) {
    const LiaGuard* guard = &run->w->dynamics->tape->guards[g];
    if (is_of_mode(run, guard) && !switches(guard->rule)) return false;
    // Sides are kept everywhere, so that they are right when a branch is taken again.
    return switches(guard->rule) || (guard->vital && run->watch.live[g]);
}

// Does guard g touch zero at x, where another has its root? `beyond`: how far to look.
static bool touches_at(const LiaRunner* run, uint32_t g, double x, double beyond) {
    const LiaStep* step = &run->step;
    LiaRootFound roots[32];
    LiaRootsKnown known = {run->watch.at_root[g], true, run->watch.floor[g]};
    const double* c = lia_step_series(step, step->guard, g);
    int count = lia_roots_search(c, step->order - 1, beyond, &known, roots, 32);
    for (int k = 0; k < count; k++) {
        bool here = fabs(roots[k].from) <= fabs(x) && fabs(x) <= fabs(roots[k].to);
        if (here && roots[k].direction == 0) return true;
    }
    return false;
}

uint32_t lia_guards_next(const LiaRunner* run, uint32_t guard) {
    const LiaWorkspace* w = run->w;
    return lia_parts_next_guard(w->jets.awake, guard, w->dynamics->tape->guard_count);
}

uint32_t lia_guards_next_at_root(const LiaRunner* run, uint32_t guard) {
    const uint32_t count = run->w->dynamics->tape->guard_count;
    const bool* at_root = run->watch.at_root;
    const bool* found = guard < count ? memchr(at_root + guard, true, count - guard) : NULL;
    return found ? (uint32_t)(found - at_root) : count;
}

int lia_guards_first(LiaRunner* run, double h, double* x, double* reach) {
    const LiaTape* tape = run->w->dynamics->tape;
    double root;
    signed char sign;
    memset(run->watch.crossing, 0, tape->guard_count);
    // A formula like x^1.5 for x > 0 is not analytic at the corner itself: steps shrink towards it
    // without ever reaching it. Where the root is all but reached, the step goes there.
    double close = LIA_GUARD_CLOSE * run->course.longest;
    First found = {.guard = -1, .end = fabs(h)};
    for (uint32_t g = lia_guards_next(run, 0); g < tape->guard_count;
         g = lia_guards_next(run, g + 1)) {
        if (!watched(run, g)) continue;
        bool farther = found.guard < 0 && found.end == fabs(h) && switches(tape->guards[g].rule);
        double end = found.end;
        if (farther && close > end) end = fmax(end, beyond_step(run, g, close));
        look_at(run, g, end, &found);
    }
    *reach = run->direction * found.end;
    if (found.guard < 0) return -1;
    int first = found.guard;
    *x = found.x;
    // a multiple root is blurred by rounding: looked for again, it may be found a little elsewhere
    if (switches(tape->guards[first].rule)) run->watch.crossing[first] = found.sign;
    // Others that have their root at the same instant (max(0, x) and its derivative) go over
    // together; where one of them switches, that decides whether a singular one still matters.
    double near = LIA_INSTANT_STEP * fabs(*x) + LIA_INSTANT_TIME * lia_time_size(run, run->step.t);
    // beyond it a little: whether a multiple root passes zero is seen outside of its blur only
    double beyond = *x + run->direction * (near + LIA_INSTANT_BEYOND * fabs(*x));
    for (uint32_t g = lia_guards_next(run, 0); g < tape->guard_count;
         g = lia_guards_next(run, g + 1)) {
        if (!switches(tape->guards[g].rule)) continue;
        if ((int)g == found.guard && sharpens(tape->guards[g].rule)) continue;  // it is known
        if (any_root(run, g, beyond, &root, &sign) && fabs(root - *x) <= near) {
            run->watch.crossing[g] = sign;
            if (!switches(tape->guards[first].rule)) first = (int)g;
        } else if (run->watch.crossing[first] && sharpens(tape->guards[g].rule) &&
                   !run->watch.crossing[g] && touches_at(run, g, *x, beyond)) {
            run->watch.crossing[g] = touches_along;
        }
    }
    return first;
}

// The largest of the first terms of a polynomial over h. Those of a multiple root where the step
// begins are zero, or rounding.
static double size_of(const double* c, int degree, double h) {
    double size = 0.0, power = 1.0;
    for (int k = 0; k <= degree / 4 + 2; k++, power *= h) {
        double term = fabs(c[k]) * power;
        if (!(term <= size)) size = term;
    }
    return size;
}

// The step at which the last terms of a polynomial are still small, a part `tolerance` of its size:
// beyond that its roots mean nothing.
static double trusted(const double* c, int degree, double h, double tolerance) {
    for (int pass = 0; pass < 8; pass++) {  // over a shorter step it is smaller, too
        double size = size_of(c, degree, h), before = h;
        if (!isfinite(size)) return h;
        size = tolerance * fmax(size, LIA_ROOTS_LEAST / tolerance);
        for (int k = degree - 1; k <= degree; k++) {
            if (fabs(c[k]) * lia_roots_power(h, k) <= size) continue;  // most of the time
            if (c[k] != 0.0) h = fmin(h, pow(size / fabs(c[k]), 1.0 / k));
        }
        if (h > LIA_GUARD_SETTLED * before) break;
    }
    return h;
}

double lia_guards_trusted(const LiaRunner* run, const double* c, double h) {
    return trusted(c, run->step.order - 1, h, fmax(LIA_GUARD_TRUSTED, run->tolerance));
}

double lia_guards_reach(const LiaRunner* run, double h) {
    const LiaStep* step = &run->step;
    const LiaTape* tape = run->w->dynamics->tape;
    double reach = fabs(h);
    for (uint32_t g = lia_guards_next(run, 0); g < tape->guard_count;
         g = lia_guards_next(run, g + 1)) {
        if (!watched(run, g)) continue;
        reach = fmin(reach, lia_guards_trusted(run, lia_step_series(step, step->guard, g), reach));
    }
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        if (run->watch.event_blind[e]) continue;
        reach = fmin(reach, lia_guards_trusted(run, lia_step_series(step, step->event, e), reach));
    }
    const LiaAwake* awake = run->w->jets.awake;
    const uint32_t count = run->system->mode.watched_count;
    for (uint32_t i = lia_parts_next(awake, 0, count); i < count;
         i = lia_parts_next(awake, i + 1, count)) {
        const double* c = lia_step_series(step, step->watched, i);
        reach = fmin(reach, lia_guards_trusted(run, c, reach));
    }
    return run->direction * reach;
}

// Would coefficient k be rounding if the series began a little earlier or later?
static bool is_near_zero(const double* c, int degree, int k, double near) {
    double change = 0.0, power = 1.0, count = 1.0;
    for (int j = k + 1; j <= degree && j <= k + 4; j++) {
        power *= near, count *= (double)j / (j - k);  // j over k
        change += count * fabs(c[j]) * power;
    }
    return fabs(c[k]) <= change;
}

// Over which time series are looked at, and what the rounding of the instant is where they begin.
typedef struct Ahead {
    double h, near;
} Ahead;

// The sign of a series just after its beginning, in the direction of time: 0 if it vanishes. At the
// start terms are looked at over a time h in which something happens: what is nothing but rounding
// then is zero. At a corner (h = 0) conditions may be small, and only what the rounding of the
// instant makes of them is zero. *here: so is the first, as is said before or found.
static int sign_after(const double* c, int degree, Ahead ahead, double direction, bool* here) {
    double size = 0.0, power = 1.0;
    for (int k = 0; k <= degree; k++, power *= ahead.h) size = fmax(size, fabs(c[k] * power));
    power = 1.0;
    for (int k = 0; k <= degree; k++, power *= ahead.h) {
        double x = k % 2 ? direction * c[k] : c[k];
        bool small = ahead.h > 0.0 && fabs(c[k] * power) <= LIA_GUARD_VANISHES * size;
        if (c[k] == 0.0 || small || is_near_zero(c, degree, k, ahead.near)) continue;
        if (k == 0 && *here) continue;
        *here = k > 0;
        return x > 0.0 ? 1 : -1;
    }
    *here = true;
    return 0;
}

// Of all guards this one goes to its other side, with those that are on one side with it always:
// between them there is no motion.
static void cross_alone(LiaRunner* run, uint32_t guard, signed char how) {
    const LiaTape* tape = run->w->dynamics->tape;
    const signed char* side = run->w->jets.side;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (run->watch.crossing[g] != touches_along) run->watch.crossing[g] = 0;
        bool same = lia_guard_same(&tape->guards[g], &tape->guards[guard]);
        if (same && side[g] == side[guard]) run->watch.crossing[g] = how;
    }
    run->watch.crossing[guard] = how;
}

// Guards come after those that their formulas depend on: each is decided with series on the right
// sides of these.
uint32_t lia_guards_settle(LiaRunner* run, uint32_t from, bool anew) {
    const LiaTape* tape = run->w->dynamics->tape;
    Ahead ahead = {0.0, anew ? 0.0 : LIA_INSTANT_TIME * lia_time_size(run, run->step.t)};
    double h = 0.0;
    if (anew) {
        lia_scales_measure(run->w, &run->step, &run->scales);
        h = lia_step_size(run->w, &run->step, run->step_tolerance, &run->scales);
        if (!isfinite(h) || !(h < fabs(run->scales.span))) h = fabs(run->scales.span);
    }
    for (uint32_t g = from; g < tape->guard_count; g++) {
        const double* c = run->step.guard + (size_t)g * (size_t)run->step.stride;
        if (!sharpens(tape->guards[g].rule)) continue;
        bool here = run->watch.at_root[g];
        if (anew) ahead.h = lia_guards_trusted(run, c, h);
        int side = sign_after(c, run->step.order - 1, ahead, run->direction, &here);
        if (here && (anew || side)) run->watch.at_root[g] = true;
        if (!side || side == run->w->jets.side[g]) continue;
        cross_alone(run, g, here ? 1 : taken_along);  // a leap of another has led it over
        return g;
    }
    return tape->guard_count;
}

void lia_guards_flip(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    const LiaTape* tape = w->dynamics->tape;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (!run->watch.crossing[g]) continue;
        if (run->watch.crossing[g] == touches_along) {
            run->watch.at_root[g] = true;
            continue;
        }
        signed char from =
            tape->guards[g].rule == LIA_GUARD_CUT ? run->watch.crossing[g] : w->jets.side[g];
        w->jets.side[g] = (signed char)(w->jets.side[g] == -from ? from : -from);
        run->watch.at_root[g] = run->watch.crossing[g] != taken_along;
    }
}

// Are both of its sides the same during the step? Then only series after the corner tell which it
// takes: lia_guards_settle().
static bool is_tied(const LiaRunner* run, uint32_t g) {
    const double* c = lia_step_series(&run->step, run->step.guard, g);
    for (int k = 0; k < run->step.order; k++) {
        if (c[k] != 0.0) return false;
    }
    return true;
}

void lia_guards_flip_along(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    const LiaTape* tape = w->dynamics->tape;
    bool again = true;
    for (uint32_t pass = 0; again && pass < tape->guard_count; pass++) {
        again = false;
        for (uint32_t g = 0; g < tape->guard_count; g++) {
            LiaGuardRule rule = tape->guards[g].rule;
            if (run->watch.crossing[g] || run->watch.at_root[g] || !sharpens(rule)) continue;
            if (is_tied(run, g)) continue;
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
            lia_workspace_update(w, 1);
        }
    }
}

bool lia_guards_moves_on(const LiaRunner* run, int g) {
    const LiaGuard* guard = &run->w->dynamics->tape->guards[g];
    if (guard->rule == LIA_GUARD_CUT) return true;
    const double* c = run->step.guard + (size_t)g * (size_t)run->step.stride;
    if (run->watch.crossing[g] == touches_along) {
        double ahead = lia_guards_trusted(run, c, LIA_CORNER_AHEAD * run->course.longest);
        double change = lia_step_change(c, run->step.order - 1, run->direction * ahead);
        return change * run->step.side[g] >= 0.0;
    }
    // over a time in which its series are known: coefficients of narrow features grow without bound
    double h = lia_guards_trusted(run, c, fabs(run->scales.span)), power = h;
    double rate = c[1] * run->direction, size = 0.0;
    for (int k = 1; k < run->step.order; k++, power *= h) size = fmax(size, fabs(c[k] * power));
    // what comes to rest at a corner is moved by its acceleration: where the rate would be none an
    // instant before or after, the root that follows is this one
    double near = LIA_INSTANT_STEP * h + LIA_INSTANT_TIME * lia_time_size(run, run->step.t);
    if (is_near_zero(c, run->step.order - 1, 1, near) &&
        !is_near_zero(c, run->step.order - 1, 2, near))
        return (c[2] > 0.0) == (run->step.side[g] > 0);
    if (fabs(rate) * h <= LIA_GUARD_TOUCHES * size) return true;  // the root search will tell
    return (rate > 0.0) == (run->step.side[g] > 0);
}
