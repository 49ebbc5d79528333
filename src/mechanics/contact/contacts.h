// Modes of a system with contacts: see contacts.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/system.h"

/// The system in which contacts and switches of `base` are in these modes
/// (lia_system_mode_count()). It borrows from `base`. NULL if memory is out.
LiaSystem* lia_contacts_mode(const LiaSystem* base, const LiaContactMode* mode);
/// Release it. NULL is allowed.
void lia_contacts_destroy_mode(LiaSystem* mode);
