// The lines of the energy ledger: who may feed energy into the system or take it out.
//   dE/dt = sum of powers,   E = v dL/dv - L
// SPDX-License-Identifier: MIT
#pragma once

typedef enum LiaLineKind {
    LIA_LINE_CONSTRAINT,   // passive: mu (Omega v)
    LIA_LINE_OPERATOR,     // active: mu (Omega v)
    LIA_LINE_FORCE,        // an applied force: Q v
    LIA_LINE_DISSIPATION,  // -v dD/dv
    LIA_LINE_TIME,         // explicit time dependence: -dL/dt
    LIA_LINE_PROJECTION,   // energy moved by projections
} LiaLineKind;
