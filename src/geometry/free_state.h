// States of M whatever the constraints say: positions and velocities at random around a given one,
// with attitudes and directions of unit length. Hypotheses about L on all of TM are looked at
// there.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/system.h"

/// Move (q, v) to a state around it: `seed` says which one, `radius` how far away it may be (1: the
/// size of what is there, or 1).
void lia_free_state_make(const LiaSystem* system, uint64_t seed, double radius, double* q,
                         double* v);
