// Routh's process: one contact with friction during an impact.
//
// The normal impulse p grows from 0 and plays the part of time. Rows n (gap) and t (slip):
//     du/dp = W (1, tau),   sliding: tau = -mu u_t/|u_t|;   sticking: tau such that du_t = 0
// Compression lasts while u_n < 0; restitution ends as its law says (impact.h).
// In the plane all pieces are straight. In space the first sliding is a curve (the hodograph),
// taken as Taylor series; after zero slip all is straight again: it sticks if |tau| <= mu, else it
// slides on in the one direction in which the slip can grow from 0.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/contact/impact/impact.h"

enum { LIA_ROUTH_ROWS = 1 + LIA_FRICTION_DIMENSION };

typedef struct LiaRouth {
    int dimension;  // of the slip: 0, 1, 2
    double W[LIA_ROUTH_ROWS][LIA_ROUTH_ROWS];
    double mu, e;
    LiaRestitution law;        // Newton, Poisson or Stronge
    bool jam;                  // without approach: sliding compresses
    double u[LIA_ROUTH_ROWS];  // before; then after
    double P[LIA_ROUTH_ROWS];  // the impulse
    double work;               // of it
    unsigned phases;           // LIA_IMPACT_SLID, ..
} LiaRouth;

LiaImpactStatus lia_routh_solve(LiaRouth* r);

// ---- what its files share

/// The process at one instant of it.
typedef struct LiaRouthState {
    double u[LIA_ROUTH_ROWS], P[LIA_ROUTH_ROWS];
    double normal_work, work;  // of the normal impulse; of all
    double compression_work;   // of the normal impulse while u_n < 0
    double compression_P;      // normal impulse when compression ended, the last time
    double aim;                // Newton: u_n at the end
    bool restitution;          // u_n is or becomes positive
} LiaRouthState;

/// What ended a piece of the process.
typedef enum LiaRouthEnd {
    LIA_ROUTH_SLIP_ENDED,
    LIA_ROUTH_TURNED,    // compression became restitution, or the reverse
    LIA_ROUTH_FINISHED,  // restitution is over
    LIA_ROUTH_ENDLESS,   // compression does not end
    LIA_ROUTH_LOST,      // too many steps
} LiaRouthEnd;

/// The curved piece in space: from a slip that is not 0 up to what ends it.
LiaRouthEnd lia_routh_curve_follow(const LiaRouth* r, LiaRouthState* s, unsigned* phases);
/// Normal work, or normal impulse, or velocity at which restitution ends: value of it in the state
/// minus the value at the end.
double lia_routh_left(const LiaRouth* r, const LiaRouthState* s);
