// How a run begins: what its options say, the memory it needs, the start, and the way to the first
// step.
// SPDX-License-Identifier: MIT
#include "motion/run/begin.h"
#include "base/clock.h"
#include "base/memory/call.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/stage.h"
#include "motion/check/digits.h"
#include "motion/check/noise.h"
#include "motion/checkpoint/checkpoint.h"
#include "motion/contact/contact_run.h"
#include "motion/events/guards.h"
#include "motion/result/record.h"
#include "motion/result/state.h"
#include "motion/run/choices.h"
#include "motion/run/control.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include "motion/singular/degree_change.h"
#include "motion/singular/singular_start.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIA_SAMPLES_MOST = 20 * 1000 * 1000 };  // rows of a table

// --- making and releasing ----------------------------------------------------------------------
// Numbers of the block that do not depend on the mode of contacts; they stand first in it.
size_t lia_begin_carried(const LiaRunner* run) {
    const LiaSystem* s = run->system;
    const LiaModel* m = run->model;
    size_t n = s->n, lines = s->line_count, doubts = 3 * n + s->row_count;
    size_t symmetries = m->symmetries_count + 1, columns = run->out->column_count;
    return m->constraints_count + 36 * n + 3 * s->row_count + 3 * lines + 3 * doubts +
           2 * m->events_count + s->observables.sample_count + columns + 4 * symmetries + 1 +
           lia_trend_doubles(symmetries + 1);
}

// Where everything stands in the block: what depends on the mode of the contacts, from x on.
static void lay_out_mode(LiaRunner* run, double* x) {
    const LiaSystem* s = run->system;
    size_t nc = run->dynamics->nc, guards = run->dynamics->tape->guard_count;
    run->checks.inside.row_q = x, x += nc;
    run->checks.inside.row_v = x, x += nc;
    run->met.row_q = x, x += nc;
    run->met.row_v = x, x += nc;
    run->samples.forces.row_size = x, x += nc;
    run->corner.late.phi = x, x += nc;
    run->corner.late.psi = x, x += nc;
    run->watch.floor = x, x += guards + run->model->events_count;
    run->old.active = (int*)x;
    uint32_t* family = (uint32_t*)(run->old.active + nc);
    run->watch.at_root = (bool*)(family + s->n);
    run->scales.family = family;
    run->watch.crossing = (signed char*)(run->watch.at_root + guards);
    run->watch.live = (bool*)(run->watch.crossing + guards);
    run->samples.shared = run->watch.live + guards;
    run->watch.event_blind = run->samples.shared + s->row_count;
    run->watch.event_fires = run->watch.event_blind + run->model->events_count;
}

