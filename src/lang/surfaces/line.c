// Contacts along a line.
//
//   cylinder on plane      N.(X - Y) = r and a.N = 0                          4 parameters
//   cone on plane          its tip in the plane, a.N = sin(alpha)             4 parameters
//   cylinder on cylinder   axes parallel, at the distance r + R (R - r inside)   3 parameters
// Rolling without slipping leaves the turn about the line alone: 1 parameter.
// SPDX-License-Identifier: MIT
#include "contact.h"

bool lia_line_on_plane(LiaElaboration* e, LiaContact* c) {
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
        c->aligns[0] = lia_minus(e, slope, lia_call(e, LIA_FUNCTION_SIN, A->size[0]));
    }
    return true;
}

// Two vectors across the axis of B, constant in its body axes.
static void across_axis(LiaElaboration* e, const LiaSurface* B, LiaValue* t) {
    double n[3] = {0.0, 0.0, 1.0};
    lia_value_numbers(&e->work, &B->axis, n);
    uint32_t least = 0;
    for (uint32_t i = 1; i < 3; i++) {
        least = n[i] * n[i] < n[least] * n[least] ? i : least;
    }
    LiaTermId* parts = lia_value_components(&e->work, 3);
    for (uint32_t i = 0; i < 3; i++) {
        parts[i] = lia_terms_whole(&e->work.terms, i == least, B->span);
    }
    LiaValue h = lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_number(), B->span);
    t[0] = lia_across(e, h, B->axis);
    t[0] = lia_over(e, t[0], lia_length(e, t[0]));
    t[1] = lia_cross(e, B->axis, t[0]);
}

bool lia_line_of_cylinders(LiaElaboration* e, LiaContact* c) {
    const LiaSurface *A = &c->A, *B = &c->B;
    LiaValue t[2];
    LiaValue axis = lia_surface_inward(e, B, lia_surface_outward(e, A, A->axis));
    LiaValue u = lia_surface_inward(e, B, lia_minus(e, A->centre, B->centre));
    LiaValue radial = lia_across(e, u, B->axis), length = lia_length(e, radial);
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
