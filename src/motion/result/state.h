// LiaState: positions and velocities at an instant, from which a run can begin.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/start/start.h"

struct LiaState {
    const LiaModel* model;  // whose coordinates these are; borrowed
    char* name;             // where it came from
    LiaFileId file;         // that it was read from
    char* of;               // the model it is of, where that is another; empty: of this one
    double t;               // NAN: not said
    double* q;  // positions, NAN: not given                                            (n)
    double* v;  // velocities; of a rotation omega in space axes, after its w          (n)
};

/// An empty state of a model, nothing given. NULL if memory is out.
LiaState* lia_state_empty(const LiaModel* model, const char* name);

/// May a run of this model begin here? LIA_ARGUMENT if it is the state of another model; LIA_MODEL
/// with an error if the model's run is over by then and nobody said how far to go (`until`), or an
/// angular velocity is given in part.
LiaStatus lia_state_check(const LiaState* state, const LiaModel* model, bool until,
                          LiaDiags* diags);
/// Hand the values on to the start of a run that ends at `end`, and tell its choices. The start
/// borrows them.
void lia_state_begin(const LiaState* state, double end, LiaStartState* start);
