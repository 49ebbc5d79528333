// Contacts that press each other as much as they like. See self_stress.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/contact/friction/complementarity.h"

/// Are there normal forces of contacts that do not open which move nothing, while friction holds at
/// one of these? 1, 0; -1: memory is out.
int lia_self_stress(const LiaDelassus* d, const LiaContactVerdict* verdict);
