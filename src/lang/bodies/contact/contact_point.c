// Contacts without a closed form: the place or the normal is a coordinate without mass, held by
// equations that determine it. X are the centres, R the attitudes, supp the outermost points; m =
// N, or -N where B is hollow.
//
//   two supports          unknown N, gap: X_A + R_A supp_A(-N) - X_B - R_B supp_B(m) = gap N,
//                         |N| = 1
//   a support, f = 0      unknown u on B, gap: X_A + R_A supp_A(-N) - X_B - R_B u = gap N,
//                         f_B(u) = 0, N = +-R_B grad f_B/|grad f_B|
//   two of f = 0          and u' on A, s: X_A + R_A u' - X_B - R_B u = gap N, f_A(u') = 0,
//                         f_B(u) = 0, R_A grad f_A = -s N
//   f = 0, a plane        unknown u' on A, s: f_A(u') = 0, R_A grad f_A = -s N
//   f = 0 in a support    unknown u' on A, gap: X_B + R_B supp_B(-N) - X_A - R_A u' = -gap N,
//                         f_A(u') = 0, N = -R_A grad f_A/|grad f_A|
// As many equations as unknowns. Where several solutions are, that of the largest gap is meant (the
// nearest places of two convex bodies), inside of a hollow that of the smallest.
// SPDX-License-Identifier: MIT
#include "lang/bodies/contact/contact.h"
#include <stdio.h>
#include <string.h>

typedef struct Foot {
    LiaElaboration* e;
    const char* name;
    LiaSpan span;
    LiaContactPoint out;
    LIA_VECTOR(LiaEquation) equations;
    LIA_VECTOR(LiaExpr) guesses;
} Foot;

static Foot begin(LiaElaboration* e, const LiaContact* c, const char* name) {
    Foot foot = {.e = e, .name = name, .span = c->A.span};
    foot.out.first = e->draft.coordinates.count;
    return foot;
}

// A new coordinate without mass; `guess` says where it may be, 0: nothing is known.
static LiaExpr unknown(Foot* foot, char letter, LiaExpr guess) {
    LiaElaboration* e = foot->e;
    uint32_t index = e->draft.coordinates.count;
    size_t size = strlen(foot->name) + 16;
    char* text = lia_context_keep(e->context, size);
    snprintf(text, size, "%s.%c%u", foot->name, letter, index - foot->out.first + 1);
    LiaCoordinate* x = LIA_ADD(e->context, e->draft.coordinates);
    x->name = text;
    x->inner = true;
    x->span = foot->span;
    *LIA_ADD(e->context, foot->guesses) = guess;
    foot->out.count++;
    return lia_term_symbol(&e->work.terms, LIA_SYMBOL_POSITION, index, foot->span);
}

static LiaValue unknown_vector(Foot* foot, char letter, LiaValue guess) {
    LiaExpr* parts = lia_value_components(&foot->e->work, 3);
    for (uint32_t i = 0; i < 3; i++) {
        parts[i] = unknown(foot, letter, lia_value_at(&foot->e->work, &guess, i));
    }
    return lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, lia_unit_unknown(), foot->span);
}

static LiaValue unknown_scalar(Foot* foot, char letter, int64_t guess) {
    LiaExpr start = lia_term_whole(&foot->e->work.terms, guess, foot->span);
    return lia_value_scalar(unknown(foot, letter, start), lia_unit_unknown(), foot->span);
}

static void hold(Foot* foot, LiaValue value) {
    LiaElaboration* e = foot->e;
    for (uint32_t i = 0; value.kind == LIA_VALUE_NUMBER && i < lia_value_count(&value); i++) {
        LiaExpr left = lia_value_at(&e->work, &value, i);
        LiaExpr right = lia_term_whole(&e->work.terms, 0, foot->span);
        *LIA_ADD(e->context, foot->equations) = (LiaEquation){left, right, foot->span, {0}};
    }
}

// The equations become a constraint that is never shown.
static bool finish(Foot* foot, const LiaContact* c) {
    LiaElaboration* e = foot->e;
    if (foot->equations.count != foot->out.count) {
        return false;  // something was wrong, and said
    }
    foot->out.constraint = e->draft.constraints.count;
    foot->out.guesses = lia_context_keep_list(e->context, foot->guesses.items, foot->guesses.count,
                                              sizeof *foot->guesses.items);
    foot->out.gap = lia_value_at(&e->work, &c->gap, 0);
    foot->out.least |= c->B.hollow;
    LiaConstraint* constraint = LIA_ADD(e->context, e->draft.constraints);
    constraint->name = foot->name;
    constraint->internal = true;
    constraint->foot = true;
    constraint->equations = lia_context_keep_list(
        e->context, foot->equations.items, foot->equations.count, sizeof *foot->equations.items);
    constraint->equation_count = foot->equations.count;
    constraint->span = constraint->name_span = foot->span;
    *LIA_ADD(e->context, e->draft.contact_points) = foot->out;
    return true;
}

// f and the gradient of an implicit surface at u, the gradient in space axes.
static LiaValue implicit_at(LiaElaboration* e, const LiaSurface* s, LiaValue u,
                            LiaValue* gradient) {
    LiaValue f = lia_surface_ways(s)->implicit(e, s, u, gradient);
    *gradient = lia_surface_outward(e, s, *gradient);
    return f;
}

