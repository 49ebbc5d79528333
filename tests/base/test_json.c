// The JSON reader: what is read, what is refused and where, and that no bytes whatever do harm.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/json.h"
#include "support/cases.h"
#include "support/random.h"
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Fixture {
    LiaArena* arena;
    LiaDiags* diags;
    const LiaJson* root;
} Fixture;

static Fixture read_bytes(const char* text, size_t length) {
    Fixture f = {.arena = lia_arena_create(), .diags = lia_diags_create()};
    lia_diag_source(f.diags, "state.json", text, length);
    f.root = lia_json_read(f.arena, text, length, f.diags);
    return f;
}

static Fixture read(const char* text) { return read_bytes(text, strlen(text)); }

static void clear(Fixture* f) {
    lia_arena_destroy(f->arena);
    lia_diags_destroy(f->diags);
}

static void values_of_all_kinds_are_read(void) {
    Fixture f = read(" {\"a\": [1, -2.5e3, null, true, false, \"x\"], \"b\": {}, \"\": []}\r\n\t ");
    assert_non_null(f.root);
    assert_int_equal(f.root->kind, LIA_JSON_OBJECT);
    assert_int_equal(f.root->count, 3);
    const LiaJson* a = lia_json_member(f.root, "a");
    assert_int_equal(a->kind, LIA_JSON_ARRAY);
    assert_int_equal(a->count, 6);
    const LiaJsonKind kinds[] = {LIA_JSON_NUMBER, LIA_JSON_NUMBER, LIA_JSON_NULL,
                                 LIA_JSON_TRUE,   LIA_JSON_FALSE,  LIA_JSON_STRING};
    const LiaJson* value = a->first;
    for (size_t i = 0; i < 6; i++, value = value->next) assert_int_equal(value->kind, kinds[i]);
    assert_null(value);
    assert_true(a->first->number == 1 && a->first->next->number == -2500);
    assert_int_equal(lia_json_member(f.root, "b")->count, 0);
    assert_int_equal(lia_json_member(f.root, "")->kind, LIA_JSON_ARRAY);
    assert_null(lia_json_member(f.root, "c"));
    assert_null(lia_json_member(a, "a"));
    assert_int_equal(a->span.begin, 7);
    assert_int_equal(a->key_span.begin, 2);
    clear(&f);
}

static void numbers_read_back_as_the_same_bits(void) {
    Random random = {20261116};
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = random_bits(&random);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x)) continue;
        char text[64];
        snprintf(text, sizeof text, "%.17g", x);
        Fixture f = read(text);
        assert_non_null(f.root);
        assert_memory_equal(&f.root->number, &x, sizeof x);
        clear(&f);
    }
}

static void the_locale_does_not_matter(void) {
    const char* const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !setlocale(LC_ALL, names[i]); i++) {
    }
    Fixture f = read("[0.5, 1.25e-3]");
    assert_non_null(f.root);
    assert_true(f.root->first->number == 0.5 && f.root->first->next->number == 1.25e-3);
    clear(&f);
    setlocale(LC_ALL, "C");
}

static void strings_are_resolved(void) {
    Fixture f = read("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u03b8'\", \"\\ud834\\udd1e\", "
                     "\"\u03b8\", \"a\\u0000b\"]");
    assert_non_null(f.root);
    const LiaJson* s = f.root->first;
    assert_string_equal(s->text.bytes, "\"\\/\b\f\n\r\t");
    assert_string_equal((s = s->next)->text.bytes, "\xCE\xB8'");
    assert_string_equal((s = s->next)->text.bytes, "\xF0\x9D\x84\x9E");
    assert_string_equal((s = s->next)->text.bytes, "\xCE\xB8");
    assert_int_equal((s = s->next)->text.length, 3);
    assert_memory_equal(s->text.bytes, "a\0b", 4);
    clear(&f);
}

