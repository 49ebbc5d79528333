// Turns that nobody wrote as such, found by what they leave unchanged.
//
// In the plane: of many lengths x_i some turn into each other while angles a_k are shifted,
//
//   xi = sum c_ij (x_i d/dx_j - x_j d/dx_i) + sum c_k d/da_k
//
// with constants c for which xi(L) = 0 everywhere and the equations are carried along: a chain of
// rods written with the centres of all of them turns as a whole, whatever the coordinates are
// called.
//
// In space: three angles are Euler angles of an attitude if L, in which the first one does not
// occur, is carried along by
//
//   xi = cos(a) d/db + sin(a) (+-cot(b) d/da +- 1/sin(b) d/dc)
//
// or with tan and 1/cos (angles of Tait and Bryan), and by the same a quarter turn of a further. A
// length and an angle are polar coordinates of a place if L is carried along by its shifts,
//
//   xi = cos(a) d/dr - sin(a)/r d/da
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/classification/judge.h"
#include "geometry/symmetry/candidates.h"

/// Around the state. Memory from the arena; false if it is out.
bool lia_turns_find(LiaJudge* j, LiaArena* arena, LiaAround around, LiaTurns* out);
