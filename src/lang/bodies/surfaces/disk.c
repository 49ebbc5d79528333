// Disk: a thin round plate of radius r, that touches with its rim.
//   support  r (d - a (a.d)) / |d - a (a.d)|       a its axis; lost where it lies flat, d along a
// SPDX-License-Identifier: MIT
#include "lang/bodies/surfaces/surface.h"

static LiaValue support(LiaElaboration* e, const LiaSurface* s, LiaValue d) {
    LiaValue rim = lia_surface_across(e, d, s->axis);
    return lia_times(e, s->size[0], lia_over(e, rim, lia_surface_length(e, rim)));
}

const LiaSurfaceWays lia_surface_disk = {.support = support};
