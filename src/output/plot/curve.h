// A curve to be drawn: points in the units of the picture, and the few of them that show it as
// well.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct LiaPoint {
    double x, y;
} LiaPoint;

/// Keep the points needed so that the line through them stays within `tolerance` of all of them.
/// The first and the last are kept, and so is a point where the line turns back (a cusp). All must
/// be finite. The points kept are moved to the front; returns how many.
size_t lia_curve_simplify(LiaPoint* points, size_t count, double tolerance);
/// The same with the smallest tolerance from `tolerance` on that leaves at most `most` points.
size_t lia_curve_thin(LiaPoint* points, size_t count, double tolerance, size_t most);
