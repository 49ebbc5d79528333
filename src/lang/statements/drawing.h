// Drawings: what the parser and the elaborator share of the `draw` statement.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/elaborate/elaborate.h"
#include "lang/syntax/parser.h"

typedef struct LiaPicture {  // SHAPE(e, e) on BODY at e attitude e color NAME
    LiaDrawingKind kind;
    LiaCode arguments[2];
    uint32_t argument_count;
    LiaCode on, at, attitude;  // empty: not said
    const char* color;         // NULL: not said
    LiaSpan span;
} LiaPicture;

/// draw [NAME:] SHAPE(...) ..., SHAPE(...) ...
void lia_drawing_parse(LiaParser* p, LiaStatement* statement);
/// Its pictures, one for each member where the statement is a family.
void lia_drawing_take(LiaElaboration* e, const LiaStatement* statement);
