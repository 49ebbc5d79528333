// LiaTrajectory: a motion that was computed, with all that is reported of it.
// The border between motion and output.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/file/output_file.h"
#include "base/memory/arena.h"
#include "base/text/diag.h"
#include "mechanics/assembly/ledger.h"
#include <liaison/liaison.h>

typedef struct LiaColumn {
    LiaColumnKind kind;
    const char* name;  // "x", "x'", "energy", "force(blade)", "power(twist)"
    const char* key;   // the name in its JSON object: "x'", "energy", "blade", "twist"
    const char* unit;  // NULL: not known
    uint32_t index;    // coordinate, constraint, plot, symmetry, line of the ledger; OBSERVE: slot
    uint32_t part;  // FORCE: which equation; PLOT: which curve, 0 is the x axis where there is one
    uint32_t slot;  // OBSERVE, PLOT, MOMENTUM: place among the samples; WORK: column of its power
    bool shared;    // not unique at a sample or at the end: made of multipliers that are not
    const char* label;  // as pictures call it: the name, and whether it is unique
} LiaColumn;

typedef struct LiaLedgerLine {  // who fed energy in, or took it out
    LiaLineKind kind;
    const char* name;                      // "twist", "dissipation", "time", "projection"
    double power, work;                    // at the end; since the start
    bool workless;                         // does no work, whatever the motion: 0 exactly
    double power_rounding, work_rounding;  // up to this they are rounding
    size_t line;  // of the system: that of a constraint has its number; LIA_NOWHERE: projection
} LiaLedgerLine;

typedef struct LiaConstraintReport {
    const char* name;
    bool active, eliminated, contact;
    uint32_t equations;
    double residual;      // largest scaled residual at the end
    double worst;         // the same over all steps and samples
    bool unique;          // are its multipliers unique, at the end and at all samples?
    uint32_t degree;      // equations hidden in it: its force appears so many derivatives later
    double doubt;         // relative error of its forces by rounding, see digits.c; NAN: not known
    uint32_t constraint;  // of the model
} LiaConstraintReport;

typedef struct LiaCombination {  // of multipliers that are not unique, but this is
    const char* formula;         // "force(a) + force(b)"
    double value;                // at the end
} LiaCombination;

typedef struct LiaConserved {
    const char* name;  // "energy", "momentum(turn)"
    double value;      // at the end
    double drift;     // largest distance from the start value at the samples, relative to its scale
    double growth;    // where that adds up along the run: by so much in a second; 0: it does not
    double rounding;  // up to this it is 0
} LiaConserved;

typedef struct LiaEventRecord {
    LiaEventKind kind;
    const char* name;  // of the event, or of the contact
    double t;
    int direction;  // +1 rising, -1 falling, 0 touching
    bool stop;
    const double* state;    // by the columns of positions and velocities
    const double* impulse;  // of a contact: normal, then friction; NULL: none
    uint32_t impulse_count;
    double energy;  // that the contact fed in, by its impulse
    double lost;    // by the impact, relative to what is driven; what moving bodies fed in: both
    uint32_t law;   // of an impact: lia_impact_law_of(); 0: none
} LiaEventRecord;

typedef struct LiaModeRecord {  // a mode of the contacts
    const char* text;           // "floor slides, wall open"
    double time;                // spent in it
    uint64_t visits;
} LiaModeRecord;

typedef struct LiaModeChange {  // of one contact
    double t;                   // from here on
    const char* word;           // "open", "closed", "sticks", "slides"
} LiaModeChange;

typedef struct LiaContactCourse {  // the modes of a contact along the run
    const char* name;
    LiaModeChange* changes;  // the first is where the run begins
    size_t count;
} LiaContactCourse;

typedef struct LiaContactWorks {  // what a contact fed in
    const char* name;
    double impacts, between;        // by impulses; by friction and moving bodies between them
    double lost_impacts, friction;  // what it took, relative to the bodies that move: never
                                    // negative but for shares of several contacts in one impact
    double fed_impacts, fed;        // by moving bodies: impacts + lost_impacts, between + friction
} LiaContactWorks;