static void mistakes_are_told_with_their_place(void) {
    static const struct {
        const char *text, *says;
        int line, column;
    } cases[] = {
        {"{\n  \"x\": 1,\n}", "no comma stands before '}'", 3, 1},
        {"[1, 2,]", "no comma stands before ']'", 1, 7},
        {"{\"x\": nan}", "words are null, true and false", 1, 7},
        {"{\"x\": NaN}", "what is not a number is null", 1, 7},
        {"{\"x\": +1}", "a value was expected", 1, 7},
        {"{\"x\": .5}", "a value was expected", 1, 7},
        {"{\"x\": 1.}", "a digit was expected after the point", 1, 9},
        {"{\"x\": 01}", "a number does not begin with 0", 1, 7},
        {"{\"x\": -}", "a digit was expected after '-'", 1, 8},
        {"{\"x\": 1e}", "a digit of the exponent", 1, 9},
        {"{\"x\": 1e999}", "too large", 1, 7},
        {"{x: 1}", "a name in double quotes", 1, 2},
        {"{'x': 1}", "a name in double quotes", 1, 2},
        {"['x']", "strings stand in double quotes", 1, 2},
        {"{\"x\" 1}", "a colon was expected", 1, 6},
        {"{\"x\": 1 \"y\": 2}", "',' or '}' was expected", 1, 9},
        {"[1 2]", "',' or ']' was expected", 1, 4},
        {"[1", "',' or ']' was expected", 1, 3},
        {"{\"x\":", "the text ends where a value was expected", 1, 6},
        {"\"x", "this string does not end", 1, 1},
        {"\"\\q\"", "there is no such escape", 1, 2},
        {"\"\\u12g4\"", "there is no such escape", 1, 2},
        {"\"\\ud834\"", "there is no such escape", 1, 2},
        {"\"\\udd1e\\ud834\"", "there is no such escape", 1, 2},
        {"\"a\nb\"", "a control character", 1, 3},
        {"\"\xff\"", "not UTF-8", 1, 2},
        {"\"\xed\xa0\x80\"", "not UTF-8", 1, 2},
        {"\"\xc0\xaf\"", "not UTF-8", 1, 2},
        {"1 2", "something stands after the end of the value", 1, 3},
        {"nul", "a value was expected", 1, 1},
        {"nullx", "a value was expected", 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fixture f = read(cases[i].text);
        LiaText told = {0};
        lia_diag_render(f.diags, &told);
        assert_null(f.root);
        assert_int_equal(lia_diags_errors(f.diags), 1);
        assert_string_equal(lia_diag_at(f.diags, 0)->code, "E0310");
        char place[40];
        snprintf(place, sizeof place, "state.json:%d:%d: ", cases[i].line, cases[i].column);
        if (!strstr(told.data, cases[i].says) || strncmp(told.data, place, strlen(place)) != 0) {
            fail_msg("'%s' gave: %s", cases[i].text, told.data);
        }
        lia_text_clear(&told);
        clear(&f);
    }
    Fixture f = read("");
    assert_null(f.root);
    assert_int_equal(lia_diags_errors(f.diags), 1);
    clear(&f);
}

static void nesting_has_a_limit(void) {
    for (int depth = LIA_JSON_NESTING - 1; depth <= LIA_JSON_NESTING + 1; depth++) {
        char text[2 * LIA_JSON_NESTING + 8];
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        Fixture f = read_bytes(text, 2 * (size_t)depth);
        assert_int_equal(f.root != NULL, depth <= LIA_JSON_NESTING);
        clear(&f);
    }
    // side by side is not inside each other
    Fixture f = read("[[],[[]],[],{},{\"a\":[{}]},[]]");
    assert_non_null(f.root);
    clear(&f);
    size_t deep = 1000000;
    char* text = malloc(deep);
    memset(text, '[', deep);
    f = read_bytes(text, deep);
    assert_null(f.root);
    clear(&f);
    free(text);
}

static const char sample[] =
    "{\"model\": \"sk\\u03b8\", \"status\": \"done\", \"t\": 10,\n"
    " \"state\": {\"x\": 1.3272710334221292, \"x'\": -3.7e-1, \"q[3]'\": 0},\n"
    " \"events\": [{\"name\": null}, true, false, []]}";

// A text that ends too early is never taken for whole; the copy is exact, so that reading after it
// is seen.
static void a_text_that_is_cut_is_refused(void) {
    for (size_t length = 0; length < sizeof sample - 1; length++) {
        char* cut = malloc(length + 1);
        memcpy(cut, sample, length);
        char* exact = realloc(cut, length ? length : 1);
        Fixture f = read_bytes(exact, length);
        assert_null(f.root);
        assert_int_equal(lia_diags_errors(f.diags), 1);
        clear(&f);
        free(exact);
    }
    Fixture whole = read(sample);
    assert_non_null(whole.root);
    clear(&whole);
}

static void no_bytes_do_harm(void) {
    Random random = {7};
    static const char likely[] = "{}[]\",:\\u0123456789eE+-.truefalsn \n\xce\xb8\xff";
    for (int i = 0; i < 30000; i++) {
        size_t length = sizeof sample - 1;
        char* text = malloc(length + 8);
        memcpy(text, sample, length);
        for (int k = random_whole(&random, 1, 6); k > 0; k--) {
            size_t at = (size_t)random_whole(&random, 0, (int)length - 1);
            int what = random_whole(&random, 0, 2);
            if (what == 0) {
                text[at] = likely[random_whole(&random, 0, sizeof likely - 2)];
            } else if (what == 1) {
                text[at] = (char)random_whole(&random, 0, 255);
            } else if (length > 2) {
                memmove(text + at, text + at + 1, length - at - 1);
                length--;
            }
        }
        char* exact = realloc(text, length);
        Fixture f = read_bytes(exact, length);
        assert_int_equal(lia_diags_errors(f.diags), f.root ? 0 : 1);
        clear(&f);
        free(exact);
    }
}

static void a_byte_order_mark_is_passed_over(void) {
    Fixture f = read("\xEF\xBB\xBF{\"x\": 1}");
    assert_non_null(f.root);
    clear(&f);
}

int main(void) {
    const TestCase tests[] = {
        TEST(values_of_all_kinds_are_read),       TEST(numbers_read_back_as_the_same_bits),
        TEST(the_locale_does_not_matter),         TEST(strings_are_resolved),
        TEST(mistakes_are_told_with_their_place), TEST(nesting_has_a_limit),
        TEST(a_text_that_is_cut_is_refused),      TEST(no_bytes_do_harm),
        TEST(a_byte_order_mark_is_passed_over),
    };
    return TESTS_RUN(tests);
}
