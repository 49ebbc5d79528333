// The `plot` lines of a model as SVG files.
//
// One figure, one file: title, then one panel for each unit the curves have (curves of one unit share
// an axis, others would dwarf each other), then the x axis. A path, y over x, is one panel, to scale where
// x and y are of one kind, with marks where it begins, ends, and at round times in between.
// Text is text. Where things stand is in layout.c, how they look in theme.c.
// SPDX-License-Identifier: MIT
#include "output/plot/svg.h"
#include "base/file/output_file.h"
#include "base/memory/memory.h"
#include "output/plot/label.h"
#include "output/plot/pen.h"
#include "output/plot/theme.h"
#include "output/text/escape.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MOST = 2000 };  // of a curve

static const double TOLERANCE = 0.08;  // pixels: a simplified curve is that near to the samples
static const double NEAR = 8.0;        // pixels: as good as the same place

// Margins of the head, and mean widths of letters: the reader's font is not known, so they are on the wide side.
static const double EDGE = 24, TITLE_LETTER = 9.6, NOTE_LETTER = 6.6, LABEL_LETTER = 7.4;

typedef struct Drawing {
    LiaText* out;
    const LiaFigure* figure;
    const LiaLayer* layer;  // NULL: none
    LiaLayout layout;
    LiaPoint* points;  // room for the points of a curve                     (rows)
} Drawing;

// --- elements --------------------------------------------------------------------------------

static void add(Drawing* d, const char* text) { lia_text_add_bytes(d->out, text, strlen(text)); }

static void add_length(Drawing* d, double x) { lia_pen_length(d->out, x); }

static void add_attribute(Drawing* d, const char* name, double x) {
    lia_pen_attribute(d->out, name, x);
}

static void begin_text(Drawing* d, const char* class, double x, double y) {
    lia_pen_begin_text(d->out, class, x, y);
}

static void add_printed(Drawing* d, const char* label) { lia_pen_printed(d->out, label); }

static void add_line(Drawing* d, const char* class, double x1, double y1, double x2, double y2) {
    lia_text_add(d->out, "  <path class=\"%s\" d=\"M", class);
    add_length(d, x1);
    add(d, " ");
    add_length(d, y1);
    if (y1 == y2) {
        add(d, "H");
        add_length(d, x2);
    } else {
        add(d, "V");
        add_length(d, y2);
    }
    add(d, "\"/>\n");
}

// On a whole pixel and a half, so that a line one pixel wide is sharp.
static double sharp(double x) { return floor(x) + 0.5; }

// The attributes that make an element look like a part of a curve.
static void add_colour(Drawing* d, const char* class, bool filled, const LiaSeries* series) {
    size_t i = (size_t)(series - d->figure->curves);
    lia_theme_colour(d->out, class, filled, i, d->figure->count);
}

// --- drawing -------------------------------------------------------------------------------------

// "y in 10⁶ m": what, and how the numbers of the axis are to be read.
static void add_quantity(Drawing* d, const LiaAxis* axis, const LiaSeries* series) {
    LiaText text = {0};
    lia_axis_quantity(axis, series->label, series->unit, &text);
    add_printed(d, text.data ? text.data : "");
    lia_text_clear(&text);
}

// A text from x to the right edge at most; `letter` is the mean width of its letters.
static void begin_fitted(Drawing* d, const char* class, LiaPoint at, const char* text,
                         double letter) {
    double room = LIA_LAYOUT_WIDTH - EDGE - at.x;
    lia_pen_begin_fitted(d->out, class, at, letter * (double)lia_label_length(text), room);
}

