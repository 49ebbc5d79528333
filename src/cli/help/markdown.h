// Markdown, as far as docs/ uses it: headings, paragraphs, lists, tables, code.
//
// A page is walked block by block; a block is a piece of the page's own text.
// SPDX-License-Identifier: MIT
#pragma once
#include "cli/help/sheet.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum LiaBlockKind {
    LIA_BLOCK_HEADING,    // text: the title; depth 1 to 6
    LIA_BLOCK_PARAGRAPH,  // text: the lines
    LIA_BLOCK_ITEM,   // of a list; text: the lines, without the dash; depth: columns of indentation
    LIA_BLOCK_TABLE,  // text: all rows, `| a | b |` each
    LIA_BLOCK_CODE,   // text: the lines; depth: columns to take off each
} LiaBlockKind;

typedef struct LiaBlock {
    LiaBlockKind kind;
    int depth;
    const char *begin, *end;  // the text, a part of the page
} LiaBlock;

/// The block at *at, which is moved after it. False at the end.
bool lia_markdown_next(const char** at, const char* end, LiaBlock* block);

typedef struct LiaCells {
    const char *begin[8], *end[8];
    int count;
} LiaCells;

/// The row of a table at *at, which is moved after it; rows of dashes are passed over, cells are
/// trimmed.
bool lia_markdown_row(const char** at, const char* end, LiaCells* cells);

/// Pieces of running text: words, code, and so on.
typedef enum LiaPieceKind {
    LIA_PIECE_PLAIN,
    LIA_PIECE_CODE,
    LIA_PIECE_BOLD,
    LIA_PIECE_ITALIC
} LiaPieceKind;

typedef struct LiaPiece {
    LiaPieceKind kind;
    const char *begin, *end;
} LiaPiece;

/// The piece at *at, which is moved after it: of a link the text, of code what is between the
/// marks.
bool lia_markdown_piece(const char** at, const char* end, LiaPiece* piece);

/// The text as a terminal of `width` columns shows it; without colours marks of code stay.
void lia_markdown_text_print(const char* begin, const char* end, int width, bool colour,
                             LiaSheet* out);
typedef struct LiaManual {
    const char *page, *name;  // of docs/, of the manual
    int section;
    const char* sentence;  // what it is
} LiaManual;

/// The text as a page of the manual, for man(1).
void lia_markdown_man(const char* begin, const char* end, const LiaManual* manual, LiaSheet* out);
