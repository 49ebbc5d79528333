// Conditions below the rounding of a polynomial. The polynomial of (x - 5)^4 - w^4 from x = 0 has
// terms of size 625: near x = 5 its values are rounding, and whether it passes zero there is not
// known. Made anew at a distance d its terms are of size d^4. So the step ends before the blur, and
// the next begins nearer; each look reaches farther down by the digits of a number. That ends where
// the sign is known, where the rounding of the formula itself is larger than that of its
// polynomial, or at the rounding of time.
// SPDX-License-Identifier: MIT
#include "motion/events/blur.h"
#include "base/numeric/thresholds.h"
#include "motion/check/noise.h"
#include "motion/runner.h"
#include <math.h>

enum { ROOTS_MOST = 32, LOOKS_MOST = 200 };

// Lengths are measured along the direction of time: a root at x is at |x|.
typedef struct Look {
    LiaRunner* run;
    const LiaCondition* condition;
    double whole;   // how far it is asked for
    double h;       // how far this look goes
    double passed;  // so far nothing is in doubt
    LiaRootFound roots[ROOTS_MOST];
    int count;
} Look;

static double* floor_of(const Look* look) {
    return &look->run->watch.floor[look->condition->index];
}

static void find(Look* look) {
    const LiaRunner* run = look->run;
    LiaRootsKnown known = {look->condition->at_root, true, *floor_of(look)};
    look->count = lia_roots_search(look->condition->c, run->step.order - 1,
                                   run->direction * look->h, &known, look->roots, ROOTS_MOST);
}

static bool is_blurred(const LiaRootFound* root) { return root->from != root->to; }

// Roots that a look from nearer has seen, within what this one can tell apart.
static bool is_passed(const Look* look, const LiaRootFound* root) {
    double apart = look->passed > 0.0 ? 4.0 * LIA_ROOT_WIDTH * look->h : -1.0;
    return fabs(root->x) <= look->passed + apart;
}

// The shortest step that lasts.
static double least_step(const LiaRunner* run) {
    return LIA_STEP_LASTS * lia_time_size(run, run->step.t);
}

// Where a step is to end to see more of a blurred root from there; 0: nothing more is to be seen.
static double nearer(const Look* look, const LiaRootFound* root) {
    LiaRunner* run = look->run;
    double from = fabs(root->from), width = fabs(root->to) - from;
    double end = from - fmin(width, 0.5 * from);
    if (!(fmin(end, width) > LIA_BLUR_NEARER * least_step(run))) return 0.0;
    *floor_of(look) = lia_noise_condition(run->checks.noise, run, look->condition->index, root->x);
    double doubt = lia_roots_doubt(look->condition->c, run->step.order - 1, root->x);
    return doubt > *floor_of(look) ? end : 0.0;
}

// The first root of a look that a question asks for, or one in doubt. NULL: none.
static const LiaRootFound* next(const Look* look, bool sharp_too) {
    for (int k = 0; k < look->count; k++) {
        const LiaRootFound* root = &look->roots[k];
        if (is_passed(look, root)) continue;
        if (is_blurred(root) || (sharp_too && root->direction)) return root;
    }
    return NULL;
}

// As far as nothing was in doubt; then farther.
static bool widen(Look* look) {
    if (look->h >= look->whole) return false;
    look->passed = look->h;
    look->h = fmin(16.0 * look->h, look->whole);
    return true;
}

// A closer look at a blurred root: by the same polynomial on a shorter piece.
static bool zoom(Look* look, const LiaRootFound* root) {
    double to = 2.0 * fabs(root->to) - fabs(root->from);
    if (!(to < 0.5 * look->h) || !(to > look->passed)) return false;
    look->h = to;
    return true;
}

// Is it still on its side where the step begins, but by no more than the rounding of its formula,
// and on the other one after no more than the rounding of that instant? The sign at the beginning
// is not known then, and such a root is not found.
static bool begins_before_root(const Look* look) {
    const LiaCondition* condition = look->condition;
    LiaRunner* run = look->run;
    double x = LIA_INSTANT_TIME * lia_time_size(run, run->step.t);
    double after =
        lia_step_value(condition->c, run->step.order - 1, run->direction * fmin(x, look->whole));
    if (!(condition->side * condition->c[0] > 0.0 && condition->side * after < 0.0)) return false;
    return fabs(condition->c[0]) <=
           lia_noise_condition(run->checks.noise, run, condition->index, 0.0);
}