void lia_begin_lay_out(LiaRunner* run) {
    const LiaSystem* s = run->system;
    const LiaModel* m = run->model;
    size_t n = s->n, lines = s->line_count;
    size_t symmetries = m->symmetries_count + 1, columns = run->out->column_count;
    double* x = run->block;
    run->low.q = x, x += n;
    run->low.v = x, x += n;
    run->old.q = x, x += n;
    run->old.v = x, x += n;
    run->old.q_low = x, x += n;
    run->old.v_low = x, x += n;
    run->low.work = x, x += lines;
    run->old.work = x, x += lines;
    run->old.work_low = x, x += lines;
    run->met.worst = x, x += m->constraints_count;
    run->corner.p = x, x += n;
    run->corner.a = x, x += n;
    run->corner.q = x, x += n;
    run->corner.v = x, x += n;
    run->corner.off = (LiaStepOff){x, x + n, {x + 2 * n, x + 3 * n, x + 4 * n}}, x += 5 * n;
    run->corner.late.v = x, run->corner.late.p = x + n, x += 2 * n;
    run->samples.q = x, x += n;
    run->scales.own_q = x, x += n;
    run->scales.own_v = x, x += n;
    run->scales.ahead_q = x, x += n;
    run->scales.ahead_v = x, x += n;
    run->scales.noise = x, x += n;
    run->met.rounded.q = x, x += n;
    run->met.rounded.v = x, x += n;
    run->checks.inside.scale_q = x, x += n;
    run->checks.inside.scale_v = x, x += n;
    run->checks.inside.a = x, x += n;
    run->checks.inside.defect = x, x += n;
    run->checks.inside.size = x, x += n;
    run->checks.inside.held = x, x += n;
    run->checks.inside.q = x, x += n;
    run->checks.inside.v = x, x += n;
    run->checks.inside.mu = x, x += s->row_count;
    run->samples.forces.a = x, x += n;
    run->samples.forces.rate = x, x += n;
    run->samples.forces.mu = x, x += s->row_count;
    run->samples.forces.next_a = x, x += n;
    run->samples.forces.next_mu = x, x += s->row_count;
    run->checks.digits.a = (LiaDoubt*)x, x += 3 * n;
    run->checks.digits.q = (LiaDoubt*)x, x += 3 * n;
    run->checks.digits.v = (LiaDoubt*)x, x += 3 * n;
    run->checks.digits.mu = (LiaDoubt*)x, x += 3 * (size_t)s->row_count;
    run->watch.event_last = x, x += m->events_count;
    run->watch.event_end = x, x += m->events_count;
    run->samples.values = x, x += s->observables.sample_count;
    run->samples.row = x, x += columns;
    run->met.momentum_first = x, x += symmetries;
    run->met.momentum_away = x, x += symmetries;
    run->met.momentum_size = x, x += symmetries;
    run->met.kept_now = x, x += symmetries + 1;
    run->met.trend = (LiaTrend*)x, x += lia_trend_doubles(symmetries + 1);
    lay_out_mode(run, x);
}

bool lia_begin_room(LiaRunner* run, const LiaDynamics* dynamics) {
    const LiaSystem* s = run->system;
    const LiaModel* m = run->model;
    int order = run->out->effort.order;
    run->dynamics = dynamics;
    run->w = lia_workspace_create(s, dynamics, order);
    run->sampler = lia_workspace_create(s, dynamics, 1);
    run->full = lia_workspace_create(s, s->full, 1);
    if (!run->w || !run->sampler || !run->full) return false;
    if (!lia_taylor_init(&run->step, s, dynamics, order)) return false;
    if (!lia_enclosure_init(&run->checks.enclosure, &run->w->jets, order)) return false;
    run->checks.noise = lia_noise_create(run);
    if (!run->checks.noise || !lia_forward_error_init(&run->checks.digits.certainty, run->w))
        return false;
    if (!run->out->columns && !lia_record_columns(run)) return false;
    size_t n = s->n, guards = dynamics->tape->guard_count, nc = dynamics->nc;
    size_t symmetries = m->symmetries_count + 1;
    size_t doubles = lia_begin_carried(run) + 7 * nc + guards + m->events_count;
    run->block =
        lia_memory_zeros((doubles + 1) * sizeof(double) + nc * sizeof(int) + n * sizeof(uint32_t) +
                             3 * guards + s->row_count + 2 * m->events_count + 1,
                         1);
    if (!run->block) return false;
    lia_begin_lay_out(run);
    run->samples.forces.error = INFINITY;
    if (!lia_family_find(run->w, (uint32_t*)run->scales.family)) return false;
    for (size_t k = 0; k < symmetries; k++) run->met.momentum_first[k] = NAN;
    for (uint32_t e = 0; e < m->events_count; e++)
        run->watch.event_last[e] = run->watch.event_end[e] = NAN;
    run->scales.span = run->direction * run->span;
    run->met.potential_least = INFINITY, run->met.potential_most = -INFINITY;
    run->course.size_most = -INFINITY;
    run->course.rows_most = run->course.rows_begin = -INFINITY;
    return true;
}

