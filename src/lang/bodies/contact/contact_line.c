// Contacts along a line.
//
//   cylinder on plane      N.(X - Y) = r and a.N = 0                          4 parameters
//   cone on plane          its tip in the plane, a.N = sin(alpha)             4 parameters
//   cylinder on cylinder   axes parallel, at the distance r + R (R - r inside)   3 parameters
//   cone on cone           a common line g and tangent plane                  3 parameters
//   cylinder on cone       the same                                           3 parameters
// Rolling without slipping leaves the turn about the line alone: 1 parameter. Cones roll on each
// other with their tips together; a cylinder cannot roll on a cone.
// SPDX-License-Identifier: MIT
#include "lang/bodies/contact/contact.h"

bool lia_contact_line_on_plane(LiaElaboration* e, LiaContact* c) {
    const LiaSurface *A = &c->A, *plane = &c->B;
    LiaValue N = lia_surface_outward(e, plane, plane->axis);
    LiaValue axis = lia_surface_outward(e, A, A->axis);
    LiaValue height = lia_dot(e, N, lia_minus(e, A->centre, plane->centre));
    LiaValue slope = lia_dot(e, N, axis);
    c->normal = N;
    c->line = c->bent = true;
    c->align_count = 1;
    c->couples[0] = lia_cross(e, N, axis);  // axis.(theta_B x N)
    if (A->kind == LIA_SURFACE_CYLINDER) {
        c->gap = lia_minus(e, height, A->size[0]);
        c->place = lia_minus(e, A->centre, lia_times(e, A->size[0], N));
        c->aligns[0] = slope;
    } else {
        c->gap = height;
        c->place = A->centre;
        c->aligns[0] = lia_minus(e, slope, lia_surface_call(e, LIA_OP_SIN, A->size[0]));
    }
    return true;
}

// Two vectors across the axis of B, constant in its body axes.
static void across_axis(LiaElaboration* e, const LiaSurface* B, LiaValue* t) {
    double n[3] = {0.0, 0.0, 1.0};
    lia_rotation_numbers(&e->work, &B->axis, n);
    uint32_t least = 0;
    for (uint32_t i = 1; i < 3; i++) {
        least = n[i] * n[i] < n[least] * n[least] ? i : least;
    }
    LiaExpr* parts = lia_value_components(&e->work, 3);
    for (uint32_t i = 0; i < 3; i++) {
        parts[i] = lia_term_whole(&e->work.terms, i == least, B->span);
    }
    LiaValue h = lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_number(), B->span);
    t[0] = lia_surface_across(e, h, B->axis);
    t[0] = lia_over(e, t[0], lia_surface_length(e, t[0]));
    t[1] = lia_cross(e, B->axis, t[0]);
}

bool lia_contact_line_of_cylinders(LiaElaboration* e, LiaContact* c) {
    const LiaSurface *A = &c->A, *B = &c->B;
    LiaValue t[2];
    LiaValue axis = lia_surface_inward(e, B, lia_surface_outward(e, A, A->axis));
    LiaValue u = lia_surface_inward(e, B, lia_minus(e, A->centre, B->centre));
    LiaValue radial = lia_surface_across(e, u, B->axis), length = lia_surface_length(e, radial);
    LiaValue N = lia_surface_outward(e, B, lia_over(e, radial, length));
    across_axis(e, B, t);
    c->line = true;
    c->align_count = 2;
    c->aligns[0] = lia_dot(e, t[0], axis);
    c->aligns[1] = lia_dot(e, t[1], axis);
    for (int i = 0; i < 2; i++) {
        c->couples[i] = lia_surface_outward(e, B, lia_cross(e, t[i], axis));
    }
    c->normal = B->hollow ? lia_negative(e, N) : N;
    LiaValue distance = lia_minus(e, length, B->size[0]);
    c->gap = lia_minus(e, B->hollow ? lia_negative(e, distance) : distance, A->size[0]);
    c->place = lia_minus(e, A->centre, lia_times(e, A->size[0], c->normal));
    return true;
}

// What a multiplier of phi does to B at the place P, where phi hangs on the centre X and the axis x
// of B:
//   F = d(phi)/dX,   C = x x d(phi)/dx - (P - X) x F
static LiaValue couple_at(LiaElaboration* e, const LiaContact* c, LiaValue axis, LiaValue by_axis,
                          LiaValue F) {
    LiaValue arm = lia_minus(e, c->place, c->B.centre);
    return lia_minus(e, lia_cross(e, axis, by_axis), lia_cross(e, arm, F));
}

static LiaValue sine_of(LiaElaboration* e, LiaValue angle) {
    return lia_surface_call(e, LIA_OP_SIN, angle);
}

static LiaValue cosine_of(LiaElaboration* e, LiaValue angle) {
    return lia_surface_call(e, LIA_OP_COS, angle);
}

