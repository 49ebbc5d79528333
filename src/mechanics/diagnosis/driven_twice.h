// Operators that prescribe the same thing twice: for what is said where equations contradict each
// other.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/system.h"

/// "'s' is driven twice, by 'a' and 'b': leave one of them out". False: nothing is, or memory is
/// out.
bool lia_driven_twice_find(const LiaSystem* system, LiaText* text);
