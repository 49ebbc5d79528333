// Projection onto the admissible states along the directions the forces have. See project.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

/// load, residuals, factor, and projection onto the admissible states along the directions the
/// forces have: positions first, then velocities; driven coordinates are not moved. Leaves the
/// workspace ready for accelerate(). *moved: size of the projection relative to the state; *energy:
/// energy it fed in (both may be NULL). False if K0 is singular or the projection does not settle.
bool lia_project_state(LiaWorkspace* w, int order, double* moved, double* energy);
/// The same where K0 alone decides the forces.
bool lia_project_direct(LiaWorkspace* w, int order, double* moved, double* energy);
/// The same by the factors of K0 at another state nearby (modified Newton), without a
/// factorisation: for states that are admissible but for rounding and the last terms of a series.
/// Leaves the workspace after residuals(). False where the residuals do not become rounding at
/// once; q and v may have moved then. In `near` all rows are active, and `row` has their sizes.
bool lia_project_nearby(LiaWorkspace* w, const LiaWorkspace* near, const double* row);
/// |row of J|, what residuals are scaled by, for all rows.
void lia_project_row_sizes(const LiaWorkspace* w, double* row);
/// The residuals of all rows, position or velocity, scaled by |row of J| times the size of the
/// state, into w->projection.miss. Returns the largest.
double lia_project_scaled_residuals(LiaWorkspace* w);
