// One step of a run: as far as the series, the guards and the events allow, and back where it was
// not good.
// SPDX-License-Identifier: MIT
#include "motion/run/step.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/project.h"
#include "mechanics/kkt/stage.h"
#include "mechanics/regularity/regularity.h"
#include "motion/check/defect.h"
#include "motion/check/digits.h"
#include "motion/check/energy_balance.h"
#include "motion/check/formula_rounding.h"
#include "motion/check/inner_residual.h"
#include "motion/check/noise.h"
#include "motion/check/trend.h"
#include "motion/contact/contact_run.h"
#include "motion/contact/laws.h"
#include "motion/events/corner.h"
#include "motion/events/events.h"
#include "motion/events/guards.h"
#include "motion/result/dense_output.h"
#include "motion/result/record.h"
#include "motion/result/report.h"
#include "motion/result/sample_forces.h"
#include "motion/run/begin.h"
#include "motion/run/step_end.h"
#include "motion/run/step_series.h"
#include "motion/run/step_state.h"
#include "motion/run/taylor.h"
#include "motion/runner.h"
#include "motion/singular/degree_change.h"
#include "motion/singular/singular_step.h"
#include "motion/verdict/verdict.h"
#include <float.h>
#include <math.h>
#include <string.h>

// --- samples -----------------------------------------------------------------------------------

void lia_step_watch(LiaRunner* run, const LiaWorkspace* at) {
    LiaWorkspace* f = run->full;
    if (f->nc == 0) return;
    lia_workspace_put(f, at->t, at->q, at->v);
    lia_workspace_update(f, 1);
    lia_workspace_factor(f);
    double number = lia_regularity(f);
    if (number < run->met.regularity_least ||
        isnan(number)) {  // once not known, the least is not either
        run->met.regularity_least = number;
        run->met.regularity_time = at->t;
    }
}

// The coupling number is looked at some twenty times along the run, where that costs little.
static bool regularity_due(const LiaRunner* run) {
    size_t stride = run->samples.total / 20 + 1;
    return run->full->nf + run->full->nc <= 40 && run->samples.next % stride == 0;
}

// At the sample that was just written.
static void look_at_digits(LiaRunner* run) {
    // without equations a sample may need no accelerations
    bool known = run->system->row_count > 0 || lia_workspace_evaluate(run->sampler);
    if (known) lia_digits_look(run, run->sampler);
}

// Samples that fall into the step, up to x after its beginning; `to_end`: all that are left.
static bool sample_up_to(LiaRunner* run, double x, bool to_end) {
    for (bool found = false; run->samples.next < run->samples.total; found = true) {
        double t = lia_record_time(run, run->samples.next);
        bool inside = run->direction * (t - (run->step.t + x)) <= 0.0 || to_end;
        if (!inside) return true;
        if (!found) lia_record_find(run, run->sampler);
        lia_taylor_powers(&run->samples.forces.power, &run->step, t - run->step.t);
        lia_taylor_at_powers(&run->step, &run->samples.forces.power, run->sampler);
        run->sampler->t = t;
        size_t undetermined = run->samples.undetermined;
        bool due = regularity_due(run);
        if (!lia_record_sample(run, due)) return false;
        if (due) {
            if (run->samples.undetermined == undetermined) look_at_digits(run);
            lia_step_watch(run, run->sampler);
        }
        run->samples.next++;
        if (lia_watch_asked()) return true;  // the run itself ends after this step
    }
    return true;
}

bool lia_step_sample(LiaRunner* run, double h, bool to_end) {
    if (run->options->keep_steps && !lia_dense_output_add(run, h, to_end)) return false;
    return sample_up_to(run, h, to_end);
}

// --- one step ----------------------------------------------------------------------------------

static bool all_finite(const LiaWorkspace* w) {
    for (int i = 0; i < w->n; i++) {
        if (!isfinite(w->a[i]) || !isfinite(w->v[i]) || !isfinite(w->q[i])) return false;
    }
    for (uint32_t r = 0; r < w->system->row_count; r++) {
        if (!isfinite(w->mu[r])) return false;
    }
    return true;
}

// Bring the workspace to the state after the step: projected, accelerations known.
bool lia_step_arrive(LiaRunner* run, double* moved, double* energy) {
    if (!lia_project_state(run->w, run->out->effort.order, moved, energy)) return false;
    lia_stage_accelerate(run->w);
    return all_finite(run->w) && !run->w->contradiction;
}

static double largest_position(const LiaWorkspace* w) {
    double most = 0.0;
    for (int i = 0; i < w->n; i++) most = lia_larger(most, fabs(w->q[i]));
    return most;
}

