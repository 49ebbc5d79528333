// liaison examples [NAME]...: the models the program carries with it, listed or copied.
// SPDX-License-Identifier: MIT
#include "cli/help/pages.h"
#include "cli/options.h"
#include "cli/suggest.h"
#include "cli/terminal/print.h"
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

static int name_width(void) {
    size_t width = 0;
    for (size_t i = 0; i < lia_examples_count; i++) {
        size_t length = strlen(lia_examples[i].name);
        width = length > width ? length : width;
    }
    return (int)width;
}

// The models of a folder, the one with its name first.
static bool list_folder(const char* folder, size_t length, int width) {
    bool good = true;
    for (int others = 0; others < 2; others++) {
        for (size_t i = 0; good && i < lia_examples_count; i++) {
            const LiaPage* example = &lia_examples[i];
            bool here =
                strlen(example->folder) == length && memcmp(example->folder, folder, length) == 0;
            if (here && (strcmp(example->name, example->folder) != 0) == others) {
                const char* title;
                int shown = title_of(example->text, &title);
                good = lia_print_out("  %-*s  %.*s\n", width, example->name, shown, title);
            }
        }
    }
    return good;
}

// In the order and the groups of examples/README.md: "**Group**" begins one, "| [folder](folder) |
// ..." is a member. What comes after the next heading asks other questions about the same models.
static bool list_all(void) {
    int width = name_width();
    bool good = true, first = true;
    const char* line = strstr(lia_gallery[0].text, "**");
    while (good && line && strncmp(line, "## ", 3) != 0) {
        size_t length = strcspn(line, "\n");
        if (strncmp(line, "**", 2) == 0 && length > 4) {
            good = lia_print_out("%s%.*s\n", first ? "" : "\n", (int)length - 4, line + 2);
            first = false;
        } else if (strncmp(line, "| [", 3) == 0) {
            good = list_folder(line + 3, strcspn(line + 3, "]\n"), width);
        }
        line = line[length] ? line + length + 1 : NULL;
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
