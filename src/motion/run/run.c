// A run: made, gone step by step, asked where it is, finished. What happens before its first step:
// begin.c; in one: step.c.
// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "base/memory/call.h"
#include "motion/check/digits.h"
#include "motion/checkpoint/checkpoint.h"
#include "motion/result/record.h"
#include "motion/result/report.h"
#include "motion/result/state.h"
#include "motion/run/begin.h"
#include "motion/run/control.h"
#include "motion/run/long_run.h"
#include "motion/run/step.h"
#include "motion/run/stiff.h"
#include "motion/runner.h"
#include "motion/verdict/verdict.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct LiaRun {
    LiaRunner runner;
    LiaRunOptions options;
    double until;        // of the options
    LiaTrajectory* out;  // NULL: handed over
    LiaStatus status;    // LIA_OK: it goes on; LIA_DONE, LIA_STOPPED, LIA_FAILED; LIA_MEMORY: lost
    LiaOutcome outcome;  // of the last step
    bool begun;          // a first step can be made, or nothing is left to run
    bool stepped;        // a step was made: it can be looked into
    double now;          // where the caller is: in the last step, or at its end
    size_t event_next;   // which was not given yet
    double told;         // when progress was reported (clock)
};
static_assert(offsetof(LiaRun, runner) == 0, "tests look inside: tests/support/runner.h");

// --- steps -------------------------------------------------------------------------------------

static void tell_progress(LiaRunner* run, double* last) {
    if (!run->options->progress) return;
    double time = lia_clock_seconds();
    if (time - *last < 0.1) return;
    *last = time;
    double residual = lia_report_misses(run, run->w);
    LiaProgress progress = {.t = run->w->t,
                            .t0 = run->out->t0,
                            .t1 = run->out->t1,
                            .steps = run->out->effort.steps,
                            .step = run->step.h,
                            .seconds = time - run->course.begun,
                            .residual = residual,
                            .stiff = run->course.stiff.rate,
                            .rate = lia_stiff_rate(run)};
    run->options->progress(run->options->context, &progress);
}

// Asked to end, by a signal or because the budget is spent: the run stops in the last state that
// was reached. What a step that was cut short seemed to run into is nothing that happened.
static bool ends_early(LiaRunner* run, LiaOutcome outcome) {
    static const struct {
        const char *code, *words;
    } why[] = {[LIA_SPENT_INTERRUPT] = {"interrupt", "interrupted"},
               [LIA_SPENT_TIME] = {"time", "its budget of time was spent"},
               [LIA_SPENT_MEMORY] = {"memory", "its budget of memory was spent"}};
    LiaTrajectory* out = run->out;
    bool stopped = outcome == LIA_OUTCOME_ENDED && out->status == LIA_STOPPED;
    bool done = outcome == LIA_OUTCOME_ARRIVED && run->samples.next >= run->samples.total;
    if (!lia_watch_asked() || stopped || done) return false;
    LiaSpent spent = lia_budget_spent();
    out->status = LIA_OK;
    out->reason = (LiaReason){0};
    run->samples.final_known = false;
    lia_watch_enter(LIA_WATCH_FINISH);
    lia_checkpoint_end(run, false, false);
    lia_verdict_stopped(run, why[spent].code, (LiaSpan){0, 0}, run->w->t, "%s at t = %.10g",
                        why[spent].words, run->w->t);
    return true;
}

// Its steps are spent: said once, also by a run that goes on from where they were.
static bool steps_spent(LiaRunner* run) {
    uint64_t most = run->options->steps_most, steps = run->out->effort.steps;
    if (!most || steps < most) return false;
    lia_checkpoint_end(run, true, false);
    lia_verdict_stopped(run, "steps", (LiaSpan){0, 0}, run->w->t,
                        "its budget of %llu steps was spent at t = %.10g",
                        (unsigned long long)steps, run->w->t);
    return true;
}

// Does it come to its end? False with a verdict where it does not.
static bool keeps_pace(LiaRunner* run) {
    const LiaTrajectory* out = run->out;
    double t = run->w->t, left = isinf(out->t1) ? run->span : out->t1 - t;
    uint64_t look = run->course.stall.next;
    LiaStallVerdict verdict =
        lia_stall_look(&run->course.stall, out->effort.steps + out->effort.rejected, t, left);
    if (look && run->course.stall.next != look) lia_stiff_look(run);
    if (verdict == LIA_STALL_FAR) lia_verdict_collapse_far(run);
    if (verdict == LIA_STALL_BEFORE_END) lia_verdict_collapse(run, run->step.h);
    if (verdict == LIA_STALL_NEVER) lia_verdict_collapse_stall(run);
    return verdict == LIA_STALL_NONE;
}

