// Which statement of the model is the cause. See advice.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// A formula of the time alone has a pole here, for steps that become as short as h.
bool lia_advice_pole(LiaRunner* run, double h);
/// What an operator asks for grows without bound.
bool lia_advice_law(LiaRunner* run, double h);
/// The form that a force was given along vanishes here.
bool lia_advice_form(LiaRunner* run);
/// Advice where equations contradict each other: operators that prescribe the same thing.
void lia_advice_twice(LiaRunner* run);
/// Advice where a formula is driven back from both sides.
void lia_advice_stick(LiaRunner* run, LiaExpr formula);