typedef struct LiaImpactFeed {  // of an operator, or a constraint that moves
    const char* name;
    double work;  // of its impulses in impacts
} LiaImpactFeed;

typedef struct LiaJumpVelocity {
    const LiaColumn* column;
    double before, after;
} LiaJumpVelocity;

typedef struct LiaJumpImpulse {
    const char* name;
    const char* unit;  // NULL: not known
    bool active;
    const double* values;  // one for each scalar equation, as forces
    uint32_t count;
    double work;  // of all of them
} LiaJumpImpulse;

typedef struct LiaJump {  // of velocities, at a corner of a law that drives the motion
    double t;
    LiaJumpVelocity* velocities;  // those that jumped
    size_t velocity_count;
    LiaJumpImpulse* impulses;  // of those constraints and operators that took part
    size_t impulse_count;
    bool unique;  // the impulses are: no equation depends on others there
    bool rubs;    // constraints that hold both ways have their friction in it
} LiaJump;

typedef struct LiaReason {
    const char* code;  // "E0401"; NULL: nothing went wrong and nothing stopped the run
    const char* text;  // one sentence
    const char* help;  // what to write instead; NULL: nothing to advise
    double t;
    int line, column;  // place in the model text; 0 if there is none
    LiaSpan span;
} LiaReason;

typedef enum LiaCheckVerdict {
    LIA_CHECK_ROUNDING,    // both runs agree to rounding
    LIA_CHECK_AGREES,      // they do not differ by more than 1e-6 of the largest values
    LIA_CHECK_CHAOS,       // they do, since differences grow exponentially
    LIA_CHECK_DIFFERS,     // they do, for no such reason
    LIA_CHECK_ENDS,        // they ended for different reasons
    LIA_CHECK_UNFINISHED,  // the second was ended early, or there was none
} LiaCheckVerdict;

enum { LIA_CHECK_SIZES = 5 };

typedef struct
    LiaCheck {  // what a second run, with shorter steps and another order, said of a motion
    LiaCheckVerdict verdict;
    int order;
    uint64_t steps;
    double t;              // how far it got
    const char* status;    // NULL: there was none
    const char* reason;    // why it ended; NULL: all went well
    double* difference;    // of the numbers at the end, by column (column_count); NAN: not known
    double* size;          // largest value of each column along the motion (column_count)
    double *power, *work;  // of the ledger (ledger_count)
    double energy, end;    // of the change of the energy; of the time at the end
    double largest;     // difference of the state, in parts of the largest values, and its column
    const char* where;  // NULL: there is no state
    double parts;       // from here on more than 1e-6; NAN: never
    const char* first;  // column that parts first; NULL: none
    double rate;        // at which differences grow exponentially; NAN: they do not
    double lost[LIA_CHECK_SIZES];  // when they are more than 1e-12, 1e-9, ... 1; NAN: never
    size_t events, other_events;   // which are the same, from the first on; of the second run
    double* event;                 // differences of their times (event_count)
} LiaCheck;

typedef struct LiaPieces LiaPieces;  // dense_output.h

// What the run cost, and how it went about it.
typedef struct LiaEffort {
    double tolerance;
    int order;
    uint64_t steps, rejected;
    double longest;  // step
    double seconds, setup_seconds;
} LiaEffort;

typedef struct LiaSampleRows {
    double* values;  // count x column_count
    size_t count, capacity;
    bool* shared;  // which numbers are not unique, count x column_count; NULL: all are
} LiaSampleRows;

// The numbers of the last state by column, also when no sample fell there.       (column_count)
typedef struct LiaFinalRow {
    double* values;
    bool* shared;      // which are not unique
    double* rounding;  // up to this they are rounding; NULL: not known
} LiaFinalRow;

