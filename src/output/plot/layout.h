// Where the parts of a picture stand: panels one above the other, the axes, the room for legends.
//
// One panel for each group of curves; all share the x axis. Lengths are pixels, y grows downwards.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/plot/axis.h"
#include "output/plot/curve.h"
#include "output/plot/figure.h"

enum {
    LIA_LAYOUT_WIDTH = 760,  // of a picture
    LIA_LEGEND_MOST = 10,    // entries of a legend
    LIA_LEGEND_LINE = 20,    // height of its lines
};

typedef struct LiaPanel {
    const LiaSeries** curves;  // into the figure's
    size_t count;
    double legend_top;   // baseline of the legend's first line
    double top, height;  // of the box the curves are in
    LiaAxis y;
} LiaPanel;

typedef struct LiaLayout {
    const LiaFigure* figure;  // borrowed
    LiaAxis x;
    double left, width;  // of the boxes
    double height;       // of the whole
    LiaPanel panels[LIA_GROUPS_MOST];
    size_t panel_count;
    const LiaSeries** members;  // the panels' lists, one after the other
} LiaLayout;

/// Lay out a figure. False if memory is out. Release with lia_layout_clear().
bool lia_layout_make(LiaLayout* layout, const LiaFigure* figure);
void lia_layout_clear(LiaLayout* layout);
double lia_layout_x(const LiaLayout* layout, double x);
double lia_layout_y(const LiaPanel* panel, double y);
/// A point of the first panel.
LiaPoint lia_layout_point(const LiaLayout* layout, double x, double y);
/// Width of an entry of a legend, and of the part of it that is the unit.
double lia_layout_legend(const LiaSeries* series);
double lia_layout_unit(const LiaSeries* series);
