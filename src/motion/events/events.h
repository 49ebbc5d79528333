// The events of the model. See events.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// One more event, of which nothing is said yet. NULL if memory is out.
LiaEventRecord* lia_events_add(LiaTrajectory* out);
/// Record the events of the accepted step; a stop shortens it first: see lia_events_stop().
void lia_events_record(LiaRunner* run, double h);
/// The roots of events within the step, at most LIA_EVENT_ROOTS of them.
const LiaEventRoots* lia_events_within(LiaRunner* run, double h);
/// How far, up to h, the roots of events are sharp: the step is to end there.
double lia_events_reach(LiaRunner* run, double h);
/// Where a stopping event ends the step: -1 if none.
int lia_events_stop(LiaRunner* run, double h, double* x);
