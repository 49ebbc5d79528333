// Labels as they are set in print: theta' becomes θ′, kg*m^2 becomes kg·m², q[3] becomes q₃.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"

/// A name, a formula or a unit of the model language, in Unicode.
void lia_label_print(const char* text, LiaText* out);
/// Characters of a UTF-8 text: what its width is reckoned from.
size_t lia_label_length(const char* text);
