// Contacts: where two shapes touch. A is the first shape, B the second.
//
//   gap      how far they are apart along the normal; negative where they overlap
//   place    P, in space axes
//   normal   N, unit vector in space axes, from B into A
//   slip     V_A(P) - V_B(P), the sliding velocity
//   turn     omega_A - omega_B
// Where a contact has no closed form, places or normals are coordinates of their own, without mass,
// held by equations that determine them: no motion of theirs is free (LiaContactPoint).
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/bodies/surfaces/surface.h"

enum { LIA_CONTACT_ALIGNS = 2, LIA_CONTACT_ENDS = 4, LIA_CONTACT_SPOTS = 8 };

// A contact is given up where `inside` falls below 0: there the shape ends.
typedef struct LiaContactEnd {
    LiaValue inside;
    const char* words;  // "the end of the cylinder of 'drum'"
    bool flat;          // two disks: there they lie in one plane
} LiaContactEnd;

typedef struct LiaContact {
    LiaSurface A, B;
    LiaValue gap, place, normal;
    LiaValue slip, turn;  // POISON: a body does not turn
    // along a line: further equations of the configuration, and whether pivoting must be kept off
    LiaValue aligns[LIA_CONTACT_ALIGNS];
    LiaValue couples[LIA_CONTACT_ALIGNS];  // on B, of their multipliers
    LiaValue pulls[LIA_CONTACT_ALIGNS];    // forces on B at the place, of the same; no number: none
    LiaValue gap_couple;                   // on B, of the multiplier of the gap; no number: none
    uint32_t align_count;
    bool rough;  // the gap is a length only near 0
    bool line;
    bool bent;      // the line does not keep pivoting off by its aligns alone
    bool slides;    // the line cannot roll: arcs of its two shapes are of different lengths
    LiaValue tips;  // two cones: from the tip of B to that of A, 0 where they roll; no number: none
    LiaContactEnd ends[LIA_CONTACT_ENDS];
    uint32_t end_count;
} LiaContact;

/// The contact of a joint of shapes, or of a `contact` of shapes, worked out when first asked for.
/// NULL: an error was said.
const LiaContact* lia_contact_of(LiaElaboration* e, uint32_t member, LiaSpan span);
/// Gap, place and normal of A and B. False with an error said.
bool lia_contact_find(LiaElaboration* e, LiaContact* c, const char* name, LiaSpan span);
/// The point of a convex shape that is outermost in the direction d, a unit vector, of space.
LiaValue lia_contact_outermost(LiaElaboration* e, const LiaSurface* s, LiaValue d);

// --- contact_point.c: contacts without a closed form

bool lia_contact_point_of_supports(LiaElaboration* e, LiaContact* c, const char* name);
bool lia_contact_point_on_implicit(LiaElaboration* e, LiaContact* c, const char* name);
bool lia_contact_point_in_support(LiaElaboration* e, LiaContact* c, const char* name);
bool lia_contact_point_of_implicit(LiaElaboration* e, LiaContact* c, const char* name);
bool lia_contact_point_on_plane(LiaElaboration* e, LiaContact* c, const char* name);

// --- contact_line.c: cylinders and cones that touch along a line

bool lia_contact_line_on_plane(LiaElaboration* e, LiaContact* c);
bool lia_contact_line_of_cylinders(LiaElaboration* e, LiaContact* c);
bool lia_contact_line_of_cones(LiaElaboration* e, LiaContact* c);
bool lia_contact_line_of_cylinder_and_cone(LiaElaboration* e, LiaContact* c);

// --- contact_ends.c: where cylinders and cones end

void lia_contact_ends_find(LiaElaboration* e, LiaContact* c);

// --- contact_one_way.c: `contact NAME: SHAPE on SHAPE`, which may open

// A place at which two shapes may touch: where they are nearest, or a corner.
typedef struct LiaContactSpot {
    LiaValue gap, place;
    LiaValue tangent[2];  // unit vectors across the normal
    LiaValue slip[2];     // along them: velocity of A against B
    LiaValue roll[2];     // along them: angular velocity of A against B
    LiaValue pivot;       // along the normal, the same
} LiaContactSpot;

/// Gap, place and normal, of the pairs that there are. False with an error said. Of a box `place`
/// is its centre, and the gap is no number: it has one at each corner.
bool lia_contact_one_way_find(LiaElaboration* e, LiaContact* c, const char* name, LiaSpan span);
/// Where they may touch; with tangents, slips and turns where one of them is rubbed against.
uint32_t lia_contact_one_way_spots(LiaElaboration* e, const LiaContact* c, bool rubs,
                                   LiaContactSpot* out);
/// v + omega x (P - position); of a body that does not turn, v.
LiaValue lia_contact_velocity(LiaElaboration* e, const LiaSurface* s, LiaValue P);
