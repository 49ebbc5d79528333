// liaison completion bash|zsh|fish: what a shell needs to complete the command line.
//
// Made from the tables of commands and options, so it knows what this very program knows.
// SPDX-License-Identifier: MIT
#include "memory.h"
#include "options.h"
#include "pages.h"
#include "print.h"
#include "topics.h"
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
    switch (command - lia_commands) {
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
        fprintf(out, " %s", name);
    }
}

static void put_words(FILE* out, Words words) {
    for (int i = 0; words == TOPICS && i < LIA_COMMAND_COUNT; i++) {
        fprintf(out, "%s%s", i ? " " : "", is_there(&lia_commands[i]) ? lia_commands[i].name : "");
    }
    if (words == TOPICS) {
        lia_topic_each("language", put_topic, out);
        lia_topic_each("errors", put_topic, out);
    }
    for (size_t i = 0; words == TOPICS && i < lia_pages_count; i++) {
        fprintf(out, " %s", lia_pages[i].name);
    }
    for (size_t i = 0; words == EXAMPLES && i < lia_examples_count; i++) {
        fprintf(out, "%s%s", i ? " " : "", lia_examples[i].name);
    }
    fputs(words == SHELLS ? "bash zsh fish" : "", out);
}

static const char stages[] = "lang expr mechanics tape";

// A text inside single quotes; zsh also has marks of its own in descriptions.
static void put_quoted(FILE* out, const char* text, const char* escaped) {
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", out);
        } else {
            fprintf(out, "%s%c", strchr(escaped, *text) ? "\\" : "", *text);
        }
    }
}

// --- bash -------------------------------------------------------------------------------------------

static void put_option_names(FILE* out, const LiaCommand* command, Value value,
                             const char* between) {
    bool first = true;
    for (int i = 0; i < LIA_OPTION_COUNT; i++) {
        const LiaOption* option = &lia_options[i];
        bool fits = command ? lia_option_fits(option, command) : value_of(option) == value;
        if (fits) {
            fprintf(out, "%s--%s", first ? "" : between, option->name);
            first = false;
            if (option->letter) {
                fprintf(out, "%s-%c", between, option->letter);
            }
        }
    }
}

static void put_bash(FILE* out) {
    fputs("# bash completion of liaison; made by 'liaison completion bash'\n"
          "_liaison() {\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local options= words= files=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          out);
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        fprintf(out, "%s%s", is_there(&lia_commands[i]) ? lia_commands[i].name : "",
                is_there(&lia_commands[i]) ? " " : "");
    }
    fputs("--help --version' -- \"$current\"))\n"
          "        return\n"
          "    fi\n"
          "    case $previous in\n"
          "    ",
          out);
    put_option_names(out, NULL, WORD, " | ");
    fputs(") return ;;\n    ", out);
    put_option_names(out, NULL, FILE_NAME, " | ");
    fputs(") COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n    ", out);
    put_option_names(out, NULL, STAGE, " | ");
    fprintf(out,
            ") COMPREPLY=($(compgen -W '%s' -- \"$current\")); return ;;\n"
            "    esac\n"
            "    case ${COMP_WORDS[1]} in\n",
            stages);
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        const LiaCommand* command = &lia_commands[i];
        if (!is_there(command)) {
            continue;
        }
        fprintf(out, "    %s)\n        options='", command->name);
        put_option_names(out, command, NOTHING, " ");
        fprintf(out, "'\n        words='");
        put_words(out, words_of(command));
        fprintf(out, "'\n        files=%s\n        ;;\n", words_of(command) == MODELS ? "lia" : "");
    }
    fputs("    esac\n"
          "    case $current in\n"
          "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")) ;;\n"
          "    *)\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
          "        [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -X \"!*.$files\" -- \"$current\") "
          "$(compgen -d -S / -- \"$current\"))\n"
          "        ;;\n"
          "    esac\n"
          "}\n"
          "complete -o filenames -F _liaison liaison\n",
          out);
}

// --- zsh --------------------------------------------------------------------------------------------