bool lia_step_lasts(const LiaRunner* run, double h) {
    return fabs(h) > LIA_STEP_LASTS * fmax(fabs(run->out->t0), fabs(run->out->t1));
}

// Measured by where the motion is: how far it is to go says nothing of that.
static bool too_small(const LiaRunner* run, double h) {
    return !(fabs(h) > LIA_STEP_LASTS * lia_time_size(run, run->w->t));
}

// A step of about h that ends where time is a number: at t = 1e12 these are 1e-4 apart, and what
// depends on t, samples and the way to the end know no others. Not where that is rounding, nor for
// steps that shrink, which might end at what they end before.
static double on_clock(const LiaRunner* run, double h) {
    double t = run->w->t, end = t + h;
    if (!(DBL_EPSILON * fabs(t) > LIA_STEP_CLOCK * fabs(h)) ||
        fabs(h) < LIA_STEP_SHRUNK * run->course.longest)
        return h;
    double exact = (end - t) - run->low.t;
    if (fabs(exact) > fabs(h)) exact = (nextafter(end, t) - t) - run->low.t;
    return exact * h > 0.0 ? exact : h;
}

// The state at a guard where the motion cannot go on: as approached from before.
static void end_at_guard(LiaRunner* run, int g, double x) {
    double t = run->step.t + x;
    lia_step_state_advance(run, x, false);
    lia_taylor_at(&run->step, x * (1.0 - LIA_STEP_BEFORE_GUARD), run->sampler);
    lia_verdict_guard(run, g, t);
    if (lia_project_state(run->sampler, 1, NULL, NULL)) {
        lia_stage_accelerate(run->sampler);
        lia_record_row(run, run->sampler);
        lia_record_final(run);
    }
    run->samples.final_known = true;
    lia_record_reached(run);
}

// No guard is at its root after the step; angles are continued over their cuts to its end.
static void follow_guards(LiaRunner* run, double h) {
    LiaWorkspace* w = run->w;
    const LiaTape* tape = w->dynamics->tape;
    memset(run->watch.at_root, 0, tape->guard_count * sizeof *run->watch.at_root);
    for (uint32_t g = 0; tape->sections.cuts && g < tape->guard_count; g++) {
        if (tape->guards[g].rule != LIA_GUARD_CUT) continue;
        const double* c = run->step.guard + (size_t)g * (size_t)run->step.stride;
        double angle = lia_step_value(c, run->step.order - 1, h);
        w->jets.side[g] = angle > 1.0 ? 1 : angle < -1.0 ? -1 : 0;
    }
}

// However short the step, K0 is singular or the equations contradict each other after it: say
// which.
static void end_before(LiaRunner* run, double h) {
    LiaWorkspace* w = run->w;
    lia_step_state_advance(run, 2.0 * h, false);
    lia_step_arrive(run, NULL, NULL);
    if (w->contradiction) {
        lia_verdict_singular_contradiction(run, w);
    } else {
        lia_verdict_singular(run, w);
    }
    lia_step_state_restore(run);
    lia_step_arrive(run, NULL, NULL);
}

static void note_residuals(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    lia_report_misses(run, w);
    for (int c = 0; c < w->nc; c++) {
        double residual = w->projection.miss[c];
        double* worst = &run->met.worst[run->system->rows[w->dynamics->rows[c]].constraint];
        if (residual > *worst) *worst = residual;
    }
}

static void end_at_event(LiaRunner* run, const LiaEvent* event) {
    double t = run->w->t;
    if (event->leaves) {
        lia_verdict_end(run, event);
    } else {
        lia_verdict_stopped(run, "event", event->span, t, "event '%s' stopped the run at t = %.10g",
                            event->name, t);
    }
}

// The forces of operators are not decided where the step leads, by the derivatives that decided
// them before. By others? Then the step begins anew with those. It is not tried for ever.
static bool decide_otherwise(LiaRunner* run) {
    enum { IN_VAIN_MOST = 32 };
    if (run->course.in_vain >= IN_VAIN_MOST) return false;
    LiaRelativeDegree* degree = lia_degree_change_find(run);
    lia_step_state_restore(run);
    bool renewed = lia_degree_change_renew(run, degree);
    run->course.in_vain = renewed ? 0 : run->course.in_vain + 1;
    return renewed;
}

// How far projection moves the end of a step falls with its length as the last terms of the series
// do. What half the length leaves as it was is rounding: of a light part between heavy ones, say.
static bool not_by_series(double moved, double before) {
    return moved <= LIA_NOT_BY_SERIES && moved > 0.25 * before;
}

