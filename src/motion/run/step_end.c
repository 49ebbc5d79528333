// Where a step ends: as far as the series allow, or at what happens before.
// SPDX-License-Identifier: MIT
#include "motion/run/step_end.h"
#include "base/numeric/thresholds.h"
#include "motion/check/series_range.h"
#include "motion/contact/contact_run.h"
#include "motion/events/event_range.h"
#include "motion/events/events.h"
#include "motion/events/guards.h"
#include "motion/run/begin.h"
#include <math.h>

double lia_step_end_at_once(const LiaRunner* run, double x) {
    return LIA_INSTANT_STEP * fabs(x) + LIA_INSTANT_TIME * lia_time_size(run, run->w->t);
}

static bool stops_at(const LiaRunner* run, int guard) {
    return lia_guard_stops(run->w->dynamics->tape->guards[guard].rule);
}

// The step ends at an event. A corner there is crossed, unless the run stops.
static void end_at_root(const LiaRunner* run, LiaAttempt* a, double root) {
    bool stops = run->model->events[a->stop].stop;
    bool corner = a->guard >= 0 && !a->beyond && !stops &&
                  fabs(a->h - root) <= lia_step_end_at_once(run, root);
    a->to_end = a->beyond = false;
    if (corner) return;
    a->h = root;
    a->guard = -1;
}

// Does the mode of the contacts end before anything else does? An event that stops the run at the
// same instant stops it; a formula that has no value where a slip vanishes (its direction) has one
// before.
static bool ends_first(const LiaRunner* run, const LiaAttempt* a, double x) {
    double near = lia_step_end_at_once(run, x);
    if (a->stop >= 0 && run->model->events[a->stop].stop) return fabs(x) < fabs(a->h) - near;
    bool singular = a->guard >= 0 && stops_at(run, a->guard);
    // A force that vanishes at a corner of what makes it is another one after it: first the corner.
    bool corner = a->guard >= 0 && !singular && !a->beyond && !lia_contact_watch_closes(run);
    if (corner && fabs(x - a->h) <= near) return false;
    return fabs(x) <= fabs(a->h) + (singular ? LIA_INSTANT_BEYOND * fabs(x) : near);
}

// A mode that ends where the step ends, but for rounding, may do so by a corner there.
static void find_corner(LiaRunner* run, double x, LiaAttempt* a, double* root) {
    double near = LIA_INSTANT_BEYOND * fabs(x) + lia_step_end_at_once(run, x), beyond;
    int guard = lia_guards_first(run, x + run->direction * near, root, &beyond);
    if (guard >= 0 && fabs(*root - x) <= near) a->guard = guard, a->beyond = false;
}

// As far as the series reach, or to the end of the run, the root of a guard, the event that stops
// it.
static LiaAttempt end_within(LiaRunner* run, double natural) {
    LiaWorkspace* w = run->w;
    double left =
        (run->halt - w->t) - run->low.t;  // lia_step_series_reach() may have stepped off a corner
    LiaAttempt a = {
        .h = natural, .to_end = fabs(natural) >= fabs(left), .way = &lia_configuration_ordinary};
    if (a.to_end) a.h = left;
    // what happens at the last instant of the run, but for rounding, is part of it
    bool last = a.to_end && run->halt == run->out->t1;
    if (last) a.h += run->direction * lia_step_end_at_once(run, left);
    double trusted = lia_guards_reach(run, a.h);
    if (fabs(trusted) < fabs(a.h)) a.h = trusted, a.to_end = false;
    double root = 0.0, mode_end = INFINITY;
    double limit = run->contacts ? lia_contact_watch_limit(run, a.h) : a.h;
    if (fabs(limit) < fabs(a.h)) a.h = limit, a.to_end = false;
    bool mode_ends = run->contacts && lia_contact_watch_first(run, a.h, &mode_end);
    double reach = a.h;
    a.guard = lia_guards_first(run, a.h, &root, &reach);
    if (last && a.guard >= 0 && fabs(root) > fabs(left) && stops_at(run, a.guard)) a.guard = -1;
    a.beyond = a.guard >= 0 && fabs(root) > fabs(a.h);
    if (mode_ends && a.guard < 0) find_corner(run, mode_end, &a, &root);
    if (a.guard >= 0) a.h = root, a.to_end = false;
    if (a.guard < 0 && fabs(reach) < fabs(a.h)) a.h = reach, a.to_end = false;
    reach = lia_events_reach(run, a.h);
    if (fabs(reach) < fabs(a.h)) a.h = reach, a.to_end = false, a.beyond = false, a.guard = -1;
    a.stop = lia_events_stop(run, a.h, &root);
    if (a.stop >= 0) end_at_root(run, &a, root);
    if (mode_ends && ends_first(run, &a, mode_end)) {
        bool same = a.stop >= 0 && fabs(mode_end - a.h) <= lia_step_end_at_once(run, mode_end);
        if (!same) a.h = mode_end, a.stop = -1;
        a.to_end = false, a.beyond = false, a.guard = -1;
        a.contact = true;
    }
    if (last && fabs(a.h) >= fabs(left) - lia_step_end_at_once(run, left))
        a.h = left, a.to_end = true;
    return a;
}

// What a run makes of a length that the series allow: a part of it, where it is to check another
// run, and no more than was asked for.
static double shortened(const LiaRunner* run, double h) {
    double part = run->options->step_part > 0.0 ? run->options->step_part : 1.0;
    return run->direction * fmin(part * fabs(h), lia_begin_step_most(run));
}

// The same where the series can be relied upon. Beyond that, their roots mean nothing.
LiaAttempt lia_step_end_choose(LiaRunner* run, double natural) {
    if (run->contacts) natural = lia_contacts_cover(run, natural);
    lia_jet_live(&run->w->jets, run->watch.live);
    lia_event_range_begin(run, fmin(fabs(natural), fabs(run->halt - run->w->t)));
    LiaAttempt a = end_within(run, shortened(run, natural));
    double reach = lia_series_range(run, a.h, a.guard);
    return fabs(reach) < fabs(a.h) ? end_within(run, shortened(run, reach)) : a;
}
