// A state as one writes it on a command line: "t = 1, theta = pi/6, theta' = -2, p(x) = 3".
//
// What is given is kept; what is not stays as it was where the constraints allow it, else it becomes the
// nearest admissible value. A momentum p(x) stands for the velocity that belongs to it (Legendre).
// SPDX-License-Identifier: MIT
#pragma once
#include "phase_space.h"

/// Read `text` over the state (*t, q, v), which holds the defaults. False with diagnostics in `diags`, whose
/// source becomes the text (E0501: not understood), or which point at the model (E0502: the state contradicts a
/// constraint); false without diagnostics if memory is out.
bool lia_state_read(LiaPhaseSpace* space, const char* text, LiaDiags* diags, double* t, double* q,
                    double* v);