void lia_begin_clear_room(LiaRunner* run) {
    lia_workspace_destroy(run->w);
    lia_workspace_destroy(run->sampler);
    lia_workspace_destroy(run->full);
    lia_relative_degree_destroy(run->degree);
    lia_impulse_clear(&run->corner.impulse);
    lia_taylor_clear(&run->step);
    lia_enclosure_clear(&run->checks.enclosure);
    lia_noise_destroy(run->checks.noise);
    lia_forward_error_clear(&run->checks.digits.certainty);
    run->checks.noise = NULL;
    free(run->block);
}

void lia_begin_clear(LiaRunner* run) {
    lia_modes_destroy(run);
    lia_begin_clear_room(run);
    lia_checkpoint_clear(run);
}

// The same start with every equation a row: the force of an eliminated operator is shared with
// other equations, and who has which part of it is seen only there.
static bool eliminate_nothing(LiaRunner* run) {
    size_t n = (size_t)run->w->n;
    double* kept = lia_memory_take((2 * n + 1) * sizeof *kept);
    bool ok = kept != NULL;
    if (ok) {
        memcpy(kept, run->w->q, n * sizeof *kept);
        memcpy(kept + n, run->w->v, n * sizeof *kept);
        lia_begin_clear_room(run);
        lia_checkpoint_clear(run);
        run->w = run->sampler = run->full = NULL;
        run->degree = NULL;
        run->block = NULL;
        ok = lia_begin_room(run, run->system->plain);
    }
    if (ok) {
        lia_workspace_put(run->w, run->out->t0, kept, kept + n);
    }
    free(kept);
    return ok;
}

// --- options -----------------------------------------------------------------------------------

bool lia_begin_options_good(const LiaRunOptions* o) {
    if (!o) return true;
    bool until = !o->until || isfinite(*o->until);
    bool tolerance = o->tolerance >= 0.0 && isfinite(o->tolerance);
    bool every = o->every >= 0.0 && isfinite(o->every);
    bool step = o->step_most >= 0.0 && isfinite(o->step_most);
    bool part = o->step_part >= 0.0 && o->step_part <= 1.0;
    bool order = o->order == 0 || (o->order >= LIA_ORDER_LEAST && o->order <= LIA_ORDER_MOST);
    bool seconds = o->checkpoint_every >= 0.0 && isfinite(o->checkpoint_every);
    bool known = lia_call_knows(o->more);
    return until && tolerance && every && step && part && order && seconds && known;
}

double lia_begin_tolerance(const LiaRunner* run) {
    double asked =
        run->options->tolerance > 0.0 ? run->options->tolerance : run->model->run.tolerance;
    return asked > 0.0 ? asked : LIA_TOLERANCE_USUAL;
}

double lia_begin_step_most(const LiaRunner* run) {
    double most =
        run->options->step_most > 0.0 ? run->options->step_most : run->model->run.step_most;
    if (!(most > 0.0)) most = INFINITY;
    return isinf(run->out->t1) ? fmin(most, run->span) : most;  // one step is not the whole run
}

// A run without an end: what is long in it. As long as the model's own run, or a second where it
// has none.
static double open_span(const LiaRunStatement* said) {
    double span = said->given ? fabs(said->t1 - said->t0) : 0.0;
    return span > 0.0 && isfinite(span) ? span : 1.0;
}

