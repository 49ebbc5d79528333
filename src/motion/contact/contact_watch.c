// What ends a mode: the first root of a formula that is never negative in it, on the polynomials of
// the step, none skipped. Where a formula only touches zero (a gap that grazes) nothing ends.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "motion/contact/contact_rows.h"
#include "motion/contact/contacts.h"
#include "motion/contact/near.h"
#include "motion/events/roots.h"
#include "motion/verdict/verdict.h"
#include <float.h>
#include <math.h>
#include <string.h>

// Roundings of a gap: its terms may have been rounding in the step before, each by itself, and
// where contacts close that wedge others, the projection moves those by more than their own.
enum { SEEN = 32 };

static const double* series_of(const LiaRunner* run, uint32_t i) {
    return lia_step_series(&run->step, run->step.watched, i);
}

// The next formula from i on that is no gap of a contact that is far.
static uint32_t next_from(const LiaRunner* run, uint32_t i) {
    return lia_parts_next(run->w->jets.awake, i, run->system->mode.watched_count);
}

static void none_fires(LiaRunner* run) {
    memset(run->contacts->fires, 0, run->system->mode.watched_count * sizeof(bool));
}

// The block of friction of a slip or bound that is watched.
static const LiaFrictionFormulas* block_of(const LiaRunner* run, uint32_t i) {
    const LiaWatched* of = &run->system->mode.watched[i];
    return &run->system->contacts[of->contact].block[of->block];
}

// What is rounding in a gap, in a normal force on the border of being one, in the distance of
// friction from its bound, or in a slip: one that follows from others that stick is zero all along.
static double rounding_of(const LiaRunner* run, uint32_t i) {
    const LiaContacts* c = run->contacts;
    const LiaWatched* of = &run->system->mode.watched[i];
    if (of->rough) return 0.0;
    bool bound = of->kind == LIA_WATCH_BOUND, force = bound && block_of(run, i)->rows == 1;
    if (of->kind == LIA_WATCH_NORMAL || force) return c->rounding.force[of->contact];
    if (bound) return c->rounding.square[block_of(run, i)->place];
    if (of->kind == LIA_WATCH_SLIP) return c->rounding.slip[block_of(run, i)->place];
    if (of->kind != LIA_WATCH_GAP) return 0.0;
    return c->rounding.gap[of->contact] * (c->touched[of->contact] ? LIA_CONTACTS_OTHERS : 1);
}

// The length of several normal forces is watched against its rounding (rounding.none): added to the
// formula, |N| of one that slides, -N^2 of one without friction.
static double shift_of(const LiaRunner* run, uint32_t i) {
    const LiaSystem* s = run->system;
    const LiaWatched* of = &s->mode.watched[i];
    if (!of->rough || of->kind != LIA_WATCH_NORMAL || s->rough[of->contact].normals == 1)
        return 0.0;
    uint32_t place = lia_system_rough_place(s, of->contact);
    double none = run->contacts->rounding.none[place];
    return s->mode.now[place] == LIA_MODE_CLOSED ? 2.0 * none * none : -none;
}

// Does a gap that touches close, by an acceleration that is none of rounding? However short the
// time that its series reach, as after a slip that has just begun: it is not rounding. But where
// the gap does not fall by more than its rounding in the longest step so far, its acceleration is
// no more than what its place makes of it (balls that hang side by side).
static bool is_closing(const LiaRunner* run, uint32_t i, double ahead) {
    const LiaContacts* of = run->contacts;
    const LiaWatched* watched = &run->system->mode.watched[i];
    const double* c = series_of(run, i);
    if (watched->rough || watched->kind != LIA_WATCH_GAP || run->step.order < 3) return false;
    double rounding = of->rounding.acceleration[watched->contact];
    double h = fmax(ahead, run->course.longest);
    bool pulled = 2.0 * c[2] < -LIA_CONTACT_BORDER / LIA_CONTACT_ZERO * rounding;
    pulled = pulled && -c[2] * h * h > rounding_of(run, i);
    return pulled && of->touched[watched->contact] && !of->leaves[watched->contact];
}

