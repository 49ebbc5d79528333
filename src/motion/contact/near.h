// Which of many contacts are near: see near.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/evaluate.h"
#include "motion/runner.h"

typedef struct LiaNear LiaNear;

/// Are there so many contacts that most of them are left alone?
bool lia_near_pays(const LiaSystem* base);
/// All contacts are near. NULL if memory is out.
LiaNear* lia_near_create(const LiaSystem* base);
/// NULL is allowed.
void lia_near_destroy(LiaNear* near);
/// A step of at most h begins, its series are made: how far it may lead, and the contacts that can
/// close within that are near, with their series.
double lia_near_cover(LiaRunner* run, double h);
/// The run has gone over to another mode, whose series are not made yet.
void lia_near_enter(LiaRunner* run);
/// The state is another one, wherever it was before: all contacts are near, until a step is
/// covered.
void lia_near_forget(LiaRunner* run);
/// Is the gap of a contact positive during the step, and at its end?
bool lia_near_far(const LiaRunner* run, uint32_t contact);
/// The first contact from `contact` on whose gap may not be: all that are closed are among these.
uint32_t lia_near_next(const LiaRunner* run, uint32_t contact);
/// The nodes of a gap, to be evaluated; *size: room for sizes.
LiaValues lia_near_gap(const LiaNear* near, uint32_t contact, double** size);
/// Boxes, from which all else follows. The mode that holds is entered.
void lia_near_keep(LiaRunner* run, LiaKeep* keep);