static void choose_options(LiaRunner* run) {
    LiaTrajectory* out = run->out;
    const LiaRunStatement* said = &run->model->run;
    const LiaRunOptions* o = run->options;
    out->t0 = said->given ? said->t0 : 0.0;
    if (o->from && !isnan(o->from->t)) out->t0 = o->from->t;
    out->interrupt = o->interrupt;
    out->t1 = o->until ? *o->until : said->given ? said->t1 : out->t0;
    run->halt = out->t1;
    run->span = fabs(out->t1 - out->t0);
    if (isinf(out->t1)) run->span = open_span(said);
    run->tolerance = out->effort.tolerance =
        fmin(fmax(lia_begin_tolerance(run), LIA_TOLERANCE_LEAST), LIA_TOLERANCE_MOST);
    run->step_tolerance = lia_step_size_tolerance(run->model, run->tolerance);
    double span = run->span;
    out->effort.order = o->order > 0 ? o->order : lia_step_size_order(run->step_tolerance);
    if (span > 0.0 && out->effort.order > lia_step_size_order_most(span)) {
        out->effort.order = lia_step_size_order_most(span);
    }
    if (out->effort.order < LIA_ORDER_LEAST) out->effort.order = LIA_ORDER_LEAST;
    if (out->effort.order > LIA_ORDER_MOST) out->effort.order = LIA_ORDER_MOST;
    run->direction = out->t1 < out->t0 ? -1.0 : 1.0;
    uint32_t samples = o->samples ? o->samples : o->every > 0.0 ? 0 : said->samples;
    double every = o->every > 0.0 ? o->every : o->samples ? 0.0 : said->every;
    if (isinf(out->t1)) {  // it has rows where the caller asks for them
        run->samples.every = o->every;
        run->samples.total = LIA_SAMPLES_MOST;
    } else if (every > 0.0 && !samples) {
        run->samples.every = every;
        double count = ceil(span / every - LIA_SAMPLE_SLACK);
        run->samples.total = (size_t)fmin(count, LIA_SAMPLES_COUNTED) + 1;
    } else {
        run->samples.total = samples ? samples : 1001;
        if (run->samples.total < 2) run->samples.total = 2;
    }
}

// Can a run be made of steps so short? Times have 16 digits, and 1e12 steps take years.
static bool steps_possible(const LiaRunner* run) {
    const LiaTrajectory* out = run->out;
    double most = lia_begin_step_most(run), span = fabs(out->t1 - out->t0);
    if (span == 0.0 || lia_step_lasts(run, most)) {
        if (span / most <= LIA_STEPS_POSSIBLE) return true;
    }
    lia_diag_error(run->diags, run->model->run.span, "E0304",
                   "steps of at most %.3g are too short for a run from t = %.6g to %.6g", most,
                   out->t0, out->t1);
    lia_diag_help(run->diags, "'step at most' is a time, such as a tenth of what happens fastest");
    return false;
}

static bool enough_room(const LiaRunner* run) {
    if (!lia_control_possible(run)) return false;
    if (isinf(run->out->t1)) return true;
    if (!isfinite(run->out->t1 - run->out->t0)) {
        lia_diag_error(run->diags, run->model->run.span, "E0309",
                       "from t = %.6g to %.6g is longer than any number", run->out->t0,
                       run->out->t1);
        lia_diag_help(run->diags, "end the run earlier; numbers go to 1.8e308");
        return false;
    }
    if (!steps_possible(run)) return false;
    if (run->samples.total <= LIA_SAMPLES_MOST) return true;
    lia_diag_error(run->diags, run->model->run.span, "E0303",
                   "that would be %.3g samples: at most %d", (double)run->samples.total,
                   LIA_SAMPLES_MOST);
    lia_diag_help(run->diags, "write fewer 'samples', or a longer 'every'");
    return false;
}

// --- the start ---------------------------------------------------------------------------------

bool lia_begin_reveal(LiaRunner* run, bool degree) {
    LiaWorkspace* w = run->w;
    lia_workspace_update(w, 1);
    bool regular = lia_workspace_factor(w);
    if (regular && !degree) return true;
    LiaRelativeDegreeLack lack;
    LiaWorkspace* far = lia_degree_change_look(run);
    if (!far) return false;
    LiaRelativeDegree* found = lia_relative_degree_find(far, &lack);
    lia_workspace_destroy(far);
    if (found) return lia_degree_change_take(run, found);
    if (regular)
        return true;  // rows that depend on each other: what is wrong with them will be said
    if (lack.kind == LIA_LACK_FORCE) lia_verdict_force_never(run, lack.row);
    if (lack.kind == LIA_LACK_FORCES) lia_verdict_force_fewer(run, lack.equations, lack.forces);
    if (lack.kind == LIA_LACK_MOTION) lia_verdict_force_held(run, lack.equations, lack.forces);
    if (lack.kind == LIA_LACK_DECISION) lia_verdict_force_open(run, lack.derivative);
    return true;
}