// Is a gap or a force rounding, all along h? So is a gap that follows from closed ones.
static bool is_rounding(const LiaRunner* run, uint32_t i, double h) {
    const double* c = series_of(run, i);
    double rounding = rounding_of(run, i), power = 1.0;
    if (!(rounding > 0.0)) return false;
    for (int k = 0; k < run->step.order; k++, power *= fabs(h)) {
        if (!(fabs(c[k] * power) <= rounding)) return false;
    }
    return true;
}

// The gap of a contact that is far: it has no root.
static bool is_far(const LiaRunner* run, uint32_t i) {
    const LiaWatched* of = &run->system->mode.watched[i];
    return of->kind == LIA_WATCH_GAP && lia_near_far(run, of->contact);
}

// Against the time a contact that let go closes where its gap, the velocity of it and its
// acceleration vanish together: a root of the third order, known to a third of the digits. That of
// the acceleration is known to all of them. *x: from one to the other.
static void sharpen_release(const LiaRunner* run, uint32_t i, double* x) {
    enum { PASSES = 8 };
    const LiaWatched* of = &run->system->mode.watched[i];
    int degree = run->step.order - 1;
    const double* c = series_of(run, i);
    double at = *x;
    if (run->direction > 0.0 || of->kind != LIA_WATCH_GAP) return;
    for (int pass = 0; pass < PASSES; pass++) {
        double second = 0.0, third = 0.0;
        for (int k = degree; k >= 2; k--) {
            third = third * at + second;
            second = second * at + k * (k - 1.0) * c[k];
        }
        if (third == 0.0) return;
        at -= second / third;
    }
    bool inside = at < 0.0 && at > run->halt - run->w->t;
    double gap = lia_step_value(c, degree, at);
    if (inside && fabs(gap) <= SEEN * run->contacts->rounding.gap[of->contact]) *x = at;
}

// The bound of a rough constraint, (static N)^2 - T^2: where nothing pulls it is a square.
static bool is_square(const LiaRunner* run, uint32_t i) {
    const LiaWatched* of = &run->system->mode.watched[i];
    return of->rough && of->kind == LIA_WATCH_BOUND;
}

// A force that touches zero, and the bound of friction with it, falls below it by its rounding from
// root k to the next, if at all: that is no release.
static bool only_touches(const LiaRunner* run, uint32_t i, const LiaRootFound* roots, int k,
                         int count) {
    const LiaWatched* of = &run->system->mode.watched[i];
    bool force = of->kind == LIA_WATCH_NORMAL || of->kind == LIA_WATCH_BOUND;
    if (of->rough || !force || k + 1 >= count) return false;
    double middle = 0.5 * (roots[k].x + roots[k + 1].x);
    return lia_step_value(series_of(run, i), run->step.order - 1, middle) >= -rounding_of(run, i);
}

// The first root at which the formula becomes negative.
static bool first_root(const LiaRunner* run, uint32_t i, double h, double* x) {
    enum { ROOTS = 32 };
    if (is_rounding(run, i, h)) return false;
    int vanish = run->contacts->vanish[i], degree = run->step.order - 1 - vanish;
    double shifted[LIA_ROOTS_DEGREE + 1], shift = shift_of(run, i);
    const double* c = series_of(run, i) + vanish;
    LiaRootFound roots[ROOTS];
    if ((degree < 0 || shift != 0.0) && run->step.order <= LIA_ROOTS_DEGREE + 1) {
        // it was rounding where the mode was found, and is not for so long
        degree = run->step.order - 1;
        memcpy(shifted, series_of(run, i), (size_t)run->step.order * sizeof *shifted);
        shifted[0] += shift != 0.0 ? shift : 2.0 * rounding_of(run, i);
        c = shifted;
    }
    if (degree < 1) return false;
    int count = lia_roots(c, degree, h, 0, roots, ROOTS);
    // against the time, what vanishes to an odd order has the other sign than its first term
    double falls = vanish % 2 == 1 && c != shifted ? run->direction : 1.0;
    for (int k = 0; k < count; k++) {
        if (falls * run->direction * roots[k].direction >= 0.0) continue;
        if (is_square(run, i) && lia_roots_dips(c, degree, h, roots, k, count)) continue;
        if (c != shifted && only_touches(run, i, roots, k, count)) continue;
        *x = roots[k].x;
        if (vanish == 0) sharpen_release(run, i, x);
        return true;
    }
    *x = h;  // |N| of several components may vanish where the step ends
    return shift < 0.0 && lia_step_value(c, degree, h) <= 16.0 * DBL_EPSILON * fabs(c[0]);
}

