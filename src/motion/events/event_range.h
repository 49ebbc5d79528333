// What event_range.c does. See event_range.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// Before a step of about h: which events have no series where it begins, and whether that is a
/// corner.
void lia_event_range_begin(LiaRunner* run, double h);
/// How far, up to h, where those of the motion are, the series of events and of their guards can be
/// relied upon; those of blind events are not.
double lia_event_range(LiaRunner* run, double h);
/// Is there a root of a blind event within the step, by its formula?
bool lia_event_range_blind_root(LiaRunner* run, uint32_t e, double h, LiaRootFound* root);
