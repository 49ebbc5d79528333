// Reading packed columns back, written from the description in src/output/page/packed.h alone.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdint.h>

/// x = low + step q, of `count` numbers; holes are not looked at.
void unpack(const uint8_t* bytes, size_t count, double low, double step, int order, double* x);
