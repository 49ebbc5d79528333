// Surfaces for pictures: shapes that joints name, and the surfaces that constraints keep a point
// on.
//
// Spheres, boxes and the like are drawn as they are (guess.c). Here are those of which only a part
// can be seen, planes and cones as far as the motion touches them, and those given by functions:
// f(x, y, z) = 0 as numbers on a grid, from which the page makes a mesh, support functions as
// points over the sphere of their normals.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/page/scene.h"

/// Add what the model says of surfaces. With `draw` lines these are the ones that `draw` has no
/// word for.
void lia_surface_add(LiaScene* scene);
