// What the parts of a plot in SVG share: the figure, its layout, points and dots of its curves.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/plot/svg.h"

typedef struct LiaSvgDrawing {
    LiaText* out;
    const LiaFigure* figure;
    const LiaLayer* layer;  // NULL: none
    LiaLayout layout;
    double bars;       // what stands under it needs so many pixels: svg_bars.h
    LiaPoint* points;  // room for the points of a curve                     (rows)
} LiaSvgDrawing;

/// The attributes that make an element look like a part of a curve.
void lia_svg_drawing_colour(LiaSvgDrawing* d, const char* class, bool filled,
                            const LiaSeries* series);
/// Where a row of a curve is.
LiaPoint lia_svg_drawing_point(const LiaSvgDrawing* d, const LiaPanel* panel,
                               const LiaSeries* series, size_t row);
bool lia_svg_drawing_is_finite(LiaPoint p);
void lia_svg_drawing_dot(LiaSvgDrawing* d, const LiaSeries* series, LiaPoint p, double radius,
                         bool filled);
