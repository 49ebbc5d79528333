// The parts of a classification, each in its own file. Only geometry uses this header.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/admissible.h"
#include "geometry/classification.h"

enum { LIA_JUDGE_SIZE = 120 };  // with more coordinates than this some verdicts are left open

/// integrability.c: holonomic (with respect to all equations together) and whether left sides are
/// submersions. False if memory is out.
bool lia_integrability_judge(LiaGeometry* geometry, LiaAdmissible* z, const LiaSamples* samples,
                             LiaConstraintClass* constraints);
/// symmetry.c: one symmetry of the model. False if memory is out.
bool lia_symmetry_judge(LiaGeometry* geometry, LiaAdmissible* z, const LiaSamples* samples,
                        uint32_t symmetry, LiaSymmetryClass* out);
