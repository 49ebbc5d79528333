// contact NAME: SHAPE on SHAPE: shapes that may part, and slide with friction.
//
//   a ball or point    on a plane, a sphere, a cylinder without ends, or inside of the last two;
//                      a point on an ellipsoid or a surface, too
//   an ellipsoid, a disk, a support    on a plane, with the point that is nearest
//   a box              on a plane, with its eight corners
//
// The gap is the signed distance, as in joints of shapes. The slip is the velocity of the material
// point of A against that of B, along two unit vectors across the normal; rolling is the angular
// velocity of A against B along the same vectors, pivoting that along the normal:
//
//   plane      t1 fixed to it                              t2 = N x t1
//   cylinder   t1 along its axis
//   others     t1 = R b, R the shortest turn of a to N; a, b fixed in space. At N = -a there is
//              none; a is no direction that models are built along
// SPDX-License-Identifier: MIT
#include "lang/bodies/contact/contact.h"
#include "lang/bodies/rotation.h"
#include <math.h>

static bool is_plane(const LiaSurface* s) { return s->kind == LIA_SURFACE_PLANE; }
static bool is_box(const LiaSurface* s) { return s->kind == LIA_SURFACE_BOX; }
static bool is_ball(const LiaSurface* s) {
    return !s->hollow && (s->kind == LIA_SURFACE_SPHERE || s->kind == LIA_SURFACE_POINT);
}

// --- which pairs there are

// A ball or point on `other`.
static bool takes_ball(const LiaSurface* ball, const LiaSurface* other) {
    switch (other->kind) {
    case LIA_SURFACE_PLANE:
    case LIA_SURFACE_SPHERE:
        return true;
    case LIA_SURFACE_POINT:
        return ball->kind == LIA_SURFACE_SPHERE;
    case LIA_SURFACE_CYLINDER:
        return other->size[1].kind != LIA_VALUE_NUMBER;  // no ends
    case LIA_SURFACE_ELLIPSOID:
    case LIA_SURFACE_LEVEL:
        return ball->kind == LIA_SURFACE_POINT;
    default:
        return false;
    }
}

// A shape that a plane touches at one point.
static bool is_smooth(const LiaSurface* s) {
    return !s->hollow && (s->kind == LIA_SURFACE_ELLIPSOID || s->kind == LIA_SURFACE_DISK ||
                          s->kind == LIA_SURFACE_SUPPORT);
}

static bool is_pair(const LiaSurface* A, const LiaSurface* B) {
    if (is_plane(B) && !B->hollow && is_box(A)) return !A->hollow;
    if (is_plane(B) && is_smooth(A)) return true;
    return is_ball(A) && takes_ball(A, B);
}

static const char* said(const LiaSurface* s) {
    bool ends = s->kind == LIA_SURFACE_CYLINDER && s->size[1].kind == LIA_VALUE_NUMBER;
    return ends ? " with ends" : "";
}

static bool check_pair(LiaElaboration* e, const LiaContact* c, LiaSpan span) {
    const LiaSurface *A = &c->A, *B = &c->B;
    if (is_pair(A, B) || is_pair(B, A)) return true;
    LiaDiags* diags = e->context->diags;
    lia_diag_error(diags, span, "E0288",
                   "a %s%s%s and a %s%s%s: where they touch and part is not known here",
                   A->hollow ? "hollow " : "", lia_surface_read_word(A->kind), said(A),
                   B->hollow ? "hollow " : "", lia_surface_read_word(B->kind), said(B));
    if (is_box(A) || is_box(B))
        lia_diag_help(diags, "a box touches planes. A face of a box is itself a plane, without "
                             "edges: 'plane(BODY at [0, 0, c/2] normal [0, 0, 1])'");
    else
        lia_diag_help(diags, "there are: a sphere or point on a plane, on or inside of a sphere or "
                             "a cylinder without ends; a point on an ellipsoid or surface; an "
                             "ellipsoid, disk or support on a plane; a box on a plane");
    return false;
}

// A box: its place is its centre, of the gaps there are eight.
static bool find_box(LiaElaboration* e, LiaContact* c, LiaSpan span) {
    const LiaSurface* box = is_box(&c->A) ? &c->A : &c->B;
    const LiaSurface* plane = is_box(&c->A) ? &c->B : &c->A;
    LiaValue N = lia_surface_outward(e, plane, plane->axis);
    c->normal = plane == &c->B ? N : lia_negative(e, N);
    c->place = box->centre;
    c->gap = c->slip = c->turn = c->gap_couple = c->tips = lia_value_poison(span);
    c->normal.span = c->place.span = span;
    return c->normal.kind == LIA_VALUE_NUMBER && c->place.kind == LIA_VALUE_NUMBER;
}

bool lia_contact_one_way_find(LiaElaboration* e, LiaContact* c, const char* name, LiaSpan span) {
    if (!check_pair(e, c, span)) return false;
    if (is_box(&c->A) || is_box(&c->B)) return find_box(e, c, span);
    return lia_contact_find(e, c, name, span);
}

// --- tangents

static LiaValue vector_of(LiaElaboration* e, const int* numbers, int over, LiaSpan span) {
    LiaExpr* parts = lia_value_components(&e->work, 3);
    for (int i = 0; i < 3; i++) parts[i] = lia_term_whole(&e->work.terms, numbers[i], span);
    LiaValue v = lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_number(), span);
    return over == 1 ? v : lia_over(e, v, lia_surface_whole(over, span));
}

