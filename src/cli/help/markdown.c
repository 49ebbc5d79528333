// Markdown into blocks, table rows and pieces of running text.
// SPDX-License-Identifier: MIT
#include "cli/help/markdown.h"
#include <string.h>

static const char* line_end(const char* at, const char* end) {
    const char* feed = memchr(at, '\n', (size_t)(end - at));
    return feed ? feed : end;
}

static const char* next_line(const char* at, const char* end) {
    const char* feed = line_end(at, end);
    return feed < end ? feed + 1 : end;
}

static const char* skip_spaces(const char* at, const char* end) {
    while (at < end && *at == ' ') {
        at++;
    }
    return at;
}

static bool starts(const char* at, const char* end, const char* text) {
    size_t n = strlen(text);
    return (size_t)(end - at) >= n && strncmp(at, text, n) == 0;
}

static bool is_blank(const char* at, const char* end) {
    at = skip_spaces(at, end);
    return at == end || *at == '\n';
}

static bool is_item(const char* at, const char* end) {
    at = skip_spaces(at, end);
    const char* digits = at;
    while (digits < end && *digits >= '0' && *digits <= '9') {
        digits++;
    }
    return starts(at, end, "- ") || (digits > at && starts(digits, end, ". "));
}

static bool is_special(const char* at, const char* end) {
    return starts(at, end, "#") || starts(at, end, "```") || starts(at, end, "|") ||
           is_item(at, end);
}

static const char* read_heading(const char* at, const char* end, LiaBlock* block) {
    block->kind = LIA_BLOCK_HEADING;
    for (block->depth = 0; at < end && *at == '#'; at++) {
        block->depth++;
    }
    block->begin = skip_spaces(at, end);
    block->end = line_end(at, end);
    return next_line(at, end);
}

static const char* read_fence(const char* at, const char* end, LiaBlock* block) {
    block->kind = LIA_BLOCK_CODE;
    at = next_line(at, end);
    block->begin = at;
    while (at < end && !starts(at, end, "```")) {
        at = next_line(at, end);
    }
    block->end = at;
    return next_line(at, end);
}

static const char* read_indented(const char* at, const char* end, LiaBlock* block) {
    block->kind = LIA_BLOCK_CODE;
    block->depth = 4;
    block->begin = block->end = at;
    while (at < end && (starts(at, end, "    ") || is_blank(at, end))) {
        bool blank = is_blank(at, end);
        at = next_line(at, end);
        block->end = blank ? block->end : at;
    }
    return at;
}

static const char* read_table(const char* at, const char* end, LiaBlock* block) {
    block->kind = LIA_BLOCK_TABLE;
    block->begin = at;
    while (at < end && *at == '|') {
        at = next_line(at, end);
    }
    block->end = at;
    return at;
}

// An item goes on while its lines are indented deeper than its dash.
static const char* read_item(const char* at, const char* end, LiaBlock* block) {
    block->kind = LIA_BLOCK_ITEM;
    const char* text = skip_spaces(at, end);
    block->depth = (int)(text - at);
    block->begin = *text == '-' ? text + 2 : text;
    for (at = next_line(at, end); at < end && !is_blank(at, end) && !is_item(at, end);) {
        if (skip_spaces(at, end) - at <= block->depth) {
            break;
        }
        at = next_line(at, end);
    }
    block->end = at;
    return at;
}

static const char* read_paragraph(const char* at, const char* end, LiaBlock* block) {
    block->kind = LIA_BLOCK_PARAGRAPH;
    block->begin = at;
    do {
        at = next_line(at, end);
    } while (at < end && !is_blank(at, end) && !is_special(at, end));
    block->end = at;
    return at;
}

