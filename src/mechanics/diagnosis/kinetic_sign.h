// Is the kinetic energy negative for some velocities? See kinetic_sign.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/system.h"

/// A warning if the kinetic energy at (t, q) is negative for a combination of velocities, which it
/// names; was there one? Systems of many coordinates are not looked at.
bool lia_kinetic_sign_check(const LiaSystem* system, double t, const double* q, LiaDiags* diags);