// One step. False if it was the last.
static bool go(LiaRun* r) {
    LiaRunner* run = &r->runner;
    if (steps_spent(run)) return false;
    r->outcome = lia_control_sample(run) ? lia_step_make(run)
                 : run->out->reason.code ? LIA_OUTCOME_ENDED
                                         : LIA_OUTCOME_NO_MEMORY;
    tell_progress(run, &r->told);
    if (ends_early(run, r->outcome)) return false;
    if (r->outcome == LIA_OUTCOME_ARRIVED) lia_checkpoint_end(run, true, true);
    if (r->outcome != LIA_OUTCOME_GO_ON) return false;
    lia_long_run(run);
    if (!keeps_pace(run)) return false;
    lia_checkpoint_pass(run);
    return true;
}

// The same, and how the run stands then.
static void step(LiaRun* r) {
    LiaRunner* run = &r->runner;
    if (r->status != LIA_OK) return;
    lia_watch_enter(LIA_WATCH_KEEP);
    if (!go(r)) r->status = run->out->status == LIA_OK ? LIA_DONE : run->out->status;
    r->stepped = r->stepped || run->out->effort.steps > 0;
    bool lost = r->outcome == LIA_OUTCOME_NO_MEMORY && lia_budget_spent() != LIA_SPENT_MEMORY;
    if (lost) r->status = LIA_MEMORY;
    r->now = run->w->t;
    lia_watch_enter(LIA_WATCH_FINISH);
}

// --- beginning and ending ----------------------------------------------------------------------

// From the start to where a first step can be made, or to the verdict that there is none.
static LiaStatus begin(LiaRun* r) {
    LiaRunner* run = &r->runner;
    const LiaTrajectory* out = run->out;
    LiaStatus status = LIA_OK;
    bool arrived = false;
    lia_record_bare(run);  // what is known if the run cannot even begin
    if (out->reason.code) return LIA_OK;
    if (run->options->resume) {
        if (!lia_checkpoint_resume(run, &arrived)) return LIA_MODEL;
    } else {
        if (!lia_begin_motion(run, &status)) return status;
    }
    if (lia_watch_asked()) return LIA_STOPPED;
    arrived = arrived || out->t1 == out->t0;
    if (!lia_checkpoint_begin(run, arrived)) return run->checkpoint.error ? LIA_FILE : LIA_MEMORY;
    r->begun = true;
    r->outcome = arrived ? LIA_OUTCOME_ARRIVED : LIA_OUTCOME_GO_ON;
    return LIA_OK;
}

static LiaStatus begin_all(LiaRun* r) {
    LiaRunner* run = &r->runner;
    LiaStatus status = lia_begin_start(run);
    if (status == LIA_OK) status = begin(r);
    if (status == LIA_OK && !r->begun && lia_watch_asked()) status = LIA_STOPPED;
    if (status != LIA_OK) return status;
    bool goes_on = r->begun && r->outcome == LIA_OUTCOME_GO_ON;
    r->status = goes_on ? LIA_OK : run->out->status == LIA_OK ? LIA_DONE : run->out->status;
    r->told = run->course.begun;
    r->now = run->w->t;
    return LIA_OK;
}

static void release(LiaRun* r) {
    lia_begin_clear(&r->runner);
    lia_control_destroy(&r->runner);
    lia_trajectory_destroy(r->out);
    free(r);
}

// At its start, `outside`: a program sets its controls. What it had taken is given back where there
// is none.
static LiaStatus create(const LiaSystem* system, const LiaRunOptions* options, bool outside,
                        LiaDiags* diags, LiaRun** out) {
    LiaRun* r = lia_memory_zeros(1, sizeof *r);
    LiaTrajectory* trajectory = lia_memory_zeros(1, sizeof *trajectory);
    if (!r || !trajectory) {
        free(r);
        free(trajectory);
        return LIA_MEMORY;
    }
    if (options) r->options = *options;
    if (r->options.until) {
        r->until = *r->options.until;
        r->options.until = &r->until;
    }
    r->out = trajectory;
    trajectory->arena = lia_arena_create();
    trajectory->system = system;
    trajectory->model = system->model;
    trajectory->status = LIA_OK;
    r->runner = (LiaRunner){.system = system,
                            .model = system->model,
                            .options = &r->options,
                            .out = trajectory,
                            .diags = diags};
    lia_output_file_spare(&trajectory->reads, system->model->text.file);
    if (r->options.from) lia_output_file_spare(&trajectory->reads, r->options.from->file);
    outside = outside && lia_control_has(system->model, false);
    bool controls = outside || lia_control_has(system->model, true);
    LiaStatus status = trajectory->arena ? LIA_OK : LIA_MEMORY;
    if (controls && status == LIA_OK && !lia_control_create(&r->runner, outside))
        status = LIA_MEMORY;
    if (status == LIA_OK) status = begin_all(r);
    if (status == LIA_OK) {
        *out = r;
    } else {
        release(r);
    }
    return status;
}

