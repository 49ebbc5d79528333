// Points and dots of curves. See svg_drawing.h.
// SPDX-License-Identifier: MIT
#include "output/plot/svg_drawing.h"
#include "output/plot/pen.h"
#include "output/plot/theme.h"
#include <math.h>

void lia_svg_drawing_colour(LiaSvgDrawing* d, const char* class, bool filled,
                            const LiaSeries* series) {
    size_t i = (size_t)(series - d->figure->curves);
    lia_theme_colour(d->out, class, filled, i, d->figure->count);
}

LiaPoint lia_svg_drawing_point(const LiaSvgDrawing* d, const LiaPanel* panel,
                               const LiaSeries* series, size_t row) {
    return (LiaPoint){lia_layout_x(&d->layout, lia_figure_value(d->figure, &d->figure->x, row)),
                      lia_layout_y(panel, lia_figure_value(d->figure, series, row))};
}

bool lia_svg_drawing_is_finite(LiaPoint p) { return isfinite(p.x) && isfinite(p.y); }

void lia_svg_drawing_dot(LiaSvgDrawing* d, const LiaSeries* series, LiaPoint p, double radius,
                         bool filled) {
    lia_text_add(d->out, "  <circle");
    if (filled) {
        lia_svg_drawing_colour(d, "dot", true, series);
    } else {
        lia_svg_drawing_colour(d, "mark open", false, series);
    }
    lia_pen_attribute(d->out, "cx", p.x);
    lia_pen_attribute(d->out, "cy", p.y);
    lia_pen_attribute(d->out, "r", radius);
    lia_text_add(d->out, "/>\n");
}
