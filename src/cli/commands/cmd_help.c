// liaison help [TOPIC]: the commands, one of them with its options, or a section of the
// documentation.
//
// Options come from their table; everything else is looked up in docs/, which the program carries
// with it. So help and manual say the same.
// SPDX-License-Identifier: MIT
#include "cli/cli_memory.h"
#include "cli/help/markdown.h"
#include "cli/help/topics.h"
#include "cli/options.h"
#include "cli/suggest.h"
#include "cli/terminal/print.h"
#include "cli/terminal/screen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_later(const LiaCommand* command) { return command->function == lia_cmd_later; }

// --- pages --------------------------------------------------------------------------------------

static const LiaManual manual[] = {
    // what these pages are called in the manual
    {"commands", "liaison", 1, "mechanics with constraints on which somebody acts"},
    {"language", "liaison-model", 5, "the language of models"},
    {"errors", "liaison-errors", 7, "what is wrong with a model, by code"},
    {"modelling", "liaison-modelling", 7, "which model to write"},
};
static const LiaManual manual_rest = {"", "liaison", 7, "from the documentation"};

static bool print_markdown(const char* begin, const char* end, const char* page, bool man) {
    size_t row = 0, rows = sizeof manual / sizeof manual[0];
    LiaSheet sheet = {0};
    LiaScreen screen = lia_screen_look();
    if (man) {
        while (row < rows && strcmp(manual[row].page, page) != 0) {
            row++;
        }
        lia_markdown_man(begin, end, row < rows ? &manual[row] : &manual_rest, &sheet);
    } else {
        lia_markdown_text_print(begin, end, screen.width, screen.colour, &sheet);
    }
    char* text = lia_sheet_end(&sheet);
    bool good = text && lia_print_text(text);
    free(text);
    return good;
}

// --- commands -----------------------------------------------------------------------------------

static bool print_commands(void) {
    bool good = lia_print_out("liaison %s: mechanics with constraints on which somebody acts\n"
                              "\n"
                              "  liaison COMMAND ...\n"
                              "\n",
                              LIA_VERSION);
    for (int i = 0; good && i < LIA_COMMAND_COUNT; i++) {
        const LiaCommand* command = &lia_main_commands[i];
        if (!is_later(command)) {
            good = lia_print_out("  %-10s %s\n", command->name, command->sentence);
        }
    }
    good = good && lia_print_out("\nNot in this version:\n");
    for (int i = 0; good && i < LIA_COMMAND_COUNT; i++) {
        const LiaCommand* command = &lia_main_commands[i];
        if (is_later(command)) {
            good = lia_print_out("  %-10s %s\n", command->name, command->sentence);
        }
    }
    return good &&
           lia_print_out(
               "\n"
               "'liaison help TOPIC' tells more: of a command (run), a statement of a model "
               "(operator),\n"
               "a function (atan2), units, an error by its code (E0213), a page (modelling);\n"
               "'liaison help topics' lists them. 'liaison examples' has models to begin with.\n");
}

// "  -o, --output OUT.csv   write the samples as CSV"
static bool print_option(const LiaOption* option) {
    char letter[8] = "    ", names[64];
    if (option->letter) {
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    }
    snprintf(names, sizeof names, "%s--%s%s%s", letter, option->name, *option->argument ? " " : "",
             option->argument);
    return lia_print_out("  %-27s %s\n", names, option->help);
}

// What docs/commands.md says of it, without the heading.
static bool print_section(const LiaCommand* command) {
    LiaTopic topic;
    if (!lia_topics_command(command->name, &topic)) return true;
    const char* begin = memchr(topic.begin, '\n', (size_t)(topic.end - topic.begin));
    return !begin ||
           (lia_print_out("\n") && print_markdown(begin + 1, topic.end, "commands", false));
}

static bool print_command(const LiaCommand* command) {
    bool good = lia_print_out("liaison %s %s\n\n%s%s\n", command->name, command->arguments,
                              command->sentence, is_later(command) ? " (not in this version)" : "");
    if (is_later(command) || !good) {
        return good;
    }
    good = lia_print_out("\n");
    for (int i = 0; good && i < LIA_OPTION_COUNT; i++) {
        if (lia_options_fits(&lia_options[i], command)) {
            good = print_option(&lia_options[i]);
        }
    }
    return good && print_section(command);
}

// --- topics -------------------------------------------------------------------------------------

// A word that has no section of its own: the rows of tables that explain it, or where it is spoken
// of.
static bool print_mentions(const char* word, bool* good) {
    enum { MOST = 6 };
    LiaSheet sheet = {0};
    LiaTopic topics[MOST];
    int rows = lia_topics_rows(word, &sheet);
    int count = rows ? 0 : lia_topics_mentions(word, topics, MOST);
    char* text = lia_sheet_end(&sheet);
    if (!text) {
        *good = false;
        return true;
    }
    if (rows) {
        *good = print_markdown(text, text + sheet.size, "language", false);
    }
    if (count == 1) {
        *good = print_markdown(topics[0].begin, topics[0].end, "language", false);
        count = 0;
        rows = 1;
    }
    for (int i = 0; i < count && i < MOST && *good; i++) {
        char title[80];
        lia_topics_title(&topics[i], title, sizeof title);
        *good = lia_print_out("%s%s%s", i ? "" : "spoken of in: ", title,
                              i + 1 < count && i + 1 < MOST ? ", " : "\n");
    }
    if (count && *good) {
        char name[80];
        lia_topics_title(&topics[0], name, sizeof name);
        name[strcspn(name, ",")] = '\0';
        *good = lia_print_out("'liaison help %s' shows it\n", name);
    }
    free(text);
    return rows > 0 || count > 0;
}

