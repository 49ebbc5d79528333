// Plain text. See plain.h.
//
// Not seen are: the controls C0, DEL and C1; the separators of lines and paragraphs; and what
// Unicode calls default ignorable, in which are all marks of direction and all that has no width
// (DerivedCoreProperties.txt), with the marks of annotations.
// SPDX-License-Identifier: MIT
#include "base/text/plain.h"
#include "base/text/utf8.h"
#include <liaison/liaison.h>
#include <stdio.h>
#include <string.h>

typedef struct Range {
    uint32_t first, last;
} Range;

static const Range unseen[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C},
    {0x115F, 0x1160}, {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F}, {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

bool lia_plain_is_seen(uint32_t c) {
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        if (c <= unseen[i].last) return c < unseen[i].first;
    }
    return c <= 0x10FFFF;
}

// Bytes of a code of colours at `text`, ESC [ 1 ; 31 m; 0: there is none.
static size_t colour_at(const char* text, size_t left) {
    if (left < 3 || text[0] != '\x1b' || text[1] != '[') return 0;
    for (size_t i = 2; i < left; i++) {
        if (text[i] == 'm') return i + 1;
        if (!strchr("0123456789;", text[i]) || text[i] == '\0') return 0;
    }
    return 0;
}

// How many bytes at `text` may stand as they are; 0: none, and *c is the character there, of *size
// bytes.
static size_t kept_at(const char* text, size_t left, unsigned keep, uint32_t* c, size_t* size) {
    if (text[0] >= 0x20 && text[0] < 0x7F) return 1;
    *c = lia_utf8_decode(text, left, size);
    if (lia_plain_is_seen(*c)) return *size;
    if ((keep & LIA_PLAIN_LINES) && (*c == '\n' || *c == '\t')) return 1;
    return keep & LIA_PLAIN_COLOURS ? colour_at(text, left) : 0;
}

static int put_number(char* shown, size_t room, const char* text, uint32_t c) {
    bool byte = c == UINT32_MAX;  // no text at all
    return snprintf(shown, room, byte ? "<0x%02X>" : "<U+%04X>",
                    byte ? (unsigned)(unsigned char)text[0] : (unsigned)c);
}

void lia_plain_add(LiaText* out, const char* text, size_t length, unsigned keep) {
    size_t begin = 0, at = 0;
    while (at < length) {
        uint32_t c = 0;
        size_t size = 1, kept = kept_at(text + at, length - at, keep, &c, &size);
        if (kept == 0) {
            lia_text_add_bytes(out, text + begin, at - begin);
            char number[24];
            lia_text_add_bytes(out, number,
                               (size_t)put_number(number, sizeof number, text + at, c));
            begin = at + size;
        }
        at += kept ? kept : size;
    }
    lia_text_add_bytes(out, text + begin, length - begin);
}

void lia_plain_make(LiaText* text, unsigned keep) {
    for (size_t at = 0, kept; at < text->length; at += kept) {
        uint32_t c = 0;
        size_t size = 1;
        kept = kept_at(text->data + at, text->length - at, keep, &c, &size);
        if (kept > 0) continue;
        LiaText shown = {0};
        lia_plain_add(&shown, text->data, text->length, keep);
        shown.failed |= text->failed;
        lia_text_clear(text);
        *text = shown;
        return;
    }
}

const char* lia_plain_some(const char* text, bool lines, char* shown, size_t room) {
    enum { WIDEST = 24 };  // a character, or its number
    if (!text || !shown || room == 0) return NULL;
    size_t used = 0;  // no strlen(): the text may be long, and is called for piece by piece
    while (*text && used + WIDEST <= room) {
        uint32_t c = 0;
        size_t size = 1,
               kept = kept_at(text, LIA_UTF8_MOST, lines ? LIA_PLAIN_LINES : 0, &c, &size);
        if (kept > 0) {
            memcpy(shown + used, text, kept);
            used += kept;
        } else {
            used += (size_t)put_number(shown + used, room - used, text, c);
        }
        text += kept ? kept : size;
    }
    shown[used] = '\0';
    return text;
}

char* lia_plain_text(const char* text, bool lines) {
    if (!text) return NULL;
    LiaText out = {0};
    lia_plain_add(&out, text, strlen(text), lines ? LIA_PLAIN_LINES : LIA_PLAIN_WORD);
    if (out.failed) lia_text_clear(&out);
    return out.data;
}
