// Field pictures as numbers, for the page: what surrounds a motion and can be drawn under its
// path.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include "motion/result/trajectory.h"

/// A JSON list of the pictures that the motion has. Nothing here takes noticeably longer than the
/// run: a picture that would is left out, and the list says so. False if memory is out.
///
///   {"kind": "distribution", "x": 1, "y": 2, "strokes": [row, dx, dy, ...]}
///   {"kind": "distribution", "x": 1, "y": 2, "z": 3, "planes": [row, ux, uy, uz, vx, vy, vz, ...]}
///   {"kind": "portrait", "x": 1, "y": 3, "box": [x0, x1, y0, y1], "curves": [[x, y, ...], ...]}
///   {"kind": "curvature", "x": 1, "y": 2, "box": [...], "of": "theta", "across": 41, "up": 41,
///   "low": ..., "high": ...,
///    "packed": {...}, "data": "..."}
///   {"kind": "portrait", "left_out": "liaison picture FILE --portrait theta"}
///
/// x and y are columns of the trajectory; points of curves are whole numbers, 0 to 4095 over the
/// box; of each pair of curves the first goes on from its start, the second is where it came from.
bool lia_field_data_add(LiaText* out, const LiaTrajectory* run);
