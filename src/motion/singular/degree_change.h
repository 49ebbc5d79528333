// A relative degree that changes along the motion. See degree_change.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// A workspace in the state of run->w that looks as far ahead as may be needed. NULL if memory is
/// out.
LiaWorkspace* lia_degree_change_look(const LiaRunner* run);
/// Derivatives that decide the forces where those that were taken so far do not, at the state in
/// run->w. NULL: none do, or the state satisfies other equations there.
LiaRelativeDegree* lia_degree_change_find(LiaRunner* run);
/// Have these decide the forces from now on: they become the run's. False if memory is out; the run
/// has what it had then.
bool lia_degree_change_take(LiaRunner* run, LiaRelativeDegree* degree);
/// The same where the state in run->w satisfies all that is hidden in them; else, or if there are
/// none (NULL), false. All pointers to the workspaces of the run are void then.
bool lia_degree_change_renew(LiaRunner* run, LiaRelativeDegree* degree);
