// Numbers in rising order: for qsort() and bsearch().
// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

static inline int lia_rising(const void* a, const void* b) {
    uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
    return (x > y) - (x < y);
}
