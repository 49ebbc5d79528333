// The passage from one stage of a large system to the next, window by window of its tape: which
// unknowns must be in their series before a window is run, and which equations are complete after
// it. What a window needs so comes from memory once for each order.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/tape/jet.h"
#include "mechanics/system.h"

// Numbers of unknowns, or of rows: those of window i are list[end[i - 1]] .. list[end[i] - 1].
typedef struct LiaByWindow {
    int *list, *end;
} LiaByWindow;

typedef struct LiaStagePipeline {
    LiaByWindow unknowns, multipliers;  // before: those that the window is the first to read
    LiaByWindow balances, equations;    // after: what the window, or one before, has finished
    void* block;
} LiaStagePipeline;

/// NULL: the tape of d has no windows, or memory is out.
LiaStagePipeline* lia_stage_pipeline_create(const LiaDynamics* d);
void lia_stage_pipeline_destroy(LiaStagePipeline* p);
