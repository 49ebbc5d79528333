// Guards: where formulas change their side. See guards.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// The first root of a guard within the step; -1: none. *x: where. *reach: how far the step may go
/// at most for that answer. Which are live is known.
int lia_guards_first(LiaRunner* run, double h, double* x, double* reach);
/// The first guard from this one on whose formula is computed; their number: none. Those of
/// contacts that are far are not, and have no roots.
uint32_t lia_guards_next(const LiaRunner* run, uint32_t guard);
/// The first guard from this one on whose formula is zero where the step begins; their number:
/// none.
uint32_t lia_guards_next_at_root(const LiaRunner* run, uint32_t guard);
/// How far the polynomials of guards and events can be trusted.
double lia_guards_reach(const LiaRunner* run, double h);
/// How far a polynomial can be trusted, up to h > 0, at the tolerance of the run.
double lia_guards_trusted(const LiaRunner* run, const double* c, double h);
/// Sides where a step begins and formulas of guards, from this one on, are zero: at the very start,
/// and at a corner, where one guard may begin to move that was zero as long as another was on its
/// old side: max(max(0, a), max(0, b)). Returns the first that is on the wrong side, and alone is
/// to cross: lia_guards_flip(); after that series are to be taken again. The number of all: none
/// is. `anew`: at the start, not at a corner.
uint32_t lia_guards_settle(LiaRunner* run, uint32_t from, bool anew);
/// To the other side of all guards that have their root where the step ends (one of them found by
/// lia_guards_first). Twice: back again.
void lia_guards_flip(LiaRunner* run);
/// A value that leaps may take others along: abs(wrap(t)) goes to its other side where wrap comes
/// back by a turn. They cross as well. load() and residuals() done after the corner.
void lia_guards_flip_along(LiaRunner* run);
/// After a crossing: does the formula move away on the side taken? False: it is driven back.
bool lia_guards_moves_on(const LiaRunner* run, int g);
