// Forces that a one-form speaks of: where its text is made of places, as d(norm(A - B)), dot(F,
// d(P)), P'.x*sin(a), the forces at these places are its slopes by them.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/page/arrows/carriers.h"

enum { LIA_SPOKEN_ROOTS = 64, LIA_SPOKEN_MOST = 6 };

// Q = sum of weight * d(of), or of weight * virtual(of) where `of` has velocities.
typedef struct LiaSpeech {
    LiaExpr of[LIA_SPOKEN_ROOTS], weight[LIA_SPOKEN_ROOTS];
    bool rates[LIA_SPOKEN_ROOTS];
    uint32_t count;
} LiaSpeech;

typedef struct LiaSpoken {
    uint32_t at[LIA_SPOKEN_MOST];  // carriers
    LiaExpr F[LIA_SPOKEN_MOST][3];
    uint32_t count;
} LiaSpoken;

/// True where forces at places of the text do all the work of Q, given at the instants
/// (instant_count x n, flat).
bool lia_spoken_find(const LiaCarriers* carriers, const LiaSpeech* speech, const double* Q,
                     LiaSpoken* spoken);
