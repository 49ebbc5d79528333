// The forces of a model of a phase space as formulas: what keeps the motion in D.
//
//   x' = X(x) + W mu,   phi(x, t) = 0:      (dphi W) mu = -(dphi X + dphi/dt)
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/geometry.h"

/// mu of each equation of D, in the order of the impulses, for a few equations; {0} where there is
/// no formula that is short to read. `variables` is the dimension of P. False if memory is out.
bool lia_phase_forces_make(LiaGeometry* geometry, uint32_t variables, double t, const double* q,
                           LiaExpr* mu);
