// Where a path begins and ends, and dots at round times. See svg_marks.h.
// SPDX-License-Identifier: MIT
#include "output/plot/svg_marks.h"
#include "output/plot/label.h"
#include "output/plot/pen.h"
#include "output/plot/theme.h"
#include <math.h>

static const double NEAR = 8.0;  // pixels: as good as the same place

// First or last point of a path that can be drawn.
static bool find_end(const LiaSvgDrawing* d, const LiaPanel* panel, const LiaSeries* series,
                     bool last, LiaPoint* end, size_t* end_row) {
    size_t rows = d->figure->rows;
    for (size_t i = 0; i < rows; i++) {
        size_t row = last ? rows - 1 - i : i;
        LiaPoint p = lia_svg_drawing_point(d, panel, series, row);
        if (lia_svg_drawing_is_finite(p)) {
            *end = p;
            *end_row = row;
            return true;
        }
    }
    return false;
}

typedef struct Box {
    double left, top, right, bottom;
} Box;

// How much of the path a box would hide, and how far it stands out of the panel.
static double badness(const LiaSvgDrawing* d, const LiaPanel* panel, const LiaSeries* series,
                      Box box) {
    double bad = 0.0;
    double left = d->layout.left - NEAR, right = d->layout.left + d->layout.width + NEAR;
    double top = panel->top - NEAR, bottom = panel->top + panel->height + NEAR;
    if (box.left < left || box.right > right || box.top < top || box.bottom > bottom) {
        bad += 1e6;
    }
    size_t stride = d->figure->rows / 5000 + 1;
    LiaPoint before = {NAN, NAN};
    for (size_t row = 0; row < d->figure->rows; row += stride) {
        LiaPoint p = lia_svg_drawing_point(d, panel, series, row);
        double length = hypot(p.x - before.x, p.y - before.y);
        int steps =
            length > 4 ? (int)fmin(length / 4, 50) + 1 : 1;  // one where there is no line yet
        for (int k = 1; k <= steps; k++) {
            double f = 1.0 - (double)k / steps;
            double x = f > 0 ? p.x - f * (p.x - before.x) : p.x;
            double y = f > 0 ? p.y - f * (p.y - before.y) : p.y;
            bad += x > box.left && x < box.right && y > box.top && y < box.bottom;
        }
        before = p;
    }
    return bad;
}

static bool overlap(Box a, Box b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

typedef struct Boxes {  // that are taken
    const Box* list;
    size_t count;
} Boxes;

// "t = 10" beside the mark at p, where it hides least of the path and not what is in `taken`.
static Box add_time_label(LiaSvgDrawing* d, const LiaPanel* panel, const LiaSeries* series,
                          LiaPoint p, double t, Boxes taken) {
    static const int sides[][2] = {{1, 0},  {-1, 0}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1},
                                   {0, -1}, {0, 1},  {2, -2}, {-2, -2}, {2, 2}, {-2, 2}};
    LiaText label = {0};
    lia_text_add(&label, "t = ");
    lia_text_add_short(&label, t, 4);
    lia_text_add(&label, "%s", d->figure->time_unit ? " s" : "");
    double width = lia_label_width(label.data ? label.data : "", LIA_THEME_TEXT) + 4, height = 16;
    Box best = {0};
    double least = INFINITY;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        double x = p.x + sides[i][0] * (sides[i][1] == 0 ? 10.0 : 7.0),
               y = p.y + sides[i][1] * 11.0;
        double left = sides[i][0] > 0 ? x : sides[i][0] < 0 ? x - width : x - width / 2;
        Box box = {left, y - height / 2, left + width, y + height / 2};
        double bad = badness(d, panel, series, box);
        for (size_t k = 0; k < taken.count; k++) {
            bad += overlap(box, taken.list[k]) ? 1e5 : 0.0;
        }
        if (bad < least) {
            least = bad;
            best = box;
        }
    }
    lia_pen_begin_text(d->out, "halo middle", (best.left + best.right) / 2, best.bottom - 4);
    lia_pen_printed(d->out, label.data ? label.data : "");
    lia_text_add(d->out, "</text>\n");
    lia_text_clear(&label);
    return best;
}

