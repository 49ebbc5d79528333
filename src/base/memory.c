// Memory, and the count of its failures. See memory.h.
// SPDX-License-Identifier: MIT
#include "memory.h"
#include <stdlib.h>

static _Thread_local unsigned long failures;  // only ever grows

static void* count(void* memory) {
    if (!memory) lia_memory_fail();
    return memory;
}

void* lia_memory_take(size_t bytes) { return count(malloc(bytes ? bytes : 1)); }

void* lia_memory_zeros(size_t number, size_t size) {
    return count(number && size ? calloc(number, size) : calloc(1, 1));
}

void* lia_memory_resize(void* old, size_t bytes) { return count(realloc(old, bytes ? bytes : 1)); }

void* lia_memory_aligned(size_t alignment, size_t bytes) {
    return count(aligned_alloc(alignment, bytes));
}

void lia_memory_fail(void) { failures++; }

LiaMemoryMark lia_memory_mark(void) { return (LiaMemoryMark){failures}; }

bool lia_memory_failed(LiaMemoryMark mark) { return failures != mark.failures; }
