// States that motions from the start reach.
//
// Where the equations depend on each other at the start and along every motion from it, but not at
// admissible positions around it, those positions are no part of where the motion lives: on them
// more velocities are excluded, or none is left.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/admissible.h"

/// Rank of all equations for the velocities at the state in the workspace. -1 if memory is out.
int lia_reached_rank(LiaAdmissible* z);
/// Put `most` states into `out`, of which the first is the start and stays: pieces of motions, each
/// from where the last one ended, with other admissible velocities. They are taken if the rank is
/// that of the start at all of them; else `out` is as it was. False if memory is out.
bool lia_reached_make(LiaAdmissible* z, double t1, uint32_t most, LiaSamples* out);