// Round times strictly between the ends of the motion.
LiaAxis lia_svg_marks_times(const LiaFigure* figure) {
    double t0 = lia_figure_time(figure, 0), t1 = lia_figure_time(figure, figure->rows - 1);
    return lia_axis_make(fmin(t0, t1), fmax(t0, t1), 0.0, 12);
}

bool lia_svg_marks_has_dots(const LiaFigure* figure) {
    return !figure->over_time && figure->count == 1 && figure->rows > 2 &&
           lia_figure_time(figure, 0) != lia_figure_time(figure, figure->rows - 1);
}

// Where the path is at time t, between two samples on the straight line.
static LiaPoint point_at_time(const LiaSvgDrawing* d, const LiaPanel* panel,
                              const LiaSeries* series, double t) {
    const LiaFigure* figure = d->figure;
    size_t low = 0, high = figure->rows - 1;
    double sign = lia_figure_time(figure, high) < lia_figure_time(figure, low) ? -1.0 : 1.0;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if ((lia_figure_time(figure, middle) - t) * sign <= 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double t_low = lia_figure_time(figure, low), t_high = lia_figure_time(figure, high);
    double f = t_high != t_low ? (t - t_low) / (t_high - t_low) : 0.0;
    LiaPoint a = lia_svg_drawing_point(d, panel, series, low),
             b = lia_svg_drawing_point(d, panel, series, high);
    return (LiaPoint){a.x + f * (b.x - a.x), a.y + f * (b.y - a.y)};
}

// Small dots at round times: far apart where the motion is fast.
static void add_time_dots(LiaSvgDrawing* d, const LiaPanel* panel, const LiaSeries* series,
                          LiaPoint start, LiaPoint end) {
    const LiaFigure* figure = d->figure;
    LiaAxis times = lia_svg_marks_times(figure);
    double t0 = lia_figure_time(figure, 0), t1 = lia_figure_time(figure, figure->rows - 1);
    for (int i = 0; i < times.count; i++) {
        double t = lia_axis_tick(&times, i);
        LiaPoint p = point_at_time(d, panel, series, t);
        bool between = t > fmin(t0, t1) && t < fmax(t0, t1);
        double room = fmin(hypot(p.x - start.x, p.y - start.y), hypot(p.x - end.x, p.y - end.y));
        if (between && room > NEAR) {  // false for what is not finite
            lia_svg_drawing_dot(d, series, p, 2.4, false);
        }
    }
}

static Box around(LiaPoint p) { return (Box){p.x - 6, p.y - 6, p.x + 6, p.y + 6}; }

void lia_svg_marks_add(LiaSvgDrawing* d, const LiaPanel* panel, const LiaSeries* series) {
    LiaPoint start, end;
    size_t first, last;
    if (!find_end(d, panel, series, false, &start, &first) ||
        !find_end(d, panel, series, true, &end, &last)) {
        return;
    }
    if (lia_svg_marks_has_dots(d->figure)) {
        add_time_dots(d, panel, series, start, end);
    }
    lia_svg_drawing_dot(d, series, start, 4.5, false);
    if (last > first) {
        lia_svg_drawing_dot(d, series, end, 4.8, true);
    }
    if (d->figure->count > 1) {
        return;
    }
    Box taken[] = {around(end), around(start)};
    double t_start = lia_figure_time(d->figure, first), t_end = lia_figure_time(d->figure, last);
    taken[0] =
        add_time_label(d, panel, series, start, t_start, (Boxes){taken, last > first ? 1 : 0});
    if (last > first) {
        add_time_label(d, panel, series, end, t_end, (Boxes){taken, 2});
    }
}
