// Who gives the memory: the C library, or the program by lia_allocator_set(). memory.h is above it,
// and all others use that.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// As malloc(), calloc(), realloc() and free(); sizes are not 0.
void* lia_allocator_take(size_t bytes);
void* lia_allocator_zeros(size_t count, size_t size);
void* lia_allocator_resize(void* old, size_t bytes);
void lia_allocator_release(void* block);
/// Is it the program?
bool lia_allocator_is_set(void);
