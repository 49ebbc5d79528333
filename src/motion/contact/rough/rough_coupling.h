// Friction of a rough constraint and its normal force act on each other: see rough_coupling.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/contact/rough/rough_modes.h"

static inline bool lia_rough_slides(LiaContactMode mode) { return mode > LIA_MODE_STICK; }
static inline bool lia_rough_pulls(LiaContactMode mode) {
    return mode == LIA_MODE_FORWARD_PULL || mode == LIA_MODE_BACKWARD_PULL;
}
static inline bool lia_rough_forward(LiaContactMode mode) {
    return mode == LIA_MODE_FORWARD || mode == LIA_MODE_FORWARD_PULL;
}

static inline LiaContactMode lia_rough_sliding(bool forward, bool pull) {
    if (pull) return forward ? LIA_MODE_FORWARD_PULL : LIA_MODE_BACKWARD_PULL;
    return forward ? LIA_MODE_FORWARD : LIA_MODE_BACKWARD;
}

static inline LiaContactMode lia_rough_mode(const LiaSystem* s, uint32_t k) {
    return s->mode.now[lia_system_rough_place(s, k)];
}

/// Where such a constraint stands in the text.
static inline LiaSpan lia_rough_span(const LiaRunner* run, uint32_t k) {
    return run->model->constraints[run->contacts->base->rough[k].constraint].span;
}

/// Is the motion of the mode of the run the only one that its friction has? If not, there is a
/// verdict; false too if memory is out.
bool lia_rough_coupling_one(LiaRunner* run);
/// What sticks though it could slide off as well is said, once of each constraint.
void lia_rough_coupling_doubt(LiaRunner* run);
/// contacts->rounding.none of constraint k: normal forces so small that their friction changes no
/// velocity during the run. False if memory is out.
bool lia_rough_coupling_none(LiaRunner* run, uint32_t k);
