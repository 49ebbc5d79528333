// Times at equal distances, as they would be written.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

/// start + k step, rounded once. Numbers next to fractions that can be written count as these:
/// 100.3 + 6*0.1 is 100.9, to the last bit.
double lia_grid_at(double start, double step, uint64_t k);