// At a corner at rest series say the side; with hidden equations that may ask for another start.
static bool begins_elsewhere(LiaRunner* run) {
    if (!lia_step_arrive(run, NULL, NULL)) return false;
    lia_stage_series(run->w, run->out->effort.order);
    lia_taylor_take(&run->step, run->w);
    bool elsewhere = lia_guards_settle(run, 0, true) < run->w->dynamics->tape->guard_count;
    if (elsewhere) lia_guards_flip(run);
    return elsewhere;
}

// A motion that starts at a corner at rest may begin on another side: the start once more, from
// there.
static LiaStatus start_elsewhere(LiaRunner* run, LiaStartState* start) {
    LiaWorkspace* w = run->w;
    lia_start_clear(start);
    start->sides = w;
    start->q = w->q;
    start->v = w->v;
    LiaStatus status = lia_start_find(run->system, run->diags, start);
    memcpy(run->sampler->jets.side, w->jets.side, w->dynamics->tape->guard_count);
    if (status == LIA_OK) lia_workspace_take_phi_start(w);
    return status;
}

// The sides of all guards, and the values of phi that are kept, from now on.
static void keep_sides(LiaRunner* run, double ahead) {
    LiaWorkspace* w = run->w;
    lia_workspace_inspect(w, ahead);
    memcpy(run->sampler->jets.side, w->jets.side, w->dynamics->tape->guard_count);
    w->jets.decide = run->sampler->jets.decide = false;
    lia_workspace_take_phi_start(w);
    memcpy(run->sampler->phi_start, w->phi_start, (size_t)w->nc * sizeof(double));
}

static LiaStatus find_start(LiaRunner* run) {
    const LiaTrajectory* out = run->out;
    if (!lia_begin_room(run, run->system->reduced)) return LIA_MEMORY;
    double ahead =
        out->t1 != out->t0 ? LIA_START_AHEAD * run->direction * run->span : LIA_START_AHEAD;
    LiaStartState start = {.t = out->t0, .ahead = ahead, .q = run->w->q, .v = run->w->v};
    run->w->t = out->t0;
    const LiaState* from = run->options->from;
    if (from) lia_state_begin(from, out->t1, &start);
    LiaStatus status = run->controls ? lia_control_start(run, &start)
                                     : lia_start_find(run->system, run->diags, &start);
    if (status == LIA_OK) status = lia_contacts_start(run, &start);
    if (status == LIA_OK && start.shared) {
        lia_text_add(&start.choices, "an operator's force is shared with equations that ask the "
                                     "same: nothing is eliminated\n");
        if (!eliminate_nothing(run)) status = LIA_MEMORY;
    }
    if (status == LIA_OK && !start.singular && !lia_begin_reveal(run, start.degree))
        status = LIA_MEMORY;
    if (status == LIA_OK) keep_sides(run, ahead);
    if (status == LIA_OK && run->degree && begins_elsewhere(run)) {
        status = start_elsewhere(run, &start);
    }
    if (status == LIA_OK && !lia_choices_take(run, &start)) status = LIA_MEMORY;
    lia_start_clear(&start);
    run->met.regularity_least = start.regularity;
    return status;
}

LiaStatus lia_begin_start(LiaRunner* run) {
    double begin = lia_clock_seconds();
    const LiaState* from = run->options->from;
    LiaStatus status = LIA_OK;
    if (from) {
        status = lia_state_check(from, run->model, run->options->until != NULL, run->diags);
    }
    if (status == LIA_OK && lia_control_lacks(run)) status = LIA_MODEL;
    if (status != LIA_OK) return status;
    choose_options(run);
    status = enough_room(run) ? find_start(run) : LIA_MODEL;
    if (status == LIA_OK) status = lia_contacts_start_mode(run);
    run->course.begun = lia_clock_seconds();
    run->out->effort.setup_seconds =
        run->model->seconds + run->system->origin.setup_seconds + (run->course.begun - begin);
    return status;
}

