// A table for people: columns aligned by their letters, numbers by their points.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include <liaison/liaison.h>

typedef struct LiaTableStyle {
    int heading;              // the first row is one
    int room;                 // columns of the page; 0: as wide as it likes
    const char *begin, *end;  // put around the heading: colours; "" for none
} LiaTableStyle;

/// Lay out `cells`: cells end with a tab, rows with a newline (the last cell of a row needs no
/// tab). One letter of `align` per column: l left, r right, p at the decimal point. Each row is
/// indented by two spaces, columns are two apart. A first row that is a `heading` is set flush with
/// its column. Where the table would be wider than `room`, names in the first column that are too
/// long for that get a line of their own.
void lia_table_print(const LiaText* cells, const char* align, LiaTableStyle style, LiaText* out);
/// A table with a heading, dim where colours are wanted; `cells` is cleared.
void lia_table_inked(LiaText* out, const LiaTextStyle* style, LiaText* cells, const char* align);
/// A number as a cell, "-" where it is none.
void lia_table_number(LiaText* cells, double x, int digits);
