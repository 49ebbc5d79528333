// Friction that is not linear in the multipliers, at order 0: see rubbing.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

/// Is there such friction in the mode of this workspace?
static inline bool lia_rubbing_is(const LiaWorkspace* w) { return w->system->rubbing != NULL; }
/// The multipliers it is made of, as far as they are known, into order 0 of their series: before
/// stage 0 is run.
void lia_rubbing_begin(LiaWorkspace* w);
/// After the solution of stage 0 with K0: more steps, until K0 is that of the multipliers found.
/// Not a number, where there are none.
void lia_rubbing_settle(LiaWorkspace* w, void (*solve)(LiaWorkspace* w));
