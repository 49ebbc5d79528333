// States on the other sides of corners (abs, min, max, if): what is said of a system must hold on
// all of them.
//
// A corner is a root of a function d of the state, the argument of abs or the difference that is
// compared. Where too few of the states are on one of its sides, one is looked for along the
// gradient of d, and others around it.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/admissible.h"
#include "geometry/geometry.h"

/// Add states until `most` of them are on each side of each corner, where there are any; the first
/// stays the first. `beyond` and `corners` of the samples are then known. Memory from the arena;
/// false if it is out.
bool lia_sides_add(LiaGeometry* geometry, LiaAdmissible* z, LiaArena* arena, LiaAround around,
                   uint32_t most, LiaSamples* samples);
