// The curvature of the kinetic connection on a grid of two driven coordinates: numbers of a height
// map.
//
// All other coordinates stand where the run began; where the connection has the symmetry of what
// they are (a cat and its attitude) that does not matter.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/connection/connection.h"
#include "motion/result/trajectory.h"

typedef struct LiaCurvature {
    uint32_t a, b;       // the driven coordinates, across and up
    uint32_t component;  // the coordinate whose F this is
    double a_low, a_high, b_low, b_high;
    size_t across, up;  // nodes
    double* F;          // NaN: not determined                                   (up x across)
    double low, high;   // of F; low > high: there is none
    double seconds;     // how long this may take; 0: as long as it takes
    bool cut;           // the time was over: the rows that are left are not there
} LiaCurvature;

/// Is there a connection over these two? Else the reason is added to `why`.
bool lia_curvature_possible(const LiaTrajectory* run, uint32_t a, uint32_t b, LiaText* why);
/// The coordinate to look at: an angle where the curvature of one is not 0 around the run, else the
/// one where it is largest. UINT32_MAX: it is 0 in all of them, or memory is out.
uint32_t lia_curvature_component(const LiaTrajectory* run, uint32_t a, uint32_t b);
/// Fill F; everything above it is given. False if memory is out. Release with
/// lia_curvature_clear().
bool lia_curvature_make(const LiaTrajectory* run, LiaCurvature* map);
void lia_curvature_clear(LiaCurvature* map);
/// Minus the integral of F over what the run goes round in a and b: what its loop leaves behind.
/// NAN where the run is no loop of these two, turns of angles included, the connection depends on
/// the others, or the integral is not determined.
double lia_curvature_inside(const LiaTrajectory* run, const LiaCurvature* map);
