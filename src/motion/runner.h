// A run at work: what its parts (steps, guards, events, samples, verdicts, report) share.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/watch.h"
#include "expr/tape/enclosure.h"
#include "mechanics/kkt/forward_error.h"
#include "mechanics/start/start.h"
#include "motion/events/impulse.h"
#include "motion/result/trajectory.h"
#include "motion/run/stall.h"
#include "motion/run/taylor.h"
#include <math.h>

typedef enum LiaSingularStep {
    LIA_SINGULAR_STEP_NONE,
    LIA_SINGULAR_STEP_BEFORE,
    LIA_SINGULAR_STEP_OVER
} LiaSingularStep;

// The last state between two steps, as it will be written. Taken often and written seldom: what a signal cuts short is not worth
// keeping, what was before it is.
typedef struct LiaCheckpoint {
    LiaText image;           // the file; empty: none yet
    bool written;            // it stands there
    double next, next_file;  // when to take the next one, and to write it (clock)
    double before;           // seconds spent in runs before this one
    int error;               // errno of the last writing; 0: it went well
} LiaCheckpoint;

// Points inside a step: see inner_residual.c.
typedef struct LiaInnerResidual {
    double *a, *defect, *size, *held;  // by unknown coordinate           (n)
    double *q, *v;                     // the state, by the polynomials   (n)
    double* mu;                        // by row of the system            (rows)
    double *row_q, *row_v;             // sizes of the rows of K0         (nc)
    double most_q, most_v;             // the largest of them
    double *scale_q, *scale_v;         // what is measured by             (n)
    double last;                       // length of the last step
    uint64_t looked;                   // points looked at
} LiaInnerResidual;

typedef struct LiaStiff {
    double rate,
        part;  // in 1/s, of a vibration or a decay, and how much of the motion it is; 0: none
} LiaStiff;

typedef struct LiaNoise LiaNoise;  // noise.c

// What rounding makes of a number along the run: largest error, largest size, when the error was so large.
typedef struct LiaDoubt {
    double error, size, t;
} LiaDoubt;

typedef struct LiaDigits {
    LiaForwardError certainty;
    LiaDoubt *a, *q, *v;          // by coordinate                                         (n)
    LiaDoubt* mu;                 // by row of the system                                  (rows)
    double others;                // of a large system: relative errors of all are at most this
    double distance, left_out_t;  // of the farthest row that was left out, and when
    size_t left_out, same;        // rows of the system: which, and the one it is nearly the same as
    uint64_t looks;
} LiaDigits;

// Controls without a law, which a program sets: control.c.
typedef struct LiaControls {
    LiaSystem* system;  // the run's own: its parameters change
    double* until;      // by control of the model: how long its law is known    (controls)
    uint32_t first;     // of the parameters that are to be exchanged
    double values[LIA_CONTROL_PARAMETERS];  // and what with
    bool changing;                          // the corner that is crossed is a change of such a law
    bool changed;                           // the other values are those in force
} LiaControls;

