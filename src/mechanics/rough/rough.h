// Rough constraints: friction where a constraint holds both ways. See rough.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/system.h"

/// Does rough constraint k hold: not one that has not begun, or has ended?
bool lia_rough_is_on(const LiaSystem* system, uint32_t k);
/// The rows of a mode, after those of contacts and switches; `by`: what multipliers of rows that do
/// not hold are. False if memory is out.
bool lia_rough_set(LiaSystem* system, LiaExpr* by);
/// What the mode asks to be watched, added to system->watched.
void lia_rough_watch(LiaSystem* system);