// a = cos(alpha) g + sin(alpha) N,   b = cos(beta) g - sin(beta) N,   beta < 0 where B is hollow:
//   N = (cos(beta) a - cos(alpha) b)/S,   g x N = b x a/S,   S = sin(alpha + beta)
//   D.N = 0,  D.(a x b)/S = 0,  a.b = cos(alpha + beta),     D from the tip of B to that of A
bool lia_contact_line_of_cones(LiaElaboration* e, LiaContact* c) {
    const LiaSurface *A = &c->A, *B = &c->B;
    LiaValue a = lia_surface_outward(e, A, A->axis), b = lia_surface_outward(e, B, B->axis);
    LiaValue alpha = A->size[0], beta = B->hollow ? lia_negative(e, B->size[0]) : B->size[0];
    LiaValue D = lia_minus(e, A->centre, B->centre);
    LiaValue both = lia_plus(e, alpha, beta), S = sine_of(e, both);
    LiaValue across = lia_over(e, lia_cross(e, a, b), S);
    c->normal = lia_over(
        e, lia_minus(e, lia_times(e, cosine_of(e, beta), a), lia_times(e, cosine_of(e, alpha), b)),
        S);
    c->line = c->bent = true;
    c->tips = D;
    c->place = A->centre;
    c->gap = lia_dot(e, D, c->normal);
    LiaValue by_b = lia_negative(e, lia_times(e, lia_over(e, cosine_of(e, alpha), S), D));
    c->gap_couple = couple_at(e, c, b, by_b, lia_negative(e, c->normal));
    c->align_count = 2;
    c->aligns[0] = lia_minus(e, lia_dot(e, a, b), cosine_of(e, both));
    c->couples[0] = lia_cross(e, b, a);
    c->aligns[1] = lia_dot(e, D, across);
    c->pulls[1] = lia_negative(e, across);
    c->couples[1] = couple_at(e, c, b, lia_over(e, lia_cross(e, D, a), S), c->pulls[1]);
    return true;
}

// a the axis of the cylinder, along the line; b that of the cone, D from the tip of the cone to the
// centre of the cylinder:
//   n = ((a.b) a - b)/sin(beta)      out of the cone, along the line
//   D.n = k r,  D.(a x b)/sin(beta) = 0,  (a.b)^2 = cos(beta)^2,     k = 1, -1 where one of them is
//                                                                    hollow
bool lia_contact_line_of_cylinder_and_cone(LiaElaboration* e, LiaContact* c) {
    bool first = c->A.kind == LIA_SURFACE_CYLINDER;
    const LiaSurface *cylinder = first ? &c->A : &c->B, *cone = first ? &c->B : &c->A;
    LiaValue a = lia_surface_outward(e, cylinder, cylinder->axis);
    LiaValue b = lia_surface_outward(e, cone, cone->axis);
    LiaValue r = c->B.hollow ? lia_negative(e, cylinder->size[0]) : cylinder->size[0];
    LiaValue sine = sine_of(e, cone->size[0]), cosine = cosine_of(e, cone->size[0]);
    LiaValue D = lia_minus(e, cylinder->centre, cone->centre);
    LiaValue ab = lia_dot(e, a, b), aD = lia_dot(e, a, D);
    LiaValue n = lia_over(e, lia_minus(e, lia_times(e, ab, a), b), sine);
    LiaValue across = lia_over(e, lia_cross(e, a, b), sine);
    LiaValue x = first ? b : a;  // the axis of B
    LiaValue by_n, by_across, by_ab = first ? a : b;
    if (first) {
        by_n = lia_minus(e, lia_times(e, aD, a), D);
        by_across = lia_cross(e, D, a);
    } else {
        by_n = lia_plus(e, lia_times(e, ab, D), lia_times(e, aD, b));
        by_across = lia_cross(e, b, D);
    }
    bool within = cone->hollow;  // then apart is against n
    bool out = first != within;
    c->line = c->slides = true;
    c->normal = out ? n : lia_negative(e, n);
    c->place = lia_minus(e, cylinder->centre, lia_times(e, r, n));
    c->gap = lia_minus(e, lia_dot(e, D, n), r);
    by_n = lia_over(e, by_n, sine);
    if (within) {
        c->gap = lia_negative(e, c->gap);
        by_n = lia_negative(e, by_n);
    }
    c->gap_couple = couple_at(e, c, x, by_n, lia_negative(e, c->normal));
    c->align_count = 2;
    c->aligns[0] = lia_minus(e, lia_times(e, ab, ab), lia_times(e, cosine, cosine));
    c->couples[0] =
        lia_times(e, lia_times(e, lia_surface_whole(2, c->A.span), ab), lia_cross(e, x, by_ab));
    c->aligns[1] = lia_dot(e, D, across);
    c->pulls[1] = first ? lia_negative(e, across) : across;
    c->couples[1] = couple_at(e, c, x, lia_over(e, by_across, sine), c->pulls[1]);
    return true;
}
