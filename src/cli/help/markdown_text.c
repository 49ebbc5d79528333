// Markdown on a terminal: headings in bold, text broken at the width, tables in columns.
//
// Running text is first made into words with their colour, then set; a word's width is its number
// of characters, for all that docs/ holds.
// SPDX-License-Identifier: MIT
#include "cli/cli_memory.h"
#include "cli/help/markdown.h"
#include <stdlib.h>
#include <string.h>

enum { WIDTH_MOST = 100, INDENT_CODE = 4, COLUMNS = 8 };

static const char* const colours[] = {"", "\x1b[36m", "\x1b[1m", "\x1b[3m"};  // by LiaPieceKind

typedef struct Setter {  // sets words into lines
    LiaSheet* out;
    bool colour;
    int width, indent;  // columns of a line; blank ones at its beginning
    int column;         // where the line is
    bool glue;          // what comes next belongs to the word before
} Setter;

static int width_of(const char* begin, const char* end) {
    int width = 0;
    for (; begin < end; begin++) {
        width += ((unsigned char)*begin & 0xC0) != 0x80;
    }
    return width;
}

static void fill(LiaSheet* out, int count) {
    lia_sheet_print(out, "%*s", count > 0 ? count : 0, "");
}

static void set_word(Setter* s, const char* begin, const char* end, LiaPieceKind kind) {
    bool marks = kind == LIA_PIECE_CODE && !s->colour;
    int width = width_of(begin, end) + (marks ? 2 : 0);
    if (!s->glue && s->column > s->indent && s->column + 1 + width > s->width) {
        lia_sheet_char(s->out, '\n');
        fill(s->out, s->indent);
        s->column = s->indent;
    } else if (!s->glue && s->column > s->indent) {
        lia_sheet_char(s->out, ' ');
        s->column++;
    }
    const char* ink = s->colour ? colours[kind] : "";
    lia_sheet_print(s->out, "%s%s%.*s%s%s", ink, marks ? "`" : "", (int)(end - begin), begin,
                    marks ? "`" : "", *ink ? "\x1b[0m" : "");
    s->column += width;
    s->glue = true;
}

static bool is_space(char c) { return c == ' ' || c == '\n'; }

// Code stays in one piece; everything else is broken at spaces.
static void set_running(Setter* s, const char* begin, const char* end) {
    LiaPiece piece;
    while (lia_markdown_piece(&begin, end, &piece)) {
        if (piece.kind == LIA_PIECE_CODE) {
            set_word(s, piece.begin, piece.end, piece.kind);
            continue;
        }
        for (const char* p = piece.begin; p < piece.end;) {
            const char* word = p;
            while (p < piece.end && !is_space(*p)) {
                p++;
            }
            if (p > word) {
                set_word(s, word, p, piece.kind);
            }
            for (; p < piece.end && is_space(*p); p++) {
                s->glue = false;
            }
        }
    }
}

static Setter setter_at(LiaSheet* out, bool colour, int width, int indent) {
    fill(out, indent);
    return (Setter){out, colour, width, indent, indent, true};
}

static void print_code(const LiaBlock* block, bool colour, LiaSheet* out) {
    for (const char* p = block->begin; p < block->end;) {
        const char* feed = memchr(p, '\n', (size_t)(block->end - p));
        const char* stop = feed ? feed : block->end;
        for (int i = 0; i < block->depth && p < stop && *p == ' '; i++) {
            p++;
        }
        if (stop > p) {
            fill(out, INDENT_CODE);
        }
        lia_sheet_print(out, "%s%.*s%s\n", colour && stop > p ? "\x1b[36m" : "", (int)(stop - p), p,
                        colour && stop > p ? "\x1b[0m" : "");
        p = stop + 1;
    }
}

// How wide a cell is without its marks; set into nothing.
static int cell_width(const char* begin, const char* end, bool colour) {
    LiaPiece piece;
    int width = 0;
    while (lia_markdown_piece(&begin, end, &piece)) {
        width += width_of(piece.begin, piece.end);
        width += piece.kind == LIA_PIECE_CODE && !colour ? 2 : 0;
    }
    return width;
}

// The longest word of a cell, which cannot be broken.
static int cell_least(const char* begin, const char* end, bool colour) {
    LiaPiece piece;
    int width = 0, least = 0;
    while (lia_markdown_piece(&begin, end, &piece)) {
        if (piece.kind == LIA_PIECE_CODE) {
            width += width_of(piece.begin, piece.end) + (colour ? 0 : 2);
            least = width > least ? width : least;
            continue;
        }
        for (const char* p = piece.begin; p < piece.end; p++) {
            width = is_space(*p) ? 0 : width + (((unsigned char)*p & 0xC0) != 0x80);
            least = width > least ? width : least;
        }
    }
    return least;
}

