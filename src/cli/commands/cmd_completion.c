// liaison completion bash|zsh|fish: what a shell needs to complete the command line.
//
// Made from the tables of commands and options, so it knows what this very program knows.
// SPDX-License-Identifier: MIT
#include "cli/cli_memory.h"
#include "cli/help/pages.h"
#include "cli/help/topics.h"
#include "cli/options.h"
#include "cli/terminal/print.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Value { NOTHING, WORD, FILE_NAME, STAGE } Value;  // what an option takes

static Value value_of(const LiaOption* option) {
    return *option->argument == '\0'                ? NOTHING
           : strcmp(option->argument, "STAGE") == 0 ? STAGE
           : strchr(option->argument, '.') != NULL  ? FILE_NAME
                                                    : WORD;
}

typedef enum Words { NO_WORDS, MODELS, TOPICS, EXAMPLES, SHELLS } Words;  // what a command takes

static Words words_of(const LiaCommand* command) {
    switch (command - lia_main_commands) {
    case LIA_COMMAND_HELP:
        return TOPICS;
    case LIA_COMMAND_EXAMPLES:
        return EXAMPLES;
    case LIA_COMMAND_COMPLETION:
        return SHELLS;
    default:
        return strstr(command->arguments, "FILE") || strstr(command->arguments, ".lia") ? MODELS
                                                                                        : NO_WORDS;
    }
}

static bool is_there(const LiaCommand* command) { return command->function != lia_cmd_later; }

static void put_topic(void* out, const char* name) {
    if (!strpbrk(name, " '\"\\")) {
        lia_sheet_print(out, " %s", name);
    }
}

static void put_words(LiaSheet* out, Words words) {
    for (int i = 0; words == TOPICS && i < LIA_COMMAND_COUNT; i++) {
        lia_sheet_print(out, "%s%s", i ? " " : "",
                        is_there(&lia_main_commands[i]) ? lia_main_commands[i].name : "");
    }
    if (words == TOPICS) {
        lia_topics_each("language", put_topic, out);
        lia_topics_each("errors", put_topic, out);
    }
    for (size_t i = 0; words == TOPICS && i < lia_pages_count; i++) {
        lia_sheet_print(out, " %s", lia_pages[i].name);
    }
    for (size_t i = 0; words == EXAMPLES && i < lia_examples_count; i++) {
        lia_sheet_print(out, "%s%s", i ? " " : "", lia_examples[i].name);
    }
    lia_sheet_put(out, words == SHELLS ? "bash zsh fish" : "");
}

static const char stages[] = "lang expr mechanics tape";

// A text inside single quotes; zsh also has marks of its own in descriptions.
static void put_quoted(LiaSheet* out, const char* text, const char* escaped) {
    for (; *text; text++) {
        if (*text == '\'') {
            lia_sheet_put(out, "'\\''");
        } else {
            lia_sheet_print(out, "%s%c", strchr(escaped, *text) ? "\\" : "", *text);
        }
    }
}

// --- bash ---------------------------------------------------------------------------------------

static void put_option_names(LiaSheet* out, const LiaCommand* command, Value value,
                             const char* between) {
    bool first = true;
    for (int i = 0; i < LIA_OPTION_COUNT; i++) {
        const LiaOption* option = &lia_options[i];
        bool fits = command ? lia_options_fits(option, command) : value_of(option) == value;
        if (fits) {
            lia_sheet_print(out, "%s--%s", first ? "" : between, option->name);
            first = false;
            if (option->letter) {
                lia_sheet_print(out, "%s-%c", between, option->letter);
            }
        }
    }
}

static void put_bash(LiaSheet* out) {
    lia_sheet_put(
        out, "# bash completion of liaison; made by 'liaison completion bash'\n"
             "_liaison() {\n"
             "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
             "    local options= words= files=\n"
             "    COMPREPLY=()\n"
             "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
             "        COMPREPLY=($(compgen -W '");
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        lia_sheet_print(out, "%s%s",
                        is_there(&lia_main_commands[i]) ? lia_main_commands[i].name : "",
                        is_there(&lia_main_commands[i]) ? " " : "");
    }
    lia_sheet_put(out, "--help --version' -- \"$current\"))\n"
                       "        return\n"
                       "    fi\n"
                       "    case $previous in\n"
                       "    ");
    put_option_names(out, NULL, WORD, " | ");
    lia_sheet_put(out, ") return ;;\n    ");
    put_option_names(out, NULL, FILE_NAME, " | ");
    lia_sheet_put(out, ") COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n    ");
    put_option_names(out, NULL, STAGE, " | ");
    lia_sheet_print(out,
                    ") COMPREPLY=($(compgen -W '%s' -- \"$current\")); return ;;\n"
                    "    esac\n"
                    "    case ${COMP_WORDS[1]} in\n",
                    stages);
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        const LiaCommand* command = &lia_main_commands[i];
        if (!is_there(command)) {
            continue;
        }
        lia_sheet_print(out, "    %s)\n        options='", command->name);
        put_option_names(out, command, NOTHING, " ");
        lia_sheet_print(out, "'\n        words='");
        put_words(out, words_of(command));
        lia_sheet_print(out, "'\n        files=%s\n        ;;\n",
                        words_of(command) == MODELS ? "lia" : "");
    }
    lia_sheet_put(
        out,
        "    esac\n"
        "    case $current in\n"
        "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")) ;;\n"
        "    *)\n"
        "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
        "        [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -X \"!*.$files\" -- \"$current\") "
        "$(compgen -d -S / -- \"$current\"))\n"
        "        ;;\n"
        "    esac\n"
        "}\n"
        "complete -o filenames -F _liaison liaison\n");
}

