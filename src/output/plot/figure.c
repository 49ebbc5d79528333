// A figure: the numbers of a `plot` line, and whether its two axes are to the same scale.
//
// A path in space must not be drawn distorted: where x and y are of one kind they get one scale.
// They are of one kind when they have the same unit, or both are lengths, or nothing is known of
// both and their ranges are comparable. A path so flat that nothing would be seen of it is
// stretched all the same. Curves of different units do not share an axis: they come in groups.
// SPDX-License-Identifier: MIT
#include "output/plot/figure.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/plot/zero.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FLAT_KNOWN = 25.0;   // ratio of the ranges up to which a path is to scale
static const double FLAT_UNKNOWN = 4.0;  // the same where no units are known

double lia_figure_time(const LiaFigure* figure, size_t row) {
    const LiaTrajectory* trajectory = figure->trajectory;
    return row < trajectory->rows.count ? trajectory->rows.values[row * trajectory->column_count]
                                        : trajectory->final.values[0];
}

double lia_figure_value(const LiaFigure* figure, const LiaSeries* series, size_t row) {
    const LiaTrajectory* trajectory = figure->trajectory;
    double x = row < trajectory->rows.count
                   ? trajectory->rows.values[row * trajectory->column_count + series->column]
                   : trajectory->final.values[series->column];
    if (!(fabs(x) < LIA_FIGURE_MOST)) return NAN;
    return series->nothing > 0.0 ? 0.0 : x;
}

void lia_figure_range(const LiaFigure* figure, const LiaSeries* series, double* low, double* high) {
    for (size_t row = 0; row < figure->rows; row++) {
        double x = lia_figure_value(figure, series, row);
        *low = x < *low ? x : *low;  // false for NaN
        *high = x > *high ? x : *high;
    }
}

// Metres in a unit of length, 0 for other units.
static double metres(const char* unit) {
    static const struct {
        const char* unit;
        double metres;
    } lengths[] = {{"m", 1}, {"km", 1e3}, {"cm", 0.01}, {"mm", 0.001}, {"um", 0.000001}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        if (strcmp(unit, lengths[i].unit) == 0) {
            return lengths[i].metres;
        }
    }
    return 0.0;
}

// x and x': a phase portrait, two things of different kind even where no unit was said.
static bool same_order(const LiaFigure* figure) {
    const char* x_prime = strchr(figure->x.label, '\'');
    for (size_t i = 0; i < figure->count; i++) {
        if (!x_prime != !strchr(figure->curves[i].label, '\'')) {
            return false;
        }
    }
    return true;
}

static bool same_unit(const LiaSeries* a, const LiaSeries* b) {
    return (!a->unit && !b->unit) || (a->unit && b->unit && strcmp(a->unit, b->unit) == 0);
}

static double relative_scale(const LiaFigure* figure) {
    const char *x = figure->x.unit, *y = figure->curves[0].unit;
    if (!figure->one_unit) {
        return 0.0;
    }
    double width = figure->high - figure->low, height = figure->y_high - figure->y_low;
    double scale = 0.0, flat = FLAT_KNOWN;
    if (x && y) {
        double x_metres = metres(x), y_metres = metres(y);
        scale = strcmp(x, y) == 0 ? 1.0 : x_metres > 0 && y_metres > 0 ? y_metres / x_metres : 0.0;
    } else if (!x && !y && same_order(figure)) {
        scale = 1.0;
        flat = FLAT_UNKNOWN;
    }
    bool comparable = scale * height <= flat * width && width <= flat * scale * height;
    // A straight line along an axis has no other range to compare with; units decide.
    bool straight = (width <= 0 || height <= 0) && x && y;
    return comparable || straight ? scale : 0.0;
}

static void make_groups(LiaFigure* figure) {
    size_t groups = 0;
    for (size_t i = 0; i < figure->count; i++) {
        LiaSeries* series = &figure->curves[i];
        size_t k = 0;
        while (k < i && !same_unit(&figure->curves[k], series)) {
            k++;
        }
        series->group = k < i ? figure->curves[k].group : groups++;
    }
    figure->one_unit = groups == 1;
    if (groups > LIA_GROUPS_MOST) {
        for (size_t i = 0; i < figure->count; i++) {
            figure->curves[i].group = 0;
        }
        groups = 1;
    }
    figure->group_count = groups;
}

void lia_figure_group_range(const LiaFigure* figure, size_t group, double* low, double* high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < figure->count; i++) {
        if (figure->curves[i].group == group)
            lia_figure_range(figure, &figure->curves[i], low, high);
    }
    double nothing = 0.0;
    for (size_t i = 0; i < figure->count; i++) {
        if (figure->curves[i].group == group) nothing = fmax(nothing, figure->curves[i].nothing);
    }
    if (*low == 0.0 && *high == 0.0 && nothing > 0.0) *low = -nothing, *high = nothing;
}

static bool is_dimension(const char* unit) {
    static const char* const angles[] = {"rad", "deg", "turn", "rev", "sr", "percent"};
    for (size_t i = 0; unit && i < sizeof angles / sizeof *angles; i++) {
        if (strcmp(unit, angles[i]) == 0) return false;
    }
    return unit != NULL;
}

