// Clocks, in seconds.
// SPDX-License-Identifier: MIT
#pragma once

/// Time that passes, from an instant that is the same for the whole process.
double lia_clock_seconds(void);
/// Time that the process has computed, in all its threads.
double lia_clock_computed(void);
