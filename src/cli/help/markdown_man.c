// Markdown as a page of the manual, in the man macros of troff.
//
//   # title     left out: the NAME is given    ## title    .SH
//   ### title   .SS                           - item      .IP
//   tables      .TP, the first cell as the tag
// SPDX-License-Identifier: MIT
#include "cli/help/markdown.h"
#include <ctype.h>
#include <string.h>

typedef struct Roff {
    LiaSheet* out;
    bool fresh;  // at the beginning of a line
    bool space;  // after a space
} Roff;

// Characters that troff would take for its own.
static void put_text(Roff* r, const char* begin, const char* end, bool raw) {
    for (const char* p = begin; p < end; p++) {
        char c = *p == '\n' && !raw ? ' ' : *p;
        if (r->fresh && (c == '.' || c == '\'')) {
            lia_sheet_put(r->out, "\\&");
        }
        if (c == ' ' && (r->fresh || r->space) && !raw) {
            continue;
        }
        r->space = c == ' ';
        const char* escaped = c == '\\'   ? "\\e"
                              : c == '-'  ? "\\-"
                              : c == '\'' ? "\\(aq"
                              : c == '`'  ? "\\(ga"
                              : c == '^'  ? "\\(ha"
                              : c == '~'  ? "\\(ti"
                                          : NULL;
        r->fresh = c == '\n';
        if (escaped) {
            lia_sheet_put(r->out, escaped);
        } else {
            lia_sheet_char(r->out, c);
        }
    }
}

static void put_running(Roff* r, const char* begin, const char* end) {
    static const char* const fonts[] = {"", "\\fB", "\\fB", "\\fI"};  // by LiaPieceKind
    LiaPiece piece;
    while (lia_markdown_piece(&begin, end, &piece)) {
        bool font = piece.kind != LIA_PIECE_PLAIN;
        if (font) {
            r->space = false;
            lia_sheet_put(r->out, fonts[piece.kind]);
            r->fresh = false;
        }
        put_text(r, piece.begin, piece.end, false);
        lia_sheet_put(r->out, font ? "\\fP" : "");
    }
    lia_sheet_char(r->out, '\n');
    r->fresh = true;
}

static void put_table(Roff* r, const LiaBlock* block) {
    LiaCells cells;
    for (const char* at = block->begin; lia_markdown_row(&at, block->end, &cells);) {
        if (cells.count == 0 || cells.begin[0] == cells.end[0]) {
            continue;
        }
        lia_sheet_put(r->out, ".TP\n");
        put_running(r, cells.begin[0], cells.end[0]);
        for (int i = 1; i < cells.count; i++) {
            if (cells.begin[i] < cells.end[i]) {
                put_running(r, cells.begin[i], cells.end[i]);
                lia_sheet_put(r->out, i + 1 < cells.count ? ".br\n" : "");
            }
        }
    }
}

static void put_code(Roff* r, const LiaBlock* block) {
    lia_sheet_put(r->out, ".PP\n.RS 4\n.nf\n");
    for (const char* p = block->begin; p < block->end;) {
        const char* feed = memchr(p, '\n', (size_t)(block->end - p));
        const char* stop = feed ? feed : block->end;
        for (int i = 0; i < block->depth && p < stop && *p == ' '; i++) {
            p++;
        }
        r->fresh = true;
        put_text(r, p, stop, true);
        lia_sheet_char(r->out, '\n');
        p = stop + 1;
    }
    r->fresh = true;
    lia_sheet_put(r->out, ".fi\n.RE\n");
}

static void put_heading(Roff* r, const LiaBlock* block) {
    lia_sheet_put(r->out, block->depth == 2 ? ".SH " : ".SS ");
    r->fresh = false;
    for (const char* p = block->begin; p < block->end; p++) {
        char c = block->depth == 2 ? (char)toupper((unsigned char)*p) : *p;
        if (*p != '`') {
            put_text(r, &c, &c + 1, true);
        }
    }
    lia_sheet_char(r->out, '\n');
    r->fresh = true;
}

void lia_markdown_man(const char* begin, const char* end, const LiaManual* manual, LiaSheet* out) {
    Roff r = {.out = out, .fresh = true};
    LiaBlock block;
    bool items = false, described = false;
    lia_sheet_put(out, ".TH ");
    for (const char* p = manual->name; *p; p++) {
        lia_sheet_char(out, (char)toupper((unsigned char)*p));
    }
    lia_sheet_print(out, " %d \"\" liaison \"%s\"\n.SH NAME\n", manual->section,
                    manual->section == 1   ? "User Commands"
                    : manual->section == 5 ? "File Formats"
                                           : "Miscellaneous");
    put_text(&r, manual->name, manual->name + strlen(manual->name), false);
    lia_sheet_put(out, " \\- ");
    put_text(&r, manual->sentence, manual->sentence + strlen(manual->sentence), false);
    lia_sheet_char(out, '\n');
    r.fresh = true;
    while (lia_markdown_next(&begin, end, &block)) {
        bool item = block.kind == LIA_BLOCK_ITEM;
        if (block.kind == LIA_BLOCK_HEADING && block.depth == 1) {
            continue;
        }
        if (!described && block.kind != LIA_BLOCK_HEADING) {
            lia_sheet_put(out, ".SH DESCRIPTION\n");
        }
        described = true;
        if (block.kind == LIA_BLOCK_HEADING) {
            put_heading(&r, &block);
        } else if (block.kind == LIA_BLOCK_TABLE) {
            put_table(&r, &block);
        } else if (block.kind == LIA_BLOCK_CODE) {
            put_code(&r, &block);
        } else {
            lia_sheet_put(out, item ? items ? ".IP \\(bu 2\n" : ".PP\n.IP \\(bu 2\n" : ".PP\n");
            put_running(&r, block.begin, block.end);
        }
        items = item;
    }
}
