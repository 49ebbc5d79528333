// Operators that ask for more than coordinates can give: one of them driven twice, three equations
// on two coordinates.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/system.h"

/// "'s' is driven twice, by 'a' and 'b': leave one of them out". False: nothing is, or memory is
/// out.
bool lia_driven_twice_find(const LiaSystem* system, LiaText* text);
/// The same as a warning, where the equations agree.
void lia_driven_twice_warn(const LiaSystem* system, LiaDiags* diags);
