// A figure: one `plot` line of the model with its numbers, as svg.c and terminal.c both draw it.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/model.h"
#include "motion/result/trajectory.h"

typedef struct LiaSeries {
    const char* label;  // as written in the model
    const char* unit;   // NULL: not known
    size_t column;      // of the trajectory
    size_t group;       // curves of one group share an axis
    double nothing;     // not 0: it is 0 but for rounding, and its like, or 1, are so large
} LiaSeries;

enum { LIA_GROUPS_MOST = 16 };  // curves of more units than this are one group

typedef struct LiaFigure {
    const LiaTrajectory* trajectory;  // borrowed
    bool over_time;                   // curves over t; else over another quantity: a path
    const char* time_unit;            // "s" where the model has units at all, else NULL
    LiaSeries x;
    LiaSeries* curves;
    size_t count;
    size_t group_count;
    bool one_unit;     // all curves have the same unit, or none
    size_t rows;       // the samples, and the last state where it is no sample
    double low, high;  // of x; low > high: there is nothing to draw
    double y_low, y_high;
    double y_per_x;  // not 0: to scale; a unit of y is that many times as long as one of x
} LiaFigure;

/// "s" where the model has units, other than of angles; else NULL.
const char* lia_figure_time_unit(const LiaModel* model);
/// The figure of a plot line. False if the trajectory has no such columns, or memory is out.
bool lia_figure_make(LiaFigure* figure, const LiaTrajectory* trajectory, size_t plot);
/// The path of one coordinate over another: columns of the trajectory. False if memory is out.
bool lia_figure_path(LiaFigure* figure, const LiaTrajectory* trajectory, size_t x, size_t y);
/// Show at least this range of a path.
void lia_figure_widen(LiaFigure* figure, double low, double high, double y_low, double y_high);
void lia_figure_clear(LiaFigure* figure);
/// A number of a series, NaN for what cannot be drawn (also what is beyond 1e290).
double lia_figure_value(const LiaFigure* figure, const LiaSeries* series, size_t row);
double lia_figure_time(const LiaFigure* figure, size_t row);
/// Smallest and largest number of a series, over what *low and *high are already.
void lia_figure_range(const LiaFigure* figure, const LiaSeries* series, double* low, double* high);
/// Smallest and largest number of a group of curves.
void lia_figure_group_range(const LiaFigure* figure, size_t group, double* low, double* high);
/// What the curves mean: all of them separated by commas, "over" x. For descriptions.
void lia_figure_describe(const LiaFigure* figure, LiaText* out);
