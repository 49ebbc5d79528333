// What the commands that run a model have in common: the options of the run.
// SPDX-License-Identifier: MIT
#pragma once
#include "cli/options.h"
#include "cli/terminal/progress.h"

/// What the command line says of the run, with the progress shown and Ctrl-C watched. Both are
/// borrowed and must outlive the options.
LiaRunOptions lia_run_options(const LiaCommandLine* line, LiaProgressLine* progress);
/// Told on stderr, and false, where the samples are given in two ways.
bool lia_run_options_agree(const LiaCommandLine* line);
/// Can a result be written there, and is it no file that this run reads? Asked before a long run
/// rather than after it. False: it is reported.
bool lia_run_options_writable(const LiaCommandLine* line, const char* path);
