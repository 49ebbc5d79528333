// Cylinder of revolution, radius r, its axis a through the centre; contacts are with its mantle.
//   distance  |u - a (a.u)| - r
// SPDX-License-Identifier: MIT
#include "lang/bodies/surfaces/surface.h"

static LiaValue distance(LiaElaboration* e, const LiaSurface* s, LiaValue u, LiaValue* gradient) {
    LiaValue radial = lia_surface_across(e, u, s->axis), length = lia_surface_length(e, radial);
    *gradient = lia_over(e, radial, length);
    return lia_minus(e, length, s->size[0]);
}

const LiaSurfaceWays lia_surface_cylinder = {.distance = distance, .implicit = distance};
