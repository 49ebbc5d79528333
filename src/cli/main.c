// liaison, the program: finds the command in the table, reads its options, calls it.
// SPDX-License-Identifier: MIT
#include "cli/budget.h"
#include "cli/cli_memory.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/suggest.h"
#include "cli/terminal/print.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

const LiaCommand lia_main_commands[] = {
#define LIA_COMMAND(id, name, arguments, sentence, function) {name, arguments, sentence, function},
#include "cli/commands/commands.def"
#undef LIA_COMMAND
};

const LiaCommand* lia_main_find(const char* name) {
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        if (strcmp(lia_main_commands[i].name, name) == 0) {
            return &lia_main_commands[i];
        }
    }
    return NULL;
}

// A file opened later must not become standard output: what is closed is opened so that writing
// fails.
static void hold_descriptors(void) {
    int descriptor;
    do {
        descriptor = open("/dev/null", O_RDONLY);
    } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0) {
        close(descriptor);
    }
}

static bool is_model(const char* word) {
    size_t length = strlen(word);
    return length > 4 && strcmp(word + length - 4, ".lia") == 0;
}

static int refuse(const char* word) {
    LiaSuggestion suggestion = {.wanted = word};
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        if (lia_main_commands[i].function == lia_cmd_later) continue;
        lia_suggest_offer(&suggestion, lia_main_commands[i].name);
    }
    if (is_model(word)) {
        lia_print_error("say what to do with it: liaison run %s", word);
    } else if (word[0] == '-') {
        lia_print_error("unknown option '%s'; a command comes first: liaison run FILE", word);
    } else if (suggestion.best) {
        lia_print_error("unknown command '%s'; did you mean '%s'?", word, suggestion.best);
    } else {
        lia_print_error("unknown command '%s'; 'liaison help' lists them", word);
    }
    return LIA_EXIT_WRONG;
}

// Of a command that is not there yet no option is wrong; only its page can be asked for.
static int count_options(const LiaCommand* command, int count, char** words) {
    bool page = count > 0 && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0);
    return command->function != lia_cmd_later ? count : page ? 1 : 0;
}

static int call(const LiaCommand* command, int count, char** words) {
    LiaCommandLine line;
    lia_options_read(&line, command, count_options(command, count, words), words);
    int code = LIA_EXIT_WRONG;
    if (line.given[LIA_OPTION_HELP]) {
        const char* name = command->name;
        LiaCommandLine help = {
            .command = &lia_main_commands[LIA_COMMAND_HELP], .words = &name, .word_count = 1};
        code = lia_cmd_help(&help);
    } else if (line.given[LIA_OPTION_VERSION]) {
        code = lia_print_out("liaison %s\n", LIA_VERSION) ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
    } else if (lia_cli_memory_is_out()) {
        code = LIA_EXIT_WRONG;
    } else if (line.errors > 0) {
        lia_print_error("'liaison %s --help' shows what there is", command->name);
    } else {
        lia_budget_begin(&line);
        code = command->function(&line);
        if (lia_cli_memory_is_out()) code = LIA_EXIT_WRONG;
        code = lia_budget_end(&line, code);
    }
    lia_options_clear(&line);
    lia_print_close();
    return code;
}

int main(int count, char** words) {
    hold_descriptors();
    signal(SIGXFSZ, SIG_IGN);  // a limit on files is reported as a full disk is
    signal(SIGPIPE, SIG_IGN);  // files are still written when a reader went away; lia_print_close()
    if (count < 2) {
        lia_print_error("say what to do: liaison run FILE, liaison check FILE, liaison help");
        return LIA_EXIT_WRONG;
    }
    const char* word = words[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        word = "help";
    } else if (strcmp(word, "--version") == 0) {
        return lia_print_out("liaison %s\n", LIA_VERSION) ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
    }
    const LiaCommand* command = lia_main_find(word);
    return command ? call(command, count - 2, words + 2) : refuse(word);
}