bool lia_contact_watch_component(const LiaRunner* run, uint32_t i, bool* first) {
    const LiaSystem* s = run->system;
    const LiaWatched* of = &s->mode.watched[i];
    const LiaWatched* next = i + 1 < s->mode.watched_count ? of + 1 : NULL;
    *first = next && next->kind == of->kind && next->contact == of->contact &&
             next->rough == of->rough && next->block == of->block;
    return of->kind == LIA_WATCH_SLIP && !of->rough &&
           s->mode.now[block_of(run, i)->place] == LIA_MODE_SLIDE;
}

// Where a slip of two components has turned by a right angle, s(x) s(0) = 0: it vanishes there, or
// it turns. Beyond its zero the series of its direction are those of friction that drives, so that
// no step leads over such a place. *left: its length there.
static bool slip_turns(const LiaRunner* run, uint32_t i, double h, double* x, double* left) {
    const double *a = series_of(run, i), *b = series_of(run, i + 1);
    int degree = run->step.order - 1;
    double along[LIA_ROOTS_DEGREE + 1];
    LiaRootFound roots[LIA_SLIP_ROOTS];
    if (degree > LIA_ROOTS_DEGREE) return false;
    for (int k = 0; k <= degree; k++) along[k] = a[k] * a[0] + b[k] * b[0];
    double floor = lia_slip_end_nothing(run, i) * hypot(a[0], b[0]);
    int count = lia_slip_end_roots(along, degree, h, floor, roots);
    for (int k = 0; k < count; k++) {
        if (run->direction * roots[k].direction > 0.0) continue;
        *x = lia_slip_end_where(along, degree, &roots[k]);
        *left = hypot(lia_step_value(a, degree, *x), lia_step_value(b, degree, *x));
        return true;
    }
    return false;
}

static bool ends(const LiaRunner* run, uint32_t i, double h, double* x) {
    bool first;
    if (is_far(run, i)) return false;
    if (!lia_contact_watch_component(run, i, &first))
        return lia_slip_end_touches(run, i, h, x) || first_root(run, i, h, x);
    double left;
    return first && slip_turns(run, i, h, x, &left) && left <= lia_slip_end_nothing(run, i);
}

double lia_contact_watch_limit(const LiaRunner* run, double h) {
    bool first;
    double x, left;
    const uint32_t count = run->system->mode.watched_count;
    for (uint32_t i = next_from(run, 0); i < count; i = next_from(run, i + 1)) {
        if (!lia_contact_watch_component(run, i, &first) || !first ||
            !slip_turns(run, i, h, &x, &left))
            continue;
        if (left > LIA_CONTACT_ROUNDING * lia_slip_end_speed(run, i)) h = 0.5 * x;
    }
    return h;
}

bool lia_contact_watch_first(LiaRunner* run, double h, double* x) {
    LiaContacts* c = run->contacts;
    bool found = false;
    double root, reach = h;
    const uint32_t count = run->system->mode.watched_count;
    none_fires(run);
    for (uint32_t i = next_from(run, 0); i < count; i = next_from(run, i + 1)) {
        if (!ends(run, i, reach, &root)) continue;
        found = true;
        *x = reach = root;
    }
    if (!found) return false;
    double near = LIA_INSTANT_STEP * fabs(*x) + LIA_INSTANT_TIME * lia_time_size(run, run->step.t);
    reach = run->direction * fmin(fabs(*x) + near, fabs(h));
    for (uint32_t i = next_from(run, 0); i < count; i = next_from(run, i + 1))
        c->fires[i] = ends(run, i, reach, &root) && fabs(root - *x) <= near;
    return true;
}

bool lia_contact_watch_closes(const LiaRunner* run) {
    for (uint32_t i = 0; i < run->system->mode.watched_count; i++) {
        if (run->contacts->fires[i] && run->system->mode.watched[i].kind == LIA_WATCH_GAP)
            return true;
    }
    return false;
}

