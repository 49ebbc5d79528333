// liaison examples [NAME]...: the models the program carries with it, listed or copied.
// SPDX-License-Identifier: MIT
#include "options.h"
#include "pages.h"
#include "print.h"
#include "suggest.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

// model NAME "title": the title; without one, the first line of comment.
static int title_of(const char* text, const char** title) {
    const char* model = strncmp(text, "model ", 6) == 0 ? text : strstr(text, "\nmodel ");
    const char* quote = model ? model + 1 + strcspn(model + 1, "\"\n") : NULL;
    if (quote && *quote == '"') {
        *title = quote + 1;
        return (int)strcspn(quote + 1, "\"\n");
    }
    *title = text + strspn(text, "# ");
    int length = *text == '#' ? (int)strcspn(*title, "\n") : 0;
    int name = (int)strcspn(*title, " \n");  // "skater.lia: a skater ..."
    if (name > 0 && name < length && (*title)[name - 1] == ':') {
        *title += name + 1;
        length -= name + 1;
    }
    return length;
}

static bool list_all(void) {
    size_t width = 0;
    for (size_t i = 0; i < lia_examples_count; i++) {
        size_t length = strlen(lia_examples[i].name);
        width = length > width ? length : width;
    }
    bool good = true;
    for (size_t i = 0; good && i < lia_examples_count; i++) {
        const char* title;
        int length = title_of(lia_examples[i].text, &title);
        good = lia_print_out("  %-*s  %.*s\n", (int)width, lia_examples[i].name, length, title);
    }
    return good &&
           lia_print_out("\n'liaison examples NAME' copies one to NAME.lia in this folder\n");
}

static const LiaPage* find(const char* name) {
    LiaSuggestion suggestion = {.wanted = name};
    for (size_t i = 0; i < lia_examples_count; i++) {
        if (strcmp(lia_examples[i].name, name) == 0) {
            return &lia_examples[i];
        }
        lia_suggest_offer(&suggestion, lia_examples[i].name);
    }
    if (suggestion.best) {
        lia_print_error("no example '%s'; did you mean '%s'?", name, suggestion.best);
    } else {
        lia_print_error("no example '%s'; 'liaison examples' lists them", name);
    }
    return NULL;
}

// Nothing is overwritten: what stands there may be somebody's own.
static bool copy(const LiaPage* example) {
    char path[256];
    snprintf(path, sizeof path, "%s.lia", example->name);
    FILE* file = fopen(path, "wx");
    if (!file) {
        if (errno == EEXIST) {
            lia_print_error("%s is there already: it is left as it is", path);
        } else {
            lia_print_file_error(path, errno);
        }
        return false;
    }
    bool written = fputs(example->text, file) >= 0;
    if (fclose(file) != 0 || !written) {
        lia_print_file_error(path, errno);
        remove(path);
        return false;
    }
    return lia_print_out("wrote %s; to see it move: liaison run %s\n", path, path);
}

int lia_cmd_examples(const LiaCommandLine* line) {
    bool good = line->word_count > 0 || list_all();
    for (size_t i = 0; i < line->word_count; i++) {
        const LiaPage* example = find(line->words[i]);
        good = example && copy(example) && good;
    }
    return good ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
}
