// A run at work: what its parts (steps, guards, events, samples, verdicts, report) share.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/watch.h"
#include "expr/tape/enclosure.h"
#include "mechanics/start/start.h"
#include "motion/check/digits.h"
#include "motion/check/inner_residual.h"
#include "motion/check/noise.h"
#include "motion/check/trend.h"
#include "motion/events/impulse.h"
#include "motion/events/roots.h"
#include "motion/result/trajectory.h"
#include "motion/run/control.h"
#include "motion/run/stall.h"
#include "motion/run/stiff.h"
#include "motion/run/taylor.h"
#include <math.h>

// The last state between two steps, as it will be written. Taken often and written seldom: what a
// signal cuts short is not worth keeping, what was before it is.
typedef struct LiaCheckpoint {
    LiaText image;           // the file; empty: none yet
    bool written;            // it stands there
    double next, next_file;  // when to take the next one, and to write it (clock)
    double before;           // seconds spent in runs before this one
    int error;               // errno of the last writing; 0: it went well
} LiaCheckpoint;

// What rounding inside formulas may have changed: formula_rounding.c.
typedef struct LiaRounded {
    double *q, *v;   // by coordinate, until the end of the run         (n)
    double most, t;  // the largest change of a velocity at once, and when
} LiaRounded;

// Forces at samples by the polynomials of the step: sample_forces.c.
typedef struct LiaSampleForces {
    // of a polynomial at the end of the step, relative; infinite: they are not to be used
    double error;
    double beyond;     // h^order
    LiaPowers power;   // of the time of the sample
    double* a;         // accelerations there, by unknown coordinate           (n)
    double* rate;      // rates of all velocities there                        (n)
    double* mu;        // multipliers there                                    (rows)
    double* next_a;    // what the polynomials lack at the end of the step     (n)
    double* next_mu;   //                                                      (rows)
    double* row_size;  // of the rows of K0, at the end of the step            (nc)
} LiaSampleForces;

typedef enum LiaOutcome {
    LIA_OUTCOME_GO_ON,
    LIA_OUTCOME_ARRIVED,
    LIA_OUTCOME_ENDED,
    // asked to end in the middle of it: the state is the one it began in, not yet evaluated
    LIA_OUTCOME_CUT,
    LIA_OUTCOME_NO_MEMORY
} LiaOutcome;

typedef struct LiaContacts LiaContacts;  // contact/contacts.h

// By how much the rounding of a corner's instant changes the equations after it: see corner.c.
typedef struct LiaLate {
    double *v, *p;      // velocities of driven coordinates, momenta         (n)
    double *phi, *psi;  // the rows                                          (nc)
    double energy;
} LiaLate;

// What rounding took from sums along the run: compensated summation.
typedef struct LiaLowParts {
    double* q;
    double* v;
    double* work;
    double t;
} LiaLowParts;

// The state before the step, to go back to.
typedef struct LiaOldState {
    double* q;
    double* v;
    double* work;
    double* q_low;
    double* v_low;
    double* work_low;
    double t_low;
    int* active;  // its active rows
    int nr;
    size_t jumps;  // jumps recorded before the step
} LiaOldState;

// The roots of all events in a step, from the check of the step to the record of its events.
enum { LIA_EVENT_ROOTS = 32 };
typedef struct LiaEventRoots {
    double h;   // how far they were looked for; 0: they were not, or there are too many
    int count;  // event after event
    uint32_t event[LIA_EVENT_ROOTS];
    LiaRootFound root[LIA_EVENT_ROOTS];
} LiaEventRoots;

// Guards and events, at the ends of the step.
typedef struct LiaEventWatch {
    bool* at_root;          // the guard's formula is zero where the step begins
    signed char* crossing;  // it has its root where the step ends: 1, or -1 at the cut -pi
    bool* live;             // not in a branch of `if` that is not taken
    double* event_end;      // value of each event's formula at the end of the last step
    double* event_last;     // time of the last root of each event
    double event_short;     // no step is made shorter than that for the sake of an event
    bool* event_blind;      // its series tell nothing in this step: event_range.c
    bool* event_fires;      // it happens where the step ends, and the motion changes by it
    double* floor;          // rounding of the formulas of guards, then of events: blur.c
    bool at_corner;         // a formula changed its side where the step begins
    LiaEventRoots roots;    // of this step
} LiaEventWatch;

// A step off a corner that has no series: see step_series.c.
typedef struct LiaStepOff {
    double *q, *v;      // where it begins
    double* change[3];  // of the accelerations, over its length, an eighth of that, and of that
} LiaStepOff;

