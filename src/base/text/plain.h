// Plain text: what a terminal shows and does not obey.
//
// Titles, names of files and words of the command line may come from strangers. Characters that a
// terminal acts upon (escape sequences and other controls), that turn the direction of writing, or
// that are not seen at all are shown by their number: <U+001B>, <U+202E>, and bytes that are no
// text as <0x9B>. Nothing that people read leaves the library with others.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum LiaPlain {     // what is kept, besides what is seen
    LIA_PLAIN_WORD,         // nothing: the text is part of a line
    LIA_PLAIN_LINES = 1,    // line feeds and tabs
    LIA_PLAIN_COLOURS = 2,  // the codes of colours, ESC [ ... m, that this program wrote itself
} LiaPlain;

/// Is the character seen, and nothing but seen?
bool lia_plain_is_seen(uint32_t c);
/// Add a text so that it can be shown; `keep` is made of LiaPlain.
void lia_plain_add(LiaText* out, const char* text, size_t length, unsigned keep);
/// The same with a text as it is.
void lia_plain_make(LiaText* text, unsigned keep);