// Did the last step end at a root? Then the condition is zero where this one begins, and just after
// that on the other side, by its first term that is more than rounding.
static bool begins_at_root(const Look* look) {
    const LiaCondition* condition = look->condition;
    const double* c = condition->c;
    int order = look->run->step.order;
    double size = 0.0, h = look->run->direction * look->whole, power = 1.0;
    if (condition->at_root) return false;
    if (c[0] != 0.0) return begins_before_root(look);
    for (int k = 1; k < order; k++) size = fmax(size, fabs(c[k] * (power *= h)));
    power = 1.0;
    for (int k = 1; k < order; k++) {
        double term = c[k] * (power *= h);
        if (fabs(term) > LIA_GUARD_VANISHES * size) return condition->side * term < 0.0;
    }
    return false;
}

// It has no root, and is on the other side: rounding between two steps has led over the root.
static bool is_beyond(const Look* look) {
    const LiaCondition* condition = look->condition;
    return look->count == 0 && !condition->at_root && condition->side * condition->c[0] < 0.0;
}

// A root that leads to the side where the condition is said to be: before it, it is on the other.
static bool leads_back(const Look* look, const LiaRootFound* root) {
    const LiaCondition* condition = look->condition;
    double after = look->run->direction * root->direction;
    return !condition->at_root && condition->side * condition->c[0] < 0.0 &&
           condition->side * after > 0.0;
}

// Within the rounding of the instant at which the step begins.
static bool is_at_beginning(const Look* look, const LiaRootFound* root) {
    const LiaRunner* run = look->run;
    return fabs(root->x) <= LIA_INSTANT_TIME * lia_time_size(run, run->step.t);
}

bool lia_blur_first(LiaRunner* run, const LiaCondition* condition, double h, LiaRootFound* root,
                    double* reach) {
    Look look = {.run = run, .condition = condition, .whole = fabs(h), .h = fabs(h)};
    *reach = fabs(h);
    *root = (LiaRootFound){.direction = run->direction > 0.0 ? -condition->side : condition->side};
    if (begins_at_root(&look)) return true;
    for (int k = 0; k < LOOKS_MOST; k++) {
        find(&look);
        const LiaRootFound* found = next(&look, true);
        if (!found) {
            if (widen(&look)) continue;
            if (look.count == 0) *floor_of(&look) = 0.0;
            return is_beyond(&look);
        }
        if (is_blurred(found)) {
            if (zoom(&look, found)) continue;
            double end = nearer(&look, found);
            if (end > 0.0) {
                *reach = end;
                return false;
            }
            if (!found->direction) {  // touches, goes back
                look.passed = fabs(found->to);
                continue;
            }
        }
        if (leads_back(&look, found)) {
            // Of several conditions with their root at one instant some are still rounding before
            // it, and on the right side: that root is no change. A later one shows that the side is
            // wrong from the beginning on.
            if (!is_at_beginning(&look, found)) return true;
            look.passed = fmax(look.passed, fabs(found->to));
            continue;
        }
        *root = *found;
        return true;
    }
    return false;
}

// Is a root seen from both sides? Its blur may be wider than what was looked at.
static bool all_seen(const Look* look) {
    const LiaRootFound* last = look->count > 0 ? &look->roots[look->count - 1] : NULL;
    return !last || !is_blurred(last) || fabs(last->to) < look->h;
}

double lia_blur_reach(LiaRunner* run, const LiaCondition* condition, double h) {
    Look look = {.run = run, .condition = condition, .whole = fabs(h), .h = fabs(h)};
    for (int k = 0; k < LOOKS_MOST; k++) {
        find(&look);
        const LiaRootFound* found = next(&look, false);
        if (found) {
            if (zoom(&look, found)) continue;
            double end = nearer(&look, found);
            if (end > 0.0) return end;
            look.passed = fabs(found->to);
            continue;
        }
        if (look.h < look.whole && !all_seen(&look)) {
            look.h = fmin(2.0 * look.h, look.whole);
            continue;
        }
        bool seen_nearer = look.h < look.whole && look.count > 0;
        if (seen_nearer && look.h > LIA_BLUR_NEARER * least_step(run)) return look.h;
        if (widen(&look)) continue;
        if (look.count == 0) *floor_of(&look) = 0.0;
        break;
    }
    return fabs(h);
}
