// What a model and its system consist of, by index and by name. Part of liaison.h.
//
// Things of a kind are counted from 0 in the order in which the model has them; families are
// written out ("q[3]"), and bodies and groups taken apart into numbers ("b.position.x"). Names and
// pointers live as long as the model, or the system.
//
// A struct with facts is filled in by its function, as far as the caller knows it: `size` is its
// sizeof. What a newer library knows in addition stands at the end, and an older program does not
// get it. False, and nothing is filled in, for NULL, for an index out of range, and for a size of
// 0.
// SPDX-License-Identifier: MIT
#include "liaison.h"  // includes this header in its place, whichever comes first
#ifndef LIA_INVENTORY_H
#define LIA_INVENTORY_H

#ifdef __cplusplus
extern "C" {
#endif

#define LIA_NOWHERE SIZE_MAX  // an index: there is no such thing

typedef enum LiaThing {
    LIA_THING_COORDINATE,
    LIA_THING_PARAMETER,
    LIA_THING_CONTROL,
    LIA_THING_CONSTRAINT,  // passive ones and operators in the order written
    LIA_THING_FORCE,       // applied forces
    LIA_THING_OBSERVABLE,
    LIA_THING_EVENT,
    LIA_THING_SYMMETRY,
} LiaThing;

/// How many things of a kind there are; 0 for a kind that is none.
size_t lia_model_count(const LiaModel* model, LiaThing thing);
/// The name of one; NULL beyond the last.
const char* lia_model_name_of(const LiaModel* model, LiaThing thing, size_t index);
/// Which one has this name; LIA_NOWHERE if none has.
size_t lia_model_find(const LiaModel* model, LiaThing thing, const char* name);

typedef enum LiaManifold {
    LIA_LINE,
    LIA_CIRCLE,
    LIA_SPACE,     // a number of a place
    LIA_SPHERE,    // a number of a unit vector
    LIA_ROTATION,  // a number of a unit quaternion, w, x, y, z, body to space
} LiaManifold;

typedef struct LiaCoordinateInfo {
    const char* name;      // "x", "q[3]", "r.x", "R.w"
    const char* unit;      // as written; NULL: not said
    LiaManifold manifold;  // that it is a number of
    const char* group;     // "r", "R": of more than one number, one after the other; NULL: of one
    uint32_t part;         // which number of the group, from 0
    bool inner;            // where shapes touch: made by the program, held by equations
} LiaCoordinateInfo;

typedef struct LiaParameterInfo {
    const char* name;
    const char* unit;  // as written; NULL: not said
    double value;      // in SI units, values from outside applied
    bool structural;   // bounds or indices are made of it: another value is another model
} LiaParameterInfo;

typedef struct LiaConstraintInfo {
    const char* name;
    bool active;         // an operator
    uint32_t equations;  // scalar ones
    const char* joint;   // "revolute", where it was written as a joint; NULL: it was not
    int line, column;    // where it stands in the model text, from 1
} LiaConstraintInfo;

typedef struct LiaObservableInfo {
    const char* name;
    const char* unit;  // of its column; NULL: not said
} LiaObservableInfo;

typedef struct LiaEventInfo {
    const char* name;
    int direction;  // +1 rising, -1 falling, 0 both
    bool stop;      // it ends the motion
    // of a joint of shapes, whose name it has: what its contact leaves; NULL: of the model
    const char* leaves;
} LiaEventInfo;

bool lia_model_coordinate(const LiaModel* model, size_t index, LiaCoordinateInfo* info,
                          size_t size);
bool lia_model_parameter(const LiaModel* model, size_t index, LiaParameterInfo* info, size_t size);
bool lia_model_constraint(const LiaModel* model, size_t index, LiaConstraintInfo* info,
                          size_t size);
bool lia_model_observable(const LiaModel* model, size_t index, LiaObservableInfo* info,
                          size_t size);
bool lia_model_event(const LiaModel* model, size_t index, LiaEventInfo* info, size_t size);

// --- of a system -------------------------------------------------------------------------------

/// The model it was built from; one with other rules has a copy of its own. NULL of NULL.
const LiaModel* lia_system_model(const LiaSystem* system);

typedef struct LiaRowInfo {  // of one scalar equation: a row of J and Omega, a multiplier
    const char* name;        // of the multiplier: "force(blade)", "force(pin)[2]"
    size_t constraint;       // LIA_NOWHERE: an equation that the program added itself
    uint32_t part;           // which of its equations, from 0
    bool active;             // of an operator
    bool geometric;          // without velocities; else kinematic
    bool linear;             // affine in the velocities
    // Omega is the gradient of the equation, as a formula: d'Alembert, or Chetaev where it is
    // not linear
    bool ideal;
    bool workless;   // its force does no work, whatever the motion
    bool identical;  // holds identically: J, Omega and mu are 0
    // its rate follows from the other rows of its constraint: mu is 0, and the others have the
    // force
    bool follows;
    int line, column;  // where it stands in the model text; 0: nowhere
} LiaRowInfo;

/// Rows of J and Omega: those of the constraints in their order, then those that the program added
/// (lengths of unit vectors and quaternions, where shapes touch).
size_t lia_system_rows(const LiaSystem* system);
bool lia_system_row(const LiaSystem* system, size_t row, LiaRowInfo* info, size_t size);
/// The rows of a constraint: *count of them from *first on. False if there is no such constraint.
bool lia_system_rows_of(const LiaSystem* system, size_t constraint, size_t* first, size_t* count);
/// Is the motion of a coordinate known beforehand, by an operator that says it as a function of
/// time? *row is that of the operator (may be NULL). In a system built with `no_eliminate` none is.
bool lia_system_driven(const LiaSystem* system, size_t coordinate, size_t* row);

typedef enum LiaLineKind {
    LIA_LINE_CONSTRAINT,   // passive: mu (Omega v)
    LIA_LINE_OPERATOR,     // active: mu (Omega v)
    LIA_LINE_FORCE,        // an applied force: Q v
    LIA_LINE_DISSIPATION,  // -v dD/dv
    LIA_LINE_TIME,         // explicit time dependence: -dL/dt
    LIA_LINE_EVENT,        // an event that sets states: no power, energy at an instant
    LIA_LINE_PROJECTION,   // energy moved by projections; of a motion, not of a system
} LiaLineKind;

typedef struct LiaLineInfo {  // of the ledger: who may feed energy in, or take it out
    const char* name;         // "twist", "dissipation", "time"
    LiaLineKind kind;
    size_t index;   // the constraint, the force or the event; LIA_NOWHERE: none of them
    bool workless;  // it never does
} LiaLineInfo;

/// Lines of the ledger of every motion, in their order.
size_t lia_system_lines(const LiaSystem* system);
bool lia_system_line(const LiaSystem* system, size_t line, LiaLineInfo* info, size_t size);

#ifdef __cplusplus
}
#endif

#endif
