// Modes that are tried at an instant: see trials.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/contact/decide.h"

/// All places of an open contact are open.
void lia_trials_set_open(const LiaSystem* s, uint32_t contact, LiaContactMode* mode);
/// Into the mode, at the instant or where its series begin.
LiaTrial lia_trials_mode(LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at);
/// The same with the forces of least norm; where these are not unique they may pull or be beyond
/// the bounds though others are not: then with those of the proposal.
LiaTrial lia_trials_forces(LiaRunner* run, const LiaContactMode* mode, LiaInstant* at);
/// The mode in which all contacts are open whose forces are nearly zero.
LiaTrial lia_trials_release(LiaRunner* run, LiaInstant* at, LiaContactMode* mode);
/// A contact for which the mode that was tried is wrong changes its mode, until one is proved: one
/// without friction on a border, or `any`.
LiaTrial lia_trials_changes(LiaRunner* run, LiaInstant* at, LiaContactMode* mode, bool any);
/// Other modes of contacts that are on a border, until one is proved. `any`: of all contacts.
LiaTrial lia_trials_others(LiaRunner* run, LiaInstant* at, LiaContactMode* mode, bool any);
