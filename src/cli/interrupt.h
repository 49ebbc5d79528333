// Ctrl-C, kill, and time that is up: the first asks the command to end, the second signal ends the
// program.
//
// Who is asked looks now and then (lia_budget_set() of the library). Where nobody looks for a while
// and there is nothing to lose, the program ends all the same.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

/// Begin to listen. What it gives becomes not 0 when a signal came; it lives as long as the
/// program.
const volatile int* lia_interrupt_watch(void);
/// The library was given so many seconds: end the program soon after them if it does not.
void lia_interrupt_limit(double seconds);
/// From now on there is something to lose: a motion that is to be written.
void lia_interrupt_hold(void);
/// 0, or where a signal came the exit code that says which, 130 or 143.
int lia_interrupt_code(void);
