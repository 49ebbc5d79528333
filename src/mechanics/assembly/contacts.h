// Modes of a system with contacts: see contacts.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/system.h"

/// The system in which the contacts of `base` are in these modes (contact_count). It borrows from
/// `base`, which has all contacts open. NULL if memory is out.
LiaSystem* lia_contacts_mode(const LiaSystem* base, const LiaContactMode* mode);
/// Release it. NULL is allowed.
void lia_contacts_destroy_mode(LiaSystem* mode);
