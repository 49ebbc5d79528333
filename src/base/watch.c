// Watch: signals and budgets. See watch.h.
// SPDX-License-Identifier: MIT
#include "base/watch.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory/call.h"
#include <math.h>

typedef struct Watch {
    const volatile int* interrupt;  // of the thread
    const volatile int* also;       // of a run
    double deadline;                // by the clock; 0: none
    uint64_t bytes;                 // of memory; 0: no limit
    LiaSpent spent;
    bool by_also;  // only the run's flag has asked
    LiaWatchMode mode;
    unsigned looks;
} Watch;

static _Thread_local Watch watch;

LiaStatus lia_budget_set(const LiaBudget* budget) {
    static const LiaBudget none = {0};
    const LiaBudget* b = budget ? budget : &none;
    if (isnan(b->seconds) || b->seconds < 0.0 || !lia_call_knows(b->more)) return LIA_ARGUMENT;
    watch.interrupt = b->interrupt;
    watch.deadline = b->seconds > 0.0 ? lia_clock_seconds() + b->seconds : 0.0;
    watch.bytes = b->bytes;
    watch.spent = LIA_SPENT_NOTHING;
    watch.by_also = false;
    return LIA_OK;
}

LiaSpent lia_budget_spent(void) { return watch.spent; }

static bool look(bool at_clock) {
    if (watch.spent != LIA_SPENT_NOTHING) return true;
    bool own = lia_interrupt_asks(watch.interrupt);
    if (own || lia_interrupt_asks(watch.also)) {
        watch.spent = LIA_SPENT_INTERRUPT;
        watch.by_also = !own;
    } else if (at_clock && watch.deadline > 0.0 && lia_clock_seconds() >= watch.deadline) {
        watch.spent = LIA_SPENT_TIME;
    }
    return watch.spent != LIA_SPENT_NOTHING;
}

bool lia_watch_raised(void) { return look(true); }

bool lia_watch_asked(void) { return watch.mode != LIA_WATCH_FINISH && look(true); }

bool lia_watch_asked_often(void) {
    return watch.mode != LIA_WATCH_FINISH && look(++watch.looks % 64 == 0);
}

bool lia_watch_gives(void) {
    return watch.mode != LIA_WATCH_ABANDON || !look(++watch.looks % 64 == 0);
}

bool lia_watch_refuses(void) {
    bool spent = watch.mode == LIA_WATCH_ABANDON ? watch.spent != LIA_SPENT_NOTHING
                                                 : watch.spent == LIA_SPENT_MEMORY;
    return spent && watch.mode != LIA_WATCH_FINISH;
}

uint64_t lia_watch_bytes(void) { return watch.mode == LIA_WATCH_FINISH ? 0 : watch.bytes; }

LiaWatchMode lia_watch_enter(LiaWatchMode mode) {
    LiaWatchMode before = watch.mode;
    watch.mode = mode;
    return before;
}

const volatile int* lia_watch_also(const volatile int* interrupt) {
    const volatile int* before = watch.also;
    watch.also = interrupt;
    if (watch.by_also) {
        watch.spent = LIA_SPENT_NOTHING;
        watch.by_also = false;
    }
    return before;
}

void lia_watch_spend_memory(void) {
    if (watch.spent == LIA_SPENT_NOTHING) watch.spent = LIA_SPENT_MEMORY;
}
