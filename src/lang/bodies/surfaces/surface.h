// Surfaces of bodies, for contacts: what the files of the shapes share.
//
// A shape is rigid and fixed to its body. Its formulas are written in body axes, from its centre: u
// is a place, d a unit vector. A shape knows one or more of
//   support    the outermost point in the direction d            convex shapes
//   distance   the signed distance of u and its gradient         where it has a closed form
//   implicit   f(u), negative inside, and its gradient           all smooth ones
// and contact.c finds from that where two of them touch.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/elaborate/elaborate.h"

typedef struct LiaSurface {
    LiaSurfaceKind kind;
    bool hollow;                  // inside(SHAPE): the other body is within
    uint32_t body;                // member; 0: the ground
    LiaValue position, attitude;  // of the body; attitude POISON: a point, which does not turn
    LiaValue at;                  // its centre in body axes
    LiaValue centre;              // and in space axes
    LiaValue axis;                // unit vector in body axes: of revolution, or normal to the plane
    LiaValue turn;                // how it is turned in body axes; POISON: not
    LiaValue size[2];             // radius, height; half angle, height; semi-axes; POISON: not said
    const LiaStatement* function;
    LiaSpan span;
} LiaSurface;

typedef struct LiaSurfaceWays {
    LiaValue (*support)(LiaElaboration* e, const LiaSurface* s, LiaValue d);
    LiaValue (*distance)(LiaElaboration* e, const LiaSurface* s, LiaValue u, LiaValue* gradient);
    LiaValue (*implicit)(LiaElaboration* e, const LiaSurface* s, LiaValue u, LiaValue* gradient);
} LiaSurfaceWays;

#define LIA_SURFACE(id, word, clauses, argument, use)                                              \
    extern const LiaSurfaceWays lia_surface_##word;
#include "lang/bodies/surfaces/surfaces.def"
#undef LIA_SURFACE

const LiaSurfaceWays* lia_surface_ways(const LiaSurface* s);
const char* lia_surface_read_word(LiaSurfaceKind kind);

/// What a shape of the text is: its body, size and place. False with an error said. `turning`: the
/// body must have an attitude even where the shape alone does not need one.
bool lia_surface_elaborate(LiaElaboration* e, const LiaSurfaceSyntax* syntax, uint32_t bindings,
                           bool turning, LiaSurface* out);

/// Enter a shape into the list of the model, for pictures, unless it stands there already.
void lia_surface_list(LiaElaboration* e, const LiaSurface* s);

/// From space axes to body axes and back; of a body that does not turn, the same.
LiaValue lia_surface_inward(LiaElaboration* e, const LiaSurface* s, LiaValue v);
LiaValue lia_surface_outward(LiaElaboration* e, const LiaSurface* s, LiaValue v);

/// The function of a shape at u, and its gradient.
LiaValue lia_surface_function(LiaElaboration* e, const LiaSurface* s, LiaValue u,
                              LiaValue* gradient);

// --- algebra of values, as one writes it

static inline LiaValue lia_plus(LiaElaboration* e, LiaValue a, LiaValue b) {
    return lia_value_add(&e->work, &a, &b, 1, a.span);
}
static inline LiaValue lia_minus(LiaElaboration* e, LiaValue a, LiaValue b) {
    return lia_value_add(&e->work, &a, &b, -1, a.span);
}
static inline LiaValue lia_times(LiaElaboration* e, LiaValue a, LiaValue b) {
    return lia_value_multiply(&e->work, &a, &b, a.span);
}
static inline LiaValue lia_over(LiaElaboration* e, LiaValue a, LiaValue b) {
    return lia_value_divide(&e->work, &a, &b, a.span);
}
static inline LiaValue lia_dot(LiaElaboration* e, LiaValue a, LiaValue b) {
    return lia_calls_dot(&e->work, &a, &b, a.span);
}
static inline LiaValue lia_cross(LiaElaboration* e, LiaValue a, LiaValue b) {
    return lia_calls_cross(&e->work, &a, &b, a.span);
}
static inline LiaValue lia_negative(LiaElaboration* e, LiaValue a) {
    return lia_value_negate(&e->work, &a, a.span);
}
/// A plain number.
LiaValue lia_surface_whole(int64_t n, LiaSpan span);
/// sin, cos, sqrt of a scalar.
LiaValue lia_surface_call(LiaElaboration* e, LiaOp function, LiaValue a);
/// |v|, which must not vanish.
LiaValue lia_surface_length(LiaElaboration* e, LiaValue v);
/// The part of v across the unit vector n.
LiaValue lia_surface_across(LiaElaboration* e, LiaValue v, LiaValue n);
/// A^T v.
LiaValue lia_surface_turned_back(LiaElaboration* e, LiaValue A, LiaValue v);
