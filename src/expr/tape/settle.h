// Sections of a tape for parameters that stay as they are.
//
// Parameters are symbols of a tape, so that they can be set after it was made. Many are 1, and a
// product with 1 is none: the register has the series of the other factor, and its instruction does
// not run. Which ones is decided when a run begins.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/tape/tape.h"

/// Sections like those of the tape, but for products with a constant that is 1: these are left out,
/// and what used them uses the other factor. The laws and section post, which are run instruction
/// by instruction, stay as they are. same[r]: the register whose series register r has
/// (register_count). *out stays NULL where nothing is left out. False if memory is out.
bool lia_settle_sections(const LiaTape* tape, uint32_t* same, LiaSections** out);
void lia_settle_destroy(LiaSections* sections);
