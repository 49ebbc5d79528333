// Commands: what each is given and gives back. The table is commands.def.
// SPDX-License-Identifier: MIT
#pragma once
#include <liaison/liaison.h>

enum { LIA_EXIT_DONE = 0, LIA_EXIT_WRONG = 1, LIA_EXIT_STUCK = 2, LIA_EXIT_BUDGET = 3 };

typedef enum LiaCommandId {
#define LIA_COMMAND(id, name, arguments, sentence, function) LIA_COMMAND_##id,
#include "cli/commands/commands.def"
#undef LIA_COMMAND
    LIA_COMMAND_COUNT
} LiaCommandId;

struct LiaCommandLine;

typedef struct LiaCommand {
    const char *name, *arguments, *sentence;
    int (*function)(const struct LiaCommandLine* line);  // gives the exit code
} LiaCommand;

/// The table, LIA_COMMAND_COUNT rows; src/cli/main.c.
extern const LiaCommand lia_main_commands[];
/// The command of this name, NULL if there is none.
const LiaCommand* lia_main_find(const char* name);

int lia_cmd_run(const struct LiaCommandLine* line);
int lia_cmd_view(const struct LiaCommandLine* line);
int lia_cmd_picture(const struct LiaCommandLine* line);
int lia_cmd_explain(const struct LiaCommandLine* line);
int lia_cmd_holonomy(const struct LiaCommandLine* line);
int lia_cmd_reduce(const struct LiaCommandLine* line);
int lia_cmd_compare(const struct LiaCommandLine* line);
int lia_cmd_check(const struct LiaCommandLine* line);
int lia_cmd_dump(const struct LiaCommandLine* line);
int lia_cmd_examples(const struct LiaCommandLine* line);
int lia_cmd_completion(const struct LiaCommandLine* line);
int lia_cmd_help(const struct LiaCommandLine* line);
int lia_cmd_later(const struct LiaCommandLine* line);

/// Return from the function with the first status that is not LIA_OK.
#define LIA_TRY(call)                                                                              \
    do {                                                                                           \
        LiaStatus status_ = (call);                                                                \
        if (status_ != LIA_OK) {                                                                   \
            return status_;                                                                        \
        }                                                                                          \
    } while (0)
