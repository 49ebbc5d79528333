// Memory: the one place where the library takes it.
//
// Every failure is counted, per thread. A public function notes the count when it begins and looks
// again when it is done: if it grew, memory was out somewhere inside, and the call ends with
// LIA_MEMORY (or NULL) whatever was made of the failure on the way. So code between the two need
// only stay within its memory and give back what it took; it cannot hide a failure by going on
// without what it asked for.
//
//     LiaMemoryMark mark = lia_memory_mark();
//     LiaStatus status = build(..., out);
//     if (lia_memory_failed(mark)) { ...destroy *out...; return LIA_MEMORY; }
//
// The count belongs to the thread, as errno does: a call runs on one thread, and several threads
// may run one system. Memory is given back by free(), which in the library is lia_memory_release():
// it may have come from an allocator of the program (allocator.h).
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct LiaMemoryMark {
    unsigned long failures;
} LiaMemoryMark;

/// `bytes` of memory, not set to anything. NULL if memory is out; none are one byte, so that NULL
/// says nothing else.
void* lia_memory_take(size_t bytes) __attribute__((malloc, alloc_size(1)));
/// `count` zeros of `size` bytes. NULL if memory is out.
void* lia_memory_zeros(size_t count, size_t size) __attribute__((malloc, alloc_size(1, 2)));
/// More room for what was taken before (NULL: nothing). NULL if memory is out: then the old block
/// is as it was.
void* lia_memory_resize(void* old, size_t bytes) __attribute__((alloc_size(2)));
/// `bytes` at a multiple of `alignment`, of which `bytes` is a multiple too. NULL if memory is out,
/// and where an allocator of the program gives it, which knows of no alignment.
void* lia_memory_aligned(size_t alignment, size_t bytes) __attribute__((malloc, alloc_size(2)));

/// Give back what one of these gave; NULL is allowed.
void lia_memory_release(void* block);
#define free(block) lia_memory_release(block)

/// Note a failure of memory that was not asked for here: by the C library, or of a size that cannot
/// be.
void lia_memory_fail(void);
/// Where the count of this thread stands.
LiaMemoryMark lia_memory_mark(void);
/// Was memory out on this thread since the mark?
bool lia_memory_failed(LiaMemoryMark mark);
