// Rotations: 3 x 3 matrices that turn, the angular velocity they carry, and quaternions.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/value/value.h"

/// Of an angular velocity.
LiaUnit lia_rotation_unit(void);
/// How far a row-major matrix of numbers misses a rotation; at least 1 where it is a reflection.
double lia_rotation_defect(const double* A);
/// The unit quaternion w, x, y, z of a rotation, w >= 0.
void lia_rotation_quaternion(const double* A, double* q);

/// The matrix of a quaternion of four terms; one that is not of unit length is divided by its
/// length.
LiaValue lia_rotation_of(LiaWork* work, const LiaExpr* q, bool any_length, LiaSpan span);
/// The rate of the quaternion for the angular velocity e, given in space or body axes.
void lia_rotation_rate(LiaWork* work, const LiaExpr* q, const LiaExpr* e, bool body, LiaExpr* rate,
                       LiaSpan span);
/// What a*b, a^T and the turn about an axis carry along (LiaValue.spin); NULL where it is not
/// known.
const LiaExpr* lia_rotation_product(LiaWork* work, const LiaValue* a, const LiaValue* b,
                                    LiaSpan span);
const LiaExpr* lia_rotation_transposed(LiaWork* work, const LiaValue* a, LiaSpan span);
const LiaExpr* lia_rotation_about(LiaWork* work, uint32_t axis, LiaExpr angle, LiaSpan span);

/// A matrix of which it is known that it turns.
bool lia_rotation_is(LiaWork* work, const LiaValue* a);
void lia_rotation_say_none(LiaWork* work, const LiaValue* a, const double* A);
/// omega(a), or Omega(a) in body axes.
LiaValue lia_rotation_omega(LiaWork* work, const LiaValue* a, bool body, LiaSpan span);
LiaValue lia_rotation_quaternion_value(LiaWork* work, const LiaValue* parts, LiaSpan span);
/// The angles of a matrix as a vector, sequence as "zxz".
LiaValue lia_rotation_euler(LiaWork* work, const LiaValue* A, const char* sequence, LiaSpan span);
/// The three numbers that vanish where the rotation a is the rotation b, and nowhere else: 2
/// tan(angle/2) n, where a b^T is a turn by `angle` about the unit vector n. At half a turn they
/// have no value; *trace = 1 + 2 cos(angle) has.
LiaValue lia_rotation_mismatch(LiaWork* work, const LiaValue* a, const LiaValue* b, LiaExpr* trace,
                               LiaSpan span);
