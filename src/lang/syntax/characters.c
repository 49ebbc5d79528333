// Characters of a model text. Letters are a table of ranges: Latin, Greek, Cyrillic, Armenian,
// Hebrew, Arabic, Devanagari, kana, Han, Hangul and the mathematical alphabets.
// SPDX-License-Identifier: MIT
#include "lang/syntax/characters.h"

typedef struct Range {
    uint32_t first, last;
} Range;

static const Range letters[] = {
    {0x00AA, 0x00AA},   {0x00B5, 0x00B5},   {0x00BA, 0x00BA},   {0x00C0, 0x00D6},
    {0x00D8, 0x00F6},   {0x00F8, 0x02C1},   {0x0370, 0x0373},   {0x0376, 0x0377},
    {0x037B, 0x037D},   {0x037F, 0x037F},   {0x0386, 0x0386},   {0x0388, 0x03F5},
    {0x03F7, 0x0481},   {0x048A, 0x0556},   {0x0561, 0x0587},   {0x05D0, 0x05EA},
    {0x0620, 0x064A},   {0x0904, 0x0939},   {0x10A0, 0x10FF},   {0x1D00, 0x1DBF},
    {0x1E00, 0x1FBC},   {0x1FC2, 0x1FCC},   {0x1FD0, 0x1FDB},   {0x1FE0, 0x1FEC},
    {0x1FF2, 0x1FFC},   {0x2102, 0x2102},   {0x210A, 0x2113},   {0x2115, 0x2115},
    {0x2119, 0x211D},   {0x2124, 0x2124},   {0x2126, 0x2126},   {0x2128, 0x2128},
    {0x212A, 0x212D},   {0x212F, 0x2139},   {0x2C00, 0x2DFF},   {0x3041, 0x3096},
    {0x30A1, 0x30FA},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA640, 0xA66E},
    {0xA720, 0xA7FF},   {0xAC00, 0xD7A3},   {0x1D400, 0x1D6C0}, {0x1D6C2, 0x1D6DA},
    {0x1D6DC, 0x1D6FA}, {0x1D6FC, 0x1D714}, {0x1D716, 0x1D734}, {0x1D736, 0x1D74E},
    {0x1D750, 0x1D76E}, {0x1D770, 0x1D788}, {0x1D78A, 0x1D7A8}, {0x1D7AA, 0x1D7C2},
    {0x1D7C4, 0x1D7CB}, {0x20000, 0x2A6DF},
};

bool lia_characters_is_letter(uint32_t c) {
    if (c < 0x80) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (c <= letters[i].last) {
            return c >= letters[i].first;
        }
    }
    return false;
}

bool lia_characters_goes_on(uint32_t c) {
    return (c >= '0' && c <= '9') || c == '_' || (c >= 0x2080 && c <= 0x2089) ||
           lia_characters_is_letter(c);
}

const char* lia_characters_instead(uint32_t c) {
    switch (c) {
    case 0x2212:
    case 0x2013:
    case 0x2014:
        return "-";
    case 0x00D7:
    case 0x00B7:
    case 0x22C5:
    case 0x2219:
        return "*";
    case 0x00F7:
    case 0x2215:
    case 0x2044:
        return "/";
    case 0x2019:
    case 0x2018:
    case 0x2032:
    case 0x00B4:
    case '`':
        return "'";
    case 0x201C:
    case 0x201D:
    case 0x201E:
        return "\"";
    case 0x2264:
        return "<=";
    case 0x2265:
        return ">=";
    case 0x2026:
        return "..";
    case 0x00B2:
        return "^2";
    case 0x00B3:
        return "^3";
    case 0x221A:
        return "sqrt()";
    case 0x2211:
        return "sum()";
    case 0x00B0:
        return "in deg";
    case 0x2248:
        return "~";
    case 0xFF0C:
        return ",";
    case 0xFF08:
        return "(";
    case 0xFF09:
        return ")";
    default:
        return NULL;
    }
}
