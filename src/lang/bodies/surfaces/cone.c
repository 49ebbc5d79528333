// Cone of revolution: its tip at the centre, opening along its axis a with the half angle alpha.
//   distance  rho cos(alpha) - z sin(alpha),   z = a.u,  rho = |u - a z|
// SPDX-License-Identifier: MIT
#include "lang/bodies/surfaces/surface.h"

static LiaValue distance(LiaElaboration* e, const LiaSurface* s, LiaValue u, LiaValue* gradient) {
    LiaValue c = lia_surface_call(e, LIA_OP_COS, s->size[0]);
    LiaValue sine = lia_surface_call(e, LIA_OP_SIN, s->size[0]);
    LiaValue radial = lia_surface_across(e, u, s->axis), rho = lia_surface_length(e, radial);
    LiaValue out = lia_times(e, c, lia_over(e, radial, rho));
    *gradient = lia_minus(e, out, lia_times(e, sine, s->axis));
    return lia_minus(e, lia_times(e, c, rho), lia_times(e, sine, lia_dot(e, s->axis, u)));
}

const LiaSurfaceWays lia_surface_cone = {.distance = distance, .implicit = distance};