static LiaValue place_of(LiaElaboration* e, const LiaSurface* s, LiaValue u) {
    return lia_plus(e, s->centre, lia_surface_outward(e, s, u));
}

static LiaValue plain(LiaValue value) {
    value.unit = lia_unit_unknown();
    return value;
}

bool lia_contact_point_of_supports(LiaElaboration* e, LiaContact* c, const char* name) {
    Foot foot = begin(e, c, name);
    LiaValue towards = lia_minus(e, c->A.centre, c->B.centre);
    foot.out.unit = true;
    c->normal = unknown_vector(&foot, 'N', c->B.hollow ? lia_negative(e, towards) : towards);
    c->gap = unknown_scalar(&foot, 'g', 0);
    LiaValue m = c->B.hollow ? lia_negative(e, c->normal) : c->normal;
    c->place = lia_contact_outermost(e, &c->A, lia_negative(e, c->normal));
    LiaValue apart = lia_minus(e, c->place, lia_contact_outermost(e, &c->B, m));
    hold(&foot, lia_minus(e, plain(apart), lia_times(e, c->gap, c->normal)));
    LiaValue square =
        lia_minus(e, lia_dot(e, c->normal, c->normal), lia_surface_whole(1, foot.span));
    hold(&foot, lia_over(e, square, lia_surface_whole(2, foot.span)));
    return finish(&foot, c);
}

// Unknown u on B: its place, and the normal out of B (into the hollow).
static LiaValue stand_on_implicit(Foot* foot, LiaContact* c) {
    LiaElaboration* e = foot->e;
    LiaValue gradient;
    LiaValue towards = lia_surface_inward(e, &c->B, lia_minus(e, c->A.centre, c->B.centre));
    LiaValue u = unknown_vector(foot, 'u', towards);
    LiaValue f = implicit_at(e, &c->B, u, &gradient);
    c->normal = lia_over(e, gradient, lia_surface_length(e, gradient));
    c->normal.unit = lia_unit_number();
    c->normal = c->B.hollow ? lia_negative(e, c->normal) : c->normal;
    hold(foot, f);
    return place_of(e, &c->B, u);
}

bool lia_contact_point_on_implicit(LiaElaboration* e, LiaContact* c, const char* name) {
    Foot foot = begin(e, c, name);
    LiaValue below = stand_on_implicit(&foot, c);
    c->gap = unknown_scalar(&foot, 'g', 0);
    c->place = lia_contact_outermost(e, &c->A, lia_negative(e, c->normal));
    LiaValue apart = lia_minus(e, c->place, below);
    hold(&foot, lia_minus(e, plain(apart), lia_times(e, c->gap, c->normal)));
    return finish(&foot, c);
}

// A within B, which is hollow: outwards is the same for both.
bool lia_contact_point_in_support(LiaElaboration* e, LiaContact* c, const char* name) {
    Foot foot = begin(e, c, name);
    LiaValue gradient;
    LiaValue towards = lia_surface_inward(e, &c->A, lia_minus(e, c->A.centre, c->B.centre));
    LiaValue u = unknown_vector(&foot, 'u', towards);
    hold(&foot, implicit_at(e, &c->A, u, &gradient));
    LiaValue out = lia_over(e, gradient, lia_surface_length(e, gradient));
    out.unit = lia_unit_number();
    c->normal = lia_negative(e, out);
    c->place = place_of(e, &c->A, u);
    c->gap = unknown_scalar(&foot, 'g', 0);
    LiaValue apart = lia_minus(e, lia_contact_outermost(e, &c->B, out), c->place);
    hold(&foot, lia_minus(e, plain(apart), lia_times(e, c->gap, out)));
    return finish(&foot, c);
}

// Unknown u' on A where its gradient is along -N, s > 0 times as long.
static LiaValue stand_below(Foot* foot, LiaContact* c, LiaValue guess) {
    LiaElaboration* e = foot->e;
    LiaValue gradient;
    LiaValue u = unknown_vector(foot, 'w', lia_surface_inward(e, &c->A, guess));
    LiaValue s = unknown_scalar(foot, 's', 1);
    hold(foot, implicit_at(e, &c->A, u, &gradient));
    hold(foot, lia_plus(e, plain(gradient), lia_times(e, s, c->normal)));
    foot->out.positive = lia_value_at(&e->work, &s, 0);
    return place_of(e, &c->A, u);
}

bool lia_contact_point_of_implicit(LiaElaboration* e, LiaContact* c, const char* name) {
    Foot foot = begin(e, c, name);
    LiaValue back = lia_minus(e, c->B.centre, c->A.centre);
    LiaValue below = stand_on_implicit(&foot, c);
    c->gap = unknown_scalar(&foot, 'g', 0);
    c->place = stand_below(&foot, c, c->B.hollow ? lia_negative(e, back) : back);
    LiaValue apart = lia_minus(e, c->place, below);
    hold(&foot, lia_minus(e, plain(apart), lia_times(e, c->gap, c->normal)));
    return finish(&foot, c);
}

bool lia_contact_point_on_plane(LiaElaboration* e, LiaContact* c, const char* name) {
    Foot foot = begin(e, c, name);
    c->normal = lia_surface_outward(e, &c->B, c->B.axis);
    c->place = stand_below(&foot, c, lia_negative(e, c->normal));
    c->gap = lia_dot(e, c->normal, lia_minus(e, plain(c->place), plain(c->B.centre)));
    foot.out.least = true;
    return finish(&foot, c);
}
