// Stall: does a run come to its end at all? See stall.c.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

enum { LIA_STALL_LOOKS = 7 };

typedef struct LiaStall {
    uint64_t next;              // look again after so many steps, tried or gone
    double t[LIA_STALL_LOOKS];  // where the run was at the last looks, the latest first
    int looks;
} LiaStall;

typedef enum LiaStallVerdict {
    LIA_STALL_NONE,
    LIA_STALL_BEFORE_END,  // the instants of the steps have a limit before the end
    LIA_STALL_FAR,         // steps are as long as ever, and the end is farther than months of them
    LIA_STALL_NEVER,       // they have none there, but each step takes ever more of them
} LiaStallVerdict;

/// Where a run is after `steps` steps; `left` is the time to its end.
LiaStallVerdict lia_stall_look(LiaStall* stall, uint64_t steps, double t, double left);
