// Coefficients of friction and restitution along a run: see laws.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// Is a coefficient of friction of the contact no number, or negative, at the state of the run?
/// Then that is the verdict. Not of one that has not touched.
bool lia_laws_wrong(LiaRunner* run, uint32_t contact);
/// The same of all that an impact compresses, by its `phases`, and of their restitution.
struct LiaResponse;
bool lia_laws_struck_wrong(LiaRunner* run, const struct LiaResponse* response,
                           const unsigned* phases);
/// Friction of all contacts that are closed, and of all that holds both ways.
bool lia_laws_any_wrong(LiaRunner* run);
