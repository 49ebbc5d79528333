// The energy and the works at every step. See energy_balance.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// The energy where a step begins.
void lia_energy_balance_begin(LiaRunner* run);
/// Is the change of the energy along the step that of the works, and of what projection fed in?
/// After arriving.
bool lia_energy_balance_closes(LiaRunner* run, double fed, double allowed);
/// What the energy changed by since the start, less all works and what projection fed in.
double lia_energy_balance_gap(const LiaRunner* run, double energy);
/// Energies of a state, by which the ledger is measured: that of the start, and those that steps
/// which were taken end in.
void lia_energy_balance_note(LiaRunner* run, const LiaWorkspace* w, double energy);
/// The same of a sample, in a step that passed, where the ledger closes there.
void lia_energy_balance_sample(LiaRunner* run, const LiaWorkspace* w, double energy);