static void add_legend(Drawing* d, const LiaPanel* panel) {
    double y = panel->legend_top;
    if (panel->count == 1) {
        LiaText text = {0};
        lia_axis_quantity(&panel->y, panel->curves[0]->label, panel->curves[0]->unit, &text);
        const char* words = text.data ? text.data : "";
        begin_fitted(d, "label", (LiaPoint){d->layout.left, y}, words, LABEL_LETTER);
        add_printed(d, words);
        add(d, "</text>\n");
        lia_text_clear(&text);
        return;
    }
    // Curves of many units share one panel only where there are too many for panels of their own.
    bool one_unit = d->layout.panel_count > 1 || d->figure->one_unit;
    double x = d->layout.left;
    for (size_t i = 0; i < panel->count; i++) {
        const LiaSeries* series = panel->curves[i];
        double width = lia_layout_legend(series);
        if (x > d->layout.left && x + width > d->layout.left + d->layout.width) {
            x = d->layout.left;
            y += LIA_LEGEND_LINE;
        }
        if (i == LIA_LEGEND_MOST) {
            begin_text(d, "label", x, y);
            lia_text_add(d->out, "… and %zu more</text>\n", panel->count - i);
            return;
        }
        add(d, "  <path");
        add_colour(d, "curve", false, series);
        add(d, " d=\"M");
        add_length(d, x + 1);
        add(d, " ");
        add_length(d, y - 4.5);
        add(d, "h18\"/>\n");
        begin_text(d, "label", x + 26, y);
        // The unit, and how the axis reads, once: behind the last name.
        if (one_unit && i + 1 < panel->count) {
            add_printed(d, series->label);
            width -= lia_layout_unit(series);
        } else {
            add_quantity(d, &panel->y, series);
        }
        add(d, "</text>\n");
        x += width;
    }
}

static void add_tick_label(Drawing* d, const LiaAxis* axis, int i) {
    LiaText label = {0};
    lia_axis_label(axis, i, "−", &label);
    add(d, label.data ? label.data : "");
    add(d, "</text>\n");
    lia_text_clear(&label);
}

static bool is_zero(const LiaAxis* axis, int i) { return axis->first + i == 0; }

static void add_y_axis(Drawing* d, const LiaPanel* panel) {
    for (int i = 0; i < panel->y.count; i++) {
        double y = lia_layout_y(panel, lia_axis_tick(&panel->y, i));
        add_line(d, is_zero(&panel->y, i) ? "zero" : "grid", d->layout.left, sharp(y),
                 d->layout.left + d->layout.width, sharp(y));
        begin_text(d, "end", d->layout.left - 10, y + 4);
        add_tick_label(d, &panel->y, i);
    }
}

static void add_x_axis(Drawing* d) {
    const LiaPanel* bottom = &d->layout.panels[d->layout.panel_count - 1];
    double y = bottom->top + bottom->height;
    for (int i = 0; i < d->layout.x.count; i++) {
        double x = lia_layout_x(&d->layout, lia_axis_tick(&d->layout.x, i));
        const char* class = is_zero(&d->layout.x, i) && !d->figure->over_time ? "zero" : "grid";
        for (size_t k = 0; k < d->layout.panel_count; k++) {
            const LiaPanel* panel = &d->layout.panels[k];
            add_line(d, class, sharp(x), panel->top, sharp(x), panel->top + panel->height);
        }
        begin_text(d, "middle", x, y + 20);
        add_tick_label(d, &d->layout.x, i);
    }
    begin_text(d, "label end", d->layout.left + d->layout.width, y + 40);
    add_quantity(d, &d->layout.x, &d->figure->x);
    add(d, "</text>\n");
}

static LiaPoint point_at(const Drawing* d, const LiaPanel* panel, const LiaSeries* series,
                         size_t row) {
    return (LiaPoint){lia_layout_x(&d->layout, lia_figure_value(d->figure, &d->figure->x, row)),
                      lia_layout_y(panel, lia_figure_value(d->figure, series, row))};
}

static bool is_finite(LiaPoint p) { return isfinite(p.x) && isfinite(p.y); }

static void add_dot(Drawing* d, const LiaSeries* series, LiaPoint p, double radius, bool filled) {
    add(d, "  <circle");
    if (filled) {
        add_colour(d, "dot", true, series);
    } else {
        add_colour(d, "mark open", false, series);
    }
    add_attribute(d, "cx", p.x);
    add_attribute(d, "cy", p.y);
    add_attribute(d, "r", radius);
    add(d, "/>\n");
}

