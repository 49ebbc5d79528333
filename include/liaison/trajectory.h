// A motion as numbers: columns, the state at any time, and all that is reported of it as structs.
// Part of liaison.h.
//
// A struct with facts is filled in by its function: `size` is its sizeof, see inventory.h. Texts
// and arrays in it live as long as the trajectory.
// SPDX-License-Identifier: MIT
#include "liaison.h"  // includes this header in its place, whichever comes first
#ifndef LIA_TRAJECTORY_H
#define LIA_TRAJECTORY_H

#ifdef __cplusplus
extern "C" {
#endif

// --- columns -----------------------------------------------------------------------------------

typedef enum LiaColumnKind {
    LIA_COLUMN_TIME,
    LIA_COLUMN_POSITION,
    LIA_COLUMN_VELOCITY,
    // energy, kinetic, potential where there are such, then what the model observes
    LIA_COLUMN_OBSERVE,
    LIA_COLUMN_FORCE,     // force(NAME), force(NAME)[2]: one per scalar equation
    LIA_COLUMN_POWER,     // power(NAME), of constraints, operators and applied forces
    LIA_COLUMN_PLOT,      // curves of `plot` lines: not in the CSV, nor what follows
    LIA_COLUMN_MOMENTUM,  // momentum(NAME) of each symmetry
    LIA_COLUMN_WORK,      // work(NAME) of each line of the ledger
} LiaColumnKind;

typedef struct LiaColumnInfo {
    const char* name;  // "x", "x'", "energy", "force(blade)", "work(twist)"
    const char* unit;  // NULL: not known
    LiaColumnKind kind;
    bool csv;     // among the lia_trajectory_columns() of the CSV, which come first
    bool shared;  // not unique at a sample or at the end: made of multipliers that are not
} LiaColumnInfo;

/// All columns that there are: those of the CSV, then curves, momenta, works, and coordinates that
/// the program added.
size_t lia_trajectory_width(const LiaTrajectory* trajectory);
bool lia_trajectory_column_info(const LiaTrajectory* trajectory, size_t column, LiaColumnInfo* info,
                                size_t size);
/// Which column has this name; LIA_NOWHERE if none has. Curves have no names of their own.
size_t lia_trajectory_find(const LiaTrajectory* trajectory, const char* name);
/// A column, from the first sample to the last, into `out`, which has room for `count`:
/// lia_trajectory_rows(). LIA_ARGUMENT for another count, and beyond the last column.
LiaStatus lia_trajectory_series(const LiaTrajectory* trajectory, size_t column, double* out,
                                size_t count);
/// The same where they stand: the number of row i is at [i * *stride]. NULL beyond the last column.
const double* lia_trajectory_data(const LiaTrajectory* trajectory, size_t column, size_t* stride);

// --- any time ----------------------------------------------------------------------------------

/// The state at a time between the beginning and the end, by the polynomials of the step that goes
/// there: positions and velocities by coordinate, n numbers each, and works since the start,
/// lia_system_lines(); each may be NULL. At the end of a step that of the next one counts, after
/// what jumps there. LIA_ARGUMENT outside, for a run without `keep_steps`, and before the instant
/// at which one was resumed.
LiaStatus lia_trajectory_at(const LiaTrajectory* trajectory, double t, double* q, double* v,
                            double* work);
/// The equations there: lia_evaluator_set() at that state, with its works. The evaluator is of the
/// same system, or of one of the same model.
LiaStatus lia_trajectory_evaluate(const LiaTrajectory* trajectory, double t,
                                  LiaEvaluator* evaluator);

// --- what is reported --------------------------------------------------------------------------

typedef struct LiaMotionInfo {
    LiaStatus status;  // LIA_OK, LIA_STOPPED, LIA_FAILED
    double t, t0, t1;  // reached; asked for
    double tolerance;
    int order;  // of the series
    uint64_t steps, rejected;
    double longest;  // step
    double seconds, setup_seconds;
    double energy_start, energy_end;
    // what the ledger leaves of their difference, as a part of the largest energies
    double balance;
    double regularity;  // smallest coupling number met: 1 ideal, 0 an operator that cannot act
} LiaMotionInfo;
bool lia_trajectory_info(const LiaTrajectory* trajectory, LiaMotionInfo* info, size_t size);

typedef struct LiaReasonInfo {  // why a motion ended early
    const char* code;           // "E0401", "event", "interrupt", "time", "memory", "steps"
    const char* text;           // a sentence
    double t;
    int line, column;  // place in the model text; 0: none
    LiaSpent spent;    // LIA_SPENT_NOTHING: it was not that
} LiaReasonInfo;
/// False where nothing ended it early.
bool lia_trajectory_reason_info(const LiaTrajectory* trajectory, LiaReasonInfo* info, size_t size);

// What an event is: one of the model, of a contact, or of a statement that begins and ends.
typedef enum LiaEventKind {
    LIA_EVENT_USER,
    LIA_EVENT_CONTACT,       // it closes
    LIA_EVENT_RELEASE,       // it opens
    LIA_EVENT_IMPACT,        // an impulse
    LIA_EVENT_STICK,         // sliding ends
    LIA_EVENT_SLIP,          // sliding begins, or changes its direction
    LIA_EVENT_ACCUMULATION,  // infinitely many impacts are over
    LIA_EVENT_BEGIN,         // a statement begins (from EVENT)
    LIA_EVENT_END,           // it ends (until EVENT)
    LIA_EVENT_KINK,          // what slides goes on sliding, its normal force changes its sign
} LiaEventKind;
/// "impact", "release", ...; "event" for one of the model.
const char* lia_event_kind_text(LiaEventKind kind);

typedef struct LiaOccurrenceInfo {  // of an event
    size_t event;                   // which one of the model; of a contact: none
    const char* name;               // of the event, the contact, or the statement
    double t;
    int direction;  // +1 rising, -1 falling, 0 touching
    bool stop;
    // the numbers of the columns of positions and velocities in the CSV, in their order
    const double* state;
    size_t state_count;
    LiaEventKind kind;
    const double* impulse;  // of a contact: normal, then friction; of what begins: one for each of
                            // its equations; NULL: none
    size_t impulse_count;
    double energy;  // that the impulse fed in, or what the event set
    double lost;    // by an impact, relative to what is driven; moving bodies fed in energy + lost
} LiaOccurrenceInfo;
size_t lia_trajectory_events(const LiaTrajectory* trajectory);
bool lia_trajectory_event(const LiaTrajectory* trajectory, size_t index, LiaOccurrenceInfo* info,
                          size_t size);

typedef struct LiaJumpInfo {  // of velocities, at a corner of a law that drives the motion
    double t;
    size_t velocities;  // so many jumped
    size_t impulses;    // of so many constraints and operators
    bool unique;        // the impulses are
} LiaJumpInfo;
typedef struct LiaJumpVelocityInfo {
    const char* name;  // of its column
    size_t column;
    double before, after;
} LiaJumpVelocityInfo;
typedef struct LiaImpulseInfo {
    size_t constraint;
    const char* name;
    const char* unit;  // NULL: not known
    bool active;
    const double* values;  // one for each of its equations
    size_t count;
    double work;  // of all of them
} LiaImpulseInfo;
size_t lia_trajectory_jumps(const LiaTrajectory* trajectory);
bool lia_trajectory_jump(const LiaTrajectory* trajectory, size_t index, LiaJumpInfo* info,
                         size_t size);
/// What belongs to jump `index`: velocities and impulses, counted from 0.
bool lia_trajectory_jump_velocity(const LiaTrajectory* trajectory, size_t index, size_t velocity,
                                  LiaJumpVelocityInfo* info, size_t size);
bool lia_trajectory_impulse(const LiaTrajectory* trajectory, size_t index, size_t impulse,
                            LiaImpulseInfo* info, size_t size);

typedef struct LiaLedgerInfo {  // who fed energy in, or took it out
    const char* name;           // "twist", "dissipation", "time", "projection"
    LiaLineKind kind;
    double power, work;                    // at the end; since the start
    bool workless;                         // does no work, whatever the motion: 0 exactly
    double power_rounding, work_rounding;  // up to this they are rounding
} LiaLedgerInfo;
/// Lines as lia_system_lines() has them; then that of projections, where there is one.
size_t lia_trajectory_ledger_lines(const LiaTrajectory* trajectory);
bool lia_trajectory_ledger(const LiaTrajectory* trajectory, size_t line, LiaLedgerInfo* info,
                           size_t size);

typedef struct LiaHeldInfo {  // how a constraint was held
    const char* name;
    bool active, eliminated;
    uint32_t equations;
    double residual;  // largest scaled residual at the end
    double worst;     // the same over all steps and samples
    bool unique;      // are its multipliers unique, at the end and at all samples?
    uint32_t hidden;  // equations hidden in it: its force appears so many derivatives later
} LiaHeldInfo;
/// Of a constraint of the model, by its index.
bool lia_trajectory_constraint(const LiaTrajectory* trajectory, size_t constraint,
                               LiaHeldInfo* info, size_t size);

typedef struct LiaConservedInfo {
    const char* name;  // "energy", "momentum(turn)"
    double value;      // at the end
    double drift;   // largest distance from the start value at the samples, relative to its scale
    double growth;  // where that adds up along the run: by so much in a second; 0: it does not
} LiaConservedInfo;
size_t lia_trajectory_conserved_count(const LiaTrajectory* trajectory);
bool lia_trajectory_conserved(const LiaTrajectory* trajectory, size_t index, LiaConservedInfo* info,
                              size_t size);

#ifdef __cplusplus
}
#endif

#endif
