// Facts that are handed out: structs of the public headers, which may grow.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/// What we know, `own` bytes, into a struct of the caller, `size` bytes: as much as has room, zeros
/// where he expects more. False where there is nothing to fill in.
static inline bool lia_facts_give(const void* known, size_t own, void* info, size_t size) {
    if (!info || !size) return false;
    memset(info, 0, size);
    memcpy(info, known, size < own ? size : own);
    return true;
}
