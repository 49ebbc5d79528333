// Attitudes in words: nobody reads the four numbers of a quaternion.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include "lang/model.h"

/// The angle in radians, 0 to pi, and the axis, in space axes, of the turn that takes the attitude
/// `from` to `to`; both are quaternions w, x, y, z. The axis is of unit length, or 0 where nothing
/// is turned.
double lia_attitude_turn(const double* from, const double* to, double axis[3]);
/// "turned by 30 degrees about [0, 0, 1]", or "not turned".
void lia_attitude_describe(LiaText* text, const double* from, const double* to);
/// The rotation that coordinate i is a number of, 1-based in the groups of the model; 0 if it is of
/// none.
uint32_t lia_attitude_of(const LiaModel* model, uint32_t i);
/// What a coordinate is called in a message: a number of a rotation by the name of the rotation.
const char* lia_attitude_name(const LiaModel* model, uint32_t i);
