// Commands whose turn comes later: said, not ignored.
// SPDX-License-Identifier: MIT
#include "cli/options.h"
#include "cli/terminal/print.h"

int lia_cmd_later(const LiaCommandLine* line) {
    lia_print_error("'%s' is not in this version (%s)", line->command->name, LIA_VERSION);
    return LIA_EXIT_WRONG;
}
