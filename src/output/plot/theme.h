// How pictures look: the style sheet and the colours of curves.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include <stdbool.h>
#include <stddef.h>

/// The style element of an SVG file, for light and for dark surroundings.
const char* lia_theme_style(void);
/// ` class="..."`, and a colour of its own where there are many: attributes of a line (or,
/// `filled`, an area) that belongs to curve `i` of `count`.
void lia_theme_colour(LiaText* out, const char* class, bool filled, size_t i, size_t count);
