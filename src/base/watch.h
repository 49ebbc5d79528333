// Watch: is a computation to end before it is done? By a signal, or because its time or its memory
// is spent.
//
// One handle per thread, as errno is one: lia_budget_set() of the public header sets it, and loops
// that may be long ask lia_watch_asked() now and then. It is cheap: a flag, and the clock where
// there is a deadline. Once it says yes it does so until the budget is set anew.
//
// What then happens depends on what would be lost:
//
//   abandon   reading, building, starting, explaining: nothing is worth keeping. No memory is given
//             any more, so that whoever takes some ends as where memory is out, and the public call
//             gives LIA_STOPPED (base/memory/call).
//   keep      a motion goes on: memory is given, loops end early, and the run ends in the last
//             state that was reached.
//   finish    what was reached is put together and written: nobody is asked to end. Only
//             lia_watch_raised() tells, for what can be left out. So it is outside of the calls
//             that can be abandoned.
// SPDX-License-Identifier: MIT
#pragma once
#include "liaison/liaison.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum LiaWatchMode { LIA_WATCH_FINISH, LIA_WATCH_KEEP, LIA_WATCH_ABANDON } LiaWatchMode;

/// Is this to end now? False while finishing.
bool lia_watch_asked(void);
/// The same for the inside of loops that are short each: looks at the clock only now and then.
bool lia_watch_asked_often(void);
/// Was it asked to end, also while finishing?
bool lia_watch_raised(void);
/// May memory be given? Not once what asks for it is abandoned.
bool lia_watch_gives(void);
/// Is it being refused, by an abandoned call or a spent budget? Then a lack of it says nothing
/// else.
bool lia_watch_refuses(void);
/// How much of it the process may hold now; 0: no limit, as while finishing.
uint64_t lia_watch_bytes(void);
/// What would be lost from here on; gives what it was before, to be put back.
LiaWatchMode lia_watch_enter(LiaWatchMode mode);
/// Another flag to look at, that of a run (NULL: none); gives the one before, to be put back. What
/// only this flag has asked for is forgotten then.
const volatile int* lia_watch_also(const volatile int* interrupt);
/// Memory was refused because the budget is spent.
void lia_watch_spend_memory(void);
