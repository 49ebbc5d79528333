// How pictures look: the style sheet and the colours of curves.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include <stdbool.h>
#include <stddef.h>

/// Sizes of letters in the style sheet, in pixels: numbers and notes, labels, the title; and the
/// size of plain letters that are as wide as those of the title, which are bold.
enum { LIA_THEME_TEXT = 12, LIA_THEME_LABEL = 13, LIA_THEME_TITLE = 17, LIA_THEME_TITLE_WIDE = 19 };

/// The style element of an SVG file, for light and for dark surroundings.
const char* lia_theme_style(void);
/// ` class="..."`, and a colour of its own where there are many: attributes of a line (or,
/// `filled`, an area) that belongs to curve `i` of `count`.
void lia_theme_colour(LiaText* out, const char* class, bool filled, size_t i, size_t count);
