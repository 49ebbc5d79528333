// Tests of src/base: arena, text, diagnostics.
// SPDX-License-Identifier: MIT
#include "base/memory/arena.h"
#include "base/text/diag.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- arena

static void memory_of_an_arena_is_zeroed_and_aligned(void) {
    LiaArena* arena = lia_arena_create();
    for (size_t size = 1; size < 5000; size += 37) {
        unsigned char* memory = lia_arena_new(arena, size);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(memory[i], 0);
        }
        memset(memory, 0xFF, size);
    }
    lia_arena_destroy(arena);
    lia_arena_destroy(NULL);
}

static void a_reset_gives_back_what_was_taken_since_the_mark(void) {
    LiaArena* arena = lia_arena_create();
    LiaArenaMark empty = lia_arena_mark(arena);
    char* kept = lia_arena_text(arena, "kept", 4);
    size_t size = lia_arena_size(arena);
    LiaArenaMark mark = lia_arena_mark(arena);
    for (int i = 0; i < 100; i++) {
        memset(lia_arena_new(arena, 100000), 1, 100000);
    }
    assert_true(lia_arena_size(arena) >= size + 100 * 100000);
    lia_arena_reset(arena, mark);
    assert_int_equal(lia_arena_size(arena), size);
    assert_string_equal(kept, "kept");
    const char* again = lia_arena_new(arena, 64);
    for (int i = 0; i < 64; i++) {
        assert_int_equal(again[i], 0);
    }
    lia_arena_reset(arena, empty);
    assert_int_equal(lia_arena_size(arena), 0);
    lia_arena_destroy(arena);
}

static void an_arena_prints_and_refuses_the_impossible(void) {
    LiaArena* arena = lia_arena_create();
    assert_string_equal(lia_arena_printf(arena, "%s[%d]", "q", 3), "q[3]");
    assert_null(lia_arena_new(arena, SIZE_MAX));
    assert_null(lia_arena_new(arena, SIZE_MAX / 2));
    assert_non_null(lia_arena_new(arena, 0));
    lia_arena_destroy(arena);
}

// --- text

static void a_text_grows(void) {
    LiaText text = {0};
    for (int i = 0; i < 10000; i++) {
        lia_text_add(&text, "%d,", i % 10);
    }
    assert_int_equal(text.length, 20000);
    assert_int_equal(strlen(text.data), 20000);
    char long_word[1000];
    memset(long_word, 'x', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    lia_text_add(&text, "%s", long_word);
    assert_int_equal(text.length, 20999);
    lia_text_add_bytes(&text, "", 0);
    assert_int_equal(text.length, 20999);
    lia_text_clear(&text);
    assert_null(text.data);
}

static void numbers_read_back_as_the_same_double(void) {
    const double numbers[] = {
        0.0,    1.0,  -1.0, 0.1,       1.0 / 3.0,        1e300, 5e-324, 123456789.125,
        2.5e-7, 10.0, 1e15, 0.1 + 0.2, 3.141592653589793};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        LiaText text = {0};
        lia_text_add_number(&text, numbers[i]);
        assert_true(strtod(text.data, NULL) == numbers[i]);
        lia_text_clear(&text);
    }
    LiaText text = {0};
    lia_text_add_number(&text, 0.1);
    lia_text_add_bytes(&text, " ", 1);
    lia_text_add_number(&text, 10.0);
    lia_text_add_bytes(&text, " ", 1);
    lia_text_add_short(&text, 1.0 / 3.0, 4);
    lia_text_add_bytes(&text, " ", 1);
    lia_text_add_short(&text, -1.5e-12, 3);
    lia_text_add_bytes(&text, " ", 1);
    lia_text_add_number(&text, NAN);
    lia_text_add_bytes(&text, " ", 1);
    lia_text_add_number(&text, -INFINITY);
    assert_string_equal(text.data, "0.1 10 0.3333 -1.5e-12 nan -inf");
    lia_text_clear(&text);
}

// --- diagnostics

static void expect_rendering(const char* source, LiaSpan span, const char* help,
                             const char* expected) {
    LiaDiags* diags = lia_diags_create();
    lia_diag_source(diags, "bike.lia", source, strlen(source));
    lia_diag_error(diags, span, "E0213", "'%s' is wrong", "blade");
    if (help) {
        lia_diag_help(diags, "%s", help);
    }
    LiaText text = {0};
    lia_diag_render(diags, &text);
    assert_string_equal(text.data, expected);
    lia_text_clear(&text);
    lia_diags_destroy(diags);
}