bool lia_contact_watch_slip_ends(const LiaRunner* run) {
    bool first;
    for (uint32_t i = 0; run->contacts && i < run->system->mode.watched_count; i++) {
        if (run->contacts->fires[i] && lia_contact_watch_component(run, i, &first)) return true;
    }
    return false;
}

void lia_contact_watch_settled(LiaRunner* run) {
    if (run->contacts) run->contacts->found.settled = true;
}

void lia_contact_watch_passed(LiaRunner* run) {
    memset(run->contacts->vanish, 0,
           run->system->mode.watched_count * sizeof *run->contacts->vanish);
}

// A time by which the terms of a series are compared: of the run, or half the radius of convergence
// by all but its first terms (where all is at rest, they are rounding, and some are zero). The
// terms that decide are the first then.
static double time_of(const LiaRunner* run, const double* c, int degree) {
    double h = fabs(run->scales.span);
    for (int k = (degree + 3) / 4; k <= degree; k++) {
        if (c[k] != 0.0) h = fmin(h, 0.5 * pow(fabs(c[k]), -1.0 / k));
    }
    return h;
}

// How many coefficients are nothing but rounding relative to the others.
static int count_vanishing(const double* c, int degree, double h) {
    double size = 0.0, power = 1.0;
    for (int k = 0; k <= degree; k++, power *= h) size = fmax(size, fabs(c[k] * power));
    int vanish = 0;
    power = 1.0;
    while (vanish <= degree && !(fabs(c[vanish] * power) > LIA_WATCH_VANISHES * size))
        vanish++, power *= h;
    return vanish;
}

// A time in which something may happen: at most the longest step so far, and so short that the last
// terms, which may be rounding that has grown, do not count.
static double time_ahead(const LiaRunner* run, const double* c, int degree) {
    double ahead = 0.5 * time_of(run, c, degree), longest = run->course.longest;
    return longest > 0.0 ? fmin(ahead, longest) : ahead;
}

// The same of a gap. Whether it is zero, and whether it grows, has been decided before, by what is
// rounding in gaps and velocities.
static int gap_vanishing(const LiaRunner* run, uint32_t i, const double* c, int degree) {
    const LiaContacts* of = run->contacts;
    uint32_t contact = run->system->mode.watched[i].contact;
    if (of->leaves[contact]) return 1;
    if (!of->touched[contact]) return 0;
    double h = time_of(run, c, degree);
    int first = fabs(2.0 * c[2]) <= of->rounding.acceleration[contact] ? 3 : 2;
    return first + count_vanishing(c + first, degree - first, h);
}

// The same of a force or a slip: zero where the complementarity problem took it as zero.
static int others_vanishing(const LiaRunner* run, uint32_t i, const double* c, int degree) {
    double h = time_of(run, c, degree);
    const LiaWatched* of = &run->system->mode.watched[i];
    bool none = of->kind == LIA_WATCH_NORMAL && fabs(c[0]) <= rounding_of(run, i);
    if (of->kind == LIA_WATCH_SLIP && !of->rough)
        none = run->contacts->rounding.still[block_of(run, i)->place];
    return none ? 1 + count_vanishing(c + 1, degree - 1, h) : count_vanishing(c, degree, h);
}

// A slip of two components that begins does not turn back.
static bool slip_grows(const LiaRunner* run, uint32_t i) {
    const double *a = series_of(run, i), *b = series_of(run, i + 1);
    bool begins = run->contacts->rests[block_of(run, i)->place];
    return !begins || run->direction * (a[0] * a[1] + b[0] * b[1]) > 0.0;
}

// Has a gap that did not touch become negative by rounding, where others were closed? The step that
// begins here finds it (lia_contact_watch_overdue), unless it grows and is soon positive again.
static bool is_overdue(const LiaRunner* run, uint32_t i, double gap) {
    const LiaWatched* of = &run->system->mode.watched[i];
    if (of->kind != LIA_WATCH_GAP || run->contacts->touched[of->contact]) return false;
    double size = run->contacts->rounding.gap[of->contact] / LIA_CONTACT_TOUCHES;
    return gap >= -LIA_WATCH_LEAPS * size;
}

