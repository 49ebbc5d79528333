// A figure as a small picture of characters.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/plot/figure.h"

/// The picture with its axes, as lines of text indented by two spaces.
void lia_terminal_picture(const LiaFigure* figure, const LiaTextStyle* style, LiaText* out);
