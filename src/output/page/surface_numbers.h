// A surface as numbers: a function on a grid, or points over the sphere of normals.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/page/surface_seen.h"

/// f on a grid over the region, kept as JSON in the item. False if memory is out, or
/// if the region is a point or has no end.
bool lia_surface_numbers_grid(LiaSurfaceFunction* f, const LiaSurfaceRegion* r, LiaSceneItem* item);
/// Points of a convex surface over its normals: round the axis, from one pole to the other.
bool lia_surface_numbers_points(LiaSurfaceFunction* f, LiaSceneItem* item);
