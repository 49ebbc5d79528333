// The inside of a run, for tests of its parts.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// A LiaRun begins with it; run.c says so to the compiler.
static inline LiaRunner* runner_of(LiaRun* run) { return (LiaRunner*)run; }