static void add_polyline(Drawing* d, const LiaSeries* series, const LiaPoint* points,
                         size_t count) {
    add(d, "  <path");
    add_colour(d, "curve", false, series);
    add(d, " d=\"");
    lia_pen_polyline(d->out, points, count);
    add(d, "\"/>\n");
}

// What is not a number interrupts a curve; a point alone is a dot.
static void add_curve(Drawing* d, const LiaPanel* panel, const LiaSeries* series) {
    size_t rows = d->figure->rows;
    for (size_t row = 0; row < rows;) {
        size_t count = 0;
        for (; row < rows; row++) {
            LiaPoint p = point_at(d, panel, series, row);
            if (!is_finite(p)) {
                row++;
                break;
            }
            d->points[count++] = p;
        }
        size_t kept = count > 1 ? lia_curve_thin(d->points, count, TOLERANCE, POINTS_MOST) : count;
        if (kept > 1) {
            add_polyline(d, series, d->points, kept);
        } else if (kept == 1 && (d->figure->over_time || rows > 1)) {
            // (The one point of a path is shown by its mark.)
            add_dot(d, series, d->points[0], 2.5, true);
        }
    }
}

// First or last point of a path that can be drawn.
static bool find_end(const Drawing* d, const LiaPanel* panel, const LiaSeries* series, bool last,
                     LiaPoint* end, size_t* end_row) {
    size_t rows = d->figure->rows;
    for (size_t i = 0; i < rows; i++) {
        size_t row = last ? rows - 1 - i : i;
        LiaPoint p = point_at(d, panel, series, row);
        if (is_finite(p)) {
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
static double badness(const Drawing* d, const LiaPanel* panel, const LiaSeries* series, Box box) {
    double bad = 0.0;
    double left = d->layout.left - NEAR, right = d->layout.left + d->layout.width + NEAR;
    double top = panel->top - NEAR, bottom = panel->top + panel->height + NEAR;
    if (box.left < left || box.right > right || box.top < top || box.bottom > bottom) {
        bad += 1e6;
    }
    size_t stride = d->figure->rows / 5000 + 1;
    LiaPoint before = {NAN, NAN};
    for (size_t row = 0; row < d->figure->rows; row += stride) {
        LiaPoint p = point_at(d, panel, series, row);
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

// "t = 10" beside the mark at p, where it hides least of the path and not what is in `taken`.
static Box add_time_label(Drawing* d, const LiaPanel* panel, const LiaSeries* series, LiaPoint p,
                          double t, const Box* taken, size_t taken_count) {
    static const int sides[][2] = {{1, 0},  {-1, 0}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1},
                                   {0, -1}, {0, 1},  {2, -2}, {-2, -2}, {2, 2}, {-2, 2}};
    LiaText label = {0};
    lia_text_add(&label, "t = ");
    lia_text_add_short(&label, t, 4);
    lia_text_add(&label, "%s", d->figure->time_unit ? " s" : "");
    double width = 6.4 * (double)label.length + 4, height = 16;
    Box best = {0};
    double least = INFINITY;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        double x = p.x + sides[i][0] * (sides[i][1] == 0 ? 10.0 : 7.0),
               y = p.y + sides[i][1] * 11.0;
        double left = sides[i][0] > 0 ? x : sides[i][0] < 0 ? x - width : x - width / 2;
        Box box = {left, y - height / 2, left + width, y + height / 2};
        double bad = badness(d, panel, series, box);
        for (size_t k = 0; k < taken_count; k++) {
            bad += overlap(box, taken[k]) ? 1e5 : 0.0;
        }
        if (bad < least) {
            least = bad;
            best = box;
        }
    }
    begin_text(d, "halo middle", (best.left + best.right) / 2, best.bottom - 4);
    add_printed(d, label.data ? label.data : "");
    add(d, "</text>\n");
    lia_text_clear(&label);
    return best;
}

// Round times strictly between the ends of the motion.
static LiaAxis dot_times(const LiaFigure* figure) {
    double t0 = lia_figure_time(figure, 0), t1 = lia_figure_time(figure, figure->rows - 1);
    return lia_axis_make(fmin(t0, t1), fmax(t0, t1), 0.0, 12);
}

static bool has_dots(const LiaFigure* figure) {
    return !figure->over_time && figure->count == 1 && figure->rows > 2 &&
           lia_figure_time(figure, 0) != lia_figure_time(figure, figure->rows - 1);
}

// Where the path is at time t, between two samples on the straight line.
static LiaPoint point_at_time(const Drawing* d, const LiaPanel* panel, const LiaSeries* series,
                              double t) {
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
    LiaPoint a = point_at(d, panel, series, low), b = point_at(d, panel, series, high);
    return (LiaPoint){a.x + f * (b.x - a.x), a.y + f * (b.y - a.y)};
}

// Small dots at round times: far apart where the motion is fast.
static void add_time_dots(Drawing* d, const LiaPanel* panel, const LiaSeries* series,
                          LiaPoint start, LiaPoint end) {
    const LiaFigure* figure = d->figure;
    LiaAxis times = dot_times(figure);
    double t0 = lia_figure_time(figure, 0), t1 = lia_figure_time(figure, figure->rows - 1);
    for (int i = 0; i < times.count; i++) {
        double t = lia_axis_tick(&times, i);
        LiaPoint p = point_at_time(d, panel, series, t);
        bool between = t > fmin(t0, t1) && t < fmax(t0, t1);
        double room = fmin(hypot(p.x - start.x, p.y - start.y), hypot(p.x - end.x, p.y - end.y));
        if (between && room > NEAR) {  // false for what is not finite
            add_dot(d, series, p, 2.4, false);
        }
    }
}

static Box around(LiaPoint p) { return (Box){p.x - 6, p.y - 6, p.x + 6, p.y + 6}; }

static void add_marks(Drawing* d, const LiaPanel* panel, const LiaSeries* series) {
    LiaPoint start, end;
    size_t first, last;
    if (!find_end(d, panel, series, false, &start, &first) ||
        !find_end(d, panel, series, true, &end, &last)) {
        return;
    }
    if (has_dots(d->figure)) {
        add_time_dots(d, panel, series, start, end);
    }
    add_dot(d, series, start, 4.5, false);
    if (last > first) {
        add_dot(d, series, end, 4.8, true);
    }
    if (d->figure->count > 1) {
        return;
    }
    Box taken[] = {around(end), around(start)};
    double t_start = lia_figure_time(d->figure, first), t_end = lia_figure_time(d->figure, last);
    taken[0] = add_time_label(d, panel, series, start, t_start, taken, last > first ? 1 : 0);
    if (last > first) {
        add_time_label(d, panel, series, end, t_end, taken, 2);
    }
}

// The line under the title: name, times, how it ended, what the dots are.
static void add_note(Drawing* d) {
    const LiaTrajectory* trajectory = d->figure->trajectory;
    LiaText note = {0};
    bool moved = trajectory->t != trajectory->t0;
    lia_text_add(&note, moved ? "t = " : "at t = ");
    lia_text_add_short(&note, trajectory->t0, 6);
    if (moved) {
        lia_text_add(&note, " to ");
        lia_text_add_short(&note, trajectory->t, 6);
    }
    lia_text_add(&note, "%s", d->figure->time_unit ? " s" : "");
    if (trajectory->status == LIA_FAILED) {
        lia_text_add(&note, ", where it could not go on");
    } else if (trajectory->status == LIA_STOPPED) {
        lia_text_add(&note, ", where it was stopped");
    }
    if (has_dots(d->figure)) {
        LiaAxis times = dot_times(d->figure);
        lia_text_add(&note, "; the dots are ");
        lia_text_add_short(&note, times.mantissa * pow(10.0, times.exponent), 3);
        lia_text_add(&note, "%s apart", d->figure->time_unit ? " s" : "");
    }
    if (d->layer && d->layer->note) {
        lia_text_add(&note, "; %s", d->layer->note);
    }
    LiaText all = {0};
    if (trajectory->model->title) {
        lia_text_add(&all, "%s, ", trajectory->model->name);
    }
    size_t named = all.length;
    lia_text_add(&all, "%s", note.data ? note.data : "");
    if (all.data) {
        begin_fitted(d, "note", (LiaPoint){EDGE, 54}, all.data, NOTE_LETTER);
        if (named > 0) {
            lia_escape_xml(d->out, trajectory->model->name);
            add(d, ", ");
        }
        add_printed(d, all.data + named);
        add(d, "</text>\n");
    }
    d->out->failed |= all.failed | note.failed;
    lia_text_clear(&all);
    lia_text_clear(&note);
}

static void add_heading(Drawing* d) {
    const LiaTrajectory* trajectory = d->figure->trajectory;
    const char* title =
        trajectory->model->title ? trajectory->model->title : trajectory->model->name;
    lia_text_add(d->out, "  <title>");
    lia_escape_xml(d->out, title);
    add(d, "</title>\n  <desc>");
    LiaText about = {0};
    lia_figure_describe(d->figure, &about);
    lia_escape_xml(d->out, about.data ? about.data : "");
    lia_text_clear(&about);
    add(d, ". Written by liaison " LIA_VERSION ".</desc>\n");
    add(d, lia_theme_style());
    add(d, "  <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");

    begin_fitted(d, "title", (LiaPoint){EDGE, 34}, title, TITLE_LETTER);
    lia_escape_xml(d->out, title);
    add(d, "</text>\n");
    add_note(d);
}

// What stands under the curves, within the box of the (one) panel.
static bool add_layer(Drawing* d) {
    const LiaPanel* panel = &d->layout.panels[0];
    add(d, "  <clipPath id=\"box\"><rect");
    add_attribute(d, "x", d->layout.left);
    add_attribute(d, "y", panel->top);
    add_attribute(d, "width", d->layout.width);
    add_attribute(d, "height", panel->height);
    add(d, "/></clipPath>\n");
    return d->layer->draw(d->layer->context, &d->layout, d->out);
}

static bool draw(Drawing* d) {
    lia_text_add(d->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ");
    add_length(d, LIA_LAYOUT_WIDTH);
    add(d, " ");
    add_length(d, d->layout.height);
    add(d, "\"");
    add_attribute(d, "width", LIA_LAYOUT_WIDTH);
    add_attribute(d, "height", d->layout.height);
    add(d, ">\n");
    add_heading(d);
    if (d->layer && !add_layer(d)) {
        return false;
    }
    add_x_axis(d);
    for (size_t i = 0; i < d->layout.panel_count; i++) {
        const LiaPanel* panel = &d->layout.panels[i];
        add_y_axis(d, panel);
        add_legend(d, panel);
        for (size_t k = 0; k < panel->count; k++) {
            add_curve(d, panel, panel->curves[k]);
        }
        for (size_t k = 0; k < panel->count && !d->figure->over_time; k++) {
            add_marks(d, panel, panel->curves[k]);
        }
    }
    add(d, "</svg>\n");
    return true;
}

void lia_svg_draw(const LiaFigure* figure, const LiaLayer* layer, LiaText* out) {
    Drawing d = {.out = out, .figure = figure, .layer = layer};
    d.points = lia_memory_zeros(figure->rows + 1, sizeof *d.points);
    bool room = d.points && lia_layout_make(&d.layout, figure) && draw(&d);
    lia_layout_clear(&d.layout);
    free(d.points);
    if (!room) out->failed = 1;
}

LiaStatus lia_svg_write(const LiaFigure* figure, const LiaLayer* layer, const char* path,
                        LiaMemoryMark since) {
    LiaOutputFile file;
    if (!lia_output_file_open(&file, path, &figure->trajectory->reads)) {
        return lia_memory_failed(since) ? LIA_MEMORY : LIA_FILE;
    }
    file.memory = since;
    lia_svg_draw(figure, layer, &file.text);
    bool written = lia_output_file_close(&file);
    return written ? LIA_OK : errno == ENOMEM ? LIA_MEMORY : LIA_FILE;
}