bool lia_markdown_next(const char** at, const char* end, LiaBlock* block) {
    const char* p = *at;
    while (p < end && is_blank(p, end)) {
        p = next_line(p, end);
    }
    *block = (LiaBlock){0};
    if (p >= end) {
        *at = end;
        return false;
    }
    *at = *p == '#'                ? read_heading(p, end, block)
          : starts(p, end, "```")  ? read_fence(p, end, block)
          : *p == '|'              ? read_table(p, end, block)
          : is_item(p, end)        ? read_item(p, end, block)
          : starts(p, end, "    ") ? read_indented(p, end, block)
                                   : read_paragraph(p, end, block);
    return true;
}

// The end of a cell: a `|` that is neither escaped nor inside of code.
static const char* cell_end(const char* at, const char* end) {
    bool code = false;
    for (; at < end && *at != '\n'; at++) {
        if (*at == '`') {
            code = !code;
        } else if (*at == '|' && !code && at[-1] != '\\') {
            break;
        }
    }
    return at;
}

bool lia_markdown_row(const char** at, const char* end, LiaCells* cells) {
    while (starts(*at, end, "| ---") || starts(*at, end, "|---")) {
        *at = next_line(*at, end);
    }
    if (*at >= end || **at != '|') {
        return false;
    }
    cells->count = 0;
    const char* p = *at + 1;
    while (cells->count < 8) {
        const char* stop = cell_end(p, end);
        if (stop >= end || *stop == '\n') {
            break;
        }
        const char* last = stop;
        p = skip_spaces(p, stop);
        while (last > p && last[-1] == ' ') {
            last--;
        }
        cells->begin[cells->count] = p;
        cells->end[cells->count++] = last;
        p = stop + 1;
    }
    *at = next_line(p, end);
    return true;
}

// [text](target): the text, and where the link ends.
static const char* find_link(const char* at, const char* end, const char** text_end) {
    int depth = 0;
    for (const char* p = at; p < end; p++) {
        depth += *p == '[';
        depth -= *p == ']';
        if (depth == 0) {
            *text_end = p;
            const char* close =
                p + 1 < end && p[1] == '(' ? memchr(p, ')', (size_t)(end - p)) : NULL;
            return close ? close + 1 : NULL;
        }
    }
    return NULL;
}

static const char* find(const char* at, const char* end, const char* mark) {
    for (; at < end; at++) {
        if (starts(at, end, mark)) {
            return at;
        }
    }
    return NULL;
}

static bool between(const char** at, const char* end, const char* mark, LiaPieceKind kind,
                    LiaPiece* piece) {
    size_t n = strlen(mark);
    if (!starts(*at, end, mark)) {
        return false;
    }
    const char* close = find(*at + n, end, mark);
    if (!close || close == *at + n || (kind != LIA_PIECE_CODE && (*at)[n] == ' ')) {
        return false;
    }
    *piece = (LiaPiece){kind, *at + n, close};
    *at = close + n;
    return true;
}

bool lia_markdown_piece(const char** at, const char* end, LiaPiece* piece) {
    if (*at >= end) {
        return false;
    }
    if (between(at, end, "`", LIA_PIECE_CODE, piece) ||
        between(at, end, "**", LIA_PIECE_BOLD, piece) ||
        between(at, end, "*", LIA_PIECE_ITALIC, piece)) {
        return true;
    }
    const char *p = *at, *text_end = NULL;
    const char* begin = p[0] == '!' && p + 1 < end && p[1] == '[' ? p + 1 : p;
    const char* after = *begin == '[' ? find_link(begin, end, &text_end) : NULL;
    if (after) {
        *piece = (LiaPiece){LIA_PIECE_PLAIN, begin + 1, text_end};
        *at = after;
        return true;
    }
    if (*p == '\\' && p + 1 < end && strchr("\\`*_{}[]()#+-.!|", p[1])) {
        *piece = (LiaPiece){LIA_PIECE_PLAIN, p + 1, p + 2};
        *at = p + 2;
        return true;
    }
    for (p++; p < end && !strchr("`*[!\\", *p);) {
        p++;
    }
    *piece = (LiaPiece){LIA_PIECE_PLAIN, *at, p};
    *at = p;
    return true;
}
