// A run at work: what its parts (steps, guards, events, samples, verdicts, report) share.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/watch.h"
#include "expr/tape/enclosure.h"
#include "mechanics/start/start.h"
#include "motion/check/digits.h"
#include "motion/check/inner_residual.h"
#include "motion/check/noise.h"
#include "motion/events/impulse.h"
#include "motion/result/trajectory.h"
#include "motion/run/control.h"
#include "motion/run/stall.h"
#include "motion/run/stiff.h"
#include "motion/run/taylor.h"
#include <math.h>

// The last state between two steps, as it will be written. Taken often and written seldom: what a signal cuts short is not worth
// keeping, what was before it is.
typedef struct LiaCheckpoint {
    LiaText image;           // the file; empty: none yet
    bool written;            // it stands there
    double next, next_file;  // when to take the next one, and to write it (clock)
    double before;           // seconds spent in runs before this one
    int error;               // errno of the last writing; 0: it went well
} LiaCheckpoint;

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