// What the balance is a part of: max T + range of U; the largest work, which is much more; what
// would be rest, of which they are next to nothing.
typedef enum LiaLedgerBy {
    LIA_LEDGER_BY_ENERGIES,
    LIA_LEDGER_BY_LARGEST_WORK,
    LIA_LEDGER_BY_REST
} LiaLedgerBy;

// Who fed energy in, or took it out, and whether that is all.
typedef struct LiaLedger {
    LiaLedgerLine* lines;
    size_t count;
    double start, end;  // the energy
    double rounding;    // their difference is rounding up to this
    double balance;     // end - start - sum of works, relative to max T + range of U
    LiaLedgerBy by;     // or to what this says
    double growth;      // where that adds up: by so much in a second, relative as well; else 0
} LiaLedger;

typedef struct LiaConstraintReports {
    LiaConstraintReport* list;
    size_t count;
    LiaCombination* combinations;  // where multipliers are not unique at the end
    size_t combination_count;
} LiaConstraintReports;

// What servos leave free.
typedef struct LiaServoReport {
    bool looked;    // there is a servo, and what it leaves free was looked at:
    int remaining;  // so many numbers of the state
    double rate;    // a small deviation there grows like exp(rate t); NAN: not known
} LiaServoReport;

typedef struct LiaConservedList {
    LiaConserved* list;
    size_t count;
} LiaConservedList;

typedef struct LiaEventRecords {
    LiaEventRecord* list;
    size_t count, capacity;
} LiaEventRecords;

typedef struct LiaContactReports {
    LiaModeRecord* modes;  // in the order visited
    size_t mode_count;
    LiaContactCourse* courses;  // of those contacts that were closed at some time
    size_t course_count;
    LiaContactWorks* works;
    size_t count;
    LiaImpactFeed* feeds;  // of those that do work in impacts
    size_t feed_count;
} LiaContactReports;

typedef struct LiaJumps {
    LiaJump* list;
    size_t count, capacity;
} LiaJumps;

// What the program chose, a sentence each: start values, eliminations, ...
typedef struct LiaChoices {
    const char** sentences;
    size_t count;
    const char** start;  // each value of the start that was not given and is not its guess
    size_t start_count;
} LiaChoices;

struct LiaTrajectory {
    const LiaSystem* system;
    const LiaModel* model;
    LiaReads reads;    // files it was made from
    LiaArena* arena;   // names and small lists
    LiaStatus status;  // LIA_OK (done), LIA_STOPPED, LIA_FAILED
    LiaReason reason;

    const volatile int*
        interrupt;  // of its run, for what is computed from it; borrowed. NULL: none

    double t, t0, t1;  // reached; asked for
    LiaEffort effort;

    LiaColumn* columns;
    size_t column_count;  // all: those of the CSV, PLOT, MOMENTUM, WORK, the inner coordinates
    size_t csv_count;     // those before the PLOT columns
    LiaSampleRows rows;
    LiaFinalRow final;

    LiaLedger ledger;
    LiaConstraintReports constraints;
    LiaServoReport servo;
    double regularity;  // smallest met: 1 for ideal constraints, 0 where an operator cannot act
    double doubt;       // relative error of the motion by rounding; NAN: not known
    LiaConservedList conserved;
    LiaEventRecords events;
    LiaContactReports contacts;
    LiaJumps jumps;
    LiaChoices choices;
    LiaPieces* pieces;      // the polynomials of every step; NULL: they were not asked for
    const LiaCheck* check;  // by a second run; NULL: there was none. See study/check.c
};

/// Whole digits that are known of a number with this relative error. NAN: it is not known.
double lia_digits_known(double doubt);

/// Does the trajectory keep to what this header says? For assertions at the borders.
bool lia_trajectory_invariants_hold(const LiaTrajectory* trajectory);

enum { LIA_ORDER_LEAST = 2, LIA_ORDER_MOST = 60 };  // of the series, where an option says it

/// Are these options that a run can have? NULL is: all as the model says.
bool lia_begin_options_good(const LiaRunOptions* options);
