// What a command may spend. See budget.h.
// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE  // _SC_PHYS_PAGES
#include "cli/budget.h"
#include "cli/interrupt.h"
#include "cli/terminal/print.h"
#include <unistd.h>

// Without --memory: three quarters of what the machine has, so that a command that wants more ends
// with a word instead of taking the machine with it. 0, no limit, where that is not known.
static uint64_t memory_of_machine(void) {
#ifdef _SC_PHYS_PAGES
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages / 4 * 3 * (uint64_t)size : 0;
#else
    return 0;
#endif
}

void lia_budget_begin(const LiaCommandLine* line) {
    LiaBudget budget = {.seconds = line->seconds,
                        .bytes = line->bytes ? line->bytes : memory_of_machine(),
                        .interrupt = lia_interrupt_watch()};
    lia_budget_set(&budget);
    if (line->seconds > 0.0) lia_interrupt_limit(line->seconds);
}

int lia_budget_end(const LiaCommandLine* line, int code) {
    LiaSpent spent = lia_budget_spent();
    int by_signal = lia_interrupt_code();
    bool nothing = code == LIA_EXIT_WRONG && spent != LIA_SPENT_NOTHING;
    if (by_signal) {
        if (nothing) lia_print_error("interrupted before anything was reached");
        return by_signal;
    }
    if (!nothing) return code;
    bool time = spent == LIA_SPENT_TIME;
    if (!time && !line->bytes) {
        lia_print_error("three quarters of the machine's memory were spent before anything was "
                        "reached; '--memory' allows more");
        return LIA_EXIT_WRONG;
    }
    lia_print_error("'--%s %s' was spent before anything was reached: give more",  //
                    time ? "time" : "memory",
                    line->text[time ? LIA_OPTION_TIME : LIA_OPTION_MEMORY]);
    return LIA_EXIT_BUDGET;
}

bool lia_budget_ended(const LiaTrajectory* motion) {
    LiaSpent spent = motion ? lia_trajectory_spent(motion) : LIA_SPENT_NOTHING;
    return spent != LIA_SPENT_NOTHING && spent != LIA_SPENT_INTERRUPT;
}
