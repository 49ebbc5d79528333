// What happened along a motion, under the time axis of a plot: the modes of each contact as a bar
// in colours, its impacts as lines across it, and the events of the model.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/plot/svg_drawing.h"

/// How many pixels they need under the picture; 0: there is nothing to show.
double lia_svg_bars_height(const LiaFigure* figure);
/// Draw them from `top` down.
void lia_svg_bars_add(LiaSvgDrawing* d, double top);