// The first root of c + shift at which it falls (side -1) or rises (1), within h; INFINITY: none.
static double first_crossing(const double* c, int degree, double shift, double h, int side) {
    enum { ROOTS = 8 };
    double shifted[LIA_ROOTS_DEGREE + 1];
    LiaRootFound roots[ROOTS];
    memcpy(shifted, c, (size_t)(degree + 1) * sizeof *shifted);
    shifted[0] += shift;
    int count = lia_roots(shifted, degree, h, 0, roots, ROOTS);
    for (int k = 0; k < count; k++) {
        if (copysign(1.0, h) * side * roots[k].direction > 0.0) return fabs(roots[k].x);
    }
    return INFINITY;
}

// A first term that is rounding, or nearly so, has no sign of its own, and the next one need not
// have that of the formula: a disc that hops beside another one has the gap (v t - g t^2/2)^2/4r.
// Where the formula does not fall by more than its rounding before it rises by as much, it is not
// negative.
static bool does_not_fall(const LiaRunner* run, uint32_t i, double ahead) {
    const double* c = series_of(run, i);
    int degree = run->step.order - 1;
    double rounding = rounding_of(run, i), h = run->direction * ahead;
    if (!(rounding > 0.0) || degree < 1 || degree > LIA_ROOTS_DEGREE) return false;
    bool gap = run->system->mode.watched[i].kind == LIA_WATCH_GAP;
    if (fabs(c[0]) > rounding && !(gap && c[0] > 0.0)) return c[0] > 0.0;
    double falls = first_crossing(c, degree, rounding, h, -1);
    return falls == INFINITY || first_crossing(c, degree, -rounding, h, 1) < falls;
}

// A length of forces that are all zero has no series: nothing is proved by them.
static bool is_series(const double* c, int degree) {
    bool finite = true;
    for (int k = 0; k <= degree; k++) finite = finite && isfinite(c[k]);
    return finite;
}

// Several normal forces: are they some where one slides, or none for more than an instant where it
// has no friction?
static bool is_long_enough(const LiaRunner* run, uint32_t i) {
    const double* c = series_of(run, i);
    int degree = run->step.order - 1;
    double shift = shift_of(run, i);
    double ahead = run->direction * LIA_CONTACT_INSTANT * lia_time_size(run, run->step.t);
    if (shift < 0.0) return c[0] + shift > 0.0;
    return c[0] + shift > 0.0 && first_crossing(c, degree, shift, ahead, -1) == INFINITY;
}

int lia_contact_watch_admissible(LiaRunner* run) {
    const LiaSystem* s = run->system;
    int degree = run->step.order - 1, negative = -1;
    const uint32_t count = s->mode.watched_count;
    for (uint32_t i = next_from(run, 0); i < count; i = next_from(run, i + 1)) {
        const double* c = series_of(run, i);
        if (is_far(run, i)) continue;
        if (s->mode.watched[i].rough && !is_series(c, degree)) return (int)i;
        if (shift_of(run, i) != 0.0) {
            run->contacts->vanish[i] = 0;
            if (!is_long_enough(run, i)) negative = (int)i;
            continue;
        }
        double ahead = time_ahead(run, c, degree);
        bool closes = is_closing(run, i, ahead);
        int vanish = !closes && is_rounding(run, i, ahead) ? degree + 1
                     : s->mode.watched[i].kind == LIA_WATCH_GAP
                         ? gap_vanishing(run, i, c, degree)
                         : others_vanishing(run, i, c, degree);
        bool first, component = lia_contact_watch_component(run, i, &first);
        run->contacts->vanish[i] = component ? 0 : vanish;
        if (component) {
            if (first && !slip_grows(run, i)) negative = (int)i;
            continue;
        }
        bool turned = run->direction < 0.0 && vanish % 2 == 1;
        if (vanish > degree || (turned ? -c[vanish] : c[vanish]) >= 0.0 || is_overdue(run, i, c[0]))
            continue;
        if (!closes && does_not_fall(run, i, ahead)) {
            run->contacts->vanish[i] = fabs(c[0]) > rounding_of(run, i) ? 0 : degree + 1;
            continue;
        }
        if (negative < 0) negative = (int)i;
    }
    return negative;
}

