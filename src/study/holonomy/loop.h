// A loop of the base as formulas, "s1 = cos(u), s2 = sin(u), u = 0..2*pi": the model in which
// operators go it.
//
// The loop takes the place of the statements that drive its coordinates, in the text of the model:
// so its formulas are those of models, with their parameters, units and messages. The parameter,
// whatever its name, runs evenly from one end to the other over the time of the run. Without one
// the formulas are of t.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/model.h"

/// The text of the model with the loop in it, over the time t0..t1. LIA_OK; LIA_MODEL with E0351;
/// LIA_MEMORY. Clear `out` in any case.
LiaStatus lia_loop_text(const LiaModel* model, const char* loop, double t0, double t1,
                        LiaDiags* diags, LiaText* out);