static void put_zsh_option(FILE* out, const LiaOption* option) {
    static const char marks[] = "[]:\\";
    Value value = value_of(option);
    bool many = strstr(option->help, "several times") != NULL;
    for (int k = 0; k < (option->letter ? 2 : 1); k++) {
        char name[64];
        snprintf(name, sizeof name, k ? "-%.1s" : "--%s", k ? &option->letter : option->name);
        fprintf(out, " \\\n            '%s%s%s[", many ? "*" : "", name, value && !k ? "=" : "");
        put_quoted(out, option->help, marks);
        fputs("]", out);
        if (value) {
            fputs(":", out);
            put_quoted(out, option->argument, marks);
            fprintf(out, ":%s", value == FILE_NAME ? "_files" : value == STAGE ? "(" : "");
            fprintf(out, "%s%s", value == STAGE ? stages : "", value == STAGE ? ")" : "");
        }
        fputs("'", out);
    }
}

static void put_zsh(FILE* out) {
    fputs("#compdef liaison\n"
          "# zsh completion of liaison; made by 'liaison completion zsh'\n"
          "_liaison() {\n"
          "    local -a commands\n"
          "    commands=(\n",
          out);
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        if (is_there(&lia_commands[i])) {
            fprintf(out, "        '%s:", lia_commands[i].name);
            put_quoted(out, lia_commands[i].sentence, ":\\");
            fputs("'\n", out);
        }
    }
    fputs("    )\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    case $command in\n",
          out);
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        const LiaCommand* command = &lia_commands[i];
        if (!is_there(command)) {
            continue;
        }
        fprintf(out, "    %s)\n        _arguments", command->name);
        for (int k = 0; k < LIA_OPTION_COUNT; k++) {
            if (lia_option_fits(&lia_options[k], command)) {
                put_zsh_option(out, &lia_options[k]);
            }
        }
        Words words = words_of(command);
        if (words == MODELS) {
            fputs(" \\\n            '*:model:_files -g \"*.lia\"'", out);
        } else if (words != NO_WORDS) {
            fputs(" \\\n            '*:word:(", out);
            put_words(out, words);
            fputs(")'", out);
        }
        fputs("\n        ;;\n", out);
    }
    // Called when the shell loads the file for a completion; read by eval it only defines.
    fputs("    esac\n}\n[ \"$funcstack[1]\" != _liaison ] || _liaison \"$@\"\n", out);
}

// --- fish -------------------------------------------------------------------------------------------

static void put_fish(FILE* out) {
    fputs("# fish completion of liaison; made by 'liaison completion fish'\n"
          "complete -c liaison -f\n",
          out);
    for (int i = 0; i < LIA_COMMAND_COUNT; i++) {
        const LiaCommand* command = &lia_commands[i];
        if (!is_there(command)) {
            continue;
        }
        fprintf(out, "complete -c liaison -n __fish_use_subcommand -a %s -d '", command->name);
        put_quoted(out, command->sentence, "\\");
        fputs("'\n", out);
        for (int k = 0; k < LIA_OPTION_COUNT; k++) {
            const LiaOption* option = &lia_options[k];
            if (!lia_option_fits(option, command)) {
                continue;
            }
            fprintf(out, "complete -c liaison -n '__fish_seen_subcommand_from %s' -l %s",
                    command->name, option->name);
            if (option->letter) {
                fprintf(out, " -s %c", option->letter);
            }
            Value value = value_of(option);
            fputs(value == FILE_NAME ? " -r -F" : value ? " -x" : "", out);
            if (value == STAGE) {
                fprintf(out, " -a '%s'", stages);
            }
            fputs(" -d '", out);
            put_quoted(out, option->help, "\\");
            fputs("'\n", out);
        }
        Words words = words_of(command);
        if (words == NO_WORDS) {
            continue;
        }
        fprintf(out, "complete -c liaison -n '__fish_seen_subcommand_from %s' -a '", command->name);
        if (words == MODELS) {
            fputs("(__fish_complete_suffix .lia)", out);
        } else {
            put_words(out, words);
        }
        fputs("'\n", out);
    }
}

// ----------------------------------------------------------------------------------------------------

int lia_cmd_completion(const LiaCommandLine* line) {
    static const struct {
        const char* name;
        void (*put)(FILE* out);
    } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
    for (int i = 0; line->word_count == 1 && i < 3; i++) {
        if (strcmp(line->words[0], shells[i].name) != 0) {
            continue;
        }
        LiaSheet sheet;
        lia_cli_sheet_begin(&sheet);
        if (sheet.out) shells[i].put(sheet.out);
        char* text = lia_cli_sheet_end(&sheet);
        bool good = text && lia_print_text(text);
        free(text);
        return good ? LIA_EXIT_DONE : LIA_EXIT_WRONG;
    }
    lia_print_error("for which shell? liaison completion bash, zsh or fish");
    return LIA_EXIT_WRONG;
}
