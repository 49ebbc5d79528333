// Symmetries nobody named: combinations, with constant coefficients, of the model's generators and
// of evident ones.
//
//   first type     L everywhere, the equations and the forces are carried along: the system reduces
//                  by all of them
//   second type    L everywhere is invariant, Omega xi = 0 and Q xi = 0: the momentum is constant
//                  (Marle 2003, Prop. 5)
//   constant       d<p, xi>/dt = 0 on admissible states, for another reason
//   moving energy  E - <p, xi> is constant and E is not: constraints that move, as a turntable
//   (Fasso and Sansonetto)
//
// Each is a null space: the conditions are linear in the coefficients. They are looked for at
// admissible states at random, and confirmed at others.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include "geometry/symmetry/candidates.h"

typedef struct LiaFound {
    const double* c;  // of each candidate, then of the energy                 (candidates + 1)
    double* simple;   // the same with coefficients that are nearly fractions made such
    double energy;    // 1: of the energy with them; 0: a momentum
    double value;     // of <p, c xi> + energy at the start; NAN: there is none
    double left;      // of 1, the terms that cancel, at the states that confirm it
    double simple_left;
    bool first_type;   // also
    bool declared;     // it is one symmetry of the model, as it stands
    bool empty;        // the same number at all admissible states: it says nothing of the motion
    LiaExpr momentum;  // formula of <p, c xi>; {0}: none was made
} LiaFound;

typedef struct LiaFoundList {
    LiaFound* found;
    uint32_t count;
    double margin;  // the smallest part left of a combination that is none, of 1
} LiaFoundList;

typedef struct LiaSearch {
    bool known;
    const char* why;  // it is not; NULL: there was nothing to look for
    LiaCandidates candidates;
    uint32_t states, confirmed;  // looked at; those of them that confirmed
    LiaFoundList first, second, constant, moving;
    uint32_t orbit;     // dimension of what all of the first type together move
    uint32_t quotient;  // of D by them
} LiaSearch;

/// "-0.25*around + (omega(g) = [0, 0, 1])" for coefficients of the candidates; names of symmetries
/// as they are, evident ones in brackets.
void lia_search_text(const LiaSearch* search, const double* c, LiaText* out);
