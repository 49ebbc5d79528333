// States from numbers. Part of liaison.h.
//
// A state is positions and velocities at an instant, of which some may not be given (NAN). A run
// that begins `from` it keeps what is given, takes the nearest admissible values for the rest, and
// is refused where what is given contradicts the constraints.
// SPDX-License-Identifier: MIT
#include "liaison.h"  // includes this header in its place, whichever comes first
#ifndef LIA_STATE_H
#define LIA_STATE_H

#ifdef __cplusplus
extern "C" {
#endif

/// A state from arrays of numbers by coordinate: positions q and rates v; NAN, or a NULL array: not
/// given. `t` NAN: when the model begins. The rates of a rotation are those of its quaternion, all
/// four given, as its numbers then are, or none. LIA_ARGUMENT for numbers that are infinite and for
/// such rates; LIA_MEMORY. The model is borrowed and must outlive the state.
LiaStatus lia_state_create(const LiaModel* model, double t, const double* q, const double* v,
                           LiaState** out);
/// The instant; NAN: not given.
double lia_state_time(const LiaState* state);
/// LIA_ARGUMENT for an infinite one.
LiaStatus lia_state_set_time(LiaState* state, double t);
/// All numbers, by coordinate, into arrays of as many as the model has; either may be NULL. NAN:
/// not given. LIA_ARGUMENT of NULL.
LiaStatus lia_state_read(const LiaState* state, double* q, double* v);

/// One number, by the name that it has in files and columns: "t", "x", "x'", "r'.x", "R'.x" (of a
/// rotation, the angular velocity in space axes). *value is NAN where it is not given. False if the
/// model has no such name; then *value is as it was.
bool lia_state_get(const LiaState* state, const char* name, double* value);
/// NAN: not given. LIA_ARGUMENT for a name that the model does not have, and for infinite numbers.
LiaStatus lia_state_set(LiaState* state, const char* name, double value);
/// The same by the index of the coordinate: NAN and LIA_ARGUMENT beyond the last. Velocities of a
/// rotation are those of its x, y and z: the angular velocity; its w has none.
double lia_state_position(const LiaState* state, size_t coordinate);
double lia_state_velocity(const LiaState* state, size_t coordinate);
LiaStatus lia_state_set_position(LiaState* state, size_t coordinate, double value);
LiaStatus lia_state_set_velocity(LiaState* state, size_t coordinate, double value);

/// The equations there: lia_evaluator_set(), for a state of which everything is given. LIA_ARGUMENT
/// where it is not, and for the state of another model.
LiaStatus lia_state_evaluate(const LiaState* state, LiaEvaluator* evaluator);

#ifdef __cplusplus
}
#endif

#endif
