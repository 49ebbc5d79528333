// A start that satisfies the constraints, at position and velocity level.
//
// Values given are kept; the others are the nearest admissible ones to their guess (0 where there
// is none), in the metric of M, or Euclidean where M is singular. First positions, then velocities.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"
#include "mechanics/system.h"

typedef struct LiaStartState {
    double t;
    double ahead;  // a short time, in the direction of the run: which side of a corner it goes to
    const LiaWorkspace* sides;  // whose sides to take instead; NULL: look ahead
    double *q, *v;              // filled in                               (n)
    // Data of a state to begin from; what the model says are guesses then. NAN: not given. NULL: no
    // such state.
    const double *given_q, *given_v;  // of a rotation: omega in space axes, after its w
    const double* work;               // works so far, for laws of sampled controls; NULL: 0
    bool state_alone;   // admissible states are looked for, not whether a motion can begin there
    double regularity;  // of the full system at the start
    // K0 is singular at the start and not elsewhere: nothing is hidden, the run cannot begin
    bool singular;
    bool degree;  // K0 is singular there and elsewhere: equations are hidden, if anything helps
    bool shared;  // the force of an eliminated operator is not unique: others ask the same
    // sentences, one a line: what was chosen; each value that was not given and is not its guess.
    // Clear with lia_start_clear().
    LiaText choices, chosen;
} LiaStartState;

/// The first sign of a joint or of an equation between rotations that is not as it is meant, 1 +
/// its place in system->signs; 0 if all are (branch.c). -1 if memory is out.
int lia_branch_is_wrong(const LiaSystem* system, const double* q, double t);
/// The same of each of them: wrong[k] for system->signs[k]. False if memory is out.
bool lia_branch_find(const LiaSystem* system, const double* q, double t, bool* wrong);
/// The angle between the sides of an equation between rotations, from its sign (1 + its place);
/// rough where it is small.
double lia_branch_turned(const LiaSystem* system, uint32_t sign, const double* q, double t);
/// Say it: the bodies of a joint stand against each other.
void lia_branch_say(const LiaSystem* system, int sign, LiaDiags* diags);
/// start_ends.c: say which contact begins beyond the end of its shape. False: one does, or memory
/// is out (*memory).
bool lia_start_ends_inside(const LiaSystem* system, const double* q, double t, LiaDiags* diags,
                           bool* memory);
/// start_contact.c: the inner coordinates of w->q for the bodies as they stand there. 1 + the first
/// foot that has no solution, 0: all have one.
int lia_start_contact_find(const LiaSystem* system, LiaWorkspace* w);
/// Positions from other ones, by the rules of a start: those `given` (n) are kept, driven ones are
/// set, and those that equations connect with one that does not hold move to the nearest admissible
/// place, if there is one. Returns the worst scaled residual left; infinite if memory is out. q
/// stays as it is where no place was found.
double lia_start_positions(const LiaSystem* system, double t, const bool* given, double* q,
                           const double* v);
void lia_start_clear(LiaStartState* start);
/// start_momenta.c: the start of a model that gives momenta. As lia_start_find(), which calls it.
LiaStatus lia_start_momenta_find(const LiaSystem* system, LiaDiags* diags, LiaStartState* start);
/// LIA_OK, LIA_MODEL with diagnostics where the start contradicts the constraints, LIA_MEMORY. The
/// state is then as far as it was found.
LiaStatus lia_start_find(const LiaSystem* system, LiaDiags* diags, LiaStartState* start);
/// start_sampled.c: the same of a copy of a system with sampled controls, whose values become those
/// of their laws there. Also LIA_MODEL where no values satisfy both.
LiaStatus lia_start_sampled_find(LiaSystem* own, LiaDiags* diags, LiaStartState* start);
