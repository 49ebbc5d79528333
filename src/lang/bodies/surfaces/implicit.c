// Surface given by an equation f(x, y, z) = 0 in body axes, f negative inside.
// SPDX-License-Identifier: MIT
#include "lang/bodies/surfaces/surface.h"

static LiaValue implicit(LiaElaboration* e, const LiaSurface* s, LiaValue u, LiaValue* gradient) {
    bool turned = s->turn.kind == LIA_VALUE_NUMBER;
    LiaValue own = turned ? lia_surface_turned_back(e, s->turn, u) : u;
    LiaValue value = lia_surface_function(e, s, own, gradient);
    if (turned) {
        *gradient = lia_times(e, s->turn, *gradient);
    }
    return value;
}

const LiaSurfaceWays lia_surface_surface = {.implicit = implicit};
