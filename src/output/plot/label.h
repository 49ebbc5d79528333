// Labels as they are set in print: theta' becomes θ′, kg*m^2 becomes kg·m², q[3] becomes q₃.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"

/// A name, a formula or a unit of the model language, in Unicode.
void lia_label_print(const char* text, LiaText* out);
/// Characters of a UTF-8 text: its width on a terminal.
size_t lia_label_length(const char* text);
/// Width of a text in letters of `size` pixels. The reader's font is not known: letters are as wide
/// as those of the widest of the usual sans-serif fonts.
double lia_label_width(const char* text, double size);
/// The text itself where it is at most `most` wide, else as much of it as fits, and "…". Adds it.
void lia_label_shorten(const char* text, double size, double most, LiaText* out);
