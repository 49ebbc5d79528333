// The command line, read by the table in options.def.
//
// --name=value, --name value, -Dvalue, -D value; `--` ends the options. Nothing stops the reading:
// all that is wrong is reported at once, each with the nearest thing that would have been right.
// SPDX-License-Identifier: MIT
#include "cli/options.h"
#include "cli/cli_memory.h"
#include "cli/suggest.h"
#include "cli/terminal/print.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IN(id)     (1u << LIA_COMMAND_##id)
#define EVERYWHERE (~0u)
const LiaOption lia_options[] = {
#define LIA_OPTION(id, name, letter, argument, commands, help)                                     \
    {name, letter, argument, commands, help},
#include "cli/options.def"
#undef LIA_OPTION
};

bool lia_options_fits(const LiaOption* option, const LiaCommand* command) {
    return (option->commands >> (command - lia_main_commands)) & 1u;
}

static void complain(LiaCommandLine* line, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
static void complain(LiaCommandLine* line, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lia_print_error("%s", text);
    line->errors++;
}

// The option a word names, with what stands after it: "=value" of --name=value, "value" of -Dvalue.
static const LiaOption* find(const char* word, const char** value) {
    *value = NULL;
    bool is_long = word[1] == '-';
    size_t length = strcspn(word, "=");
    for (int i = 0; i < LIA_OPTION_COUNT; i++) {
        const LiaOption* option = &lia_options[i];
        if (is_long && strlen(option->name) == length - 2 &&
            strncmp(word + 2, option->name, length - 2) == 0) {
            *value = word[length] ? word + length + 1 : NULL;
            return option;
        }
        if (!is_long && option->letter && word[1] == option->letter) {
            *value = word[2] ? word + 2 : NULL;
            return option;
        }
    }
    return NULL;
}

static void complain_unknown(LiaCommandLine* line, const char* word) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    LiaSuggestion suggestion = {.wanted = name + strspn(name, "-")};
    for (int i = 0; i < LIA_OPTION_COUNT; i++) {
        if (lia_options_fits(&lia_options[i], line->command)) {
            lia_suggest_offer(&suggestion, lia_options[i].name);
        }
    }
    if (suggestion.best) {
        complain(line, "unknown option '%s'; did you mean '--%s'?", name, suggestion.best);
    } else {
        complain(line, "unknown option '%s'", name);
    }
}

// The first command an option belongs to.
static const char* home_of(const LiaOption* option) {
    int i = 0;
    while (i + 1 < LIA_COMMAND_COUNT && !lia_options_fits(option, &lia_main_commands[i])) {
        i++;
    }
    return lia_main_commands[i].name;
}

static bool read_number(const char* text, double* x) {
    char* end;
    *x = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*x);
}