// --- zsh ----------------------------------------------------------------------------------------

static void put_zsh_option(LiaSheet* out, const LiaOption* option) {
    static const char marks[] = "[]:\\";
    Value value = value_of(option);
    bool many = strstr(option->help, "several times") != NULL;
    for (int k = 0; k < (option->letter ? 2 : 1); k++) {
        char name[64];
        snprintf(name, sizeof name, k ? "-%.1s" : "--%s", k ? &option->letter : option->name);
        lia_sheet_print(out, " \\\n            '%s%s%s[", many ? "*" : "", name,
                        value && !k ? "=" : "");
        put_quoted(out, option->help, marks);
        lia_sheet_put(out, "]");
        if (value) {
            lia_sheet_put(out, ":");
            put_quoted(out, option->argument, marks);
            lia_sheet_print(out, ":%s", value == FILE_NAME ? "_files" : value == STAGE ? "(" : "");
            lia_sheet_print(out, "%s%s", value == STAGE ? stages : "", value == STAGE ? ")" : "");
        }
        lia_sheet_put(out, "'");
    }
}

static void put_zsh(LiaSheet* out) {
    lia_sheet_put(out, "#compdef liaison\n"
                       "# zsh completion of liaison; made by 'liaison completion zsh'\n"
                       "_liaison() {\n"
                       "    local -a commands\n"
                       "    commands=(\n");
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        if (is_there(&lia_main_commands[i])) {
            lia_sheet_print(out, "        '%s:", lia_main_commands[i].name);
            put_quoted(out, lia_main_commands[i].sentence, ":\\");
            lia_sheet_put(out, "'\n");
        }
    }
    lia_sheet_put(out, "    )\n"
                       "    if ((CURRENT == 2)); then\n"
                       "        _describe command commands\n"
                       "        return\n"
                       "    fi\n"
                       "    local command=$words[2]\n"
                       "    shift words\n"
                       "    ((CURRENT--))\n"
                       "    case $command in\n");
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        const LiaCommand* command = &lia_main_commands[i];
        if (!is_there(command)) {
            continue;
        }
        lia_sheet_print(out, "    %s)\n        _arguments", command->name);
        for (int k = 0; k < LIA_OPTION_COUNT; k++) {
            if (lia_options_fits(&lia_options[k], command)) {
                put_zsh_option(out, &lia_options[k]);
            }
        }
        Words words = words_of(command);
        if (words == MODELS) {
            lia_sheet_put(out, " \\\n            '*:model:_files -g \"*.lia\"'");
        } else if (words != NO_WORDS) {
            lia_sheet_put(out, " \\\n            '*:word:(");
            put_words(out, words);
            lia_sheet_put(out, ")'");
        }
        lia_sheet_put(out, "\n        ;;\n");
    }
    // Called when the shell loads the file for a completion; read by eval it only defines.
    lia_sheet_put(out, "    esac\n}\n[ \"$funcstack[1]\" != _liaison ] || _liaison \"$@\"\n");
}

// --- fish ---------------------------------------------------------------------------------------

static void put_fish(LiaSheet* out) {
    lia_sheet_put(out, "# fish completion of liaison; made by 'liaison completion fish'\n"
                       "complete -c liaison -f\n");
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        const LiaCommand* command = &lia_main_commands[i];
        if (!is_there(command)) {
            continue;
        }
        lia_sheet_print(out, "complete -c liaison -n __fish_use_subcommand -a %s -d '",
                        command->name);
        put_quoted(out, command->sentence, "\\");
        lia_sheet_put(out, "'\n");
        for (int k = 0; k < LIA_OPTION_COUNT; k++) {
            const LiaOption* option = &lia_options[k];
            if (!lia_options_fits(option, command)) {
                continue;
            }
            lia_sheet_print(out, "complete -c liaison -n '__fish_seen_subcommand_from %s' -l %s",
                            command->name, option->name);
            if (option->letter) {
                lia_sheet_print(out, " -s %c", option->letter);
            }
            Value value = value_of(option);
            lia_sheet_put(out, value == FILE_NAME ? " -r -F" : value ? " -x" : "");
            if (value == STAGE) {
                lia_sheet_print(out, " -a '%s'", stages);
            }
            lia_sheet_put(out, " -d '");
            put_quoted(out, option->help, "\\");
            lia_sheet_put(out, "'\n");
        }
        Words words = words_of(command);
        if (words == NO_WORDS) {
            continue;
        }
        lia_sheet_print(out, "complete -c liaison -n '__fish_seen_subcommand_from %s' -a '",
                        command->name);
        if (words == MODELS) {
            lia_sheet_put(out, "(__fish_complete_suffix .lia)");
        } else {
            put_words(out, words);
        }
        lia_sheet_put(out, "'\n");
    }
}

// -------------------------------------------------------------------------------------------------

int lia_cmd_completion(const LiaCommandLine* line) {
    static const struct {
        const char* name;
        void (*put)(LiaSheet* out);
    } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
    for (int i = 0; line->word_count == 1 && i < 3; i++) {
        if (strcmp(line->words[0], shells[i].name) != 0) {
            continue;
        }
        LiaSheet sheet = {0};
        shells[i].put(&sheet);
        char* text = lia_sheet_end(&sheet);
        bool good = text && lia_print_text(text);
        free(text);
        return good ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
    }
    lia_print_error("for which shell? liaison completion bash, zsh or fish");
    return LIA_EXIT_WRONG;
}
