// Step size of a Taylor step from its last coefficients (Jorba & Zou 2005).
// SPDX-License-Identifier: MIT
#pragma once
#include "../mechanics/workspace.h"

typedef struct LiaStep LiaStep;  // taylor.h: the series, taken from the workspace

// Sizes met so far, by kind of coordinate: what an error is measured against.
typedef struct LiaScales {
    double q[2], v[2];   // lengths (line, space), angles (circle, sphere, rotation)
    double energy;       // what works are measured against
    double noise[2];     // accelerations that rounding of the forces makes, by kind; see noise.c
    double noise_power;  // and by how much it changes powers in a second
    double span;         // length of the whole run
    bool begun;          // the first series has been seen
    double tolerance;    // of which these are the roots, of the orders of v, q, works
    double part_v, part_q, part_work;
} LiaScales;

/// What the last terms of the series of a model are held against, from the tolerance asked for.
double lia_step_tolerance(const LiaModel* model, double tolerance);
/// Order of the series for such a tolerance.
int lia_step_order(double tolerance);
/// The largest order whose coefficients are numbers of 64 bits, for a run of this length > 0.
int lia_step_order_most(double span);
/// 0 for a coordinate measured as a length, 1 for one whose natural size is 1.
int lia_step_kind(const LiaWorkspace* w, uint32_t coordinate);
/// Bring the scales up to date with the series in w, which `step` has taken.
void lia_step_scales(const LiaWorkspace* w, const LiaStep* step, LiaScales* scales);
/// The step at which the last two terms are below the tolerance; INFINITY where the series end,
/// NAN where they are not numbers.
double lia_step_size(const LiaWorkspace* w, const LiaStep* step, double tolerance,
                     LiaScales* scales);
