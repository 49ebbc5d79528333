// Modes of rough constraints along a run: see rough_modes.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/contact/contacts.h"

/// In this mode no rough constraint has friction.
void lia_rough_modes_let_go(const LiaSystem* base, LiaContactMode* mode);
/// What a mode that has just ended says of them; `fired`: by what it ended.
void lia_rough_modes_find_resting(LiaRunner* run, bool fired);
/// Are there some whose normal force of several components vanishes at the instant, and which slide
/// on? Their modes after it, into `mode` (NULL: none are wanted).
bool lia_rough_modes_passing(const LiaContacts* contacts, LiaContactMode* mode);
/// Has one of them friction in the mode of the system, or may have it as soon as it has a force?
bool lia_rough_modes_matter(const LiaSystem* system);
/// There was an impact: nothing is known of their slips.
void lia_rough_modes_struck(LiaRunner* run);
/// Which mode goes on, that of the contacts included (lia_decide_mode()). WRONG: the motion ends,
/// there is a verdict.
LiaTrial lia_rough_modes_decide(LiaRunner* run, const bool* touches);
/// What has changed since the mode `before`, as events. False if memory is out.
bool lia_rough_modes_tell(LiaRunner* run, const LiaModeRoom* before);
