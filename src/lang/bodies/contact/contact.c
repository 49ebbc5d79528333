// Contacts of two shapes, by what the shapes know (surface.h).
//
//   a ball of radius r and a distance      gap = distance(C) - r,  P = C - r N
//   a support and a plane                  P the outermost point against the normal,
//                                          gap = N.(P - X)
//   a point and an implicit surface        gap = f/|grad f|
//   cylinders, cones, planes               along a line: contact_line.c
//   all others                             contact_point.c
// SPDX-License-Identifier: MIT
#include "lang/bodies/contact/contact.h"
#include "lang/bodies/rotation.h"

static bool is_ball(const LiaSurface* s) {
    return !s->hollow && (s->kind == LIA_SURFACE_SPHERE || s->kind == LIA_SURFACE_POINT);
}

static bool is_ruled(const LiaSurface* s) {
    return s->kind == LIA_SURFACE_CYLINDER || s->kind == LIA_SURFACE_CONE;
}

static bool is_plane(const LiaSurface* s) { return s->kind == LIA_SURFACE_PLANE; }

static LiaValue radius_of(const LiaSurface* s) {
    return s->kind == LIA_SURFACE_POINT ? lia_surface_whole(0, s->span) : s->size[0];
}

// The first shape is a ball, the second one knows its distance; `N` comes out of the second one.
static bool ball_and_distance(LiaElaboration* e, LiaContact* c, const LiaSurface* ball,
                              const LiaSurface* other) {
    LiaValue r = radius_of(ball), gradient;
    LiaValue u = lia_surface_inward(e, other, lia_minus(e, ball->centre, other->centre));
    LiaValue distance = lia_surface_ways(other)->distance(e, other, u, &gradient);
    LiaValue N = lia_surface_outward(e, other, gradient);
    c->normal = other->hollow ? lia_negative(e, N) : N;
    c->gap = lia_minus(e, other->hollow ? lia_negative(e, distance) : distance, r);
    c->place = lia_minus(e, ball->centre, lia_times(e, r, c->normal));
    return true;
}

static bool point_and_implicit(LiaElaboration* e, LiaContact* c, const LiaSurface* point,
                               const LiaSurface* other) {
    LiaValue gradient;
    LiaValue u = lia_surface_inward(e, other, lia_minus(e, point->centre, other->centre));
    LiaValue f = lia_surface_ways(other)->implicit(e, other, u, &gradient);
    LiaValue size = lia_surface_length(e, gradient);
    LiaValue N = lia_surface_outward(e, other, lia_over(e, gradient, size));
    N.unit = lia_unit_number();
    LiaValue gap = lia_over(e, f, size);
    c->normal = other->hollow ? lia_negative(e, N) : N;
    c->gap = other->hollow ? lia_negative(e, gap) : gap;
    c->place = point->centre;
    c->rough = true;
    return true;
}

LiaValue lia_contact_outermost(LiaElaboration* e, const LiaSurface* s, LiaValue d) {
    bool round = s->kind == LIA_SURFACE_SPHERE;  // the same however it is turned
    LiaValue arm = lia_surface_ways(s)->support(e, s, round ? d : lia_surface_inward(e, s, d));
    return lia_plus(e, s->centre, round ? arm : lia_surface_outward(e, s, arm));
}

static bool support_and_plane(LiaElaboration* e, LiaContact* c, const LiaSurface* body,
                              const LiaSurface* plane) {
    c->normal = lia_surface_outward(e, plane, plane->axis);
    c->place = lia_contact_outermost(e, body, lia_negative(e, c->normal));
    c->gap = lia_dot(e, c->normal, lia_minus(e, c->place, plane->centre));
    return true;
}

// --- which of them

static bool say_no_contact(LiaElaboration* e, const LiaContact* c, LiaSpan span, const char* why,
                           const char* help) {
    lia_diag_error(e->context->diags, span, "E0273", "a %s%s and a %s%s: %s",
                   c->A.hollow ? "hollow " : "", lia_surface_read_word(c->A.kind),
                   c->B.hollow ? "hollow " : "", lia_surface_read_word(c->B.kind), why);
    if (help) {
        lia_diag_help(e->context->diags, "%s", help);
    }
    return false;
}

