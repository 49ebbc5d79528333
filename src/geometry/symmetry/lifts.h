// Generators that are not evident in the coordinates: what the coordinates do when a body is turned
// or a contact is carried along. See lifts.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/geometry.h"

/// The coordinates of the places where shapes touch follow from all others: their part of the
/// generator xi (n) is solved for, with pivots that are good at (t, q). Nothing happens where there
/// are none. False if memory is out.
bool lia_lifts_feet(LiaGeometry* geometry, double t, const double* q, LiaExpr* xi);
/// A body whose attitude is a formula of three coordinates, such as Euler angles, turned about an
/// axis (0, 1, 2) of space or of the body: xi (n). *found is false where it is no such body. False
/// if memory is out.
bool lia_lifts_turn(LiaGeometry* geometry, uint32_t body, int axis, bool in_body, LiaExpr* xi,
                    bool* found);
/// The rotation (group) whose attitude alone that of a body is made of; UINT32_MAX: there is none.
uint32_t lia_lifts_rotation(const LiaGeometry* geometry, uint32_t body);
/// To a generator that turns a body, or is zero, comes what moves its centre of mass along an axis
/// (0, 1, 2), or keeps it where it is (-1), by the coordinates that its place has and its attitude
/// has not. *found is false where nothing has to be done, or there are no such coordinates. False
/// if memory is out.
bool lia_lifts_move_place(LiaGeometry* geometry, LiaSymbols at, uint32_t body, int axis,
                          LiaExpr* xi, bool* found);
