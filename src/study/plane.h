// Which plane a field picture is drawn in: the coordinates, and how much of it is looked at.
//
// Each function says whether there is such a picture at all, and else why not. What is given stays
// as it is, what is not given is chosen from the model.
// SPDX-License-Identifier: MIT
#pragma once
#include "study/portrait.h"

/// Two coordinates for the constraint distribution: of the first `plot x, y`; else, where equations
/// about velocities are left that are nobody's will, the first two in whose plane they leave a line
/// along most of the run.
bool lia_plane_distribution(const LiaTrajectory* run, uint32_t* x, uint32_t* y, LiaText* why);
/// Does the distribution have a line anywhere along the run in the plane (x, y)?
bool lia_plane_has_lines(const LiaTrajectory* run, uint32_t x, uint32_t y, LiaText* why);
/// A third coordinate, in whose space with the two the constraints leave planes along most of the
/// run; none that an operator drives. UINT32_MAX: none.
uint32_t lia_plane_third(const LiaTrajectory* run, uint32_t x, uint32_t y);
/// Are there equations about velocities that are no operator's? Without them the path itself is all
/// that a distribution shows.
bool lia_plane_is_rolling(const LiaSystem* system);
/// The coordinate of a phase portrait.
bool lia_plane_portrait(const LiaTrajectory* run, uint32_t* coordinate, LiaText* why);
/// The two coordinates of a curvature, the first that operators drive, and whose curvature it is.
bool lia_plane_curvature(const LiaTrajectory* run, uint32_t* a, uint32_t* b, uint32_t* component,
                         LiaText* why);
/// Whose curvature over a and b: chosen where *component is UINT32_MAX.
bool lia_plane_component(const LiaTrajectory* run, uint32_t a, uint32_t b, uint32_t* component,
                         LiaText* why);

/// Room around the run: an angle is seen once round, what lies on a line half as far again.
LiaBox lia_plane_around_portrait(const LiaTrajectory* run, uint32_t coordinate, LiaBox path);
/// Room around the loop of the operators.
LiaBox lia_plane_around_curvature(LiaBox path);