static bool check_kinds(LiaElaboration* e, const LiaContact* c, LiaSpan span) {
    const LiaSurface *A = &c->A, *B = &c->B;
    if (A->kind == LIA_SURFACE_BOX || B->kind == LIA_SURFACE_BOX) {
        return say_no_contact(e, c, span, "a box touches with corners, which do not roll",
                              "hold a corner with 'point(BODY, u)'");
    }
    if (is_plane(A) && is_plane(B)) {
        return say_no_contact(e, c, span, "they touch all over", "write a 'planar' joint");
    }
    if (A->hollow && B->hollow) {
        return say_no_contact(e, c, span, "one of them must be inside of the other", NULL);
    }
    if ((A->hollow && is_plane(B)) || (B->hollow && is_plane(A))) {
        return say_no_contact(e, c, span, "a plane has no room inside of a hollow",
                              "leave 'inside' away");
    }
    if (is_plane(A) ? A->hollow : B->hollow && is_plane(B)) {
        return say_no_contact(e, c, span, "a plane has no inside", "turn its normal round");
    }
    const LiaSurface* hollow = A->hollow ? A : B->hollow ? B : NULL;
    if (hollow && (hollow->kind == LIA_SURFACE_POINT || hollow->kind == LIA_SURFACE_DISK)) {
        return say_no_contact(e, c, span, "nothing fits inside of it", NULL);
    }
    bool point = A->kind == LIA_SURFACE_POINT || B->kind == LIA_SURFACE_POINT;
    if (point && (A->kind == LIA_SURFACE_DISK || B->kind == LIA_SURFACE_DISK)) {
        return say_no_contact(e, c, span, "a point and a rim have no normal",
                              "write an 'on_curve' joint: the point on the rim");
    }
    if (A->kind == LIA_SURFACE_POINT && B->kind == LIA_SURFACE_POINT) {
        return say_no_contact(e, c, span, "two points have no normal", "write a 'spherical' joint");
    }
    return true;
}

static bool is_round(LiaSurfaceKind kind) {
    return kind == LIA_SURFACE_SPHERE || kind == LIA_SURFACE_CYLINDER || kind == LIA_SURFACE_DISK;
}

// What is inside of a round hollow must be smaller than it, a cone inside of a cone more pointed.
static bool check_room(LiaElaboration* e, const LiaContact* c, LiaSpan span) {
    double r, R;
    const LiaSurface* hollow = c->A.hollow ? &c->A : &c->B;
    const LiaSurface* inner = c->A.hollow ? &c->B : &c->A;
    bool cones = hollow->kind == LIA_SURFACE_CONE && inner->kind == LIA_SURFACE_CONE;
    bool round = is_round(hollow->kind) && is_round(inner->kind);
    LiaValue small = radius_of(inner), large = hollow->size[0];
    if (!hollow->hollow || !(round || cones)) {
        return true;
    }
    LiaValue room = lia_value_add(&e->work, &large, &small, -1, span);
    lia_value_decide(&e->work, &room, LIA_DECISION_SIGN);
    if (!lia_value_peek(&e->work, &small, &r) || !lia_value_peek(&e->work, &large, &R) || r < R) {
        return true;
    }
    lia_diag_error(e->context->diags, span, "E0274",
                   "the %s of %s %.6g does not fit into the hollow of %s %.6g",
                   lia_surface_read_word(inner->kind), cones ? "half angle" : "radius", r,
                   cones ? "half angle" : "radius", R);
    lia_diag_help(e->context->diags, "inside(SHAPE) is the larger one");
    return false;
}

static void swap_shapes(LiaContact* c) {
    LiaSurface first = c->A;
    c->A = c->B;
    c->B = first;
}

