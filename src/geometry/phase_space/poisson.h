// A model of a phase space, (P, Lambda, H, D, W): what its bracket is, and what keeps or feeds H.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/geometry.h"

typedef struct LiaPoisson {
    uint32_t variables;         // dimension of P
    uint32_t rank, rank_start;  // of Lambda: at most, and at the start
    uint32_t equations;         // of D
    double regularity;          // coupling of W and D at the start; NAN: not known
    uint32_t places;            // states of D at which powers were looked at
    bool* feeds;                // each line of the ledger moves H somewhere      (lines)
    bool conserved;             // none does
    double* rate;               // x' at the state                                (variables)
    double energy;              // there
    LiaExpr* force;             // of each equation, as a formula; {0}: none      (equations)
} LiaPoisson;

/// At the state t, q: the start, or one that was asked for. False if memory is out. What it has
/// lives in the arena of the geometry.
bool lia_poisson_make(LiaGeometry* geometry, double t, const double* q, LiaPoisson* out);