// --- the first step ----------------------------------------------------------------------------

static bool first_sample(LiaRunner* run) {
    LiaWorkspace *w = run->w, *s = run->sampler;
    size_t n = (size_t)w->n * sizeof(double);
    lia_workspace_put(s, w->t, w->q, w->v);
    memcpy(run->step.at, w->q, n);  // as a step would say it
    memcpy(run->step.at + w->n, w->v, n);
    run->samples.next = 1;
    lia_record_find(run, s);
    bool ok = lia_record_sample(run, true);
    run->out->ledger.start = run->samples.values[LIA_SAMPLE_ENERGY];
    return ok;
}

// A start is admissible up to rounding, and so is a state that an earlier run ended in: both are
// kept to the last bit. What nothing moves at the start is where it was said to be.
static bool arrive_at_start(LiaRunner* run) {
    const double rounding = run->options->from ? LIA_START_KEPT_FROM : LIA_START_KEPT;
    LiaWorkspace* w = run->w;
    size_t n = (size_t)w->n * sizeof(double);
    double moved = 0.0;
    memcpy(run->old.q, w->q, n);
    memcpy(run->old.v, w->v, n);
    if (!lia_step_arrive(run, &moved, NULL)) return false;
    if (moved > rounding) return true;
    lia_workspace_put(w, w->t, run->old.q, run->old.v);
    lia_workspace_update(w, w->jets.order);
    if (!lia_workspace_decide(w)) return false;
    lia_stage_accelerate(w);
    return true;
}

bool lia_begin_motion(LiaRunner* run, LiaStatus* status) {
    LiaTrajectory* out = run->out;
    LiaWorkspace* w = run->w;
    *status = LIA_OK;
    if (!arrive_at_start(run)) {
        if (w->contradiction) {
            if (!lia_singular_start_verdict(run, LIA_SINGULAR_CUT_START,
                                            LIA_SINGULAR_START_VELOCITY)) {
                lia_verdict_singular_contradiction(run, w);
            }
        } else if (w->forces.early) {
            lia_verdict_force_early(run);
        } else if (w->saddle.pivot > LIA_SINGULAR_PIVOT) {
            lia_verdict_not_finite(run);
        } else {
            lia_verdict_singular(run, w);
        }
        return false;
    }
    int rank = w->forces.method->open_rank(w);
    if (rank > 0) {
        lia_verdict_force_undecided(run, rank);
        return false;
    }
    *status = LIA_MEMORY;
    if (!first_sample(run)) return false;
    *status = LIA_OK;
    lia_record_final(run);
    if (isnan(run->samples.values[LIA_SAMPLE_ENERGY])) {
        if (lia_verdict_domain(run)) return false;
        lia_verdict(
            run, "E0403", run->model->energies[0].span, w->t,
            "at t = %.10g the energy is not a number: a formula in it is outside its domain", w->t);
        lia_verdict_help(run, "begin elsewhere, or write with 'if' what holds there");
        return false;
    }
    lia_noise_scales(run->checks.noise, run);
    lia_digits_look(run, w);
    if (run->contacts && !lia_contacts_start_strike(run)) return false;
    w = run->w;
    if (w->nr < w->nc && out->t1 != out->t0) {
        LiaSingularStart singular = lia_singular_start_begin(run);
        if (singular == LIA_SINGULAR_START_ENDED) return false;
        if (singular == LIA_SINGULAR_START_PASSED) {
            *status = LIA_MEMORY;
            if (!lia_step_sample(run, 0.0, false)) return false;
            *status = LIA_OK;
            lia_step_arrive(run, NULL, NULL);
        }
    }
    return true;
}