// Which shape plays which part: the second one is the one that is touched.
static bool is_other_way(const LiaContact* c) {
    const LiaSurface *A = &c->A, *B = &c->B;
    if (A->hollow || B->hollow) {
        return A->hollow;
    }
    if (is_plane(A) || is_plane(B)) {
        return is_plane(A);
    }
    if (is_ball(A) || is_ball(B)) {
        return !is_ball(A);
    }
    return lia_surface_ways(A)->support == NULL && lia_surface_ways(B)->support != NULL;
}

static bool find_way(LiaElaboration* e, LiaContact* c, const char* name) {
    const LiaSurfaceWays *a = lia_surface_ways(&c->A), *b = lia_surface_ways(&c->B);
    if (is_ball(&c->A) && b->distance) {
        return ball_and_distance(e, c, &c->A, &c->B);
    }
    if (c->A.kind == LIA_SURFACE_POINT && b->implicit) {
        return point_and_implicit(e, c, &c->A, &c->B);
    }
    if (is_plane(&c->B)) {
        return is_ruled(&c->A) ? lia_contact_line_on_plane(e, c)
               : a->support    ? support_and_plane(e, c, &c->A, &c->B)
                               : lia_contact_point_on_plane(e, c, name);
    }
    if (is_ruled(&c->A) && is_ruled(&c->B)) {
        if (c->A.kind == LIA_SURFACE_CYLINDER && c->B.kind == LIA_SURFACE_CYLINDER) {
            return lia_contact_line_of_cylinders(e, c);
        }
        bool cones = c->A.kind == LIA_SURFACE_CONE && c->B.kind == LIA_SURFACE_CONE;
        return cones ? lia_contact_line_of_cones(e, c)
                     : lia_contact_line_of_cylinder_and_cone(e, c);
    }
    if (a->support && b->support) {
        return lia_contact_point_of_supports(e, c, name);
    }
    if (a->support) {
        return lia_contact_point_on_implicit(e, c, name);
    }
    return b->implicit ? lia_contact_point_of_implicit(e, c, name)
                       : lia_contact_point_in_support(e, c, name);
}

LiaValue lia_contact_velocity(LiaElaboration* e, const LiaSurface* s, LiaValue P) {
    LiaValue v = lia_value_prime(&e->work, &s->position, s->span);
    if (s->attitude.kind != LIA_VALUE_NUMBER) return v;
    LiaValue omega = lia_rotation_omega(&e->work, &s->attitude, false, s->span);
    return lia_plus(e, v, lia_cross(e, omega, lia_minus(e, P, s->position)));
}

static LiaValue negated(LiaElaboration* e, LiaValue v) {
    return v.kind == LIA_VALUE_NUMBER ? lia_negative(e, v) : v;
}

bool lia_contact_find(LiaElaboration* e, LiaContact* c, const char* name, LiaSpan span) {
    c->slip = c->turn = c->gap_couple = c->tips = lia_value_poison(span);
    for (uint32_t i = 0; i < LIA_CONTACT_ALIGNS; i++) {
        c->pulls[i] = lia_value_poison(span);
    }
    if (!check_kinds(e, c, span) || !check_room(e, c, span)) {
        return false;
    }
    bool swapped = is_other_way(c);
    if (swapped) {
        swap_shapes(c);
    }
    if (!find_way(e, c, name)) {
        return false;
    }
    if (swapped) {
        swap_shapes(c);
        c->normal = lia_negative(e, c->normal);
        for (uint32_t i = 0; i < c->align_count; i++) {
            c->couples[i] = lia_negative(e, c->couples[i]);
            c->pulls[i] = negated(e, c->pulls[i]);
        }
        c->gap_couple = negated(e, c->gap_couple);
        c->tips = negated(e, c->tips);
    }
    lia_contact_ends_find(e, c);
    c->gap.span = c->place.span = c->normal.span = span;
    if (c->gap.kind != LIA_VALUE_NUMBER || c->place.kind != LIA_VALUE_NUMBER ||
        c->normal.kind != LIA_VALUE_NUMBER) {
        return false;
    }
    c->normal.unit = lia_unit_number();
    if (c->A.attitude.kind == LIA_VALUE_NUMBER && c->B.attitude.kind == LIA_VALUE_NUMBER) {
        c->slip = lia_minus(e, lia_contact_velocity(e, &c->A, c->place),
                            lia_contact_velocity(e, &c->B, c->place));
        LiaValue a = lia_rotation_omega(&e->work, &c->A.attitude, false, span);
        LiaValue b = lia_rotation_omega(&e->work, &c->B.attitude, false, span);
        c->turn = lia_minus(e, a, b);
    }
    return true;
}

