// Plain text: what is seen stays to the byte, what is not is shown by its number, nothing else
// comes out.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/plain.h"
#include "base/text/utf8.h"
#include "support/cases.h"
#include <liaison/liaison.h>
#include <stdlib.h>
#include <string.h>

static void expect(const char* text, unsigned keep, const char* wanted) {
    LiaText out = {0};
    lia_plain_add(&out, text, strlen(text), keep);
    assert_string_equal(out.data, wanted);
    lia_text_clear(&out);
    lia_text_add(&out, "%s", text);
    lia_plain_make(&out, keep);
    assert_string_equal(out.data, wanted);
    lia_text_clear(&out);
}

static void what_is_seen_stays(void) {
    const char* seen = "theta θ′ Ünïcode кот 中文 ♥ a\xCC\x81 <U+001B> \"\\%#";
    for (unsigned keep = 0; keep < 4; keep++) expect(seen, keep, seen);
    expect("", LIA_PLAIN_WORD, "");
}

static void what_is_not_is_shown_by_its_number(void) {
    expect("a\x1b]0;pwned\x07z", LIA_PLAIN_LINES, "a<U+001B>]0;pwned<U+0007>z");
    expect("\xC2\x9B"
           "31m",
           LIA_PLAIN_COLOURS, "<U+009B>31m");
    expect("\x9B"
           "31m",
           LIA_PLAIN_COLOURS, "<0x9B>31m");
    expect("user\xE2\x80\xAEnimda\xE2\x81\xA6", LIA_PLAIN_WORD, "user<U+202E>nimda<U+2066>");
    expect("x\xE2\x80\x8By\xEF\xBB\xBF\x7F", LIA_PLAIN_WORD, "x<U+200B>y<U+FEFF><U+007F>");
    expect("\xF3\xA0\x81\x81", LIA_PLAIN_WORD, "<U+E0041>");
    expect("\xC0\xAF\xED\xA0\x80\xE2\x80", LIA_PLAIN_WORD,
           "<0xC0><0xAF><0xED><0xA0><0x80><0xE2><0x80>");
    char* text = lia_plain_text("a\nb\tc\r", false);
    assert_string_equal(text, "a<U+000A>b<U+0009>c<U+000D>");
    lia_free(text);
    text = lia_plain_text("a\nb\tc\r", true);
    assert_string_equal(text, "a\nb\tc<U+000D>");
    lia_free(text);
}

static void only_codes_of_colours_are_kept_and_only_where_wanted(void) {
    const char* coloured = "\x1b[1mbold\x1b[0m \x1b[1;31mred\x1b[m";
    expect(coloured, LIA_PLAIN_COLOURS, coloured);
    expect("\x1b[1mx", LIA_PLAIN_LINES, "<U+001B>[1mx");
    static const char* const others[] = {"[2J", "]52;c;m", "[?25lm", "[6n", "c",
                                         "",    "[",       "[1",     "[ m", "[1:2m"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[32] = "\x1b", wanted[32] = "<U+001B>";
        strcat(text, others[i]);
        strcat(wanted, others[i]);
        expect(text, LIA_PLAIN_COLOURS, wanted);
    }
}

// Every character by itself: either to the byte, or a number in ASCII; all controls and marks of
// direction are numbers.
static void of_all_characters_those_a_terminal_obeys_are_numbers(void) {
    for (uint32_t c = 1; c <= 0x10FFFF; c++) {
        char text[5] = {0};
        size_t n = 0;
        if (c < 0x80) {
            text[n++] = (char)c;
        } else if (c < 0x800) {
            text[n++] = (char)(0xC0 | c >> 6);
        } else if (c < 0x10000) {
            text[n++] = (char)(0xE0 | c >> 12);
            text[n++] = (char)(0x80 | (c >> 6 & 0x3F));
        } else {
            text[n++] = (char)(0xF0 | c >> 18);
            text[n++] = (char)(0x80 | (c >> 12 & 0x3F));
            text[n++] = (char)(0x80 | (c >> 6 & 0x3F));
        }
        if (c >= 0x80) text[n++] = (char)(0x80 | (c & 0x3F));
        bool surrogate = c >= 0xD800 && c <= 0xDFFF;
        size_t size;
        assert_true(lia_utf8_decode(text, n, &size) == (surrogate ? UINT32_MAX : c));
        bool control = c < 0x20 || (c >= 0x7F && c <= 0x9F);
        bool turns = c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                     (c >= 0x2066 && c <= 0x2069);
        bool hides = c == 0x200B || c == 0x200C || c == 0x200D || c == 0x2060 || c == 0xFEFF;
        LiaText out = {0};
        lia_plain_add(&out, text, n, LIA_PLAIN_WORD);
        bool same = strcmp(out.data, text) == 0;
        assert_true(same || (out.data[0] == '<' && out.data[out.length - 1] == '>'));
        assert_false(same && (control || turns || hides || surrogate));
        lia_text_clear(&out);
    }
}

// Piece by piece, in time that grows as the text does: 16 MB would take minutes else.
static void a_long_text_is_not_measured_for_each_piece(void) {
    enum { LENGTH = 16 * 1024 * 1024 };
    char *text = malloc(LENGTH + 1), shown[64];
    assert_non_null(text);
    memset(text, 'x', LENGTH);
    memcpy(text + LENGTH - 2, "\xE2\x80", 3);  // cut within a character
    size_t said = 0;
    for (const char* left = text; *left;) {
        left = lia_plain_some(left, false, shown, sizeof shown);
        said += strlen(shown);
    }
    free(text);
    assert_true(said == LENGTH - 2 + 2 * strlen("<0xE2>"));
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_long_text_is_not_measured_for_each_piece),
        TEST(what_is_seen_stays),
        TEST(what_is_not_is_shown_by_its_number),
        TEST(only_codes_of_colours_are_kept_and_only_where_wanted),
        TEST(of_all_characters_those_a_terminal_obeys_are_numbers),
    };
    return TESTS_RUN(tests);
}