static void a_diagnostic_looks_as_language_md_shows_it(void) {
    expect_rendering("\n\n\n\n\n\n\n\n\n\n\n\n\nconstraint blade: x'^2 + y'^2 = v^2\n",
                     (LiaSpan){31, 48}, "write 'force chetaev'",
                     "bike.lia:14:19: error E0213: 'blade' is wrong\n"
                     "  14 | constraint blade: x'^2 + y'^2 = v^2\n"
                     "     |                   ^~~~~~~~~~~~~~~~~\n"
                     "     = write 'force chetaev'\n");
}

static void columns_count_characters(void) {
    expect_rendering("θ = ω + 1\n", (LiaSpan){5, 7}, NULL,
                     "bike.lia:1:5: error E0213: 'blade' is wrong\n"
                     "  1 | θ = ω + 1\n"
                     "    |     ^\n");
    // Characters of double width move the underline by two.
    expect_rendering("中 = x\n", (LiaSpan){6, 7}, NULL,
                     "bike.lia:1:5: error E0213: 'blade' is wrong\n"
                     "  1 | 中 = x\n"
                     "    |      ^\n");
}

static void tabs_line_ends_and_marks_are_drawn_straight(void) {
    expect_rendering("\xEF\xBB\xBFlet\ta = b\r\n", (LiaSpan){11, 12}, NULL,
                     "bike.lia:1:9: error E0213: 'blade' is wrong\n"
                     "  1 | let a = b\n"
                     "    |         ^\n");
    // A span over several lines underlines the first alone.
    expect_rendering("let a = (b\n  + c)\n", (LiaSpan){8, 17}, NULL,
                     "bike.lia:1:9: error E0213: 'blade' is wrong\n"
                     "  1 | let a = (b\n"
                     "    |         ^~\n");
    // An empty span after the last character.
    expect_rendering("let a =\nlet b = 2\n", (LiaSpan){7, 7}, NULL,
                     "bike.lia:1:8: error E0213: 'blade' is wrong\n"
                     "  1 | let a =\n"
                     "    |        ^\n");
    // Bytes that are not text.
    expect_rendering("a\x01\xFF b\n", (LiaSpan){4, 5}, NULL,
                     "bike.lia:1:5: error E0213: 'blade' is wrong\n"
                     "  1 | a<U+0001><0xFF> b\n"
                     "    |                 ^\n");
    // Nor is what a terminal would obey, and what turns the direction of writing.
    expect_rendering("let \x1b]0;x\x07 = \xE2\x80\xAE\xC2\x9Bq\n", (LiaSpan){18, 19}, NULL,
                     "bike.lia:1:16: error E0213: 'blade' is wrong\n"
                     "  1 | let <U+001B>]0;x<U+0007> = <U+202E><U+009B>q\n"
                     "    |                                            ^\n");
    expect_rendering("a = \xE2\x80\xAE b\n", (LiaSpan){4, 7}, NULL,
                     "bike.lia:1:5: error E0213: 'blade' is wrong\n"
                     "  1 | a = <U+202E> b\n"
                     "    |     ^~~~~~~~\n");
}

static void what_has_no_place_is_said_of_the_file(void) {
    expect_rendering("let a = 1\n", (LiaSpan){0, 0}, "write more",
                     "bike.lia: error E0213: 'blade' is wrong\n"
                     "  = write more\n");
}

static void long_lines_are_cut_around_the_span(void) {
    size_t length = 1 << 22;
    char* source = malloc(length + 1);
    memset(source, 'a', length);
    source[length] = '\0';
    LiaDiags* diags = lia_diags_create();
    lia_diag_source(diags, "long.lia", source, length);
    for (uint32_t i = 0; i < LIA_DIAGS_MOST; i++) {
        lia_diag_error(diags, (LiaSpan){i * 40000 + 1000, i * 40000 + 90000}, "E0104", "here");
    }
    LiaText text = {0};
    lia_diag_render(diags, &text);
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text.length; i++) {
        run = text.data[i] == '\n' ? 0 : run + 1;
        longest = run > longest ? run : longest;
    }
    assert_true(longest < 160);
    int line = 0, column = 0;
    lia_diag_line_column(diags, (LiaSpan){3000000, 3000001}, &line, &column);
    assert_int_equal(line, 1);
    assert_int_equal(column, 3000001);
    lia_text_clear(&text);
    lia_diags_destroy(diags);
    free(source);
}

