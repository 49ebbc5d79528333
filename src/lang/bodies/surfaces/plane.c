// Plane: at a place of its body, with a normal out of it.
//   distance   n.u
// SPDX-License-Identifier: MIT
#include "lang/bodies/surfaces/surface.h"

static LiaValue distance(LiaElaboration* e, const LiaSurface* s, LiaValue u, LiaValue* gradient) {
    *gradient = s->axis;
    return lia_dot(e, s->axis, u);
}

const LiaSurfaceWays lia_surface_plane = {.distance = distance, .implicit = distance};
