// Parameters changed after a system was built: nothing is read or derived again.
//
//     lia_system_copy(system, &own);
//     for (double w = 3.5; w < 4.5; w += 0.1) {
//         if (lia_system_set_parameter(own, "w", w, diags) == LIA_OK)
//             lia_motion_run(own, NULL, diags, &motion);
//         ...
//     }
//
// A system of which no run or motion is in use may be changed by the thread that has it; others are
// constant. So each thread changes a copy of its own, and whoever keeps the motions of several
// values keeps a copy for each.
// SPDX-License-Identifier: MIT
#pragma once
#include "liaison.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A system with the same formulas and parameters of its own, which costs little. It is released
/// with lia_system_destroy(); the system that lia_system_build() made must outlive it. LIA_OK,
/// LIA_MEMORY.
LiaStatus lia_system_copy(const LiaSystem* system, LiaSystem** out);
/// Set a parameter, in the unit of its declaration, as -D does: parameters made of it, start values
/// and the times of the run follow. LIA_OK; LIA_MODEL with an error, and the system as it was,
/// where there is no such parameter (E0128), where it is a size of the model (E0331), or where the
/// model would be another one (E0330): then it has to be read anew. LIA_MEMORY.
LiaStatus lia_system_set_parameter(LiaSystem* system, const char* name, double value,
                                   LiaDiags* diags);
/// Its value now, in SI units. False if there is none of that name; then *value is as it was.
bool lia_system_parameter(const LiaSystem* system, const char* name, double* value);

#ifdef __cplusplus
}
#endif
