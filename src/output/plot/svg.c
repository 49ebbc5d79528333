// The `plot` lines of a model as SVG files.
//
// One figure, one file: title, then one panel for each unit the curves have (curves of one unit
// share an axis, others would dwarf each other), then the x axis. A path, y over x, is one panel,
// to scale where x and y are of one kind, with marks where it begins, ends, and at round times in
// between. Under curves over t stand the modes of contacts and the events (svg_bars.c). Text is
// text. Where things stand is in layout.c, how they look in theme.c.
// SPDX-License-Identifier: MIT
#include "output/plot/svg.h"
#include "base/file/output_file.h"
#include "base/memory/memory.h"
#include "output/plot/label.h"
#include "output/plot/pen.h"
#include "output/plot/svg_bars.h"
#include "output/plot/svg_marks.h"
#include "output/plot/theme.h"
#include "output/text/escape.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MOST = 2000 };  // of a curve

static const double TOLERANCE = 0.08;  // pixels: a simplified curve is that near to the samples

static const double EDGE = 24;  // texts stay that far from the edges of the picture

// --- elements --------------------------------------------------------------------------------

static void add(LiaSvgDrawing* d, const char* text) {
    lia_text_add_bytes(d->out, text, strlen(text));
}

static void add_length(LiaSvgDrawing* d, double x) { lia_pen_length(d->out, x); }

static void add_attribute(LiaSvgDrawing* d, const char* name, double x) {
    lia_pen_attribute(d->out, name, x);
}

static void begin_text(LiaSvgDrawing* d, const char* class, double x, double y) {
    lia_pen_begin_text(d->out, class, x, y);
}

static void add_line(LiaSvgDrawing* d, const char* class, double x1, double y1, double x2,
                     double y2) {
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

// --- drawing ------------------------------------------------------------------------------------

// A text from `at` to the right edge at most.
static void add_fitted(LiaSvgDrawing* d, const char* class, LiaPoint at, double size,
                       const char* text) {
    lia_pen_fitted(d->out, (LiaFitted){class, at, size, LIA_LAYOUT_WIDTH - EDGE - at.x}, text);
}

// "y in 10⁶ m": what, and how the numbers of the axis are to be read, as it is set in print.
static LiaText quantity(const LiaAxis* axis, const LiaSeries* series) {
    LiaText text = {0}, printed = {0};
    lia_axis_quantity(axis, series->label, series->unit, &text);
    lia_label_print(text.data ? text.data : "", &printed);
    printed.failed |= text.failed;
    lia_text_clear(&text);
    return printed;
}

static LiaText name_of(const LiaSeries* series) {
    LiaText printed = {0};
    lia_label_print(series->label, &printed);
    return printed;
}

// A label of the legend; the text ends here.
static void add_label(LiaSvgDrawing* d, LiaPoint at, LiaText text) {
    double taken = d->layer ? d->layer->taken : 0.0;
    double room = taken > 0.0 ? d->layout.left + d->layout.width - taken - 14 - at.x
                              : LIA_LAYOUT_WIDTH - EDGE - at.x;
    lia_pen_fitted(d->out, (LiaFitted){"label", at, LIA_THEME_LABEL, room},
                   text.data ? text.data : "");
    d->out->failed |= text.failed;
    lia_text_clear(&text);
}

static void add_legend(LiaSvgDrawing* d, const LiaPanel* panel) {
    double y = panel->legend_top;
    if (panel->count == 1) {
        add_label(d, (LiaPoint){d->layout.left, y}, quantity(&panel->y, panel->curves[0]));
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
            LiaText more = {0};
            lia_text_add(&more, "… and %zu more", panel->count - i);
            add_label(d, (LiaPoint){x, y}, more);
            return;
        }
        add(d, "  <path");
        lia_svg_drawing_colour(d, "curve", false, series);
        add(d, " d=\"M");
        add_length(d, x + 1);
        add(d, " ");
        add_length(d, y - 4.5);
        add(d, "h18\"/>\n");
        // The unit, and how the axis reads, once: after the last name.
        bool name_alone = one_unit && i + 1 < panel->count;
        width -= name_alone ? lia_layout_unit(series) : 0.0;
        add_label(d, (LiaPoint){x + 26, y},
                  name_alone ? name_of(series) : quantity(&panel->y, series));
        x += width;
    }
}

