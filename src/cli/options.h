// The command line, read: what was asked for. The table of options is options.def.
// SPDX-License-Identifier: MIT
#pragma once
#include "cli/command.h"

typedef enum LiaOptionId {
#define LIA_OPTION(id, name, letter, argument, commands, help) LIA_OPTION_##id,
#include "cli/options.def"
#undef LIA_OPTION
    LIA_OPTION_COUNT
} LiaOptionId;

typedef struct LiaOption {
    const char* name;
    char letter;           // 0: none
    const char* argument;  // "": takes none
    unsigned commands;     // one bit per LiaCommandId
    const char* help;
} LiaOption;

typedef struct LiaCommandLine {
    const LiaCommand* command;
    const char** words;  // what is not an option: files
    size_t word_count;
    LiaDefine* defines;  // -D, the last of a name
    size_t define_count;
    LiaRuleChange* rules;  // --rule
    size_t rule_count;
    bool given[LIA_OPTION_COUNT];
    const char* text[LIA_OPTION_COUNT];  // the argument as written
    double until, tolerance, every, step_most, checkpoint_every;
    double seconds;         // --time; 0: no limit
    uint64_t steps, bytes;  // --steps, --memory; 0: no limit
    uint32_t samples;
    int errors;  // reported on stderr
} LiaCommandLine;

extern const LiaOption lia_options[];
/// Does the option belong to the command?
bool lia_options_fits(const LiaOption* option, const LiaCommand* command);

/// Read the words after the command. All that is wrong is reported on stderr and counted in
/// `errors`. The strings are borrowed from `words`. Release with lia_options_clear().
void lia_options_read(LiaCommandLine* line, const LiaCommand* command, int count, char** words);
void lia_options_clear(LiaCommandLine* line);
