// Runs the model files of tests/language: each says in its first lines what is wrong with it.
//
//   # expect ok
//   # expect error E0107 at 7:27        (line:column; 0:0 for what has no place)
//   # text: is a mass, expected a length
//   # help: write a length
//   # expect warning W0107 at 4:1
//
// All diagnostics must be expected, in the order of the text; `text` is part of the message, `help`
// of the advice.
// SPDX-License-Identifier: MIT
#include "base/file/input.h"
#include "lang/model.h"
#include "support/cases.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32, LINE = 1024 };

typedef struct Expectation {
    char code[8];
    int line, column;
    char text[LINE], help[LINE];
} Expectation;

// The comment lines at the top. Returns how many diagnostics are expected, -1 if nothing is said.
static int read_expectations(const char* text, size_t length, Expectation* expected) {
    int count = -1;
    size_t at = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < length && text[at] == '#') {
        const char* end = memchr(text + at, '\n', length - at);
        size_t size = end ? (size_t)(end - text) - at : length - at;
        char line[LINE] = "";
        memcpy(line, text + at, size < LINE ? size : LINE - 1);
        line[strcspn(line, "\r")] = '\0';
        char kind[16] = "";
        if (strncmp(line, "# expect ok", 11) == 0) {
            count = 0;
        } else if (count < MOST - 1 && strncmp(line, "# expect ", 9) == 0) {
            count = count < 0 ? 0 : count;
            Expectation* e = &expected[count];
            *e = (Expectation){0};
            if (sscanf(line, "# expect %15s %7s at %d:%d", kind, e->code, &e->line, &e->column) !=
                4) {
                return -1;
            }
            count++;
        } else if (count > 0 && strncmp(line, "# text: ", 8) == 0) {
            strcpy(expected[count - 1].text, line + 8);
        } else if (count > 0 && strncmp(line, "# help: ", 8) == 0) {
            strcpy(expected[count - 1].help, line + 8);
        }
        at += size + (end != NULL);
    }
    return count;
}

static int compare_place(const void* a, const void* b) {
    const LiaDiag *x = *(const LiaDiag*const*)a, *y = *(const LiaDiag*const*)b;
    return x->span.begin < y->span.begin ? -1 : x->span.begin > y->span.begin;
}

static bool matches(const LiaDiags* diags, const LiaDiag* diag, const Expectation* e) {
    int line = 0, column = 0;
    if (diag->span.end > 0) {
        lia_diag_line_column(diags, diag->span, &line, &column);
    }
    return strcmp(diag->code, e->code) == 0 && line == e->line && column == e->column &&
           strstr(diag->message, e->text) != NULL &&
           (e->help[0] == '\0' || (diag->help && strstr(diag->help, e->help)));
}

static bool check(const char* path, const LiaDiags* diags, bool parsed, const Expectation* expected,
                  int count) {
    const LiaDiag* found[MOST * 8];
    size_t found_count = lia_diags_count(diags);
    bool good = (int)found_count == count && found_count < MOST * 8;
    for (size_t i = 0; good && i < found_count; i++) {
        found[i] = lia_diag_at(diags, i);
    }
    if (good) {
        qsort(found, found_count, sizeof found[0], compare_place);
    }
    for (size_t i = 0; good && i < found_count; i++) {
        good = matches(diags, found[i], &expected[i]);
    }
    good = good && parsed == (lia_diags_errors(diags) == 0);
    if (!good) {
        LiaText text = {0};
        lia_diag_render(diags, &text);
        printf("%s: expected %d diagnostic%s, found %zu\n%s", path, count, count == 1 ? "" : "s",
               found_count, text.data ? text.data : "");
        lia_text_clear(&text);
    }
    return good;
}

static bool run(const char* path) {
    size_t length = 0;
    char* text = lia_input_read(path, SIZE_MAX / 2, &length, NULL);
    Expectation* expected = calloc(MOST, sizeof *expected);
    bool good = false;
    if (!text || !expected) {
        printf("%s: cannot be read\n", path);
    } else {
        int count = read_expectations(text, length, expected);
        if (count < 0) {
            printf("%s: says nothing of what is expected\n", path);
        } else {
            LiaDiags* diags = lia_diags_create();
            LiaModel* model = NULL;
            bool parsed = lia_lang_parse(path, text, length, NULL, diags, &model);
            good = check(path, diags, parsed, expected, count);
            if (parsed) {
                LiaText dump = {0};
                lia_lang_dump(model, &dump);
                good = good && dump.length > 0 && !dump.failed;
                lia_text_clear(&dump);
            }
            lia_lang_destroy(model);
            lia_diags_destroy(diags);
        }
    }
    free(expected);
    free(text);
    return good;
}

int main(int argc, char** argv) {
    for (int i = 1; i < argc; i++) cases_count(run(argv[i]));
    return cases_end();
}
