// The flag of a distribution C: which positions can be reached at all, and which equations are
// holonomic.
//
//   Lie flag       C^1 = C,   C^(k+1) = C^k + [C, C^k]            its ranks are the growth vector
//   derived flag   E^1 = C,   E^(k+1) = E^k + [E^k, E^k]
//
// Brackets are formulas, differentiated as such; ranks are taken at admissible positions. The last
// C^k is the smallest integrable distribution that contains C. A form that vanishes on it is
// holonomic with the others; one that does not vanish on a bracket at one place is not, and that is
// a proof up to rounding. Where C^k is everything, any two positions can be joined (Chow).
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/admissible.h"
#include "geometry/geometry.h"
#include "geometry/integrability/leaf.h"
#include "geometry/phase_space/pseudo_poisson.h"

enum { LIA_FLAG_STEPS = 12, LIA_DRIFTLESS_SIZE = 24 };

typedef struct LiaGrowth {
    uint32_t steps, rank[LIA_FLAG_STEPS];
    bool ended;  // the last rank is that of all brackets
} LiaGrowth;

// What the equations admit that are no operator's, without the velocities affine ones ask for by
// themselves: operators may move as they like. Asked where that is another distribution.
typedef struct LiaDriftless {
    bool known;
    bool operators;  // there are some
    bool affine;     // a passive equation asks for a velocity by itself
    uint32_t rank;   // of the distribution
    uint32_t space;  // dimension of the positions
    LiaGrowth growth;
    uint32_t integrable;  // codimension of the leaves; 0: any two positions can be joined
} LiaDriftless;

typedef struct LiaFlag {
    bool known;
    const char* why;  // it is not known
    bool time;        // time is one of the coordinates
    // dimension of the positions that geometric equations leave, with time if it counts
    uint32_t space;
    uint32_t rank;                       // of C
    LiaGrowth lie, derived;              // where it is largest of all places looked at
    bool has_start;                      // the start is one of them:
    LiaGrowth start_lie, start_derived;  // its own
    uint32_t integrable;  // independent combinations of kinematic equations that are holonomic
    uint32_t kinematic;   // of so many independent ones
    double margin;        // the smallest part of a direction that a new rank was decided by, of 1
    uint32_t places;      // looked at
    double* defect;       // by row of the system: largest |theta(bracket)|, both of size 1   (rows)
    // combinations of kinematic equations with constant coefficients that vanish on all brackets
    uint32_t combinations;
    // of each row of the system                                (combinations x rows)
    double* coefficient;
    LiaExpr* integral;  // what each is the velocity of; {0}: no formula was found   (combinations)
    bool proved;        // the holonomic ones all have formulas
    LiaPseudoPoisson bracket;  // on D, and how its Jacobi identity fails
    LiaDriftless driftless;
    LiaLeaf leaf;  // of the start, where there is one
} LiaFlag;

typedef struct LiaFlagAsk {
    bool has_start;  // the first sample is the start
    // of the equations that are no operator's, without what they ask for by themselves
    bool driftless;
} LiaFlagAsk;

/// integrals.c: the formulas of flag->integral, in the geometry's graph. False if memory is out.
bool lia_integrals_find(LiaGeometry* geometry, LiaArena* arena, LiaFlag* flag);
/// The flag; memory from the arena. False if memory is out.
bool lia_flag_make(const LiaGeometry* geometry, const LiaSamples* samples, LiaFlagAsk ask,
                   LiaArena* arena, LiaFlag* out);
/// driftless.c: flag->driftless. False if memory is out.
bool lia_driftless_find(const LiaGeometry* geometry, const LiaSamples* samples, LiaArena* arena,
                        LiaFlag* flag);
/// Do two of them grow alike, and end alike?
bool lia_flag_same(const LiaGrowth* a, const LiaGrowth* b);
