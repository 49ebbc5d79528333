// Ellipsoid with the semi-axes a, b, c, D = diag(a, b, c).
//   support  D^2 d / sqrt(d.D^2 d)   implicit  (u.D^-2 u - 1)/2
// SPDX-License-Identifier: MIT
#include "lang/bodies/surfaces/surface.h"

// D^2 v, or D^-2 v.
static LiaValue scaled(LiaElaboration* e, const LiaSurface* s, LiaValue v, bool inverse) {
    bool turned = s->turn.kind == LIA_VALUE_NUMBER;
    LiaValue own = turned ? lia_surface_turned_back(e, s->turn, v) : v, parts[3];
    for (uint32_t i = 0; i < 3; i++) {
        LiaValue a = lia_components_part(&e->work, &s->size[0], i);
        LiaValue square = lia_times(e, a, a), x = lia_components_part(&e->work, &own, i);
        parts[i] = inverse ? lia_over(e, x, square) : lia_times(e, square, x);
    }
    own = lia_components_vector(&e->work, parts, 3, v.span);
    return turned ? lia_times(e, s->turn, own) : own;
}

static LiaValue support(LiaElaboration* e, const LiaSurface* s, LiaValue d) {
    LiaValue square = scaled(e, s, d, false);
    return lia_over(e, square, lia_surface_call(e, LIA_OP_SQRT, lia_dot(e, d, square)));
}

static LiaValue implicit(LiaElaboration* e, const LiaSurface* s, LiaValue u, LiaValue* gradient) {
    *gradient = scaled(e, s, u, true);
    LiaValue square = lia_dot(e, u, *gradient);
    LiaValue miss = lia_minus(e, square, lia_surface_whole(1, u.span));
    return lia_over(e, miss, lia_surface_whole(2, u.span));
}

const LiaSurfaceWays lia_surface_ellipsoid = {.support = support, .implicit = implicit};
