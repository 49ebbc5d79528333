// Where a slip of two components comes to its end.
//
// Its direction has no series there: with the time x that is left, it turns like a power of x. The
// series of a step reach to its end and not beyond, so that steps become shorter by a factor; after
// some of them what is not straight is nearly rounding, and the rest is one step: straight, and the
// whole of c x^power, of which the second term of the series is a part, power (power - 1)/2 of it;
// the first takes power of it away.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "motion/contact/contact_rows.h"
#include "motion/contact/contacts.h"
#include "motion/contact/rough/rough_values.h"
#include "motion/contact/slip/slip_way.h"
#include "motion/events/roots.h"
#include <math.h>
#include <string.h>

static const double* series_of(const LiaRunner* run, uint32_t i) {
    return lia_step_series(&run->step, run->step.watched, i);
}

// The next formula from i on that is no gap of a contact that is far.
static uint32_t next_from(const LiaRunner* run, uint32_t i) {
    return lia_parts_next(run->w->jets.awake, i, run->system->mode.watched_count);
}

// What part of the speeds met may be left of a slip after x: more, where steps would soon be
// rounding of the time. What is not straight on the way may be more than that: it is known but for
// a part.
static double part_left(const LiaRunner* run, double x) {
    bool soon = x <= LIA_CONTACT_SOON * lia_time_size(run, run->w->t);
    return soon ? LIA_CONTACT_NEARLY_STRAIGHT : LIA_CONTACT_STRAIGHT;
}

static double part_curved(const LiaRunner* run, double x) {
    return LIA_CONTACT_CURVED * part_left(run, x);
}

// The length of the slip i, i + 1 after x, its second terms times `bend`; `toward`: the part of it
// against its first terms, over their square.
static double slip_after(const LiaRunner* run, uint32_t i, double x, double bend, double* toward) {
    const double *a = series_of(run, i), *b = series_of(run, i + 1);
    double p = a[0] + x * (a[1] + bend * x * a[2]), q = b[0] + x * (b[1] + bend * x * b[2]);
    *toward = -(p * a[1] + q * b[1]) / (a[1] * a[1] + b[1] * b[1]);
    return hypot(p, q);
}

// When the slip i, i + 1 is zero; INFINITY: not so that the way there is straight. *bend: see
// contact_run.h. The slip is straight but for c x^power, by the quotient of its terms; where that
// is nothing it has a series, and so has all else.
static double straight_end(const LiaRunner* run, uint32_t i, double* bend) {
    enum { PASSES = 8 };
    const double *a = series_of(run, i), *b = series_of(run, i + 1);
    if (run->direction < 0.0 || !(a[0] * a[1] + b[0] * b[1] < 0.0)) return INFINITY;
    double second = a[2] * a[2] + b[2] * b[2], x = 0.0, toward, miss = INFINITY;
    const double speed = lia_slip_end_speed(run, i);
    *bend = 1.0;
    for (int pass = 0; pass < PASSES; pass++) {
        slip_after(run, i, x, *bend, &toward);
        x += toward;
        double next = second > 0.0 ? (a[3] * a[2] + b[3] * b[2]) * x / second : 0.0;
        bool none = sqrt(second) * x * x <= part_left(run, x) * speed;
        *bend = none ? 1.0 : 2.0 / fmin(fmax(2.0 - 3.0 * next, 1.0), 2.0);
        miss = slip_after(run, i, x, *bend, &toward);
    }
    double curve = sqrt(second) * x * x;
    bool straight = miss <= part_left(run, x) * speed && curve <= part_curved(run, x) * speed;
    return x > 0.0 && straight ? x : INFINITY;
}

