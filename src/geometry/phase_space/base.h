// The base: which statements' left sides are the functions f of the submersion f: M -> S.
//
// By itself the base are the operators: somebody sets the values of what stands on their left.
// `--base NAME,...` chooses other statements, passive ones too. A left side counts if it is a
// function of the configuration, or the velocity of one.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/classification/classification.h"

/// The names of statements, separated by commas, as marks by constraint (constraints_count of
/// them). LIA_MODEL with diagnostics where a name is not that of a statement.
LiaStatus lia_base_read(const LiaSystem* system, const char* names, LiaDiags* diags, bool* chosen);
/// The rows of the base, after the left sides were judged; `chosen` NULL: the operators. Returns
/// how many, `rows` has room for all rows of the system.
uint32_t lia_base_rows(const LiaGeometry* geometry, const LiaConstraintClass* constraints,
                       const bool* chosen, uint32_t* rows);
