// Sphere of radius r.
//   support  r d      distance  |u| - r
// SPDX-License-Identifier: MIT
#include "lang/bodies/surfaces/surface.h"

static LiaValue support(LiaElaboration* e, const LiaSurface* s, LiaValue d) {
    return lia_times(e, s->size[0], d);
}

static LiaValue distance(LiaElaboration* e, const LiaSurface* s, LiaValue u, LiaValue* gradient) {
    LiaValue length = lia_surface_length(e, u);
    *gradient = lia_over(e, u, length);
    return lia_minus(e, length, s->size[0]);
}

const LiaSurfaceWays lia_surface_sphere = {
    .support = support, .distance = distance, .implicit = distance};
