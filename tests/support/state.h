// States out of the table of a motion, in the coordinates of the model.
// SPDX-License-Identifier: MIT
#pragma once
#include <liaison/liaison.h>

/// Positions and velocities (n each) of a row. Columns of a rotation are its angular velocity in
/// space axes; here they become rates of its quaternion, q' = (0, omega) q / 2.
void state_of_row(const LiaTrajectory* motion, const LiaModel* model, size_t row, double* q,
                  double* v);
