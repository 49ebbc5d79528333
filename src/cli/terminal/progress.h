// The progress line: where a long run is, on a terminal.
// SPDX-License-Identifier: MIT
#pragma once
#include "cli/terminal/screen.h"
#include <liaison/liaison.h>

typedef struct LiaProgressLine {
    bool silent;
    int width;
    double next;  // seconds of the run at which the line is written again
    bool shown;   // there is a line to take away
    bool noted;   // it was said that the end is far, or is not to be said
} LiaProgressLine;

/// A line for this screen; silent if stderr is no terminal, or if asked. Unless `quiet`, a run
/// whose end is far is pointed out once in any case.
LiaProgressLine lia_progress_begin(const LiaScreen* screen, bool silent, bool quiet);
/// For LiaRunOptions.progress; the context is the LiaProgressLine.
void lia_progress_show(void* context, const LiaProgress* progress);
/// Take the line away.
void lia_progress_end(LiaProgressLine* line);