// Columns are as wide as they want to be; where that is too much, the widest give, down to their
// words.
static void measure(const LiaBlock* block, int width, bool colour, int* widths) {
    LiaCells cells;
    int least[COLUMNS] = {0}, total = 2;
    memset(widths, 0, COLUMNS * sizeof *widths);
    for (const char* at = block->begin; lia_markdown_row(&at, block->end, &cells);) {
        for (int i = 0; i < cells.count; i++) {
            int wanted = cell_width(cells.begin[i], cells.end[i], colour);
            int word = cell_least(cells.begin[i], cells.end[i], colour);
            widths[i] = wanted > widths[i] ? wanted : widths[i];
            least[i] = word > least[i] ? word : least[i];
        }
    }
    for (int i = 0; i < COLUMNS; i++) {
        total += widths[i] > 0 ? widths[i] + 2 : 0;
    }
    while (total > width) {
        int widest = -1;
        for (int i = 0; i < COLUMNS; i++) {
            bool gives = widths[i] > least[i] && widths[i] > 12;
            widest = gives && (widest < 0 || widths[i] > widths[widest]) ? i : widest;
        }
        if (widest < 0) {
            break;
        }
        widths[widest]--;
        total--;
    }
}

// A cell broken into lines of its column. To be freed.
static char* set_cell(const char* begin, const char* end, int width, bool colour) {
    LiaSheet sheet = {0};
    Setter s = setter_at(&sheet, colour, width, 0);
    set_running(&s, begin, end);
    return lia_sheet_end(&sheet);
}

static int shown_width(const char* line, size_t length) {
    int width = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\x1b') {
            i += strcspn(line + i, "m");
        } else {
            width += ((unsigned char)line[i] & 0xC0) != 0x80;
        }
    }
    return width;
}

static void print_row(const LiaCells* cells, const int* widths, bool colour, LiaSheet* out) {
    char* texts[COLUMNS] = {0};
    const char* at[COLUMNS] = {0};
    bool more = true;
    for (int i = 0; i < cells->count; i++) {
        texts[i] = set_cell(cells->begin[i], cells->end[i], widths[i], colour);
        at[i] = texts[i] ? texts[i] : "";
    }
    while (more) {
        more = false;
        int gap = 2;
        for (int i = 0; i < cells->count; i++) {
            size_t length = strcspn(at[i], "\n");
            if (length > 0) {
                fill(out, gap);
                lia_sheet_bytes(out, at[i], length);
                gap = 0;
            }
            gap += widths[i] - shown_width(at[i], length) + 2;
            at[i] += length + (at[i][length] == '\n');
            more = more || *at[i];
        }
        lia_sheet_char(out, '\n');
    }
    for (int i = 0; i < cells->count; i++) {
        free(texts[i]);
    }
}

static void print_table(const LiaBlock* block, int width, bool colour, LiaSheet* out) {
    int widths[COLUMNS];
    LiaCells cells;
    measure(block, width, colour, widths);
    for (const char* at = block->begin; lia_markdown_row(&at, block->end, &cells);) {
        bool empty = true;
        for (int i = 0; i < cells.count; i++) {
            empty = empty && cells.begin[i] == cells.end[i];
        }
        if (!empty) {
            print_row(&cells, widths, colour, out);
        }
    }
}

void lia_markdown_text_print(const char* begin, const char* end, int width, bool colour,
                             LiaSheet* out) {
    LiaBlock block;
    width = width > WIDTH_MOST ? WIDTH_MOST : width;
    bool first = true, items = false;
    while (lia_markdown_next(&begin, end, &block)) {
        bool item = block.kind == LIA_BLOCK_ITEM;
        if (!first && !(item && items)) {
            lia_sheet_char(out, '\n');
        }
        first = false;
        items = item;
        if (block.kind == LIA_BLOCK_CODE) {
            print_code(&block, colour, out);
        } else if (block.kind == LIA_BLOCK_TABLE) {
            print_table(&block, width, colour, out);
        } else {
            bool heading = block.kind == LIA_BLOCK_HEADING;
            if (item) {
                fill(out, block.depth);
                lia_sheet_put(out, "- ");
            }
            lia_sheet_put(out, heading && colour ? "\x1b[1m" : "");
            Setter s = setter_at(out, colour && !heading, width, 0);
            if (item) {
                s.indent = s.column = block.depth + 2;
            }
            set_running(&s, block.begin, block.end);
            lia_sheet_put(out, heading && colour ? "\x1b[0m\n" : "\n");
        }
    }
}
