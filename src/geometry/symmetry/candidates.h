// Generators that combinations are looked for in: those that the model names, and evident ones.
//
// Evident are: each coordinate shifted, two lengths turned into each other, places shifted and
// turned about the origin, directions turned, attitudes turned about axes in space (omega) and in
// the body (Omega), those of Euler angles too (lifts.h); with many parts the whole shifted and
// turned, which is else a combination of these; turns that are found by what they leave unchanged
// (turns.h). Places where shapes touch are carried along. A
// generator that is a combination of earlier ones, with constant coefficients, is left out.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/admissible.h"
#include "geometry/geometry.h"

enum {
    LIA_CANDIDATES_MOST = 28,
    LIA_CANDIDATES_LINES = 5,  // up to so many lengths, each pair of them turns by itself
};

// What turns.c found.
typedef struct LiaTurns {
    uint32_t count;
    LiaExpr* xi;        // in the geometry's graph                        (count x n)
    const char** name;  // what moves                                     (count)
} LiaTurns;

typedef struct LiaCandidates {
    uint32_t count;
    uint32_t declared;  // of them, the first: the model's own
    bool more;          // there were more than LIA_CANDIDATES_MOST
    LiaExpr* xi;        // in the geometry's graph                         (count x n)
    const char** name;  // of the symmetry, or what moves: "theta' = 1"    (count)
} LiaCandidates;

/// Around the state, with the turns that were found. Memory from the arena; false if it is out.
bool lia_candidates_make(LiaGeometry* geometry, LiaArena* arena, LiaAround around,
                         const LiaTurns* turns, LiaCandidates* out);
