// What the verdicts of this folder share: a system, and a graph of its own to add formulas to.
//
// The system stays as it is (others may run it meanwhile); its formulas have the same indices in
// the copy.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/evaluate.h"
#include "mechanics/assembly/resolve.h"
#include "mechanics/system.h"

typedef struct LiaGeometry {
    const LiaSystem* system;  // borrowed
    LiaGraph* graph;          // a copy of the system's
    LiaRates rates;
    LiaResolver* resolver;
    LiaArena* arena;
    LiaExpr t;
    LiaExpr *p, *w;  // symbols of momenta and of a virtual displacement     (n)
    LiaExpr* spin;   // symbols of the angular momenta p(R).x, ... of rotations   (3 x groups)
    LiaExpr* psi;    // each row on the level of velocities: psi, or d(phi)/dt    (rows)
    bool quadratic;  // L is at most quadratic in the velocities
} LiaGeometry;

/// NULL if memory is out. Momenta are named p(x).
LiaGeometry* lia_geometry_create(const LiaSystem* system);
/// NULL is allowed.
void lia_geometry_destroy(LiaGeometry* geometry);
/// The generator of a symmetry by coordinate; false if memory is out.
bool lia_geometry_generator(LiaGeometry* geometry, uint32_t symmetry, LiaExpr* xi);
/// A fraction with a small denominator where the number is one but for rounding, else the number
/// itself.
LiaExpr lia_geometry_number(LiaGraph* graph, double x);