// --- on demand

static bool check_bodies(LiaElaboration* e, const LiaContact* c, const char* name, LiaSpan span,
                         const char* what) {
    LiaDiags* diags = e->context->diags;
    const LiaValue* parts[] = {&c->A.position, &c->A.attitude, &c->B.position, &c->B.attitude};
    uint16_t has = 0;
    for (int i = 0; i < 4; i++) {
        has |= parts[i]->kind == LIA_VALUE_NUMBER ? lia_value_has(&e->work, parts[i]) : 0;
    }
    if (c->A.body == c->B.body) {
        lia_diag_error(diags, span, "E0253", "both sides of '%s' are on one body", name);
        lia_diag_help(diags, "a %s is between two bodies; 'ground' is a body", what);
        return false;
    }
    if (!(has & LIA_DEPENDS(POSITION))) {
        lia_diag_error(diags, span, "E0254",
                       "both bodies of '%s' move as it is prescribed: a %s holds nothing there",
                       name, what);
        lia_diag_help(diags, "make one of them 'free', or give it a position with coordinates");
        return false;
    }
    return true;
}

static void say_circle(LiaElaboration* e, uint32_t id, LiaSpan span) {
    lia_diag_error(e->context->diags, span, "E0123",
                   "'%s' is defined by itself: where it is hangs on a body that hangs on it",
                   lia_scope_name(e, id));
}

const LiaContact* lia_contact_of(LiaElaboration* e, uint32_t id, LiaSpan span) {
    enum { DEEPEST = 64 };
    LiaMember* member = &e->members.items[id];
    if (member->state == LIA_WORKED_OUT) {
        return e->contacts.items[member->group];
    }
    if (member->state == LIA_IN_PROGRESS || e->contact_depth >= DEEPEST) {
        say_circle(e, id, span);
        return NULL;
    }
    member->state = LIA_IN_PROGRESS;
    const LiaDeclaration d = e->declarations.items[member->declaration];
    const LiaJointSyntax* syntax = d.statement->joint;
    const char* name = lia_scope_name(e, id);
    LiaSpan whole = {syntax->kind_span.begin, d.statement->span.end};
    LiaContact* c = lia_context_scratch(e->context, sizeof *c);
    uint32_t bindings = lia_machine_bind_member(e, id);
    bool one_way = d.keyword == LIA_KEYWORD_CONTACT;
    bool turning =
        one_way ? lia_friction_clauses_rubs(d.statement) : syntax->kind != LIA_JOINT_TOUCHING;
    e->contact_depth++;
    bool good = true;
    for (int i = 0; i < 2; i++) {
        bool point = one_way && syntax->shapes[i].kind == LIA_SURFACE_POINT;
        LiaSurface* side = i == 0 ? &c->A : &c->B;
        good =
            lia_surface_elaborate(e, &syntax->shapes[i], bindings, turning && !point, side) && good;
    }
    good = good && check_bodies(e, c, name, whole, one_way ? "contact" : "joint");
    good = good && (one_way ? lia_contact_one_way_find(e, c, name, whole)
                            : lia_contact_find(e, c, name, whole));
    e->contact_depth--;
    e->machine.bindings.count = bindings;
    if (!good && lia_diags_errors(e->context->diags) == 0) {  // a part of a body waits for this
        say_circle(e, id, span);
    }
    member = &e->members.items[id];
    member->state = LIA_WORKED_OUT;
    member->group = e->contacts.count;
    *LIA_ADD(e->context, e->contacts) = good ? c : NULL;
    return good ? c : NULL;
}