// A slip of two components that turns as it vanishes has no series at its end, and steps become
// ever shorter towards it: where it is rounding of the speeds that were met, or the time that is
// left is rounding, it is zero.
static bool slip_is_rounding(const LiaRunner* run, uint32_t i) {
    const double *a = series_of(run, i), *b = series_of(run, i + 1);
    bool shrinks = run->direction * (a[0] * a[1] + b[0] * b[1]) <= 0.0;
    double late = LIA_CONTACT_INSTANT * lia_time_size(run, run->w->t) * hypot(a[1], b[1]);
    return shrinks &&
           hypot(a[0], b[0]) <= fmax(LIA_CONTACT_ROUNDING * lia_slip_end_speed(run, i), late);
}

// Is a series negative from its beginning on? Where it is zero there, the last step ended at its
// root.
static bool falls_below(const LiaRunner* run, const double* c) {
    double rate = run->direction * c[1];
    return c[0] < 0.0 ? rate <= 0.0 : c[0] == 0.0 && rate < 0.0;
}

// On its new side a gap may not open: it leaves no more if it hops no higher than its rounding.
static void forget_leaving(const LiaRunner* run) {
    const LiaSystem* s = run->system;
    for (uint32_t i = next_from(run, 0); i < s->mode.watched_count; i = next_from(run, i + 1)) {
        const LiaWatched* of = &s->mode.watched[i];
        if (of->rough || of->kind != LIA_WATCH_GAP || run->step.order < 3) continue;
        const double* x = series_of(run, i);
        double rate = run->direction * x[1], pull = fmax(-x[2], 0.0);
        if (!(rate > 0.0) || rate * rate < 4.0 * pull * rounding_of(run, i))
            run->contacts->leaves[of->contact] = false;
    }
}

// Rounding, projection and jumps lie between two steps: what is watched may be a little negative
// where a step begins, and falls.
bool lia_contact_watch_overdue(LiaRunner* run) {
    LiaContacts* c = run->contacts;
    bool overdue = false;
    int degree = run->step.order - 1;
    const uint32_t count = run->system->mode.watched_count;
    none_fires(run);
    if (c->found.settled) {  // a formula took its side after the mode was found: is it the one?
        c->found.settled = false;
        forget_leaving(run);
        int negative = lia_contact_watch_admissible(run);
        if (negative >= 0) return c->fires[negative] = true;
    }
    for (uint32_t i = next_from(run, 0); i < count; i = next_from(run, i + 1)) {
        const double* x = series_of(run, i);
        if (is_far(run, i)) continue;
        bool first, component = lia_contact_watch_component(run, i, &first);
        if (shift_of(run, i) != 0.0) {
            double value = x[0] + shift_of(run, i);
            bool lost = !is_series(x, degree);  // |N| is 0, or rounding
            c->fires[i] = lost || (value < 0.0 && !(run->direction * x[1] > 0.0));
            overdue |= c->fires[i];
            continue;
        }
        c->fires[i] = c->vanish[i] == 0 && falls_below(run, x);
        if (component) c->fires[i] = first && slip_is_rounding(run, i);
        overdue |= component && c->fires[i];
        if (c->fires[i] && is_rounding(run, i, run->step.h)) c->fires[i] = false;
        if (component || !c->fires[i]) continue;
        double size = 0.0, h = time_of(run, x, degree), power = 1.0;
        for (int k = 0; k <= degree; k++, power *= h) size = fmax(size, fabs(x[k] * power));
        bool gap = run->system->mode.watched[i].kind == LIA_WATCH_GAP;  // forces may jump
        // what closes by its rounding moves others by more, if bodies are wedged: that is no leap
        const LiaWatched* of = &run->system->mode.watched[i];
        double terms = gap ? c->rounding.gap[of->contact] / LIA_CONTACT_TOUCHES : 0.0;
        terms = fmax(LIA_LEAP * terms, lia_gaps_least(run));
        if (gap && -x[0] > fmax(LIA_WATCH_LEAPS * size, terms)) {
            lia_gaps_say_leap(run, run->system->mode.watched[i].contact);
            return false;
        }
        overdue = true;
    }
    return overdue;
}
