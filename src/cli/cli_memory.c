// Memory of the program. See memory.h.
// SPDX-License-Identifier: MIT
#include "cli/cli_memory.h"
#include "cli/terminal/print.h"
#include <liaison/liaison.h>
#include <stdlib.h>

static bool is_out = false;

void lia_cli_memory_out(void) {
    // what was interrupted, or has spent its budget, gets no memory either: that is said at its end
    bool wanted = lia_budget_spent() == LIA_SPENT_NOTHING;
    if (!is_out && wanted) lia_print_error("%s", lia_status_text(LIA_MEMORY));
    is_out = true;
}

void lia_cli_memory_said(void) { is_out = true; }

bool lia_cli_memory_is_out(void) { return is_out; }

void* lia_cli_memory_take(size_t bytes) {
    void* memory = calloc(bytes ? bytes : 1, 1);
    if (!memory) lia_cli_memory_out();
    return memory;
}
