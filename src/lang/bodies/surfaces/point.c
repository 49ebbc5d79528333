// Point of a body, a sphere without extent.
//   support  0
// SPDX-License-Identifier: MIT
#include "lang/bodies/surfaces/surface.h"

static LiaValue support(LiaElaboration* e, const LiaSurface* s, LiaValue d) {
    (void)s;
    return lia_times(e, lia_surface_whole(0, d.span), d);
}

const LiaSurfaceWays lia_surface_point = {.support = support};
