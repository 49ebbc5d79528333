// Convex surface given by its support function h(x, y, z) of the unit outward normal: the distance
// of the tangent plane from the centre. The point is the gradient of |d| h(d/|d|), which at |d| = 1
// is
//   grad h + (h - d.grad h) d
// whether h was written homogeneous or not.
// SPDX-License-Identifier: MIT
#include "lang/bodies/surfaces/surface.h"

static LiaValue support(LiaElaboration* e, const LiaSurface* s, LiaValue d) {
    LiaValue gradient;
    bool turned = s->turn.kind == LIA_VALUE_NUMBER;
    LiaValue own = turned ? lia_surface_turned_back(e, s->turn, d) : d;
    LiaValue h = lia_surface_function(e, s, own, &gradient);
    LiaValue rest = lia_minus(e, h, lia_dot(e, own, gradient));
    LiaValue point = lia_plus(e, gradient, lia_times(e, rest, own));
    return turned ? lia_times(e, s->turn, point) : point;
}

const LiaSurfaceWays lia_surface_support = {.support = support};
