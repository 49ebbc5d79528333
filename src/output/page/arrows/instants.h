// Instants: the rows of a motion at which carriers and forces are compared. Evenly spaced samples,
// and rows in which contacts act.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/page/arrows/carriers.h"

/// Choose them.
void lia_instants_choose(LiaCarriers* carriers);
/// The column of the normal force of a contact; 0, that of the time: none.
size_t lia_instants_normal_column(const LiaScene* scene, uint32_t contact);
