// What sample_forces.c does. See sample_forces.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// Before the samples of a step that was taken without a corner at its end: how far do its
/// polynomials say the forces? `size`: log2 |det K0| where it began.
void lia_sample_forces_begin(LiaRunner* run, double size);
/// From now on they do not.
void lia_sample_forces_end(LiaRunner* run);
/// Project the state of the sampler and find accelerations and forces there by the polynomials of
/// the step. False where K0 has to be factored for them: the state may have moved then.
bool lia_sample_forces(LiaRunner* run);
