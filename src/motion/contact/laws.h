// Coefficients of friction along a run: see laws.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// Is a coefficient of friction of the contact no number, or negative, at the state of the run?
/// Then that is the verdict. Not of one that has not touched.
bool lia_laws_wrong(LiaRunner* run, uint32_t contact);
/// The same of all that are closed.
bool lia_laws_any_wrong(LiaRunner* run);