typedef struct LiaRunner {
    const LiaSystem* system;
    const LiaModel* model;
    const LiaRunOptions* options;
    LiaTrajectory* out;
    LiaDiags* diags;

    const LiaDynamics* dynamics;  // reduced, or full
    LiaWorkspace* w;              // the motion's own state, at the end of the last accepted step
    LiaWorkspace* sampler;        // states between steps
    LiaWorkspace* full;           // every equation a row: for the coupling number
    LiaRelativeDegree* degree;    // operators of higher degree; NULL: none
    int in_vain;                  // how often others were looked for since, and not found
    LiaStep step;
    LiaEnclosure enclosure;  // where formulas are during the step
    bool proved;             // every function in them converges over it: see series_range.c
    LiaInnerResidual inside;
    bool passed;      // the last step was held against the equations inside it and the energy
    LiaNoise* noise;  // what rounding makes of the forces
    LiaDigits digits;
    LiaScales scales;
    double longest;    // longest step so far
    double size_most;  // largest log2 |det K0| met
    double rounding;  // how far projection was seen to move states that no shorter step made better
    LiaStall stall;   // does it come to the end?
    LiaStiff stiff;   // what decides the steps
    bool approaching;             // the last step ended half way before a singular configuration
    double tolerance, direction;  // direction of time: +1 or -1
    LiaControls* controls;        // from outside; NULL: there are none
    double step_tolerance;        // what the last terms of the series are held against
    double span;                  // length of the run; of one without an end, what is long in it
    double halt;  // where a step ends at the latest: the end of the run, or an instant before it

    double *q_low, *v_low, *work_low, t_low;  // compensation of the sums
    double *q_old, *v_old, *work_old;         // the state before the step, to go back to
    int *active_old, nr_old;                  // and its active rows
    double *q_low_old, *v_low_old, *work_low_old, t_low_old;
    size_t jumps_old;             // jumps recorded before the step
    bool* guard_at_root;          // the guard's formula is zero where the step begins
    signed char* guard_crossing;  // it has its root where the step ends: 1, or -1 at the cut -pi
    double* event_end;            // value of each event's formula at the end of the last step
    bool* guard_live;             // not in a branch of `if` that is not taken
    bool final_known;             // the last row was written by a verdict
    bool* shared;                 // the multiplier of a row was not unique at a sample   (rows)
    double* worst;                // largest residual of each constraint over all steps
    double *p_before, *a_before, *q_jump, *v_jump;  // the state at a corner: see corner.c
    LiaImpulse impulse;                             // and what happens there
    double* event_last;                             // time of the last root of each event
    double *q_sample, *v_sample;                    // a sample as the series say it
    size_t undetermined;                            // samples at which K0 is singular
    double undetermined_time;                       // the first of them, and its constraint
    LiaSpan undetermined_span;
    double* sample_values;  // (system->sample_count)
    double* row;            // one row of the table
    double* row_other;      // the same with other multipliers that give the same forces
    bool* row_shared;       // which numbers of the row are not unique
    double kinetic_most, potential_least, potential_most;
    double energy, energy_next;                // where the step begins, and where it ends
    double energy_gap;                         // between it and the works, in the last try
    bool energy_known;                         // the first of the two
    double regularity_least, regularity_time;  // smallest coupling number met, and when
    double projected;                          // energy fed in by projections
    double* momentum_first;                    // of each symmetry; then of the energy
    double* momentum_away;                     // largest distance from the first value
    double* momentum_size;                     // largest size met
    size_t next_sample, sample_total;
    double every;
    double begun;  // clock
    void* block;
    LiaCheckpoint checkpoint;
} LiaRunner;

/// What the rounding of an instant is measured by: seconds, or the length of a shorter run.
static inline double lia_time_size(const LiaRunner* run, double t) {
    return fmin(1.0, run->span) + fabs(t);
}

// begin.c
/// The clock, in seconds.
double lia_begin_clock(void);
/// What the options say, memory, and the start of the motion into run->w. LIA_OK, LIA_MODEL, LIA_MEMORY, LIA_ARGUMENT.
LiaStatus lia_begin_start(LiaRunner* run);
/// From the start to the first step. False, with *status, where there is none: the motion ended before it.
bool lia_begin_motion(LiaRunner* run, LiaStatus* status);
void lia_begin_clear(LiaRunner* run);
/// The tolerance that was asked for, by an option or in the model.
double lia_begin_tolerance(const LiaRunner* run);
/// The longest step that was asked for, by an option or in the model; infinite where nobody did.
double lia_begin_step_most(const LiaRunner* run);

// step.c
typedef enum LiaOutcome {
    LIA_OUTCOME_GO_ON,
    LIA_OUTCOME_ARRIVED,
    LIA_OUTCOME_ENDED,
    LIA_OUTCOME_CUT,  // asked to end in the middle of it: the state is the one it began in, not yet evaluated
    LIA_OUTCOME_NO_MEMORY
} LiaOutcome;
/// From run->w one step further.
LiaOutcome lia_step_make(LiaRunner* run);
/// Is a step of length h more than rounding of the times of the run?
bool lia_step_lasts(const LiaRunner* run, double h);
/// Bring the workspace to the state after the step: projected, accelerations known. False where that fails.
bool lia_step_arrive(LiaRunner* run, double* moved, double* energy);
/// Over a corner where the state is. False where that fails; *ends: the motion ends here.
bool lia_step_cross(LiaRunner* run, bool* ends);
/// Samples that fall into the step. False if memory is out.
bool lia_step_sample(LiaRunner* run, double h, bool to_end);
/// Look at the coupling number in the state of `at`.
void lia_step_watch(LiaRunner* run, const LiaWorkspace* at);

// long_run.c
/// After a step: in a long run the tolerance of the next ones is finer.
void lia_long_run(LiaRunner* run);

// stiff.c
/// Is it something small and fast that decides the steps? At a look of lia_stall_look(), for run->stiff.
void lia_stiff_look(LiaRunner* run);
/// The warning, where it was so at the last look.
void lia_stiff_tell(LiaRunner* run);