const char* lia_figure_time_unit(const LiaModel* model) {
    bool some = model->joules;
    for (uint32_t i = 0; i < model->coordinates_count; i++) {
        some = some || is_dimension(model->coordinates[i].unit);
    }
    for (uint32_t i = 0; i < model->parameters_count; i++) {
        some = some || is_dimension(model->parameters[i].unit);
    }
    for (uint32_t i = 0; i < model->observes_count; i++) {
        some = some || is_dimension(model->observes[i].unit);
    }
    return some ? "s" : NULL;
}

// Columns of the plot in the order of its curves, the x axis first where there is one.
static bool find_columns(LiaFigure* figure, const LiaPlot* plot, size_t index) {
    const LiaTrajectory* trajectory = figure->trajectory;
    size_t found = 0, first = figure->over_time ? 1 : 0;
    for (size_t i = 0; i < trajectory->column_count && found < plot->count + 1 - first; i++) {
        const LiaColumn* column = &trajectory->columns[i];
        if (column->kind != LIA_COLUMN_PLOT || column->index != index) {
            continue;
        }
        size_t slot = found + first;
        const LiaCurve* curve = slot == 0 ? &plot->x : &plot->curves[slot - 1];
        LiaSeries series = {column->label, curve->unit, i, 0, 0.0};
        if (slot == 0) {
            figure->x = series;
        } else {
            figure->curves[slot - 1] = series;
        }
        found++;
    }
    return found == plot->count + 1 - first && plot->count > 0;
}

// What is 0 but for rounding is drawn as 0, as large as its like; 1 where it has none.
static void find_nothing(const LiaZero* zero, LiaSeries* series) {
    double most = zero->most[series->column], whole = lia_zero_whole(zero, series->column);
    if (most == 0.0 || most > lia_zero_bound(zero, series->column)) return;
    series->nothing = most <= LIA_FIGURE_ROUNDING * whole ? whole : 1.0;
}

// Groups, rows and ranges, once it is known which columns are drawn.
static void take_ranges(LiaFigure* figure) {
    make_groups(figure);
    const LiaTrajectory* trajectory = figure->trajectory;
    size_t rows = trajectory->rows.count;
    figure->rows = rows;
    if (trajectory->final.values &&
        (rows == 0 || lia_figure_time(figure, rows - 1) != trajectory->final.values[0])) {
        figure->rows++;
    }
    LiaZero zero;
    if (trajectory->columns && lia_zero_init(&zero, trajectory)) {  // a comparison has no columns
        if (!figure->over_time) find_nothing(&zero, &figure->x);
        for (size_t i = 0; i < figure->count; i++) find_nothing(&zero, &figure->curves[i]);
        lia_zero_clear(&zero);
    }
    figure->low = figure->y_low = INFINITY;
    figure->high = figure->y_high = -INFINITY;
    lia_figure_range(figure, &figure->x, &figure->low, &figure->high);
    for (size_t i = 0; i < figure->count; i++) {
        lia_figure_range(figure, &figure->curves[i], &figure->y_low, &figure->y_high);
    }
    figure->y_per_x = figure->over_time ? 0.0 : relative_scale(figure);
}

bool lia_figure_make(LiaFigure* figure, const LiaTrajectory* trajectory, size_t plot_index) {
    *figure = (LiaFigure){.trajectory = trajectory};
    const LiaModel* model = trajectory->model;
    if (plot_index >= model->pictures.plots_count) {
        return false;
    }
    const LiaPlot* plot = &model->pictures.plots[plot_index];
    figure->over_time = plot->x.term.index == 0;
    figure->time_unit = lia_figure_time_unit(model);
    figure->x = (LiaSeries){"t", figure->time_unit, 0, 0, 0.0};
    figure->count = plot->count;
    figure->curves = lia_memory_zeros(plot->count + 1, sizeof *figure->curves);
    if (!figure->curves || !find_columns(figure, plot, plot_index)) {
        lia_figure_clear(figure);
        return false;
    }
    take_ranges(figure);
    return true;
}

bool lia_figure_path(LiaFigure* figure, const LiaTrajectory* trajectory, size_t x, size_t y) {
    const LiaColumn *across = &trajectory->columns[x], *up = &trajectory->columns[y];
    *figure = (LiaFigure){.trajectory = trajectory, .count = 1};
    figure->time_unit = lia_figure_time_unit(trajectory->model);
    figure->x = (LiaSeries){across->label, across->unit, x, 0, 0.0};
    figure->curves = lia_memory_zeros(2, sizeof *figure->curves);
    if (!figure->curves) {
        return false;
    }
    figure->curves[0] = (LiaSeries){up->label, up->unit, y, 0, 0.0};
    take_ranges(figure);
    return true;
}

void lia_figure_widen(LiaFigure* figure, double low, double high, double y_low, double y_high) {
    figure->low = fmin(figure->low, low);
    figure->high = fmax(figure->high, high);
    figure->y_low = fmin(figure->y_low, y_low);
    figure->y_high = fmax(figure->y_high, y_high);
    figure->y_per_x = relative_scale(figure);
}

void lia_figure_clear(LiaFigure* figure) {
    free(figure->curves);
    *figure = (LiaFigure){0};
}

void lia_figure_describe(const LiaFigure* figure, LiaText* out) {
    for (size_t i = 0; i < figure->count; i++) {
        lia_text_add(out, "%s%s", i > 0 ? ", " : "", figure->curves[i].label);
    }
    lia_text_add(out, " over %s", figure->x.label);
}
