// Clocks. See clock.h.
// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include <time.h>

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double lia_clock_seconds(void) { return seconds(CLOCK_MONOTONIC); }

double lia_clock_computed(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }
