// Memory for large arrays that are gone through from end to end, again and again.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

/// Zeros, to be released with free(); NULL if memory is out. Where the system offers them, large
/// blocks stand on large pages: else looking up where each page is takes a good part of the time.
void* lia_hugepage_zeros(size_t bytes);
