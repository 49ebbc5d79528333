// Units in which the entries of K0 are of size 1. See scaling.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

/// Units for the unknowns of K0 in which M and Omega are of size 1, into w->saddle.measure. After
/// matrices().
void lia_scaling_by_inertia(LiaWorkspace* w);
/// The power of two next to x^exponent; 1 where x is no size.
double lia_scaling_unit(double x, double exponent);
/// 0 for a coordinate measured as a length, 1 for one whose natural size is 1.
int lia_scaling_kind(const LiaModel* model, int coordinate);
/// The inertia of a coordinate in the metric of a start: its own, unless that is none or there only
/// by rounding, which would give a metric in which the rank of the equations cannot be seen.
/// `heaviest`: of all, by kind.
double lia_scaling_inertia(double own, int kind, const double heaviest[2]);