// The state where a corner is crossed: see corner.c.
typedef struct LiaCornerState {
    double* p;  // momenta before it
    double* a;  // accelerations
    double* q;  // positions
    double* v;  // velocities
    LiaStepOff off;
    LiaImpulse impulse;  // what happens there
    LiaLate late;
} LiaCornerState;

// The sample that is taken, and which come next: see record.c.
typedef struct LiaSampling {
    size_t next;               // the next one
    size_t total;              // how many there will be
    double every;              // time between two of them
    double* q;                 // positions a little further, where sides are chosen: corner.c
    double* values;            // (system->sample_count)
    double* row;               // one row of the table
    const double** from;       // where its numbers stand, in the workspace of lia_record_find()
    bool made;                 // some of them are made of others
    double* row_other;         // the same with other multipliers that give the same forces
    bool* row_shared;          // which numbers of the row are not unique
    bool* shared;              // the multiplier of a row was not unique at a sample   (rows)
    bool final_known;          // the last row was written by a verdict
    size_t undetermined;       // samples at which K0 is singular
    double undetermined_time;  // the first of them, and its constraint
    LiaSpan undetermined_span;
    LiaSampleForces forces;
} LiaSampling;

// Sizes and errors that the run has met.
typedef struct LiaExtremes {
    double* worst;            // largest residual of each constraint over all steps
    double regularity_least;  // smallest coupling number, and when
    double regularity_time;
    double kinetic_most;
    double potential_least;
    double potential_most;
    double projected;        // energy fed in by projections
    double* momentum_first;  // of each symmetry; then of the energy
    double* momentum_away;   // largest distance from the first value
    double* momentum_size;   // largest size
    double* kept_now;        // where the step ends, less the first; then what the ledger lacks
    LiaTrend* trend;         // of the same
    LiaRounded rounded;
    double* row_q;  // what residuals of rows are relative to, measured last   (nc)
    double* row_v;
} LiaExtremes;

// The energy along the step: see energy_balance.c.
typedef struct LiaBalanceState {
    double begin;  // where the step begins
    double end;    // and where it ends
    double gap;    // between it and the works, in the last try
    bool known;    // the energy where the step begins
} LiaBalanceState;

// What a step is checked by.
typedef struct LiaChecks {
    LiaEnclosure enclosure;  // where formulas are during the step
    bool proved;             // every function in them converges over it: see series_range.c
    LiaInnerResidual inside;
    bool passed;      // the last step was held against the equations inside it and the energy
    LiaNoise* noise;  // what rounding makes of the forces
    LiaDigits digits;
} LiaChecks;

// How the steps have gone so far.
typedef struct LiaCourse {
    double longest;     // longest step
    double size_most;   // largest log2 |det K0|
    double rows_most;   // and the lengths of the rows of J there: lia_record_rows()
    double rows_begin;  // the same where the step begins
    double rounding;    // how far projection moved states that no shorter step made better
    LiaStall stall;     // does it come to the end?
    LiaStiff stiff;     // what decides the steps
    bool approaching;   // the last step ended half way before a singular configuration
    int in_vain;        // how often other derivatives were looked for since, and not found
    double begun;       // clock
} LiaCourse;

typedef struct LiaRunner {
    const LiaSystem* system;  // of the mode, where there are contacts
    const LiaModel* model;
    const LiaRunOptions* options;
    LiaTrajectory* out;
    LiaDiags* diags;
    const LiaDynamics* dynamics;  // reduced, or full
    LiaWorkspace* w;              // the motion's own state, at the end of the last accepted step
    LiaWorkspace* sampler;        // states between steps
    LiaWorkspace* full;           // every equation a row: for the coupling number
    LiaRelativeDegree* degree;    // operators of higher degree; NULL: none
    LiaStep step;
    LiaScales scales;
    double tolerance, direction;  // direction of time: +1 or -1
    LiaControls* controls;        // from outside; NULL: there are none
    LiaContacts* contacts;        // NULL: the model has none
    double step_tolerance;        // what the last terms of the series are held against
    double span;                  // length of the run; of one without an end, what is long in it
    double halt;  // where a step ends at the latest: the end of the run, or an instant before it
    void* block;
    LiaCheckpoint checkpoint;

    LiaLowParts low;
    LiaOldState old;
    LiaEventWatch watch;
    LiaCornerState corner;
    LiaSampling samples;
    LiaBalanceState balance;
    LiaChecks checks;
    LiaCourse course;
    LiaExtremes met;
} LiaRunner;

/// What the rounding of an instant is measured by: seconds, or the length of a shorter run.
static inline double lia_time_size(const LiaRunner* run, double t) {
    return fmin(1.0, run->span) + fabs(t);
}