// control.c
/// The controls of a run in which a program sets them. False if memory is out.
bool lia_control_create(LiaRunner* run);
void lia_control_destroy(LiaRunner* run);
/// Says so, and gives true, where a control has neither a law nor a value.
bool lia_control_lacks(const LiaRunner* run);
/// To the other law of the control that changes. Twice: back again.
void lia_control_switch(LiaRunner* run);
/// Does the run wait for the next law of a control?
bool lia_control_due(const LiaRunner* run);
/// All laws, for a run that is restored; so many bytes.
void lia_control_keep(LiaRunner* run, LiaKeep* keep);
size_t lia_control_bytes(const LiaRunner* run);
/// The law of a control from now on, between two steps. LIA_ARGUMENT where there is no such control; LIA_MODEL with an error where the
/// motion cannot go on with it: then all is as it was.
LiaStatus lia_control_set(LiaRunner* run, const char* name, const double* coefficients,
                          size_t count, double until);

// choices.c
/// The choices of the system, the lines of its start (the notes of this file are added to them),
/// into the trajectory. False if memory is out.
bool lia_choices_take(LiaRunner* run, LiaStartState* start);

// record.c
bool lia_record_columns(LiaRunner* run);
/// Evaluate the sampler's state (set by the caller) and add a row to the table.
bool lia_record_sample(LiaRunner* run);
/// The columns of the state in workspace w, which has been evaluated, into run->row.
void lia_record_row(LiaRunner* run, LiaWorkspace* w);
/// The last row, from run->row.
void lia_record_final(LiaRunner* run);
/// Positions and velocities of w by their columns, in the trajectory's memory. NULL if that is out.
double* lia_record_state(LiaRunner* run, const LiaWorkspace* w);
/// The state that was reached, into the final row: time, positions, velocities; the rest of the row stays.
void lia_record_reached(LiaRunner* run);
/// The state alone, before anything could be computed: everything else is not a number.
void lia_record_bare(LiaRunner* run);
double lia_record_time(const LiaRunner* run, size_t sample);
/// How many numbers lia_record_state() gives.
size_t lia_record_state_count(const LiaTrajectory* out);
/// Room for so many rows, and for what is not unique in them where that is to be kept. False if memory is out.
bool lia_record_room(LiaTrajectory* out, size_t rows, bool shared);

// guards.c
/// The first root of a guard within the step; -1: none. *x: where.
int lia_guards_first(LiaRunner* run, double h, double* x);
/// How far the polynomials of guards and events can be trusted.
double lia_guards_reach(const LiaRunner* run, double h);
/// Sides at the very start where a guard's formula is zero. True if a side was changed.
bool lia_guards_begin(LiaRunner* run);
/// To the other side of all guards that have their root where the step ends (one of them found by lia_guards_first).
/// Twice: back again.
void lia_guards_flip(LiaRunner* run);
/// A value that leaps may take others along: abs(wrap(t)) goes to its other side where wrap comes back by a turn. They
/// cross as well. load() and residuals() done behind the corner.
void lia_guards_flip_along(LiaRunner* run);
/// After a crossing: does the formula move away on the side taken? False: it is driven back.
bool lia_guards_moves_on(const LiaRunner* run, int g);

// corner.c
/// Go over to the other side of all guards that have their root where the step ends, at the state in run->w. False if the
/// motion cannot go on.
bool lia_corner_cross(LiaRunner* run);
/// After arriving there: do equations ask for another state than the one that impulses lead to? Says so.
bool lia_corner_leapt(LiaRunner* run);

// series_range.c
/// How far, up to h, the series that were just made can be relied upon. `guard`: the one whose root is at h, -1: none.
double lia_series_range(LiaRunner* run, double h, int guard);

// inner_residual.c
/// Do the polynomials of the step satisfy the equations at points inside it, up to h? After arriving at its end.
bool lia_inner_residual_good(LiaRunner* run, double h, double allowed);

// energy_balance.c
/// The energy where a step begins.
void lia_energy_balance_begin(LiaRunner* run);
/// Is the change of the energy along the step that of the works, and of what projection fed in? After arriving.
bool lia_energy_balance_closes(LiaRunner* run, double fed, double allowed);
/// Energies of a state, by which the ledger is measured: that of the start, and those that steps which were taken end in.
void lia_energy_balance_note(LiaRunner* run, const LiaWorkspace* w, double energy);
/// The same of a sample, in a step that passed, where the ledger closes there.
void lia_energy_balance_sample(LiaRunner* run, const LiaWorkspace* w, double energy);

