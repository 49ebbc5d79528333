// Where the parts of a picture stand.
//
// The width is given, the heights follow: a panel over t has a fixed one, a path that is to scale
// as much as it asks for within bounds.
// SPDX-License-Identifier: MIT
#include "output/plot/layout.h"
#include "base/memory/memory.h"
#include "output/plot/label.h"
#include "output/plot/theme.h"
#include <math.h>
#include <stdlib.h>

static const double RIGHT = 28, TOP = 66, BOTTOM = 52;
static const double PANEL_ALONE = 340, PANEL_STACKED = 190, PANEL_GAP = 16;
static const double PATH_LEAST = 160, PATH_MOST = 520;
static const double TICK_X = 80, TICK_Y = 38, TICK_TO_SCALE = 90;  // ticks are about that far apart
static const double LEGEND_BELOW = 8;
static const double PADDING = 0.05;  // room around the curves, of the range

double lia_layout_x(const LiaLayout* layout, double x) {
    return layout->left + layout->width * lia_axis_part(&layout->x, x);
}

double lia_layout_y(const LiaPanel* panel, double y) {
    return panel->top + panel->height * (1.0 - lia_axis_part(&panel->y, y));
}

static double printed_width(const char* label) {
    LiaText printed = {0};
    lia_label_print(label, &printed);
    double width = lia_label_width(printed.data ? printed.data : "", LIA_THEME_LABEL);
    lia_text_clear(&printed);
    return width;
}

static void share_out(LiaLayout* layout) {
    const LiaFigure* figure = layout->figure;
    size_t used = 0;
    layout->panel_count = figure->group_count;
    for (size_t k = 0; k < layout->panel_count; k++) {
        LiaPanel* panel = &layout->panels[k];
        panel->curves = layout->members + used;
        for (size_t i = 0; i < figure->count; i++) {
            if (figure->curves[i].group == k) {
                panel->curves[panel->count++] = &figure->curves[i];
            }
        }
        used += panel->count;
    }
}

double lia_layout_unit(const LiaSeries* series) {
    return series->unit ? printed_width(series->unit) + printed_width(" in ") : 0.0;
}

double lia_layout_legend(const LiaSeries* series) {
    return 28.0 + printed_width(series->label) + lia_layout_unit(series) + 18.0;
}

static double count_legend_lines(const LiaLayout* layout, const LiaPanel* panel) {
    double x = 0.0, lines = 1.0;
    for (size_t i = 0; i < panel->count && i <= LIA_LEGEND_MOST; i++) {
        double width = lia_layout_legend(panel->curves[i]);
        if (x > 0 && x + width > layout->width) {
            x = 0.0;
            lines++;
        }
        x += width;
    }
    return lines;
}

static int ticks_in(double length, double each) {
    int n = (int)(length / each);
    return n < 2 ? 2 : n;
}

// Of the numbers of an axis.
static double numbers_width(const LiaAxis* axis) {
    double widest = 0.0;
    for (int i = 0; i < axis->count; i++) {
        LiaText number = {0};
        lia_axis_label(axis, i, "-", &number);
        widest = fmax(widest, lia_label_width(number.data ? number.data : "", LIA_THEME_TEXT));
        lia_text_clear(&number);
    }
    return widest;
}

// One scale for both axes: the box is as wide as ever, as high as the path asks for within bounds,
// and the range that has room to spare is widened.
static void lay_out_to_scale(LiaLayout* layout, LiaPanel* panel) {
    double k = layout->figure->y_per_x;
    double x_range = layout->x.high - layout->x.low, y_range = k * (panel->y.high - panel->y.low);
    double height = fmin(fmax(layout->width * y_range / x_range, PATH_LEAST), PATH_MOST);
    panel->height = floor(height);
    double per_pixel = fmax(x_range / layout->width, y_range / panel->height);
    double x_more = (per_pixel * layout->width - x_range) / 2;
    double y_more = (per_pixel * panel->height - y_range) / 2 / k;
    lia_axis_stretch(&layout->x, layout->x.low - x_more, layout->x.high + x_more,
                     ticks_in(layout->width, TICK_TO_SCALE));
    lia_axis_stretch(&panel->y, panel->y.low - y_more, panel->y.high + y_more,
                     ticks_in(panel->height, TICK_Y));
    LiaAxis alike = panel->y;
    lia_axis_match(&alike, &layout->x);
    if (k == 1.0 && alike.count >= 3) {
        panel->y = alike;  // squares
    }
}

// From the top down; the left margin depends on the labels, which depend on the heights.
static void lay_out(LiaLayout* layout) {
    const LiaFigure* figure = layout->figure;
    double padding = figure->over_time ? 0.0 : PADDING;
    double labels = 0.0;
    layout->left = 60.0;
    layout->width = LIA_LAYOUT_WIDTH - layout->left - RIGHT;
    layout->x = lia_axis_make(figure->low, figure->high, padding, ticks_in(layout->width, TICK_X));
    for (size_t i = 0; i < layout->panel_count; i++) {
        LiaPanel* panel = &layout->panels[i];
        double low, high;
        lia_figure_group_range(figure, i, &low, &high);
        if (!figure->over_time && layout->panel_count == 1) {  // more room than it needs, perhaps
            low = figure->y_low;
            high = figure->y_high;
        }
        panel->height = layout->panel_count == 1 ? PANEL_ALONE : PANEL_STACKED;
        panel->y = lia_axis_make(low, high, PADDING, ticks_in(panel->height, TICK_Y));
        if (figure->y_per_x > 0) {
            lay_out_to_scale(layout, panel);
        }
        labels = fmax(labels, numbers_width(&panel->y));
    }
    layout->left = fmax(44.0, ceil(labels) + 26.0);
    layout->width = LIA_LAYOUT_WIDTH - layout->left - RIGHT;
    double y = TOP;
    for (size_t i = 0; i < layout->panel_count; i++) {
        LiaPanel* panel = &layout->panels[i];
        if (figure->y_per_x > 0) {  // again, with the width as it came out
            panel->y = lia_axis_make(figure->y_low, figure->y_high, PADDING, 2);
            layout->x = lia_axis_make(figure->low, figure->high, PADDING, 2);
            lay_out_to_scale(layout, panel);
        }
        panel->legend_top = y + LIA_LEGEND_LINE - 4;
        panel->top = y + count_legend_lines(layout, panel) * LIA_LEGEND_LINE + LEGEND_BELOW;
        y = panel->top + panel->height + (i + 1 < layout->panel_count ? PANEL_GAP : 0.0);
    }
    layout->height = y + BOTTOM;
}

bool lia_layout_make(LiaLayout* layout, const LiaFigure* figure) {
    *layout = (LiaLayout){.figure = figure};
    layout->members = lia_memory_zeros(figure->count + 1, sizeof *layout->members);
    if (!layout->members) {
        return false;
    }
    share_out(layout);
    lay_out(layout);
    return true;
}

void lia_layout_clear(LiaLayout* layout) {
    free(layout->members);
    *layout = (LiaLayout){0};
}

LiaPoint lia_layout_point(const LiaLayout* layout, double x, double y) {
    return (LiaPoint){lia_layout_x(layout, x), lia_layout_y(&layout->panels[0], y)};
}