// A run whose program ends it before it is over: as one without an end, or as one that was stopped.
static void end_here(LiaRun* r) {
    LiaRunner* run = &r->runner;
    LiaTrajectory* out = run->out;
    double t = run->w->t;
    if (isinf(out->t1)) {
        out->t1 = t;
    } else {
        lia_verdict_stopped(run, "program", (LiaSpan){0, 0}, t, "its program ended it at t = %.10g",
                            t);
    }
}

// The last row, and the report.
static LiaStatus finish(LiaRun* r) {
    LiaRunner* run = &r->runner;
    LiaTrajectory* out = run->out;
    if (r->status == LIA_MEMORY) return LIA_MEMORY;
    if (r->status == LIA_OK) end_here(r);
    if (isinf(out->t1)) out->t1 = run->w->t;  // it was to have no end
    bool cut = r->outcome == LIA_OUTCOME_CUT || r->outcome == LIA_OUTCOME_NO_MEMORY;
    if (r->begun && cut) lia_step_arrive(run, NULL, NULL);
    if (r->begun && !run->samples.final_known) {
        lia_record_last(run);
        lia_record_final(run);
        lia_digits_look(run, run->w);
    }
    if (r->begun) {
        if (out->rows.count == 1 && out->t1 == out->t0) run->samples.next = run->samples.total;
        out->t = run->w->t;
    }
    out->effort.longest = run->course.longest;
    out->effort.seconds = run->checkpoint.before + lia_clock_seconds() - run->course.begun;
    if (run->w->n <= 200 && !run->samples.final_known) lia_step_watch(run, run->w);
    return lia_report_make(run) ? LIA_OK : LIA_MEMORY;
}

// The trajectory of a run that is finished: it belongs to the caller.
static LiaStatus hand_over(LiaRun* r, LiaTrajectory** out) {
    LiaStatus status = finish(r);
    if (status != LIA_OK) return status;
    *out = r->out;
    r->out = NULL;
    return (*out)->status;
}

static LiaStatus run_motion(const LiaSystem* system, const LiaRunOptions* options, LiaDiags* diags,
                            LiaTrajectory** out) {
    LiaRun* r = NULL;
    LiaStatus status = create(system, options, false, diags, &r);
    if (status != LIA_OK) return status;
    while (r->status == LIA_OK) step(r);
    lia_watch_enter(LIA_WATCH_FINISH);
    status = hand_over(r, out);
    release(r);
    return status;
}

LiaStatus lia_motion_run(const LiaSystem* system, const LiaRunOptions* options, LiaDiags* diags,
                         LiaTrajectory** out) {
    if (out) *out = NULL;
    if (!system || !diags || !out || !lia_begin_options_good(options)) return LIA_ARGUMENT;
    assert(lia_system_invariants_hold(system));
    LiaCall call = lia_call_begin_work(diags);
    const volatile int* also = lia_watch_also(options ? options->interrupt : NULL);
    LiaStatus status = run_motion(system, options, diags, out);
    bool reached = *out && !lia_memory_failed(call.memory);
    LiaStatus ended = LIA_OK;
    if (reached) {
        // Numbers of a checkpoint are what its file says: made-up ones keep to nothing.
        assert((options && options->resume) || lia_trajectory_invariants_hold(*out));
        lia_watch_enter(call.before);
    } else {
        ended = lia_call_end(&call);
        lia_trajectory_destroy(*out);
        *out = NULL;
    }
    lia_watch_also(also);
    return ended == LIA_OK ? status : ended;
}

// --- the object --------------------------------------------------------------------------------

