// Marks on a path: where it begins and ends, with the times, and dots at round times.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/plot/svg_drawing.h"

/// Round times strictly between the ends of the motion, and whether they are marked by dots.
LiaAxis lia_svg_marks_times(const LiaFigure* figure);
bool lia_svg_marks_has_dots(const LiaFigure* figure);
void lia_svg_marks_add(LiaSvgDrawing* d, const LiaPanel* panel, const LiaSeries* series);