// --- one step, tried with shorter and shorter lengths -------------------------------------------

static LiaOutcome sample_and_end(LiaRunner* run, double h) {
    return lia_step_sample(run, h, false) ? LIA_OUTCOME_ENDED : LIA_OUTCOME_NO_MEMORY;
}

static void begin_tries(LiaRunner* run, LiaAttempt* a) {
    LiaWorkspace* w = run->w;
    lia_step_state_keep(run);
    lia_energy_balance_begin(run);
    w->forces.early = 0;
    a->moved_before = INFINITY;
    a->natural = a->h;
    a->size = lia_workspace_size(w);
    a->blur = w->projection.blur;
    run->course.rows_begin = lia_record_rows(w);
    if (!(a->size <= run->course.size_most)) run->course.rows_most = run->course.rows_begin;
    run->course.size_most = lia_larger(run->course.size_most, a->size);
    w->saddle.method->mark_pivots(&w->saddle);
    a->free_end = w->nc > 0 && w->forces.method->at_singular && !a->to_end && a->stop < 0 &&
                  a->guard < 0 && !a->contact;
}

static bool ends_nowhere(const LiaRunner* run, const LiaAttempt* a) {
    return !a->to_end && a->stop < 0 && a->guard < 0 && !a->contact && too_small(run, a->h);
}

// Go the step. Is it what the series say, up to rounding?
static bool try_step(LiaRunner* run, LiaAttempt* a) {
    LiaWorkspace* w = run->w;
    double moved = 0.0;
    bool free_end = !a->to_end && a->guard < 0 && a->stop < 0 && !a->contact;
    if (free_end && a->way->ordinary) a->h = on_clock(run, a->h);
    lia_step_state_advance(run, a->h, a->to_end);
    follow_guards(run, a->h);
    run->step.h = a->h;
    bool ok = lia_step_arrive(run, &moved, &a->fed);
    // Rounding that a singular configuration has made larger is what it is: nearer to it there is
    // more of it.
    bool blurred = !a->way->ordinary || (a->blur > 0.0 && w->forces.method->at_singular) ||
                   a->size < run->course.size_most - 8.0;
    // So is that of the numbers themselves: an angle after 20,000 turns is known to 1e-11.
    double known = LIA_POSITION_ROUNDING * largest_position(w);
    double far = lia_larger(LIA_MOVED_TOLERANCES * run->tolerance, known);
    // And that of rows that differ by d: they determine the state to eps/d.
    if (w->saddle.by_null_space) far = lia_larger(far, DBL_EPSILON / w->saddle.pivot);
    far = lia_larger(far, blurred ? LIA_MOVED_BLURRED : LIA_MOVED_ROUNDING);
    if (ok && not_by_series(moved, a->moved_before))
        run->course.rounding = lia_larger(run->course.rounding, moved);
    a->moved_before = ok ? moved : INFINITY;
    far = lia_larger(far, LIA_MOVED_AGAIN * run->course.rounding);
    double defect = lia_larger(LIA_DEFECT_TOLERANCES * run->tolerance,
                               blurred ? LIA_DEFECT_BLURRED : LIA_DEFECT_ROUNDING);
    // And that of the equations that operators keep through stiff springs.
    double hidden = w->forces.method->hidden_blur(w);
    far = lia_larger(far, fmin(LIA_MOVED_BLURS * hidden, LIA_MOVED_BLURRED));
    defect = lia_larger(defect, fmin(LIA_DEFECT_BLURS * hidden, LIA_DEFECT_BLURRED));
    run->checks.passed = false;
    if (!ok || a->beyond) return ok;
    if (!(moved <= far && lia_defect_small(run, a->h, defect))) return false;
    if (!a->way->ordinary) return true;
    run->checks.passed = lia_inner_residual_good(run, a->h, defect) &&
                         lia_energy_balance_closes(run, a->fed, defect);
    return run->checks.passed;
}

// Near a singular configuration, or about to fail: is there one that the step should end before, or
// go over? Then it is tried so.
static bool turn_to_singular(LiaRunner* run, LiaAttempt* a, bool good) {
    double after = lia_workspace_size(run->w), better = 0.0;
    bool near = after < a->size - 5.0 ||
                (after < a->size - 1.0 && after < run->course.size_most + LIA_DETERMINANT_SMALLER);
    // In a large system many rows that change a little change the determinant as much.
    if (near) near = run->w->saddle.method->pivot_fell(&run->w->saddle, LIA_PIVOT_FELL);
    if (!a->free_end || !a->way->ordinary || !(near || !good)) return false;
    a->way = lia_singular_step_find(run, a->natural, &better, &a->before);
    if (a->way->ordinary) return false;
    lia_step_state_restore(run);
    run->out->effort.rejected++;
    a->h = better;
    return true;
}