LiaStatus lia_run_create(const LiaSystem* system, const LiaRunOptions* options, LiaDiags* diags,
                         LiaRun** out) {
    if (out) *out = NULL;
    LiaRunOptions finite = options ? *options : (LiaRunOptions){0};
    if (finite.until && isinf(*finite.until)) finite.until = NULL;  // a run may be without an end
    if (!system || !diags || !out || !lia_begin_options_good(&finite)) return LIA_ARGUMENT;
    bool files = finite.checkpoint || finite.resume;  // which know nothing of what a program sets
    if (files && lia_control_has(system->model, false)) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin_work(diags);
    const volatile int* also = lia_watch_also(options ? options->interrupt : NULL);
    LiaStatus status = create(system, options, true, diags, out);
    LiaStatus ended = lia_call_end(&call);
    lia_watch_also(also);
    if (ended == LIA_OK) return status;
    lia_run_destroy(*out);
    *out = NULL;
    return ended;
}

void lia_run_destroy(LiaRun* run) {
    if (run) release(run);
}

// Steps until t, or `one` of them.
static LiaStatus go_on(LiaRun* r, double t, bool one) {
    LiaCall call = lia_call_begin(r->runner.diags);
    const volatile int* also = lia_watch_also(r->options.interrupt);
    double direction = r->runner.direction;
    while (r->status == LIA_OK && (one || direction * (t - r->runner.w->t) > 0.0)) {
        if (lia_control_due(&r->runner)) break;
        step(r);
        if (one || lia_memory_failed(call.memory)) break;
    }
    if (lia_call_end(&call) != LIA_OK) r->status = LIA_MEMORY;
    lia_watch_also(also);
    bool far = one ? r->runner.w->t != t : direction * (t - r->runner.w->t) <= 0.0;
    return r->status == LIA_OK && !far && lia_control_due(&r->runner) ? LIA_CONTROL : r->status;
}

LiaStatus lia_run_step(LiaRun* run) {
    if (!run || !run->out) return LIA_ARGUMENT;
    double end = run->runner.w->t;
    if (run->now == end || run->status == LIA_MEMORY) return go_on(run, end, true);
    run->now = end;  // the caller was in the middle of the last one
    return run->status;
}

LiaStatus lia_run_advance(LiaRun* run, double t) {
    if (!run || !run->out || !isfinite(t)) return LIA_ARGUMENT;
    if (run->runner.direction * (t - run->now) < 0.0) return LIA_ARGUMENT;
    LiaStatus status = go_on(run, t, false);
    if (status == LIA_MEMORY) return status;
    double end = run->runner.w->t;
    bool within = run->runner.direction * (end - t) >= 0.0;
    run->now = within ? t : end;
    return within && t != end ? LIA_OK : status;
}

LiaStatus lia_run_control(LiaRun* run, const char* name, const double* coefficients, size_t count,
                          double until) {
    if (!run || !run->out || !name || !coefficients || !run->runner.controls) return LIA_ARGUMENT;
    if (count == 0 || count > LIA_CONTROL_TERMS || isnan(until)) return LIA_ARGUMENT;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(coefficients[i])) return LIA_ARGUMENT;
    }
    double t = run->runner.w->t;
    bool later = run->runner.direction * (until - t) > 0.0;
    if (run->status != LIA_OK || run->now != t || !later) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin(run->runner.diags);
    LiaStatus status = lia_control_set(&run->runner, name, coefficients, count, until);
    if (lia_call_end(&call) == LIA_OK) return status;
    run->status = LIA_MEMORY;
    return LIA_MEMORY;
}

// --- where it is -------------------------------------------------------------------------------

size_t lia_run_size(const LiaRun* run) { return run ? run->runner.system->n : 0; }

double lia_run_time(const LiaRun* run) { return run ? run->now : NAN; }

LiaStatus lia_run_state_at(const LiaRun* run, double t, double* q, double* v) {
    if (!run || !isfinite(t)) return LIA_ARGUMENT;
    const LiaWorkspace* w = run->runner.w;
    const LiaStep* last = &run->runner.step;
    size_t n = run->runner.system->n;
    double direction = run->runner.direction;
    bool before = !run->stepped || direction * (t - last->t) < 0.0;
    if (t != w->t && (before || direction * (t - w->t) > 0.0)) return LIA_ARGUMENT;
    for (uint32_t i = 0; i < n; i++) {
        double x = t - last->t;
        const double* of_q = lia_step_series(last, last->q, i);
        const double* of_v = lia_step_series(last, last->v, i);
        if (q) q[i] = t == w->t ? w->q[i] : lia_step_value(of_q, last->order + 1, x);
        if (v) v[i] = t == w->t ? w->v[i] : lia_step_value(of_v, last->order, x);
    }
    return LIA_OK;
}