static void add_tick_label(LiaSvgDrawing* d, const LiaAxis* axis, int i) {
    LiaText label = {0};
    lia_axis_label(axis, i, "−", &label);
    add(d, label.data ? label.data : "");
    add(d, "</text>\n");
    lia_text_clear(&label);
}

static bool is_zero(const LiaAxis* axis, int i) { return axis->first + i == 0; }

static void add_y_axis(LiaSvgDrawing* d, const LiaPanel* panel) {
    for (int i = 0; i < panel->y.count; i++) {
        double y = lia_layout_y(panel, lia_axis_tick(&panel->y, i));
        add_line(d, is_zero(&panel->y, i) ? "zero" : "grid", d->layout.left, sharp(y),
                 d->layout.left + d->layout.width, sharp(y));
        begin_text(d, "end", d->layout.left - 10, y + 4);
        add_tick_label(d, &panel->y, i);
    }
}

static void add_x_axis(LiaSvgDrawing* d) {
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
    double right = d->layout.left + d->layout.width;
    LiaText text = quantity(&d->layout.x, &d->figure->x);
    LiaFitted how = {"label end", {right, y + 40}, LIA_THEME_LABEL, right - EDGE};
    lia_pen_fitted(d->out, how, text.data ? text.data : "");
    d->out->failed |= text.failed;
    lia_text_clear(&text);
}

static void add_polyline(LiaSvgDrawing* d, const LiaSeries* series, const LiaPoint* points,
                         size_t count) {
    add(d, "  <path");
    lia_svg_drawing_colour(d, "curve", false, series);
    add(d, " d=\"");
    lia_pen_polyline(d->out, points, count);
    add(d, "\"/>\n");
}

// What is not a number interrupts a curve; a point alone is a dot.
static void add_curve(LiaSvgDrawing* d, const LiaPanel* panel, const LiaSeries* series) {
    size_t rows = d->figure->rows;
    for (size_t row = 0; row < rows;) {
        size_t count = 0;
        for (; row < rows; row++) {
            LiaPoint p = lia_svg_drawing_point(d, panel, series, row);
            if (!lia_svg_drawing_is_finite(p)) {
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
            lia_svg_drawing_dot(d, series, d->points[0], 2.5, true);
        }
    }
}

// The line under the title: name, times, how it ended, what the dots are.
static void add_note(LiaSvgDrawing* d) {
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
    if (lia_svg_marks_has_dots(d->figure)) {
        LiaAxis times = lia_svg_marks_times(d->figure);
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
    lia_label_print(note.data ? note.data : "", &all);
    add_fitted(d, "note", (LiaPoint){EDGE, 54}, LIA_THEME_TEXT, all.data ? all.data : "");
    d->out->failed |= all.failed | note.failed;
    lia_text_clear(&all);
    lia_text_clear(&note);
}

static void add_heading(LiaSvgDrawing* d) {
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

    add_fitted(d, "title", (LiaPoint){EDGE, 34}, LIA_THEME_TITLE_WIDE, title);
    add_note(d);
}

// What stands under the curves, within the box of the (one) panel.
static bool add_layer(LiaSvgDrawing* d) {
    const LiaPanel* panel = &d->layout.panels[0];
    add(d, "  <clipPath id=\"box\"><rect");
    add_attribute(d, "x", d->layout.left);
    add_attribute(d, "y", panel->top);
    add_attribute(d, "width", d->layout.width);
    add_attribute(d, "height", panel->height);
    add(d, "/></clipPath>\n");
    return d->layer->draw(d->layer->context, &d->layout, d->out);
}

static bool draw(LiaSvgDrawing* d) {
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
            lia_svg_marks_add(d, panel, panel->curves[k]);
        }
    }
    if (d->bars > 0.0) lia_svg_bars_add(d, d->layout.height - d->bars);
    add(d, "</svg>\n");
    return true;
}

void lia_svg_draw(const LiaFigure* figure, const LiaLayer* layer, LiaText* out) {
    LiaSvgDrawing d = {.out = out, .figure = figure, .layer = layer};
    d.points = lia_memory_zeros(figure->rows + 1, sizeof *d.points);
    bool room = d.points && lia_layout_make(&d.layout, figure);
    d.bars = room ? lia_svg_bars_height(figure) : 0.0;
    d.layout.height += d.bars;
    room = room && draw(&d);
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
