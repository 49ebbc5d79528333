// Order of the instructions of a tape: those of one kind stand together, so that a run is a few tight
// loops instead of a decision for every instruction.
// SPDX-License-Identifier: MIT
#pragma once
#include "tape.h"

/// Bring the instructions of a section into an order in which every argument still comes before its
/// use, and note the blocks. `registers`: how many the tape has; `near`: for each the place (1 .. places) of the
/// coordinate it is, 0 elsewhere, filled on the way with the place of what it depends on. False if memory is out.
bool lia_schedule_section(LiaSection* section, uint32_t registers, uint32_t* near, uint32_t places);
