// How far the series of events can be relied upon. Events are watched: their formulas must not
// decide how the motion goes, nor end it. Towards a pole or a branch point of a formula (tan, log,
// sqrt) steps become shorter, as its series do, so that no root before it is skipped. That ends at
// a small part of the longest step. There the event is blind: one short step leads over the place,
// and the formula itself tells by its values whether it passes zero in it. Where a formula has no
// value at all, the step ends where it has one again.
// SPDX-License-Identifier: MIT
#include "motion/events/event_range.h"
#include "base/numeric/golden_section.h"
#include "base/numeric/thresholds.h"
#include "motion/check/noise.h"
#include "motion/check/series_range.h"
#include "motion/events/guards.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include <math.h>
#include <stdlib.h>

// What is short for a step of about h: no shorter one is made for an event.
static double shortest(const LiaRunner* run, double h) {
    return LIA_EVENT_CLOSE * fmax(run->course.longest, fabs(h));
}

static bool is_finite(const double* c, int count) {
    for (int k = 0; k < count; k++) {
        if (!isfinite(c[k])) return false;
    }
    return true;
}

static bool has_series(const LiaRunner* run, uint32_t e) {
    return is_finite(lia_step_series(&run->step, run->step.event, e), run->step.order);
}

// Did a formula change its side where the step begins? An angle that comes back by a turn did not.
static bool begins_at_corner(const LiaRunner* run) {
    const LiaTape* tape = run->w->dynamics->tape;
    for (uint32_t g = lia_guards_next_at_root(run, 0); g < tape->guard_count;
         g = lia_guards_next_at_root(run, g + 1)) {
        if (tape->guards[g].rule != LIA_GUARD_CUT) return true;
    }
    return false;
}

void lia_event_range_begin(LiaRunner* run, double h) {
    run->watch.at_corner = begins_at_corner(run);
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        const double* c = lia_step_series(&run->step, run->step.event, e);
        double least = shortest(run, h);
        run->watch.event_blind[e] =
            !has_series(run, e) || lia_guards_trusted(run, c, fabs(h)) < least;
    }
}

// Is it known where event e has its roots, over the step of the last look?
static bool is_known(const LiaRunner* run, uint32_t e) {
    return lia_series_range_root_known(run, run->w->dynamics->event[e]);
}

// The same of all that are not blind, and of the guards that only events have.
static bool all_known(const LiaRunner* run) {
    const LiaTape* tape = run->w->dynamics->tape;
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        if (!run->watch.event_blind[e] && !is_known(run, e)) return false;
    }
    for (uint32_t g = lia_guards_next(run, 0); g < tape->guard_count;
         g = lia_guards_next(run, g + 1)) {
        if (run->watch.live[g] && !tape->guards[g].vital &&
            !lia_series_range_root_known(run, tape->guards[g].reg))
            return false;
    }
    return true;
}

enum { LOOKS = 64, PEAKS_MOST = 64 };

typedef struct Argument {
    LiaRunner* run;
    uint32_t guard;
    double h;
} Argument;

static double outside(void* of, double part) {
    const Argument* a = of;
    return -lia_noise_inside(a->run->checks.noise, a->run, a->guard, part * a->h);
}

// Where an argument comes nearest to having a root or a logarithm, as parts of the step: a formula
// may have a value there, for however short a time. An argument has values where its root has none.
static int find_peaks(Argument* a, double* peak, int most) {
    enum { SECTIONS = 70 };  // from 1/32 of the step to rounding
    double before = INFINITY, here = outside(a, 0.0);
    int count = 0;
    for (int k = 0; k <= LOOKS && count < most; k++) {
        double next = k < LOOKS ? outside(a, (k + 1.0) / LOOKS) : INFINITY;
        if (here > 0.0 && here <= before && here <= next) {
            double low = fmax((k - 1.0) / LOOKS, 0.0), high = fmin((k + 1.0) / LOOKS, 1.0);
            peak[count++] = lia_golden_section_least(outside, a, low, high, SECTIONS);
        }
        before = here, here = next;
    }
    return count;
}

static int in_order(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// Where to look for a value, as parts of the step: evenly, and where arguments come nearest to one.
static int find_looks(LiaRunner* run, double h, double* look) {
    const LiaTape* tape = run->w->dynamics->tape;
    int count = 0;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (tape->guards[g].vital || !lia_guard_stops(tape->guards[g].rule)) continue;
        Argument a = {run, g, h};
        count += find_peaks(&a, look + count, PEAKS_MOST - count);
    }
    for (int k = 1; k <= LOOKS; k++) look[count++] = (double)k / LOOKS;
    qsort(look, (size_t)count, sizeof *look, in_order);
    return count;
}

// The first place in the step where the formula has a value after one where it has none; h if there
// is none.
static double first_value(LiaRunner* run, uint32_t e, double h) {
    enum { HALVINGS = 60 };
    double look[LOOKS + PEAKS_MOST], without = 0.0, with = h;
    int looks = find_looks(run, h, look);
    bool found = false;
    for (int k = 0; k < looks && !found; k++) {
        with = h * look[k];
        found = isfinite(lia_noise_event(run->checks.noise, run, e, with));
        if (!found) without = with;
    }
    if (!found) return h;
    for (int k = 0; k < HALVINGS; k++) {
        double x = 0.5 * (without + with);
        if (x == without || x == with) break;
        if (isfinite(lia_noise_event(run->checks.noise, run, e, x))) {
            with = x;
        } else {
            without = x;
        }
    }
    return with;
}

// How far a step goes in which events are blind.
static double over(LiaRunner* run, double h) {
    double least = shortest(run, h), reach = fabs(h);
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        if (!run->watch.event_blind[e]) continue;
        double to = has_series(run, e) ? 0.0 : fabs(first_value(run, e, h));
        reach = fmin(reach, to + LIA_EVENT_OVER * least);
    }
    return run->direction * reach;
}

double lia_event_range(LiaRunner* run, double h) {
    LiaEnclosure* enclosure = &run->checks.enclosure;
    const double whole = h, least = shortest(run, h);
    while (!enclosure->watched_settle && fabs(h) > least) {
        lia_enclosure_spread(enclosure);
        if (all_known(run)) break;
        h *= 0.5;
        lia_enclosure_settles(enclosure, h, 0);
    }
    if (!enclosure->watched_settle && fabs(h) <= least) {
        lia_enclosure_spread(enclosure);
        for (uint32_t e = 0; e < run->model->events_count; e++)
            run->watch.event_blind[e] = run->watch.event_blind[e] || !is_known(run, e);
        h = whole;
    }
    double reach = over(run, whole);
    return fabs(reach) < fabs(h) ? reach : h;
}

bool lia_event_range_blind_root(LiaRunner* run, uint32_t e, double h, LiaRootFound* root) {
    enum { HALVINGS = 100 };
    double from = 0.0, to = h;
    double before = lia_noise_event(run->checks.noise, run, e, from);
    double after = lia_noise_event(run->checks.noise, run, e, to);
    double size = fmax(fabs(before), fabs(after));
    if (!isfinite(size) || !(before * after < 0.0)) return false;
    for (int k = 0; k < HALVINGS; k++) {
        double x = 0.5 * (from + to), f = lia_noise_event(run->checks.noise, run, e, x);
        if (x == from || x == to || isnan(f)) break;
        if (f * after > 0.0) {
            to = x;
        } else {
            from = x;
        }
        if (!(fabs(f) <= size)) return false;  // it grows: a pole
    }
    *root = (LiaRootFound){.x = to, .direction = (after > 0.0) == (h > 0.0) ? 1 : -1};
    root->from = root->to = to;
    return true;
}
