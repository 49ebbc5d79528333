// Ctrl-C and kill: the first asks the run to stop, the second ends the program.
// SPDX-License-Identifier: MIT
#pragma once

/// Begin to listen. What it gives becomes not 0 when a signal came; it lives as long as the program.
const volatile int* lia_interrupt_watch(void);
