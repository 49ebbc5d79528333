// Bold and dim on a terminal, and the heads of sections of texts for people.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include <liaison/liaison.h>

#define LIA_INK_BOLD  "\x1b[1m"
#define LIA_INK_DIM   "\x1b[2m"
#define LIA_INK_PLAIN "\x1b[0m"

/// The code where colours are wanted, else nothing.
static inline const char* lia_ink(const LiaTextStyle* style, const char* code) {
    return style->colour ? code : "";
}

static inline void lia_ink_section(LiaText* out, const LiaTextStyle* style, const char* name) {
    lia_text_add(out, "\n%s%s%s\n", lia_ink(style, LIA_INK_BOLD), name,
                 lia_ink(style, LIA_INK_PLAIN));
}