// Are all velocities straight over x, and positions parabolas? Each relative to the speeds of its
// own kind: lengths and angles have no common unit.
static bool is_straight(const LiaRunner* run, double x) {
    double part = part_curved(run, x);
    LiaSpeeds speeds = lia_response_speeds(run, run->w);
    for (uint32_t k = 0; k < run->system->n; k++) {
        const double* q = lia_step_series(&run->step, run->step.q, k);
        const double* v = lia_step_series(&run->step, run->step.v, k);
        double speed = lia_response_speed(&speeds, k);
        double size = fmax(lia_scale_q(&run->scales, run->w, k), speed * x);
        if (!(fabs(q[3]) * x * x * x <= LIA_CONTACT_STRAIGHT * size)) return false;
        if (!(fabs(v[2]) * x * x <= part * speed)) return false;
    }
    return true;
}

double lia_slip_end_speed(const LiaRunner* run, uint32_t i) {
    const LiaWatched* of = &run->system->mode.watched[i];
    const LiaContactBlock block = {of->contact, of->block};
    if (of->rough) return lia_rough_values_speed(run, of->contact);
    LiaSpeeds speeds = lia_response_speeds(run, run->w);
    double speed = lia_contact_rows_speed(run->contacts->formulas, &block, &speeds);
    return isfinite(speed) ? speed : 0.0;
}

double lia_slip_end_nothing(const LiaRunner* run, uint32_t i) {
    return LIA_CONTACT_ROUNDING * lia_slip_end_speed(run, i);
}

int lia_slip_end_roots(const double* c, int degree, double h, double floor,
                       struct LiaRootFound* roots) {
    int count = lia_roots(c, degree, h, 0, roots, LIA_SLIP_ROOTS);
    LiaRootsKnown known = {.floor = floor};
    return count ? count : lia_roots_search(c, degree, h, &known, roots, LIA_SLIP_ROOTS);
}

double lia_slip_end_where(const double* c, int degree, const LiaRootFound* root) {
    double middle = 0.5 * (root->from + root->to), end = root->to;
    if (root->direction != 0) return root->x;
    return lia_step_value(c, degree, end) < lia_step_value(c, degree, middle) ? end : middle;
}

bool lia_slip_end_touches(const LiaRunner* run, uint32_t i, double h, double* x) {
    const LiaWatched* of = &run->system->mode.watched[i];
    const double* c = series_of(run, i);
    int degree = run->step.order - 1;
    bool looks = of->kind == LIA_WATCH_SLIP && run->contacts->vanish[i] == 0;
    if (!looks || degree < 1 || degree > LIA_ROOTS_DEGREE) return false;
    LiaRootFound roots[LIA_SLIP_ROOTS];
    double floor = lia_slip_end_nothing(run, i);
    if (!(c[0] > 4.0 * floor)) return false;  // it begins
    if (lia_slip_end_roots(c, degree, h, floor, roots) == 0) return false;
    *x = lia_slip_end_where(c, degree, &roots[0]);
    return roots[0].direction == 0;
}

bool lia_slip_end_straight(LiaRunner* run, double* x, double* bend) {
    LiaContacts* c = run->contacts;
    bool first;
    const uint32_t count = run->system->mode.watched_count;
    *x = INFINITY;
    memset(c->fires, 0, count * sizeof *c->fires);
    for (uint32_t i = next_from(run, 0); i < count; i = next_from(run, i + 1)) {
        if (!lia_contact_watch_component(run, i, &first) || !first) continue;
        double its = 1.0, end = straight_end(run, i, &its);
        if (!(end < *x)) continue;
        *x = end;
        *bend = its;
    }
    bool near = *x <= LIA_CONTACT_NEAR * run->course.longest;
    if (!near || !is_straight(run, *x)) return false;
    for (uint32_t i = next_from(run, 0); i < count; i = next_from(run, i + 1)) {
        if (!lia_contact_watch_component(run, i, &first) || !first) continue;
        double toward;
        double least = part_left(run, *x) * lia_slip_end_speed(run, i);
        c->fires[i] = slip_after(run, i, *x, *bend, &toward) <= 2.0 * least;
    }
    return true;
}