static void diagnostics_come_in_the_order_of_the_text(void) {
    LiaDiags* diags = lia_diags_create();
    lia_diag_source(diags, "m", "ab\ncd\n", 6);
    lia_diag_error(diags, (LiaSpan){3, 4}, "E0002", "second");
    lia_diag_warning(diags, (LiaSpan){0, 1}, "W0001", "first");
    LiaText text = {0};
    lia_diag_render(diags, &text);
    assert_string_equal(text.data, "m:1:1: warning W0001: first\n  1 | ab\n    | ^\n"
                                   "m:2:1: error E0002: second\n  2 | cd\n    | ^\n");
    assert_int_equal(lia_diags_count(diags), 2);
    assert_int_equal(lia_diags_errors(diags), 1);
    assert_null(lia_diag_at(diags, 2));
    lia_text_clear(&text);
    lia_diags_destroy(diags);
}

static void the_same_is_kept_once_and_too_many_are_counted(void) {
    LiaDiags* diags = lia_diags_create();
    lia_diag_source(diags, "m", "abc", 3);
    for (int i = 0; i < 10; i++) {
        lia_diag_error(diags, (LiaSpan){0, 1}, "E0001", "the same");
        lia_diag_help(diags, "help");
    }
    assert_int_equal(lia_diags_errors(diags), 1);
    for (int i = 0; i < 1000; i++) {
        lia_diag_error(diags, (LiaSpan){1, 2}, "E0001", "number %d", i);
        lia_diag_help(diags, "help %d", i);
    }
    assert_int_equal(lia_diags_errors(diags), 1001);
    assert_int_equal(lia_diags_count(diags), LIA_DIAGS_MOST + 1);
    assert_string_equal(lia_diag_at(diags, LIA_DIAGS_MOST)->code, "E0100");
    for (int i = 0; i < 1000; i++) {
        lia_diag_warning(diags, (LiaSpan){1, 2}, "W0001", "number %d", i);
    }
    assert_string_equal(lia_diag_at(diags, lia_diags_count(diags) - 1)->code, "W0100");
    LiaText text = {0};
    lia_diag_render(diags, &text);
    assert_non_null(strstr(text.data, "error E0100: there are more errors"));
    lia_text_clear(&text);
    lia_diags_destroy(diags);
    lia_diags_destroy(NULL);
}

static void places_are_right_across_checkpoints(void) {
    // 3000 lines of 70 characters, some of two bytes: the text is longer than three checkpoints.
    LiaText source = {0};
    for (int i = 0; i < 3000; i++) {
        lia_text_add(&source, "%s%066d\n", i % 2 ? "abcd" : "αβγδ", i);
    }
    LiaDiags* diags = lia_diags_create();
    lia_diag_source(diags, "m", source.data, source.length);
    int line = 1, column = 1;
    for (uint32_t at = 0; at < source.length; at++) {
        if (((unsigned char)source.data[at] & 0xC0) != 0x80) {
            int found_line = 0, found_column = 0;
            if (at % 97 == 0) {
                lia_diag_line_column(diags, (LiaSpan){at, at}, &found_line, &found_column);
                assert_int_equal(found_line, line);
                assert_int_equal(found_column, column);
            }
            column++;
        }
        if (source.data[at] == '\n') {
            line++;
            column = 1;
        }
    }
    lia_text_clear(&source);
    lia_diags_destroy(diags);
}

int main(void) {
    const TestCase tests[] = {
        TEST(memory_of_an_arena_is_zeroed_and_aligned),
        TEST(a_reset_gives_back_what_was_taken_since_the_mark),
        TEST(an_arena_prints_and_refuses_the_impossible),
        TEST(a_text_grows),
        TEST(numbers_read_back_as_the_same_double),
        TEST(a_diagnostic_looks_as_language_md_shows_it),
        TEST(columns_count_characters),
        TEST(tabs_line_ends_and_marks_are_drawn_straight),
        TEST(what_has_no_place_is_said_of_the_file),
        TEST(long_lines_are_cut_around_the_span),
        TEST(diagnostics_come_in_the_order_of_the_text),
        TEST(the_same_is_kept_once_and_too_many_are_counted),
        TEST(places_are_right_across_checkpoints),
    };
    return TESTS_RUN(tests);
}
