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
/// A text of a class of the theme whose letters have `size` pixels and that has `room` pixels.
/// Where it is wider it is squeezed; where that would make it illegible it is shortened, and whole
/// where a pointer rests on it.
typedef struct LiaFitted {
    const char* class;
    LiaPoint at;
    double size, room;
} LiaFitted;
void lia_pen_fitted(LiaText* out, LiaFitted how, const char* text);
/// A name or formula of the model as it is set in print, escaped.
void lia_pen_printed(LiaText* out, const char* label);
/// The data of a path through the points, relative, without drift: `M1 2l3 4 5 6`.
void lia_pen_polyline(LiaText* out, const LiaPoint* points, size_t count);
/// One straight line in the data of a path: `M1 2L3 4`.
void lia_pen_segment(LiaText* out, LiaPoint a, LiaPoint b);
