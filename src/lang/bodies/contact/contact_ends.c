// Where cylinders and cones end: a contact that goes on beyond is none.
//
//   a place on a cylinder of height h      (h/2)^2 - z^2,    z along the axis, from its centre
//   a place on a cone                      z from the tip, and H - z where it has a height H
//   two disks                              where both lie in one plane
//   a line of two shapes                   they overlap along it: both ends of each against the
//                                          other
// Of a line, each shape is an interval on it; what has no end there is left out. A plane has none.
// SPDX-License-Identifier: MIT
#include "lang/bodies/contact/contact.h"
#include <stdio.h>
#include <string.h>

static bool has_height(const LiaSurface* s) { return s->size[1].kind == LIA_VALUE_NUMBER; }

static LiaValue half(LiaElaboration* e, LiaValue x) {
    return lia_over(e, x, lia_surface_whole(2, x.span));
}

static const char* words_of(LiaElaboration* e, const LiaSurface* s, const char* what) {
    const char* body = s->body ? lia_scope_name(e, s->body) : "ground";
    const char* shape = lia_surface_read_word(s->kind);
    size_t size = strlen(body) + strlen(shape) + strlen(what) + 24;
    char* text = lia_context_keep(e->context, size);
    snprintf(text, size, "%s of the %s of '%s'", what, shape, body);
    return text;
}

static void add(LiaElaboration* e, LiaContact* c, const LiaSurface* s, const char* what,
                LiaValue inside) {
    if (inside.kind != LIA_VALUE_NUMBER || c->end_count == LIA_CONTACT_ENDS) {
        return;
    }
    c->ends[c->end_count++] = (LiaContactEnd){inside, words_of(e, s, what), false};
}

// |k_A x k_B|^2 above that of a thousandth: rims that lie in one plane have no normal.
static void add_flat(LiaElaboration* e, LiaContact* c) {
    LiaValue k = lia_cross(e, lia_surface_outward(e, &c->A, c->A.axis),
                           lia_surface_outward(e, &c->B, c->B.axis));
    LiaValue least =
        lia_over(e, lia_surface_whole(1, c->A.span), lia_surface_whole(1000000, c->A.span));
    LiaValue inside = lia_minus(e, lia_dot(e, k, k), least);
    if (inside.kind == LIA_VALUE_NUMBER) {
        c->ends[c->end_count++] = (LiaContactEnd){inside, "the tilt of two disks", true};
    }
}

static void add_place_ends(LiaElaboration* e, LiaContact* c, const LiaSurface* s) {
    if (s->kind != LIA_SURFACE_CYLINDER && s->kind != LIA_SURFACE_CONE) {
        return;
    }
    LiaValue z = lia_dot(e, lia_surface_outward(e, s, s->axis), lia_minus(e, c->place, s->centre));
    if (s->kind == LIA_SURFACE_CONE) {
        add(e, c, s, "the tip", z);
        if (has_height(s)) {
            add(e, c, s, "the rim", lia_minus(e, s->size[1], z));
        }
    } else if (has_height(s)) {
        LiaValue most = half(e, s->size[1]);
        add(e, c, s, "the end", lia_minus(e, lia_times(e, most, most), lia_times(e, z, z)));
    }
}

// The part of a line that belongs to a shape, from the place along g: between the numbers of `end`,
// POISON where it has no end.
static void find_interval(LiaElaboration* e, const LiaContact* c, const LiaSurface* s, LiaValue g,
                          LiaValue* end) {
    LiaValue middle = lia_dot(e, g, lia_minus(e, s->centre, c->place));
    end[0] = end[1] = lia_value_poison(s->span);
    if (s->kind == LIA_SURFACE_CONE) {
        LiaValue cosine = lia_surface_call(e, LIA_OP_COS, s->size[0]);
        end[0] = middle;
        if (has_height(s)) {
            end[1] = lia_plus(e, middle, lia_over(e, s->size[1], cosine));
        }
    } else if (has_height(s)) {
        LiaValue most = half(e, s->size[1]);
        end[0] = lia_minus(e, middle, most);
        end[1] = lia_plus(e, middle, most);
    }
}

// Along g, a unit vector: from the tip of a cone, or along the axis of a cylinder.
static LiaValue along_line(LiaElaboration* e, const LiaContact* c) {
    const LiaSurface* s = c->A.kind == LIA_SURFACE_CONE ? &c->A : &c->B;
    LiaValue axis = lia_surface_outward(e, s, s->axis);
    if (s->kind != LIA_SURFACE_CONE) {
        return axis;
    }
    LiaValue across = lia_surface_across(e, axis, c->normal);
    return lia_over(e, across, lia_surface_call(e, LIA_OP_COS, s->size[0]));
}

static void add_line_ends(LiaElaboration* e, LiaContact* c) {
    const LiaSurface* shapes[] = {&c->A, &c->B};
    LiaValue end[2][2], g = along_line(e, c);
    for (int i = 0; i < 2; i++) {
        find_interval(e, c, shapes[i], g, end[i]);
    }
    for (int i = 0; i < 2; i++) {  // the far end of one is beyond the near end of the other
        if (end[i][1].kind == LIA_VALUE_NUMBER && end[1 - i][0].kind == LIA_VALUE_NUMBER) {
            bool cone = shapes[i]->kind == LIA_SURFACE_CONE;
            add(e, c, shapes[i], cone ? "the rim" : "the end",
                lia_minus(e, end[i][1], end[1 - i][0]));
        }
    }
}

void lia_contact_ends_find(LiaElaboration* e, LiaContact* c) {
    if (c->A.kind == LIA_SURFACE_PLANE || c->B.kind == LIA_SURFACE_PLANE) {
        return;
    }
    if (c->line) {
        add_line_ends(e, c);
        return;
    }
    if (c->A.kind == LIA_SURFACE_DISK && c->B.kind == LIA_SURFACE_DISK) {
        add_flat(e, c);
    }
    add_place_ends(e, c, &c->A);
    add_place_ends(e, c, &c->B);
}
