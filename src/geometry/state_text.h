// A state as one writes it on a command line: "t = 1, theta = pi/6, theta' = -2, p(x) = 3".
//
// What is given is kept; what is not stays as it was where the constraints allow it, else it
// becomes the nearest admissible value. The velocity of r : space is r'.x, ...; that of R :
// rotation is omega, R'.x, ... in space axes. A momentum p(x) stands for the velocity that belongs
// to it (Legendre).
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/phase_space/phase_space.h"

/// Read `text` over the state (*t, q, v), which holds the defaults. False with diagnostics in
/// `diags`, whose source becomes the text (E0501: not understood), or which point at the model
/// (E0502: the state contradicts a constraint); false without diagnostics if memory is out.
bool lia_state_text_read(LiaPhaseSpace* space, const char* text, LiaDiags* diags, double* t,
                         double* q, double* v);

/// The velocity of coordinate i as a state shows it: its name and value. False for the w of a
/// rotation, which has none.
bool lia_state_text_velocity(const LiaModel* model, const double* q, const double* v, uint32_t i,
                             LiaText* name, double* value);
