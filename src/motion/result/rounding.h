// Error bounds of the final values. See rounding.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// After the ledger: which numbers at the end are rounding. False if memory is out.
bool lia_rounding_make(LiaRunner* run);