// digits.c
/// Look how well the equations determine motion and forces at the state in w, after accelerate().
void lia_digits_look(LiaRunner* run, LiaWorkspace* w);
/// After the list of constraints: digits of the motion and of each force; warnings where they are few.
void lia_digits_make(LiaRunner* run);

// noise.c
LiaNoise* lia_noise_create(const LiaRunner* run);
void lia_noise_destroy(LiaNoise* noise);
/// Sizes of what the forces are the sum of, by unknown coordinate, at the state in w with these multipliers (rows).
const double* lia_noise_sizes(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w,
                              const double* mu);
/// What rounding makes of them.
const double* lia_noise_forces(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w,
                               const double* mu);
/// The rounding of the energy there.
double lia_noise_energy(LiaNoise* noise, const LiaRunner* run, const LiaWorkspace* w,
                        const double* mu);
/// What is rounding of the terms of a law is nothing for the coordinate that it drives: run->scales.
void lia_noise_scales(LiaNoise* noise, LiaRunner* run);

// degree_change.c
/// A workspace in the state of run->w that looks as far ahead as may be needed. NULL if memory is out.
LiaWorkspace* lia_degree_change_look(const LiaRunner* run);
/// Derivatives that decide the forces where those that were taken so far do not, at the state in run->w. NULL: none do, or the state
/// satisfies other equations there.
LiaRelativeDegree* lia_degree_change_find(LiaRunner* run);
/// Have these decide the forces from now on: they become the run's. False if memory is out; the run has what it had then.
bool lia_degree_change_take(LiaRunner* run, LiaRelativeDegree* degree);
/// The same where the state in run->w satisfies all that is hidden in them; else, or if there are none (NULL), false. All pointers
/// to the workspaces of the run are void then.
bool lia_degree_change_renew(LiaRunner* run, LiaRelativeDegree* degree);

// jumps.c
/// One more jump, of which nothing is said yet. NULL if memory is out.
LiaJump* lia_jumps_add(LiaTrajectory* out);
/// The impulse of a constraint, without its numbers.
LiaJumpImpulse lia_jumps_impulse(const LiaConstraint* constraint);
/// Record a jump of velocities at the time of run->w: the states before and after by their columns, the impulse of each
/// row of the system, and the work of each constraint. False if memory is out.
bool lia_jumps_record(LiaRunner* run, const double* before, const double* after,
                      const double* impulse, const double* work, bool unique);

// singular_step.c
/// Are there positions within the step, or just behind it, where equations lose their rank? *h: a better step then,
/// one that ends before them or one that leads over them; *before: one that ends before them.
LiaSingularStep lia_singular_step_find(const LiaRunner* run, double natural, double* h,
                                       double* before);

// singular_start.c
typedef enum LiaSingularStartWhy {
    LIA_SINGULAR_START_VELOCITY,
    LIA_SINGULAR_START_REST,
    LIA_SINGULAR_START_COLLAPSE,
    LIA_SINGULAR_START_LOST
} LiaSingularStartWhy;
typedef enum LiaSingularStart {
    LIA_SINGULAR_START_NOT,
    LIA_SINGULAR_START_PASSED,
    LIA_SINGULAR_START_ENDED
} LiaSingularStart;
/// Where the start in run->w is a position in which equations lose their rank for an instant: go a short time on along
/// the motion that has its velocity (run->step leads back to the start then), or say what goes on.
LiaSingularStart lia_singular_start_begin(LiaRunner* run);
/// Say which motions go on, if the state in run->w is such a position: true. Rows smaller than `cut` are none.
bool lia_singular_start_verdict(LiaRunner* run, double cut, LiaSingularStartWhy why);

// events.c
/// One more event, of which nothing is said yet. NULL if memory is out.
LiaEventRecord* lia_events_add(LiaTrajectory* out);
/// Record the events of the accepted step; a stop shortens it first: see lia_events_stop().
void lia_events_record(LiaRunner* run, double h);
/// Where events are within the step, into x: at most so many.
int lia_events_within(const LiaRunner* run, double h, double* x, int most);
/// Where a stopping event ends the step: -1 if none.
int lia_events_stop(const LiaRunner* run, double h, double* x);

// verdict.c: why a motion ended early
void lia_verdict(LiaRunner* run, LiaStatus status, const char* code, LiaSpan span, double t,
                 const char* format, ...) __attribute__((format(printf, 6, 7)));
