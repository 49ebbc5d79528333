// Steps that become too short: what the motion runs into.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "lang/bodies/attitude.h"
#include "mechanics/regularity/regularity.h"
#include "mechanics/regularity/singular_report.h"
#include "motion/runner.h"
#include "motion/singular/singular_start.h"
#include "motion/verdict/advice.h"
#include "motion/verdict/verdict.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The coupling number where the motion is now, with every equation a row; NAN where it is not
// known.
static double coupling_now(LiaRunner* run) {
    LiaWorkspace* f = run->full;
    lia_workspace_put(f, run->w->t, run->w->q, run->w->v);
    lia_workspace_update(f, 1);
    lia_workspace_factor(f);
    return lia_regularity(f);
}

// The coordinate whose series grows fastest is the one to name.
static uint32_t fastest(const LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    uint32_t worst = 0;
    double most = -1.0;
    for (uint32_t i = 0; i < run->system->n; i++) {
        double x = fabs(w->a[i]) / (1.0 + fabs(w->v[i]));
        if (x > most) most = x, worst = i;
    }
    return worst;
}

// The number of x = q' or q'' that a message shows for coordinate i: of a rotation the size of the
// angular velocity or acceleration, which is twice what of q' or q'' is at right angles to the
// quaternion q.
static double pace_of(const LiaRunner* run, uint32_t i, const double* x) {
    uint32_t rotation = lia_attitude_of(run->model, i);
    if (!rotation) return x[i];
    uint32_t first = run->model->groups[rotation - 1].first;
    const double* q = run->w->q + first;
    double along = 0.0, size = 0.0;
    for (uint32_t k = 0; k < 4; k++) along += q[k] * x[first + k];
    for (uint32_t k = 0; k < 4; k++) size = hypot(size, x[first + k] - along * q[k]);
    return 2.0 * size;
}

// The place of a contact or on a curve runs away: said of the joint it belongs to. False where it
// is another coordinate that does.
static bool lose_place(LiaRunner* run, double h) {
    const LiaModel* m = run->model;
    uint32_t coordinate = m->contact_points_count > 0 ? fastest(run) : 0;
    for (uint32_t k = 0; k < m->contact_points_count; k++) {
        const LiaContactPoint* foot = &m->contact_points[k];
        if (coordinate < foot->first || coordinate >= foot->first + foot->count) continue;
        const LiaConstraint* c = &m->constraints[foot->constraint];
        char what[300];
        snprintf(what, sizeof what,
                 foot->nearest ? "where the point of '%.200s' is on its curve runs away"
                               : "where the shapes of '%.200s' touch is not decided: there they "
                                 "fit each other or touch twice",
                 c->name);
        lia_verdict(run, "E0402", c->span, run->w->t, "at t = %.10g %s: %s", run->w->t,
                    lia_verdict_steps(h).text, what);
        lia_verdict_help(run, "end the run before that time, or begin where the place is decided");
        return true;
    }
    return false;
}

// Steps are refused because what they lead to is larger than numbers are.
static bool lose_range(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    for (uint32_t i = 0; i < run->system->n; i++) {
        bool far = fabs(w->q[i]) > LIA_STATE_HUGE, fast = fabs(w->v[i]) > LIA_STATE_HUGE;
        if (!far && !fast) continue;
        lia_verdict(run, "E0403", run->model->coordinates[i].span, w->t,
                    "at t = %.10g the %s of '%s' (%.3g) leaves the range of numbers, and so do its "
                    "squares and products",
                    w->t, far ? "position" : "velocity", run->model->coordinates[i].name,
                    far ? w->q[i] : w->v[i]);
        lia_verdict_help(run, "end the run before that time; what grows so far is seldom meant");
        return true;
    }
    return false;
}

// A pole of a force that is nearer than any step.
static bool say_pole(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    for (int c = 0; c < w->nc; c++) {
        const LiaRow* row = &run->system->rows[w->dynamics->rows[c]];
        const double* mu =
            lia_jet_series(&w->jets, w->dynamics->tape->multiplier[w->dynamics->rows[c]]);
        // mu = c/(t1 - t): the ratio of each coefficient to the next is the distance of the pole
        double near = LIA_COLLAPSE_POLE * fmax(run->span, fabs(w->t));
        bool pole = mu[0] != 0.0 && w->jets.order > 3;
        for (int k = 0; pole && k < 3; k++) pole = fabs(mu[k]) < near * fabs(mu[k + 1]);
        if (!pole) continue;
        lia_verdict(
            run, "E0401", row->span, w->t,
            "at t = %.10g the force of '%s' grows beyond all bounds (%.3g): along its direction it "
            "has no hold on its equation there",
            w->t, run->model->constraints[row->constraint].name, mu[0]);
        lia_verdict_help(run, "end the run before that time, or let the force act along what its "
                              "equation asks for");
        return true;
    }
    return false;
}

static void say_lost_hold(LiaRunner* run, double h, double number) {
    const LiaWorkspace* w = run->w;
    LiaSingularReport why;
    LiaText text = {0};
    if (!lia_singular_report(run->full, &why)) return;
    lia_singular_report_say(&why, &text);
    lia_verdict(run, "E0401", why.span, w->t,
                "at t = %.10g %s: an operator loses its hold (coupling "
                "number %.1e): %s",
                w->t, lia_verdict_steps(h).text, number, text.data ? text.data : "");
    lia_verdict_help(run, "end the run before that time, or let the force act on what its "
                          "equation asks for");
    lia_text_clear(&text);
    lia_singular_report_clear(&why);
}

