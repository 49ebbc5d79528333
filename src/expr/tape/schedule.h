// Order of the instructions of a tape: those of one kind stand together, so that a run is a few
// tight loops instead of a decision for every instruction.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/tape/tape.h"

// In a large tape: which instructions run near each other. A key is 1 + a coordinate.
typedef struct LiaWindows {
    uint32_t* near;    // per register: the key of what it depends on
    uint32_t* window;  // per key
    uint32_t keys, count;
} LiaWindows;

/// Cut section main into windows, body after body. A tape that is not large has none: `near` is
/// NULL then. False if memory is out.
bool lia_schedule_windows_make(LiaWindows* windows, const LiaTape* tape);
void lia_schedule_windows_clear(LiaWindows* windows);
/// Bring the instructions of a section into an order in which every argument still comes before its
/// use, and note the blocks. `section` is one of the tape; `windows` NULL: all is one. False if
/// memory is out.
bool lia_schedule_section(LiaSection* section, const LiaTape* tape, const LiaWindows* windows);
