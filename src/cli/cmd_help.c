// liaison help [COMMAND]: the commands, or one of them with its options. Both come from the tables.
// SPDX-License-Identifier: MIT
#include "options.h"
#include "print.h"
#include <stdio.h>
#include <string.h>

static bool is_later(const LiaCommand* command) { return command->function == lia_cmd_later; }

static bool print_commands(void) {
    bool good = lia_print_out("liaison %s: mechanics with constraints on which somebody acts\n"
                              "\n"
                              "  liaison COMMAND ...\n"
                              "\n",
                              LIA_VERSION);
    for (int i = 0; good && i < LIA_COMMAND_COUNT; i++) {
        const LiaCommand* command = &lia_commands[i];
        if (!is_later(command)) {
            good = lia_print_out("  %-10s %s\n", command->name, command->sentence);
        }
    }
    good = good && lia_print_out("\nNot in this version:\n");
    for (int i = 0; good && i < LIA_COMMAND_COUNT; i++) {
        const LiaCommand* command = &lia_commands[i];
        if (is_later(command)) {
            good = lia_print_out("  %-10s %s\n", command->name, command->sentence);
        }
    }
    return good &&
           lia_print_out("\n'liaison help COMMAND' tells more, 'liaison --version' the version.\n");
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

static bool print_command(const LiaCommand* command) {
    bool good = lia_print_out("liaison %s %s\n\n%s%s\n", command->name, command->arguments,
                              command->sentence, is_later(command) ? " (not in this version)" : "");
    if (is_later(command) || !good) {
        return good;
    }
    good = lia_print_out("\n");
    for (int i = 0; good && i < LIA_OPTION_COUNT; i++) {
        if (lia_option_fits(&lia_options[i], command)) {
            good = print_option(&lia_options[i]);
        }
    }
    return good && (*command->about == '\0' || lia_print_out("\n%s", command->about));
}

int lia_cmd_help(const LiaCommandLine* line) {
    bool good = true;
    if (line->word_count == 0) {
        return print_commands() ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
    }
    for (size_t i = 0; i < line->word_count; i++) {
        const LiaCommand* command = lia_command_find(line->words[i]);
        if (!command) {
            lia_print_error("unknown command '%s'; 'liaison help' lists them", line->words[i]);
        }
        good = command && print_command(command) && good;
    }
    return good ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
}
