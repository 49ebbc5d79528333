// Admissible states: the nearest one to a given state, and samples of them.
//
// A verdict such as "does no work" is about all admissible states; it is looked at on a handful of
// them, chosen at random (the same ones each time) around the start.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/memory/arena.h"
#include "mechanics/kkt/workspace.h"

typedef struct LiaAdmissible {
    const LiaSystem* system;
    // full dynamics: every equation is a row. The state stands in w->t, w->q, w->v
    LiaWorkspace* w;
    // the same, sparse, where the system is large: for the way there; else w itself
    LiaWorkspace* near;
    int n, m;       // coordinates, rows
    int rank_most;  // independent geometric equations on the branch of the start; -1: not known
    int without;    // 1 + a row that is not asked for; 0: all are
    double *weight, *target, *L, *B, *y, *rhs, *pivot, *work;
    int *unknown, *row, *order;
    bool* given;  // positions, then velocities that are kept          (2 n)
    void* block;
} LiaAdmissible;

/// False if memory is out.
bool lia_admissible_init(LiaAdmissible* z, const LiaSystem* system);
void lia_admissible_clear(LiaAdmissible* z);

/// Move the values of w->q and w->v that are not `given` to the nearest admissible ones, in the
/// metric of M, and evaluate phi, psi, M, J and Omega there. Returns the worst scaled residual
/// left; NaN where a formula has no value.
double lia_admissible_settle(LiaAdmissible* z);
/// The worst scaled residual of one level at the state as it is: 0 positions, 1 velocities. *row
/// gets the row it belongs to (of the system), UINT32_MAX if there is none.
double lia_admissible_residual(const LiaAdmissible* z, int level, uint32_t* row);

// States that were found, kept for several looks.
typedef struct LiaSamples {
    uint32_t count;
    double* t;      // (count)
    double *q, *v;  // (count x n)
    bool given;     // the first is the state that was given, but for rounding
    // sides.h, where there are corners; else NULL and 0
    bool* beyond;        // on another side of one of them than the first      (count)
    uint32_t corners;    // that were looked at
    uint32_t one_sided;  // those of which all states are on one side
} LiaSamples;

// Where states are looked for: around (q, v), at times between t0 and t1.
typedef struct LiaAround {
    double t0, t1;
    const double *q, *v;
} LiaAround;

/// Up to `most` admissible states with times between t0 and t1; the first is (t0, q, v) itself, but
/// for rounding of what the equations make zero, where it is admissible. Memory from the arena;
/// false if it is out.
bool lia_admissible_make(LiaAdmissible* z, LiaArena* arena, LiaAround around, uint32_t most,
                         LiaSamples* out);
/// A state at random around (q, v), at the time w->t, the same one for the same seed; nearer where
/// none is found. False where there is none.
bool lia_admissible_sample(LiaAdmissible* z, uint64_t seed, double radius, const double* q,
                           const double* v);
/// Put sample k into the workspace and evaluate phi, psi, M, J and Omega.
void lia_admissible_load(LiaAdmissible* z, const LiaSamples* samples, uint32_t k);
