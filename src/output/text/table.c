// A table for people: two passes over the cells, one to measure and one to write.
// SPDX-License-Identifier: MIT
#include "output/text/table.h"
#include "output/plot/label.h"
#include "output/text/ink.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { COLUMNS_MOST = 12, CELL_MOST = 200 };

typedef struct Width {
    int before, after;  // of a number: up to its point, and from it on
    int whole;
} Width;

typedef struct Cell {
    char text[CELL_MOST];
    Width width;
    int column;
    bool heading, last;  // of the first row; of its row
} Cell;

// The next cell of the text; false at its end.
static bool next_cell(const char** at, Cell* cell) {
    if (!**at) {
        return false;
    }
    size_t n = strcspn(*at, "\t\n");
    size_t kept = n < CELL_MOST - 1 ? n : CELL_MOST - 1;
    memcpy(cell->text, *at, kept);
    cell->text[kept] = '\0';
    *at += n;
    if (**at == '\t') {
        (*at)++;
    }
    cell->last = **at == '\n' || **at == '\0';
    if (**at == '\n') {
        (*at)++;
    }
    size_t point = strcspn(cell->text, ".e");
    cell->width.whole = (int)lia_label_length(cell->text);
    cell->width.after = (int)strlen(cell->text + point);
    cell->width.before = cell->width.whole - cell->width.after;
    return true;
}

static int most(int a, int b) { return a > b ? a : b; }

static void add_spaces(LiaText* out, int count) {
    lia_text_add(out, "%*s", count > 0 ? count : 0, "");
}

static void measure(const char* at, const char* align, bool heading, Width widths[]) {
    Cell cell = {0};
    int column = 0;
    bool first_row = true;
    while (next_cell(&at, &cell)) {
        if (column < COLUMNS_MOST) {
            Width* width = &widths[column];
            if (align[column] == 'p' && !(heading && first_row)) {
                width->before = most(width->before, cell.width.before);
                width->after = most(width->after, cell.width.after);
            }
            width->whole = most(width->whole, cell.width.whole);
        }
        first_row &= !cell.last;
        column = cell.last ? 0 : column + 1;
    }
    for (int i = 0; i < COLUMNS_MOST; i++) {
        widths[i].whole = most(widths[i].whole, widths[i].before + widths[i].after);
    }
}

// What the first column must give away, so that the table fits.
static void narrow(Width widths[], size_t columns, int width) {
    enum { LEAST = 2 };
    int total = 0, end = 0;  // empty columns at the end take no room
    for (size_t i = 0; i < columns; i++) {
        end += 2 + widths[i].whole;
        total = widths[i].whole > 0 ? end : total;
    }
    if (width > 0 && total > width) {
        widths[0].whole = most(LEAST, widths[0].whole - (total - width));
    }
}

void lia_table_print(const LiaText* cells, const char* align, LiaTableStyle style, LiaText* out) {
    int heading = style.heading, room = style.room;
    const char *begin = style.begin, *end = style.end;
    const char* at = cells->data ? cells->data : "";
    Width widths[COLUMNS_MOST] = {0};
    size_t columns = strlen(align);
    measure(at, align, heading != 0, widths);
    narrow(widths, columns, room);
    Cell cell = {0};
    size_t column = 0;
    bool first_row = heading != 0;
    int owed = 2;  // spaces before the next thing that is seen: none at the end of a line
    while (next_cell(&at, &cell)) {
        if (column < columns) {
            Width width = widths[column];
            char how = first_row && align[column] == 'p' ? 'r' : align[column];
            int left = how == 'l'   ? 0
                       : how == 'r' ? width.whole - cell.width.whole
                                    : width.whole - width.after - cell.width.before;
            if (cell.width.whole > 0) {
                add_spaces(out, owed + left);
                lia_text_add(out, "%s%s%s", first_row ? begin : "", cell.text,
                             first_row ? end : "");
                owed = 2 + width.whole - left - cell.width.whole;
                if (column == 0 && owed < 2 && !cell.last) {
                    lia_text_add(out, "\n");
                    owed = 4 + width.whole;
                }
            } else {
                owed += width.whole + 2;
            }
        }
        column++;
        if (cell.last) {
            lia_text_add(out, "\n");
            column = 0;
            owed = 2;
            first_row = false;
        }
    }
}

void lia_table_inked(LiaText* out, const LiaTextStyle* style, LiaText* cells, const char* align) {
    lia_table_print(cells, align,
                    (LiaTableStyle){.heading = true,
                                    .begin = lia_ink(style, LIA_INK_DIM),
                                    .end = lia_ink(style, LIA_INK_PLAIN)},
                    out);
    lia_text_clear(cells);
}

void lia_table_number(LiaText* cells, double x, int digits) {
    if (isnan(x)) {
        lia_text_add(cells, "-");
    } else {
        lia_text_add_short(cells, x == 0.0 ? 0.0 : x, digits);  // no -0
    }
    lia_text_add(cells, "\t");
}
