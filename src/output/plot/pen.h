// The strokes an SVG file is made of: lengths, attributes, texts, lines through points.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include "output/plot/curve.h"

/// A length in pixels, to a hundredth, as short as can be, with a point whatever the locale.
void lia_pen_length(LiaText* out, double x);
/// ` name="12.5"`
void lia_pen_attribute(LiaText* out, const char* name, double x);
/// The beginning of a text element of a class of the theme. What follows up to "</text>\n" is the
/// caller's.
void lia_pen_begin_text(LiaText* out, const char* class, double x, double y);
/// As lia_pen_begin_text(), squeezed where a text of that width has no room.
void lia_pen_begin_fitted(LiaText* out, const char* class, LiaPoint at, double width, double room);
/// A name or formula of the model as it is set in print, escaped.
void lia_pen_printed(LiaText* out, const char* label);
/// The data of a path through the points, relative, without drift: `M1 2l3 4 5 6`.
void lia_pen_polyline(LiaText* out, const LiaPoint* points, size_t count);
/// One straight line in the data of a path: `M1 2L3 4`.
void lia_pen_segment(LiaText* out, LiaPoint a, LiaPoint b);