// In body axes: the axis of the body that is most across the normal, and what is across of it.
static LiaValue along_plane(LiaElaboration* e, const LiaSurface* plane) {
    double n[3] = {0.0, 0.0, 1.0};
    int unit[3] = {0, 0, 0}, least = 0;
    lia_rotation_numbers(&e->work, &plane->axis, n);
    for (int i = 1; i < 3; i++) {
        if (fabs(n[i]) < fabs(n[least])) least = i;
    }
    unit[least] = 1;
    LiaValue t = vector_of(e, unit, 1, plane->span);
    if (n[least] == 0.0) return t;
    t = lia_surface_across(e, t, plane->axis);
    return lia_over(e, t, lia_surface_length(e, t));
}

// b - (N.b)/(1 + a.N) (a + N), of two unit vectors a, b across each other
static LiaValue along_any(LiaElaboration* e, LiaValue N) {
    static const int a_numbers[3] = {11, -16, 8}, b_numbers[3] = {16, 13, 4};
    enum { LENGTH = 21 };  // of both
    LiaValue a = vector_of(e, a_numbers, LENGTH, N.span);
    LiaValue b = vector_of(e, b_numbers, LENGTH, N.span);
    LiaValue one = lia_surface_whole(1, N.span);
    LiaValue part = lia_over(e, lia_dot(e, N, b), lia_plus(e, one, lia_dot(e, a, N)));
    return lia_minus(e, b, lia_times(e, part, lia_plus(e, a, N)));
}

static void find_tangents(LiaElaboration* e, const LiaContact* c, LiaValue* t) {
    const LiaSurface* sides[2] = {&c->A, &c->B};
    const LiaSurface* guide = NULL;  // the side that has a direction of its own
    for (int i = 0; i < 2; i++) {
        if (is_plane(sides[i]) || sides[i]->kind == LIA_SURFACE_CYLINDER) guide = sides[i];
    }
    if (!guide) {
        t[0] = along_any(e, c->normal);
    } else {
        LiaValue own = is_plane(guide) ? along_plane(e, guide) : guide->axis;
        t[0] = lia_surface_outward(e, guide, own);
    }
    t[0].unit = lia_unit_number();
    t[1] = lia_cross(e, c->normal, t[0]);
    t[1].unit = lia_unit_number();
}

// --- where they may touch

// Corner `i` of a box, in space axes; the bits of i are its sides.
static LiaValue corner_of(LiaElaboration* e, const LiaSurface* box, uint32_t i) {
    LiaExpr* parts = lia_value_components(&e->work, 3);
    LiaValue two = lia_surface_whole(2, box->span);
    LiaValue half = lia_over(e, box->size[0], two), minus = lia_negative(e, half);
    for (uint32_t k = 0; k < 3; k++)
        parts[k] = lia_value_at(&e->work, (i >> k & 1) ? &half : &minus, k);
    LiaValue u = lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, half.unit, box->span);
    if (box->turn.kind == LIA_VALUE_NUMBER) u = lia_times(e, box->turn, u);
    return lia_plus(e, box->centre, lia_surface_outward(e, box, u));
}

static void find_slip(LiaElaboration* e, const LiaContact* c, const LiaValue* t,
                      LiaContactSpot* spot) {
    LiaValue V = lia_minus(e, lia_contact_velocity(e, &c->A, spot->place),
                           lia_contact_velocity(e, &c->B, spot->place));
    for (int k = 0; k < 2; k++) {
        spot->tangent[k] = t[k];
        spot->slip[k] = lia_dot(e, t[k], V);
    }
}

static LiaValue spin_of(LiaElaboration* e, const LiaSurface* s) {
    static const int still[3] = {0, 0, 0};
    if (s->attitude.kind != LIA_VALUE_NUMBER) {
        LiaValue none = vector_of(e, still, 1, s->span);
        none.unit = lia_unit_unknown();
        return none;
    }
    return lia_rotation_omega(&e->work, &s->attitude, false, s->span);
}

static void find_turns(LiaElaboration* e, const LiaContact* c, const LiaValue* t,
                       LiaContactSpot* spot) {
    LiaValue turn = lia_minus(e, spin_of(e, &c->A), spin_of(e, &c->B));
    for (int k = 0; k < 2; k++) spot->roll[k] = lia_dot(e, t[k], turn);
    spot->pivot = lia_dot(e, c->normal, turn);
}

uint32_t lia_contact_one_way_spots(LiaElaboration* e, const LiaContact* c, bool rubs,
                                   LiaContactSpot* out) {
    bool corners = is_box(&c->A) || is_box(&c->B);
    const LiaSurface* box = is_box(&c->A) ? &c->A : &c->B;
    const LiaSurface* plane = is_box(&c->A) ? &c->B : &c->A;
    uint32_t count = corners ? LIA_CONTACT_SPOTS : 1;
    LiaValue t[2], N = lia_surface_outward(e, plane, plane->axis);
    if (rubs) find_tangents(e, c, t);
    for (uint32_t i = 0; i < count; i++) {
        out[i] = (LiaContactSpot){.gap = c->gap, .place = c->place};
        if (corners) {
            out[i].place = corner_of(e, box, i);
            out[i].gap = lia_dot(e, N, lia_minus(e, out[i].place, plane->centre));
        }
        if (!rubs) continue;
        find_slip(e, c, t, &out[i]);
        find_turns(e, c, t, &out[i]);
    }
    return count;
}