LiaStatus lia_run_state(const LiaRun* run, double* q, double* v) {
    return run ? lia_run_state_at(run, run->now, q, v) : LIA_ARGUMENT;
}

bool lia_run_event(LiaRun* run, LiaRunEvent* event) {
    if (!run || !run->out || !event || run->event_next >= run->out->events.count) return false;
    const LiaEventRecord* record = &run->out->events.list[run->event_next];
    if (run->runner.direction * (record->t - run->now) > 0.0) return false;
    const LiaModel* m = run->runner.model;
    size_t index = 0;
    while (!record->kind && m->events[index].name != record->name) index++;
    if (record->kind) index = SIZE_MAX;
    *event = (LiaRunEvent){.name = record->name,
                           .index = index,
                           .t = record->t,
                           .direction = record->direction,
                           .stop = record->stop,
                           .kind = (uint8_t)record->kind,
                           .impulse = record->impulse,
                           .impulse_count = record->impulse_count,
                           .energy = record->energy};
    run->event_next++;
    return true;
}

LiaStatus lia_run_trajectory(LiaRun* run, LiaTrajectory** out) {
    if (out) *out = NULL;
    if (!run || !run->out || !out) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin(run->runner.diags);
    const volatile int* also = lia_watch_also(run->options.interrupt);
    lia_watch_enter(LIA_WATCH_FINISH);
    LiaStatus status = hand_over(run, out), ended = lia_call_end(&call);
    lia_watch_also(also);
    if (ended == LIA_OK && status != LIA_MEMORY) return status;
    run->status = LIA_MEMORY;
    lia_trajectory_destroy(*out);
    *out = NULL;
    return LIA_MEMORY;
}

// --- saving and restoring ----------------------------------------------------------------------

// What the caller has seen of it; then what a checkpoint has.
static void keep_view(LiaRun* r, LiaKeep* keep) {
    lia_keep_double(keep, &r->now);
    lia_keep_sizes(keep, &r->event_next, 1, SIZE_MAX);
    lia_keep_bool(keep, &r->stepped);
}

LiaStatus lia_run_save(LiaRun* run, char** bytes, size_t* length) {
    if (bytes) *bytes = NULL;
    if (length) *length = 0;
    if (!run || !run->out || !bytes || !length) return LIA_ARGUMENT;
    if (run->status != LIA_OK && run->status != LIA_DONE) return LIA_ARGUMENT;
    if (!run->begun) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin(NULL);
    LiaText text = {0};
    LiaKeep keep = {.out = &text};
    keep_view(run, &keep);
    if (lia_control_bytes(&run->runner)) lia_control_keep(&run->runner, &keep);
    lia_checkpoint_image(&run->runner, &text, run->status == LIA_DONE);
    bool failed = lia_call_failed(&call) || text.failed;
    if (failed) lia_text_clear(&text);
    *bytes = text.data;
    *length = text.length;
    return failed ? LIA_MEMORY : LIA_OK;
}

LiaStatus lia_run_restore(LiaRun* run, const char* bytes, size_t length) {
    if (!run || !run->out || !bytes) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin(NULL);
    LiaRun seen = {0};
    LiaKeep keep = {.at = bytes, .left = length};
    bool arrived = false;
    keep_view(&seen, &keep);
    LiaKeep controls = keep;
    size_t control_bytes = lia_control_bytes(&run->runner);
    if (keep.left < control_bytes) return LIA_ARGUMENT;
    keep.at += control_bytes;
    keep.left -= control_bytes;
    if (!lia_keep_good(&keep) || !lia_checkpoint_is_image(&run->runner, keep.at, keep.left)) {
        return LIA_ARGUMENT;
    }
    bool good = lia_checkpoint_restore(&run->runner, keep.at, keep.left, &arrived);
    if (control_bytes) lia_control_keep(&run->runner, &controls);
    run->runner.course.begun = lia_clock_seconds();
    run->out->status = LIA_OK;
    run->out->reason = (LiaReason){0};
    run->begun = true;
    run->outcome = arrived ? LIA_OUTCOME_ARRIVED : LIA_OUTCOME_GO_ON;
    run->status = arrived ? LIA_DONE : LIA_OK;
    run->now = seen.now;
    run->event_next = seen.event_next;
    run->stepped = seen.stepped;
    if (good && !lia_call_failed(&call)) return LIA_OK;
    run->status = LIA_MEMORY;  // half of it is there
    return LIA_MEMORY;
}