/// What to write instead, for the verdict given last.
void lia_verdict_help(LiaRunner* run, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
/// Where a formula stands: " in 'NAME'", " in the potential", ...; its place in the model text.
void lia_verdict_place(const LiaRunner* run, LiaExpr node, LiaText* text, LiaSpan* span);
void lia_verdict_guard(LiaRunner* run, int g, double t);
void lia_verdict_chatter(LiaRunner* run, int g);
/// A contact leaves its shape.
void lia_verdict_end(LiaRunner* run, const LiaEvent* end);
void lia_verdict_not_finite(LiaRunner* run);
/// A formula as written has no value at the state of the motion; false: all have one.
bool lia_verdict_domain(LiaRunner* run);

// verdict_singular.c: equations that K0 is singular by
void lia_verdict_singular(LiaRunner* run, LiaWorkspace* w);
void lia_verdict_singular_contradiction(LiaRunner* run, LiaWorkspace* w);

// verdict_force.c: forces that are not decided
/// All operators that act through other forces: "'a', 'b'".
void lia_verdict_force_names(const LiaRunner* run, LiaText* names);
/// Equations follow from others, but with forces of their own: these have the rank `rank`.
void lia_verdict_force_undecided(LiaRunner* run, int rank);
/// Operators have fewer independent forces than equations.
void lia_verdict_force_fewer(LiaRunner* run, int equations, int forces);
/// Constraints answer their forces, so that these move less than is asked for.
void lia_verdict_force_held(LiaRunner* run, int equations, int forces);
/// All derivatives of the operators' equations leave forces open.
void lia_verdict_force_open(LiaRunner* run, int derivative);
/// No derivative of row c contains its force.
void lia_verdict_force_never(LiaRunner* run, int c);
/// The force of an operator that acts through springs appears in a lower derivative than it did.
void lia_verdict_force_early(LiaRunner* run);
/// What such an operator acts through loses its hold, for steps that become as short as h.
void lia_verdict_force_lost(LiaRunner* run, double h);

// verdict_jump.c: corners after which the motion cannot go on
/// The energy leaps where the formula `node` changes.
void lia_verdict_jump_wall(LiaRunner* run, LiaExpr node, double leap);
/// A row asks for a position that leaps.
void lia_verdict_jump_leap(LiaRunner* run, uint32_t row, double leap);
/// A derivative of an operator's equation jumps that no impulse changes; c: a row of run->impulse.w.
void lia_verdict_jump_unreached(LiaRunner* run, int c, int derivative);
/// The state jumps, and forces are decided by several derivatives together.
void lia_verdict_jump_together(LiaRunner* run);
/// No velocities have the momenta that go on.
void lia_verdict_jump_no_velocities(LiaRunner* run);

// verdict_collapse.c: steps that become too short
void lia_verdict_collapse(LiaRunner* run, double h);
/// Steps are ever shorter, and the end is out of reach.
void lia_verdict_collapse_stall(LiaRunner* run);
/// They are as long as ever, and it is.
void lia_verdict_collapse_far(LiaRunner* run);
/// The motion asks for steps that are too short for the time, from the beginning.
void lia_verdict_collapse_coarse(LiaRunner* run, double h);

// advice.c: which statement of the model is the cause
/// A formula of the time alone has a pole here, for steps that become as short as h.
bool lia_advice_pole(LiaRunner* run, double h);
/// What an operator asks for grows without bound.
bool lia_advice_law(LiaRunner* run, double h);
/// The form that a force was given along vanishes here.
bool lia_advice_form(LiaRunner* run);
/// Advice where equations contradict each other: operators that prescribe the same thing.
void lia_advice_twice(LiaRunner* run);
/// Advice where a formula is driven back from both sides.
void lia_advice_stick(LiaRunner* run, LiaExpr formula);

// friction_check.c
/// Warnings of friction that drives and of kinetic energy below zero, from the samples.
void lia_friction_check_motion(LiaRunner* run);

// trend.c
/// By how much a column of the table, less all works for the ledger, grows in a second: 0 where the second half of the run adds no
/// more than `least`, or no more than rounding makes it wander.
double lia_trend(const LiaTrajectory* out, size_t column, bool ledger, double least);

// report.c
bool lia_report_make(LiaRunner* run);

// rounding.c
/// After the ledger: which numbers at the end are rounding. False if memory is out.
bool lia_rounding_make(LiaRunner* run);
/// The residuals of all rows at the state in w, after residuals() and factor(), into w->projection.miss: as parts of what the sizes of
/// positions and velocities met in this run make of the row. They mean the same in any unit. Returns the largest.
double lia_report_misses(const LiaRunner* run, LiaWorkspace* w);
/// Size of row c of J: sum |J_k| size_k, by coordinate.
double lia_report_row_size(const LiaWorkspace* w, int c, const double* size);