// The rank changes: several motions go on from here.
static bool say_rank(LiaRunner* run, double h) {
    const LiaWorkspace* w = run->w;
    for (int c = 0; c < w->nc; c++) {
        const LiaRow* row = &run->system->rows[w->dynamics->rows[c]];
        if (!run->samples.shared[w->dynamics->rows[c]]) continue;
        lia_verdict(run, "E0401", row->span, w->t,
                    "at t = %.10g %s where the equations of '%s' "
                    "change their rank: several motions go on from here, and nothing decides "
                    "between them",
                    w->t, lia_verdict_steps(h).text, run->model->constraints[row->constraint].name);
        lia_verdict_help(run, "begin on one of these motions, or end the run before that time");
        return true;
    }
    return false;
}

void lia_verdict_collapse(LiaRunner* run, double h) {
    LiaWorkspace* w = run->w;
    if (lia_advice_pole(run, h) || lose_range(run)) return;
    if (w->forces.early) {
        lia_verdict_force_early(run);
        return;
    }
    if (lose_place(run, h) || lia_advice_form(run)) return;
    if (w->nr < w->nc && lia_verdict_singular_left_out(run)) return;
    // an operator loses its hold, or equations come to depend on each other
    if (w->nc > 0 && w->saddle.pivot < LIA_COLLAPSE_PIVOT) {
        lia_verdict_singular(run, w);
        return;
    }
    if (say_pole(run)) return;
    if (lia_singular_start_verdict(run, LIA_SINGULAR_CUT_COLLAPSE, LIA_SINGULAR_START_COLLAPSE))
        return;
    double number = w->nc > 0 && w->forces.method->at_singular ? coupling_now(run) : 1.0;
    if (w->forces.method->lost(w)) {
        lia_verdict_force_lost(run, h);
        return;
    }
    if (number < LIA_COUPLING_LOST) {  // not where it is not known
        say_lost_hold(run, h, number);
        return;
    }
    if (say_rank(run, h)) return;
    const LiaTape* tape = w->dynamics->tape;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        const LiaGuard* guard = &tape->guards[g];
        double x = fabs(lia_jet_series(&w->jets, guard->reg)[0]);
        if (guard->vital && lia_guard_stops(guard->rule) && x < LIA_GUARD_REACHED) {
            lia_verdict_guard(run, (int)g, w->t);
            return;
        }
    }
    if (lia_advice_law(run, h)) return;
    uint32_t worst = fastest(run);
    lia_verdict(run, "E0402", run->model->coordinates[worst].span, w->t,
                "at t = %.10g %s: the motion of '%s' runs into a "
                "singularity (acceleration %.3g)",
                w->t, lia_verdict_steps(h).text, lia_attitude_name(run->model, worst),
                pace_of(run, worst, w->a));
    lia_verdict_help(run, "end the run before that time, or smooth what becomes infinite there");
}

void lia_verdict_collapse_stall(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    if (lia_advice_pole(run, run->step.h)) return;
    uint32_t worst = 0;
    for (uint32_t i = 1; i < run->system->n; i++) {
        if (fabs(w->v[i]) > fabs(w->v[worst])) worst = i;
    }
    lia_verdict(
        run, "E0415", run->model->coordinates[worst].span, w->t,
        "at t = %.10g, after %llu steps, the end of the run is out of reach: the motion becomes "
        "ever faster ('%s' with a velocity of %.3g) and the steps ever shorter (%.1e)",
        w->t, (unsigned long long)run->out->effort.steps, lia_attitude_name(run->model, worst),
        pace_of(run, worst, w->v), fabs(run->step.h));
    lia_verdict_help(
        run, "does a servo or a force feed what it should damp? Look at its sign, or end the "
             "run earlier");
}

// Where a run is to come to; of one without an end, somewhere far.
static double far_end(const LiaRunner* run) {
    return isinf(run->out->t1) ? run->w->t + run->direction * run->span : run->out->t1;
}

void lia_verdict_collapse_far(LiaRunner* run) {
    const LiaTrajectory* out = run->out;
    uint32_t i = fastest(run);
    double left = fabs(far_end(run) - run->w->t), gone = fabs(run->w->t - out->t0);
    lia_verdict(run, "E0415", run->model->coordinates[i].span, run->w->t,
                "at t = %.10g, after %llu steps, the end of the run is out of reach: the motion of "
                "'%s' asks for steps of %.1e, and to t = %.6g it would be %.1e of them",
                run->w->t, (unsigned long long)out->effort.steps, run->model->coordinates[i].name,
                fabs(run->step.h), far_end(run),
                fmin(left / gone * (double)out->effort.steps, DBL_MAX));
    lia_verdict_help(run, "end the run earlier, or write what is so fast as a constraint");
}

void lia_verdict_collapse_coarse(LiaRunner* run, double h) {
    double end = far_end(run);
    const LiaWorkspace* w = run->w;
    const LiaCoordinate* x = &run->model->coordinates[fastest(run)];
    double apart = nextafter(fabs(w->t), INFINITY) - fabs(w->t);
    if (fabs(h) > LIA_CLOCK_TICKS * apart) {
        lia_verdict(run, "E0415", x->span, w->t,
                    "at t = %.10g the end of the run is out of reach: the motion of '%s' asks for "
                    "steps of %.1e, and to t = %.6g it would be %.1e of them",
                    w->t, x->name, fabs(h), end, fmin(fabs(end - w->t) / fabs(h), DBL_MAX));
        lia_verdict_help(run, "end the run earlier, or write what is so fast as a constraint");
        return;
    }
    lia_verdict(run, "E0416", x->span, w->t,
                "at t = %.10g time is too coarse: two numbers there are %.1e apart, and the motion "
                "of '%s' asks for steps of %.1e",
                w->t, apart, x->name, fabs(h));
    lia_verdict_help(run, "count the time from a nearer instant: 'run t = 0..10', with 't + 1e12' "
                          "where the model needs it");
}