static char* copy_start(const char* text, size_t length) {
    char* copy = lia_cli_memory_take(length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

static void read_define(LiaCommandLine* line, const char* text) {
    const char* equals = strchr(text, '=');
    double value;
    if (!equals || equals == text) {
        complain(line, "-D wants NAME=VALUE, not '%s'", text);
        return;
    }
    if (!read_number(equals + 1, &value)) {
        complain(line, "-D %.*s wants a number, not '%s'", (int)(equals - text), text, equals + 1);
        return;
    }
    char* name = copy_start(text, (size_t)(equals - text));
    if (!name) {
        line->errors++;
        return;
    }
    for (size_t i = 0; i < line->define_count; i++) {  // the last of a name counts
        if (strcmp(line->defines[i].name, name) == 0) {
            line->defines[i].value = value;
            free(name);
            return;
        }
    }
    line->defines[line->define_count++] = (LiaDefine){name, value};
}

static void read_rule(LiaCommandLine* line, const char* text) {
    static const char* const words[] = {"ideal", "chetaev", "given"};  // in the order of LiaForces
    const char* equals = strrchr(text, '=');
    if (!equals || equals == text) {
        complain(line, "--rule wants NAME=ideal, NAME=chetaev or NAME=given, not '%s'", text);
        return;
    }
    LiaSuggestion suggestion = {.wanted = equals + 1};
    for (int i = 0; i < 3; i++) {
        if (strcmp(equals + 1, words[i]) != 0) {
            lia_suggest_offer(&suggestion, words[i]);
            continue;
        }
        char* name = copy_start(text, (size_t)(equals - text));
        if (name) {
            line->rules[line->rule_count++] = (LiaRuleChange){name, (LiaForces)i};
        } else {
            line->errors++;
        }
        return;
    }
    complain(line, "--rule: there are no forces '%s'; %s%s%s", equals + 1,
             suggestion.best ? "did you mean '" : "there are ",
             suggestion.best ? suggestion.best : "ideal, chetaev and given",
             suggestion.best ? "'?" : "");
}

static void read_positive(LiaCommandLine* line, const LiaOption* option, const char* text,
                          double* x) {
    if (!read_number(text, x) || *x <= 0) {
        complain(line, "--%s wants a positive number, not '%s'", option->name, text);
    }
}

// 500M, 2G, 1.5e9
static void read_bytes(LiaCommandLine* line, const char* text) {
    static const char letters[] = "kMGT";
    char* end;
    double x = strtod(text, &end), factor = 1.0;
    const char* letter = end != text && *end ? strchr("kKMGT", *end) : NULL;
    if (letter) {
        const char* place = strchr(letters, *letter == 'K' ? 'k' : *letter);
        for (ptrdiff_t i = 0; i <= place - letters; i++) factor *= 1000.0;
        end++;
        if (*end == 'B') end++;
    }
    if (end == text || *end || !(x * factor >= 1.0) || !(x * factor < 1e18)) {
        complain(line, "--memory wants bytes, such as 500M or 2G, not '%s'", text);
    } else {
        line->bytes = (uint64_t)(x * factor);
    }
}

static void read_steps(LiaCommandLine* line, const char* text) {
    double count;
    if (!read_number(text, &count) || count < 1 || count != floor(count)) {
        complain(line, "--steps wants a whole number from 1 on, not '%s'", text);
    } else {
        line->steps = count < 1e18 ? (uint64_t)count : UINT64_MAX;
    }
}

static void read_value(LiaCommandLine* line, LiaOptionId id, const char* text) {
    const LiaOption* option = &lia_options[id];
    switch (id) {
    case LIA_OPTION_DEFINE:
        read_define(line, text);
        break;
    case LIA_OPTION_RULE:
        read_rule(line, text);
        break;
    case LIA_OPTION_UNTIL:
        if (!read_number(text, &line->until)) {
            complain(line, "--until wants a time, not '%s'", text);
        }
        break;
    case LIA_OPTION_TOLERANCE:
        read_positive(line, option, text, &line->tolerance);
        break;
    case LIA_OPTION_TIME:
        read_positive(line, option, text, &line->seconds);
        break;
    case LIA_OPTION_MEMORY:
        read_bytes(line, text);
        break;
    case LIA_OPTION_STEPS:
        read_steps(line, text);
        break;
    case LIA_OPTION_CHECKPOINT_EVERY:
        read_positive(line, option, text, &line->checkpoint_every);
        break;
    case LIA_OPTION_EVERY:
        read_positive(line, option, text, &line->every);
        break;
    case LIA_OPTION_STEP_MOST:
        read_positive(line, option, text, &line->step_most);
        break;
    case LIA_OPTION_SAMPLES: {
        double count;
        if (!read_number(text, &count) || count < 1 || count != floor(count)) {
            complain(line, "--samples wants a whole number from 1 on, not '%s'", text);
        } else {
            // too many are refused when the run knows what it would write
            line->samples = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
        }
        break;
    }
    default:
        break;
    }
}

// May this word be the argument of the option before it? A negative number and "-" may.
static bool can_be_value(const char* word) {
    return word &&
           (word[0] != '-' || word[1] == '\0' || word[1] == '.' || isdigit((unsigned char)word[1]));
}

// One option; returns how many words it took.
static int read_option(LiaCommandLine* line, char** words, int left) {
    const char* value;
    const LiaOption* option = find(words[0], &value);
    if (!option) {
        complain_unknown(line, words[0]);
        return 1;
    }
    LiaOptionId id = (LiaOptionId)(option - lia_options);
    bool takes_value = *option->argument != '\0';
    int used = 1;
    if (!lia_options_fits(option, line->command)) {
        complain(line, "'--%s' is an option of 'liaison %s'", option->name, home_of(option));
        return takes_value && !value && left > 1 && can_be_value(words[1]) ? 2 : 1;
    }
    if (!takes_value && value) {
        complain(line, "'%s' takes no value", words[0]);
        return 1;
    }
    if (takes_value && !value) {
        if (left < 2 || !can_be_value(words[1])) {
            complain(line, "'%s' wants a value: %s", words[0], option->argument);
            return 1;
        }
        value = words[1];
        used = 2;
    }
    line->given[id] = true;
    line->text[id] = value;
    if (value) {
        read_value(line, id, value);
    }
    return used;
}

void lia_options_read(LiaCommandLine* line, const LiaCommand* command, int count, char** words) {
    *line = (LiaCommandLine){.command = command};
    size_t room = (size_t)count + 1;
    line->words = lia_cli_memory_take(room * sizeof *line->words);
    line->defines = lia_cli_memory_take(room * sizeof *line->defines);
    line->rules = lia_cli_memory_take(room * sizeof *line->rules);
    if (!line->words || !line->defines || !line->rules) {
        line->errors++;
        return;
    }
    for (int i = 0; i < count;) {
        bool is_option = words[i][0] == '-' && words[i][1] != '\0';
        if (is_option && strcmp(words[i], "--") == 0) {
            for (i++; i < count; i++) {
                line->words[line->word_count++] = words[i];
            }
        } else if (is_option) {
            i += read_option(line, words + i, count - i);
        } else {
            line->words[line->word_count++] = words[i++];
        }
    }
}

void lia_options_clear(LiaCommandLine* line) {
    for (size_t i = 0; i < line->define_count; i++) {
        free((char*)line->defines[i].name);
    }
    for (size_t i = 0; i < line->rule_count; i++) {
        free((char*)line->rules[i].constraint);
    }
    free(line->rules);
    free(line->defines);
    free(line->words);
    *line = (LiaCommandLine){0};
}