bool lia_step_cross(LiaRunner* run, bool* ends) {
    bool ok = lia_corner_cross(run);
    *ends = run->out->status == LIA_FAILED;
    if (*ends) return ok;
    memcpy(run->corner.a, run->w->a, (size_t)run->w->n * sizeof(double));
    ok = ok && (lia_step_arrive(run, NULL, NULL) || lia_step_series_off(run));
    *ends = ok && lia_corner_leapt(run);
    return ok;
}

// Back for a shorter way; where that ends, say why. False if the step is over, with *outcome.
static bool go_back(LiaRunner* run, LiaAttempt* a, LiaOutcome* outcome) {
    LiaWorkspace* w = run->w;
    bool singular = !(w->saddle.pivot > LIA_SINGULAR_PIVOT), contradiction = w->contradiction != 0;
    bool together = w->forces.degree->derivative_array;
    bool doubtful = w->forces.undecided || (!together && a->tries == 3);
    *outcome = LIA_OUTCOME_GO_ON;
    if (w->forces.degree->count > 0 && doubtful && decide_otherwise(run)) return false;
    lia_step_state_restore(run);
    // sin(t)*(1 + tanh(t - 20)) has nothing of its terms at the start of the run
    lia_noise_drives(run->checks.noise, run);
    run->out->effort.rejected++;
    a->h = a->way->shorter(a->h, a->before);
    a->way = a->way->next;
    a->to_end = false, a->beyond = false, a->guard = -1, a->stop = -1, a->contact = false;
    if (!too_small(run, a->h) || !(singular || contradiction)) return true;
    end_before(run, a->h);
    *outcome = LIA_OUTCOME_ENDED;
    return false;
}

// Where a corner was crossed, or a singular configuration, the energy is looked at anew.
static void note_energy(LiaRunner* run, const LiaAttempt* a) {
    run->balance.known = a->guard < 0 && !a->beyond && a->way->ordinary;
    if (!run->balance.known) return;
    run->balance.begin = run->balance.end;
    lia_energy_balance_note(run, run->w, run->balance.begin);
    lia_trend_step(run);
}

// Is a corner crossed with all contacts open? Contacts hold one way, so that no impulse may pull at
// them: first all others cross, then these close again.
static bool crosses_open(const LiaRunner* run) {
    return run->contacts && (lia_contacts_closed(run) || lia_gaps_touch(run));
}

// The step is gone: what is to be written down of it.
static LiaOutcome take_step(LiaRunner* run, const LiaAttempt* a) {
    run->met.projected += a->fed;
    run->step.h = a->h;
    run->checks.inside.last = fabs(a->h);
    note_energy(run, a);
    run->course.longest = fmax(run->course.longest, fabs(a->h));
    // A slip that vanishes at the end of its step has no direction there. What rounding made of
    // that on the way is less than in the steps before, which count.
    if (!(a->contact && lia_contact_watch_slip_ends(run))) lia_formula_rounding_step(run, a->h);
    if (a->guard >= 0) lia_formula_rounding_corner(run, a->guard, a->h);
    run->course.approaching = a->way->approaches;
    note_residuals(run);
    // A sample at the instant of what happens has the state before it, the end of the run that
    // after it.
    bool happens = a->guard >= 0 || a->contact || a->stop >= 0;
    bool last = a->to_end && run->halt == run->out->t1, arrived = last && !happens;
    bool waits = last && happens && !(a->stop >= 0 && run->model->events[a->stop].stop);
    double near = happens ? run->direction * lia_step_end_at_once(run, a->h) : 0.0;
    if (a->guard < 0 && !a->beyond && a->way->ordinary) lia_sample_forces_begin(run, a->size);
    bool kept = !run->options->keep_steps || lia_dense_output_add(run, a->h, arrived);
    bool sampled = kept && sample_up_to(run, a->h + (waits ? -near : near), arrived);
    lia_sample_forces_end(run);
    if (!sampled) return LIA_OUTCOME_NO_MEMORY;
    lia_events_record(run, a->h);
    run->out->effort.steps++;
    if (a->stop >= 0 && run->model->events[a->stop].stop) {
        end_at_event(run, &run->model->events[a->stop]);
        return LIA_OUTCOME_ENDED;
    }
    if (run->contacts && lia_laws_any_wrong(run)) return LIA_OUTCOME_ENDED;
    LiaOutcome outcome = arrived ? LIA_OUTCOME_ARRIVED : LIA_OUTCOME_GO_ON;
    if (run->contacts) lia_contact_watch_passed(run);
    bool switches = run->contacts && lia_switches_due(run);  // contacts come after them
    if (a->contact && !switches) outcome = lia_contacts_happen(run);
    if (a->guard >= 0 && crosses_open(run)) outcome = lia_contacts_cross(run);
    bool goes_on = outcome == LIA_OUTCOME_GO_ON || outcome == LIA_OUTCOME_ARRIVED;
    if (run->contacts && goes_on && !lia_switches_happen(run)) {
        outcome = run->out->reason.code ? LIA_OUTCOME_ENDED : LIA_OUTCOME_NO_MEMORY;
    }
    bool ends = outcome == LIA_OUTCOME_ENDED && waits;
    return !ends || sample_up_to(run, a->h, false) ? outcome : LIA_OUTCOME_NO_MEMORY;
}

