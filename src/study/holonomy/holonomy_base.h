// The base of a loop: coordinates that operators drive, or functions of coordinates; is there a
// loop of it, and a connection over it? Else an error says why.
// SPDX-License-Identifier: MIT
#pragma once
#include "study/holonomy/holonomy_motion.h"

/// Fill base and fibre of w->h.
LiaStatus lia_holonomy_base_find(LiaHolonomyWork* w);
/// Base and rates at a time into w->s, w->ds.
LiaStatus lia_holonomy_base_at(LiaHolonomyWork* w, double t);
/// Functions are set to functions of time alone.
LiaStatus lia_holonomy_base_separates(LiaHolonomyWork* w);
/// Rest is admissible where the base stands still.
LiaStatus lia_holonomy_base_rests(LiaHolonomyWork* w);
/// The base returns to where it began; *winds: angles made turns.
LiaStatus lia_holonomy_base_closed(LiaHolonomyWork* w, bool* winds);