static void offer(void* suggestion, const char* name) { lia_suggest_offer(suggestion, name); }

typedef struct Best {  // names of headings live as long as the visit: kept here
    LiaSuggestion suggestion;
    char name[80];
} Best;

static void offer_copy(void* context, const char* name) {
    Best* best = context;
    const char* before = best->suggestion.best;
    offer(&best->suggestion, name);
    if (best->suggestion.best != before) {
        snprintf(best->name, sizeof best->name, "%s", name);
        best->suggestion.best = best->name;
    }
}

static void complain(const char* word) {
    Best best = {.suggestion = {.wanted = word}};
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        if (!is_later(&lia_main_commands[i])) offer_copy(&best, lia_main_commands[i].name);
    }
    lia_topics_each("language", offer_copy, &best);
    for (size_t i = 0; i < lia_pages_count; i++) {
        offer_copy(&best, lia_pages[i].name);
    }
    if (best.suggestion.best) {
        lia_print_error("no help on '%s'; did you mean '%s'?", word, best.suggestion.best);
    } else {
        lia_print_error("no help on '%s'; 'liaison help topics' lists what there is", word);
    }
}

typedef struct List {
    int column, width;
    bool good;
} List;

static void list_name(void* context, const char* name) {
    List* list = context;
    int length = (int)strlen(name);
    bool breaks = list->column + length + 3 > list->width;
    list->good = list->good && lia_print_out("%s%s",
                                             breaks         ? ",\n  "
                                             : list->column ? ", "
                                                            : "  ",
                                             name);
    list->column = breaks || !list->column ? 2 + length : list->column + 2 + length;
}

static bool print_topics(void) {
    LiaScreen screen = lia_screen_look();
    List list = {.width = screen.width, .good = lia_print_out("the language\n")};
    lia_topics_each("language", list_name, &list);
    bool good = list.good && lia_print_out("\n\npages\n");
    for (size_t i = 0; good && i < lia_pages_count; i++) {
        LiaTopic topic = {&lia_pages[i], lia_pages[i].text, lia_pages[i].text};
        char title[80];
        lia_topics_title(&topic, title, sizeof title);
        good = lia_print_out("  %-11s %s\n", lia_pages[i].name, title);
    }
    return good &&
           lia_print_out("\nand the names of functions (atan2), units, codes of errors (E0213)\n");
}

// "`-D NAME=VALUE`, `--until T`, ..." of a command, as Markdown.
static void list_options(const LiaCommand* command, LiaSheet* out) {
    const char* between = "\nOptions: ";
    for (int i = 0; i < LIA_OPTION_COUNT; i++) {
        const LiaOption* option = &lia_options[i];
        if (!lia_options_fits(option, command)) continue;
        lia_sheet_print(out, "%s`--%s%s%s`", between, option->name, *option->argument ? " " : "",
                        option->argument);
        between = ", ";
    }
    lia_sheet_put(out, "\n\n");
}

// The page of the commands for the manual: at the end of the section on a command its options.
static bool print_manual_of_commands(const LiaPage* page) {
    LiaSheet sheet = {0};
    const char* at = page->text;
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        const LiaCommand* command = &lia_main_commands[i];
        LiaTopic topic;
        bool there = !is_later(command) && lia_topics_command(command->name, &topic);
        if (!there || topic.end < at) continue;
        lia_sheet_bytes(&sheet, at, (size_t)(topic.end - at));
        list_options(command, &sheet);
        at = topic.end;
    }
    lia_sheet_put(&sheet, at);
    char* text = lia_sheet_end(&sheet);
    bool good = text && print_markdown(text, text + strlen(text), page->name, true);
    free(text);
    return good;
}

static bool print_topic(const char* word, bool man) {
    const LiaCommand* command = lia_main_find(word);
    LiaTopic topic;
    bool good = true;
    if (command && !man) {
        return print_command(command);
    }
    if (strcmp(word, "topics") == 0) {
        return print_topics();
    }
    // a whole page for the manual, else a section
    const LiaPage* page = man ? lia_topics_find_page(word) : NULL;
    if (page && strcmp(page->name, "commands") == 0) {
        return print_manual_of_commands(page);
    }
    if (page) {
        return print_markdown(page->text, page->text + strlen(page->text), page->name, true);
    }
    if (lia_topics_find(word, &topic)) {
        return print_markdown(topic.begin, topic.end, topic.page->name, man);
    }
    if (!man && print_mentions(word, &good)) {
        return good;
    }
    complain(word);
    return false;
}

// Several words are one topic if there is such a one ("what a constraint is"), else one each.
static char* joined(const LiaCommandLine* line) {
    size_t size = 1;
    for (size_t i = 0; i < line->word_count; i++) {
        size += strlen(line->words[i]) + 1;
    }
    char* text = lia_cli_memory_take(size);
    for (size_t i = 0; text && i < line->word_count; i++) {
        strcat(strcat(text, i ? " " : ""), line->words[i]);
    }
    return text;
}

int lia_cmd_help(const LiaCommandLine* line) {
    bool good = true, man = line->given[LIA_OPTION_MAN];
    if (line->word_count == 0) {
        return print_commands() ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
    }
    char* words = line->word_count > 1 ? joined(line) : NULL;
    LiaTopic topic;
    if (lia_cli_memory_is_out()) {
        good = false;
    } else if (words && lia_topics_find(words, &topic)) {
        good = print_topic(words, man);
    } else {
        for (size_t i = 0; i < line->word_count; i++) {
            good = print_topic(line->words[i], man) && good;
        }
    }
    free(words);
    return good ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
}