// The straight rest of a slip that vanishes, of length x, or all but a little of it: a slip that is
// 0 to the bit has no direction for the forces there. False: it does not lead there.
static bool stop_slip(LiaRunner* run, double x, double bend, LiaOutcome* outcome) {
    LiaAttempt a = {.h = x, .guard = -1, .stop = -1, .contact = true, .beyond = true};
    double left = (run->halt - run->w->t) - run->low.t;
    a.way = &lia_configuration_ordinary;
    if (fabs(x) > fabs(left) + lia_step_end_at_once(run, left)) return false;
    x = fabs(x) > fabs(left) ? left : x;
    begin_tries(run, &a);
    lia_taylor_straighten(&run->step, run->system, bend);
    for (int k = 0; k < 2; k++) {
        a.h = k == 0 ? x : x * (1.0 - LIA_SLIP_NOT_NOTHING);
        a.to_end = a.h == left;
        if (try_step(run, &a)) {
            *outcome = take_step(run, &a);
            return true;
        }
        lia_step_state_restore(run);
    }
    return false;
}

LiaOutcome lia_step_make(LiaRunner* run) {
    LiaOutcome outcome;
    double x, bend;
    if (!lia_step_series_begin(run)) return LIA_OUTCOME_ENDED;
    if (lia_watch_asked()) return LIA_OUTCOME_CUT;  // in the middle of the series
    if (run->contacts && lia_laws_any_wrong(run)) return LIA_OUTCOME_ENDED;
    if (run->contacts && lia_slip_end_straight(run, &x, &bend) && stop_slip(run, x, bend, &outcome))
        return outcome;
    if (run->contacts && lia_contact_watch_overdue(run)) return lia_contacts_happen(run);
    if (run->out->reason.code) return LIA_OUTCOME_ENDED;
    double natural = lia_step_series_reach(run);
    if (isnan(natural)) return LIA_OUTCOME_ENDED;
    LiaAttempt a = lia_step_end_choose(run, natural);
    if (a.guard >= 0 && lia_guard_stops(run->w->dynamics->tape->guards[a.guard].rule)) {
        if (!lia_step_sample(run, a.h, false)) return LIA_OUTCOME_NO_MEMORY;
        lia_events_record(run, a.h);
        end_at_guard(run, a.guard, a.h);
        run->out->effort.steps++;
        return LIA_OUTCOME_ENDED;
    }
    if (run->contacts && lia_gaps_astray(run, a.h)) return LIA_OUTCOME_ENDED;
    begin_tries(run, &a);
    for (;; a.tries++) {
        if (lia_watch_asked()) {
            lia_step_state_restore(run);
            return LIA_OUTCOME_CUT;
        }
        if (ends_nowhere(run, &a)) {
            lia_step_state_restore(run);
            lia_step_arrive(run, NULL, NULL);
            if (a.tries > 0 || fabs(a.h) < LIA_STEP_SHRUNK * run->course.longest) {
                lia_verdict_collapse(run, a.h);
            } else {
                lia_verdict_collapse_coarse(run, a.h);
            }
            return LIA_OUTCOME_ENDED;
        }
        bool ends = false, good = try_step(run, &a);
        if (turn_to_singular(run, &a, good)) continue;
        if (good && a.guard >= 0 && !crosses_open(run)) good = lia_step_cross(run, &ends);
        if (ends) return sample_and_end(run, a.h);
        if (good) return take_step(run, &a);
        if (!go_back(run, &a, &outcome)) return outcome;
    }
}
